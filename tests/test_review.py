"""Review: grades of hand-made scores, and blunders against brute force."""

from __future__ import annotations

import json
import math
import random

import pytest
from brute_force import BruteForce

import mossa
from mossa import (
    Analysis,
    Estimate,
    Exact,
    Grade,
    Move,
    MoveAnalysis,
    Record,
    Review,
    Score,
    Side,
    StopToken,
    review,
)


def hand_made(name: str, scores: dict[str, Score], *, iterations: int = 0) -> Analysis:
    """The analysis of a start position with these scores, the best first."""
    moves = {Move(text): MoveAnalysis(score, [Move(text)], 3) for text, score in scores.items()}
    return Analysis(mossa.game(name).start(), moves, 3, 1, iterations, 0.0)


def grades(name: str, scores: dict[str, Score], *, iterations: int = 0) -> dict[str, str]:
    """The grade that each of the moves gets when it is played."""
    found = {}
    for move in scores:
        record = Record(mossa.game(name), (Move(move),))
        (graded,) = Review.of(record, [hand_made(name, scores, iterations=iterations)]).moves
        found[move] = graded.grade.value + graded.mark
    return found


def test_grades_of_proven_scores() -> None:
    assert grades(
        "connect4",
        {
            "1": Exact(1, 5),
            "2": Exact(1, 5),
            "3": Exact(1, 7),
            "4": Exact(1, 9),
            "5": Exact(0, 42),
            "6": Exact(-1, 30),
        },
    ) == {
        "1": "best",
        "2": "best",
        "3": "good",
        "4": "inaccuracy?!",
        "5": "blunder??",
        "6": "blunder??",
    }
    lost: dict[str, Score] = {"1": Exact(-1, 12), "2": Exact(-1, 10), "3": Exact(-1, 2)}
    assert grades("connect4", lost) == {"1": "best", "2": "good", "3": "inaccuracy?!"}


def test_the_only_move_is_marked() -> None:
    only: dict[str, Score] = {"1": Exact(0, 42), "2": Exact(-1, 8), "3": Exact(-1, 4)}
    assert grades("connect4", only)["1"] == "best!"
    forced: dict[str, Score] = {"1": Exact(0, 42)}
    assert grades("connect4", forced)["1"] == "best"


def test_grades_where_only_one_score_is_proven() -> None:
    win: dict[str, Score] = {"1": Exact(1, 9), "2": Estimate(40), "3": Estimate(-40)}
    assert grades("connect4", win) == {"1": "best!", "2": "mistake?", "3": "mistake?"}
    trap: dict[str, Score] = {"1": Estimate(20), "2": Estimate(-20), "3": Exact(-1, 6)}
    assert grades("connect4", trap) == {"1": "best!", "2": "mistake?", "3": "blunder??"}
    draw: dict[str, Score] = {"1": Estimate(10), "2": Exact(0, 42), "3": Estimate(-90)}
    assert grades("connect4", draw)["2"] == "good"
    unproven: dict[str, Score] = {"1": Estimate(math.inf, 5), "2": Estimate(9), "3": Estimate(0)}
    assert grades("gomoku", {f"a{key}": score for key, score in unproven.items()}) == {
        "a1": "best!",
        "a2": "mistake?",
        "a3": "mistake?",
    }


def test_grades_of_estimates_are_shares_of_the_spread() -> None:
    scores: dict[str, Score] = {
        "1": Estimate(50),
        "2": Estimate(25),
        "3": Estimate(24),
        "4": Estimate(0),
        "5": Estimate(-1),
        "6": Estimate(-50),
    }
    expected = ["best", "good", "inaccuracy?!", "inaccuracy?!", "mistake?", "mistake?"]
    assert list(grades("connect4", scores).values()) == expected
    # Play-outs in kalah estimate shares of games, not seeds.
    tenfold: dict[str, Score] = {move: Estimate(10 * s.value) for move, s in scores.items()}
    assert list(grades("kalah", tenfold, iterations=9).values()) == expected


def test_the_spread_is_that_of_the_whole_game() -> None:
    flat = hand_made("connect4", {"1": Estimate(2), "2": Estimate(0)})
    steep = hand_made("connect4", {"1": Estimate(99), "2": Estimate(-99)})
    record = Record(mossa.game("connect4"), (Move("2"), Move("2")))
    alone = Review.of(record, [flat]).moves[0]
    together = Review.of(record, [flat, steep]).moves
    assert alone.grade is Grade.mistake
    assert [move.grade for move in together] == [Grade.good, Grade.blunder]


