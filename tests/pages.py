"""What a person does on the pages of the board, for tests in a browser."""

from __future__ import annotations

from browsing import WAIT
from playwright.sync_api import Page, expect


def begin(
    page: Page,
    game: str,
    *,
    opponent: str = "human",
    side: str = "first",
    minutes: float = 0,
    increment: float = 0,
) -> None:
    """Begin a game on the first page."""
    page.locator(f'input[name=preset][value="{game}"]').check(force=True)
    if opponent == "human":
        page.get_by_label("Another person on this device").check()
    else:
        page.get_by_label("Custom player").first.check()
        page.get_by_role("combobox", name="Custom player").fill(opponent)
        page.locator(f'input[name=side][value="{side}"]').check()
    if not page.locator("details[open]").count():
        page.get_by_text("Size, rules and clock").click()
    page.locator("input[name=minutes]").fill(str(minutes))
    page.locator("input[name=increment]").fill(str(increment))
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/play/*")
    expect(page.locator(".status")).not_to_be_empty(timeout=WAIT)


def ply(page: Page, count: int) -> None:
    """Wait until so many moves are on the board and it is a person's turn, or all is over."""
    expect(page.locator(f'mossa-board[data-ply="{count}"]')).to_be_visible(timeout=WAIT)


def click(page: Page, cell: str) -> None:
    """Click on a place of the board; of a large one only those exist where somebody has been."""
    page.locator("mossa-board.active, mossa-board.editing").wait_for()
    page.locator(f'.hit[data-cell="{cell}"]').click()


def settle(page: Page) -> None:
    """Wait until the page is drawn; a frame may ask for another one."""
    frames = "(done) => requestAnimationFrame(() => requestAnimationFrame(done))"
    page.evaluate(f"() => new Promise({frames})")


def status(page: Page, text: str) -> None:
    """Wait for what the page says."""
    expect(page.locator(".status")).to_have_text(text, timeout=WAIT)


def moves(page: Page) -> list[str]:
    """Return the moves of the list, without their numbers."""
    return page.locator(".moves li button").all_inner_texts()
