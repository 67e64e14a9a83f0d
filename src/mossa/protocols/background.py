"""A served player at work: it thinks in a thread, while commands are read in another.

So ``stop``, ``quit`` and the end of the input are heard at any time, whatever the protocol.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from mossa._core import StopToken

LEAVE = 5.0
"""Seconds that a player is waited for at the end. A search of the core that is still running when
Python ends would take the program down with an error."""


class Thought:
    """Work that was begun in a thread, and can be told to come to its end."""

    def __init__(self, work: Callable[[StopToken], object]) -> None:
        """Begin; the work is given what it is to be stopped by."""
        self._token = StopToken()
        # A daemon: a player that does not listen must not keep the program from ending.
        self._thread = threading.Thread(target=work, args=(self._token,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Have it come to its end."""
        self._token.stop()

    def finish(self, seconds: float | None = None) -> None:
        """End it and wait until it has ended, but no longer than the given seconds."""
        self._token.stop()
        self._thread.join(seconds)
