"""Text files that users write: read, or refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

import mossa
from mossa import GameError
from mossa.arena.grade import InvalidSuiteError, read_suite
from mossa.arena.openings import read_openings
from mossa.files import read_text, read_toml
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
