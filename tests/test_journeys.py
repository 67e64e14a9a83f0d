"""The journeys of the documentation, walked from the first command to the last.

Unlike the commands of other pages these are typed into a shell, in an empty folder. A block below
the name of a file is written to it. Where a compiler is missing, its section is left out.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
from command import posix
from consoles import FENCE, assert_shown, commands_of

ROOT = Path(__file__).parents[1]
JOURNEYS = sorted((ROOT / "docs" / "journeys").glob("*.md"))
FILE = re.compile(r"<!-- ([\w./]+) -->\n\Z")
TOOLS = ("cc", "javac")
SLOW = {"class"}  # many processes, each of which loads the package


def run(command: str, folder: Path) -> str:
    """What a command says, typed into a shell."""
    here = sysconfig.get_path("scripts")
    environment = {
        **{name: value for name, value in os.environ.items() if name != "FORCE_COLOR"},
        "PATH": os.pathsep.join([here, os.environ["PATH"]]),
        "COLUMNS": "80",
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
    )
    return done.stdout


def walk(section: str, folder: Path) -> None:
    """Write the files of a section and run its commands, in their order."""
    folder.mkdir()
    for block in FENCE.finditer(section):
        if named := FILE.search(section, 0, block.start()):
            path = folder / named[1]
            path.parent.mkdir(exist_ok=True)
            path.write_text(block[2], encoding="utf-8")
        for command, shown in commands_of(block[2]):
            if command.startswith("cd "):
                folder = folder / command.removeprefix("cd ")
            else:
                assert_shown(run(command, folder), shown, command)


@posix
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.slow] if page.stem in SLOW else [])
        for page in JOURNEYS
    ],
    ids=lambda page: page.stem,
)
def test_journey(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    # Sections that need a compiler of their own stand for themselves; others go on in one folder.
    sections = re.split(r"^(?=## )", text, flags=re.MULTILINE) if "$ cc " in text else [text]
    left_out = set()
    for number, section in enumerate(sections):
        used = [tool for tool in TOOLS if f"$ {tool} " in section]
        if missing := {tool for tool in used if shutil.which(tool) is None}:
            left_out |= missing
        else:
            walk(section, tmp_path / str(number))
    if left_out:
        pytest.skip(f"left out what needs {', '.join(sorted(left_out))}")


def test_there_are_seven_and_the_index_has_them_all() -> None:
    text = (ROOT / "docs" / "journeys.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[.*?\]\((.*?)\) \| (.+) \|$", text, re.MULTILINE)
    assert len(rows) == 7
    pages = {target for target, _ in rows if target.startswith("journeys/")}
    assert pages == {f"journeys/{page.name}" for page in JOURNEYS}
    for page in JOURNEYS:
        first = page.read_text(encoding="utf-8").split("\n\n")[1]
        assert first.startswith(("You end up with ", "You will ")), page.name
