"""The command itself, run as people and programs run it: arguments and pipes in, text out.

`run` starts the installed command, `call` calls what it calls: the same but for the third of a
second that Python needs to start, so it is for the variants of what `run` has shown to work.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import version
from pathlib import Path
from typing import IO
from unittest.mock import patch

import pytest

import mossa
from mossa.cli import app, main
from mossa.games import KINDS, PRESETS
from mossa.records import Record, read_records, write_records
from mossa.render import to_rich

COMMANDS = [
    command.name or command.callback.__name__
    for command in app.registered_commands
    if command.callback
]
WON = ["4", "3", "4", "3", "4", "3", "4"]  # first wins in the fourth column
KALAH_START = "4,4,4,4,4,4,0/4,4,4,4,4,4,0 first"

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")},
    "PYTHONIOENCODING": "utf-8",
    "TERM": "xterm",
}

Done = subprocess.CompletedProcess[str]


def program() -> str:
    """The installed command that belongs to this Python."""
    found = shutil.which("mossa", path=sysconfig.get_path("scripts"))
    assert found, "mossa is not installed: make build"
    return found


def run(
    *arguments: str | bytes | Path, lines: Iterable[str] = (), folder: Path | None = None
) -> Done:
    """Run the command with these lines as its input."""
    return subprocess.run(
        [program(), *arguments],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        cwd=folder,
        timeout=30,
    )


def call(
    *arguments: str | bytes | Path, lines: Iterable[str] = (), encoding: str = "utf-8"
) -> Done:
    """Call the entry point of the command, with streams of its own."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding) for _ in range(2))
    code: object = 0
    with (
        patch.object(sys, "argv", ["mossa", *map(os.fsdecode, arguments)]),
        patch.object(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines))),
        patch.dict(os.environ, ENVIRONMENT, clear=True),
        redirect_stdout(output),
        redirect_stderr(errors),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    assert isinstance(code, int)
    for stream in (output, errors):
        stream.seek(0)
    return Done(arguments, code, output.read(), errors.read())


def good(done: Done) -> str:
    """What the command printed, all being well."""
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def complaint(done: Done) -> str:
    """The one line about something that the user can mend."""
    assert "Traceback" not in done.stderr
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("mossa: ")
    assert len(line) < 500
    return line.removeprefix("mossa: ")


# --- play -----------------------------------------------------------------------------------------


def test_two_people_play_a_game_through_a_pipe() -> None:
    output = good(run("play", "connect4", "--second", "human", lines=WON))
    assert output.startswith("connect:6x7x4: first (x) human against second (o) human\n")
    assert "first (x) wins: 4 in a row" in output
    assert "moves: 4 3 4 3 4 3 4" in output
    assert "unfinished" not in output


@pytest.mark.parametrize("arguments", [[], ["bantumi"]])
def test_a_game_that_nobody_plays_ends_at_once(arguments: list[str]) -> None:
    output = good(call("play", *arguments))
    assert output.startswith(f"{mossa.game(*(arguments or ['connect4'])).name}: ")
    assert output.endswith("game left unfinished; moves: none\n")


def test_bad_moves_are_explained_and_the_game_goes_on() -> None:
    lines = ["9", "four", "4x", "4" * 1_000_000, "4", "", "4"]
    output = good(run("play", "connect4", "--second", "human", lines=lines))
    assert "illegal move '9' in connect:6x7x4 at the start" in output
    assert "invalid move 'four'" in output
    assert "invalid move '4x'" in output
    assert "(1000000 characters)" in output
    assert len(output) < 10_000
    assert output.endswith("game left unfinished; moves: 4 4\n")


def test_undo_hint_and_quit() -> None:
    lines = ["a1", "undo", "a1", "a2", "b1", "b2", "hint", "quit", "c1"]
    output = good(call("play", "tictactoe", "--second", "human", lines=lines))
    assert "hint: play c1: score +1 in 1" in output
    assert output.endswith("game left unfinished; moves: a1 a2 b1 b2\n")


def test_the_computer_answers() -> None:
    output = good(run("play", "connect4", "--second", "alphabeta:depth=4", lines=["4"]))
    (answer,) = [line for line in output.splitlines() if line.startswith("second (o) plays ")]
    assert "score ~" in answer
    assert "depth 4" in answer
    assert "nodes" in answer
    assert "game left unfinished; moves: 4 " in output


