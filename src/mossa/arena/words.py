"""What the tables of a report say, whether on a page or in a terminal."""

from __future__ import annotations

from collections import Counter
from typing import Any

from mossa.arena.report import Report
from mossa.quantities import counted

Row = dict[str, Any]

__all__ = [
    "ACCURACY",
    "by_side",
    "elo_text",
    "late_text",
    "percent",
    "repeats_text",
    "results_text",
    "sprt_text",
    "unplayed_text",
]

ACCURACY = ("player", "phase", "moves", "kept the value", "lost per move")
"""The columns of the oracle's table."""


def elo_text(row: Row) -> str:
    """Return an Elo with its error, or the bound that is known of it; nothing if that says nothing.

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
    """Return ``62.5%``, or nothing for a share that is not known."""
    return "" if share is None else f"{share:.1%}"


def results_text(row: Row | None) -> str:
    """Return ``+3 =1 -0``, or nothing where no game was played."""
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
    """Return the warning that games repeat, with what to do about it; nothing if none does."""
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
    """Return who moved late without losing by it, and how often; nothing if nobody did."""
    late = [
        f"{row['player']} ({counted(row['late'], 'move')})"
        for row in report.standings
        if row["late"]
    ]
    margin = report.plan.conditions.margin
    return f"Late by no more than the margin of {margin:g} s: {', '.join(late)}." if late else ""


def unplayed_text(report: Report) -> str:
    """Return how many games had to be given up; nothing if none had to."""
    lost = report.unplayed
    if not lost:
        return ""
    why = lost[-1]["end"].removeprefix("not played: ")
    if len(lost) == 1:
        return f"1 game was given up and does not count: {why}."
    return f"{len(lost):,} games were given up and do not count, the last one: {why}."
