"""The report as one self-contained web page: tables, and plots drawn as SVG."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from html import escape
from math import log10
from statistics import median
from typing import Any

from mossa.arena.html import document, table
from mossa.arena.report import Report
from mossa.arena.words import (
    accuracy_sheet,
    elo_text,
    late_text,
    percent,
    repeats_text,
    results_text,
    sides_sheet,
    sprt_text,
    unplayed_text,
)
from mossa.quantities import counted

_SHOWN_GAMES = 2000  # rows of games on the page; all are in the CSV
_SHOWN_FORFEITS = 200


def to_html(report: Report, llr: Sequence[float] = ()) -> str:
    """Return the page."""
    plan = report.plan
    title = " against ".join(plan.names) if len(plan.names) == 2 else f"{len(plan.names)} players"
    played = counted(report.done, "game")
    if not report.complete:
        played = f"{report.done:,} of {counted(report.total, 'game')}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{played}: {escape(plan.format)}, {escape(_games(plan.games))}, "
        f"{escape(str(plan.conditions))}, {escape(plan.scoring)} scoring.</p>",
        *(
            f"<p class=warning>{escape(text)}</p>"
            for text in (repeats_text(report), late_text(report), unplayed_text(report))
            if text
        ),
        "<h2>Standings</h2>",
        _standings(report),
        "<p class=note>Elo is the strength against all opponents together. Its error bar holds the "
        "true value in 95 of 100 cases. It is computed from pairs of games: the same opening with "
        "sides swapped. “At least” is a bound that is wrong in at most 5 of 100 cases. LOS is the "
        "likelihood that the player is stronger than its opponents.</p>",
        _elo_plot(report),
    ]
    if plan.format == "gauntlet":
        parts += [f"<h2>{escape(plan.names[0])} against each opponent</h2>", _gauntlet(report)]
    else:
        parts += ["<h2>Cross table</h2>", _cross_table(report)]
    if report.sprt is not None:
        parts += ["<h2>Sequential test</h2>", _sprt(report.sprt), _llr_plot(report.sprt, llr)]
    if report.oracle:
        parts += ["<h2>Accuracy</h2>", _accuracy(report)]
    parts += ["<h2>By game and side</h2>", _by_side(report)]
    parts += ["<h2>Time</h2>", _time_plot(report), "<h2>Games</h2>", _by_game(report)]
    parts += [_forfeits(report), _game_list(report)]
    return document(title, parts)


def _games(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 6 else f"{len(names)} games"


# ---------------------------------------------------------------- tables


def _standings(report: Report) -> str:
    columns = ["player", "points", "games", "+", "=", "-", "score", "Elo", "LOS"]
    rows = [
        (
            row["player"],
            row["points"],
            row["games"],
            row["wins"],
            row["draws"],
            row["losses"],
            percent(row["score"]),
            elo_text(row),
            percent(row["los"]),
            row["forfeits"],
            row["late"],
        )
        for row in report.standings
    ]
    return table([*columns, "forfeits", "late moves"], rows)


def _cross_table(report: Report) -> str:
    names = [row["player"] for row in report.standings]
    found = {(duel["player"], duel["opponent"]): duel for duel in report.duels}

    def cell(name: str, other: str) -> str:
        duel = found.get((name, other))
        if duel is None:
            return "·" if name == other else ""
        elo = elo_text(duel)
        return results_text(duel) + (f", Elo {elo}" if elo else "")

    rows = [(name, *(cell(name, other) for other in names)) for name in names]
    return table(["", *names], rows)


def _gauntlet(report: Report) -> str:
    rows = [
        (
            duel["opponent"],
            duel["games"],
            duel["wins"],
            duel["draws"],
            duel["losses"],
            percent(duel["score"]),
            elo_text(duel),
            percent(duel["los"]),
        )
        for duel in report.challenges
    ]
    return table(["opponent", "games", "+", "=", "-", "score", "Elo", "LOS"], rows)


def _by_side(report: Report) -> str:
    sheet = sides_sheet(report)
    return table(sheet.columns, sheet.rows)


def _by_game(report: Report) -> str:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    plies: dict[str, list[int]] = defaultdict(list)
    for row in report.games:
        counts[row["game"]][row["result"]] += 1
        plies[row["game"]].append(row["plies"])
    rows = [
        (game, sum(c.values()), c["1-0"], c["1/2"], c["0-1"], median(plies[game]))
        for game, c in counts.items()
    ]
    return table(["game", "games", "first wins", "draws", "second wins", "median plies"], rows)


def _forfeits(report: Report) -> str:
    lost = report.forfeits
    if not lost:
        return "<p>No game was forfeited.</p>"
    rows = [
        (row["id"], row["game"], row["player"], row["side"], row["opponent"], row["reason"])
        for row in lost[:_SHOWN_FORFEITS]
    ]
    all_shown = len(rows) == len(lost)
    more = "" if all_shown else f"<p class=note>The first {len(rows):,} of {len(lost):,}.</p>"
    listed = table(["", "game", "player", "side", "opponent", "how it lost"], rows, texts=True)
    return "<h2>Forfeits</h2>" + more + listed


def _game_list(report: Report) -> str:
    rows = [
        (
            row["id"],
            row["game"],
            row["opening"],
            row["first"],
            row["second"],
            row["result"],
            row["end"],
        )
        for row in report.games[:_SHOWN_GAMES]
    ]
    shown = len(rows)
    more = f" (the first {shown:,} of {report.done:,})" if shown < report.done else ""
    listed = table(["", "game", "opening", "first", "second", "result", "end"], rows, texts=True)
    return f"<details><summary>All games{more}</summary>{listed}</details>"


def _sprt(sprt: dict[str, Any]) -> str:
    return f"<p>{escape(sprt_text(sprt))} (alpha {sprt['alpha']:g}, beta {sprt['beta']:g})</p>"


def _accuracy(report: Report) -> str:
    sheet = accuracy_sheet(report)
    note = "<p class=note>Only moves from positions whose exact value is known.</p>"
    return table(sheet.columns, sheet.rows) + note


# ---------------------------------------------------------------- plots

_WIDTH, _LEFT, _RIGHT = 760, 190, 30


def _svg(height: float, parts: Iterable[str], label: str) -> str:
    inner = "".join(parts)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" width="{_WIDTH}" role="img" '
        f'aria-label="{escape(label)}">{inner}</svg>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _short(name: str) -> str:
    return name if len(name) <= 24 else name[:23] + "…"


def _elo_plot(report: Report) -> str:
    """A dot with its error bar for every player whose Elo is finite."""
    rows = [row for row in report.standings if row["elo"] is not None and sum(row["pairs"])]
    if not rows:
        return ""
    shown = [row[name] for row in rows for name in ("elo", "elo_low", "elo_high")]
    reach: float = max(10.0, *(abs(elo) for elo in shown if elo is not None))
    wide = _WIDTH - _LEFT - _RIGHT

    def x(elo: float) -> float:
        return _LEFT + wide * (elo + reach) / (2 * reach)

    bottom = 20 + 26 * len(rows)
    parts = [_line(x(0), 10, x(0), bottom, "axis")]
    for at, row in enumerate(rows):
        y = 26 + 26 * at
        low = -reach if row["elo_low"] is None else row["elo_low"]
        high = reach if row["elo_high"] is None else row["elo_high"]
        parts.append(_text(_LEFT - 12, y + 4, _short(row["player"]), "end"))
        parts.append(_line(x(low), y, x(high), y, "bar"))
        parts.append(f'<circle cx="{x(row["elo"]):.1f}" cy="{y}" r="5" class="one"/>')
    for elo, label in ((-reach, f"{-reach:.0f}"), (0, "Elo 0"), (reach, f"{reach:+.0f}")):
        parts.append(_text(x(elo), bottom + 18, label, "middle"))
    return _svg(bottom + 26, parts, "Elo with error bars")


def _time_plot(report: Report) -> str:
    """The shortest, the median and the longest time per move, on a scale of powers of ten."""
    times: dict[str, list[float]] = defaultdict(list)
    for row in report.moves:
        times[row["player"]].append(max(row["time_ms"], 0.001))
    if not times:
        return "<p>No moves.</p>"
    low = min(min(each) for each in times.values())
    top = max(max(each) for each in times.values())
    first, last = int(log10(low) // 1), int(-(-log10(top) // 1))
    last = max(last, first + 1)
    wide = _WIDTH - _LEFT - _RIGHT

    def x(time: float) -> float:
        return _LEFT + wide * (log10(time) - first) / (last - first)

    bottom = 20 + 26 * len(times)
    parts = []
    for power in range(first, last + 1):
        parts.append(_line(x(10.0**power), 10, x(10.0**power), bottom, "axis"))
        parts.append(_text(x(10.0**power), bottom + 18, f"{10.0**power:g}", "middle"))
    for at, (name, each) in enumerate(times.items()):
        y = 26 + 26 * at
        parts.append(_text(_LEFT - 12, y + 4, _short(name), "end"))
        parts.append(_line(x(min(each)), y, x(max(each)), y, "bar"))
        parts.append(f'<circle cx="{x(median(each)):.1f}" cy="{y}" r="5" class="one"/>')
    note = "<p class=note>Milliseconds per move: the shortest, the median, the longest.</p>"
    return _svg(bottom + 26, parts, "milliseconds per move") + note


def _llr_plot(sprt: dict[str, Any], path: Sequence[float]) -> str:
    if len(path) < 2:
        return ""
    low: float = min(sprt["lower"], *path)
    high: float = max(sprt["upper"], *path)
    tall, left = 220, 60
    wide = _WIDTH - left - _RIGHT

    def y(value: float) -> float:
        return 12 + tall * (high - value) / (high - low)

    step = max(1, len(path) // 1000)
    points = " ".join(
        f"{left + wide * at / (len(path) - 1):.1f},{y(path[at]):.1f}"
        for at in sorted({*range(0, len(path), step), len(path) - 1})
    )
    parts = [_line(left, y(0), _WIDTH - _RIGHT, y(0), "axis")]
    for name in ("lower", "upper"):
        parts.append(_line(left, y(sprt[name]), _WIDTH - _RIGHT, y(sprt[name]), "bound"))
        parts.append(_text(left - 8, y(sprt[name]) + 4, f"{sprt[name]:.2f}", "end"))
    parts.append(f'<polyline points="{points}" class="path"/>')
    parts.append(_text(_WIDTH - _RIGHT, tall + 30, counted(len(path) - 1, "pair"), "end"))
    return _svg(tall + 40, parts, "log-likelihood ratio after every pair")
