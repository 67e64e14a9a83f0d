"""The search for games in which stones fall: its laws, its proofs, and what it sees."""

from __future__ import annotations

import random
import threading
from itertools import pairwise
from time import perf_counter

import pytest
from search_checks import assert_keeps_time, assert_playable, make, random_positions

import mossa
from mossa import Estimate, Exact, Limits, Position, Side, StopToken
from mossa.solving.solver import Solver

SIZES = ["connect4", "connect:3x3x3", "connect:1x4x2", "connect:2x2x1", "connect:8x8x5"]
SIZES += ["connect:9x1x3", "connect:1x9x3", "connect:10x12x6"]
LARGE = ["connect:20x20x8", "connect:100x100x8", "connect:100x100x100"]


@pytest.mark.parametrize("game", ["gomoku", "kalah", "breakthrough"])
def test_other_games_are_refused(game: str) -> None:
    with pytest.raises(mossa.InvalidPlayerError, match="gravity is for connect only"):
        mossa.player("gravity").choose(mossa.game(game).start(), Limits(depth=1))


# --- laws -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SIZES, *LARGE])
def test_it_plays_whole_games(name: str) -> None:
    """A move that is not legal raises an error."""
    search = make(mossa.game(name), "gravity")
    chance = random.Random(name)
    position = mossa.game(name).start()
    while position.outcome is None and position.ply < 120:
        if position.ply % 2:
            position = position.play(chance.choice(position.moves))
            continue
        info = search.run(position, Limits(nodes=300))
        assert_playable(position, info)
        position = position.play(info.move)
    assert position.outcome is None or position.outcome.winner is not Side.second


@pytest.mark.parametrize("nodes", [1, 2, 64, 500])
@pytest.mark.parametrize("name", ["connect4", "connect:8x8x5", *LARGE])
def test_the_node_limit_is_kept(name: str, nodes: int) -> None:
    start = mossa.game(name).start()
    info = make(start.game, "gravity").run(start, Limits(nodes=nodes))
    assert info.nodes <= nodes
    assert_playable(start, info)


@pytest.mark.parametrize("depth", [1, 2, 3, 7])
def test_the_depth_limit_is_kept(depth: int) -> None:
    position = mossa.game("connect:10x10x5").position("5 6 5")
    info = make(position.game, "gravity").run(position, Limits(depth=depth))
    assert info.depth == depth
    assert isinstance(info.score, Estimate)
    assert_playable(position, info)


@pytest.mark.parametrize("limit", [0, 0.1])
@pytest.mark.parametrize("name", ["connect:10x10x5", *LARGE])
def test_the_time_limit_is_kept(name: str, limit: float) -> None:
    position = mossa.game(name).start()
    chance = random.Random(4)
    for _ in range(20):
        position = position.play(chance.choice(position.moves))
    assert_keeps_time("gravity", position, limit)


def test_the_same_search_twice_gives_the_same() -> None:
    position = mossa.game("connect:10x10x5").position("5 6 5 5 4 4")
    found = [make(position.game, "gravity").run(position, Limits(nodes=20_000)) for _ in range(2)]
    assert found[0].line == found[1].line
    assert found[0].score == found[1].score
    assert found[0].nodes == found[1].nodes


def test_it_can_be_stopped() -> None:
    stop = StopToken()
    threading.Timer(0.2, stop.stop).start()
    position = mossa.game("connect:20x20x8").position("10 11")
    begin = perf_counter()
    info = make(position.game, "gravity").run(position, Limits(time=60), stop=stop)
    assert perf_counter() - begin < 20
    assert_playable(position, info)


def test_memory_is_bounded_and_told() -> None:
    position = mossa.game("connect:10x10x5").position("5 6")
    info = make(position.game, "gravity", memory="4").run(position, Limits(nodes=200_000))
    assert 4 << 18 < info.memory < 8 << 20


def test_a_finished_game_is_refused() -> None:
    position = mossa.game("connect4").position("1212121")
    with pytest.raises(mossa.GameError, match="the game is over"):
        make(position.game, "gravity").run(position, Limits(depth=1))


def test_the_last_move_is_played() -> None:
    position = mossa.game("connect:3x3x3").position("3 3 1 2 1 2 2 1")
    info = make(position.game, "gravity").run(position, Limits(depth=3))
    assert info.move == "3" and info.score == Exact(0, 1)


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
