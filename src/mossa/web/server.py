"""``mossa web``: bind, say where, serve until Ctrl-C."""

from __future__ import annotations

import errno
import os
import secrets
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from urllib.parse import quote

import uvicorn
from fastapi import FastAPI

from mossa.errors import GameError
from mossa.web.app import create_app
from mossa.web.connections import Connections, Doorman, most_connections
from mossa.web.guard import is_loopback
from mossa.web.limits import BODY_BYTES, KEEP_ALIVE_SECONDS
from mossa.web.store import Store, default_path

_USUAL_PORT = 8000
_PORTS = 100
"""Ports to try in turn, if none was given."""
_TOKEN_LENGTHS = range(8, 201)
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses reserved for documentation: the route to them leads out of this machine."""


def serve(
    host: str, port: int | None, *, token: str | None, browser: bool, games: Path | None = None
) -> None:
    """Serve the board; on an address others can reach, only to clients with the token.

    Without a token there, one is made up and printed with the address. Without a port it is 8000,
    or the next one that is free.
    """
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(16)
    if token is not None:
        _check_token(token)
    listener = listen(host, port)
    app = create_app(Store(games or default_path()), token=token)
    address = address_of(host, listener.getsockname()[1], token)
    run(app, listener, address, said="the board is at", browser=browser)


def listen(host: str, port: int | None) -> socket.socket:
    """Listen on a port; if none is given, on the usual one or the next that is free."""
    # Bound here, not by uvicorn: a taken port is an error like any other, and port 0 works.
    return _bind(host, port) if port is not None else _bind_next(host)


def run(app: FastAPI, listener: socket.socket, address: str, *, said: str, browser: bool) -> None:
    """Say where an application is, and serve it until Ctrl-C."""
    connections = Connections(most_connections())
    config = uvicorn.Config(
        connections.wrap(app),
        http=partial(Doorman, connections),  # type: ignore[arg-type]
        log_level="warning",
        proxy_headers=False,  # clients are counted by their real addresses
        ws="websockets-sansio",
        ws_max_size=BODY_BYTES,
        timeout_keep_alive=int(KEEP_ALIVE_SECONDS),
        timeout_graceful_shutdown=2,
    )
    print(f"mossa: {said} {address}  (Ctrl-C stops it)", flush=True)
    if browser and _has_browser():
        # The socket is already listening, so the browser may come before the server is up.
        threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()
    server = uvicorn.Server(config)
    with _ending_cleanly(server):
        server.run(sockets=[listener])


@contextmanager
def _ending_cleanly(server: uvicorn.Server) -> Iterator[None]:
    """Hold back signals to end until the server has ended: it misses them while it starts."""
    if threading.current_thread() is not threading.main_thread():  # others get no signals
        yield
        return
    caught: list[int] = []

    def hold(number: int, _: object) -> None:
        caught.append(number)
        server.should_exit = True

    before = {number: signal.signal(number, hold) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if caught:
        signal.raise_signal(caught[0])


def _check_token(token: str) -> None:
    if len(token) not in _TOKEN_LENGTHS:
        least, most = _TOKEN_LENGTHS[0], _TOKEN_LENGTHS[-1]
        given = "the token is empty" if not token else f"the token has {len(token)} characters"
        raise GameError(
            f"{given}, but {least} to {most} are needed; leave --token out to have one made up"
        )
    if not token.isprintable():
        raise GameError("the token has characters that cannot be printed")


def _bind_next(host: str) -> socket.socket:
    """Listen on the usual port, or on the next one that is free."""
    for port in range(_USUAL_PORT, _USUAL_PORT + _PORTS):
        with suppress(_PortTakenError):
            listener = _bind(host, port)
            if port != _USUAL_PORT:
                print(f"mossa: port {_USUAL_PORT} is in use; using port {port}", flush=True)
            return listener
    last = _USUAL_PORT + _PORTS - 1
    raise GameError(f"ports {_USUAL_PORT} to {last} are all in use; choose one with --port")


class _PortTakenError(GameError):
    """Another program is listening there."""


def _bind(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise GameError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    try:
        if os.name == "posix":  # elsewhere it would let two programs listen on one port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(1024)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise _PortTakenError(
                f"port {port} is in use; choose another one, or leave --port out to take the "
                "next that is free"
            ) from None
        raise GameError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    return listener


def address_of(host: str, port: int, token: str | None = None) -> str:
    """Return the address to open: one other machines can reach, if they may."""
    name = _reachable() if host in ("0.0.0.0", "::") else host
    name = f"[{name}]" if ":" in name else name
    return f"http://{name}:{port}/" + (f"?token={quote(token, safe='')}" if token else "")


def _reachable() -> str:
    """Return this machine's address for others, or its name if it has no network."""
    for family, elsewhere in _ELSEWHERE.items():
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))  # sends nothing, but finds the route
            return str(probe.getsockname()[0])
    return socket.gethostname()


def _has_browser() -> bool:
    """Tell whether a window can open; a browser in this terminal would be in the way."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
