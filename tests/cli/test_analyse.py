"""``mossa analyse``: tables and lines of JSON, in pipes and on a terminal."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from command import call, complaint, good, on_terminal, posix
from learning_checks import write_network
from rich.console import Console

import mossa
from mossa import Analysis, analyse
from mossa.analysis import MoveAnalysis
from mossa.cli.analyse import _analysis_table


def test_analyse_prints_a_table() -> None:
    lines = good(
        call("analyse", "connect4", "112233", "--depth", "4", "--player", "alphabeta")
    ).splitlines()
    assert lines[0] == "connect:6x7x4 after 1 1 2 2 3 3: first (x) to move"
    assert lines[1].split() == ["move", "score", "depth", "line"]
    assert lines[2].split() == ["4", "+1", "in", "1", "0", "4"]
    assert len(lines) == 2 + 7 + 1
    assert lines[-1].startswith("depth 4, ")


def test_analyse_shows_the_best_moves_of_many() -> None:
    lines = good(
        call("analyse", "gomoku", "h8", "--depth=1", "--top=3", "--player=engine:net=off")
    ).splitlines()
    assert len(lines) == 2 + 3 + 2
    assert lines[-2] == "and 221 more moves"


def test_analyse_from_a_board() -> None:
    board = "4,4,0,5,5,5,1/4,4,4,4,4,4,0 first"
    output = good(call("analyse", "kalah", "6", "--board", board, "--depth", "1"))
    assert "kalah:6x4 after 6: second" in output


def test_analyse_json_is_a_line_for_each_depth() -> None:
    lines = good(call("analyse", "connect:9x9x4", "--depth", "3", "--json")).splitlines()
    assert [json.loads(line)["depth"] for line in lines] == [1, 2, 3]


def test_analyse_says_what_the_network_of_the_player_thinks(tmp_path: Path) -> None:
    rules = mossa.game("connect4")
    write_network(tmp_path / "four.net", rules)
    asked = ("analyse", "connect4", "44", "--depth=2", "--player")
    lines = good(call(*asked, f"engine:net={tmp_path}/four.net")).splitlines()
    assert lines[-2] == "network: win 34%, draw 33%, loss 33%"
    assert "network" not in good(call(*asked, "engine:net=off"))
    said = json.loads(
        good(call(*asked, f"gravity:net={tmp_path}/four.net", "--json")).split("\n")[0]
    )
    assert said["network"]["win"] == said["network"]["loss"] == 0.3333
    assert said["network"]["policy"] == {str(move): 0.14286 for move in range(1, 8)}
    for silent in ("engine:net=off", "alphabeta"):
        said = json.loads(good(call(*asked, silent, "--json")).splitlines()[0])
        assert said["network"] is None
    (tmp_path / "four.net").write_bytes(b"a text")
    assert "is not a network of mossa" in complaint(call(*asked, f"engine:net={tmp_path}/four.net"))


def test_analyse_complains() -> None:
    assert "nothing to analyse" in complaint(call("analyse", "connect4", "1212121"))
    assert "did you mean 'alphabeta'" in complaint(
        call("analyse", "connect4", "--player", "alphabet")
    )
    assert "does not report scores" in complaint(call("analyse", "connect4", "--player", "human"))
    assert "invalid limit 'time=-1" in complaint(call("analyse", "connect4", "--time", "-1"))
    assert "column 4 is full" in complaint(call("analyse", "connect4", "4444444"))


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise on Windows")
def test_ctrl_c_ends_with_the_best_so_far() -> None:
    arguments = ["analyse", "connect:9x9x4", "--time", "inf", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "mossa", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(3)]
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=10)
    depths = [json.loads(line)["depth"] for line in [*lines, *rest.splitlines()]]
    said = f"mossa: stopped: depth {depths[-1]} is complete\n"
    assert (process.returncode, errors) == (130, said)
    assert depths == list(range(1, len(depths) + 1))


def interrupted(found: Iterator[Analysis]) -> Iterator[Analysis]:
    yield next(found)
    raise KeyboardInterrupt


def test_ctrl_c_shows_the_table_of_what_is_known() -> None:
    with patch("mossa.cli.analyse.analyse", lambda *a, **k: interrupted(analyse(*a, **k))):
        done = call("analyse", "connect:9x9x4", "--depth", "9")
    assert (done.returncode, done.stderr) == (130, "mossa: stopped: depth 1 is complete\n")
    lines = done.stdout.splitlines()
    assert lines[-1].startswith("depth 1, ")


@posix
def test_a_terminal_sees_the_table_live() -> None:
    code, shown = on_terminal("analyse", "connect4", "4433", "--depth", "4")
    assert code == 0
    assert "+1 in 3" in shown
    assert shown.rstrip().endswith("\x1b[?25h")  # the cursor is back


@pytest.mark.parametrize("width", [36, 60, 80, 200])
def test_the_table_cuts_lines_and_nothing_else(width: int) -> None:
    """A terminal of 60 columns once cut the scores of a large board short."""
    position = mossa.game("mnk:100x100x5").start()
    moves = [move for move in position.moves if str(move) in ("cv100", "cv99", "a1")]
    scores: list[mossa.Exact | mossa.Estimate] = [
        mossa.Exact(1, 1234),
        mossa.Estimate(-123456.0),
        mossa.Estimate(0.0),
    ]
    found = {
        move: MoveAnalysis(score, [move, *position.moves[5000:5040]], 9999)
        for move, score in zip(moves, scores, strict=True)
    }
    console = Console(width=width, file=io.StringIO())
    console.print(_analysis_table(Analysis(position, found, 9999, 1, 0, 1.0), 12, width))
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("move"))
    rows = dict(zip(moves, lines[first + 1 :], strict=False))
    for move, score in zip(moves, scores, strict=True):
        assert re.match(rf"{move} +{re.escape(str(score))} +9999  {move}", rows[move])
        assert len(rows[move]) <= width
