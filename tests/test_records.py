"""Game records: nothing is lost between formats, nothing illegal gets in, no file is ever lost."""

from __future__ import annotations

import copy
import doctest
import json
import os
import pickle
import re
import signal
import stat
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mossa
from mossa import GameError, Position
from mossa.records import (
    InvalidRecordError,
    Record,
    parse_records,
    read_records,
    to_jsonl,
    to_psq,
    to_sgf,
    to_text,
    write_records,
)

DATA = Path(__file__).parent / "data" / "records"

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


def moves(record: Record) -> str:
    return " ".join(map(str, record.moves))


# --- what a record is -----------------------------------------------------------------------------


def test_a_record_knows_its_positions_and_its_result() -> None:
    game = mossa.game("connect4")
    position = game.position("4 1 4 1 4 1 4")
    record = Record.from_position(position, first="human", second="random")
    assert record == Record(game, tuple(position.history), first="human", second="random")
    assert record.position == position
    assert record.result == "1-0"
    assert list(record.positions()) == [game.position("4141414"[:ply]) for ply in range(8)]
    assert record.start is None


def test_a_record_may_start_anywhere() -> None:
    game = mossa.game("mnk:3x3x3")
    position = game.from_text("x../.o./..x").play("b1").play("b3")
    record = Record.from_position(position)
    assert (record.start, moves(record), record.result) == ("x../.o./..x", "b1 b3", "*")
    assert [each.text for each in record.positions()] == [
        "x../.o./..x",
        "x../.o./.ox",
        "xx./.o./.ox",
    ]


def test_records_compare_hash_and_travel_between_processes() -> None:
    record = Record(mossa.game("kalah:6x4"), extra={"times_ms": []}, date="2026-11-15")
    for twin in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record), replace(record)):
        assert twin == record
        assert hash(twin) == hash(record)
        assert twin.position == record.position
    assert record != replace(record, first="somebody")
    assert record != replace(record, extra={})


def test_the_board_decides_the_result_and_an_open_game_keeps_the_claim() -> None:
    game = mossa.game("tictactoe")
    won = tuple(game.position("a1 a2 b1 b2 c1").history)
    lost = tuple(game.position("a3 a1 b2 b1 c2 c1").history)
    drawn = tuple(game.position("b2 a1 c3 a3 a2 c2 b3 b1 c1").history)
    for line, shown in ((won, "1-0"), (lost, "0-1"), (drawn, "1/2")):
        assert Record(game, line).result == shown
        assert Record(game, line, result="*").result == shown
        assert Record(game, line, result=shown).result == shown
        for other in {"1-0", "0-1", "1/2"} - {shown}:
            with pytest.raises(
                InvalidRecordError, match=f"result '{other}' contradicts the board: {shown}"
            ):
                Record(game, line, result=other)
    for claim in ("1-0", "0-1", "1/2", "*"):
        assert Record(game, won[:3], result=claim).result == claim
    assert Record(game, won[:3], result="1/2-1/2").result == "1/2"
    with pytest.raises(
        InvalidRecordError, match=r"result '2-0' is unknown; accepted: 1-0 0-1 1/2 \*"
    ):
        Record(game, result="2-0")


def test_texts_are_tidied_or_refused() -> None:
    game = mossa.game("tictactoe")
    record = Record(
        game, first="  Ada\n Lovelace\u2028", second=" ", date="", comment="\ta\r\nb \r\n"
    )
    assert (record.first, record.second, record.date) == ("Ada Lovelace", "?", None)
    assert record.comment == "a\nb"
    assert Record(game, first="\U0001f469\u200d\U0001f4bb").first == "\U0001f469\u200d\U0001f4bb"
    for bad in ("\x1b[31m", "nul\x00", "\ud800", "\x9b"):
        for field in ("first", "second", "date", "comment"):
            with pytest.raises(InvalidRecordError, match="control character") as caught:
                Record(game, **{field: f"x{bad}x"})  # type: ignore[arg-type]
            assert caught.value.args[0].isprintable()


