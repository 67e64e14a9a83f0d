"""``mossa submit``: hand in a player; here to a server that says what it is told to."""

from __future__ import annotations

import json
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from command import call

from mossa.cli import submit


class Server:
    """A stand-in for the pages of a course."""

    def __init__(self) -> None:
        self.received: list[tuple[str, bytes, str]] = []
        self.answers: list[tuple[int, object]] = []
        self.refuses_early = False
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_PUT(self) -> None:
                if outer.refuses_early:
                    self.close_connection = True
                    self._answer()
                    return
                content = self.rfile.read(int(self.headers["Content-Length"]))
                name = parse_qs(urlsplit(self.path).query)["name"][0]
                outer.received.append((name, content, self.headers["Authorization"]))
                self._answer()

            def do_GET(self) -> None:
                self._answer()

            def _answer(self) -> None:
                code, answer = outer.answers.pop(0)
                body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(code)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.link = f"http://127.0.0.1:{self.http.server_port}/course/me#SECRET"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(submit, "_LOOK", 0.01)
    made = Server()
    yield made
    made.http.shutdown()
    made.http.server_close()


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "my bot.py"
    path.write_text("def choose(position): return position.moves[0]\n")
    return path


def test_a_file_is_sent_with_the_secret_of_the_link(server: Server, bot: Path) -> None:
    server.answers = [(201, {"version": 3, "state": "waiting"})]
    done = call("submit", server.link, str(bot))
    assert (done.returncode, done.stdout) == (0, "version 3 has arrived\n")
    assert server.received == [("my bot.py", bot.read_bytes(), "Bearer SECRET")]


def test_a_folder_becomes_a_zip(server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__" / "x.pyc").write_text("x")
    (folder / "player.py").write_text("x")
    server.answers = [(201, {"version": 1})]
    assert call("submit", server.link, str(folder)).returncode == 0
    name, content, _ = server.received[0]
    assert name == "bot.zip"
    with zipfile.ZipFile(BytesIO(content)) as archive:
        assert archive.namelist() == ["player.py"]


@pytest.mark.parametrize(("state", "code"), [("current", 0), ("failed", 1)])
def test_the_verdict_is_awaited_and_printed(
    server: Server, bot: Path, state: str, code: int
) -> None:
    lines = ["It was tested.", "Failed: reply: too late"]
    server.answers = [
        (201, {"version": 1}),
        (200, {"decided": False, "told": "It waits to be tested."}),
        (200, {"decided": False, "told": "It waits to be tested."}),
        (200, {"decided": False, "told": "It is being tested."}),
        (200, {"decided": True, "state": state, "told": "x", "lines": lines}),
    ]
    done = call("submit", server.link, str(bot), "--wait")
    assert done.returncode == code
    assert done.stdout.splitlines() == [
        "version 1 has arrived",
        "It waits to be tested.",
        "It is being tested.",
        *lines,
    ]


def test_a_refusal_is_told_in_the_words_of_the_server(server: Server, bot: Path) -> None:
    server.answers = [(403, {"error": "the course closed on 1 May 2027"})]
    done = call("submit", server.link, str(bot))
    assert (done.returncode, done.stdout) == (2, "")
    assert "the course closed on 1 May 2027" in done.stderr
    server.answers = [(500, b"<html>rubbish")]
    assert "the server refused it: 500" in call("submit", server.link, str(bot)).stderr


def test_a_refusal_is_heard_while_the_file_is_still_being_sent(
    server: Server, tmp_path: Path
) -> None:
    """The server looks at the size and hangs up; it was "broken pipe" before."""
    large = tmp_path / "large.zip"
    large.write_bytes(bytes(30 << 20))
    server.refuses_early = True
    server.answers = [(413, {"error": "the file is too large: 30 MB; at most 10 MB"})]
    done = call("submit", server.link, str(large))
    assert "the file is too large: 30 MB; at most 10 MB" in done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("hello", "'hello' is no link: expected your personal link"),
        ("ftp://x/course/me#S", "is no link"),
        ("http://x:99999/course/me#S", "is no link"),
        ("http://x/course/me", "has no secret after a #"),
        ("http://x/course/teacher#S", "this is the link of a teacher"),
        ("http://127.0.0.1:9/course/me#S", "cannot reach http://127.0.0.1:9: "),
    ],
)
def test_wrong_links(bot: Path, link: str, reason: str) -> None:
    done = call("submit", link, str(bot))
    assert done.returncode == 2
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1


def test_wrong_files(tmp_path: Path) -> None:
    link = "http://127.0.0.1:9/course/me#S"
    assert "cannot read" in call("submit", link, str(tmp_path / "nothing.py")).stderr
    (tmp_path / "empty.py").touch()
    assert "is empty" in call("submit", link, str(tmp_path / "empty.py")).stderr
