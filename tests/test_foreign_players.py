"""Players of other people: files, entry points and classes."""

from __future__ import annotations

from pathlib import Path

import pytest

import mossa

# --- players of other people ----------------------------------------------------------------------

FILE = """
from dataclasses import dataclass
from mossa import Choice

NUMBER = 3

def first(position):
    return position.moves[0]

class Last:
    name = "last"
    def choose(self, position, limits):
        return Choice(position.moves[-1])

_hidden = first

@dataclass
class Plan:
    move: str

def fourth(position):
    from beside_the_player import CHOSEN
    return Plan(CHOSEN).move
"""


def test_players_from_files(tmp_path: Path) -> None:
    path = tmp_path / "my,odd=name.py"
    path.write_text(FILE)
    (tmp_path / "beside_the_player.py").write_text("CHOSEN = '4'")
    start = mossa.game("connect4").start()
    for name, move in (("first", "1"), ("Last", "7"), ("fourth", "4")):
        player = mossa.player(f"{path}:{name}")
        assert player.name == f"{path}:{name}"
        assert player.choose(start, mossa.Limits()).move == move


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (
            FILE,
            "frist",
            r"no 'frist' in .*: did you mean 'first'\? there are dataclass, Choice, first",
        ),
        (FILE, "NUMBER", "3 is not a player: expected a text, a function, or an object"),
        (
            "1/0",
            "first",
            "cannot load player .*mine.py:1: ZeroDivisionError: division by zero",
        ),
        ("def (", "first", "cannot load player .*: SyntaxError"),
        ("import sys; sys.exit(3)", "first", r"ends with sys.exit\(3\)"),
        (None, "first", "cannot load player .*: there is no file"),
    ],
)
def test_files_without_that_player(
    text: str | None, name: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.py"
    if text is not None:
        path.write_text(text)
    with pytest.raises(mossa.InvalidPlayerError, match=message):
        mossa.player(f"{path}:{name}")


def test_players_from_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "carefree-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: carefree\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(
        "[mossa.players]\ncarefree = carefree_module:first\nbroken = carefree_module:nothing\n"
    )
    (tmp_path / "carefree_module.py").write_text(FILE)
    monkeypatch.syspath_prepend(tmp_path)
    player = mossa.player("carefree")
    assert player.name == "carefree"
    assert player.choose(mossa.game("connect4").start(), mossa.Limits()).move == "1"
    with pytest.raises(mossa.InvalidPlayerError, match="cannot load player 'broken'"):
        mossa.player("broken")
