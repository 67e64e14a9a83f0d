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
    command = [sys.executable, str(PROGRAM), "--minutes", "2", "--students", "6", "--kills", "4"]
    done = subprocess.run(
        [*command, "--sandbox", "off"],
        capture_output=True,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n0 lost\n" in done.stdout
    assert "18 versions taken" in done.stdout
    # There was something to lose.
    assert re.search(r"\b[1-9]\d* games played", done.stdout), done.stdout
