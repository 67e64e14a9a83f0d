"""The full-screen board: what it shows, the mouse, and players that fail."""

from __future__ import annotations

import random
import re
import runpy
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from screens import Player, play, run, setup, svg_text

import mossa
from mossa import Choice, Limits, Position
from mossa.search import NO_LIMITS
from mossa.session import timing
from mossa.tui.app import PlayApp
from mossa.tui.boards import CellsBoard, ColumnsBoard, PiecesBoard, PitsBoard, board_for, sowing
from mossa.tui.dialogs import Ask, Keys
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
        assert "X random:seed=1" in player.text
        await player.press("m")  # the next game may be over before anybody looks
        await player.until(lambda: "X random:seed=2" in player.text)

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
