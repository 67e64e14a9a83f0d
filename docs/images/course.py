"""Make the pictures of a course: ``python docs/images/course.py``.

It begins a course, hands in players of invented students and lets them play for a while, so the
ladder and the games on the pictures are real.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import httpx
from playwright.sync_api import Page, sync_playwright
from screenshots import CHROMIUM, take

from mossa.course import Course

PLAN = """
title = "Adversarial search 2027"
boards = ["connect4"]
suite = "suite.toml"
time = 1.0
closes = 2035-01-31T23:59:00+00:00
rivals = ["random", "level:1"]
"""
GAMES = 120
"""Until the pictures are taken."""
SECONDS = 600
"""At most."""
_FIRST = "def choose(position):\n    return position.moves[0]\n"
_MIDDLE = "def choose(position):\n    return position.moves[len(position.moves) // 2]\n"
_WINS = """
def choose(position):
    for move in position.moves:
        end = position.play(move).outcome
        if end and end.winner is position.side:
            return move
    return position.moves[len(position.moves) // 2]
"""
_CAREFUL = """
def wins(position):
    return [m for m in position.moves if (e := position.play(m).outcome) and e.winner]

def choose(position):
    if found := wins(position):
        return found[0]
    safe = [m for m in position.moves if not wins(position.play(m))] or position.moves
    return min(safe, key=lambda m: abs(int(str(m)) - 4))
"""
_SEARCHES = """
import mossa

def choose(position):
    return mossa.player("alphabeta:depth=4").choose(position, mossa.Limits(time=0.5)).move
"""
PLAYERS = {
    "Ada Lovelace": [_MIDDLE, _CAREFUL],
    "Blaise Pascal": [_FIRST, _WINS],
    "Carl Gauss": [_FIRST],
    "Daniel Bernoulli": [_MIDDLE],
    "Emmy Noether": [_SEARCHES],
}


def hand_in(client: httpx.Client, secret: str, texts: list[str]) -> None:
    """Hand in versions, one after the other is decided."""
    headers = {"authorization": f"Bearer {secret}"}
    for text in texts:
        path = "/api/course/submissions?name=player.py"
        made = client.put(path, content=text.encode(), headers=headers).raise_for_status().json()
        while not client.get(f"/api/course/versions/{made['version']}", headers=headers).json()[
            "decided"
        ]:
            time.sleep(0.5)


def show(page: Page, path: str, part: str = "") -> None:
    """Open a page of the course, perhaps at one of its parts."""
    page.goto(path)
    page.locator(".sheet").wait_for()
    if part:
        page.evaluate("(part) => document.querySelector(part).scrollIntoView()", part)


def main() -> None:
    """Play, and take the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "course"
        course, _ = Course.create(place)
        (place / "course.toml").write_text(PLAN, encoding="utf-8")
        links, _ = course.add_students("\n".join(PLAYERS))
        secrets = {each.name: each.link.partition("#")[2] for each in links}
        command = ["-m", "mossa", "course", "serve", str(place), "--port", "0", "--no-browser"]
        server = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            found = re.search(r"http://[^/]+/", server.stdout.readline())
            assert found
            with httpx.Client(base_url=found[0], timeout=60) as client:
                for name, texts in PLAYERS.items():
                    hand_in(client, secrets[name], texts)
            until = time.monotonic() + SECONDS
            while course.overview().games < GAMES and time.monotonic() < until:
                course.games(1)  # a look at a page has lost games reviewed
                time.sleep(1)
            with sync_playwright() as driver:
                browser = driver.chromium.launch(
                    executable_path=CHROMIUM, args=["--no-sandbox", "--font-render-hinting=none"]
                )
                ada = f"/course/me#{secrets['Ada Lovelace']}"
                pages = {
                    "course": ("/course", "", False, False),
                    "course-student": (ada, "section:has(.curve)", False, False),
                }
                for name, (path, part, phone, dark) in pages.items():
                    take(
                        browser, found[0], name, partial(show, path=path, part=part),
                        phone=phone, dark=dark,
                    )  # fmt: skip
                browser.close()
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()
        course.close()


if __name__ == "__main__":
    main()
