"""The full-screen board without a screen: run it, press keys, click, read what it shows."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial
from html import unescape
from time import monotonic
from typing import Any

import pytest

pytest.importorskip("textual", reason="NO TESTS OF THE FULL-SCREEN BOARD: textual is missing")

from textual import _wait
from textual.pilot import Pilot
from textual.widgets import Input

import mossa
from mossa.players import PlayerLike
from mossa.tui.app import PlayApp
from mossa.tui.board import Board
from mossa.tui.canvas import Cell
from mossa.tui.game import Game
from mossa.tui.setup import Setup

# The pilot waits until the program rests, which takes 20 ms even if it does; on a busy machine it
# never does. Tests wait for what they expect instead.
_wait.SLEEP_GRANULARITY, _wait.SLEEP_IDLE = 0.001, 1.0

Script = Callable[["Player"], Awaitable[None]]
WAIT = 60.0


class Player:
    """Somebody at the board."""

    def __init__(self, app: PlayApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def game(self) -> Game:
        assert self.app.game is not None
        return self.app.game

    @property
    def board(self) -> Board:
        return self.game.board

    @property
    def moves(self) -> str:
        return self.game.session.position.history_text

    @property
    def text(self) -> str:
        """What is on the screen."""
        strips = self.app.screen._compositor.render_strips()  # a picture would take 30 ms
        return "\n".join(strip.text.rstrip() for strip in strips)

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def said(self) -> str:
        """The line below the board."""
        return str(self.game.line.render())

    async def press(self, *keys: str) -> None:
        for key in keys:  # after each the pilot waits for what it has brought about
            await self.pilot.press(key)
            await self.pilot.pause()

    async def strike(self, key: str) -> None:
        """Press a key without waiting until the program rests, which takes longer than the key."""
        self.app.simulate_key(key)
        await asyncio.sleep(0)

    async def enter(self, text: str) -> None:
        """Answer a question."""
        await self.until(lambda: self.app.screen.query(Input))
        self.app.screen.query_one(Input).value = text
        await self.press("enter")

    async def click(self, cell: Cell) -> None:
        place = self.board.place_of(cell)
        assert place is not None, f"{cell} is not in sight"
        await self.pilot.click(self.board, offset=place)

    async def hover(self, cell: Cell) -> None:
        place = self.board.place_of(cell)
        assert place is not None, f"{cell} is not in sight"
        await self.pilot.hover(self.board, offset=place)

    async def go(self, cell: Cell) -> None:
        """Move the cursor to a cell by the arrow keys."""
        for _ in range(1000):
            before = self.board.cursor
            if before == cell:
                return
            await self.strike(_towards(self.board, cell))
            await self.until(partial(self._has_left, before))
        raise AssertionError(f"the cursor does not come to {cell}")

    def _has_left(self, cell: Cell) -> bool:
        return self.board.cursor != cell

    def shows(self, text: str) -> bool:
        """Whether a text is on the screen."""
        return text in self.text

    def has_size(self, size: tuple[int, int]) -> bool:
        return self.app.size == size

    async def until(self, true: Callable[[], object]) -> None:
        deadline = monotonic() + WAIT
        while not true():
            assert monotonic() < deadline, f"waited in vain\n{self.text}"
            await asyncio.sleep(0.003)


def _towards(board: Board, cell: Cell) -> str:
    row, col = board.cursor
    if "pits" in board.game.sizes:
        return "right" if (cell[1] > col) == (row == 0) else "left"
    if row != cell[0] and not board.game.traits.falls:
        return "up" if cell[0] > row else "down"
    return "right" if cell[1] > col else "left"


def setup(
    game: str,
    first: PlayerLike = "human",
    second: PlayerLike = "human",
    *,
    moves: str = "",
    clock: str = "",
) -> Setup:
    position = mossa.game(game).position(moves)
    return Setup(position, mossa.player(first), mossa.player(second), clock)


def run(script: Script, app: PlayApp, size: tuple[int, int] = (80, 24), **options: Any) -> None:
    """Run the board in memory, and a script with it."""
    app.animation_level = options.pop("animations", "none")

    async def main() -> None:
        async with app.run_test(size=size) as pilot:
            player = Player(app, pilot)
            await player.until(lambda: player.text.strip() or min(size) < 5)
            await script(player)

    asyncio.run(main())


def play(
    script: Script, game: str, *args: Any, size: tuple[int, int] = (80, 24), **options: Any
) -> None:
    """The same with a game that has begun."""
    ascii_only = options.pop("ascii_only", False)
    run(script, PlayApp(setup(game, *args, **options), ascii_only=ascii_only), size)


_TEXT = re.compile(
    r'<text [^>]*x="([\d.]+)"[^>]*clip-path="url\(#[^"]*line-(\d+)\)">([^<]*)</text>'
)
_CHAR_WIDTH = 12.2


def svg_text(svg: str) -> str:
    """The text of a picture of the screen, line by line; colours and distances are left out."""
    lines: dict[int, list[str]] = {}
    for x, line, text in _TEXT.findall(svg):
        chars = lines.setdefault(int(line), [])
        at = round(float(x) / _CHAR_WIDTH)
        chars.extend(" " * (at - len(chars)))
        chars[at:] = unescape(text).replace("\xa0", " ")
    count = max(lines, default=-1) + 1
    return "\n".join("".join(lines.get(number, [])).rstrip() for number in range(count))
