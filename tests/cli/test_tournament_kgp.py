"""``mossa tournament kgp``: agents that call, play, leave and come back."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from agents import WAIT, FakeAgent, Tcp, WebSocket, left
from command import ENVIRONMENT, call, good, posix, program

from mossa.arena.store import Store
from mossa.protocols.kgp.words import Board

pytestmark = posix


class Command:
    """A running command, and the port that it told."""

    def __init__(self, *arguments: str | Path) -> None:
        self.process = subprocess.Popen(
            [program(), "tournament", "kgp", *map(str, arguments), "--port", "0"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=ENVIRONMENT,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.told: list[str] = []
        self.port = int(self.until(r"agents connect to 127\.0\.0\.1:(\d+), or ws://")[1])

    def until(self, pattern: str) -> re.Match[str]:
        """Read what it tells until a line has this."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.told.append(line)
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"{pattern} is missing in {self.told}")

    def end(self) -> tuple[int, str, str]:
        output, errors = self.process.communicate(timeout=60)
        return self.process.returncode, output, "".join([*self.told, errors])


@contextmanager
def started(*arguments: str | Path) -> Iterator[Command]:
    command = Command(*arguments)
    watchdog = threading.Timer(60, command.process.kill)  # nothing here may wait for ever
    watchdog.start()
    try:
        yield command
    finally:
        watchdog.cancel()
        command.process.kill()
        command.process.communicate()


def leaving_after(moves: int) -> Callable[[FakeAgent, Board, str], None]:
    """An agent that hangs up in the middle of a game."""
    asked: list[str] = []

    def think(agent: FakeAgent, board: Board, number: str) -> None:
        asked.append(number)
        if len(asked) > moves:
            agent.connection.close()
        else:
            left(agent, board, number)

    return think


def test_agents_and_one_of_ours(tmp_path: Path) -> None:
    file = tmp_path / "cup.db"
    arguments = (file, "ours=random:seed=1", "--game", "kalah:3x3", "--time", "5")
    with started(*arguments, "--agents", "2", "--workers", "2") as command:
        agents = [
            FakeAgent(command.port, Tcp, name="Ann"),
            FakeAgent(command.port, WebSocket, name="Bob"),
        ]
        code, output, errors = command.end()
    assert code == 0, errors
    assert all(agent.ended.wait(WAIT) for agent in agents)
    assert {line.split()[0] for line in output.splitlines()[1:4]} == {"Ann", "Bob", "ours"}
    report = json.loads(good(call("tournament", "status", str(file), "--json")))
    assert report["done"] == report["total"] == 6
    # It is over: the same command shows how it ended, and waits for nobody.
    again = call("tournament", "kgp", str(file), "--port", "0")
    assert again.returncode == 0 and again.stdout == output


def test_who_leaves_loses_one_game_and_may_come_back(tmp_path: Path) -> None:
    file = tmp_path / "cup.db"
    arguments = (file, "--game", "kalah:3x3", "--rounds", "2", "--time", "5", "--start", "30")
    with started(*arguments, "--agents", "2") as command:
        FakeAgent(command.port, Tcp, leaving_after(3), name="Ann")
        FakeAgent(command.port, Tcp, name="Bob")
        command.until("Ann has left")
        FakeAgent(command.port, WebSocket, name="Ann")
        code, output, errors = command.end()
    assert code == 0, errors
    assert output.count("crashed: the connection has ended") == 1
    assert "1 game was forfeited" in output


def test_who_stays_away_is_waited_for_another_day(tmp_path: Path) -> None:
    file = tmp_path / "cup.db"
    arguments = (file, "--game", "kalah:3x3", "--rounds", "2", "--time", "5", "--start", "0.5")
    with started(*arguments, "--agents", "2") as command:
        FakeAgent(command.port, Tcp, leaving_after(3), name="Ann")
        FakeAgent(command.port, Tcp, name="Bob")
        code, _, errors = command.end()
    assert code == 1
    saved = re.search(r"mossa: ([123]) of 4 games saved in (\S+); Ann left: (.*) continues", errors)
    assert saved and saved[2] == str(file) and saved[3] == f"mossa tournament kgp {file}"
    refused = call("tournament", "resume", str(file))
    assert refused.returncode == 2
    assert "a tournament of agents is mossa tournament kgp" in refused.stderr
    with started(file) as command:
        command.until("waiting for (Ann, Bob|Bob, Ann)")  # in the order they came
        FakeAgent(command.port, Tcp, name="Ann")
        FakeAgent(command.port, Tcp, name="Bob")
        code, _, errors = command.end()
    assert code == 0, errors
    with Store.look(file) as store:
        assert store.counts() == (4, 4)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_what_is_played(tmp_path: Path, workers: str) -> None:
    file = tmp_path / "cup.db"
    asked = threading.Event()

    def hangs(agent: FakeAgent, board: Board, number: str) -> None:
        asked.set()

    with started(file, "--time", "50", "--agents", "2", "--workers", workers) as command:
        agents = [FakeAgent(command.port, Tcp, hangs, name=name) for name in ("Ann", "Bob")]
        assert asked.wait(WAIT)
        os.kill(command.process.pid, signal.SIGINT)
        code, _, errors = command.end()
    assert code == 130
    assert f"0 of 2 games saved in {file}; mossa tournament kgp {file} continues" in errors
    assert "Traceback" not in errors
    assert all(agent.ended.wait(WAIT) for agent in agents)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "when is it to begin? give --agents N or --wait SECONDS"),
        (["--wait", "0"], "a tournament needs at least two players"),
        (["--wait", "0", "--game", "connect4"], "an agent of KGP does not play connect:6x7x4"),
        (["--wait", "0", "--game", "bantumi"], "an agent of KGP does not play kalah:6x3"),
        (["kgp:2671", "--wait", "0"], "player 'kgp:2671' waits for an agent to come"),
        (["a=random", "a=random", "--wait", "0"], "two players are called 'a'"),
        (["--wait", "0", "--workers", "0"], "--workers"),
    ],
)
def test_what_cannot_be_played(tmp_path: Path, arguments: list[str], why: str) -> None:
    file = tmp_path / "cup.db"
    done = call("tournament", "kgp", str(file), "--port", "0", *arguments)
    assert done.returncode == 2
    assert why in done.stderr.splitlines()[-1]
    assert not file.exists()


def test_a_file_that_goes_on_takes_nothing_new(tmp_path: Path) -> None:
    file = tmp_path / "cup.db"
    good(call("tournament", "run", str(file), "random", "b=random", "--game", "kalah:2x2"))
    done = call("tournament", "kgp", str(file), "--port", "0", "--rounds", "3")
    assert "--rounds has no effect with the tournament in" in done.stderr
    done = call("tournament", "kgp", str(file), "--port", "0")
    assert "has no agents: mossa tournament resume continues it" in done.stderr


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with started(tmp_path / "cup.db", "--agents", "2") as command:
        taken = str(command.port)
        done = call("tournament", "kgp", str(tmp_path / "b.db"), "--port", taken, "--wait", "0")
    assert done.returncode == 2
    assert f"cannot listen on 127.0.0.1:{taken}: " in done.stderr
