"""Record files: the right format, nothing illegal gets in, no file is ever lost."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from record_checks import PSQ

import mossa
from mossa.records import (
    InvalidRecordError,
    Record,
    parse_records,
    read_records,
    to_jsonl,
    to_psq,
    to_sgf,
    to_text,
    write_records,
)


def sample(game: str = "mnk:5x5x4", text: str = "c3 b2", **fields: Any) -> Record:
    return Record.from_position(mossa.game(game).position(text), **fields)


@pytest.mark.parametrize("suffix", [".mossa", ".txt", ".jsonl", ".sgf", ".psq", ".SGF"])
def test_the_suffix_chooses_the_format(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"games{suffix}"
    write_records(path, [sample()])
    beginning = {".jsonl": "{", ".sgf": "(;", ".psq": "Piskvorky"}.get(suffix.lower(), "mossa ")
    assert path.read_text().startswith(beginning)
    assert read_records(str(path)) == [sample()]


@pytest.mark.parametrize("form", [to_text, to_jsonl, to_sgf, to_psq])
@pytest.mark.parametrize("name", ["games.txt", "games", "games.log"])
@pytest.mark.parametrize("before", ["", "\ufeff", "\n \n"])
def test_the_content_chooses_where_the_suffix_does_not(
    tmp_path: Path, form: Any, name: str, before: str
) -> None:
    text = before + form([sample()])
    for lines in (text, text.replace("\n", "\r\n"), text.replace("\n", "\r")):
        (tmp_path / name).write_bytes(lines.encode())
        assert read_records(tmp_path / name) == [sample()]
        assert parse_records(lines) == [sample()]


@pytest.mark.parametrize("suffix", [".mossa", ".jsonl", ".sgf"])
def test_appending_keeps_what_is_there(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"games{suffix}"
    one, two, three = (sample(first=name) for name in ("one", "two", "three"))
    write_records(path, [one], append=True)
    write_records(path, [two, three], append=True)
    write_records(path, [], append=True)
    at_once = tmp_path / f"at once{suffix}"
    write_records(at_once, iter([one, two, three]))
    assert path.read_text() == at_once.read_text()
    assert read_records(path) == [one, two, three]
    write_records(path, [two])
    assert read_records(path) == [two]


def test_appending_mends_a_missing_end_of_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(to_jsonl([sample()]).rstrip("\n"))
    write_records(path, [sample()], append=True)
    assert read_records(path) == [sample(), sample()]
    path.write_text(" \n")
    write_records(path, [sample()], append=True)
    assert path.read_text() == to_jsonl([sample()])


def test_appending_where_it_would_spoil_the_file_is_refused(tmp_path: Path) -> None:
    for name, content, reason in (
        ("games.psq", to_psq([sample()]), "PSQ holds one game per file, and"),
        ("games.txt", to_sgf([sample()]), "holds sgf, not text: nothing is added"),
        ("games.sgf", "notes", "begins no known format"),
    ):
        path = tmp_path / name
        path.write_text(content)
        with pytest.raises(InvalidRecordError, match=reason):
            write_records(path, [sample()], append=True)
        assert path.read_text() == content
    with pytest.raises(InvalidRecordError, match="PSQ holds one game per file, not 2"):
        write_records(tmp_path / "two.psq", [sample(), sample()])


def test_nothing_never_replaces_something(tmp_path: Path) -> None:
    path = tmp_path / "games.mossa"
    write_records(path, [sample()])
    with pytest.raises(InvalidRecordError, match="no game to write"):
        write_records(path, [])
    assert read_records(path) == [sample()]


def test_links_and_permissions_survive(tmp_path: Path) -> None:
    path, link = tmp_path / "games.mossa", tmp_path / "link.mossa"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_records(link, [sample()])
    assert link.is_symlink()
    assert read_records(path) == [sample()]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    (tmp_path / "plain").touch()
    write_records(tmp_path / "new.mossa", [sample()])
    assert (tmp_path / "new.mossa").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "games.mossa"
    write_records(path, [sample(first="old")])

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    for append in (False, True):
        with pytest.raises(OSError, match="No space left"):
            write_records(path, [sample(first="new")], append=append)
    assert list(tmp_path.iterdir()) == [path]
    assert read_records(path) == [sample(first="old")]


def run(program: str, path: Path) -> int:
    code = (
        f"import os, resource, sys\npath = {str(path)!r}\n"
        + dedent(program)
        + dedent(
            """
        import mossa
        from mossa.records import Record, write_records
        record = Record(mossa.game("tictactoe"), first="new" * 10_000)
        write_records(path, [record], append=True)
        """
        )
    )
    return subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL).returncode


@pytest.mark.skipif(os.name != "posix", reason="needs signals and limits")
def test_neither_a_full_disk_nor_a_kill_loses_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "games.mossa"
    write_records(path, [sample(first="old")])
    old = path.read_bytes()
    assert run("resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))", path) == 1
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]
    assert run("os.replace = lambda *_: os.kill(os.getpid(), 9)", path) == -signal.SIGKILL
    assert path.read_bytes() == old
    assert run("", path) == 0
    assert path.read_bytes().startswith(old)
    assert len(read_records(path)) == 2


@pytest.mark.parametrize("suffix", [".mossa", ".txt", ".jsonl", ".sgf", ".psq", ".dat"])
@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b"", 1, "empty; a record file holds at least one game"),
        (b"\xef\xbb\xbf\n \r\n", 1, "empty"),
        (b"mossa connect4\n\n4 \xff 4\n", 3, "byte 0xff is not UTF-8"),
        ("mossa connect4\n".encode("utf-16"), 1, "byte 0xff is not UTF-8"),
        (b"mossa connect4\n4\x004\n", 2, "a NUL character"),
    ],
)
def test_files_that_are_no_text_are_refused_whatever_their_name(
    tmp_path: Path, suffix: str, content: bytes, line: int, reason: str
) -> None:
    path = tmp_path / f"games{suffix}"
    path.write_bytes(content)
    with pytest.raises(InvalidRecordError, match=re.escape(f"{path}:{line}: {reason}")):
        read_records(path)


def test_an_error_names_the_file_and_not_its_draft(tmp_path: Path) -> None:
    """It named ".mossa-7c8b1b2ad6a3e0c2.tmp"."""
    path = tmp_path / "no" / "games.jsonl"
    with pytest.raises(FileNotFoundError) as error:
        write_records(path, [mossa.Record.from_position(mossa.game("connect4").start())])
    assert error.value.filename == str(path)
    assert ".tmp" not in str(error.value)


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_records(tmp_path / "none.mossa")


@pytest.mark.parametrize(
    ("form", "text", "reason"),
    [
        ("sgf", "(;" * 100_000, "ends inside a game"),
        ("sgf", "(" * 600_000, "expected ';' after '('"),
        ("sgf", "(;C[" + "\\" * 600_001 + "]", "never closed"),
        ("sgf", "(;C[" + "\\]" * 300_000, "never closed"),
        ("sgf", "(;" + "[" * 600_000, "never closed"),
        ("sgf", "(;" + " " * 600_000 + "5", "unexpected '5'"),
        ("sgf", "(;GM[4]SZ[52]" + "AB[aa:ZZ]" * 20_000 + ")", "already set up"),
        ("text", "mossa connect4\n" + "4" * 600_000, "'4'"),
        ("text", "mossa connect4 " + " " * 600_000 + "=", "not a known key=value"),
        ("text", "mossa connect4 first=" + '"' * 600_000, "a space is missing"),
        ("text", "mossa tictactoe\n" + "a" * 600_000, "aaa"),
        ("jsonl", '{"game": "' + "x" * 600_000 + '", "moves": ""}', "xxx"),
        ("psq", PSQ + "9" * 600_000, "neither a move"),
        ("psq", PSQ + "9 ," * 200_000, "neither a move"),
        ("psq", PSQ + "x\n" * 100_000, "neither a move"),
        (None, "x" * 600_000, "begins no known format"),
    ],
)
def test_huge_nonsense_is_refused_at_once(form: str | None, text: str, reason: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(InvalidRecordError) as caught:
        parse_records(text, form, source="huge")
    assert time.perf_counter() - begin < 5
    assert str(caught.value).startswith("huge:")
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("suffix", "game", "fields", "reason"),
    [
        (
            ".psq",
            "connect4",
            {},
            "PSQ holds mnk games only, not connect:6x7x4; text and JSONL hold every game",
        ),
        (".sgf", "kalah", {}, "SGF holds mnk games only, not kalah:6x4"),
        (
            ".sgf",
            "mnk:53x3x3",
            {},
            "SGF has no letters for mnk:53x3x3: its largest board is 52 x 52",
        ),
        (
            ".psq",
            "tictactoe",
            {"start": "x../.../..."},
            "PSQ holds games from the empty board only",
        ),
        (
            ".psq",
            "tictactoe",
            {"second": "8,8,0"},
            "would read the player's name '8,8,0' as a move",
        ),
        (
            ".pgn",
            "tictactoe",
            {},
            "'games.pgn' names no record format; accepted suffixes: .mossa .txt",
        ),
        ("", "tictactoe", {}, "'games' names no record format"),
    ],
)
def test_what_a_format_cannot_hold_is_not_written(
    tmp_path: Path, suffix: str, game: str, fields: dict[str, str], reason: str
) -> None:
    path = tmp_path / f"games{suffix}"
    path.write_text("old")
    with pytest.raises(InvalidRecordError, match=re.escape(reason)):
        write_records(path, [Record(mossa.game(game), **fields)])  # type: ignore[arg-type]
    assert path.read_text() == "old"


def test_unknown_formats_are_named() -> None:
    with pytest.raises(
        InvalidRecordError, match="unknown format 'pgn'; accepted: text jsonl sgf psq"
    ):
        parse_records("x", "pgn")
