"""Every page: usable by everybody, made of our own files alone, and not too large."""

from __future__ import annotations

import re

import httpx
import pytest
from accessibility import check_accessible
from browsing import WAIT, Open, Server, needs_chromium
from command import posix
from playwright.sync_api import Page

from mossa.web.assets import STATIC

PAGES = {
    "new game": ("", ".setup mossa-board svg"),
    "analysis": ("analyse?game=connect4&moves=4453", "mossa-board svg"),
    "review": ("review?game=tictactoe&moves=b2+b1+a1+c3+a2+c2+a3", "mossa-board svg"),
    "puzzles": ("puzzles", "mossa-board.active svg"),
    "search": ("search?game=tictactoe&moves=b2&player=alphabeta:depth=3", "mossa-trace .node.now"),
    "play-outs": ("search?player=mcts:iterations=60#1.30", "mossa-trace .node.now"),
    "arena": ("arena", ".begin"),
    "requests": ("docs", ".requests"),
}


def open_page(opened: Open, name: str, **how: int) -> Page:
    path, ready = PAGES[name]
    page = opened(path, **how)
    page.locator(ready).first.wait_for(timeout=WAIT)
    return page


@posix
@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_pages_are_accessible(opened: Open, axe: str, name: str, scheme: str) -> None:
    page = open_page(opened, name)
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    # A transition may still be under way.
    page.evaluate("() => Promise.all(document.getAnimations().map((each) => each.finished))")
    check_accessible(page, axe)


@posix
@needs_chromium
def test_a_game_and_a_tournament_are_accessible(opened: Open, server: Server, axe: str) -> None:
    with httpx.Client(base_url=server.address, timeout=20) as client:
        game = {"game": "kalah", "second": "level:1"}
        played = client.post("/api/games", json=game).json()["id"]
        plan = {"players": ["random", "level:1"], "games": ["tictactoe"]}
        tournament = client.post("/api/tournaments", json=plan).json()["name"]
    page = opened(f"play/{played}")
    page.locator("mossa-board.active").wait_for()
    check_accessible(page, axe)
    page = opened(f"arena/{tournament}")
    page.locator("[data-state=finished] .list").wait_for()
    check_accessible(page, axe)


@posix
@needs_chromium
@pytest.mark.parametrize(("width", "height"), [(360, 740), (844, 390), (667, 375)])
@pytest.mark.parametrize("name", PAGES)
def test_a_phone_shows_every_page(opened: Open, name: str, width: int, height: int) -> None:
    page = open_page(opened, name, width=width, height=height)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@posix
@needs_chromium
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_a_phone_shows_every_column_of_a_tournament(
    opened: Open, server: Server, width: int, height: int
) -> None:
    """Columns of the tables were cut off."""
    with httpx.Client(base_url=server.address, timeout=20) as client:
        players = ["random", "level:1", "level:2", "alphabeta:depth=2"]
        plan = {"players": players, "games": ["tictactoe"]}
        tournament = client.post("/api/tournaments", json=plan).json()["name"]
    page = opened(f"arena/{tournament}", width=width, height=height)
    page.locator("[data-state=finished] .list").wait_for(timeout=3 * WAIT)
    for box in page.locator(".wide").all():
        cut = box.evaluate("(each) => each.scrollWidth - each.clientWidth")
        assert cut <= 0, box.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@posix
@needs_chromium
@pytest.mark.parametrize("name", PAGES)
def test_pages_ask_nobody_else(opened: Open, server: Server, name: str) -> None:
    page = opened()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    path, ready = PAGES[name]
    page.goto(server.address + path)
    page.locator(ready).first.wait_for(timeout=WAIT)
    assert asked
    assert [url for url in asked if not url.startswith((server.address, "data:"))] == []


def at_first(name: str = "app.js") -> set[str]:
    """A module and all that it imports before anything is shown."""
    text = (STATIC / name).read_text("utf-8")
    found = re.findall(r'^import (?:.* from )?"\./([\w.]+)";$', text, re.MULTILINE)
    return {name}.union(*map(at_first, found))


def test_the_programs_are_small() -> None:
    """Unminified: what a phone loads for a game, and what a person has to read to change it all."""
    assert {"play.js", "setup.js", "board.js"} <= at_first()
    assert not {"analyse.js", "puzzles.js", "viewer.js", "arena.js"} & at_first()
    assert sum((STATIC / name).stat().st_size for name in at_first()) <= 100_000
    assert sum(path.stat().st_size for path in STATIC.glob("*.js")) <= 160_000


@posix
@needs_chromium
def test_a_game_loads_no_other_page(opened: Open, server: Server) -> None:
    with httpx.Client(base_url=server.address, timeout=20) as client:
        played = client.post("/api/games", json={"game": "connect4"}).json()["id"]
    page = opened()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(f"{server.address}play/{played}")
    page.locator("mossa-board.active").wait_for(timeout=WAIT)
    loaded = {name for name in asked if name.endswith(".js")}
    assert loaded == at_first()
    page.get_by_role("link", name="Analyse").click()
    page.locator(".graph").wait_for(timeout=WAIT)
    assert "analyse.js" in asked


def test_pages_have_no_programs_of_their_own() -> None:
    for path in STATIC.glob("*.html"):
        inline = re.findall(r"<script[^>]*>(.+?)</script>", path.read_text("utf-8"), re.DOTALL)
        assert inline == [], path


def test_no_file_names_another_host() -> None:
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8")
        hosts = set(re.findall(r"(?:https?:)?//([\w-]+(?:\.[\w-]+)+)", text))
        assert hosts <= {"www.w3.org"}, path
