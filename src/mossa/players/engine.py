"""The engine: the strongest player there is for each game.

It plays the moves of opening studies where there are any. Then it lets the game's solver try, with
the book if there is one, for a share of its time. What has no solver, or what that cannot finish,
is searched: by `threats` or `gravity` where these play the game, else by alpha-beta.
"""

from contextlib import suppress
from dataclasses import replace
from time import perf_counter

from mossa._core import Game, Limits, Move, Option, Position, Shape, StopToken
from mossa.errors import GameError
from mossa.games import KINDS
from mossa.players.base import Choice, Player
from mossa.players.chooser import Chooser, Request
from mossa.players.registry import LIMITS, PlayerKind, limits_from
from mossa.players.searching import DEFAULT_TIME, SearchPlayer, stricter
from mossa.players.stubborn import Stubborn
from mossa.search import Exact, Info
from mossa.solving.solver import BookChoice, Solver
from mossa.solving.study import Study

STRONGEST = "engine"
"""The spec of the strongest player there is: hints, analyses and reviews ask no other."""

SOON = {Shape.grid: 36, Shape.pits: 30}
"""With so much left to play, empty cells or seeds in the pits, the solver will probably finish, and
gets most of the time."""
SHARES = {True: 0.7, False: 0.15}
"""Of the limits for the solver, by whether it will finish; quick wins are found in any case."""
GLANCE = 0.3
"""Of the limits for a search by threats, before the solver tries."""
NODES_AT_DEPTH_1 = 1000
"""For the solver, when the caller limits the depth; each further ply doubles them."""


