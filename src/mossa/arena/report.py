"""The results of a tournament as plain data, for JSON, CSV and data frames."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from mossa.arena.oracle import Accuracy, Judged, accuracy, phase_of
from mossa.arena.plan import Plan
from mossa.arena.standings import PairCounter, Results, by_side, duels, standings
from mossa.arena.statistics import Rating, Tally
from mossa.arena.store import Store
from mossa.errors import GameError, described, did_you_mean, shorten
from mossa.notebook import data_frame
from mossa.players.clocks import Clocks, Conditions
from mossa.quantities import counted
from mossa.records import Record
from mossa.records.record import FIRST_WINS, OPEN

if TYPE_CHECKING:
    from mossa.notebook import DataFrame

Row = dict[str, Any]


@dataclass(frozen=True)
class Report:
    """A tournament as lists of rows, each a plain dictionary.

    A notebook shows its tables, and ``report.to_pandas("games")`` takes it from there. Anything
    infinite, such as the Elo of a player that has won every game, or unknown, such as the score of
    a player without games, is None.
    """

    plan: Plan
    done: int
    total: int
    standings: list[Row]
    """One row per player, best first; in a gauntlet, the challenger and then the others."""
    duels: list[Row]
    """One row per player and opponent."""
    games: list[Row]
    """One row per game; ``repeats`` is the earlier game it repeats move for move, if any."""
    moves: list[Row]
    """One row for every move a player made, with its time, nodes, depth and score.

    ``late`` is true if the move broke the time control, but by no more than the margin. The rest
    comes from the oracle: ``value`` and ``value_after`` are exact values for the side that moved,
    ``kept`` says whether a win stayed a win and a draw did not become a loss, and ``lost`` is what
    the move gave away.
    """
    sprt: Row | None = None
    oracle: Sequence[Accuracy] = ()
    sides: Sequence[Row] = ()
    """One row per player, game and side."""

    def __repr__(self) -> str:
        """Return one line: what was played, and who leads."""
        leader = next((row for row in self.standings if row["games"]), None)
        if leader is None:
            return f"<Report of {self.summary}>"
        points = f"{shorten(leader['player'], 40)} leads with {leader['points']:g}"
        return f"<Report of {self.summary}; {points}>"

    @property
    def summary(self) -> str:
        """What was played, and how far it got: ``round-robin, 2 players, oware:6x4: ...``."""
        plan = self.plan
        games = ", ".join(plan.games) if len(plan.games) <= 3 else f"{len(plan.games)} boards"
        played = counted(self.done, "game")
        if not self.complete:
            played = f"{self.done:,} of {counted(self.total, 'game')}"
        return f"{plan.format}, {counted(len(plan.entrants), 'player')}, {games}: {played}"

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to play, or the test is decided."""
        return self.done == self.total or (self.sprt or {}).get("verdict") is not None

    @property
    def unplayed(self) -> list[Row]:
        """The games given up because their workers died."""
        return [row for row in self.games if row["result"] == OPEN]

    @property
    def repeated(self) -> list[Row]:
        """The games that repeat an earlier one of the same players move for move."""
        return [row for row in self.games if row["repeats"] is not None]

    @property
    def forfeits(self) -> list[Row]:
        """The forfeited games: which, of what, by whom, on which side, how and why."""
        found = []
        for row in self.games:
            if row["forfeit"]:
                side, other = ("first", "second")[:: -1 if row["result"] == FIRST_WINS else 1]
                found.append(
                    {
                        "id": row["id"],
                        "game": row["game"],
                        "player": row[side],
                        "opponent": row[other],
                        "side": side,
                        "kind": row["forfeit"],
                        "reason": row["end"].removeprefix(f"{side} "),
                    }
                )
        return found

    @property
    def challenges(self) -> list[Row]:
        """The duels of a gauntlet: the challenger against each opponent, in their order."""
        found = {row["opponent"]: row for row in self.duels if row["player"] == self.plan.names[0]}
        return [found[row["player"]] for row in self.standings if row["player"] in found]

    def to_dict(self) -> Row:
        """Return one JSON document, without the moves: those are in the records."""
        return {
            "plan": self.plan.to_dict(),
            "done": self.done,
            "total": self.total,
            "complete": self.complete,
            "standings": self.standings,
            "duels": self.duels,
            "sides": list(self.sides),
            "forfeits": self.forfeits,
            "repeated": len(self.repeated),
            "sprt": self.sprt,
            "oracle": [asdict(each) for each in self.oracle],
            "games": self.games,
        }

    def to_pandas(self, rows: str = "games") -> DataFrame:
        """Return ``games``, ``standings`` or other rows as a data frame; needs pandas."""
        if rows not in _FRAMES:
            raise GameError(
                f"to_pandas() takes the name of rows, not {described(rows)}: "
                f"{did_you_mean(str(rows), _FRAMES)}there are {', '.join(_FRAMES)}"
            )
        return data_frame(getattr(self, rows))

    def to_csv(self) -> str:
        """Return a line for every game, below a header."""
        return rows_to_csv(self.games)


