"""``kgp:2671``: wait for an agent to call, and let it play.

Agents connect to their server, so here mossa is the server, for one agent and one game.
"""

from __future__ import annotations

import sys
import threading
from dataclasses import replace

from mossa._core import Game, Limits, Option, Position, Side
from mossa.errors import GameError, PlayerFailedError
from mossa.players import LIMITS, Choice, Group, PlayerKind, register, stricter
from mossa.players.clocks import MARGIN, Turn
from mossa.protocols.connection import WEBSOCKETS, Connection
from mossa.protocols.kgp.agent import USUAL_TIME, Agent, Guest, RefusedError
from mossa.protocols.kgp.words import PORT
from mossa.protocols.listening import Listener
from mossa.search import NO_LIMITS

WAIT = 60.0
"""Seconds to wait for an agent."""


class KgpPlayer(Guest):
    """An agent that will call: from prepare() to close() it is the first one to do so."""

    keeps_time = True
    is_guest = True

    def __init__(
        self,
        port: int = PORT,
        *,
        anywhere: bool = False,
        wait: float = WAIT,
        time: float | None = None,
    ) -> None:
        """Take the port to listen on, of this machine alone unless ``anywhere``."""
        self.name = f"kgp:{port}"
        self._port, self._anywhere, self._wait = port, anywhere, wait
        self._time = time
        self._agent: Agent | None = None
        self._listener: Listener | None = None
        self._came = threading.Condition()

    @classmethod
    def from_options(cls, options: dict[str, str]) -> KgpPlayer:
        """Return the player of a spec."""
        return cls(
            int(float(options.get("port", PORT))),
            anywhere=options.get("from") == "anywhere",
            wait=float(options.get("wait", WAIT)),
            time=float(options["time"]) if "time" in options else None,
        )

    def prepare(self, game: Game, side: Side | None = None) -> None:
        """Wait for an agent to call, if there is none yet."""
        if self._listener is None:
            self._listen()
        with self._came:
            if not self._came.wait_for(lambda: self._agent is not None, self._wait):
                where = self._listener.address if self._listener else ""
                reason = f"no agent called {where} within {self._wait:g} s"
        if self._agent is None:
            self.close()
            raise PlayerFailedError("start", reason)
        self._agent.limit(memory=0, start=self._start)
        self._agent.prepare(game, side)

    def _listen(self) -> None:
        try:
            self._listener = Listener(self._port, self._attend, anywhere=self._anywhere, tell=_tell)
        except GameError as error:
            raise PlayerFailedError("start", str(error)) from None
        _tell(f"waiting for an agent on {self._listener.address}, TCP or ws://")

    def _attend(self, connection: Connection, where: str) -> None:
        Agent(connection, where, tell=_tell).attend(self._admit)

    def _admit(self, agent: Agent) -> None:
        with self._came:
            if self._agent is not None:
                raise RefusedError("another agent plays here already")
            self._agent = agent
            self._came.notify_all()
        _tell(f"{agent.name} has come from {agent.where}")

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Ask for a move."""
        time = USUAL_TIME if limits.time is None else limits.time
        return self.choose_within(position, Turn(limits, time + MARGIN, limits.time))

    def choose_within(self, position: Position, turn: Turn) -> Choice:
        """Ask for a move."""
        if self._agent is None:
            self.prepare(position.game)
        assert self._agent is not None
        if self._time is not None:
            turn = replace(turn, limits=stricter(turn.limits, Limits(time=self._time)))
        return self._agent.choose_within(position, turn)

    def close(self) -> None:
        """Say goodbye to the agent, and listen no more."""
        if self._agent is not None:
            self._agent.leave()
        if self._listener is not None:
            self._listener.close()
        self._agent = self._listener = None


def _tell(line: str) -> None:
    """Tell whoever is waiting for the agent."""
    print(f"mossa: {line}", file=sys.stderr, flush=True)


register(
    PlayerKind(
        "kgp",
        "an agent of the Kalah Game Protocol that calls this port, for kalah",
        KgpPlayer.from_options,
        (
            Option("port", 1, 65535, f"where to listen, for TCP and WebSockets; {PORT}"),
            Option("from", ["here", "anywhere"], "listen to this machine alone, or to everybody"),
            Option("wait", 1, 86400, f"seconds to wait for an agent to call; {WAIT:g}"),
            LIMITS["time"],
        ),
        group=Group.outside,
        example=f"kgp:{PORT}",
        needs=(WEBSOCKETS,),
        bare="port",
        opens_ports=True,
    )
)
