"""``mossa tournament``: run, resume, status, report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import call, complaint, good, on_terminal, posix

import mossa

TINY = ("a=random", "b=alphabeta:depth=2", "--game", "tictactoe")
MANCALA = ("a=random", "b=random", "--game", "kalah:2x2")
RUN = (*TINY, "--workers", "1")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tournament") / "t.db"
    output = good(call("tournament", "run", path, *RUN, "--rounds", "3"))
    assert output.split()[:3] == ["player", "points", "games"]
    return path


def test_status_and_resume_of_a_finished_one(finished: Path) -> None:
    status = good(call("tournament", "status", finished))
    assert good(call("tournament", "resume", finished)) == status
    data = json.loads(good(call("tournament", "status", finished, "--json")))
    assert data["complete"] and data["done"] == 6
    assert data["plan"]["games"] == ["mnk:3x3x3"]


def test_reports(finished: Path, tmp_path: Path) -> None:
    names = {name: tmp_path / f"report.{name}" for name in ("html", "csv", "moves.csv", "jsonl")}
    output = good(
        call(
            *("tournament", "report", finished, "--html", names["html"], "--csv", names["csv"]),
            *("--moves", names["moves.csv"], "--records", names["jsonl"], "--oracle", "5"),
        )
    )
    assert "kept the value" in output
    assert names["html"].read_text("utf-8").startswith("<!doctype html>")
    assert len(names["csv"].read_text().splitlines()) == 7
    assert "time_ms" in names["moves.csv"].read_text()
    assert len(mossa.read_records(names["jsonl"])) == 6


def test_three_players_have_a_cross_table_and_swiss_rounds(tmp_path: Path) -> None:
    arguments = ("c=random", *RUN, "--format", "swiss", "--rounds", "3", "--scoring", "course-mnk")
    output = good(call("tournament", "run", tmp_path / "t.db", *arguments))
    assert "1 b" in output


def test_a_sequential_test_is_told(tmp_path: Path) -> None:
    arguments = ("--rounds", "500", "--sprt", "0,300", "--normalized")
    output = good(call("tournament", "run", tmp_path / "t.db", *RUN, *arguments))
    assert "H0 is accepted" in output  # a, the random one, is not the stronger


def test_openings_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_text("a1\nb2\n")
    arguments = (*RUN, "--openings", tmp_path / "o.txt", "--rounds", "2", "--json")
    data = json.loads(good(call("tournament", "run", tmp_path / "t.db", *arguments)))
    assert [row["opening"] for row in data["games"]] == ["a1", "a1", "b2", "b2"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("random", "--game", "connect4"), "at least two players"),
        (("random", "random", "--game", "connect4"), "two players are called 'random'"),
        (("random", "random", "--game", "connect4"), "another name, such as 'random2=random'"),
        (("a=random", "a=tree", "--game", "connect4"), "another name, such as 'a2=tree'"),
        (("a=random", "b=random", "--game", "chess"), "unknown game 'chess'"),
        (("a=random", "b=random"), "a tournament needs a game: add --game connect4"),
        (("a=random", "b=random", "kalah"), "write --game kalah instead of kalah"),
        ((*RUN, "--format", "cup"), "unknown format 'cup'"),
        ((*RUN, "--scoring", "cup"), "unknown scoring 'cup'"),
        ((*RUN, "--sprt", "5"), "invalid --sprt '5'"),
        ((*RUN, "--sprt", "5,0"), "elo0 5 must be less than elo1 0"),
        ((*RUN, "--openings", "nowhere.txt"), "nowhere.txt"),
        (("a=ugi:/no/bot", *RUN), "two players are called 'a'"),
        (("c=ugi:/no/bot", *RUN), "player 'c' does not start: cannot start '/no/bot'"),
        ((*TINY, "--cluster", "nowhere"), "no cluster at 'nowhere'"),
        ((*RUN, "--cluster", "c"), "--workers has no effect with --cluster"),
        ((*RUN, "--openings", "o.txt", "--plies", "0"), "--plies has no effect with --openings"),
        ((*RUN, "--openings", "o.txt", "--balanced"), "--balanced has no effect with --openings"),
        ((*RUN, "--normalized"), "--normalized goes with --sprt"),
        (
            (*TINY, "--plies", "9"),
            "no opening of 9 plies for mnk:3x3x3: 100 random games were over",
        ),
        ((*TINY, "--plies", "100"), "no opening of 100 plies for mnk:3x3x3"),
        ((*MANCALA, "--plies", "100"), "no opening of 100 plies for kalah:2x2"),
    ],
)
def test_mistakes_are_told_before_anything_is_played(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    assert message in complaint(call("tournament", "run", tmp_path / "t.db", *arguments))
    assert not list(tmp_path.iterdir())  # the mended command begins anew


def test_resume_refuses_workers_with_a_cluster(finished: Path) -> None:
    done = call("tournament", "resume", finished, "--cluster", "c", "--workers", "2")
    assert "--workers has no effect with --cluster" in complaint(done)


def test_a_file_that_is_no_tournament_is_not_one_to_resume(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    told = complaint(call("tournament", "run", tmp_path / "notes.txt", *RUN))
    assert told.endswith("exists, but is not a tournament file")
    assert (tmp_path / "notes.txt").read_text() == "hello"


def test_the_end_of_a_tournament_warns_of_games_that_repeat(tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_text("a1\n")
    output = good(
        call(
            *("tournament", "run", tmp_path / "t.db", "alphabeta:depth=1", "alphabeta:depth=2"),
            *("--game", "tictactoe", "--openings", tmp_path / "o.txt", "--rounds", "3"),
            *("--workers", "1"),
        )
    )
    assert "4 of 6 games repeat an earlier game, move for move: " in output
    assert "play more openings (--plies, --openings) or fewer rounds." in output


@pytest.mark.parametrize("command", ["resume", "status", "report"])
def test_files_that_are_no_tournaments(command: str, tmp_path: Path) -> None:
    assert "there is no tournament file" in complaint(call("tournament", command, tmp_path / "x"))
    (tmp_path / "text").write_text("x" * 5000)
    assert "is not a tournament file" in complaint(call("tournament", command, tmp_path / "text"))


@posix
def test_progress_is_shown_on_a_terminal(tmp_path: Path) -> None:
    code, shown = on_terminal("tournament", "run", tmp_path / "t.db", *RUN, "--rounds", "30")
    assert code == 0
    assert "/60" in shown
    assert "left" in shown
