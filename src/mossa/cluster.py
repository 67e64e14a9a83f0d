"""Where work runs: the cores of this machine, or a Dask cluster, behind ``concurrent.futures``.

`LocalWorkers` is an executor of processes that do not share a fate: a worker that dies fails the
one piece of work it had, with `WorkerLostError`, and is replaced. `cluster_workers` gives an
executor for a Dask cluster, which hands the work of a lost worker to another one by itself.

Why not a library: Python's own pool and loky fail all work when one process dies; Pebble is LGPL.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import queue
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

from mossa.errors import GameError, how_to_install, shorten
from mossa.packages import version

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Given = TypeVar("_Given")

CONNECT = 10.0
"""Seconds to reach the scheduler of a cluster."""

TRIES = 3
"""Workers that may die of one piece of work before it is given up."""

_PATIENCE = 0.2  # seconds of waiting in which nobody looks for Ctrl-C
_NOTHING: Any = object()
_FAREWELL = 2.0  # seconds for a worker to end what it has started


class WorkerLostError(GameError):
    """A worker process died while it had work to do."""


class ClusterError(GameError):
    """A cluster that cannot be reached, or that went away."""


WorkerLostError.__module__ = ClusterError.__module__ = "mossa"


@contextmanager
def workers(
    *,
    cluster: str | None = None,
    count: int | None = None,
    at_exit: Callable[[], object] | None = None,
    at_end: Callable[[int], object] | None = None,
) -> Iterator[tuple[Executor, int]]:
    """Give an executor and the number of pieces of work that it does at once.

    ``cluster`` is the address of a Dask scheduler; without one, ``count`` processes of this machine
    (all cores unless said otherwise) do the work. ``at_exit`` is what a local worker does when it
    must go at once: end the programs that it has started. ``at_end`` is called here with the
    number of each process that has ended, to do what it could not.
    """
    if cluster is not None:
        with cluster_workers(cluster) as both:
            yield both
        return
    count = count or os.cpu_count() or 1
    local = LocalWorkers(count, at_exit=at_exit, at_end=at_end)
    try:
        yield local, count
    finally:
        local.shutdown(wait=True, cancel_futures=True)


_MOST_WAITING = 4096  # results that wait for one before them


def in_order(
    executor: Executor, slots: int, function: Callable[[_Given], _T], given: Iterable[_Given]
) -> Iterator[_T]:
    """Yield what a function makes of each of many things, in their order.

    Twice as many as there are workers are under way at a time; all others wait here. While a long
    one holds up the order, those after it are done.
    """
    waiting: deque[Future[_T]] = deque()
    room = threading.Semaphore(2 * slots)
    try:
        for each in given:
            room.acquire()
            waiting.append(executor.submit(function, each))
            waiting[-1].add_done_callback(lambda _: room.release())
            while waiting and (waiting[0].done() or len(waiting) >= _MOST_WAITING):
                yield _fetched(waiting.popleft())
        while waiting:
            yield _fetched(waiting.popleft())
    finally:  # also when the caller wants no more
        for future in waiting:
            future.cancel()


def as_done(
    executor: Executor, slots: int, function: Callable[[_Given], _T], given: Iterable[_Given]
) -> Iterator[tuple[_Given, _T]]:
    """Yield many things, each with what a function makes of it, as soon as that is known.

    Twice as many as there are workers are under way at a time. What a worker died of is given to
    another one, a few times.
    """
    source = iter(given)
    running: dict[Future[_T], tuple[_Given, int]] = {}
    try:
        while True:
            while len(running) < 2 * slots and (each := next(source, _NOTHING)) is not _NOTHING:
                running[executor.submit(function, each)] = each, 1
            if not running:
                return
            done, _ = wait(running, timeout=_PATIENCE, return_when=FIRST_COMPLETED)
            for future in done:
                each, tries = running.pop(future)
                try:
                    result = _fetched(future)
                except Exception as error:
                    if not is_lost_worker(error) or tries >= TRIES:
                        raise
                    running[executor.submit(function, each)] = each, tries + 1
                else:
                    yield each, result
    finally:  # also when the caller wants no more
        for future in running:
            future.cancel()


def is_lost_worker(error: BaseException) -> bool:
    """Tell whether work failed because its worker died: others may do it."""
    return isinstance(error, WorkerLostError) or type(error).__name__ == "KilledWorker"  # Dask's


def _fetched(future: Future[_T]) -> _T:
    try:
        return future.result()
    except CancelledError:
        raise ClusterError("the cluster has gone: the work is not finished") from None


# ---------------------------------------------------------------- this machine


class LocalWorkers(Executor):
    """Processes of this machine, each with one piece of work at a time."""

    def __init__(
        self,
        count: int,
        *,
        at_exit: Callable[[], object] | None = None,
        at_end: Callable[[int], object] | None = None,
    ) -> None:
        """Start the threads that look after the processes; these start when there is work."""
        self._work: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._ending = False
        self._keepers = [_Keeper(self._work, at_exit, at_end) for _ in range(count)]
        for keeper in self._keepers:
            keeper.start()

    def submit(
        self, function: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_T]:
        """Have a function of a module called in one of the processes."""
        if self._ending:
            raise RuntimeError("these workers have been dismissed")
        future: Future[_T] = Future()
        self._work.put((future, function, args, kwargs))
        return future

    @property
    def pids(self) -> list[int]:
        """The processes that are running."""
        return [keeper.pid for keeper in self._keepers if keeper.pid is not None]

    def give_up(self, future: Future[Any]) -> None:
        """End the process that does a piece of work, which fails with WorkerLostError."""
        if not future.cancel():
            for keeper in self._keepers:
                keeper.give_up(future)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Dismiss the workers; with ``cancel_futures`` at once, whatever they are doing."""
        self._ending = True
        if cancel_futures:
            with suppress(queue.Empty):
                while (work := self._work.get_nowait()) is not None:
                    work[0].cancel()
        for _ in self._keepers:
            self._work.put(None)
        if cancel_futures:
            for keeper in self._keepers:
                keeper.dismiss()
        if wait:
            for keeper in self._keepers:
                keeper.join()


