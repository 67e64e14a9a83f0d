"""A class at work while its server is killed again and again: nothing that was shown is lost."""

from __future__ import annotations

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
    command = [sys.executable, str(PROGRAM), "--minutes", "1.5", "--students", "20", "--kills", "5"]
    done = subprocess.run(
        [*command, "--sandbox", "off", "--workers", "1"],
        capture_output=True,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 lost" in done.stdout
    assert "60 versions taken" in done.stdout
