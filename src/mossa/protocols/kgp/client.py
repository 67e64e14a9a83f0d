"""Play kalah on a server that speaks the Kalah Game Protocol, KGP 1.

The server sends boards (``state``) with the client as South, and takes any number of moves for each
until it says ``stop`` or the client ``yield``; several boards may be open at once, told apart by
the number of the command.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic, sleep

from mossa._core import Limits, Position, StopToken
from mossa.errors import GameError, failure, shorten
from mossa.players import Player
from mossa.players import player as player_named
from mossa.players.clocks import share
from mossa.protocols.background import LEAVE, Thought
from mossa.protocols.connection import Address, Connection, connect
from mossa.protocols.kgp.words import Board, Command, write_text
from mossa.quantities import counted
from mossa.search import Info

MOST_STATES = 64
"""Boards that may be open at once, most of them waiting."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before a server is tried again: doubled every time, up to a minute."""

# Of the time a server gives for a move, this part is used: the rest is for the way there and back.
_OF_CLOCK = 0.9

# A server may send a board before it is ready for an answer: the course's own ignores a move that
# comes at once, and plays a random one instead.
_MOMENT = 0.05


@dataclass(frozen=True)
class Identity:
    """What a client says about itself; empty fields are left out."""

    name: str = ""
    authors: str = ""
    description: str = ""
    token: str = field(default="", repr=False)

    def options(self) -> list[tuple[str, str]]:
        """Return the options of the protocol, the token last: it takes the others along."""
        told = [
            ("info:name", self.name),
            ("info:authors", self.authors),
            ("info:description", self.description),
            ("auth:token", self.token),
        ]
        return [(option, value) for option, value in told if value]


class Players:
    """Players of one spec, one for each board in progress at the same time."""

    def __init__(self, spec: str, count: int) -> None:
        """Take how many may think at once; they are made when they are needed."""
        self._spec = spec
        self._free = threading.Semaphore(count)
        self._idle: list[Player] = []

    def take(self, *, wait: bool = True) -> Player | None:
        """Return a player as soon as one is free; None if that needs a wait that is not allowed."""
        if not self._free.acquire(blocking=wait):
            return None
        return self._idle.pop() if self._idle else player_named(self._spec)

    def give_back(self, player: Player) -> None:
        """Put a player back for another board."""
        self._idle.append(player)
        self._free.release()


@dataclass
class _Clock:
    """What the server said about the time."""

    mode: str = "none"
    left: float | None = None

    def limits(self, position: Position, own: float) -> Limits:
        """Return the limits of a move, which takes ``own`` seconds at most."""
        if self.left is None or self.mode == "none":
            return Limits(time=own)
        if self.mode == "absolute":
            return share(position, self.left, most=own)
        return Limits(time=max(0.001, min(own, self.left * _OF_CLOCK)))


