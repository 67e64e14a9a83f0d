"""Clocks of saved games: the server measures, and nobody talks it out of the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import clients
import pytest
from clients import HOME, act
from fastapi.testclient import TestClient

from mossa.records import parse_records
from mossa.session import timing
from mossa.web.app import create_app
from mossa.web.store import Store


class Time:
    """The clock on the wall, moved by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Time:
    wall = Time()
    monkeypatch.setattr(timing, "time", wall)
    return wall


def begin(client: TestClient, **game: str) -> dict[str, Any]:
    return clients.begin(client, **{"clock": "60+2", **game})


def test_the_first_move_is_free_and_the_others_are_counted(client: TestClient, wall: Time) -> None:
    game = begin(client)
    wall.now += 500
    assert game["clock"] == {"left": {"first": 60, "second": 60}, "runs": None, "clock": "60+2"}
    game = act(client, game, "moves", move="4")
    assert game["clock"]["left"] == {"first": 62, "second": 60}
    wall.now += 10
    assert client.get(f"/api/games/{game['id']}").json()["clock"]["left"]["second"] == 50
    game = act(client, game, "moves", move="4")
    assert game["clock"] == {"left": {"first": 62, "second": 52}, "runs": "first", "clock": "60+2"}


def test_a_move_after_the_flag_loses(client: TestClient, wall: Time) -> None:
    game = act(client, begin(client), "moves", move="4")
    wall.now += 60.05  # the margin is for the way to the server
    game = act(client, game, "moves", move="4")
    assert game["end"] is None
    wall.now += 62.2
    game = act(client, game, "moves", move="4")
    assert game["end"] == {"winner": "second", "reason": "the other side ran out of time"}
    assert len(game["position"]["history"]) == 2
    assert game["clock"]["runs"] is None
    assert game["clock"]["left"]["first"] == 0


def test_a_flag_is_claimed_only_when_it_has_fallen(client: TestClient, wall: Time) -> None:
    game = act(client, begin(client), "moves", move="4")
    wall.now += 59
    sent = {"version": game["version"]}
    refused = client.post(f"/api/games/{game['id']}/flag", json=sent)
    assert (refused.status_code, refused.json()["error"]) == (400, "nobody has run out of time")
    wall.now += 2
    assert act(client, game, "flag")["result"] == "1-0"
    alone = begin(client, clock="")
    assert client.post(f"/api/games/{alone['id']}/flag", json={"version": 1}).status_code == 400


def test_moves_that_are_taken_back_give_their_time_back(client: TestClient, wall: Time) -> None:
    game = act(client, begin(client), "moves", move="4")
    wall.now += 10
    game = act(client, game, "moves", move="4")
    game = act(client, game, "take-back")
    assert game["clock"]["left"] == {"first": 62, "second": 60}
    game = act(client, game, "take-back")
    assert game["clock"] == begin(client)["clock"]


def test_a_game_lost_on_time_stays_lost(client: TestClient, wall: Time) -> None:
    """To take a move back opened it again, with the time given back."""
    game = act(client, begin(client), "moves", move="4")
    wall.now += 61
    lost = act(client, game, "flag")
    assert not lost["can_take_back"]
    sent = {"version": lost["version"]}
    answer = client.post(f"/api/games/{lost['id']}/take-back", json=sent)
    assert (answer.status_code, "lost on time" in answer.json()["error"]) == (400, True)
    assert client.get(f"/api/games/{lost['id']}").json() == lost


def test_nobody_escapes_a_flag_by_taking_back(client: TestClient, wall: Time) -> None:
    game = act(client, begin(client), "moves", move="4")
    wall.now += 61
    lost = act(client, game, "take-back")
    assert (lost["result"], lost["position"]["history"]) == ("1-0", ["4"])


def test_a_record_keeps_the_times_and_a_rematch_the_clock(client: TestClient, wall: Time) -> None:
    game = act(client, begin(client), "moves", move="4")
    wall.now += 1.5
    game = act(client, game, "moves", move="4")
    text = client.get(f"/api/games/{game['id']}/record").text
    assert parse_records(text)[0].extra == {"clock": "60+2", "times_ms": [0, 1500]}
    again = client.post(f"/api/games/{game['id']}/rematch", json={}).json()
    assert again["clock"]["clock"] == "60+2"


def test_a_clock_runs_while_the_server_does_not(tmp_path: Path, wall: Time) -> None:
    path = tmp_path / "games.sqlite"
    with TestClient(create_app(Store(path)), base_url=HOME) as client:
        game = act(client, begin(client), "moves", move="4")
    wall.now += 20
    with TestClient(create_app(Store(path)), base_url=HOME) as client:
        assert client.get(f"/api/games/{game['id']}").json()["clock"]["left"]["second"] == 40


def test_the_computer_keeps_to_its_clock(client: TestClient) -> None:
    game = begin(client, first="engine:time=9", clock="1")
    with client.websocket_connect(
        "ws://127.0.0.1:8000/api/live", headers={"origin": HOME}
    ) as socket:
        wanted = {"do": "think", "id": game["id"], "version": 1}
        socket.send_json({"request": 1, **wanted})
        said = socket.receive_json()
        while "game" not in said:
            said = socket.receive_json()
    left = said["game"]["clock"]["left"]["first"]
    assert said["game"]["end"] is None
    assert 0.5 < left < 1  # a fair share of a second is little


@pytest.mark.parametrize("clock", ["fast", "-5", "0", "5+", "1e9", "60 + 2 + 3"])
def test_a_clock_that_makes_no_sense_is_refused(client: TestClient, clock: str) -> None:
    answer = client.post("/api/games", json={"game": "connect4", "clock": clock})
    assert (answer.status_code, "clock" in answer.json()["error"]) == (400, True), answer.text
