"""The socket: reports on slow work while it happens.

A page asks for one thing at a time; the next request, or the end of the connection, stops the last
one. Request numbers increase, and every answer says which request it is for, so nothing that comes
late or twice can be mistaken for something else.

A page may also watch one game: whenever somebody changes it, in another tab or on another device,
the page gets the game as it stands. Other requests leave the watch alone.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from mossa.errors import GameError
from mossa.session import turns
from mossa.web import limits, saved_games
from mossa.web.api import wanted_position
from mossa.web.connections import client_of
from mossa.web.messages import Request
from mossa.web.opponents import Opponents
from mossa.web.problems import malformed
from mossa.web.searches import FAILED, Message, Searches, Work
from mossa.web.store import Store, outdated
from mossa.web.thinking import analysis, computer_move, game_as_it_is, game_review, graph, hint

router = APIRouter()

_LOG = logging.getLogger("uvicorn.error")
_UNREADABLE = 1007
_OUT_OF_ORDER = 1008
_TRY_AGAIN = 1013


@dataclass
class Desk:
    """What all sockets share: running searches, the players, who is connected."""

    store: Store
    opponents: Opponents = field(default_factory=Opponents)
    moves: Searches = field(
        default_factory=lambda: Searches("move", threads=limits.SEARCHES, waiting=limits.WAITING)
    )
    # A pool of its own: a long analysis must not keep anybody's opponent from moving.
    analyses: Searches = field(
        default_factory=lambda: Searches(
            "analysis", threads=limits.SEARCHES, waiting=limits.WAITING
        )
    )
    sockets: Counter[str] = field(default_factory=Counter)
    """How many pages each client has."""
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    _watches: defaultdict[str, set[asyncio.Event]] = field(default_factory=lambda: defaultdict(set))

    def __post_init__(self) -> None:
        """Hear of every change of a saved game."""
        self.store.changed = self._wake_soon

    @contextmanager
    def watching(self, name: str) -> Iterator[asyncio.Event]:
        """Return an event that is set whenever a saved game changes."""
        changed = asyncio.Event()
        self._watches[name].add(changed)
        try:
            yield changed
        finally:
            self._watches[name].remove(changed)
            if not self._watches[name]:
                del self._watches[name]

    def _wake_soon(self, name: str) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody watches any more
            self._loop.call_soon_threadsafe(self._wake, name)

    def _wake(self, name: str) -> None:
        for changed in self._watches.get(name, ()):
            changed.set()

    def newer(self, name: str, version: int, secret: str) -> Message | None:
        """Return a saved game as this secret sees it, if it has changed since a version."""
        saved = self.store.load(name)
        return saved_games.state(saved, secret) if saved.version > version else None

    def work(self, request: Request) -> tuple[Searches, Work]:
        """Return the work a request asks for, and the pool that does it."""
        if request.do in ("analyse", "graph", "review"):
            if request.position is None:
                raise GameError("an analysis needs a position")
            position = wanted_position(request.position)
            if request.do == "graph":
                return self.analyses, graph(position)
            if request.do == "review":
                if not position.history:
                    raise GameError("nothing to review: no move has been made")
                return self.analyses, game_review(position, request.opening)
            if position.outcome is not None:
                raise GameError(f"nothing to analyse: {position.outcome}")
            return self.analyses, analysis(position)
        saved = self.store.load(request.id)
        if saved.version != request.version:
            if request.do == "think":  # another page has made the move, or taken it back
                return self.moves, game_as_it_is(saved)
            raise outdated(request.version)
        if turns.is_over(saved.record):
            raise GameError("the game is over")
        if request.do == "hint":
            if saved.seats is not None:
                raise GameError("there are no hints in a game with a friend")
            return self.moves, hint(saved.record.position)
        if turns.awaits_person(saved.record):
            raise GameError("it is a person's turn")
        return self.moves, computer_move(self.store, self.opponents, saved)

    def close(self) -> None:
        """Stop everything."""
        self.moves.close()
        self.analyses.close()


@router.websocket("/api/live")
async def live(socket: WebSocket) -> None:
    """Serve one page until it goes."""
    desk: Desk = socket.app.state.desk
    await socket.accept()
    client = client_of(socket.client.host if socket.client else "")
    if desk.sockets.total() >= limits.SOCKETS or desk.sockets[client] >= limits.SOCKETS_PER_CLIENT:
        await _close(socket, _TRY_AGAIN, "too many pages are open; try again later")
        return
    desk.sockets[client] += 1
    try:
        await _Page(socket, desk).serve()
    finally:
        desk.sockets[client] -= 1
        desk.sockets += Counter()  # forgets those that have none


class _NonsenseError(Exception):
    """A message that gets a connection closed."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class _Page:
    """One connection: the current request, the watched game, the last number."""

    def __init__(self, socket: WebSocket, desk: Desk) -> None:
        self._socket, self._desk = socket, desk
        self._answering: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._last = -1

    async def serve(self) -> None:
        nonsense: _NonsenseError | None = None
        try:
            while True:
                await self._take(await self._next())
        except WebSocketDisconnect:
            pass
        except _NonsenseError as error:
            nonsense = error
        finally:
            await _end(self._answering)
            await _end(self._watching)
        if nonsense is not None:  # only now: nothing may be sent after the farewell
            await _close(self._socket, nonsense.code, nonsense.reason)

    async def _next(self) -> Request:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        try:
            request = Request.model_validate_json(message.get("text") or message.get("bytes") or "")
        except ValidationError as error:
            raise _NonsenseError(_UNREADABLE, malformed(error.errors())[:120]) from None
        if request.request <= self._last:
            raise _NonsenseError(_OUT_OF_ORDER, "request numbers must increase")
        self._last = request.request
        return request

    async def _take(self, request: Request) -> None:
        """Start answering a request, in place of the last one of its kind."""
        if request.do == "watch":
            await _end(self._watching)
            self._watching = asyncio.create_task(self._answer(request, self._changes(request)))
            return
        await _end(self._answering)
        self._answering = None
        if request.do != "stop":
            self._answering = asyncio.create_task(self._answer(request, self._findings(request)))

    async def _findings(self, request: Request) -> AsyncGenerator[Message, None]:
        searches, work = await asyncio.to_thread(self._desk.work, request)
        async with aclosing(searches.messages(work)) as messages:
            async for message in messages:
                yield message

    async def _changes(self, request: Request) -> AsyncGenerator[Message, None]:
        version = request.version
        with self._desk.watching(request.id) as changed:
            while True:
                changed.clear()  # before the game is read, so that no change is missed
                game = await asyncio.to_thread(self._desk.newer, request.id, version, request.seat)
                if game is not None:
                    version = game["version"]
                    yield {"game": game}
                await changed.wait()

    async def _answer(self, request: Request, messages: AsyncGenerator[Message, None]) -> None:
        with suppress(WebSocketDisconnect):  # nobody is left to be told
            try:
                async with aclosing(messages):
                    async for message in messages:
                        await self._send(request, message)
            except GameError as error:
                await self._send(request, {"error": str(error)})
            except WebSocketDisconnect:
                raise
            except Exception:
                _LOG.exception("a search failed: %s", request)
                await self._send(request, {"error": FAILED})

    async def _send(self, request: Request, message: Message) -> None:
        await self._socket.send_json({"request": request.request, **message})


async def _end(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    with suppress(WebSocketDisconnect):  # it has already gone
        await socket.close(code, reason)