@pytest.mark.parametrize("name", ["connect:4x4x3", "tictactoe", "kalah:3x2"])
def test_computers_play_each_other(name: str) -> None:
    players = ["--first", "alphabeta:depth=3", "--second", "random:seed=1"]
    output = good(call("play", name, *players))
    (moves,) = [line for line in output.splitlines() if line.startswith("moves: ")]
    position = mossa.game(name).position(moves.removeprefix("moves: "))
    assert position.outcome is not None
    assert output.count(" plays ") == position.ply


def test_a_game_is_saved_and_loaded(tmp_path: Path) -> None:
    lines = ["4", "4", "save my game.mossa", "quit"]
    output = good(run("play", "connect4", "--second", "human", lines=lines, folder=tmp_path))
    assert "saved to my game.mossa" in output
    (record,) = read_records(tmp_path / "my game.mossa")
    assert record.position == mossa.game("connect4").position("44")
    arguments = ["play", "--load", "my game.mossa", "--second", "human"]
    output = good(run(*arguments, lines=["5", "save my game.mossa"], folder=tmp_path))
    assert "not saved: my game.mossa exists" in output
    assert output.endswith("game left unfinished; moves: 4 4 5\n")
    assert read_records(tmp_path / "my game.mossa") == [record]


def test_a_game_can_begin_after_some_moves() -> None:
    output = good(call("play", "kalah", "--moves", "31", "--second", "human"))
    assert output.endswith("game left unfinished; moves: 3 1\n")


@pytest.mark.parametrize(
    ("player", "least", "most"), [("alphabeta", 0.05, 0.4), ("alphabeta:time=0.02", 0.01, 0.3)]
)
def test_the_time_of_a_move(player: str, least: float, most: float) -> None:
    """--time is for those without a limit of their own, and no more than a limit to the others."""
    arguments = ["play", "connect4", "--moves", "4", "--second", player, "--time", "0.06"]
    output = good(call(*arguments))
    (answer,) = [line for line in output.splitlines() if " plays " in line]
    assert least <= float(answer.partition(" nodes, ")[2].partition(" s,")[0]) < most


# --- show -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("connect4", ""),
        ("connect4", "4453"),
        ("connect4", "4 4 5 3"),
        ("tictactoe", "b2 a1"),
        ("gomoku", "h8h9i8"),
        ("kalah", "31"),
        ("kalah:12x12", ""),  # wider than a terminal, but never cut to pieces
        ("mnk:30x40x5", ""),
    ],
)
def test_show_draws_the_board(name: str, moves: str) -> None:
    drawn = good(call("show", name, moves))
    assert drawn.strip("\n") == to_rich(mossa.game(name).position(moves)).plain.strip("\n")


def test_show_as_a_command() -> None:
    assert good(run("show", "connect4", "4453")) == good(call("show", "connect4", "4453"))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_show_on_an_output_that_has_no_box_characters(encoding: str) -> None:
    output = good(call("show", "connect4", "44", encoding=encoding))
    assert output.isascii()
    assert "x" in output
    assert "o" in output


@pytest.mark.parametrize(
    ("name", "moves"), [("connect4", "4453"), ("gomoku", "h8"), ("kalah", "3")]
)
def test_show_svg(name: str, moves: str) -> None:
    root = ET.fromstring(good(call("show", name, moves, "--svg")))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_show_json() -> None:
    assert json.loads(good(run("show", "connect4", "4453", "--json"))) == {
        "game": "connect:6x7x4",
        "moves": "4 4 5 3",
        "text": "......./......./......./......./...o.../..oxx..",
        "side": "first",
        "legal": ["1", "2", "3", "4", "5", "6", "7"],
        "cells": [[0, 0, 2, 1, 1, 0, 0], [0, 0, 0, 2, 0, 0, 0], *[[0] * 7] * 4],
        "outcome": None,
    }


@pytest.mark.parametrize(
    ("name", "moves", "winner", "value"),
    [
        ("connect4", "4343434", "first", 1),
        ("tictactoe", "a1 b1 a2 b2 c1 b3", "second", -1),
        ("connect:1x2x2", "12", None, 0),
        ("kalah:1x3", "1", "first", 6),
    ],
)
def test_show_json_of_a_finished_game(
    name: str, moves: str, winner: str | None, value: int
) -> None:
    shown = json.loads(good(call("show", name, moves, "--json")))
    assert shown["legal"] == []
    assert (shown["outcome"]["winner"], shown["outcome"]["value"]) == (winner, value)
    assert shown["outcome"]["reason"]


