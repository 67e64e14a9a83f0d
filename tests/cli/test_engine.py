"""The command ``mossa engine``, as referees, managers and people at a terminal run it."""

from __future__ import annotations

import signal
import socket
import subprocess
import threading

import pytest
from command import ENVIRONMENT, call, complaint, posix, program, run
from programs import until


def test_a_referee_of_manchester() -> None:
    lines = ["START;North", "CHANGE;7;8,8,8,8,8,8,7,0,7,7,7,7,7,7,0,1;YOU"]
    done = run("engine", "manchester", "--player", "alphabeta:depth=4", lines=lines)
    assert (done.returncode, done.stdout, done.stderr) == (0, "SWAP\n", "")
    done = run("engine", "manchester", "--player", "random", lines=["what?", "END"])
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("mossa: 'what?': expected START;South")


def test_a_manager_of_gomocup() -> None:
    lines = ["ABOUT", "START 15", "INFO timeout_turn 0", "BEGIN", "END"]
    done = run("engine", "gomocup", "--player", "alphabeta:memory=4", lines=lines)
    about, ready, *moves = done.stdout.splitlines()
    assert about.startswith('name="mossa", version="')
    assert (ready, done.returncode, done.stderr) == ("OK", 0, "")
    assert len(moves) <= 1  # END may come before the move is there


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["gomocup", "--player", "xyzzy"], "unknown player 'xyzzy'"),
        (["manchester", "--player", "xyzzy"], "unknown player 'xyzzy'"),
        (["manchester", "--game", "connect4"], "this protocol is for kalah, not connect:6x7x4"),
        (["manchester", "--game", "oware"], "this protocol is for kalah, not oware:6x4"),
        (["kgp", "--server", "host:port"], "invalid server 'host:port'"),
        (["kgp", "--server", "localhost", "--player", "xyzzy"], "unknown player 'xyzzy'"),
        (["kgp", "--server", "no.such.host.invalid", "--once"], "cannot reach no.such.host"),
    ],
)
def test_what_is_wrong_is_told_at_once(arguments: list[str], why: str) -> None:
    assert why in complaint(call("engine", *arguments))


@posix
def test_a_server_of_kgp_and_ctrl_c() -> None:
    """The whole command: it plays, hears Ctrl-C while it thinks, and leaves no traceback."""
    said: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = "{}:{}".format(*listening.getsockname())
        command = [program(), "engine", "kgp", "--server", address, "--time", "60"]
        command += ["--player", "alphabeta:memory=4"]
        process = subprocess.Popen(
            command,
            stderr=subprocess.PIPE,
            text=True,
            env={**ENVIRONMENT, "MOSSA_KGP_TOKEN": "secret"},
        )
        listening.settimeout(60)
        connection, _ = listening.accept()
        with connection:
            connection.sendall(b"kgp 1 0 1\r\n4 state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>\r\n")
            lines = connection.makefile()

            def read() -> None:
                said.extend(lines)

            reader = threading.Thread(target=read, daemon=True)
            reader.start()
            until(lambda: any("@4 move" in line for line in list(said)))
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=30)
            reader.join(30)
    assert process.returncode == 130
    assert errors.splitlines()[0] == "mossa: connected, KGP 1.0.1"
    assert "Traceback" not in errors
    assert any('auth:token "secret"' in line for line in said)
