"""``mossa course serve``: a server and a driver that keep each other, and die alone or together."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import posix
from course_data import School, found
from course_server import CourseServer
from programs import until

from mossa.web import course_server

pytestmark = posix
WAIT = 60.0


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    school = found(tmp_path / "course", plan='rivals = []\nsuite = ""')
    yield school
    school.course.close()


def test_a_driver_that_dies_is_started_again(
    school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(course_server, "_LEAST_WAIT", 0.01)
    lives = tmp_path / "lives"
    program = (
        "import os, sys; open(sys.argv[1], 'a').write('x'); print('no room', file=sys.stderr); "
        "os._exit(3)"
    )
    ending = threading.Event()
    command = [sys.executable, "-c", program, str(lives)]
    watch = threading.Thread(target=course_server._keep, args=[school.course, command, ending])
    watch.start()
    try:
        until(lambda: lives.exists() and len(lives.read_text()) >= 3)
    finally:
        ending.set()
        watch.join(WAIT)
    told = [text for _, text in school.course.notes()]
    assert told == ["the driver ended (no room) and is started again"]  # once, not every time


def test_a_driver_ends_with_its_server(school: School) -> None:
    ending = threading.Event()
    program = "import time; time.sleep(1000)"
    command = [sys.executable, "-c", program]
    watch = threading.Thread(target=course_server._keep, args=[school.course, command, ending])
    watch.start()
    ending.set()
    watch.join(WAIT)
    assert not watch.is_alive()
    assert school.course.notes() == []


def test_a_gigabyte_is_refused_before_it_is_sent(school: School) -> None:
    """By a real server over a real connection: the answer comes although no body does."""
    server = CourseServer(school.course.folder, driver=False)
    try:
        secret = school.secrets["Ada Lovelace"]
        with socket.create_connection(("127.0.0.1", int(server.port)), timeout=WAIT) as sent:
            head = (
                "PUT /api/course/submissions?name=bot.zip HTTP/1.1\r\nHost: class.example\r\n"
                f"Authorization: Bearer {secret}\r\nContent-Length: {1 << 30}\r\n\r\n"
            )
            sent.sendall(head.encode())
            answer = b""
            while piece := sent.recv(4096):
                answer += piece
        assert answer.startswith(b"HTTP/1.1 413")
        assert b"the file is too large: at most 10 MB" in answer
    finally:
        server.stop()


def _drivers(folder: Path) -> list[int]:
    """The processes that drive a course, whoever has started them."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                words = (each / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"run" in words and str(folder).encode() in words:
                found.append(int(each.name))
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are found in /proc")
def test_killing_either_harms_nobody(school: School) -> None:
    folder = school.course.folder
    server = CourseServer(folder)
    try:
        until(lambda: school.course.overview().alive)
        (driver,) = _drivers(folder)
        os.kill(driver, signal.SIGKILL)
        until(lambda: set(_drivers(folder)) - {driver})
        until(lambda: any(re.search("driver ended", text) for _, text in school.course.notes()))
        server.kill()
        until(lambda: not _drivers(folder))  # nobody is left behind
        server = CourseServer(folder, port=server.port)
        until(lambda: _drivers(folder))
    finally:
        server.stop()
    until(lambda: not _drivers(folder))
