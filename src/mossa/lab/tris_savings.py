"""The parametric tic-tac-toe report's savings: threads, kept memory, and fewer successors.

The report searches the moves of the root in parallel and gains 20% to 60%; it keeps its memory in a
pool from move to move; and it holds that with 30% of the successors hardly any useful move is lost.
It prints no other figures. Here all three are measured with the player that follows it.
"""

from collections.abc import Iterator, Sequence
from math import ceil, copysign

from mossa.games import game
from mossa.lab import engine
from mossa.recipes.recipe import PLAIN
from mossa.search import Score

GOAL = "tris:10x4"
BOARD = "10x10, 4 in a row"

# ---------------------------------------------------------------- threads

THREADS = (1, 2, 4)
DEPTH = 8
"""Two more than the report's: at 6 a move takes less time than a thread takes to start."""


def _threads_label(threads: int) -> str:
    return f"{threads} thread{'s' if threads > 1 else ''}"


def _threads_work(settings: engine.Settings) -> Sequence[engine.OneSearch]:
    rules = game(GOAL)
    positions = settings.runs or (2 if settings.quick else 10)
    depth = 6 if settings.quick else DEPTH
    return [
        engine.OneSearch(
            BOARD,
            _threads_label(threads),
            f"tris:depth={depth},threads={threads}",
            rules.name,
            engine.random_moves(rules, 4, number),
            number,
            extra={"threads": threads},
        )
        for number in range(1, positions + 1)
        for threads in THREADS
    ]


def _threads_tables(rows: Sequence[engine.Row]) -> list[engine.Table]:
    lines: list[tuple[engine.Cell, ...]] = []
    alone = engine.mean(engine.pick(rows, threads=1), "time_ms")
    for threads in THREADS:
        here = engine.pick(rows, threads=threads)
        if here:
            taken = engine.mean(here, "time_ms")
            saved = f"{round(100 * (1 - taken / alone))}%" if taken and alone else None
            lines.append((_threads_label(threads), len(here), taken, saved, _nodes(here)))
    return [
        engine.Table(
            f"{BOARD}: a move by threads",
            ("", "searches", "mean\nms", "time\nsaved", "mean\nnodes"),
            lines,
            (
                "The report saves 20% to 60% on two cores with four threads. Its threads divide "
                "the moves of the root; ours share one tree and its table.",
            ),
        )
    ]


def _nodes(rows: Sequence[engine.Row]) -> engine.Cell:
    nodes = engine.mean(rows, "nodes")
    return None if nodes is None else round(nodes)


def _threads_panels(rows: Sequence[engine.Row]) -> list[engine.Panel]:
    searches = len(engine.distinct(rows, "repetition"))
    return [
        engine.Panel(
            f"Time of a move, {searches} positions",
            "threads",
            "milliseconds, mean",
            {"tris": engine.means(rows, "time_ms", "threads")},
            lines=True,
            log=False,
            counts=False,
        )
    ]


# ---------------------------------------------------------------- memory

MEMORY = {"kept": "tris", "new for every move": "tris"}


def _memory_work(settings: engine.Settings) -> Sequence[engine.WholeGame]:
    rules = game(GOAL)
    games = settings.runs or (1 if settings.quick else 10)
    return [
        engine.WholeGame(
            BOARD,
            MEMORY,
            rules.name,
            engine.opening(rules, repetition),
            repetition=repetition,
            plies=6 if settings.quick else None,
            renewed=("new for every move",),
        )
        for repetition in range(1, games + 1)
    ]


def _memory_tables(rows: Sequence[engine.Row]) -> list[engine.Table]:
    lines: list[tuple[engine.Cell, ...]] = []
    for variant in MEMORY:
        here = engine.pick(rows, variant=variant)
        if here:
            lines.append(
                (
                    variant,
                    len(engine.distinct(here, "repetition")),
                    len(here),
                    engine.mean(here, "whole_ms"),
                    engine.mean(here, "time_ms"),
                    _nodes(here),
                    round(sum(engine.values(here, "table_hits"))),
                )
            )
    return [
        engine.Table(
            f"{BOARD}: a move with memory kept, or new",
            (
                "memory",
                "games",
                "moves",
                "mean ms\nin all",
                "search\nms",
                "mean\nnodes",
                "table\nhits",
            ),
            lines,
            (
                "In all: with the making of the player's memory, which the search's own clock "
                "leaves out. What is kept also holds positions of earlier moves.",
            ),
        )
    ]


