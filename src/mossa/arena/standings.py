"""From games to tables: points, who beat whom, and what that says about strength."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from mossa._core import Side
from mossa.arena.plan import SCORINGS, Plan
from mossa.arena.schedule import Pairing
from mossa.arena.statistics import Rating, Tally, rate
from mossa.arena.store import Game

_HALVES = {"1-0": 2, "1/2": 1, "0-1": 0}  # half points of first


@dataclass(frozen=True)
class Results:
    """Finished games from one player's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    """Losses without being beaten."""

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """The share of the points, a draw being half a point; None without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else None


@dataclass(frozen=True)
class Standing:
    """One player in the table; games not played yet do not count."""

    name: str
    results: Results
    points: float
    tally: Tally
    """Its pairs against all others."""
    rating: Rating
    """Its strength against the field: all others together."""


@dataclass(frozen=True)
class Duel:
    """All games between two players, from the first one's point of view."""

    name: str
    opponent: str
    results: Results
    tally: Tally
    rating: Rating


@dataclass(frozen=True)
class SideResults:
    """A player's results in one game, on one side."""

    name: str
    game: str
    side: Side
    results: Results


def standings(plan: Plan, games: Iterable[Game]) -> list[Standing]:
    """Return the table, best first: by points, then score, then wins, then the order of the plan.

    In a gauntlet the challenger comes first, whatever its points: it plays more games than anybody.
    """
    games = list(games)
    scoring = SCORINGS[plan.scoring]
    pairs = PairCounter(games)
    rows = []
    for number, name in enumerate(plan.names):
        own = [game for game in games if _played_by(game, number)]
        points = fsum(
            scoring.points(
                str(game.result),
                first=game.pairing.first == number,
                forfeit=game.forfeit is not None,
            )
            for game in own
        )
        tally = pairs.tally(number)
        rows.append(Standing(name, _results(own, number), points, tally, rate(tally)))
    top = rows[:1] if plan.format == "gauntlet" else []
    return top + sorted(
        rows[len(top) :],
        key=lambda row: (-row.points, -(row.results.score or 0), -row.results.wins),
    )


def duels(plan: Plan, games: Iterable[Game]) -> list[Duel]:
    """Return every pairing that was played, from both sides."""
    games = list(games)
    pairs = PairCounter(games)
    played: dict[tuple[int, int], list[Game]] = defaultdict(list)
    for game in games:
        if game.result in _HALVES:
            played[game.pairing.first, game.pairing.second].append(game)
            played[game.pairing.second, game.pairing.first].append(game)
    found = []
    for (a, b), own in sorted(played.items()):
        tally = pairs.tally(a, b)
        found.append(Duel(plan.names[a], plan.names[b], _results(own, a), tally, rate(tally)))
    return found


def by_side(plan: Plan, games: Iterable[Game]) -> list[SideResults]:
    """Return each player's results so far, by game and side."""
    played: dict[tuple[int, str, Side], list[Game]] = defaultdict(list)
    for game in games:
        if game.result in _HALVES:
            played[game.pairing.first, game.pairing.game, Side.first].append(game)
            played[game.pairing.second, game.pairing.game, Side.second].append(game)
    return [
        SideResults(name, game, side, _results(played[number, game, side], number))
        for number, name in enumerate(plan.names)
        for game in plan.games
        for side in Side
        if played[number, game, side]
    ]


def _results(games: Iterable[Game], player: int) -> Results:
    """Count games that were played, all of them by this player."""
    counts, forfeits = [0, 0, 0], 0
    for game in games:
        half = _HALVES[str(game.result)]
        half = half if game.pairing.first == player else 2 - half
        counts[half] += 1
        forfeits += game.forfeit is not None and half == 0
    losses, draws, wins = counts
    return Results(wins, draws, losses, forfeits)


class PairCounter:
    """Counts pairs of games as soon as both are finished."""

    def __init__(self, games: Iterable[Game] = ()) -> None:
        """Begin with the games already finished."""
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
