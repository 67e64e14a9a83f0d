"""The engine: the strongest player for each game.

It plays from opening studies while they last. Then it lets the game's solver try, with the book if
there is one, for as long as it will probably finish. Without a solver, or if it cannot finish, a
search takes over: `threats` or `gravity` if they play the game, else alpha-beta.
"""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import perf_counter

from mossa._core import Game, Limits, Move, Option, Position, Shape, StopToken
from mossa.errors import GameError, is_in_python
from mossa.games import KINDS
from mossa.networks import OFF, SHIPPED, Network, network_for
from mossa.players.base import Choice, Player
from mossa.players.chooser import Chooser, Request
from mossa.players.prospects import MOST, Need, Slices
from mossa.players.refuter import Refuter
from mossa.players.registry import LIMITS, SEED, Group, PlayerKind, limits_from
from mossa.players.searching import DEFAULT_TIME, SearchPlayer, part_of, stricter
from mossa.players.stubborn import Stubborn
from mossa.players.variety import Variety
from mossa.search import Bound, Exact, Info
from mossa.solving.solver import BookChoice, Solver
from mossa.solving.study import Study

STRONGEST = "engine"
"""The spec of the strongest player: hints, analyses and reviews use it."""

NEEDS = {
    Shape.grid: Need(least_left=3, doubling=1.6, steepness=1.0),
    Shape.pits: Need(least_left=7, doubling=1.5, steepness=1.2),
}
"""What solvers need, by what is left to play: empty cells, or seeds in pits."""
LAST = 0.1
"""The solver's share of the limits after a threat search, which sees wins sooner."""
CHECK = 0.15
"""The solver's share of the limits after any other search: it may refute the move found."""
LEAST_CHANCE = 0.02
"""That the solver would know in that time, or it is not asked."""
NODES_AT_DEPTH_1 = 1000
"""For the solver, when the caller limits the depth; each further ply doubles them."""


