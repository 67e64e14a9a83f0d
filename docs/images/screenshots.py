"""Make the pictures of the board in the browser: ``make screenshots``.

It starts a server of its own, with games of its own, and looks at its pages with chromium. Run it
after a change of the pages; the pictures are compared by people, not by tests.
"""

from __future__ import annotations

import io
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).parent
BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "chrome"]
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
LARGEST = 100_000
"""Bytes of a picture: the README is read on phones too."""

Stage = Callable[[Page], None]

GOMOKU = "h8 i9 h9 h10 g8 i8 i10 g9 f7 e6 g7"
KALAH = "6 2 1 3 6 5 2 6 2 4 2 6 6"
CONNECT = "4 4 4 3 5 2 4 4 1 3 3 7 2"
LESSON = "alphabeta:depth=4,deepen=off,table=off,pvs=off,killers=off,history=off"


def play(page: Page, client: httpx.Client, game: str, moves: str, opponent: str) -> None:
    """Open a game that has begun, where it is a person's turn."""
    new = {"game": game, "moves": moves, "second": opponent}
    page.goto(f"/play/{client.post('/api/games', json=new).raise_for_status().json()['id']}")
    page.locator("mossa-board.active").wait_for()


def analyse(page: Page, game: str, moves: str) -> None:
    """Open an analysis and let it think."""
    page.goto(f"/analyse?game={game}&moves={moves.replace(' ', '+')}")
    page.locator(".pill.best").first.wait_for()
    page.wait_for_timeout(6000)


def network(page: Page, game: str, moves: str) -> None:
    """Open an analysis that shows what a network thinks."""
    analyse(page, game, moves)
    page.get_by_label("Best line on the board").uncheck()


def network_speaks(client: httpx.Client, game: str) -> bool:
    """Tell whether the server has found a network for a game."""
    position = client.post("/api/position", json={"game": game}).raise_for_status().json()
    return bool(position["evaluation"]["chances"])


def review(page: Page, game: str, moves: str) -> None:
    """Open the review of a game and wait until it is done."""
    page.goto(f"/review?game={game}&moves={moves.replace(' ', '+')}")
    page.wait_for_timeout(20_000)


def search(page: Page, player: str, steps: int) -> None:
    """Open a search, so many steps after its beginning."""
    page.goto(f"/search?game=connect4&moves=4453&player={player}#1.{steps}")
    page.locator("mossa-trace .node.now").wait_for()
    page.wait_for_timeout(500)


def tournament(page: Page, client: httpx.Client) -> None:
    """Play a small tournament and open it."""
    plan = {
        "players": ["level:1", "level:3", "alphabeta:depth=4", "mcts:iterations=500", "tris"],
        "games": ["tictactoe", "mnk:5x5x4"],
        "rounds": 5,
    }
    made = client.post("/api/tournaments", json=plan).raise_for_status().json()
    while client.get(f"/api/tournaments/{made['name']}").json()["state"] != "finished":
        time.sleep(0.5)
    page.goto(f"/arena/{made['name']}")
    page.locator("[data-state=finished] .list").wait_for()


def take(
    browser: Browser, address: str, name: str, stage: Stage, *, phone: bool, dark: bool
) -> None:
    """Take one picture."""
    context = browser.new_context(
        base_url=address,
        viewport={"width": 390, "height": 780} if phone else {"width": 1180, "height": 760},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    stage(page)
    path = FOLDER / f"web-{name}.png"
    taken = Image.open(io.BytesIO(page.screenshot()))
    # 256 colours are enough for what is drawn, and a third of the size.
    taken.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    context.close()
    size = path.stat().st_size
    print(f"{path.name}: {size // 1000} kB")
    assert size < LARGEST, f"{path.name} has {size} bytes: show less"


def main(wanted: list[str]) -> None:
    """Make all pictures, or those that are named."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["-m", "mossa", "web", "--port", "0", "--no-browser", "--games"]
        server = subprocess.Popen(
            [sys.executable, *command, f"{folder}/games.sqlite"], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+/", server.stdout.readline())
            assert found
            with httpx.Client(base_url=found[0], timeout=60) as client, sync_playwright() as driver:
                browser = driver.chromium.launch(
                    executable_path=CHROMIUM, args=["--no-sandbox", "--font-render-hinting=none"]
                )
                pictures: dict[str, tuple[Stage, bool, bool]] = {
                    "play": (lambda p: play(p, client, "gomoku", GOMOKU, "level:5"), False, False),
                    "analyse": (lambda p: analyse(p, "connect4", CONNECT[:17]), False, False),
                    "review": (lambda p: review(p, "connect4", CONNECT), False, False),
                    "search": (lambda p: search(p, LESSON, 105), False, False),
                    "playouts": (lambda p: search(p, "mcts:iterations=500", 45), False, True),
                    "arena": (lambda p: tournament(p, client), False, False),
                    "phone": (lambda p: play(p, client, "kalah", KALAH, "level:5"), True, True),
                }
                if network_speaks(client, "connect4"):
                    stage = partial(network, game="connect4", moves=CONNECT[:17])
                    pictures["network"] = stage, False, False
                else:
                    print("web-network.png stays: no network for connect4 in MOSSA_BOOKS")
                for name, (stage, phone, dark) in pictures.items():
                    if not wanted or name in wanted:
                        take(browser, found[0], name, stage, phone=phone, dark=dark)
                browser.close()
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()


if __name__ == "__main__":
    main(sys.argv[1:])
