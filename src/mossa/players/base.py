"""What a player is: a name, a choice of moves, and any other abilities it declares.

Everything that deals with players uses this one interface and never asks for a player's class. An
object with only a name and ``choose`` gets wrapped on entry: see `mossa.players.spec.player`.
"""

from __future__ import annotations

import operator
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from mossa._core import Game, Limits, Move, Position, Side, StopToken
from mossa.errors import (
    BrokenGameError,
    GameError,
    InvalidPlayerError,
    PlayerFailedError,
    failure,
    is_in_python,
    shorten,
)
from mossa.networks import Network
from mossa.players.clocks import MARGIN, Turn
from mossa.sandbox import SandboxLimits
from mossa.search import NO_LIMITS, Info

Report = Callable[[Info], object]
"""Called with every better answer while a player searches."""


@dataclass(frozen=True)
class Choice:
    """The move a player chose, and what it knows about it."""

    move: Move
    info: Info | None = None


@runtime_checkable
class MinimalPlayer(Protocol):
    """The least that `player` accepts: an object with a name and a choice of moves."""

    name: str

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Choose a legal move within the limits; the game must not be over."""
        ...


class Player(ABC):
    """Chooses moves. A player of your own needs ``name`` and ``choose``; the rest has defaults.

    The attributes, and the methods after ``choose``, are abilities: a class declares one by
    overriding it.
    """

    name: str
    keeps_time: bool = False
    """It returns by itself when its time is up; the referee of a match watches the others."""
    is_person: bool = False
    """A person types its moves, in no hurry and without scores."""
    is_guest: bool = False
    """It connects over the network when it likes: a match waits for it, a worker cannot."""
    is_away: bool = False
    """It is absent for now, so its games have to wait."""
    whole_games: bool = False
    """It plays games from the start only, and cannot take over after an opening."""
    plays_python: bool = False
    """It also plays games written in Python, whose rules only their file knows."""
    protocol: str | None = None
    """The protocol of a program outside this process; None for everyone else."""

    def __repr__(self) -> str:
        """Return the player by its name."""
        return f"<Player {shorten(getattr(self, 'name', type(self).__name__))}>"

    @abstractmethod
    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Choose a legal move within the limits; the game must not be over.

        Without limits a player uses its own, or thinks as long as it finds reasonable.
        """

    def ask(
        self,
        position: Position,
        limits: Limits,
        *,
        report: Report | None = None,
        stop: StopToken | None = None,
    ) -> Choice:
        """Let the player choose a legal move; raise PlayerFailedError for anything else it does.

        A searching player calls ``report`` with every better answer, and ``stop`` ends its search
        from another thread. Other players ignore both.
        """
        return choice_of(self, position, limits)

    def choose_within(self, position: Position, turn: Turn) -> Choice:
        """Choose a move under a clock; raise PlayerFailedError if there is no legal one."""
        return choice_of(self, position, turn.limits)

    def plays(self, game: Game) -> bool:
        """Tell whether the player plays this game."""
        return self.plays_python or not is_in_python(game)

    def check_game(self, game: Game) -> None:
        """Raise InvalidPlayerError if the player does not play this game."""
        if is_in_python(game) and not self.plays_python:
            raise InvalidPlayerError(
                f"{self.name} does not play games written in Python: "
                "searches, levels, engine, human, random and Python functions do"
            )
        if not self.plays(game):
            raise InvalidPlayerError(f"{self.name} does not play {game}")

    def check_opening(self) -> None:
        """Raise InvalidPlayerError if the player cannot take over after other players' moves."""
        if self.whole_games:
            raise InvalidPlayerError(
                f"{self.name} plays whole games only: it takes no openings; "
                "a tournament without them has --plies 0"
            )

    def prove(
        self, position: Position, limits: Limits, *, stop: StopToken | None = None
    ) -> Info | None:
        """Return the exact score of a position with the best move; None if it is not found."""
        return None

    def width(self, game: Game) -> int | None:
        """Return the most moves of a position it tries; None: all, or unknown."""
        return None

    def network_of(self, game: Game) -> Network | None:
        """Return the network that evaluates positions for it; None: none, or unknown."""
        return None

    def confine(self, limits: SandboxLimits) -> None:
        """Run other people's code in a sandbox from now on, or raise InvalidPlayerError."""
        raise InvalidPlayerError(
            f"player {shorten(self.name)} cannot run in a sandbox: it runs in mossa's own process"
        )

    # The rest does nothing unless a player overrides it.

    def limit(  # noqa: B027
        self, *, memory: int, start: float, margin: float = MARGIN, time: float | None = None
    ) -> None:
        """Set a program's megabytes, and its seconds to start, of grace and for a usual move."""

    def prepare(self, game: Game, side: Side | None = None) -> None:  # noqa: B027
        """Get ready for a new game before its clock starts; raise PlayerFailedError on failure."""

    def warm_up(self, game: Game) -> None:  # noqa: B027
        """Build the tables that its first move will need."""

    def end(self, position: Position) -> None:  # noqa: B027
        """Hear how a game ended, before close(); nothing it does counts any more."""

    def close(self) -> None:  # noqa: B027
        """End whatever runs between its moves: pondering, a program. It may play again later."""