class Engine(Chooser):
    """Plays the proven best move where it can be proven in time, else the best one found."""

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        memory: int = 256,
        threads: int = 1,
        book: bool = True,
    ) -> None:
        """Take its own limits, megabytes for each of its tables, and whether books are used."""
        super().__init__(STRONGEST)
        self._limits = limits or Limits()
        self._memory = memory
        self._threads = threads
        self._book = book
        self._study: Study | None = None
        self._game: Game | None = None
        self._solver: Solver | None = None
        self._searcher: SearchPlayer | None = None
        self._by_threats = False

    def _choose(self, request: Request) -> Choice:
        """Prove or search; without any limits a second."""
        self._set_up(request.position.game)
        limits = stricter(self._limits, request.limits)
        if limits == Limits():
            limits = Limits(time=DEFAULT_TIME)
        if limits.longest is not None and len(request.position.moves) == 1:
            limits = stricter(limits, Limits(depth=1))  # the time is worth more later
        request = request.limited(limits)
        known, nodes = self._look_up(request), 0
        if known is None and not self._by_threats:
            known, nodes = self._prove(request)
        elif known is None and self._solver is not None and limits.depth is None:
            known, nodes = self._glance(request)
            if known is None:
                known, nodes = self._prove(request, nodes)
        if known is not None:
            known = self._resist(request, known)
            if request.report is not None:
                request.report(known)
            return Choice(known.move, known)
        return self._search(request, nodes)

    def prove(
        self, position: Position, limits: Limits, *, stop: StopToken | None = None
    ) -> Info | None:
        """Return the exact score of a position, from a book or the solver; None if there is none.

        Nothing is searched for that would only be an estimate.
        """
        self._set_up(position.game)
        request = Request(position, limits, None, stop, perf_counter())
        known = self._look_up(request)
        if not self._by_threats and (known is None or not isinstance(known.score, Exact)):
            known, _ = self._prove(request)
        return known

    def _look_up(self, request: Request) -> Info | None:
        """Return what an opening study knows of the position."""
        found = None if self._study is None else self._study.get(request.position)
        if found is None or self._study is None:
            return None
        # Who limits the depth wants to compare, and an estimate from another depth is no use.
        if request.limits.depth is not None and not isinstance(found.score, Exact):
            return None
        line = self._study.line(request.position)
        return Info(found.move, found.score, line, found.depth, 0, request.taken, 0)

    def _set_up(self, game: Game) -> None:
        """Keep the tables from move to move, and start anew when the game is another one."""
        if self._game == game:
            return
        self._game = game
        self._study = Study.find(game) if self._book else None
        self._solver = None
        options = {"memory": str(self._memory), "threads": str(self._threads)}
        self._searcher = SearchPlayer("threats", options)
        self._by_threats = self._searcher.plays(game)
        if not self._by_threats:
            self._searcher = SearchPlayer("gravity", options)
        if not self._searcher.plays(game):
            if "seeds" in game.evaluations:
                options |= {"evaluate": "seeds", "turns": "on"}
            self._searcher = SearchPlayer("alphabeta", options)
        if KINDS[game.kind].has_solver:
            book: BookChoice = "shipped" if self._book else None
            with suppress(GameError):  # under some of its rules there is none
                solver = Solver(game, memory=self._memory, threads=self._threads, book=book)
                self._solver = solver if solver.native else None

    def _glance(self, request: Request) -> tuple[Info | None, int]:
        """Return what the search proves in a part of the limits, and the nodes it took.

        It sees wins by threats, and the quickest of them, sooner than the solver.
        """
        assert self._searcher is not None
        info = request.limited(_part(request.limits, GLANCE)).ask(self._searcher).info
        assert info is not None
        return info if isinstance(info.score, Exact) else None, info.nodes

    def _prove(self, request: Request, spent: int = 0) -> tuple[Info | None, int]:
        """Return what the solver proves in its share of the limits, and the nodes taken so far."""
        if self._solver is None or request.stopped:
            return None, spent
        position, before = request.position, self._solver.nodes - spent
        limits = self._left(request.limits, spent)
        solution = self._solver.solve(position, self._share(position, limits), stop=request.stop)
        line: list[Move] = []
        if isinstance(solution.score, Exact):
            # As far as a share of the rest allows; the first move of it is needed.
            rest = self._left(request.rest, self._solver.nodes - before)
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
            request.taken,
            solution.memory,
        )
        return info, nodes

    def _resist(self, request: Request, known: Info) -> Info:
        """Return the move that is hardest to answer, where the game is lost or drawn."""
        score, position, solver = known.score, request.position, self._solver
        if solver is None or not isinstance(score, Exact) or score.standing > 0:
            return known
        if request.limits.depth is not None:  # who limits the depth wants to compare
            return known
        before = solver.nodes - known.nodes

        def left() -> Limits:
            return self._left(request.rest, solver.nodes - before)

        stubborn = Stubborn(solver, not self._by_threats, left, request.stop)
        move = stubborn.choose(position, known.move, score)
        line = known.line
        if move != known.move:
            after = position.play(move)
            line = [move, *solver.line(after, limits=self._share(after, left()))]
        nodes = solver.nodes - before
        return replace(known, move=move, line=line, nodes=nodes, time=request.taken)

    def _share(self, position: Position, limits: Limits) -> Limits:
        """Return the part of the limits that the solver may use."""
        share = _part(limits, SHARES[position.left_to_play <= SOON[position.game.traits.shape]])
        if limits.depth is None:
            return share
        return stricter(share, Limits(nodes=NODES_AT_DEPTH_1 << min(limits.depth - 1, 40)))

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


def _part(limits: Limits, part: float) -> Limits:
    """Return a part of the time and the nodes."""
    return Limits(
        time=None if limits.time is None else limits.time * part,
        nodes=None if limits.nodes is None else max(1, int(limits.nodes * part)),
    )


MEMORY = Option("memory", 1, 65_536, "megabytes for each table; 256 unless given")
THREADS = Option("threads", 1, 256, "threads that share the tables; 1 unless given")
BOOK = Option("book", ["on", "off"], "whether it plays from books and opening studies")


def _make(options: dict[str, str]) -> Player:
    return Engine(
        limits=limits_from(options),
        memory=int(float(options.get("memory", "256"))),
        threads=int(float(options.get("threads", "1"))),
        book=options.get("book") != "off",
    )


KIND = PlayerKind(
    STRONGEST,
    "the strongest: threats on mnk, gravity on connect, book and solver where there are any",
    _make,
    (LIMITS["time"], LIMITS["nodes"], LIMITS["depth"], MEMORY, THREADS, BOOK),
)
