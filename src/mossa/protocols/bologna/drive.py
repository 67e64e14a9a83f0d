"""Drive Java players of the courses in Bologna, by a program of ours that speaks UGI for them.

They are told the board, their side and whole seconds a move when a game begins, and asked for a
move on their own turns only. So a player needs to be told its side, and has time for that which is
not charged to its clock, as in the courses.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import ClassVar, Self

from mossa._core import Game, Option, Position, Side
from mossa.errors import PlayerFailedError
from mossa.players import Choice, Group, PlayerKind, register
from mossa.players.clocks import MARGIN, Turn
from mossa.protocols.bologna.build import Program, Source, find, new_log, program_of
from mossa.protocols.bologna.frameworks import CONNECT, MNK, Framework
from mossa.protocols.external import OPTIONS as PROGRAM_OPTIONS
from mossa.protocols.java import JDK
from mossa.protocols.process import Process
from mossa.protocols.ugi.drive import UgiPlayer
from mossa.sandbox import SandboxLimits

_LEAST_SECONDS = 1
_MOST_SECONDS = 3600  # they reckon in milliseconds, which must fit an int
_COURSE_SECONDS = 10  # what the courses gave: told where there is no limit
_BESIDES_HEAP = 512  # megabytes that Java takes for itself
_FAILED = "failed "  # what the host says instead of readyok

OPTIONS = (
    *(option for option in PROGRAM_OPTIONS if option.name != "command"),
    Option("heap", 16, 1 << 24, "megabytes of Java's heap; half of the memory"),
    Option("path", [""], "a folder of Java sources or classes, or a jar: everything that follows"),
)


class BolognaPlayer(UgiPlayer):
    """A Java player that is found in a folder or a jar, and compiled when it is first needed."""

    framework: ClassVar[Framework]
    whole_games = True
    least_time = float(_LEAST_SECONDS)

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str | None = None,
        memory: int | None = None,
        start: float | None = None,
        time: float | None = None,
        heap: int | None = None,
    ) -> None:
        """Take the path as the only word of the command; raise InvalidPlayerError if nobody plays
        there.
        """
        self._match_time: float | None = None
        self._heap = heap
        self._source: Source = find(self.framework, " ".join(command))
        self._program: Program | None = None
        self._log: Path | None = None
        super().__init__(command, name=name, memory=memory, start=start, time=time)

    @classmethod
    def from_options(cls, options: dict[str, str]) -> Self:
        """Return the player of a spec."""
        return cls(
            [options.get("path", "")],
            memory=int(float(options["memory"])) if "memory" in options else None,
            start=float(options["start"]) if "start" in options else None,
            time=float(options["time"]) if "time" in options else None,
            heap=int(float(options["heap"])) if "heap" in options else None,
        )

    def anew(self) -> Self:
        """Return the same player with the same limits, not running."""
        twin = super().anew()
        twin._heap, twin._program = self._heap, self._program
        return twin

    def plays(self, game: Game) -> bool:
        """Tell whether the framework has a board for this game."""
        return self.framework.plays(game)

    def check_opening(self) -> None:
        """Let it try: some can take over after an opening; those that cannot lose the game."""

    def limit(
        self, *, memory: int, start: float, margin: float = MARGIN, time: float | None = None
    ) -> None:
        """Set limits; the player hears its time before the first move."""
        super().limit(memory=memory, start=start, margin=margin)
        self._match_time = time

    def confine(self, limits: SandboxLimits) -> None:
        """Run in a sandbox, which shows the compiled classes and not where they came from."""
        super().confine(limits)
        self.folder = self.own = None

    # -------------------------------------------------------------- start

    def launch(self) -> Process:
        """Start the program that hosts the player."""
        program = self._compiled()
        self._log = new_log(self._source.name)
        heap = max(16, self._memory // 2) if self._heap is None else self._heap
        memory = self._memory if self._heap is None else max(self._memory, heap + _BESIDES_HEAP)
        writes = []
        if self.confined is not None:
            self._log.touch()  # a sandbox shows it what is there
            writes.append(self._log)
        return self._run(program.command(heap=heap, log=self._log), memory=memory, writes=writes)

    def _compiled(self) -> Program:
        if self._program is None:
            self._program = program_of(self._source, confined=self.confined is not None)
        return self._program

    def introduce(self) -> None:
        """Compile the player; this does not count as its time to start."""
        self._compiled()
        super().introduce()

    def _set_up(self, game: Game) -> None:
        self.check_game(game)
        self._compiled()
        super()._set_up(game)

    def _tell_side(self, side: Side, deadline: float) -> None:
        """Create an instance for the side, tell it about the game, and wait for it."""
        self._seat(side, self._seconds(self._match_time), deadline)

    def _seat(self, side: Side, seconds: int, deadline: float) -> None:
        assert self._process is not None
        told = f"setoption name seconds value {seconds}"
        try:
            self._process.send(told, f"side {side.name}", "isready", deadline=deadline)
            while (line := self._process.read_line(deadline).strip()) != "readyok":
                if line.startswith(_FAILED):
                    raise PlayerFailedError("start", line.removeprefix(_FAILED))
        except PlayerFailedError as error:
            raise self._not_started(error) from None
        self._side = side

    def _seconds(self, time: float | None) -> int:
        """Return the whole seconds per move that the player is told."""
        limits = [limit for limit in (time, self._time) if limit is not None]
        told = int(min(limits)) if limits else _COURSE_SECONDS
        return max(_LEAST_SECONDS, min(told, _MOST_SECONDS))

    # -------------------------------------------------------------- moves

    def _ask(self, position: Position, turn: Turn) -> Choice:
        if position.start_text is not None:
            raise PlayerFailedError(
                "start", "it cannot start from a board that was set up: it needs the moves"
            )
        if self._side is not position.side:
            time = turn.time if turn.limits.time is None else turn.limits.time
            self._seat(position.side, self._seconds(time), monotonic() + self.start)
        try:
            return super()._ask(position, turn)
        except PlayerFailedError as error:
            raise self._with_log(error) from None

    # -------------------------------------------------------------- what went wrong

    def _not_started(self, error: PlayerFailedError) -> PlayerFailedError:
        return self._with_log(super()._not_started(error))

    def _with_log(self, error: PlayerFailedError) -> PlayerFailedError:
        """Say where to find what the player printed, if anything."""
        if self._log is None or not self._log.is_file() or not self._log.stat().st_size:
            return error
        where = f"what it printed is in {self._log}"
        return PlayerFailedError(error.kind, "; ".join(filter(None, (error.reason, where))))


class BolognaMnkPlayer(BolognaPlayer):
    """A player of the course's framework for m,n,k games."""

    framework = MNK
    usual_game = MNK.usual_game


class BolognaConnectPlayer(BolognaPlayer):
    """A player of the course's framework ConnectX."""

    framework = CONNECT
    usual_game = CONNECT.usual_game


for _class in (BolognaMnkPlayer, BolognaConnectPlayer):
    register(
        PlayerKind(
            _class.framework.name,
            f"a Java player ({_class.framework.interface}) of a course in Bologna",
            _class.from_options,
            OPTIONS,
            group=Group.outside,
            example=f"{_class.framework.name}:path/to/player",
            needs=JDK,
            plays=_class.framework.plays,
            rest="path",
        )
    )
