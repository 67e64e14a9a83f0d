"""Recipes: the five course reports' systems, and levels for people, as named players.

A recipe is a search of the core with chosen options. Only where a report has a rule that the search
has not (the centre first, win at once) is there some Python around it. The page docs/reports.md
tells for each what it follows and where it differs on purpose.

A recipe never plays at random because its time is up: it plays the best move found so far.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter

from mossa._core import Game, Limits, Move, Option, Position, StopToken, Trace
from mossa.errors import GameError, InvalidPlayerError
from mossa.games import KINDS
from mossa.players import (
    DEFAULT_TIME,
    LIMITS,
    PONDER,
    Choice,
    Player,
    PlayerKind,
    SearchPlayer,
    limits_from,
    register,
    stricter,
)
from mossa.search import Info, Score

COURSE_TIME = 10.0
"""Seconds a move that the courses allow: the most a recipe of fixed depth takes unless told."""

PLAIN = {"table": "off", "pvs": "off", "killers": "off", "history": "off"}
"""Alpha-beta as the reports wrote it, without the techniques that they do not have."""

Report = Callable[[Info], object]


@dataclass(frozen=True)
class Request:
    """What a player is asked for, and since when."""

    position: Position
    limits: Limits
    report: Report | None
    stop: StopToken | None
    begin: float

    def limited(self, limits: Limits) -> "Request":
        """Return the same request with other limits."""
        return replace(self, limits=limits)

    @property
    def rest(self) -> Limits:
        """What is left of the limits."""
        if self.limits.time is None:
            return self.limits
        left = max(0.0, self.limits.time - (perf_counter() - self.begin))
        return stricter(self.limits, Limits(time=left))

    @property
    def depth(self) -> int:
        """Plies to look ahead, where that is limited."""
        return self.limits.depth or 1

    @property
    def stopped(self) -> bool:
        """Whether the caller wants an answer at once."""
        return self.stop is not None and self.stop.stopped

    def ask(self, player: SearchPlayer) -> Choice:
        """Let a player choose in what is left of the limits."""
        return player.choose(self.position, self.rest, report=self.report, stop=self.stop)


class Chooser:
    """A player that chooses only where there is something to choose, on the games it plays."""

    keeps_time = True

    def __init__(self, name: str, kinds: Iterable[str] = KINDS) -> None:
        """Take the name of the player and the kinds of games it is for."""
        self.name = name
        self._kinds = tuple(kinds)

    def plays(self, game: Game) -> bool:
        """Tell whether the player is for games of this kind."""
        return game.kind in self._kinds

    def choose(
        self,
        position: Position,
        limits: Limits,
        *,
        report: Report | None = None,
        stop: StopToken | None = None,
    ) -> Choice:
        """Choose within the limits; ``report`` is told of every better answer."""
        begin = perf_counter()
        if not self.plays(position.game):
            kinds = " and ".join(self._kinds)
            raise InvalidPlayerError(f"{self.name} plays {kinds}, not {position.game}")
        if position.outcome is not None:
            raise GameError(f"no move in {position.game}: the game is over ({position.outcome})")
        return self._choose(Request(position, limits, report, stop, begin))

    def _choose(self, request: Request) -> Choice:
        """Choose, the game being one of its own and not over."""
        raise NotImplementedError


class Recipe(Chooser):
    """A search with the options of one report, for the kinds of games it plays."""

    def __init__(
        self,
        name: str,
        kinds: tuple[str, ...],
        algorithm: str,
        options: Mapping[str, str],
        *,
        limits: Limits | None = None,
        time: float = COURSE_TIME,
        ponder: bool = False,
    ) -> None:
        """Take the search and its own limits; ``time`` holds when nobody limits the time."""
        super().__init__(name, kinds)
        self._own_limits = limits or Limits()
        self._time = time
        self._search_player = SearchPlayer(algorithm, options, ponder=ponder)

    def _choose(self, request: Request) -> Choice:
        """Do what the report's rule says, if it says anything, else search."""
        request = request.limited(self._limits(request.position, request.limits))
        ruled = self._ruled(request.position)
        if ruled is not None:
            return Choice(ruled)
        return request.ask(self._player(request.position))

    def stop_pondering(self) -> None:
        """End the thinking in the opponent's time, if there is any."""
        self._search_player.stop_pondering()

    def _limits(self, position: Position, limits: Limits) -> Limits:
        """Return the limits of a move: the player's and the caller's, always with a time."""
        limits = stricter(self._own_limits, limits)
        return limits if limits.time is not None else stricter(limits, Limits(time=self._time))

    def _ruled(self, position: Position) -> Move | None:
        """Return the move of the report's own rule, if it has one here."""
        return None

    def _player(self, position: Position) -> SearchPlayer:
        """Return what searches this position."""
        return self._search_player


