"""Proofs that outlive a process: one position is solved in jobs, and every result is kept at once.

    proof = prove(mossa.game("mnk:7x7x5").start(), "7x7x5.journal", workers=2)
    print(proof.score)

The driver (`prove`) keeps the tree of the proof (`mossa.solving.proof_tree`) and the journal
(`mossa.solving.proof_journal`). It hands leaves of the tree to workers
(`mossa.solving.proof_worker`), processes of this machine or of a Dask cluster. A worker keeps its
solver, and the solver's table, from job to job, and hears of what others have found. A job has a
number of nodes to spend: more, the more jobs above it were not finished. One that does not finish
returns what it has proven, and a first look at each move.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from uuid import uuid4

from mossa._core import Game, Move, Position
from mossa.cluster import TRIES, ClusterError, is_lost_worker, workers
from mossa.errors import GameError, expect_position
from mossa.packages import version
from mossa.search import Bound, Exact, Limits, move_score
from mossa.solving.proof_journal import Entry, ProofJournal, head_of, read_entries
from mossa.solving.proof_tree import Node, Scale, Tree, scale_of
from mossa.solving.proof_worker import Found, Job, Settings, opened_book, work
from mossa.solving.solver import MEMORY, Solver, check_memory, machine_memory

__all__ = ["JOB_NODES", "Proof", "ProofProgress", "look_at", "prove"]

JOB_NODES = 300_000
"""Positions that the first job may visit; those below it may visit more."""

GROWTH = 2
"""How many times as many nodes a job gets for each job above it that was not finished."""

MOST_JOB_NODES = 1 << 36

MOST_NEWS = 8 << 20
"""Bytes of what other workers have found that go along with a job."""

_PATIENCE = 0.2  # seconds between looks at the clock


# ---------------------------------------------------------------- what is told


@dataclass(frozen=True)
class ProofProgress:
    """How far a proof is."""

    score: Exact | Bound
    """What is proven of the position."""
    question: Exact | None
    """The driver asks whether the score is at least this."""
    proof: float
    """An estimate of the jobs that a yes takes; no job less if they all succeed at once."""
    disproof: float
    """The same for a no."""
    done: int
    """Jobs finished, in all runs."""
    running: int
    open: int
    """Positions of the tree that are not settled and wait for a job."""
    nodes: int
    """Positions visited by the solvers, in all runs."""
    seconds: float
    """Time taken, in all runs."""
    rate: float
    """Nodes a second in this run."""
    lost: int
    """Workers that died in this run."""


class Proof:
    """What a journal proves of a position."""

    def __init__(self, tree: Tree, progress: ProofProgress, history: list[Entry]) -> None:
        """Made by prove() and look_at()."""
        self._tree = tree
        self.position = tree.root.position
        self.progress = progress
        self.history = history
        """The results, in the order in which they came."""

    def __repr__(self) -> str:
        """Return the score and what it cost."""
        return f"Proof({self.score}, jobs={self.progress.done}, nodes={self.progress.nodes})"

    @property
    def score(self) -> Exact | Bound:
        """The score for the side to move; a Bound while the proof is not finished."""
        return self.progress.score

    @property
    def nodes(self) -> int:
        """Positions visited, in all runs."""
        return self.progress.nodes

    @property
    def time(self) -> float:
        """Seconds taken, in all runs."""
        return self.progress.seconds

    @cached_property
    def moves(self) -> dict[Move, Exact | Bound]:
        """What the proof says of every move, for the side that makes it.

        Often that is no more than the score of the position needs.
        """
        found: dict[Move, Exact | Bound] = {}
        for move in self.position.moves:
            after = self.position.play(move)
            node = self._tree.find(after)
            if node is not None:
                found[move] = move_score(self._tree.score_of(node), self.position, after)
        return found

    @cached_property
    def bounds(self) -> list[tuple[Exact, Exact]]:
        """What was proven of the position after each result."""
        tree = Tree(self.position, self._tree.scale)
        found = []
        for entry in self.history:
            node = tree.find(self.position.after(entry.moves))
            assert node is not None, "the journal has been read before"
            take(tree, node, entry)
            found.append((tree.root.low, tree.root.high))
        return found

    def line(
        self, solver: Solver, *, most: int = 10_000, limits: Limits | None = None
    ) -> list[Move]:
        """Return best play for both sides; the solver goes on where the proof has no moves.

        If a limit comes first, the line is shorter.
        """
        moves: list[Move] = []
        position = self.position
        while isinstance(self.score, Exact) and position.outcome is None and len(moves) < most:
            move = self._best(position)
            if move is None:
                return moves + solver.line(position, most=most - len(moves), limits=limits)
            moves.append(move)
            position = position.play(move)
        return moves

    def _best(self, position: Position) -> Move | None:
        """Return a move that keeps the proven score; None if the proof knows of none."""
        node = self._tree.find(position)
        if node is None or not node.expanded:
            return None
        score, scored = self._tree.score_of(node), []
        for move in position.moves:
            after = position.play(move)
            below = self._tree.find(after)
            behind = None if below is None else self._tree.score_of(below)
            if isinstance(behind, Exact):
                scored.append((move_score(behind, position, after), move))
        best = max(scored, key=lambda each: each[0], default=None)
        if best is None or not isinstance(score, Exact) or best[0].value != score.value:
            return None
        return best[1]

    @property
    def leaves(self) -> list[Position]:
        """The positions that solvers have settled, the deepest first."""
        found: list[Position] = []
        waiting = [self._tree.root]
        seen: set[int] = set()
        while waiting:
            node = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if node.expanded:
                waiting += [edge.node for edge in node.edges]
            elif node.position.outcome is None and not node.open:
                found.append(node.position)
        return sorted(found, key=lambda position: -position.ply)


# ---------------------------------------------------------------- proving


def prove(
    position: Position,
    journal: str | Path,
    *,
    workers: int | None = None,
    threads: int = 1,
    cluster: str | None = None,
    memory: int = MEMORY,
    book: str | None = "shipped",
    job_nodes: int = JOB_NODES,
    time: float | None = None,
    report: Callable[[ProofProgress], object] | None = None,
) -> Proof:
    """Prove the score of a position, or go on with that: ``journal`` keeps every result at once.

    ``workers`` processes (one for each core unless said otherwise), or the workers of a Dask
    ``cluster``, each have a solver of ``memory`` megabytes and ``threads``. ``book`` is the shipped
    one, none, or a file. The first job may visit ``job_nodes`` positions. After ``time`` seconds
    it returns what is proven by then. ``report`` is told of every result, and now and then of the
    time. Ctrl-C raises KeyboardInterrupt and keeps all results. Raise GameError if the journal is
    of other work, damaged, or in use.
    """
    expect_position(position, "prove()", compiled=True)
    if workers is None and cluster is None:
        workers = 1 if threads > 1 else os.cpu_count() or 1
    settings = _checked(position, workers, threads, cluster, memory, book, job_nodes)
    scale = _scale(position.game)
    tree = Tree(position, scale)
    with ProofJournal(Path(journal), head_of(position)) as kept:
        driver = _Driver(tree, kept, settings, report)
        driver.replay()
        if time != 0 and tree.ask():
            driver.run(workers, cluster, None if time is None else monotonic() + time)
        return driver.proof()


def look_at(position: Position, journal: str | Path) -> Proof:
    """Return what a journal proves of a position, even while others work on it."""
    expect_position(position, "look_at()", compiled=True)
    tree = Tree(position, _scale(position.game))
    history = read_entries(Path(journal), head_of(position))
    replay(tree, history, str(journal))
    tree.ask()
    return Proof(tree, _progress(tree, history), history)


def _scale(game: Game) -> Scale:
    return scale_of(game, Solver(game, memory=1, book=None, tables=None).counts_plies)


def _checked(
    position: Position,
    workers: int | None,
    threads: int,
    cluster: str | None,
    memory: int,
    book: str | None,
    job_nodes: int,
) -> Settings:
    if position.outcome is not None:
        raise GameError("there is nothing to prove: the game is over")
    if workers is not None and not 1 <= workers <= 256:
        raise GameError(f"invalid workers '{workers}': 1 to 256")
    if not 1 <= threads <= 256:
        raise GameError(f"invalid threads '{threads}': 1 to 256")
    if not 1 <= job_nodes <= MOST_JOB_NODES:
        raise GameError(f"invalid nodes of a job '{job_nodes}': 1 to {MOST_JOB_NODES}")
    check_memory(memory)
    there, count = machine_memory(), workers or 1
    if cluster is None and there is not None and memory * count > there:
        raise GameError(
            f"invalid memory '{memory}': {count} workers would take {memory * count} MB, and this "
            f"machine has {there}"
        )
    if cluster is not None and book not in (None, "shipped"):
        raise GameError("a book of your own does not go to a cluster: the shipped one, or none")
    opened_book(book)
    share = cluster is not None or workers != 1
    return Settings(version(), memory, threads, book, job_nodes, share)


def replay(tree: Tree, entries: list[Entry], where: str) -> None:
    """Take the results of a journal; raise GameError for one that does not belong to the proof."""
    for number, entry in enumerate(entries, 1):
        try:
            node = tree.find(tree.root.position.after(entry.moves))
            if node is None:
                raise GameError(f"no line before leads to {entry.moves!r}")
            take(tree, node, entry)
        except GameError as error:
            raise GameError(f"{where!r}, result {number}: {error}") from None


def take(tree: Tree, node: Node, entry: Entry) -> None:
    """Enter a result into the tree."""
    if entry.estimate is not None:
        node.estimate = entry.estimate
    if entry.guess is not None and node is tree.root:
        tree.guess = entry.guess
    tree.learn(node, entry.low, entry.high)
    if entry.looks is None or node.expanded:
        return
    tree.expand(node)
    edges = {str(edge.move): edge.node for edge in node.edges}
    for look in entry.looks:
        child = edges.get(look.move)
        if child is None:
            raise GameError(f"no such move after {entry.moves or 'no moves'}: {look.move!r}")
        if child.position.outcome is None:
            child.estimate = look.estimate
            tree.learn(child, look.low, look.high)


def _progress(tree: Tree, history: list[Entry], **more: float) -> ProofProgress:
    running = int(more.get("running", 0))
    return ProofProgress(
        score=tree.score,
        question=tree.asked,
        proof=tree.root.proof,
        disproof=tree.root.disproof,
        done=len(history),
        running=running,
        open=0 if tree.asked is None else max(0, tree.open - running),
        nodes=sum(entry.nodes for entry in history),
        seconds=more.get("seconds", history[-1].at if history else 0.0),
        rate=more.get("rate", 0.0),
        lost=int(more.get("lost", 0)),
    )


@dataclass
class _Running:
    node: Node
    job: Job
    tries: int = 1


class _News:
    """What workers have found, until all of them know it.

    Nobody can tell which worker will do a job, so each job takes along whatever one of them lacks.
    Those that were not heard of for long have died; the oldest news are dropped if they become too
    many.
    """

    def __init__(self) -> None:
        self._items: deque[tuple[int, bytes]] = deque()
        self._bytes = self._count = 0
        self._heard: dict[str, int] = {}  # by worker, the one heard of last at the end
        self.run = uuid4().hex

    def take(self, found: Found, workers: int) -> None:
        """Keep what came with a result; so many workers are at work."""
        self._heard.pop(found.worker, None)
        self._heard[found.worker] = found.heard
        while len(self._heard) > workers:
            del self._heard[next(iter(self._heard))]
        if workers > 1 and found.findings:
            self._count += 1
            self._items.append((self._count, found.findings))
            self._bytes += len(found.findings)
        known = min(self._heard.values()) if len(self._heard) == workers else 0
        while self._items and (self._items[0][0] <= known or self._bytes > MOST_NEWS):
            self._bytes -= len(self._items.popleft()[1])

    def all(self) -> tuple[tuple[int, bytes], ...]:
        return tuple(self._items)


class _Driver:
    """Hands out jobs, and keeps what comes of them."""

    def __init__(
        self,
        tree: Tree,
        journal: ProofJournal,
        settings: Settings,
        report: Callable[[ProofProgress], object] | None,
    ) -> None:
        self._tree, self._journal, self._settings = tree, journal, settings
        self._report = report
        self._history: list[Entry] = []
        self._running: dict[Future[Found], _Running] = {}
        self._done: SimpleQueue[Future[Found]] = SimpleQueue()
        self._begin = monotonic()
        self._before = 0.0  # seconds of the runs before
        self._nodes = 0  # of this run
        self._lost = 0
        self._news = _News()
        self._slots = 1

    def replay(self) -> None:
        """Take what the journal has."""
        self._history = list(self._journal.entries)
        replay(self._tree, self._history, str(self._journal.path))
        self._before = self._history[-1].at if self._history else 0.0
        self._begin = monotonic()

    def run(self, count: int | None, cluster: str | None, deadline: float | None) -> None:
        """Work until the score is proven or the time is up."""
        with workers(cluster=cluster, count=count) as (executor, slots):
            try:
                while self._tree.ask():
                    if deadline is not None and monotonic() >= deadline:
                        return
                    self._hand_out(executor, slots)
                    self._fetch()
            finally:
                for future in self._running:
                    future.cancel()
                self._running.clear()
        self._tell()

    def proof(self) -> Proof:
        """Return what is proven."""
        return Proof(self._tree, self._progress(), self._history)

    def _hand_out(self, executor: Executor, slots: int) -> None:
        while len(self._running) < slots and (node := self._tree.choose()) is not None:
            node.running = True
            self._submit(executor, _Running(node, self._job(node)))
        self._executor, self._slots = executor, slots
        assert self._running, "a question that is open has work left"

    def _job(self, node: Node) -> Job:
        nodes = min(self._settings.job_nodes * GROWTH**node.level, MOST_JOB_NODES)
        # The first job is free to find out what to ask.
        first = node is self._tree.root
        question = None if first else self._tree.question_of(node)
        news = self._news.all()
        return Job(node.position, question, nodes, self._settings, news, self._news.run)

    def _submit(self, executor: Executor, running: _Running) -> None:
        future = executor.submit(work, running.job)
        self._running[future] = running
        future.add_done_callback(self._done.put)

    def _fetch(self) -> None:
        """Wait a moment for results, and keep those that have come."""
        try:
            self._keep(self._done.get(timeout=_PATIENCE))
            while True:
                self._keep(self._done.get_nowait())
        except Empty:
            self._journal.sync()
            self._tell()

    def _keep(self, future: Future[Found]) -> None:
        running = self._running.pop(future)
        found = self._result(future, running)
        if found is None:
            self._lost += 1
            running.tries += 1
            self._submit(self._executor, running)
            return
        node, tree = running.node, self._tree
        self._nodes += found.nodes
        self._news.take(found, self._slots)
        start = len(tree.root.position.history)
        entry = Entry(
            moves=" ".join(map(str, node.position.history[start:])),
            low=found.low,
            high=found.high,
            nodes=found.nodes,
            seconds=found.seconds,
            at=self._seconds(),
            asked=tree.asked,
            proof=tree.root.proof,
            disproof=tree.root.disproof,
            estimate=found.estimate,
            guess=found.guess if node is tree.root else None,
            looks=found.looks,
        )
        self._journal.write(entry)
        self._history.append(entry)
        node.running = False
        first = node is tree.root and not node.expanded
        take(tree, node, entry)
        if first:
            tree.asked = None  # the first job has found out what to ask

    def _result(self, future: Future[Found], running: _Running) -> Found | None:
        """Return what came of a job; None if its worker died and another may try."""
        try:
            return future.result()
        except CancelledError:
            raise ClusterError("the cluster has gone; what is proven is kept: go on") from None
        except Exception as error:
            if not is_lost_worker(error):
                raise
            why = str(error)
        if running.tries >= TRIES:
            where = running.job.position.history_text or "no moves"
            raise GameError(
                f"{TRIES} workers died of the position after {where} ({why}): is there too little "
                "memory? What is proven is kept"
            )
        return None

    def _seconds(self) -> float:
        return self._before + monotonic() - self._begin

    def _progress(self) -> ProofProgress:
        return _progress(
            self._tree,
            self._history,
            running=len(self._running),
            seconds=self._seconds(),
            rate=self._nodes / max(monotonic() - self._begin, 1e-9),
            lost=self._lost,
        )

    def _tell(self) -> None:
        if self._report is not None:
            self._report(self._progress())
