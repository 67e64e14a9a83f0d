"""connect: in turn, drop a stone into a column; a line of at least k own stones wins.

The stone falls to the lowest empty cell of its column, and a full column takes no more. The lines
are those of mnk. A full board without a line is a draw.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import strategies as st

import mossa
from reference.base import Cell, Haunts
from reference.mnk import BOARDS, EMPTY, Mnk, boards


class Connect(Mnk):
    """A connect position: mnk in which the cell follows from the column."""

    def moves(self) -> list[str]:
        if self.winner is not None:
            return []
        top = self.grid[self.rows - 1]
        return [str(col + 1) for col in range(self.cols) if top[col] == EMPTY]

    def cell_of(self, move: str) -> Cell:
        col = int(move) - 1
        return next(row for row in range(self.rows) if self.grid[row][col] == EMPTY), col

    def candidates(self) -> list[str]:
        return [str(col + 1) for col in range(self.cols + 2)]

    def runs_together(self, move: str) -> bool:
        return self.cols <= 9

    def symmetries(self) -> list[Callable[[int, int], Cell]]:
        return super().symmetries()[:1]  # the mirror image

    def haunts(self, mode: str, rng: random.Random) -> Haunts:
        widths = [width for width in (1, 2, self.k, self.k + 1) if 2 * width <= self.cols]
        width = rng.choice(widths or [1])
        left = rng.randrange(self.cols - width + 1)
        apart = [i for i in range(self.cols - width + 1) if abs(i - left) >= width]
        other = left if mode == "shared" or not apart else rng.choice(apart)
        first, second = ([str(i + j + 1) for j in range(width)] for i in (left, other))
        return first, second


def start(game: mossa.Game) -> Connect:
    """An empty board."""
    return Connect(game.sizes["rows"], game.sizes["cols"], game.sizes["k"])


GAMES = [f"connect:{rows}x{cols}x{k}" for rows, cols, k in BOARDS]
GAMES += [f"connect:6x7x{k}" for k in (1, 2, 3, 5, 6, 7)]

WHOLE_GAMES = ["connect:1x1x1", "connect:2x2x2", "connect:3x3x3", "connect:4x3x3", "connect:5x2x2"]
WHOLE_GAMES += ["connect:3x3x2", "connect:1x8x2", "connect:9x1x3", "connect:8x2x4"]


def names() -> st.SearchStrategy[str]:
    """Small boards with any k."""
    return boards().map("connect:{0[0]}x{0[1]}x{0[2]}".format)
