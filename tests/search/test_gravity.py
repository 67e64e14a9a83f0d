"""The search for games in which stones fall: its laws, its proofs, and what it sees.

Its other laws, which it shares with threats, are in test_special.py.
"""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from search_checks import assert_playable, make, random_positions

import mossa
from mossa import Estimate, Exact, Limits, Position
from mossa.solving.solver import Solver

# --- laws -----------------------------------------------------------------------------------------


def test_a_mirror_image_has_the_same_value() -> None:
    game = mossa.game("connect:9x9x5")
    for position in random_positions(game, 10, seed=5, plies=6):
        moves = [str(10 - int(str(move))) for move in position.history]
        values = [
            make(game, "gravity").run(each, Limits(depth=1)).score
            for each in (position, game.position(" ".join(moves)))
        ]
        assert values[0] == values[1]


# --- truth ----------------------------------------------------------------------------------------


def claims(name: str, count: int, threads: str, seed: int) -> int:
    """How many exact scores were checked against the solver, none of them wrong."""
    game = mossa.game(name)
    solver = Solver(game, memory=16)
    search = make(game, "gravity", threads=threads, memory="4")
    chance = random.Random(seed)
    checked = 0
    for position in random_positions(game, count, seed=seed, plies=game.start().left_to_play // 3):
        limits = chance.choice(
            [Limits(nodes=200), Limits(nodes=3000), Limits(depth=chance.randint(1, 12))]
        )
        score = search.run(position, limits).score
        if isinstance(score, Exact):
            truth = solver.solve(position, Limits(time=60)).score
            assert isinstance(truth, Exact)
            assert truth.value == score.value, position.history_text
            assert (score.distance or 0) >= (truth.distance or 0), position.history_text
            checked += 1
    return checked


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize(
    "name", ["connect:4x4x3", "connect:4x5x4", "connect:5x5x4", "connect:6x5x4", "connect:5x7x3"]
)
def test_what_is_exact_is_true(name: str, threads: str) -> None:
    assert claims(name, 60, threads, seed=11) > 5


@pytest.mark.slow
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize(
    "name", ["connect:4x4x3", "connect:5x5x4", "connect:6x6x4", "connect:6x6x5", "connect:7x6x4"]
)
def test_what_is_exact_is_true_in_thousands_of_positions(name: str, threads: str) -> None:
    assert claims(name, 1000, threads, seed=12) > 50


@pytest.mark.parametrize(
    "name", ["connect:3x3x3", "connect:4x4x4", "connect:4x4x3", "connect:5x4x4"]
)
def test_small_boards_are_solved(name: str) -> None:
    game = mossa.game(name)
    info = make(game, "gravity", memory="16").run(game.start(), Limits(time=120))
    truth = Solver(game, memory=16).solve(game.start(), Limits(time=60)).score
    assert isinstance(info.score, Exact) and isinstance(truth, Exact)
    assert info.score.value == truth.value
    assert_playable(game.start(), info)


@pytest.mark.parametrize(
    ("name", "moves", "move", "distance"),
    [
        ("connect4", "4 1 4 1 4 1", "4", 1),  # a win at once
        ("connect4", "1 4 1 4 2 4", "4", None),  # must be stopped
        ("connect4", "4 4 5 5", None, 3),  # two ends
        ("connect:20x20x5", "10 10 11 11 12 12", None, 3),
    ],
)
def test_wins_and_forced_moves_are_seen(
    name: str, moves: str, move: str | None, distance: int | None
) -> None:
    position = mossa.game(name).position(moves)
    info = make(position.game, "gravity").run(position, Limits(nodes=3000))
    if move is not None:
        assert info.move == move
    if distance is not None:
        assert isinstance(info.score, Exact)
        assert (info.score.value, info.score.distance) == (1, distance)


def swings(name: str, count: int, depth: int) -> float:
    """The mean of v(d) - v(d - 1) at odd depths less that at even ones, in hundredths."""
    game = mossa.game(name)
    odd: list[float] = []

    def run(position: Position) -> None:
        values: list[float] = []

        def report(info: mossa.Info) -> None:
            if isinstance(info.score, Estimate):
                values.append(float(info.score.value))

        make(game, "gravity").run(position, Limits(depth=depth), report=report)
        odd.extend((b - a) * (-1) ** i for i, (a, b) in enumerate(pairwise(values)))

    for position in random_positions(game, count, seed=1, plies=4):
        run(position)
    return sum(odd) / len(odd)


@pytest.mark.parametrize("name", ["connect:8x8x5", "connect:10x10x5", "connect:20x20x8"])
def test_the_value_does_not_swing_with_the_depth(name: str) -> None:
    assert abs(swings(name, 12, 5)) < 20
