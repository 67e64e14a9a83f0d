"""Doubts about a move that a search found: does it lose, and what to play instead?

That a move loses, a solver often proves long before it knows the score of the position in which
the move is made. A search that cannot see so far plays it all the same, unless somebody asks.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from mossa._core import Limits, Move, Position, StopToken
from mossa.players.chooser import look_at
from mossa.players.searching import part_of
from mossa.search import Bound, Info
from mossa.solving.solver import Solver


@dataclass(frozen=True)
class Refuter:
    """Tries to refute moves with a solver."""

    solver: Solver
    search: Callable[[Position, Limits], Info]
    """Searches a position without the solver."""
    stop: StopToken | None = None

    def loses(self, position: Position, move: Move, limits: Limits) -> bool:
        """Tell whether the solver proves within the limits that a move loses."""
        score = self.solver.move_score(position, move, limits, stop=self.stop)
        most = score.high if isinstance(score, Bound) else score
        return most.standing < 0

    def instead_of(self, lost: Info, position: Position, limits: Limits) -> Info:
        """Return the move that seems best of those not refuted; ``lost`` if all others are.

        Its nodes are those of the searches, for ``lost`` too, without the solver's.
        """
        others = [move for move in position.moves if move != lost.move]
        part = part_of(limits, 0.5 / max(1, len(others)))
        seen = (look_at(position, move, lambda after: self.search(after, part)) for move in others)
        looks = [info for info in seen if info is not None]
        nodes = lost.nodes + sum(info.nodes for info in looks)
        share = 0.25  # half of the rest for the best of them, then half of what is left
        for info in sorted(looks, key=lambda info: info.score, reverse=True):
            if not self.loses(position, info.move, part_of(limits, share)):
                return replace(info, nodes=nodes)
            share /= 2
        return replace(lost, nodes=nodes)
