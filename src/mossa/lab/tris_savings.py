"""The parametric tic-tac-toe report's savings: threads, kept memory, and fewer successors.

The report searches the moves of the root in parallel and gains 20% to 60%; it keeps its memory in a
pool from move to move; and it holds that with 30% of the successors hardly any useful move is lost.
It prints no other figures. Here all three are measured with the player that follows it.
"""

from collections.abc import Iterator, Sequence
from math import ceil, copysign

from mossa.games import game
from mossa.lab import runner
from mossa.lab.tris import GOAL_BOARD, GOAL_GAME, goal_games
from mossa.players.chooser import PLAIN
from mossa.search import Score

_NODES = runner.mean_of("nodes", rounded=True)

# ---------------------------------------------------------------- threads

THREADS = (1, 2, 4)
DEPTH = 8
"""Two more than the report's: at 6 a move takes less time than a thread takes to start."""


def _threads_label(threads: int) -> str:
    return f"{threads} thread{'s' if threads > 1 else ''}"


def _threads_work(settings: runner.Settings) -> Sequence[runner.OneSearch]:
    rules = game(GOAL_GAME)
    positions = settings.runs or (2 if settings.quick else 10)
    depth = 6 if settings.quick else DEPTH
    return [
        runner.OneSearch(
            GOAL_BOARD,
            _threads_label(threads),
            f"tris:depth={depth},threads={threads}",
            rules.name,
            runner.random_moves(rules, 4, number),
            number,
            extra={"threads": threads},
        )
        for number in range(1, positions + 1)
        for threads in THREADS
    ]


def _threads_tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    alone = runner.mean(runner.pick(rows, threads=1), "time_ms")

    def saved(here: Sequence[runner.Row]) -> runner.Cell:
        taken = runner.mean(here, "time_ms")
        return f"{round(100 * (1 - taken / alone))}%" if taken and alone else None

    return [
        runner.table(
            f"{GOAL_BOARD}: a move by threads",
            "",
            ((_threads_label(each), runner.pick(rows, threads=each)) for each in THREADS),
            {
                "searches": len,
                "mean\nms": runner.mean_of("time_ms"),
                "time\nsaved": saved,
                "mean\nnodes": _NODES,
            },
            (
                "The report saves 20% to 60% on two cores with four threads. Its threads divide "
                "the moves of the root; ours share one tree and its table.",
            ),
        )
    ]


def _threads_panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    searches = len(runner.distinct(rows, "repetition"))
    return [
        runner.Panel(
            f"Time of a move, {searches} positions",
            "threads",
            "milliseconds, mean",
            {"tris": runner.means(rows, "time_ms", "threads")},
            lines=True,
            log=False,
            counts=False,
        )
    ]


# ---------------------------------------------------------------- memory

MEMORY = {"kept": "tris", "new for every move": "tris"}


def _memory_work(settings: runner.Settings) -> Sequence[runner.WholeGame]:
    return goal_games(settings, MEMORY, renewed=("new for every move",))


def _memory_tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    return [
        runner.table(
            f"{GOAL_BOARD}: a move with memory kept, or new",
            "memory",
            runner.groups(rows, "variant", MEMORY),
            {
                "games": runner.games_of,
                "moves": len,
                "mean ms\nin all": runner.mean_of("whole_ms"),
                "search\nms": runner.mean_of("time_ms"),
                "mean\nnodes": _NODES,
                "table\nhits": lambda here: round(sum(runner.values(here, "table_hits"))),
            },
            (
                "In all: with the making of the player's memory, which the search's own clock "
                "leaves out. What is kept also holds positions of earlier moves.",
            ),
        )
    ]


def _memory_panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    return [
        runner.by_move(
            f"{GOAL_BOARD}, depth 6, width 10: {runner.games_text(rows)}",
            "milliseconds, mean",
            rows,
            MEMORY,
            "whole_ms",
            counts=False,
        )
    ]


# ---------------------------------------------------------------- successors

SHARES = (10, 20, 30, 50, 80, 100)
BOARDS = {"5x5, 3 in a row": "tris:5x3", "6x6, 4 in a row": "tris:6x4"}
_SUCCESSORS = PLAIN | {
    "depth": "4",
    "evaluate": "sequences",
    "order": "value",
    "near": "0",
    "early": "on",
    "deepen": "off",
}


