"""Searches in threads that hand their findings to the event loop one by one.

A search runs only while somebody listens: it stops when its listener goes.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from mossa._core import StopToken
from mossa.errors import GameError

Message = dict[str, Any]
Report = Callable[[Message], None]
Work = Callable[[StopToken, Report], None]
"""Work for a thread: it reports messages and ends soon after it is told to stop."""


FAILED = "the server failed; its log says why"
"""What a client hears about an error in the server itself."""


class BusyError(GameError):
    """More work is waiting than the server can do in reasonable time."""


def _stand_back(nice: int) -> None:
    """Let this thread wait for programs that are less nice; only Linux knows this of threads."""
    if nice and sys.platform == "linux":
        me = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, me, max(nice, os.getpriority(os.PRIO_PROCESS, me)))


class Searches:
    """A number of threads, with a limited queue in front of them."""

    def __init__(self, name: str, *, threads: int, waiting: int, nice: int = 0) -> None:
        """Take how many may run, how many more may wait, and how far they stand back."""
        self._pool = ThreadPoolExecutor(
            threads, thread_name_prefix=name, initializer=_stand_back, initargs=(nice,)
        )
        self._most = threads + waiting
        self._tokens: set[StopToken] = set()

    @property
    def count(self) -> int:
        """How many run or wait."""
        return len(self._tokens)

    async def messages(self, work: Work) -> AsyncGenerator[Message, None]:
        """Yield what the work reports; leave the loop to stop it."""
        if self.count >= self._most:
            raise BusyError("the server is busy; try again in a moment")
        loop, stop = asyncio.get_running_loop(), StopToken()
        queue: asyncio.Queue[Message | BaseException | None] = asyncio.Queue()

        def tell(item: Message | BaseException | None) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(queue.put_nowait, item)

        def run() -> None:
            try:
                if not stop.stopped:
                    work(stop, tell)
            except BaseException as error:
                tell(error)
            else:
                tell(None)
            finally:
                with suppress(RuntimeError):
                    loop.call_soon_threadsafe(self._tokens.discard, stop)

        self._tokens.add(stop)
        future = self._pool.submit(run)
        try:
            async for message in _until_end(queue):
                yield message
        finally:
            stop.stop()
            if future.cancel():
                self._tokens.discard(stop)

    def close(self) -> None:
        """Stop them all and wait until they have ended."""
        for token in list(self._tokens):
            token.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)


async def _until_end(
    queue: asyncio.Queue[Message | BaseException | None],
) -> AsyncGenerator[Message, None]:
    while (item := await queue.get()) is not None:
        if isinstance(item, BaseException):
            raise item
        yield item
