"""KGP: a client against servers on a real socket, good ones and bad ones."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import mossa
from mossa.protocols.connection import Address, read_address
from mossa.protocols.kgp import client as kgp
from mossa.protocols.kgp.client import Client, Identity
from mossa.protocols.kgp.words import PORT, Board, read_arguments, write_text

WAIT = 20.0
START = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"


class Server:
    """A server that a test speaks through; it takes one connection after the other."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(WAIT)
        host, port = self._listening.getsockname()
        self.address = Address(host, port)
        self.accept = self._accept

    def _accept(self) -> Peer:
        return Peer(self._listening.accept()[0])

    def close(self) -> None:
        self._listening.close()


class Peer:
    """The server's end of a connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        connection.settimeout(WAIT)
        self._reader = connection.makefile(encoding="utf-8", newline="\r\n")

    def say(self, *lines: str) -> None:
        self.socket.sendall("".join(f"{line}\r\n" for line in lines).encode())

    def hear(self, pattern: str) -> re.Match[str]:
        """The next line that is no comment, without the client's own number."""
        while True:
            line = self._reader.readline()
            assert line.endswith("\r\n"), f"the connection ended, expected {pattern}"
            if "info:comment" in line:
                continue
            said = re.fullmatch(r"\d+(@\d+)? (.*)\r\n", line)
            assert said, line
            text = f"{said[1] or ''} {said[2]}".strip()
            found = re.fullmatch(pattern, text)
            assert found, f"{text!r} is not {pattern!r}"
            return found

    def hear_moves(self, number: int) -> str:
        """Moves until the yield; the last one is returned."""
        move = ""
        while True:
            said = self.hear(rf"@{number} (?:move (\d+)|yield)")
            if said[1] is None:
                return move
            move = said[1]

    def greet(self) -> None:
        self.say("kgp 1 0 1")
        self.hear("mode freeplay")

    def ended(self) -> bool:
        try:
            while self.socket.recv(1 << 12):
                pass
        except OSError:
            pass
        return True

    def close(self) -> None:
        self._reader.close()
        self.socket.close()