def _memory_panels(rows: Sequence[engine.Row]) -> list[engine.Panel]:
    return [
        engine.Panel(
            f"{BOARD}, depth 6, width 10: {engine.games_text(rows)}",
            "move of the game",
            "milliseconds, mean",
            engine.series(rows, MEMORY, "whole_ms", "ply"),
            lines=True,
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


def _successors_work(settings: engine.Settings) -> Iterator[engine.OneSearch]:
    positions = settings.runs or (4 if settings.quick else 50)
    for board, name in BOARDS.items():
        rules = game(name)
        for number in range(1, positions + 1):
            # From the first move to where half of the board is full.
            plies = number % (len(rules.start().moves) // 2)
            moves = engine.random_moves(rules, plies, number)
            count = len(rules.position(moves).moves)
            for share in SHARES:
                # All moves are asked for without a width: what is found then is exact.
                width = 0 if share == 100 else ceil(count * share / 100)
                yield engine.OneSearch(
                    board,
                    f"{share}%",
                    engine.spec("alphabeta", _SUCCESSORS | {"width": str(width)}),
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


def _agreement(rows: Sequence[engine.Row], share: int) -> tuple[int, int, int]:
    """How many positions were searched, and in how many score and move are those of all moves."""
    whole = {row.moves: row for row in engine.pick(rows, share=100)}
    pairs = [
        (row, whole[row.moves]) for row in engine.pick(rows, share=share) if row.moves in whole
    ]
    scores = sum(_verdict(one.score) == _verdict(other.score) for one, other in pairs)
    return len(pairs), scores, sum(one.move == other.move for one, other in pairs)


def _successors_tables(rows: Sequence[engine.Row]) -> list[engine.Table]:
    tables = []
    for board in BOARDS:
        here = engine.pick(rows, case=board)
        lines: list[tuple[engine.Cell, ...]] = []
        for share in SHARES:
            count, scores, moves = _agreement(here, share)
            if count:
                searched = engine.pick(here, share=share)
                lines.append(
                    (
                        f"{share}%",
                        count,
                        f"{round(100 * scores / count)}%",
                        f"{round(100 * moves / count)}%",
                        _nodes(searched),
                        engine.mean(searched, "time_ms"),
                    )
                )
        if lines:
            tables.append(
                engine.Table(
                    f"{board}, depth 4: fewer successors",
                    ("successors", "positions", "same\nscore", "same\nmove", "nodes", "ms"),
                    lines,
                    ("Same: as with all successors. Of equal moves another may be chosen.",),
                )
            )
    return tables


def _successors_panels(rows: Sequence[engine.Row]) -> list[engine.Panel]:
    same: dict[str, dict[engine.Cell, float]] = {}
    nodes: dict[str, dict[engine.Cell, float]] = {}
    for board in BOARDS:
        here = engine.pick(rows, case=board)
        found = {share: _agreement(here, share) for share in SHARES}
        same[board] = {share: 100 * got[1] / got[0] for share, got in found.items() if got[0]}
        nodes[board] = engine.means(here, "nodes", "share")
    positions = len(engine.distinct(rows, "repetition"))
    return [
        engine.Panel(
            f"Same score as with all successors, {positions} positions",
            "successors searched, %",
            "positions, %",
            same,
            lines=True,
            log=False,
        ),
        engine.Panel("Moves tried", "successors searched, %", "moves, mean", nodes, lines=True),
    ]


# ---------------------------------------------------------------- the experiments

PARALLEL = engine.Experiment(
    "tris-threads",
    "how much time threads save (parametric tic-tac-toe report)",
    _threads_work,
    _threads_tables,
    _threads_panels,
    takes="ten seconds",
    repeatable=False,
)
KEPT = engine.Experiment(
    "tris-memory",
    "what keeping the memory between moves saves (parametric tic-tac-toe report)",
    _memory_work,
    _memory_tables,
    _memory_panels,
    takes="five seconds",
)
SUCCESSORS = engine.Experiment(
    "tris-successors",
    "are 30% of the successors enough? (parametric tic-tac-toe report)",
    lambda settings: list(_successors_work(settings)),
    _successors_tables,
    _successors_panels,
    takes="five seconds",
)
