"""The JSON of every command against its schema, docs/schema.json: one shape for a score, one name
for each list of moves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import typer
from command import call
from course_data import examined, found, hand_in, rank
from learning_checks import write_network

import mossa
from mossa.arena.driver import first_pairings
from mossa.arena.plan import Entrant, Plan
from mossa.arena.store import Store
from mossa.cli import app

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs" / "schema.json").read_text(encoding="utf-8")
)
# Each command as it prints JSON, in a folder where all that stand above it have been run.
LINES = [
    "show connect4 4455667 --json",
    "show kalah 36 --json",
    "games --json",
    "players --json",
    "players level --json",
    "analyse tictactoe b2 --depth 3 --json",
    "analyse kalah --depth 2 --json",
    "analyse connect4 --depth 1 --player engine:net=small.net --json",
    "solve connect:4x4x4 12 --json",
    "solve connect:7x8x4 --book none --time 0.05 --json",
    "solve mnk:4x3x3 --no-moves --certificate proof.json --json",
    "solve connect:4x4x4 --file starts.txt --json",
    "check-certificate proof.json --json",
    "book build connect:4x4x4 --plies 3 --output small.book --json",
    "book study kalah:2x2 --plies 2 --time 1 --workers 1 --output small.study --json",
    "book info small.book --json",
    "book info small.study --json",
    "book show small.book 1 --json",
    "book show small.book 1234 --json",
    "book show small.study --json",
    "book show small.study 12 --json",
    "book check small.book --count 2 --memory 2 --json",
    "book check small.study --json",
    "tables build kalah:2x2 --seeds 3 --output small.tables --json",
    "tables info small.tables --json",
    "tables verify small.tables --count 10 --json",
    "review game.mossa --depth 2 --json",
    "review opening.jsonl --time 1e-9 --json",
    "puzzles build connect:4x4x3 --count 1 --output small.puzzles --json",
    "puzzles check small.puzzles --json",
    "puzzles show small.puzzles --json",
    "puzzles show small.puzzles 1 --json",
    "puzzles show small.puzzles 1 --answer --json",
    "trace connect4 4453 --player alphabeta:depth=2 --output trace.json",
    "trace tictactoe --player mcts:iterations=20 --output trace.json --force",
    "perft kalah 2 --moves 3 --json",
    "bench --json",
    "lab --json",
    "lab mine.toml --json",
    "match alphabeta:depth=2 random:seed=1 connect4 --moves 44 --json",
    "check-player /no/bot --json",
    "grade random --suite suite.toml --json",
    "grade class --suite suite.toml --workers 1 --json",
    "tournament run cup.db a=random b=random --game tictactoe --workers 1 --json",
    "tournament resume cup.db --json",
    "tournament status cup.db --json",
    "tournament report cup.db --json",
    "tournament report cup.db --oracle 1 --json",
    "tournament status unplayed.db --json",
    "tournament kgp agents.db --json",
    "tournament run broken.db a=bot.py:bot b=random --game tictactoe --workers 1 --json",
    "course status course --json",
    "train run small.train --game tictactoe --budget 1 --workers 1 --json",
    "train resume small.train --budget 1 --workers 1 --json",
    "train status small.train --json",
    "train report small.train --json",
    "net info small.net --json",
]


def name_of(line: str) -> str:
    """The command of a line, as the schema calls it."""
    words = "-".join(line.split())
    found = max((name for name in SCHEMA["$defs"] if words.startswith(f"{name}-")), key=len)
    return f"{found}-file" if "--file" in line else found


def lists_and_scores(data: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Whatever is called moves, line or score, wherever it is."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield from lists_and_scores(value, name)
    elif isinstance(data, list) and key not in ("moves", "line"):
        for value in data:
            yield from lists_and_scores(value, key)
    if key in ("moves", "line", "score", "best_score") and data is not None:
        yield key, data


@cache
def validator(name: str) -> jsonschema_rs.Validator:
    """To read the schema takes longer than to hold something against it."""
    return jsonschema_rs.validator_for({**SCHEMA, "$ref": f"#/$defs/{name}"})


def check(data: Any, name: str) -> None:
    validator(name).validate(data)


def test_every_command_keeps_to_the_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("starts.txt").write_text("1\n1,2\n")
    Path("game.mossa").write_text("mossa tictactoe\nb2 b1 a1\n")
    Path("opening.jsonl").write_text(
        '{"game": "tictactoe", "moves": ["b2", "b1", "a1"], "opening": 2}\n'
    )
    plan = Plan((Entrant("a", "random"), Entrant("b", "random")), ("mnk:3x3x3",))
    with Store.create(Path("unplayed.db"), plan, first_pairings(plan)):
        pass
    agents = Plan((Entrant("a", "kgp:2671"), Entrant("b", "random")), ("kalah:6x4",))
    with Store.create(Path("agents.db"), agents, []):  # nothing is left for agents to play
        pass
    Path("bot.py").write_text("def bot(position):\n    return position.nothing\n")
    Path("mine.toml").write_text(
        'name = "mine"\ngames = ["tictactoe"]\nmoves = ["b2"]\n[players]\nab = "alphabeta"\n'
        "[limits]\ndepth = 2\n"
    )
    Path("suite.toml").write_text('[[positions]]\ngame = "connect4"\nmoves = "112233"\n')
    Path("class").mkdir()
    Path("class/anna.py").write_text("def choose(position):\n    return position.moves[0]\n")
    Path("class/bert").mkdir()
    ada = examined(school := found(Path("course")), hand_in(school, "Ada Lovelace"))
    rank(school, [ada])
    write_network(Path("small.net"), mossa.game("connect4"))
    for line in LINES:
        done = call(*line.split())
        assert done.stderr == "", line
        printed = Path("trace.json").read_text() if line.startswith("trace") else done.stdout
        assert printed, line
        for document in map(json.loads, printed.splitlines()):
            check(document, name_of(line))
            if line.startswith("tournament"):
                continue  # where a score is a share of points
            for key, value in lists_and_scores(document):
                check(value, "moves" if key in ("moves", "line") else "score")


def test_every_command_with_json_is_in_the_schema() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    for name, command in group.commands.items():
        inner = command.commands if isinstance(command, typer.core.TyperGroup) else {"": command}
        for each, leaf in inner.items():
            if any("--json" in parameter.opts for parameter in leaf.params):
                full = f"{name}-{each}".rstrip("-")
                assert full in SCHEMA["$defs"]
                assert any(name_of(line) == full for line in LINES), full


def test_the_schema_is_one() -> None:
    jsonschema_rs.meta.validate(SCHEMA)
