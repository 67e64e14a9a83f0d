"""What the workers of a proof do: one job after the other, with a solver that they keep.

A job is a position, a question about its score and a number of nodes to spend. A worker that cannot
answer in time returns what it has proven, and a first look at each move, for the driver
(`mossa.solving.proof_jobs`) to go on with.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from time import monotonic
from uuid import uuid4

from mossa._core import Game, Position, Scoring
from mossa.cluster import ClusterError
from mossa.packages import version
from mossa.search import Exact, Limits, Search, advantage
from mossa.solving.book import Book
from mossa.solving.proof_journal import Look
from mossa.solving.proof_tree import Question
from mossa.solving.solver import BookChoice, Solution, Solver

__all__ = ["Found", "Job", "Settings", "work"]

LOOK_SHARE = 32
"""A first look at all moves costs at most so small a part of the job that did not finish."""

ESTIMATE_NODES = 2000
"""Positions of the short search that tells which move to try first."""

FINDINGS_FROM = 200
"""Workers tell each other of results that took at least so many nodes."""


@dataclass(frozen=True)
class Settings:
    """What workers are told with every job, so that any of them can do it."""

    version: str
    memory: int
    threads: int
    book: str | None
    job_nodes: int
    share: bool = False
    """There are other workers to tell of what was found."""


@dataclass(frozen=True)
class Job:
    """A position to solve, as far as it matters, with so many nodes."""

    position: Position
    question: Question | None
    nodes: int
    settings: Settings
    news: tuple[tuple[int, bytes], ...] = ()
    """What other workers have found, each with its number."""
    run: str = ""
    """The run that numbers them: a worker of a cluster may outlive it."""


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
    findings: bytes = b""
    """What other workers should know."""
    worker: str = ""
    """Who did it; it knows all news up to ``heard``."""
    heard: int = 0


class _Kept(threading.local):
    """What a thread of a worker keeps from job to job."""

    key: tuple[str, Settings] | None = None
    name: str
    run: str
    heard: int = 0
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
            findings_from=FINDINGS_FROM if settings.share else None,
        )
        _kept.name, _kept.run = uuid4().hex, ""
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
    if _kept.run != job.run:
        _kept.run, _kept.heard = job.run, 0
    for number, findings in job.news:
        if number > _kept.heard:
            solver.learn(findings)
            _kept.heard = number
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
        findings=solver.findings(),
        worker=_kept.name,
        heard=_kept.heard,
    )


def _is_open(low: Exact, high: Exact, question: Question | None) -> bool:
    return low != high and (question is None or question.answer(low, high) is None)


def _solve(solver: Solver, position: Position, nodes: int, question: Question | None) -> Solution:
    """Answer a question about a position, or solve it if there is none, with so many nodes."""
    asked = None if question is None else question.for_mover()
    return solver.solve(position, Limits(nodes=nodes), at_least=asked)


def _bounds(solution: Solution) -> tuple[Exact, Exact]:
    score = solution.score
    return (score, score) if isinstance(score, Exact) else (score.low, score.high)


def _look(solver: Solver, search: Search, job: Job) -> list[Look]:
    """Spend a few nodes on every move: the table still knows much of them."""
    looks: list[Look] = []
    seen: set[int] = set()
    moves = job.position.moves
    nodes = max(1, job.nodes // (LOOK_SHARE * len(moves)))
    if job.question is None and job.position.game.traits.scoring is Scoring.margin:
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
