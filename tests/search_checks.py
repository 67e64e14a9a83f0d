"""What the tests of searches share."""

from __future__ import annotations

import random
from time import perf_counter

import pytest

from mossa import Game, Info, Limits, Position, Search, player
from mossa.search import SEARCHES

GENERAL = [name for name in SEARCHES if name not in ("threats", "gravity")]
"""The searches for every game; those for one have tests of their own: search/test_special.py."""

every_search = pytest.mark.parametrize("algorithm", GENERAL)


def make(game: Game, algorithm: str = "alphabeta", **options: str) -> Search:
    """A search with little memory, which is made at once."""
    known = {option.name for option in SEARCHES[algorithm].options}
    return Search(game, algorithm, ({"memory": "1"} if "memory" in known else {}) | options)


def random_positions(game: Game, count: int, *, seed: int, plies: int = 0) -> list[Position]:
    """Different positions that random play meets after at least so many plies, as many as found."""
    chance = random.Random(seed)
    found: dict[int, Position] = {}
    for _ in range(20 * count):
        position = game.start()
        while position.outcome is None:
            if position.ply >= plies and chance.random() < 0.3:
                found.setdefault(position.key, position)
                break
            position = position.play(chance.choice(position.moves))
        if len(found) == count:
            break
    return list(found.values())


def assert_playable(position: Position, info: Info) -> Position:
    """A line begins with the move, and can be played; its last position."""
    assert info.line[0] == info.move
    for move in info.line:
        position = position.play(move)
    return position


def assert_keeps_time(algorithm: str, position: Position, limit: float) -> None:
    """What it takes to set up is part of the time. A busy machine gets another chance."""
    taken = []
    for _ in range(4):
        asked = player(f"{algorithm}:time={limit}")
        begin = perf_counter()
        choice = asked.choose(position, Limits(time=5))
        taken.append(perf_counter() - begin)
        assert choice.move in position.moves
    assert min(taken) < limit + 0.05
