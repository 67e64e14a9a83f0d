"""Hundreds of wrong command lines, generated from what the commands declare.

Whatever is wrong, the answer is one line on standard error that quotes it, and exit code 2.
"""

from __future__ import annotations

import contextlib
import os
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from command import Done, call, complaint, good
from learning_checks import small_plan, write_network

import mossa
from mossa.cli import app
from mossa.learning.run import begin

LONG = "x" * 100_000

# What each command can be given. The folder of the test has all these files, and no others.
LINK = "http://127.0.0.1:1/course/me#a-secret-that-nobody-has"
RIGHT: dict[str, list[str]] = {
    "play": ["connect4"],
    "web": ["--port", "0"],
    "show": ["connect4", "44"],
    "games": [],
    "players": ["alphabeta"],
    "convert": ["game.mossa", "new.jsonl"],
    "analyse": ["tictactoe", "b2", "--depth", "1"],
    "solve": ["tictactoe", "b2"],
    "check-certificate": ["proof.json"],
    "book build": ["connect:4x4x4", "--plies", "2"],
    "book study": ["kalah:2x2", "--plies", "2", "--time", "1"],
    "book info": ["small.book"],
    "book show": ["small.book", "1"],
    "book check": ["small.book"],
    "tables build": ["kalah:2x2", "--seeds", "2"],
    "tables info": ["small.tables"],
    "tables verify": ["small.tables"],
    "puzzles build": ["connect:4x4x3", "--count", "1", "--output", "new.puzzles"],
    "puzzles check": ["small.puzzles"],
    "puzzles show": ["small.puzzles", "1"],
    "puzzles solve": ["small.puzzles"],
    "review": ["game.mossa"],
    "trace": ["tictactoe", "b2"],
    "perft": ["tictactoe", "2"],
    "bench": [],
    "lab": ["bantumi-nodes"],
    "new player": ["my_bot"],
    "new game": ["my_game"],
    "new experiment": ["my_experiment"],
    "match": ["random", "random", "tictactoe"],
    "check-player": ["random"],
    "grade": ["random", "--suite", "suite.toml"],
    "tournament run": ["new.db", "random", "other=random", "--game", "tictactoe"],
    "tournament resume": ["cup.db"],
    "tournament kgp": ["new.db", "--port", "0", "--wait", "0"],
    "tournament status": ["cup.db"],
    "tournament report": ["cup.db"],
    "train run": ["new.train", "--game", "tictactoe", "--budget", "1"],
    "train resume": ["small.train"],
    "train status": ["small.train"],
    "train report": ["small.train"],
    "train export": ["small.train", "best.net"],
    "net info": ["small.net"],
    "course create": ["new-school"],
    "course students": ["school", "class.csv"],
    "course links": ["school", "Ada"],
    "course serve": ["school", "--port", "0"],
    "course run": ["school"],
    "course status": ["school"],
    "course pause": ["school"],
    "course resume": ["school"],
    "course disqualify": ["school", "Ada"],
    "course rerun": ["school", "Ada"],
    "course final": ["school", "--show"],
    "course export": ["school"],
    "submit": [LINK, "bot.py"],
    "engine ugi": [],
    "engine gomocup": [],
    "engine kgp": ["--server", "localhost"],
    "engine manchester": [],
    "export gomocup": ["engine"],
    "export kaggle": ["engine"],
}
WRONG_GAMES = ["", "conect4", "mnk:0x3x3", "connect:999999999999x7x4", "kalah:6", "\N{BEL}", LONG]
WRONG_PLAYERS = ["", "alphbeta", "alphabeta:depth=-1", "alphabeta:depht=3", LONG]
WRONG_MOVES = ["zz", "99999999999999999999", "\N{BEL}", LONG]
WRONG_FILES = ["", "none.xyz", "none.mossa", "folder", "no/such/folder.mossa", LONG]
# Nothing that can be told from the name alone: a file that is no book, tables, records ...
BINARY = "garbage.mossa"
WRONG_TARGETS = ["no/such/folder/file", "folder", LONG]
SUFFIX = {
    "--csv": ".csv",
    "--plot": ".svg",
    "--losses": ".csv",
    "--moves": ".csv",
    "--records": ".jsonl",
    "--save": ".jsonl",
}


