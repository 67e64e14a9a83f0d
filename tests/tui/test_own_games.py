"""Games written in Python on the full-screen board: texts, cells, pieces; and those that fail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from own_games import GAMES, odd, written
from screens import Player, play
from tui.test_games import whole_game

from mossa import watch
from mossa.tui.boards import CellsBoard, PiecesBoard, TextBoard


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    with written(tmp_path):
        yield tmp_path


@pytest.mark.parametrize("game", GAMES[1:])
@pytest.mark.parametrize("mouse", [False, True], ids=["keys", "mouse"])
def test_a_whole_game_on_cells(game: str, mouse: bool) -> None:
    play(lambda player: whole_game(player, mouse=mouse), game, "human", "random:seed=1")


def test_boards_by_what_the_game_gives() -> None:
    boards = dict(zip(GAMES, (TextBoard, CellsBoard, PiecesBoard), strict=True))
    for name, board in boards.items():

        async def script(player: Player, board: type = board) -> None:
            assert type(player.board) is board

        play(script, name, "human", "human")


@pytest.mark.parametrize("mouse", [False, True], ids=["keys", "mouse"])
def test_a_text_is_shown_with_its_moves_to_choose_from(mouse: bool) -> None:
    async def script(player: Player) -> None:
        assert "||||||" in player.text and "6 left" in player.text
        assert "▸1◂" in player.text
        if mouse:
            await player.click((0, 1))
        else:
            await player.press("right", "enter")
        await player.until(lambda: player.moves == "2")
        assert "4 left" in player.text
        await player.press("h")
        await player.until(lambda: "Hint:" in player.said)
        await player.press("a")
        await player.until(lambda: "Analysis, depth" in player.text)
        await player.press("a", "end", "enter")  # the last move: 3
        await player.until(lambda: len(player.moves) > 1)

    play(script, "nim.py:Nim", "human", "human")


def test_a_text_needs_little_room() -> None:
    async def script(player: Player) -> None:
        await player.press("down", "down", "up", "enter")
        await player.until(lambda: player.moves == "2")

    play(script, "nim.py:Nim", "human", "human", size=(40, 10))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("def play(self, move): return 1 / 0", "play(1): odd.py:"),
        ("def play(self, move): return 7", "'int' object has no attribute"),
        ("def __str__(self): return '' if self.heap == 6 else 1 / 0", "str(position): odd.py:"),
        ("def play(self, move):\n        while True: pass", "play(1): still running after 0.2 s"),
    ],
)
@pytest.mark.parametrize("first", ["human", "alphabeta:depth=1", "random"])
def test_a_game_that_fails_is_named_and_the_board_stays(
    line: str, said: str, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "LONGEST", 0.2)
    said = said if first == "human" else said.split("(")[0]

    async def script(player: Player) -> None:
        if first == "human":
            await player.press("enter")
        await player.until(lambda: said in player.said)
        assert "odd.py:Odd" in player.said
        assert player.moves == ""
        await player.press("u", "question_mark", "escape")

    play(script, odd(line), first, "human")
