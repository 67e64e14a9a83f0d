"""Programs that the tests start: the starter bots, and one that misbehaves on demand."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, cast

import pytest

from mossa.protocols.systems import Program
from mossa.protocols.systems.posix import Posix

ROOT = Path(__file__).parents[1]
BOTS = ROOT / "examples" / "bots"
STARTERS = ROOT / "src" / "mossa" / "templates" / "player"
BAD_BOT = ROOT / "tests" / "protocols" / "bad_bot.py"


def bad(how: str) -> str:
    """The spec of a program that misbehaves in one way."""
    return "ugi:" + shlex.join([sys.executable, "-S", "-E", str(BAD_BOT), how])


def bot(language: str) -> list[str]:
    """The command of a starter bot; skips the test where its compiler is missing."""
    if language == "python":
        return [sys.executable, "-S", "-E", str(BOTS / "bot.py")]
    return _compiled(language)


@cache
def _compiled(language: str) -> list[str]:
    folder = mkdtemp(prefix="mossa-bots-")
    if language == "java":
        if shutil.which("javac") is None:
            pytest.skip("there is no JDK here: the Java bot is not tried")
        subprocess.run(["javac", "-d", folder, str(STARTERS / "java" / "Bot.java")], check=True)
        return ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", folder, "Bot"]
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler here: the C bot is not tried")
    target = str(Path(folder, "bot"))
    warnings = ["-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *warnings, "-o", target, str(STARTERS / "c" / "bot.c")], check=True)
    return [target]


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def until(true: Callable[[], object], seconds: float = 60, what: str = "it") -> None:
    """Wait for something to be true, looking less often by and by; fail if it takes too long."""
    deadline, pause = time.monotonic() + seconds, 0.01
    while not true():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(pause)
        pause = min(1.5 * pause, 0.1)


def until_lines(journal: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until a program that goes on working has written more than so many lines."""

    def written() -> bool:
        assert process.poll() is None, "it has ended"
        return journal.exists() and journal.read_bytes().count(b"\n") > count

    until(written)


def cpu_seconds(pid: int) -> float:
    """How long a process has worked; where the system does not say, how late it is."""
    status = Path(f"/proc/{pid}/stat")
    if not status.exists():
        return time.monotonic()
    user, system = status.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def gone(pid: int, seconds: float = 20.0) -> bool:
    """Whether a process ends within some time."""
    deadline = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pid)


def children(pid: int | None = None) -> set[int]:
    """The processes that a process has started and that are still there."""
    parent = os.getpid() if pid is None else pid
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            command = (stat.parent / "cmdline").read_bytes()
            if b"resource_tracker" not in command:  # Python's own, for as long as it runs
                found.add(int(stat.parent.name))
    return found


def programs_of(tag: str) -> set[int]:
    """The programs of a test, wherever they are, by a word of their command line."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if tag.encode() in words:
            found.add(int(path.parent.name))
    return found


class Sudden(Posix):
    """Starts programs that say something, wait for a gate and then do all the rest at a bad moment.

    That is between two of our looks at them, as on a machine with other things to do. The gate is a
    pipe with a name: a program waits until it can be opened to be read.
    """

    def __init__(self, gate: Path, look: int) -> None:
        """Take the gate and the number of the look before which the program goes on to its end."""
        os.mkfifo(gate)
        self._gate, self._look = gate, look

    def start(
        self, command: Sequence[str], *, folder: Path | None = None, memory: int | None = None
    ) -> Program:
        program = super().start(command, folder=folder, memory=memory)
        until(lambda: program.wait(0))
        return cast(Program, _Watched(program, self._gate, self._look))


class _Watched:
    def __init__(self, program: Program, gate: Path, look: int) -> None:
        self._program, self._gate, self._left = program, gate, look

    def __getattr__(self, name: str) -> Any:
        self._left -= 1
        if self._left == 0:
            self._gate.write_text("")
            until(self._program.has_exited)
        return getattr(self._program, name)
