"""Tests of starter.py: python -m pytest."""

import random
from pathlib import Path

import pytest
from starter import Starter

import mossa


@pytest.mark.parametrize("seed", range(20))
def test_random_games_come_to_an_end(seed: int) -> None:
    """While a game goes on there are moves, and a move leaves the old position as it was."""
    rng = random.Random(seed)
    position = Starter()
    for _ in range(1000):
        if position.outcome is not None:
            return
        assert position.moves
        assert position.side in (0, 1)
        before = position.key
        after = position.play(rng.choice(position.moves))
        assert position.key == before != after.key
        position = after
    pytest.fail("the game goes on for more than 1000 moves")


@pytest.mark.parametrize("heap", range(1, 13))
def test_a_search_finds_who_wins(heap: int) -> None:
    """With a multiple of four, whoever is to move loses."""
    info = mossa.PythonGameSearch("alphabeta").run(Starter(heap), mossa.Limits())
    assert info.score == mossa.Exact(1 if heap % 4 else -1)


def test_players_meet() -> None:
    """A search to the end takes the last stone: the first move is the one that wins."""
    game = f"{Path(__file__).with_name('starter.py')}:Starter"
    record = mossa.match("alphabeta:depth=21", "random:seed=1", game)
    assert record.result == "1-0"
