"""The full-screen board: every key, the mouse, small and large windows, players that fail."""

from __future__ import annotations

import random
import re
import runpy
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from screens import Player, play, run, setup, svg_text
from textual import events

import mossa
from mossa import Choice, Limits, Position
from mossa.records import read_records
from mossa.search import NO_LIMITS
from mossa.session import timing
from mossa.tui.app import PlayApp
from mossa.tui.boards import CellsBoard, ColumnsBoard, PiecesBoard, PitsBoard, board_for, sowing
from mossa.tui.dialogs import Ask, Confirm, Keys
from mossa.tui.keys import KeyLine
from mossa.tui.menu import Menu


class Slow(mossa.Player):
    """Thinks until it is let go."""

    name = "slow"

    def __init__(self) -> None:
        self.asked, self.go = threading.Event(), threading.Event()

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        self.asked.set()
        self.go.wait(30)
        return Choice(position.moves[0])


def crash(position: Position) -> str:
    raise ZeroDivisionError("oh no")


# ---------------------------------------------------------------- what shows a game


@pytest.mark.parametrize(
    ("game", "shape"),
    [
        ("tictactoe", CellsBoard),
        ("gomoku", CellsBoard),
        ("connect4", ColumnsBoard),
        ("kalah", PitsBoard),
        ("oware", PitsBoard),
        ("breakthrough", PiecesBoard),
    ],
)
def test_the_shape_of_a_board_follows_from_the_traits(game: str, shape: type) -> None:
    assert type(board_for(mossa.game(game).start())) is shape


def test_a_game_at_80x24() -> None:
    """A picture of the screen, as text: it fails if anything is cut off or moves."""

    async def script(player: Player) -> None:
        await player.until(lambda: len(player.lines) == 24)
        lines = player.lines
        assert lines[0].split() == ["▼", "Connect", "4"]
        assert lines[2].endswith("▸  ●  Yellow You")
        assert lines[3].endswith("○  Red slow")
        assert lines[14] == "   │ ▐███▌ ▐███▌ ▐███▌▸▐███▌◂▐███▌ ▐███▌ ▐███▌ │"
        assert lines[17] == "   │ ▐███▌ ▐███▌ ▐█ █▌ ▐███▌[▐█ █▌]▐███▌ ▐███▌ │"
        assert lines[19] == "   └───────────────────────────────────────────┘"
        assert lines[20] == "       1     2     3     4     5     6     7"
        assert lines[22] == " Your move (Yellow)"
        assert lines[23].split()[-4:] == ["?", "Help", "q", "Quit"]
        assert len(lines) == 24

    play(script, "connect4", "human", Slow(), moves="4 3 2 5")


def test_the_pictures_of_the_documentation_show_the_board_as_it_is() -> None:
    """Their text is compared, so that another version of Textual may draw its colours anew."""
    folder = Path(__file__).parents[2] / "docs" / "images"
    pictures: dict[str, str] = runpy.run_path(str(folder / "terminal.py"))["pictures"]()
    assert {path.name for path in folder.glob("terminal-*.svg")} == set(pictures)
    for name, content in pictures.items():
        shown = svg_text((folder / name).read_text(encoding="utf-8"))
        assert svg_text(content) == shown, "run make screenshots"
        assert len(shown.splitlines()) == 24


def test_hovering_shows_where_a_disc_falls() -> None:
    async def script(player: Player) -> None:
        await player.hover((5, 1))
        await player.until(lambda: player.board.cursor == (0, 1))
        assert player.board.marks().ghosts == {(0, 1): 1}
        assert player.moves == ""

    play(script, "connect4")


def test_hovering_shows_where_seeds_go() -> None:
    async def script(player: Player) -> None:
        await player.hover((0, 2))
        await player.until(lambda: player.board.cursor == (0, 2))
        notes = {cell: note.text for cell, note in player.board.marks().notes.items()}
        assert notes == {(0, 2): "4-4", (0, 3): "4+1", (0, 4): "4+1", (0, 5): "4+1", (0, 6): "0+1"}
        await player.until(lambda: "4+1" in player.text and "0+1" in player.text)

    play(script, "kalah")


