"""Varied first moves, so that games from the same position differ.

In the first moves of a game a player may pick any move that seems nearly as good as its best one.
Proofs are respected: in place of a proven move it plays only one proven to be as good.
"""

import random
from collections.abc import Callable
from statistics import median

from mossa._core import Position
from mossa.players.chooser import Glance, look_at
from mossa.search import Exact, Info

CANDIDATES = 8
"""Compare this many moves: the best, and the most natural-looking ones."""
MARGIN = 0.5
"""How much worse than the best a move may seem. The unit is the difference between the best move
and the middling one, so it holds for every game and size."""

Look = Callable[[Position, int], Info | None]
"""Looks at a position with one of so many parts of the time; None if it finds out nothing."""


class Variety:
    """Picks among moves that are nearly as good, in the first moves of a game."""

    def __init__(self, moves: int, seed: int | None = None) -> None:
        """Take how many of a side's moves to vary, and a seed for reproducible games."""
        self._moves = moves
        self._random = random.Random(seed)
        self._glance = Glance(1, "default")

    def is_for(self, position: Position) -> bool:
        """Tell whether the next move is one of the first, and there is a choice."""
        return position.ply // 2 < self._moves and len(position.moves) > 1

    def pick(self, position: Position, best: Info, look: Look) -> Info:
        """Return a move that is as good as a proven best one, or nearly as good as another."""
        natural = sorted(self._glance.moves(position), key=lambda seen: -seen.value)
        others = [seen.move for seen in natural if seen.move != best.move][: CANDIDATES - 1]
        parts = len(others) + 1
        looks = {
            move: look_at(position, move, lambda after: look(after, parts))
            for move in (best.move, *others)
        }
        seen = [info for info in looks.values() if info is not None]
        if isinstance(best.score, Exact):
            peers = [info for info in seen if info.score == best.score]
        else:
            peers = self._nearly_as_good(seen, looks[best.move])
        return self._random.choice([best, *(info for info in peers if info.move != best.move)])

    @staticmethod
    def _nearly_as_good(seen: list[Info], best: Info | None) -> list[Info]:
        """Leave out moves that seem worse, and decided ones, proven or not."""
        undecided = [info for info in seen if info.score.standing is None]
        if best is None or best not in undecided:
            return []
        middling = median(info.score.value for info in undecided)
        slack = MARGIN * max(0.0, best.score.value - middling)
        return [info for info in undecided if info.score.value >= best.score.value - slack]
