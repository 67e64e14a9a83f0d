"""The parametric tic-tac-toe report's way to its evaluation, step by step, in games.

The report begins with the lines that are still open, then values a sequence by its stones (n), by
their square, and at last by square and length, with a greater power for the opponent's: 3 attacks
well but may overlook a trap, 4 defends and draws too often, 3.6 is a good compromise. It prints no
figures. Here each of the six plays each other from the same openings, once with either side.
"""

from collections.abc import Sequence
from itertools import combinations

from mossa._core import Side
from mossa.games import game
from mossa.lab import runner
from mossa.players.chooser import PLAIN

GAME = "tris:6x4"
OPENING_PLIES = 4
"""Random stones before the players are asked: without any, first wins whoever it is."""
EVALUATIONS = {
    "open lines": "open-lines",
    "n": "stones",
    "n^2": "squares",
    "power 3": "sequences-3",
    "power 3.6": "sequences",
    "power 4": "sequences-4",
}
_SEARCH = PLAIN | {"depth": "4", "width": "10", "near": "0", "early": "on", "deepen": "off"}


def _spec(evaluation: str) -> str:
    return runner.spec("alphabeta", _SEARCH | {"evaluate": evaluation})


def _work(settings: runner.Settings) -> Sequence[runner.OneGame]:
    rules = game(GAME)
    openings = settings.runs or (1 if settings.quick else 20)
    return [
        runner.OneGame(
            "6x6, 4 in a row",
            one,
            _spec(EVALUATIONS[one]),
            other,
            _spec(EVALUATIONS[other]),
            rules.name,
            runner.random_moves(rules, OPENING_PLIES, number),
            side,
            number,
        )
        for number in range(1, openings + 1)
        for one, other in combinations(EVALUATIONS, 2)
        for side in Side
    ]


def _tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    found = {label: runner.tally(rows, label) for label in EVALUATIONS}
    labels = [label for label, each in found.items() if each.games]
    results: list[tuple[runner.Cell, ...]] = [
        (label, each.games, each.won, each.drawn, each.lost, each.points)
        for label, each in found.items()
        if each.games
    ]
    meetings: list[tuple[runner.Cell, ...]] = [
        (label, *(_points(rows, label, other) for other in EVALUATIONS)) for label in labels
    ]
    return [
        runner.Table(
            "6x6, 4 in a row, depth 4, width 10: results",
            ("evaluation", "games", "won", "drawn", "lost", "points"),
            results,
        ),
        runner.Table(
            "Points against each other evaluation",
            ("", *EVALUATIONS),
            meetings,
            (
                "A win is a point, a draw half a point. Every pair plays from the same openings, "
                f"{OPENING_PLIES} random stones each, with sides swapped.",
            ),
        ),
    ]


def _points(rows: Sequence[runner.Row], label: str, other: str) -> runner.Cell:
    found = runner.tally(rows, label, other)
    return found.points if found.games else None


def _panels(rows: Sequence[runner.Row]) -> list[runner.Panel]:
    tallies = {label: runner.tally(rows, label) for label in EVALUATIONS}
    games = max(each.games for each in tallies.values())
    return [
        runner.Panel(
            f"How the evaluations fare, {games} games each",
            "",
            "games",
            {
                result: {label: getattr(each, result) for label, each in tallies.items()}
                for result in runner.RESULTS
            },
            stacked=True,
            log=False,
        )
    ]


HEURISTICS = runner.Experiment(
    "tris-heuristics",
    "six evaluations in games against each other (parametric tic-tac-toe report)",
    _work,
    _tables,
    _panels,
    takes="ten seconds",
)