def test_a_click_on_the_other_sides_pit_is_no_move() -> None:
    async def script(player: Player) -> None:
        for cell in ((1, 2), (1, 6), (0, 6)):
            await player.click(cell)
        await player.pilot.pause()
        assert player.moves == "" and player.board.cursor == (0, 0)
        await player.click((0, 1))
        await player.until(lambda: player.moves == "2")
        await player.click((1, 5))  # now it is that side's turn
        await player.until(lambda: player.moves == "2 6")

    play(script, "kalah")


def test_a_piece_is_taken_and_put_down() -> None:
    async def script(player: Player) -> None:
        await player.go((1, 1))
        await player.press("enter")
        await player.until(lambda: player.board.held == (1, 1))
        assert sorted(player.board.marks().targets) == [(2, 0), (2, 1), (2, 2)]
        await player.press("escape")
        await player.until(lambda: player.board.held is None)
        await player.press("enter", "enter")  # taken, and put back
        await player.until(lambda: player.board.held is None)
        await player.press("enter")
        await player.go((4, 1))
        await player.press("enter")
        await player.until(lambda: "cannot go to b5" in player.said)
        await player.go((2, 1))
        await player.press("space")
        await player.until(lambda: player.moves == "b2b3")
        await player.go((4, 4))
        await player.press("enter")
        await player.until(lambda: "No piece on e5 can move" in player.said)

    play(script, "breakthrough")


def test_the_last_move_and_the_winning_line_are_marked() -> None:
    async def script(player: Player) -> None:
        assert player.board.marks().last == [(3, 3)]
        assert sorted(player.board.marks().winning) == [(0, 3), (1, 3), (2, 3), (3, 3)]
        await player.until(lambda: player.text.count("█*█") == 4)
        await player.until(
            lambda: "Yellow wins: 4 in a row. m: rematch, n: new game, s: save" in player.text
        )

    play(script, "connect4", moves="4343434")


def test_seeds_are_sown_one_by_one_and_another_move_is_told() -> None:
    start = mossa.game("kalah").start()
    frames = [cells for cells, _ in sowing(start, start.play("3"))]
    assert [row[2] for row, _ in frames] == [3, 2, 1]
    assert [row[3:7] for row, _ in frames] == [(5, 4, 4, 0), (5, 5, 4, 0), (5, 5, 5, 0)]

    async def script(player: Player) -> None:
        await player.press("3", "enter")
        await player.until(lambda: player.board.is_moving)
        await player.until(lambda: not player.board.is_moving)
        await player.until(lambda: "you move again" in player.said)
        await player.press("1", "enter")  # a key ends what moves
        await player.until(lambda: player.board.is_moving)
        await player.press("right", "enter")
        await player.until(lambda: not player.board.is_moving)

    app = PlayApp(setup("kalah"))
    run(script, app, animations="full")


def test_a_move_that_no_cell_stands_for_is_typed() -> None:
    async def script(player: Player) -> None:
        await player.until(lambda: "Also: swap" in player.said)
        await player.press("colon")
        await player.until(lambda: isinstance(player.app.screen, Ask))
        await player.press(*"swap", "enter")
        await player.until(lambda: player.moves == "1 swap")
        await player.press("colon")
        await player.enter("99")
        await player.until(lambda: "llegal move '99'" in player.said)

    play(script, "kalah:6x4,swap=yes", moves="1")


# ---------------------------------------------------------------- keys


