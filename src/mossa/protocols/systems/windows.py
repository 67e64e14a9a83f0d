"""Programs on Windows: job objects in place of sessions, threads in place of `poll`.

Windows can wait neither for several pipes at once nor for one that is full, so a thread stands at
the end of each. A job holds a program with all its children: ending the job ends them, and Windows
does so by itself when the last handle to the job is closed, even if we are killed. A child that the
program starts in the instant before it is put into its job escapes.

Written from Microsoft's documentation of job objects and of CreateProcess.
"""

from __future__ import annotations

import ctypes
import os
import shlex
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from mossa.protocols.systems.program import PIECE, Program, System, environment

# Names and numbers as in winbase.h and winnt.h. `subprocess` has some of them, but only there.
CREATE_NEW_PROCESS_GROUP = 0x200  # Ctrl-C is for us, not for the program
CREATE_NO_WINDOW = 0x8000000
PROCESS_TERMINATE, PROCESS_SET_QUOTA = 0x1, 0x100
JOB_OBJECT_LIMIT_PROCESS_MEMORY = 0x100
JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION = 0x400  # no dialog box
JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE = 0x2000
EXTENDED_LIMIT_INFORMATION = 9
ERROR_BAD_EXE_FORMAT = 193

_KILLED = 1  # the exit code of what we end
_LAST_WORDS = 0.1  # seconds to read them
_UNREAD = 1 << 20  # bytes that are kept for us to read; then the program has to wait