class SearchingPlayer(Player):
    """A player that obeys limits, reports better answers as it finds them, and can be stopped."""

    keeps_time = True
    plays_python = True

    @abstractmethod
    def choose(
        self,
        position: Any,
        limits: Limits = NO_LIMITS,
        *,
        report: Report | None = None,
        stop: StopToken | None = None,
    ) -> Choice:
        """Choose within the limits, or when stopped; call ``report`` with every better answer."""

    def ask(
        self,
        position: Position,
        limits: Limits,
        *,
        report: Report | None = None,
        stop: StopToken | None = None,
    ) -> Choice:
        """Choose; the player is one of ours, so the caller sees its exceptions unchanged."""
        return self.choose(position, limits, report=report, stop=stop)

    def warm_up(self, game: Game) -> None:
        """Search as little as possible."""
        self.choose(game.start(), Limits(time=0.001, depth=1))


# ---------------------------------------------------------------- what a player answers


def checked(answer: object, position: Position) -> Choice:
    """Return a player's answer as a legal choice; raise PlayerFailedError if it is not one.

    Besides a Choice, a move or its text will do, and a number if moves are numbers.
    """
    info = answer.info if isinstance(answer, Choice) else None
    given = answer.move if isinstance(answer, Choice) else answer
    if (number := _number_text(given)) is not None and _has_numbers(position):
        given = number
    if not isinstance(given, Move | str):
        raise PlayerFailedError("output", _not_a_move(given, position))
    try:
        moved = position.play(given)
    except BrokenGameError:
        raise
    except GameError as error:
        raise PlayerFailedError("illegal", str(error)) from None
    assert moved.last_move is not None
    return Choice(moved.last_move, info)


def choice_of(player: Player, position: Position, limits: Limits) -> Choice:
    """Ask a player for a legal move; raise PlayerFailedError for anything else it does."""
    try:
        return checked(player.choose(position, limits), position)
    except (Exception, SystemExit) as error:
        raise failure(error) from error


def _number_text(given: object) -> str | None:
    """Return the digits of a whole number, NumPy's too; None for anything else."""
    if isinstance(given, bool):
        return None
    try:
        return str(operator.index(given))  # type: ignore[arg-type]
    except Exception:  # whatever other people's classes may raise
        return None


def _has_numbers(position: Position) -> bool:
    return any(move.number is not None for move in position.moves)


def _not_a_move(given: object, position: Position) -> str:
    """Say what was returned, and what to return instead."""
    try:
        shown = " ".join(reprlib.repr(given).split())
    except Exception:  # a number of a million digits, say
        shown = "something"
    if given is None:
        what = "None (is a return statement missing?)"
    else:
        what = f"{shown} ({type(given).__name__})"
    example = next((move for move in position.moves if move.number), position.moves[0])
    number = "" if example.number is None else f", or its number, such as {example.number}"
    return (
        f"returned {what}, which is not a move: return one of position.moves, "
        f"or its text, such as {str(example)!r}{number}"
    )