@pytest.mark.parametrize(
    ("name", "moves", "board", "text"),
    [
        ("connect:3x3x3", "", "o../x../xox", "o../x../xox"),
        ("connect:3x3x3", "2 3", ".../.../xo.", ".../.x./xoo"),
        ("connect:3x3x3", "23", ".../.../xo.", ".../.x./xoo"),
        ("kalah", "3 1", KALAH_START, "0,5,1,6,6,5,1/4,4,4,4,4,4,0 second"),
        ("kalah", "31", KALAH_START, "0,5,1,6,6,5,1/4,4,4,4,4,4,0 second"),
    ],
)
def test_show_from_a_board(name: str, moves: str, board: str, text: str) -> None:
    shown = json.loads(good(call("show", name, moves, "--board", board, "--json")))
    assert shown["text"] == text
    assert shown["moves"] == " ".join(moves.replace(" ", ""))


# --- games ----------------------------------------------------------------------------------------


def test_games_lists_every_preset_kind_and_option() -> None:
    words = set(good(run("games")).split())
    assert {*PRESETS, *PRESETS.values()} <= words
    assert {"mnk:ROWSxCOLSxK", "connect:ROWSxCOLSxK", "kalah:PITSxSEEDS"} <= words
    for kind in KINDS.values():
        for option in kind.options:
            assert f"{option.name}={'|'.join(option.values)}" in words


def test_games_json() -> None:
    listed = json.loads(good(call("games", "--json")))
    assert listed["presets"] == PRESETS
    assert [kind["name"] for kind in listed["kinds"]] == list(KINDS)
    for kind in listed["kinds"]:
        sizes = "x".join(str(size["low"]) for size in kind["sizes"])
        options = "".join(f",{o['name']}={o['values'][-1]}" for o in kind["options"])
        assert mossa.game(f"{kind['name']}:{sizes}{options}").kind == kind["name"]


# --- convert --------------------------------------------------------------------------------------

# Each format into each other one, once: every step of this walk is another pair.
WALK = ["mossa", "jsonl", "txt", "sgf", "mossa", "psq", "jsonl", "sgf", "jsonl", "psq"]
WALK += ["sgf", "psq", "mossa"]


def test_the_walk_meets_every_pair_of_formats() -> None:
    formats = [{"txt": "mossa"}.get(suffix, suffix) for suffix in WALK]
    assert len(set(itertools.pairwise(formats))) == len(WALK) - 1 == 4 * 3


def test_convert_between_all_formats(tmp_path: Path) -> None:
    position = mossa.game("gomoku").position("h8 a1 i8 b1 j8 c1 k8 d1 l8")
    assert position.outcome is not None
    source = tmp_path / f"0.{WALK[0]}"
    write_records(source, [Record.from_position(position, first="Ada", second="Bob")])
    for step, suffix in enumerate(WALK[1:], start=1):
        target = tmp_path / f"{step}.{suffix}"
        assert good(call("convert", source, target)) == f"1 game written to {target}\n"
        (record,) = read_records(target)
        assert record.position == position
        assert list(record.moves) == position.history
        assert (record.first, record.second, record.result) == ("Ada", "Bob", "1-0")
        source = target


def test_convert_many_games_of_every_kind(tmp_path: Path) -> None:
    positions = [
        mossa.game("connect4").position("4453"),
        mossa.game("bantumi").position("36"),
        mossa.game("mnk:70x70x10").position("a1 br70"),
    ]
    source, target = tmp_path / "games.mossa", tmp_path / "games.jsonl"
    write_records(source, [Record.from_position(position) for position in positions])
    assert good(run("convert", source, target)) == f"3 games written to {target}\n"
    assert [record.position for record in read_records(target)] == positions


def test_convert_replaces_a_file_only_by_force(tmp_path: Path) -> None:
    source, target = tmp_path / "game.mossa", tmp_path / "game.jsonl"
    write_records(source, [Record.from_position(mossa.game("connect4").position("44"))])
    target.write_text("precious")
    assert "--force" in complaint(call("convert", source, target))
    assert target.read_text() == "precious"
    good(call("convert", source, target, "--force"))
    assert read_records(target) == read_records(source)


