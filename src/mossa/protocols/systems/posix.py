"""Programs on Linux and macOS: sessions, signals, and pipes that `poll` watches."""

from __future__ import annotations

import errno
import os
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path

from mossa.protocols.systems.program import OWNER, PIECE, Program, System, environment

_MOST_READS = 16  # of its last words, together what the largest pipe holds: see `_rest`


class Posix(System):
    """Linux and macOS."""

    def split(self, command: str) -> list[str]:
        """Return the words of a command line, quoted as in a shell."""
        return shlex.split(command)

    def join(self, words: Sequence[str]) -> str:
        """Return the command line of some words, quoted as in a shell."""
        return shlex.join(words)

    def start(
        self, command: Sequence[str], *, folder: Path | None = None, memory: int | None = None
    ) -> Program:
        """Start a program without a shell, in a session of its own."""
        popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            start_new_session=True,
            env=environment(),
        )
        if memory is not None:
            _limit_memory(popen.pid, memory)
        return PosixProgram(popen)

    def explain(self, error: OSError) -> str:
        """Say why a program did not start."""
        reason = error.strerror or str(error)
        if error.errno == errno.ENOEXEC:
            reason += " (a script begins with #! and the name of its interpreter)"
        return reason

    def ending(self, code: int) -> str:
        """Say what an exit code means; below zero it is a signal."""
        return (
            f"ended by signal {_signal_name(-code)}" if code < 0 else f"ended with exit code {code}"
        )

    def kill_orphans(self, owner: int) -> None:
        """End what is left of the programs of a process; on Linux only.

        That is all of them if it was killed, and those that have left their group on purpose.
        """
        note = f"{OWNER}={owner}".encode()
        for path in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                if note in path.read_bytes().split(b"\0"):
                    os.kill(int(path.parent.name), signal.SIGKILL)


class PosixProgram(Program):
    """A program that leads a session, with pipes that do not block."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        """Take over a program that was just started."""
        assert popen.stdin and popen.stdout and popen.stderr
        super().__init__(popen)
        self._in = popen.stdin.fileno()
        self._out: int | None = popen.stdout.fileno()
        self._err: int | None = popen.stderr.fileno()
        self._last_words = b""
        for each in (self._in, self._out, self._err):
            os.set_blocking(each, False)

    def write(self, data: bytes) -> int:
        """Pass bytes to its input; none if the pipe is full."""
        try:
            return os.write(self._in, data)
        except BlockingIOError:
            return 0

    def end_input(self) -> None:
        """Let it read to the end of its input."""
        assert self._popen.stdin is not None
        self._popen.stdin.close()

    def read_output(self) -> bytes | None:
        """Return what it has written since the last call."""
        data = _read(self._out)
        if data is None:
            self._out = None
        return data

    def read_errors(self) -> bytes | None:
        """Return the same of its standard error."""
        if self._last_words:
            words, self._last_words = self._last_words, b""
            return words
        data = _read(self._err)
        if data is None:
            self._err = None
        return data

    def wait(self, seconds: float, *, writing: bool = False) -> bool:
        """Wait until a pipe can be read, or written."""
        waiting = select.poll()
        for each in (self._out, self._err):
            if each is not None:
                waiting.register(each, select.POLLIN | select.POLLHUP)
        if writing:
            waiting.register(self._in, select.POLLOUT)
        return bool(waiting.poll(ceil(seconds * 1000)))

    def has_exited(self) -> bool:
        """Tell whether it has ended, without reaping it: its number must stay its own."""
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self._popen.poll() is not None
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        with suppress(ChildProcessError):
            return os.waitid(os.P_PID, self._popen.pid, options) is not None
        return True

    def kill(self) -> int:
        """End it and its group."""
        # Before it is reaped: as long as it is a zombie, nobody else can have its group's number.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        code = self._popen.wait()
        self._last_words += _rest(self._err)
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._out = self._err = None
        return code


def _read(pipe: int | None) -> bytes | None:
    """Return what a pipe has; None if it is at its end."""
    if pipe is None:
        return None
    try:
        return os.read(pipe, PIECE) or None
    except BlockingIOError:
        return b""


def _rest(pipe: int | None) -> bytes:
    """Return what a pipe still holds, but no more: a child that is left may write for ever."""
    rest = b""
    for _ in range(_MOST_READS):
        if not (data := _read(pipe)):
            break
        rest += data
    return rest


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
