"""A process with all its descendants, as /proc shows them: what they use, and how to halt them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

Listing = Callable[[], list[int]]
"""Lists the processes of a sandbox."""

_HALTED = "TtZXxD"
"""States of a thread that does not run: stopped, traced, ended, or waiting for a child it lent its
memory to. Who has been sent SIGSTOP stops before it leaves the last one."""
_PATIENCE = 2.0  # seconds until everything has stopped
_PAUSE = 0.0003


def children(pid: int) -> list[int]:
    """Return the processes that a process has started, or inherited."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def descendants(pid: int) -> list[int]:
    """Return the children of a process, theirs, and so on."""
    found = children(pid)
    for each in found:  # which grows
        found += children(each)
    return found


def _stat(path: Path) -> list[str]:
    """Return the fields of a stat file from the state on: a name may hold blanks and brackets."""
    return path.read_text(errors="replace").rpartition(")")[2].split()


def cpu_seconds(pids: Iterable[int]) -> float:
    """Return the processor time of processes and of the children that they have waited for."""
    ticks = 0
    for pid in pids:
        with suppress(OSError, IndexError, ValueError):
            ticks += sum(map(int, _stat(Path(f"/proc/{pid}/stat"))[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_bytes(pids: Iterable[int]) -> int:
    """Return the memory that processes have written to, what they share counted once."""
    total = 0
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):
            try:
                lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
                wanted = ("Pss_Anon:", "Pss_Shmem:")
            except PermissionError:
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                wanted = ("RssAnon:", "RssShmem:")
            total += sum(int(line.split()[1]) for line in lines if line.startswith(wanted))
    return total << 10


def has_ended(pid: int) -> bool:
    """Tell whether a process has gone, or waits only for somebody to ask how it ended."""
    with suppress(OSError, IndexError):
        return _stat(Path(f"/proc/{pid}/stat"))[0] in "ZXx"
    return True


def is_halted(pid: int) -> bool:
    """Tell whether no thread of a process runs; one whose first thread has ended may still run."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return True  # it has ended
    for task in tasks:
        with suppress(OSError, IndexError):
            if _stat(task / "stat")[0] not in _HALTED:
                return False
    return True


def send(pids: Iterable[int], number: signal.Signals) -> None:
    """Send a signal to those that still exist."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def halt(listing: Listing) -> bool:
    """Stop all processes; False if they start others faster than they can be stopped.

    Two looks in a row must find all of them halted: a child may appear between the look at its
    parent and the signal to it.
    """
    deadline = monotonic() + _PATIENCE
    quiet = 0
    known: set[int] = set()
    while monotonic() < deadline:
        pids = listing()
        awake = [pid for pid in pids if pid not in known or not is_halted(pid)]
        send(awake, signal.SIGSTOP)
        known.update(pids)
        quiet = 0 if awake else quiet + 1
        if quiet == 2:
            return True
        sleep(_PAUSE)
    return False
