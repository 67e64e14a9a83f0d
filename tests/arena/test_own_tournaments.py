"""Tournaments of games written in Python: workers load the file, and it must stay what it was."""

from __future__ import annotations

import importlib
import json
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import call, complaint, good
from own_games import GAMES, odd, written

import mossa
from mossa import python_games
from mossa.arena.plan import Entrant, Plan

PLAYERS = ("random", "deep=alphabeta:depth=3")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    with written(tmp_path):
        yield tmp_path


def run(*arguments: str) -> str:
    return good(call("tournament", *arguments))


def begun(game: str = "nim.py:Nim") -> None:
    """A tournament of four games, three of them still to be played."""
    run("run", "t.db", *PLAYERS, "--game", game, "--rounds", "2", "--workers", "1")
    with sqlite3.connect("t.db") as file:
        file.execute("UPDATE games SET result = NULL, record = NULL WHERE id > 1")
    python_games._LOADED.clear()  # as in another process


def test_played_by_workers_and_reported() -> None:
    games = [word for name in (*GAMES, "tictactoe") for word in ("--game", name)]
    output = run("run", "t.db", *PLAYERS, *games, "--workers", "1")
    assert "deep" in output
    python_games._LOADED.clear()
    report = json.loads(run("report", "t.db", "--json", "--records", "games.jsonl"))
    assert report["complete"] and report["done"] == 8
    assert not any(game["forfeit"] for game in report["games"])
    records = mossa.read_records("games.jsonl")
    assert {record.game.name for record in records} == {*GAMES, "mnk:3x3x3"}


def test_resumed_from_the_file_alone() -> None:
    begun()
    assert json.loads(run("status", "t.db", "--json"))["done"] == 1
    assert json.loads(run("resume", "t.db", "--json"))["done"] == 4


def test_a_changed_file_is_refused() -> None:
    begun()
    Path("nim.py").write_text(Path("nim.py").read_text().replace("heap=6", "heap=7"))
    for command in ("resume", "report", "status"):
        assert complaint(call("tournament", command, "t.db")) == (
            "the file of 'nim.py:Nim' has changed since: its games were played by other rules"
        )


def test_a_missing_file_is_refused() -> None:
    begun()
    Path("nim.py").rename("other.py")
    for command in ("resume", "report"):
        assert complaint(call("tournament", command, "t.db")) == (
            "cannot load game 'nim.py:Nim': there is no file 'nim.py'"
        )


def test_a_plan_is_kept_with_what_the_files_are() -> None:
    plan = Plan(entrants=(Entrant("a", "random"), Entrant("b", "level:1")), games=("nim.py:Nim",))
    assert list(plan.code) == ["nim.py:Nim"]
    assert Plan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan
    old = {key: value for key, value in plan.to_dict().items() if key != "code"}
    assert Plan.from_dict(json.loads(json.dumps({**old, "games": ["mnk:3x3x3"]}))).code == {}


def test_a_game_that_fails_counts_for_nobody_and_the_others_are_played() -> None:
    name = odd(
        "def play(self, move):",
        "    if self.heap < 4: raise ValueError('boom')",
        "    return super().play(move)",
    )
    output = run("run", "t.db", "random", "level:1", "--game", name, "--game", "tictactoe")
    assert "Traceback" not in output
    rows = json.loads(run("report", "t.db", "--json"))["games"]
    broken = [row["end"] for row in rows if row["game"] == name]
    assert len(broken) == 2
    for end in broken:
        assert "not played: the game 'odd.py:Odd' fails after" in end and "ValueError: boom" in end
    assert all(row["result"] != "*" for row in rows if row["game"] != name)


def test_refused_before_the_first_game() -> None:
    arguments = ("tournament", "run", "t.db", "random", "tree", "--game", "nim.py:Nim")
    assert complaint(call(*arguments)) == "tree plays mnk, not nim.py:Nim"
    arguments = ("tournament", "run", "t.db", "random", "level:1", "--game", "nim.py:Nimm")
    assert complaint(call(*arguments)).startswith("no 'Nimm' in 'nim.py': did you mean 'Nim'?")
    assert not Path("t.db").exists()


def test_in_python_by_name_and_by_class(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "nim", raising=False)
    for game in ("nim.py:Nim", importlib.import_module("nim").Nim):
        report = mossa.tournament(["nim.py:first", "alphabeta:depth=6"], [game], workers=1)
        assert report.plan.games == ("nim.py:Nim",)
        assert report.standings[0]["player"] == "alphabeta:depth=6"
