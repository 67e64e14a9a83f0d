"""The steps of CONTRIBUTING, "Add a game", followed on a copy of the tree with a toy game."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from command import posix

ROOT = Path(__file__).parent.parent
TOY = ROOT / "tests" / "toy"
COPIED = ["core", "src", "tests", "CMakeLists.txt", "pyproject.toml", "PACKAGE.md", "LICENSE"]


def test_the_steps_are_those_that_are_followed() -> None:
    """Whoever changes the steps is led here."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    steps = text.split("\n## Add a game\n")[1].split("\n## ")[0]
    assert re.findall(r"^\d\. \*\*([\w ]+)\*\*", steps, re.MULTILINE) == [
        "Rules",
        "One entry",
        "Reference",
        "Facts",
        "Documentation",
    ]


def with_toy(folder: Path) -> None:
    """Copy the tree and add the toy game: two files and one entry."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    shutil.copy(TOY / "clobber.hpp", folder / "core" / "games")
    shutil.copy(TOY / "clobber.py", folder / "tests" / "reference")
    entries = folder / "core" / "games.hpp"
    text = entries.read_text(encoding="utf-8")
    text = text.replace("#include", '#include "games/clobber.hpp"\n#include', 1)
    text = re.sub(r"^(using Families = .*)>;$", r"\1, ClobberFamily>;", text, flags=re.MULTILINE)
    entries.write_text(text, encoding="utf-8")


@posix
@pytest.mark.slow
def test_a_toy_game_is_played_everywhere(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    with_toy(tree)
    build = ["--no-deps", "--no-build-isolation", "-C", "cmake.define.MOSSA_FEW_WORDS=ON"]
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", *build, tree], check=True, cwd=tmp_path
    )
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    (site / "here.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    python, mossa = (str(tmp_path / "venv" / "bin" / name) for name in ("python", "mossa"))
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel], check=True
    )

    def run(*command: str, typed: str = "") -> str:
        done = subprocess.run(command, input=typed, capture_output=True, text=True, cwd=tree)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    # rules, notation, counts, drawings, searches: all laws
    laws = run(python, "-m", "pytest", "-q", "tests/test_laws.py", "-k", "clobber")
    assert re.match(r"[1-9]\d* passed", laws.splitlines()[-1])
    # the terminal: a person who types, against a level
    shown = run(mossa, "play", "clobber:2x2", "--second", "level:3", typed="a1b1\nb1b2\n")
    assert "a1b1" in shown
    assert "cannot move" in shown
    # the arena
    match = json.loads(
        run(mossa, "match", "engine:nodes=500", "mcts:iterations=50", "clobber:4x4", "--json")
    )
    assert match["game"] == "clobber:4x4"
    # the web: the catalogue names it, a game is played by source and target
    assert "played in the browser" in run(python, "-c", IN_THE_BROWSER)
    # and the rest: a solution, an analysis
    assert json.loads(run(mossa, "solve", "clobber:3x3", "--json"))["score"]["exact"]
    analyses = run(mossa, "analyse", "clobber:4x4", "--depth", "2", "--json").splitlines()
    assert json.loads(analyses[-1])["analysis"]


IN_THE_BROWSER = """
from pathlib import Path
from fastapi.testclient import TestClient
from mossa.web.app import create_app
from mossa.web.store import Store
app = create_app(Store(Path("games.sqlite")))
with TestClient(app, base_url="http://127.0.0.1:8000") as client:
    assert any(kind["name"] == "clobber" for kind in client.get("/api/catalogue").json()["kinds"])
    new = {"game": "clobber:2x2", "first": "human", "second": "human"}
    game = client.post("/api/games", json=new).json()
    while not game["position"]["outcome"]:
        move = game["position"]["legal"][0]
        assert move["source"] and move["target"]
        sent = {"move": move["move"], "version": game["version"]}
        game = client.post(f"/api/games/{game['id']}/moves", json=sent).json()
    print("played in the browser:", game["position"]["outcome"]["reason"])
"""
