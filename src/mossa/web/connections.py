"""Connections: a limited number, none of which can keep the server waiting.

A connection costs the server a file, and a process may open only so many. Anyone who opens many
connections and stays silent, or sends a byte now and then, would lock everybody else out. So three
rules hold, whatever a client sends:

1. A connection without a request has a deadline: for its first one, and after each answer for the
   next. Bytes that do not yet make a request do not extend it.
2. A client that does not read an answer has a deadline, and so does a silent socket.
3. There is a limit on connections per client, and on all of them together. At the limit, the
   connection that has owed us something for longest gives way: one without a request, or with half
   a body. So newcomers are served even if the crowd comes from their own address. A newcomer is
   told to try again only if every connection has a request under way.

The guard limits the time for a body, and the socket the number of open pages. All of this sits in
front of uvicorn and behind it, not inside: ``Doorman`` gets a connection first and hands it on, and
the application is wrapped to notice when requests begin and end.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from mossa.web import limits

_SPARE_FILES = 200
"""For anything but connections: databases, arena processes, farewells."""
_FAREWELL = 0.5
"""Seconds for a refused client to read why; at most so many at a time are told:"""
_FAREWELLS = 50
_BUSY = b'{"error": "too many connections; try again later"}'
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_BUSY), _BUSY)
)
_GOING_AWAY = 1001
_HOST_BITS = 64
"""The part of an IPv6 address that a network leaves to one subscriber."""

_Ends = tuple[Any, ...]
"""Address and port of both ends: no two open connections have the same."""


def most_connections() -> int:
    """Return how many connections to allow, raising the system's limit if possible."""
    most = limits.CONNECTIONS
    if sys.platform == "win32":
        return most
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most + _SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return most if soft == resource.RLIM_INFINITY else min(most, soft - _SPARE_FILES)


def client_of(host: str) -> str:
    """Return the client an address counts as: an IPv6 network has addresses to spare."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{int(address) >> _HOST_BITS:x}::"
    return str(address)


class _Connection:
    """An open connection, and whether it is the client's turn to speak."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        here, there = (transport.get_extra_info(name) for name in ("sockname", "peername"))
        self.ends: _Ends = (*there[:2], *here[:2])
        self.client = client_of(there[0])
        self.requests = 0
        """Requests under way; two if one follows without waiting for the answer."""
        self.owes = True
        self.deadline: asyncio.TimerHandle | None = None


class Connections:
    """All open connections."""

    def __init__(self, most: int) -> None:
        """Take the most connections allowed in total."""
        self._most = most
        self._open: dict[_Ends, _Connection] = {}
        """In the order in which they were last waited for."""
        self._counts: Counter[str] = Counter()

    def admit(self, transport: asyncio.Transport) -> bool:
        """Count a connection; return False if there are too many."""
        newcomer = _Connection(transport)
        if newcomer.ends in self._open:  # one that was lost unnoticed
            self._drop(self._open[newcomer.ends])
        client = newcomer.client
        if self._counts[client] >= limits.CONNECTIONS_PER_CLIENT and not self._evict(client):
            return False
        if len(self._open) >= self._most and not self._evict(self._counts.most_common(1)[0][0]):
            return False
        self._counts[client] += 1
        self._wait(newcomer, limits.REQUEST_SECONDS)
        return True

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Return the application as uvicorn serves it: its requests move the deadlines."""

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            connection = None
            if scope["type"] in ("http", "websocket"):
                connection = self._open.get((*scope["client"], *scope["server"]))
            if connection is None:
                await app(scope, receive, send)
                return
            if connection.deadline is not None:
                connection.deadline.cancel()
            connection.requests += 1
            connection.owes = _has_body(scope)

            async def sending(message: Message) -> None:
                timer = asyncio.get_running_loop().call_later(
                    limits.ANSWER_SECONDS, connection.transport.abort
                )
                try:
                    await send(message)
                finally:
                    timer.cancel()

            async def receiving() -> Message:
                if scope["type"] == "websocket":
                    return await _within(limits.IDLE_SECONDS, receive, sending)
                message = await receive()
                connection.owes = message.get("more_body", False)
                return message

            try:
                await app(scope, receiving, sending)
            finally:
                connection.requests -= 1
                if not connection.requests and self._open.get(connection.ends) is connection:
                    self._wait(connection, limits.KEEP_ALIVE_SECONDS)

        return wrapped

    def _wait(self, connection: _Connection, seconds: float) -> None:
        """Wait for a connection's next request; end it if none comes."""
        self._open.pop(connection.ends, None)
        self._open[connection.ends] = connection
        connection.owes = True
        loop = asyncio.get_running_loop()
        connection.deadline = loop.call_later(seconds, self._drop, connection)

    def _evict(self, client: str) -> bool:
        """End the connection that has owed us something for longest, if there is one."""
        for connection in self._open.values():
            if connection.client == client and connection.owes:
                self._drop(connection)
                return True
        return False

    def _drop(self, connection: _Connection) -> None:
        # Not a plain close: that would wait until the client has read everything sent before.
        connection.transport.abort()
        if connection.deadline is not None:
            connection.deadline.cancel()
        if self._open.get(connection.ends) is connection:
            del self._open[connection.ends]
            self._counts[connection.client] -= 1
            if not self._counts[connection.client]:
                del self._counts[connection.client]


def _has_body(scope: Scope) -> bool:
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    chunked = any(name == b"transfer-encoding" for name, _ in scope["headers"])
    return chunked or any(length != b"0" for length in lengths)


async def _within(seconds: float, receive: Receive, send: Send) -> Message:
    """Return a socket's next message; close it if none comes."""
    try:
        return await asyncio.wait_for(receive(), seconds)
    except TimeoutError:
        await send({"type": "websocket.close", "code": _GOING_AWAY, "reason": "idle for too long"})
        return {"type": "websocket.disconnect", "code": _GOING_AWAY}


class Doorman(asyncio.Protocol):
    """Admits connections and hands them to uvicorn, or refuses them."""

    farewells = 0
    """Refused clients being told why."""

    def __init__(self, connections: Connections, **given: Any) -> None:
        """Take the connections, and what uvicorn passes to its own protocol."""
        self._connections, self._given = connections, given

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Hand a connection to uvicorn unless there are too many."""
        if transport.get_extra_info("peername") is None:  # it has gone again
            transport.abort()
        elif self._connections.admit(transport):
            protocol = H11Protocol(**self._given)
            transport.set_protocol(protocol)
            protocol.connection_made(transport)
        elif Doorman.farewells >= _FAREWELLS:
            transport.abort()
        else:
            Doorman.farewells += 1
            transport.write(_REFUSAL)
            # Closing at once is too early: what the client still sends would undo the answer.
            asyncio.get_running_loop().call_later(_FAREWELL, self._leave, transport)

    def _leave(self, transport: asyncio.Transport) -> None:
        Doorman.farewells -= 1
        transport.abort()
