"""What external programs have in common as players, whichever protocol they speak."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Self

from mossa._core import Game, Limits, Option, Position
from mossa.clocks import MARGIN, MEMORY, PATIENCE, START, Turn
from mossa.players import Choice
from mossa.protocols.process import Process, split_command

OPTIONS = (
    Option("start", 1, 3600, f"seconds to start; {START:g}"),
    Option("memory", 16, 1 << 24, f"megabytes; {MEMORY}"),
    Option("command", [""], "the program and its arguments: all that is left"),
)


class ExternalPlayer(ABC):
    """A program as a player. It is started for the first move and lives until close()."""

    keeps_time = True
    farewell: ClassVar[str]
    """What the program is told at the end."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str | None = None,
        memory: int | None = None,
        start: float | None = None,
    ) -> None:
        """Take the program and its arguments; nothing is started yet."""
        self.command = list(command)
        self.name = name or " ".join(command)
        self._given = memory, start
        self.limit(memory=MEMORY, start=START)
        self._process: Process | None = None
        self._game: Game | None = None

    @classmethod
    def from_options(cls, options: dict[str, str]) -> Self:
        """Return the player of a spec."""
        return cls(
            split_command(options.get("command", "")),
            memory=int(float(options["memory"])) if "memory" in options else None,
            start=float(options["start"]) if "start" in options else None,
        )

    def limit(self, *, memory: int, start: float) -> None:
        """Set megabytes and seconds to start, unless the player's own spec has them."""
        own_memory, own_start = self._given
        self._memory = memory if own_memory is None else own_memory
        self._start = start if own_start is None else own_start

    @abstractmethod
    def prepare(self, game: Game) -> None:
        """Start the program if it is not running, and get it ready for a new game."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Ask for a move; without a limit of time the program has a minute."""
        time = PATIENCE if limits.time is None else limits.time
        return self.choose_within(position, Turn(limits, time + MARGIN, limits.time))

    @abstractmethod
    def choose_within(self, position: Position, turn: Turn) -> Choice:
        """Ask for a move, and end the program if it does not answer before the deadline."""

    def close(self) -> None:
        """Say goodbye to the program; the next move would start it again."""
        if self._process is not None:
            self._process.close(self.farewell)
            self._process = None

    def kill(self) -> None:
        """End the program at once."""
        if self._process is not None:
            self._process.kill()
            self._process = None
