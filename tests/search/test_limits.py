"""Limits: kept, used, and checked."""

from __future__ import annotations

import math
import time
from functools import partial

import pytest
from search_checks import assert_playable, every_search, make, random_positions

import mossa
from mossa import Estimate, Exact, GameError, Limits

SIZES = ["connect4", "gomoku", "mnk:70x70x10", "mnk:100x100x5", "kalah", "kalah:12x12,swap=yes"]


@every_search
@pytest.mark.parametrize("nodes", [1, 2, 64, 500])
@pytest.mark.parametrize("name", SIZES)
def test_the_node_limit_is_kept(name: str, nodes: int, algorithm: str) -> None:
    start = mossa.game(name).start()
    info = make(start.game, algorithm).run(start, Limits(nodes=nodes))
    # The tree of mcts grows by all moves of a position at once.
    slack = len(start.moves) if algorithm == "mcts" else 0
    assert 1 <= info.nodes <= nodes + slack
    assert_playable(start, info)


@every_search
def test_the_node_limit_is_used(algorithm: str) -> None:
    start = mossa.game("connect4").start()
    assert make(start.game, algorithm).run(start, Limits(nodes=5000)).nodes > 4500


@pytest.mark.parametrize("iterations", [1, 2, 100])
def test_the_iterations_of_mcts(iterations: int) -> None:
    start = mossa.game("connect4").start()
    assert (
        make(start.game, "mcts").run(start, Limits(iterations=iterations)).iterations == iterations
    )


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["connect4", "mnk:4x4x4", "kalah"])
def test_the_depth_limit_is_kept(name: str, depth: int, algorithm: str) -> None:
    start = mossa.game(name).start()
    info = make(start.game, algorithm).run(start, Limits(depth=depth))
    assert info.depth == depth
    assert isinstance(info.score, Estimate)
    assert 1 <= len(info.line) <= depth
    assert_playable(start, info)


@every_search
@pytest.mark.parametrize("limit", [0, 0.06])
@pytest.mark.parametrize("name", SIZES)
def test_the_time_limit_is_kept_and_used(name: str, limit: float, algorithm: str) -> None:
    """No time at all still gives a move. A busy machine gets another chance."""
    start = mossa.game(name).start()
    taken = []
    for _ in range(3):
        search = make(start.game, algorithm)
        begin = time.perf_counter()
        info = search.run(start, Limits(time=limit))
        taken.append(time.perf_counter() - begin)
        assert info.time <= taken[-1]
        assert_playable(start, info)
        if taken[-1] < limit + 0.25:
            break
    assert taken[-1] < limit + 0.25, taken
    # The memory of this search is small: one that keeps a tree may be full before its time.
    assert taken[-1] > limit - 0.01 or algorithm == "gametree"


# --- a search that is stopped ---------------------------------------------------------------------


@pytest.mark.parametrize("table", ["on", "off"])
def test_an_unfinished_iteration_only_finds_better_moves(table: str) -> None:
    """Wherever it is stopped, minimax agrees that its move beats that of the iteration before."""
    changed = 0
    for position in random_positions(mossa.game("connect:5x5x4"), 5, seed=1, plies=3):
        minimax = partial(_minimax_value, position, {})
        for nodes in range(20, 1500, 37):
            finished: list[mossa.Info] = []
            search = make(position.game, "alphabeta", table=table)
            info = search.run(position, Limits(nodes=nodes), report=finished.append)
            before = finished[-1]
            if info.move != before.move:
                changed += 1
                assert minimax(info.move, before.depth + 1) > minimax(before.move, before.depth + 1)
    assert changed


def _minimax_value(
    position: mossa.Position,
    known: dict[tuple[mossa.Move, int], float],
    move: mossa.Move,
    depth: int,
) -> float:
    """What a move is worth that many plies ahead; wins are worth more the sooner they come."""
    if (move, depth) not in known:
        after = position.play(move)
        if after.outcome is not None:
            known[move, depth] = 1000.0 if after.outcome.winner is not None else 0.0
        else:
            score = make(position.game, "minimax").run(after, Limits(depth=depth - 1)).score
            won = 0 if score.distance is None or not score.value else math.copysign(1, score.value)
            known[move, depth] = -(won * (1000 - (score.distance or 0)) or score.value)
    return known[move, depth]


