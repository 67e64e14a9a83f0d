"""Ends calls of other people's Python code that take too long, in whatever thread they run.

Python cannot end a thread, but it can raise an exception in one. A call that waits for something
outside of Python, such as a sleep, hears of it when it is back.
"""

import ctypes
import os
import threading
from time import monotonic, sleep
from types import TracebackType

LONGEST = 10.0
"""Seconds that one call may take."""

_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc


class TooLongError(BaseException):
    """Raised in a call that takes too long; no ``except Exception`` keeps it from ending."""


def too_long() -> str:
    """Return what is wrong with such a call."""
    return f"still running after {LONGEST:g} s"


class _Watch:
    """All calls that are being watched: at most one a thread, the outermost."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun: dict[int, float] = {}
        self._raised: set[int] = set()
        self._thread: threading.Thread | None = None

    def begin(self) -> bool:
        """Watch the call that begins now; False if this thread is watched already."""
        me = threading.get_ident()
        with self._lock:
            if me in self._begun:
                return False
            self._begun[me] = monotonic()
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="mossa watch", daemon=True)
                self._thread.start()
        return True

    def end(self) -> None:
        """Watch it no longer; what was raised too late to be heard is taken back."""
        me = threading.get_ident()
        with self._lock:
            del self._begun[me]
            if me in self._raised:
                self._raised.discard(me)
                _raise_in(ctypes.c_ulong(me), None)

    def _look(self) -> None:
        while True:
            sleep(LONGEST / 10)
            with self._lock:
                late = [one for one, begin in self._begun.items() if monotonic() - begin > LONGEST]
                for thread in late:
                    self._raised.add(thread)
                    _raise_in(ctypes.c_ulong(thread), ctypes.py_object(TooLongError))


_watch = _Watch()


def _begin_again() -> None:
    global _watch
    _watch = _Watch()


if hasattr(os, "register_at_fork"):  # a thread does not survive a fork
    os.register_at_fork(after_in_child=_begin_again)


class watched:  # noqa: N801 - used like a function
    """Ends what is done in this block with TooLongError if it takes longer than LONGEST."""

    __slots__ = ("_mine",)

    def __enter__(self) -> None:
        """Begin to watch."""
        self._mine = _watch.begin()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Watch no longer."""
        if self._mine:
            _watch.end()
