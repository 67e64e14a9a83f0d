"""Text files that users write, read or refused in one line; files written whole or not at all."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import mossa
from mossa import GameError
from mossa.arena.grade import InvalidSuiteError, read_suite
from mossa.arena.openings import read_openings
from mossa.files import read_text, read_toml, replace_file, replacing_file
from mossa.lab import InvalidExperimentError
from mossa.lab.custom import read_experiment

BROKEN = {
    "not UTF-8": b"a = '\xff\x00'",
    "not TOML": b"a = ",
    "nested too deeply": b"a = " + b"[" * 100_000,
    "a number in it is too long": b"a = " + b"9" * 5000,
}


@pytest.mark.parametrize("words", BROKEN)
def test_what_cannot_be_read_is_refused(tmp_path: Path, words: str) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(BROKEN[words])
    with pytest.raises(GameError, match=words):
        read_toml(path)
    with pytest.raises(InvalidSuiteError, match=words):
        read_suite(path)
    with pytest.raises(InvalidExperimentError, match=words):
        read_experiment(path)


def test_text(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("Größe", encoding="utf-8")
    assert read_text(path) == "Größe"
    path.write_bytes(b"4 4\n\xff\n")
    with pytest.raises(GameError, match=r"openings\.txt: not UTF-8 text; save the file as UTF-8"):
        read_openings(path, [mossa.game("connect4")])


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    replace_file(path, b"before")

    def write_half() -> None:
        with replacing_file(path) as file:
            file.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert path.read_bytes() == b"before"
    assert [each.name for each in tmp_path.iterdir()] == ["file.txt"]


def test_a_file_in_no_folder_is_named_as_it_was_given(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none.file\.txt"):
        replace_file(tmp_path / "none" / "file.txt", b"")


@pytest.mark.skipif(os.name != "posix", reason="pipes with names")
def test_links_stay_links_and_pipes_stay_pipes(tmp_path: Path) -> None:
    """A certificate written to /dev/stdout as root had replaced it by a file."""
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    (tmp_path / "file.txt").write_bytes(b"before")
    link.symlink_to("file.txt")
    replace_file(link, b"after")
    assert link.is_symlink()
    assert (tmp_path / "file.txt").read_bytes() == b"after"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as executor:
        read = executor.submit(pipe.read_bytes)
        replace_file(pipe, b"through")
        assert read.result(10) == b"through"
    assert pipe.is_fifo()
    assert len(list(tmp_path.iterdir())) == 3
