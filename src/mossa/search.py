"""Searches of the core, their limits, and what they report.

A score is one of two types. ``Exact`` is proven: +1, 0 or -1 with the number of plies to the end,
or the final margin if that is how the game is scored. ``Estimate`` is an opinion in units of the
evaluation. Negating a score gives the other side's view, and one order holds for all scores of a
game. ``Bound`` is what a solver has proven so far: two exact scores with the true one between them.
"""

import copyreg
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import copysign, inf, isinf, tanh
from typing import Any, Protocol, Self, TypeVar, cast

from mossa._core import (
    CoreSearch,
    Game,
    Limits,
    Move,
    Network,
    Position,
    PythonSearch,
    Scoring,
    SearchInfo,
    Side,
    StopToken,
    Trace,
    search_kinds,
)
from mossa.errors import (
    InvalidPlayerError,
    expect_game,
    expect_limits,
    expect_position,
    is_in_python,
)
from mossa.python_games import PythonPosition

__all__ = [
    "NO_LIMITS",
    "SEARCHES",
    "Bound",
    "Estimate",
    "Exact",
    "Info",
    "Limits",
    "PythonGameSearch",
    "RootMove",
    "Score",
    "Search",
    "StopToken",
    "Trace",
    "advantage",
    "final_score",
    "is_margin",
    "move_score",
    "points_of",
    "root_moves",
    "score_columns",
]


_LIMITS = ("time", "longest", "nodes", "iterations", "depth")


def _limits(*values: Any) -> Limits:
    return Limits(**dict(zip(_LIMITS, values, strict=True)))


# Limits travel with the work sent to other processes.
copyreg.pickle(Limits, lambda limits: (_limits, tuple(getattr(limits, name) for name in _LIMITS)))

SEARCHES = {kind.name: kind for kind in search_kinds()}
"""The search algorithms of the core and their options, by name."""


NO_LIMITS = Limits()
"""A search ends when nothing is left to search, a player when it finds it reasonable."""


@dataclass(frozen=True)
class _Scored:
    """What Exact and Estimate share: negation, and one order over both."""

    value: float
    distance: int | None = None

    def __neg__(self) -> Self:
        """Return the same score as the other side sees it."""
        return replace(self, value=-self.value)

    def later(self) -> Self:
        """Return the same score with the end one ply further away."""
        return self if self.distance is None else replace(self, distance=self.distance + 1)

    @property
    def result(self) -> float:
        """What is known about the result: who wins, or by how much; 0 if neither is known."""
        raise NotImplementedError

    @property
    def rank(self) -> tuple[float, int, float, float]:
        """The key that orders scores; equally good scores have the same rank.

        The result comes first, then proof, then speed: of two wins the proven one is better, then
        the quicker one; for losses it is the other way round. Opinions compare by their points.
        """
        result = self.result
        sign = _sign(result)
        distance = inf if self.distance is None else self.distance
        return result, sign * isinstance(self, Exact), -sign * distance if sign else 0, self.value

    def __lt__(self, other: "Score") -> bool:
        """Tell whether this score is worse, for the side both are for."""
        return self.rank < other.rank if isinstance(other, _Scored) else NotImplemented

    def __le__(self, other: "Score") -> bool:
        """Tell whether this score is no better than the other."""
        return self.rank <= other.rank if isinstance(other, _Scored) else NotImplemented

    def __gt__(self, other: "Score") -> bool:
        """Tell whether this score is better."""
        return self.rank > other.rank if isinstance(other, _Scored) else NotImplemented

    def __ge__(self, other: "Score") -> bool:
        """Tell whether this score is no worse than the other."""
        return self.rank >= other.rank if isinstance(other, _Scored) else NotImplemented


@dataclass(frozen=True)
class Exact(_Scored):
    """A proven score; ``distance`` is the number of plies to the end, if the game counts them."""

    value: int

    @property
    def result(self) -> int:
        """The value itself: +1, 0 or -1, or the final margin."""
        return self.value

    @property
    def standing(self) -> int:
        """1 if the game is won, 0 if it is drawn, -1 if it is lost."""
        return _sign(self.value)

    def __str__(self) -> str:
        """Return ``+1 in 7``, ``0`` or ``-12``."""
        text = f"{self.value:+d}" if self.value else "0"
        return text if self.distance is None else f"{text} in {self.distance}"


