"""What a network thinks, on the analysis page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from accessibility import check_accessible
from browsing import STOPPED, WAIT, Open, Server, needs_chromium
from command import posix
from learning_checks import write_network
from pages import click, ply
from playwright.sync_api import expect

import mossa

pytestmark = [posix, needs_chromium]

TOGGLE = "network's opinion"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A board with networks for some games, one of them damaged."""
    books = tmp_path_factory.mktemp("books")
    for name, game in (("falling-4", "connect4"), ("lines-3", "tictactoe"), ("pits-6", "kalah")):
        write_network(books / f"{name}.net", mossa.game(game))
    (books / "falling-3.net").write_bytes((books / "falling-4.net").read_bytes()[:-9])
    server = Server(books / "games.sqlite", MOSSA_BOOKS=str(books))
    yield server
    assert server.stop() == STOPPED


def test_the_heat_map_and_the_bar_can_be_switched(opened: Open) -> None:
    page = opened("analyse?game=connect4&moves=44")
    ply(page, 2)
    expect(page.locator("[data-name=evaluation]")).to_have_text(
        re.compile(r"network falling-4\.net, trained on connect:6x7x4, 2026-11-17, checksum \w{8}")
    )
    toggle, bar, heat = page.get_by_label(TOGGLE), page.locator(".shares"), page.locator(".heat")
    middle = page.locator('.hit[data-cell="0,3"]')
    expect(toggle).to_be_checked()
    assert page.locator(".chances span").all_inner_texts() == [
        "Yellow wins 34%",
        "draw 33%",
        "Red wins 33%",
    ]
    widths = [each.bounding_box() for each in bar.locator("i").all()]
    assert all(width and width["width"] > 60 for width in widths)
    expect(heat).to_have_count(7)
    expect(page.locator(".policy")).to_have_text(["14%"] * 7)
    expect(middle).to_have_attribute("aria-description", re.compile("policy 14%"))
    toggle.focus()
    page.keyboard.press("Space")
    expect(toggle).not_to_be_checked()
    expect(bar).to_be_hidden()
    expect(heat).to_have_count(0)
    expect(middle).not_to_have_attribute("aria-description", re.compile("policy"))
    page.reload()
    ply(page, 2)
    expect(toggle).not_to_be_checked()
    expect(heat).to_have_count(0)
    toggle.check()
    expect(heat).to_have_count(7)
    expect(bar).to_be_visible()


def test_the_heat_map_follows_the_game(opened: Open) -> None:
    page = opened("analyse?game=connect4&moves=33333")
    page.get_by_label("Engine", exact=True).uncheck()  # a network needs no search
    expect(page.locator(".heat")).to_have_count(7)
    click(page, "0,2")
    ply(page, 6)
    expect(page.locator(".heat")).to_have_count(6)  # the column is full
    page = opened("analyse?game=tictactoe&moves=b2+a1+c3+b1")
    expect(page.locator(".heat")).to_have_count(5)
    page.get_by_role("button", name="Edit position").click()
    expect(page.locator(".heat")).to_have_count(0)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".heat")).to_have_count(5)


def test_a_network_of_pits_has_a_bar_only(opened: Open) -> None:
    page = opened("analyse?game=kalah&moves=36")
    expect(page.locator(".chances span").first).to_have_text("South wins 33%")
    expect(page.locator(".heat")).to_have_count(0)


def test_a_task_is_not_given_away(opened: Open) -> None:
    page = opened("review?game=tictactoe&moves=b2+b1+a1+c3+a3+c1+a2")
    page.get_by_role("button", name="O's mistakes").click(timeout=WAIT)
    expect(page.locator(".lesson")).to_contain_text("O played b1??")
    ply(page, 1)
    expect(page.locator(".heat")).to_have_count(0)


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("breakthrough", "Evaluation: hand-written."),
        ("connect:5x5x3", "Evaluation: hand-written. No network: 'falling-3.net' is damaged"),
    ],
)
def test_without_a_network_nothing_is_shown(opened: Open, game: str, told: str) -> None:
    page = opened(f"analyse?game={game}")
    ply(page, 0)
    expect(page.locator("[data-name=evaluation]")).to_contain_text(told)
    expect(page.get_by_label(TOGGLE)).to_be_hidden()
    expect(page.locator(".shares, .heat, .policy")).to_have_count(0)
    expect(page.locator(".pill.best").first).to_be_visible(timeout=WAIT)  # it is analysed


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["connect4&moves=4453", "tictactoe&moves=b2", "kalah&moves=36"])
def test_what_a_network_thinks_is_accessible(
    opened: Open, axe: str, game: str, scheme: str
) -> None:
    page = opened(f"analyse?game={game}", width=360, height=740)
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    expect(page.locator(".shares")).to_be_visible(timeout=WAIT)
    expect(page.locator(".pill.best").first).to_be_visible(timeout=WAIT)
    check_accessible(page, axe)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
