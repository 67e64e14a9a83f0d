"""mnk: in turn, put a stone on any empty cell; a line of k own stones wins.

A line runs along a row, a column or a diagonal. At least k stones win; with `exact` a run of
exactly k wins and a longer one does not. A full board without a line is a draw.
"""

from __future__ import annotations

import copy

EMPTY = 0
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def cell_name(row: int, col: int) -> str:
    """Columns a..z, then aa, ab, ... zz; rows from 1 at the bottom."""
    letter = chr(ord("a") + col % 26)
    if col >= 26:
        letter = chr(ord("a") + col // 26 - 1) + letter
    return f"{letter}{row + 1}"


def run_through(grid: list[list[int]], row: int, col: int, step: tuple[int, int]) -> int:
    """How many stones of one colour stand in an unbroken run through a cell, along `step`."""
    length = 1
    for sign in (1, -1):
        r, c = row + sign * step[0], col + sign * step[1]
        while 0 <= r < len(grid) and 0 <= c < len(grid[0]) and grid[r][c] == grid[row][col]:
            length += 1
            r, c = r + sign * step[0], c + sign * step[1]
    return length


class Mnk:
    """An mnk position: a list of rows, the bottom one first; 0 empty, 1 first's, 2 second's."""

    def __init__(self, rows: int, cols: int, k: int, *, exact: bool = False) -> None:
        self.rows = rows
        self.cols = cols
        self.k = k
        self.exact = exact
        self.grid = [[EMPTY] * cols for _ in range(rows)]
        self.side = 0
        self.winner: int | None = None

    def moves(self) -> list[str]:
        if self.winner is not None:
            return []
        return [
            cell_name(row, col)
            for row in range(self.rows)
            for col in range(self.cols)
            if self.grid[row][col] == EMPTY
        ]

    def play(self, move: str) -> Mnk:
        letters, digits = move.rstrip("0123456789"), move.lstrip("abcdefghijklmnopqrstuvwxyz")
        col = 0
        for letter in letters:
            col = col * 26 + ord(letter) - ord("a") + 1
        return self._put(int(digits) - 1, col - 1)

    def _put(self, row: int, col: int) -> Mnk:
        assert self.winner is None
        assert self.grid[row][col] == EMPTY
        after = copy.copy(self)
        after.grid = [list(line) for line in self.grid]
        after.grid[row][col] = self.side + 1
        for step in DIRECTIONS:
            length = run_through(after.grid, row, col, step)
            if length == self.k or (length > self.k and not self.exact):
                after.winner = self.side
        after.side = 1 - self.side
        return after

    def outcome(self) -> tuple[int | None, int] | None:
        if self.winner is not None:
            return self.winner, 1 if self.winner == 0 else -1
        if all(stone != EMPTY for line in self.grid for stone in line):
            return None, 0
        return None

    def cells(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(line) for line in self.grid)

    def identity(self) -> tuple[object, ...]:
        return self.cells(), self.side
