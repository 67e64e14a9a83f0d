"""A sandbox around one program: what starts it, how it is halted, and what it died of.

>>> from mossa.sandbox import Sandbox, SandboxLimits
>>> Sandbox(["./bot"], limits=SandboxLimits(memory=256)).command        # doctest: +SKIP
['sh', '-c', ..., 'bwrap', ..., './bot']
"""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import site
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from time import monotonic, sleep

from mossa.errors import shorten
from mossa.sandbox import bubblewrap, places, tree
from mossa.sandbox.calls import call_filter
from mossa.sandbox.groups import Groups
from mossa.sandbox.limits import SandboxError, SandboxLimits

_LOOK = 0.1  # seconds between two looks at what a program uses
_SHARP_LOOK = 0.03  # the same where nothing else limits its memory
_LEAVE = 5.0  # seconds until the last process must have gone
_PAUSE = 0.001
_STOLEN = 0.05  # seconds of processor time: the clock of processes ticks a hundred times a second
_MOST_NAMES = 50_000  # temporary files, or files in a folder that it may write to

_numbers = count(os.getpid() * 1000)

_NO_MEMORY = re.compile(
    r"MemoryError|OutOfMemory|bad_alloc|annot allocate|virtual memory exhausted"
    r"|insufficient memory|out of memory",
    re.IGNORECASE,
)
_NO_PROCESS = re.compile(
    r"Resource temporarily unavailable|can't start new thread|unable to create native thread"
    r"|[Cc]annot fork|fork: retry"
)
_LARGE_FILE = re.compile("File too large|File size limit exceeded")
_EXIT_CODE = re.compile(r"ended with exit code (\d+)")


