"""The wording that messages share."""

from __future__ import annotations

import pytest

from mossa.quantities import counted


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ((0, "game"), "0 games"),
        ((1, "game"), "1 game"),
        ((2, "game"), "2 games"),
        ((12345, "more move"), "12,345 more moves"),
        ((1, "ply", "plies"), "1 ply"),
        ((3, "ply", "plies"), "3 plies"),
    ],
)
def test_a_number_agrees_with_its_noun(given: tuple[int, str], text: str) -> None:
    assert counted(*given) == text
