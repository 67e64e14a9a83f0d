"""Help, versions and arguments that cannot be right, whatever the command."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from command import ENVIRONMENT, call, complaint, good, run

from mossa.cli import COMMANDS


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


def test_mossa_alone_shows_the_help() -> None:
    assert good(run()) == good(run("--help"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["sho"],
            f"unknown command 'sho' of mossa: did you mean 'show'? there are {', '.join(COMMANDS)}",
        ),
        (["book"], "missing command: mossa book needs one of build, study, info, show, check"),
        (["show"], "missing GAME: usage: mossa show GAME [MOVES] [OPTIONS]"),
        (
            ["book", "build", "connect4"],
            "missing --plies N: mossa book build needs it. The most stones on the board.",
        ),
        (
            ["show", "connect4", "--sgv"],
            "unknown option '--sgv' of mossa show: did you mean '--svg'? "
            "there are --board, --svg, --json, --help",
        ),
        (
            ["games", "-json"],
            "unknown option '-json' of mossa games: did you mean '--json'? "
            "there are --json, --help",
        ),
        (["games", "-4"], "unknown option '-4' of mossa games: there are --json, --help"),
        (["games", "--json=1"], "--json of mossa games takes no value"),
        (
            ["analyse", "connect4", "--time"],
            "--time of mossa analyse needs a value: --time SECONDS",
        ),
        (
            ["analyse", "connect4", "--time", "soon"],
            "invalid --time 'soon' of mossa analyse: it must be a number",
        ),
        (
            ["perft", "connect4", "five"],
            "invalid DEPTH 'five' of mossa perft: it must be a whole number from 0 to 10,000",
        ),
        (
            ["perft", "tictactoe", "99999999999", "--divide"],
            "invalid DEPTH '99999999999' of mossa perft: "
            "it must be a whole number from 0 to 10,000",
        ),
        (
            ["tables", "build", "kalah", "--seeds", "0"],
            "invalid --seeds '0' of mossa tables build: it must be a whole number, 1 or more",
        ),
        (
            ["games", "x" * 100],
            f"unexpected argument '{'x' * 60}...' (100 characters): usage: mossa games [OPTIONS]",
        ),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], said: str) -> None:
    """Typer's own answer is a box of several lines."""
    assert complaint(call(*arguments)) == said


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("show connect4 --svg --json", "--svg has no effect with --json: leave out one of them"),
        ("analyse connect4 --top 3 --json", "--top has no effect with --json"),
        ("solve connect4 --file x.txt --time 1", "--time has no effect with --file"),
        ("solve connect4 --file x.txt --no-moves", "--no-moves has no effect with --file"),
        ("solve connect4 --file x.txt --threads 2 --cluster a:1", "--threads has no effect"),
        ("solve connect4 --file x.txt --certificate y.json", "does not go with --file"),
        ("solve connect4 --output x.txt", "--output goes with --file"),
        ("solve connect4 --cluster a:1", "--cluster goes with --file"),
        ("book build connect4 --plies 2 --threads 2 --cluster a:1", "--threads has no effect"),
        ("book build connect4 --plies 100", "invalid plies '100': 1 to 42"),
        (
            "book study connect4 --plies 100 --time 1",
            "invalid plies '100': 1 to 42, the cells of connect:6x7x4",
        ),
        ("book study kalah --plies 2 --time 1 --workers 2 --cluster a:1", "--workers has no eff"),
        ("tables build kalah:2x2 --seeds 9", "invalid --seeds '9': kalah:2x2 has 8 seeds"),
        ("lab --quick", "missing EXPERIMENT"),
        ("lab --csv rows.csv", "missing EXPERIMENT"),
        ("perft connect4 3 --states", "perft needs a DEPTH or --states, not both"),
        ("perft connect4", "perft needs a DEPTH or --states"),
        ("perft connect4 0 --divide", "--divide needs a DEPTH of 1 or more"),
        ("play connect4 --load x.mossa", "--load brings its own game and moves"),
    ],
)
def test_options_that_do_not_go_together_are_refused(arguments: str, said: str) -> None:
    """Each of them once had no effect, or one that nobody expects."""
    assert said in complaint(call(*arguments.split()))
