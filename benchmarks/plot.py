"""Draw how far every figure of RESULTS.md is from its goal, as goals.svg.

    python benchmarks/plot.py

A goal is a cell such as ``≥ 1.7 x`` or ``≤ 20 ms``. A goal in x is about the ratio of its row, any
other about our own figure. Of a range such as ``12 to 17.6`` the worse end counts; what stands in
brackets are other runs.
"""

import re
from dataclasses import dataclass
from html import escape
from math import log10
from pathlib import Path

FOLDER = Path(__file__).parent
COLUMNS = ["what", "ours", "peer", "ratio", "goal", "command", "date"]

# The drawing, in pixels.
LABELS, PLOT, NOTES = 350, 360, 90
ROW, HEAD, TOP, BOTTOM = 17, 24, 34, 16
LEFT, RIGHT = 0.01, 100.0  # multiples of the goal at the ends of the axis


@dataclass(frozen=True)
class Row:
    """One row with a goal: figures as multiples of it, where more than 1 is better."""

    area: str
    what: str
    figure: float
    runs: list[float]  # the figure, the rest of its range, and other runs
    missed: bool  # as the table says


def rows(text: str) -> list[Row]:
    """Return the rows of RESULTS.md that have a goal, without those whose goal is zero."""
    found, area = [], ""
    for line in text.splitlines():
        if line.startswith("## "):
            area = line.removeprefix("## ")
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if not line.startswith("| ") or len(cells) != len(COLUMNS):
            continue
        row = dict(zip(COLUMNS, cells, strict=True))
        goal = re.match(r"([≥≤]) ([\d.]+)( x)?", row["goal"])
        if goal is None or float(goal[2]) == 0:
            continue
        own, others = (
            [each / float(goal[2]) if goal[1] == "≥" else float(goal[2]) / each for each in part]
            for part in map(numbers, row["ratio" if goal[3] else "ours"].partition("(")[::2])
        )
        what = row["what"].replace("`", "")
        found.append(Row(area, what, min(own), [*own, *others], "missed" in row["goal"]))
    return found


def numbers(text: str) -> list[float]:
    """Return the figure at the start of a text, or both ends of a range: ``6.5 to 11.3 s``."""
    found = re.match(r"(?:to )?([\d.]+)(?: to ([\d.]+))?", text)
    return [float(each) for each in found.groups() if each] if found else []


def svg(found: list[Row]) -> str:
    """Return the picture."""
    areas = list(dict.fromkeys(row.area for row in found))
    height = TOP + ROW * len(found) + HEAD * len(areas) + BOTTOM
    width = LABELS + PLOT + NOTES
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" font-family="sans-serif" font-size="11.5" fill="#333">',
        "<title>Every figure with a goal, as a multiple of its goal</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#fff"/>',
    ]
    axis = {0.01: "1/100", 0.1: "1/10", 1: "the goal", 10: "10 x", 100: "100 x"}
    for multiple, label in axis.items():
        x, color = at(multiple), "#333" if multiple == 1 else "#ddd"
        parts.append(
            f'<path d="M{x} {TOP - 8}V{height - BOTTOM + 4}" stroke="{color}"/>'
            f'<text x="{x}" y="{TOP - 14}" text-anchor="middle">{label}</text>'
        )
    y = TOP
    for area in areas:
        parts.append(f'<text x="12" y="{y + 16}" font-weight="bold">{escape(area)}</text>')
        y += HEAD
        for row in (each for each in found if each.area == area):
            parts.append(_mark(row, y + ROW // 2))
            y += ROW
    return "\n".join([*parts, "</svg>"]) + "\n"


def _mark(row: Row, y: int) -> str:
    """A label, the runs as a bar, the figure as a dot and as a number."""
    color = "#c62828" if row.missed else "#2e7d32"
    return (
        f'<text x="24" y="{y + 4}">{escape(row.what)}</text>'
        f'<path d="M{at(min(row.runs))} {y}H{at(max(row.runs))}" stroke="{color}"'
        f' stroke-width="5" stroke-opacity="0.3" stroke-linecap="round"/>'
        f'<circle cx="{at(row.figure)}" cy="{y}" r="4" fill="{color}"/>'
        f'<text x="{LABELS + PLOT + 22}" y="{y + 4}" fill="{color}">{row.figure:.2f} x</text>'
    )


def at(multiple: float) -> float:
    """Return where a multiple of the goal is drawn."""
    inside = min(max(multiple, LEFT), RIGHT)
    return round(LABELS + PLOT * (log10(inside) - log10(LEFT)) / (log10(RIGHT) - log10(LEFT)), 1)


if __name__ == "__main__":
    results = (FOLDER / "RESULTS.md").read_text(encoding="utf-8")
    (FOLDER / "goals.svg").write_text(svg(rows(results)), encoding="utf-8")