def test_grades_in_seeds() -> None:
    exact: dict[str, Score] = {
        "1": Exact(14),
        "2": Exact(12),
        "3": Exact(10),
        "4": Exact(2),
        "5": Exact(0),
    }
    assert list(grades("kalah", exact).values()) == [
        "best",
        "good",
        "inaccuracy?!",
        "mistake?",
        "blunder??",
    ]
    guessed: dict[str, Score] = {
        "1": Estimate(6, margin=True),
        "2": Exact(4),
        "3": Estimate(1, margin=True),
        "4": Estimate(-4, margin=True),
        "5": Exact(-5),
    }
    assert list(grades("kalah", guessed).values()) == [
        "best",
        "good",
        "inaccuracy?!",
        "mistake?",
        "blunder??",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "tictactoe",
        "connect:3x4x3",
        "kalah:3x2",
        "kalah:3x2,end=mover,leftover=none",
        "breakthrough:4x3",
    ],
)
def test_a_blunder_is_a_move_that_changes_the_outcome(name: str, oracle: BruteForce) -> None:
    for seed in range(4):
        chance, position = random.Random(seed), mossa.game(name).start()
        while position.outcome is None:
            position = position.play(chance.choice(position.moves))
        record = Record.from_position(position)
        graded = review(record, time=math.inf)
        assert [move.move for move in graded.moves] == list(record.moves)
        assert sum(sum(side.counts.values()) for side in graded.sides.values()) == len(record.moves)
        for before, move in zip(record.positions(), graded.moves, strict=False):
            true = oracle.moves(before)
            best = max(true.values())
            assert (move.score, move.best_score) == (true[str(move.move)], best)
            assert move.side is before.side
            assert move.loss == best.value - true[str(move.move)].value
            changes = sign(best.value) != sign(true[str(move.move)].value)
            assert (move.grade is Grade.blunder) == changes
            assert (move.grade is Grade.best) == (true[str(move.move)] == best)
            assert move.forced == (len(before.moves) == 1)


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def test_a_known_blunder_is_found() -> None:
    """Three open in the bottom row: second had to stop it before."""
    record = Record(mossa.game("connect4"), tuple(map(Move, "4433")))
    graded = review(record, depth=5, player="alphabeta")
    assert [move.mark for move in graded.moves][3] == "??"
    assert graded.moves[3].grade is Grade.blunder
    assert graded.moves[3].score == Exact(-1, 4)
    assert str(graded.moves[3].best) in {"2", "5"}
    assert graded.sides[Side.second].counts[Grade.blunder] == 1
    assert graded.sides[Side.first].counts[Grade.blunder] == 0


def test_a_game_that_was_set_up() -> None:
    record = Record(mossa.game("tictactoe"), (Move("c3"),), start="o../xx./o..")
    (graded,) = review(record, depth=9).moves
    assert graded.best == Move("c2")
    assert (graded.best_score, graded.mark) == (Exact(1, 1), "??")


def test_progress_and_what_is_left_of_a_broken_review() -> None:
    record = Record(mossa.game("tictactoe"), tuple(map(Move, ["b2", "b1", "a1", "c3"])))
    seen: list[Analysis] = []

    def report(analysis: Analysis | None) -> None:
        assert analysis is not None
        seen.append(analysis)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review(record, depth=9, report=report)
    partly = Review.of(record, seen)
    assert [move.grade for move in partly.moves] == [Grade.best, Grade.blunder]
    assert partly.to_dict()["complete"] is False


def test_accuracy_counts_moves_with_a_choice() -> None:
    """Two in a row on three cells: b1 wins. After a1 and b1 the last move is nobody's merit."""
    record = Record(mossa.game("mnk:1x3x2"), tuple(map(Move, ["a1", "b1", "c1"])))
    graded = review(record, depth=3)
    assert [move.forced for move in graded.moves] == [False, False, True]
    assert [move.grade for move in graded.moves] == [Grade.blunder, Grade.best, Grade.best]
    assert [side.accuracy for side in graded.sides.values()] == [0.0, 1.0]
    assert graded.sides[Side.first].counts[Grade.best] == 1
    empty = review(Record(mossa.game("connect4")))
    assert (empty.moves, empty.sides[Side.first].accuracy) == ((), None)


