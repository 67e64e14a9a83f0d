"""The start page: everything needed in view, nothing lost, nothing in the way of the first move."""

from __future__ import annotations

import pytest
from browsing import Open, needs_chromium
from command import posix
from pages import begin, status
from playwright.sync_api import Page, expect

pytestmark = [posix, needs_chromium]

SIZES = [(1280, 800), (390, 844), (844, 390)]
ROWS = 'input[name="connect4.rows"]'
SETTLED = ".setup mossa-board svg"


def play_button(page: Page) -> None:
    page.get_by_role("button", name="Play", exact=True).click()


def details(page: Page) -> None:
    page.get_by_text("Size, rules and clock").click()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_play_is_in_view(opened: Open, width: int, height: int) -> None:
    """It was at 906 px of 800, and on a phone at 1403 of 844."""
    page = opened(width=width, height=height)
    page.locator(SETTLED).first.wait_for()
    box = page.get_by_role("button", name="Play", exact=True).bounding_box()
    assert box is not None and box["y"] + box["height"] <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_play_is_a_few_tabs_away_and_the_board_has_the_focus(opened: Open) -> None:
    """It took 16 tabs with half as many pages to go to, and then the focus was nowhere."""
    page = opened()
    page.locator(SETTLED).first.wait_for()
    play = page.get_by_role("button", name="Play", exact=True)
    tabs = 0
    while not play.evaluate("each => each === document.activeElement"):
        page.keyboard.press("Tab")
        tabs += 1
        assert tabs <= 15
    page.keyboard.press("Enter")
    expect(page.locator("mossa-board .hit:focus")).to_be_visible()
    page.locator("mossa-board.active").wait_for()
    page.keyboard.press("Enter")
    expect(page.locator(".moves li button").first).to_be_visible()


def test_after_a_click_the_arrow_keys_are_the_pages(opened: Open) -> None:
    page = opened()
    begin(page, "connect4")
    expect(page.locator("mossa-board svg:focus")).to_be_visible()


def test_a_size_that_cannot_be_is_shown_even_if_it_was_hidden(opened: Open) -> None:
    """Play did nothing at all."""
    page = opened()
    page.locator(SETTLED).first.wait_for()
    details(page)
    rows = page.locator(ROWS)
    rows.fill("1000")
    details(page)
    expect(rows).not_to_be_visible()
    play_button(page)
    expect(rows).to_be_visible()
    expect(rows).to_be_focused()
    expect(rows.locator("+ small")).to_have_text("1 to 100")
    rows.fill("5")
    play_button(page)
    page.wait_for_url("**/play/*")


def test_a_custom_player_must_be_named(opened: Open) -> None:
    page = opened()
    page.get_by_label("Custom player").first.check()
    play_button(page)
    expect(page.get_by_role("combobox", name="Custom player")).to_be_focused()


def test_sizes_and_theme_are_remembered(opened: Open) -> None:
    page = opened()
    page.locator(SETTLED).first.wait_for()
    details(page)
    page.locator(ROWS).fill("8")
    page.get_by_role("button", name="Switch between light and dark").click()
    begin(page, "tictactoe")  # the other game's size must not get lost
    page.goto(page.url.split("/play/")[0])
    page.locator(SETTLED).first.wait_for()
    assert page.evaluate("document.documentElement.style.colorScheme") == "dark"
    expect(page.locator('[value="tictactoe"]')).to_be_checked()
    page.locator('input[value="connect4"]').check(force=True)
    expect(page.locator("details")).not_to_have_attribute("open", "")
    details(page)
    expect(page.locator(ROWS)).to_have_value("6")  # only what was played is kept
    page.locator(ROWS).fill("8")
    play_button(page)
    page.wait_for_url("**/play/*")
    page.goto(page.url.split("/play/")[0])
    page.locator(SETTLED).first.wait_for()
    expect(page.locator("details")).to_have_attribute("open", "")
    expect(page.locator(ROWS)).to_have_value("8")


GARBAGE = [
    "{",
    "null",
    "7",
    '["a", "b"]',
    '{"length": "3", "preset": "chess", "connect4.rows": "9999", "level": "x", "kalah.swap": 1}',
]


@pytest.mark.parametrize("kept", [None, *GARBAGE])
def test_a_broken_memory_stops_nothing(opened: Open, kept: str | None) -> None:
    """A browser that keeps nothing, or has kept nonsense, got an empty start page."""
    page = opened()
    if kept is None:
        page.add_init_script(
            """Object.defineProperty(window, "localStorage",
                 { get() { throw new DOMException("denied", "SecurityError"); } });"""
        )
    else:
        page.evaluate(
            """(kept) => {
              for (const name of ["setup", "theme"]) localStorage.setItem(`mossa-${name}`, kept);
            }""",
            kept,
        )
    page.reload()
    page.locator(SETTLED).first.wait_for()
    page.get_by_role("button", name="Switch between light and dark").click()
    play_button(page)
    page.wait_for_url("**/play/*")
    status(page, "Your move (Yellow)")


def test_sides_are_called_what_the_game_calls_them(opened: Open) -> None:
    """First and second here, Yellow and Red there."""
    page = opened()
    page.locator(SETTLED).first.wait_for()
    for game, first, second in (("connect4", "Yellow", "Red"), ("kalah", "South", "North")):
        page.locator(f'input[value="{game}"]').check(force=True)
        labels = page.locator(".side label").all_inner_texts()
        assert [each.strip() for each in labels] == [f"{first} (moves first)", second, "Random"]
    page.get_by_label("Another person on this device").check()
    expect(page.locator(".side")).not_to_be_visible()
