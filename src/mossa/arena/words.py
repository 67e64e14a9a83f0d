"""What a report's tables say, on a page or in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from mossa.arena.report import Report
from mossa.notebook import Bar, shows, to_html
from mossa.quantities import counted
from mossa.sheets import Note, Sheet, sheet_of

Row = dict[str, Any]

__all__ = [
    "accuracy_sheet",
    "by_side",
    "elo_text",
    "late_text",
    "percent",
    "repeats_text",
    "report_html",
    "report_parts",
    "results_text",
    "sides_sheet",
    "sprt_text",
    "unplayed_text",
]


def elo_text(row: Row) -> str:
    """Return an Elo with its error, or a bound on it; nothing if that says nothing.

    A bound on the wrong side of zero would not even tell who is stronger.
    """
    elo, low, high = row["elo"], row["elo_low"], row["elo_high"]
    if not sum(row["pairs"]):
        return ""
    if low is not None and high is not None:
        return f"{elo:+.0f} ± {(high - low) / 2:.0f}"
    if low is not None and round(low) > 0:
        return f"at least {low:+.0f}"
    if high is not None and round(high) < 0:
        return f"at most {high:+.0f}"
    return ""


def percent(share: float | None) -> str:
    """Return ``62.5%``, or nothing for an unknown share."""
    return "" if share is None else f"{share:.1%}"


def results_text(row: Row | None) -> str:
    """Return ``+3 =1 -0``, or nothing if no game was played."""
    return "" if row is None else f"+{row['wins']} ={row['draws']} -{row['losses']}"


def by_side(report: Report) -> list[Row]:
    """Return the rows of ``sides`` grouped by player and game: as first, as second, in total.

    Players come in the order of the standings.
    """
    found = {(row["player"], row["game"], row["side"]): row for row in report.sides}
    rows = []
    for standing in report.standings:
        for game in report.plan.games:
            both = [found.get((standing["player"], game, side)) for side in ("first", "second")]
            played = [row for row in both if row is not None]
            if played:
                points = sum(row["wins"] + row["draws"] / 2 for row in played)
                rows.append(
                    {
                        "player": standing["player"],
                        "game": game,
                        "first": both[0],
                        "second": both[1],
                        "score": points / sum(row["games"] for row in played),
                    }
                )
    return rows


def sprt_text(sprt: Row) -> str:
    """Return how a sequential test stands."""
    verdicts = {
        "H0": f"H0 is accepted, the first player is not {sprt['elo1']:g} Elo stronger.",
        "H1": f"H1 is accepted, the first player is more than {sprt['elo0']:g} Elo stronger.",
        None: "no decision yet.",
    }
    return (
        f"Test of {'normalized ' if sprt['normalized'] else ''}Elo {sprt['elo0']:g} (H0) against "
        f"{sprt['elo1']:g} (H1) after {counted(sprt['pairs'], 'pair')}: log-likelihood ratio "
        f"{sprt['llr']:.2f} (H0 at {sprt['lower']:.2f}, H1 at {sprt['upper']:.2f}): "
        f"{verdicts[sprt['verdict']]}"
    )


# ---------------------------------------------------------------- warnings


def repeats_text(report: Report) -> str:
    """Return a warning that games repeat, and what to do about it; nothing if none do."""
    repeated = report.repeated
    if not repeated:
        return ""
    pairings = Counter(" against ".join((row["first"], row["second"])) for row in repeated)
    shown = [f"{pairing} ({count:,})" for pairing, count in pairings.most_common(3)]
    if len(pairings) > len(shown):
        shown.append("others")
    how_many = f"{len(repeated):,} of {counted(report.done, 'game')}"
    return (
        f"{how_many} repeat{'s' if len(repeated) == 1 else ''} an earlier game, move for move: "
        f"{', '.join(shown)}. Between players that always answer the same way such games prove "
        "nothing new, and the error bars are too narrow: play more openings (--plies, --openings) "
        "or fewer rounds."
    )


def late_text(report: Report) -> str:
    """Return who moved late without being penalised, and how often; nothing if nobody did."""
    late = [
        f"{row['player']} ({counted(row['late'], 'move')})"
        for row in report.standings
        if row["late"]
    ]
    margin = report.plan.conditions.margin
    return f"Late by no more than the margin of {margin:g} s: {', '.join(late)}." if late else ""


def unplayed_text(report: Report) -> str:
    """Return how many games were given up; nothing if none were."""
    lost = report.unplayed
    if not lost:
        return ""
    why = lost[-1]["end"].removeprefix("not played: ")
    if len(lost) == 1:
        return f"1 game was given up and does not count: {why}."
    return f"{len(lost):,} games were given up and do not count, the last one: {why}."


# ---------------------------------------------------------------- tables

_RESULTS: Mapping[str, Callable[[Row], str]] = {
    "games": lambda row: f"{row['games']:,}",
    "+": lambda row: f"{row['wins']:,}",
    "=": lambda row: f"{row['draws']:,}",
    "-": lambda row: f"{row['losses']:,}",
    "score": lambda row: percent(row["score"]),
    "Elo": elo_text,
    "LOS": lambda row: percent(row["los"]),
}
"""The columns of anything with results and a rating."""

_SHOWN_FORFEITS = 5  # where they are not the point


def report_parts(report: Report, *, in_full: bool = False) -> list[Sheet | Note]:
    """Return the tables of a report and the remarks below them, in their order."""
    parts: list[Sheet | Note] = [_standings(report)]
    if report.plan.format == "gauntlet":
        parts.append(_gauntlet(report))
    elif len(report.plan.entrants) > 2:
        parts.append(_cross_table(report))
    if in_full:
        parts.append(sides_sheet(report))
    if report.sprt is not None:
        parts.append(Note(sprt_text(report.sprt)))
    if report.oracle:
        parts.append(accuracy_sheet(report))
    parts += _forfeits(report, None if in_full else _SHOWN_FORFEITS)
    warnings = (unplayed_text(report), late_text(report), repeats_text(report))
    parts += [Note(text, "warning") for text in warnings if text]
    if not report.complete:
        parts.append(Note(f"{report.done:,} of {counted(report.total, 'game')}", "quiet"))
    return parts


def _standings(report: Report) -> Sheet:
    columns = {
        "player": lambda row: str(row["player"]),
        "points": lambda row: f"{row['points']:g}",
        **_RESULTS,
    }
    return sheet_of(report.standings, columns, noun="player")


def _gauntlet(report: Report) -> Sheet:
    challenger = f"{report.plan.names[0]} against"
    columns = {challenger: lambda row: str(row["opponent"]), **_RESULTS}
    return sheet_of(report.challenges, columns, noun="opponent")


def _cross_table(report: Report) -> Sheet:
    names = [row["player"] for row in report.standings]
    found = {(duel["player"], duel["opponent"]): duel for duel in report.duels}
    rows = tuple(
        (
            f"{number} {name}",
            *(results_text(found.get((name, other))) for other in names),
        )
        for number, name in enumerate(names, 1)
    )
    return Sheet(("", *map(str, range(1, len(names) + 1))), rows, noun="player")


def sides_sheet(report: Report) -> Sheet:
    """Return every player's results by game and side."""
    return sheet_of(
        by_side(report),
        {
            "player": lambda row: str(row["player"]),
            "game": lambda row: str(row["game"]),
            "as first": lambda row: results_text(row["first"]),
            "as second": lambda row: results_text(row["second"]),
            "score": lambda row: percent(row["score"]),
        },
        words=["game"],
    )


