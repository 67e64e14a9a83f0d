"""A game of your own, for all searches: misère tic-tac-toe, where three in a row loses.

python examples/misere_tictactoe.py
"""

import mossa

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Misere:
    """Nine cells; 0 and 1 are the sides, None is empty."""

    def __init__(self, cells: tuple[int | None, ...] = (None,) * 9, side: int = 0) -> None:
        """Begin with an empty board."""
        self.cells, self.side = cells, side
        self.moves = [i for i, cell in enumerate(cells) if cell is None]
        self.key = cells

    def play(self, move: int) -> "Misere":
        """Return the next position; this one stays as it is."""
        cells = (*self.cells[:move], self.side, *self.cells[move + 1 :])
        return Misere(cells, 1 - self.side)

    @property
    def outcome(self) -> int | None:
        """What the first side got; None while the game goes on."""
        for a, b, c in LINES:
            if self.cells[a] is not None and self.cells[a] == self.cells[b] == self.cells[c]:
                return -1 if self.cells[a] == 0 else 1
        return None if self.moves else 0


if __name__ == "__main__":
    for algorithm in ("alphabeta", "mcts"):
        search = mossa.PythonGameSearch(algorithm)
        info = search.run(Misere(), mossa.Limits(depth=9, iterations=2000))
        print(f"{algorithm}: cell {info.move}, score {info.score}")