def test_review_as_data() -> None:
    record = Record(mossa.game("tictactoe"), (Move("b2"), Move("b1")), first="ann")
    data = json.loads(json.dumps(review(record, depth=9).to_dict(), allow_nan=False))
    assert (data["first"], data["result"], data["complete"]) == ("ann", "*", True)
    assert [(move["move"], move["grade"], move["mark"]) for move in data["review"]] == [
        ("b2", "best", ""),
        ("b1", "blunder", "??"),
    ]
    assert data["sides"]["second"] == {
        "accuracy": 0.0,
        "counts": {"best": 0, "good": 0, "inaccuracy": 0, "mistake": 0, "blunder": 1},
    }


def test_moves_of_an_opening_are_not_graded() -> None:
    """Nobody chose b1, so it is nobody's blunder."""
    moves = tuple(map(Move, ["b2", "b1", "a1", "c3"]))
    record = Record(mossa.game("tictactoe"), moves, extra={"opening": 2})
    reported: list[Analysis | None] = []
    graded = review(record, depth=9, report=reported.append)
    assert [one is None for one in reported] == [True, True, False, False]
    assert [move.ply for move in graded.moves] == [2, 3]
    assert [(m.ply, m.side, str(m.move), m.reason) for m in graded.ungraded] == [
        (0, Side.first, "b2", "opening"),
        (1, Side.second, "b1", "opening"),
    ]
    assert [row.ply for row in graded.rows] == [0, 1, 2, 3]
    assert graded.sides[Side.second].counts[Grade.blunder] == 0
    data = graded.to_dict()
    assert (data["opening"], data["complete"]) == (2, True)
    assert data["review"][1] == {
        "ply": 1,
        "side": "second",
        "move": "b1",
        "grade": None,
        "mark": "",
        "reason": "opening",
    }
    assert data["review"][2]["grade"] == "best"


@pytest.mark.parametrize(
    ("known", "length"), [(2, 2), (9, 3), (-1, 0), (True, 0), ("2", 0), (2.0, 0), (None, 0)]
)
def test_the_length_of_an_opening_is_as_the_record_says(known: object, length: int) -> None:
    moves = tuple(map(Move, ["b2", "b1", "a1"]))
    assert Record(mossa.game("tictactoe"), moves, extra={"opening": known}).opening_length == length


def test_moves_without_time_are_not_graded() -> None:
    """They kept all others from being graded, and the page could not allow more time."""
    position = mossa.game("mnk:100x100x5").position("ax50 ay50 ax51 a1 ax52 ay51")
    record = Record.from_position(position)
    nothing = review(record, time=1e-9)
    assert (nothing.moves, nothing.to_dict()["complete"]) == ((), False)
    assert {move.reason for move in nothing.ungraded} == {"time"}
    assert [move.ply for move in nothing.ungraded] == list(range(6))
    assert [move.ply for move in review(record, time=1, total_time=0).ungraded] == list(range(6))


def test_a_review_can_be_stopped_from_another_thread() -> None:
    record = Record.from_position(mossa.game("tictactoe").position("b2 b1 a1 c3"))
    token = StopToken()
    told: list[Analysis | None] = []

    def report(found: Analysis | None) -> None:
        told.append(found)
        if len(told) == 2:
            token.stop()

    stopped = review(record, depth=9, report=report, stop=token)
    assert [move.ply for move in stopped.moves] == [0, 1]
    assert not stopped.complete


def test_moves_of_large_boards_are_graded_against_the_choice_of_the_player() -> None:
    # Second lets seven in a row that are open at one end become eight.
    moves = "ax50 ax49 ax51 bc50 ax52 bc51 ax53 bd53 ax54 ba50 ax55 bb49 ax56 cv100"
    position = mossa.game("mnk:100x100x8").position(moves)
    graded = review(Record.from_position(position), time=2, depth=1)
    assert len(graded.moves) == 14
    assert graded.moves[-1].grade is Grade.blunder
    assert all(len(move.grades) <= 6 for move in graded.moves)
