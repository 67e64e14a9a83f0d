"""From games to tables: points, who beat whom, and what that says of strength."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from mossa.arena.plan import SCORINGS, Plan
from mossa.arena.schedule import Pairing
from mossa.arena.statistics import Rating, Tally, rate
from mossa.arena.store import Game

_HALVES = {"1-0": 2, "1/2": 1, "0-1": 0}  # half points of first


@dataclass(frozen=True)
class Standing:
    """One player in the table; what is not played yet counts for nothing."""

    name: str
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    forfeits: int
    """Games that it lost without being beaten."""
    tally: Tally
    """Its pairs against all others."""
    rating: Rating
    """Its strength against the field: all others together."""


@dataclass(frozen=True)
class Duel:
    """All games between two players, seen by the first of them."""

    name: str
    opponent: str
    wins: int
    draws: int
    losses: int
    tally: Tally
    rating: Rating


def standings(plan: Plan, games: Iterable[Game]) -> list[Standing]:
    """Return the table, best first: by points, then by score, then in the order of the plan."""
    games = list(games)
    scoring = SCORINGS[plan.scoring]
    pairs = PairCounter(games)
    rows = []
    for number, name in enumerate(plan.names):
        own = [game for game in games if _played_by(game, number)]
        counts, points, forfeits = [0, 0, 0], 0.0, 0
        for game in own:
            first = game.pairing.first == number
            assert game.result is not None
            half = _HALVES[game.result] if first else 2 - _HALVES[game.result]
            counts[half] += 1
            forfeits += game.forfeit is not None and half == 0
            points += scoring.points(game.result, first=first, forfeit=game.forfeit is not None)
        tally = pairs.tally(number)
        losses, draws, wins = counts
        rows.append(
            Standing(name, len(own), points, wins, draws, losses, forfeits, tally, rate(tally))
        )
    return sorted(rows, key=lambda row: (-row.points, -row.rating.score))


def duels(plan: Plan, games: Iterable[Game]) -> list[Duel]:
    """Return every pairing that was played, from both sides."""
    games = list(games)
    pairs = PairCounter(games)
    counts: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for game in games:
        if game.result in _HALVES:
            half = _HALVES[game.result]
            counts[game.pairing.first, game.pairing.second][half] += 1
            counts[game.pairing.second, game.pairing.first][2 - half] += 1
    found = []
    for (a, b), (losses, draws, wins) in sorted(counts.items()):
        tally = pairs.tally(a, b)
        found.append(Duel(plan.names[a], plan.names[b], wins, draws, losses, tally, rate(tally)))
    return found


class PairCounter:
    """Counts pairs of games as soon as both are finished."""

    def __init__(self, games: Iterable[Game] = ()) -> None:
        """Begin with the games that are finished already."""
        self._halves: dict[int, int] = {}  # of the player with the lower number, by pair
        self._boxes: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0] * 5)
        for game in games:
            if game.result is not None:
                self.add(game.pairing, game.result)

    def add(self, pairing: Pairing, result: str) -> None:
        """Count a finished game; one that could not be played spoils its pair."""
        if result not in _HALVES:
            return
        # The sides are swapped: who has the lower number is asked for both games alike.
        a, b = sorted((pairing.first, pairing.second))
        half = _HALVES[result] if pairing.first == a else 2 - _HALVES[result]
        if pairing.pair not in self._halves:
            self._halves[pairing.pair] = half
            return
        halves = half + self._halves.pop(pairing.pair)
        self._boxes[a, b][halves] += 1
        self._boxes[b, a][4 - halves] += 1

    def tally(self, player: int, opponent: int | None = None) -> Tally:
        """Return the pairs of a player against another, or against all others."""
        found = Tally((0,) * 5)
        for (a, b), boxes in self._boxes.items():
            if a == player and opponent in (None, b):
                found += Tally(tuple(boxes))
        return found


def _played_by(game: Game, number: int) -> bool:
    played = (game.pairing.first, game.pairing.second)
    return number in played and game.result in _HALVES