@dataclass(frozen=True)
class Estimate(_Scored):
    """A score that is only an opinion, in units of the evaluation.

    A win that was found but not proven, because moves were left out, is infinite; ``distance`` says
    in how many plies it was found.
    """

    margin: bool = False
    """True if it estimates the final margin, so that it compares with proven margins."""

    @property
    def result(self) -> float:
        """The margin, or who wins if that was found; else 0, since points do not tell."""
        if isinf(self.value):
            return _sign(self.value)
        return self.value if self.margin else 0

    @property
    def standing(self) -> int | None:
        """1 or -1 if a win or a loss was found, though not proven; None if it is open."""
        return _sign(self.value) if isinf(self.value) else None

    def __str__(self) -> str:
        """Return ``~ +35``, or ``~ win in 7``."""
        if self.distance is None:
            return f"~ {self.value:+g}"
        return f"~ {'win' if self.value > 0 else 'loss'} in {self.distance}"


Score = Exact | Estimate


@dataclass(frozen=True)
class Bound:
    """What is proven so far: the score is ``low`` or better, ``high`` or worse.

    Bounds have no order: if two overlap, nobody knows yet which is better.
    """

    low: Exact
    high: Exact

    def __neg__(self) -> Self:
        """Return the same bounds as the other side sees them."""
        return type(self)(-self.high, -self.low)

    def later(self) -> Self:
        """Return the same bounds with the ends one ply further away."""
        return type(self)(self.low.later(), self.high.later())

    def __str__(self) -> str:
        """Return ``0 in 30 .. +1 in 5``."""
        return f"{self.low} .. {self.high}"


def score_columns(score: Score) -> dict[str, Any]:
    """Return a score as columns of a table: its text, and the parts of it."""
    return {
        "score": str(score),
        "value": score.value,
        "distance": score.distance,
        "exact": isinstance(score, Exact),
    }


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


class _Seen(Protocol):
    """A score or bounds, as one side sees them at one ply."""

    def __neg__(self) -> Self: ...

    def later(self) -> Self: ...


_AnyScore = TypeVar("_AnyScore", bound=_Seen)


def move_score(score: _AnyScore, before: Position, after: Position) -> _AnyScore:
    """Return a move's score for the side that makes it, from the score of the position after it.

    The score is negated only if the turn passed: a side may move again.
    """
    return (score if after.side is before.side else -score).later()


def final_score(position: Position) -> Exact:
    """Return the score of a finished game for the side that would move next."""
    assert position.outcome is not None
    value = position.outcome.value
    counts = position.game.traits.scoring is Scoring.outcome
    return Exact(value if position.side is Side.first else -value, 0 if counts else None)


_CLEAR_MARGIN = 8
"""A margin that counts as a clear advantage."""
_CLEAR_POINTS = 100
"""The same in points of an evaluation."""


def is_margin(score: Score, scoring: Scoring) -> bool:
    """Tell whether a score under this scoring is a final margin, proven or estimated."""
    return scoring is Scoring.margin and (isinstance(score, Exact) or score.margin)


def advantage(score: Score, scoring: Scoring) -> float:
    """Return how close a score is to a win under this scoring: 1 is won, -1 is lost."""
    if is_margin(score, scoring):
        return tanh(score.value / _CLEAR_MARGIN)
    if score.standing is not None:
        return float(score.standing)
    return 0.95 * tanh(score.value / _CLEAR_POINTS)


def points_of(score: Score, scoring: Scoring) -> float:
    """Return a score in points of an evaluation; a decided game is worth infinitely many.

    If the margin counts, points are seeds, proven or not.
    """
    if isinstance(score, Exact) and scoring is Scoring.outcome and score.value:
        return copysign(inf, score.value)
    return float(score.value)


@dataclass(frozen=True)
class Info:
    """What a search found: its move, the score for the side to move, the line it expects."""

    move: Move
    score: Score
    line: list[Move]
    depth: int
    """Plies, or turns if the search counts those."""
    nodes: int
    """Moves the search played; for mcts, the nodes of its tree."""
    time: float
    """Seconds."""
    memory: int
    """Bytes of memory the search holds."""
    evaluations: int = 0
    """Leaves evaluated or played out."""
    cutoffs: int = 0
    table_hits: int = 0
    iterations: int = 0
    """Play-outs of mcts."""


