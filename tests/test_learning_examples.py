"""The examples that learn: they learn. Minutes each."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples" / "learning"
NEEDS = {"reinforce.py": ["jax"], "maskable_ppo.py": ["sb3_contrib", "gymnasium"]}


def test_every_example_is_here_and_explained() -> None:
    listed = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    for example in FOLDER.glob("*.py"):
        assert example.name in NEEDS and f"learning/{example.name}" in listed


@pytest.mark.slow
@pytest.mark.parametrize("name", NEEDS)
def test_an_example_learns_to_beat_chance(name: str) -> None:
    for package in NEEDS[name]:
        pytest.importorskip(package, reason=f"needs {package}")
    done = subprocess.run([sys.executable, FOLDER / name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    won = re.search(r"^connect:4x5x3: won (\d+) of 100 games against chance$", done.stdout, re.M)
    assert won and int(won[1]) >= 90, done.stdout
