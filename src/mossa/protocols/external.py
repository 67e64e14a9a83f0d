"""What external programs have in common as players, whichever protocol they speak."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import ClassVar, Self, TypeGuard

from mossa._core import Game, Limits, Option, Position, Side
from mossa.errors import InvalidPlayerError, PlayerFailedError, shorten
from mossa.players import LIMITS, Choice, Player, stricter
from mossa.players.clocks import MARGIN, MEMORY, PATIENCE, START, Turn
from mossa.protocols.process import Process, split_command, with_words
from mossa.protocols.systems.program import OWNER
from mossa.sandbox import Sandbox, SandboxError, SandboxLimits, check_sandbox
from mossa.search import NO_LIMITS

OPTIONS = (
    LIMITS["time"],
    Option("start", 1, 3600, f"seconds to start; {START:g}"),
    Option("memory", 16, 1 << 24, f"megabytes; {MEMORY}"),
    Option("command", [""], "the program and its arguments: everything that follows"),
)

_COMPLAINT = "mossa: "  # begins the line in which a command of ours says what is wrong
_NO_LIMIT = 1 << 24  # megabytes: a sandbox has limits of its own


class ExternalPlayer(Player):
    """A program as a player. It is started for the first move and lives until close()."""

    keeps_time = True
    protocol: str
    farewell: ClassVar[str]
    """What the program is told at the end."""
    usual_game: ClassVar[str]
    """The game to try it with if it does not say what it plays."""
    tells_time: ClassVar[bool] = True
    """Whether the protocol can express time limits."""
    takes_sides: ClassVar[bool] = False
    """Whether a program plays one side for a whole game, and cannot be asked for the other."""
    least_time: ClassVar[float] = 0.0
    """Below this many seconds per move it does not know its limit."""
    folder: Path | None = None
    """The folder it is started in; None: the current one."""
    told_name: str | None = None
    """What it calls itself."""
    told_game: str | None = None
    """The game that it plays unless told otherwise."""
    echoes: bool = False
    """Whether to show what it writes to its standard error, once it has started."""
    confined: SandboxLimits | None = None
    """What it may use in a sandbox; None: it runs without one."""
    runs_mossa: bool = False
    """Whether its command is mossa, running other people's code."""
    own: Path | None = None
    """Its own folder in a sandbox; None: where it is started, or where its program is."""
    _sandbox: Sandbox | None = None

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str | None = None,
        memory: int | None = None,
        start: float | None = None,
        time: float | None = None,
    ) -> None:
        """Take the program and its arguments; nothing is started yet.

        ``time`` is its own limit in seconds per move; the stricter of it and the game's applies.
        """
        self.command = list(command)
        self.name = name or " ".join(command)
        self._time = time
        self._given = memory, start
        self.limit(memory=MEMORY, start=START)
        self._process: Process | None = None
        self._game: Game | None = None
        self._side: Side | None = None
        self._fresh = False  # ready for a new game, with no move asked for yet

    @classmethod
    def from_options(cls, options: dict[str, str]) -> Self:
        """Return the player of a spec."""
        return cls(
            split_command(options.get("command", "")),
            memory=int(float(options["memory"])) if "memory" in options else None,
            start=float(options["start"]) if "start" in options else None,
            time=float(options["time"]) if "time" in options else None,
        )

    def limit(
        self, *, memory: int, start: float, margin: float = MARGIN, time: float | None = None
    ) -> None:
        """Set megabytes and seconds to start, unless its own spec has them.

        ``margin`` is the grace for moves that miss the player's own time limit. ``time`` is for
        players that must know before a game how long their moves may take.
        """
        self._margin = margin
        own_memory, own_start = self._given
        self._memory = memory if own_memory is None else own_memory
        self.start = start if own_start is None else own_start

    def drop_own_limits(self) -> None:
        """Apply the limits of a match, whatever the spec says: a stranger may have written it.

        Call `limit` afterwards.
        """
        self._given = None, None

    def confine(self, limits: SandboxLimits) -> None:
        """Start the program in a sandbox from now on; refuse if there is none."""
        try:
            check_sandbox()
        except SandboxError as error:
            raise InvalidPlayerError(
                f"player {shorten(self.name)} may run only in a sandbox: {error}"
            ) from None
        self.confined = limits

    def anew(self) -> Self:
        """Return a player of the same program with the same limits that is not running."""
        again = type(self)(
            self.command, name=self.name, memory=self._memory, start=self.start, time=self._time
        )
        again.folder, again.confined = self.folder, self.confined
        again.runs_mossa, again.own = self.runs_mossa, self.own
        return again

    def launch(self) -> Process:
        """Start the program; talking to it is up to the caller."""
        return self._run(self.command)

    def _run(
        self,
        command: Sequence[str],
        *,
        memory: int | None = None,
        reads: Sequence[Path] = (),
        writes: Sequence[Path] = (),
    ) -> Process:
        """Start a command, in a sandbox if it has to be; there it ``reads`` and ``writes`` only
        what it is told.
        """
        memory = self._memory if memory is None else memory
        if self.confined is None:
            return Process(command, memory=memory, folder=self.folder)
        try:
            self._sandbox = Sandbox(
                command,
                limits=replace(self.confined, memory=memory),
                folder=self.folder,
                own=self.own or self.folder,
                reads=reads,
                writes=writes,
                runs_mossa=self.runs_mossa,
                handed_in=self.folder is not None,
                marks={OWNER: str(os.getpid())},
            )
        except SandboxError as error:
            raise PlayerFailedError("start", str(error)) from None
        process = Process(self._sandbox.command, memory=_NO_LIMIT)
        process.most_output = self.confined.output << 20
        self._sandbox.started(process.pid)
        return process

    @contextmanager
    def _awake(self) -> Iterator[None]:
        """Let the program run: in a sandbox it stands still between its moves."""
        if self._sandbox is not None and not self._sandbox.resume():
            raise self._stopped()
        try:
            yield
        finally:
            halted = self._sandbox is None or self._sandbox.halt()
        if not halted:
            raise self._stopped()

    def _stopped(self) -> PlayerFailedError:
        """End a program that did something forbidden, and return what that was."""
        error = self._explained(PlayerFailedError("crash", ""))
        self.kill()
        return error

    def _explained(self, error: PlayerFailedError) -> PlayerFailedError:
        """Say which limit of the sandbox a program hit, if that is why it failed."""
        if self._sandbox is None:
            return error
        code = None if self._process is None else self._process.exit_code
        return PlayerFailedError(error.kind, self._sandbox.explain(error.reason, code))

    @contextmanager
    def _killed_if_it_fails(self, turn: Turn) -> Iterator[None]:
        """Kill a program that fails while its clock runs; if it is late, name its limit."""
        try:
            yield
        except PlayerFailedError as failed:
            error = self._explained(failed)
            self.kill()
            if error.kind != "time":
                raise error from None
            late = f"no answer; {turn.limit}"
            raise PlayerFailedError("time", with_words(late, error.reason)) from None

    def introduce(self) -> None:
        """Listen to what the program says about itself, if its protocol allows that."""

    def prepare(self, game: Game, side: Side | None = None) -> None:
        """Start the program if it is not running, and get it ready for a new game.

        ``side`` is the one that it will play, where that is known.
        """
        with self._awake():
            if self._process is None or not self._fresh or self._game != game:
                self._side = None
                self._set_up(game)
                self._game, self._fresh = game, True
            if side is not None:
                self._tell_side(side, monotonic() + self.start)

    @abstractmethod
    def _set_up(self, game: Game) -> None:
        """Start the program if it is not running, and have it begin a new game."""

    def _tell_side(self, side: Side, deadline: float) -> None:
        """Tell the program which side it plays, if its protocol can say that."""
        self._side = side

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Ask for a move; without a limit of time the program has a minute."""
        time = PATIENCE if limits.time is None else limits.time
        return self.choose_within(position, Turn(limits, time + MARGIN, limits.time))

    def choose_within(self, position: Position, turn: Turn) -> Choice:
        """Ask for a move, and end the program if it does not answer before the deadline."""
        if self._time is not None:
            turn = replace(
                turn,
                limits=stricter(turn.limits, Limits(time=self._time)),
                deadline=min(turn.deadline, self._time + self._margin),
                time=self._time if turn.time is None else min(turn.time, self._time),
                allowed=self._time if turn.allowed is None else min(turn.allowed, self._time),
            )
        if self._process is None or self._game != position.game:
            self.prepare(position.game)
        self._fresh = False
        if self._process is not None:
            self._process.echo = self.echoes
        with self._awake():
            return self._ask(position, turn)

    @abstractmethod
    def _ask(self, position: Position, turn: Turn) -> Choice:
        """Ask the program, which is ready for the game."""

    def _not_started(self, failed: PlayerFailedError) -> PlayerFailedError:
        error = self._explained(failed)
        told = "" if self._process is None else self._process.last_line
        self.kill()
        if self.runs_mossa and told.startswith(_COMPLAINT):
            return PlayerFailedError("start", told.removeprefix(_COMPLAINT))
        late = f"not ready within {self.start:g} s"
        reason = with_words(late, error.reason) if error.kind == "time" else error.reason
        return PlayerFailedError("start", reason)

    def close(self) -> None:
        """Say goodbye to the program; the next move would start it again."""
        if self._sandbox is not None:
            self._sandbox.resume()  # to hear it
        if self._process is not None:
            self._process.close(self.farewell)
            self._process = None
        self._leave_sandbox()

    def kill(self) -> None:
        """End the program at once."""
        if self._process is not None:
            self._process.kill()
            self._process = None
        self._leave_sandbox()

    def _leave_sandbox(self) -> None:
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None


def is_program(player: Player) -> TypeGuard[ExternalPlayer]:
    """Tell whether a player is a program outside this process."""
    return player.protocol is not None
