"""What a record is: a game as it was played, checked by the rules."""

from __future__ import annotations

import copy
import pickle
import re
from dataclasses import replace

import pytest
from record_checks import moves

import mossa
from mossa import GameError
from mossa.records import InvalidRecordError, Record


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


def test_branches_belong_to_the_moves() -> None:
    game = mossa.game("connect4")
    record = Record.from_position(game.position("445"), branches="4 4(5 3 ( 2 ) ) 5")
    assert (record.branches, record.branch_count) == ("4 4 (5 3 (2)) 5", 2)
    plain = Record.from_position(game.position("445"), branches="445")
    assert (plain.branches, plain.branch_count) == (None, 0)
    for bad, why in (
        ("446 (1)", "have another main line than the moves, '4 4 5'"),
        ("44 (9) 5", "illegal move '9'"),
        ("44 (5", "')' is missing"),
    ):
        with pytest.raises(InvalidRecordError, match=re.escape(why)):
            Record.from_position(game.position("445"), branches=bad)


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
