"""Tests of player.py: python -m pytest."""

import pytest
from player import choose

import mossa

GAMES = ["tictactoe", "connect4", "kalah", "oware", "breakthrough:6x6"]


@pytest.mark.parametrize("name", GAMES)
def test_whole_games_are_played_by_the_rules(name: str) -> None:
    """An illegal move raises an error."""
    position = mossa.game(name).start()
    while position.outcome is None:
        position = position.play(choose(position))


def test_a_win_is_taken() -> None:
    """Three stones lie next to each other, and either end wins."""
    assert choose(mossa.game("connect4").position("445566")) in ("3", "7")