class Search:
    """A search algorithm at work on one game. It keeps its memory from move to move."""

    def __init__(
        self,
        game: Game,
        algorithm: str,
        options: Mapping[str, str] | None = None,
        *,
        network: Network | None = None,
    ) -> None:
        """Raise InvalidPlayerError if there is no such algorithm or option, or not with a network.

        ``network`` evaluates positions, instead of the search's own evaluation.
        """
        expect_game(game, "Search()")
        self._scoring = game.traits.scoring
        self._in_python: PythonGameSearch | None = None
        if is_in_python(game):
            if network is not None:
                raise InvalidPlayerError(f"there are no networks for {game}, which is in Python")
            self._in_python = PythonGameSearch(algorithm, options, scoring=self._scoring)
        else:
            self._search = CoreSearch(game, algorithm, dict(options or {}), network)

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

        ``report`` is called with every better answer, ``stop`` ends the search from another thread
        with its best answer so far, ``trace`` records the tree. Ctrl-C raises KeyboardInterrupt.
        """
        expect_position(position, "Search.run()")
        expect_limits(limits, "Search.run()")
        if self._in_python is not None:
            asked = cast(PythonPosition, position)
            return self._in_python.run(asked, limits, report=report, stop=stop, trace=trace)

        def public(found: SearchInfo) -> Info:
            return _public(found, self._scoring)

        reporter = None if report is None else lambda found: report(public(found))
        return public(self._search.run(position, limits, report=reporter, stop=stop, trace=trace))


class PythonGameSearch:
    """A search algorithm at work on a game written in Python: slower, same results."""

    def __init__(
        self,
        algorithm: str,
        options: Mapping[str, str] | None = None,
        *,
        scoring: Scoring = Scoring.margin,
    ) -> None:
        """Raise InvalidPlayerError if there is no such algorithm or option.

        ``scoring`` says how to read the game's outcomes; by default they are numbers that count.
        """
        self._search = PythonSearch(algorithm, dict(options or {}))
        self._scoring = scoring

    def run(
        self,
        position: PythonPosition,
        limits: Limits,
        *,
        report: Callable[[Info], object] | None = None,
        stop: StopToken | None = None,
        trace: Trace | None = None,
    ) -> Info:
        """Search like Search.run; an exception in the game ends the search and is raised again."""

        def own_moves(found: SearchInfo, line: list[Any]) -> Info:
            return replace(_public(found, self._scoring), move=line[0], line=line)

        reporter = None if report is None else lambda *found: report(own_moves(*found))
        return own_moves(
            *self._search.run(position, limits, report=reporter, stop=stop, trace=trace)
        )


@dataclass(frozen=True)
class RootMove:
    """A move of the searched position, and what the search says about it."""

    move: Move
    value: int
    """For the side that makes the move, in the search's units."""
    ends: bool
    """Whether the game is over after it."""


def root_moves(search: Search, position: Position, plies: int = 1) -> list[RootMove]:
    """Return what an exhaustive search says about every move, in the order of moves."""
    moves = position.moves
    trace = Trace(2 + len(moves) ** plies + len(moves))
    search.run(position, Limits(depth=plies), trace=trace)
    found = []
    for node in trace.nodes:
        if node.parent != 0 or node.move is None or node.value is None:
            continue
        # In a game written in Python, a search numbers the moves from 1.
        move = moves[(node.move.number or 0) - 1] if is_in_python(position) else node.move
        value = node.value if node.side is position.side else -node.value
        found.append(RootMove(move, value, node.end == "over"))
    return found


def _public(found: SearchInfo, scoring: Scoring) -> Info:
    score: Score
    if found.exact:
        score = Exact(found.value, found.distance)
    elif found.distance is not None:
        score = Estimate(found.value * inf, found.distance)
    else:
        # Play-outs estimate how often a side wins, whatever the scoring.
        score = Estimate(found.value, margin=scoring is Scoring.margin and not found.iterations)
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
