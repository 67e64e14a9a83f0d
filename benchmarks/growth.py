"""How the work of the solvers grows with the board, as growth.csv and growth.svg.

    python benchmarks/growth.py [--measure] [--most-seconds 60] [--only TEXT]

With --measure each family of boards is solved from the start by one thread without a book, the
smallest board first, until one takes longer than so many seconds; the rows go to growth.csv. The
picture shows nodes by cells, or by seeds, and the result of each board; a full dot says that others
have published the same result. A result that differs from the published one ends the run.
"""

import argparse
import csv
from dataclasses import astuple, dataclass, fields
from html import escape
from math import log10
from pathlib import Path
from time import perf_counter

FOLDER = Path(__file__).parent
DATA = FOLDER.parent / "tests" / "data"
MEMORY = 8192

FAMILIES = {
    "connect, k = 4": "connect:{}x{}x4",
    "mnk, k = 4": "mnk:{}x{}x4",
    "mnk, k = 5": "mnk:{}x{}x5",
    "kalah": "kalah:{}x{}",
}
COLORS = ("#c62828", "#6a1b9a", "#1565c0", "#2e7d32")
BOARDS = {
    "connect, k = 4": ["4x4", "5x4", "4x5", "5x5", "6x5", "5x6", "6x6", "7x5", "5x7", "7x6", "6x7"],
    "mnk, k = 4": ["4x4", "5x4", "6x4", "7x4", "8x4", "9x4"],
    "mnk, k = 5": ["5x5", "6x5", "6x6", "7x6", "7x7", "8x7", "8x8"],
    "kalah": ["3x3", "4x3", "3x4", "5x3", "4x4", "6x3", "5x4", "4x5", "6x4", "5x5"],
}

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 430, 62, 16, 34, 44


@dataclass(frozen=True)
class Solved:
    """One board: its cells or seeds, what solving it took, and the result in public words."""

    family: str
    board: str
    size: int
    nodes: int
    seconds: float
    score: str
    published: str


def published() -> dict[str, str]:
    """Return results that others have published, by game: W, D, L or a margin."""
    found = {}
    for kind, first, second, value in (
        ("connect", "rows", "cols", "outcome"),
        ("mnk", "m", "n", "value"),
        ("kalah", "pits", "seeds", "first_player_margin"),
    ):
        with (DATA / f"{kind}-values.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["source"] == "computed here" or row.get("empty_capture") == "yes":
                    continue
                tail = f"x{row['k']}" if "k" in row else ""
                result = {"1": "W", "2": "L"}.get(row[value]) if kind == "connect" else None
                found[f"{kind}:{row[first]}x{row[second]}{tail}"] = result or row[value]
    return found


def measure(most: float, only: str) -> list[Solved]:
    """Solve the boards of each family until one takes too long."""
    import mossa
    from mossa import Exact, Limits, Solver

    known, found = published(), []
    for family, form in FAMILIES.items():
        for board in BOARDS[family] if only in family else []:
            start = mossa.game(form.format(*board.split("x"))).start()
            solver = Solver(start.game, memory=MEMORY, book=None, tables=None)
            begin = perf_counter()
            solution = solver.solve(start, Limits(time=4 * most))
            seconds = perf_counter() - begin
            if not isinstance(solution.score, Exact):
                print(f"{start.game}: open after {solution.nodes:,} nodes, {seconds:.1f} s")
                break
            margin = solution.score.distance is None
            value = solution.score.value
            score = str(value) if margin else "DWL"[value]
            expected = known.get(start.game.name, "")
            if expected not in ("", score):
                raise SystemExit(f"{start.game}: {score}, but {expected} is published")
            cells = start.left_to_play
            row = Solved(family, board, cells, solution.nodes, round(seconds, 2), score, expected)
            print(*astuple(row), flush=True)
            found.append(row)
            if seconds > most:
                break
    return found


def svg(rows: list[Solved]) -> str:
    """Return the picture: a line for each family, nodes on a logarithmic scale."""
    sizes, powers = [row.size for row in rows], [log10(row.nodes) for row in rows]
    low, high = min(sizes) - 2, max(sizes) + 3
    top = int(max(powers)) + 1

    def x(size: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (size - low) / (high - low), 1)

    def y(power: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * power / top, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        f' height="{HEIGHT}" font-family="sans-serif" font-size="11" fill="#333">',
        "<title>Nodes to solve a board from the start, and its result</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fff"/>',
    ]
    for power in range(top + 1):
        name = "1" if power == 0 else f"10<tspan dy='-4' font-size='8'>{power}</tspan>"
        parts.append(
            f'<path d="M{LEFT} {y(power)}H{WIDTH - RIGHT}" stroke="#ddd"/>'
            f'<text x="{LEFT - 8}" y="{y(power) + 4}" text-anchor="end">{name}</text>'
        )
    for size in range(-(-low // 5) * 5, high + 1, 5):
        parts.append(
            f'<text x="{x(size)}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{size}</text>'
        )
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 10}">cells of the board, seeds of kalah</text>')
    parts.append('<text x="12" y="20">nodes</text>')
    for number, (family, color) in enumerate(zip(FAMILIES, COLORS, strict=True)):
        own = sorted((row for row in rows if row.family == family), key=lambda row: row.size)
        line = " ".join(f"{x(row.size)},{y(log10(row.nodes))}" for row in own)
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{color}" stroke-opacity="0.35"/>'
            f'<text x="{LEFT + 60 + 150 * number}" y="20" fill="{color}">{escape(family)}</text>'
        )
        parts += [_dot(row, x(row.size), y(log10(row.nodes)), color) for row in own]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _dot(row: Solved, x: float, y: float, color: str) -> str:
    """A board with its result: full if others have published it."""
    fill = color if row.published else "#fff"
    label = f"{row.board} {row.score}"
    return (
        f'<circle cx="{x}" cy="{y}" r="3.5" fill="{fill}" stroke="{color}"/>'
        f'<text x="{x + 6}" y="{y + 4}" font-size="9" fill="{color}">{escape(label)}</text>'
    )


def read() -> list[Solved]:
    """Return the rows of growth.csv."""
    with (FOLDER / "growth.csv").open(encoding="utf-8", newline="") as file:
        return [
            Solved(
                row["family"],
                row["board"],
                int(row["size"]),
                int(row["nodes"]),
                float(row["seconds"]),
                row["score"],
                row["published"],
            )
            for row in csv.DictReader(file)
        ]


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--most-seconds", type=float, default=60)
    parser.add_argument("--only", default="", help="families with this in their name")
    given = parser.parse_args()
    if given.measure:
        new = measure(given.most_seconds, given.only)
        kept = [row for row in read() if given.only not in row.family] if given.only else []
        with (FOLDER / "growth.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([field.name for field in fields(Solved)])
            writer.writerows(astuple(row) for row in [*kept, *new])
    (FOLDER / "growth.svg").write_text(svg(read()), encoding="utf-8")


if __name__ == "__main__":
    main()
