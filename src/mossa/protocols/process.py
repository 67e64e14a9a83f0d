"""An external program and the lines that go to and from it.

The program is started without a shell, apart from us, with a limit on its memory. Nothing it does
can block us: it may be silent, write without end, close its output, leave children behind or die at
any moment; every wait has a deadline, and `close` ends the program with all its children. How a
system does that is in `mossa.protocols.systems`.
"""

from __future__ import annotations

import atexit
import os
import sys
import weakref
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import monotonic, sleep

from mossa.errors import InvalidPlayerError, PlayerFailedError, shorten
from mossa.protocols.systems import SYSTEM

LONGEST_LINE = 1 << 16
"""The longest line, in bytes: a program that writes a longer one has gone wrong."""

_KEPT_ERRORS = 2000  # bytes of its standard error that are kept for the message
_LAST_READS = 64  # times that it is read for the last words
_SLICE = 0.1  # seconds between two looks whether the program is still there
_FAREWELL = 0.3  # seconds to leave by itself after "quit"

_running: weakref.WeakSet[Process] = weakref.WeakSet()


def split_command(command: str) -> list[str]:
    """Return the words of a command line, quoted as the system has it."""
    try:
        words = SYSTEM.split(command)
    except ValueError as error:
        raise InvalidPlayerError(f"invalid command {shorten(command)}: {error}") from None
    if not words:
        raise InvalidPlayerError(
            "no command: expected a program with its arguments, as in ugi:./bot"
        )
    return words


def with_words(what: str, last_words: str) -> str:
    """Return what a program did, and what it said last, if anything."""
    return f"{what}; {last_words}" if last_words else what


def kill_all() -> None:
    """End every program that this process has started: for a process that must go at once."""
    for process in list(_running):
        process.kill()


def kill_orphans(owner: int) -> None:
    """End what is left of the programs of a process that has ended or ends, where that is needed.

    That is all of them if it was killed, and those that have left their group on purpose.
    """
    SYSTEM.kill_orphans(owner)


@cache
def _sweep_at_exit() -> None:
    """Have programs that left their group on purpose ended with this process at the latest."""
    owner = os.getpid()

    def sweep() -> None:
        if os.getpid() == owner:  # a fork of it has no programs to end
            kill_orphans(owner)

    atexit.register(sweep)