class Sandbox:
    """Everything about one run of one program. Start `command`, tell `started`, and `close` it.

    The thread that starts it must live as long as it does: the program dies with its parent, and
    to Linux that is a thread.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        limits: SandboxLimits,
        folder: Path | None = None,
        own: Path | None = None,
        reads: Sequence[Path] = (),
        writes: Sequence[Path] = (),
        runs_mossa: bool = False,
        handed_in: bool = False,
        marks: dict[str, str] | None = None,
    ) -> None:
        """Take a command as it would be started in ``folder``; raise SandboxError if it cannot be.

        It sees its ``own`` folder, or else the one of the program, and what else it ``reads``;
        ``writes`` are files and folders that it may change. A command that ``runs_mossa`` sees this
        Python, too. One that was ``handed_in`` with the program names no places outside of it.
        ``marks`` are variables by which it is known from outside.
        """
        bubblewrap.check_sandbox()
        self.limits = limits
        self.ponders = limits.ponder
        self._pid: int | None = None
        self._handle: int | None = None
        self._first: int | None = None
        """The first process of the sandbox: all others die with it."""
        self._verdict: str | None = None
        self._halted = False
        self._used = 0.0  # processor time when it was halted
        self._lock = threading.RLock()
        self._closed = threading.Event()
        self._number = next(_numbers)
        self._as_root = bubblewrap.is_root()
        self._files = TemporaryDirectory(prefix="mossa-sandbox-", ignore_cleanup_errors=True)
        start = places.absolute(folder or Path.cwd())
        writes = [places.absolute(each) for each in writes]
        self._writes = writes
        shown = self._shown(words, start, own, reads, runs_mossa, handed_in)
        if self._as_root:
            for each in writes:
                _give(each, bubblewrap.user(self._number))
        self.groups = Groups(memory=limits.memory, processes=limits.processes)
        variables = {}
        found = None if os.sep in words[0] else shutil.which(words[0])
        if found is not None and not places.in_runtime(Path(found)):
            variables["PATH"] = f"{Path(found).parent}:/usr/local/bin:/usr/bin:/bin"
        if runs_mossa and (base := _user_base()) is not None:
            variables["PYTHONUSERBASE"] = base
        self.command = bubblewrap.command(
            words,
            limits=limits,
            folder=start,
            reads=shown,
            writes=writes,
            groups=self.groups.folders,
            calls=self._calls(),
            limit_memory=not self.groups.limit_memory,
            variables=variables,
            marks=marks,
            number=self._number,
        )

    def _shown(
        self,
        words: Sequence[str],
        start: Path,
        own: Path | None,
        reads: Sequence[Path],
        runs_mossa: bool,
        handed_in: bool,
    ) -> list[tuple[Path, Path]]:
        """Return the places that it sees, and the files to show there."""
        if own is not None:
            if handed_in and own.is_symlink():
                raise SandboxError(f"{shorten(str(own))} is a link: expected a folder")
            place: Path | None = places.absolute(own)
        else:
            place = None if runs_mossa else places.own_place(words, start)
        mine = [] if place is None else [places.check_own(place)]
        mine += [places.absolute(each) for each in reads]
        tools = []
        if runs_mossa:
            tools = places.python_places()
        elif not handed_in:
            tools = places.tool_places(words[0], start)
        elif os.sep not in words[0]:
            tools = places.lent_places(words[0])
        wanted = [*tools, *mine]
        shown = []
        for each in dict.fromkeys(wanted):
            if not each.exists():
                raise SandboxError(f"there is no {shorten(str(each))} to show in a sandbox")
            if places.in_runtime(each):
                continue
            files = Path(os.path.realpath(each))
            if self._as_root and each in mine and not places.is_public(files):
                files = self._copy(files)
            shown.append((each, files))
        return shown

    def _calls(self) -> Path | None:
        """Return a file with the filter of the calls that it may make."""
        content = call_filter(limit_memory=not self.groups.limit_memory)
        if content is None:
            return None
        path = Path(self._files.name, "calls")
        path.write_bytes(content)
        return path

    def _copy(self, files: Path) -> Path:
        """Return a copy that the user of the sandbox can read."""
        target = mkdtemp(dir=self._files.name)
        return places.public_copy(files, Path(target))

    # -------------------------------------------------------------- while it runs

    def started(self, pid: int) -> None:
        """Watch the program, now that its command runs as this process."""
        self._pid = pid
        with suppress(OSError, AttributeError):  # Linux before 5.3
            self._handle = os.pidfd_open(pid)
        threading.Thread(target=self._watch, name="sandbox", daemon=True).start()

    def _members(self) -> list[int]:
        """Return the processes of the program; bubblewrap's own, outside, is not one of them."""
        assert self._pid is not None
        if self.groups.folders:
            return [each for each in self.groups.members() if each != self._pid]
        found = tree.descendants(self._pid)
        # Once it has ended, its number may be that of somebody else.
        return [] if self._has_ended() else found

    def _has_ended(self) -> bool:
        return self._handle is not None and bool(select.select([self._handle], [], [], 0)[0])

    def _note_first(self) -> None:
        if self._first is None and not self._has_ended():
            self._first = next(iter(tree.children(self._pid or 0)), None)

    def _watch(self) -> None:
        pause = _LOOK if self.groups.limit_memory else _SHARP_LOOK
        while not self._closed.wait(pause):
            with self._lock:
                if self._closed.is_set():
                    return
                members = self._members()
                if self._has_ended():
                    return
                why = self._woken(members) if self._halted else self._excess(members)
                if why is not None:
                    self._condemn(why)
                    return

    def _excess(self, members: Sequence[int]) -> str | None:
        """Return which limit is exceeded, of those that nothing else enforces."""
        limits = self.limits
        if tree.cpu_seconds(members) > limits.cpu:
            return _too_much_cpu(limits)
        if not self.groups.limit_memory and tree.memory_bytes(members) > limits.memory << 20:
            return _too_much_memory(limits)
        if not self.groups.limit_processes and len(members) > 2 * limits.processes:
            return _too_many_processes(limits)
        self._note_first()
        for place in self._writes:
            usage = _usage(place)
            if usage is None:
                return "made files that cannot be counted: too deep, or in locked folders"
            names, size = usage
            if size > limits.file << 20 or names > _MOST_NAMES:
                return f"wrote too much: the limit of its folder is {limits.file} MB"
        with suppress(OSError):
            about = os.statvfs(f"/proc/{self._first}/root{bubblewrap.SCRATCH}")
            is_ours = about.f_blocks * about.f_frsize == limits.scratch << 20  # not yet before that
            if is_ours and about.f_files - about.f_ffree > _MOST_NAMES:
                return f"made too many temporary files: the limit is {_MOST_NAMES:,}"
        return None

    def _woken(self, members: Sequence[int]) -> str | None:
        """Return what a program did while it should have stood still."""
        if not self.groups.can_freeze and not all(map(tree.is_halted, members)):
            return "ran in its opponent's time, when it must stand still"
        return None

    def halt(self) -> bool:
        """Halt all of it until it is resumed; False if it had to be ended instead."""
        with self._lock:
            if self.ponders or self._halted or self._closed.is_set() or self._pid is None:
                return self._verdict is None
            self._note_first()
            frozen = self.groups.can_freeze and self.groups.freeze()
            if not frozen and not tree.halt(self._members):
                self._condemn(
                    "could not be halted in its opponent's time: it kept starting processes"
                )
                return False
            self._halted = True
            self._used = tree.cpu_seconds(self._members())
            return True

    def resume(self) -> bool:
        """Let it run again; False if it had to be ended because it did not stand still."""
        with self._lock:
            if not self._halted or self._closed.is_set():
                return self._verdict is None
            self._halted = False
            stolen = tree.cpu_seconds(self._members()) - self._used
            if stolen > _STOLEN:
                self._condemn(
                    f"thought in its opponent's time: it used {stolen:.2g} s of processor time "
                    "while it had to stand still"
                )
                return False
            if self.groups.can_freeze:
                self.groups.thaw()
            tree.send(self._members(), signal.SIGCONT)
            return self._verdict is None

    def _condemn(self, verdict: str) -> None:
        """End the program for what it did."""
        self._verdict = self._verdict or verdict
        self._end()

    def _end(self) -> None:
        """Kill all its processes: the first one takes the others with it."""
        for _ in range(2):  # what was just being started is there at the second look
            tree.send(self._members(), signal.SIGKILL)
        if self.groups.can_freeze:
            self.groups.thaw()

    # -------------------------------------------------------------- after it

    def verdict(self, code: int | None = None, said: str = "") -> str | None:
        """Return in plain words which limit ended the program; None if it was none of them.

        ``code`` is its exit code, ``said`` what it wrote last.
        """
        limits = self.limits
        if self._verdict is not None:
            return self._verdict
        if self.groups.ran_out_of_memory or _NO_MEMORY.search(said):
            return _too_much_memory(limits)
        if code == 128 + signal.SIGXCPU:
            return _too_much_cpu(limits)
        if code == 128 + signal.SIGXFSZ or _LARGE_FILE.search(said):
            return f"wrote too large a file: the limit is {limits.file} MB"
        if "No space left on device" in said:
            return f"filled its temporary folder: the limit is {limits.scratch} MB"
        if self.groups.ran_out_of_processes or _NO_PROCESS.search(said):
            return _too_many_processes(limits)
        return None

    def explain(self, reason: str, code: int | None = None) -> str:
        """Return why a program failed, with the limit that it hit, if it did.

        Bubblewrap ends with 128 and the number of the signal that has ended the program.
        """

        def name(found: re.Match[str]) -> str:
            try:
                return f"ended by signal {signal.Signals(int(found[1]) - 128).name}"
            except ValueError:
                return found[0]

        verdict = self.verdict(code, reason)
        told = _EXIT_CODE.sub(name, reason)
        return told if verdict is None else "; ".join(filter(None, (verdict, told)))

    def close(self) -> None:
        """Clean up; its own process must have been told to end before."""
        with self._lock:
            if self._closed.is_set():
                return
            if self._pid is not None:
                self._end()
            self._closed.set()
            if self._handle is not None:
                os.close(self._handle)
                self._handle = None
        deadline = monotonic() + _LEAVE
        while self._first is not None and not tree.has_ended(self._first):
            if monotonic() > deadline:
                break
            sleep(_PAUSE)
        self.groups.close()
        if self._as_root:
            for each in self._writes:
                with suppress(OSError, RecursionError):  # what is too deep stays as it is
                    _give(each, os.geteuid())
        self._files.cleanup()

    def __del__(self) -> None:
        """Leave no groups behind, even if nobody has closed it."""
        if hasattr(self, "groups"):
            self.close()


