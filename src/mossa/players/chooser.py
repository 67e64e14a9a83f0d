"""What recipes share: players that ask a search of the core, or glance at every move."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter

from mossa._core import Game, Limits, Move, Position, Scoring, Shape, StopToken
from mossa.errors import GameError, InvalidPlayerError, expect_limits, expect_position
from mossa.games import KINDS, example_of
from mossa.games import game as game_named
from mossa.players.base import Choice, Report, SearchingPlayer
from mossa.players.registry import LIMITS
from mossa.players.searching import SearchPlayer, stricter
from mossa.search import NO_LIMITS, Info, RootMove, final_score, move_score, root_moves

COURSE_TIME = 10.0
"""Seconds a move that the courses allow: the most a recipe of fixed depth takes unless told."""

PLAIN = {"table": "off", "pvs": "off", "killers": "off", "history": "off"}
"""Alpha-beta as the reports wrote it, without the techniques that they do not have."""

TIME, NODES, DEPTH, ITERATIONS = (LIMITS[name] for name in ("time", "nodes", "depth", "iterations"))

Plays = Callable[[Game], bool]
"""Tells which games a player plays."""


def any_game(game: Game) -> bool:
    """Every game."""
    return True


def falling_lines(game: Game) -> bool:
    """Games of k in a row where stones fall."""
    return game.traits.lines and game.traits.falls


def sowing(game: Game) -> bool:
    """Games of pits where the difference of the stores is the score."""
    return game.traits.shape is Shape.pits and game.traits.scoring is Scoring.margin


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
        left = max(0.0, self.limits.time - self.taken)
        longest = self.limits.longest and max(left, self.limits.longest - self.taken)
        return stricter(self.limits, Limits(time=left, longest=longest))

    @property
    def taken(self) -> float:
        """Seconds since the question."""
        return perf_counter() - self.begin

    @property
    def depth(self) -> int:
        """Plies to look ahead, where that is limited."""
        return self.limits.depth or 1

    @property
    def stopped(self) -> bool:
        """Whether the caller wants an answer at once."""
        return self.stop is not None and self.stop.stopped

    def ask(self, player: SearchingPlayer) -> Choice:
        """Let a player choose in what is left of the limits."""
        return player.choose(self.position, self.rest, report=self.report, stop=self.stop)


def look_at(position: Position, move: Move, look: Callable[[Position], Info | None]) -> Info | None:
    """Return what a look at the position after a move says, for the side that makes the move."""
    after = position.play(move)
    if after.outcome is not None:
        score = move_score(final_score(after), position, after)
        return Info(move, score, [move], 1, 0, 0.0, 0)
    found = look(after)
    if found is None:
        return None
    line, depth = [move, *found.line], found.depth + 1
    return replace(
        found, move=move, score=move_score(found.score, position, after), line=line, depth=depth
    )


class Chooser(SearchingPlayer):
    """A player that chooses only where there is something to choose, on the games it plays."""

    def __init__(self, name: str, plays: Plays = any_game) -> None:
        """Take the name of the player and the games it is for."""
        self.name = name
        self._plays = plays

    def plays(self, game: Game) -> bool:
        """Tell whether the player plays this game."""
        return self._plays(game)

    def check_game(self, game: Game) -> None:
        """Raise if the player does not play this game, and say which ones it plays."""
        if not self.plays(game):
            own = (kind for kind in KINDS if self.plays(game_named(example_of(kind))))
            raise InvalidPlayerError(f"{self.name} plays {' and '.join(own)}, not {game}")

    def choose(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        *,
        report: Report | None = None,
        stop: StopToken | None = None,
    ) -> Choice:
        """Choose within the limits; call ``report`` with every better answer."""
        begin = perf_counter()
        expect_position(position, "choose()")
        expect_limits(limits, "choose()")
        self.check_game(position.game)
        if position.outcome is not None:
            raise GameError(f"no move in {position.game}: the game is over ({position.outcome})")
        return self._choose(Request(position, limits, report, stop, begin))

    def _choose(self, request: Request) -> Choice:
        """Choose, the game being one of its own and not over."""
        raise NotImplementedError


class Recipe(Chooser):
    """A search with the options of one report, for the games it plays."""

    def __init__(
        self,
        name: str,
        plays: Plays,
        algorithm: str,
        options: Mapping[str, str],
        *,
        limits: Limits | None = None,
        time: float = COURSE_TIME,
        ponder: bool = False,
    ) -> None:
        """Take the search and its own limits; ``time`` holds when nobody limits the time."""
        super().__init__(name, plays)
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

    def close(self) -> None:
        """End the thinking in the opponent's time, if there is any."""
        self._search_player.close()

    def width(self, game: Game) -> int | None:
        """Return the most moves of a position it tries; None if it tries all."""
        return self._search_player.width(game)

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


class Glance:
    """A value for every move of a position, after one or two plies with nothing left out."""

    def __init__(self, plies: int, evaluate: str) -> None:
        """Take how far to look and what a leaf is worth."""
        self._plies = plies
        self._player = SearchPlayer("minimax", {"evaluate": evaluate})

    def moves(self, position: Position) -> list[RootMove]:
        """Return the legal moves, in their order."""
        return root_moves(self._player.search_of(position.game), position, self._plies)
