"""A class at work while its server is killed again and again: nothing that was shown is lost."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import posix

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "course.py"


@pytest.mark.slow
@posix
def test_a_class_loses_nothing_when_its_server_is_killed() -> None:
    """For the ten minutes of a real class: python benchmarks/course.py."""
    options = "--minutes 1.5 --students 6 --kills 5 --warm-up 10 --sandbox off"
    done = subprocess.run(
        [sys.executable, str(PROGRAM), *options.split()],
        capture_output=True,
        encoding="utf-8",
        timeout=1200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n0 lost\n" in done.stdout
    assert "18 versions taken" in done.stdout
    # There was something to lose.
    assert re.search(r"\b[1-9]\d* results seen", done.stdout), done.stdout
