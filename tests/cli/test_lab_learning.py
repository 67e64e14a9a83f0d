"""`mossa lab learning`: the command end to end, what it writes, and what it refuses."""

from __future__ import annotations

import csv
import json
import os
import pickle
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from command import complaint, good, posix
from lab_checks import COLUMNS, call

import mossa
from mossa import lab
from mossa.errors import how_to_install
from mossa.lab import learning, plots, runner
from mossa.learning import run as run_module

ROOT = Path(__file__).parents[2]
EXTRA = [
    *("share", "questions", "generation", "games", "positions", "loss", "held_out"),
    *("chance", "keeps", "pattern", "cells", "exact"),
]
"""Columns that only this experiment has."""
SMALL = ("learning", "--game", "tictactoe", "--quick")


def test_the_command_shows_and_writes_all(tmp_path: Path) -> None:
    rows_file, picture = tmp_path / "rows.csv", tmp_path / "picture.svg"
    shown = good(call(*SMALL, "--runs", "1", "--csv", rows_file, "--plot", picture))
    assert "mnk:3x3x3: moves that keep the value" in shown
    assert re.search(r"random +40\.2%", shown)
    assert re.search(r"hand-made +96\.8%", shown)
    assert re.search(r"generation 1 +\d+ +\d+ +[\d.]+ +[\d.]+ +[\d.]+% +[\d.]+%", shown)
    assert "generation 2" not in shown
    assert re.search(r"b2 +12% +\d+% +right", shown)
    assert all(len(line) <= 80 for line in shown.splitlines())
    with rows_file.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [*COLUMNS, *EXTRA]
    assert {row["variant"] for row in rows} == {
        *(learning.RANDOM, learning.BLIND, learning.HAND_MADE, learning.GLANCE),
        *(learning.ONE_AHEAD, learning.BEFORE, learning.AFTER, learning.PATTERN),
    }
    texts = {"".join(each.itertext()).strip() for each in ET.parse(picture).iter()}
    assert {"mnk:3x3x3: learning from nothing", "What a pattern is worth", "xx+|"} <= texts
    assert "Where it moves after learning (generation 1), %" in texts


def test_json_is_the_same_with_the_same_seed() -> None:
    one, again, other = (
        json.loads(good(call(*SMALL, "--runs", "1", "--json", "--seed", seed)))
        for seed in ("7", "7", "8")
    )

    def figures(found: dict[str, list[dict[str, object]]]) -> list[dict[str, object]]:
        return [{**row, "time_ms": None} for row in found["rows"]]

    assert one["complete"] is True
    assert figures(one) == figures(again)
    assert figures(one) != figures(other)
    # The judge and the base lines are not a matter of chance.
    assert figures(one)[:3] == figures(other)[:3]


def test_work_that_is_sent_elsewhere_finds_the_same() -> None:
    """As a cluster does it: there every piece of work begins with nothing."""
    work = learning.LEARNING.work(lab.Settings(runs=1, quick=True))
    there = [pickle.loads(pickle.dumps(each)) for each in work]

    def figures(todo: Sequence[runner.Work]) -> list[lab.Row]:
        rows = (row for each in todo for row in each.rows("learning"))
        return [replace(row, time_ms=None) for row in rows]

    assert figures(list(reversed(there)))[-3:] == figures(work[:1])
    assert figures(there) == figures(work)


def test_panels_in_rows_may_leave_a_gap() -> None:
    grid = lab.Grid("a board", ((0, 1), (2, 0)), {(0, 0): 0.9, (1, 1): 0.1}, frozenset({(0, 0)}))
    picture = ET.fromstring(plots.to_image([grid] * 3, "svg", 2))
    texts = ["".join(each.itertext()).strip() for each in picture.iter() if each.tag[-4:] == "text"]
    assert {text: texts.count(text) for text in ("a board", "90", "10", "x", "o")} == {
        **dict.fromkeys(("a board", "90", "10", "x", "o"), 3)
    }
    width, height = (float(picture.attrib[name].removesuffix("pt")) for name in ("width", "height"))
    assert width == pytest.approx(height * 5.6 / 4.2)


