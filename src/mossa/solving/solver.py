"""Exact solutions: the score of a position, of every move in it, and best play to the end.

>>> import mossa
>>> solution = mossa.solve(mossa.game("connect4").position("444444326555"))
>>> str(solution.score), str(solution.move)
('+1 in 29', '5')

``solve`` is for one position. A ``Solver`` keeps what it has proven from position to position, and
``solve_many`` works through a list on several cores.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import chain, islice
from queue import SimpleQueue
from time import perf_counter
from typing import Literal

from mossa._core import CoreSolution, CoreSolver, Game, Move, Position, Proven, Scoring, make_solver
from mossa.cluster import in_order, workers
from mossa.errors import (
    GameError,
    InvalidPositionError,
    described,
    expect_game,
    expect_position,
    is_in_python,
)
from mossa.games import PositionLike, lines_anywhere, position_of
from mossa.python_games import MOST_VALUE
from mossa.search import (
    NO_LIMITS,
    Bound,
    Exact,
    Info,
    Limits,
    Search,
    StopToken,
    final_score,
    move_score,
)
from mossa.solving.book import Book
from mossa.solving.tables import Tables, machine_memory

__all__ = [
    "MEMORY",
    "BookChoice",
    "Solution",
    "Solver",
    "TablesChoice",
    "check_memory",
    "machine_memory",
    "solve",
    "solve_many",
]

MEMORY = 256
"""Megabytes that a solver's table takes unless said otherwise."""

BookChoice = Book | Literal["shipped"] | None
"""A book; or whatever book the package has for the game; or none."""

TablesChoice = Tables | Literal["found"] | None
"""End-game tables, those in the folder that MOSSA_BOOKS names, or none."""


class Solution:
    """What a solver has proven of a position."""

    def __init__(
        self, solver: "Solver", position: Position, found: "CoreSolution | _Found"
    ) -> None:
        """Keep the solver, for the line and the moves; made by Solver.solve."""
        self._solver = solver
        self._found = found
        self.position = position

    def __repr__(self) -> str:
        """Return the score and what it cost."""
        return f"Solution({self.score}, nodes={self.nodes})"

    @cached_property
    def score(self) -> Exact | Bound:
        """The score for the side to move; a Bound if a limit came first."""
        low = _exact(self._found.low)
        return low if self._found.solved else Bound(low, _exact(self._found.high))

    @property
    def proven(self) -> Exact:
        """The exact score; raises GameError if a limit came before it was known."""
        if isinstance(self.score, Bound):
            raise GameError(f"not solved: the score is {self.score}")
        return self.score

    @property
    def nodes(self) -> int:
        """Positions visited."""
        return self._found.nodes

    @property
    def time(self) -> float:
        """Seconds taken."""
        return self._found.time

    @property
    def memory(self) -> int:
        """Bytes held by the solver."""
        return self._found.memory

    @property
    def question(self) -> int | None:
        """While a margin is being solved: the solver asks whether the score is at least this."""
        return self._found.question

    @property
    def tables_to(self) -> int | None:
        """The solver looks up positions with at most this much left to play in end-game tables."""
        return self._found.tables_to

    @cached_property
    def line(self) -> list[Move]:
        """Best play for both sides to the end; empty if the position was not solved."""
        return self._solver.line(self.position) if isinstance(self.score, Exact) else []

    @cached_property
    def move(self) -> Move | None:
        """A best move; None if the position was not solved."""
        if not isinstance(self.score, Exact):
            return None
        return self._solver.line(self.position, most=1)[0]

    @cached_property
    def moves(self) -> dict[Move, Exact | Bound]:
        """The score of every legal move for the side that makes it, solved when first asked for."""
        return dict(self._solver.moves(self.position))


