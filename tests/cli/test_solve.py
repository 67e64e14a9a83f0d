"""``mossa solve``: a position, or a file of them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from command import call, complaint, good, on_terminal, posix

import mossa


def test_the_command_prints_the_score_of_every_move() -> None:
    lines = good(call("solve", "connect4", "444444326555", "--memory", "16")).splitlines()
    assert lines[1] == "score +1 in 29"
    assert lines[3].split() == ["5", "+1", "in", "29"]
    assert len([line for line in lines if " in 28" in line]) == 5
    data = json.loads(good(call("solve", "connect4", "444444326555", "--json", "--memory", "16")))
    assert data["score"]["value"] == 1
    assert data["score"]["distance"] == len(data["line"]) == 29
    assert [one["move"] for one in data["solution"]] == ["1", "2", "3", "5", "6", "7"]


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
