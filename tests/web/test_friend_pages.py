"""Two and three browsers at one game: by link, across reloads and restarts of the server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from accessibility import check_accessible
from browsing import WAIT, Open, Server, needs_chromium
from command import posix
from pages import click, moves, ply, status
from playwright.sync_api import Browser, Page, expect

pytestmark = [posix, needs_chromium]
Invite = Callable[..., tuple[Page, Page]]


@pytest.fixture
def invited(opened: Open) -> Invite:
    """Begin a game on the first page of one browser, and open its link in another."""

    def two(game: str, *, minutes: float = 0) -> tuple[Page, Page]:
        host, guest = opened(), opened()
        begin(host, game, minutes=minutes)
        guest.goto(link(host))
        expect(guest.locator(".player.second small")).to_have_text("You", timeout=WAIT)
        expect(host.locator(".invitation")).to_be_hidden(timeout=WAIT)
        return host, guest

    return two


def begin(page: Page, game: str, *, minutes: float = 0) -> None:
    page.locator(f'input[name=preset][value="{game}"]').check(force=True)
    page.get_by_label("A friend, via a link").check()
    if minutes:
        page.get_by_text("Size, rules and clock").click()
        page.locator("input[name=minutes]").fill(str(minutes))
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/play/*")
    status(page, "Waiting for your friend …")


def link(page: Page) -> str:
    field = page.get_by_label("Link to this game")
    expect(field).to_have_value(re.compile("/play/"), timeout=WAIT)
    return field.input_value()


def test_two_play_to_the_end_and_a_third_watches(invited: Invite, opened: Open) -> None:
    host, guest = invited("tictactoe")
    watcher = opened()
    watcher.goto(host.url)
    expect(watcher.get_by_text("You are watching.")).to_be_visible(timeout=WAIT)
    status(host, "Your move (X)")
    status(guest, "Your friend is thinking …")
    assert guest.locator("mossa-board.active").count() == 0
    for number, (page, cell) in enumerate(
        [(host, "1,1"), (guest, "0,0"), (host, "2,1"), (guest, "0,1"), (host, "0,2")], 1
    ):
        click(page, cell)
        for each in (host, guest, watcher):
            ply(each, number)
    guest.reload()  # in the middle of the game
    ply(guest, 5)
    click(guest, "2,0")
    ply(host, 6)
    click(host, "1,0")
    click(guest, "1,2")
    click(host, "2,2")
    status(host, "Draw: the board is full")
    status(guest, "Draw: the board is full")
    status(watcher, "Draw: the board is full")
    assert watcher.locator("mossa-board.active").count() == 0


def test_offers_go_across_the_board(invited: Invite) -> None:
    host, guest = invited("connect4")
    click(host, "0,3")
    ply(guest, 1)
    host.get_by_role("button", name="Take back").click()
    expect(host.get_by_text("You have asked to take your move back.")).to_be_visible()
    expect(guest.get_by_text("Your friend would like to take a move back.")).to_be_visible()
    guest.get_by_role("button", name="Accept").click()
    ply(host, 0)
    click(host, "0,2")
    ply(guest, 1)
    guest.get_by_role("button", name="Offer a draw").click()
    host.get_by_role("button", name="Decline").click()
    expect(guest.get_by_text("You have offered a draw.")).to_be_hidden()
    click(guest, "0,2")
    ply(host, 2)
    host.get_by_role("button", name="Offer a draw").click()
    guest.get_by_role("button", name="Accept").click()
    status(host, "Draw: agreed")
    guest.get_by_role("button", name="Rematch").click()
    before = host.url
    host.get_by_role("button", name="Accept").click()
    for page in (host, guest):
        expect(page).not_to_have_url(before, timeout=WAIT)
    status(guest, "Your move (Yellow)")  # the sides have changed
    status(host, "Your friend is thinking …")
    click(guest, "0,0")
    ply(host, 1)


def test_resigning_is_told_to_both(invited: Invite) -> None:
    host, guest = invited("kalah")
    guest.on("dialog", lambda dialog: dialog.accept())
    guest.get_by_role("button", name="Resign").click()
    status(host, "You won: your friend resigned")
    status(guest, "You lost: you resigned")
    expect(host.get_by_role("button", name="Hint")).to_be_hidden()


@pytest.mark.parametrize("game", ["kalah", "breakthrough"])
def test_second_sits_on_the_other_side(invited: Invite, game: str) -> None:
    """Whoever looks has their own pits and pieces below, and plays them where they are."""
    host, guest = invited(game)

    def height(page: Page, cell: str) -> float:
        box = page.locator(f'.hit[data-cell="{cell}"]').bounding_box()
        assert box is not None
        return box["y"]

    low, high = ("0,0", "1,0") if game == "kalah" else ("0,0", "7,0")
    assert height(host, low) > height(host, high)
    assert height(guest, low) < height(guest, high)
    if game == "kalah":
        click(host, "0,0")
        ply(guest, 1)
        click(guest, "1,0")
    else:
        click(host, "1,0")
        click(host, "2,0")
        ply(guest, 1)
        assert guest.locator(".labels g").last.locator("text").first.text_content() == "h"
        click(guest, "6,0")
        click(guest, "5,0")
    ply(host, 2)


def test_a_late_friend_loses_on_time(invited: Invite) -> None:
    host, guest = invited("tictactoe", minutes=0.02)  # 1.2 seconds
    click(host, "1,1")
    guest.context.close()  # asleep
    status(host, "You won: your friend ran out of time")


def test_an_invitation_is_usable_by_everybody(opened: Open, axe: str) -> None:
    for width in (390, 1100):
        page = opened(width=width)
        begin(page, "connect4")
        link(page)
        page.locator(".code svg").wait_for()
        check_accessible(page, axe)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[list[Server]]:
    """A server that may be killed; the last one is stopped."""
    servers = [Server(tmp_path / "games.sqlite")]
    yield servers
    servers[-1].stop()


def test_a_killed_server_loses_nothing(browser: Browser, mortal: list[Server]) -> None:
    contexts = [browser.new_context(reduced_motion="reduce") for _ in range(2)]
    host, guest = (context.new_page() for context in contexts)
    for page in (host, guest):
        page.set_default_timeout(WAIT)
    host.goto(mortal[0].address)
    begin(host, "tictactoe")
    guest.goto(link(host))
    click(host, "1,1")
    click(guest, "0,0")
    ply(host, 2)
    mortal[0].process.kill()
    mortal[0].process.wait()
    mortal.append(Server(mortal[0].games, mortal[0].port))
    click(host, "2,2")  # the pages find the new server by themselves
    ply(guest, 3)
    click(guest, "0,1")
    ply(host, 4)
    assert moves(host) == ["b2", "a1", "c3", "b1"]
    for context in contexts:
        context.close()
