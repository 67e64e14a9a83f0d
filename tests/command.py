"""The command itself, run as people and programs run it: arguments and pipes in, text out.

`run` starts the installed command, `call` calls what it calls: the same but for the third of a
second that Python needs to start, so it is for the variants of what `run` has shown to work.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from unittest.mock import patch

import pytest

from mossa.cli import main

# PYTHONUNBUFFERED would hide what is never flushed from machines that set it, and people do not.
_UNSET = {"NO_COLOR", "PYTHONUNBUFFERED"}
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in _UNSET},
    "COLUMNS": "80",
    "PYTHONIOENCODING": "utf-8",
    "TERM": "xterm",
}

Done = subprocess.CompletedProcess[str]

posix = pytest.mark.skipif(os.name != "posix", reason="pipes and signals are those of POSIX")


def program() -> str:
    """The installed command that belongs to this Python."""
    found = shutil.which("mossa", path=sysconfig.get_path("scripts"))
    assert found, "mossa is not installed: make build"
    return found


def run(
    *arguments: str | bytes | Path, lines: Iterable[str] = (), folder: Path | None = None
) -> Done:
    """Run the command with these lines as its input."""
    return subprocess.run(
        [program(), *arguments],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        cwd=folder,
        timeout=30,
    )


def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [program(), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**ENVIRONMENT, **environment},
        # Ctrl-C may be ignored where the tests run; the command is to hear it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def on_terminal(*arguments: str | Path) -> tuple[int, str]:
    """Run the command on a terminal; its exit code and what it showed."""
    import pty  # only where there are pseudo-terminals

    control, terminal = pty.openpty()
    process = subprocess.Popen(
        [program(), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
        env={**ENVIRONMENT, "LINES": "30"},
    )
    os.close(terminal)
    shown = b""
    with suppress(OSError), open(control, "rb", buffering=0) as screen:  # noqa: PTH123
        while piece := screen.read(65_536):
            shown += piece
    return process.wait(timeout=10), shown.decode()


def call(
    *arguments: str | bytes | Path, lines: Iterable[str] = (), encoding: str = "utf-8"
) -> Done:
    """Call the entry point of the command, with streams of its own."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding) for _ in range(2))
    code: object = 0
    with (
        patch.object(sys, "argv", ["mossa", *map(os.fsdecode, arguments)]),
        patch.object(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines))),
        patch.dict(os.environ, ENVIRONMENT, clear=True),
        redirect_stdout(output),
        redirect_stderr(errors),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    assert isinstance(code, int)
    for stream in (output, errors):
        stream.seek(0)
    return Done(arguments, code, output.read(), errors.read())


def good(done: Done) -> str:
    """What the command printed, all being well."""
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def complaint(done: Done) -> str:
    """The one line about something that the user can mend."""
    assert "Traceback" not in done.stderr
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("mossa: ")
    assert len(line) < 500
    return line.removeprefix("mossa: ")