def test_extra_is_a_copy_in_json_types() -> None:
    given = {"times_ms": (1, 2), "deep": {"a": [None]}}
    record = Record(mossa.game("tictactoe"), extra=given)
    assert record.extra == {"times_ms": [1, 2], "deep": {"a": [None]}}
    given["deep"]["a"].append(1)  # type: ignore[index]
    assert record.extra["deep"] == {"a": [None]}
    nest: list[object] = []
    for _ in range(100_000):
        nest = [nest]
    for bad in ({"x": {1}}, {"x": float("nan")}, {"x": "\ud800"}, {"x": nest}):
        with pytest.raises(InvalidRecordError, match="extra is not JSON"):
            Record(mossa.game("tictactoe"), extra=bad)
    with pytest.raises(InvalidRecordError, match="extra cannot hold 'moves'"):
        Record(mossa.game("tictactoe"), extra={"moves": []})


def test_an_illegal_move_is_the_cores_error() -> None:
    with pytest.raises(GameError, match="b2"):
        Record(mossa.game("tictactoe"), ("b2", "b2"))  # type: ignore[arg-type]


# --- round trips ----------------------------------------------------------------------------------

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


# --- files in the real dialects -------------------------------------------------------------------


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


def test_jsonl_keeps_the_keys_it_does_not_know() -> None:
    connect, gomoku, kalah = read_records(DATA / "games.jsonl")
    assert (moves(connect), connect.result, connect.second) == ("4 1 4 1 4 1 4", "1-0", "?")
    assert gomoku.extra == {"times_ms": [12, 0, 7], "engine": {"name": "x", "tags": ["a"]}}
    assert (gomoku.result, moves(gomoku)) == ("1/2", "h8 i9 h9")
    assert (kalah.start, kalah.date) == ("0,0,2,0/1,0,0,9 first", "2026-11-15")
    line = json.loads(to_jsonl([gomoku]))
    assert list(line) == ["game", "first", "second", "result", "moves", "times_ms", "engine"]
    assert line["moves"] == ["h8", "i9", "h9"]


def test_sgf_main_lines_escapes_and_setup() -> None:
    tree, setup = read_records(DATA / "tree.sgf")
    assert tree.game.name == "mnk:15x15x5"
    assert moves(tree) == "h8 i9 g7 g9"
    assert (tree.first, tree.second) == ("Ann [black]", "Bob \\ Co.")
    assert (tree.date, tree.result) == ("2026-11-15", "0-1")
    assert tree.comment == "A [study] of\ntwo lines: a\\b"
    assert setup.game.name == "mnk:4x3x3"
    assert (setup.start, moves(setup)) == ("xo./.../..x/...", "a3 b3")


def test_sgf_stones_are_set_up_in_rectangles_too() -> None:
    [record] = parse_records("(;GM[4]SZ[5]AB[aa:ba][ee][ec]AW[ad:be];B[cc])", "sgf")
    assert record.start == "xx.../...../....x/oo.../oo..x"


def test_sgf_of_an_engine_match() -> None:
    exact, draw = read_records(DATA / "match.sgf")
    assert exact.game.name == "mnk:20x20x5,exact=yes"
    assert (exact.first, exact.second, exact.date) == ("alpha", "beta", "2026.11.15 20:15:00")
    # Six in a row on the way, which is no win here; RE says that W lost in some other way.
    assert len(exact.moves) == 14
    assert (exact.position.outcome, exact.result) == (None, "1-0")
    assert (draw.game.name, draw.result, len(draw.moves)) == ("mnk:20x20x5", "1/2", 2)


def test_sgf_as_mossa_writes_it() -> None:
    game = mossa.game("mnk:3x4x3")
    played = Record.from_position(game.position("a1 b2 b1 b3 c1"), first="a]b", second="c\\d")
    setup = Record.from_position(game.from_text("x.../..o./...x").play("a1"))
    assert to_sgf([played, setup]) == (
        "(;FF[4]GM[4]CA[UTF-8]AP[mossa]SZ[4:3]RU[mnk:3x4x3]PB[a\\]b]PW[c\\\\d]RE[B+]\n"
        ";B[ac];W[bb];B[bc];W[ba];B[cc])\n"
        "\n"
        "(;FF[4]GM[4]CA[UTF-8]AP[mossa]SZ[4:3]RU[mnk:3x4x3]AB[aa][dc]AW[cb]PL[W]\n"
        ";W[ac])\n"
    )