def test_undo_resign_rematch() -> None:
    async def script(player: Player) -> None:
        session = player.game.session
        await player.press("u")
        await player.until(lambda: "nothing to take back" in player.said)
        await player.press("enter")
        await player.until(lambda: session.awaits_person and len(session.record.moves) == 2)
        await player.press("u")
        await player.until(lambda: player.moves == "")
        await player.press("r")
        await player.until(lambda: isinstance(player.app.screen, Confirm))
        await player.press("n")
        await player.until(lambda: player.app.screen is player.game)
        assert not session.is_over
        await player.press("r", "y")
        await player.until(lambda: session.is_over)
        await player.until(lambda: "You lost: you resigned" in player.text)
        await player.press("r")
        await player.until(lambda: "The game is over" in player.said)
        await player.press("m")
        await player.until(lambda: len(session.record.moves) == 1)
        await player.until(lambda: "Your move (Red)" in player.text)

    play(script, "connect4", "human", "random:seed=1")


def test_a_rematch_in_mid_game_is_asked_for() -> None:
    async def script(player: Player) -> None:
        await player.press("m")
        await player.until(lambda: "Leave this game" in player.text)
        await player.pilot.click(".answers", offset=(1, 0))
        await player.until(lambda: player.moves == "")

    play(script, "connect4", moves="44")


def test_stepping_through_the_moves_and_back() -> None:
    async def script(player: Player) -> None:
        session = player.game.session
        await player.press("pageup")
        await player.until(lambda: "Move 3 of 4" in player.said)
        await player.press("enter")
        await player.until(lambda: "earlier position" in player.said)
        await player.press("home")
        await player.until(lambda: session.ply == 0)
        await player.press("full_stop", "pagedown")
        await player.until(lambda: session.ply == 2)
        await player.press("comma")
        await player.until(lambda: session.ply == 1)
        assert player.board.position.history_text == "4"
        await player.pilot.click(player.game.move_list, offset=(2, 1))
        await player.until(lambda: session.ply == 3)
        await player.press("end")
        await player.until(lambda: session.is_live)
        await player.press("enter")
        await player.until(lambda: len(session.record.moves) == 5)

    play(script, "connect4", moves="4455")


def test_hint_and_analysis_in_place() -> None:
    async def script(player: Player) -> None:
        await player.press("h")
        await player.until(lambda: "Hint: a3" in player.said)
        assert player.board.marks().hints == [(2, 0)]
        await player.press("a")
        await player.until(lambda: "Analysis, depth" in player.text)
        await player.until(lambda: "W1" in player.board.drawn_text)
        await player.press("pageup")
        await player.until(lambda: player.board.scores and "W1" not in player.board.drawn_text)
        await player.press("end", "a")
        await player.until(lambda: "Analysis" not in player.text)
        assert not player.board.scores

    play(script, "tictactoe", moves="a1 b1 a2 b2")


def test_analysis_of_a_huge_board_begins_with_the_likely_moves() -> None:
    """Nothing was seen until all moves had a score: minutes, on a board of 100 x 100."""

    async def script(player: Player) -> None:
        await player.press("a")
        await player.until(lambda: "of 9,998" in player.text)
        assert 0 < len(player.board.scores) < 9998

    play(script, "mnk:100x100x5", moves="a1 b2")


def test_help_and_colours_and_new_game() -> None:
    async def script(player: Player) -> None:
        await player.press("question_mark")
        await player.until(lambda: isinstance(player.app.screen, Keys))
        await player.until(lambda: "Escape to close" in player.text)
        shown = player.text
        for keys, does in player.game.KEYS:
            assert keys in shown and does in shown
        await player.press("escape")
        before = player.board.rich_style.bgcolor
        await player.press("c")
        await player.until(lambda: player.board.rich_style.bgcolor != before)
        await player.until(lambda: player.board.render_line(0)._segments[0].style is not None)
        await player.press("n")
        await player.until(lambda: isinstance(player.app.screen, Menu))
        await player.press("escape")
        await player.until(lambda: player.app.screen is player.game)
        await player.press("n")
        await player.until(lambda: "choose a game" in player.text)
        await player.press("down", "enter")
        await player.until(lambda: player.game.session.record.game.name == "mnk:3x3x3")

    play(script, "connect4")