class _BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = (
        ("process_user_time", ctypes.c_int64),
        ("job_user_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    )


class Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("basic", _BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


def _kernel() -> Any:
    """Return kernel32, told that handles are as wide as pointers."""
    kernel: Any = vars(ctypes)["WinDLL"]("kernel32")  # which type checkers know on Windows only
    handle, number = ctypes.c_void_p, ctypes.c_uint32
    kernel.CreateJobObjectW.restype = kernel.OpenProcess.restype = handle
    kernel.CreateJobObjectW.argtypes = [ctypes.c_void_p, ctypes.c_wchar_p]
    kernel.SetInformationJobObject.argtypes = [handle, ctypes.c_int, ctypes.c_void_p, number]
    kernel.OpenProcess.argtypes = [number, ctypes.c_int, number]
    kernel.AssignProcessToJobObject.argtypes = [handle, handle]
    kernel.TerminateJobObject.argtypes = [handle, number]
    kernel.CloseHandle.argtypes = [handle]
    return kernel


class Job:
    """A program with all its children, now and later."""

    def __init__(self, kernel: Any, pid: int, memory: int | None) -> None:
        """Put a program into a job of its own, each process with so many megabytes."""
        self._kernel = kernel
        self._handle: int | None = kernel.CreateJobObjectW(None, None)
        limits = Limits()
        limits.basic.flags = (
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
        )
        if memory is not None:
            limits.basic.flags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY
            limits.process_memory = memory << 20
        kernel.SetInformationJobObject(
            self._handle, EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
        )
        process = kernel.OpenProcess(PROCESS_TERMINATE | PROCESS_SET_QUOTA, False, pid)
        if process:
            kernel.AssignProcessToJobObject(self._handle, process)
            kernel.CloseHandle(process)

    def kill(self) -> None:
        """End whatever is in it."""
        if self._handle is not None:
            self._kernel.TerminateJobObject(self._handle, _KILLED)
            self._kernel.CloseHandle(self._handle)
            self._handle = None


class Windows(System):
    """Windows."""

    def __init__(self, kernel: Callable[[], Any] = _kernel) -> None:
        """Take what loads kernel32: it is loaded with the first program."""
        self._load = kernel
        self._kernel: Any = None

    def split(self, command: str) -> list[str]:
        r"""Return the words of a command line; a backslash is a part of a path: ``C:\bot.exe``."""
        reader = shlex.shlex(command, posix=True, punctuation_chars=False)
        reader.whitespace_split = True
        reader.commenters = reader.escape = ""
        return list(reader)

    def join(self, words: Sequence[str]) -> str:
        """Return the command line of some words, as Windows quotes them."""
        return subprocess.list2cmdline(words)

    def start(
        self, command: Sequence[str], *, folder: Path | None = None, memory: int | None = None
    ) -> Program:
        """Start a program without a shell, in a job of its own."""
        program, *arguments = command
        if folder is not None and len(Path(program).parts) > 1:
            # Windows would look for it from our folder.
            program = str(folder / program)
        popen = subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            creationflags=CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW,
            env=environment(),
        )
        self._kernel = self._kernel or self._load()
        return WindowsProgram(popen, Job(self._kernel, popen.pid, memory))

    def explain(self, error: OSError) -> str:
        """Say why a program did not start."""
        reason = error.strerror or str(error)
        if getattr(error, "winerror", None) == ERROR_BAD_EXE_FORMAT:
            reason += " (a script needs its interpreter before it: python bot.py)"
        return reason

    def ending(self, code: int) -> str:
        """Say what an exit code means; large ones are errors of Windows, known by hexadecimals."""
        return f"ended with exit code {f'0x{code:08X}' if code >= 1 << 31 else code}"

    def kill_orphans(self, owner: int) -> None:
        """Do nothing: the jobs of a process end with it."""


class WindowsProgram(Program):
    """A program in a job, with a thread at each of its pipes."""

    def __init__(self, popen: subprocess.Popen[bytes], job: Job) -> None:
        """Take over a program that was just started."""
        assert popen.stdin and popen.stdout and popen.stderr
        super().__init__(popen)
        self._job = job
        self._changed = threading.Condition()
        self._in = _Outbox(popen.stdin, self._changed)
        self._out = _Inbox(popen.stdout, self._changed)
        self._err = _Inbox(popen.stderr, self._changed)

    def write(self, data: bytes) -> int:
        """Pass bytes to its input; none if it has not taken the last ones yet."""
        return self._in.put(data)

    def end_input(self) -> None:
        """Let it read to the end of its input."""
        self._in.end()

    def read_output(self) -> bytes | None:
        """Return what it has written since the last call."""
        return self._out.take()

    def read_errors(self) -> bytes | None:
        """Return the same of its standard error."""
        return self._err.take()

    def wait(self, seconds: float, *, writing: bool = False) -> bool:
        """Wait until a thread has something for us."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._out.has_news or self._err.has_news or (writing and self._in.has_room),
                seconds,
            )

    def has_exited(self) -> bool:
        """Tell whether it has ended; its number stays its own while we hold its handle."""
        return self._popen.poll() is not None

    def kill(self) -> int:
        """End it and its job."""
        self._job.kill()
        with suppress(OSError):
            self._popen.kill()  # if it could not be put into its job
        code = self._popen.wait()
        with self._changed:  # its last words may still be on their way
            self._changed.wait_for(lambda: self._err.at_end, _LAST_WORDS)
        for each in (self._in, self._out, self._err):
            each.end()
        return code


class _Inbox:
    """What comes out of a pipe."""

    def __init__(self, pipe: IO[bytes], changed: threading.Condition) -> None:
        self._pipe, self._changed = pipe, changed
        self._unread = b""
        self.at_end = self._told = self._unwanted = False
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def has_news(self) -> bool:
        return bool(self._unread) or (self.at_end and not self._told)

    def take(self) -> bytes | None:
        with self._changed:
            data, self._unread = self._unread, b""
            self._changed.notify_all()
            if data or not self.at_end:
                return data
            self._told = True
            return None

    def end(self) -> None:
        """Ignore the rest; the thread reads on to the end, so that nobody waits for us."""
        with self._changed:
            self._unwanted = True
            self._changed.notify_all()

    def _read(self) -> None:
        with self._pipe:
            while not self.at_end:
                try:
                    data = os.read(self._pipe.fileno(), PIECE)
                except OSError:
                    data = b""
                with self._changed:
                    self._changed.wait_for(lambda: len(self._unread) < _UNREAD or self._unwanted)
                    if not self._unwanted:
                        self._unread += data
                    self.at_end = not data
                    self._changed.notify_all()


class _Outbox:
    """What goes into a pipe."""

    def __init__(self, pipe: IO[bytes], changed: threading.Condition) -> None:
        self._pipe, self._changed = pipe, changed
        self._unwritten = b""
        self._ended = self._broken = False
        threading.Thread(target=self._write, daemon=True).start()

    @property
    def has_room(self) -> bool:
        return self._broken or not self._unwritten

    def put(self, data: bytes) -> int:
        with self._changed:
            if self._broken or self._ended:
                raise BrokenPipeError
            if self._unwritten:
                return 0
            self._unwritten = data[:PIECE]
            self._changed.notify_all()
            return len(self._unwritten)

    def end(self) -> None:
        """Close the pipe, once what is left has gone into it."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _write(self) -> None:
        with suppress(OSError), self._pipe:
            while not self._broken:
                with self._changed:
                    self._changed.wait_for(lambda: self._unwritten or self._ended)
                    data = self._unwritten
                if not data:
                    return
                broken = False
                try:
                    while data:
                        data = data[os.write(self._pipe.fileno(), data) :]
                except OSError:
                    broken = True
                with self._changed:
                    self._unwritten, self._broken = b"", broken
                    self._changed.notify_all()
