"""``mossa play``: games through pipes, between people and players."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import call, complaint, good, run

import mossa
from mossa.records import read_records

WON = ["4", "3", "4", "3", "4", "3", "4"]  # first wins in the fourth column


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("connect4", "--second", "ugi:/no/such"), "cannot start '/no/such': No such file"),
        (("connect4", "--first", "no_such.py:bot"), "there is no file 'no_such.py'"),
        (("connect4", "--second", "tris"), "tris plays mnk, not connect:6x7x4"),
        (
            ("connect4", "--second", "alphabeta:order=store"),
            "order=store works only for games with stores",
        ),
        (("tris",), "expected tris:SIZExSERIES, for example tris:10x4"),
    ],
)
def test_what_cannot_be_played_is_refused_at_the_start(
    arguments: tuple[str, ...], message: str
) -> None:
    assert message in complaint(call("play", *arguments))


def test_a_bot_that_fails_leaves_the_game_to_the_person(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def bot(position):\n    return 1 // 0\n")
    lines = ["4", "save kept.mossa"]
    done = run("play", "connect4", "--second", "bot.py:bot", lines=lines, folder=tmp_path)
    error = "second (o) crashed: bot.py:2: ZeroDivisionError: integer division or modulo by zero"
    assert (done.returncode, done.stderr) == (2, f"mossa: {error}\n")
    assert error in done.stdout.splitlines()
    assert done.stdout.endswith("game left unfinished; moves: 4\n")
    assert read_records(tmp_path / "kept.mossa")[0].position.history == ["4"]


def test_a_bot_that_takes_its_process_along_leaves_the_game(tmp_path: Path) -> None:
    """It ended mossa without a word. What it prints is shown, also within a line.

    That was so only with PYTHONUNBUFFERED in the environment: Python keeps the beginning of a line.
    """
    (tmp_path / "bot.py").write_text(
        "import os\n"
        "def bot(position):\n"
        "    print('ply', position.ply, end=' ')\n"
        "    return '1' if position.ply < 2 else os._exit(3)\n"
    )
    lines = ["4", "4", "save kept.mossa"]
    done = run("play", "connect4", "--second", "bot.py:bot", lines=lines, folder=tmp_path)
    error = "second (o) crashed: ended with exit code 3; it said 'ply 1 ply 3'"
    assert done.returncode == 2
    assert done.stderr == f"ply 1 ply 3 mossa: {error}\n"
    assert "second (o) plays 1" in done.stdout
    assert read_records(tmp_path / "kept.mossa")[0].position.history == ["4", "1", "4"]


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
    milliseconds = float(answer.partition(" nodes, ")[2].partition(" ms,")[0])
    assert least <= milliseconds / 1000 < most