@pytest.mark.parametrize("key", ["q", "ctrl+q", "ctrl+c"])
def test_keys_that_leave(key: str) -> None:
    app = PlayApp(setup("connect4", moves="44"))

    async def script(player: Player) -> None:
        await player.press(key)

    run(script, app)
    assert app.return_code == (130 if key == "ctrl+c" else 0)
    again = "mossa play connect:6x7x4 --first human --second human --moves '4 4'"
    assert app.farewell == f"game left unfinished; resume it with: {again}"


def test_what_is_said_of_a_game_that_is_over_or_was_not_begun() -> None:
    over, none = PlayApp(setup("connect4", moves="4343434")), PlayApp(setup("connect4"))

    async def script(player: Player) -> None:
        await player.press("q")

    run(script, over)
    run(script, none)
    assert over.farewell == "Yellow wins: 4 in a row; moves: 4 3 4 3 4 3 4"
    assert none.farewell == "" and PlayApp().farewell == ""


# ---------------------------------------------------------------- files


def test_a_name_that_is_typed_replaces_the_suggestion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was appended: connect.mossamine.mossa."""
    monkeypatch.chdir(tmp_path)

    async def script(player: Player) -> None:
        await player.press("s")
        await player.until(lambda: isinstance(player.app.screen, Ask))
        await player.press(*"mine", "full_stop", *"mossa", "enter")
        await player.until(lambda: "Saved to mine.mossa" in player.said)
        await player.press("s")
        await player.until(lambda: isinstance(player.app.screen, Ask))
        await player.press("enter")
        await player.until(lambda: "Saved to connect.mossa" in player.said)

    play(script, "connect4", "human", "human", moves="4")
    assert {path.name for path in tmp_path.iterdir()} == {"mine.mossa", "connect.mossa"}


def test_save_and_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def named(player: Player, key: str, name: str) -> None:
        await player.press(key)
        await player.until(lambda: isinstance(player.app.screen, Ask))
        await player.enter(name)
        await player.until(lambda: not isinstance(player.app.screen, Ask))

    async def script(player: Player) -> None:
        await named(player, "s", "a.mossa")
        await player.until(lambda: "Saved to a.mossa" in player.said)
        await named(player, "s", "a.mossa")
        await player.until(lambda: isinstance(player.app.screen, Confirm))
        await player.press("n")
        await player.until(lambda: "Not saved" in player.said)
        await named(player, "s", "no/such.mossa")
        await player.until(lambda: "Not saved: no/such.mossa: No such file" in player.said)
        await named(player, "s", "a.xyz")
        await player.until(lambda: "Not saved: " in player.said and ".xyz" in player.said)
        await player.press("enter")
        await player.until(lambda: player.moves == "3 1 4 1")
        await named(player, "l", "none.mossa")
        await player.until(lambda: "Not loaded: none.mossa: No such file" in player.said)
        (tmp_path / "bad.mossa").write_text("nonsense")
        await named(player, "l", "bad.mossa")
        await player.until(lambda: "Not loaded: bad.mossa:1" in player.said)
        await named(player, "l", "a.mossa")
        await player.until(lambda: player.moves == "3 1 4")
        mossa.records.write_records(
            tmp_path / "c.mossa",
            [mossa.Record.from_position(mossa.game("connect4").position("45"))],
        )
        await named(player, "l", "c.mossa")  # another board takes its place
        await player.until(lambda: isinstance(player.board, ColumnsBoard))
        await player.until(lambda: player.board.has_focus and "Connect 4" in player.text)
        await player.press("enter")
        await player.until(lambda: player.moves == "4 5 4")

    play(script, "kalah", moves="314")
    assert read_records(tmp_path / "a.mossa")[0].position.history_text == "3 1 4"


# ---------------------------------------------------------------- windows


SIZES = [(40, 10), (20, 5), (1, 1), (200, 60), (63, 24), (79, 12)]


def fits(player: Player, size: tuple[int, int]) -> bool:
    lines = player.lines
    return len(lines) <= size[1] and all(len(line) <= size[0] for line in lines)


@pytest.mark.parametrize("game", ["connect4", "gomoku", "kalah", "breakthrough", "tictactoe"])
def test_any_window(game: str) -> None:
    async def script(player: Player) -> None:
        for size in SIZES:
            await player.pilot.resize_terminal(*size)
            await player.until(partial(player.has_size, size))
            await player.press("right", "plus", "minus", "0")
            await player.until(partial(fits, player, size))

    play(script, game)


def test_40x10_shows_the_board_the_status_and_the_keys() -> None:
    async def script(player: Player) -> None:
        await player.until(lambda: len(player.lines) == 10)
        lines = player.lines
        assert lines[7].split() == list("abcdefgh")
        assert lines[8:] == [" White to move", " u Undo  h Hint  ? Help  q Quit"]
        await player.go((7, 4))  # the board scrolls with the cursor
        await player.until(lambda: " 8 │" in player.text)

    play(script, "breakthrough", size=(40, 10))


def test_the_cursor_begins_on_a_piece_that_can_move() -> None:
    """It stood on an empty cell in the middle, and one's own pieces were out of sight at 40x10."""

    async def script(player: Player) -> None:
        await player.until(lambda: player.board.cursor == (1, 4))
        await player.press("enter")
        await player.until(lambda: player.board.held == (1, 4))

    play(script, "breakthrough", size=(40, 10))


