"""Grading: suites, what passes, and the files that a teacher's tools read."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import call, complaint
from programs import bad, bot

from mossa import Move, Position
from mossa.arena.grade import InvalidSuiteError, grade, read_suite, to_data, to_junit

SUITE = """
name = "First week"
time = 5

[[positions]]
name = "win at once"
game = "connect4"
moves = "112233"
best = ["4"]
points = 2

[[positions]]
game = "tictactoe"
moves = "a1"

[[opponents]]
player = "random:seed=1"
game = "tictactoe"
games = 4
score = 0.75
"""


@pytest.fixture
def suite_file(tmp_path: Path) -> Path:
    path = tmp_path / "suite.toml"
    path.write_text(SUITE)
    return path


def test_a_good_player_passes(suite_file: Path) -> None:
    suite = read_suite(suite_file)
    graded = list(grade("alphabeta:depth=9", suite))
    assert [each.passed for each in graded] == [True, True, True]
    assert [each.detail for each in graded][:2] == [
        "played 4, the best move",
        "played b2, which keeps the result",
    ]
    data = to_data("alphabeta", suite, graded)
    assert (data["points"], data["possible"]) == (4, 4)


def test_a_bad_player_fails_and_hears_why(suite_file: Path) -> None:
    suite = read_suite(suite_file)

    def last(position: object) -> str:
        return str(position.moves[-1])  # type: ignore[attr-defined]

    graded = list(grade(last, suite))
    assert [each.passed for each in graded][:2] == [False, False]
    assert graded[0].detail == "played 7; best: 4"
    assert graded[1].detail == "played c3, which turns a draw into a loss"
    xml = ElementTree.fromstring(to_junit("last", suite, graded).encode())
    assert xml.attrib["tests"] == "3"
    assert int(xml.attrib["failures"]) == sum(not each.passed for each in graded)
    [first, *_] = xml.findall("testcase")
    assert first.attrib["name"] == "win at once"
    failure = first.find("failure")
    assert failure is not None and failure.attrib["message"] == "played 7; best: 4"


@pytest.mark.skipif(sys.platform == "win32", reason="external programs are for POSIX")
def test_programs_are_graded(suite_file: Path, tmp_path: Path) -> None:
    done = call(
        "grade", bad("illegal"), "--suite", suite_file, "--junit", tmp_path / "out.xml", "--json"
    )
    assert (done.returncode, done.stderr) == (1, "")
    data = json.loads(done.stdout)
    assert data["passed"] == 0
    assert "illegal move '99'" in data["exercises"][0]["detail"]
    detail = data["exercises"][2]["detail"]
    assert detail.startswith("0 of 4 points; 75% is a pass; 4 games forfeited: the first time it ")
    assert "it made an illegal move: illegal move '99'" in detail
    assert ElementTree.parse(tmp_path / "out.xml").getroot().attrib["failures"] == "3"
    done = call("grade", "ugi:" + " ".join(bot("python")), "--suite", suite_file)
    assert done.returncode in (0, 1)
    assert done.stdout.splitlines()[-1].endswith(" of 3 exercises passed")


@pytest.mark.skipif(sys.platform == "win32", reason="external programs are for POSIX")
@pytest.mark.parametrize("spec", ["ugi:/no/such/bot", "no_such.py:bot"])
def test_a_mistyped_player_is_refused_before_the_first_exercise(
    spec: str, suite_file: Path
) -> None:
    done = call("grade", spec, "--suite", suite_file)
    assert (done.returncode, done.stdout) == (2, "")
    assert "does not start: " in complaint(done)


@pytest.mark.skipif(sys.platform == "win32", reason="external programs are for POSIX")
def test_a_mistyped_opponent_is_a_fault_of_the_suite(suite_file: Path) -> None:
    suite_file.write_text(SUITE.replace("random:seed=1", "ugi:/no/such/bot"))
    with pytest.raises(InvalidSuiteError, match="'ugi:/no/such/bot' does not start: "):
        next(grade("random", read_suite(suite_file)))


def test_people_are_not_graded(suite_file: Path) -> None:
    assert "a person plays in" in complaint(call("grade", "human", "--suite", suite_file))


def test_a_player_of_another_game_fails_only_there(suite_file: Path) -> None:
    graded = list(grade("pojam", read_suite(suite_file)))
    assert [each.passed for each in graded] == [True, False, False]
    assert "pojam plays connect, not mnk:3x3x3" in graded[1].detail


def test_a_position_that_cannot_be_solved_is_told_before_the_player_is_asked(
    suite_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mossa.arena.grade._ORACLE", 0.05)
    suite_file.write_text(SUITE + "[[positions]]\ngame = 'connect:7x8x4'\n")

    def never(position: Position) -> Move:
        raise AssertionError("it was asked")

    with pytest.raises(InvalidSuiteError, match=r"connect:7x8x4: too hard to solve"):
        next(grade(never, read_suite(suite_file)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no [[positions]] and no [[opponents]]"),
        ("=", "not TOML"),
        ("positions = 3", "positions must be tables"),
        ("colour = 1", "unknown key 'colour'"),
        ("time = 'x'", "time is \"'x'\", not a number"),
        ("time = -1", "invalid time '-1'"),
        ("[[positions]]\ngame = 'chess'", "unknown game 'chess'"),
        ("[[positions]]\ngame = 3", "game and moves must be texts"),
        ("[[positions]]\ngame = 'connect4'\nmoves = '8'", "position 1: "),
        ("[[positions]]\ngame = 'connect4'\nbest = ['8']", "best: "),
        ("[[positions]]\ngame = 'connect4'\nbest = []", "best must be a list"),
        ("[[positions]]\ngame = 'connect4'\nmoves = '1212121'", "the game is over"),
        ("[[positions]]\ngame = 'connect4'\npoint = 1", "did you mean 'points'"),
        ("[[positions]]\ngame = 'connect4'\npoints = nan", "points is 'nan', not a number"),
        ("[[positions]]\ngame = 'connect4'\npoints = inf", "points is 'inf', not a number"),
        ("[[positions]]\ngame = 'connect4'\npoints = -1", "invalid points '-1': 0 or more"),
        ("[[opponents]]\ngame = 'connect4'", "player must be a spec"),
        ("[[opponents]]\ngame = 'connect4'\nplayer = 'x'", "unknown player 'x'"),
        ("[[opponents]]\ngame = 'connect4'\nplayer = 'tree'", "tree plays mnk, not connect"),
        ("[[opponents]]\ngame = 'connect4'\nplayer = 'random'\ngames = 3", "an even number"),
        ("[[opponents]]\ngame = 'connect4'\nplayer = 'random'\nscore = 3", "0 to 1"),
    ],
)
def test_suites_that_make_no_sense(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(text)
    with pytest.raises(InvalidSuiteError) as error:
        read_suite(path)
    assert message in str(error.value)
    assert str(path) in str(error.value) or "suite.toml" in str(error.value)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_bytes(b"\xff")
    with pytest.raises(InvalidSuiteError, match="not UTF-8"):
        read_suite(tmp_path / "suite.toml")
