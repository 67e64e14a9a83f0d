"""``mossa export kaggle``: a player as a submission."""

from __future__ import annotations

import platform
import tarfile
from pathlib import Path

import pytest
from command import call, complaint, good


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_submission_is_written_and_told_of() -> None:
    said = good(call("export", "kaggle", "alphabeta:depth=4"))
    assert said.startswith("submission.tar.gz: alphabeta:depth=4,memory=64, ")
    version = ".".join(platform.python_version_tuple()[:2])
    place = f"{platform.system()} {platform.machine()}"
    assert said.endswith(f" MB, for Python {version} on {place}; elsewhere plain Python plays\n")
    with tarfile.open("submission.tar.gz") as files:
        assert files.getnames()[0] == "main.py"


def test_a_file_is_replaced_by_force_only(here: Path) -> None:
    there = here / "mine.tar.gz"
    there.write_text("mine")
    line = ["export", "kaggle", "random", "--output", "mine.tar.gz"]
    assert complaint(call(*line)) == "mine.tar.gz exists; --force replaces it"
    assert there.read_text() == "mine"
    assert good(call(*line, "--force")).startswith("mine.tar.gz: random, ")


def test_what_cannot_go_there_is_refused(here: Path) -> None:
    assert complaint(call("export", "kaggle", "ugi:./bot")) == (
        "cannot export 'ugi:./bot': it is a program outside of mossa"
    )
    assert list(here.iterdir()) == []
