"""What the searches for one sort of game, threats and gravity, have in common: their laws."""

from __future__ import annotations

import random
import threading
from time import perf_counter

import pytest
from search_checks import assert_keeps_time, assert_playable, make

import mossa
from mossa import Estimate, Exact, Limits, Side, StopToken

SMALL = {
    "gravity": [
        *("connect4", "connect:3x3x3", "connect:1x4x2", "connect:2x2x1", "connect:8x8x5"),
        *("connect:9x1x3", "connect:1x9x3", "connect:10x12x6"),
    ],
    "threats": ["tictactoe", "mnk:1x1x1", "mnk:5x5x4", "mnk:7x7x5,exact=yes", "gomoku"],
}
LARGE = {
    "gravity": ["connect:20x20x8", "connect:100x100x8", "connect:100x100x100"],
    "threats": ["mnk:70x70x10", "mnk:100x100x5", "mnk:100x100x100", "mnk:100x100x33,exact=yes"],
}
OPENINGS = {"gravity": ("connect:10x10x5", "5 6 5"), "threats": ("gomoku", "h8 i9 i8")}

every = pytest.mark.parametrize("algorithm", OPENINGS)
every_size = pytest.mark.parametrize(
    ("algorithm", "name"),
    [(algorithm, name) for algorithm in SMALL for name in SMALL[algorithm] + LARGE[algorithm]],
)


def opening(algorithm: str) -> mossa.Position:
    """The first moves of a game that the search cannot solve."""
    name, moves = OPENINGS[algorithm]
    return mossa.game(name).position(moves)


@pytest.mark.parametrize(
    ("algorithm", "name", "plays"),
    [("gravity", name, "connect") for name in ("gomoku", "kalah", "breakthrough")]
    + [("threats", name, "mnk") for name in ("connect4", "kalah", "breakthrough")],
)
def test_other_games_are_refused(algorithm: str, name: str, plays: str) -> None:
    with pytest.raises(mossa.InvalidPlayerError, match=f"{algorithm} is for {plays} only"):
        mossa.player(algorithm).choose(mossa.game(name).start(), Limits(depth=1))


@every_size
def test_it_plays_whole_games(algorithm: str, name: str) -> None:
    """A move that is not legal raises an error."""
    search = make(mossa.game(name), algorithm)
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
@every_size
def test_the_node_limit_is_kept(algorithm: str, name: str, nodes: int) -> None:
    start = mossa.game(name).start()
    info = make(start.game, algorithm).run(start, Limits(nodes=nodes))
    assert info.nodes <= nodes
    assert_playable(start, info)


@pytest.mark.parametrize("depth", [1, 2, 3, 5, 7])
@every
def test_the_depth_limit_is_kept(algorithm: str, depth: int) -> None:
    position = opening(algorithm)
    info = make(position.game, algorithm).run(position, Limits(depth=depth))
    assert info.depth == depth
    assert isinstance(info.score, Estimate)
    assert_playable(position, info)


@pytest.mark.parametrize("limit", [0, 0.1])
@pytest.mark.parametrize(
    ("algorithm", "name"),
    [
        (algorithm, name)
        for algorithm, (usual, _) in OPENINGS.items()
        for name in (usual, *LARGE[algorithm])
    ],
)
def test_the_time_limit_is_kept(algorithm: str, name: str, limit: float) -> None:
    position = mossa.game(name).start()
    chance = random.Random(4)
    for _ in range(20 if algorithm == "gravity" else 40):
        position = position.play(chance.choice(position.moves))
    assert_keeps_time(algorithm, position, limit)


@every
def test_the_same_search_twice_gives_the_same(algorithm: str) -> None:
    position = opening(algorithm)
    found = [make(position.game, algorithm).run(position, Limits(nodes=20_000)) for _ in range(2)]
    assert found[0].line == found[1].line
    assert found[0].score == found[1].score
    assert found[0].nodes == found[1].nodes


@every
def test_it_can_be_stopped(algorithm: str) -> None:
    stop = StopToken()
    threading.Timer(0.2, stop.stop).start()
    position = opening(algorithm)
    begin = perf_counter()
    info = make(position.game, algorithm).run(position, Limits(time=60), stop=stop)
    assert perf_counter() - begin < 20
    assert_playable(position, info)


@every
def test_memory_is_bounded_and_told(algorithm: str) -> None:
    position = opening(algorithm)
    info = make(position.game, algorithm, memory="4").run(position, Limits(nodes=200_000))
    assert 4 << 18 < info.memory < 8 << 20


@pytest.mark.parametrize(
    ("algorithm", "name", "moves"),
    [("gravity", "connect4", "1212121"), ("threats", "tictactoe", "a1 b1 a2 b2 a3")],
)
def test_a_finished_game_is_refused(algorithm: str, name: str, moves: str) -> None:
    position = mossa.game(name).position(moves)
    with pytest.raises(mossa.GameError, match="the game is over"):
        make(position.game, algorithm).run(position, Limits(depth=1))


@pytest.mark.parametrize(
    ("algorithm", "name", "moves", "last"),
    [
        ("gravity", "connect:3x3x3", "3 3 1 2 1 2 2 1", "3"),
        ("threats", "tictactoe", "a1 b2 c3 b1 b3 a3 c1 c2", "a2"),
    ],
)
def test_the_last_move_is_played(algorithm: str, name: str, moves: str, last: str) -> None:
    position = mossa.game(name).position(moves)
    info = make(position.game, algorithm).run(position, Limits(depth=3))
    assert info.move == last and info.score == Exact(0, 1)
