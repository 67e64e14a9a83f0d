"""What came of a tournament, as plain data: for JSON, CSV and data frames."""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from mossa.arena.oracle import Accuracy
from mossa.arena.plan import Plan
from mossa.arena.standings import PairCounter, duels, standings
from mossa.arena.statistics import Rating, Tally
from mossa.arena.store import Store
from mossa.records import Record
from mossa.records.record import OPEN

Row = dict[str, Any]


@dataclass(frozen=True)
class Report:
    """A tournament as lists of rows, each a plain dictionary.

    ``pandas.DataFrame(report.games)`` and the like are all it takes to go on from here. Numbers
    that are infinite, such as the Elo of a player that has won every game, are None.
    """

    plan: Plan
    done: int
    total: int
    standings: list[Row]
    """One row a player, best first."""
    duels: list[Row]
    """One row for every player and opponent."""
    games: list[Row]
    moves: list[Row]
    """One row for every move of a player, with its time, nodes, depth and score."""
    sprt: Row | None = None
    oracle: Sequence[Accuracy] = ()

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to play, or the test has come to its end."""
        return self.done == self.total or (self.sprt or {}).get("verdict") is not None

    @property
    def unplayed(self) -> list[Row]:
        """The games that had to be given up, because their workers died."""
        return [row for row in self.games if row["result"] == OPEN]

    def to_dict(self) -> Row:
        """Return one JSON document, without the moves: those are in the records."""
        return {
            "plan": self.plan.to_dict(),
            "done": self.done,
            "total": self.total,
            "complete": self.complete,
            "standings": self.standings,
            "duels": self.duels,
            "sprt": self.sprt,
            "oracle": [asdict(each) for each in self.oracle],
            "games": self.games,
        }

    def to_csv(self) -> str:
        """Return a line for every game, with the names of the columns above."""
        return rows_to_csv(self.games)


def make_report(
    store: Store, oracle: Sequence[Accuracy] = (), *, with_moves: bool = True
) -> Report:
    """Return the report of what has been played so far; without its moves it is quicker."""
    plan = store.plan
    games = store.games()
    done, total = store.counts()
    records = store.records() if with_moves else ()
    moves = [row for pairing, record in records for row in _move_rows(pairing.id, record)]
    times = defaultdict(list)
    for row in moves:
        times[row["player"]].append(row["time_ms"])
    table = [
        {
            "player": row.name,
            "games": row.games,
            "points": row.points,
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
            "forfeits": row.forfeits,
            **_rating_row(row.rating, row.tally),
            "mean_ms": round(fmean(times[row.name]), 3) if times[row.name] else None,
            "slowest_ms": max(times[row.name], default=None),
        }
        for row in standings(plan, games)
    ]
    couples = [
        {
            "player": duel.name,
            "opponent": duel.opponent,
            "wins": duel.wins,
            "draws": duel.draws,
            "losses": duel.losses,
            **_rating_row(duel.rating, duel.tally),
        }
        for duel in duels(plan, games)
    ]
    rows = [
        {
            "id": game.pairing.id,
            "round": game.pairing.round,
            "pair": game.pairing.pair,
            "game": game.pairing.game,
            "opening": game.pairing.opening,
            "first": plan.names[game.pairing.first],
            "second": plan.names[game.pairing.second],
            "result": game.result,
            "forfeit": game.forfeit,
            "end": game.end,
            "plies": game.plies,
            "seconds": game.seconds,
        }
        for game in games
        if game.result is not None
    ]
    return Report(plan, done, total, table, couples, rows, moves, _sprt_row(store), oracle)


def _sprt_row(store: Store) -> Row | None:
    sprt = store.plan.sprt
    if sprt is None:
        return None
    tally = PairCounter(store.games()).tally(0, 1)
    lower, upper = sprt.bounds
    return {
        **asdict(sprt),
        "llr": sprt.llr(tally),
        "lower": lower,
        "upper": upper,
        "pairs": tally.units,
        "verdict": sprt.verdict(tally),
    }


def llr_path(report: Report, store: Store) -> list[float]:
    """Return the ratio of the sequential test after every pair, in the order of the schedule."""
    sprt = report.plan.sprt
    if sprt is None:
        return []
    counter = PairCounter()
    path = [0.0]
    pairs = 0
    for game in store.games("WHERE result IS NOT NULL"):
        counter.add(game.pairing, str(game.result))
        tally = counter.tally(0, 1)
        if tally.units > pairs:
            pairs = tally.units
            path.append(sprt.llr(tally))
    return path


def _rating_row(rating: Rating, tally: Tally) -> Row:
    return {
        "score": round(rating.score, 6),
        "elo": _finite(rating.elo),
        "elo_low": _finite(rating.low),
        "elo_high": _finite(rating.high),
        "nelo": _finite(rating.nelo),
        "los": round(rating.los, 6),
        "pairs": list(tally.boxes),
    }


def _finite(value: float) -> float | None:
    return round(value, 3) + 0.0 if math.isfinite(value) else None


def _move_rows(number: int, record: Record) -> list[Row]:
    names = record.first, record.second
    columns = [record.extra.get(name) for name in ("times_ms", "nodes", "depths", "scores")]
    rows = []
    for ply, (position, move) in enumerate(zip(record.positions(), record.moves, strict=False)):
        time, nodes, depth, score = (
            column[ply] if isinstance(column, list) and ply < len(column) else None
            for column in columns
        )
        if time is None:
            continue  # a move of the opening
        rows.append(
            {
                "id": number,
                "ply": ply + 1,
                "player": names[position.side.value],
                "move": str(move),
                "time_ms": time,
                "nodes": nodes,
                "depth": depth,
                "score": score,
            }
        )
    return rows


def rows_to_csv(rows: Sequence[Row]) -> str:
    """Return rows with the names of their columns above; what is unknown is left empty."""
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()
