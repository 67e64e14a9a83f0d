"""Tournaments from the page: played elsewhere, stopped, resumed, and looked at while they grow."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from browsing import STOPPED, WAIT, Open, Server, needs_chromium
from clients import HOME
from command import posix
from fastapi.testclient import TestClient
from playwright.sync_api import expect
from programs import until

from mossa.arena.report import make_report
from mossa.arena.store import Store as TournamentFile
from mossa.web.app import create_app
from mossa.web.store import Store

QUICK = {"players": ["random", "alphabeta:depth=2"], "games": ["tictactoe"]}
LONG = {"players": ["mcts", "engine"], "games": ["connect4"], "rounds": 200, "seconds": 0.2}


def begin(client: TestClient | httpx.Client, **plan: Any) -> str:
    answer = client.post("/api/tournaments", json=plan)
    assert answer.status_code == 201, answer.text
    name: str = answer.json()["name"]
    return name


def wait(client: TestClient | httpx.Client, name: str, **wanted: Any) -> dict[str, Any]:
    """Wait until a tournament is as it should become."""
    found: dict[str, Any] = {}

    def as_wanted() -> bool:
        found.update(client.get(f"/api/tournaments/{name}").json())
        return all(found[key] == value for key, value in wanted.items())

    until(as_wanted, what=str(wanted))
    return found


def wait_for_games(client: TestClient | httpx.Client, name: str, count: int) -> None:
    until(lambda: client.get(f"/api/tournaments/{name}").json()["done"] >= count)


def test_a_tournament_is_played_to_its_end(client: TestClient, tmp_path: Path) -> None:
    name = begin(client, players=["random", "a=alphabeta:depth=2", "level:1"], games=["tictactoe"])
    found = wait(client, name, state="finished")
    assert (found["done"], found["total"]) == (6, 6)
    with TournamentFile.look(tmp_path / "games.tournaments" / f"{name}.sqlite") as store:
        report = make_report(store, with_moves=False)
    assert (found["standings"], found["duels"]) == (report.standings, report.duels)
    games = client.get(f"/api/tournaments/{name}/games", params={"player": "a"}).json()
    assert len(games) == 4
    position = {"game": games[0]["game"], "moves": games[0]["moves"]}
    assert client.post("/api/position", json=position).json()["outcome"] is not None
    assert [each["name"] for each in client.get("/api/tournaments").json()] == [name]


def test_a_gauntlet_shows_its_challenger_against_the_others(client: TestClient) -> None:
    players = ["random", "a=alphabeta:depth=2", "level:1"]
    name = begin(client, players=players, games=["tictactoe"], format="gauntlet")
    found = wait(client, name, state="finished")
    assert found["standings"][0]["player"] == "random"
    page = client.get(f"/pages/arena/{name}").text
    assert "The challenger against each opponent" in page
    assert page.count("data-duel=") == page.count('data-duel="random"') == 2


def test_stop_and_resume(client: TestClient) -> None:
    name = begin(client, **LONG)
    other = begin(client, **QUICK)
    wait(client, name, state="playing")
    wait(client, other, state="waiting")
    wait_for_games(client, name, 1)
    began = time.monotonic()
    assert client.post(f"/api/tournaments/{name}/stop", json={}).status_code == 200
    stopped = wait(client, name, state="stopped")
    assert time.monotonic() - began < 10
    wait(client, other, state="finished")
    client.post(f"/api/tournaments/{name}/resume", json={})
    wait(client, name, state="playing")
    wait_for_games(client, name, stopped["done"] + 1)
    client.post(f"/api/tournaments/{name}/stop", json={})
    again = client.post(f"/api/tournaments/{other}/resume", json={})
    assert (again.status_code, again.json()["error"]) == (400, "the tournament is finished")


@posix
def test_a_killed_server_goes_on_when_it_is_started_again(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.sqlite")
    with httpx.Client(base_url=server.address, timeout=20) as client:
        name = begin(client, **LONG)
        stopped = begin(client, **LONG)
        client.post(f"/api/tournaments/{stopped}/stop")
        wait_for_games(client, name, 2)
        done = client.get(f"/api/tournaments/{name}").json()["done"]
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.communicate()
    again = Server(server.games, server.port)
    with httpx.Client(base_url=again.address, timeout=20) as client:
        found = wait(client, name, state="playing")
        assert found["done"] >= done
        wait_for_games(client, name, found["done"] + 1)
        assert client.get(f"/api/tournaments/{stopped}").json()["state"] == "stopped"
    assert again.stop() == STOPPED  # while games are played


def test_a_swiss_tournament_makes_its_rounds(client: TestClient) -> None:
    players = ["random", "level:1", "alphabeta:depth=2", "mcts:iterations=20"]
    name = begin(client, players=players, games=["tictactoe"], format="swiss", rounds=3)
    found = wait(client, name, state="finished")
    assert (found["done"], found["total"]) == (12, 12)


def test_a_damaged_file_is_in_nobodys_way(tmp_path: Path) -> None:
    folder = tmp_path / "games.tournaments"
    folder.mkdir()
    (folder / "broken.sqlite").write_text("no database")
    with TestClient(create_app(Store(tmp_path / "games.sqlite")), base_url=HOME) as client:
        assert client.get("/api/tournaments").json() == []
        answer = client.get("/api/tournaments/broken")
        assert answer.status_code == 503
        assert answer.json()["error"] == (
            "the tournament cannot be saved or read: 'broken' exists, but is not a tournament file"
        )
        wait(client, begin(client, **QUICK), state="finished")


def test_no_client_is_told_where_files_are(client: TestClient, tmp_path: Path) -> None:
    name = begin(client, **QUICK)
    wait(client, name, state="finished")
    with closing(sqlite3.connect(tmp_path / f"games.tournaments/{name}.sqlite")) as file:
        file.execute("PRAGMA user_version = 99")
    assert client.get(f"/api/tournaments/{name}").json()["error"] == (
        f"the tournament cannot be saved or read: '{name}' is a tournament file of version 99; "
        "this mossa reads version 1"
    )


def test_waiting_tournaments_count(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any number could be begun, as long as they waited for their turn."""
    monkeypatch.setattr("mossa.web.tournaments.TOURNAMENTS", 3)
    names = [begin(client, **LONG) for _ in range(3)]
    answer = client.post("/api/tournaments", json=LONG)
    assert answer.status_code == 503
    assert "3 tournaments are running or waiting, and 3 is the most" in answer.text
    client.post(f"/api/tournaments/{names[1]}/stop")
    arena = client.app.state.tournaments  # type: ignore[attr-defined]
    client.post(f"/api/tournaments/{names[0]}/stop")
    until(lambda: names[0] not in arena._stops and names[1] not in arena._stops)
    again = begin(client, **LONG)
    left = {each["name"] for each in client.get("/api/tournaments").json()}
    assert len(left) == 3
    assert {names[2], again} < left