_Work = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...], dict[str, Any]]


class _Keeper(threading.Thread):
    """Looks after one process: hands it work, fetches results, replaces it when it dies."""

    def __init__(
        self,
        work: queue.SimpleQueue[_Work | None],
        at_exit: Callable[[], object] | None,
        at_end: Callable[[int], object] | None,
    ) -> None:
        super().__init__(daemon=True)
        self._work = work
        self._at_exit = at_exit
        self._at_end = at_end
        self._process: Any = None
        self._pipe: Connection | None = None
        self._future: Future[Any] | None = None  # what the process is doing
        self._dismissed = False
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        process = self._process
        return None if process is None else process.pid

    def run(self) -> None:
        try:
            while (work := self._work.get()) is not None:
                future, *call = work
                if not self._dismissed and future.set_running_or_notify_cancel():
                    self._future = future
                    self._do(future, call)
        finally:
            self._end()

    def _do(self, future: Future[Any], call: list[Any]) -> None:
        try:
            pipe = self._connected(call[0])
            pipe.send(call)
            good, result = pipe.recv()
            with self._lock:
                self._future = None
        except (EOFError, OSError):
            code = self._end()
            future.set_exception(WorkerLostError(f"a worker process died ({_how(code)})"))
        except Exception as error:  # work that cannot be sent
            future.set_exception(error)
        else:
            if good:
                future.set_result(result)
            else:
                future.set_exception(result)

    def _connected(self, function: Callable[..., Any]) -> Connection:
        with self._lock:
            if self._dismissed:
                raise EOFError
            if self._pipe is None:
                # Spawned, not forked: this process has threads, and a database open.
                context = multiprocessing.get_context("spawn")
                self._pipe, other = context.Pipe()
                self._process = context.Process(
                    target=_worker, args=(other, self._at_exit), daemon=True
                )
                alone = nullcontext() if function.__module__ == "__main__" else _main_left_alone()
                with alone, interrupts_held():
                    self._process.start()
                other.close()
            return self._pipe

    def give_up(self, future: Future[Any]) -> None:
        """End the process if this is what it does: kindly, and soon after that by force."""
        with self._lock:
            process = self._process
            if self._future is not future or process is None:
                return
            process.terminate()

        def kill() -> None:
            with self._lock:
                if self._process is process:
                    process.kill()

        last = threading.Timer(_FAREWELL, kill)
        last.daemon = True
        last.start()

    def dismiss(self) -> None:
        """End the process, whatever it is doing."""
        with self._lock:
            self._dismissed = True
            if self._process is not None:
                self._process.terminate()

    def _end(self) -> int | None:
        """Let the process go; return its exit code."""
        with self._lock:
            process, pipe = self._process, self._pipe
            self._process = self._pipe = None
        if pipe is not None:
            pipe.close()
        if process is None:
            return None
        process.join(_FAREWELL)
        if process.exitcode is None:
            process.kill()
            process.join()
        if self._at_end is not None:
            self._at_end(process.pid)
        code: int | None = process.exitcode
        return code


