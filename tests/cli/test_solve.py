"""``mossa solve``: a position, or a file of them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from command import Done, call, complaint, good, on_terminal, posix

import mossa
from mossa import Move, Solution, Solver


def test_the_command_prints_the_score_of_every_move() -> None:
    lines = good(call("solve", "connect4", "444444326555", "--memory", "16")).splitlines()
    assert lines[1] == "score +1 in 29"
    assert lines[3].split() == ["5", "+1", "in", "29"]
    assert len([line for line in lines if " in 28" in line]) == 5
    data = json.loads(good(call("solve", "connect4", "444444326555", "--json", "--memory", "16")))
    assert data["score"]["value"] == 1
    assert data["score"]["distance"] == len(data["line"]) == 29
    assert [one["move"] for one in data["analysis"]] == ["1", "2", "3", "5", "6", "7"]


def test_the_command_gives_bounds_when_time_is_up() -> None:
    output = good(call("solve", "connect4", "--book", "none", "--time", "0.1", "--memory", "16"))
    assert output.splitlines()[1].startswith("score -1 in ")
    assert ".." in output


def late_words(count: int) -> list[str]:
    """Random positions of Connect 4 that are solved at once, as their moves."""
    chosen = random.Random(7)
    words: list[str] = []
    while len(words) < count:
        position = mossa.game("connect4").start()
        while position.outcome is None and position.ply < 24:
            position = position.play(chosen.choice(position.moves))
        if position.outcome is None:
            words.append(position.history_text.replace(" ", ""))
    return words


def test_a_file_is_solved_line_by_line_and_gone_on_with(tmp_path: Path) -> None:
    source, target = tmp_path / "positions.txt", tmp_path / "solved.txt"
    words = late_words(40)
    source.write_text("".join(f"{word} 99\n" for word in words))
    solver = mossa.Solver(mossa.game("connect4"), memory=4)
    wanted = []
    for word in words:
        score = solver.solve(mossa.game("connect4").position(word)).proven
        wanted.append(f"{word} {score.value} {score.distance}")
    arguments = ["solve", "connect4", "--file", str(source), "--memory", "4"]
    assert good(call(*arguments)).splitlines() == wanted
    target.write_text("\n".join(wanted[:10]) + "\n" + wanted[10][:5])  # killed while writing
    assert good(call(*arguments, "--output", target)) == ""
    assert target.read_text().splitlines() == wanted
    target.write_text("4 1 1\n")
    assert "line 1: a result of '4'" in complaint(call(*arguments, "--output", target))
    source.write_text("44\n48\n")
    assert "line 2: illegal move '8'" in complaint(call(*arguments))


@posix
def test_a_file_is_solved_behind_a_progress_bar(tmp_path: Path) -> None:
    """The bar failed on every terminal, for want of the name that it begins with."""
    source, target = tmp_path / "positions.txt", tmp_path / "solved.txt"
    source.write_text("".join(f"{word}\n" for word in late_words(3)))
    code, shown = on_terminal("solve", "connect4", "--file", source, "--output", target)
    assert (code, "Traceback" in shown) == (0, False)
    assert "3/3" in shown
    assert len(target.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["connect4", "44", "--file", "x"], "--file brings its own positions"),
        (["connect4", "--output", "x"], "--output goes with --file"),
        (["connect4", "--file", "no-such-file"], "'no-such-file': No such file"),
        (["connect4", "1212121"], "nothing to solve in connect:6x7x4: the game is over"),
        (["connect4", "--memory", "999999999"], "invalid memory '999999999'"),
    ],
)
def test_the_command_refuses(arguments: list[str], message: str) -> None:
    assert message in complaint(call("solve", *arguments))


def stopped(done: Done) -> str:
    """The line that Ctrl-C leaves on standard error."""
    assert done.returncode == 130
    (line,) = done.stderr.splitlines()
    return line


def interrupt(*_: Any, **__: Any) -> Any:
    raise KeyboardInterrupt


def interrupt_after_a_report(solver: Solver, position: Any, _: Any, *, report: Any) -> Solution:
    report(SOLVE(solver, position, mossa.Limits(nodes=1)))
    raise KeyboardInterrupt


def interrupt_after_a_move(
    solver: Solver, *arguments: Any, **options: Any
) -> Iterator[tuple[Move, Any]]:
    yield next(MOVES(solver, *arguments, **options))
    raise KeyboardInterrupt


SOLVE, MOVES = Solver.solve, Solver.moves


def test_ctrl_c_says_what_is_proven(tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    command = ("solve", "mnk:6x5x4", "--memory", "16")
    with patch.object(Solver, "solve", interrupt):
        done = call(*command)
        assert (done.stdout, stopped(done)) == ("", "mossa: stopped: nothing is proven yet")
        line = stopped(call(*command, "--certificate", str(proof)))
        assert line == "mossa: stopped: nothing is proven yet; no certificate was written"
    with patch.object(Solver, "solve", interrupt_after_a_report):
        done = call(*command, "--certificate", str(proof))
        assert "score 0 in 30 .. +1 in 1\n" in done.stdout
        assert "the score is proven to be 0 in 30 .. +1 in 1; " in stopped(done)
        assert stopped(done).endswith("no certificate was written")
        assert json.loads(call(*command, "--json").stdout)["score"]["exact"] is False
    with patch("mossa.cli.solve.write_certificate", interrupt):
        done = call(*command, "--certificate", str(proof))
        assert "score +1 in" in done.stdout
        assert stopped(done) == "mossa: stopped: the score is proven; no certificate was written"
    assert not proof.exists()
    with patch.object(Solver, "moves", interrupt_after_a_move):
        line = stopped(call(*command, "--certificate", str(proof)))
        assert line.endswith(f"proven, and 1 of 30 moves; the certificate is in {proof}")
        assert stopped(call(*command)) == "mossa: stopped: the score is proven, and 1 of 30 moves"
    assert good(call("check-certificate", str(proof))).endswith("score +1 is proven\n")


def test_ctrl_c_says_how_many_positions_of_a_file_are_solved(tmp_path: Path) -> None:
    source, target = tmp_path / "words", tmp_path / "results"
    source.write_text("12\n44\n")
    with patch("mossa.cli.solve.solve_many", interrupt_after_a_solution):
        done = call("solve", "connect:4x4x4", "--file", str(source))
        assert (len(done.stdout.splitlines()), stopped(done)) == (
            1,
            "mossa: stopped: 1 of 2 positions solved",
        )
        line = stopped(
            call("solve", "connect:4x4x4", "--file", str(source), "--output", str(target))
        )
        assert line.endswith(
            f"1 of 2 positions solved and kept in {target}; the same command goes on"
        )
    good(call("solve", "connect:4x4x4", "--file", str(source), "--output", str(target)))
    assert len(target.read_text().splitlines()) == 2


def interrupt_after_a_solution(positions: list[Any], **options: Any) -> Iterator[Solution]:
    yield next(iter(mossa.solve_many(positions, **options)))
    raise KeyboardInterrupt


@pytest.mark.parametrize("broken", ["source", "target"])
def test_files_that_are_not_text_are_refused(tmp_path: Path, broken: str) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_text("12\n")
    (tmp_path / broken).write_bytes(b"12\n\xff\x00\x80\n")
    line = complaint(call("solve", "connect:4x4x4", "--file", str(source), "--output", str(target)))
    assert line.endswith(f"{broken}: not UTF-8 text; save the file as UTF-8")


@pytest.mark.parametrize("line", ["", "{", "{}", "[" * 9999, '{"a":' * 9999, "13 0 4"])
def test_a_file_of_other_results_is_refused(tmp_path: Path, line: str) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_text("12\n")
    target.write_text(f"{line}\n")
    command = ("solve", "connect:4x4x4", "--file", str(source), "--output", str(target))
    assert "target, line 1: " in complaint(call(*command))