@pytest.mark.parametrize("width", [39, 40])
def test_both_stores_are_seen_in_40_columns(width: int) -> None:
    """The first side's store was cut off."""

    async def script(player: Player) -> None:
        await player.until(lambda: all(map(player.board.place_of, ((0, 6), (1, 6), (0, 0)))))
        frame = next(at for at, line in enumerate(player.lines) if "┴" in line)
        hollows = player.lines[frame - 1].strip("│ ").split("│")
        assert (hollows[0].strip(), hollows[-1].strip(), len(hollows)) == ("0", "2", 8)

    play(script, "kalah", moves="3 6 1", size=(width, 10))


def test_seeds_that_were_won_are_told_beside_a_board_whose_stores_are_out_of_sight() -> None:
    async def script(player: Player) -> None:
        assert player.board.place_of((0, 12)) is None
        sides = [line.split()[-2:] for line in player.lines if "Person" in line]
        assert sides == [["Person", "1"], ["Person", "0"]]

    play(script, "kalah:12x4", moves="9")


def test_keys_can_be_clicked() -> None:
    async def script(player: Player) -> None:
        await player.pilot.click(KeyLine, offset=(2, 0))
        await player.until(lambda: player.moves == "")
        await player.pilot.click(KeyLine, offset=(player.lines[-1].index("? Help") + 3, 0))
        await player.until(lambda: isinstance(player.app.screen, Keys))

    play(script, "connect4", moves="4")


def test_a_window_that_changes_in_mid_game() -> None:
    async def script(player: Player) -> None:
        await player.press("enter")
        for width, height in ((40, 10), (120, 40), (30, 8), (80, 24)):
            await player.pilot.resize_terminal(width, height)
            await player.until(partial(player.has_size, (width, height)))
            await player.press("enter")
        await player.until(lambda: player.moves == "4 4 4 4 4")
        await player.until(lambda: "Connect 4" in player.text)

    play(script, "connect4")


