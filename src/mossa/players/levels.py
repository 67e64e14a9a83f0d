"""Opponents for people, from beginners' level to the strongest."""

import random
from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter

from mossa._core import Game, Limits, Move, Option, Position, Scoring, StopToken
from mossa.errors import InvalidPlayerError
from mossa.players.base import Choice, Player, SearchingPlayer
from mossa.players.chooser import Chooser, Glance, Request
from mossa.players.engine import Engine
from mossa.players.registry import SEED, Group, PlayerKind
from mossa.players.searching import SearchPlayer, stricter
from mossa.search import Info, RootMove, move_score


@dataclass(frozen=True)
class Ability:
    """What a level sees and what mistakes it makes."""

    word: str
    """What people call somebody who plays like this."""
    depth: int | None
    """Plies it looks ahead; None: as far as the engine gets within the other limits."""
    lapses: float
    """How often it looks one ply less; with none left, it plays any natural-looking move."""
    margin: float
    """How much worse than the best a move may seem and still be played. The unit is the difference
    between the best move and the middling one, so it holds for every game and size."""
    nodes: int | None
    """The most nodes it looks at; None: all that depth or time allow."""
    time: float
    """Seconds at most. Depth or nodes, where given, end the search before on all but the largest
    boards."""

    @property
    def errs(self) -> bool:
        """Tell whether it ever plays less than the best it sees."""
        return self.lapses > 0 or self.margin > 0


ABILITIES = (
    Ability("beginner", depth=1, lapses=0.7, margin=2.0, nodes=None, time=0.1),
    Ability("novice", depth=1, lapses=0.15, margin=0.8, nodes=None, time=0.1),
    Ability("casual", depth=2, lapses=0.4, margin=0.8, nodes=None, time=0.1),
    Ability("hobbyist", depth=2, lapses=0.15, margin=0.65, nodes=None, time=0.1),
    Ability("regular", depth=4, lapses=0.4, margin=0.4, nodes=None, time=0.1),
    Ability("club player", depth=6, lapses=0.4, margin=0.2, nodes=None, time=0.15),
    Ability("strong", depth=8, lapses=0.1, margin=0.05, nodes=None, time=0.2),
    Ability("expert", depth=None, lapses=0.0, margin=0.0, nodes=1_500, time=0.5),
    Ability("master", depth=None, lapses=0.0, margin=0.0, nodes=15_000, time=1.0),
    Ability("the strongest", depth=None, lapses=0.0, margin=0.0, nodes=None, time=2.0),
)
"""The abilities of levels 1, 2, 3 ..."""


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
    Only the beginners' levels, 1 and 2, ever overlook a win at once. Levels that do not err are the
    engine, and differ in how far it looks; only the highest plays from books.
    """

    CANDIDATES = 12
    """It thinks about this many moves, the most natural-looking ones."""

    def __init__(self, level: int, *, seed: int | None = None, timed: bool = True) -> None:
        """Take a level, 1 to 10, and a seed for reproducible games.

        Without its clock (``timed``) a level plays the same on every machine, however busy; limits
        of nodes then keep large boards from taking long.
        """
        super().__init__(f"level:{level}")
        self._ability = ABILITIES[level - 1]
        self._time = self._ability.time if timed else None
        self._random = random.Random(seed)
        self._glance = Glance(1, "default")
        self._searcher: tuple[Game, SearchingPlayer] | None = None

    def _choose(self, request: Request) -> Choice:
        """Choose within both the level's and the caller's limits."""
        own = self._ability
        own_limits = Limits(time=self._time, nodes=own.nodes, depth=own.depth)
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

    def _deepen(self, request: Request, natural: list[RootMove]) -> tuple[list[Thought], int]:
        """Think about all moves equally, deeper and deeper; return the thoughts and their nodes.

        Thoughts of different depths do not compare, so a depth cut short by the limits is void.
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
        self, position: Position, seen: RootMove, limits: Limits, stop: StopToken | None = None
    ) -> Thought:
        """Look at what follows a move."""
        decisive = position.game.traits.scoring is Scoring.outcome
        if seen.ends and decisive:
            return Thought(seen.move, (seen.value > 0) - (seen.value < 0), 0.0)
        depth = (limits.depth or 1) - 1
        if seen.ends or depth == 0:
            return Thought(seen.move, 0, seen.value)
        after = position.play(seen.move)
        player = self._player(position.game)
        info = player.choose(after, stricter(limits, Limits(depth=depth)), stop=stop).info
        if info is None or info.depth == 0:  # no time for a single ply
            return Thought(seen.move, 0, seen.value)
        score = move_score(info.score, position, after)
        info = replace(
            info, move=seen.move, score=score, line=[seen.move, *info.line], depth=info.depth + 1
        )
        if decisive and score.standing:
            return Thought(seen.move, score.standing, -score.standing * (score.distance or 0), info)
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

    def _player(self, game: Game) -> SearchingPlayer:
        if self._searcher is None or self._searcher[0] != game:
            self._searcher = game, self._make_searcher()
        return self._searcher[1]

    def _make_searcher(self) -> SearchingPlayer:
        if self._ability.errs:
            # Few moves and a small table: it answers at once, on any board.
            return SearchPlayer("alphabeta", {"width": "10", "memory": "4"})
        if self._ability.nodes is None:
            return Engine()
        # A book would make all of them perfect on the boards that have one.
        return Engine(memory=32, book=False)


def _make_level(options: dict[str, str]) -> Player:
    if "level" not in options:
        raise InvalidPlayerError(f"it needs a level, 1 to {len(ABILITIES)}: level:5")
    seed = int(float(options["seed"])) if "seed" in options else None
    return Level(int(float(options["level"])), seed=seed)


KIND = PlayerKind(
    "level",
    "an opponent for people: level:1 for beginners to level:10, the strongest",
    _make_level,
    (Option("level", 1, len(ABILITIES), "written without its name: level:5"), SEED),
    group=Group.engine,
    example="level:5",
    bare="level",
)
