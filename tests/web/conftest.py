"""Servers, a client and a browser for the tests of the board in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import CHROMIUM, STOPPED, WAIT, Open, Server
from clients import HOME
from fastapi.testclient import TestClient
from npm import NoNpmError, npm_package
from playwright.sync_api import Browser, Page, sync_playwright

from mossa.web.app import create_app
from mossa.web.store import Store


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Store(tmp_path / "games.sqlite")), base_url=HOME) as client:
        yield client


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("web") / "games.sqlite")
    yield server
    assert server.stop() == STOPPED


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # No sandbox: tests often run as root, and the pages are our own.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(browser: Browser, server: Server) -> Iterator[Open]:
    """Open a page of the board; whatever it complains about on its console fails the test."""
    complaints: list[str] = []
    contexts = []

    def open_page(
        path: str = "", *, width: int = 1100, height: int = 800, motion: str = "reduce"
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            reduced_motion="reduce" if motion == "reduce" else "no-preference",
            has_touch=width < 500,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda said: complaints.append(said.text) if said.type == "error" else None,
        )
        page.goto(server.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The program of axe-core, which judges pages by the rules for accessibility."""
    try:
        return (npm_package("axe-core") / "axe.min.js").read_text(encoding="utf-8")
    except NoNpmError as error:
        pytest.skip(f"NO ACCESSIBILITY TESTS: axe-core is not to be had: {error}")
