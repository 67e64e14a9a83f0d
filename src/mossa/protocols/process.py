"""An external program and the lines that go to and from it.

The program is started without a shell, in a session of its own, with a limit on its memory. Nothing
it does can block us: it may be silent, write without end, close its output, leave children behind
or die at any moment; every wait has a deadline, and `close` ends the program with all its children.
"""

from __future__ import annotations

import atexit
import errno
import os
import select
import shlex
import signal
import subprocess
import sys
import weakref
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from math import ceil
from pathlib import Path
from time import monotonic, sleep

from mossa.errors import InvalidPlayerError, PlayerFailedError, shorten

LONGEST_LINE = 1 << 16
"""Bytes of a line after which a program is taken to have lost its mind."""

OWNER = "MOSSA_OWNER"
"""The variable by which a program, and whatever it starts, is known to be ours."""

_KEPT_ERRORS = 2000  # bytes of its standard error that are kept for the message
_SLICE = 0.1  # seconds between two looks whether the program is still there
_FAREWELL = 0.3  # seconds to leave by itself after "quit"

_running: weakref.WeakSet[Process] = weakref.WeakSet()


def split_command(command: str) -> list[str]:
    """Return the words of a command line, quoted as in a shell."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidPlayerError(f"invalid command {shorten(command)}: {error}") from None
    if not words:
        raise InvalidPlayerError(
            "no command: expected a program with its arguments, as in ugi:./bot"
        )
    return words


def with_words(what: str, last_words: str) -> str:
    """Return what a program did, and what it had to say, if anything."""
    return f"{what}; {last_words}" if last_words else what


def kill_all() -> None:
    """End every program that this process has started: for a process that must go at once."""
    for process in list(_running):
        process.kill()


def kill_orphans(owner: int) -> None:
    """End what is left of the programs of a process that has ended or ends; on Linux only.

    That is all of them if it was killed, and those that have left their group on purpose.
    """
    note = f"{OWNER}={owner}".encode()
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if note in path.read_bytes().split(b"\0"):
                os.kill(int(path.parent.name), signal.SIGKILL)


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
        self.name = shlex.join(command)
        if os.name != "posix":
            raise PlayerFailedError("start", "external programs need Linux or macOS")
        try:
            self._popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                start_new_session=True,
                env={**os.environ, OWNER: str(os.getpid())},
            )
        except OSError as error:
            reason = error.strerror or str(error)
            if error.errno == errno.ENOEXEC:
                reason += " (a script begins with #! and the name of its interpreter)"
            message = f"cannot start {shorten(self.name)}: {reason}"
            raise PlayerFailedError("start", message) from None
        except ValueError as error:  # a NUL character in the command
            message = f"cannot start {shorten(self.name)}: {error}"
            raise PlayerFailedError("start", message) from None
        _limit_memory(self._popen.pid, memory)
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._in = self._popen.stdin.fileno()
        self._out: int | None = self._popen.stdout.fileno()
        self._err: int | None = self._popen.stderr.fileno()
        for each in (self._in, self._out, self._err):
            os.set_blocking(each, False)
        self._buffer = b""
        self._lines: list[str] = []
        self._errors = b""
        self._closed = False
        _running.add(self)
        _sweep_at_exit()

    # -------------------------------------------------------------- lines

    def send(self, *lines: str, deadline: float) -> None:
        """Write lines; raise PlayerFailedError if the program does not take them in time."""
        data = "".join(f"{line}\n" for line in lines).encode()
        while data:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                # Its output may be what it waits for us to read.
                self._wait(deadline, writing=True)
            except OSError:
                raise self._ended() from None

    def read_line(self, deadline: float) -> str:
        """Return the next line; raise PlayerFailedError if there is none before the deadline.

        The reason is then what the program last wrote to its standard error.
        """
        while not self._lines:
            if self._out is None:
                raise self._ended()
            self._wait(deadline)
        return self._lines.pop(0)

    def discard(self) -> None:
        """Forget the lines that nobody asked for."""
        if self._out is not None and _ready([self._out], None, 0):
            self._read_output()
        self._lines.clear()

    def _wait(self, deadline: float, *, writing: bool = False) -> None:
        """Wait until there is something to read (or to write), but not past the deadline."""
        left = deadline - monotonic()
        if left <= 0:
            raise PlayerFailedError("time", self._last_words())
        outputs = [each for each in (self._out, self._err) if each is not None]
        ready = _ready(outputs, self._in if writing else None, min(left, _SLICE))
        if self._err in ready:
            self._read_errors()
        if self._out in ready:
            self._read_output()
        elif not ready and self._has_exited():
            # Children that it left behind may keep its output open for ever.
            raise self._ended()

    def _read_output(self) -> None:
        assert self._out is not None
        try:
            data = os.read(self._out, 1 << 16)
        except BlockingIOError:
            return
        if not data:
            self._out = None
            return
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        if len(self._buffer) > LONGEST_LINE or any(len(line) > LONGEST_LINE for line in lines):
            raise PlayerFailedError("output", f"a line of more than {LONGEST_LINE:,} bytes")
        self._lines += [line.decode(errors="replace").rstrip("\r") for line in lines]

    def _read_errors(self) -> None:
        assert self._err is not None
        try:
            data = os.read(self._err, 1 << 16)
        except BlockingIOError:
            return
        if not data:
            self._err = None
        self._errors = (self._errors + data)[-_KEPT_ERRORS:]

    # -------------------------------------------------------------- the end

    def _has_exited(self) -> bool:
        """Tell whether the program has ended, without reaping it: its number must stay its own."""
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self._popen.poll() is not None
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        with suppress(ChildProcessError):
            return os.waitid(os.P_PID, self._popen.pid, options) is not None
        return True

    def _ended(self) -> PlayerFailedError:
        """Return the error of a program that has closed its output or ended."""
        patience = monotonic() + _SLICE
        while not (exited := self._has_exited()) and monotonic() < patience:
            sleep(0.002)
        self.kill()
        code = self._popen.returncode
        if not exited:
            return PlayerFailedError("crash", with_words("closed its output", self._last_words()))
        if code < 0:
            how = f"ended by signal {_signal_name(-code)}"
        else:
            how = f"ended with exit code {code}"
        return PlayerFailedError("crash", with_words(how, self._last_words()))

    def _last_words(self) -> str:
        """Return the last line of its standard error, for a message; nothing if there is none."""
        while self._err is not None and _ready([self._err], None, 0):
            self._read_errors()
        lines = self._errors.decode(errors="replace").strip().splitlines()
        return f"it said {shorten(lines[-1].strip(), 200)}" if lines else ""

    def end_input(self) -> None:
        """Let the program read to the end of its input."""
        assert self._popen.stdin is not None
        self._popen.stdin.close()

    def wait(self, seconds: float) -> bool:
        """Wait for the program to leave by itself; what it still says is not heard."""
        patience = monotonic() + seconds
        pause = 0.001
        while not (exited := self._has_exited()) and monotonic() < patience:
            with suppress(PlayerFailedError):
                self.discard()
            sleep(pause)
            pause = min(pause * 2, 0.02)
        return exited

    def close(self, *farewell: str) -> None:
        """Let the program leave, or else end it; either way nothing of it is left."""
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
        # Before it is reaped: as long as it is a zombie, nobody else can have its group's number.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._out = self._err = None

    def __del__(self) -> None:
        """Leave no program behind, even if nobody has closed it."""
        if not getattr(self, "_closed", True):
            self.kill()


def _ready(outputs: Sequence[int], entry: int | None, seconds: float) -> set[int]:
    """Return which of the pipes can be read, or written, within some time."""
    waiting = select.poll()
    for each in outputs:
        waiting.register(each, select.POLLIN | select.POLLHUP)
    if entry is not None:
        waiting.register(entry, select.POLLOUT)
    return {each for each, _ in waiting.poll(ceil(seconds * 1000))}


def _limit_memory(pid: int, megabytes: int) -> None:
    """Limit what the program may write to; address space that it only reserves is free.

    From outside, right after the start: code between fork and exec is not safe with threads. Only
    Linux can do that.
    """
    if sys.platform == "linux":
        import resource

        size = megabytes << 20
        with suppress(ProcessLookupError, PermissionError):
            resource.prlimit(pid, resource.RLIMIT_DATA, (size, size))
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
