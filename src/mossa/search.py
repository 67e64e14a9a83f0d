"""Searches of the core, their limits, and what they report.

A score is one of two types. ``Exact`` is proven: in line games +1, 0 or -1 with the number of plies
to the end, in kalah the final margin. ``Estimate`` is an opinion in the units of the evaluation.
Scores can be negated (the other side's view) and compared among their own type.
"""

from dataclasses import dataclass

from mossa._core import Game, Limits, Move, Position, SearchInfo, make_search, search_names

__all__ = ["Estimate", "Exact", "Info", "Limits", "Score", "Search", "search_names"]


@dataclass(frozen=True)
class Exact:
    """A proven score; ``distance`` is the number of plies to the end where the game counts them."""

    value: int
    distance: int | None = None

    def __neg__(self) -> "Exact":
        """Return the same score as the other side sees it."""
        return Exact(-self.value, self.distance)

    def __lt__(self, other: "Exact") -> bool:
        """Order by value; of two wins the quicker is better, of two losses the slower."""
        return self._rank() < other._rank()

    def _rank(self) -> tuple[int, int]:
        sign = (self.value > 0) - (self.value < 0)
        return self.value, -sign * (self.distance or 0)

    def __str__(self) -> str:
        """Return ``+1 in 7``, ``0`` or ``-12``."""
        text = f"{self.value:+d}" if self.value else "0"
        return text if self.distance is None else f"{text} in {self.distance}"


@dataclass(frozen=True, order=True)
class Estimate:
    """A score that is only an opinion, in the units of the evaluation."""

    value: float

    def __neg__(self) -> "Estimate":
        """Return the same score as the other side sees it."""
        return Estimate(-self.value)

    def __str__(self) -> str:
        """Return ``~+35``."""
        return f"~{self.value:+g}"


Score = Exact | Estimate


@dataclass(frozen=True)
class Info:
    """What a search found: its move, the score for the side to move, the line it expects."""

    move: Move
    score: Score
    line: list[Move]
    depth: int
    nodes: int
    time: float
    """Seconds."""
    memory: int
    """Bytes held by the search."""


class Search:
    """A search algorithm at work on one game. It keeps its memory from move to move."""

    def __init__(self, game: Game, algorithm: str) -> None:
        """Raise GameError if there is no such algorithm."""
        self._search = make_search(game, algorithm)

    def run(self, position: Position, limits: Limits) -> Info:
        """Search until a limit is reached or nothing is left to search; Ctrl-C interrupts it."""
        return _public(self._search.run(position, limits))


def _public(found: SearchInfo) -> Info:
    score = Exact(found.value, found.distance) if found.exact else Estimate(found.value)
    return Info(found.move, score, found.line, found.depth, found.nodes, found.time, found.memory)
