"""The first mistake of a game, in words."""

from __future__ import annotations

import pytest

import mossa
from mossa.course import reviews
from mossa.course.reviews import look_at, looked_at
from mossa.records import to_jsonl


def _record(game: str, moves: str, opening: int = 0) -> mossa.Record:
    position = mossa.game(game).position(moves)
    return mossa.Record.from_position(position, extra={"opening": opening})


def test_the_first_mistake_is_the_one_that_cost_the_game() -> None:
    found = looked_at(_record("tictactoe", "b2 b1 a1 c3 a3 a2 c1"))
    assert found["second"]["mistake"].startswith(
        "your first mistake was move 2: b1 turned a draw into a loss; "
    )
    assert found["second"]["mistake"].endswith(" was better")
    assert found["second"]["ply"] == 1
    assert found["second"]["kept"] == found["second"]["judged"] - 1
    assert "mistake" not in found["first"]
    assert found["first"]["kept"] == found["first"]["judged"] == 4


def test_moves_of_an_opening_are_nobodys_mistake() -> None:
    found = looked_at(_record("tictactoe", "b2 b1 a1 c3 a3 a2 c1", opening=2))
    assert "mistake" not in found["second"]
    assert found["second"]["judged"] == 2


def test_where_nothing_can_be_solved_the_engine_has_an_opinion(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Second plays at the edge while first makes five in a row in the middle."""
    monkeypatch.setattr(reviews._memory.oracle(), "value", lambda position: None)
    found = looked_at(_record("mnk:15x15x5", "h8 a1 i8 a2 j8 a3 k8 a4 l8"))
    assert found["second"]["judged"] == 0
    assert found["second"]["mistake"].startswith("your first mistake was move ")
    assert found["second"]["ply"] % 2 == 1


def test_a_review_is_made_of_what_the_store_keeps() -> None:
    text = to_jsonl([_record("tictactoe", "b2 b1 a1 c3 a3 a2 c1")]).strip()
    number, found = look_at(17, text)
    assert number == 17
    assert found["second"]["ply"] == 1
