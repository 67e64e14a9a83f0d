"""``mossa web``: where it listens, what it prints, whom it serves, and how it ends."""

from __future__ import annotations

import re
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from browsing import STOPPED
from clients import HOME
from command import call, complaint, posix, start
from fastapi.testclient import TestClient

from mossa.errors import GameError
from mossa.web import server
from mossa.web.app import create_app
from mossa.web.store import Store


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[str]:
    """Run the server; yield the address that it prints."""
    games = str(folder / "games.sqlite")
    process = start("web", "--port", "0", "--no-browser", "--games", games, *arguments)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"mossa: the board is at (\S+)  \(Ctrl-C stops it\)\n", line)
        assert found, line
        yield found[1]
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == STOPPED
    finally:
        process.kill()
        process.wait()


def refused(*arguments: str) -> str:
    """The one line in which the command refuses to begin."""
    return complaint(call("web", "--no-browser", *arguments))


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which somebody else listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


# --- tokens ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
@pytest.mark.parametrize(
    ("token", "part"),
    [
        ("", "the token is empty, but 8 to 200 are needed"),
        ("secret", "the token has 6 characters, but 8 to 200 are needed"),
        ("x" * 201, "the token has 201 characters"),
        ("line\nbreak", "cannot be printed"),
        ("nul\0nulnul", "cannot be printed"),
    ],
)
def test_a_bad_token_is_refused(host: str, token: str, part: str) -> None:
    """An empty one, of a variable that is not set, let everybody in."""
    assert part in refused("--port", "0", "--host", host, "--token", token)


def let_in(client: httpx.Client, stranger: httpx.Client, address: str, token: str) -> None:
    """Who shows the token is let in: by the printed address, by the cookie, by a header."""
    page = address.partition("?")[0]
    assert client.get(page).status_code == 401
    assert client.get(address).status_code == 200
    assert client.get(page).status_code == 200  # by the cookie
    header = {b"authorization": b"Bearer " + token.encode()}
    assert stranger.get(page, headers=header).status_code == 200


@posix
@pytest.mark.parametrize("token", ["a+b&c#d%e;f=g", "clé-ключ-鍵"])
def test_any_other_token_works(tmp_path: Path, token: str) -> None:
    with (
        serving(tmp_path, "--token", token) as address,
        httpx.Client() as client,
        httpx.Client() as stranger,
    ):
        let_in(client, stranger, address, token)


@pytest.mark.parametrize("token", ["two words", "\"quoted\" 'too'", "%2B%20%25", "a/b?c\\d,e"])
def test_any_token_is_written_and_read_alike(tmp_path: Path, token: str) -> None:
    """The same without a process for each: what is printed, and what the guard makes of it."""
    server._check_token(token)
    address = server.address_of("127.0.0.1", 8000, token)
    app = create_app(Store(tmp_path / "games.sqlite"), token=token)
    place = {"base_url": HOME, "client": ("127.0.0.1", 1)}
    with TestClient(app, **place) as client:  # type: ignore[arg-type]
        let_in(client, TestClient(app, **place), address, token)  # type: ignore[arg-type]


# --- where ----------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_the_printed_address_is_one_for_others(tmp_path: Path, host: str) -> None:
    """It named no machine, or a name that only this one knows."""
    if host == "::" and not socket.has_dualstack_ipv6():
        pytest.skip("no IPv6 here")
    with serving(tmp_path, "--host", host) as address:
        place = httpx.URL(address)
        assert place.host not in ("0.0.0.0", "::", "127.0.0.1", "localhost")
        assert len(place.params["token"]) >= 20
        assert httpx.get(address).status_code == 200


def test_without_a_port_the_next_free_one_is_taken(
    taken: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server, "_USUAL_PORT", taken)
    with server._bind_next("127.0.0.1") as listener:
        port = listener.getsockname()[1]
        assert port > taken
        assert capsys.readouterr().out == f"mossa: port {taken} is in use; using port {port}\n"
        with server._bind_next("127.0.0.1") as another:
            assert another.getsockname()[1] > port


def test_if_no_port_is_free_it_says_so(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_USUAL_PORT", taken)
    monkeypatch.setattr(server, "_PORTS", 1)
    with pytest.raises(GameError, match=f"ports {taken} to {taken} are all in use"):
        server._bind_next("127.0.0.1")


def test_a_port_that_was_asked_for_must_be_free(taken: int) -> None:
    assert f"port {taken} is in use; choose another one" in refused("--port", str(taken))


def test_an_address_of_another_machine_is_refused() -> None:
    assert "cannot listen on 192.0.2.1:0: " in refused("--host", "192.0.2.1", "--port", "0")
    assert "cannot listen on nowhere.invalid:0: " in refused(
        "--host", "nowhere.invalid", "--port", "0"
    )


# --- the file of games ----------------------------------------------------------------------------


def test_games_must_be_kept_in_a_file(tmp_path: Path) -> None:
    """A folder gave a traceback."""
    assert "it is a folder" in refused("--port", "0", "--games", str(tmp_path))
    (tmp_path / "file").write_text("text")
    assert "cannot keep games in" in refused("--port", "0", "--games", str(tmp_path / "file/games"))
    assert "it is not a database" in refused("--port", "0", "--games", str(tmp_path / "file"))


@pytest.mark.parametrize(
    "layout", ["CREATE TABLE games (title TEXT)", "CREATE TABLE films (title TEXT)"]
)
def test_a_database_of_something_else_is_left_alone(tmp_path: Path, layout: str) -> None:
    path = tmp_path / "films.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute(layout)
    before = path.read_bytes()
    said = refused("--port", "0", "--games", str(path))
    assert "it is another program's database" in said
    assert path.read_bytes() == before


# --- the end --------------------------------------------------------------------------------------


@posix
def test_ctrl_c_ends_it_cleanly_at_any_time(tmp_path: Path) -> None:
    for moment in range(3):
        process = start("web", "--port", "0", "--no-browser", "--games", str(tmp_path / "g.sqlite"))
        assert process.stdout is not None
        assert "Ctrl-C stops it" in process.stdout.readline()
        if moment:  # else it has not even begun to serve
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.5 * moment)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == STOPPED


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_order_to_end_waits_until_the_server_has_ended(number: signal.Signals) -> None:
    """While it was starting, Ctrl-C made Python complain of a coroutine that nobody awaited."""
    heard: list[int] = []
    before = signal.signal(number, lambda number, _: heard.append(number))
    try:
        begun = uvicorn.Server(uvicorn.Config("none"))
        with server._ending_cleanly(begun):
            signal.raise_signal(number)
            assert begun.should_exit
            assert heard == []
        assert heard == [number]
    finally:
        signal.signal(number, before)
