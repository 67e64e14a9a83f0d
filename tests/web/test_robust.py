"""The server under bad treatment: it refuses what is wrong, keeps serving, and goes when told."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from browsing import STOPPED, Server
from command import posix
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.typing import Origin

pytestmark = posix


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that may complain, but not of itself."""
    server = Server(tmp_path_factory.mktemp("robust") / "games.sqlite")
    yield server
    code, errors = server.stop()
    assert code == STOPPED[0]
    assert set(errors.splitlines()) <= {
        "WARNING:  Invalid HTTP request received.",
        STOPPED[1].strip(),
    }


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=20) as client:
        yield client


def serves(client: httpx.Client) -> bool:
    return client.get("/api/catalogue").status_code == 200


def raw(server: Server, request: bytes) -> bytes:
    """Send bytes that no decent client would, and return what comes back."""
    with socket.create_connection(("127.0.0.1", int(server.port)), timeout=20) as sock:
        try:
            sock.sendall(request)
            return sock.recv(65_536)
        except (ConnectionResetError, BrokenPipeError):
            return b""


def test_it_leaves_cleanly_whoever_is_still_there(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.sqlite")
    with socket.create_connection(("127.0.0.1", int(server.port))), httpx.Client() as client:
        assert client.get(server.address).status_code == 200  # and the connection stays
        assert server.stop() == STOPPED


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x00\xff" * 500,
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: x\r\n\r\n",
        b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://[::\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: [::\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
def test_no_http(server: Server, client: httpx.Client, request_bytes: bytes) -> None:
    answer = raw(server, request_bytes)
    assert answer == b"" or b" 4" in answer.partition(b"\r\n")[0]
    assert serves(client)


def test_ten_megabytes(server: Server, client: httpx.Client) -> None:
    large = b"x" * 10_000_000
    pieces = [large[at : at + 50_000] for at in range(0, len(large), 50_000)]
    for path in ("games", "position", "trace", "tournaments"):
        assert client.post(f"/api/{path}", content=large).status_code == 413
        # Without saying beforehand how much it is; it may be refused before all of it was sent.
        with suppress(httpx.TransportError):
            assert client.post(f"/api/{path}", content=iter(pieces)).status_code == 413
        assert serves(client)


def test_a_message_of_ten_megabytes_closes_the_socket(server: Server, client: httpx.Client) -> None:
    async def send() -> int | None:
        async with connect(live(server), origin=home(server), max_size=None) as page:
            try:
                await page.send("x" * 10_000_000)
                await page.recv()
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else None
        return None

    assert asyncio.run(send()) in (1009, None)
    assert serves(client)


def live(server: Server) -> str:
    return f"{server.address.replace('http', 'ws')}api/live"


def home(server: Server) -> Origin:
    return Origin(server.address.rstrip("/"))


@pytest.mark.slow
def test_hundreds_of_sockets(server: Server, client: httpx.Client) -> None:
    """Five hundred pages are served, the others are told to try again; then all of it again."""
    count = 900

    async def open_one() -> tuple[str, ClientConnection | None]:
        try:
            page = await connect(live(server), origin=home(server), open_timeout=60)
        except (InvalidHandshake, InvalidMessage, OSError) as error:
            return type(error).__name__, None
        try:
            await asyncio.wait_for(page.recv(), 8)
        except TimeoutError:
            return "open", page
        except ConnectionClosed as closed:
            return str(closed.rcvd and closed.rcvd.code), None
        return "spoke", page

    async def open_all() -> Counter[str]:
        found = await asyncio.gather(*(open_one() for _ in range(count)))
        pages = [page for _, page in found if page is not None]
        assert await asyncio.to_thread(serves, client)
        await asyncio.gather(*(page.close() for page in pages))
        return Counter(kind for kind, _ in found)

    counts = asyncio.run(open_all())
    assert counts == {"open": 500, "1013": count - 500}
    assert serves(client)


def test_silent_connections_are_closed(server: Server, client: httpx.Client) -> None:
    silent = [socket.create_connection(("127.0.0.1", int(server.port))) for _ in range(200)]
    slow = socket.create_connection(("127.0.0.1", int(server.port)))
    slow.sendall(b"GET / HTT")
    try:
        assert serves(client)
        for sock in (*silent, slow):
            sock.settimeout(20)
            assert sock.recv(1) == b""
    finally:
        for sock in (*silent, slow):
            sock.close()
    assert serves(client)