Run = Callable[..., Client]


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture
def play(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Start a client of the server, in a thread."""
    monkeypatch.setattr(kgp, "FIRST_PAUSE", 0.05)
    started: list[tuple[Client, threading.Thread]] = []

    def run(
        spec: str = "alphabeta:depth=3", identity: Identity | None = None, **options: object
    ) -> Client:
        client = Client(spec, identity or Identity(), **{"time": 5.0, **options})  # type: ignore[arg-type]
        thread = threading.Thread(target=client.run, args=(server.address,), daemon=True)
        thread.start()
        started.append((client, thread))
        return client

    yield run
    for client, thread in started:
        client.close()
        thread.join(WAIT)
        assert not thread.is_alive()


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("example.org", Address("example.org", 2671)),
        ("example.org:80", Address("example.org", 80)),
        ("[::1]:2671", Address("::1", 2671)),
        ("wss://kalah.example/socket", Address("", 0, "wss://kalah.example/socket")),
    ],
)
def test_addresses(text: str, address: Address) -> None:
    assert read_address(text, port=PORT) == address


@pytest.mark.parametrize(
    "text", ["", "a:b", "a:0", "a:65536", "a:99999999999999", "http://a", "a b"]
)
def test_bad_addresses(text: str) -> None:
    with pytest.raises(mossa.GameError, match="invalid server"):
        read_address(text, port=PORT)


def test_texts() -> None:
    assert write_text('a "b" \\ c\r\nd') == r'"a \"b\" \\ c  d"'
    assert read_arguments(r'info:name "a \"b\" \\ c" 3 <2,0>') == [
        "info:name",
        r'a "b" \ c',
        "3",
        "<2,0>",
    ]
    assert read_arguments("") == []


def test_boards() -> None:
    board = Board.read("<3,10,2,1,2,3,4,2,0>")
    assert board == Board((10, 2), (1, 2, 3), (4, 2, 0))
    position = board.position()
    assert position is not None
    assert position.text == "1,2,3,10/4,2,0,2 first"
    assert str(position.game) == "kalah:3x4"
    # Numbers of seeds that no game begins with are made up in the stores.
    odd = Board.read("<3,0,0,1,0,0,0,0,2>").position()
    assert odd is not None and odd.text == "1,0,0,1/0,0,2,2 first"
    assert Board.read("<13," + ",".join(["1"] * 28) + ">").position() is None
    assert Board.read("<2,0,0,99,0,0,99>").position() is None
    for bad in ("", "<>", "<3,1,2>", "<0,1,2>", "3,1", "<2,0,0,1,1,1,->", f"<{'1' * 12}>"):
        with pytest.raises(ValueError, match="board"):
            Board.read(bad)


# --- a good server --------------------------------------------------------------------------------


def test_it_introduces_itself(server: Server, play: Run) -> None:
    play(identity=Identity("Mossa", "A, B", 'says "hi"', "secret"))
    peer = server.accept()
    peer.say("kgp 1 0 0")
    peer.hear('set info:name "Mossa"')
    peer.hear('set info:authors "A, B"')
    peer.hear(r'set info:description "says \\"hi\\""')
    peer.hear('set auth:token "secret"')
    peer.hear("mode freeplay")
    peer.close()


def test_a_whole_game_of_both_sides(server: Server, play: Run) -> None:
    """The same client plays both sides, as tournaments against oneself do."""
    play()
    peer = server.accept()
    peer.greet()
    game = mossa.game("kalah:6x4")
    position, number = game.start(), 2
    while position.outcome is None:
        own, other = position.cells if position.side.value == 0 else reversed(position.cells)
        board = [6, own[-1], other[-1], *own[:-1], *other[:-1]]
        peer.say(f"{number} state <{','.join(map(str, board))}>")
        position = position.play(peer.hear_moves(number))
        peer.say(f"{number + 2}@{number} stop")
        number += 4
    assert position.ply > 10
    peer.close()


def test_the_words_of_the_course_server(server: Server, play: Run) -> None:
    """As go-kgp says it: all commands numbered, bare pings, ``goodbye`` without a number."""
    client = play(identity=Identity("Mossa", token="secret"))
    peer = server.accept()
    peer.say("2 kgp 1 0 1")
    peer.hear('set info:name "Mossa"')
    peer.hear('set auth:token "secret"')
    peer.hear("mode freeplay")
    peer.say("4@5 ok", "6 ping")
    peer.hear("@6 pong")
    peer.say(f"8 state {START}")
    assert peer.hear_moves(8) in "123456"
    peer.say("10@8 stop", '12@8 error "No state associated with id"', "14 ping")
    peer.hear("@14 pong")
    peer.say("goodbye")
    again = server.accept()  # it comes back
    client.close()
    again.close()
    peer.close()


@pytest.mark.parametrize("size", [1, 2, 6, 7, 8, 12, 13, 20])
def test_every_size_of_board(server: Server, play: Run, size: int) -> None:
    play("random:seed=1")
    peer = server.accept()
    peer.greet()
    pits = ",".join(["3"] * size * 2)
    peer.say(f"4 state <{size},0,0,{pits}>")
    assert 1 <= int(peer.hear_moves(4)) <= size
    peer.close()


def test_moves_come_at_any_time_and_stop_ends_them(server: Server, play: Run) -> None:
    play("alphabeta", time=60.0)
    peer = server.accept()
    peer.greet()
    peer.say(f"4 state {START}")
    peer.hear(r"@4 move \d")
    peer.hear(r"@4 move \d")
    peer.say("6@4 stop", "8 ping 7")
    while (said := peer.hear(r"@4 move \d|@8 pong \"7\"")[0]).startswith("@4"):
        pass
    peer.say("10 ping")
    peer.hear("@10 pong")  # and neither a move nor a yield in between
    assert said == '@8 pong "7"'
    peer.close()


def test_several_boards_at_once(server: Server, play: Run) -> None:
    play("alphabeta", time=0.3, games=2)
    peer = server.accept()
    peer.greet()
    for number in (4, 6, 8):  # the third waits for a player, but not for a move
        peer.say(f"{number} state {START}")
    moves: dict[str, str] = {}
    yields: list[str] = []
    while len(yields) < 3:
        said = peer.hear(r"@(\d+) (?:move (\d+)|(yield))")
        if said[3]:
            yields.append(said[1])
        else:
            moves[said[1]] = said[2]
    assert sorted(yields) == sorted(moves) == ["4", "6", "8"]
    peer.close()


def test_time_limits_of_the_server(server: Server, play: Run) -> None:
    play("alphabeta", time=60.0)
    peer = server.accept()
    peer.greet()
    peer.say("set time:mode absolute", "set time:clock 5", f"4 state {START}")
    begin = time.monotonic()
    peer.hear_moves(4)
    assert time.monotonic() - begin < 2.5  # a share of the five seconds
    peer.say("set time:mode relative", "set time:clock 1", f"6 state {START}")
    begin = time.monotonic()
    peer.hear_moves(6)
    assert 0.5 < time.monotonic() - begin < 3
    peer.close()


def test_a_state_without_a_number(server: Server, play: Run) -> None:
    play("random:seed=1")
    peer = server.accept()
    peer.greet()
    peer.say(f"state {START}")
    peer.hear(r"move \d")
    peer.hear("yield")
    peer.close()


# --- bad servers ----------------------------------------------------------------------------------


def test_garbage(server: Server, play: Run) -> None:
    play("random:seed=1")
    peer = server.accept()
    peer.say("", "HTTP/1.1 400 Bad Request", f"2 state {START}", "!!!")
    peer.greet()
    peer.socket.sendall(b"\xff\xfe\0\r\n" + b"x" * 200_000 + b"\r\n@ @ @\r\n")
    peer.say(
        "4 state", "6 state <3,1>", "8 dance", 'set unknown:option "x"', "set", "ok", "nok", "init"
    )
    peer.hear('@4 error "expected a board.*"')
    peer.hear('@6 error "a board of 3 .*"')
    peer.hear('@8 error "unknown command dance"')
    peer.say("10@99 stop", f"12 state {START}", "14 ping")
    heard = {peer.hear(".*")[0].split()[0] for _ in range(3)}
    assert heard == {"@12", "@14"}
    peer.close()


def test_boards_where_nothing_can_be_played(server: Server, play: Run) -> None:
    play("random:seed=1")
    peer = server.accept()
    peer.greet()
    peer.say("4 state <2,3,3,0,0,1,1>")  # no seeds of our own
    peer.hear("@4 yield")
    peer.say("6 state <2,3,3,1,1,0,0>")  # over by the rules, but the server asks
    peer.hear("@6 move 2")
    peer.hear("@6 yield")
    peer.close()


def test_half_lines(server: Server, play: Run) -> None:
    play("random:seed=1")
    peer = server.accept()
    for piece in ("kg", "p 1 ", "0 1\r", "\n2 pi"):
        peer.socket.sendall(piece.encode())
        time.sleep(0.05)
    peer.hear("mode freeplay")
    peer.say("ng")
    peer.hear("@2 pong")
    peer.socket.sendall(b"4 sta")  # and dies
    peer.close()
    again = server.accept()
    again.greet()
    again.close()


def test_a_server_that_dies_in_the_middle_of_a_search(server: Server, play: Run) -> None:
    play("alphabeta", time=60.0, games=1)
    peer = server.accept()
    peer.greet()
    peer.say(f"4 state {START}")
    peer.hear(r"@4 move \d")
    peer.close()
    # The player of the lost game is free for the next one.
    again = server.accept()
    again.greet()
    again.say("2 state <1,0,0,5,5>")
    assert again.hear_moves(2) == "1"
    again.say("goodbye")
    assert again.ended()
    server.accept().close()  # it comes back after a goodbye too


def test_a_server_of_another_protocol(server: Server) -> None:
    client = Client("random", Identity())
    error: list[BaseException] = []

    def run() -> None:
        try:
            client.run(server.address)
        except mossa.GameError as caught:
            error.append(caught)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    peer = server.accept()
    peer.say("kgp 2 0 0")
    peer.hear('error "protocol not supported"')
    peer.hear("goodbye")
    thread.join(WAIT)
    assert [str(each) for each in error] == ["the server speaks KGP 2.0.0: this is for KGP 1"]
    peer.close()


def test_once_ends_with_the_connection(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = threading.Thread(
        target=Client("random", Identity()).run, args=(server.address,), kwargs={"once": True}
    )
    thread.start()
    peer = server.accept()
    peer.greet()
    peer.say("goodbye")
    thread.join(WAIT)
    assert not thread.is_alive()
    peer.close()
    address = server.address
    server.close()
    with pytest.raises(mossa.GameError, match=r"cannot reach 127\.0\.0\.1:\d+: Connection refused"):
        Client("random", Identity()).run(address, once=True)


def test_the_pause_grows_and_is_told(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kgp, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(kgp, "LONGEST_PAUSE", 0.04)
    told: list[str] = []
    address = server.address
    server.close()
    client: Client

    def tell(line: str) -> None:
        told.append(line.rpartition("in ")[2])
        if len(told) == 4:
            client.close()

    client = Client("random", Identity(), tell=tell)
    client.run(address)
    assert told == ["0.01 s", "0.02 s", "0.04 s", "0.04 s"]


def test_a_player_that_fails_still_moves(server: Server, play: Run, tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("def broken(position):\n    raise RuntimeError('out of ideas')\n")
    play(f"{file}:broken")
    peer = server.accept()
    peer.greet()
    peer.say(f"4 state {START}")
    assert peer.hear_moves(4) == "6"
    peer.close()


def test_over_a_websocket() -> None:
    websockets = pytest.importorskip("websockets.sync.server")
    said: list[str] = []

    def handle(connection: object) -> None:
        connection.send("2 kgp 1 0 1\r\n")  # type: ignore[attr-defined]
        for message in connection:  # type: ignore[attr-defined]
            said.append(message.strip())
            if "mode" in message:
                connection.send("4 state <1,0,0,5,5>\r\n")  # type: ignore[attr-defined]
            if "yield" in message:
                connection.send("goodbye\r\n")  # type: ignore[attr-defined]

    with websockets.serve(handle, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.socket.getsockname()[1]
        address = read_address(f"ws://127.0.0.1:{port}/socket", port=0)
        Client("random", Identity("Mossa")).run(address, once=True)
        server.shutdown()
    assert [line.partition(" ")[2] for line in said] == [
        'set info:name "Mossa"',
        "mode freeplay",
        "move 1",
        "yield",
    ]


def test_no_move_comes_before_the_server_listens(server: Server, play: Run) -> None:
    """The course's server ignores a move that comes at once, and plays a random one instead."""
    play("random")
    peer = server.accept()
    peer.greet()
    begin = time.monotonic()
    peer.say(f"4 state {START}")
    peer.hear(r"@4 move \d")
    assert time.monotonic() - begin >= 0.05
    peer.hear("@4 yield")