class Process:
    """A running program. Lines are text in UTF-8; what is not becomes replacement characters."""

    def __init__(self, command: Sequence[str], *, memory: int, folder: Path | None = None) -> None:
        """Start the program, with ``memory`` megabytes; raise PlayerFailedError if it cannot.

        It is started in ``folder``, or here.
        """
        self.name = SYSTEM.join(command)
        try:
            self._program = SYSTEM.start(command, folder=folder, memory=memory)
        except OSError as error:
            message = f"cannot start {shorten(self.name)}: {SYSTEM.explain(error)}"
            raise PlayerFailedError("start", message) from None
        except ValueError as error:  # a NUL character in the command
            message = f"cannot start {shorten(self.name)}: {error}"
            raise PlayerFailedError("start", message) from None
        self._buffer = b""
        self._lines: list[str] = []
        self._errors = b""
        self.echo = False
        """Whether to show what it writes to its standard error on ours."""
        self._is_silent = False  # it has closed its output
        self._code = 0
        self.most_output: int | None = None
        """Bytes that it may write in all; None: as many as it likes."""
        self._heard = 0
        self._closed = False
        _running.add(self)
        _sweep_at_exit()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._program.pid

    @property
    def exit_code(self) -> int | None:
        """How it ended, once that is known."""
        return self._program.exit_code

    @property
    def last_line(self) -> str:
        """The last line of its standard error, as far as that was read."""
        lines = self._errors.decode(errors="replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    # -------------------------------------------------------------- lines

    def send(self, *lines: str, deadline: float) -> None:
        """Write lines; raise PlayerFailedError if the program does not take them in time."""
        data = "".join(f"{line}\n" for line in lines).encode()
        while data:
            try:
                taken = self._program.write(data)
            except OSError:
                raise self._ended() from None
            data = data[taken:]
            if not taken:
                # Its output may be what it waits for us to read.
                self._wait(deadline, writing=True)

    def read_line(self, deadline: float) -> str:
        """Return the next line; raise PlayerFailedError if there is none before the deadline.

        The reason is then what the program last wrote to its standard error.
        """
        while not self._lines:
            if self._is_silent:
                raise self._ended()
            self._wait(deadline)
        return self._lines.pop(0)

    def discard(self) -> None:
        """Discard the lines that nobody asked for."""
        self._read_output()
        self._lines.clear()

    def _wait(self, deadline: float, *, writing: bool = False) -> None:
        """Wait until there is something to read (or to write), but not past the deadline."""
        left = deadline - monotonic()
        if left <= 0:
            raise PlayerFailedError("time", self._last_words())
        # Asked first: what it wrote before its end is then there to be read.
        exited = self._program.has_exited()
        if self._program.wait(min(left, _SLICE), writing=writing):
            # The output first: then what it said before an answer is read no later than that.
            self._read_output()
            self._read_errors()
        elif exited:
            # Children that it left behind may keep its output open for ever.
            raise self._ended()

    def _read_output(self) -> None:
        data = self._program.read_output()
        if data is None:
            self._is_silent = True
            return
        self._count(data)
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        if len(self._buffer) > LONGEST_LINE or any(len(line) > LONGEST_LINE for line in lines):
            raise PlayerFailedError("output", f"a line of more than {LONGEST_LINE:,} bytes")
        self._lines += [line.decode(errors="replace").rstrip("\r") for line in lines]

    def _read_errors(self) -> bool:
        """Keep the end of what it says to its standard error; tell whether there was anything."""
        data = self._program.read_errors()
        self._count(data or b"")
        self._errors = (self._errors + (data or b""))[-_KEPT_ERRORS:]
        if data and self.echo:
            print(data.decode(errors="replace"), end="", file=sys.stderr, flush=True)
        return bool(data)

    def _count(self, data: bytes) -> None:
        self._heard += len(data)
        most = self.most_output
        if most is not None and self._heard > most:
            self.most_output = None  # said once, it need not be said of its last words
            raise PlayerFailedError(
                "output", f"wrote too much: the limit is {most >> 20} MB of output"
            )

    # -------------------------------------------------------------- the end

    def _ended(self) -> PlayerFailedError:
        """Return the error of a program that has closed its output or ended."""
        patience = monotonic() + _SLICE
        while not (exited := self._program.has_exited()) and monotonic() < patience:
            sleep(0.002)
        self.kill()
        how = SYSTEM.ending(self._code) if exited else "closed its output"
        return PlayerFailedError("crash", with_words(how, self._last_words()))

    def _last_words(self) -> str:
        """Return the last line of its standard error, for a message; nothing if there is none."""
        for _ in range(_LAST_READS):  # not while there is something: that may be for ever
            if not self._read_errors():
                break
        return f"it said {shorten(self.last_line, 200)}" if self.last_line else ""

    def end_input(self) -> None:
        """Let the program read to the end of its input."""
        self._program.end_input()

    def wait(self, seconds: float) -> bool:
        """Wait for the program to leave by itself; ignore what it still writes."""
        patience = monotonic() + seconds
        pause = 0.001
        while not (exited := self._program.has_exited()) and monotonic() < patience:
            with suppress(PlayerFailedError):
                self.discard()
            sleep(pause)
            pause = min(pause * 2, 0.02)
        return exited

    def close(self, *farewell: str) -> None:
        """Let the program leave, or else end it; either way nothing remains of it."""
        if self._closed:
            return
        with suppress(PlayerFailedError):
            self.send(*farewell, deadline=monotonic() + _FAREWELL)
        self.end_input()
        self.wait(_FAREWELL)
        self.kill()

    def kill(self) -> None:
        """End the program and its children at once."""
        if self._closed:
            return
        self._closed = True
        _running.discard(self)
        self._code = self._program.kill()
        self._is_silent = True

    def __del__(self) -> None:
        """Leave no program behind, even if nobody has closed it."""
        if not getattr(self, "_closed", True):
            self.kill()