def test_psq_of_piskvork() -> None:
    [record] = read_records(DATA / "piskvork.psq")
    assert record.game.name == "mnk:19x20x5"
    assert moves(record) == "j10 k8 j9 k7 j8 l8 j7 m8 j6"
    # The 1 in the header: the second name belongs to the player who began.
    assert (record.first, record.second) == ("homo-2", "pbrain-alpha.exe")
    assert record.result == "1-0"
    assert record.extra == {"times_ms": [456, 4500, 60, 4261, 65, 5037, 65, 5060, 66]}


def test_psq_saved_without_names_and_times() -> None:
    [record] = read_records(DATA / "saved.psq")
    assert (moves(record), record.result, record.extra) == ("h8 i7 g7", "*", {})
    assert (record.first, record.second) == ("?", "?")


def test_psq_of_gomocup() -> None:
    [timeout] = read_records(DATA / "gomocup.psq")
    assert (timeout.game.name, timeout.first, timeout.second) == (
        "mnk:15x15x5",
        "ALPHA25.zip",
        "BETA26.zip",
    )
    # "2" counts in the pairing; the board says that second was to move, and so lost.
    assert (timeout.position.side, timeout.result) == (mossa.Side.second, "1-0")
    [standard] = read_records(DATA / "gomocup-standard.psq")
    assert standard.game.name == "mnk:15x15x5,exact=yes"
    # First makes six on the way, which wins nothing; at the end it is to move, and so lost.
    assert (standard.position.outcome, standard.result) == (None, "0-1")
    for number in "12":
        five = "1,1\n2,1\n1,2\n2,2\n1,3\n2,3\n1,4\n2,4\n1,5\n"
        [won] = parse_records(f"{PSQ}{five}a\nb\n-1\n{number},Freestyle\n", "psq")
        assert won.result == "1-0"


def test_psq_as_mossa_writes_it() -> None:
    position = mossa.game("mnk:3x4x3").position("a1 b2 b1 b3")
    record = Record.from_position(
        position, first="a b", result="0-1", extra={"times_ms": [5, 0, 7, 1]}
    )
    lines = [
        "Piskvorky 4x3, 0:0, 0",
        "1,3,5",
        "2,2,0",
        "2,3,7",
        "2,1,1",
        "a b",
        "?",
        "-1",
        "2,mnk:3x4x3",
    ]
    assert to_psq([record]) == "\n".join(lines) + "\n"
    for unusable in ([5, 0], ["a", "b", "c", "d"], [1, 2, 3, 10**12], 7):
        assert "1,3,0\n" in to_psq([replace(record, extra={"times_ms": unusable})])


# --- what is refused ------------------------------------------------------------------------------

SGF = "(;FF[4]GM[4]SZ[3]RU[mnk:3x3x3]"
PSQ = "Piskvorky 15x15, 0:0, 0\n"