@dataclass(frozen=True)
class Seen:
    """A move and what a glance says of it, for the side that makes it."""

    move: Move
    value: int
    ends: bool
    """Whether the game is over after it."""


class Glance:
    """A value for every move of a position, after one or two plies with nothing left out."""

    def __init__(self, plies: int, evaluate: str) -> None:
        """Take how far to look and what a leaf is worth."""
        self._plies = plies
        self._player = SearchPlayer("minimax", {"evaluate": evaluate})

    def moves(self, position: Position) -> list[Seen]:
        """Return the legal moves, in their order."""
        trace = Trace(2 + len(position.moves) ** self._plies + len(position.moves))
        search = self._player.search_of(position.game)
        search.run(position, Limits(depth=self._plies), trace=trace)
        return [
            Seen(
                node.move,
                node.value if node.side is position.side else -node.value,
                node.end == "over",
            )
            for node in trace.nodes
            if node.parent == 0 and node.move is not None and node.value is not None
        ]


# ---------------------------------------------------------------- tree


class Tree(Recipe):
    """The MNK-Game player: a tree of candidate moves that lives as long as the game.

    Follows the report in: candidates next to played cells, by priority of threats, critical ones
    alone if there are any, else the best ``width``; leaves valued by winning scenarios; odd
    heights; the tree kept between moves; the centre first. Differs: it goes on to greater heights
    until its time is up instead of stopping at a fixed one; and it can think in the opponent's
    time, which the report names as future work.
    """

    TALLEST = 39
    """Odd, and out of reach: time or the end of the game comes first."""

    def __init__(self, options: dict[str, str]) -> None:
        """Take the options of a spec."""
        search = {"evaluate": "scenarios", "order": "priority", "near": "1"}
        super().__init__(
            "tree",
            ("mnk",),
            "gametree",
            search | {"width": options.get("width", "8")},
            limits=limits_from(options),
            time=DEFAULT_TIME,
            ponder=options.get("ponder") == "on",
        )

    def _limits(self, position: Position, limits: Limits) -> Limits:
        limits = stricter(super()._limits(position, limits), Limits(depth=self.TALLEST))
        tallest = limits.depth or self.TALLEST
        return stricter(limits, Limits(depth=tallest - (tallest % 2 == 0)))

    def _ruled(self, position: Position) -> Move | None:
        rows, cols = position.game.sizes["rows"], position.game.sizes["cols"]
        moves = position.moves
        # On an empty board every cell is a move, row by row.
        return moves[rows // 2 * cols + cols // 2] if len(moves) == rows * cols else None


# ---------------------------------------------------------------- pojam


class Pojam(Recipe):
    """The ConnectX player PojamDesi: quick checks, then alpha-beta, ever deeper.

    Follows the report in: its own first move, also as second, is the centre column; it wins at once
    if it can, drops the moves that lose at once and plays the only one left; else depth-limited
    alpha-beta from depth 3, or the last completed depth less two, with root and inner moves in the
    order of the evaluation. Differs: when every move loses at once or the time is up it plays the
    best so far, where the report plays any column. The moves that lose at once are not taken out of
    the search: at depth 2 and more alpha-beta never prefers one to a move that does not lose at
    once. Only if time ends before the first depth is finished is its answer checked against them.
    """

    def __init__(self, options: dict[str, str]) -> None:
        """Take the options of a spec."""
        search = PLAIN | {
            "evaluate": options.get("evaluate", "adjacency"),
            "order": "value",
            "start": "3",
            "resume": "on",
            "table": options.get("table", "off"),
        }
        super().__init__(
            "pojam",
            ("connect",),
            "alphabeta",
            search,
            limits=limits_from(options),
            time=DEFAULT_TIME,
        )
        self._glance = Glance(2, "none")
        self._safe: list[Move] = []

    def _choose(self, request: Request) -> Choice:
        """Check the search's answer: cut short, it may be a move that loses at once."""
        choice = super()._choose(request)
        if choice.info is None or not self._safe or choice.move in self._safe:
            return choice
        return Choice(_nearest_centre(request.position.game, self._safe))

    def _ruled(self, position: Position) -> Move | None:
        if not any(position.side.value + 1 in row for row in position.cells):
            return _nearest_centre(position.game, position.moves)
        seen = self._glance.moves(position)
        wins = [each.move for each in seen if each.ends and each.value > 0]
        if wins:
            return wins[0]
        self._safe = [each.move for each in seen if each.value >= 0]
        return self._safe[0] if len(self._safe) == 1 else None


def _nearest_centre(game: Game, moves: list[Move]) -> Move:
    centre = game.sizes["cols"] // 2 + 1
    return min(moves, key=lambda move: abs((move.number or 0) - centre))


# ---------------------------------------------------------------- bantumi

HANDS = Option("hands", 1, 100, "how far it looks: hands, a turn of either side each; 3")


def _hands(options: dict[str, str], more: int = 0) -> dict[str, str]:
    return {"hands": str(int(float(options.get("hands", "3"))) + more), "order": "store"}


class Bantumi(Recipe):
    """The Bantumi player: alpha-beta to a depth in hands, extra moves free, on any kalah.

    Follows the report in: depth counted in hands, moves ordered by the store difference with half a
    seed for another turn, leaves valued by the store difference. Differs: both bounds are passed on
    when the turn passes (the report forgets one, and so examines more), and the order is the
    mover's for either side (the report takes the first player's view for both). The exact figures
    of the report come from alphabeta with strict=on, forget=on, order=store-first.
    """

    def __init__(self, options: dict[str, str]) -> None:
        """Take the options of a spec."""
        super().__init__(
            "bantumi",
            ("kalah",),
            "alphabeta",
            PLAIN | _hands(options) | {"deepen": "off"},
            limits=limits_from(options),
        )


class BantumiOpen(Bantumi):
    """The Bantumi player with its opening study: the first two own moves are searched deeper.

    Follows the report in: the first two moves come from a search much deeper than the others.
    Differs: the report studied for hours and wrote two moves down; here the study takes ``study``
    seconds at most, is made for whatever game is played when it is needed, and is remembered as
    long as the program runs.
    """

    MORE_HANDS = 4
    MOVES = 2
    _studied: dict[tuple[object, ...], Choice] = {}  # noqa: RUF012 (meant to be shared)

    def __init__(self, options: dict[str, str]) -> None:
        """Take the options of a spec."""
        super().__init__(options)
        self.name = "bantumi-open"
        self._study_options = _hands(options, self.MORE_HANDS)
        self._study_time = float(options.get("study", "5"))

    def _choose(self, request: Request) -> Choice:
        """Study an opening move, or remember what was found; then play like bantumi."""
        position = request.position
        if not self._is_opening(position):
            return super()._choose(request)
        limits = self._limits(position, request.limits)
        request = request.limited(stricter(limits, Limits(time=self._study_time)))
        # What was found in less time is not what would be found in more.
        key = position.game.name, position.key, self._study_options["hands"], request.limits
        if key not in self._studied:
            choice = request.ask(SearchPlayer("alphabeta", self._study_options))
            if request.stopped:
                return choice
            self._studied[key] = choice
        return self._studied[key]

    def _is_opening(self, position: Position) -> bool:
        """Tell whether this is one of the side's first two moves; turns need not alternate."""
        if position.start_text is not None:
            return False
        own = 0
        earlier = position.game.start()
        for move in position.history:
            own += earlier.side is position.side
            if own == self.MOVES:
                return False
            earlier = earlier.play(move)
        return True


# ---------------------------------------------------------------- tris


class Tris(Recipe):
    """The parametric tic-tac-toe player: alpha-beta over the best successors only.

    Follows the report in: sequences as evaluation, which also order the moves; only the best
    ``width`` successors; a won or lost child ends the search of its position; a table of explored
    positions; when all is lost, the move with the best evaluation; root moves in parallel with
    ``threads``; depth and width chosen from the board's size (10x10: depth 6, 10 successors).
    Differs: the table and its memory are kept between moves, threads share one tree instead of
    dividing the root's moves, and the sizes between are ours, as the report does not print them.
    """

    BY_CELLS = (
        (9, 9, 9),
        (16, 10, 16),
        (25, 8, 20),
        (36, 8, 12),
        (64, 6, 15),
        (400, 6, 10),
        (10_000, 4, 10),
    )
    """Cells of the board up to which a depth and a width hold: a second a move at the most."""

    def __init__(self, options: dict[str, str]) -> None:
        """Take the options of a spec."""
        self._search_options = PLAIN | {
            "evaluate": "sequences",
            "order": "value",
            "early": "on",
            "near": "0",
            "table": "on",
            "memory": "8",  # a search this small would spend its time on fresh pages of a large one
            "deepen": "off",
            "threads": options.get("threads", "1"),
        }
        self._given_width = options.get("width")
        self._width = ""
        super().__init__(
            "tris", ("mnk",), "alphabeta", self._search_options, limits=limits_from(options)
        )

    @classmethod
    def depth_and_width(cls, game: Game) -> tuple[int, int]:
        """Return how many plies to look ahead on this board, and at how many moves of each."""
        cells = game.sizes["rows"] * game.sizes["cols"]
        return next((depth, width) for most, depth, width in cls.BY_CELLS if cells <= most)

    def _limits(self, position: Position, limits: Limits) -> Limits:
        limits = super()._limits(position, limits)
        if self._own_limits.depth is not None:
            return limits
        return stricter(limits, Limits(depth=self.depth_and_width(position.game)[0]))

    def _player(self, position: Position) -> SearchPlayer:
        width = self._given_width or str(self.depth_and_width(position.game)[1])
        if width != self._width:
            self._width = width
            self._search_player = SearchPlayer("alphabeta", self._search_options | {"width": width})
        return self._search_player


# ---------------------------------------------------------------- quatro


def _make_quatro_minimax(options: dict[str, str]) -> Player:
    """Make the minimax of the Connect 4 report: five levels counting the root.

    Differs: the evaluation is ours (windows of k by stones), as the report does not define its own.
    """
    limits = limits_from({"depth": "4"} | options)
    return Recipe("quatro-minimax", ("connect",), "minimax", {"evaluate": "windows"}, limits=limits)


def _make_quatro_alphabeta(options: dict[str, str]) -> Player:
    """Make the same with alpha-beta cuts, columns from left to right, and nothing else."""
    limits = limits_from({"depth": "4"} | options)
    search = PLAIN | {"evaluate": "windows", "order": "none", "deepen": "off"}
    return Recipe("quatro-alphabeta", ("connect",), "alphabeta", search, limits=limits)


def _make_quatro_mcts(options: dict[str, str]) -> Player:
    """Make the Monte Carlo tree search of the Connect 4 report.

    Follows it in: UCB1, a leaf gets all its children and one of them is played out at random, only
    wins count, 1000 iterations, the most visited move. The report prints no constant for UCB1; this
    is its usual one, the square root of two.
    """
    limits = limits_from({"iterations": "1000"} | options)
    search = {"c": "1.414", "draws": "0", "solver": "off", "reuse": "off"}
    search |= {"seed": options.get("seed", "1")}
    return Recipe("quatro-mcts", ("connect",), "mcts", search, limits=limits)


# ---------------------------------------------------------------- levels


@dataclass(frozen=True)
class Ability:
    """What a level sees and how it errs."""

    depth: int | None
    """Plies it looks ahead; None: as far as its limits allow."""
    lapses: float
    """How often it looks one ply less; with none left, any move that looks natural will do."""
    margin: float
    """How much worse than the best a move may seem and still be played. The unit is the difference
    between the best move and the middling one, so it holds for every game and size."""
    nodes: int | None
    time: float
    """Seconds at most. Depth or nodes, where given, end the search before on all but the largest
    boards."""

    @property
    def errs(self) -> bool:
        """Tell whether it ever plays less than the best it sees."""
        return self.lapses > 0 or self.margin > 0


ABILITIES = (
    Ability(depth=1, lapses=0.7, margin=2.0, nodes=None, time=0.1),
    Ability(depth=1, lapses=0.15, margin=0.8, nodes=None, time=0.1),
    Ability(depth=2, lapses=0.4, margin=0.8, nodes=None, time=0.1),
    Ability(depth=2, lapses=0.15, margin=0.65, nodes=None, time=0.1),
    Ability(depth=4, lapses=0.4, margin=0.4, nodes=None, time=0.1),
    Ability(depth=6, lapses=0.4, margin=0.2, nodes=None, time=0.15),
    Ability(depth=8, lapses=0.1, margin=0.05, nodes=None, time=0.2),
    Ability(depth=11, lapses=0.0, margin=0.0, nodes=80_000, time=0.5),
    Ability(depth=15, lapses=0.0, margin=0.0, nodes=600_000, time=1.0),
    Ability(depth=None, lapses=0.0, margin=0.0, nodes=None, time=2.0),
)
"""Of the levels 1, 2, 3 ..."""


@dataclass(frozen=True)
class Thought:
    """A move and what a level thinks of it."""

    move: Move
    standing: int
    """1 won, -1 lost, 0 open."""
    value: float
    """Greater is better among moves of the same standing: quick wins, slow losses."""
    info: Info | None = None


class Level(Chooser):
    """An opponent for people: the lower its level, the less it sees and the more it errs.

    A level that errs does not play nonsense: it takes a move that seems nearly as good as the best.
    Only the beginners' levels, 1 and 2, ever overlook a win at once. Levels that do not err search
    with every technique there is, and differ in how long.
    """

    CANDIDATES = 12
    """So many moves, those that look most natural, are thought about."""

    def __init__(self, level: int, *, seed: int | None = None) -> None:
        """Take a level, 1 to 10, and a seed for reproducible games."""
        super().__init__(f"level:{level}")
        self._ability = ABILITIES[level - 1]
        self._random = random.Random(seed)
        self._glance = Glance(1, "default")
        self._searcher: tuple[Game, SearchPlayer] | None = None

    def _choose(self, request: Request) -> Choice:
        """Choose within the level's own limits and the caller's."""
        own = self._ability
        own_limits = Limits(time=own.time, nodes=own.nodes, depth=own.depth)
        request = request.limited(stricter(own_limits, request.limits))
        position = request.position
        if not own.errs:
            return request.ask(self._player(position.game))
        natural = sorted(self._glance.moves(position), key=lambda seen: -seen.value)
        natural = natural[: self.CANDIDATES]
        if self._random.random() < own.lapses:
            if request.depth == 1:
                return Choice(self._random.choice(natural).move)
            request = request.limited(stricter(request.limits, Limits(depth=request.depth - 1)))
        thoughts, nodes = self._deepen(request, natural)
        chosen = self._random.choice(self._good_enough(thoughts))
        if chosen.info is None:
            return Choice(chosen.move)
        taken = perf_counter() - request.begin
        return Choice(chosen.move, replace(chosen.info, nodes=nodes, time=taken))

    def _deepen(self, request: Request, natural: list[Seen]) -> tuple[list[Thought], int]:
        """Think about all moves alike, ever deeper; return the thoughts and the nodes they took.

        Thoughts of different depths cannot be compared: a depth that the limits cut short is void.
        """
        thoughts, nodes = (
            [self._think(request.position, seen, Limits(depth=1)) for seen in natural],
            0,
        )
        most = request.limits.nodes
        for depth in range(2, request.depth + 1):
            deeper = []
            for seen in natural:
                left = Limits(depth=depth, nodes=None if most is None else most - nodes)
                limits = stricter(request.rest, left)
                thought = self._think(request.position, seen, limits, request.stop)
                deeper.append(thought)
                nodes += thought.info.nodes if thought.info else 0
                if request.rest.time == 0 or nodes == most or request.stopped:
                    return thoughts, nodes
            thoughts = deeper
            if any(thought.standing > 0 for thought in thoughts):
                break
        return thoughts, nodes

    def _think(
        self, position: Position, seen: Seen, limits: Limits, stop: StopToken | None = None
    ) -> Thought:
        """Look at what follows a move."""
        lines = position.game.kind != "kalah"
        if seen.ends and lines:
            return Thought(seen.move, (seen.value > 0) - (seen.value < 0), 0.0)
        depth = (limits.depth or 1) - 1
        if seen.ends or depth == 0:
            return Thought(seen.move, 0, seen.value)
        after = position.play(seen.move)
        player = self._player(position.game)
        info = player.choose(after, stricter(limits, Limits(depth=depth)), stop=stop).info
        if info is None or info.depth == 0:  # no time for a single ply
            return Thought(seen.move, 0, seen.value)
        score = _one_ply_earlier(info.score if after.side is position.side else -info.score)
        info = replace(
            info, move=seen.move, score=score, line=[seen.move, *info.line], depth=info.depth + 1
        )
        if lines and score.value and score.distance is not None:
            won = 1 if score.value > 0 else -1
            return Thought(seen.move, won, -won * score.distance, info)
        return Thought(seen.move, 0, score.value, info)

    def _good_enough(self, thoughts: list[Thought]) -> list[Thought]:
        """Keep the moves that the level cannot tell from the best one, or does not care to."""
        standing = max(thought.standing for thought in thoughts)
        like = [thought for thought in thoughts if thought.standing == standing]
        best = max(thought.value for thought in like)
        slack = self._ability.margin * (best - median(thought.value for thought in like))
        if standing:
            slack = 0.0
        return [thought for thought in like if thought.value >= best - slack]

    def _player(self, game: Game) -> SearchPlayer:
        if self._searcher is None or self._searcher[0] != game:
            self._searcher = game, SearchPlayer("alphabeta", self._search_options(game))
        return self._searcher[1]

    def _search_options(self, game: Game) -> dict[str, str]:
        if self._ability.errs:
            # Few moves and a small table: it answers at once, on any board.
            return {"width": "10", "memory": "4"}
        large = game.kind == "mnk" and game.sizes["rows"] * game.sizes["cols"] > 36
        return {"near": "2", "width": "12"} if large else {}


def _one_ply_earlier(score: Score) -> Score:
    return score if score.distance is None else replace(score, distance=score.distance + 1)


def _make_level(options: dict[str, str]) -> Player:
    if "level" not in options:
        raise InvalidPlayerError(f"it needs a level, 1 to {len(ABILITIES)}: level:5")
    seed = int(float(options["seed"])) if "seed" in options else None
    return Level(int(float(options["level"])), seed=seed)


# ---------------------------------------------------------------- names

TIME, NODES, DEPTH, ITERATIONS = (LIMITS[name] for name in ("time", "nodes", "depth", "iterations"))
SEED = Option("seed", 0, 2_000_000_000, "the same seed plays the same game")

for _kind in (
    PlayerKind(
        "tree",
        "the MNK-Game report: a tree of candidate moves, kept between moves (mnk)",
        Tree,
        (TIME, NODES, DEPTH, Option("width", 1, 100, "candidates of a position; 8"), PONDER),
    ),
    PlayerKind(
        "pojam",
        "the ConnectX report: quick checks, then alpha-beta ever deeper (connect)",
        Pojam,
        (
            TIME,
            NODES,
            DEPTH,
            Option("table", ["off", "on"], "remember positions already searched"),
            Option("evaluate", ["adjacency", "windows"], "what a leaf is worth"),
        ),
    ),
    PlayerKind(
        "bantumi",
        "the Bantumi report: alpha-beta to a depth in hands (kalah)",
        Bantumi,
        (HANDS, TIME, NODES),
    ),
    PlayerKind(
        "bantumi-open",
        "the same, with the first two own moves searched deeper (kalah)",
        BantumiOpen,
        (HANDS, TIME, NODES, Option("study", 0, 3600, "seconds for an opening move; 5")),
    ),
    PlayerKind(
        "quatro-minimax",
        "the Connect 4 report: minimax, four plies (connect)",
        _make_quatro_minimax,
        (TIME, NODES, DEPTH),
    ),
    PlayerKind(
        "quatro-alphabeta",
        "the Connect 4 report: alpha-beta, four plies (connect)",
        _make_quatro_alphabeta,
        (TIME, NODES, DEPTH),
    ),
    PlayerKind(
        "quatro-mcts",
        "the Connect 4 report: Monte Carlo tree search, 1000 iterations (connect)",
        _make_quatro_mcts,
        (TIME, ITERATIONS, SEED),
    ),
    PlayerKind(
        "tris",
        "the parametric tic-tac-toe report: alpha-beta over the best successors (mnk)",
        Tris,
        (
            TIME,
            NODES,
            DEPTH,
            Option("width", 1, 10_000, "successors of a position; by the board's size"),
            Option("threads", 1, 256, "threads that share the table"),
        ),
    ),
    PlayerKind(
        "level",
        "an opponent for people: level:1 for beginners to level:10, the strongest",
        _make_level,
        (Option("level", 1, len(ABILITIES), "written without its name: level:5"), SEED),
        bare="level",
    ),
):
    register(_kind)
