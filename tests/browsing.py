"""What tests in a real browser share: the browser, a server of their own, a page to open."""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from command import start
from playwright.sync_api import Page

# The shell has no windows, menus and side panels to load: it takes half the time of the others.
_BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "chrome"]
CHROMIUM = next(filter(None, map(shutil.which, _BROWSERS)), None)
WAIT = 20_000
"""Milliseconds: far more than anything takes, for machines that have other things to do."""

Open = Callable[..., Page]

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None,
    reason="NO BROWSER TESTS: chromium is not installed (apt install chromium)",
)


STOPPED = 130, "mossa: stopped: the games are kept\n"
"""The exit code of a server after Ctrl-C, and its last words."""


class Server:
    """``mossa web`` on a port of its own."""

    def __init__(
        self, games: Path, port: str = "0", *, own: tuple[str, ...] = (), **environment: str
    ) -> None:
        self.games = games
        command = ["web", "--port", port, "--no-browser", "--games", str(games)]
        command += [word for name in own for word in ("--game", name)]
        self.process = start(*command, **environment)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, line
        self.address, self.port = found[0], found[1]

    def stop(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=20)
        return self.process.returncode, errors
