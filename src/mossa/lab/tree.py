"""The MNK report's candidate moves: how many there are, of which priority, and what they save.

The report searches only cells next to a stone. Those that win, block a win, make a double threat or
block one (priorities 1 to 4) are critical: if there are any, the best kind alone is searched; else
a fixed number of others. It prints no figures, so this measures what its choices are worth.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mossa._core import Limits, Move, Position
from mossa.games import game
from mossa.lab.engine import (
    Cell,
    Experiment,
    OneSearch,
    Panel,
    Row,
    Settings,
    Table,
    Work,
    mean,
    means,
    pick,
    values,
)

GAME = "mnk:7x7x4"
POSITIONS = {
    "first move": "",
    "quiet": "d4 c3",
    "win": "d4 c3 d5 d3 d6 c4",
    "block a win": "d4 c3 d5 d3 d6",
    "double threat": "d4 d5 e4 e5",
    "block a double": "d4 c3 d5",
}
PRIORITIES = ("wins", "blocks a win", "double threat", "blocks a double threat", "other")
"""What a candidate of priority 1, 2, 3, 4 does; the others are not critical."""

_TREE = "gametree:near=1,evaluate=scenarios"
VARIANTS = {
    "width 4": f"{_TREE},width=4",
    "width 8": f"{_TREE},width=8",
    "any width": f"{_TREE},width=0",
    "width 8, none critical": f"{_TREE},width=8,order=value",
}
HEIGHTS = (1, 3, 5, 7)

# ---------------------------------------------------------------- candidates, as the report says

_Point = tuple[int, int]


def candidates(position: Position) -> dict[Move, int]:
    """Return the cells next to a stone (the middle, before the first), with priorities 1 to 5.

    The core ranks them inside its searches; this says the same in the words of the report.
    """
    rows, cols = position.game.sizes["rows"], position.game.sizes["cols"]
    stones = {
        (row, col): position.cells[row][col] - 1
        for row in range(rows)
        for col in range(cols)
        if position.cells[row][col]
    }
    near = list(stones) or [(rows // 2, cols // 2)]
    found = {}
    for move in position.moves:
        if move.row is None or move.col is None:
            continue
        at = move.row, move.col
        if any(max(abs(at[0] - row), abs(at[1] - col)) <= 1 for row, col in near):
            found[move] = _priority(position, stones, at)
    return found


def _priority(position: Position, stones: dict[_Point, int], at: _Point) -> int:
    me = position.side.value
    (i_win, my_threats), (they_win, their_threats) = (
        _reach(position, stones, at, side) for side in (me, 1 - me)
    )
    kinds = (i_win, they_win, my_threats >= 2, their_threats >= 2, True)
    return kinds.index(True) + 1


def _reach(
    position: Position, stones: dict[_Point, int], at: _Point, side: int
) -> tuple[bool, int]:
    """What a stone of a side on a cell makes: a win, and how many cells that would win next."""
    k = position.game.sizes["k"]
    wins, next_wins = False, set[_Point]()
    for window in _windows(position, at):
        owners = [stones.get(cell) for cell in window if cell != at]
        if owners.count(side) == k - 1:
            wins = True
        elif owners.count(side) == k - 2 and None in owners:
            next_wins.update(cell for cell in window if cell != at and cell not in stones)
    return wins, len(next_wins)


def _windows(position: Position, at: _Point) -> Iterator[list[_Point]]:
    """Every k cells in a row on the board that hold this one."""
    sizes = position.game.sizes
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for back in range(sizes["k"]):
            window = [
                (at[0] + (i - back) * up, at[1] + (i - back) * right) for i in range(sizes["k"])
            ]
            if all(0 <= row < sizes["rows"] and 0 <= col < sizes["cols"] for row, col in window):
                yield window


@dataclass(frozen=True)
class _Candidates:
    """Counts the candidates of a position, by priority."""

    case: str
    moves: str

    @property
    def label(self) -> str:
        return f"{self.case}, candidates"

    def rows(self, experiment: str) -> Iterator[Row]:
        position = game(GAME).position(self.moves)
        found = list(candidates(position).values())
        counts = {f"priority_{i}": found.count(i) for i in range(1, len(PRIORITIES) + 1)}
        yield Row(
            experiment=experiment,
            case=self.case,
            variant="candidates",
            game=position.game.name,
            moves=position.history_text,
            player="",
            repetition=1,
            extra={"empty": len(position.moves), "near": len(found), **counts},
        )


# ---------------------------------------------------------------- the experiment


def _work(settings: Settings) -> Sequence[Work]:
    work: list[Work] = [_Candidates(case, moves) for case, moves in POSITIONS.items()]
    for height in HEIGHTS[:3] if settings.quick else HEIGHTS:
        for variant, spec in VARIANTS.items():
            for case, moves in POSITIONS.items():
                for repetition in range(1, (settings.runs or 1) + 1):
                    work.append(
                        OneSearch(
                            case,
                            variant,
                            spec,
                            GAME,
                            moves,
                            repetition,
                            Limits(depth=height),
                            {"height": height},
                        )
                    )
    return work


def _tables(rows: Sequence[Row]) -> list[Table]:
    return [_candidates_table(rows), _heights_table(rows)]


def _candidates_table(rows: Sequence[Row]) -> Table:
    lines: list[tuple[Cell, ...]] = []
    for row in pick(rows, variant="candidates"):
        counts = [row.get(f"priority_{i}") or None for i in range(1, len(PRIORITIES) + 1)]
        # At height 1 the moves tried are the candidates that the tree keeps.
        kept = mean(pick(rows, case=row.case, variant="width 8", height=1), "nodes")
        lines.append((row.case, row.get("empty"), row.get("near"), *counts, kept))
    return Table(
        "7x7, 4 in a row: candidate moves by priority",
        (
            "position",
            "empty",
            "near",
            "wins",
            "blocks\nwin",
            "double\nthreat",
            "blocks\ndouble",
            "other",
            "searched",
        ),
        lines,
        ("Searched: only the best kind if it is critical, else up to 8.",),
    )


def _heights_table(rows: Sequence[Row]) -> Table:
    lines: list[tuple[Cell, ...]] = []
    for variant in VARIANTS:
        here = pick(rows, variant=variant)
        if here:
            nodes = [mean(pick(here, height=height), "nodes") for height in HEIGHTS]
            tallest = pick(here, height=max(values(here, "height")))
            lines.append((variant, *nodes, mean(tallest, "time_ms")))
    return Table(
        "Moves tried by the height of the tree, mean of the positions",
        ("", *(f"height\n{height}" for height in HEIGHTS), "ms at the\nlast"),
        lines,
        ("The tree is grown to heights 1, 3, 5 ...; the moves of the lower ones are counted too.",),
    )


def _panels(rows: Sequence[Row]) -> list[Panel]:
    counted = pick(rows, variant="candidates")
    kinds: dict[str, dict[Cell, float]] = {
        what: {row.case: sum(values([row], f"priority_{i}")) for row in counted}
        for i, what in enumerate(PRIORITIES, start=1)
    }
    nodes = {each: means(pick(rows, variant=each), "nodes", "height") for each in VARIANTS}
    return [
        Panel("Candidates by what they do", "", "cells", kinds, stacked=True, log=False),
        Panel("Moves tried, mean of the positions", "height", "moves", nodes, lines=True),
    ]


CANDIDATES = Experiment(
    "tree-candidates",
    "candidate moves by priority, and what they save (MNK report)",
    _work,
    _tables,
    _panels,
    takes="a second",
)
