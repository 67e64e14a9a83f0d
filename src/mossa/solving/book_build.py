"""Making and checking opening books.

The positions with the most stones are solved, in an order in which one helps with the next; the
scores of those with fewer stones follow from theirs. What is solved goes into a journal next to
the book at once, so that work that was stopped or killed is gone on with. The book itself appears
when it is whole.
"""

import random
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path

from mossa._core import CoreBookBuilder, CoreSolver, Game, Position, book_numbers, make_solver
from mossa.cluster import as_done, workers
from mossa.errors import GameError, expect_game
from mossa.quantities import counted
from mossa.search import Exact, StopToken
from mossa.solving.book import Book, BookError, book_bytes
from mossa.solving.journal import Journal, make_whole
from mossa.solving.solver import MEMORY, Solver, check_memory, machine_memory

__all__ = ["build_book", "check_book"]

STRETCH = 16
"""Pieces that a worker in another process solves at a time."""

PIECE = 4
"""Positions that are solved and written at a time: what a kill can cost a thread."""


def build_book(
    game: Game,
    plies: int,
    path: str | Path,
    *,
    threads: int = 1,
    memory: int = MEMORY,
    count: int | None = None,
    cluster: str | None = None,
    report: Callable[[int, int], object] | None = None,
) -> Book:
    """Make the book of all positions with at most ``plies`` stones, or go on with it.

    Each of ``threads`` has a table of its own; ``memory`` (megabytes) is for all of them. With
    ``count`` so many processes solve the positions instead, with ``cluster`` the workers of a Dask
    cluster, and so much memory is for each of them.
    ``report`` is told how many positions are solved, and of how many. Ctrl-C keeps what is solved.
    Raise GameError if there can be no such book, if this machine has too little memory for it, or
    if it is being made already.
    """
    expect_game(game, "build_book()", compiled=True)
    path = Path(path)
    _check_room(game, plies)
    check_memory(memory)
    if threads < 1 or threads > 256:
        raise GameError(f"invalid threads '{threads}': 1 to 256")
    if count is not None and not 1 <= count <= 256:
        raise GameError(f"invalid workers '{count}': 1 to 256")

    def work(journal: Journal) -> bytes:
        builder = CoreBookBuilder(game, plies)
        for first, scores in _pieces(journal):
            builder.enter(first, scores)
        solving = _Solving(builder, journal)
        if cluster is None and count is None:
            solvers = [_solver(game, max(1, memory // threads)) for _ in range(threads)]
            solving.run(solvers, report)
        else:
            solve = partial(_solve_pieces, game, plies, memory)
            solving.run_elsewhere(cluster, count, solve, report)
        return book_bytes(game, builder.finish())

    make_whole(path, f"mossa book journal 1: {game}, {plies} plies, {PIECE} scores a line", work)
    return Book.open(path)


def _solver(game: Game, memory: int) -> CoreSolver:
    solver = make_solver(game, memory << 20, 1, None, [], None)
    assert solver is not None, "every game that has books has a solver"
    return solver


def _solve_pieces(game: Game, plies: int, memory: int, firsts: list[int]) -> list[list[int]]:
    """Solve pieces of a book by their first positions; runs in a worker."""
    builder, solver = _worker_parts(game, plies, memory)
    stop = StopToken()
    return [
        builder.solve(solver, first, min(PIECE, len(builder) - first), stop) for first in firsts
    ]


@lru_cache(maxsize=1)
def _worker_parts(game: Game, plies: int, memory: int) -> tuple[CoreBookBuilder, CoreSolver]:
    """A worker keeps the list of positions, and its table, from one stretch to the next."""
    return CoreBookBuilder(game, plies), _solver(game, memory)


def _check_room(game: Game, plies: int) -> None:
    """Raise GameError for a book that cannot be made here."""
    numbers = book_numbers(game, plies)
    what = f"a book of {counted(plies, 'ply', 'plies')} of {game}"
    if numbers > 1 << 32:
        raise BookError(f"{what} has too many positions: choose fewer plies")
    # A byte for each position, and the moves that lead to those with the most stones.
    needed, there = numbers * (plies + 1) // 2 >> 20, machine_memory()
    if there is not None and needed > there:
        raise BookError(
            f"{what} has up to {numbers // 2:,} positions, and making it may take {needed:,} MB: "
            f"this machine has {there:,}"
        )


class _Solving:
    """The work of several threads on one book."""

    def __init__(self, builder: CoreBookBuilder, journal: Journal) -> None:
        self._builder = builder
        self._journal = journal
        self._lock = threading.Lock()
        self._stop = StopToken()
        self._shares: list[list[int]] = []
        pieces = _pieces(journal)
        known = {first for first, _ in pieces}
        self._left = [first for first in range(0, len(builder), PIECE) if first not in known]
        self._done = sum(len(scores) for _, scores in pieces)

    def run(self, solvers: list[CoreSolver], report: Callable[[int, int], object] | None) -> None:
        """Solve all that is left; an error or Ctrl-C ends all threads."""
        # Each thread has a stretch of its own, where its table helps; the last pieces come first.
        count = len(solvers)
        ends = [len(self._left) * i // count for i in range(count + 1)]
        self._shares = [self._left[begin:end][::-1] for begin, end in pairwise(ends)]
        with ThreadPoolExecutor(count) as pool:
            try:
                left = {pool.submit(self._work, *each) for each in enumerate(solvers)}
                while left:
                    done, left = wait(left, timeout=0.2, return_when=FIRST_EXCEPTION)
                    for each in done:
                        each.result()
                    if report is not None:
                        report(self._done, len(self._builder))
            finally:
                self._stop.stop()

    def run_elsewhere(
        self,
        cluster: str | None,
        count: int | None,
        solve: Callable[[list[int]], list[list[int]]],
        report: Callable[[int, int], object] | None,
    ) -> None:
        """Solve all that is left in other processes, stretches of pieces at a time."""
        if report is not None:
            report(self._done, len(self._builder))
        stretches = [self._left[at : at + STRETCH] for at in range(0, len(self._left), STRETCH)]
        with workers(cluster=cluster, count=count) as (executor, slots):
            for stretch, solved in as_done(executor, slots, solve, stretches):
                for first, scores in zip(stretch, solved, strict=True):
                    self._enter(first, scores)
                if report is not None:
                    report(self._done, len(self._builder))

    def _enter(self, first: int, scores: list[int]) -> None:
        self._journal.write(" ".join(map(str, (first, *scores))))
        self._builder.enter(first, scores)
        self._done += len(scores)

    def _work(self, thread: int, solver: CoreSolver) -> None:
        while (first := self._next(thread)) is not None:
            count = min(PIECE, len(self._builder) - first)
            scores = self._builder.solve(solver, first, count, self._stop)
            if len(scores) < count:
                return
            with self._lock:
                self._enter(first, scores)

    def _next(self, thread: int) -> int | None:
        """Return a piece of a thread's share; if that is done, it takes half of the longest."""
        with self._lock:
            mine = self._shares[thread]
            if not mine:
                longest = max(self._shares, key=len)
                half = (len(longest) + 1) // 2
                mine[:], longest[:half] = longest[:half], []
            return mine.pop() if mine else None


def _pieces(journal: Journal) -> list[tuple[int, list[int]]]:
    """Return the pieces of a journal: the first position of each, and its scores."""
    numbers = [list(map(int, text.split())) for text in journal.known]
    return [(first, scores) for first, *scores in numbers]


def check_book(
    book: Book,
    count: int,
    *,
    memory: int = MEMORY,
    seed: int | None = None,
    report: Callable[[int, int], object] | None = None,
) -> None:
    """Compare a book with the rules and the solver along random games.

    Every score must follow from those of the moves; the last position of each game is solved. Raise
    BookError for a score that is wrong.
    """
    chosen = random.Random(seed)
    with_book, without = (Solver(book.game, memory=memory, book=each) for each in (book, None))
    for number in range(count):
        position = book.game.start()
        while position.ply < book.plies:
            scores = [score for _, score in with_book.moves(position) if isinstance(score, Exact)]
            _compare(book, position, max(scores))
            after = [position.play(move) for move in position.moves]
            going_on = [each for each in after if each.outcome is None]
            if not going_on:
                break
            position = chosen.choice(going_on)
        _compare(book, position, without.solve(position).proven)
        if report is not None:
            report(number + 1, count)


def _compare(book: Book, position: Position, score: Exact) -> None:
    found = book.get(position)
    if found != score:
        after = position.history_text or "no moves"
        raise BookError(f"wrong score after {after}: {found} in the book, {score} by the solver")