def accuracy_sheet(report: Report) -> Sheet:
    """Return how many moves kept their value, as the oracle saw it."""
    return sheet_of(
        report.oracle,
        {
            "player": lambda each: str(each.player),
            "phase": lambda each: str(each.phase),
            "moves": lambda each: f"{each.moves:,}",
            "kept the value": lambda each: percent(each.kept),
            "lost per move": lambda each: f"{each.loss:.3f}",
        },
        words=["phase"],
    )


def _forfeits(report: Report, most: int | None) -> list[Note]:
    lost = report.forfeits
    if not lost:
        return []
    verb = "was" if len(lost) == 1 else "were"
    lines = [f"{counted(len(lost), 'game')} {verb} forfeited:"]
    lines += [
        f"  game {row['id']}, {row['game']}: {row['player']} ({row['side']}) {row['reason']}"
        for row in lost[:most]
    ]
    if most is not None and len(lost) > most:
        lines.append(f"  and {len(lost) - most:,} more; mossa tournament report lists them all")
    return [Note(line, "error") for line in lines]


# ---------------------------------------------------------------- in a notebook

_COLOURS = {"wins": "#2e9e5b", "draws": "#9aa3ad", "losses": "#d1453b"}
_SHOWN_BARS = 10


@shows(Report)
def report_html(report: Report) -> str:
    """Return what a notebook shows: results as bars, then what the terminal prints."""
    bars = [
        Bar(
            row["player"],
            tuple(
                (row[what] / row["games"], colour, counted(row[what], word, what))
                for (what, colour), word in zip(
                    _COLOURS.items(), ("win", "draw", "loss"), strict=True
                )
            ),
        )
        for row in report.standings[:_SHOWN_BARS]
        if row["games"]
    ]
    return to_html(report.summary, [*bars, *report_parts(report)])
