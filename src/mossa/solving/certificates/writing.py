"""What all writers of certificates have in common."""

from collections.abc import Callable
from typing import Any

from mossa._core import Position
from mossa.errors import GameError
from mossa.solving.solver import Solver

Write = Callable[[Any], object]
"""Takes the records of a certificate, one by one."""

ALONE = 1000
"""The checkers of tables of moves are left alone where they look at no more positions than this:
more make the file smaller and the check slower."""


class States:
    """Counts the states of a certificate, over all its proofs."""

    def __init__(self, limit: int, progress: Callable[[int], object] | None = None) -> None:
        """Tell ``progress`` now and then; raise GameError beyond ``limit``."""
        self.count = 0
        self._limit = limit
        self._progress = progress or (lambda _: None)

    def add(self) -> None:
        """Count one more."""
        self.count += 1
        if self.count > self._limit:
            raise GameError(f"the certificate would have more than {self._limit:,} states")
        if self.count % 100 == 0:
            self._progress(self.count)


def best_move(solver: Solver, position: Position) -> str:
    """Return a best move as text."""
    solver.solve(position)
    return str(solver.line(position, most=1)[0])
