"""The figures in benchmarks/RESULTS.md: goals are judged as the numbers say, and drawn."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
RESULTS = (FOLDER / "RESULTS.md").read_text(encoding="utf-8")
plot: dict[str, Any] = runpy.run_path(str(FOLDER / "plot.py"))


def table(*rows: str) -> str:
    return "## Area\n\n" + "\n".join(f"| what | {row} | `command` | 2026-01-01 |" for row in rows)


@pytest.mark.parametrize(
    ("cells", "figure", "runs"),
    [
        ("3 s | - | - | ≤ 6 s", 2, [2]),
        ("12 to 18 M/s | - | - | ≥ 24 M/s: **missed**", 0.5, [0.5, 0.75]),
        ("4 to 8 s | - | - | ≤ 4 s: **missed**", 0.5, [1, 0.5]),
        ("9.0 s (4.5 to 18) | - | - | ≤ 9 s", 1, [1, 2, 0.5]),
        ("7 s | theirs | 5 x (to 10) | ≥ 5 x", 1, [1, 2]),
    ],
)
def test_a_figure_is_a_multiple_of_its_goal(cells: str, figure: float, runs: list[float]) -> None:
    (row,) = plot["rows"](table(cells))
    assert (row.area, row.what, row.figure, row.runs) == ("Area", "what", figure, runs)
    assert row.missed == (figure < 1)


def test_rows_without_a_goal_are_not_drawn() -> None:
    assert plot["rows"](table("3 s | - | - | -", "0 of 20 | - | - | ≤ 0")) == []


def test_goals_that_are_missed_are_called_missed() -> None:
    rows = plot["rows"](RESULTS)
    assert len(rows) == len(re.findall(r"\| [≥≤] (?!0 )", RESULTS))
    for row in rows:
        assert row.missed == (row.figure < 1), f"{row.area}: {row.what}"


def test_the_picture_shows_the_tables() -> None:
    drawn = (FOLDER / "goals.svg").read_text(encoding="utf-8")
    assert drawn == plot["svg"](plot["rows"](RESULTS)), "run python benchmarks/plot.py"


def test_every_figure_is_in_the_archive() -> None:
    """The short tables claim nothing that was not measured."""
    archive = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("archive/*.md"))
    measured = set(re.findall(r"\d[\d.,]*\d|\d", archive))
    for line in RESULTS.splitlines():
        if re.search(r"\| \d{4}-\d\d-\d\d \|$", line):
            shown = " ".join(line.split(" | ")[1:4])  # ours, peer, ratio
            assert set(re.findall(r"\d[\d.,]*\d|\d", shown)) <= measured, line