BAD: list[tuple[str, str, int, str]] = [
    # text
    ("text", "4 4 5", 1, "expected a header such as 'mossa connect:6x7x4', not '4 4 5'"),
    ("text", "# only\n\n  # comments\n", 1, "no game, only comments"),
    ("text", "#\nmossa  \n4", 2, "the header names no game"),
    ("text", "mossa chess\n", 1, "unknown game 'chess'"),
    (
        "text",
        "mossa connect4 frist=x\n",
        1,
        "'frist=x' is no known key=value; accepted keys: first second",
    ),
    ("text", "mossa connect4 first=x first=y\n", 1, "first is given twice"),
    ("text", 'mossa connect4 first="x\n', 1, "'\"x' is neither a JSON string or object nor a text"),
    ("text", 'mossa connect4 first="x"y\n', 1, "a space is missing before 'y'"),
    ("text", "mossa connect4 first=\n", 1, "'' is neither a JSON string"),
    ("text", "mossa connect4 extra=5\n", 1, "extra is '5', not an object"),
    ("text", 'mossa connect4 first={"a":1}\n', 1, "first is an object, not a text"),
    ("text", 'mossa connect4 extra={"first":1}\n', 1, "extra cannot hold 'first'"),
    ("text", "mossa connect4 extra=" + '{"a":' * 100_000, 1, "neither a JSON string"),
    ("text", "mossa connect4 result=won\n", 1, "result 'won' is unknown"),
    (
        "text",
        "mossa connect4 result=0-1\n4 1 4 1\n4 1 4",
        1,
        "result '0-1' contradicts the board: 1-0",
    ),
    ("text", "mossa connect4\n4 4\n4 4 4 4\n4 # full\n", 4, "column 4 is full"),
    ("text", "mossa connect4\n4141414\n\n5\n", 4, "illegal move '5'"),
    ("text", "mossa connect4\n1 2\n8\n", 3, "illegal move '8'"),
    ("text", "mossa connect:6x12x4\n1 2 1213\n", 2, "illegal move '1213'"),
    ("text", "mossa tictactoe\nb2\n\nb2\n", 4, "cell b2 is taken"),
    ("text", "mossa tictactoe\nb2 h\u00e91\n", 2, "invalid move 'h\u00e91'"),
    ("text", 'mossa tictactoe start="xx./.../..."\n', 1, "invalid position 'xx./.../...'"),
    ("text", 'mossa kalah start="1,1/1,1 first"\n', 1, "invalid position '1,1/1,1 first'"),
    ("text", 'mossa tictactoe first="\\u0007"\n', 1, "control character"),
    # JSONL
    (
        "jsonl",
        '{"game": "connect4", "moves": []}\n{"game": "conn',
        2,
        """'{"game": "conn' is not JSON (Unterminated string starting at, column 10)""",
    ),
    ("jsonl", "\n[1, 2]\n", 2, "'[1, 2]' is not a JSON object; accepted: one object per line"),
    ("jsonl", '{"moves": []}', 1, "'game' is missing in"),
    ("jsonl", '{"game": null, "moves": []}', 1, "'game' is 'None', not the name of a game"),
    ("jsonl", '{"game": "go", "moves": []}', 1, "unknown game 'go'"),
    ("jsonl", '{"game": "connect4"}', 1, "'moves' is missing in"),
    (
        "jsonl",
        '{"game": "connect4", "moves": [4, 4]}',
        1,
        "'moves' is something else than '4 4 5' or",
    ),
    ("jsonl", '{"game": "connect4", "moves": [], "first": 7}', 1, "first is '7', not a text"),
    ("jsonl", '{"game": "connect4", "moves": "44444", "x": NaN}', 1, "extra is not JSON"),
    ("jsonl", '{"game": "connect4", "moves": "4444444"}', 1, "column 4 is full"),
    ("jsonl", '{"game": "connect4", "moves": "", "x": ' + "[" * 100_000, 1, "nested too deep"),
    (
        "jsonl",
        '{"game": "connect4", "moves": "", "x": ' + "9" * 10_000 + "}",
        1,
        "JSON with a number that is too long",
    ),
    ("jsonl", '{"game": "connect4", "moves": "", "x": "\\ud800"}', 1, "extra is not JSON"),
    # SGF
    ("sgf", "B[aa]", 1, "expected '(' to start a game, not 'B'"),
    ("sgf", f"{SGF})\n;B[aa]", 2, "expected '(' to start a game, not ';'"),
    ("sgf", "((;B[aa]))", 1, "expected ';' after '(', not '('"),
    ("sgf", "()", 1, "expected ';' after '(', not ')'"),
    ("sgf", f"{SGF}\n;B;W[aa])", 2, "property 'B' has no value"),
    ("sgf", f"{SGF};\n[aa])", 2, "value '[aa]' belongs to no property"),
    ("sgf", f"{SGF}\n;B[aa]\n", 2, "the file ends inside a game: ')' is missing"),
    ("sgf", f"{SGF}\n;B[aa];W[b\n\n", 2, "'[' is never closed by ']'"),
    ("sgf", f"{SGF}\n;B[aa];W[b\\]\n\n", 2, "'[' is never closed by ']'"),
    ("sgf", f"{SGF}\n;B[aa]\n;W5)", 3, "unexpected '5)'"),
    ("sgf", "(;FF[4]\nGM[1]SZ[19];B[aa])", 2, "GM '1' is another game; accepted: GM[4]"),
    (
        "sgf",
        "(;GM[4]\nSZ[53];B[aa])",
        2,
        "SZ '53' is no board; accepted: SZ[15], SZ[COLUMNS:ROWS], up to 52",
    ),
    ("sgf", "(;GM[4]SZ[0];B[aa])", 1, "SZ '0' is no board"),
    ("sgf", "(;GM[4]SZ[15x15];B[aa])", 1, "SZ '15x15' is no board"),
    ("sgf", f"(;GM[4]SZ[{'9' * 5000}])", 1, "is no board"),
    ("sgf", "(;GM[4]SZ[3])", 1, "invalid game 'mnk:3x3x5'"),
    (
        "sgf",
        "(;GM[4]SZ[15]\nRU[mnk:3x3x3])",
        2,
        "rules 'mnk:3x3x3' contradict a board 15 wide, 15 high",
    ),
    ("sgf", "(;GM[4]SZ[15]RU[Renju])", 1, "mossa plays neither renju nor caro"),
    ("sgf", "(;GM[4]SZ[15]RU[4])", 1, "mossa plays neither renju nor caro"),
    ("sgf", "(;GM[4]SZ[15]RU[9])", 1, "mossa plays neither renju nor caro"),
    ("sgf", "(;GM[4]\nRE[Black])", 2, "RE 'Black' is no result; accepted: B+... W+..."),
    (
        "sgf",
        f"{SGF};B[ac];W[aa];B[bc];W[ba];B[cc]\nRE[W+])",
        2,
        "result '0-1' contradicts the board: 1-0",
    ),
    ("sgf", f"{SGF};B[aa]\n;W[])", 2, "a pass, but nobody may pass"),
    ("sgf", f"{SGF};B[aa]\n;W[tt])", 2, "'tt' is no cell; accepted: 'aa' (top left) to 'cc'"),
    ("sgf", f"{SGF};B[aa]\n;W[b2])", 2, "'b2' is no cell"),
    ("sgf", f"{SGF};B[aa]\n;W[aa])", 2, "cell a3 is taken"),
    ("sgf", f"{SGF};W[aa])", 1, "W moves when it is B's turn; B moves first"),
    ("sgf", f"{SGF};B[aa]\n;B[bb])", 2, "B moves when it is W's turn"),
    ("sgf", f"{SGF}AB[aa]\n;B[bb])", 2, "B moves when it is W's turn"),
    ("sgf", f"{SGF}AB[aa][bb])", 1, "invalid position 'x../.x./...'"),
    ("sgf", f"{SGF}AB[aa]\nAW[aa])", 2, "AW 'aa' sets up a cell that is already set up"),
    ("sgf", f"{SGF}AB[aa:bb][bb])", 1, "AB 'bb' sets up a cell that is already set up"),
    ("sgf", f"{SGF}AB[aa:dd])", 1, "'dd' is no cell"),
    (
        "sgf",
        f"{SGF};B[aa]\n;AW[bb])",
        2,
        "AW changes the board; only AB and AW before the first move may",
    ),
    ("sgf", f"{SGF}AE[aa])", 1, "AE changes the board"),
    ("sgf", f"{SGF}PB[\x07])", 1, "control character"),
    # PSQ
    (
        "psq",
        "Piskvorky 15x15\n",
        1,
        "'Piskvorky 15x15' is no header; accepted: 'Piskvorky 15x15, 0:0, 0'",
    ),
    ("psq", "Piskvorky 15x15, 0:0, 2\n", 1, "is no header"),
    ("psq", "Piskvorky 4x4, 0:0, 0\n1,1,0\n-1\n", 1, "invalid game 'mnk:4x4x5'"),
    ("psq", "Piskvorky 200x15, 0:0, 0\n1,1,0\n-1\n", 1, "invalid game 'mnk:15x200x5'"),
    (
        "psq",
        f"{PSQ}8,8,0\n16,8,0\n-1\n",
        3,
        "'16,8,0' is no cell; accepted: 1,1 (top left) to 15,15",
    ),
    ("psq", f"{PSQ}0,8,0\n", 2, "'0,8,0' is no cell"),
    ("psq", f"{PSQ}8,8,0\n\n8,8,0\n-1\n", 4, "cell h8 is taken"),
    (
        "psq",
        f"{PSQ}8,8,0\n9;9;0\n7,7,0\n-1\n",
        3,
        "'9;9;0' is neither a move 'x,y,time' nor fits the end",
    ),
    ("psq", f"{PSQ}8,8,0\n9;9;0\n-1\n", 3, "'9;9;0' is neither a move"),
    ("psq", f"{PSQ}9;9;0\n8,8,0\n7,7,0\n6,6,0\n5,5,0\n-1\n", 2, "'9;9;0' is neither a move"),
    ("psq", f"{PSQ}8,8,0\nalpha\n", 3, "'alpha' is neither a move"),
    ("psq", f"{PSQ}8,8,0\nalpha\nbeta\nwon\n", 5, "'won' is neither a move"),
    ("psq", f"{PSQ}8,8,0\nalpha\nbeta\n-1\nFreestyle\n", 6, "'Freestyle' is no result"),
    ("psq", f"{PSQ}8,8,0\nalpha\nbeta\n-1\n1,Renju\n", 6, "rules 'Renju': mossa plays neither"),
    ("psq", f"{PSQ}8,8,0\nalpha\nbeta\n-1\n1,mnk:9x9x5\n", 6, "contradict a board 15 wide"),
    (
        "psq",
        PSQ + "1,1\n2,1\n1,2\n2,2\n1,3\n2,3\n1,4\n2,4\n1,5\na\nb\n-1\n0,F\n",
        14,
        "'1/2' contradicts the board: 1-0",
    ),
    (
        "psq",
        PSQ + "1,1\n2,1\n1,2\n2,2\n1,3\n2,3\n1,4\n2,4\n1,5\n2,5\n-1\n",
        11,
        "illegal move 'b11'",
    ),
]