class Engine(Chooser):
    """Plays the proven best move if it can prove one in time, else the best it finds."""

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        memory: int = 256,
        threads: int = 1,
        book: bool = True,
        net: str = SHIPPED,
        vary: int = 0,
        seed: int | None = None,
    ) -> None:
        """Take its own limits, megabytes for each of its tables, and whether to use books.

        ``net`` is a network's file, or ``off``; the default is the network for the game. The
        engine varies its first ``vary`` moves, the same with the same seed.
        """
        super().__init__(STRONGEST)
        self._limits = limits or Limits()
        self._memory = memory
        self._threads = threads
        self._book = book
        self._net = net
        self._variety = Variety(vary, seed)
        self._study: Study | None = None
        self._game: Game | None = None
        self._solver: Solver | None = None
        self._searcher: SearchPlayer | None = None
        self._by_threats = False
        # Of what the solver gave up:
        self._is_won = False  # it knows that much all the same
        self._chance = 0.0  # that it would know more after the check of a move

    def _choose(self, request: Request) -> Choice:
        """Choose the best move, or early on one nearly as good; without limits, take a second."""
        self._set_up(request.position.game)
        limits = stricter(self._limits, request.limits)
        if limits == Limits():
            limits = Limits(time=DEFAULT_TIME)
        if self._variety.is_for(request.position):
            return self._vary(request.limited(limits))
        return self._best(request.limited(limits))

    def _best(self, request: Request) -> Choice:
        """Prove or search."""
        limits = request.limits
        if limits.longest is not None and len(request.position.moves) == 1:
            limits = stricter(limits, Limits(depth=1))  # the time is worth more later
        request = request.limited(limits)
        known, nodes = self._look_up(request), 0
        found: Choice | None = None
        self._is_won, self._chance = False, 0.0
        if known is None and not self._by_threats:
            known, nodes = self._prove(request)
        elif known is None and self._solver is not None and limits.depth is None:
            found = self._search(request.limited(part_of(limits, 1 - LAST)), 0)
            assert found.info is not None
            known, nodes = found.info, found.info.nodes
            if not isinstance(known.score, Exact):
                known, nodes = self._prove_last(request, nodes)
        if known is not None:
            known = self._resist(request, known)
            if request.report is not None:
                request.report(known)
            return Choice(known.move, known)
        if self._is_won and limits.depth is None:
            return self._keep_win(request, nodes)
        if found is not None:
            return found
        if self._solver is not None and limits.depth is None and self._chance >= LEAST_CHANCE:
            return self._search_and_check(request, nodes)
        return self._search(request, nodes)

    def _vary(self, request: Request) -> Choice:
        """Find the best move in half of the limits, and compare others with it in the rest."""
        limits = request.limits
        half = stricter(Limits(depth=limits.depth), part_of(limits, 0.5))
        best = self._best(request.limited(half)).info
        assert best is not None
        nodes = best.nodes

        def look(after: Position, parts: int) -> Info | None:
            nonlocal nodes
            depth = limits.depth and max(1, limits.depth - 1)
            part = stricter(Limits(depth=depth), part_of(half, 1 / parts))
            if not isinstance(best.score, Exact):
                found = self._look(request.stop, after, part)
                nodes += found.nodes
                return found
            if self._solver is None:
                return None
            asked = Request(after, part, None, request.stop, perf_counter())
            proven, taken = self._prove(asked)
            nodes += taken
            return proven

        info = self._variety.pick(request.position, best, look)
        info = replace(info, nodes=nodes, time=request.taken)
        if request.report is not None:
            request.report(info)
        return Choice(info.move, info)

    def prove(
        self, position: Position, limits: Limits, *, stop: StopToken | None = None
    ) -> Info | None:
        """Return a position's exact score, from a book or the solver; None if there is none.

        It never searches for a mere estimate.
        """
        self._set_up(position.game)
        request = Request(position, limits, None, stop, perf_counter())
        known = self._look_up(request)
        if not self._by_threats and (known is None or not isinstance(known.score, Exact)):
            known, _ = self._prove(request)
        return known

    def network_of(self, game: Game) -> Network | None:
        """Return the network its searches use."""
        return network_for(self._net, game)

    def _look_up(self, request: Request) -> Info | None:
        """Return what an opening study knows about the position."""
        found = None if self._study is None else self._study.get(request.position)
        if found is None or self._study is None:
            return None
        # Who limits the depth wants to compare, and an estimate from another depth is no use.
        if request.limits.depth is not None and not isinstance(found.score, Exact):
            return None
        line = self._study.line(request.position)
        return Info(found.move, found.score, line, found.depth, 0, request.taken, 0)

    def _set_up(self, game: Game) -> None:
        """Keep the tables from move to move, and start afresh with another game."""
        if self._game == game:
            return
        self._game = game
        self._study = Study.find(game) if self._book else None
        self._solver = None
        options = {"memory": str(self._memory), "threads": str(self._threads)}
        self._searcher = SearchPlayer("threats", options, net=self._net)
        self._by_threats = self._searcher.plays(game)
        if not self._by_threats:
            self._searcher = SearchPlayer("gravity", options, net=self._net)
        if not self._searcher.plays(game):
            if self.network_of(game) is not None:
                options |= {"evaluate": "net", "turns": "on"}
            elif "seeds" in game.evaluations:
                options |= {"evaluate": "seeds", "turns": "on"}
            self._searcher = SearchPlayer("alphabeta", options, net=self._net)
        if not is_in_python(game) and KINDS[game.kind].has_solver:
            book: BookChoice = "shipped" if self._book else None
            with suppress(GameError):  # under some of its rules there is none
                solver = Solver(game, memory=self._memory, threads=self._threads, book=book)
                self._solver = solver if solver.native else None

    def _prove(self, request: Request) -> tuple[Info | None, int]:
        """Return what the solver proves while it is worth its time, and the nodes it took."""
        solver, position, limits = self._solver, request.position, request.limits
        if solver is None or request.stopped:
            return None, 0
        before = solver.nodes
        if limits.depth is not None:
            return self._solve(request, _share(limits, MOST), before)
        slices = Slices(NEEDS[position.game.traits.shape], position.left_to_play)
        for share in slices:
            at = solver.nodes
            known, nodes = self._solve(request, part_of(limits, share), before)
            if known is not None or request.stopped:
                return known, nodes
            slices.spend(solver.nodes - at)
        self._chance = slices.chance(CHECK)
        return None, nodes

    def _prove_last(self, request: Request, spent: int) -> tuple[Info | None, int]:
        """Return what the solver proves after the search, and the nodes of both."""
        assert self._solver is not None
        return self._solve(request, part_of(request.limits, LAST), self._solver.nodes - spent)

    def _solve(self, request: Request, limits: Limits, before: int) -> tuple[Info | None, int]:
        """Return what the solver proves within the limits, and its nodes since ``before``."""
        assert self._solver is not None
        position = request.position
        solution = self._solver.solve(position, limits, stop=request.stop)
        self._is_won = isinstance(solution.score, Bound) and solution.score.low.standing > 0
        line: list[Move] = []
        if isinstance(solution.score, Exact):
            # As far as a share of the rest allows; the first move of it is needed.
            rest = self._left(request.rest, self._solver.nodes - before)
            line = self._solver.line(position, limits=_share(rest, MOST))
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

    def _keep_win(self, request: Request, spent: int) -> Choice:
        """Search a position won at an unknown distance, and play a move proven to win.

        It tries the search's favourite first.
        """
        solver = self._solver
        assert solver is not None
        limits = self._left(request.rest, spent)
        choice = self._search(request.limited(part_of(limits, 0.5)), 0)
        info = choice.info
        assert info is not None
        before = solver.nodes - spent - info.nodes
        move = choice.move
        if not isinstance(info.score, Exact):
            move = self._winning_move(request, part_of(limits, 0.4), move) or move
        if move != choice.move:
            info = replace(info, move=move, line=[move])
        return Choice(move, replace(info, nodes=solver.nodes - before, time=request.taken))

    def _winning_move(self, request: Request, limits: Limits, first: Move) -> Move | None:
        """Return a move that is proven to win within the limits, ``first`` if it is one."""
        assert self._solver is not None
        position = request.position
        moves = [first, *(move for move in position.moves if move != first)]
        for part in (0.2, 0.8):
            for move in moves:
                share = part_of(limits, part / len(moves))
                score = self._solver.move_score(position, move, share, stop=request.stop)
                least = score.low if isinstance(score, Bound) else score
                if least.standing > 0:
                    return move
        return None

    def _search_and_check(self, request: Request, spent: int) -> Choice:
        """Search, and play another move if the solver proves that the one found loses."""
        solver, position = self._solver, request.position
        assert solver is not None
        limits = self._left(request.rest, spent)
        choice = self._search(request.limited(part_of(limits, 1 - CHECK)), spent)
        assert choice.info is not None
        info, before = choice.info, solver.nodes - choice.info.nodes
        refuter = Refuter(solver, partial(self._look, request.stop), request.stop)
        check = part_of(limits, CHECK * 2 / 3)
        if not isinstance(info.score, Exact) and refuter.loses(position, info.move, check):
            rest = self._left(request.rest, solver.nodes - before)
            info = refuter.instead_of(info, position, rest)
            before -= info.nodes - choice.info.nodes
        nodes = solver.nodes - before
        return Choice(info.move, replace(info, nodes=nodes, time=request.taken))

    def _look(self, stop: StopToken | None, position: Position, limits: Limits) -> Info:
        """Search a position without the solver."""
        info = self._search(Request(position, limits, None, stop, perf_counter()), 0).info
        assert info is not None
        return info

    def _resist(self, request: Request, known: Info) -> Info:
        """Return the move that is hardest to answer in a lost or drawn game."""
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
            line = [move, *solver.line(after, limits=_share(left(), MOST))]
        nodes = solver.nodes - before
        return replace(known, move=move, line=line, nodes=nodes, time=request.taken)

    def _search(self, request: Request, spent: int) -> Choice:
        """Search with what is left of the limits after this many nodes."""
        assert self._searcher is not None
        choice = request.limited(self._left(request.limits, spent)).ask(self._searcher)
        assert choice.info is not None
        taken = perf_counter() - request.begin
        return Choice(
            choice.move, replace(choice.info, nodes=choice.info.nodes + spent, time=taken)
        )

    @staticmethod
    def _left(limits: Limits, spent: int) -> Limits:
        """Return the limits minus the nodes already spent."""
        if limits.nodes is None:
            return limits
        return stricter(limits, Limits(nodes=max(1, limits.nodes - spent)))