def test_the_pages_quote_the_curves_that_are_drawn() -> None:
    with (ROOT / "docs" / "images" / "learning.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [mossa.game(each).name for each in learning.BOARDS]
    assert list(dict.fromkeys(row["game"] for row in rows)) == names
    page = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
    for row in rows:
        if row["game"] == names[0]:
            assert f"{100 * float(row['share']):.1f}%" in page, row


def test_boards_are_chosen_and_named_once() -> None:
    work = learning.LEARNING.work(
        lab.Settings(runs=3, games=("tictactoe", "mnk:3x3x3", "connect:4x4x3"))
    )
    assert [each.label for each in work] == [
        f"{game}, {what}"
        for game in ("mnk:3x3x3", "connect:4x4x3")
        for what in ("base lines", *(f"generation {number}" for number in range(4)))
    ]
    usual = [each.label for each in learning.LEARNING.work(lab.Settings())]
    assert len(usual) == 2 * 8
    assert usual[-1] == "connect:4x5x4, generation 6"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("learning --game nothing", "unknown game 'nothing'"),
        ("learning --game kalah:4x3", "cannot show learning on kalah:4x3: choose a game of k in"),
        ("learning --game breakthrough:4x4", "no network for breakthrough:4x4"),
        ("learning --game mnk:2x2x2", "nothing to learn on mnk:2x2x2: no move can go wrong"),
        ("learning --seed -1", "invalid --seed '-1'"),
        ("learning --seed x", "invalid --seed 'x'"),
        ("learning --runs 0", "invalid --runs '0'"),
        ("learning --time 1", "learning has no time limit that could be changed"),
        ("learning --plot picture.gif", "must end in .png or .svg or .pdf"),
        ("learning --plot no/such/picture.png", "there is no such folder"),
        ("bantumi-nodes --seed 1", "bantumi-nodes has no seed that could be chosen"),
        ("bantumi-nodes --seed 0", "bantumi-nodes has no seed that could be chosen"),
        ("quatro-times --game connect4", "quatro-times has no boards that could be chosen"),
        ("--seed 0", "missing EXPERIMENT"),
        ("--game tictactoe", "missing EXPERIMENT"),
    ],
)
def test_wrong_lines(line: str, why: str) -> None:
    assert why in complaint(call(*line.split()))


def test_a_board_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mossa.learning.judge.SECONDS", 0.01)
    line = complaint(call("learning", "--game", "mnk:12x12x6", "--quick"))
    assert line.startswith("mnk:12x12x6 is too large: the solver must know every move")


def test_without_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "find_spec", lambda name: None)
    advice = how_to_install("train")
    assert complaint(call("learning")) == f"training needs JAX and NumPy: {advice}"


def refused(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> str:
    """What it complains of before any work is done."""

    def work(_: lab.Settings) -> list[object]:
        raise AssertionError("the work has begun")

    monkeypatch.setattr(lab, "measure", work)
    return complaint(call("learning", *arguments))


def test_a_plot_into_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() == 0:  # whom no permission stops: a folder in which nobody can make a file
        folder = Path("/proc/self")
        if not folder.is_dir():
            pytest.skip("an administrator may write everywhere")
    else:
        folder = tmp_path / "locked"
        folder.mkdir(mode=0o500)
    picture = folder / "picture.png"
    assert f"cannot write '{picture}': " in refused(monkeypatch, "--plot", picture)


def test_a_file_that_is_there_stays_until_there_is_another(tmp_path: Path) -> None:
    old, new = tmp_path / "old.png", tmp_path / "new.png"
    old.write_text("old")
    for picture in (old, new):
        lab.check_target(picture, [".png"])
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


@posix
def test_pipes_and_links_are_not_touched_before_the_work(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe.csv", tmp_path / "link.csv"
    os.mkfifo(pipe)
    link.symlink_to(tmp_path / "nothing.csv")
    for target in (pipe, link):
        lab.check_target(target, [".csv"])  # does not wait for a reader
    assert link.is_symlink()
    assert not link.exists()


def test_a_name_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "File name too long" in refused(monkeypatch, "--csv", tmp_path / f"{'a' * 300}.csv")
