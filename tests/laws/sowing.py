"""Laws of sowing games: seeds are moved, never made or lost."""

from __future__ import annotations

import itertools
import random

import mossa
from laws.play import random_game, where


def a_move_keeps_the_seeds(game: mossa.Game, rng: random.Random) -> None:
    """No seed is lost, and no store shrinks unless the sides swap."""
    for before, after in itertools.pairwise(random_game(game, rng, 100)):
        _check_sowing(before, after)


def _check_sowing(before: mossa.Position, after: mossa.Position) -> None:
    move = after.last_move
    assert move is not None
    assert (move.row, move.col) == (None, None), where(after)
    assert sum(map(sum, before.cells)) == sum(map(sum, after.cells)), where(after)
    if move == "swap":
        assert (move.number, after.last_cell) == (None, None), where(after)
        assert after.cells == before.cells[::-1], where(after)
        assert (before.side, after.side) == (mossa.Side.second, mossa.Side.first), where(after)
    else:
        assert move.number is not None
        assert move == str(move.number), where(after)
        assert after.last_cell == (before.side.value, move.number - 1), where(after)
        for old, new in zip(before.cells, after.cells, strict=True):
            assert old[-1] <= new[-1], where(after)
