"""Nothing is lost between a record and its text, in any format."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mossa
from mossa import Position
from mossa.records import Record, parse_records, to_jsonl, to_psq, to_sgf, to_text

MNK = ["mnk:3x3x3", "mnk:2x5x3", "mnk:7x4x3,exact=yes", "mnk:15x15x5", "mnk:3x30x4", "mnk:52x52x5"]
GAMES = [
    *MNK,
    "mnk:100x100x5",
    "connect:6x7x4",
    "connect:4x12x3",
    "kalah:6x4",
    "kalah:2x1",
    "kalah:12x2,empty_capture=yes,leftover=none",
    "kalah:4x3,swap=yes,first_extra=no",
]


WORDS = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=12)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
SLOW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
EXTRA = st.dictionaries(WORDS.map("x{}".format), JSON, max_size=3)


@st.composite
def positions(draw: st.DrawFn, games: list[str], *, set_up: bool) -> Position:
    """A position somewhere in a random game, perhaps one that did not begin at the usual start."""
    game = mossa.game(draw(st.sampled_from(games)))
    position = game.start()
    random = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, 60))):
        if position.outcome is not None:
            break
        position = position.play(random.choice(position.moves))
        if set_up and position.outcome is None and random.random() < 0.1:
            position = game.from_text(position.text)
    return position


@st.composite
def records(
    draw: st.DrawFn, games: list[str], *, set_up: bool = True, extra: bool = True
) -> Record:
    position = draw(positions(games, set_up=set_up))
    claims = ["1-0", "0-1", "1/2", "*"] if position.outcome is None else ["*"]
    return Record.from_position(
        position,
        first=draw(WORDS),
        second=draw(WORDS),
        result=draw(st.sampled_from(claims)),
        date=draw(st.none() | WORDS | st.just("2026-11-15")),
        comment=draw(st.none() | st.text(st.sampled_from("ab \n\\]:;()#\"'"), max_size=20)),
        extra=draw(EXTRA) if extra else {},
    )


def same(one: list[Record], other: list[Record]) -> None:
    assert one == other
    assert [record.position for record in one] == [record.position for record in other]


@settings(SLOW)
@given(st.lists(records(GAMES), min_size=1, max_size=3))
def test_text_and_jsonl_keep_everything(games: list[Record]) -> None:
    same(parse_records(to_text(games), "text"), games)
    same(parse_records(to_jsonl(games), "jsonl"), games)


@settings(SLOW)
@given(st.lists(records(MNK, extra=False), min_size=1, max_size=3))
def test_sgf_keeps_all_but_extra(games: list[Record]) -> None:
    same(parse_records(to_sgf(games), "sgf"), games)


@settings(SLOW)
@given(records([*MNK, "mnk:100x100x5"], set_up=False, extra=False), st.data())
def test_psq_keeps_moves_names_result_and_times(game: Record, data: st.DataObject) -> None:
    count = len(game.moves)
    times = data.draw(st.lists(st.integers(0, 10**7), min_size=count, max_size=count))
    game = replace(game, date=None, comment=None, extra={"times_ms": times} if any(times) else {})
    same(parse_records(to_psq([game]), "psq"), [game])


def test_long_games_are_wrapped() -> None:
    game = mossa.game("mnk:12x12x12")
    position = game.start()
    while len(position.history) < 100:
        position = position.play(position.moves[len(position.history) * 7 % len(position.moves)])
    record = Record.from_position(position)
    for form, text in (("text", to_text([record])), ("sgf", to_sgf([record]))):
        lines = text.splitlines()
        assert len(lines) > 4
        assert max(map(len, lines)) <= 79
        assert parse_records(text, form) == [record]
