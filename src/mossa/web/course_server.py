"""``mossa course serve``: the pages of a course, and beside them the process that plays.

The server and the driver share the file of the course and nothing else. If the driver dies, it is
started again; if the server dies, the driver ends by itself. Neither loses anything.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

from mossa.course import Course, CourseError
from mossa.web.course_app import create_course_app
from mossa.web.server import address_of, listen, run

_LEAST_WAIT, _LONGEST_WAIT = 0.5, 30.0
"""Seconds until a driver that has died is started again: the longer, the sooner it died."""
_PATIENCE = 10.0
"""Seconds that a driver has to end."""


def serve(
    folder: Path,
    host: str,
    port: int | None,
    *,
    browser: bool,
    driver_args: Sequence[str] = (),
) -> None:
    """Serve a course until Ctrl-C, and let its ladder be played meanwhile."""
    with Course(folder) as course:
        listener = listen(host, port)
        address = address_of(host, listener.getsockname()[1]) + "course"
        with driving(course, driver_args):
            run(
                create_course_app(course),
                listener,
                address,
                said="the course is at",
                browser=browser,
            )


@contextmanager
def driving(course: Course, arguments: Sequence[str] = ()) -> Iterator[None]:
    """Keep a driver at work."""
    folder = str(course.folder)
    command = [sys.executable, "-m", "mossa", "course", "run", folder, "--with-parent", *arguments]
    ending = threading.Event()
    watch = threading.Thread(target=_keep, args=[course, command, ending], daemon=True)
    watch.start()
    try:
        yield
    finally:
        ending.set()
        watch.join(2 * _PATIENCE)


def _keep(course: Course, command: Sequence[str], ending: threading.Event) -> None:
    """Start a driver, and another one whenever it has died."""
    wait, said = _LEAST_WAIT, ""
    while not ending.is_set():
        began = monotonic()
        words = _one_life(command, ending)
        if ending.is_set():
            return
        if words != said:  # not the same every half minute
            with suppress(CourseError):
                course.store.note(f"the driver ended ({words}) and is started again")
        said = words
        wait = _LEAST_WAIT if monotonic() - began > _LONGEST_WAIT else min(2 * wait, _LONGEST_WAIT)
        ending.wait(wait)


def _one_life(command: Sequence[str], ending: threading.Event) -> str:
    """Run a driver to its end; return its last words."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            # Ctrl-C is for the server, which tells the driver.
            start_new_session=sys.platform != "win32",
        )
    except OSError as error:
        return error.strerror or str(error)
    tail = bytearray()
    reader = threading.Thread(target=_read, args=[process, tail], daemon=True)
    reader.start()
    while process.poll() is None:
        if ending.wait(0.2):
            _end(process)
    reader.join(1.0)
    lines = tail.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:200] if lines else f"exit code {process.returncode}"


def _read(process: subprocess.Popen[bytes], tail: bytearray) -> None:
    """Keep what a driver says last, and let it say as much as it likes."""
    assert process.stderr is not None
    while piece := process.stderr.read1(4096):  # type: ignore[attr-defined]
        sys.stderr.write(piece.decode("utf-8", "replace"))
        tail += piece
        del tail[:-2000]


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
