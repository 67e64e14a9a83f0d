"""The Makefile: set-up and build show how far they are."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from command import posix

ROOT = Path(__file__).parents[1]
SAID = """Collecting ninja>=1.5 (from mossa)
  Downloading ninja.whl
  Running command Building editable for mossa
  [1/2] Building CXX object CMakeFiles/_core.dir/core/handles.cpp.o
  [2/2] Linking CXX shared module _core.so
Successfully installed mossa
"""

pytestmark = [
    posix,
    pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed"),
]


def show(code: int, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Have the Makefile show the progress of a command that says what pip says."""
    (tmp_path / "said").write_text(SAID)
    target = f"try:\n\t@$(BIN)/python -c \"$$PROGRESS\" sh -c 'cat {tmp_path}/said; exit {code}'\n"
    return subprocess.run(
        ["make", "-s", "-f", "Makefile", "-f", "-", "try"],
        input=target,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


def test_a_build_shows_how_far_it_is(tmp_path: Path) -> None:
    """It was silent for three minutes."""
    done = show(0, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "  fetching ninja",
        "  [1/2] handles.cpp",
        "  [2/2] _core.so",
    ]


def test_a_build_that_fails_says_all_it_knows(tmp_path: Path) -> None:
    done = show(1, tmp_path)
    assert done.returncode == 2
    assert SAID in done.stderr