def test_a_large_board_scrolls_and_zooms() -> None:
    async def script(player: Player) -> None:
        board = player.board
        assert board.place_of((50, 50)) is not None and board.place_of((0, 0)) is None
        for _ in range(3):
            await player.press("plus")
        await player.until(lambda: board.fitting_zoom() == (6, 3))
        assert board.place_of(board.cursor) is not None
        await player.press("minus", "minus", "minus", "minus")
        await player.until(lambda: board.fitting_zoom() == (2, 1))
        seen = board.place_of((50, 50))
        await player.pilot._post_mouse_events(  # the pilot has no wheel of its own
            [events.MouseScrollDown], board
        )
        await player.until(lambda: board.place_of((50, 50)) != seen)
        for _ in range(60):
            await player.strike("down")
        await player.until(lambda: board.cursor[0] == 0)
        assert board.place_of(board.cursor) is not None
        await player.press("enter")
        await player.until(lambda: player.moves == "ay1")

    play(script, "mnk:100x100x5")


def test_a_large_board_shows_the_opponents_answer() -> None:
    """The cursor began in a corner of what was seen, and an answer beyond it was out of sight."""

    async def script(player: Player) -> None:
        board = player.board
        for cell in ((48, 48), (48, 52), (52, 48), (52, 52)):
            assert board.place_of(cell) is not None
        for move in ("a1", "cv100", "ay50"):
            player.game.session.move(move)
            await player.until(partial(has_moved, player, move))
            assert board.place_of(board._last[0]) is not None
        board.point_at((30, 50))
        for near in ((28, 50), (30, 48), (30, 52)):
            assert board.place_of(near) is not None

    play(script, "mnk:100x100x5")


def has_moved(player: Player, move: str) -> bool:
    return str(player.board.position.history[-1:][0]) == move


def test_a_long_row_of_columns_scrolls() -> None:
    async def script(player: Player) -> None:
        for _ in range(30):
            await player.strike("right")
        await player.until(lambda: player.board.cursor == (0, 39))
        await player.press("enter")
        await player.until(lambda: player.moves == "40")
        await player.until(lambda: "40" in player.lines[-3])

    play(script, "connect:20x40x4")


# ---------------------------------------------------------------- colours and letters


def test_nothing_is_told_by_colour_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(player: Player) -> None:
        assert not player.board.drawing.colour  # type: ignore[attr-defined]
        await player.until(
            lambda: player.text.count("▐███▌") == 2 and player.text.count("▐█ █▌") == 2
        )
        await player.until(lambda: "[▐█ █▌]" in player.text)
        svg = player.app.export_screenshot()
        drawn = set(re.findall(r"-r\d+ { fill: #(\w\w)(\w\w)(\w\w)", svg)) - {("c5", "c8", "c6")}
        assert drawn and all(red == green == blue for red, green, blue in drawn)

    play(script, "connect4", moves="4 3 2 5")


@pytest.mark.parametrize("game", ["connect4", "gomoku", "kalah", "breakthrough", "tictactoe"])
def test_plain_letters(game: str) -> None:
    async def script(player: Player) -> None:
        await player.press("enter")
        await player.until(lambda: player.text.strip())
        assert player.text.isascii()
        if game != "connect4":  # once is enough for the other screens
            return
        await player.press("question_mark")
        await player.until(lambda: isinstance(player.app.screen, Keys))
        await player.until(lambda: player.text.strip())
        assert player.text.isascii()
        await player.press("escape", "n")
        await player.until(lambda: isinstance(player.app.screen, Menu))
        await player.until(lambda: player.text.strip())
        assert player.text.isascii()

    play(script, game, ascii_only=True)


# ---------------------------------------------------------------- players


def test_live_thinking_and_leaving_at_once() -> None:
    async def script(player: Player) -> None:
        await player.press("enter")
        await player.until(lambda: "alphabeta:time=60 thinks" in player.text)
        await player.until(lambda: "depth" in player.text and "nodes" in player.text)
        await player.press("enter")
        await player.until(lambda: "Wait: alphabeta:time=60 is to move" in player.said)

    before = set(threading.enumerate())
    play(script, "connect4", "human", "alphabeta:time=60")
    for thread in set(threading.enumerate()) - before:
        thread.join(30)
        assert not thread.is_alive()


