"""``mossa convert``: every format to every other, and files that cannot be converted."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest
from command import call, complaint, good, run

import mossa
from mossa.records import Record, read_records, write_records

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


def test_convert_keeps_branches_or_says_how_many_it_leaves_out(tmp_path: Path) -> None:
    """They were dropped without a word."""
    source = tmp_path / "tree.sgf"
    source.write_text("(;GM[4]SZ[15];B[hh](;W[gg];B[ih])(;W[hg]))")
    for suffix in ("mossa", "jsonl", "sgf"):
        target = tmp_path / f"kept.{suffix}"
        assert good(call("convert", source, target)) == f"1 game written to {target}\n"
        assert read_records(target)[0].branches == "h8 g9 (h9) i8"
    target = tmp_path / "lost.psq"
    told = good(call("convert", source, target))
    assert told == f"1 game written to {target}\nleft out: 1 branch\n"
    assert read_records(target)[0].branches is None


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
    assert "it is a folder" in complaint(run("convert", record_file, folder, "--force"))
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("target", "part"),
    [
        ("none/x.jsonl", "there is no such folder"),
        ("game.mossa/x.jsonl", "there is no such folder"),
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
