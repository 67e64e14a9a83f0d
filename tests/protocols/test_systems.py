"""One interface for external programs, and a module for each system that keeps to it.

The module for Windows runs here with two fakes: `Popen` takes no Windows flags, and kernel32 is a
stand-in that ends a process group where Windows would end a job. Its threads and pipes are real.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any
from unittest.mock import Mock

import pytest
from programs import alive, bad, gone, until

import mossa
from mossa.protocols import process
from mossa.protocols.systems import SYSTEM, Program, System, posix, system_of, windows

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the fakes are made for POSIX")

JOB = 11
PATIENCE = 20.0


class FakeKernel:
    """kernel32, as far as jobs need it: each function remembers how it was called."""

    def __init__(self) -> None:
        self.CreateJobObjectW = Mock(return_value=JOB)
        self.SetInformationJobObject = Mock(side_effect=self._limit)
        self.OpenProcess = Mock(side_effect=lambda access, inherit, pid: pid)
        self.AssignProcessToJobObject = Mock(side_effect=self._assign)
        self.TerminateJobObject = Mock(side_effect=self._kill)
        self.CloseHandle = Mock()
        self.limits = windows.Limits()
        self.group: int | None = None

    def _limit(self, job: int, kind: int, limits: Any, size: int) -> int:
        assert (job, kind, size) == (JOB, 9, ctypes.sizeof(windows.Limits))
        ctypes.memmove(ctypes.byref(self.limits), limits, size)
        return 1

    def _assign(self, job: int, pid: int) -> int:
        self.group = pid
        return 1

    def _kill(self, job: int, code: int) -> int:
        if self.group is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.group, signal.SIGKILL)
        return 1


@pytest.fixture
def kernel() -> FakeKernel:
    return FakeKernel()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """With what each program was started for Windows."""
    calls: list[dict[str, Any]] = []
    real = subprocess.Popen

    def popen(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        calls.append({"command": command, **options})
        if options.pop("creationflags", None) is not None:
            options["start_new_session"] = True
        return real(command, **options)

    monkeypatch.setattr(subprocess, "Popen", popen)
    return calls


@pytest.fixture
def for_windows(kernel: FakeKernel, started: list[dict[str, Any]]) -> System:
    return windows.Windows(lambda: kernel)


@pytest.fixture(params=["posix", "windows"])
def system(request: pytest.FixtureRequest) -> System:
    if request.param == "posix":
        return posix.Posix()
    found: System = request.getfixturevalue("for_windows")
    return found


@pytest.fixture
def start(system: System) -> Iterator[Callable[[str], Program]]:
    """Starts a program of Python; whatever happens, nothing is left of it."""
    programs = []

    def run(code: str) -> Program:
        programs.append(system.start([sys.executable, "-c", textwrap.dedent(code)]))
        return programs[-1]

    yield run
    for each in programs:
        each.kill()


def read(one: Callable[[], bytes | None], program: Program, enough: bytes = b"") -> bytes:
    """What a pipe has until it is closed, or says enough."""
    heard, deadline = b"", monotonic() + PATIENCE
    while (piece := one()) is not None and (not enough or enough not in heard + piece):
        heard += piece
        assert monotonic() < deadline, heard
        program.wait(0.1)
    return heard + (piece or b"")


# --- the contract, on both systems ----------------------------------------------------------------


def test_lines_there_and_back(start: Callable[[str], Program]) -> None:
    program = start(
        """
        import sys
        for line in sys.stdin:
            print("heard", line, end="", flush=True)
        print("the end", file=sys.stderr)
        """
    )
    assert program.write(b"one\n") == 4
    assert read(program.read_output, program, b"\n") == b"heard one\n"
    assert program.read_output() == b""
    assert not program.wait(0)
    assert not program.has_exited()
    while not program.write(b"two\n"):
        program.wait(0.1, writing=True)
    program.end_input()
    assert read(program.read_output, program) == b"heard two\n"
    assert read(program.read_errors, program) == b"the end\n"
    assert program.kill() == 0


def test_a_program_that_reads_nothing_blocks_nobody(start: Callable[[str], Program]) -> None:
    program = start("input(); print('ready', flush=True); import time; time.sleep(600)")
    program.write(b"\n")
    read(program.read_output, program, b"ready\n")
    given = 0
    while (taken := program.write(b"x" * 1000)) or program.wait(0.2, writing=True):
        given += taken
        assert given < 4 << 20
    assert given
    assert program.kill() != 0


def test_a_flood_is_not_kept(start: Callable[[str], Program]) -> None:
    program = start("while True: print('y' * 1000)")
    heard = 0
    while heard < 4 << 20:
        assert program.wait(PATIENCE)
        piece = program.read_output()
        assert piece is not None
        assert len(piece) < 2 << 20
        heard += len(piece)
    program.kill()


def test_input_after_the_end(start: Callable[[str], Program]) -> None:
    program = start("import os; os.close(0); print('closed', flush=True); input()")
    read(program.read_output, program)

    def write() -> None:
        deadline = monotonic() + PATIENCE
        while monotonic() < deadline:
            program.write(b"hello\n")
            program.wait(0.01, writing=True)

    with pytest.raises(BrokenPipeError):
        write()


def test_children_end_with_the_program(start: Callable[[str], Program]) -> None:
    program = start(
        """
        import subprocess, sys, time
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        print(child.pid, flush=True)
        time.sleep(600)
        """
    )
    child = int(read(program.read_output, program, b"\n"))
    assert alive(child)
    program.kill()
    deadline = monotonic() + PATIENCE
    while alive(child):
        assert monotonic() < deadline


def test_last_words_can_be_read_after_the_end(
    start: Callable[[str], Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They went with the pipe on Linux and macOS: a program that crashed seemed to say nothing."""
    monkeypatch.setattr(windows, "_LAST_WORDS", PATIENCE)
    program = start("import os; os.write(2, b'x' * 30_000); os.write(2, b'the end'); os._exit(3)")
    until(program.has_exited)
    assert program.kill() == 3
    assert program.read_errors() == b"x" * 30_000 + b"the end"
    assert not program.read_errors()


