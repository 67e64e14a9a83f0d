"""The start menu of the full-screen board."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from screens import Player, run

import mossa
from mossa import Side
from mossa.players.levels import ABILITIES
from mossa.tui.app import PlayApp
from mossa.tui.dialogs import Ask
from mossa.tui.menu import Menu
from mossa.tui.setup import cards, chosen, opponents, sides, specs_of


def menu_of(player: Player) -> Menu:
    screen = player.app.screen
    assert isinstance(screen, Menu)
    return screen


def test_every_game_is_a_card() -> None:
    found = {card.name: card for card in cards()}
    assert next(iter(found)) == "connect4"
    assert set(found) == {*mossa.games.PRESETS, "tris"}
    assert [name for name, card in found.items() if card.sizes] == ["tris"]
    assert found["tris"].game({"size": 12, "series": 5}) == "tris:12x5"


def test_every_level_has_a_word() -> None:
    found = opponents()
    assert len({ability.word for ability in ABILITIES}) == 10
    assert found["level:1"] == "Level 1, beginner"
    assert found["level:10"] == "Level 10, the strongest"
    assert found["human"] == "Another person"


def test_sides_have_the_names_of_the_game() -> None:
    assert list(sides("connect4").values()) == ["Yellow (first)", "Red (second)", "Random"]
    assert specs_of("level:2", "second") == ("level:2", "human")
    assert {specs_of("random", "random side")[0] for _ in range(60)} == {"human", "random"}


@pytest.mark.parametrize(
    ("game", "specs", "clock"),
    [
        ("tris:3x9", ("human", "human"), ""),
        ("connect4", ("human", "tris"), ""),
        ("connect4", ("human", "human"), "soon"),
    ],
)
def test_what_cannot_be_played_is_refused(game: str, specs: tuple[str, str], clock: str) -> None:
    with pytest.raises(mossa.GameError):
        chosen(game, specs, clock)


def test_the_menu_at_80x24() -> None:
    async def script(player: Player) -> None:
        await player.until(lambda: len(player.lines) == 24)
        text = player.text
        for card in cards():
            assert card.title in text
        assert "Opponent  ◂ Level 3, casual ▸" in text
        assert "You play  ◂ Yellow (first) ▸" in text
        assert "Clock     ◂ none ▸" in text
        assert "Size" not in text and "Series" not in text
        assert player.lines[-1].endswith("q Quit")
        for card in cards():  # nothing is cut off
            await player.until(partial(player.shows, card.summary.split()[-1]))
            await player.press("down")

    run(script, PlayApp())


def test_a_game_is_chosen_by_keys() -> None:
    async def script(player: Player) -> None:
        for _ in range(9):
            await player.press("down")
        await player.until(lambda: menu_of(player).game == "tris:10x4")
        await player.until(lambda: "Size      ◂ 10 ▸" in player.text)
        await player.until(lambda: "Series    ◂ 4 ▸" in player.text)
        await player.press("tab", "left", "left")  # level 1
        await player.press("tab", "right")  # second
        await player.press("tab", "right", "down")  # a clock; on to the size
        for _ in range(6):
            await player.press("left")
        await player.press("down", "left", "up", "down")
        await player.until(lambda: menu_of(player).game == "tris:4x3")
        await player.press("enter")
        await player.until(lambda: player.app.game is not None)
        record = player.game.session.record
        assert (record.game.name, record.first, record.second) == ("mnk:4x4x3", "level:1", "human")
        assert record.extra["clock"] == "60"
        await player.until(lambda: player.game.session.awaits_person)

    run(script, PlayApp())


def test_a_game_is_chosen_by_mouse() -> None:
    async def script(player: Player) -> None:
        menu = menu_of(player)
        await player.pilot.click(menu.cards, offset=(6, 6))
        await player.until(lambda: menu.game == "kalah")
        await player.pilot.click(menu.opponent, offset=(15, 0))
        await player.until(lambda: menu.opponent.value == "level:4")
        await player.pilot.click(menu.opponent, offset=(10, 0))
        await player.until(lambda: menu.opponent.value == "level:3")
        await player.pilot.click(menu.cards, offset=(6, 6), times=2)
        await player.until(lambda: player.app.game is not None)

    run(script, PlayApp())


def test_sizes_that_make_no_game_are_explained() -> None:
    async def script(player: Player) -> None:
        menu = menu_of(player)
        menu.sizes["series"].value = "99"
        await player.press("enter")
        await player.until(lambda: "invalid game 'tris:10x99'" in player.text)
        assert player.app.game is None
        await player.press("escape")  # there is no game to return to
        assert player.app.screen is menu

    run(script, PlayApp(game="tris"))


def test_players_of_the_command_line_are_no_choice() -> None:
    async def script(player: Player) -> None:
        await player.until(lambda: "random:seed=1 against human" in player.text)
        assert "Opponent" not in player.text
        await player.press("enter")
        await player.until(lambda: player.app.game is not None)
        assert player.game.session.names[Side.first] == "random:seed=1"

    run(script, PlayApp(players=("random:seed=1", "human")))


def test_the_menu_in_a_small_window() -> None:
    async def script(player: Player) -> None:
        await player.until(lambda: len(player.lines) == 10)
        lines = player.lines
        assert "Connect 4" in lines[1]
        assert lines[-1] == " enter Play  tab Next  ? Help  q Quit"
        assert any("Clock" in line for line in lines)
        for _ in range(7):
            await player.press("down")
        await player.until(lambda: "Tris" in player.text and "Series" in player.text)

    run(script, PlayApp(), size=(40, 10))


def test_a_file_is_loaded_from_the_menu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    position = mossa.game("gomoku").position("h8 h9")
    mossa.records.write_records(tmp_path / "g.mossa", [mossa.Record.from_position(position)])

    async def script(player: Player) -> None:
        await player.press("l")
        await player.until(lambda: isinstance(player.app.screen, Ask))
        await player.enter("none.mossa")
        await player.until(lambda: "Not loaded: none.mossa: No such file" in player.text)
        await player.press("l")
        await player.until(lambda: isinstance(player.app.screen, Ask))
        await player.enter("g.mossa")
        await player.until(lambda: player.app.game is not None and player.moves == "h8 h9")
        await player.until(lambda: "Gomoku" in player.text)

    run(script, PlayApp())


def test_a_kind_without_sizes_is_asked_for_them_in_the_menu() -> None:
    """They were asked for line by line, before the screen was filled."""

    async def script(player: Player) -> None:
        menu = menu_of(player)
        assert menu.game == "mnk:15x15x5"
        await player.until(lambda: "▸ mnk, any size" in player.text)
        await player.until(lambda: "Rows      ◂ 15 ▸" in player.text)
        await player.until(lambda: "In a row  ◂ 5 ▸" in player.text)
        menu.sizes["rows"].value = "3"
        menu.sizes["k"].value = "3"
        await player.press("enter")
        await player.until(lambda: player.app.game is not None)
        assert player.game.session.record.game.name == "mnk:3x15x3"

    run(script, PlayApp(game="mnk", players=("human", "human")))


def test_every_kind_has_a_card() -> None:
    for kind in mossa.games.KINDS:
        found = next(card for card in cards(kind) if card.name == kind)
        assert mossa.game(found.game(found.sizes)).kind == kind
    assert cards("no such kind") == cards()
