"""``mossa check-player`` and ``mossa engine``."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest
from command import ENVIRONMENT, call, complaint, good, posix
from programs import bad, bot


@posix
def test_a_good_program_passes() -> None:
    output = good(call("check-player", shlex.join(bot("c")), "--margin", "5"))
    assert output.splitlines()[-1] == "13 of 13 passed"


@posix
def test_what_fails_is_printed() -> None:
    done = call("check-player", bad("mute").removeprefix("ugi:"), "--start", "1")
    assert done.returncode == 1
    assert "FAILED handshake     not ready within 1 s" in done.stdout
    done = call("check-player", "/no/bot", "--json")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert not data["passed"]
    assert data["checks"][0]["detail"] == "cannot start '/no/bot': No such file or directory"


@posix
@pytest.mark.parametrize("command", ["./botx", "botx --fast", "ugi:botx"])
def test_a_program_that_does_not_start_fails_the_handshake(command: str) -> None:
    """Unlike a name that may be that of a player: whoever writes these means a program."""
    done = call("check-player", command)
    assert (done.returncode, done.stderr) == (1, "")
    program = command.removeprefix("ugi:")
    assert done.stdout.startswith(f"FAILED handshake     cannot start '{program}': No such file")


@posix
def test_a_program_on_the_path_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "botx"
    path.write_text("#!/bin/sh\nexit 3\n")
    path.chmod(0o755)
    folders = os.pathsep.join([str(tmp_path), ENVIRONMENT["PATH"]])
    monkeypatch.setitem(ENVIRONMENT, "PATH", folders)
    done = call("check-player", "botx")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("FAILED handshake ")


@posix
def test_any_player_is_tried(tmp_path: Path) -> None:
    output = good(call("check-player", "bantumi:hands=1", "--margin", "5", "--start", "60"))
    assert "bantumi:hands=1 is ready for kalah:6x4" in output.splitlines()[0]
    assert output.splitlines()[-1] == "13 of 13 passed"
    path = tmp_path / "bot.py"
    path.write_text("def bot(position):\n    return position.last_move.row\n")
    done = call("check-player", f"{path}:bot", "--margin", "5", "--start", "60")
    assert done.returncode == 1
    assert f"FAILED first move    {path}:2: AttributeError: " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bot", "--protocol", "uci"), "unknown protocol 'uci': did you mean 'ugi'?"),
        (("bot", "--protocol", "gomocup", "--game", "kalah"), "bot does not play kalah:6x4"),
        (("tris", "--game", "kalah"), "tris plays mnk, not kalah:6x4"),
        (("ugi:./bot", "--protocol", "gomocup"), "player 'ugi:./bot' speaks ugi, not gomocup"),
        (("human",), "human is a person"),
        (("bot", "--game", "chess"), "unknown game 'chess'"),
        (("",), "no command"),
        (("alphbeta",), "unknown player 'alphbeta': did you mean 'alphabeta'? there are "),
        (("alphbeta:depth=3",), "; no program on the PATH is called that either"),
        (("botx",), "; no program on the PATH is called that either"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], message: str) -> None:
    assert message in complaint(call("check-player", *arguments))


def test_the_engine_answers_lines() -> None:
    output = good(call("engine", "ugi", lines=["ugi", "isready", "quit"]))
    assert output.splitlines()[-2:] == ["ugiok", "readyok"]
    assert "unknown player" in complaint(call("engine", "ugi", "--player", "nobody"))