class Solver:
    """A solver of one game. It keeps what it has proven from position to position.

    A game may bring a solver of its own, up to some size: ``native`` tells. Connect has one for
    boards of up to 128 bits, a bit for every cell and one more for every column; mnk for boards of
    up to 128 cells, but for exact=yes; kalah for all that can be solved in practice. Alpha-beta
    searches everything else to its end, which takes a small board.
    """

    def __init__(
        self,
        game: Game,
        *,
        memory: int = MEMORY,
        threads: int = 1,
        book: BookChoice = "shipped",
        tables: TablesChoice = "found",
        tuning: Mapping[str, int] | None = None,
        findings_from: int | None = None,
    ) -> None:
        """Make room for a table of ``memory`` megabytes; raise GameError if there is no room.

        A solver that uses end-game tables, and is given and finds none, makes its own in half of
        the memory.

        ``tuning`` sets parameters of the core's solvers (ConnectParams in core/solve/connect.hpp,
        MnkParams in core/solve/mnk_search.hpp), so that benchmarks can measure what each part is
        worth. It changes time, never scores.

        Results that took at least ``findings_from`` nodes are kept for ``findings()``.
        """
        expect_game(game, "Solver()")
        if threads < 1 or threads > 256:
            raise GameError(f"invalid threads '{threads}': 1 to 256")
        check_memory(memory)
        self.game = game
        self.book = Book.shipped(game) if book == "shipped" else book
        scores = None if self.book is None else self.book.core
        self.tables = Tables.find(game) if tables == "found" else tables
        values = None if self.tables is None else self.tables.core
        parameters = list((tuning or {}).items())
        core = None
        if not is_in_python(game):
            core = make_solver(
                game, memory << 20, threads, scores, parameters, values, findings_from
            )
        self._core: CoreSolver | _Searching = core or _Searching(game, memory, threads)

    def solve(
        self,
        position: Position,
        limits: Limits | None = None,
        *,
        at_least: Exact | None = None,
        report: Callable[[Solution], object] | None = None,
        stop: StopToken | None = None,
    ) -> Solution:
        """Solve a position that is not over.

        With ``at_least`` only until the bounds tell whether the score is at least this. Without a
        distance that asks who wins, or for a margin.

        ``report`` is told of every tighter bound and now and then of the nodes so far. A limit or
        ``stop`` ends the work with the bounds found so far; Ctrl-C raises KeyboardInterrupt.
        """
        if not isinstance(position, Position):  # asked here too, as small solves take a microsecond
            expect_position(position, "Solver.solve()")
        tell = None if report is None else partial(self._tell, report, position)
        asked = None if at_least is None else self._asked(at_least)
        found = self._core.solve(position, limits or NO_LIMITS, tell, stop, asked)
        return Solution(self, position, found)

    def at_least(
        self,
        position: Position,
        score: Exact,
        limits: Limits | None = None,
        *,
        stop: StopToken | None = None,
    ) -> bool | None:
        """Tell whether a position has at least this score; None if a limit came first.

        That takes less work than its score. ``Exact(1, 9)`` asks for a win within nine plies,
        ``Exact(1)`` for any win, ``Exact(6)`` in kalah for a margin of six.
        """
        found = self.solve(position, limits, at_least=score, stop=stop).score
        low, high = (found, found) if isinstance(found, Exact) else (found.low, found.high)
        if score.distance is None:
            yes, no = low.value >= score.value, high.value < score.value
        else:
            yes, no = low >= score, high < score
        return yes if yes or no else None

    def _asked(self, score: Exact) -> tuple[int, int | None]:
        """Return a score to ask about as the core takes it; raise GameError for another scale."""
        if not isinstance(score, Exact):
            raise GameError(f"a solver is asked about an Exact score, not {described(score)}")
        if score.distance is not None:
            if self.game.traits.scoring is Scoring.margin:
                raise GameError(f"{self.game} counts margins, so {score} has no meaning: no plies")
            if not self.counts_plies:
                raise GameError(
                    f"the solver of {self.game} proves who wins, not how soon: ask for "
                    f"{Exact(score.value)}, not {score}"
                )
        most = MOST_VALUE + 1  # beyond all scores
        distance = None if score.distance is None else min(max(score.distance, -most), most)
        return min(max(score.value, -most), most), distance

    @property
    def counts_plies(self) -> bool:
        """Whether distances are the shortest; otherwise a win takes no longer than it says."""
        return not (self.native and lines_anywhere(self.game))

    def _tell(
        self,
        report: Callable[[Solution], object],
        position: Position,
        found: "CoreSolution | _Found",
    ) -> None:
        report(Solution(self, position, found))

    def solve_all(
        self, positions: list[Position], *, stop: StopToken | None = None
    ) -> list[Solution]:
        """Solve many positions in one call: quicker than one by one."""
        all_found: Sequence[CoreSolution | _Found] = self._core.solve_all(positions, stop)
        pairs = zip(positions, all_found, strict=True)
        return [Solution(self, position, found) for position, found in pairs]

    @property
    def native(self) -> bool:
        """Whether the game has a solver of its own at this size."""
        return isinstance(self._core, CoreSolver)

    @property
    def nodes(self) -> int:
        """Positions visited since it was made."""
        return self._core.nodes

    def line(
        self, position: Position, *, most: int = 10_000, limits: Limits | None = None
    ) -> list[Move]:
        """Return best play for both sides, up to ``most`` moves; fewer if a limit comes first."""
        return self._core.line(position, most, limits or NO_LIMITS)

    def moves(
        self,
        position: Position,
        limits: Limits | None = None,
        *,
        report: Callable[[Move, Solution], object] | None = None,
    ) -> Iterator[tuple[Move, Exact | Bound]]:
        """Yield every legal move with its score for the side that makes it."""
        for move in position.moves:
            tell = None if report is None else partial(report, move)
            yield move, self.move_score(position, move, limits, report=tell)

    def move_score(
        self,
        position: Position,
        move: Move,
        limits: Limits | None = None,
        *,
        report: Callable[[Solution], object] | None = None,
        stop: StopToken | None = None,
    ) -> Exact | Bound:
        """Return the score of one legal move for the side that makes it."""
        after = position.play(move)
        if after.outcome is not None:
            return move_score(final_score(after), position, after)
        score = self.solve(after, limits, report=report, stop=stop).score
        return move_score(score, position, after)

    def defend(
        self, state: str, avoid: list[int]
    ) -> tuple[int, bool, list[tuple[int, int]] | None] | None:
        """Return the defender's move in a state of a certificate, for mossa.solving.certificate.

        With it come whether the defender needs no lines of its own, and pairs that hold from then
        on, if there are some; they use few of the cells to avoid.
        """
        assert isinstance(self._core, CoreSolver)
        return self._core.defend(state, avoid)

    def pairs(self, state: str) -> list[tuple[int, int]] | None:
        """Return disjoint pairs of cells, one on every open line of the attacker, if found soon."""
        assert isinstance(self._core, CoreSolver)
        return self._core.pairs(state)

    def clear(self) -> None:
        """Forget what has been proven."""
        self._core.clear()

    def findings(self) -> bytes:
        """Return the costly results since the last call, for solvers of the same game to learn."""
        return self._core.findings()

    def learn(self, findings: bytes) -> None:
        """Take the findings of another solver of the same game; they are not passed on."""
        self._core.learn(findings)


