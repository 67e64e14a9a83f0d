"""The opening explorer: games of tournaments, counted by the positions they pass."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from accessibility import check_accessible
from browsing import Open, Server, needs_chromium
from command import posix
from fastapi.testclient import TestClient
from pages import ply
from playwright.sync_api import expect
from programs import until

from mossa.arena.plan import Entrant, Plan
from mossa.arena.schedule import Pairing
from mossa.arena.store import Store as TournamentFile
from mossa.arena.store import finished
from mossa.games import game as game_named
from mossa.players.clocks import Conditions
from mossa.records import Record
from mossa.web import explorer

# The second of these is the mirror image of the first, and the third ends otherwise.
GAMES = ["a1 b1 a2 b2 a3", "c1 b1 c2 b2 c3", "a1 b2 a2 a3 b1 c1", "b2 b1 a1 c3 a2 c2 c1 a3 b3"]


def write(folder: Path, name: str, games: list[str], done: int) -> TournamentFile:
    """Write the file of a tournament, of which so many games are finished."""
    folder.mkdir(exist_ok=True)
    plan = Plan(
        entrants=(Entrant("a", "random"), Entrant("b", "random")),
        games=("mnk:3x3x3",),
        conditions=Conditions(time=1),
        rounds=len(games),
    )
    pairings = [Pairing(i + 1, i, 0, "mnk:3x3x3", "", 0, 1) for i in range(len(games))]
    store = TournamentFile.create(folder / f"{name}.sqlite", plan, pairings)
    for number in range(done):
        play(store, games, number)
    return store


def play(store: TournamentFile, games: list[str], number: int) -> None:
    record = Record.from_position(game_named("tictactoe").position(games[number]))
    store.finish(finished(number + 1, record, 0.1))


def look(client: TestClient | httpx.Client, moves: str = "") -> dict[str, int]:
    """Return the moves of the table and how often they were played."""
    page = client.post("/pages/explorer", json={"game": "tictactoe", "moves": moves})
    assert page.status_code == 200, page.text
    rows = re.findall(r'data-move="(\w+)".*?<td>([\d,]+)', page.text)
    return {move: int(count) for move, count in rows}


def test_moves_are_counted_with_their_mirror_images(client: TestClient, tmp_path: Path) -> None:
    with write(tmp_path / "games.tournaments", "one", GAMES, len(GAMES)):
        pass
    assert look(client) == {"a1": 3, "c1": 3, "a3": 3, "c3": 3, "b2": 1}
    assert look(client, "a1") == {"b1": 2, "a2": 2, "b2": 1}
    assert look(client, "c2") == {}
    page = client.post("/pages/explorer", json={"game": "tictactoe", "moves": "a1"}).text
    assert "5 games from tournaments here" in page
    assert "100% won by first, 0% drawn, 0% won by second" in page


def test_games_that_are_finished_later_are_added(client: TestClient, tmp_path: Path) -> None:
    assert look(client) == {}
    with write(tmp_path / "games.tournaments", "one", GAMES, 1) as store:
        assert look(client, "a1") == {"b1": 1, "a2": 1}
        play(store, GAMES, 2)
        assert look(client, "a1") == {"b1": 1, "a2": 1, "b2": 1}
        assert look(client, "a1") == {"b1": 1, "a2": 1, "b2": 1}  # and once only


def test_counting_takes_a_question_no_longer_than_it_may(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explorer, "PATIENCE", -1.0)  # a game for each question
    with write(tmp_path / "games.tournaments", "one", GAMES[:2], 2):
        pass
    first = client.post("/pages/explorer", json={"game": "tictactoe"}).text
    assert "Counting" in first
    assert look(client)["a1"] == 2
    assert "Counting" not in client.post("/pages/explorer", json={"game": "tictactoe"}).text


def test_a_damaged_file_is_left_out(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "games.tournaments"
    with write(folder, "one", GAMES, 1):
        pass
    (folder / "two.sqlite").write_bytes(b"nonsense")
    assert look(client, "a1") == {"b1": 1, "a2": 1}


def test_the_book_stands_beside(client: TestClient) -> None:
    plan = {"players": ["random", "level:1"], "games": ["connect4"], "seconds": 0.01}
    name = client.post("/api/tournaments", json=plan).json()["name"]
    until(lambda: client.get(f"/api/tournaments/{name}").json()["state"] == "finished")
    page = client.post("/pages/explorer", json={"game": "connect4"}).text
    assert re.search(r"<td>[WL=]\d*<", page + "<"), page


def test_nonsense_is_refused(client: TestClient) -> None:
    assert client.post("/pages/explorer", json={"game": "chess"}).status_code == 400
    assert client.post("/pages/explorer", json={}).status_code == 422


@posix
@needs_chromium
def test_the_page_shows_what_was_played(opened: Open, server: Server, axe: str) -> None:
    folder = server.games.with_suffix(".tournaments")
    with write(folder, "explored", GAMES, len(GAMES)):
        pass
    page = opened("analyse?game=tictactoe&moves=a1")
    table = page.locator(".explorer")
    expect(table.locator("tbody tr")).to_have_count(3)
    check_accessible(page, axe)
    table.get_by_role("button", name="b1").click()
    ply(page, 2)
    expect(table.locator("tbody tr")).to_have_count(2)
    page.get_by_role("button", name="Back", exact=True).click()
    expect(table.locator("tbody tr")).to_have_count(3)
