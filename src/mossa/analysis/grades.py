"""Review of a game: a grade for every move.

``review`` analyses the positions of a finished or unfinished game and grades the moves played by
what they lose compared with the best one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf, isinf
from statistics import mean
from time import perf_counter
from typing import TYPE_CHECKING, Any

from mossa._core import Move, Scoring, Side, StopToken
from mossa.analysis.analyst import Analysis, Analyst, limits_of, searching_player
from mossa.analysis.scores import score_data, texts
from mossa.notebook import data_frame
from mossa.players import PlayerLike
from mossa.players.engine import STRONGEST
from mossa.quantities import counted
from mossa.records import Record, expect_record
from mossa.search import Estimate, Score, is_margin, score_columns

if TYPE_CHECKING:
    from mossa.notebook import DataFrame


class Grade(StrEnum):
    """How good a move was."""

    best = "best"
    good = "good"
    inaccuracy = "inaccuracy"
    mistake = "mistake"
    blunder = "blunder"


# The most a move may lose for each grade from good to mistake; beyond that it is a blunder.
MARGINS = (2, 5, 10)
"""Games scored by margin: how much of it the move costs."""
SHARES = (0.25, 0.5, 1.0)
"""Estimates: the loss as a share of what usually lies between the best and the worst move. They are
opinions that swing with the depth, so it takes much for them to call a move a blunder."""
PLIES = 2
"""Other games: a win this much later, or a loss this much sooner, is still good."""

MARKS = {Grade.inaccuracy: "?!", Grade.mistake: "?", Grade.blunder: "??"}
ONLY_MOVE = "!"


@dataclass(frozen=True)
class MoveReview:
    """A move of a game, compared with the best one."""

    ply: int
    """Counted from 0."""
    side: Side
    move: Move
    score: Score
    """For the side that made the move, as is the next field."""
    best: Move
    best_score: Score
    line: list[Move]
    """How the game would have continued with the best move."""
    loss: float | None
    """Best score less score: of the margin, points of the evaluation, or 1 for each step from a win
    over a draw to a loss; None if the two are not on one scale."""
    grade: Grade
    mark: str
    """``!`` if every other move was at least a mistake, ``?!``, ``?`` or ``??`` by the grade."""
    forced: bool
    """Whether there was no other move."""
    depth: int
    grades: dict[Move, Grade] = field(repr=False)
    """The grade every analysed move would have got, best first."""

    def to_dict(self) -> dict[str, Any]:
        """Return the review as plain data for JSON."""
        return {
            "ply": self.ply,
            "side": self.side.name,
            "move": str(self.move),
            "score": score_data(self.score),
            "best": str(self.best),
            "best_score": score_data(self.best_score),
            "line": texts(self.line),
            "loss": self.loss,
            "grade": self.grade.value,
            "mark": self.mark,
            "forced": self.forced,
            "depth": self.depth,
        }


@dataclass(frozen=True)
class UngradedMove:
    """A move without a grade, and why."""

    ply: int
    """Counted from 0."""
    side: Side
    move: Move
    reason: str
    """``opening``: no player chose it. ``time``: the limits left no time."""

    def to_dict(self) -> dict[str, Any]:
        """Return the move as plain data for JSON."""
        return {
            "ply": self.ply,
            "side": self.side.name,
            "move": str(self.move),
            "grade": None,
            "mark": "",
            "reason": self.reason,
        }


@dataclass(frozen=True)
class SideReview:
    """One side's moves in figures."""

    counts: dict[Grade, int]
    accuracy: float | None
    """The share of best moves where there was a choice; None if there never was."""

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain data for JSON."""
        return {
            "accuracy": None if self.accuracy is None else round(self.accuracy, 4),
            "counts": {grade.value: number for grade, number in self.counts.items()},
        }


@dataclass(frozen=True)
class Review:
    """The graded moves of a game."""

    record: Record
    moves: tuple[MoveReview, ...]
    ungraded: tuple[UngradedMove, ...] = ()
    """Opening moves, and moves there was no time for."""

    @classmethod
    def of(cls, record: Record, analyses: Iterable[Analysis | None]) -> Review:
        """Grade the first moves of a game from their analyses; None for a move without one."""
        done = list(analyses)
        spread = _spread([one for one in done if one is not None])
        graded, ungraded = [], []
        played = zip(done, record.moves, record.positions(), strict=False)
        for ply, (one, move, position) in enumerate(played):
            if one is not None and move in one.moves:
                graded.append(_graded(ply, one, move, spread))
            else:
                reason = "opening" if ply < record.opening_length else "time"
                ungraded.append(UngradedMove(ply, position.side, move, reason))
        return cls(record, tuple(graded), tuple(ungraded))

    def __repr__(self) -> str:
        """Return one line: the game, and how well either side played."""
        shares = (
            f"{side.name} {'-' if one.accuracy is None else f'{one.accuracy:.0%}'}"
            for side, one in self.sides.items()
        )
        graded = f"{counted(len(self.moves), 'move')} graded, best moves {', '.join(shares)}"
        return f"<Review of {self.record.summary}: {graded}>"

    @property
    def rows(self) -> list[MoveReview | UngradedMove]:
        """All moves the review has covered, in the order of the game."""
        return sorted([*self.moves, *self.ungraded], key=lambda move: move.ply)

    @property
    def complete(self) -> bool:
        """Whether every move by the players has a grade."""
        return len(self.moves) + self.record.opening_length == len(self.record.moves)

    @property
    def sides(self) -> dict[Side, SideReview]:
        """Either side's moves in figures."""
        return {side: _side_review([m for m in self.moves if m.side is side]) for side in Side}

    def to_pandas(self) -> DataFrame:
        """Return a data frame with a row for every move of the game; needs pandas.

        A move without a grade has gaps in its row.
        """
        return data_frame(map(_columns, self.rows))

    def to_dict(self) -> dict[str, Any]:
        """Return the review as plain data for JSON."""
        return {
            "game": self.record.game.name,
            "start": self.record.start,
            "first": self.record.first,
            "second": self.record.second,
            "result": self.record.result,
            "opening": self.record.opening_length,
            "moves": texts(self.record.moves),
            "complete": self.complete,
            "review": [move.to_dict() for move in self.rows],
            "sides": {side.name: numbers.to_dict() for side, numbers in self.sides.items()},
        }


