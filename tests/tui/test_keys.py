"""The full-screen board: its keys, and the files they save and load."""

from __future__ import annotations

from pathlib import Path

import pytest
from screens import Player, play, run, setup

import mossa
from mossa.records import read_records
from mossa.tui.app import PlayApp
from mossa.tui.boards import ColumnsBoard
from mossa.tui.dialogs import Ask, Confirm, Keys
from mossa.tui.menu import Menu

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
