"""Connections: only so many, and none that says nothing.

A connection costs the server a file, of which a process has a limited number. Without care a few
hundred clients that connect and are silent keep everybody else out.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

from uvicorn.protocols.http.h11_impl import H11Protocol

from mossa.web.limits import CONNECTIONS, SILENT_SECONDS

_SPARE_FILES = 200
"""For what is no connection: databases, the processes of the arena."""
_FAREWELL = 0.5
"""Seconds for a refused client to read why."""
_BUSY = b'{"error": "too many connections; try again later"}'
_REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_BUSY), _BUSY)
)


def most_connections() -> int:
    """Return how many connections there may be; have the system allow as many if it can."""
    if sys.platform == "win32":
        return CONNECTIONS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + _SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return CONNECTIONS if soft == resource.RLIM_INFINITY else min(CONNECTIONS, soft - _SPARE_FILES)


class Connection(H11Protocol):
    """A connection that is closed unless its first request is there soon."""

    most = CONNECTIONS
    """Of this process; set before it serves."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request; refuse to if there are too many connections."""
        super().connection_made(transport)
        self._refused = len(self.connections) > self.most
        if self._refused:
            transport.write(_REFUSAL)
            # At once would be too early: what the client still sends would undo the answer.
            self.loop.call_later(_FAREWELL, transport.close)
        else:
            self.loop.call_later(SILENT_SECONDS, self._close_if_silent)

    def data_received(self, data: bytes) -> None:
        """Read, unless the connection is refused."""
        if not self._refused:
            super().data_received(data)

    def _close_if_silent(self) -> None:
        # A connection that has become a socket belongs to another protocol.
        if self.cycle is None and self.transport.get_protocol() is self:
            self.transport.close()