def review(
    record: Record,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    player: PlayerLike = STRONGEST,
    total_time: float | None = None,
    report: Callable[[Analysis | None], object] | None = None,
    stop: StopToken | None = None,
) -> Review:
    """Analyse the positions of a game and grade its moves; the limits hold for each move.

    Opening moves, which no player chose, get no grade; nor do moves that the limits leave no time
    for, or that come after ``total_time`` seconds. ``stop`` ends the review from another thread
    with the moves graded so far.

    ``report`` is called with every analysis, or None for a move without one, so that a caller can
    show progress, or keep finished work if interrupted: ``Review.of(record, analyses)``.

    >>> import mossa
    >>> record = mossa.Record(mossa.game("tictactoe"), ("b2", "b1", "a1"))
    >>> graded = mossa.review(record, depth=9)
    >>> [f"{move.move}{move.mark} {move.grade}" for move in graded.moves]
    ['b2 best', 'b1?? blunder', 'a1 best']
    """
    expect_record(record, "review()")
    limits = limits_of(player, time, depth, nodes)
    end = perf_counter() + (inf if total_time is None else total_time)
    analyses: list[Analysis | None] = []
    for position, move in zip(record.positions(), record.moves, strict=False):
        last = None
        if len(analyses) >= record.opening_length and perf_counter() < end:
            # A new player for each: what it learnt in one position must not change the next scores.
            analyst = Analyst(position, searching_player(player), limits, urgent=move, stop=stop)
            last = next(iter(deque(analyst.run(), maxlen=1)), None)
        if stop is not None and stop.stopped:
            break  # an analysis cut short cannot justify a grade
        analyses.append(last)
        if report is not None:
            report(last)
    return Review.of(record, analyses)