def _successors_work(settings: runner.Settings) -> Iterator[runner.OneSearch]:
    positions = settings.runs or (4 if settings.quick else 50)
    for board, name in BOARDS.items():
        rules = game(name)
        for number in range(1, positions + 1):
            # From the first move to where half of the board is full.
            plies = number % (len(rules.start().moves) // 2)
            moves = runner.random_moves(rules, plies, number)
            count = len(rules.position(moves).moves)
            for share in SHARES:
                # All moves are asked for without a width: what is found then is exact.
                width = 0 if share == 100 else ceil(count * share / 100)
                yield runner.OneSearch(
                    board,
                    f"{share}%",
                    runner.spec("alphabeta", _SUCCESSORS | {"width": str(width)}),
                    name,
                    moves,
                    number,
                    extra={"share": share},
                )


def _verdict(score: Score | None) -> tuple[float, int | None] | None:
    """A score without whether it is proven: pruning proves nothing."""
    if score is None or score.distance is None:
        return None if score is None else (score.value, None)
    return copysign(score.value != 0, score.value), score.distance


def _agreement(rows: Sequence[runner.Row], share: int) -> tuple[int, int, int]:
    """Count the positions, those with the score of all moves, and those with their best move."""
    whole = {row.moves: row for row in runner.pick(rows, share=100)}
    pairs = [
        (row, whole[row.moves]) for row in runner.pick(rows, share=share) if row.moves in whole
    ]
    scores = sum(_verdict(one.score) == _verdict(other.score) for one, other in pairs)
    return len(pairs), scores, sum(one.move == other.move for one, other in pairs)


def _successors_tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    tables = []
    for board, here in runner.groups(rows, "case", BOARDS):
        lines: list[tuple[runner.Cell, ...]] = []
        for share in SHARES:
            count, scores, moves = _agreement(here, share)
            if count:
                searched = runner.pick(here, share=share)
                lines.append(
                    (
                        f"{share}%",
                        count,
                        f"{round(100 * scores / count)}%",
                        f"{round(100 * moves / count)}%",
                        _NODES(searched),
                        runner.mean(searched, "time_ms"),
                    )
                )
        if lines:
            tables.append(
                runner.Table(
                    f"{board}, depth 4: fewer successors",
                    ("successors", "positions", "same\nscore", "same\nmove", "nodes", "ms"),
                    lines,
                    ("Same: as with all successors. Of equal moves another may be chosen.",),
                )
            )
    return tables


def _successors_panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    same: dict[str, dict[runner.Cell, float]] = {}
    nodes: dict[str, dict[runner.Cell, float]] = {}
    for board in BOARDS:
        here = runner.pick(rows, case=board)
        found = {share: _agreement(here, share) for share in SHARES}
        same[board] = {share: 100 * got[1] / got[0] for share, got in found.items() if got[0]}
        nodes[board] = runner.means(here, "nodes", "share")
    positions = len(runner.distinct(rows, "repetition"))
    return [
        runner.Panel(
            f"Same score as with all successors, {positions} positions",
            "successors searched, %",
            "positions, %",
            same,
            lines=True,
            log=False,
        ),
        runner.Panel("Moves tried", "successors searched, %", "moves, mean", nodes, lines=True),
    ]


# ---------------------------------------------------------------- the experiments

PARALLEL = runner.Experiment(
    "tris-threads",
    "how much time threads save (parametric tic-tac-toe report)",
    _threads_work,
    _threads_tables,
    _threads_panels,
    takes="ten seconds",
    repeatable=False,
)
KEPT = runner.Experiment(
    "tris-memory",
    "what keeping the memory between moves saves (parametric tic-tac-toe report)",
    _memory_work,
    _memory_tables,
    _memory_panels,
    takes="five seconds",
)
SUCCESSORS = runner.Experiment(
    "tris-successors",
    "are 30% of the successors enough? (parametric tic-tac-toe report)",
    lambda settings: list(_successors_work(settings)),
    _successors_tables,
    _successors_panels,
    takes="five seconds",
)
