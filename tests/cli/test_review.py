"""``mossa review``: grades of recorded games."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch

import pytest
from command import call, complaint, good

import mossa
from mossa import Analysis, Grade, Move, Record, Review, review


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    path = tmp_path / "games.mossa"
    records = [
        Record(mossa.game("connect4"), tuple(map(Move, "44336")), first="ann [bold]", second="bob"),
        Record(mossa.game("tictactoe"), (Move("b2"), Move("b1"))),
    ]
    mossa.write_records(path, records)
    return path


def test_review_prints_moves_and_summary(game_file: Path) -> None:
    lines = good(call("review", game_file, "--depth", "8")).splitlines()
    assert lines[0] == "connect:6x7x4: first (x) ann [bold] against second (o) bob, *"
    assert "3??" in lines[5]
    assert [line.split()[0] for line in lines[2:7]] == ["1", "2", "3", "4", "5"]
    assert lines[7].split() == ["best", "moves", *Grade]
    assert lines[10].startswith("mnk:3x3x3: ")
    assert any("b1??" in line for line in lines)


def test_review_json_is_a_line_for_each_game(game_file: Path) -> None:
    lines = good(call("review", game_file, "--depth", "3", "--json")).splitlines()
    assert [json.loads(line)["game"] for line in lines] == ["connect:6x7x4", "mnk:3x3x3"]
    (only,) = good(call("review", game_file, "--game", "2", "--depth", "3", "--json")).splitlines()
    assert json.loads(only)["game"] == "mnk:3x3x3"


def test_a_game_of_moving_pieces_is_reviewed_and_converted(tmp_path: Path) -> None:
    path = tmp_path / "game.mossa"
    path.write_text("mossa breakthrough:4x3\na2b3c4b3 c2b3 a3b2 a1b2\n")
    graded = json.loads(good(call("review", path, "--depth", "20", "--json")))
    assert [each["mark"] for each in graded["review"]] == ["", "", "", "??", "??"]
    assert graded["review"][4]["best_score"]["text"] == "+1 in 1"
    there, back = tmp_path / "game.jsonl", tmp_path / "back.mossa"
    good(call("convert", path, there))
    good(call("convert", there, back))
    assert mossa.read_records(back) == mossa.read_records(path)
    for suffix in ("sgf", "psq"):
        refused = complaint(call("convert", path, tmp_path / f"game.{suffix}"))
        assert "holds mnk games only, not breakthrough:4x3; text and JSONL hold" in refused


def test_review_complains(game_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(game_file.parent)
    assert "does not report scores" in complaint(call("review", game_file, "--player", "random"))
    assert "no-such.mossa" in complaint(call("review", "no-such.mossa"))
    assert "holds 2 games; there is no game 3" in complaint(
        call("review", game_file, "--game", "3")
    )
    Path("bad.mossa").write_text("mossa connect4\n4 4 9\n", encoding="utf-8")
    assert "bad.mossa:2" in complaint(call("review", "bad.mossa"))


def test_ctrl_c_prints_what_is_reviewed(game_file: Path) -> None:
    def review_two(record: Record, **how: object) -> Review:
        def report(analysis: Analysis | None) -> None:
            asked.append(analysis)
            how["report"](analysis)  # type: ignore[operator]
            if len(asked) == 2:
                raise KeyboardInterrupt

        asked: list[Analysis | None] = []
        return review(record, depth=2, report=report)

    with patch("mossa.cli.review.review", review_two):
        done = call("review", game_file)
    assert done.returncode == 130
    assert done.stderr == "mossa: stopped: 2 of 5 moves of this game are reviewed\n"
    lines = done.stdout.splitlines()
    assert not any("mnk:3x3x3" in line for line in lines)


def test_openings_and_what_had_no_time_are_shown_without_grades(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    moves = tuple(map(Move, ["b2", "b1", "a1", "c3"]))
    mossa.write_records(path, [Record(mossa.game("tictactoe"), moves, extra={"opening": 2})])
    lines = [line.split() for line in good(call("review", path, "--depth", "9")).splitlines()]
    assert lines[2] == ["1", "first", "b2", "opening"]
    assert lines[3] == ["2", "second", "b1", "opening"]
    assert lines[4][:3] == ["3", "first", "a1"]
    assert lines[-1][0] == "second"
    assert lines[-1][-1] == "0"
    lines = [line.split() for line in good(call("review", path, "--time", "1e-9")).splitlines()]
    assert lines[4] == ["3", "first", "a1", "not", "graded"]
    assert " ".join(lines[6]) == "not graded for want of time: 3 4"
    data = json.loads(good(call("review", path, "--depth", "9", "--json")))
    assert [move["grade"] for move in data["review"]] == [None, None, "best", "best"]