def _columns(move: MoveReview | UngradedMove) -> dict[str, Any]:
    """Return a move as a row of a data frame."""
    row: dict[str, Any] = {"ply": move.ply, "side": move.side.name, "move": str(move.move)}
    if isinstance(move, UngradedMove):
        return {**row, "grade": None, "mark": "", "reason": move.reason}
    return {
        **row,
        "grade": move.grade.value,
        "mark": move.mark,
        **score_columns(move.score),
        "best": str(move.best),
        "best_score": str(move.best_score),
        "loss": move.loss,
        "forced": move.forced,
        "depth": move.depth,
        "line": " ".join(texts(move.line)),
        "reason": None,
    }


def _spread(analyses: list[Analysis]) -> float:
    """Return the average gap between a position's best and worst estimate."""
    spreads = []
    for analysis in analyses:
        scores = [one.score for one in analysis.moves.values()]
        values = [s.value for s in scores if isinstance(s, Estimate) and not isinf(s.value)]
        if len(values) > 1:
            spreads.append(max(values) - min(values))
    return mean(spreads) if spreads else 0.0


def _graded(ply: int, analysis: Analysis, move: Move, spread: float) -> MoveReview:
    best = analysis.score
    score = analysis.moves[move].score
    grades = {each: _grade(analysis, found.score, spread) for each, found in analysis.moves.items()}
    grade = grades[move]
    others = [found for other, found in grades.items() if other != move]
    only = grade is Grade.best and bool(others)
    only = only and all(other in (Grade.mistake, Grade.blunder) for other in others)
    return MoveReview(
        ply=ply,
        side=analysis.position.side,
        move=move,
        score=score,
        best=analysis.move,
        best_score=best,
        line=analysis.line,
        loss=_loss(analysis, score),
        grade=grade,
        mark=ONLY_MOVE if only else MARKS.get(grade, ""),
        forced=len(analysis.position.moves) == 1,
        depth=analysis.moves[move].depth,
        grades=grades,
    )


def _grade(analysis: Analysis, score: Score, spread: float) -> Grade:
    """Return the grade for a move with this score."""
    best = analysis.score
    if score.rank == best.rank:
        return Grade.best
    scoring = analysis.position.game.traits.scoring
    could, got = best.standing, score.standing
    if could is not None and got is not None:
        if could != got:
            return Grade.blunder
        if scoring is Scoring.margin:
            # The same side still wins, so this is not a blunder, whatever it costs.
            return min(_by_loss(best.value - score.value, MARGINS), Grade.mistake, key=_severity)
        plies = abs((best.distance or 0) - (score.distance or 0))
        return Grade.good if plies <= PLIES else Grade.inaccuracy
    if is_margin(best, scoring) and is_margin(score, scoring):
        return _by_loss(best.value - score.value, MARGINS)
    if got == -1:
        return Grade.blunder
    if could == 1:
        # A sure win given up for something unclear, which may still win.
        return Grade.mistake
    # Estimates, or one of them a proven draw, which is worth 0.
    return _by_loss((best.value - score.value) / spread if spread else inf, SHARES)


def _loss(analysis: Analysis, score: Score) -> float | None:
    """Return the best score minus this one; None if they are not on one scale."""
    best, scoring = analysis.score, analysis.position.game.traits.scoring
    margins = is_margin(best, scoring), is_margin(score, scoring)
    alike = all(margins) or (type(best) is type(score) and not any(margins))
    return best.value - score.value if alike and not isinf(best.value - score.value) else None


def _by_loss(loss: float, most: tuple[float, float, float]) -> Grade:
    for grade, allowed in zip((Grade.good, Grade.inaccuracy, Grade.mistake), most, strict=True):
        if loss <= allowed:
            return grade
    return Grade.blunder


def _severity(grade: Grade) -> int:
    return list(Grade).index(grade)


def _side_review(moves: list[MoveReview]) -> SideReview:
    counts = Counter(move.grade for move in moves)
    free = [move for move in moves if not move.forced]
    best = sum(move.grade is Grade.best for move in free)
    return SideReview({grade: counts[grade] for grade in Grade}, best / len(free) if free else None)
