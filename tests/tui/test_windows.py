"""The full-screen board in windows of any size."""

from __future__ import annotations

from functools import partial

import pytest
from screens import Player, play
from textual import events

from mossa.tui.dialogs import Keys
from mossa.tui.keys import KeyLine

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
