"""Analysis, review, clocks and large boards in a real browser."""

from __future__ import annotations

import re

import pytest
from browsing import WAIT, Open, needs_chromium
from command import posix
from pages import begin, click, moves, ply, settle, status
from playwright.sync_api import Page, Route, expect

import mossa
from mossa.render import side_name

pytestmark = [posix, needs_chromium]

SGF = "(;FF[4]GM[4]SZ[15];B[hh];W[gg](;B[ih])(;B[hg])(;B[hi]))"
PSQ = "Piskvorky 15x15, 0:0, 0\n8,8,0\n7,7,0\n"


def here(page: Page) -> str:
    """Return the move that the list marks as shown."""
    return page.locator(".moves [aria-current]").inner_text()


def press_at(page: Page, cell: tuple[int, int]) -> None:
    """Click on a cell of a large board, where there is nothing to find before."""
    page.locator("mossa-board.active").wait_for()
    x, y = page.evaluate(
        """([row, col]) => {
          const svg = document.querySelector("mossa-board svg");
          const { left, bottom, cell } = document.querySelector("mossa-board").position.plan;
          const at = new DOMPoint(left + (col + 0.5) * cell, bottom - (row + 0.5) * cell)
            .matrixTransform(svg.getScreenCTM());
          return [at.x, at.y];
        }""",
        cell,
    )
    page.mouse.click(x, y)


# --- analysis -------------------------------------------------------------------------------------


def test_branches_are_kept_in_the_address(opened: Open) -> None:
    page = opened("analyse?game=connect4&moves=4453")
    ply(page, 4)
    page.get_by_role("button", name="4", exact=True).first.click()
    ply(page, 1)
    click(page, "0,6")
    ply(page, 2)
    click(page, "0,6")
    ply(page, 3)
    assert moves(page)[:2] == ["4", "4"]
    expect(page.locator(".moves .branch button")).to_have_text(["7", "7"])
    page.reload()
    ply(page, 3)
    expect(page.locator(".moves .branch button")).to_have_text(["7", "7"])
    assert here(page) == "7"
    page.get_by_role("button", name="Make main line").click()
    expect(page.locator(".moves .branch button")).to_have_text(["4", "5", "3"])
    page.get_by_role("button", name="Delete from here").click()
    page.get_by_role("button", name="Delete from here").click()
    ply(page, 1)
    expect(page.locator(".moves button")).to_have_text(["4", "4", "5", "3"])
    expect(page.get_by_role("textbox", name="Moves")).to_have_value("4 4 5 3")


def test_keys_walk_along_the_game(opened: Open) -> None:
    page = opened("analyse?game=connect4&moves=4453")
    ply(page, 4)
    page.locator(".status").click()
    for key, count in (("ArrowLeft", 3), ("Home", 0), ("ArrowRight", 1), ("End", 4)):
        page.keyboard.press(key)
        ply(page, count)


def test_the_graph_leads_to_every_position(opened: Open) -> None:
    page = opened("analyse?game=tictactoe&moves=b2+b1+a1+c3+a3")
    graph = page.locator(".graph")
    expect(graph.locator(".curve")).to_have_attribute("d", re.compile("L5"), timeout=WAIT)
    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": box["width"] * 2 / 5, "y": 20})
    ply(page, 2)
    expect(graph).to_have_attribute("aria-valuenow", "2")
    assert "at=2" in page.url


def test_records_are_pasted_and_copied(opened: Open) -> None:
    page = opened("analyse?game=connect4")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.get_by_role("textbox", name="Moves").fill(PSQ)
    page.get_by_role("button", name="Load").click()
    ply(page, 2)
    assert moves(page) == ["h8", "g9"]
    for form, part in (("sgf", "B[hh]"), ("psq", "Piskvorky 15x15"), ("moves", "h8 g9")):
        page.get_by_label("Format").select_option(form)
        page.get_by_role("button", name="Copy", exact=True).click()
        page.wait_for_function("(part) => window.copied?.includes(part)", arg=part)
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("() => window.copied === location.href")


def test_branches_of_sgf_are_shown_and_copied(opened: Open) -> None:
    """They were dropped both ways, without a word."""
    page = opened("analyse?game=connect4")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.get_by_role("textbox", name="Moves").fill(SGF)
    page.get_by_role("button", name="Load").click()
    ply(page, 3)
    expect(page.locator(".moves .branch button")).to_have_text(["h9", "h7"])
    page.get_by_label("Format").select_option("sgf")
    page.get_by_role("button", name="Copy", exact=True).click()
    page.wait_for_function("() => window.copied?.includes('(;B[hi])')")
    assert not page.locator("#toast").is_visible()
    page.get_by_label("Format").select_option("psq")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator("#toast.note")).to_have_text(
        "2 branches were left out: .psq has no room for them"
    )
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url("**/play/*")
    expect(page.locator("#toast.note")).to_contain_text("stay in the analysis")


