"""The board in the browser: many people at once, and how long one person waits.

python benchmarks/web.py [CLIENTS] [MOVES] [LEVEL]

Every client begins a game, makes moves and waits for the computer's; any error, and any move that
is not in the saved game afterwards, ends the run.

python benchmarks/web.py browser [RUNS]

In chromium: from the arrival of the first byte of the page, and from that of the position, to the
board on the screen; from a click to the stone.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Any

import httpx
from websockets.asyncio.client import connect


async def play(address: str, client: httpx.AsyncClient, moves: int, level: int) -> list[float]:
    """Play one game; return the seconds from each own move to the computer's."""
    new = {"game": "connect4", "second": f"level:{level}"}
    game: dict[str, Any] = (await client.post("/api/games", json=new)).raise_for_status().json()
    waits: list[float] = []
    origin: Any = address.rstrip("/")
    async with connect(f"{address.replace('http', 'ws')}api/live", origin=origin) as socket:
        for number in range(moves):
            if game["end"]:
                break
            move = random.choice(game["position"]["legal"])["move"]
            sent = {"move": move, "version": game["version"]}
            began = time.perf_counter()
            answer = await client.post(f"/api/games/{game['id']}/moves", json=sent)
            game = answer.raise_for_status().json()
            if game["end"]:
                break
            wanted = {"do": "think", "id": game["id"], "version": game["version"]}
            await socket.send(json.dumps({"request": number, **wanted}))
            said: dict[str, Any] = {}
            while "game" not in said:
                said = json.loads(await socket.recv())
                assert "error" not in said, said
            game = said["game"]
            waits.append(time.perf_counter() - began)
    saved = (await client.get(f"/api/games/{game['id']}")).raise_for_status().json()
    assert saved == game, "a move was lost"
    return waits


async def run(address: str, clients: int, moves: int, level: int) -> None:
    """Let all clients play at once and print what they had to wait."""
    limits = httpx.Limits(max_connections=clients)
    began = time.perf_counter()
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=120) as client:
        games = (play(address, client, moves, level) for _ in range(clients))
        waits = [wait for each in await asyncio.gather(*games) for wait in each]
    taken = time.perf_counter() - began
    print(
        f"{clients} clients, level {level}: {len(waits)} answers in {taken:.1f} s "
        f"({len(waits) / taken:.0f}/s), no error, no lost move; "
        f"median wait {median(waits):.2f} s, 95 % {quantiles(waits, n=20)[-1]:.2f} s"
    )


BOARDS = ("connect4", "gomoku", "kalah", "mnk:50x50x5", "mnk:100x100x5")

# Both wait until the frame with the change has been handed to the screen: a message that is sent
# from within an animation frame comes after its paint.
_PAINTED = """
  window.painted = (since) => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now() - since);
    port2.postMessage(0);
  }));
"""
_FIRST_PAINT = (
    _PAINTED
    + """
  new MutationObserver((_, observer) => {
    if (!document.querySelector("mossa-board svg")) return;
    observer.disconnect();
    window.first = painted(0);
  }).observe(document, { childList: true, subtree: true });
"""
)
_CLICK = """
  new Promise((done) => {
    let begun = 0;
    document.addEventListener("click", (event) => { begun = event.timeStamp; },
      { capture: true, once: true });
    new MutationObserver((_, observer) => {
      observer.disconnect();
      done(painted(begun));
    }).observe(document.querySelector(document.querySelector(".kalah") ? "g.hits" : "g.stones"),
      { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
  })
"""


def browse(address: str, runs: int) -> None:
    """Open pages and click on boards; print what a person waits for."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        print(
            f"ms, median (longest) of {runs}: board after page, after position; stone after click"
        )
        for board in BOARDS:
            from_page, from_position, clicks = [], [], []
            for run in range(runs):
                # A new context each time: nothing is in the browser's cache.
                page = browser.new_context(reduced_motion="reduce").new_page()
                page.add_init_script(_FIRST_PAINT)
                page.goto(f"{address}analyse?game={board}")
                page.locator("mossa-board.active").wait_for()
                painted = page.evaluate("window.first")
                times = page.evaluate(
                    """[performance.getEntriesByType("navigation")[0].responseStart,
                      performance.getEntriesByType("resource")
                        .find((each) => each.name.endsWith("/api/read")).responseEnd]"""
                )
                from_page.append(painted - times[0])
                from_position.append(painted - times[1])
                page.wait_for_timeout(300)
                page.evaluate(f"window.clicked = {_CLICK}; 0")
                box = page.locator("mossa-board svg").bounding_box()
                assert box is not None
                x, y = (0.45, 0.72) if board == "kalah" else (0.3 + 0.05 * run, 0.5)
                page.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * y)
                clicks.append(page.evaluate("window.clicked"))
                page.context.close()
            columns = (from_page, from_position, clicks)
            shown = (f"{median(each):.0f} ({max(each):.0f})" for each in columns)
            print(f"{board:14}", *(f"{each:>12}" for each in shown))
        browser.close()


@contextmanager
def server() -> Iterator[str]:
    """Start a server for the run; yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["-m", "mossa", "web", "--port", "0", "--no-browser"]
        process = subprocess.Popen(
            [sys.executable, *command, "--games", f"{folder}/games.sqlite"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        found = re.search(r"http://\S+/", process.stdout.readline())
        assert found
        try:
            yield found[0]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def main() -> None:
    """Do what the command line asks for."""
    with server() as address:
        if sys.argv[1:2] == ["browser"]:
            browse(address, int(sys.argv[2]) if len(sys.argv) > 2 else 7)
            return
        clients, moves, level = (*map(int, sys.argv[1:]), *(200, 10, 3)[len(sys.argv) - 1 :])
        asyncio.run(run(address, clients, moves, level))


if __name__ == "__main__":
    main()
