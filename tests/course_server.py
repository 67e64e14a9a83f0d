"""``mossa course serve`` on a port of its own, for tests and measurements."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

_PAGES_ALONE = (
    "import sys; from pathlib import Path; from mossa.course import Course; "
    "from mossa.web.course_app import create_course_app; "
    "from mossa.web.server import address_of, listen, run; "
    "listener = listen('127.0.0.1', int(sys.argv[2])); "
    "address = address_of('127.0.0.1', listener.getsockname()[1]); "
    "app = create_course_app(Course(Path(sys.argv[1]))); "
    "run(app, listener, address + 'course', said='the course is at', browser=False)"
)


class CourseServer:
    """A server that may be killed and started again."""

    def __init__(self, folder: Path, *, port: str = "0", driver: bool = True) -> None:
        """Start it; without a driver, nothing is tested or played."""
        self.folder = folder
        command = ["-m", "mossa", "course", "serve", str(folder), "--port", port, "--no-browser"]
        if not driver:
            command = ["-c", _PAGES_ALONE, str(folder), port]
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, line
        self.address, self.port = found[0], found[1]

    def stop(self) -> None:
        """End it as Ctrl-C does, and wait for it."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=60)

    def kill(self) -> None:
        """Let it die at once."""
        self.process.kill()
        self.process.wait(timeout=60)
