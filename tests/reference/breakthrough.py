"""breakthrough: in turn, move a piece one row ahead; reach the far row, or capture every piece.

Each side begins with its two nearest rows full; first moves up. A piece goes straight or diagonally
onto an empty cell, and onto an opposing piece only diagonally, which captures it.
"""

from __future__ import annotations

import copy

from hypothesis import strategies as st

import mossa
from reference.base import SIDES, Cell, Reference
from reference.mnk import EMPTY, cell_name, cell_of_name, lines_text


class Breakthrough(Reference):
    """A position: a list of rows, the bottom one first; 0 empty, 1 first's, 2 second's."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows = rows
        self.cols = cols
        self.grid = [[EMPTY] * cols for _ in range(rows)]
        for row in (0, 1):
            self.grid[row] = [1] * cols
            self.grid[rows - 1 - row] = [2] * cols
        self.side = 0

    def moves(self) -> list[str]:
        if self.outcome() is not None:
            return []
        ahead = 1 if self.side == 0 else -1
        found = []
        for row in range(self.rows):
            for col in range(self.cols):
                if self.grid[row][col] != self.side + 1:
                    continue
                for to in (col - 1, col, col + 1):
                    if not 0 <= to < self.cols:
                        continue
                    there = self.grid[row + ahead][to]
                    if there == EMPTY or (to != col and there == 2 - self.side):
                        found.append(cell_name(row, col) + cell_name(row + ahead, to))
        return found

    def play(self, move: str) -> Breakthrough:
        assert move in self.moves()
        (row, col), (to_row, to_col) = self._cells_of(move)
        after = copy.copy(self)
        after.grid = [list(line) for line in self.grid]
        after.grid[row][col] = EMPTY
        after.grid[to_row][to_col] = self.side + 1
        after.side = 1 - self.side
        return after

    def outcome(self) -> tuple[int | None, int] | None:
        pieces = [piece for line in self.grid for piece in line]
        if 1 in self.grid[-1] or 2 not in pieces:
            return 0, 1
        if 2 in self.grid[0] or 1 not in pieces:
            return 1, -1
        return None

    def cells(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(line) for line in self.grid)

    def identity(self) -> tuple[object, ...]:
        return self.cells(), self.side

    def most_plies(self) -> int:
        return 4 * self.cols * (self.rows - 1)  # every piece goes one row ahead with each move

    def candidates(self) -> list[str]:
        cells = [
            cell_name(row, col) for row in range(self.rows + 1) for col in range(self.cols + 1)
        ]
        near = [(0, 0), (1, 0), (1, 1), (1, -1), (2, 0), (2, 1), (0, 1)]
        found = set()
        for cell in cells:
            row, col = cell_of_name(cell)
            for up, right in near:
                for sign in (1, -1):
                    if row + sign * up >= 0 and col + right >= 0:
                        found.add(cell + cell_name(row + sign * up, col + right))
        return sorted(found)

    def _cells_of(self, move: str) -> tuple[Cell, Cell]:
        digits = next(i for i, letter in enumerate(move) if letter.isdigit())
        end = next(i for i in range(digits, len(move)) if not move[i].isdigit())
        return cell_of_name(move[:end]), cell_of_name(move[end:])

    def source(self, move: str) -> Cell:
        return self._cells_of(move)[0]

    def target(self, move: str) -> Cell:
        return self._cells_of(move)[1]

    def winning_cells(self) -> set[Cell]:
        return {
            (row, col)
            for row, piece in ((self.rows - 1, 1), (0, 2))
            for col in range(self.cols)
            if self.grid[row][col] == piece
        }

    def runs_together(self, move: str) -> bool:
        return True

    def board_text(self) -> str:
        return f"{lines_text(self.grid)} {SIDES[self.side]}"

    def twins(self) -> list[str]:
        turned = [[(0, 2, 1)[piece] for piece in line] for line in self.grid[::-1]]
        return [
            f"{lines_text([line[::-1] for line in self.grid])} {SIDES[self.side]}",
            f"{lines_text(turned)} {SIDES[1 - self.side]}",
            f"{lines_text([line[::-1] for line in turned])} {SIDES[1 - self.side]}",
        ]


def start(game: mossa.Game) -> Breakthrough:
    """Two full rows a side."""
    return Breakthrough(game.sizes["rows"], game.sizes["cols"])


SIZES = [(4, 2), (4, 3), (5, 2), (5, 4), (6, 6), (7, 5), (8, 8), (4, 16), (16, 4), (8, 9), (9, 8)]
SIZES += [(5, 13), (13, 5), (16, 2), (11, 11), (12, 10), (15, 16), (16, 15), (16, 16)]
GAMES = [f"breakthrough:{rows}x{cols}" for rows, cols in SIZES]
WHOLE_GAMES = ["breakthrough:4x2", "breakthrough:5x2"]


def names() -> st.SearchStrategy[str]:
    """Any size, the smallest first."""
    return st.builds("breakthrough:{}x{}".format, st.integers(4, 16), st.integers(2, 16))