@pytest.mark.parametrize("does", ["time.sleep(600)", "while True: os.write(2, b'y' * 1000)"])
def test_a_child_that_has_left_does_not_hold_up_the_last_words(
    does: str, start: Callable[[str], Program]
) -> None:
    """It has the other end of the pipe, and may write to it for ever, or not at all."""
    program = start(
        f"""
        import os, time
        os.write(2, b"the end")
        if os.fork():
            os._exit(3)
        os.setsid()
        print(os.getpid(), flush=True)
        {does}
        """
    )
    child = int(read(program.read_output, program, b"\n"))
    try:
        until(program.has_exited)
        assert program.kill() == 3
        assert alive(child) or "sleep" not in does
        words = program.read_errors()
        assert words is not None
        assert words.startswith(b"the end")
        assert len(words) < 2 << 20
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    assert gone(child)


def test_programs_that_do_not_start(system: System, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as failed:
        system.start(["./nothing"], folder=tmp_path)
    assert system.explain(failed.value) == "No such file or directory"
    with pytest.raises(ValueError, match="null"):
        system.start(["a\0b"])


def test_programs_start_in_their_folder(system: System, tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.write_text(
        f"#!{sys.executable}\nimport os\nprint(os.getcwd(), os.environ['MOSSA_OWNER'])\n"
    )
    bot.chmod(0o755)
    program = system.start(["./bot"], folder=tmp_path)
    assert read(program.read_output, program).decode().split() == [str(tmp_path), str(os.getpid())]
    assert program.kill() == 0


# --- what differs ---------------------------------------------------------------------------------


def test_the_system_is_chosen_by_its_name() -> None:
    assert [type(system_of(name)).__name__ for name in ("linux", "darwin", "win32")] == [
        "Posix",
        "Posix",
        "Windows",
    ]
    assert type(SYSTEM).__name__ == "Posix"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (r"C:\bots\bot.exe --depth 4", [r"C:\bots\bot.exe", "--depth", "4"]),
        (r'"C:\my bots\bot.exe" "a b"', [r"C:\my bots\bot.exe", "a b"]),
        ("'./my bot' #1", ["./my bot", "#1"]),
        ("  ", []),
    ],
)
def test_command_lines_of_windows(command: str, words: list[str]) -> None:
    assert windows.Windows().split(command) == words


def test_what_windows_says() -> None:
    system = windows.Windows()
    with pytest.raises(ValueError, match="quotation"):
        system.split('"C:\\bot')
    assert system.join(["my bot", "-v"]) == '"my bot" -v'
    assert system.ending(3) == "ended with exit code 3"
    assert system.ending(0xC0000005) == "ended with exit code 0xC0000005"
    error = OSError(8, "not a valid application")
    error.winerror = 193  # type: ignore[attr-defined]
    assert system.explain(error).endswith(
        "(a script needs its interpreter before it: python bot.py)"
    )
    system.kill_orphans(os.getpid())  # ends nobody


def test_what_posix_says() -> None:
    system = posix.Posix()
    assert system.split("'./my bot' a\\ b") == ["./my bot", "a b"]
    assert system.ending(-9) == "ended by signal SIGKILL"
    assert system.ending(-99) == "ended by signal 99"


