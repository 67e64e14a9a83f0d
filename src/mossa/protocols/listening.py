"""Listen on a port for callers, over TCP and over WebSockets alike.

A caller over a WebSocket speaks first, with an HTTP request; one over TCP waits to be greeted. So a
caller that is silent for a moment must be using TCP.
"""

from __future__ import annotations

import select
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mossa.errors import GameError, shorten
from mossa.protocols.connection import (
    CONNECT,
    LONGEST_LINE,
    WEBSOCKETS,
    Connection,
    TcpConnection,
    split_lines,
)

if TYPE_CHECKING:
    from websockets.http11 import Request

MOMENT = 0.5
"""Seconds of silence after which a caller is taken to wait for a greeting."""

MOST_CALLERS = 256
"""The most connections at the same time; further callers are turned away."""

_TAKE_IN = 5  # seconds to take in what we say, after which a caller is given up

_HTTP = b"GET "


class NotALineError(GameError):
    """A caller that we cannot talk to, with the reason."""


class Listener:
    """Waits for callers, and hands each of them over in a thread of its own."""

    def __init__(
        self,
        port: int,
        attend: Callable[[Connection, str], object],
        *,
        anywhere: bool = False,
        tell: Callable[[str], object] = lambda line: None,
    ) -> None:
        """Listen on a port of this machine, or of all its networks; raise GameError if taken.

        ``attend`` talks to a caller until it returns, and is told where the call comes from.
        """
        host = "0.0.0.0" if anywhere else "127.0.0.1"
        try:
            self._socket = socket.create_server((host, port))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            raise GameError(f"cannot listen on {host}:{port}: {why}") from None
        self.port: int = self._socket.getsockname()[1]
        self.address = f"{host}:{self.port}"
        self._attend, self._tell = attend, tell
        self._calls: set[Connection | socket.socket] = set()
        self._changing = threading.Lock()
        self._closed = False
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        """Stop listening, and end every call."""
        with self._changing:
            self._closed = True
            calls = list(self._calls)
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for callers
        self._socket.close()
        for call in calls:
            with suppress(OSError):
                call.close()

    def _listen(self) -> None:
        while True:
            try:
                caller, (host, port, *_) = self._socket.accept()
            except OSError:  # closed, or the caller is gone already
                if self._closed:
                    return
                continue
            with self._changing:
                full = self._closed or len(self._calls) >= MOST_CALLERS
                if not full:
                    self._calls.add(caller)
            if full:
                caller.close()
                continue
            threading.Thread(
                target=self._take, args=(caller, f"{host}:{port}"), daemon=True
            ).start()

    def _take(self, caller: socket.socket, where: str) -> None:
        connection: Connection | None = None
        try:
            connection = answer(caller)
            with self._changing:
                self._calls.add(connection)
            self._attend(connection, where)
        except NotALineError as error:
            self._tell(f"{where}: {error}")
        except OSError:
            pass  # gone in the middle of the first words
        finally:
            with self._changing:
                self._calls -= {caller, connection}
            (connection or caller).close()


def answer(caller: socket.socket) -> Connection:
    """Return the connection to a caller, whichever way it calls; raise NotALineError for others."""
    caller.settimeout(CONNECT)
    # A caller that sends and never reads must not have us keep what it does not read.
    caller.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LONGEST_LINE)
    if sys.platform != "win32":
        # Nor wait for ever to be able to answer.
        caller.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", _TAKE_IN, 0))
    if not select.select([caller], [], [], MOMENT)[0]:
        return TcpConnection(caller)
    begin = caller.recv(len(_HTTP), socket.MSG_PEEK)
    return AcceptedWebSocket(caller) if _HTTP.startswith(begin) and begin else TcpConnection(caller)


class AcceptedWebSocket:
    """Lines as messages of a WebSocket that somebody else has opened."""

    def __init__(self, caller: socket.socket) -> None:
        """Shake hands; raise NotALineError if the caller wants something else."""
        try:
            from websockets.http11 import Request
            from websockets.server import ServerProtocol
        except ImportError:
            caller.sendall(b"HTTP/1.1 501 Not Implemented\r\nConnection: close\r\n\r\n")
            raise NotALineError(WEBSOCKETS.refusal) from None
        self._socket = caller
        self._protocol = ServerProtocol(max_size=LONGEST_LINE)
        self._talking = threading.Lock()
        while data := caller.recv(1 << 14):
            self._protocol.receive_data(data)
            for event in self._protocol.events_received():
                assert isinstance(event, Request)
                self._accept(event)
                return
            if self._protocol.handshake_exc is not None:
                break
        raise NotALineError(f"no WebSocket: {self._protocol.handshake_exc or 'it hung up'}")

    def _accept(self, request: Request) -> None:
        """Answer the request. Pages of other sites, which browsers let call us, are turned away."""
        from websockets.exceptions import InvalidHandshake

        origin, host = request.headers.get("Origin"), request.headers.get("Host")
        try:
            if origin is not None and urlsplit(origin).netloc not in ("", host):
                response = self._protocol.reject(403, "pages of other sites cannot call here\n")
                refused = f"a page of {shorten(origin)} called"
            else:
                response = self._protocol.accept(request)
                refused = "" if response.status_code == 101 else "no WebSocket"
        except (InvalidHandshake, ValueError) as error:
            raise NotALineError(f"no WebSocket: {error}") from None
        self._protocol.send_response(response)
        self._flush()
        if refused:
            why = self._protocol.handshake_exc
            raise NotALineError(f"{refused}: {why}" if why else refused)

    def lines(self) -> Iterator[str]:
        """Yield what the caller says, until the connection ends.

        A line need not be a message: some callers send it in pieces.
        """
        return split_lines(self._pieces())

    def _pieces(self) -> Iterator[bytes]:
        from websockets.frames import Frame, Opcode

        while data := self._receive():
            with self._talking:
                self._protocol.receive_data(data)
                events = self._protocol.events_received()
                self._flush()  # pongs, and the answer to a goodbye
            for event in events:
                if isinstance(event, Frame) and event.opcode in (
                    Opcode.TEXT,
                    Opcode.BINARY,
                    Opcode.CONT,
                ):
                    yield bytes(event.data)
            if self._protocol.close_expected():
                return

    def _receive(self) -> bytes:
        try:
            return self._socket.recv(1 << 14)
        except OSError:
            return b""

    def _flush(self) -> None:
        try:
            for data in self._protocol.data_to_send():
                if data:
                    self._socket.sendall(data)
                else:
                    self._socket.shutdown(socket.SHUT_WR)
        except OSError:  # half a message may be on its way: there is no going on
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def greeted(self) -> None:
        """Wait without limit from now on."""
        with suppress(OSError):
            self._socket.settimeout(None)

    def send(self, line: str) -> None:
        """Send a line."""
        from websockets.exceptions import InvalidState

        with self._talking, suppress(InvalidState):
            self._protocol.send_text(f"{line}\r\n".encode())
            self._flush()

    def close(self) -> None:
        """End the connection, even while another thread waits for a line."""
        from websockets.exceptions import InvalidState

        with self._talking, suppress(InvalidState):
            self._protocol.send_close(1000)
            self._flush()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
