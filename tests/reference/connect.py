"""connect: in turn, drop a stone into a column; a line of at least k own stones wins.

The stone falls to the lowest empty cell of its column, and a full column takes no more. The lines
are those of mnk. A full board without a line is a draw.
"""

from __future__ import annotations

from reference.mnk import EMPTY, Mnk


class Connect(Mnk):
    """A connect position: mnk in which the cell follows from the column."""

    def moves(self) -> list[str]:
        if self.winner is not None:
            return []
        top = self.grid[self.rows - 1]
        return [str(col + 1) for col in range(self.cols) if top[col] == EMPTY]

    def play(self, move: str) -> Mnk:
        col = int(move) - 1
        for row in range(self.rows):
            if self.grid[row][col] == EMPTY:
                return self._put(row, col)
        raise ValueError(f"column {move} is full")