def _too_much_memory(limits: SandboxLimits) -> str:
    return f"ran out of memory: the limit is {limits.memory} MB"


def _too_much_cpu(limits: SandboxLimits) -> str:
    return f"used too much processor time: the limit is {limits.cpu} s"


def _too_many_processes(limits: SandboxLimits) -> str:
    return f"started too many processes: the limit is {limits.processes}"


def _usage(place: Path) -> tuple[int, int] | None:
    """Return how many files there are, and how many bytes they take; None if some are hidden.

    A path may be too long to look at, and a folder closed to those who want to look into it.
    """
    names = 0
    try:
        size = _space(place)
        for parent, folders, files in os.walk(place, onerror=_must_be_none):
            for name in (*folders, *files):
                names += 1
                size += _space(Path(parent, name))
            if names > _MOST_NAMES:
                break
    except (OSError, RecursionError):
        return None
    return names, size


def _space(path: Path) -> int:
    try:
        return path.lstat().st_blocks * 512
    except FileNotFoundError:
        return 0


def _must_be_none(error: OSError) -> None:
    """Raise the error unless there is no folder: it has just gone, or is a file and counted."""
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise error


def _give(place: Path, owner: int) -> None:
    """Let the user of a sandbox write to a file, or to a folder and all in it."""
    os.chown(place, owner, owner, follow_symlinks=False)
    for parent, folders, files in os.walk(place):
        for name in (*folders, *files):
            path = Path(parent, name)
            if path.lstat().st_nlink == 1 or name in folders:  # else it is elsewhere, too
                os.chown(path, owner, owner, follow_symlinks=False)


def _user_base() -> str | None:
    """Return the folder of the user's own packages, if this Python uses it."""
    return site.getuserbase() if site.ENABLE_USER_SITE and sys.flags.no_user_site == 0 else None
