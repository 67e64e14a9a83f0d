"""The parametric tic-tac-toe report: what each technique saves, and the goal of a second a move.

The report switches its techniques on one after the other, on three boards, for the first move and
for the replies to a stone in each corner and in the centre. Its results are plots without figures,
so there is nothing to print beside ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mossa._core import Move
from mossa.games import game
from mossa.lab import runner

_EVALUATION = "evaluate=sequences"
_SEARCH = f"{_EVALUATION},near=0"  # every empty cell is a move, as in the report
_PLAIN = "deepen=off,pvs=off,killers=off,history=off"
# Each one is the one before it and another technique.
VARIANTS = {
    "minimax": f"minimax:depth=4,{_EVALUATION}",
    "alpha-beta": f"alphabeta:depth=4,{_SEARCH},{_PLAIN},table=off,order=none",
    "+ ordering": f"alphabeta:depth=4,{_SEARCH},{_PLAIN},table=off,order=value",
    "+ early stop": f"alphabeta:depth=4,{_SEARCH},{_PLAIN},table=off,order=value,early=on",
    "+ table": f"alphabeta:depth=4,{_SEARCH},{_PLAIN},memory=16,order=value,early=on",
    "+ forward pruning": (
        f"alphabeta:depth=4,{_SEARCH},{_PLAIN},memory=16,order=value,early=on,width={{width}}"
    ),
}


@dataclass(frozen=True)
class _Board:
    """A board of the report, its width of forward pruning and number of runs."""

    game: str
    width: int
    runs: int
    without: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        sizes = game(self.game).sizes
        return f"{sizes['rows']}x{sizes['cols']}, {sizes['k']} in a row"

    @property
    def replies(self) -> dict[str, str]:
        """Where the first stone lies, and what the reply is called."""
        last = game(self.game).sizes["rows"] - 1
        corners = [str(Move.cell(row, col)) for row in (0, last) for col in (0, last)]
        centre = str(Move.cell(last // 2, last // 2))
        return {"": "first move", **dict.fromkeys(corners, "corner"), centre: "centre"}


BOARDS = (
    _Board("tris:5x3", width=20, runs=30),
    _Board("tris:6x4", width=20, runs=30),
    _Board("tris:10x4", width=10, runs=10, without=("minimax",)),
)
MINIMAX_10X10 = 95_089_600
"""Moves minimax would try for the first move of the largest board: every line of up to 4 moves."""


def _variants_work(settings: runner.Settings) -> Sequence[runner.OneSearch]:
    work = []
    for board in BOARDS[:2] if settings.quick else BOARDS:
        runs = settings.runs or (1 if settings.quick else board.runs)
        replies = list(board.replies.items())
        if settings.quick:
            replies = [replies[0], replies[1], replies[-1]]
        for variant, spec in VARIANTS.items():
            if variant in board.without:
                continue
            for moves, what in replies:
                for repetition in range(1, runs + 1):
                    work.append(
                        runner.OneSearch(
                            board.label,
                            variant,
                            spec.format(width=board.width),
                            board.game,
                            moves,
                            repetition,
                            extra={"position": what},
                        )
                    )
    return work


def _variants_tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    tables = []
    for board in BOARDS:
        here = runner.pick(rows, case=board.label)
        lines: list[tuple[runner.Cell, ...]] = []
        for variant in VARIANTS:
            measured = runner.pick(here, variant=variant)
            if not measured:
                continue
            nodes = [
                runner.mean(runner.pick(measured, position=what), "nodes")
                for what in ("first move", "corner", "centre")
            ]
            lines.append(
                (
                    variant,
                    *nodes,
                    runner.mean(measured, "nodes"),
                    runner.mean(measured, "time_ms"),
                    len(measured),
                )
            )
        if lines:
            left_out = (
                f"Plain minimax is left out: {MINIMAX_10X10:,} moves for the first move alone.",
            )
            tables.append(
                runner.Table(
                    f"{board.label}: moves tried, depth 4, width {board.width}",
                    (
                        "",
                        "first\nmove",
                        "to a\ncorner",
                        "to the\ncentre",
                        "mean",
                        "mean\nms",
                        "searches",
                    ),
                    lines,
                    left_out if board.without else (),
                )
            )
    return tables


def _variants_panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    def by_board(column: str) -> dict[str, dict[runner.Cell, float]]:
        found = runner.series(rows, VARIANTS, column, "case")
        return {variant: points for variant, points in found.items() if points}

    return [
        runner.Panel("Moves tried", "", "moves, mean", by_board("nodes")),
        runner.Panel("Time", "", "milliseconds, mean", by_board("time_ms"), counts=False),
    ]


# ---------------------------------------------------------------- the goal

GOAL_MS = 1000.0
"""What the report's final version takes for a move on its machine, about."""
_GOAL = {
    "as the report": "tris",
    "all techniques": f"alphabeta:depth=6,width=10,{_SEARCH},order=value,memory=8",
}


def _goal_work(settings: runner.Settings) -> Sequence[runner.WholeGame]:
    runs = settings.runs or (1 if settings.quick else 10)
    rules = game("tris:10x4")
    return [
        runner.WholeGame(
            "10x10, 4 in a row",
            _GOAL,
            rules.name,
            runner.opening(rules, repetition),
            repetition=repetition,
            plies=6 if settings.quick else None,
        )
        for repetition in range(1, runs + 1)
    ]


def _goal_tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    lines: list[tuple[runner.Cell, ...]] = []
    for variant in _GOAL:
        here = runner.pick(rows, variant=variant)
        if here:
            nodes, times = runner.values(here, "nodes"), runner.values(here, "time_ms")
            lines.append(
                (
                    variant,
                    len(runner.distinct(here, "repetition")),
                    len(here),
                    runner.mean(here, "time_ms"),
                    max(times),
                    GOAL_MS,
                    runner.mean(here, "nodes"),
                    int(max(nodes)),
                )
            )
    return [
        runner.Table(
            "10x10, 4 in a row, depth 6, width 10: a move against itself",
            (
                "",
                "games",
                "moves",
                "mean\nms",
                "most\nms",
                "report\nms",
                "mean\nnodes",
                "most\nnodes",
            ),
            lines,
            (
                "All techniques: also principal variation search, killers, history and deepening, "
                "in the same positions. Every game but the first begins with a random stone.",
            ),
        )
    ]


def _goal_panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    return [
        runner.Panel(
            f"10x10, 4 in a row, depth 6, width 10: {runner.games_text(rows)}",
            "move of the game",
            "milliseconds, mean",
            runner.series(rows, _GOAL, "time_ms", "ply"),
            lines=True,
            counts=False,
            level=("report: about a second", GOAL_MS),
        )
    ]


VARIANTS_EXPERIMENT = runner.Experiment(
    "tris-variants",
    "what each technique saves, on three boards (parametric tic-tac-toe report)",
    _variants_work,
    _variants_tables,
    _variants_panels,
    takes="two minutes",
)
GOAL = runner.Experiment(
    "tris-goal",
    "10x10 with 4 in a row at depth 6: time per move (parametric tic-tac-toe report)",
    _goal_work,
    _goal_tables,
    _goal_panels,
    takes="five seconds",
)