# --- perft ----------------------------------------------------------------------------------------


def counts_of(output: str) -> dict[str, int]:
    """The counts of the lines: what was counted, and how many."""
    table = [line.split() for line in output.splitlines()]
    return {row[0]: int(row[1].replace(",", "")) for row in table}


def test_perft_counts_each_depth() -> None:
    expected = {str(depth): 7**depth for depth in range(7)} | {"7": 823_536}
    assert counts_of(good(run("perft", "connect4", "7"))) == expected


def test_perft_from_a_position() -> None:
    position = mossa.game("kalah").position("3")
    output = good(call("perft", "kalah", "3", "--moves", "3"))
    assert counts_of(output) == {str(depth): position.perft(depth) for depth in range(4)}


def test_perft_divides_by_the_first_move() -> None:
    output = counts_of(good(call("perft", "kalah", "4", "--divide")))
    start = mossa.game("kalah").start()
    assert output.pop("total") == start.perft(4) == sum(output.values())
    assert output == {str(move): start.play(move).perft(3) for move in start.moves}


def test_perft_counts_states() -> None:
    assert counts_of(good(call("perft", "tictactoe", "--states"))) == {"states": 5478}


@pytest.mark.parametrize(
    ("arguments", "counts"),
    [
        (["tictactoe", "3"], {"0": 1, "1": 9, "2": 72, "3": 504}),
        (["connect4", "0"], {"0": 1}),
        (["connect:2x2x2", "--states"], {"states": 13}),
        # a1 wins at once at c1, where nothing follows; 4 cells are left after any other move
        (["tictactoe", "2", "--divide", "--moves", "a1 a2 b1 b2"], {"c1": 0, "a3": 4}),
    ],
)
def test_perft_json(arguments: list[str], counts: dict[str, int]) -> None:
    printed = json.loads(good(call("perft", *arguments, "--json")))
    assert printed["game"] == mossa.game(arguments[0]).name
    assert printed["moves"] == ("a1 a2 b1 b2" if "--moves" in arguments else "")
    assert all(row["seconds"] >= 0 for row in printed["counts"])
    found = {row["what"]: row["count"] for row in printed["counts"]}
    assert found | counts == found
    assert len(found) == len(counts) or "--divide" in arguments


# --- bench ----------------------------------------------------------------------------------------


def test_bench_gives_the_same_signature_each_time() -> None:
    one, other = (json.loads(good(run("bench", "--json"))) for _ in range(2))
    assert one["signature"] == other["signature"] > 1_000_000
    assert one["signature"] == sum(row["nodes"] for row in one["work"])
    assert one["seconds"] == pytest.approx(sum(row["seconds"] for row in one["work"]))
    assert [row["work"] for row in one["work"]] == [row["work"] for row in other["work"]]
    assert good(call("bench")).splitlines()[-1] == f"signature {one['signature']}"


# --- help and usage -------------------------------------------------------------------------------


def test_help_names_every_command() -> None:
    output = good(run("--help"))
    for command in COMMANDS:
        assert f" {command} " in output


def test_the_version_is_that_of_the_package() -> None:
    assert good(run("--version")) == f"mossa {version('mossa')}\n"


