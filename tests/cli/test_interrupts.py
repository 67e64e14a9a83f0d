"""Ctrl-C in every command that can take long: one exit code, and one line about what was kept."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import typer
from command import ENVIRONMENT, call, good, posix, program

from mossa.cli import app

pytestmark = posix

# The command, and Ctrl-C when it is well under way, however long Python took to load it.
PROGRAM = """
import os, signal, sys, threading
from importlib import import_module
from mossa.cli import main
import_module("mossa.cli." + sys.argv[1].replace("-", "_"))
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
main()
"""
SLOW = "alphabeta:depth=30"
# What takes minutes at least, and what is said when it is stopped.
LONG: dict[str, tuple[list[str], str]] = {
    "play": (["mnk:15x15x5", "--first", SLOW], "to go on with the game, give the moves above"),
    "web": (["--port", "0", "--no-browser", "--games", "games.db"], "the games are kept"),
    "analyse": (["gomoku", "--time", "inf"], r"(depth \d+ is complete|no move has a score yet)"),
    "solve": (
        ["connect:7x8x4", "--book", "none"],
        r"the score is proven to be \S+ in \d+ \.\. \S+ in \d+",
    ),
    "solve --file": (
        ["connect:7x8x4", "--file", "starts.txt", "--output", "out.txt"],
        "0 of 2 positions solved and kept in out.txt; the same command goes on",
    ),
    "book build": (
        ["connect:6x6x4", "--plies", "6"],
        r"[\d,]+ of [\d,]+ positions kept; the same command goes on",
    ),
    "book study": (
        ["gomoku", "--plies", "4", "--time", "60", "--workers", "1"],
        r"\d+ positions? kept; the same command goes on",
    ),
    "book check": (["small.book", "--count", "99999999"], r"[\d,]+ of 99,999,999 games are right"),
    "tables build": (
        ["kalah", "--seeds", "21"],
        "finished layers are kept; the same command goes on after them",
    ),
    "tables verify": (
        ["small.tables", "--count", "1000000000"],
        r"[\d,]+ of 1,000,000,000 boards are right",
    ),
    "puzzles build": (
        ["mnk:15x15x5", "--output", "new.puzzles"],
        r"\d+ puzzles? kept; the same command goes on",
    ),
    "puzzles check": (["gomoku"], r"[\d,]+ of [\d,]+ puzzles are right"),
    "review": (["game.mossa", "--time", "99"], r"\d+ of 9 moves of this game are reviewed"),
    "trace": (["mnk:15x15x5", "--player", SLOW], "nothing was written"),
    "perft": (["connect4", "30"], "the counts above are complete"),
    "perft --states": (["connect4", "--states"], "nothing is counted yet"),
    "lab": (["forever.toml"], r"\d+ of \d+ measurements? done"),
    "match": ([SLOW, SLOW, "mnk:15x15x5"], "nothing was written"),
    "grade": (["random", "--suite", "suite.toml"], "nothing was written"),
    "grade --workers": (
        ["class", "--suite", "suite.toml", "--workers", "1"],
        "0 of 1 student graded",
    ),
    "tournament run": (
        ["cup.db", f"a={SLOW}", f"b={SLOW}", "--game", "mnk:15x15x5", "--workers", "1"],
        "0 of 2 games saved in cup.db; mossa tournament resume cup.db continues",
    ),
    "tournament kgp": (["kgp.db", "--port", "0", "--agents", "2"], "nothing was written"),
    "train run": (
        ["gomoku.train", "--game", "gomoku", "--budget", "2h", "--nodes", "99999999"],
        "0 games saved in gomoku.train; mossa train resume gomoku.train continues",
    ),
    "course serve": (
        ["school", "--port", "0", "--no-browser", "--sandbox", "off"],
        "finished games are kept",
    ),
    "course run": (["school", "--sandbox", "off"], "finished games are kept"),
    "engine ugi": ([], "nothing was written"),
    "engine gomocup": ([], "nothing was written"),
    "engine kgp": (["--server", "127.0.0.1:1"], "nothing was written"),
    "engine manchester": ([], "nothing was written"),
}
# What is over in seconds, whatever it is given.
SHORT = {
    *("show", "games", "players", "convert", "book info", "book show", "tables info", "bench"),
    *("net info", "export gomocup", "export kaggle", "puzzles show"),
    *("new player", "new game", "new experiment"),
    *("course create", "course students", "course links", "course status", "course pause"),
    *("course resume", "course disqualify", "course rerun", "course final", "course export"),
}
# Resume is run, report and status only read; puzzles solve waits for somebody to type, as play
# does; check-player has deadlines of its own, submit is tested with its server, and the test below
# is of certificates.
AS_OTHERS = {
    "check-certificate",
    "check-player",
    "puzzles solve",
    "submit",
    "tournament resume",
    "tournament report",
    "tournament status",
    "train resume",
    "train report",
    "train status",
    "train export",
}


def leaves(command: Any, name: str = "") -> Iterator[str]:
    for each, inner in getattr(command, "commands", {}).items():
        yield from leaves(inner, f"{name} {each}".strip())
    if not hasattr(command, "commands"):
        yield name


def test_no_command_is_forgotten() -> None:
    known = {name.split(" --")[0] for name in LONG} | SHORT | AS_OTHERS
    assert known == set(leaves(typer.main.get_command(app)))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("interrupts")
    before = Path.cwd()
    os.chdir(path)
    Path("starts.txt").write_text("1\n2\n")
    Path("game.mossa").write_text("mossa gomoku\nh8 h9 i8 g8 j8 k8 i9 i10 j10\n")
    Path("suite.toml").write_text(
        f'name = "x"\n[[opponents]]\nplayer = "{SLOW}"\ngame = "mnk:15x15x5"\n'
    )
    Path("class").mkdir()
    Path("class/anna.py").write_text("def choose(position): return position.moves[0]\n")
    Path("forever.toml").write_text(
        f'name = "forever"\ngames = ["mnk:15x15x5"]\n[players]\nslow = "{SLOW}"\n'
    )
    small = ["book", "build", "connect:4x4x4", "--plies", "6", "--output", "small.book"]
    good(call(*small))
    good(call("course", "create", "school"))
    good(call("tables", "build", "kalah:4x3", "--seeds", "6", "--output", "small.tables"))
    os.chdir(before)
    return path


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c(name: str, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    arguments, kept = LONG[name]
    command, *flags = name.split(" --")
    line = [*command.split(), *(f"--{flag}" for flag in flags if f"--{flag}" not in arguments)]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *line, *arguments],
        stdin=subprocess.PIPE,  # never ends
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=ENVIRONMENT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        process.wait(timeout=60)
    finally:
        process.kill()
        output, errors = process.communicate()
    assert process.returncode == 130, errors
    last = errors.splitlines()[-1]
    assert re.fullmatch(f"mossa: stopped: {kept}.*", last), last
    assert "Traceback" not in output + errors
    assert ".journal" not in errors and ".part" not in errors


# Ctrl-C at the moment when Python looks for a module of the package.
INTERRUPTED_IMPORT = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
"""


@pytest.mark.parametrize("module", ["mossa", "mossa._core", "mossa.cli.games"])
def test_ctrl_c_while_python_loads_the_package(module: str, tmp_path: Path) -> None:
    """It printed the traceback of an import."""
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTED_IMPORT.format(module=module))
    done = subprocess.run(
        [program(), "games"],
        capture_output=True,
        encoding="utf-8",
        env={**ENVIRONMENT, "PYTHONPATH": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "mossa: stopped: nothing was written\n"


def test_ctrl_c_in_the_check_of_a_certificate(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_text("{}")
    with patch("mossa.cli.check_certificate.check_certificate", side_effect=KeyboardInterrupt):
        done = call("check-certificate", path)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "mossa: stopped: the check is not complete\n"
