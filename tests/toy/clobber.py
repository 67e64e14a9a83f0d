"""clobber: in turn, capture a neighbour; whoever cannot move loses.

The board begins full, the colours alternating. A piece moves one cell up, right, down or left, only
onto an opposing piece, which it captures.
"""

from __future__ import annotations

import copy

from hypothesis import strategies as st
from reference.base import SIDES, Cell, Reference
from reference.mnk import EMPTY, cell_name, cell_of_name, lines_text

import mossa


class Clobber(Reference):
    """A position: a list of rows, the bottom one first; 0 empty, 1 first's, 2 second's."""

    def __init__(self, rows: int, cols: int) -> None:
        self.grid = [[1 + (row + col) % 2 for col in range(cols)] for row in range(rows)]
        self.side = 0

    def moves(self) -> list[str]:
        found = []
        for row, line in enumerate(self.grid):
            for col, piece in enumerate(line):
                if piece != self.side + 1:
                    continue
                for there in ((row + 1, col), (row, col + 1), (row - 1, col), (row, col - 1)):
                    if self._at(there) == 2 - self.side:
                        found.append(cell_name(row, col) + cell_name(*there))
        return found

    def _at(self, cell: Cell) -> int:
        row, col = cell
        inside = 0 <= row < len(self.grid) and 0 <= col < len(self.grid[0])
        return self.grid[row][col] if inside else EMPTY

    def play(self, move: str) -> Clobber:
        (row, col), (to_row, to_col) = self.source(move), self.target(move)
        after = copy.deepcopy(self)
        after.grid[row][col] = EMPTY
        after.grid[to_row][to_col] = self.side + 1
        after.side = 1 - self.side
        return after

    def outcome(self) -> tuple[int | None, int] | None:
        if self.moves():
            return None
        return (1, -1) if self.side == 0 else (0, 1)

    def cells(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(line) for line in self.grid)

    def identity(self) -> tuple[object, ...]:
        return self.cells(), self.side

    def most_plies(self) -> int:
        return self.area()

    def candidates(self) -> list[str]:
        names = [
            cell_name(row, col)
            for row in range(len(self.grid) + 1)
            for col in range(len(self.grid[0]) + 1)
        ]
        return [one + other for one in names for other in names]

    def source(self, move: str) -> Cell:
        return cell_of_name(move[:2])  # no board has ten rows

    def target(self, move: str) -> Cell:
        return cell_of_name(move[2:])

    def runs_together(self, move: str) -> bool:
        return True

    def board_text(self) -> str:
        return f"{lines_text(self.grid)} {SIDES[self.side]}"


def start(game: mossa.Game) -> Clobber:
    """A full board."""
    return Clobber(game.sizes["rows"], game.sizes["cols"])


GAMES = ["clobber:2x2", "clobber:2x3", "clobber:3x2", "clobber:5x6", "clobber:8x8"]
WHOLE_GAMES = ["clobber:2x2", "clobber:3x3"]


def names() -> st.SearchStrategy[str]:
    """Any size, the smallest first."""
    return st.builds("clobber:{}x{}".format, st.integers(2, 8), st.integers(2, 8))