def _share(limits: Limits, share: float) -> Limits:
    """Return the part of the limits that the solver may use."""
    part = part_of(limits, share)
    if limits.depth is None:
        return part
    return stricter(part, Limits(nodes=NODES_AT_DEPTH_1 << min(limits.depth - 1, 40)))


MEMORY = Option("memory", 1, 65_536, "megabytes for each table; 256 unless given")
THREADS = Option("threads", 1, 256, "threads that share the tables; 1 unless given")
BOOK = Option("book", ["on", "off"], "whether it plays from books and opening studies")
NET = Option("net", [SHIPPED, OFF], "the network for unsolved positions, or its file")
VARY = Option("vary", 0, 100, "how many of its first moves may vary among those nearly as good")


def _make(options: dict[str, str]) -> Player:
    return Engine(
        limits=limits_from(options),
        memory=int(float(options.get("memory", "256"))),
        threads=int(float(options.get("threads", "1"))),
        book=options.get("book") != "off",
        net=options.get("net", SHIPPED),
        vary=int(float(options.get("vary", "0"))),
        seed=int(float(options["seed"])) if "seed" in options else None,
    )


KIND = PlayerKind(
    STRONGEST,
    "the strongest: threats on mnk, gravity on connect, book and solver where there are any",
    _make,
    (LIMITS["time"], LIMITS["nodes"], LIMITS["depth"], MEMORY, THREADS, BOOK, NET, VARY, SEED),
    group=Group.engine,
    example=f"{STRONGEST}:time=1",
    files=(NET.name,),
)
