"""Threads that players think in, one each, and how their findings reach the board.

Each player has one thread, which asks it one question after another, never two at a time. Work that
is no longer wanted is stopped, and none of it reaches the board: everything is handed over in the
board's own thread, which first checks whether it is still wanted.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from time import monotonic
from typing import Any, Generic, TypeVar

from mossa._core import StopToken

Deliver = Callable[[Callable[[], None]], object]
"""Calls a function soon, in the board's thread; may itself be called from any thread."""

_Report = TypeVar("_Report")
_Result = TypeVar("_Result")
_Told = TypeVar("_Told")
Work = Callable[[StopToken, Callable[[_Report], None]], _Result]
"""A thread's work: it may report as it goes, and ends soon after it is told to stop."""

INTERVAL = 0.1
"""Seconds between two reports: nobody can read faster."""


class Job(Generic[_Report, _Result]):
    """One piece of work, and who hears about it."""

    def __init__(
        self,
        work: Work[_Report, _Result],
        deliver: Deliver,
        *,
        reported: Callable[[_Report], None],
        ended: Callable[[_Result], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Take the work and the board's callbacks."""
        self._work, self._deliver = work, deliver
        self._reported, self._ended, self._failed = reported, ended, failed
        self._stop = StopToken()
        self._last = 0.0

    def cancel(self) -> None:
        """Stop it; nobody hears of it again."""
        self._stop.stop()

    def run(self) -> None:
        """Do the work, in a thread of its own."""
        if self._stop.stopped:
            return
        try:
            result = self._work(self._stop, self._report)
        except BaseException as error:  # sys.exit() in a player ends its turn and nothing else
            self._tell(self._failed, error)
        else:
            self._tell(self._ended, result)

    def _report(self, report: _Report) -> None:
        now = monotonic()
        if now - self._last >= INTERVAL:
            self._last = now
            self._tell(self._reported, report)

    def _tell(self, listener: Callable[[_Told], None], told: _Told) -> None:
        def tell() -> None:
            if not self._stop.stopped:
                listener(told)

        if not self._stop.stopped:
            self._deliver(tell)


class Seat:
    """A thread that does one job after another. It never keeps the program alive."""

    def __init__(self, name: str) -> None:
        """Take a name, for anyone inspecting a program's threads."""
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._current: Job[Any, Any] | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def start(self, job: Job[_Report, _Result]) -> None:
        """Do this next, and stop the current job."""
        self.cancel()
        self._current = job
        if not self._thread.is_alive():
            self._thread.start()
        self._jobs.put(job.run)

    def cancel(self) -> None:
        """Stop the current job, if there is one."""
        if self._current is not None:
            self._current.cancel()
            self._current = None

    def close(self) -> None:
        """End the thread after its current job; see join()."""
        self.cancel()
        self._jobs.put(None)

    def join(self, seconds: float) -> bool:
        """Wait for the thread and tell whether it has ended. One that never ends is abandoned."""
        if self._thread.is_alive():
            self._thread.join(seconds)
        return not self._thread.is_alive()
