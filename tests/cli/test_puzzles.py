"""``mossa puzzles``: built, interrupted, checked, shown and solved from the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from command import call, run

import mossa
from mossa.puzzles.build import build_puzzles
from mossa.puzzles.file import PuzzleFile, file_bytes

SMALL = "connect:4x4x3"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> PuzzleFile:
    path = tmp_path_factory.mktemp("puzzles") / "small.puzzles"
    return build_puzzles(mossa.game(SMALL), path, count=3)


def test_a_file_is_built_and_checked(tmp_path: Path) -> None:
    done = run("puzzles", "build", SMALL, "--count", "2", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    path = tmp_path / "connect-4x4x3.puzzles"
    assert done.stdout.startswith(f"{path.name}: {SMALL}, 2 puzzles\n")
    assert f"mossa puzzles build {SMALL} --count 2 --seed 1\n" in done.stdout
    checked = call("puzzles", "check", str(path))
    assert checked.stdout == f"{path}: 2 puzzles, all answers are right\n"
    again = call("puzzles", "build", SMALL, "--count", "2", "--output", str(path))
    assert again.returncode == 2
    assert "is there already: remove it, or choose another name" in again.stderr


def test_json_says_the_same(made: PuzzleFile, tmp_path: Path) -> None:
    target = str(tmp_path / "a.puzzles")
    built = call("puzzles", "build", SMALL, "--count", "3", "--output", target, "--json")
    data = json.loads(built.stdout)
    assert (data["game"], data["puzzles"], data["checksum"]) == (SMALL, 3, made.checksum)
    assert json.loads(call("puzzles", "check", target, "--json").stdout)["wrong"] == 0
    assert json.loads(call("puzzles", "show", target, "--json").stdout)["puzzles"] == 3
    shown = json.loads(call("puzzles", "show", target, "1", "--json").stdout)
    assert shown["rating"] == made.puzzles[0].rating
    assert "line" not in shown
    shown = json.loads(call("puzzles", "show", target, "1", "--json", "--answer").stdout)
    assert shown["line"] == made.puzzles[0].line


def test_a_forged_puzzle_is_refused(made: PuzzleFile, tmp_path: Path) -> None:
    puzzle = made.puzzles[0]
    first = puzzle.steps[0]
    moves = [str(move) for move in puzzle.position.moves]
    other = next(move for move in moves if move != first.move)
    marks = "".join("W" if move == other else "l" for move in moves)
    step = replace(first, move=other, marks=marks, replies=())
    forged = replace(puzzle, steps=(step,), rest=())
    path = tmp_path / "forged.puzzles"
    path.write_bytes(file_bytes(puzzle.game, [forged], command="", made_by=""))
    done = call("puzzles", "check", str(path))
    assert done.returncode == 2
    assert done.stderr.startswith(f"mossa: {str(path)!r}: puzzle 1 is wrong: ")


def test_a_puzzle_is_shown_and_its_answer_only_if_asked_for(made: PuzzleFile) -> None:
    shown = call("puzzles", "show", str(made.path), "1").stdout
    assert f"(rated {made.puzzles[0].rating})" in shown
    assert "the only winning move" not in shown
    assert (
        "the only winning move" in call("puzzles", "show", str(made.path), "1", "--answer").stdout
    )


def test_a_puzzle_is_solved_line_by_line(made: PuzzleFile) -> None:
    puzzle = made.puzzles[0]
    right = [step.move for step in puzzle.steps]
    wrong = next(str(move) for move in puzzle.position.moves if str(move) != right[0])
    done = run("puzzles", "solve", made.path, "1", lines=[*right, "quit"])
    assert "That wins the game." in done.stdout
    assert "1 of 2 puzzles solved on the first try" in done.stdout
    done = run("puzzles", "solve", made.path, "1", lines=["h8", "", wrong, *right, "next"])
    assert "illegal move 'h8'" in done.stdout
    assert f"{wrong} " in done.stdout
    assert "0 of 3 puzzles solved on the first try" in done.stdout  # the lines came to an end
    done = run("puzzles", "solve", made.path, "1", lines=["answer", "quit"])
    assert f"{right[0]}: the only winning move." in done.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("check", "nowhere"), "'nowhere' is neither a file of puzzles nor a game"),
        (("show", "tictactoe"), "no puzzles for mnk:3x3x3; mossa puzzles build tictactoe"),
        (("show", "connect4", "9999"), "there is no puzzle 9999: 1 to "),
        (("show", "connect4", "--answer"), "--answer needs the number of a puzzle"),
        (("build", "breakthrough", "--count", "1", "--output", "x"), "no puzzles for breakthrough"),
        (("build", "connect4", "--output", "no/such/folder"), "there is no such folder"),
        (("build", "connect4", "--records", "nowhere"), "'nowhere'"),
    ],
)
def test_what_cannot_be_done_is_told(
    arguments: tuple[str, ...], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("puzzles", *arguments)
    assert done.returncode == 2
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
