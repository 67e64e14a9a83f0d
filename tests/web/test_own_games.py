"""Games written in Python in the browser: those that the server was started with, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import STOPPED, WAIT, Server, needs_chromium
from clients import HOME, LIVE, act, begin
from command import call, complaint, posix
from fastapi.testclient import TestClient
from own_games import GAMES, odd, written
from playwright.sync_api import Browser, expect

import mossa
from mossa import python_games, watch

OURS = {"origin": HOME}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    with written(tmp_path):
        yield tmp_path


@pytest.fixture
def offered(folder: Path) -> None:
    """The games, as mossa web --game loads them."""
    for name in GAMES:
        mossa.game(name)


def asked(client: TestClient, **question: Any) -> list[dict[str, Any]]:
    """What the socket answers, to the last message."""
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        socket.send_json({"number": 1, **question})
        said = [socket.receive_json()]
        while not {"error", "done", "game"} & said[-1].keys():
            said.append(socket.receive_json())
    return said


def test_nothing_is_run_that_a_visitor_names(folder: Path, client: TestClient) -> None:
    Path("evil.py").write_text("open('ran', 'w').close()\nclass Nim: pass\n")
    name = "evil.py:Nim"
    record = f'{{"game": "{name}", "moves": []}}'
    for path, body in {
        "position": {"game": name},
        "games": {"game": name},
        "read": {"game": "connect4", "text": record},
        "write": {"game": name, "moves": "", "form": "mossa"},
        "arranged": {"game": name, "cells": [[0]], "side": "first"},
        "tournaments": {"players": ["random", "level:1"], "games": [name]},
    }.items():
        answer = client.post(f"/api/{path}", json=body)
        assert answer.status_code in (400, 404, 422), (path, answer.text)
        if answer.status_code == 400:
            assert "only you may have its file loaded" in answer.text, (path, answer.text)
    assert client.post("/api/games", json={"game": "tictactoe", "second": "evil.py:Nim"}).is_error
    assert not Path("ran").exists()
    assert "evil.py" not in client.get("/pages/setup").text


def test_games_are_offered_and_begun(offered: None, client: TestClient) -> None:
    page = client.get("/pages/setup").text
    for name in GAMES:
        assert f'value="{name}"' in page
    assert client.get("/api/catalogue").json()["own"] == GAMES
    fields = {"preset": "nim.py:Nim", "opponent": "level", "level": "3", "side": "first"}
    answer = client.post("/api/setup", json={**fields, "minutes": "0", "increment": "0"})
    assert answer.status_code == 201, answer.text
    assert answer.json()["position"]["game"] == "nim.py:Nim"


def test_a_text_is_a_picture_and_its_moves_are_buttons(offered: None, client: TestClient) -> None:
    state = client.post("/api/position", json={"game": "nim.py:Nim", "moves": "2"}).json()
    assert (state["look"], state["cells"], state["plan"]["rows"]) == ("text", [], 0)
    assert ">||||</tspan>" in state["back"] and ">4 left</tspan>" in state["back"]
    assert state["described"] == "|||| / 4 left"
    assert state["legal"][2] == {"move": "3", "source": None, "target": None}


def test_cells_and_pieces_have_their_places(offered: None, client: TestClient) -> None:
    tiny = client.post("/api/position", json={"game": "tiny.py:Tiny", "moves": "b1"}).json()
    assert (tiny["cells"], tiny["last"]) == ([[0, 1, 0, 0]], [[0, 1]])
    race = client.post("/api/position", json={"game": "race.py:Race"}).json()
    assert race["legal"][0] == {"move": "0-1", "source": [0, 0], "target": [0, 1]}


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game(offered: None, client: TestClient, name: str) -> None:
    game = begin(client, game=name)
    while game["end"] is None:
        game = act(client, game, "moves", move=game["position"]["legal"][0]["move"])
    assert game["status"].endswith(("by the rules of the game", "by 3 points"))
    assert client.get(f"/api/games/{game['id']}").json() == game
    moves = " ".join(game["position"]["history"])
    copied = client.post("/api/write", json={"game": name, "moves": moves, "form": "jsonl"}).json()
    read = client.post("/api/read", json={"game": "connect4", "text": copied["text"]}).json()
    assert (read["game"], read["moves"]) == (name, moves)


def test_a_saved_game_whose_file_is_not_offered_any_more(offered: None, client: TestClient) -> None:
    game = begin(client, game="nim.py:Nim")
    python_games._LOADED.clear()  # the server was started again, without --game
    answer = client.get(f"/api/games/{game['id']}")
    assert answer.is_error
    assert "'nim.py:Nim' is written in Python" in answer.text
    begin(client, game="connect4")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("def play(self, move): return 1 / 0", "fails: play(1): odd.py:"),
        ("def play(self, move): return 7", "'int' object has no attribute"),
        ("def __str__(self): return '' if self.heap == 6 else 1 / 0", "str(position): odd.py:"),
        ("def play(self, move):\n        while True: pass", "play(1): still running after 0.2 s"),
    ],
)
def test_a_game_that_fails_is_named_and_the_server_stays(
    folder: Path, client: TestClient, line: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "LONGEST", 0.2)
    mossa.game(odd(line))
    game = begin(client, game="odd.py:Odd")
    sent = {"version": game["version"], "move": "1"}
    answer = client.post(f"/api/games/{game['id']}/moves", json=sent)
    assert answer.status_code == 400
    assert said in answer.json()["error"] and "odd.py:Odd" in answer.json()["error"]
    assert client.get(f"/api/games/{game['id']}").json() == game  # nothing has changed
    begin(client, game="connect4")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("connect4", "--game 'connect4' is not a game in Python"),
        ("none.py:Nim", "cannot load game 'none.py:Nim': there is no file 'none.py'"),
        ("nim.py:first", "'nim.py:first' does not start: TypeError"),
    ],
)
def test_what_cannot_be_offered(folder: Path, name: str, said: str) -> None:
    assert complaint(call("web", "--game", name)).startswith(said)


@posix
@needs_chromium
def test_in_the_browser(folder: Path, browser: Browser) -> None:
    server = Server(folder / "games.sqlite", own=("nim.py:Nim", "tiny.py:Tiny"))
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(server.address)
    page.locator("label.card", has_text="nim.py:Nim").click()
    page.get_by_label("Another person on this device").check()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/play/*", timeout=WAIT)
    board = page.locator("mossa-board")
    expect(board).to_contain_text("6 left")
    page.get_by_role("button", name="2", exact=True).click()
    expect(board).to_contain_text("4 left")
    page.get_by_role("button", name="3", exact=True).click()
    expect(board).to_contain_text("1 left")
    page.get_by_role("button", name="1", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("by the rules of the game")
    page.goto(f"{server.address}analyse?game=nim.py:Nim")
    expect(page.locator("mossa-board").first).to_contain_text("6 left")
    page.close()
    assert complaints == []
    assert server.stop() == STOPPED
