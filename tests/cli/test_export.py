"""``mossa export``: a player as a submission, or as a brain."""

from __future__ import annotations

import platform
import tarfile
import zipfile
from pathlib import Path

import pytest
from command import call, complaint, good

VERSION = ".".join(platform.python_version_tuple()[:2])
PLACE = f"for Python {VERSION} on {platform.system()} {platform.machine()}"


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_submission_is_written_and_told_of() -> None:
    said = good(call("export", "kaggle", "alphabeta:depth=4"))
    assert said.startswith("submission.tar.gz: alphabeta:depth=4,memory=64, ")
    assert said.endswith(f" MB, {PLACE}; elsewhere plain Python plays\n")
    with tarfile.open("submission.tar.gz") as files:
        assert files.getnames()[0] == "main.py"


def test_a_brain_is_written_and_told_of() -> None:
    said = good(call("export", "gomocup"))
    assert said.startswith("mossa.zip: engine, ")
    assert said.endswith(f" MB, {PLACE}; pbrain-mossa is the program\n")
    with zipfile.ZipFile("mossa.zip") as files:
        assert files.namelist()[0] == "pbrain-mossa"


@pytest.mark.parametrize("where", ["gomocup", "kaggle"])
def test_a_file_is_replaced_by_force_only(where: str, here: Path) -> None:
    there = here / "mine"
    there.write_text("mine")
    line = ["export", where, "random", "--output", "mine"]
    assert complaint(call(*line)) == "mine exists; --force replaces it"
    assert there.read_text() == "mine"
    assert good(call(*line, "--force")).startswith("mine: random, ")


@pytest.mark.parametrize("where", ["gomocup", "kaggle"])
def test_what_cannot_go_there_is_refused(where: str, here: Path) -> None:
    assert complaint(call("export", where, "ugi:./bot")) == (
        "cannot export 'ugi:./bot': it is a program outside of mossa"
    )
    assert list(here.iterdir()) == []