@pytest.mark.parametrize(
    ("algorithm", "game"),
    [("alphabeta", "connect4"), ("gravity", "connect:8x8x5"), ("threats", "mnk:9x9x5")],
)
def test_an_iteration_begins_with_the_best_move_so_far(algorithm: str, game: str) -> None:
    """Only then is another move that it has found when it is stopped known to be better."""
    changed = 0
    for position in random_positions(mossa.game(game), 12, seed=1, plies=4):
        for nodes in range(197, 3000, 97):
            finished: list[mossa.Info] = []
            trace = mossa.Trace(10**4)
            search = make(position.game, algorithm)
            info = search.run(position, Limits(nodes=nodes), report=finished.append, trace=trace)
            if not finished or info.move == finished[-1].move:
                continue
            changed += 1
            before = finished[-1].move
            root = max(at for at, node in enumerate(trace.nodes) if node.parent is None)
            searched = [node for node in trace.nodes if node.parent == root]
            assert searched[0].move == before
            values = {node.move: node.value for node in searched if node.value is not None}
            # Values are those of the opponent; a win on the spot is no node of some searches.
            assert values[info.move] < values[before]
    assert changed > 2


@every_search
def test_whichever_limit_comes_first_ends_the_search(algorithm: str) -> None:
    start = mossa.game("connect4").start()
    assert make(start.game, algorithm).run(start, Limits(time=60, depth=60, nodes=500)).nodes <= 507
    limits = Limits(time=0.01, depth=60, nodes=10**15, iterations=10**15)
    assert make(start.game, algorithm).run(start, limits).time < 0.3


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "mcts"])
def test_nothing_left_to_search_ends_the_search(algorithm: str) -> None:
    position = mossa.game("connect4").position("4455")
    info = make(position.game, algorithm).run(position, Limits(time=60))
    assert isinstance(info.score, Exact)
    assert info.score.value == 1
    assert info.move in ("3", "6")
    assert info.time < 5


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"time": -1.0}, "seconds, 0 or more"),
        ({"time": math.nan}, "seconds, 0 or more"),
        ({"time": math.inf}, "seconds, 0 or more"),
        ({"longest": 1.0}, "it goes with a time"),
        ({"longest": 0.5, "time": 1.0}, "no less than the time"),
        ({"longest": math.inf, "time": 1.0}, "no less than the time"),
        ({"nodes": 0}, "1 or more"),
        ({"nodes": -5}, "1 or more"),
        ({"iterations": 0}, "1 or more"),
        ({"depth": 0}, "1 to 10000"),
        ({"depth": -1}, "1 to 10000"),
        ({"depth": 10_001}, "1 to 10000"),
    ],
)
def test_limits_that_make_no_sense(limits: dict[str, float], reason: str) -> None:
    with pytest.raises(GameError) as error:
        Limits(**limits)  # type: ignore[arg-type]
    assert reason in str(error.value)
    assert next(iter(limits)) in str(error.value)
    assert "\n" not in str(error.value)


def test_limits_are_values() -> None:
    limits = Limits(time=0.5, nodes=7, depth=3)
    assert (limits.time, limits.nodes, limits.iterations, limits.depth) == (0.5, 7, None, 3)
    assert repr(limits) == "Limits(time=0.5, nodes=7, depth=3)"
    assert repr(Limits()) == "Limits()"
    assert limits == Limits(time=0.5, nodes=7, depth=3)
    assert hash(limits) == hash(Limits(time=0.5, nodes=7, depth=3))
    assert limits != Limits(time=0.5, nodes=7)


def test_limits_beyond_the_integers_of_the_machine() -> None:
    assert Limits(nodes=10**30).nodes == 2**63 - 1
    for depth in (10**30, -(10**30), 0, 10_001):
        with pytest.raises(GameError, match=f"invalid limit 'depth={depth}': a whole number, 1 to"):
            Limits(depth=depth)
    with pytest.raises(GameError, match="invalid limit 'nodes=-1000000000000000000000': a whole"):
        Limits(nodes=-(10**21))
    with pytest.raises(TypeError):
        Limits(depth=1.5)  # type: ignore[arg-type]


def test_under_a_clock_a_search_ends_by_itself() -> None:
    """After the iteration that it is sure of, long before the end; one that has none keeps time."""
    start = mossa.game("connect:10x10x5").start()
    limits = Limits(time=0.2, longest=60.0)
    taken = make(start.game, "alphabeta").run(start, limits).time
    assert 0.05 < taken < 20
    for algorithm in ("mcts", "gametree"):
        assert make(start.game, algorithm).run(start, limits).time < 5


def test_a_clock_ends_a_search_in_any_case() -> None:
    start = mossa.game("mnk:100x100x5").start()
    assert make(start.game, "alphabeta").run(start, Limits(time=0.2, longest=0.3)).time < 3