def leaves(command: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every command that has no commands of its own."""
    for each, inner in getattr(command, "commands", {}).items():
        yield from leaves(inner, f"{name} {each}".strip())
    if not hasattr(command, "commands"):
        yield name, command


COMMANDS = dict(leaves(typer.main.get_command(app)))
OF_MOVES = {"MOVES"}
OF_GAMES = {"GAME"}
OF_PLAYERS = {"PLAYER", "FIRST", "SECOND"}


def wrong_lines(name: str, command: Any) -> Iterator[list[str]]:
    """Command lines of which each has one fault."""
    right = RIGHT[name]
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option"]
    for option in ("--nonsense", "-Z", "--", "-" + "x" * 5000, f"--{LONG}", "--n\N{BEL}"):
        yield [*right, option] if option != "--" else [*right, "--", *["extra"] * 9]
    if not any(each.nargs == -1 for each in arguments):
        yield [*right, *["extra"] * (len(arguments) + 1)]
    for at, argument in enumerate(arguments):
        if argument.required and at < len(right):
            yield right[:at]
        for value in wrong_values(command, argument):
            if value == "--" and not argument.required:
                continue  # what may be left out is then left out
            yield [*right[:at], value, *right[at + 1 :]]
    for option in options:
        form = option.opts[0]
        if option.is_flag:
            yield [*right, f"{form}=maybe"]
            continue
        if option.required:
            at = right.index(form)
            yield right[:at] + right[at + 2 :]
        yield [*right, form]
        for value in wrong_values(command, option):
            yield [*right, form, value]


def wrong_values(command: Any, parameter: Any) -> Iterator[str]:
    """What a parameter cannot be, by its declaration in our own code."""
    declared = typing.get_type_hints(command.callback, include_extras=True)[parameter.name]
    declared_kind, info = typing.get_args(declared)[:2]
    kinds = {declared_kind, *typing.get_args(declared_kind)}
    kind = next((each for each in (int, float) if each in kinds), None)
    what = (parameter.metavar or "").rstrip(".")
    if kind is not None:
        yield from ("many", "", "1,5", "--", LONG)
        if kind is int:
            yield from ("1.5", "0x10", "9" * 400 if info.max is not None else "1e3")
        if info.min is not None:
            yield from (str(info.min - 1), "-999999999999999999999")
        if info.max is not None:
            yield from (str(info.max + 1), "999999999999999999999")
    elif what in OF_GAMES:
        yield from WRONG_GAMES
    elif what in OF_PLAYERS:
        yield from WRONG_PLAYERS
    elif what in OF_MOVES:
        yield from WRONG_MOVES


LINES = [
    [*name.split(), *line]
    for name, command in COMMANDS.items()
    for line in wrong_lines(name, command)
]

# The option with the file that a command reads, unless that is its first argument.
SOURCES: dict[str, str | None] = {
    "play": "--load",
    "convert": None,
    "check-certificate": None,
    "book info": None,
    "book show": None,
    "book check": None,
    "tables info": None,
    "tables verify": None,
    "review": None,
    "grade": "--suite",
    "tournament resume": None,
    "tournament status": None,
    "tournament report": None,
    "tournament run": "--openings",
    "train resume": None,
    "train status": None,
    "train report": None,
    "train export": None,
    "net info": None,
    "solve": "--book",
}
# The options with the files that a command writes.
TARGETS: dict[str, list[str]] = {
    "solve": ["--certificate"],
    "book build": ["--output"],
    "book study": ["--output"],
    "tables build": ["--output"],
    "trace": ["--output"],
    "lab": ["--csv", "--plot"],
    "match": ["--save"],
    "grade": ["--junit", "--csv"],
    "tournament report": ["--html", "--csv", "--moves", "--records"],
    "train report": ["--csv", "--losses", "--plot"],
    "export gomocup": ["--output"],
    "export kaggle": ["--output"],
}
for name, option in SOURCES.items():
    for file in [*WRONG_FILES, BINARY]:
        line = [*RIGHT[name], option, file] if option else [file, *RIGHT[name][1:]]
        LINES.append([*name.split(), *line])
LINES += [["play", "--load", file] for file in [*WRONG_FILES, BINARY]]
LINES += [["solve", "connect4", "--file", file] for file in [*WRONG_FILES, BINARY]]
LINES += [
    [*name.split(), *RIGHT[name], option, target + SUFFIX.get(option, "")]
    for name, options in TARGETS.items()
    for option in options
    for target in WRONG_TARGETS
]
LINES += [
    ["convert", "game.mossa", each] for each in ["", "folder", "x.xyz", "no/such/x.sgf", LONG]
]
LINES += [
    ["chess"], [""], [LONG], ["--jsno"], ["-v"], ["book"], ["book", "bild"], ["tables"],
    ["tournament"], ["tournament", ""], ["engine"], ["engine", "uci"], ["lab", "bantumi-node"],
    ["show", "connect4", "44", "44"], ["--json", "games"],
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of every kind, to work in."""
    path = tmp_path_factory.mktemp("wrong")
    with contextlib.chdir(path):
        for folder in ("folder", *(f"folder{suffix}" for suffix in set(SUFFIX.values()))):
            Path(folder).mkdir()
        Path(BINARY).write_bytes(bytes(range(256)) * 4)
        Path("game.mossa").write_text("mossa tictactoe\nb2 a1\n")
        Path("suite.toml").write_text(
            'name = "x"\n[[positions]]\ngame = "connect4"\nmoves = "112233"\nbest = ["4"]\n'
        )
        Path("class.csv").write_text("Ada\n")
        Path("bot.py").write_text("def choose(position):\n    return position.moves[0]\n")
        for line in (
            ["course", "create", "school"],
            ["solve", "mnk:4x3x3", "--no-moves", "--certificate", "proof.json"],
            ["book", "build", "connect:4x4x4", "--plies", "2", "--output", "small.book"],
            ["tables", "build", "kalah:2x2", "--seeds", "2", "--output", "small.tables"],
            ["puzzles", "build", "connect:4x4x3", "--count", "1", "--output", "small.puzzles"],
            ["tournament", "run", "cup.db", "a=random", "b=random", "--game", "tictactoe"],
        ):
            good(call(*line))
        assert call("course", "students", "school", "class.csv").returncode == 0
        begin(Path("small.train"), small_plan())
        write_network(Path("small.net"), mossa.game("connect4"))
    return path


def name_of(line: list[str]) -> str:
    return " ".join(ascii(word)[1:-1] if len(word) < 40 else f"{word[:9]}..." for word in line)


def by_command(lines: list[list[str]]) -> dict[str, list[list[str]]]:
    """The lines of each command, and those of none: a test for each line would take longer."""
    found: dict[str, list[list[str]]] = {}
    for line in lines:
        names = (" ".join(line[:words]) for words in (2, 1))
        found.setdefault(next((each for each in names if each in COMMANDS), ""), []).append(line)
    return found


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def fault(line: list[str]) -> str:
    """What is wrong with the answer to a wrong line; nothing if all is well."""
    try:
        said = complaint(call(*line))
    except Exception as error:  # what `complaint` asserts, too: all lines are tried
        return f"{type(error).__name__}: {error}"
    if "Input should be" in said or not said.isprintable() or set(said) & set("╭╮╰╯─│"):
        return said
    return ""


BY_COMMAND = by_command(LINES)


@pytest.mark.parametrize("name", BY_COMMAND, ids=lambda name: name or "no command")
def test_a_wrong_line_gets_one_line(name: str, folder: Path) -> None:
    before = contents(folder)
    with contextlib.chdir(folder):
        faults = [(name_of(line), fault(line)) for line in BY_COMMAND[name]]
    assert not [(line, wrong) for line, wrong in faults if wrong]
    assert contents(folder) == before


def test_there_are_hundreds_of_them() -> None:
    assert set(RIGHT) == set(COMMANDS)
    assert len(LINES) > 500


@pytest.mark.parametrize("name", COMMANDS)
def test_bytes_that_are_no_text(name: str) -> None:
    done: Done = call(*name.split(), os.fsdecode(b"\xff\xfe"))
    assert "is not UTF-8 text" in complaint(done)
