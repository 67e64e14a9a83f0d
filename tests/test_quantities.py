"""Counts and times in words."""

from __future__ import annotations

import pytest

from mossa import GameError
from mossa.quantities import counted, duration, percentages, read_duration


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 ms"),
        (0.0000004, "0 ms"),
        (0.000012, "0.012 ms"),
        (0.00035, "0.35 ms"),
        (0.0009996, "1 ms"),
        (0.00123, "1.23 ms"),
        (0.0123, "12.3 ms"),
        (0.05, "50 ms"),
        (0.1, "100 ms"),
        (0.9994, "999 ms"),
        (0.9996, "1 s"),
        (1, "1 s"),
        (1.5, "1.5 s"),
        (12.345, "12.3 s"),
        (60, "60 s"),
        (99.97, "100 s"),
        (3600, "3,600 s"),
    ],
)
def test_short_times_are_not_zero_seconds(seconds: float, text: str) -> None:
    """They were all "0.00 s"."""
    assert duration(seconds) == text


def test_one_game_is_not_one_games() -> None:
    assert [counted(n, "game") for n in (0, 1, 2, 1000)] == [
        "0 games",
        "1 game",
        "2 games",
        "1,000 games",
    ]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("0.5", 0.5), ("30m", 1800), ("2h", 7200), ("1h30m", 5400), (" 1D ", 86_400)],
)
def test_times_are_read_as_people_write_them(text: str, seconds: float) -> None:
    assert read_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "0", "0h", "-5", "2x", "h", "1h30", "nan", "inf", "9" * 400])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(GameError, match=r"invalid time .*: more than nothing, in seconds"):
        read_duration(text)


@pytest.mark.parametrize(
    ("shares", "shown"),
    [
        ((1 / 3, 1 / 3, 1 / 3), [34, 33, 33]),
        ((0.604, 0.044, 0.352), [60, 5, 35]),
        ((1.0, 0.0, 0.0), [100, 0, 0]),
        ((0.9999999, 5e-8, 5e-8), [100, 0, 0]),
        ((0.335, 0.335, 0.33), [34, 33, 33]),
        ((0.3333333, 0.3333333, 0.3333333), [34, 33, 33]),
    ],
)
def test_percentages_add_up(shares: tuple[float, ...], shown: list[int]) -> None:
    assert percentages(*shares) == shown
