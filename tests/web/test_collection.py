"""My games: cards of what a browser remembers, pictures, one file of all, settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from accessibility import check_accessible
from browsing import WAIT, Open, needs_chromium
from clients import act, begin
from command import posix
from fastapi.testclient import TestClient
from pages import begin as begin_page
from pages import click, ply, status
from playwright.sync_api import Page, expect

from mossa.records import parse_records
from mossa.web.limits import REMEMBERED

Shown = Callable[..., str]


def shelf(client: TestClient, seat: str = "", **remembered: list[str]) -> str:
    answer = client.post("/pages/games", json=remembered, headers={"X-Seat": seat})
    assert answer.status_code == 200, answer.text
    return str(answer.text)


# ---------------------------------------------------------------- the server


def test_a_card_tells_game_opponent_and_result(client: TestClient) -> None:
    game = begin(client, second="level:3", moves="4 4")
    text = shelf(client, games=[game["id"], "unknown"])
    assert text.count("<li ") == 1
    assert "<b>Connect 4</b>" in text
    assert "against Level 3 · unfinished · 2 moves" in text
    assert 'data-result="open"' in text
    act(client, game, "resign")
    assert 'data-result="lost"' in shelf(client, games=[game["id"]])


@pytest.mark.parametrize(
    ("moves", "result"),
    [("a1 b1 a2 b2 a3", "over"), ("b2 b1 a1 c3 a2 c2 c1 a3 b3", "draw"), ("", "open")],
)
def test_two_people_at_one_device_neither_win_nor_lose(
    client: TestClient, moves: str, result: str
) -> None:
    game = begin(client, game="tictactoe", moves=moves)
    assert f'data-result="{result}"' in shelf(client, games=[game["id"]])


def test_a_game_with_a_friend_is_seen_from_ones_own_side(client: TestClient) -> None:
    alice, bob = "alice's own secret", "bob's own secret."
    new = {"game": "tictactoe", "friend": "first"}
    game = client.post("/api/games", json=new, headers={"X-Seat": alice}).json()
    address = f"/api/games/{game['id']}"
    client.post(f"{address}/join", json={}, headers={"X-Seat": bob})
    client.post(f"{address}/resign", json={"version": 2}, headers={"X-Seat": bob})
    assert "against your friend · you won" in shelf(client, alice, games=[game["id"]])
    assert 'data-result="lost"' in shelf(client, bob, games=[game["id"]])
    assert 'data-result="over"' in shelf(client, games=[game["id"]])
    client.post(f"{address}/delete", json={}, headers={"X-Seat": bob})
    assert client.get(address).status_code == 200  # the friend has it too


def test_a_deleted_game_is_gone(client: TestClient) -> None:
    game = begin(client)
    for status_code in (200, 404):
        answer = client.post(f"/api/games/{game['id']}/delete", json={})
        assert answer.status_code == status_code
    assert client.get(f"/api/games/{game['id']}").status_code == 404
    assert "No games yet" in shelf(client, games=[game["id"]])


def test_all_games_are_one_file(client: TestClient) -> None:
    games = [begin(client, moves=moves)["id"] for moves in ("4 4", "1")]
    answer = client.post("/api/records", json={"games": [*games, "unknown"]})
    found = parse_records(answer.text, "text")
    assert [len(record.moves) for record in found] == [2, 1]
    none = client.post("/api/records", json={"games": ["unknown"]})
    assert none.status_code == 400
    assert none.json()["error"] == "this server has none of these games"


def test_analyses_are_cards_too(client: TestClient) -> None:
    query = "game=connect4&moves=4453+%2844%29"
    text = shelf(client, analyses=[query, "game=chess", "%%%", ""])
    assert text.count("<li ") == 1
    assert 'href="/analyse?game=connect4&amp;moves=4453+%2844%29"' in text
    assert "<small>4453 </small>" in text


@pytest.mark.parametrize("address", ["games/{}/picture", "picture?game=connect:6x7x4&moves=4+4"])
def test_pictures_are_svg(client: TestClient, address: str) -> None:
    game = begin(client, moves="4 4")
    answer = client.get(f"/pages/{address.format(game['id'])}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg")


@pytest.mark.parametrize(
    ("address", "status_code"),
    [("games/unknown/picture", 404), ("picture?game=chess", 400), ("picture", 422)],
)
def test_there_is_no_picture_of_nothing(client: TestClient, address: str, status_code: int) -> None:
    assert client.get(f"/pages/{address}").status_code == status_code


def test_a_page_has_room_for_so_many(client: TestClient) -> None:
    many: Any = {"games": ["x"] * (REMEMBERED + 1)}
    assert client.post("/pages/games", json=many).status_code == 422


def test_markup_in_an_address_is_only_text(client: TestClient) -> None:
    text = shelf(client, analyses=['game=connect4&moves=4"><script>alert(1)</script>'])
    assert "<script>" not in text


# ---------------------------------------------------------------- the page


def play_one(page: Page) -> None:
    begin_page(page, "tictactoe")
    for cell in ("0,0", "1,1", "0,1", "2,2", "0,2"):
        click(page, cell)
    status(page, "X wins: 3 in a row")


@posix
@needs_chromium
def test_games_are_listed_sifted_and_deleted(opened: Open, axe: str) -> None:
    page = opened()
    play_one(page)
    page.get_by_role("link", name="Play", exact=True).click()
    begin_page(page, "connect4")
    click(page, "0,3")
    ply(page, 1)
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url("**/analyse*")
    page.locator("mossa-board svg").wait_for()
    page.get_by_role("link", name="My games").click()
    cards = page.locator(".shelf li")
    expect(cards).to_have_count(3)
    assert cards.locator("b").all_text_contents() == ["Connect 4", "Tic-tac-toe", "Connect 4"]
    check_accessible(page, axe)
    page.get_by_label("Search by game or opponent").fill("tic")
    expect(page.locator(".shelf li:visible")).to_have_count(1)
    page.get_by_label("Search by game or opponent").fill("")
    page.get_by_label("Result").select_option("Unfinished")
    expect(page.locator(".shelf li:visible")).to_have_count(1)
    page.get_by_label("Result").select_option("All results")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download all").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert len(parse_records(text, "text")) == 2
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete Tic-tac-toe").click()
    expect(cards).to_have_count(2)
    page.reload()
    expect(cards).to_have_count(2, timeout=WAIT)
    cards.first.locator("a").click()
    ply(page, 1)


@posix
@needs_chromium
def test_settings_are_kept(opened: Open, axe: str) -> None:
    page = opened("analyse?game=connect4", width=390)
    page.locator("mossa-board .labels text").first.wait_for()
    page.get_by_role("button", name="Settings").click()
    check_accessible(page, axe)
    page.get_by_label("Coordinates").uncheck()
    page.get_by_role("combobox", name="Board").select_option("Slate")
    page.get_by_label("Sound").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    page.locator("mossa-board svg").wait_for()
    expect(page.locator("mossa-board .labels")).to_be_hidden()
    colour = "getComputedStyle(document.querySelector('.rack')).fill"
    assert page.evaluate(colour) == "rgb(70, 82, 95)"
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_label("Sound")).not_to_be_checked()


LISTEN = """() => {
  window.clicks = 0;
  const real = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    window.clicks++;
    return real.call(this);
  };
}"""


@posix
@needs_chromium
def test_a_move_clicks_if_it_may(opened: Open) -> None:
    page = opened()
    page.evaluate(LISTEN)
    begin_page(page, "tictactoe")
    click(page, "0,0")
    ply(page, 1)
    page.wait_for_function("window.clicks === 1")
    page.evaluate("localStorage.setItem('mossa-settings', '{\"sound\": false}')")
    click(page, "1,1")
    ply(page, 2)
    assert page.evaluate("window.clicks") == 1
