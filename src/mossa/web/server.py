"""``mossa web``: bind, say where, serve until Ctrl-C."""

from __future__ import annotations

import os
import secrets
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from functools import partial
from pathlib import Path

import uvicorn

from mossa.errors import GameError
from mossa.web.app import create_app
from mossa.web.connections import Connections, Doorman, most_connections
from mossa.web.guard import is_loopback
from mossa.web.limits import BODY_BYTES, KEEP_ALIVE_SECONDS
from mossa.web.store import Store, default_path


def serve(
    host: str, port: int, *, token: str | None, browser: bool, games: Path | None = None
) -> None:
    """Serve the board; on an address that others can reach, only who knows the token.

    Without one there, a token is made up and printed with the address.
    """
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(16)
    if token is not None and (not token.isascii() or not token.isprintable() or " " in token):
        raise GameError("a token is letters and digits without spaces")
    # Bound here and not by uvicorn: a port that is taken is an error like others, and port 0 works.
    listener = _bind(host, port)
    app = create_app(Store(games or default_path()), token=token)
    address = _address(host, listener.getsockname()[1], token)
    print(f"mossa: the board is at {address}  (Ctrl-C stops it)", flush=True)
    if browser and _has_browser():
        # The socket listens already, so the browser may come before the server is up.
        threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()
    connections = Connections(most_connections())
    config = uvicorn.Config(
        connections.wrap(app),
        http=partial(Doorman, connections),  # type: ignore[arg-type]
        log_level="warning",
        proxy_headers=False,  # clients are counted by the addresses that they really have
        ws="websockets-sansio",
        ws_max_size=BODY_BYTES,
        timeout_keep_alive=int(KEEP_ALIVE_SECONDS),
        timeout_graceful_shutdown=2,
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def _bind(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(1024)
    except OSError as error:
        raise GameError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    return listener


def _address(host: str, port: int, token: str | None) -> str:
    name = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    name = f"[{name}]" if ":" in name else name
    return f"http://{name}:{port}/" + (f"?token={token}" if token else "")


def _has_browser() -> bool:
    """Tell whether a window can open; a browser in this terminal would be in the way."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
