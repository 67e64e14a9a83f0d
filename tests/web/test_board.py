"""The board in a real browser: games by clicks and keys, on a desktop and on a phone."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from browsing import STOPPED, WAIT, Open, Server, needs_chromium
from command import posix, program
from pages import begin, click, moves, ply, settle, status
from playwright.sync_api import Browser, expect

import mossa

pytestmark = [posix, needs_chromium]


def test_connect_by_clicks(opened: Open) -> None:
    page = opened()
    begin(page, "connect4")
    for count, column in enumerate([3, 0, 3, 0, 3, 0, 3]):
        status(page, f"{('Yellow', 'Red')[count % 2]} to move")
        click(page, f"0,{column}")
        ply(page, count + 1)
    status(page, "Yellow wins: 4 in a row")
    assert page.locator(".stones .stone.first").count() == 4
    assert page.locator(".winning").count() == 4
    page.get_by_role("button", name="Rematch").click()
    status(page, "Yellow to move")
    ply(page, 0)


def test_tic_tac_toe_by_keys(opened: Open) -> None:
    page = opened()
    begin(page, "tictactoe")
    page.locator("mossa-board.active").wait_for()
    page.locator('.hit[tabindex="0"]').focus()  # the middle
    keys = ["Enter", "ArrowUp Enter", "ArrowLeft Enter", "ArrowRight ArrowRight Enter"]
    keys.append("ArrowLeft ArrowLeft ArrowDown ArrowDown ArrowRight ArrowRight Enter")
    for count, pressed in enumerate(keys):
        page.locator("mossa-board.active").wait_for()
        for key in pressed.split():
            page.keyboard.press(key)
        ply(page, count + 1)
    status(page, "X wins: 3 in a row")
    expect(page.locator('.hit[data-cell="1,1"]')).to_have_attribute("aria-label", "b2: X")
    assert moves(page) == ["b2", "b3", "a3", "c3", "c1"]


def test_kalah_against_the_computer(opened: Open) -> None:
    page = opened()
    begin(page, "kalah", opponent="level:2", side="second")
    while True:
        page.locator("mossa-board.active, mossa-board.over").wait_for()
        if page.locator("mossa-board.over").count():
            break
        before = page.locator("mossa-board").get_attribute("data-ply")
        page.locator(".hit.legal").first.click()
        expect(page.locator("mossa-board")).not_to_have_attribute(
            "data-ply", str(before), timeout=WAIT
        )
    played = " ".join(moves(page))
    outcome = mossa.game("kalah").position(played).outcome
    assert outcome is not None
    result = {"first": "You lost", "second": "You won"}
    name = result[outcome.winner.name] if outcome.winner else "Draw"
    status(page, f"{name}: {outcome.reason}")


def test_seeds_are_sown_one_by_one(opened: Open) -> None:
    page = opened(motion="no-preference")
    begin(page, "kalah")
    page.evaluate(
        """() => { window.flown = 0; new MutationObserver((all) => {
          for (const each of all) window.flown += each.addedNodes.length;
        }).observe(document.querySelector(".flying"), { childList: true }); }"""
    )
    click(page, "0,0")
    page.locator("mossa-board.active").wait_for()
    assert page.evaluate("window.flown") == 4
    counts = page.locator(".seeds .pill text").all_text_contents()
    assert counts == ["0", "5", "5", "5", "5", "4", "0", "4", "4", "4", "4", "4", "4", "0"]


def test_discs_fall_unless_motion_is_unwanted(opened: Open) -> None:
    for motion, falls in (("no-preference", True), ("reduce", False)):
        page = opened(motion=motion)
        begin(page, "connect4")
        page.evaluate(
            """() => {
              window.fell = 0;
              document.addEventListener("animationstart", () => window.fell++);
            }"""
        )
        click(page, "0,3")
        ply(page, 1)
        if falls:
            page.wait_for_function("() => window.fell > 0")
        else:
            settle(page)
            assert page.evaluate("window.fell") == 0


def test_the_game_survives_a_reload_and_can_be_changed(opened: Open) -> None:
    page = opened()
    begin(page, "connect4", opponent="level:3")
    click(page, "0,3")
    ply(page, 2)
    played = moves(page)
    page.reload()
    ply(page, 2)
    assert moves(page) == played
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hinted")).to_be_visible(timeout=WAIT)
    page.get_by_role("button", name="Take back").click()
    ply(page, 0)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Resign").click()
    status(page, "You lost: you resigned")


def test_a_phone_shows_all_of_it(opened: Open) -> None:
    page = opened(width=360, height=740)
    begin(page, "connect4", opponent="level:1")
    page.locator("mossa-board.active").wait_for()
    page.locator('.hit[data-cell="0,3"]').tap()
    ply(page, 2)
    for path in (page.url, re.sub(r"/play/.*", "/analyse?game=kalah", page.url)):
        page.goto(path)
        page.locator("mossa-board svg").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    board = page.locator("mossa-board svg").bounding_box()
    assert board is not None and board["x"] >= 0 and board["x"] + board["width"] <= 360


def test_analysis_shows_the_scores_of_the_core(opened: Open) -> None:
    page = opened("analyse?game=connect4&moves=3+3+4+4+5")
    expect(page.locator(".pill.best text").first).to_have_text("L2", timeout=WAIT)
    assert page.locator(".bar").get_attribute("aria-valuenow") == "1"
    click(page, "0,6")
    expect(page.locator(".pill.best text").first).to_have_text("W1", timeout=WAIT)
    assert "moves=3+3+4+4+5+7" in page.url
    page.locator(".status").click()
    page.keyboard.press("ArrowLeft")
    ply(page, 5)
    page.get_by_label("Game", exact=True).fill("tictactoe")
    page.get_by_role("textbox", name="Moves").fill("a1 b1")
    page.get_by_role("button", name="Load").click()
    ply(page, 2)
    position = mossa.game("tictactoe").position("a1 b1")
    *_, analysis = mossa.analyse(position, time=20)
    wins = sum(found.score.value > 0 for found in analysis.moves.values())
    expect(page.locator(".pill text", has_text="W")).to_have_count(wins, timeout=WAIT)
    expect(page.locator(".number").first).to_have_text("1")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url("**/play/*")
    ply(page, 2)


def test_a_restart_of_the_server_is_survived(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path / "games.sqlite")
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(WAIT)
    page.goto(server.address)
    begin(page, "connect4", opponent="level:1")
    click(page, "0,3")
    ply(page, 2)
    assert server.stop() == STOPPED  # with a page open
    again = Server(server.games, server.port)
    try:
        click(page, "0,2")
        ply(page, 4)
    finally:
        context.close()
        assert again.stop() == STOPPED


def test_a_port_that_is_taken_is_one_line(server: Server) -> None:
    taken = ["web", "--port", server.port, "--no-browser", "--games", str(server.games)]
    done = subprocess.run([program(), *taken], capture_output=True, text=True, timeout=30)
    assert done.returncode == 2
    assert done.stderr.startswith(f"mossa: port {server.port} is in use; choose another one")
    assert "Traceback" not in done.stderr
