"""Searches of the core, their limits, and what they report.

A score is one of two types. ``Exact`` is proven: in line games +1, 0 or -1 with the number of plies
to the end, in kalah the final margin. ``Estimate`` is an opinion in the units of the evaluation.
Scores can be negated (the other side's view) and compared among their own type. ``Bound`` is what a
solver has proven so far: two exact scores with the true one between them.
"""

import copyreg
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import total_ordering
from math import inf
from typing import Any, Protocol, Self

from mossa._core import (
    CoreSearch,
    Game,
    Limits,
    Move,
    Position,
    PythonSearch,
    SearchInfo,
    Side,
    StopToken,
    Trace,
    search_kinds,
)

__all__ = [
    "SEARCHES",
    "Bound",
    "Estimate",
    "Exact",
    "Info",
    "Limits",
    "PythonGameSearch",
    "PythonPosition",
    "Score",
    "Search",
    "StopToken",
    "Trace",
]


def _limits(
    time: float | None, nodes: int | None, iterations: int | None, depth: int | None
) -> Limits:
    return Limits(time=time, nodes=nodes, iterations=iterations, depth=depth)


# Limits go with the work that is sent to other processes.
copyreg.pickle(
    Limits,
    lambda limits: (_limits, (limits.time, limits.nodes, limits.iterations, limits.depth)),
)

SEARCHES = {kind.name: kind for kind in search_kinds()}
"""The search algorithms of the core and their options, by name."""


@total_ordering
@dataclass(frozen=True)
class Exact:
    """A proven score; ``distance`` is the number of plies to the end where the game counts them."""

    value: int
    distance: int | None = None

    def __neg__(self) -> "Exact":
        """Return the same score as the other side sees it."""
        return Exact(-self.value, self.distance)

    def __lt__(self, other: object) -> bool:
        """Order by value; of two wins the quicker is better, of two losses the slower."""
        if not isinstance(other, Exact):
            return NotImplemented
        return (self.value, _haste(self)) < (other.value, _haste(other))

    def __str__(self) -> str:
        """Return ``+1 in 7``, ``0`` or ``-12``."""
        text = f"{self.value:+d}" if self.value else "0"
        return text if self.distance is None else f"{text} in {self.distance}"


@dataclass(frozen=True)
class Bound:
    """What is proven so far: the score is ``low`` or better, ``high`` or worse."""

    low: Exact
    high: Exact

    def __neg__(self) -> "Bound":
        """Return the same bounds as the other side sees them."""
        return Bound(-self.high, -self.low)

    def __str__(self) -> str:
        """Return ``0 in 30 .. +1 in 5``."""
        return f"{self.low} .. {self.high}"


@total_ordering
@dataclass(frozen=True)
class Estimate:
    """A score that is only an opinion, in the units of the evaluation.

    A win that was found but not proven, because moves were left out, is infinite; ``distance`` says
    in how many plies it was found.
    """

    value: float
    distance: int | None = None

    def __neg__(self) -> "Estimate":
        """Return the same score as the other side sees it."""
        return Estimate(-self.value, self.distance)

    def __lt__(self, other: object) -> bool:
        """Order like Exact."""
        if not isinstance(other, Estimate):
            return NotImplemented
        return (self.value, _haste(self)) < (other.value, _haste(other))

    def __str__(self) -> str:
        """Return ``~ +35``, or ``~ win in 7``."""
        if self.distance is None:
            return f"~ {self.value:+g}"
        return f"~ {'win' if self.value > 0 else 'loss'} in {self.distance}"


def _haste(score: Exact | Estimate) -> int:
    """Greater for what is better among equals: a quick win, a slow loss."""
    sign = (score.value > 0) - (score.value < 0)
    return -sign * (score.distance or 0)


Score = Exact | Estimate


@dataclass(frozen=True)
class Info:
    """What a search found: its move, the score for the side to move, the line it expects."""

    move: Move
    score: Score
    line: list[Move]
    depth: int
    """Plies, or turns where the search counts those."""
    nodes: int
    """Moves played by the search; for mcts the nodes of its tree."""
    time: float
    """Seconds."""
    memory: int
    """Bytes held by the search."""
    evaluations: int = 0
    """Leaves valued, or played out."""
    cutoffs: int = 0
    table_hits: int = 0
    iterations: int = 0
    """Play-outs of mcts."""


class Search:
    """A search algorithm at work on one game. It keeps its memory from move to move."""

    def __init__(
        self, game: Game, algorithm: str, options: Mapping[str, str] | None = None
    ) -> None:
        """Raise InvalidPlayerError if there is no such algorithm or option."""
        self._search = CoreSearch(game, algorithm, dict(options or {}))

    def run(
        self,
        position: Position,
        limits: Limits,
        *,
        report: Callable[[Info], object] | None = None,
        stop: StopToken | None = None,
        trace: Trace | None = None,
    ) -> Info:
        """Search until a limit is reached or nothing is left to search.

        ``report`` is told of every better answer, ``stop`` ends the search from another thread with
        its best answer so far, ``trace`` records the tree. Ctrl-C raises KeyboardInterrupt.
        """
        reporter = None if report is None else lambda found: report(_public(found))
        return _public(self._search.run(position, limits, report=reporter, stop=stop, trace=trace))


class PythonPosition(Protocol):
    """A position of a game written in Python, which every search of the core can play.

    A method ``evaluate()`` that returns a number for the side to move is used if there is one.
    """

    @property
    def side(self) -> int | Side:
        """The side to move: 0 or 1."""

    @property
    def moves(self) -> Sequence[Any]:
        """The legal moves, of any type; asked only while the game goes on."""

    def play(self, move: Any) -> Self:
        """Return the position after a move."""

    @property
    def outcome(self) -> float | None:
        """What the first side got, positive for a win; None while the game goes on."""

    @property
    def key(self) -> Hashable:
        """Equal for equal positions."""


class PythonGameSearch:
    """A search algorithm at work on a game written in Python: slower, same results."""

    def __init__(self, algorithm: str, options: Mapping[str, str] | None = None) -> None:
        """Raise InvalidPlayerError if there is no such algorithm or option."""
        self._search = PythonSearch(algorithm, dict(options or {}))

    def run(
        self,
        position: PythonPosition,
        limits: Limits,
        *,
        report: Callable[[Info], object] | None = None,
        stop: StopToken | None = None,
        trace: Trace | None = None,
    ) -> Info:
        """Search like Search.run; what the game raises ends the search with that exception."""

        def own_moves(found: SearchInfo, line: list[Any]) -> Info:
            return replace(_public(found), move=line[0], line=line)

        reporter = None if report is None else lambda *found: report(own_moves(*found))
        return own_moves(
            *self._search.run(position, limits, report=reporter, stop=stop, trace=trace)
        )


def _public(found: SearchInfo) -> Info:
    score: Score
    if found.exact:
        score = Exact(found.value, found.distance)
    elif found.distance is not None:
        score = Estimate(found.value * inf, found.distance)
    else:
        score = Estimate(found.value)
    return Info(
        found.move,
        score,
        found.line,
        found.depth,
        found.nodes,
        found.time,
        found.memory,
        evaluations=found.evaluations,
        cutoffs=found.cutoffs,
        table_hits=found.table_hits,
        iterations=found.iterations,
    )
