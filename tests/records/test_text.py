"""The text format: as people write it and as mossa does."""

from __future__ import annotations

from pathlib import Path

import pytest
from record_checks import DATA, check_refusal, moves

import mossa
from mossa.records import Record, parse_records, read_records, to_text


def test_text_as_people_write_it() -> None:
    connect, draw, kalah, study = read_records(DATA / "games.mossa")
    assert (connect.game.name, moves(connect)) == ("connect:6x7x4", "4 1 4 1 4 1 4")
    assert (connect.first, connect.second) == ("human", "alphabeta:depth=6,table=on")
    assert (connect.result, connect.date) == ("1-0", "2026-11-15")
    assert (draw.first, draw.second, draw.comment) == (
        'Ada "the # first"',
        "Æsir",
        "a draw\nafter all",
    )
    assert (draw.result, len(draw.moves)) == ("1/2", 9)
    assert (moves(kalah), kalah.position.ply, kalah.result) == ("3 6", 2, "0-1")
    assert (study.game.name, study.start, study.moves) == ("mnk:3x3x3", "x../.o./..x", ())
    assert study.position.side is mossa.Side.second
    assert study.extra == {"event": "study", "rating": [1500, None]}


def test_text_as_mossa_writes_it() -> None:
    position = mossa.game("connect4").position("4 1 4 1 4 1 4")
    games = [
        Record.from_position(position, first="human", second='"x"', date="2026-11-15"),
        Record(
            mossa.game("kalah"), date="Nov 2026", comment="no\nmoves", extra={"a b": [1, "c d"]}
        ),
    ]
    assert to_text(games) == (
        'mossa connect:6x7x4 first="human" second="\\"x\\"" result=1-0 date=2026-11-15\n'
        "4 1 4 1 4 1 4\n"
        "\n"
        'mossa kalah:6x4 first="?" second="?" date="Nov 2026" comment="no\\nmoves" '
        'extra={"a b":[1,"c d"]}\n'
    )


@pytest.mark.parametrize(
    ("game", "together", "apart"),
    [
        ("gomoku", "h8i9", "h8 i9"),
        ("connect4", "4453(21)6", "4 4 5 3 (2 1) 6"),
        ("connect:6x12x4", "10 1 12", "10 1 12"),
        ("kalah", "36", "3 6"),
        ("kalah:6x4,swap=yes", "1swap3", "1 swap 3"),
        ("breakthrough:6x6", "a2a3f5f4 (f5e4)", "a2a3 f5f4 (f5e4)"),
    ],
)
def test_the_game_splits_moves_that_run_together(game: str, together: str, apart: str) -> None:
    """Records cut moves in their own way, and refused h8i9, which positions took."""
    (record,) = parse_records(f"mossa {game}\n{together}\n")
    assert (record.branches or moves(record)) == apart
    if "(" not in together:
        assert record.position == mossa.game(game).position(together)


BAD: list[tuple[str, int, str]] = [
    ("4 4 5", 1, "expected a header such as 'mossa connect:6x7x4', not '4 4 5'"),
    ("# only\n\n  # comments\n", 1, "no game, only comments"),
    ("#\nmossa  \n4", 2, "the header names no game"),
    ("mossa chess\n", 1, "unknown game 'chess'"),
    (
        "mossa connect4 frist=x\n",
        1,
        "'frist=x' is not a known key=value; accepted keys: first second",
    ),
    ("mossa connect4 first=x first=y\n", 1, "first is given twice"),
    ('mossa connect4 first="x\n', 1, "'\"x' is neither a JSON string or object nor a text"),
    ('mossa connect4 first="x"y\n', 1, "a space is missing before 'y'"),
    ("mossa connect4 first=\n", 1, "'' is neither a JSON string"),
    ("mossa connect4 extra=5\n", 1, "extra is '5', not an object"),
    ('mossa connect4 first={"a":1}\n', 1, "first is an object, not a text"),
    ('mossa connect4 extra={"first":1}\n', 1, "extra cannot hold 'first'"),
    ("mossa connect4 extra=" + '{"a":' * 100_000, 1, "neither a JSON string"),
    ("mossa connect4 result=won\n", 1, "result 'won' is unknown"),
    ("mossa connect4 result=0-1\n4 1 4 1\n4 1 4", 1, "result '0-1' contradicts the board: 1-0"),
    ("mossa connect4\n4 4\n4 4 4 4\n4 # full\n", 4, "column 4 is full"),
    ("mossa connect4\n4141414\n\n5\n", 4, "illegal move '5'"),
    ("mossa connect4\n1 2\n8\n", 3, "illegal move '8'"),
    ("mossa connect:6x12x4\n1 2 1213\n", 2, "illegal move '1213'"),
    ("mossa tictactoe\nb2\n\nb2\n", 4, "cell b2 is taken"),
    ("mossa tictactoe\nb2 h\u00e91\n", 2, "invalid move 'h\u00e91'"),
    ('mossa tictactoe start="xx./.../..."\n', 1, "invalid position 'xx./.../...'"),
    ('mossa kalah start="1,1/1,1 first"\n', 1, "invalid position '1,1/1,1 first'"),
    ('mossa tictactoe first="\\u0007"\n', 1, "control character"),
]


@pytest.mark.parametrize(("text", "line", "reason"), BAD, ids=range(len(BAD)))
def test_bad_files_are_refused_with_line_and_reason(
    text: str, line: int, reason: str, tmp_path: Path
) -> None:
    check_refusal(tmp_path / "games.mossa", text, line, reason)
