"""Oware by hand: captures, grand slams, seeds that must be given, and repetitions."""

from __future__ import annotations

import pytest

import mossa

CHASE = "1,0,0,8/1,0,0,8 first"  # two seeds that never meet
ROUND = "1 1 2 2 3 3"  # all the way round


def played(name: str, board: str, moves: str) -> mossa.Position:
    return mossa.game(name).from_text(board).after(moves)


@pytest.mark.parametrize(
    ("board", "move", "cells"),
    [
        ("0,0,4,6/1,2,3,2 first", "3", ((1, 0, 0, 6), (2, 3, 4, 2))),  # the last seed comes home
        ("0,1,3,6/3,2,1,2 first", "3", ((0, 1, 0, 11), (4, 0, 0, 2))),  # two and three
        ("0,1,3,6/1,3,1,3 first", "3", ((0, 1, 0, 8), (2, 4, 0, 3))),  # a gap
        ("0,1,2,6/1,3,1,4 first", "3", ((0, 1, 0, 6), (2, 4, 1, 4))),  # four is no capture
        # seven seeds with three pits: a lap leaves out the pit that they came from
        ("0,0,7,6/1,0,1,3 first", "3", ((1, 1, 0, 11), (0, 0, 2, 3))),
    ],
)
def test_captures(board: str, move: str, cells: tuple[tuple[int, ...], ...]) -> None:
    assert played("oware:3x3", board, move).cells == cells


def test_an_opponent_without_seeds_must_be_given_some() -> None:
    game = mossa.game("oware:3x3")
    position = game.from_text("1,2,2,6/0,0,0,7 first")
    assert [str(move) for move in position.moves] == ["2", "3"]
    with pytest.raises(mossa.IllegalMoveError, match="pit 1 leaves the opponent without seeds"):
        position.play("1")


def test_who_cannot_give_keeps_the_rest() -> None:
    position = mossa.game("oware:3x3").from_text("1,1,0,6/0,0,0,10 first")
    assert str(position.outcome) == "second wins: 10 seeds to 8, no moves are left"


@pytest.mark.parametrize(
    ("slam", "text"),
    [
        ("keep", "0,1,0,4/2,2,2,7 second after 0,1,3,4/1,1,1,7 first 3"),
        ("take", "0,0,0,11/0,0,0,7 second"),
    ],
)
def test_grand_slam(slam: str, text: str) -> None:
    assert played(f"oware:3x3,slam={slam}", "0,1,3,4/1,1,1,7 first", "3").text == text


def test_forbidden_grand_slam() -> None:
    with pytest.raises(mossa.IllegalMoveError, match="pit 3 would capture all"):
        played("oware:3x3,slam=forbid", "0,1,3,4/1,1,1,7 first", "3")


def test_a_forbidden_grand_slam_may_leave_no_move() -> None:
    position = mossa.game("oware:3x3,slam=forbid").from_text("0,0,3,4/1,1,1,8 first")
    assert str(position.outcome) == "second wins: 11 seeds to 7, no moves are left"


@pytest.mark.parametrize(
    ("repeat", "outcome", "text"),
    [
        ("row", "draw: 9 seeds to 9, the position repeats", "0,0,0,9/0,0,0,9 first"),
        (
            "share",
            "draw: 8 seeds to 8, the position repeats",
            f"{CHASE} after {CHASE} {ROUND}",
        ),
    ],
)
def test_a_repeated_position_ends_the_game(repeat: str, outcome: str, text: str) -> None:
    before = played(f"oware:3x3,repeat={repeat}", CHASE, ROUND[:-2])
    assert before.outcome is None
    end = before.play("3")
    assert str(end.outcome) == outcome
    assert end.text == text
    assert end.game.from_text(text) == end


def test_only_the_same_side_to_move_repeats() -> None:
    """Halfway round the seeds lie as at the start, but for the sides."""
    game = mossa.game("oware:2x1")
    position = game.from_text("1,0,1/0,1,1 first")
    turned = position.play("1")
    assert turned.cells == ((0, 1, 1), (0, 1, 1))
    assert turned.outcome is None


def test_a_capture_makes_what_was_before_forgotten() -> None:
    position = mossa.game("oware").start()
    while sum(cells[-1] for cells in position.cells) == 0:
        assert (" after " in position.text) == (position.ply > 0)
        captures = [
            move for move in position.moves if sum(c[-1] for c in position.play(move).cells) > 0
        ]
        position = position.play((captures or position.moves)[0])
    assert " after " not in position.text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1,0,0,8/1,0,0,8", "expected the 3 pits and the store of first"),
        ("1,0,0,8/1,0,0,8 third", "expected the 3 pits and the store of first"),
        ("1,0,0,8/1,0,0,9 first", "there must be 18 seeds in all"),
        (f"0,1,0,8/1,0,0,8 second after {CHASE} 2", "'2': pit 2 is empty"),
        (f"0,1,0,8/1,0,0,8 second after {CHASE} x", "'x' is not a move"),
        (f"0,1,0,8/1,0,0,8 second after {CHASE} 1 ", "'' is not a move"),
        (f"0,0,1,8/1,0,0,8 second after {CHASE} 1", "the moves lead to '0,1,0,8/1,0,0,8 second'"),
        (f"0,1,0,8/1,0,0,8 first after {CHASE} 1", "the moves lead to '0,1,0,8/1,0,0,8 second'"),
        (f"{CHASE} after 1,0,0,8/1,0,0,8", "expected the 3 pits and the store of first"),
        (
            "0,0,0,10/0,0,1,7 second after 0,0,1,8/1,0,1,7 first 3",
            "'3' captures seeds, so nothing before it can repeat",
        ),
        (f"{CHASE} after {CHASE} {ROUND} 1", "'1': the game is over"),
    ],
)
def test_invalid_position(text: str, why: str) -> None:
    with pytest.raises(mossa.InvalidPositionError) as caught:
        mossa.game("oware:3x3,repeat=share").from_text(text)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)
