"""``mossa match``: a game on show, as JSON, saved, and forfeited."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from command import call, complaint, good, posix, run, start
from programs import bad, programs_of, until

import mossa


def test_a_match_is_shown_with_its_times_and_its_end() -> None:
    output = good(call("match", "alphabeta:depth=4", "random:seed=1", "connect4"))
    lines = output.splitlines()
    assert lines[-1] == "1-0: 4 in a row"
    assert lines[-2].startswith("moves: ")
    assert any(line.startswith("alphabeta:depth=4: ") and "s on average" in line for line in lines)


def test_a_match_as_json_is_a_record() -> None:
    text = good(call("match", "random:seed=1", "random:seed=2", "kalah", "--json", "--moves", "3"))
    data = json.loads(text)
    assert data["moves"][0] == "3"
    assert len(data["times_ms"]) == len(data["moves"])
    assert data["end"]


def test_matches_are_added_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for seed in (1, 2):
        good(call("match", f"random:seed={seed}", "random", "tictactoe", "--save", path))
    assert [record.first for record in mossa.read_records(path)] == [
        "random:seed=1",
        "random:seed=2",
    ]


@posix
def test_a_forfeit_is_a_result_not_an_error() -> None:
    output = good(call("match", bad("crash"), "random", "connect4", "--clock", "5+0.1"))
    assert output.splitlines()[-1].startswith("0-1: first crashed: ended with exit code 1")


def test_the_game_is_named_as_in_tournaments_or_after_the_players() -> None:
    for game in (("connect4",), ("--game", "connect4")):
        data = json.loads(good(call("match", "random:seed=1", "random:seed=2", *game, "--json")))
        assert data["game"] == "connect:6x7x4"


def test_players_of_one_name_have_times_too_and_short_ones_are_not_zero() -> None:
    lines = good(call("match", "random", "random", "--game", "connect4")).splitlines()
    for side in ("first", "second"):
        (line,) = [line for line in lines if line.startswith(f"random ({side}): ")]
        assert " ms on average, " in line
        assert " 0 ms" not in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nobody", "random", "connect4"), "unknown player 'nobody'"),
        (
            ("random", "alphabeta:order=store", "connect4"),
            "order=store works only for games with stores",
        ),
        (("random", "tree", "connect4"), "tree plays mnk, not connect:6x7x4"),
        (("random", "random", "chess"), "unknown game 'chess'"),
        (("random", "random", "connect4", "--clock", "x"), "invalid clock 'x'"),
        (("random", "random", "connect4", "--moves", "9"), "illegal move '9'"),
        (("random", "random"), "a match needs a game: add --game connect4"),
        (("random", "random", "kalah", "--game", "connect4"), "two games, 'kalah' and --game"),
        (("ugi:", "random", "connect4"), "no command: expected a program"),
    ],
)
def test_errors_are_reported_in_one_line(arguments: tuple[str, ...], message: str) -> None:
    assert message in complaint(call("match", *arguments))


@posix
@pytest.mark.parametrize("spec", ["ugi:/no/such/bot", "ugi:python3 no_such.py", "no_such.py:bot"])
def test_a_mistyped_player_is_refused_before_the_first_move(spec: str) -> None:
    assert "does not start: " in complaint(call("match", "random", spec, "connect4"))


def test_a_person_plays_a_match(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    lines = ["9", "4", "4", "4", "4"]
    done = run("match", "human", "random:seed=1", "connect4", "--save", path, lines=lines)
    output = good(done)
    assert "illegal move '9'" in output
    assert output.splitlines()[-1] == "1-0: 4 in a row"
    (record,) = mossa.read_records(path)
    assert (record.first, record.result) == ("human", "1-0")


def test_a_person_leaves_the_output_to_the_record() -> None:
    done = call("match", "random", "human", "tictactoe", "--json", lines=["quit"])
    assert done.returncode == 0
    assert json.loads(done.stdout)["end"] == "second resigned"
    assert "a   b   c" in done.stderr


linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@linux
def test_a_program_that_leaves_its_group_is_ended_with_the_match(tmp_path: Path) -> None:
    tag = f"{tmp_path.name}-daemon"
    good(run("match", f"{bad('daemon')} {tag}", "random:seed=1", "connect4"))
    assert not programs_of(tag)


@linux
def test_an_order_to_end_leaves_no_program_behind(tmp_path: Path) -> None:
    tag = f"{tmp_path.name}-stall"
    match = start("match", f"{bad('stall')} {tag}", "random", "connect4", "--time", "60")
    until(lambda: programs_of(tag), seconds=20)
    match.terminate()
    match.communicate(timeout=20)
    assert match.returncode == 143
    assert not programs_of(tag)
