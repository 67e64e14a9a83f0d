"""The figures of a tournament that go into a paper: Elo, accuracy, time, nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from statistics import median, quantiles

from mossa.arena.oracle import PHASES
from mossa.arena.report import Report
from mossa.lab.runner import Cell, InvalidExperimentError, Panel, Ranges
from mossa.quantities import counted

_LEAST = 0.001  # milliseconds: a scale of powers has no zero


def figures(report: Report) -> tuple[dict[str, Panel | Ranges], dict[str, str]]:
    """Return the figures that a report has something for, by name; and of the others, why not."""
    drawn: dict[str, Panel | Ranges] = {}
    missing: dict[str, str] = {}
    for name, make in _FIGURES.items():
        try:
            drawn[name] = make(report)
        except InvalidExperimentError as error:
            missing[name] = str(error)
    return drawn, missing


def _elo(report: Report) -> Ranges:
    rows = {
        row["player"]: (row["elo_low"], row["elo"], row["elo_high"])
        for row in report.standings
        if sum(row["pairs"])
    }
    if not any(each is not None for row in rows.values() for each in row):
        raise InvalidExperimentError("no pair of games is finished yet")
    return Ranges(
        f"Strength after {counted(report.done, 'game')}",
        "Elo against all opponents together, with 95% error bars",
        rows,
        zero=True,
    )


def _kept(report: Report) -> Panel:
    if not report.oracle:
        raise InvalidExperimentError("no move has been judged: give the oracle some seconds")
    found = {(each.player, each.phase): each for each in report.oracle}
    series: dict[str, dict[Cell, float]] = {
        player: {
            phase: 100 * found[player, phase].kept for phase in PHASES if (player, phase) in found
        }
        for player in _players(report, {each.player for each in report.oracle})
    }
    judged = sum(each.moves for each in report.oracle if each.phase == "all")
    return Panel(
        f"Moves that kept the value of the game ({counted(judged, 'move')} judged)",
        "third of the game",
        "moves that kept the value (%)",
        _by_name(series),
        log=False,
        counts=False,
        top=119,  # room for the figures above the bars
    )


def _time(report: Report) -> Ranges:
    times: dict[str, list[float]] = defaultdict(list)
    for row in report.moves:
        times[row["player"]].append(max(row["time_ms"], _LEAST))
    if not times:
        raise InvalidExperimentError("no move has been made yet")
    return Ranges(
        f"Time per move ({counted(len(report.moves), 'move')})",
        "milliseconds per move: median, and the range of 90% of the moves",
        {player: _spread(times[player]) for player in _players(report, times)},
        log=True,
    )


def _nodes(report: Report) -> Panel:
    nodes: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in report.moves:
        if row["nodes"] and row["depth"]:
            nodes[row["player"]][row["depth"]].append(row["nodes"])
    if not nodes:
        raise InvalidExperimentError("no player tells its nodes and its depth")
    series: dict[str, dict[Cell, float]] = {
        player: {depth: float(median(counts)) for depth, counts in sorted(nodes[player].items())}
        for player in _players(report, nodes)
    }
    return Panel(
        "Nodes by depth",
        "depth of the search (plies)",
        "nodes per move (median)",
        _by_name(series),
        lines=True,
    )


_FIGURES: dict[str, Callable[[Report], Panel | Ranges]] = {
    "elo": _elo,
    "kept_value": _kept,
    "time": _time,
    "nodes": _nodes,
}
"""A new figure: one function, and one entry here under the name of its files."""


def _players(report: Report, known: Iterable[str]) -> list[str]:
    """Return the players that something is known of, in the order of the standings."""
    wanted = set(known)
    return [row["player"] for row in report.standings if row["player"] in wanted]


def _by_name(series: Mapping[str, Mapping[Cell, float]]) -> Mapping[str, Mapping[Cell, float]]:
    """Return the series as a plot takes them: labels that begin like these mean something there."""
    special = ("_", "report")
    return {f" {name}" if name.startswith(special) else name: each for name, each in series.items()}


def _spread(times: list[float]) -> tuple[float, float, float]:
    """Return the median, and where 5% and 95% of the times lie."""
    if len(times) == 1:
        return times[0], times[0], times[0]
    cuts = quantiles(times, n=20, method="inclusive")
    return cuts[0], median(times), cuts[-1]
