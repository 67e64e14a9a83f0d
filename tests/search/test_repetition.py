"""The same again: a search is determined by its limits, and says what it cost."""

from __future__ import annotations

import pytest
from search_checks import every_search, make, random_positions

import mossa
from mossa import Info, Limits, Search


@every_search
@pytest.mark.parametrize("name", ["connect4", "gomoku", "mnk:40x40x8", "kalah", "bantumi"])
def test_the_same_search_twice_is_the_same(name: str, algorithm: str) -> None:
    game = mossa.game(name)
    for position in random_positions(game, 2, seed=6):
        for limits in (Limits(depth=2, nodes=2000, iterations=20), Limits(nodes=999)):
            one, other = (make(game, algorithm).run(position, limits) for _ in range(2))
            assert facts_of(one) == facts_of(other)


@every_search
def test_a_game_by_node_limits_can_be_repeated(algorithm: str) -> None:
    def whole_game() -> list[object]:
        position = mossa.game("connect:5x5x4").start()
        search = make(position.game, algorithm)
        found = []
        while position.outcome is None:
            info = search.run(position, Limits(nodes=2000))
            found.append(facts_of(info))
            position = position.play(info.move)
        return found

    game = whole_game()
    assert len(game) >= 7
    assert game == whole_game()


def facts_of(info: Info) -> object:
    counts = info.nodes, info.evaluations, info.cutoffs, info.table_hits, info.iterations
    return info.move, info.score, info.line, info.depth, counts


@every_search
def test_a_search_says_what_it_cost(algorithm: str) -> None:
    start = mossa.game("connect4").start()
    info = make(start.game, algorithm).run(start, Limits(depth=5, nodes=3000))
    assert info.nodes > 1000 or info.table_hits > 0
    assert info.evaluations > 0
    assert 0 < info.time < 5
    assert info.memory > 0


@pytest.mark.parametrize(("algorithm", "depth"), [("alphabeta", 10), ("gametree", 9)])
def test_all_threads_are_counted(algorithm: str, depth: int) -> None:
    """Two threads once reported the nodes of one; a limit of nodes holds for all of them too."""
    position = mossa.game("connect4").position("4453")
    one = Search(position.game, algorithm).run(position, Limits(depth=depth))
    two = Search(position.game, algorithm, {"threads": "2"}).run(position, Limits(depth=depth))
    assert two.score == one.score
    assert two.nodes > 0.8 * one.nodes
    assert two.evaluations + two.cutoffs + two.table_hits > 0
    limited = Search(position.game, algorithm, {"threads": "2"})
    assert 20_000 <= limited.run(position, Limits(nodes=20_000)).nodes < 20_200


def test_a_table_grows_without_forgetting() -> None:
    """It begins with one megabyte; what it knew is found after it has grown."""
    position = mossa.game("connect4").position("4453")
    search = Search(position.game, "alphabeta", {"memory": "64"})
    assert search.run(position, Limits(depth=2)).memory < 2 << 20
    grown = search.run(position, Limits(depth=12))
    assert grown.memory > 8 << 20
    assert search.run(position, Limits(depth=12)).nodes < grown.nodes / 10
