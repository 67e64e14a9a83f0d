"""The page of a game: what happened, how it ended, and what other tabs do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from browsing import WAIT, Open, Server, needs_chromium
from command import posix
from pages import click, moves, ply, settle, status
from playwright.sync_api import Dialog, FloatRect, Page, expect

pytestmark = [posix, needs_chromium]

CONNECT = "4 4 4 3 5 2"
Begun = Callable[..., Page]


@pytest.fixture
def begun(opened: Open, server: Server) -> Begun:
    """Open a game that has begun."""

    def begin_at(game: str, played: str = "", *, second: str = "human", **how: Any) -> Page:
        new = {"game": game, "moves": played, "second": second}
        made = httpx.post(f"{server.address}api/games", json=new, timeout=20).raise_for_status()
        page = opened(f"play/{made.json()['id']}", **how)
        page.locator("mossa-board svg").wait_for()
        return page

    return begin_at


def box(page: Page, selector: str) -> FloatRect:
    found = page.locator(selector).first.bounding_box()
    assert found is not None
    return found


# --- stepping through the moves -------------------------------------------------------------------


def test_the_moves_are_stepped_through_by_buttons(begun: Begun) -> None:
    page = begun("connect4", CONNECT)
    ply(page, 6)
    page.get_by_role("button", name="Back", exact=True).click()
    ply(page, 5)
    status(page, "Looking back at move 5 of 6")
    expect(page.locator(".moves [aria-current]")).to_have_text("5")
    assert page.locator("mossa-board.active").count() == 0
    page.get_by_role("button", name="Go to the start").click()
    ply(page, 0)
    status(page, "Looking back at the start")
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_disabled()
    page.locator(".moves button").nth(1).click()
    ply(page, 2)
    page.get_by_role("button", name="Back to the current move").click()
    ply(page, 6)
    status(page, "Yellow to move")
    click(page, "0,0")
    ply(page, 7)


def test_the_arrow_keys_step_too(begun: Begun) -> None:
    page = begun("connect4", CONNECT)
    ply(page, 6)
    steps = [("ArrowLeft", 5), ("ArrowLeft", 4), ("ArrowRight", 5), ("Home", 0), ("End", 6)]
    for key, count in steps:
        page.keyboard.press(key)
        ply(page, count)
    page.locator("mossa-board.active").wait_for()
    click(page, "0,0")  # who points keeps the arrow keys for stepping
    ply(page, 7)
    page.keyboard.press("ArrowLeft")
    ply(page, 6)
    page.keyboard.press("Alt+ArrowRight")  # the browser's own
    ply(page, 6)


def test_who_looks_back_is_not_disturbed(begun: Begun, opened: Open) -> None:
    page = begun("connect4", CONNECT)
    other = opened(page.url.split("/", 3)[3])
    page.keyboard.press("Home")
    ply(page, 0)
    click(other, "0,0")
    expect(page.locator(".moves li")).to_have_count(7, timeout=WAIT)
    ply(page, 0)
    page.keyboard.press("End")
    ply(page, 7)
    status(page, "Red to move")


def test_moves_that_are_taken_back_are_not_looked_at(begun: Begun, opened: Open) -> None:
    page = begun("connect4", "4 4 3")
    other = opened(page.url.split("/", 3)[3])
    page.keyboard.press("ArrowLeft")
    ply(page, 2)
    for count in (2, 1):
        other.get_by_role("button", name="Take back").click()
        ply(other, count)
    ply(page, 1)
    status(page, "Red to move")


# --- how it ends ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("second", "said"),
    [("level:1", "You won: 4 in a row"), ("human", "Yellow wins: 4 in a row")],
)
def test_a_win_is_told_to_the_winner(begun: Begun, second: str, said: str) -> None:
    page = begun("connect4", "4 1 4 1 4 2", second=second)
    click(page, "0,3")
    status(page, said)
    expect(page.locator("#said")).to_have_text(f"Move 4. {said}")
    expect(page.locator("#said")).to_have_attribute("role", "status")


def test_a_loss_and_a_draw_are_told(begun: Begun) -> None:
    page = begun("connect4", "1 4 1 4 2 4", second="engine")
    click(page, "0,6")  # it does not see that red wins
    status(page, "You lost: 4 in a row")
    page = begun("tictactoe", "b2 a1 a3 c1 b1 b3 a2 c2")
    click(page, "2,2")
    status(page, "Draw: the board is full")


def test_a_rematch_before_the_end_asks(begun: Begun) -> None:
    page = begun("connect4", CONNECT)
    ply(page, 6)
    before = page.url
    asked: list[str] = []

    def refuse(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.once("dialog", refuse)
    page.get_by_role("button", name="Rematch").click()
    assert asked == ["This game is not over. Leave it and start a new one?"]
    assert page.url == before
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Rematch").click()
    ply(page, 0)
    assert page.url != before


# --- two tabs -------------------------------------------------------------------------------------


def test_a_second_tab_follows(begun: Begun, opened: Open) -> None:
    """It showed the old position until it was loaded anew."""
    page = begun("connect4", second="level:1")
    other = opened(page.url.split("/", 3)[3])
    ply(other, 0)
    click(page, "0,3")
    ply(page, 2)
    ply(other, 2)
    assert moves(page) == moves(other)
    click(other, "0,3")
    ply(page, 4)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Resign").click()
    status(other, "You lost: you resigned")
    for each in (page, other):
        expect(each.locator("#toast")).to_have_text("")


# --- what is drawn --------------------------------------------------------------------------------


def test_a_hint_goes_with_its_move(begun: Begun) -> None:
    page = begun("tictactoe")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hinted")).to_be_visible(timeout=WAIT)
    expect(page.locator(".thoughts")).not_to_have_text("")
    click(page, "1,1")
    ply(page, 1)
    expect(page.locator(".thoughts")).to_have_text("")


def test_a_move_and_its_number_are_no_decimal(begun: Begun) -> None:
    """The third and the sixth pit read "1.3 2.6"."""
    page = begun("kalah", "3 6")
    ply(page, 2)
    assert page.locator(".moves").inner_text().split() == ["1", "3", "2", "6"]
    before = "each => getComputedStyle(each, '::before').content"
    assert page.locator(".moves li").first.evaluate(before) == "none"
    number, move = box(page, ".moves small"), box(page, ".moves button")
    assert move["x"] - number["x"] - number["width"] >= 3


def test_no_line_of_the_moves_is_cut(begun: Begun) -> None:
    played = " ".join(f"{column}{row}" for row in range(1, 16, 2) for column in "adgjm")
    page = begun("gomoku", played)
    ply(page, 40)
    for at in (None, 20):
        if at is not None:
            page.locator(".moves button").nth(at).scroll_into_view_if_needed()
        cut = page.locator(".moves").evaluate(
            """(list) => [...list.children].map((each) => each.getBoundingClientRect())
                 .filter(({ top, bottom }) => top < list.getBoundingClientRect().top - 1
                   && bottom > list.getBoundingClientRect().top + 1).length"""
        )
        assert cut == 0


def test_the_ring_of_the_last_move_is_below_the_number_of_seeds(begun: Begun) -> None:
    page = begun("kalah", "3")
    below = page.evaluate(
        """() => Boolean(document.querySelector(".last").compareDocumentPosition(
             document.querySelector(".seeds .pill")) & Node.DOCUMENT_POSITION_FOLLOWING)"""
    )
    assert below


def test_the_black_token_is_seen_in_the_dark(begun: Begun) -> None:
    page = begun("gomoku")
    page.emulate_media(color_scheme="dark")
    glow = page.locator(".token.first svg").evaluate(
        "each => getComputedStyle(each).filter.match(/[\\d.]+/g).map(Number)"
    )
    assert min(glow[:3]) > 200 and glow[3] > 0.6


@pytest.mark.parametrize("game", ["connect4", "gomoku", "kalah", "tictactoe", "kalah:12x4"])
def test_a_phone_on_its_side_shows_the_board(begun: Begun, game: str) -> None:
    page = begun(game, width=844, height=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 844
    shown = box(page, "mossa-board .frame")
    assert shown["x"] >= 0 and shown["x"] + shown["width"] <= 844
    assert shown["y"] + shown["height"] <= 390
    assert box(page, ".status")["y"] < 390


# --- a closer look --------------------------------------------------------------------------------


def at(page: Page, row: int, col: int) -> tuple[float, float]:
    """Return where a cell is on the screen."""
    x, y = page.evaluate(
        """([row, col]) => {
          const { left, bottom, cell } = document.querySelector("mossa-board").position.plan;
          const at = new DOMPoint(left + (col + 0.5) * cell, bottom - (row + 0.5) * cell)
            .matrixTransform(document.querySelector("mossa-board svg").getScreenCTM());
          return [at.x, at.y];
        }""",
        [row, col],
    )
    return x, y


def near(one: tuple[float, float], other: tuple[float, float], pixels: float = 2) -> bool:
    return abs(one[0] - other[0]) <= pixels and abs(one[1] - other[1]) <= pixels


@pytest.mark.parametrize(("width", "height"), [(1100, 800), (390, 844)])
def test_nothing_lies_over_the_board(begun: Begun, width: int, height: int) -> None:
    """The zoom buttons covered points that could be played."""
    page = begun("gomoku", width=width, height=height)
    board, zoom = box(page, "mossa-board svg"), box(page, ".zoom")
    assert zoom["y"] >= board["y"] + board["height"]


def test_a_closer_look_keeps_its_place_and_has_coordinates(begun: Begun) -> None:
    page = begun("mnk:30x30x5")
    page.keyboard.press("0")
    where = at(page, 20, 8)
    page.mouse.move(*where)
    page.mouse.wheel(0, -200)
    page.wait_for_function("() => document.querySelector('.floating')")
    settle(page)
    assert near(where, at(page, 20, 8))
    board = box(page, "mossa-board svg")
    middle = "() => { const { x, y, width, height } = document.querySelector('mossa-board svg')"
    middle += ".viewBox.baseVal; return [x + width / 2, y + height / 2]; }"
    before = page.evaluate(middle)
    page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate(middle) == pytest.approx(before, abs=1)
    # A move near the edge of the view leaves the view where it is, but for a cell or so.
    x, y = board["x"] + board["width"] - 20, board["y"] + 20
    before = page.evaluate(middle)
    page.mouse.click(x, y)
    ply(page, 1)
    settle(page)
    assert page.evaluate(middle) == pytest.approx(before, abs=60)
    seen = page.evaluate(
        """() => {
          const frame = document.querySelector("mossa-board svg").getBoundingClientRect();
          return [...document.querySelectorAll(".labels text")].filter((each) => {
            const { left, right, top, bottom, height } = each.getBoundingClientRect();
            return left >= frame.left && right <= frame.right && top >= frame.top
              && bottom <= frame.bottom && height > 9;
          }).map((each) => each.textContent);
        }"""
    )
    assert len([each for each in seen if each.isdigit()]) >= 5
    assert len([each for each in seen if each.isalpha()]) >= 5


def test_the_corner_of_a_closer_look_can_be_played(begun: Begun) -> None:
    """The coordinates must not lie over the first row and column for good."""
    page = begun("mnk:50x50x5", width=390, height=844)
    page.wait_for_function("() => document.querySelector('.floating')")
    page.locator(".hit").first.focus()
    page.keyboard.press("Home")
    for _ in range(50):
        page.keyboard.press("ArrowDown")
    settle(page)
    corner = page.locator('.hit[data-cell="0,0"]').bounding_box()
    board = box(page, "mossa-board svg")
    assert corner is not None
    strip = page.evaluate(
        """() => 0.9 * parseFloat(getComputedStyle(document.querySelector(".labels path"))
             .strokeWidth) * document.querySelector("mossa-board svg").getScreenCTM().a"""
    )
    assert corner["x"] >= board["x"] + strip
    assert corner["y"] + corner["height"] <= board["y"] + board["height"] - strip


# --- pieces that move -----------------------------------------------------------------------------


def piece(page: Page, cell: str) -> str:
    """Return what a cell says is on it: White, Black or empty."""
    label = page.locator(f'.hit[data-cell="{cell}"]').get_attribute("aria-label") or ""
    return label.partition(": ")[2]


def test_a_piece_moves_by_source_and_target(begun: Begun) -> None:
    page = begun("breakthrough:5x4")
    click(page, "1,1")
    expect(page.locator(".picked")).to_have_count(1)
    expect(page.locator(".reach")).to_have_count(3)
    expect(page.locator('.hit[data-cell="1,1"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#said")).to_have_text("b2 selected, moves to a3, b3, c3")
    click(page, "2,2")
    ply(page, 1)
    assert moves(page) == ["b2c3"]
    status(page, "Black to move")
    expect(page.locator("#said")).to_have_text("Move b2 to c3. Black to move")
    assert [piece(page, cell) for cell in ("1,1", "2,2")] == ["empty", "White"]
    expect(page.locator(".last")).to_have_count(2)
    click(page, "3,1")  # it captures
    expect(page.locator(".capture")).to_have_count(1)
    click(page, "2,2")
    ply(page, 2)
    assert piece(page, "2,2") == "Black"
    expect(page.locator("g.stones .stone")).to_have_count(15)


def test_a_source_is_given_up(begun: Begun) -> None:
    page = begun("breakthrough:5x4")
    chosen = page.locator(".picked")
    click(page, "1,1")
    click(page, "1,0")  # another piece
    expect(chosen).to_have_count(1)
    expect(page.locator('.hit[data-cell="1,0"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".reach")).to_have_count(2)
    click(page, "1,0")  # the same again
    expect(chosen).to_have_count(0)
    click(page, "1,0")
    page.keyboard.press("Escape")
    expect(chosen).to_have_count(0)
    click(page, "1,0")
    page.locator('.hit[data-cell="2,3"]').click(force=True)  # where it cannot go
    expect(chosen).to_have_count(0)
    expect(page.locator("#said")).to_have_text("No move from a2 to d3")
    page.locator('.hit[data-cell="3,3"]').click(force=True)  # not a piece of the side to move
    expect(chosen).to_have_count(0)
    ply(page, 0)
    assert moves(page) == []


def test_a_piece_moves_by_keys(begun: Begun) -> None:
    page = begun("breakthrough:5x4")
    page.locator("mossa-board.active").wait_for()
    page.locator('.hit[data-cell="1,3"]').focus()
    for key in ("ArrowLeft", "Enter", "ArrowUp", "Escape", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".picked")).to_have_count(1)
    page.keyboard.press("ArrowUp")
    expect(page.locator(".hit:focus")).to_have_attribute("aria-description", "c2 to c3")
    page.keyboard.press("Enter")
    ply(page, 1)
    assert moves(page) == ["c2c3"]


def test_a_piece_is_dragged(begun: Begun) -> None:
    page = begun("breakthrough:5x4")
    page.locator("mossa-board.active").wait_for()

    def drag(source: tuple[int, int], target: tuple[int, int]) -> None:
        page.mouse.move(*at(page, *source))
        page.mouse.down()
        page.mouse.move(*at(page, *target), steps=4)
        page.mouse.up()

    drag((1, 0), (3, 3))
    expect(page.locator(".picked")).to_have_count(0)
    drag((1, 0), (2, 1))
    ply(page, 1)
    assert moves(page) == ["a2b3"]
    expect(page.locator("g.stones .stone")).to_have_count(16)


def test_a_hint_points_from_source_to_target(begun: Begun) -> None:
    page = begun("breakthrough:5x4", "b2b3 b4a3 c2c3 a3b2")
    page.locator("mossa-board.active").wait_for()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hinted")).to_have_count(2, timeout=WAIT)
    expect(page.locator(".arrow.hint")).to_be_visible()
    expect(page.locator("#said")).to_have_text("Hint: a1 to b2")


def test_a_piece_moves_on_a_board_that_was_moved(begun: Begun) -> None:
    """The end of a drag of the board swallowed the next click on a piece."""
    page = begun("breakthrough:16x16")
    page.locator("mossa-board.active").wait_for()
    page.get_by_role("button", name="Zoom in").click()
    x, y = at(page, 8, 8)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y - 200, steps=4)
    page.mouse.up()
    where = at(page, 5, 5)
    for row in (1, 2):
        page.mouse.click(*at(page, row, 8))
    ply(page, 1)
    assert moves(page) == ["i2i3"]
    page.mouse.move(*at(page, 1, 9))
    page.mouse.down()
    page.mouse.move(*at(page, 3, 9), steps=4)  # no move of this side, and the board stays
    page.mouse.up()
    assert near(where, at(page, 5, 5), 60)


def test_a_record_is_downloaded_under_its_name(begun: Begun) -> None:
    page = begun("tictactoe", "b2 a1")
    for form in ("mossa", "psq"):
        with page.expect_download() as download:
            page.get_by_role("link", name=f".{form}").click()
        assert download.value.suggested_filename == f"game.{form}"
