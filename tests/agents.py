"""Agents of KGP that the tests call us with, over TCP and over WebSockets."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as ws_connect

from mossa.protocols.kgp.words import Board

WAIT = 20.0


class Tcp:
    """A connection to a server, over TCP."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT)
        self._reader = self._socket.makefile(encoding="utf-8", newline="\r\n")

    def send(self, text: str) -> None:
        self._socket.sendall(text.encode())

    def line(self) -> str | None:
        try:
            line = self._reader.readline()
        except OSError:
            return None
        assert line.endswith("\r\n") or not line
        return line.strip() or None

    def close(self) -> None:
        self._reader.close()
        self._socket.close()


class WebSocket:
    """The same over a WebSocket, with every line in three messages, as Go's client sends them."""

    def __init__(self, port: int) -> None:
        self._socket = ws_connect(f"ws://127.0.0.1:{port}/socket", open_timeout=WAIT).__enter__()

    def send(self, text: str) -> None:
        third = max(1, len(text) // 3)
        with contextlib.suppress(ConnectionClosed):
            for piece in (text[:third], text[third : 2 * third], text[2 * third :]):
                if piece:
                    self._socket.send(piece)

    def line(self) -> str | None:
        try:
            text = self._socket.recv(WAIT)
        except ConnectionClosed:
            return None
        assert isinstance(text, str) and text.endswith("\r\n")
        return text.strip()

    def close(self) -> None:
        self._socket.close()


Means = type[Tcp] | type[WebSocket]
Think = Callable[["FakeAgent", Board, str], None]


def left(agent: FakeAgent, board: Board, number: str) -> None:
    """Sow the first pit with seeds, after two worse ideas."""
    agent.say(f"@{number} move 99", f"@{number} move 1")
    agent.say(f"@{number} move {next(at + 1 for at, seeds in enumerate(board.south) if seeds)}")
    agent.say(f"@{number} yield")


class FakeAgent:
    """An agent in a thread."""

    def __init__(
        self,
        port: int,
        means: Means = Tcp,
        think: Think = left,
        *,
        name: str = "fake",
        first: tuple[str, ...] = (),
        pong: bool = True,
    ) -> None:
        self.heard: list[str] = []
        self.ended = threading.Event()
        self.stopped = threading.Event()
        self._ids = iter(range(1, 1 << 40, 2))
        self._think, self._pong = think, pong
        self._first = first or (f'set info:name "{name}"', "mode freeplay")
        self.connection = means(port)
        threading.Thread(target=self._run, daemon=True).start()

    def say(self, *lines: str) -> None:
        with contextlib.suppress(OSError):
            for line in lines:
                at = line if line.startswith("@") else f" {line}"
                self.connection.send(f"{next(self._ids)}{at}\r\n")

    def _run(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (line := self.connection.line()) is not None:
                self.heard.append(line)
                number, command, *rest = line.split(" ", 2)
                if command == "kgp":
                    self.say(*self._first)
                elif command == "ping" and self._pong:
                    self.say(f"@{number} pong")
                elif command == "state":
                    self._think(self, Board.read(rest[0]), number)
                elif command == "stop":
                    self.stopped.set()
                elif command == "goodbye":
                    break
        self.connection.close()
        self.ended.set()


def when_it_listens(call: Callable[[], object]) -> None:
    """Call as soon as somebody listens; who is refused calls again."""

    def knock() -> None:
        while True:
            try:
                call()
                return
            except OSError:
                threading.Event().wait(0.01)

    threading.Thread(target=knock, daemon=True).start()
