"""What a shell offers when Tab is pressed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mossa.cli.completion import games, players


def offered(line: str, shell: str = "bash") -> set[str]:
    """What a shell is told for a line that ends where Tab is pressed."""
    words = line.split(" ")
    asked = {"_MOSSA_COMPLETE": f"complete_{shell}"}
    if shell == "bash":
        asked |= {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    else:
        asked |= {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = subprocess.run(
        [sys.executable, "-m", "mossa"],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    return set(done.stdout.split("\n")) - {""}


def test_commands() -> None:
    assert offered("mossa to") == {"tournament"}
    assert offered("mossa tournament r") == {"run", "resume", "report"}


def test_options() -> None:
    assert {"--svg", "--json"} <= offered("mossa show connect4 --")


def test_games() -> None:
    assert offered("mossa show conn") == {"connect4", "connect:6x7x4"}
    assert offered("mossa tournament run cup.db engine random --game go") == {"gomoku"}


def test_players() -> None:
    assert offered("mossa match alp") == {"alphabeta"}
    assert offered("mossa players bologna") == {"bologna-mnk", "bologna-connect"}


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells(shell: str) -> None:
    assert any("kalah" in line for line in offered("mossa show kal", shell))
    assert not any("kalah" in line for line in offered("mossa show conn", shell))


def test_the_options_of_a_player() -> None:
    assert players("alphabeta:de") == ["alphabeta:depth=", "alphabeta:deepen="]
    assert players("alphabeta:depth=3,thr") == ["alphabeta:depth=3,threads="]
    assert players("nobody:x") == [] == games("nothing")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_every_shell(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mossa", "--show-completion", shell],
        env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0 and "_MOSSA_COMPLETE" in done.stdout
