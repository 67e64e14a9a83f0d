"""The command `mossa lab`: every experiment, its files, Ctrl-C and wrong usage."""

from __future__ import annotations

import csv
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from command import complaint, program
from lab_checks import COLUMNS, call

import mossa
from mossa import lab
from mossa.errors import how_to_install
from mossa.lab import plots


def test_the_published_column_is_marked_equal() -> None:
    done = call("bantumi-nodes", "--quick")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"minimax +3 +882,215 +882,215 +=", done.stdout)
    assert "12 of 12 figures equal the report's." in done.stdout
    assert "differs" not in done.stdout


@pytest.mark.parametrize("name", lab.EXPERIMENTS)
def test_an_experiment_through_the_command(name: str, tmp_path: Path) -> None:
    rows_file, picture = tmp_path / "rows.csv", tmp_path / "picture.png"
    done = call(name, "--quick", "--csv", rows_file, "--plot", picture)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("─") > 20
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    with rows_file.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[: len(COLUMNS)] == COLUMNS
    assert {row["experiment"] for row in rows} == {name}
    searched = [row for row in rows if row["player"]]
    assert all(int(row["nodes"]) > 0 and float(row["time_ms"]) >= 0 for row in searched)
    # What is in the file is enough to do it again.
    row = searched[0]
    position = mossa.game(row["game"]).position(row["moves"])
    assert position.is_legal(row["move"] or row["record"].split()[position.ply])
    assert mossa.player(row["player"]).name == row["player"]
    assert picture.read_bytes().startswith(b"\x89PNG\r\n")
    assert picture.stat().st_size > 10_000


def test_json_is_one_document() -> None:
    done = call("quatro-times", "--quick", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["experiment"] == "quatro-times"
    assert found["complete"] is True
    assert list(found["rows"][0]) == [*COLUMNS, "ply"]
    assert found["tables"][0]["columns"][4] == "report ms"


def test_the_list_of_experiments() -> None:
    done = call()
    assert (done.returncode, done.stderr) == (0, "")
    assert [name for name in lab.EXPERIMENTS if name not in done.stdout] == []
    assert [each["name"] for each in json.loads(call("--json").stdout)] == list(lab.EXPERIMENTS)


@pytest.mark.parametrize(
    ("suffix", "beginning"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("PNG", b"\x89PNG")]
)
def test_formats_of_plots(suffix: str, beginning: bytes, tmp_path: Path) -> None:
    picture = tmp_path / f"picture.{suffix}"
    assert call("quatro-times", "--quick", "--plot", picture).returncode == 0
    assert picture.read_bytes().startswith(beginning)
    if suffix == "svg":
        texts = {"".join(each.itertext()).strip() for each in ET.parse(picture).iter()}
        assert {"Time of a move, 2 games each", "milliseconds", "alpha-beta"} <= texts


STOPPED = rb"mossa: stopped: (\d+) of 1,000 measurements done"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_ctrl_c_shows_and_writes_what_was_measured(tmp_path: Path) -> None:
    import pty

    plan = tmp_path / "long.toml"
    plan.write_text('games = ["connect4"]\nplayers = ["alphabeta:time=0.02"]\nruns = 1000\n')
    terminal, its_end = pty.openpty()
    process = subprocess.Popen(
        [program(), "lab", plan, "--csv", tmp_path / "rows.csv"],
        stdout=subprocess.PIPE,
        stderr=its_end,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(its_end)
    try:
        seen = read_until(terminal, rb"\b([3-9]|\d\d+)/1000")
        process.send_signal(signal.SIGINT)
        seen += read_until(terminal, STOPPED)
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
        os.close(terminal)
    assert process.returncode == 130
    done = re.search(STOPPED, seen)
    assert done
    assert b"long: connect4" in out
    lines = (tmp_path / "rows.csv").read_text().splitlines()
    assert len(lines) == 1 + int(done[1])
    assert b"Traceback" not in seen


def read_until(terminal: int, pattern: bytes) -> bytes:
    """Read a terminal until it shows something, for half a minute at most."""
    seen = b""
    end = time.monotonic() + 30
    while not re.search(pattern, seen):
        ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
        assert ready, seen[-500:]
        seen += os.read(terminal, 65536)
    return seen


# --- wrong usage ----------------------------------------------------------------------------------


def test_an_unknown_experiment() -> None:
    line = complaint(call("bantumi-node"))
    assert "did you mean 'bantumi-nodes'?" in line
    assert ".toml" in line


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--csv", "rows.txt"], "'rows.txt': its name must end in .csv"),
        (["--plot", "picture.gif"], "must end in .png or .svg or .pdf"),
        (["--csv", "no/such/rows.csv"], "there is no such folder"),
        (["--csv", "folder.csv"], "it is a folder"),
        (["--time", "1"], "bantumi-nodes has no time limit"),
    ],
)
def test_what_cannot_work_is_told_before_the_work(
    arguments: list[str], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.csv").mkdir()
    assert part in complaint(call("bantumi-nodes", *arguments))


def test_plots_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plots, "find_spec", lambda name: None)
    line = complaint(call("bantumi-nodes", "--plot", tmp_path / "picture.png"))
    assert line == f"plots need matplotlib: {how_to_install('plot')}"
