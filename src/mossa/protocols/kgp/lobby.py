"""Where agents gather for a tournament, and return to their seats after a break.

A seat belongs to a name. The tournament plays with seats; who sits there is the agent that called
last under that name, or nobody.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from itertools import count
from time import monotonic

from mossa._core import Game, Limits, Position, Side
from mossa.errors import PlayerFailedError
from mossa.players import Choice
from mossa.players.clocks import Turn
from mossa.protocols.connection import Connection
from mossa.protocols.kgp.agent import Agent, Guest, RefusedError
from mossa.protocols.listening import Listener
from mossa.search import NO_LIMITS

Tell = Callable[[str], object]


class Seat(Guest):
    """The place of an agent in a tournament."""

    keeps_time = True
    is_guest = True

    def __init__(self, name: str) -> None:
        """Take the name of whoever sits here."""
        self.name = name
        self.agent: Agent | None = None

    @property
    def is_away(self) -> bool:  # type: ignore[override]
        """Whether the seat is empty."""
        return self.agent is None or self.agent.is_away

    def prepare(self, game: Game, side: Side | None = None) -> None:
        """Check that somebody sits here."""
        agent = self._agent("start")
        agent.limit(memory=0, start=self._start)
        agent.prepare(game, side)

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Ask whoever sits here."""
        return self._agent("crash").choose(position, limits)

    def choose_within(self, position: Position, turn: Turn) -> Choice:
        """Ask whoever sits here."""
        return self._agent("crash").choose_within(position, turn)

    def _agent(self, kind: str) -> Agent:
        if self.agent is None:
            raise PlayerFailedError(kind, "it is not here")
        return self.agent


class Lobby:
    """Lets agents in and seats them: new ones until the tournament begins, old ones always."""

    def __init__(
        self,
        port: int,
        *,
        anywhere: bool = False,
        expected: Collection[str] = (),
        taken: Collection[str] = (),
        tell: Tell = lambda line: None,
    ) -> None:
        """Listen on a port; ``expected`` names the seats of a tournament that goes on.

        ``taken`` are names that others play under. Raises GameError if it cannot listen.
        """
        self.seats = {name: Seat(name) for name in expected}
        self._taken = set(taken)
        self._open = not expected
        self._tell = tell
        self._changed = threading.Condition()
        self._listener = Listener(port, self._attend, anywhere=anywhere, tell=tell)
        self.address = self._listener.address
        self.port = self._listener.port

    def close(self) -> None:
        """Say goodbye to everybody, and listen no more."""
        for seat in list(self.seats.values()):
            if seat.agent is not None:
                seat.agent.leave()
        self._listener.close()

    def present(self) -> list[str]:
        """Return the names of those who are here."""
        return [name for name, seat in list(self.seats.items()) if not seat.is_away]

    def wait(
        self, enough: Callable[[list[str]], bool], *, seconds: float | None, begin: threading.Event
    ) -> None:
        """Wait until enough agents are here, the time is up, or somebody says to begin.

        ``begin`` may be set by another thread, which then calls `wake`.
        """
        deadline = None if seconds is None else monotonic() + seconds
        with self._changed:
            self._changed.wait_for(
                lambda: begin.is_set() or enough(self.present()),
                None if deadline is None else max(0.0, deadline - monotonic()),
            )

    def wake(self) -> None:
        """Make `wait` look again."""
        with self._changed:
            self._changed.notify_all()

    def begin(self) -> dict[str, Seat]:
        """Let nobody new in from now on; return the seats of all who are here, or are expected."""
        with self._changed:
            if self._open:
                self.seats = {name: seat for name, seat in self.seats.items() if not seat.is_away}
            self._open = False
            return dict(self.seats)

    def _attend(self, connection: Connection, where: str) -> None:
        agent = Agent(connection, where, tell=self._tell)
        agent.attend(self._admit)
        if agent.is_seated:
            self._tell(f"{agent.name} has left")
        self.wake()

    def _admit(self, agent: Agent) -> None:
        """Seat an agent: where its name sat before, or in a new place."""
        with self._changed:
            seat = self._seat_for(agent.name)
            agent.name, agent.is_seated = seat.name, True
            seat.agent = agent
            self._changed.notify_all()
        self._tell(f"{agent.name} has come from {agent.where}; {len(self.present())} here")

    def _seat_for(self, name: str) -> Seat:
        # The second agent of a name sits at name-2: the same order gives the same seats again.
        for number in count(1):
            called = name if number == 1 else f"{name}-{number}"
            if called in self._taken:
                continue
            seat = self.seats.get(called)
            if seat is None and not self._open:
                here = ", ".join(self.seats) or "nobody"
                raise RefusedError(f"the tournament has begun without {name}: it is for {here}")
            if seat is None:
                seat = self.seats[called] = Seat(called)
            if seat.is_away:
                return seat
        raise AssertionError("there is always another number")