@pytest.mark.parametrize(("form", "text", "line", "reason"), BAD, ids=range(len(BAD)))
def test_bad_files_are_refused_with_line_and_reason(
    form: str, text: str, line: int, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / f"games.{ {'text': 'mossa'}.get(form, form) }"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidRecordError) as caught:
        read_records(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:{line}: ")
    assert reason in message
    assert message.isprintable()
    assert len(message) < 500
    assert (caught.value.source, caught.value.line) == (str(path), line)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.line, again.reason) == (message, line, caught.value.reason)


@pytest.mark.parametrize("suffix", [".mossa", ".txt", ".jsonl", ".sgf", ".psq", ".dat"])
@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"", 1, "empty; a record file holds at least one game"),
        (b"\xef\xbb\xbf\n \r\n", 1, "empty"),
        (b"mossa connect4\n\n4 \xff 4\n", 3, "byte 0xff is not UTF-8"),
        ("mossa connect4\n".encode("utf-16"), 1, "byte 0xff is not UTF-8"),
        (b"mossa connect4\n4\x004\n", 2, "a NUL character"),
    ],
)
def test_files_that_are_no_text_are_refused_whatever_their_name(
    tmp_path: Path, suffix: str, content: bytes, line: int, reason: str
) -> None:
    path = tmp_path / f"games{suffix}"
    path.write_bytes(content)
    with pytest.raises(InvalidRecordError, match=re.escape(f"{path}:{line}: {reason}")):
        read_records(path)


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_records(tmp_path / "none.mossa")


