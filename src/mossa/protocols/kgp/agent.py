"""An agent of the Kalah Game Protocol that has called us, as a player.

It is sent a board as South (``state``) and says ``move`` as often as it finds a better one, until
it says ``yield`` or we say ``stop``; the last move counts. One thread listens to it all the time,
the thread of the game waits for what that one hears.
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from time import monotonic

from mossa._core import Game, Limits, Position, Shape, Side
from mossa.errors import GameError, PlayerFailedError, shorten
from mossa.games import game as game_named
from mossa.players import Choice, Player
from mossa.players.clocks import MARGIN, START, Turn
from mossa.protocols.connection import Connection
from mossa.protocols.kgp.words import KIND, Board, Command, write_text
from mossa.protocols.ugi.drive import legal
from mossa.sandbox import SandboxLimits
from mossa.search import NO_LIMITS

VERSION = (1, 0, 0)

USUAL_TIME = 5.0
"""Seconds per move without a clock: what the course's server gives."""

LONGEST_NAME = 40

_PATIENCE = 20  # things that make no sense, after which an agent has to leave
_RETURN = 0.02  # seconds before the time is up that an agent is stopped, so as not to be late
_PONG = 2.0  # seconds to answer a ping in the middle of a game
_HARMLESS = {"majority"}
"""Rules that agents need not know: they only end a game whose winner is certain."""


class RefusedError(GameError):
    """An agent is not let in, or has to leave; the message is for it and for the user."""


@dataclass
class _Question:
    """A board that an agent is thinking about."""

    number: str
    move: str | None = None
    yielded: bool = False


class Guest(Player):
    """What all players that use KGP share."""

    _start: float = START

    def plays(self, game: Game) -> bool:
        """Tell whether the protocol is for this game: it knows one set of rules, and every size."""
        if game.traits.shape is not Shape.pits or "swap" not in game.options:
            return False
        usual = game_named(KIND).options
        return all(
            usual[name] == value for name, value in game.options.items() if name not in _HARMLESS
        )

    def limit(
        self, *, memory: int, start: float, margin: float = MARGIN, time: float | None = None
    ) -> None:
        """Set how many seconds an agent has to show that it is alive."""
        self._start = start

    def confine(self, limits: SandboxLimits) -> None:
        """Do nothing: it does not run here, so it needs no sandbox."""