def test_a_player_that_crashes_leaves_the_game_to_the_person() -> None:
    async def script(player: Player) -> None:
        await player.press("enter")
        await player.until(lambda: "Red crashed: " in player.said)
        await player.until(lambda: "The game is kept" in player.said)
        await player.press("t")
        await player.until(lambda: "Red crashed: " in player.said)
        await player.press("enter")
        await player.until(lambda: player.moves == "4 4")

    play(script, "connect4", "human", crash)


def test_what_a_player_says_cannot_reach_the_terminal() -> None:
    def hostile(position: Position) -> str:
        raise ValueError("\x1b[2J\x1b]0;owned\x07")

    async def script(player: Player) -> None:
        await player.press("enter")
        await player.until(lambda: "Red crashed: " in player.said)
        assert "?[2J?]0;owned?" in player.said and "\x1b" not in player.said

    play(script, "connect4", "human", hostile)


def test_a_name_that_no_record_can_hold_is_refused_before_the_screen_is_filled() -> None:
    class Odd(Slow):
        name = "a\x1bb"

    with pytest.raises(mossa.GameError, match="control character"):
        setup("connect4", "human", Odd())


def test_computers_play_each_other_while_somebody_watches() -> None:
    async def script(player: Player) -> None:
        await player.until(lambda: player.game.session.is_over)
        await player.press("m")
        await player.until(lambda: not player.game.session.is_over)

    play(script, "tictactoe", "random:seed=1", "random:seed=2")


def test_the_clock_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(timing, "time", lambda: now)

    async def script(player: Player) -> None:
        nonlocal now
        await player.press("enter")
        await player.until(lambda: player.moves == "4")
        now += 295.1
        await player.until(lambda: "4.9" in player.text)
        now += 6
        await player.until(lambda: "ran out of time" in player.text)

    play(script, "connect4", clock="300")


@pytest.mark.parametrize("game", ["connect4", "tictactoe", "kalah"])
def test_what_is_no_move_is_refused(game: str) -> None:
    full: dict[str, tuple[str, Callable[[Player], object]]] = {
        "connect4": ("444444", lambda player: "Column 4 is full" in player.said),
        "tictactoe": ("b2", lambda player: "Cell b2 is not free" in player.said),
        "kalah": ("3", lambda player: "Pit 3 is empty" in player.said),
    }
    moves, told = full[game]

    async def script(player: Player) -> None:
        if game == "kalah":
            await player.press("3")
        await player.press("enter")
        await player.until(lambda: told(player))
        assert player.moves.replace(" ", "") == moves

    play(script, game, moves=moves)


ALL_KEYS = [
    "up",
    "down",
    "left",
    "right",
    "enter",
    "space",
    "escape",
    "u",
    "h",
    "a",
    "r",
    "m",
    "s",
    "l",
    "n",
    "t",
    "colon",
    "pageup",
    "pagedown",
    "home",
    "end",
    "comma",
    "full_stop",
    "c",
    "question_mark",
    "plus",
    "minus",
    "0",
    "1",
    "5",
    "9",
    "y",
    "tab",
    "x",
    "backspace",
]


@pytest.mark.parametrize("game", ["connect4", "kalah:6x4,swap=yes", "breakthrough", "tictactoe"])
def test_no_keys_in_any_order_break_the_board(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some of them save the game
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    chance = random.Random(game)

    async def script(player: Player) -> None:
        for _ in range(120):
            if chance.random() < 0.05:
                size = chance.choice([(80, 24), (40, 10), (5, 3), (120, 40)])
                await player.pilot.resize_terminal(*size)
            await player.strike(chance.choice(ALL_KEYS))
        await player.press("escape")
        assert player.app.is_running
        session = player.game.session
        assert session.position.history == list(session.record.moves)

    play(script, game, "human", "random:seed=1")