@pytest.mark.parametrize("late", ["typing", "loading"])
def test_what_is_pasted_before_the_page_is_ready_stays(opened: Open, late: str) -> None:
    """The answer for the address of the page wiped it out."""
    page = opened()
    held: list[Route] = []
    page.route("**/api/read", lambda route: held.append(route), times=1)
    page.get_by_role("link", name="Analyse").click()
    field = page.get_by_role("textbox", name="Moves")
    field.fill(SGF)
    while not held:
        page.wait_for_timeout(20)
    if late == "typing":
        held[0].continue_()
        ply(page, 0)
        expect(field).to_have_value(SGF)
    page.get_by_role("button", name="Load").click()
    if late == "loading":
        ply(page, 3)
        with page.expect_response("**/api/read"):
            held[0].continue_()
        settle(page)
    ply(page, 3)


def test_a_position_is_arranged(opened: Open) -> None:
    page = opened("analyse?game=connect4")
    page.get_by_role("button", name="Edit position").click()
    click(page, "1,3")
    expect(page.locator(".told")).to_contain_text("hangs in the air")
    expect(page.get_by_role("button", name="Analyse this position")).to_be_disabled()
    page.get_by_label("Red", exact=True).check()
    page.locator('.hit[data-cell="0,3"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".told")).to_have_text("Yellow to move")
    page.get_by_role("button", name="Analyse this position").click()
    status(page, "Yellow to move")
    ply(page, 0)
    expect(page.locator("g.stones .stone")).to_have_count(2)
    assert "board=" in page.url
    click(page, "0,3")
    ply(page, 1)
    page.reload()
    ply(page, 1)
    expect(page.locator("g.stones .stone")).to_have_count(3)


def test_seeds_are_arranged(opened: Open) -> None:
    page = opened("analyse?game=kalah")
    page.get_by_role("button", name="Edit position").click()
    click(page, "0,2")
    expect(page.locator(".told")).to_have_text("there must be 48 seeds in all")
    page.locator('[name=seeds][value="-999"]').check()
    click(page, "0,1")
    page.get_by_label("−1").check()  # noqa: RUF001
    click(page, "0,2")
    click(page, "0,2")
    page.get_by_label("+5").check()
    click(page, "1,6")  # a store
    page.get_by_label("North to move").check()
    expect(page.locator(".told")).to_have_text("North to move")
    page.get_by_role("button", name="Analyse this position").click()
    status(page, "North to move")
    assert "board=4%2C0%2C3%2C4%2C4%2C4%2C0%2F4%2C4%2C4%2C4%2C4%2C4%2C5+second" in page.url


def test_every_move_has_the_score_of_the_core(opened: Open) -> None:
    page = opened("analyse?game=connect4&moves=44444422222153")
    expect(page.locator(".thoughts")).to_contain_text("done", timeout=WAIT)
    position = mossa.game("connect4").position("44444422222153")
    *_, last = mossa.analyse(position, time=30)
    shown = {
        hit.get_attribute("data-cell"): hit.get_attribute("aria-description")
        for hit in page.locator(".hit.legal").all()
    }
    for move, found in last.moves.items():
        assert isinstance(found.score, mossa.Exact)
        words = {1: "wins", -1: "loses"}.get(found.score.value)
        expected = f"{words} in {found.score.distance} plies" if words else "draws"
        said = shown[f"0,{int(str(move)) - 1}"]
        assert said is not None
        assert said.partition(", policy")[0] == expected  # a network may have its say too


def test_a_large_board_shows_the_best_scores_or_all(opened: Open) -> None:
    """A score on every point buried a board of Gomoku."""
    page = opened("analyse?game=gomoku&moves=h8+i9+h9")
    pills = page.locator(".marks .pill")
    expect(pills).to_have_count(5, timeout=WAIT)
    # What is not drawn is still said.
    expect(page.locator('.hit[data-cell="0,0"]')).to_have_attribute(
        "aria-description", re.compile("ahead|behind|even|wins|loses")
    )
    page.get_by_label("scores for all moves").check()
    expect(pills).to_have_count(225 - 3)
    page.reload()
    expect(page.get_by_label("scores for all moves")).to_be_checked()
    expect(pills).to_have_count(225 - 3, timeout=WAIT)
    page.get_by_label("scores for all moves").uncheck()
    expect(pills).to_have_count(5)


def test_a_small_board_shows_every_score(opened: Open) -> None:
    page = opened("analyse?game=connect4&moves=4453")
    expect(page.locator(".marks .pill")).to_have_count(7, timeout=WAIT)


def test_what_the_graph_does_not_know_has_no_colour(opened: Open) -> None:
    """An empty graph was filled with the colour of the second side."""
    page = opened("analyse?game=connect4")
    ply(page, 0)
    expect(page.locator(".thoughts")).to_contain_text("depth", timeout=WAIT)
    graph = page.locator(".graph")
    colours = graph.evaluate(
        "(svg) => [...svg.children].map((each) => getComputedStyle(each).fill)"
    )
    assert set(colours) == {"none"}
    click(page, "0,3")
    ply(page, 1)
    expect(graph.locator(".area.first")).to_be_attached(timeout=WAIT)
    expect(graph.locator(".area.second")).to_be_attached()


@pytest.mark.parametrize("game", ["connect4", "tictactoe", "gomoku", "kalah"])
def test_sides_have_one_name(opened: Open, game: str) -> None:
    """The search viewer said "first (x)" where the analysis said "X"."""
    names = [side_name(mossa.game(game), side) for side in mossa.Side]
    page = opened(f"analyse?game={game}")
    status(page, f"{names[0]} to move")
    page = opened(f"search?game={game}&moves=&player=minimax:depth=1")
    expect(page.locator("#state")).to_have_text(f"{names[0]} to move", timeout=WAIT)
    expect(page.locator("#words")).to_contain_text(f"To move: {names[0]}")
    expect(page.locator("#view option").last).to_contain_text(names[0])


def test_numbers_of_moves_are_no_decimals(opened: Open) -> None:
    """The moves 3 and 6 of kalah read "1.3 2.6"."""
    page = opened("analyse?game=kalah&moves=36")
    ply(page, 2)
    assert page.locator(".moves").inner_text().split() == ["1", "3", "2", "6"]
    assert moves(page) == ["3", "6"]


# --- review ---------------------------------------------------------------------------------------


def test_a_game_is_reviewed_and_mistakes_are_retried(opened: Open) -> None:
    page = opened()
    begin(page, "tictactoe")
    for count, cell in enumerate(["1,1", "0,1", "0,0", "2,2", "2,0", "0,2", "1,0"]):
        click(page, cell)
        ply(page, count + 1)
    status(page, "X wins: 3 in a row")
    page.get_by_role("button", name="Review").click()
    page.wait_for_url("**/review?*")
    expect(page.locator(".grades td").first).to_be_attached(timeout=WAIT)
    assert page.locator(".moves button").nth(1).inner_text() == "b1??"
    assert page.locator(".graph .dot").count() >= 1
    page.get_by_role("button", name="O's mistakes").click()
    expect(page.locator(".lesson")).to_contain_text("O played b1?? (blunder)")
    ply(page, 1)
    click(page, "0,1")
    expect(page.locator(".lesson.wrong")).to_contain_text("b1 is the move that was played")
    click(page, "1,0")
    expect(page.locator(".lesson.wrong")).to_contain_text("a2 is no better (blunder)")
    click(page, "0,0")
    expect(page.locator(".lesson.right")).to_contain_text("Right! a1 is the best move: it draws")
    expect(page.locator(".number").first).to_have_text("1")
    expect(page.get_by_role("button", name="Play on against the computer")).to_be_visible()
    page.get_by_role("button", name=re.compile("Next|Finish")).click()
    page.goto(page.url)
    page.get_by_role("button", name="O's mistakes").click()
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".lesson.right")).to_contain_text("The best move was")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_a_phone_shows_the_task_with_its_board(opened: Open, width: int, height: int) -> None:
    """What is to be found stood below the screen."""
    page = opened("review?game=tictactoe&moves=b2+b1+a1+c3+a3+c1+a2", width=width, height=height)
    page.get_by_role("button", name="O's mistakes").click(timeout=WAIT)
    expect(page.locator(".lesson")).to_contain_text("O played b1??")
    page.evaluate("scrollTo(0, 0)")
    for part in ("mossa-board svg", ".lesson", ".task .buttons"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        assert box["y"] >= 0 and box["y"] + box["height"] <= height


# --- play -----------------------------------------------------------------------------------------


def test_kalah_by_keys(opened: Open) -> None:
    page = opened()
    begin(page, "kalah")
    page.locator("mossa-board.active").wait_for()
    page.locator('.hit[data-cell="0,0"]').focus()
    position = mossa.game("kalah").start()
    while position.outcome is None:
        row, last = position.side.value, position.game.sizes["pits"] - 1
        want = position.moves[0].number
        assert want is not None
        page.keyboard.press("ArrowDown" if row == 0 else "ArrowUp")
        for _ in range(last):
            page.keyboard.press("ArrowLeft" if row == 0 else "ArrowRight")
        for _ in range(want - 1):
            page.keyboard.press("ArrowRight" if row == 0 else "ArrowLeft")
        page.keyboard.press("Enter")
        position = position.play(position.moves[0])
        ply(page, position.ply)
        page.locator("mossa-board.active, mossa-board.over").wait_for()
    expect(page.locator(".status")).to_contain_text(position.outcome.reason)


def test_connect_by_keys(opened: Open) -> None:
    page = opened()
    begin(page, "connect4")
    page.locator("mossa-board.active").wait_for()
    page.locator('.hit[tabindex="0"]').focus()
    for count, keys in enumerate(["Home", "ArrowRight"] * 3 + ["Home"]):
        page.locator("mossa-board.active").wait_for()
        page.keyboard.press(keys)
        page.keyboard.press("Enter")
        ply(page, count + 1)
    status(page, "Yellow wins: 4 in a row")


def test_gomoku_by_clicks(opened: Open) -> None:
    page = opened()
    begin(page, "gomoku")
    for count in range(9):
        click(page, f"{7 + count % 2},{3 + count // 2}")
        ply(page, count + 1)
    status(page, "Black wins: 5 in a row")


def test_clocks_run_and_fall(opened: Open) -> None:
    page = opened()
    begin(page, "connect4", minutes=0.05)  # three seconds
    first, second = page.locator(".clock").all()
    expect(first).to_have_text("3.0")
    click(page, "0,3")
    ply(page, 1)
    expect(second).to_have_class(re.compile("runs"))
    click(page, "0,3")
    ply(page, 2)
    page.reload()
    status(page, "Red wins: Yellow ran out of time")
    expect(first).to_have_text("0.0")
    page.get_by_role("button", name="Rematch").click()
    status(page, "Yellow to move")
    expect(page.locator(".clock").first).to_have_text("3.0")


def test_the_computer_has_a_clock_too(opened: Open) -> None:
    page = opened()
    # Without its book, which would answer in no time.
    engine = "engine:time=9,book=off"
    begin(page, "connect4", opponent=engine, side="second", minutes=0.1, increment=1)
    page.locator("mossa-board.active").wait_for()
    click(page, "0,3")
    ply(page, 3)
    status(page, "Your move (Red)")
    assert page.locator(".clock").first.inner_text().startswith(("0:", "6.", "7.", "5."))


def test_a_stone_is_shown_before_the_server_answers(opened: Open) -> None:
    page = opened()
    begin(page, "tictactoe")
    page.route("**/moves", lambda route: None)  # the answer never comes
    click(page, "1,1")
    expect(page.locator("g.stones .stone")).to_have_count(1)
    assert page.locator("mossa-board").get_attribute("data-ply") == "0"


def test_a_stone_that_is_refused_goes_away(opened: Open) -> None:
    page = opened()
    begin(page, "tictactoe")
    page.locator("mossa-board.active").wait_for()
    page.evaluate(
        """() => {
          const { fetch } = window;
          window.fetch = async () => {
            window.fetch = fetch;
            return Response.json({ error: "no" }, { status: 400 });
          };
        }"""
    )
    click(page, "1,1")
    expect(page.locator("#toast")).to_have_text("no")
    expect(page.locator("g.stones .stone")).to_have_count(0)
    click(page, "1,1")
    ply(page, 1)


# --- large boards ---------------------------------------------------------------------------------


def cell_width(page: Page) -> float:
    """Return the pixels of a cell."""
    width: float = page.evaluate("40 * document.querySelector('mossa-board svg').getScreenCTM().a")
    return width


@pytest.mark.parametrize(("size", "width"), [(50, 360), (100, 1100)])
def test_a_large_board_is_zoomed_and_moved(opened: Open, size: int, width: int) -> None:
    page = opened(f"analyse?game=mnk:{size}x{size}x5", width=width, height=740)
    page.locator("mossa-board.active").wait_for()
    expect(page.locator(".zoom")).to_be_visible()
    page.wait_for_function("() => document.querySelector('mossa-board svg').viewBox.baseVal.x > 0")
    assert cell_width(page) > 17  # wide enough for a finger's tip
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    press_at(page, (size // 2, size // 2))
    ply(page, 1)
    before = cell_width(page)
    page.keyboard.press("+")
    assert cell_width(page) > before
    page.get_by_role("button", name="Zoom out").click()
    assert abs(cell_width(page) - before) < 0.01
    page.keyboard.press("0")
    whole = cell_width(page)
    assert whole < before
    page.locator("mossa-board svg").hover()
    page.mouse.wheel(0, -300)
    page.wait_for_function(
        "(old) => 40 * document.querySelector('mossa-board svg').getScreenCTM().a > old", arg=whole
    )
    # A drag moves the board and is no move of the game.
    box = page.locator("mossa-board svg").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    begun = page.evaluate("document.querySelector('mossa-board svg').viewBox.baseVal.x")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 30, steps=4)
    page.mouse.up()
    assert page.evaluate("document.querySelector('mossa-board svg').viewBox.baseVal.x") > begun
    ply(page, 1)
    # Keys reach every cell, in view or not.
    page.locator(".hit").first.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    ply(page, 2)
    expect(page.locator(".hit:focus")).to_have_attribute("aria-label", re.compile("^a"))


def test_two_fingers_zoom(opened: Open) -> None:
    page = opened("analyse?game=mnk:50x50x5", width=360, height=740)
    page.locator("mossa-board.active").wait_for()
    page.wait_for_function("() => document.querySelector('mossa-board svg').viewBox.baseVal.x > 0")
    before = cell_width(page)
    page.evaluate(
        """() => {
          const svg = document.querySelector("mossa-board svg");
          const send = (type, pointerId, clientX) => svg.dispatchEvent(
            new PointerEvent(type, { pointerId, clientX, clientY: 250, bubbles: true }));
          send("pointerdown", 1, 150); send("pointerdown", 2, 200);
          send("pointermove", 2, 240); send("pointermove", 1, 110);
          send("pointerup", 1, 110); send("pointerup", 2, 240);
        }"""
    )
    assert cell_width(page) > 2 * before
    ply(page, 0)


def test_the_pages_fit_a_phone_in_the_dark(opened: Open) -> None:
    for path in ("", "analyse?game=gomoku&moves=h8+i9", "review?game=tictactoe&moves=b2+b1"):
        page = opened(path, width=360, height=740)
        page.emulate_media(color_scheme="dark")
        page.locator("mossa-board svg").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


# --- pieces that move -----------------------------------------------------------------------------


def test_moves_of_pieces_have_arrows_and_scores(opened: Open) -> None:
    page = opened("analyse?game=breakthrough:5x4&moves=b2b3+b4a3")
    expect(page.locator(".arrow.first.step-0")).to_be_visible(timeout=WAIT)
    expect(page.locator(".pill.best").first).to_be_visible()
    # The colours of the board are not those of the page: its text was white on white.
    colours = page.evaluate(
        "['.line', 'body'].map((each) => getComputedStyle(document.querySelector(each)).color)"
    )
    assert colours[0] == colours[1]
    click(page, "2,1")  # a piece with three moves, each of which has its score
    expect(page.locator(".marks .pill")).to_have_count(3, timeout=WAIT)
    expect(page.locator(".arrow")).to_have_count(0)
    click(page, "3,0")
    ply(page, 3)
    page.get_by_role("button", name="Back", exact=True).click()
    ply(page, 2)
    click(page, "1,3")
    click(page, "2,3")
    ply(page, 3)
    expect(page.locator(".moves .branch button")).to_have_text(["d2d3"])


def test_pieces_are_arranged_with_the_side_to_move(opened: Open) -> None:
    page = opened("analyse?game=breakthrough:5x4")
    page.locator("mossa-board.active").wait_for()
    page.get_by_role("button", name="Edit position").click()
    click(page, "1,0")
    page.get_by_label("Black to move").check()
    expect(page.locator(".told")).to_have_text("Black to move", timeout=WAIT)
    page.get_by_role("button", name="Analyse this position").click()
    status(page, "Black to move")
    expect(page.locator("g.stones .stone")).to_have_count(15)
    page = opened("analyse?game=connect4")
    page.locator("mossa-board.active").wait_for()
    page.get_by_role("button", name="Edit position").click()
    expect(page.locator(".mover")).to_be_hidden()
