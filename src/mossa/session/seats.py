"""Threads in which players think, one for each, and how what they find comes to the board.

A player is asked by one thread alone, one question after the other, so none is asked twice at a
time. What is no longer wanted is stopped, and nothing of it reaches the board any more: everything
is handed over in the board's own thread, and there it is looked at whether it is still wanted.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from time import monotonic
from typing import Any, Generic, TypeVar

from mossa._core import StopToken

Deliver = Callable[[Callable[[], None]], object]
"""Has a function called in the thread of the board, soon; may be called from any thread."""

_Report = TypeVar("_Report")
_Result = TypeVar("_Result")
_Told = TypeVar("_Told")
Work = Callable[[StopToken, Callable[[_Report], None]], _Result]
"""What a thread does: it may report on its way, and ends soon after it was told to stop."""

INTERVAL = 0.1
"""Seconds between two reports: nobody can read faster."""


class Job(Generic[_Report, _Result]):
    """One piece of work, and who hears of it."""

    def __init__(
        self,
        work: Work[_Report, _Result],
        deliver: Deliver,
        *,
        reported: Callable[[_Report], None],
        ended: Callable[[_Result], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Take the work and the functions of the board."""
        self._work, self._deliver = work, deliver
        self._reported, self._ended, self._failed = reported, ended, failed
        self._stop = StopToken()
        self._last = 0.0

    def cancel(self) -> None:
        """Stop it; nothing is heard of it any more."""
        self._stop.stop()

    def run(self) -> None:
        """Do the work, in a thread of its own."""
        if self._stop.stopped:
            return
        try:
            result = self._work(self._stop, self._report)
        except BaseException as error:  # sys.exit() in a player ends its turn, no more
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
    """A thread that does one job after the other. It never keeps the program from ending."""

    def __init__(self, name: str) -> None:
        """Take a name, for those who look at the threads of a program."""
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._current: Job[Any, Any] | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def start(self, job: Job[_Report, _Result]) -> None:
        """Do this next, and stop what is being done."""
        self.cancel()
        self._current = job
        if not self._thread.is_alive():
            self._thread.start()
        self._jobs.put(job.run)

    def cancel(self) -> None:
        """Stop what is being done, if anything is."""
        if self._current is not None:
            self._current.cancel()
            self._current = None

    def close(self) -> None:
        """End the thread when it has done what it is at; see join()."""
        self.cancel()
        self._jobs.put(None)

    def join(self, seconds: float) -> bool:
        """Wait for the thread; tell whether it has ended. One that never ends is left behind."""
        if self._thread.is_alive():
            self._thread.join(seconds)
        return not self._thread.is_alive()
