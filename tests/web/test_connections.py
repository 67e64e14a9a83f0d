"""Clients that hold connections: they are let go in time, and others are served meanwhile."""

from __future__ import annotations

import asyncio
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from browsing import STOPPED, Server
from command import posix
from programs import until
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from mossa.web.connections import client_of

pytestmark = posix

OTHER = "127.0.0.2"
HOST = b"Host: 127.0.0.1\r\n"
GET = b"GET /api/catalogue HTTP/1.1\r\n" + HOST
POST = b"POST /api/games HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
PATIENCE = 20
"""Seconds: far more than anything here takes, for machines that have other things to do."""

SERVE = """
import sys
from mossa.web import limits
for change in sys.argv[2:]:
    name, _, value = change.partition("=")
    assert hasattr(limits, name)
    setattr(limits, name, type(getattr(limits, name))(value))
from mossa.cli import main
sys.argv[1:] = ["web", "--port", "0", "--no-browser", "--games", sys.argv[1]]
main()
"""


@contextmanager
def serving(folder: Path, **limits: float) -> Iterator[int]:
    """A server with limits of its own, and the port it listens on; it must not complain."""
    given = [f"{name}={value}" for name, value in limits.items()]
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(folder / "games.sqlite"), *given],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
        assert found
        yield int(found[1])
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == STOPPED
    finally:
        process.kill()
        process.communicate()


def dial(port: int, *, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0))


def ask(port: int, *, source: str = "127.0.0.1") -> int:
    """The status of a request on a connection of its own."""
    transport = httpx.HTTPTransport(local_address=source)
    with httpx.Client(transport=transport, timeout=PATIENCE) as client:
        return client.get(f"http://127.0.0.1:{port}/api/catalogue").status_code


def read_answer(sock: socket.socket) -> bytes:
    """Read one whole answer, and leave the connection open."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += sock.recv(65_536)
    head, _, body = data.partition(b"\r\n\r\n")
    found = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    assert found
    while len(body) < int(found[1]):
        body += sock.recv(65_536)
    return head


def silent(sock: socket.socket) -> None:
    """Never say anything."""


def half_a_head(sock: socket.socket) -> None:
    sock.sendall(GET)


def half_a_second_head(sock: socket.socket) -> None:
    sock.sendall(GET + b"\r\n")
    read_answer(sock)
    sock.sendall(GET)


def half_a_body(sock: socket.socket) -> None:
    sock.sendall(POST + b"Content-Length: 60000\r\n\r\n{")


def endless_pieces(sock: socket.socket) -> None:
    sock.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")


def half_a_body_that_nobody_reads(sock: socket.socket) -> None:
    sock.sendall(b"POST /nothing HTTP/1.1\r\n" + HOST + b"Content-Length: 60000\r\n\r\n{")
    assert b" 404 " in read_answer(sock)


def idle_after_an_answer(sock: socket.socket) -> None:
    sock.sendall(GET + b"\r\n")
    read_answer(sock)


DRIBBLERS: dict[Callable[[socket.socket], None], bytes] = {
    silent: b"",
    half_a_head: b"X-A: b\r\n",
    half_a_second_head: b"X-A: b\r\n",
    half_a_body: b" ",
    endless_pieces: b"1\r\n \r\n",
    half_a_body_that_nobody_reads: b" ",
    idle_after_an_answer: b"",
}
"""How a connection begins, and what is sent on it now and then."""


def dribbled(sock: socket.socket, drop: bytes) -> bool:
    """Send a little more; tell whether the connection is still there."""
    sock.settimeout(0.01)
    try:
        sock.sendall(drop)
        return sock.recv(65_536) != b""
    except TimeoutError:
        return True
    except OSError:
        return False


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with serving(
        tmp_path_factory.mktemp("hasty"),
        REQUEST_SECONDS=1.5,
        KEEP_ALIVE_SECONDS=1.5,
        BODY_SECONDS=1.5,
        ANSWER_SECONDS=1.5,
        IDLE_SECONDS=1.5,
    ) as port:
        yield port


@pytest.mark.parametrize("begin", DRIBBLERS, ids=lambda begin: begin.__name__)
def test_nobody_keeps_a_connection_by_dribbling(
    hasty: int, begin: Callable[[socket.socket], None]
) -> None:
    """Only the first request had a deadline: a second one, or a body, could take for ever."""
    with dial(hasty) as sock:
        begin(sock)
        end = time.monotonic() + PATIENCE
        while dribbled(sock, DRIBBLERS[begin]):
            assert time.monotonic() < end, "it is still open"
            time.sleep(0.1)
    assert ask(hasty) == 200


def test_a_body_that_takes_too_long_is_told_so(hasty: int) -> None:
    with dial(hasty) as sock:
        half_a_body(sock)
        assert b" 408 " in sock.recv(65_536)


def test_an_answer_that_nobody_reads_is_dropped(hasty: int) -> None:
    large = b'{"game": "mnk:100x100x5"}'  # whose answers are more than the system buffers
    head = b"POST /api/position HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
    with dial(hasty) as sock:
        sock.sendall((head + b"Content-Length: %d\r\n\r\n%s" % (len(large), large)) * 20)
        end = time.monotonic() + 3 * PATIENCE
        with suppress(ConnectionError):  # which is what we are waiting for
            while time.monotonic() < end:
                sock.sendall(b"\r\n")
                time.sleep(0.1)
            pytest.fail("it is still open")
    assert ask(hasty) == 200


def test_a_silent_socket_is_closed(hasty: int) -> None:
    async def wait() -> int | None:
        address = f"127.0.0.1:{hasty}"
        async with connect(f"ws://{address}/api/live", origin=Origin(f"http://{address}")) as page:
            with suppress(ConnectionClosed):
                await asyncio.wait_for(page.recv(), PATIENCE)
            return page.close_code

    assert asyncio.run(wait()) == 1001


def test_slow_work_is_no_idleness(hasty: int) -> None:
    """What the server itself takes long for is not the client's fault."""
    wanted = {"game": "mnk:19x19x5", "player": "mcts:time=3", "nodes": 50}
    answer = httpx.post(f"http://127.0.0.1:{hasty}/api/trace", json=wanted, timeout=60)
    assert answer.status_code == 200