class Session:
    """The conversation on one connection, whatever carries it."""

    def __init__(
        self,
        identity: Identity,
        players: Players,
        *,
        time: float,
        send: Callable[[str], object],
        tell: Callable[[str], object],
    ) -> None:
        """Take who plays, seconds a move, how to speak to the server and how to the user."""
        self._identity = identity
        self._players = players
        self._time = time
        self._send_line, self._tell = send, tell
        self._numbers = iter(range(1, 1 << 62, 2))  # those of the server are even
        self._sending = threading.Lock()
        self._clock = _Clock()
        self._thoughts: dict[str, Thought] = {}
        self.greeted = False
        self.answered = 0
        """How many boards were answered."""

    def obey(self, line: str) -> bool:
        """Obey one command; False ends the connection. Nonsense is answered with an error."""
        command = Command.read(line)
        if command is None:
            return True
        number, arguments = command.number, command.arguments
        match command.name:
            case "kgp":
                self._greet(arguments)
            case "state":
                self._open(number or "", arguments)
            case "stop":
                self._stop(command.reference)
            case "ping":
                self._send("pong", *map(write_text, arguments[:1]), to=number)
            case "set":
                self._set(arguments)
            case "error":
                self._tell(f"the server says: {shorten(' '.join(arguments), 200)}")
            case "goodbye":
                return False
            case "ok" | "nok" | "init":
                pass
            case _ if self.greeted:
                self._send("error", write_text(f"unknown command {command.name[:40]}"), to=number)
        return True

    def close(self) -> None:
        """Stop all thinking; nothing more is sent."""
        thoughts = list(self._thoughts.values())
        for thought in thoughts:
            thought.stop()
        deadline = monotonic() + LEAVE
        for thought in thoughts:
            thought.finish(max(0.0, deadline - monotonic()))

    def _send(self, *words: str, to: str | None = None) -> None:
        # In one piece with the number, so that numbers grow in the order of the lines.
        with self._sending:
            at = f"@{to}" if to else ""
            self._send_line(f"{next(self._numbers)}{at} {' '.join(words)}")

    def _greet(self, version: list[str]) -> None:
        if self.greeted:
            return
        if version[:1] != ["1"]:
            self._send("error", write_text("protocol not supported"))
            self._send("goodbye")
            raise GameError(f"the server speaks KGP {'.'.join(version)[:40]}: this is for KGP 1")
        self.greeted = True
        self._tell(f"connected, KGP {'.'.join(version)[:40]}")
        for option, value in self._identity.options():
            self._send("set", option, write_text(value))
        self._send("mode", "freeplay")

    def _set(self, arguments: list[str]) -> None:
        """Note the time; all other options are for people."""
        match arguments:
            case ["time:mode", mode]:
                self._clock.mode = mode
            case ["time:clock", seconds] if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", seconds):
                self._clock.left = float(seconds)

    def _open(self, number: str, arguments: list[str]) -> None:
        """Start to think about a board."""
        if not self.greeted or number in self._thoughts:
            return
        try:
            board = Board.read(" ".join(arguments))
        except ValueError as error:
            self._send("error", write_text(str(error)), to=number)
            return
        if len(self._thoughts) >= MOST_STATES:
            self._send("error", write_text(f"more than {MOST_STATES} boards"), to=number)
            return
        clock = replace(self._clock)  # as it stands now
        begun = threading.Event()  # it may end before it is known to have begun

        def work(token: StopToken) -> None:
            begun.wait()
            try:
                self._answer(number, board, clock, token)
            finally:
                self._thoughts.pop(number, None)

        self._thoughts[number] = Thought(work)
        begun.set()

    def _stop(self, reference: str | None) -> None:
        """Stop thinking about one board, or about all if it does not say which."""
        for number, thought in list(self._thoughts.items()):
            if reference is None or number == reference:
                thought.stop()

    def _answer(self, number: str, board: Board, clock: _Clock, token: StopToken) -> None:
        """Send better and better moves until the time is up or the server stops it."""
        sent: list[str] = []
        begin = monotonic()

        def move(text: str, info: Info | None = None) -> None:
            if not sent:
                sleep(max(0.0, begin + _MOMENT - monotonic()))
            if token.stopped or sent[-1:] == [text]:
                return
            if info is not None:
                self._send("set", "info:comment", write_text(_comment(info)))
            self._send("move", text, to=number)
            sent.append(text)

        position = board.position()
        if position is not None and position.outcome is None:
            self._think(position, clock.limits(position, self._time), move, token)
        # What our kalah is too small for, what it takes for over, a player that failed: the server
        # wants a move, and any is better than none.
        if not sent and board.any_move is not None:
            move(board.any_move)
        if not token.stopped:
            self._send("yield", to=number)
        self.answered += 1

    def _think(
        self,
        position: Position,
        limits: Limits,
        move: Callable[[str, Info | None], None],
        token: StopToken,
    ) -> None:
        player = self._players.take(wait=False)
        if player is None:
            # All are busy: a move to begin with, in case the server does not wait so long.
            move(str(position.moves[-1]), None)
            player = self._players.take()
            assert player is not None
        try:
            if token.stopped:
                return
            if len(position.moves) == 1:
                move(str(position.moves[0]), None)
                return
            choice = player.ask(
                position,
                limits,
                report=lambda info: move(str(info.move), info),
                stop=token,
            )
            move(str(choice.move), choice.info)
        except Exception as error:
            # Whoever asked must not wait for ever, and the next game may go better.
            self._tell(failure(error).reason)
        finally:
            self._players.give_back(player)


def _comment(info: Info) -> str:
    return f"{info.score}, depth {info.depth}, {counted(info.nodes, 'node')}"


class Client:
    """Plays on a server, and comes back when the connection is lost."""

    def __init__(
        self,
        spec: str,
        identity: Identity,
        *,
        time: float = 5.0,
        games: int = 4,
        tell: Callable[[str], object] = lambda line: None,
    ) -> None:
        """Take who plays, seconds a move, boards at the same time, and how to tell the user."""
        self._identity = identity
        self._players = Players(spec, games)
        self._time = time
        self._tell = tell
        self._closed = threading.Event()
        self._connection: Connection | None = None

    def run(self, server: Address, *, once: bool = False) -> None:
        """Play until `close`; with ``once`` until the connection, which must succeed, ends."""
        pause = FIRST_PAUSE
        while not self._closed.is_set():
            try:
                connection = connect(server)
            except OSError as error:
                why = f"cannot reach {server}: {error.strerror or error}"
                if once:
                    raise GameError(why) from None
            else:
                begin = monotonic()
                session = self._play(connection)
                if once and session.greeted:
                    return
                why = (
                    "the connection has ended"
                    if session.greeted
                    else f"{server} does not speak KGP"
                )
                if once:
                    raise GameError(why)
                # A server that lets nobody stay is not to be knocked up every second.
                if session.answered or monotonic() - begin > LONGEST_PAUSE:
                    pause = FIRST_PAUSE
            if self._closed.is_set():
                return
            self._tell(f"{why}; trying again in {pause:g} s")
            self._closed.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def close(self) -> None:
        """Stop, from another thread."""
        self._closed.set()
        if self._connection is not None:
            self._connection.close()

    def _play(self, connection: Connection) -> Session:
        self._connection = connection
        session = Session(
            self._identity,
            self._players,
            time=self._time,
            send=connection.send,
            tell=self._tell,
        )
        try:
            for line in connection.lines():
                if self._closed.is_set() or not session.obey(line):
                    break
                if session.greeted:
                    connection.greeted()
        finally:
            session.close()
            connection.close()
        return session
