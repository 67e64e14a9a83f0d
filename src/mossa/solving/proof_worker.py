"""What the workers of a proof do: one job after the other, with a solver that they keep.

A job is a position, a question about its score and a number of nodes to spend. A worker that cannot
answer in time returns what it has proven, and a first look at each move, for the driver
(`mossa.solving.proof_jobs`) to go on with.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from time import monotonic

from mossa._core import Game, Position, Scoring
from mossa.cluster import ClusterError
from mossa.packages import version
from mossa.search import Bound, Exact, Limits, Search, StopToken, advantage
from mossa.solving.book import Book
from mossa.solving.proof_journal import Look
from mossa.solving.proof_tree import Question
from mossa.solving.solver import BookChoice, Solution, Solver

__all__ = ["Found", "Job", "Settings", "work"]

LOOK_SHARE = 4
"""A first look at all moves costs at most so small a part of the job that did not finish."""

ESTIMATE_NODES = 2000
"""Positions of the short search that tells which move to try first."""


@dataclass(frozen=True)
class Settings:
    """What workers are told with every job, so that any of them can do it."""

    version: str
    memory: int
    threads: int
    book: str | None
    job_nodes: int


@dataclass(frozen=True)
class Job:
    """A position to solve, as far as it matters, with so many nodes."""

    position: Position
    question: Question | None
    nodes: int
    settings: Settings


@dataclass(frozen=True)
class Found:
    """What came of a job."""

    low: Exact
    high: Exact
    nodes: int
    seconds: float
    estimate: float | None = None
    guess: int | None = None
    looks: list[Look] | None = None
    """A first look at every move, if the job was not finished."""


class _Kept(threading.local):
    """What a thread of a worker keeps from job to job."""

    key: tuple[str, Settings] | None = None
    solver: Solver
    search: Search


_kept = _Kept()


def opened_book(name: str | None) -> BookChoice:
    """Return the book that a text names: the shipped one, none, or a file."""
    if name is None:
        return None
    return "shipped" if name == "shipped" else Book.open(name)


def _parts(game: Game, settings: Settings) -> tuple[Solver, Search]:
    if _kept.key != (game.name, settings):
        _kept.key = None
        _kept.solver = Solver(
            game,
            memory=settings.memory,
            threads=settings.threads,
            book=opened_book(settings.book),
        )
        _kept.search = Search(game, "alphabeta", {"memory": "1"})
        _kept.key = game.name, settings
    return _kept.solver, _kept.search


def work(job: Job) -> Found:
    """Do a job; runs in a worker."""
    if job.settings.version != version():
        raise ClusterError(
            f"a worker has mossa {version()}, and this is mossa {job.settings.version}: install "
            "the same version everywhere"
        )
    solver, search = _parts(job.position.game, job.settings)
    begin, nodes = monotonic(), solver.nodes
    found = _solve(solver, job.position, job.nodes, job.question)
    low, high = _bounds(found)
    looks = None
    if _is_open(low, high, job.question):
        looks = _look(solver, search, job)
    return Found(
        low,
        high,
        solver.nodes - nodes,
        monotonic() - begin,
        estimate=None if looks is None else _estimate(search, job.position),
        guess=found.question,
        looks=looks,
    )


def _is_open(low: Exact, high: Exact, question: Question | None) -> bool:
    return low != high and (question is None or question.answer(low, high) is None)


def _solve(solver: Solver, position: Position, nodes: int, question: Question | None) -> Solution:
    """Solve a position until the question is answered or the nodes are spent."""
    stop = StopToken()

    def look(solution: Solution) -> None:
        score = solution.score
        if isinstance(score, Bound) and not _is_open(score.low, score.high, question):
            stop.stop()

    report = None if question is None else look
    return solver.solve(position, Limits(nodes=nodes), report=report, stop=stop)


def _bounds(solution: Solution) -> tuple[Exact, Exact]:
    score = solution.score
    return (score, score) if isinstance(score, Exact) else (score.low, score.high)


def _look(solver: Solver, search: Search, job: Job) -> list[Look]:
    """Spend a few nodes on every move: the table still knows much of them."""
    looks: list[Look] = []
    seen: set[int] = set()
    moves = job.position.moves
    nodes = max(1, job.nodes // (LOOK_SHARE * len(moves)))
    if job.position.game.traits.scoring is Scoring.margin:
        nodes = 1  # the solver's first nodes go into a guess of the margin, and prove nothing
    for move in moves:
        after = job.position.play(move)
        if after.outcome is not None or after.canonical_key in seen:
            continue
        seen.add(after.canonical_key)
        question = None if job.question is None else job.question.after(job.position, after)
        low, high = _bounds(_solve(solver, after, nodes, question))
        open_ = _is_open(low, high, question)
        looks.append(Look(str(move), low, high, _estimate(search, after) if open_ else 0.0))
    return looks


def _estimate(search: Search, position: Position) -> float:
    """Return what a short search thinks: the margin, or from -1 (lost) to 1 (won)."""
    score = search.run(position, Limits(nodes=ESTIMATE_NODES)).score
    scoring = position.game.traits.scoring
    if scoring is Scoring.margin:
        return float(score.value)
    return round(advantage(score, scoring), 3)
