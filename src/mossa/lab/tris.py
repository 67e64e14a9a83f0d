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


def _nodes_in(position: str) -> runner.Figure:
    def figure(rows: Sequence[runner.Row]) -> runner.Cell:
        return runner.mean(runner.pick(rows, position=position), "nodes")

    return figure


_VARIANT_FIGURES: dict[str, runner.Figure] = {
    "first\nmove": _nodes_in("first move"),
    "to a\ncorner": _nodes_in("corner"),
    "to the\ncentre": _nodes_in("centre"),
    "mean": runner.mean_of("nodes"),
    "mean\nms": runner.mean_of("time_ms"),
    "searches": len,
}


def _variants_tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    tables = []
    boards = {board.label: board for board in BOARDS}
    left_out = f"Plain minimax is left out: {MINIMAX_10X10:,} moves for the first move alone."
    for label, here in runner.groups(rows, "case", boards):
        board = boards[str(label)]
        tables.append(
            runner.table(
                f"{label}: moves tried, depth 4, width {board.width}",
                "",
                runner.groups(here, "variant", VARIANTS),
                _VARIANT_FIGURES,
                (left_out,) if board.without else (),
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

GOAL_GAME = "tris:10x4"
GOAL_BOARD = "10x10, 4 in a row"
GOAL_MS = 1000.0
"""What the report's final version takes for a move on its machine, about."""
_GOAL = {
    "as the report": "tris",
    "all techniques": f"alphabeta:depth=6,width=10,{_SEARCH},order=value,memory=8",
}


def goal_games(
    settings: runner.Settings, variants: dict[str, str], *, renewed: tuple[str, ...] = ()
) -> Sequence[runner.WholeGame]:
    """Games of these players on the board of the goal."""
    runs = settings.runs or (1 if settings.quick else 10)
    rules = game(GOAL_GAME)
    return [
        runner.WholeGame(
            GOAL_BOARD,
            variants,
            rules.name,
            runner.opening(rules, repetition),
            repetition=repetition,
            plies=6 if settings.quick else None,
            renewed=renewed,
        )
        for repetition in range(1, runs + 1)
    ]


def _goal_work(settings: runner.Settings) -> Sequence[runner.WholeGame]:
    return goal_games(settings, _GOAL)


def _goal_tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    return [
        runner.table(
            f"{GOAL_BOARD}, depth 6, width 10: a move against itself",
            "",
            runner.groups(rows, "variant", _GOAL),
            {
                "games": runner.games_of,
                "moves": len,
                "mean\nms": runner.mean_of("time_ms"),
                "most\nms": runner.most_of("time_ms"),
                "report\nms": lambda _: GOAL_MS,
                "mean\nnodes": runner.mean_of("nodes"),
                "most\nnodes": runner.most_of("nodes", rounded=True),
            },
            (
                "All techniques: also principal variation search, killers, history and deepening, "
                "in the same positions. Every game but the first begins with a random stone.",
            ),
        )
    ]


def _goal_panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    return [
        runner.by_move(
            f"{GOAL_BOARD}, depth 6, width 10: {runner.games_text(rows)}",
            "milliseconds, mean",
            rows,
            _GOAL,
            "time_ms",
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