@pytest.mark.parametrize(
    ("form", "text", "reason"),
    [
        ("sgf", "(;" * 100_000, "ends inside a game"),
        ("sgf", "(" * 600_000, "expected ';' after '('"),
        ("sgf", "(;C[" + "\\" * 600_001 + "]", "never closed"),
        ("sgf", "(;C[" + "\\]" * 300_000, "never closed"),
        ("sgf", "(;" + "[" * 600_000, "never closed"),
        ("sgf", "(;" + " " * 600_000 + "5", "unexpected '5'"),
        ("sgf", "(;GM[4]SZ[52]" + "AB[aa:ZZ]" * 20_000 + ")", "already set up"),
        ("text", "mossa connect4\n" + "4" * 600_000, "'4'"),
        ("text", "mossa connect4 " + " " * 600_000 + "=", "no known key=value"),
        ("text", "mossa connect4 first=" + '"' * 600_000, "a space is missing"),
        ("text", "mossa tictactoe\n" + "a" * 600_000, "aaa"),
        ("jsonl", '{"game": "' + "x" * 600_000 + '", "moves": ""}', "xxx"),
        ("psq", PSQ + "9" * 600_000, "neither a move"),
        ("psq", PSQ + "9 ," * 200_000, "neither a move"),
        ("psq", PSQ + "x\n" * 100_000, "neither a move"),
        (None, "x" * 600_000, "begins no known format"),
    ],
)
def test_huge_nonsense_is_refused_at_once(form: str | None, text: str, reason: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(InvalidRecordError) as caught:
        parse_records(text, form, source="huge")
    assert time.perf_counter() - begin < 5
    assert str(caught.value).startswith("huge:")
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_deep_tree_is_read() -> None:
    deep = "(;C[x]" * 50_000
    text = f"(;GM[4]SZ[3]RU[mnk:3x3x3];B[aa]{deep};W[bb]{')' * 50_000})"
    [record] = parse_records(text, "sgf")
    assert moves(record) == "a3 b2"


@pytest.mark.parametrize(
    ("suffix", "game", "fields", "reason"),
    [
        (
            ".psq",
            "connect4",
            {},
            "PSQ holds mnk games only, not connect:6x7x4; text and JSONL hold every game",
        ),
        (".sgf", "kalah", {}, "SGF holds mnk games only, not kalah:6x4"),
        (
            ".sgf",
            "mnk:53x3x3",
            {},
            "SGF has no letters for mnk:53x3x3: its largest board is 52 x 52",
        ),
        (
            ".psq",
            "tictactoe",
            {"start": "x../.../..."},
            "PSQ holds games from the empty board only",
        ),
        (
            ".psq",
            "tictactoe",
            {"second": "8,8,0"},
            "would read the player's name '8,8,0' as a move",
        ),
        (
            ".pgn",
            "tictactoe",
            {},
            "'games.pgn' names no record format; accepted suffixes: .mossa .txt",
        ),
        ("", "tictactoe", {}, "'games' names no record format"),
    ],
)
def test_what_a_format_cannot_hold_is_not_written(
    tmp_path: Path, suffix: str, game: str, fields: dict[str, str], reason: str
) -> None:
    path = tmp_path / f"games{suffix}"
    path.write_text("old")
    with pytest.raises(InvalidRecordError, match=re.escape(reason)):
        write_records(path, [Record(mossa.game(game), **fields)])  # type: ignore[arg-type]
    assert path.read_text() == "old"


def test_unknown_formats_are_named() -> None:
    with pytest.raises(
        InvalidRecordError, match="unknown format 'pgn'; accepted: text jsonl sgf psq"
    ):
        parse_records("x", "pgn")


# --- files ----------------------------------------------------------------------------------------


def sample(game: str = "mnk:5x5x4", text: str = "c3 b2", **fields: Any) -> Record:
    return Record.from_position(mossa.game(game).position(text), **fields)


@pytest.mark.parametrize("suffix", [".mossa", ".txt", ".jsonl", ".sgf", ".psq", ".SGF"])
def test_the_suffix_chooses_the_format(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"games{suffix}"
    write_records(path, [sample()])
    beginning = {".jsonl": "{", ".sgf": "(;", ".psq": "Piskvorky"}.get(suffix.lower(), "mossa ")
    assert path.read_text().startswith(beginning)
    assert read_records(str(path)) == [sample()]


@pytest.mark.parametrize("form", [to_text, to_jsonl, to_sgf, to_psq])
@pytest.mark.parametrize("name", ["games.txt", "games", "games.log"])
@pytest.mark.parametrize("before", ["", "\ufeff", "\n \n"])
def test_the_content_chooses_where_the_suffix_does_not(
    tmp_path: Path, form: Any, name: str, before: str
) -> None:
    text = before + form([sample()])
    for lines in (text, text.replace("\n", "\r\n"), text.replace("\n", "\r")):
        (tmp_path / name).write_bytes(lines.encode())
        assert read_records(tmp_path / name) == [sample()]
        assert parse_records(lines) == [sample()]


@pytest.mark.parametrize("suffix", [".mossa", ".jsonl", ".sgf"])
def test_appending_keeps_what_is_there(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"games{suffix}"
    one, two, three = (sample(first=name) for name in ("one", "two", "three"))
    write_records(path, [one], append=True)
    write_records(path, [two, three], append=True)
    write_records(path, [], append=True)
    at_once = tmp_path / f"at once{suffix}"
    write_records(at_once, iter([one, two, three]))
    assert path.read_text() == at_once.read_text()
    assert read_records(path) == [one, two, three]
    write_records(path, [two])
    assert read_records(path) == [two]


def test_appending_mends_a_missing_end_of_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(to_jsonl([sample()]).rstrip("\n"))
    write_records(path, [sample()], append=True)
    assert read_records(path) == [sample(), sample()]
    path.write_text(" \n")
    write_records(path, [sample()], append=True)
    assert path.read_text() == to_jsonl([sample()])


def test_appending_where_it_would_spoil_the_file_is_refused(tmp_path: Path) -> None:
    for name, content, reason in (
        ("games.psq", to_psq([sample()]), "PSQ holds one game per file, and"),
        ("games.txt", to_sgf([sample()]), "holds sgf, not text: nothing is added"),
        ("games.sgf", "notes", "begins no known format"),
    ):
        path = tmp_path / name
        path.write_text(content)
        with pytest.raises(InvalidRecordError, match=reason):
            write_records(path, [sample()], append=True)
        assert path.read_text() == content
    with pytest.raises(InvalidRecordError, match="PSQ holds one game per file, not 2"):
        write_records(tmp_path / "two.psq", [sample(), sample()])


def test_nothing_never_replaces_something(tmp_path: Path) -> None:
    path = tmp_path / "games.mossa"
    write_records(path, [sample()])
    with pytest.raises(InvalidRecordError, match="no game to write"):
        write_records(path, [])
    assert read_records(path) == [sample()]


def test_links_and_permissions_survive(tmp_path: Path) -> None:
    path, link = tmp_path / "games.mossa", tmp_path / "link.mossa"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_records(link, [sample()])
    assert link.is_symlink()
    assert read_records(path) == [sample()]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    (tmp_path / "plain").touch()
    write_records(tmp_path / "new.mossa", [sample()])
    assert (tmp_path / "new.mossa").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "games.mossa"
    write_records(path, [sample(first="old")])

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    for append in (False, True):
        with pytest.raises(OSError, match="No space left"):
            write_records(path, [sample(first="new")], append=append)
    assert list(tmp_path.iterdir()) == [path]
    assert read_records(path) == [sample(first="old")]


def run(program: str, path: Path) -> int:
    code = (
        f"import os, resource, sys\npath = {str(path)!r}\n"
        + dedent(program)
        + dedent(
            """
        import mossa
        from mossa.records import Record, write_records
        record = Record(mossa.game("tictactoe"), first="new" * 10_000)
        write_records(path, [record], append=True)
        """
        )
    )
    return subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL).returncode


@pytest.mark.skipif(os.name != "posix", reason="needs signals and limits")
def test_neither_a_full_disk_nor_a_kill_loses_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "games.mossa"
    write_records(path, [sample(first="old")])
    old = path.read_bytes()
    assert run("resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))", path) == 1
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]
    assert run("os.replace = lambda *_: os.kill(os.getpid(), 9)", path) == -signal.SIGKILL
    assert path.read_bytes() == old
    assert run("", path) == 0
    assert path.read_bytes().startswith(old)
    assert len(read_records(path)) == 2


# --- the page for users ---------------------------------------------------------------------------

PAGE = Path(__file__).parents[1] / "docs" / "records.md"


def examples(language: str) -> str:
    [block] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    return str(block)


def test_the_session_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = doctest.DocTestParser().get_doctest(examples("python"), {}, "records.md", None, 0)
    assert doctest.DocTestRunner().run(session).failed == 0
    assert len(session.examples) == 8


@pytest.mark.parametrize(("form", "count"), [("text", 3), ("jsonl", 2), ("sgf", 1), ("psq", 1)])
def test_the_files_of_the_page_can_be_read(form: str, count: int) -> None:
    assert len(parse_records(examples(form), form)) == count


def test_the_error_of_the_page_is_real() -> None:
    with pytest.raises(InvalidRecordError) as caught:
        parse_records("# full\n\nmossa connect4\n4444444", source="games.mossa")
    assert str(caught.value) == examples("console").strip()
