"""Making and checking opening books.

The positions with the most stones are solved, in an order in which one helps with the next; the
scores of those with fewer stones follow from theirs. What is solved goes into a journal next to
the book at once, so that work that was stopped or killed is gone on with. The book itself appears
when it is whole.
"""

import os
import random
import sys
import threading
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Self

from mossa._core import CoreBookBuilder, CoreSolver, Game, Position, book_numbers, make_solver
from mossa.book import Book, BookError, book_bytes
from mossa.cluster import in_order, workers
from mossa.errors import GameError, shorten
from mossa.search import Exact, StopToken
from mossa.solver import MEMORY, Solver, check_memory, machine_memory

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["build_book", "check_book", "journal_of"]

STRETCH = 16
"""Pieces that a worker of a cluster solves at a time."""

PIECE = 4
"""Positions that are solved and written at a time: what a kill can cost a thread."""


def build_book(
    game: Game,
    plies: int,
    path: str | Path,
    *,
    threads: int = 1,
    memory: int = MEMORY,
    cluster: str | None = None,
    report: Callable[[int, int], object] | None = None,
) -> Book:
    """Make the book of all positions with at most ``plies`` stones, or go on with it.

    Each of ``threads`` has a table of its own; ``memory`` (megabytes) is for all of them. With
    ``cluster`` the positions are solved on a Dask cluster, with so much memory for each worker.
    ``report`` is told how many positions are solved, and of how many. Ctrl-C keeps what is solved.
    Raise GameError if there can be no such book, if this machine has too little memory for it, or
    if it is being made already.
    """
    path = Path(path)
    _check_room(game, plies)
    check_memory(memory)
    if threads < 1 or threads > 256:
        raise GameError(f"invalid threads '{threads}': 1 to 256")
    if path.exists():
        raise BookError(f"{str(path)!r} is there already: remove it, or choose another name")
    with _Journal(journal_of(path), game, plies) as journal:
        builder = CoreBookBuilder(game, plies)
        for first, scores in journal.known:
            builder.enter(first, scores)
        solving = _Solving(builder, journal)
        if cluster is None:
            solvers = [_solver(game, max(1, memory // threads)) for _ in range(threads)]
            solving.run(solvers, report)
        else:
            solving.run_on_cluster(cluster, partial(_solve_pieces, game, plies, memory), report)
        _write_whole(path, book_bytes(game, builder.finish()))
        journal.finished = True
    return Book.open(path)


def _solver(game: Game, memory: int) -> CoreSolver:
    solver = make_solver(game, memory << 20, 1, None, [])
    assert solver is not None, "every game that has books has a solver"
    return solver


def _solve_pieces(game: Game, plies: int, memory: int, firsts: list[int]) -> list[list[int]]:
    """Solve pieces of a book by their first positions; runs in a worker of a cluster."""
    builder, solver = _worker_parts(game, plies, memory)
    stop = StopToken()
    return [
        builder.solve(solver, first, min(PIECE, len(builder) - first), stop) for first in firsts
    ]


@lru_cache(maxsize=1)
def _worker_parts(game: Game, plies: int, memory: int) -> tuple[CoreBookBuilder, CoreSolver]:
    """A worker keeps the list of positions, and its table, from one stretch to the next."""
    return CoreBookBuilder(game, plies), _solver(game, memory)


def journal_of(path: str | Path) -> Path:
    """Return the file that keeps the work on a book until it is whole."""
    return Path(f"{path}.journal")


def _check_room(game: Game, plies: int) -> None:
    """Raise GameError for a book that cannot be made here."""
    numbers = book_numbers(game, plies)
    what = f"a book of {plies} plies of {game}"
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

    def __init__(self, builder: CoreBookBuilder, journal: "_Journal") -> None:
        self._builder = builder
        self._journal = journal
        self._lock = threading.Lock()
        self._stop = StopToken()
        self._shares: list[list[int]] = []
        known = {first for first, _ in journal.known}
        self._left = [first for first in range(0, len(builder), PIECE) if first not in known]
        self._done = sum(len(scores) for _, scores in journal.known)

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

    def run_on_cluster(
        self,
        cluster: str,
        solve: Callable[[list[int]], list[list[int]]],
        report: Callable[[int, int], object] | None,
    ) -> None:
        """Solve all that is left on a Dask cluster, stretches of pieces at a time."""
        stretches = [self._left[at : at + STRETCH] for at in range(0, len(self._left), STRETCH)]
        with workers(cluster=cluster) as (executor, slots):
            found = in_order(executor, slots, solve, stretches)
            for stretch, solved in zip(stretches, found, strict=True):
                for first, scores in zip(stretch, solved, strict=True):
                    self._enter(first, scores)
                if report is not None:
                    report(self._done, len(self._builder))

    def _enter(self, first: int, scores: list[int]) -> None:
        self._journal.write(first, scores)
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


class _Journal:
    """Scores that are known already, a line a piece, each with its checksum."""

    def __init__(self, path: Path, game: Game, plies: int) -> None:
        self._path = path
        self._head = (
            f"mossa book journal 1: {game}, {plies} plies, {PIECE} scores a line\n".encode()
        )
        self.known: list[tuple[int, list[int]]] = []
        self.finished = False

    def __enter__(self) -> Self:
        self._file: BinaryIO = os.fdopen(os.open(self._path, _FLAGS, 0o666), "r+b", buffering=0)
        try:
            if not (_locked(self._file) and self._is_there()):
                raise BookError(f"{str(self._path)!r} is in use: this book is being made")
            self._read()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if self.finished:
            self._path.unlink(missing_ok=True)

    def write(self, first: int, scores: Sequence[int]) -> None:
        """Keep the scores of a piece."""
        self._append(_line(first, scores))

    def _is_there(self) -> bool:
        """Return False if another has finished, and removed the file, before it was locked."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False

    def _read(self) -> None:
        """Read the whole lines; what follows the last of them was cut short by a kill."""
        lines = self._file.read().splitlines(keepends=True)
        if lines and lines[0] != self._head and (len(lines) > 1 or lines[0].endswith(b"\n")):
            head = lines[0].decode(errors="replace").strip()
            raise BookError(f"{str(self._path)!r} is of other work ({shorten(head)}): remove it")
        size = len(self._head) if lines and lines[0] == self._head else 0
        for line in lines[1:]:
            piece = _piece(line)
            if piece is None:
                break
            self.known.append(piece)
            size += len(line)
        self._file.truncate(size)
        self._file.seek(size)
        if size == 0:
            self._append(self._head)

    def _append(self, line: bytes) -> None:
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError as error:
            raise _unwritten(self._path, error) from None


def _line(first: int, scores: Sequence[int]) -> bytes:
    text = " ".join(map(str, (first, *scores)))
    return f"{text} {zlib.crc32(text.encode()):08x}\n".encode()


def _piece(line: bytes) -> tuple[int, list[int]] | None:
    """Return what a line says; None if it is not whole."""
    try:
        first, *scores = map(int, line.split()[:-1])
    except ValueError:
        return None
    return (first, scores) if _line(first, scores) == line else None


_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)


def _locked(file: BinaryIO) -> bool:
    """Lock a file until it is closed, or its process ends; return False if another has it."""
    try:
        if sys.platform == "win32":
            file.seek(1 << 30)  # a byte that nobody reads: a lock keeps others from reading, too
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            file.seek(0)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all."""
    part = Path(f"{path}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise _unwritten(path, error) from None


def _unwritten(path: Path, error: OSError) -> BookError:
    return BookError(
        f"cannot write {str(path)!r}: {error.strerror}; what is solved is kept: build again"
    )


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
