"""The ConnectX report's open question: does a table of positions pay under a time limit?

The report deepens until its time is up and tried a table, which made it slower. Here the player
thinks about every position of a game against itself, with and without a table. What counts is the
depth it completes. Theirs had ten seconds a move; a tenth of a second shows the same.
"""

from collections.abc import Iterator, Sequence

from mossa._core import Limits
from mossa.games import game
from mossa.lab import runner
from mossa.players.chooser import PLAIN
from mossa.players.recipes.pojam import SEARCH
from mossa.search import Exact

SECONDS = 0.1
# Memory enough for a tenth of a second; touching more for the first time would cost time itself.
_BASE = SEARCH | {"memory": "16"}
_ALL = {name: value for name, value in _BASE.items() if name not in PLAIN}
PLAYERS = {
    "no table": runner.spec("alphabeta", _BASE),
    "table": runner.spec("alphabeta", _BASE | {"table": "on"}),
    "all techniques": runner.spec("alphabeta", _ALL),
}


def _work(settings: runner.Settings) -> Sequence[runner.WholeGame]:
    rules = game("connect4")
    seconds = settings.time or (0.01 if settings.quick else SECONDS)
    return [
        runner.WholeGame(
            "connect4",
            PLAYERS,
            rules.name,
            runner.opening(rules, repetition),
            repetition=repetition,
            limits=Limits(time=seconds),
            plies=6 if settings.quick else None,
        )
        for repetition in range(1, (settings.runs or 1) + 1)
    ]


def _solved(row: runner.Row) -> bool:
    """True if the search came to the end of the game: its depth says nothing then."""
    return isinstance(row.score, Exact)


def _tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    lines: list[tuple[runner.Cell, ...]] = []
    unsolved: list[runner.Row] = []  # the moves that no player has searched to the end
    for ply in runner.distinct(rows, "ply"):
        here = runner.pick(rows, ply=ply)
        if all(map(_solved, here)):
            continue
        if not any(map(_solved, here)):
            unsolved += here
        lines.append((ply, *_depths(here), *_thousands(here)))
    if unsolved:
        lines.append(("mean", *_depths(unsolved), *_thousands(unsolved)))
    return [
        runner.Table(
            "Connect 4: depth completed for each move, and thousands of moves tried",
            (
                "move",
                *(f"depth,\n{name}" for name in PLAYERS),
                *(f"1000s,\n{name}" for name in PLAYERS),
            ),
            lines,
            (
                "Solved: searched to the end of the game. Moves that all have solved are left out; "
                "the mean is of those that none has.",
                "The report found its table slower than none; it prints no depths.",
            ),
        )
    ]


def _depths(rows: Sequence[runner.Row]) -> Iterator[runner.Cell]:
    for variant in PLAYERS:
        here = runner.pick(rows, variant=variant)
        yield "solved" if here and all(map(_solved, here)) else runner.mean(here, "depth")


def _thousands(rows: Sequence[runner.Row]) -> Iterator[runner.Cell]:
    for variant in PLAYERS:
        nodes = runner.mean(runner.pick(rows, variant=variant), "nodes")
        yield None if nodes is None else nodes / 1000


def _panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    unsolved = [row for row in rows if not _solved(row)]
    return [
        runner.by_move(
            f"Connect 4: depth completed until solved, {runner.games_text(rows)}",
            "depth",
            unsolved,
            PLAYERS,
            "depth",
            log=False,
        )
    ]


DEPTHS = runner.Experiment(
    "pojam-depths",
    "depth reached in a tenth of a second, with and without a table (ConnectX report)",
    _work,
    _tables,
    _panels,
    takes="ten seconds",
    timed=True,
    repeatable=False,
)
