"""Make the pictures of the full-screen board in the terminal: ``make screenshots``.

It runs the board in memory and has Textual export what it would show. A test compares the text of
the files with what ``pictures()`` returns now; colours are compared by people.
"""

import asyncio
import re
from pathlib import Path

import mossa
from mossa.tui.app import PlayApp
from mossa.tui.setup import Setup

FOLDER = Path(__file__).parent
SIZE = (80, 24)

CONNECT = "4 4 3 5 4 4 5 3 3 3"
KALAH = "6 2 1 3 6"


def pictures() -> dict[str, str]:
    """Return the content of every picture by the name of its file."""
    return {
        "terminal-play.svg": _picture(_game("connect4", CONNECT, "300+5"), "right", "right"),
        "terminal-kalah.svg": _picture(_game("kalah", KALAH), "5"),
        "terminal-menu.svg": _picture(PlayApp(), "down", "down", "down"),
    }


def _game(name: str, moves: str, clock: str = "") -> PlayApp:
    """Return the board with a game against a computer, in which a person is to move."""
    players = mossa.player("human"), mossa.player("level:5")
    return PlayApp(Setup(mossa.game(name).position(moves), *players, clock))


def _picture(app: PlayApp, *keys: str) -> str:
    async def show() -> str:
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            await pilot.press(*keys)
            await pilot.pause()
            return app.export_screenshot(title="mossa play")

    # The fonts that it would load over the network are left out, and names that change each time.
    svg = re.sub(r"@font-face \{.*?\}", "", asyncio.run(show()), flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    return re.sub(r"\s*\n\s*", "\n", svg).strip()


if __name__ == "__main__":
    for name, content in pictures().items():
        (FOLDER / name).write_text(content + "\n", encoding="utf-8")
        print(FOLDER / name)
