"""Lines over a network: over TCP, or over a WebSocket where ``websockets`` is installed.

Either side may have called. Whoever is at the other end may send half a line, a line without end,
bytes that are not text, or die at any moment. A line that is too long is dropped; when the
connection ends, so do the lines.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from mossa.errors import GameError, shorten
from mossa.players.needs import package

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

LONGEST_LINE = 1 << 16
"""The longest line that is read, in bytes."""

WEBSOCKETS = package("websockets", "a WebSocket", extra="web", always=False)

CONNECT = 10.0
"""Seconds to reach a server, and to be greeted by it."""


@dataclass(frozen=True)
class Address:
    """Where a server is: a host and a port, or the address of a WebSocket."""

    host: str
    port: int
    url: str | None = None

    def __str__(self) -> str:
        """Return what was given, with the port."""
        return self.url or f"{self.host}:{self.port}"


_HOST = re.compile(r"(?:\[(?P<six>[0-9a-fA-F:.%\w]+)\]|(?P<host>[^\s:/\[\]]+))(?::(?P<port>\d+))?")


def read_address(text: str, *, port: int) -> Address:
    """Return the address of ``HOST``, ``HOST:PORT``, ``[::1]:PORT`` or ``ws://HOST/PATH``."""
    if re.fullmatch(r"wss?://[^\s/]+\S*", text):
        return Address("", 0, text)
    found = _HOST.fullmatch(text)
    number = int(found["port"][:9]) if found and found["port"] else port
    if found is None or not 0 < number < 65536:
        raise GameError(
            f"invalid server {shorten(text)}: HOST, HOST:PORT with a port from 1 to 65535, "
            "or ws://HOST/PATH"
        )
    return Address(found["six"] or found["host"], number)


class Connection(Protocol):
    """A connection for lines in both directions."""

    def lines(self) -> Iterator[str]:
        """Yield what the other says, until the connection ends; it must begin soon."""
        ...

    def greeted(self) -> None:
        """Wait without limit from now on: this is who we want to talk to."""
        ...

    def send(self, line: str) -> None:
        """Send a line. If the connection has ended, nothing happens: `lines` ends too."""
        ...

    def close(self) -> None:
        """End the connection, even while another thread waits for a line."""
        ...


def connect(address: Address) -> Connection:
    """Return a connection; raise OSError where there is no server."""
    if address.url is not None:
        return WebSocketConnection(address.url)
    return TcpConnection(socket.create_connection((address.host, address.port), timeout=CONNECT))


def split_lines(pieces: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines in pieces of bytes; half a line at the end does not count."""
    kept, dropping = b"", False
    for data in pieces:
        *whole, kept = (kept + data).split(b"\n")
        for line in whole:
            if not dropping and len(line) <= LONGEST_LINE:
                yield line.decode(errors="replace").strip()
            dropping = False
        if len(kept) > LONGEST_LINE:
            kept, dropping = b"", True


class TcpConnection:
    """Lines that end with CR LF, over TCP."""

    def __init__(self, connected: socket.socket) -> None:
        """Take a socket; its timeout is how long the other may be silent before it is greeted."""
        self._socket = connected
        # A machine that has vanished is noticed in the end, even if nobody says anything.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sending = threading.Lock()

    def lines(self) -> Iterator[str]:
        """Yield what the other says, until the connection ends."""
        return split_lines(iter(self._receive, b""))

    def _receive(self) -> bytes:
        try:
            return self._socket.recv(1 << 14)
        except OSError:  # it was reset, closed, or has said nothing when it should have
            return b""

    def greeted(self) -> None:
        """Wait without limit from now on."""
        with suppress(OSError):
            self._socket.settimeout(None)

    def send(self, line: str) -> None:
        """Send a line."""
        with self._sending:
            try:
                self._socket.sendall(f"{line}\r\n".encode())
            except OSError:
                self.close()  # half a line may be on its way: there is no going on

    def close(self) -> None:
        """End the connection, even while another thread waits for a line."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class WebSocketConnection:
    """Lines as messages of a WebSocket."""

    def __init__(self, url: str) -> None:
        """Connect; raise OSError where there is no server."""
        try:
            from websockets.exceptions import InvalidHandshake, InvalidURI
            from websockets.sync.client import connect
        except ImportError:
            raise GameError(f"cannot connect to {shorten(url)}: {WEBSOCKETS.refusal}") from None
        self._patience: float | None = CONNECT
        try:
            opening = connect(url, open_timeout=CONNECT, close_timeout=1, max_size=LONGEST_LINE)
            self._socket: ClientConnection = opening.__enter__()
        except InvalidURI as error:
            raise GameError(f"invalid server {shorten(url)}: {error}") from None
        except InvalidHandshake as error:
            raise ConnectionError(f"no WebSocket: {error}") from None

    def lines(self) -> Iterator[str]:
        """Yield what the server says, until the connection ends."""
        from websockets.exceptions import ConnectionClosed

        while True:
            try:
                message = self._socket.recv(self._patience)
            except (ConnectionClosed, TimeoutError):
                return
            text = message if isinstance(message, str) else bytes(message).decode(errors="replace")
            yield from text.splitlines()

    def greeted(self) -> None:
        """Wait without limit from now on."""
        self._patience = None

    def send(self, line: str) -> None:
        """Send a line."""
        from websockets.exceptions import ConnectionClosed

        with suppress(ConnectionClosed, OSError):
            self._socket.send(f"{line}\r\n")

    def close(self) -> None:
        """End the connection, even while another thread waits for a line."""
        self._socket.close()
