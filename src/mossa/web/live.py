"""The socket: what takes time is told while it happens.

A page asks for one thing at a time; the next request, or the end of the connection, stops the last
one. Every request has a number greater than the one before, and every answer says which request it
is for, so nothing that comes late or twice can be mistaken.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from mossa.errors import GameError
from mossa.web import limits, turns
from mossa.web.api import seen_game, wanted_position
from mossa.web.messages import Request
from mossa.web.opponents import Opponents
from mossa.web.searches import Message, Searches, Work
from mossa.web.store import Store
from mossa.web.thinking import analysis, computer_move, game_review, graph, hint

router = APIRouter()

_LOG = logging.getLogger("uvicorn.error")
_UNREADABLE = 1007
_OUT_OF_ORDER = 1008
_TRY_AGAIN = 1013


@dataclass
class Desk:
    """What all sockets share: the searches that run, the players, who is connected."""

    store: Store
    opponents: Opponents = field(default_factory=Opponents)
    moves: Searches = field(
        default_factory=lambda: Searches("move", threads=limits.SEARCHES, waiting=limits.WAITING)
    )
    # A pool of its own: whoever analyses for a minute keeps nobody's opponent from moving.
    analyses: Searches = field(
        default_factory=lambda: Searches(
            "analysis", threads=limits.SEARCHES, waiting=limits.WAITING
        )
    )
    sockets: int = 0

    def work(self, request: Request) -> tuple[Searches, Work]:
        """Return what a request asks for, and who does it."""
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
        saved = seen_game(self.store, request.id, request.version)
        if turns.is_over(saved.record):
            raise GameError("the game is over")
        if request.do == "hint":
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
    if desk.sockets >= limits.SOCKETS:
        await socket.close(_TRY_AGAIN, "too many pages are open; try again later")
        return
    desk.sockets += 1
    try:
        await _Page(socket, desk).serve()
    finally:
        desk.sockets -= 1


class _Page:
    """One connection: the request that is being answered, the number of the last one."""

    def __init__(self, socket: WebSocket, desk: Desk) -> None:
        self._socket, self._desk = socket, desk
        self._task: asyncio.Task[None] | None = None
        self._last = -1

    async def serve(self) -> None:
        try:
            while (request := await self._next()) is not None:
                await self._stop()
                if request.do != "stop":
                    self._task = asyncio.create_task(self._answer(request))
        except WebSocketDisconnect:
            pass
        finally:
            await self._stop()

    async def _next(self) -> Request | None:
        """Return the next request; None if the connection was closed because of what it sent."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        try:
            request = Request.model_validate_json(message.get("text") or message.get("bytes") or "")
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "message"
            await self._socket.close(_UNREADABLE, f"{place}: {first['msg']}"[:120])
            return None
        if request.request <= self._last:
            await self._socket.close(_OUT_OF_ORDER, "requests must have growing numbers")
            return None
        self._last = request.request
        return request

    async def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _answer(self, request: Request) -> None:
        try:
            searches, work = await asyncio.to_thread(self._desk.work, request)
            async with aclosing(searches.messages(work)) as messages:
                async for message in messages:
                    await self._send(request, message)
        except GameError as error:
            await self._send(request, {"error": str(error)})
        except WebSocketDisconnect:
            pass
        except Exception:
            _LOG.exception("a search failed: %s", request)
            await self._send(request, {"error": "the server failed; its log says why"})

    async def _send(self, request: Request, message: Message) -> None:
        await self._socket.send_json({"request": request.request, **message})
