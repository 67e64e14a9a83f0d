"""The MNK report's candidate moves: how many there are, of which priority, and what they save.

The report searches only cells next to a stone. Those that win, block a win, make a double threat or
block one (priorities 1 to 4) are critical: if there are any, the best kind alone is searched; else
a fixed number of others. It prints no figures, so this measures what its choices are worth.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mossa._core import Limits
from mossa.evaluations import Priority, candidates
from mossa.games import game
from mossa.lab import runner

GAME = "mnk:7x7x4"
POSITIONS = {
    "first move": "",
    "quiet": "d4 c3",
    "win": "d4 c3 d5 d3 d6 c4",
    "block a win": "d4 c3 d5 d3 d6",
    "double threat": "d4 d5 e4 e5",
    "block a double": "d4 c3 d5",
}
PRIORITIES = {
    Priority.win: "wins",
    Priority.block: "blocks a win",
    Priority.double_threat: "double threat",
    Priority.block_double_threat: "blocks a double threat",
    Priority.other: "other",
}
"""What a candidate does, in the words of the plot; the others are not critical."""

_TREE = "gametree:near=1,evaluate=scenarios"
VARIANTS = {
    "width 4": f"{_TREE},width=4",
    "width 8": f"{_TREE},width=8",
    "any width": f"{_TREE},width=0",
    "width 8, none critical": f"{_TREE},width=8,order=value",
}
HEIGHTS = (1, 3, 5, 7)


@dataclass(frozen=True)
class _Candidates:
    """Counts the candidates of a position, by priority."""

    case: str
    moves: str

    @property
    def label(self) -> str:
        return f"{self.case}, candidates"

    def rows(self, experiment: str) -> Iterator[runner.Row]:
        position = game(GAME).position(self.moves)
        found = [each.priority for each in candidates(position)]
        counts = {f"priority_{each.value}": found.count(each) for each in Priority}
        yield runner.Row(
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


def _work(settings: runner.Settings) -> Sequence[runner.Work]:
    work: list[runner.Work] = [_Candidates(case, moves) for case, moves in POSITIONS.items()]
    for height in HEIGHTS[:3] if settings.quick else HEIGHTS:
        for variant, spec in VARIANTS.items():
            for case, moves in POSITIONS.items():
                for repetition in range(1, (settings.runs or 1) + 1):
                    work.append(
                        runner.OneSearch(
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


def _tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    return [_candidates_table(rows), _heights_table(rows)]


def _candidates_table(rows: Sequence[runner.Row]) -> runner.Table:
    lines: list[tuple[runner.Cell, ...]] = []
    for row in runner.pick(rows, variant="candidates"):
        counts = [row.get(f"priority_{each.value}") or None for each in Priority]
        # At height 1 the moves tried are the candidates that the tree keeps.
        kept = runner.mean(runner.pick(rows, case=row.case, variant="width 8", height=1), "nodes")
        lines.append((row.case, row.get("empty"), row.get("near"), *counts, kept))
    return runner.Table(
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


def _heights_table(rows: Sequence[runner.Row]) -> runner.Table:
    lines: list[tuple[runner.Cell, ...]] = []
    for variant in VARIANTS:
        here = runner.pick(rows, variant=variant)
        if here:
            nodes = [runner.mean(runner.pick(here, height=height), "nodes") for height in HEIGHTS]
            tallest = runner.pick(here, height=max(runner.values(here, "height")))
            lines.append((variant, *nodes, runner.mean(tallest, "time_ms")))
    return runner.Table(
        "Moves tried by the height of the tree, mean of the positions",
        ("", *(f"height\n{height}" for height in HEIGHTS), "ms at the\nlast"),
        lines,
        ("The tree is grown to heights 1, 3, 5 ...; the moves of the lower ones are counted too.",),
    )


def _panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    counted = runner.pick(rows, variant="candidates")
    kinds: dict[str, dict[runner.Cell, float]] = {
        what: {row.case: sum(runner.values([row], f"priority_{each.value}")) for row in counted}
        for each, what in PRIORITIES.items()
    }
    nodes = runner.series(rows, VARIANTS, "nodes", "height")
    return [
        runner.Panel("Candidates by what they do", "", "cells", kinds, stacked=True, log=False),
        runner.Panel("Moves tried, mean of the positions", "height", "moves", nodes, lines=True),
    ]


CANDIDATES = runner.Experiment(
    "tree-candidates",
    "candidate moves by priority, and what they save (MNK report)",
    _work,
    _tables,
    _panels,
    takes="a second",
)