def test_a_job_holds_the_program(
    for_windows: System, kernel: FakeKernel, started: list[dict[str, Any]]
) -> None:
    if ctypes.sizeof(ctypes.c_void_p) == 8:
        assert ctypes.sizeof(windows.Limits) == 144  # as winnt.h has it
    program = for_windows.start([sys.executable, "-c", "input()"], memory=100)
    flags = started[0]["creationflags"]
    assert flags == windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW
    assert "start_new_session" not in started[0]
    kernel.AssignProcessToJobObject.assert_called_once()
    assert kernel.limits.basic.flags & 0x2000  # they end with the last handle
    assert kernel.limits.basic.flags & 0x100
    assert kernel.limits.process_memory == 100 << 20
    program.kill()
    kernel.TerminateJobObject.assert_called_once_with(JOB, 1)
    assert [call.args for call in kernel.CloseHandle.call_args_list] == [(kernel.group,), (JOB,)]
    program.kill()  # once is enough
    kernel.TerminateJobObject.assert_called_once()


def test_without_a_limit_of_memory(for_windows: System, kernel: FakeKernel) -> None:
    for_windows.start([sys.executable, "-c", ""]).kill()
    assert not kernel.limits.basic.flags & 0x100


def test_a_program_that_no_job_takes_is_ended_all_the_same(
    for_windows: System, kernel: FakeKernel
) -> None:
    kernel.OpenProcess = Mock(return_value=None)
    program = for_windows.start([sys.executable, "-c", "input()"])
    assert program.kill() == -signal.SIGKILL


@pytest.mark.parametrize(
    ("how", "kind", "said"),
    [
        ("crash", "crash", "RuntimeError: division by cucumber"),
        ("exit", "crash", "ended with exit code 3"),
        ("stall", "time", "no answer"),
        ("megabyte", "output", "a line of more than 65,536 bytes"),
        ("close", "crash", "closed its output"),
        ("flood", "time", "no answer"),
    ],
)
def test_bad_programs_on_windows(
    how: str, kind: str, said: str, for_windows: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the referee says of them is the same as elsewhere."""
    monkeypatch.setattr(process, "SYSTEM", for_windows)
    player = mossa.player(bad(how))
    with pytest.raises(mossa.PlayerFailedError) as failed:
        player.choose(mossa.game("connect4").start(), mossa.Limits(time=0.3))
    assert failed.value.kind == kind
    assert said in str(failed.value)
    player.close()


def test_a_good_program_on_windows(for_windows: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "SYSTEM", for_windows)
    player = mossa.player(bad("twice"))
    position = mossa.game("connect4").start()
    assert [str(player.choose(position, mossa.Limits(time=5)).move) for _ in range(3)] == ["1"] * 3
    player.close()


# --- what Windows does not have -------------------------------------------------------------------

WITHOUT_POSIX = """
import importlib, os, pkgutil, select, signal, sys, types

# Other people's packages find out for themselves where they are: before the scene is changed.
import asyncio, concurrent.futures, multiprocessing, pathlib, socket, sqlite3, subprocess, tempfile
for name in ("rich.console", "typer.core", "uvicorn", "fastapi", "websockets", "textual.app",
             "textual.drivers.linux_driver", "numpy", "jax"):
    try:
        importlib.import_module(name)
    except ImportError:
        pass

for name in ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "killpg", "setsid", "getuid", "geteuid", "getpgid", "waitid",
             "sched_getaffinity", "sysconf", "openpty", "O_NOFOLLOW", "WNOHANG"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("poll", "epoll"):
    if hasattr(select, name):
        delattr(select, name)
for name in ("SIGKILL", "SIGHUP", "SIGUSR1", "SIGALRM", "SIGWINCH", "SIGTSTP", "SIGCONT"):
    if hasattr(signal, name):
        delattr(signal, name)
sys.modules["msvcrt"] = types.ModuleType("msvcrt")
sys.platform = "win32"

import mossa
count = 0
for found in pkgutil.walk_packages(mossa.__path__, "mossa."):
    if found.name == "mossa.protocols.systems.posix" or found.name.startswith("mossa.adapters."):
        continue
    importlib.import_module(found.name)
    count += 1
for name in mossa.__all__:
    getattr(mossa, name)
from mossa.protocols.systems import SYSTEM
print(count, type(SYSTEM).__name__, "mossa.protocols.systems.posix" in sys.modules)
"""


def test_every_module_is_imported_without_what_only_posix_has() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_POSIX], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    count, name, posix_too = done.stdout.split()
    assert int(count) > 150
    assert (name, posix_too) == ("Windows", "False")
