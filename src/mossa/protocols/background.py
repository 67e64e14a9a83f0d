"""A served player at work: it thinks in a thread, while commands are read in another.

So ``stop``, ``quit`` and the end of the input are heard at any time, whatever the protocol.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from mossa._core import StopToken

LEAVE = 5.0
"""Seconds to wait for a player at the end. A search of the core that is still running when Python
ends would take the program down with an error."""


class Thought:
    """Work that runs in a thread and can be told to stop."""

    def __init__(self, work: Callable[[StopToken], object]) -> None:
        """Start; the work gets the event that tells it to stop."""
        self._token = StopToken()
        # A daemon: a player that does not listen must not keep the program from ending.
        self._thread = threading.Thread(target=work, args=(self._token,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Tell it to stop."""
        self._token.stop()

    def finish(self, seconds: float | None = None) -> None:
        """Tell it to stop and wait until it has, for at most the given seconds."""
        self._token.stop()
        self._thread.join(seconds)
