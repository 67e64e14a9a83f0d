"""``mossa check-certificate``, and ``mossa solve --certificate``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import call, complaint, good


def test_a_certificate_is_written_and_checked(tmp_path: Path) -> None:
    path = str(tmp_path / "win.json")
    assert "score +1 in 7" in good(call("solve", "mnk:4x3x3", "--no-moves", "--certificate", path))
    assert good(call("check-certificate", path)).endswith("x to move: score +1 is proven\n")
    assert json.loads(good(call("check-certificate", path, "--json"))) == {
        "game": "mnk:4x3x3",
        "text": ".../.../.../...",
        "side": "first",
        "score": {"exact": True, "value": 1, "distance": None, "text": "+1"},
    }


@pytest.mark.parametrize(
    ("game", "proven", "data"),
    [
        ("connect:4x4x4", "x to move: score 0 in 16 is proven\n", ("first", 0, 16)),
        ("kalah:3x2", ", board 2,2,2,0/2,2,2,0 first: score +4 is proven\n", ("first", 4, None)),
    ],
)
def test_certificates_of_other_games(
    tmp_path: Path, game: str, proven: str, data: tuple[str, int, int | None]
) -> None:
    path = str(tmp_path / "proof.json")
    good(call("solve", game, "--no-moves", "--certificate", path))
    assert good(call("check-certificate", path)).endswith(proven)
    found = json.loads(good(call("check-certificate", path, "--json")))
    assert (found["side"], found["score"]["value"], found["score"]["distance"]) == data


def test_what_is_not_proven_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "false.json"
    good(call("solve", "mnk:3x3x3", "--no-moves", "--certificate", str(path)))
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:1] + lines[2:]))
    assert "not proven" in complaint(call("check-certificate", str(path)))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("check-certificate", "none/proof.json"), "there is no such file"),
        (("solve", "mnk:3x3x3", "--certificate", "none/proof.json"), "there is no such folder"),
        (("solve", "breakthrough:5x3", "--certificate", "proof.json"), "no certificates of breakt"),
        (("solve", "mnk:3x3x3", "--file", "x", "--certificate", "y"), "does not go with --file"),
        (
            ("solve", "mnk:8x8x5", "--time", "0.05", "--certificate", "proof.json"),
            "the score is not proven yet",
        ),
    ],
)
def test_mistakes_are_told(arguments: tuple[str, ...], words: str) -> None:
    assert words in complaint(call(*arguments))


@pytest.mark.parametrize("content", [b"\xff\x00\x80", b"", b"{}", b"[" * 100_000, b"nonsense"])
def test_files_that_are_no_certificates_are_told_in_a_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "binary.json"
    path.write_bytes(content)
    assert "binary.json: not proven: " in complaint(call("check-certificate", str(path)))