_FRAMES = ("games", "standings", "duels", "sides", "moves", "forfeits")
"""The fields of a report that are rows."""


def make_report(
    store: Store,
    judged: Mapping[tuple[int, int], Judged] | None = None,
    *,
    with_moves: bool = True,
) -> Report:
    """Return the report of what has been played so far.

    ``judged`` holds the moves the oracle has judged, by game and ply.

    Without its moves it is quicker, and knows neither times nor games that repeat.
    """
    plan = store.plan
    games = store.games()
    done, total = store.counts()
    moves: list[Row] = []
    repeats: dict[int, int] = {}
    earliest: dict[object, int] = {}
    for pairing, record in store.records() if with_moves else ():
        moves += move_rows(pairing.id, record, plan.conditions, judged)
        if record.result != OPEN and "forfeit" not in record.extra:
            same = pairing.game, pairing.first, pairing.second, record.position.history_text
            if (earlier := earliest.setdefault(same, pairing.id)) != pairing.id:
                repeats[pairing.id] = earlier
    times: dict[str, list[float]] = defaultdict(list)
    late: Counter[str] = Counter()
    for row in moves:
        times[row["player"]].append(row["time_ms"])
        late[row["player"]] += row["late"]
    table = [
        {
            "player": row.name,
            "games": row.results.games,
            "points": row.points,
            **_results_row(row.results),
            **_rating_row(row.rating, row.tally),
            "mean_ms": round(fmean(times[row.name]), 3) if times[row.name] else None,
            "slowest_ms": max(times[row.name], default=None),
            "late": late[row.name] if with_moves else None,
        }
        for row in standings(plan, games)
    ]
    couples = [
        {
            "player": duel.name,
            "opponent": duel.opponent,
            "games": duel.results.games,
            **_results_row(duel.results),
            **_rating_row(duel.rating, duel.tally),
        }
        for duel in duels(plan, games)
    ]
    sides = [
        {
            "player": each.name,
            "game": each.game,
            "side": each.side.name,
            "games": each.results.games,
            **_results_row(each.results),
        }
        for each in by_side(plan, games)
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
            "repeats": repeats.get(game.pairing.id),
        }
        for game in games
        if game.result is not None
    ]
    sprt = _sprt_row(store)
    oracle = accuracy((judged or {}).values())
    return Report(plan, done, total, table, couples, rows, moves, sprt, oracle, sides)


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


def _results_row(results: Results) -> Row:
    return {
        "wins": results.wins,
        "draws": results.draws,
        "losses": results.losses,
        "forfeits": results.forfeits,
        "score": None if results.score is None else round(results.score, 6),
    }


def _rating_row(rating: Rating, tally: Tally) -> Row:
    known = tally.units > 0
    return {
        "elo": _finite(rating.elo) if known else None,
        "elo_low": _finite(rating.low),
        "elo_high": _finite(rating.high),
        "nelo": _finite(rating.nelo) if known else None,
        "los": round(rating.los, 6) if known else None,
        "pairs": list(tally.boxes),
    }


def _finite(value: float) -> float | None:
    return round(value, 3) + 0.0 if math.isfinite(value) else None


def move_rows(
    number: int,
    record: Record,
    conditions: Conditions,
    judged: Mapping[tuple[int, int], Judged] | None = None,
) -> list[Row]:
    """Return a row for every move a player made; nobody made those of the opening.

    The clocks are run again with the times of the record, to see which moves were late.
    """
    names = record.first, record.second
    columns = [record.extra.get(name) for name in ("times_ms", "nodes", "depths", "scores")]
    clocks = Clocks(conditions)
    rows = []
    for ply, (position, move) in enumerate(zip(record.positions(), record.moves, strict=False)):
        time, nodes, depth, score = (
            column[ply] if isinstance(column, list) and ply < len(column) else None
            for column in columns
        )
        if time is None:
            continue  # a move of the opening
        allowed = clocks.turn(position).allowed
        clocks.spend(position.side, time / 1000)
        rows.append(
            {
                "id": number,
                "ply": ply + 1,
                "phase": phase_of(ply, len(record.moves)),
                "player": names[position.side.value],
                "side": position.side.name,
                "move": str(move),
                "time_ms": time,
                "late": allowed is not None and time / 1000 > allowed,
                "nodes": nodes,
                "depth": depth,
                "score": score["text"] if isinstance(score, dict) else None,
                **_judged_row((judged or {}).get((number, ply + 1))),
            }
        )
    return rows


def _judged_row(move: Judged | None) -> Row:
    return {
        "value": None if move is None else move.before,
        "value_after": None if move is None else move.after,
        "kept": None if move is None else move.keeps,
        "lost": None if move is None else move.loss,
    }


def rows_to_csv(rows: Sequence[Row]) -> str:
    """Return rows as CSV below a header; unknown values stay empty."""
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()