def solve(
    position: PositionLike,
    *,
    memory: int = MEMORY,
    threads: int = 1,
    book: BookChoice = "shipped",
    limits: Limits | None = None,
    report: Callable[[Solution], object] | None = None,
) -> Solution:
    """Solve one position; see Solver.solve."""
    position = position_of(position, "solve()")
    solver = Solver(position.game, memory=memory, threads=threads, book=book)
    return solver.solve(position, limits, report=report)


def solve_many(
    positions: Iterable[Position],
    *,
    memory: int = MEMORY,
    threads: int | None = None,
    book: BookChoice = "shipped",
) -> Iterator[Solution]:
    """Solve positions of one game and yield the solutions in their order.

    Each of ``threads`` (as many as there are cores unless said otherwise) has a table of its own;
    ``memory`` is for all of them. Positions are read as they are needed, a little ahead.
    """
    if isinstance(positions, Position | str) or not isinstance(positions, Iterable):
        raise InvalidPositionError(
            f"solve_many() takes a list of Positions, not {described(positions)}"
        )
    source = iter(positions)
    first = next(source, None)
    if first is None:
        return
    expect_position(first, "solve_many()")
    source = chain([first], source)
    count = threads or os.cpu_count() or 1
    solvers: SimpleQueue[Solver] = SimpleQueue()
    for _ in range(count):
        solvers.put(Solver(first.game, memory=max(1, memory // count), book=book))
    stop = StopToken()
    size = 1  # positions that a thread takes at a time: more, the quicker they are solved

    def work(chunk: list[Position]) -> list[Solution]:
        nonlocal size
        solver = solvers.get()
        begin = perf_counter()
        try:
            return solver.solve_all(chunk, stop=stop)
        finally:
            solvers.put(solver)
            seconds = perf_counter() - begin
            size = min(2 * size, 256) if seconds < 0.005 else max(size // 2, 1)

    pool = ThreadPoolExecutor(count)
    try:
        for solutions in in_order(pool, count, work, iter(lambda: list(islice(source, size)), [])):
            yield from solutions
    finally:  # also when the caller wants no more, or Ctrl-C was pressed
        stop.stop()
        pool.shutdown(cancel_futures=True)


_CHUNK = 64  # positions that go to a worker of a cluster at a time


def solve_on_cluster(
    positions: Iterable[Position],
    *,
    cluster: str,
    memory: int = MEMORY,
    book: BookChoice = "shipped",
) -> Iterator[Exact]:
    """Solve positions of one game on a Dask cluster and yield their scores in their order.

    ``memory`` is for each worker, which keeps its table from one chunk of positions to the next.
    The book is the one that the workers have, or none: a file is not sent around.
    """
    if book not in (None, "shipped"):
        raise GameError("a book of your own does not go to a cluster: the shipped one, or none")
    source = iter(positions)
    chunks = iter(lambda: list(islice(source, _CHUNK)), [])
    with workers(cluster=cluster) as (executor, slots):
        for scores in in_order(executor, slots, partial(_solve_chunk, memory, book), chunks):
            yield from scores


def _solve_chunk(memory: int, book: BookChoice, positions: list[Position]) -> list[Exact]:
    solver = _worker_solver(positions[0].game, memory, book)
    return [solution.proven for solution in solver.solve_all(positions)]


@lru_cache(maxsize=1)
def _worker_solver(game: Game, memory: int, book: BookChoice) -> Solver:
    return Solver(game, memory=memory, book=book)


@dataclass(frozen=True)
class _Found:
    """What the core's solvers return, for those that are written here."""

    low: Exact
    high: Exact
    nodes: int
    time: float
    memory: int
    question: int | None = None
    tables_to: int | None = None

    @property
    def solved(self) -> bool:
        return self.low == self.high


class _Searching:
    """A solver that searches to the end by alpha-beta: any game, small boards."""

    def __init__(self, game: Game, memory: int, threads: int) -> None:
        self._game = game
        self.nodes = 0
        self._options = {"memory": str(memory), "threads": str(threads)}
        self.clear()

    def clear(self) -> None:
        self._search = Search(self._game, "alphabeta", self._options)

    def solve(
        self,
        position: Position,
        limits: Limits,
        report: Callable[[_Found], object] | None = None,
        stop: StopToken | None = None,
        _: tuple[int, int | None] | None = None,  # its answers are scores
    ) -> _Found:
        worst, best = _extremes(self._game)

        def found(info: Info) -> _Found:
            proven = isinstance(info.score, Exact)
            low, high = (info.score, info.score) if proven else (worst, best)
            assert isinstance(low, Exact) and isinstance(high, Exact)
            return _Found(low, high, info.nodes, info.time, info.memory)

        tell = None if report is None else lambda info: report(found(info))
        info = self._search.run(position, limits, report=tell, stop=stop)
        self.nodes += info.nodes
        return found(info)

    def findings(self) -> bytes:
        return b""

    def learn(self, findings: bytes) -> None:
        pass

    def solve_all(self, positions: list[Position], stop: StopToken | None = None) -> list[_Found]:
        return [self.solve(position, NO_LIMITS, stop=stop) for position in positions]

    def line(self, position: Position, most: int, limits: Limits) -> list[Move]:
        moves: list[Move] = []
        while position.outcome is None and len(moves) < most:
            info = self._search.run(position, limits)
            self.nodes += info.nodes
            moves.append(info.move)
            position = position.play(moves[-1])
        return moves


def _extremes(game: Game) -> tuple[Exact, Exact]:
    """Return the worst and the best score that a position of this game can have."""
    if game.traits.scoring is Scoring.margin:
        # All that there is to win, or all that can be: a game in Python does not say.
        most = game.start().left_to_play or MOST_VALUE
        return Exact(-most), Exact(most)
    return Exact(-1, 2), Exact(1, 1)


def _exact(score: Proven | Exact) -> Exact:
    return Exact(score.value, score.distance)


def check_memory(megabytes: int) -> None:
    """Raise GameError for a table that this machine has no room for."""
    if megabytes < 1:
        raise GameError(f"invalid memory '{megabytes}': 1 or more megabytes")
    there = machine_memory()
    if there is not None and megabytes > there:
        raise GameError(f"invalid memory '{megabytes}': this machine has {there} MB")