def test_the_package_is_a_command_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mossa", "show", "conect4"],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=20,
    )
    assert "did you mean 'connect4'?" in complaint(done)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    assert f"mossa {command} [OPTIONS]" in good(call(command, "-h"))


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["chess"], "chess"),
        (["show"], "GAME"),
        (["show", "connect4", "--sgv"], "--svg"),
        (["show", "connect4", "-4"], "-4"),
        (["perft", "connect4"], "DEPTH"),
        (["perft", "connect4", "-1"], "-1"),
        (["perft", "connect4", "five"], "DEPTH"),
        (["perft", "tictactoe", "99999999999", "--divide"], "10000"),
        (["play", "connect4", "--time", "soon"], "--time"),
        (["convert", "game.mossa"], "TARGET"),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], part: str) -> None:
    done = call(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Usage: ")
    assert "mossa" in done.stderr.splitlines()[0]
    assert part.lower() in done.stderr.lower()


# --- input that cannot be right -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["show", "conect4"], ["'conect4'", "did you mean 'connect4'?"]),
        (["show", "connect4", "9"], ["'9'", "1 to 7", "legal: 1 2 3 4 5 6 7"]),
        (["play", "connect4", "--first", "alphbeta"], ["did you mean 'alphabeta'?"]),
        (["play", "connect4", "--time", "nan"], ["time=nan", "0 or more"]),
        (["convert", "none.mossa", "x.jsonl"], ["none.mossa", "No such file"]),
        pytest.param(["show", "connect4", "4" * 100_000], ["column 4 is full"], id="many-moves"),
        pytest.param(["show", "gomoku", "a" * 100_000], ["(100000 characters)"], id="long-move"),
        pytest.param(["show", "connect4", b"\xff4"], [], id="moves-that-are-no-text"),
    ],
)
def test_bad_input_gets_one_line_and_no_traceback(
    arguments: list[str | bytes], parts: list[str], tmp_path: Path
) -> None:
    line = complaint(run(*arguments, folder=tmp_path))
    for part in parts:
        assert part in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        # games
        (["show", ""], ["''", "connect4"]),
        (["show", "connect:0x7x4"], ["'connect:0x7x4'", "rows must be 1 to 100"]),
        (["show", "mnk:3x3x9"], ["'mnk:3x3x9'", "k"]),
        (["show", "kalah:6"], ["'kalah:6'", "kalah:PITSxSEEDS"]),
        (["show", "connect:6x7x4,swap=yes"], ["'swap'", "no options"]),
        (["show", "conn\nect4"], [r"'conn\nect4'"]),
        pytest.param(["show", "connect4" * 10_000], ["(80000 characters)"], id="long-name"),
        pytest.param(["show", b"\xff"], [], id="name-that-is-no-text"),
        # moves and boards
        (["show", "connect4", "4444444"], ["column 4 is full", "legal: 1 2 3 5 6 7"]),
        (["show", "connect4", "41414141"], ["'1'", "the game is over", "first wins"]),
        (["show", "connect4", "44!"], ["'!'"]),
        (["show", "connect4", "4\N{BEL}4"], [r"\x07"]),
        (["show", "tictactoe", "d1"], ["'d1'"]),
        (["show", "connect4", "--board", "xyz"], ["'xyz'", "6 rows of 7"]),
        (["show", "connect4", "9", "--board", "/".join(["......."] * 6)], ["'9'"]),
        (["perft", "connect4", "3", "--moves", "9"], ["'9'"]),
        (["play", "connect4", "--moves", "4 x"], ["'x'"]),
        pytest.param(["show", "connect4", "--board", b"\xff"], [], id="board-that-is-no-text"),
        # players and limits
        (["play", "connect4", "--second", "chess"], ["'chess'", "human", "random", "alphabeta"]),
        (["play", "connect4", "--first", "alphabeta:dept=3"], ["did you mean 'depth'?"]),
        (["play", "connect4", "--first", "alphabeta:depth=-1"], ["'depth'", "'-1'", "1 to 10000"]),
        (["play", "connect4", "--first", "alphabeta:time=nan"], ["'time'", "'nan'"]),
        (["play", "connect4", "--first", f"alphabeta:depth={10**30}"], ["1 to 10000"]),
        (["play", "connect4", "--first", f"alphabeta:nodes={10**30}"], ["nodes"]),
        (["play", "connect4", "--time", "-1"], ["time=-1", "0 or more"]),
        # files
        (["play", "--load", "none.mossa"], ["none.mossa", "No such file"]),
        (["convert", "no\nne.mossa", "x.jsonl"], ["ne.mossa", "No such file"]),
    ],
)
def test_more_bad_input(arguments: list[str | bytes], parts: list[str]) -> None:
    line = complaint(call(*arguments))
    for part in parts:
        assert part in line


