"""Control groups of Linux: they count the memory and the processes of a program and all its
children, and can freeze them.

A group of our own is made below the one that this process is in, wherever that is allowed: with the
old hierarchies (version 1) or the new one (version 2), as root or where a system has delegated its
groups to us. Elsewhere there is none, and the limits of single processes have to do.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import monotonic, sleep

from mossa.sandbox import tree

_PREFIX = "mossa-"
_numbers = count(1)
_LEAVE = 5.0  # seconds until the last process of a group must have gone
_PATIENCE = 2.0  # seconds until a group must be frozen
_PAUSE = 0.0003


class Groups:
    """The groups of one sandbox; what it cannot limit is None or empty."""

    def __init__(self, *, memory: int, processes: int) -> None:
        """Make them, with so many megabytes and processes."""
        self.folders: list[Path] = []
        self._memory: Path | None = None
        self._processes: Path | None = None
        self._freezer: Path | None = None
        name = f"{_PREFIX}{os.getpid()}-{next(_numbers)}"
        for controllers, parent in _parents():
            _forget_orphans(parent)
            folder = parent / name
            try:
                folder.mkdir()
            except OSError:
                continue
            used = False
            if "memory" in controllers and self._memory is None:
                used |= self._limit_memory(folder, memory << 20)
            if "pids" in controllers and self._processes is None:
                used |= self._limit_processes(folder, processes)
            if self._freezer is None and (folder / "cgroup.freeze").exists():
                self._freezer, used = folder, True
            if used:
                self.folders.append(folder)
            else:
                folder.rmdir()

    def _limit_memory(self, folder: Path, size: int) -> bool:
        if _write(folder / "memory.max", size):
            _write(folder / "memory.swap.max", 0)
            _write(folder / "memory.oom.group", 1)
        elif _write(folder / "memory.limit_in_bytes", size):
            _write(folder / "memory.memsw.limit_in_bytes", size)
        else:
            return False
        self._memory = folder
        return True

    def _limit_processes(self, folder: Path, most: int) -> bool:
        if not _write(folder / "pids.max", most):
            return False
        self._processes = folder
        return True

    @property
    def limit_memory(self) -> bool:
        """Whether they limit memory."""
        return self._memory is not None

    @property
    def limit_processes(self) -> bool:
        """Whether they limit processes."""
        return self._processes is not None

    @property
    def can_freeze(self) -> bool:
        """Whether they can be frozen."""
        return self._freezer is not None

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether the system has killed one of the processes for its memory."""
        if self._memory is None:
            return False
        files = (self._memory / "memory.events", self._memory / "memory.oom_control")
        return any(_counter(each, "oom_kill") > 0 for each in files)

    @property
    def ran_out_of_processes(self) -> bool:
        """Whether starting a process was refused."""
        return self._processes is not None and _counter(self._processes / "pids.events", "max") > 0

    def members(self) -> list[int]:
        """Return the processes in the groups."""
        for folder in self.folders:
            with suppress(OSError):
                return list(map(int, (folder / "cgroup.procs").read_text().split()))
        return []

    def freeze(self) -> bool:
        """Freeze the group; False if that fails."""
        assert self._freezer is not None
        if not _write(self._freezer / "cgroup.freeze", 1):
            return False
        deadline = monotonic() + _PATIENCE
        while not _counter(self._freezer / "cgroup.events", "frozen"):
            if monotonic() > deadline:
                return False
            sleep(_PAUSE)
        return True

    def thaw(self) -> None:
        """Let it run again."""
        assert self._freezer is not None
        _write(self._freezer / "cgroup.freeze", 0)

    def close(self) -> None:
        """End whatever is left in the groups, and remove them."""
        _remove(self.folders)
        self.folders = []


def _remove(folders: Iterable[Path]) -> None:
    for folder in folders:
        deadline = monotonic() + _LEAVE
        while folder.exists() and monotonic() < deadline:
            try:
                folder.rmdir()
            except OSError:
                with suppress(OSError, ValueError):
                    pids = map(int, (folder / "cgroup.procs").read_text().split())
                    tree.send(pids, signal.SIGKILL)
                sleep(_PAUSE)


def _forget_orphans(parent: Path) -> None:
    """Remove what is left of processes that were killed: their sandboxes have died with them."""
    for folder in parent.glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdecimal() and not Path("/proc", owner).exists():
            with suppress(OSError):  # it is not empty, and so somebody's
                folder.rmdir()


def _parents() -> Iterator[tuple[set[str], Path]]:
    """Yield the groups that this process is in, with the controllers of each."""
    try:
        mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
        own = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:  # not Linux
        return
    for line in own:
        number, names, path = line.split(":", 2)
        controllers = set(filter(None, names.split(",")))
        unified = number == "0"
        for _, place, kind, options, *_ in mounts:
            fits = kind == "cgroup2" if unified else controllers <= set(options.split(","))
            if not fits or kind not in ("cgroup", "cgroup2"):
                continue
            folder = Path(place) / path.lstrip("/")
            if unified:
                yield _enabled(folder / "cgroup.subtree_control"), folder
            elif controllers & {"memory", "pids"}:
                yield controllers, folder
            break


def _enabled(path: Path) -> set[str]:
    """Return the controllers that groups below have, and turn on those that we need.

    That fails where processes are in the group itself, as they are unless it was prepared for us.
    """
    needed = {"memory", "pids"}
    with suppress(OSError):
        if not needed <= set(path.read_text().split()):
            _write(path, "+memory +pids")
        return set(path.read_text().split())
    return set()


def _write(path: Path, value: object) -> bool:
    """Write to a file of the kernel, if it is there and may be written to."""
    if not path.exists():
        return False
    try:
        path.write_text(str(value))
    except OSError:
        return False
    return True


def _counter(path: Path, name: str) -> int:
    """Return a number from a file of lines ``name number``; 0 if it is not there."""
    with suppress(OSError, ValueError):
        for line in path.read_text().splitlines():
            if line.split()[:1] == [name]:
                return int(line.split()[1])
    return 0