class Agent(Guest):
    """An agent at the other end of a connection. It plays one game after the other."""

    keeps_time = True
    is_guest = True

    def __init__(
        self,
        connection: Connection,
        where: str,
        *,
        tell: Callable[[str], object] = lambda line: None,
    ) -> None:
        """Take the connection and where it comes from; `attend` begins to talk."""
        self.name = "agent"
        self.authors = ""
        self.where = where
        self.is_seated = False  # in a tournament
        self.random_moves = 0
        """How often it sent no move."""
        self._connection, self._tell = connection, tell
        self._numbers = count(2, 2)  # those of clients are odd
        self._playing = False
        self._nonsense = 0
        self._news = threading.Condition()
        # What both threads share, under the condition:
        self._gone: str | None = None
        self._question: _Question | None = None
        self._awaited: str | None = None
        """The number of a ping that has not been answered yet."""

    # -------------------------------------------------------------- its connection

    def attend(self, admit: Callable[[Agent], object]) -> None:
        """Talk to the agent until it is gone.

        ``admit`` is called when it asks to play, in its own thread; it may raise RefusedError.
        """
        reason = "the connection has ended"
        try:
            self._send("kgp", *map(str, VERSION))
            self._send("set", "info:name", write_text("mossa"))
            for line in self._connection.lines():
                if not self._obey(line, admit):
                    reason = "it said goodbye"
                    break
            else:
                if not self._playing:
                    raise RefusedError("it hung up, or was silent, before it asked for a mode")
        except RefusedError as error:
            reason = str(error)
            self._tell(f"{self.where} ({self.name}): {error}")
            self._send("error", write_text(reason))
            self._send("goodbye")
        finally:
            with self._news:
                self._gone = self._gone or reason
                self._news.notify_all()
            if self.random_moves > 1:
                self._tell(f"{self.name} sent no move {self.random_moves} times in all")

    def leave(self) -> None:
        """Say goodbye to it."""
        with self._news:
            gone, self._gone = self._gone, self._gone or "we said goodbye"
            self._news.notify_all()
        if gone is None:
            self._send("goodbye")
        self._connection.close()

    @property
    def is_away(self) -> bool:  # type: ignore[override]
        """Whether the connection has ended."""
        return self._gone is not None

    def _send(self, *words: str, to: str | None = None, number: str | None = None) -> None:
        at = f"@{to}" if to else ""
        self._connection.send(f"{number or next(self._numbers)}{at} {' '.join(words)}")

    # -------------------------------------------------------------- what it says

    def _obey(self, line: str, admit: Callable[[Agent], object]) -> bool:
        """Handle a line; False if it was the last one."""
        if not line.strip():
            return True
        command = Command.read(line)
        match command:
            case Command(name="mode", arguments=[mode]):
                self._enter(mode, command, admit)
            case Command(name="set", arguments=[option, *values]):
                self._set(option, " ".join(values))
            case Command(name="goodbye"):
                return False
            case Command(name="pong"):
                self._hear_pong(command)
            case Command(name="ping"):
                self._send("pong", *map(write_text, command.arguments[:1]), to=command.number)
            case Command(name="move", arguments=[move]) if re.fullmatch(r"\d{1,4}", move):
                self._hear_move(command, move)
            case Command(name="yield"):
                self._hear_yield(command)
            case Command(name="error") if not self._playing:
                raise RefusedError(f"it says {shorten(' '.join(command.arguments), 100)}")
            case Command(name="ok" | "error"):
                pass
            case _:
                self._wonder(line, command)
        return True

    def _enter(self, mode: str, command: Command, admit: Callable[[Agent], object]) -> None:
        if self._playing:
            raise RefusedError("it asked for a mode twice")
        if mode != "freeplay":
            raise RefusedError(
                f"it asked for mode {shorten(mode)}: only freeplay is supported here"
            )
        self._playing = True
        self._connection.greeted()
        self._send("ok", to=command.number)
        admit(self)

    def _set(self, option: str, value: str) -> None:
        """Note who it is, until others are told; everything else is for other servers."""
        if self._playing:
            return
        plain = " ".join("".join(each if each.isprintable() else " " for each in value).split())
        if option == "info:name" and plain:
            self.name = plain[:LONGEST_NAME]
        elif option in ("info:authors", "info:author"):
            self.authors = plain[:200]

    def _wonder(self, line: str, command: Command | None) -> None:
        """Object to nonsense: at once before it plays, after a while when it does."""
        self._nonsense += 1
        if not self._playing:
            raise RefusedError(f"it does not speak KGP: {shorten(line)}")
        if self._nonsense > _PATIENCE:
            raise RefusedError(
                f"it sends too many lines that make no sense, such as {shorten(line)}"
            )
        number = None if command is None else command.number
        self._send("error", write_text(f"cannot make sense of {shorten(line, 40)}"), to=number)

    def _hear_move(self, command: Command, move: str) -> None:
        with self._news:
            if (question := self._asked(command)) is not None and not question.yielded:
                question.move = move

    def _hear_yield(self, command: Command) -> None:
        with self._news:
            if (question := self._asked(command)) is not None:
                question.yielded = True
                self._news.notify_all()

    def _asked(self, command: Command) -> _Question | None:
        """Return the question that was answered; late answers are ignored."""
        question = self._question
        if question is None or command.reference not in (None, question.number):
            return None
        return question

    def _hear_pong(self, command: Command) -> None:
        with self._news:
            if command.reference in (None, self._awaited):
                self._awaited = None
                self._news.notify_all()

    # -------------------------------------------------------------- as a player

    def prepare(self, game: Game, side: Side | None = None) -> None:
        """Check that it is alive."""
        if not self._answers_ping(monotonic() + self._start):
            reason = self._gone or f"no answer to a ping within {self._start:g} s"
            raise PlayerFailedError("start", reason)

    def _answers_ping(self, deadline: float) -> bool:
        number = str(next(self._numbers))
        with self._news:
            if self._gone is not None:
                return False
            self._awaited = number
        self._send("ping", number=number)
        with self._news:
            self._news.wait_for(
                lambda: self._awaited != number or self._gone is not None,
                max(0.0, deadline - monotonic()),
            )
            return self._awaited != number and self._gone is None

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Ask for a move."""
        time = USUAL_TIME if limits.time is None else limits.time
        return self.choose_within(position, Turn(limits, time + MARGIN, limits.time))

    def choose_within(self, position: Position, turn: Turn) -> Choice:
        """Let it think until it yields or its time is up; then its last move counts."""
        time = USUAL_TIME if turn.limits.time is None else turn.limits.time
        begin = monotonic()
        question = _Question(str(next(self._numbers)))
        with self._news:
            self._fail_if_gone()
            self._question = question
        if time >= 1:  # the protocol has whole seconds
            self._send("set", "time:mode", write_text("relative"))  # jkgp wants the quotes
            self._send("set", "time:clock", str(int(time)))
        self._send("state", str(Board.of(position)), number=question.number)
        try:
            with self._news:
                self._news.wait_for(
                    lambda: question.yielded or self._gone is not None,
                    time - min(_RETURN, time / 10) - (monotonic() - begin),
                )
        finally:
            with self._news:
                self._question = None
            self._send("stop", to=question.number)
        if question.move is None:
            return Choice(legal(position, self._undecided(position, question, begin, turn)))
        if not question.yielded:
            self._fail_if_gone()
        return Choice(legal(position, question.move))

    def _undecided(self, position: Position, question: _Question, begin: float, turn: Turn) -> str:
        """Return a random move, as the protocol demands, for an agent that sent none in time."""
        latest = min(begin + turn.deadline - MARGIN / 5, monotonic() + _PONG)
        there = question.yielded or self._answers_ping(latest)
        self._fail_if_gone()
        if not there:
            raise PlayerFailedError("time", f"no move, and no answer to a ping; {turn.limit}")
        self.random_moves += 1
        if self.random_moves == 1:
            self._tell(f"{self.name} sent no move: a random one is played, as KGP requires")
        return str(random.Random(position.text).choice(position.moves))

    def _fail_if_gone(self) -> None:
        if self._gone is not None:
            raise PlayerFailedError("crash", self._gone)
