"""A game of your own: misère tic-tac-toe, where three in a row loses, played by mossa's searches."""

from typing import Any

import mossa

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Misere:
    """Nine cells; 0 and 1 are the sides, None is empty."""

    def __init__(self, cells: tuple[int | None, ...] = (None,) * 9, side: int = 0) -> None:
        self.cells, self.side = cells, side
        self.moves = [i for i, cell in enumerate(cells) if cell is None]
        self.key = cells

    def play(self, move: int) -> "Misere":
        cells = self.cells[:move] + (self.side,) + self.cells[move + 1 :]
        return Misere(cells, 1 - self.side)

    @property
    def outcome(self) -> int | None:
        for a, b, c in LINES:
            if self.cells[a] is not None and self.cells[a] == self.cells[b] == self.cells[c]:
                return -1 if self.cells[a] == 0 else 1
        return None if self.moves else 0


if __name__ == "__main__":
    for algorithm in ("alphabeta", "mcts"):
        position = Misere()
        search = mossa.PythonGameSearch(algorithm)
        while position.outcome is None:
            move: Any = search.run(position, mossa.Limits(time=0.2)).move
            position = position.play(move)
        print(algorithm, "draw" if position.outcome == 0 else f"{position.outcome:+d}")
