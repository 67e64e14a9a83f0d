"""Whether a solver is worth its time: the chance that it finishes with a few nodes more.

The nodes that a solver needs grow by about the same factor with everything that is left to play,
but two positions with as much left may differ a hundredfold. A log-logistic distribution describes
both, and says what is to be expected of a solver that has worked in vain so far.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log2

FIRST_SLICE = 0.02
"""Of the limits; the solver always gets it, for it finds quick wins and knows what it has proven
before."""
MOST = 0.8
"""Of the limits, for all slices."""
WORTH = 6
"""A proof is worth doubling the time of the search so many times."""


@dataclass(frozen=True)
class Need:
    """How many nodes a solver needs, as a distribution."""

    least_left: float
    """With so much left to play, a node will do in half of all positions."""
    doubling: float
    """So much more left to play doubles the nodes."""
    steepness: float
    """Of the distribution; the greater, the less positions differ."""

    def chance(self, left: int, spent: float, more: float) -> float:
        """Return the chance that ``more`` nodes will do, where ``spent`` nodes did not."""
        per_median = 2.0 ** ((self.least_left - left) / self.doubling)
        before, after = (
            1 + float((nodes * per_median) ** self.steepness) for nodes in (spent, spent + more)
        )
        return 1 - before / after


class Slices:
    """Doubling slices of the limits, as long as the solver will probably finish in one of them."""

    def __init__(self, need: Need, left: int) -> None:
        """Take what solvers of this sort need, and what is left to play."""
        self._need, self._left = need, left
        self._nodes = 0
        self._last = 0
        self._used = 0.0

    def spend(self, nodes: int) -> None:
        """Count the nodes that the solver has visited in its slice."""
        self._nodes += nodes
        self._last = nodes

    def chance(self, share: float) -> float:
        """Return the chance that another share of the limits will do, after at least a slice."""
        more = self._nodes * share / self._used
        return self._need.chance(self._left, self._nodes, more)

    def __iter__(self) -> Iterator[float]:
        """Yield the next slice, a share of all the limits; call ``spend`` after each."""
        share = self._used = FIRST_SLICE
        yield share
        while self._used < MOST:
            following = min(2 * share, MOST - self._used)
            chance = self._need.chance(self._left, self._nodes, self._last * following / share)
            left = 1 - self._used  # for the search
            if WORTH * chance < log2(left / (left - following)):
                return
            share = following
            self._used += share
            yield share