def test_old_tournaments_make_room(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mossa.web.tournaments.TOURNAMENTS", 1)
    first = begin(client, **QUICK)
    wait(client, first, state="finished")
    arena = client.app.state.tournaments  # type: ignore[attr-defined]
    until(lambda: not arena._stops)  # its thread has put it away
    second_of_first = int(time.time())
    until(lambda: int(time.time()) > second_of_first)  # the time in the names must differ
    second = begin(client, **QUICK)
    wait(client, second, state="finished")
    assert [each["name"] for each in client.get("/api/tournaments").json()] == [second]


@pytest.mark.parametrize(
    ("plan", "status", "part"),
    [
        ({"players": ["random"]}, 422, "players"),
        ({"players": ["random"] * 13}, 422, "players"),
        ({"players": ["random", "random"]}, 400, "two players are called 'random'"),
        ({"players": ["random", "human"]}, 400, "a person cannot play"),
        ({"players": ["random", "ugi:./bot"]}, 400, "is a program, which this server does not run"),
        (
            {"players": ["random", "x=bot.py:Bot"]},
            400,
            "is a program, which this server does not run",
        ),
        ({"players": ["random", "engine:memory=9999"]}, 400, "memory=64"),
        ({"players": ["random", "engine:net=/etc/passwd"]}, 400, "this server opens no files"),
        ({"games": ["chess"]}, 400, "unknown game"),
        ({"games": []}, 422, "games"),
        ({"rounds": 1500}, 400, "at most 2,000"),
        ({"rounds": 0}, 422, "rounds"),
        ({"format": "knockout"}, 422, "format"),
        ({"seconds": 60}, 422, "seconds"),
        ({"seconds": "fast"}, 422, "seconds"),
    ],
)
def test_a_tournament_that_cannot_be(
    client: TestClient, plan: dict[str, Any], status: int, part: str
) -> None:
    answer = client.post("/api/tournaments", json={**QUICK, **plan})
    assert (answer.status_code, part in answer.json()["error"]) == (status, True), answer.text
    assert client.get("/api/tournaments").json() == []


@pytest.mark.parametrize("name", ["none", "%2e%2e", "%2e%2e%2fgames", "a" * 100, "x;y"])
def test_an_unknown_tournament(client: TestClient, name: str) -> None:
    for answer in (
        client.get(f"/api/tournaments/{name}/games"),
        client.post(f"/api/tournaments/{name}/stop"),
        client.get(f"/pages/arena/{name}"),
    ):
        assert answer.status_code == 404


def test_names_of_players_cannot_become_markup(client: TestClient) -> None:
    name = begin(client, **{**QUICK, "players": ["random", "level:1"]})
    wait(client, name, state="finished")
    evil = {"player": "<script>alert(1)</script>", "opponent": '"><b>'}
    page = client.get(f"/pages/arena/{name}", params=evil).text
    assert "<script>" not in page and "<b>" not in page


@posix
@needs_chromium
def test_a_tournament_on_the_page(opened: Open) -> None:
    page = opened("arena")
    players = page.locator("[name=players]")
    expect(players).to_have_count(6)
    page.get_by_role("button", name="Add a player").click()
    expect(players).to_have_count(7)
    for at, spec in enumerate(["random", "level:1", "alphabeta:depth=4", "", "", "", ""]):
        players.nth(at).fill(spec)
    page.get_by_label("Pairs of games").fill("3")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/arena/2*")
    expect(page.locator("[data-state=finished]")).to_be_visible(timeout=3 * WAIT)
    expect(page.locator(".progress")).to_contain_text("36 of 36 games")
    assert page.locator(".standings tbody tr").count() == 3
    assert page.locator(".error circle").count() > 0
    page.locator(".cross button").first.click()
    expect(page.locator(".list h2")).to_contain_text("against")
    page.locator(".list a").first.click()
    page.wait_for_url("**/analyse?game=*")
    expect(page.locator("mossa-board svg")).to_be_visible()
    page.go_back()
    page.go_back()
    page.get_by_role("link", name="Arena").first.click()
    expect(page.locator(".past li").first).to_contain_text("36 of 36 games")
