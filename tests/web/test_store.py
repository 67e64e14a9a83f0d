"""Saved games when the disk is full, the file damaged or gone: nothing is promised and not kept."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from browsing import STOPPED, Server
from clients import HOME, LIVE
from fastapi.testclient import TestClient

from mossa.web import saved_games
from mossa.web.app import create_app
from mossa.web.store import Store

LONG = {"game": "gomoku", "moves": "h8 h9 i8 i9 j8 j9 k8 k9 a1 a2 c1 c2 e1 e2"}
PLAN = {"players": ["random", "level:1"], "games": ["tictactoe"]}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data" / "games.sqlite")


@pytest.fixture
def client(store: Store) -> Iterator[TestClient]:
    with TestClient(create_app(store), base_url=HOME) as client:
        yield client


def problem(answer: Any) -> str:
    """Why a request failed that was the server's own fault."""
    assert answer.status_code == 503
    assert answer.headers["content-type"] == "application/json"
    assert list(answer.json()) == ["error"]
    return str(answer.json()["error"])


def begin_until_full(client: TestClient | httpx.Client) -> dict[str, Any]:
    """Begin games until one is refused; all that were promised must be there."""
    kept: list[dict[str, Any]] = []
    for _ in range(2000):
        answer = client.post("/api/games", json=LONG)
        if answer.status_code != 201:
            break
        kept.append(answer.json())
    assert "the disk is full" in problem(answer)
    assert kept
    for game in kept:
        assert client.get(f"/api/games/{game['id']}").json() == game
    return kept[-1]


def test_a_full_disk_promises_nothing(client: TestClient, store: Store) -> None:
    """It was 500 in plain text."""
    store._connection.execute("PRAGMA max_page_count = 12")
    game = begin_until_full(client)
    sent = {"move": "a15", "version": game["version"]}
    for _ in range(20):  # there may be room for a move; what is answered holds either way
        answer = client.post(f"/api/games/{game['id']}/moves", json=sent)
        if answer.status_code == 200:
            assert client.get(f"/api/games/{game['id']}").json() == answer.json()
        else:
            assert answer.status_code in (409, 503)
    store._connection.execute("PRAGMA max_page_count = 1000")  # somebody has made room
    assert client.post("/api/games", json=LONG).status_code == 201


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0,
    reason="NO TEST WITH A FULL DISK: only root may mount a small one",
)
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"NO TEST WITH A FULL DISK: {mounted.stderr.strip()}")
    try:
        server = Server(disk / "games.sqlite")
        with httpx.Client(base_url=server.address, timeout=20) as client:
            begin_until_full(client)
            (disk / "rest").write_bytes(b"")
            assert "cannot be saved or read" in problem(client.post("/api/tournaments", json=PLAN))
            assert client.get("/").status_code == 200
        assert server.stop() == STOPPED
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_folder_that_was_deleted(client: TestClient, store: Store) -> None:
    """SQLite goes on writing to a deleted file: the answer was 201, and the game was gone."""
    game = client.post("/api/games", json=LONG).json()
    shutil.rmtree(store.path.parent)
    address = f"/api/games/{game['id']}"
    for answer in (
        client.post("/api/games", json=LONG),
        client.get(address),
        client.get(f"{address}/record"),
        client.post(f"{address}/moves", json={"move": "a15", "version": 1}),
        client.post(f"{address}/rematch", json={}),
    ):
        assert problem(answer) == "the file with the saved games is gone; restart the server"
    with client.websocket_connect(LIVE, headers={"origin": HOME}) as socket:
        socket.send_json({"request": 1, "do": "watch", "id": game["id"], "version": 1})
        assert "is gone" in socket.receive_json()["error"]


def test_another_file_in_its_place(client: TestClient, store: Store) -> None:
    client.post("/api/games", json=LONG)
    store.path.rename(store.path.with_suffix(".old"))
    store.path.write_bytes(b"")
    assert "is gone" in problem(client.post("/api/games", json=LONG))


def test_a_damaged_record(client: TestClient, store: Store) -> None:
    games = [client.post("/api/games", json=LONG).json()["id"] for _ in range(3)]
    for name, record in zip(games, ["no JSON", '{"game": "chess"}', b"\xff\x00"], strict=True):
        with closing(sqlite3.connect(store.path)) as other, other:
            other.execute("UPDATE games SET record = ? WHERE id = ?", (record, name))
        assert problem(client.get(f"/api/games/{name}")) == f"saved game '{name}' is damaged"


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with TestClient(create_app(Store(path)), base_url=HOME) as client:
        games = [client.post("/api/games", json=LONG).json()["id"] for _ in range(50)]
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)  # the first page says what is where
    path.write_bytes(data)
    with TestClient(create_app(Store(path)), base_url=HOME) as client:
        assert "the file is damaged" in problem(client.get(f"/api/games/{games[0]}"))
        assert "the file is damaged" in problem(client.post("/api/games", json=LONG))


def test_what_nobody_has_foreseen_is_json_too(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(saved_games, "state")
    app = create_app(store)
    with TestClient(app, base_url=HOME, raise_server_exceptions=False) as client:
        answer = client.post("/api/games", json=LONG)
    assert answer.status_code == 500
    assert answer.json() == {"error": "the server failed; its log says why"}