@pytest.fixture
def record_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record in the working directory, and nothing else in there."""
    monkeypatch.chdir(tmp_path)
    path = Path("game.mossa")
    write_records(path, [Record.from_position(mossa.game("connect4").position("44"))])
    return path


def test_a_folder_is_no_file(record_file: Path) -> None:
    folder = Path("folder.jsonl")
    folder.mkdir()
    assert "folder.jsonl" in complaint(call("convert", folder, "x.jsonl"))
    assert "folder.jsonl" in complaint(call("play", "--load", folder))
    assert "folder.jsonl" in complaint(call("convert", record_file, folder))
    assert "directory" in complaint(run("convert", record_file, folder, "--force"))
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("target", "part"),
    [
        ("none/x.jsonl", "No such file"),
        ("game.mossa/x.jsonl", "Not a directory"),
        ("x.docx", ".jsonl"),
        ("x", ".jsonl"),
        ("x.sgf", "mnk"),
        (f"{'x' * 300}.jsonl", "name too long"),
    ],
)
def test_a_target_that_cannot_be_written(target: str, part: str, record_file: Path) -> None:
    assert part in complaint(call("convert", record_file, target))
    assert list(Path().iterdir()) == [record_file]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root"
)
def test_a_folder_that_may_not_be_written(record_file: Path) -> None:
    folder = Path("locked")
    folder.mkdir(mode=0o500)
    assert "Permission denied" in complaint(call("convert", record_file, folder / "x.jsonl"))


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "empty"),
        (b"mossa connect4\n9\n", ":2: "),
        (b"mossa chess\n1\n", ":1: "),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"hello", "hello"),
    ],
)
def test_a_file_that_holds_no_game(content: bytes, part: str, record_file: Path) -> None:
    record_file.write_bytes(content)
    for done in (call("convert", record_file, "x.jsonl"), call("play", "--load", record_file)):
        line = complaint(done)
        assert "game.mossa:" in line
        assert part in line


# --- pipes and signals ----------------------------------------------------------------------------

posix = pytest.mark.skipif(os.name != "posix", reason="pipes and signals are those of POSIX")


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [program(), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=ENVIRONMENT,
        # Ctrl-C may be ignored where the tests run; the command is to hear it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def read_until(stream: IO[str] | None, text: str) -> None:
    assert stream is not None
    for line in stream:
        if text in line:
            return
    pytest.fail(f"no {text!r} in the output")


@posix
@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "mnk:100x100x5", "--svg"],
        ["perft", "connect4", "8"],
        ["play", "connect4", "--first", "alphabeta:depth=5", "--second", "alphabeta:depth=5"],
    ],
)
def test_a_reader_that_leaves_gets_no_traceback(arguments: list[str]) -> None:
    """As in mossa ... | head -1."""
    process = start(*arguments)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == ""
    assert process.wait(timeout=20) in (0, 1)


@posix
@pytest.mark.parametrize("arguments", [["games", "--json"], ["show", "connect4"]])
def test_a_reader_that_never_was_gets_no_traceback(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as output:
        done = subprocess.run(
            [program(), *arguments],
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
            timeout=20,
        )
    assert done.stderr == ""
    assert done.returncode in (0, 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
def test_a_full_disk_gets_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [program(), "show", "connect4"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT,
            timeout=20,
        )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("mossa: ")


@posix
@pytest.mark.parametrize("stream", [0, 1])
@pytest.mark.parametrize(
    "arguments", [["play", "connect4", "--second", "human"], ["show", "kalah"]]
)
def test_a_stream_that_is_closed_gets_no_traceback(arguments: list[str], stream: int) -> None:
    """As in mossa ... <&- : there is nothing to read, or nowhere to write."""
    done = subprocess.run(
        [program(), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=20,
        preexec_fn=lambda: os.close(stream),
    )
    assert done.stderr == ""
    assert done.returncode == 0


@posix
@pytest.mark.parametrize(
    ("arguments", "sign", "code", "words"),
    [
        (["perft", "connect4", "30"], " 49 ", 130, ""),
        (["perft", "mnk:100x100x5", "30"], " 10,000 ", 130, ""),
        (["play", "connect4", "--first", "alphabeta:time=60"], "first (x)  ", 0, "unfinished"),
        (["play", "mnk:99x99x5", "--first", "alphabeta:depth=9"], "first (x)  ", 0, "unfinished"),
    ],
)
def test_ctrl_c_ends_long_work(arguments: list[str], sign: str, code: int, words: str) -> None:
    process = start(*arguments)
    try:
        read_until(process.stdout, sign)
        time.sleep(0.3)  # the work after what was printed has begun
        assert process.poll() is None
        begin = time.perf_counter()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=10)
        assert time.perf_counter() - begin < 2
    finally:
        process.kill()
    assert errors == ""
    assert process.returncode == code
    assert words in output