def upgrade(sock: socket.socket, port: int) -> bytes:
    """Open a page's socket; return what comes at once, which may include a refusal."""
    sock.sendall(
        b"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n" % (port, port)
    )
    return sock.recv(65_536)


needs_loopback_network = pytest.mark.skipif(
    sys.platform != "linux", reason="a second address of this machine is Linux's alone"
)


def test_at_the_limit_who_waits_longest_gives_way(tmp_path: Path) -> None:
    with serving(tmp_path, CONNECTIONS_PER_CLIENT=10) as port, ExitStack() as held:
        waiting = [held.enter_context(dial(port)) for _ in range(10)]
        waiting[0].sendall(POST + b"Content-Length: 60000\r\nExpect: 100-continue\r\n\r\n")
        assert b" 100 " in waiting[0].recv(65_536)  # from here on the server waits for the body
        assert ask(port) == 200
        assert [sock for sock in waiting if not dribbled(sock, b"")] == waiting[:1]


@needs_loopback_network
def test_one_client_has_only_so_many_connections(tmp_path: Path) -> None:
    with serving(tmp_path, CONNECTIONS_PER_CLIENT=6) as port, ExitStack() as held:
        for _ in range(6):
            assert b" 101 " in upgrade(held.enter_context(dial(port)), port)
        answer = httpx.get(f"http://127.0.0.1:{port}/api/catalogue")
        assert answer.status_code == 503
        assert answer.json() == {"error": "too many connections; try again later"}
        assert ask(port, source=OTHER) == 200
        held.close()
        until(lambda: ask(port) == 200, 10, "it to notice")


@needs_loopback_network
def test_all_clients_together_have_only_so_many(tmp_path: Path) -> None:
    """Whoever has the most gives way."""
    with serving(tmp_path, CONNECTIONS=10) as port, ExitStack() as held:
        few = [held.enter_context(dial(port, source=OTHER)) for _ in range(2)]
        many = [held.enter_context(dial(port)) for _ in range(8)]
        for _ in range(3):
            assert ask(port, source="127.0.0.3") == 200
        assert all(dribbled(sock, b"") for sock in few)
        assert not dribbled(many[0], b"")


@needs_loopback_network
def test_one_client_has_only_so_many_pages(tmp_path: Path) -> None:
    with serving(tmp_path, SOCKETS_PER_CLIENT=2) as port, ExitStack() as held:
        for _ in range(3):
            last = held.enter_context(dial(port))
            answer = upgrade(last, port)
            assert b" 101 " in answer
        assert b"too many pages" in answer or b"too many pages" in last.recv(1000)
        other = held.enter_context(dial(port, source=OTHER))
        assert b" 101 " in upgrade(other, port)
        assert dribbled(other, b"")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
    ],
)
def test_who_counts_as_one_client(one: str, other: str, *, same: bool) -> None:
    assert (client_of(one) == client_of(other)) is same


def established(port: int) -> int:
    """Count the connections to a port of this machine, as Linux sees them at this moment."""
    _, *rows = Path("/proc/net/tcp").read_text().splitlines()
    return sum(
        local.endswith(f":{port:04X}") and state == "01"
        for _, local, _, state, *_ in map(str.split, rows)
    )


@pytest.mark.slow
@needs_loopback_network
def test_two_thousand_dribblers_keep_nobody_out(tmp_path: Path) -> None:
    """They did: 2,100 connections, a byte now and then on each, and nobody else was served."""
    count, seconds = 2100, 30
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count + 500:
        pytest.skip(f"NO TEST WITH {count} CONNECTIONS: only {hard} files may be open")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count + 500), hard))
    server = Server(tmp_path / "games.sqlite")
    port, over = int(server.port), threading.Event()
    kinds = [(begin, drop) for begin, drop in DRIBBLERS.items() if begin is not silent]

    def dribble(begin: Callable[[socket.socket], None], drop: bytes, many: int) -> None:
        """Keep as many connections open as the server lets us."""
        socks: list[socket.socket] = []
        while not over.is_set():
            while len(socks) < many and not over.is_set():
                with suppress(OSError, AssertionError):
                    sock = dial(port)
                    socks.append(sock)
                    begin(sock)
            kept = []
            for sock in socks:
                if dribbled(sock, drop):
                    kept.append(sock)
                else:
                    sock.close()
            socks = kept
        for sock in socks:
            sock.close()

    threads = [
        threading.Thread(target=dribble, args=[begin, drop, count // len(kinds)])
        for begin, drop in kinds
    ]
    try:
        for thread in threads:
            thread.start()
        end, asked, most = time.monotonic() + seconds, 0, 0
        while time.monotonic() < end:
            for source in (OTHER, "127.0.0.1"):  # somebody else, and a neighbour
                assert ask(port, source=source) == 200
                asked += 1
            most = max(most, established(port))
            time.sleep(0.2)
        assert asked > 10
        assert most > 900  # or it was no crowd
    finally:
        over.set()
        for thread in threads:
            thread.join()
        code, errors = server.stop()
    assert (code, errors) == STOPPED
