"""``mossa train``: what it shows, what it writes, and how it refuses."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from command import ENVIRONMENT, call, complaint, good, posix
from learning_checks import PLAYER, trained_run
from programs import until

from mossa.errors import how_to_install
from mossa.learning import run as run_module
from mossa.learning.state import Folder

SMALL = [
    *("--player", PLAYER, "--nodes", "100", "--positions", "40", "--batch", "32"),
    *("--test-games", "4", "--test-nodes", "100", "--workers", "1"),
]


@pytest.fixture(autouse=True)
def folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("train") / "a.train"
    trained_run(path)
    return path


@pytest.fixture
def trained(finished: Path) -> str:
    shutil.copytree(finished, "a.train")
    return "a.train"


def test_a_run_begins_and_ends_with_its_budget() -> None:
    good(call("train", "run", "a.train", "--game", "tictactoe", "--budget", "4", *SMALL))
    state = Folder(Path("a.train")).read()
    assert state.plan.command.startswith("mossa train run a.train --game tictactoe --budget 4")
    assert state.plan.games == ("mnk:3x3x3",)
    assert state.games > 0
    assert complaint(call("train", "resume", "a.train")) == (
        "the budget of 'a.train' is spent: give it more, such as --budget 1h"
    )


def test_a_run_shows_its_generations(trained: str) -> None:
    shown = good(call("train", "status", trained))
    assert shown.splitlines()[0].split() == [
        *("generation", "games", "positions", "a", "second", "loss", "held", "out", "test", "Elo")
    ]
    assert re.search(r"^ +1 +[\d,]+ +[\d,]+ ", shown, re.MULTILINE)
    assert re.search(r"^best network: none yet; trained for \S+ m?s of 600 s$", shown, re.MULTILINE)


def test_a_run_is_reported(trained: str) -> None:
    csv, losses, plot = Path("a.csv"), Path("losses.csv"), Path("a.png")
    options = ("--csv", csv, "--losses", losses, "--plot", plot, "--json")
    data = json.loads(good(call("train", "report", trained, *options)))
    header, *rows = csv.read_text().splitlines()
    assert header.startswith("generation,games,positions,seconds,positions_per_second,epochs")
    assert len(rows) == len(data["generations"])
    header, *rows = losses.read_text().splitlines()
    assert header == ("generation,number,positions,seconds,value,second,held_value,held_second")
    assert len(rows) == len(data["epochs"]) >= 2
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert data["plan"]["games"] == ["mnk:3x3x3"]


def test_a_run_goes_on(trained: str) -> None:
    before = Folder(Path(trained)).read()
    good(call("train", "resume", trained, "--budget", "4", "--workers", "1"))
    after = Folder(Path(trained)).read()
    assert after.games > before.games
    assert after.clock > before.clock


def test_nothing_is_exported_before_a_test_is_passed(trained: str) -> None:
    done = call("train", "export", trained, "best.net")
    assert complaint(done) == "no network of 'a.train' has passed its test yet: train longer"
    Path("there.net").write_text("mine")
    assert "--force replaces it" in complaint(call("train", "export", trained, "there.net"))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("run a.train --game tictactoe --budget 0", "invalid time '0': more than nothing"),
        ("run a.train --game tictactoe --budget -5", "invalid time '-5'"),
        ("run a.train --game tictactoe --budget 2x", "invalid time '2x'"),
        ("run a.train --budget 5", "training needs a game"),
        ("run a.train --game tictactoe", "missing --budget TIME"),
        ("run a.train --game nothing --budget 5", "unknown game 'nothing'"),
        ("run a.train --game breakthrough:4x4 --budget 5", "no network for breakthrough:4x4"),
        ("run a.train --game mnk:5x5x4 --game mnk:5x5x5 --budget 5", "one network cannot serve"),
        ("run a.train --game tictactoe --budget 5 --mix 2", "invalid --mix '2'"),
        ("run a.train --game tictactoe --budget 5 --sprt 5", "invalid --sprt '5': two numbers"),
        ("run a.train --game tictactoe --budget 5 --sprt 9,5", "elo0 9 must be less than elo1 5"),
        ("run no/a.train --game tictactoe --budget 5", "'no/a.train': No such file or directory"),
        ("run a.train --game tictactoe --budget 5 --workers 1 --cluster x", "--workers has no"),
        ("resume none.train", "there is no training run 'none.train'"),
        ("status none.train", "there is no training run 'none.train'"),
        ("report none.train", "there is no training run 'none.train'"),
        ("report none.train --plot a.txt", "cannot write 'a.txt'"),
        ("export none.train a.net", "there is no training run 'none.train'"),
        ("status .", "'.' is not a training run; mossa train run makes one"),
    ],
)
def test_wrong_lines(line: str, why: str) -> None:
    assert why in complaint(call("train", *line.split()))
    assert not Path("a.train").exists()


def test_without_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "find_spec", lambda name: None)
    done = call("train", "run", "a.train", "--game", "tictactoe", "--budget", "5")
    assert complaint(done) == f"training needs JAX and NumPy: {how_to_install('train')}"
    assert not Path("a.train").exists()


def test_a_cluster_where_nobody_is(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("mossa.cluster.CONNECT", 0.5)
    line = ["train", "run", "a.train", "--game", "tictactoe", "--budget", "5", "--player", PLAYER]
    assert "no cluster at 'tcp://127.0.0.1:9'" in complaint(
        call(*line, "--cluster", "tcp://127.0.0.1:9")
    )
    good(call("train", "resume", "a.train", "--budget", "1", "--workers", "1"))


# --- killed ---------------------------------------------------------------------------------------

# The command in a process of its own.
PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored where tests run
from mossa.cli import main
main()
"""


def command(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "train", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=ENVIRONMENT,
    )


def size_of(folder: Folder) -> int:
    return folder.journal.stat().st_size


def has_grown(folder: Folder, size: int) -> bool:
    return folder.journal.exists() and size_of(folder) > size


def wait_for(moment: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    until(lambda: process.poll() is not None or moment())
    assert process.poll() is None, "it has ended"


@posix
@pytest.mark.parametrize(
    "how",
    # How a run answers Ctrl-C is in test_interrupts.py; it goes on as after a kill.
    [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)],
)
def test_a_run_that_was_killed_goes_on(how: signal.Signals) -> None:
    """While it plays, and while it trains: finished games are there, and no more is lost."""
    folder = Folder(Path("a.train"))
    begin = ["run", "a.train", "--game", "tictactoe", "--budget", "10m", *SMALL]
    moments = (
        lambda: folder.journal.exists() and folder.read().games > 0,
        lambda: folder.read().generations[0].played,
        lambda: len(folder.read().generations) > 1,
    )
    games = size = 0
    for moment in moments:
        process = command(*begin)
        begin = ["resume", "a.train", "--budget", "10m", "--workers", "1"]
        try:
            # Not before it works: it notes its budget first.
            wait_for(partial(has_grown, folder, size), process)
            wait_for(moment, process)
        finally:
            process.send_signal(how)
            _, errors = process.communicate(timeout=60)
        # A process that is killed while it starts a worker leaves it to Python's own complaint.
        assert ("mossa" if how is signal.SIGKILL else "Traceback") not in errors
        if how is signal.SIGINT:
            assert process.returncode == 130
            assert re.fullmatch(
                r"mossa: stopped: [\d,]+ games? saved in a.train; "
                r"mossa train resume a.train continues",
                errors.splitlines()[-1],
            )
        state = folder.read()
        assert state.games >= games
        games, size = state.games, size_of(folder)
