"""The engine: the strongest player there is for each game.

On connect boards it looks into the opening book and lets the solver try, for a share of its time;
what the solver cannot finish, and kalah, is searched by alpha-beta. On mnk boards it is the search
that knows threats.
"""

from dataclasses import replace
from time import perf_counter

from mossa._core import Game, Limits, Move, Option, Position
from mossa.players import (
    DEFAULT_TIME,
    LIMITS,
    Choice,
    Player,
    PlayerKind,
    SearchPlayer,
    limits_from,
    stricter,
)
from mossa.recipes.recipe import Chooser, Request
from mossa.search import Exact, Info
from mossa.solver import Solver

SOON = 36
"""With so many empty cells or fewer the solver will probably finish, and gets most of the time."""
SHARES = {True: 0.7, False: 0.15}
"""Of the limits for the solver, by whether it will finish; quick wins are found in any case."""
NODES_AT_DEPTH_1 = 1000
"""For the solver, when the caller limits the depth; each further ply doubles them."""
LARGEST_FOR_THREATS = 400
"""Cells of the largest board on which it matters who must fill the last ones."""


class Engine(Chooser):
    """Plays the proven best move where it can be proven in time, else the best one found."""

    def __init__(
        self, *, limits: Limits | None = None, memory: int = 256, threads: int = 1
    ) -> None:
        """Take its own limits, and megabytes for each of its tables."""
        super().__init__("engine")
        self._limits = limits or Limits()
        self._memory = memory
        self._threads = threads
        self._game: Game | None = None
        self._solver: Solver | None = None
        self._searcher: SearchPlayer | None = None

    def _choose(self, request: Request) -> Choice:
        """Prove or search; without any limits a second."""
        self._set_up(request.position.game)
        limits = stricter(self._limits, request.limits)
        if limits == Limits():
            limits = Limits(time=DEFAULT_TIME)
        request = request.limited(limits)
        proven, nodes = self._prove(request)
        if proven is not None:
            if request.report is not None:
                request.report(proven)
            return Choice(proven.move, proven)
        return self._search(request, nodes)

    def _set_up(self, game: Game) -> None:
        """Keep the tables from move to move, and start anew when the game is another one."""
        if self._game == game:
            return
        self._game = game
        algorithm = "threats" if game.kind == "mnk" else "alphabeta"
        self._searcher = SearchPlayer(algorithm, self._search_options(game))
        self._solver = None
        if game.kind == "connect":
            solver = Solver(game, memory=self._memory, threads=self._threads)
            self._solver = solver if solver.native else None

    def _prove(self, request: Request) -> tuple[Info | None, int]:
        """Return what the solver proves in its share of the limits, and the nodes it took."""
        if self._solver is None or request.stopped:
            return None, 0
        position, before = request.position, self._solver.nodes
        solution = self._solver.solve(
            position, self._share(position, request.limits), stop=request.stop
        )
        line: list[Move] = []
        if isinstance(solution.score, Exact):
            # As far as a share of the rest allows; the first move of it is needed.
            rest = self._left(request.rest, solution.nodes)
            line = self._solver.line(position, limits=self._share(position, rest))
        nodes = self._solver.nodes - before
        if not line:
            return None, nodes
        assert isinstance(solution.score, Exact)
        info = Info(
            line[0],
            solution.score,
            line,
            solution.score.distance or len(line),
            nodes,
            perf_counter() - request.begin,
            solution.memory,
        )
        return info, nodes

    def _share(self, position: Position, limits: Limits) -> Limits:
        """Return the part of the limits that the solver may use."""
        sizes = position.game.sizes
        share = SHARES[sizes["rows"] * sizes["cols"] - position.ply <= SOON]
        nodes = None if limits.nodes is None else max(1, int(limits.nodes * share))
        if limits.depth is not None:
            by_depth = NODES_AT_DEPTH_1 << min(limits.depth - 1, 40)
            nodes = by_depth if nodes is None else min(nodes, by_depth)
        return Limits(time=None if limits.time is None else limits.time * share, nodes=nodes)

    def _search(self, request: Request, spent: int) -> Choice:
        """Search with what is left of the limits after so many nodes."""
        assert self._searcher is not None
        choice = request.limited(self._left(request.limits, spent)).ask(self._searcher)
        assert choice.info is not None
        taken = perf_counter() - request.begin
        return Choice(
            choice.move, replace(choice.info, nodes=choice.info.nodes + spent, time=taken)
        )

    @staticmethod
    def _left(limits: Limits, spent: int) -> Limits:
        """Return limits less the nodes that are spent."""
        if limits.nodes is None:
            return limits
        return stricter(limits, Limits(nodes=max(1, limits.nodes - spent)))

    def _search_options(self, game: Game) -> dict[str, str]:
        options = {"memory": str(self._memory), "threads": str(self._threads)}
        sizes = game.sizes
        if game.kind == "connect" and sizes["rows"] * sizes["cols"] <= LARGEST_FOR_THREATS:
            options["evaluate"] = "threats"
        return options


MEMORY = Option("memory", 1, 65_536, "megabytes for each table; 256 unless given")
THREADS = Option("threads", 1, 256, "threads that share the tables; 1 unless given")


def _make(options: dict[str, str]) -> Player:
    return Engine(
        limits=limits_from(options),
        memory=int(float(options.get("memory", "256"))),
        threads=int(float(options.get("threads", "1"))),
    )


KIND = PlayerKind(
    "engine",
    "the strongest: book and solver on connect, threats on mnk, alpha-beta on kalah",
    _make,
    (LIMITS["time"], LIMITS["nodes"], LIMITS["depth"], MEMORY, THREADS),
)