_main_lock = threading.Lock()


@contextmanager
def _main_left_alone() -> Iterator[None]:
    """Keep a process that is started from running the user's script again.

    Python has a spawned process do that, for functions that the script defines. A script without
    ``if __name__ == "__main__"`` would then begin its tournament anew in every worker.
    """
    with _main_lock:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Keep Ctrl-C waiting while something is done that it must not interrupt.

    A mask is inherited: without it Ctrl-C would end a process that is started and still imports,
    with a traceback.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _how(code: int | None) -> str:
    if code is None:
        return "it was dismissed"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _worker(pipe: Connection, at_exit: Callable[[], object] | None) -> None:
    """Do work until the other end of the pipe is closed, by its owner or by his death."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the owner to decide about
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # see interrupts_held

    def leave(*_: object) -> None:
        if at_exit is not None:
            at_exit()
        os._exit(1)

    signal.signal(signal.SIGTERM, leave)
    calls: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def listen() -> None:
        # In a thread of its own: the owner may die while this process is at work.
        while True:
            try:
                calls.put(pipe.recv())
            except (EOFError, OSError):
                leave()
            except Exception as error:  # what was sent cannot be read here
                calls.put(error)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        call = calls.get()
        try:
            if isinstance(call, Exception):
                raise call
            function, args, kwargs = call
            answer = True, function(*args, **kwargs)
        except BaseException as error:
            answer = False, error
        try:
            pipe.send(answer)
        except OSError:
            leave()
        except Exception as error:  # a result that cannot be sent
            pipe.send((False, GameError(f"a result cannot be sent: {error}")))


# ---------------------------------------------------------------- a cluster


@contextmanager
def cluster_workers(address: str) -> Iterator[tuple[Executor, int]]:
    """Give an executor on a Dask cluster and the number of its threads.

    Certificates for ``tls://`` addresses are taken from Dask's own configuration.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(
            f"--cluster needs Dask, here and on every worker: {how_to_install('cluster')}"
        ) from None
    client, why = _connected(Client, address)
    if client is None:
        # Now, and not whenever Python likes: a client that failed closes itself when it is
        # collected, and must not do so while another one is starting.
        gc.collect()
        raise ClusterError(
            f"no cluster at {shorten(address)}: {why}; expected tcp://HOST:PORT of a scheduler"
        )
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise ClusterError(f"the cluster at {shorten(address)} has no workers")
        _check_versions(client, address)
        # A piece of work that differs only in its time is not the same piece of work.
        yield client.get_executor(pure=False), threads
    finally:
        with suppress(Exception):  # a cluster that has gone cannot be taken leave of
            client.close(timeout=5)


def _check_versions(client: Any, address: str) -> None:
    """Raise ClusterError if a worker has another mossa: its results could be other ones."""
    ours = version()
    for worker, found in client.run(version, on_error="return").items():
        if isinstance(found, ModuleNotFoundError):
            has = "has no mossa"
        elif isinstance(found, Exception) or found == ours:
            continue  # a worker that goes away right now will do no work either
        else:
            has = f"has mossa {found}"
        raise ClusterError(
            f"worker {worker} of the cluster at {shorten(address)} {has}, and this is mossa "
            f"{ours}: install the same version everywhere"
        )


def _connected(make: Any, address: str) -> tuple[Any, str]:
    """Return a client, or None and the reason why there is none."""
    try:
        return make(address, timeout=CONNECT, set_as_default=False), ""
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        return None, str(error)
