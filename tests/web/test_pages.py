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
    "search": ("search?game=tictactoe&moves=b2&player=alphabeta:depth=3", "mossa-trace .node.now"),
    "play-outs": ("search?player=mcts:iterations=60#1.30", "mossa-trace .node.now"),
    "arena": ("arena", ".begin"),
    "requests": ("docs", ".requests"),
}

INDEX = STATIC / "index.html"


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


def test_the_programs_are_small() -> None:
    """Unminified: what a phone loads to play, and what a person has to read to change it."""
    sizes = {path.name: path.stat().st_size for path in STATIC.glob("*.js")}
    first = re.findall(r'(?:modulepreload" href|src)="/static/(\w+\.js)', INDEX.read_text("utf-8"))
    assert "app.js" in first
    assert "play.js" in first
    assert sum(sizes[name] for name in first) < 90_000
    assert sum(sizes.values()) < 160_000
    for path in STATIC.glob("*.html"):
        inline = re.findall(r"<script[^>]*>(.+?)</script>", path.read_text("utf-8"), re.DOTALL)
        assert inline == [], path


def test_no_file_names_another_host() -> None:
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8")
        hosts = set(re.findall(r"(?:https?:)?//([\w-]+(?:\.[\w-]+)+)", text))
        assert hosts <= {"www.w3.org"}, path
