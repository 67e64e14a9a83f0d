"""Who plays whom on the ladder, and how it stands.

Everything here is a function of results, so it can be tried out without a game being played.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mossa.arena.plan import Scoring
from mossa.course.ratings import PRIOR, Rated, Score, rate_all
from mossa.course.store import Duel, Standing

NEAR = 150.0
"""Elo: players this far apart meet a third as often as equals."""
_FLOOR = 0.02  # how often players meet that are worlds apart, against equals
_NEWCOMER = 20  # games until a version is no newcomer any more
_FRESH = 3.0  # how much rather those meet who have not met yet


@dataclass(frozen=True)
class Couple:
    """Two versions that are to play a pair of games on a board."""

    first: int
    second: int
    game: str


class Meetings:
    """How often versions have met, with the games that are under way."""

    def __init__(self, duels: Iterable[Duel] = ()) -> None:
        """Begin with what is finished."""
        self._games: dict[tuple[int, int, str], int] = defaultdict(int)
        self._couples: dict[tuple[int, int], int] = defaultdict(int)
        self._of: dict[int, int] = defaultdict(int)
        for duel in duels:
            self.add(duel.first, duel.second, duel.game, duel.games)

    def add(self, a: int, b: int, game: str, count: int = 1) -> None:
        """Count games, or with a negative count take them back."""
        low, high = sorted((a, b))
        self._games[low, high, game] += count
        self._couples[low, high] += count
        self._of[a] += count
        self._of[b] += count

    def games(self, a: int, b: int, game: str) -> int:
        """Return how many games two versions have played on a board."""
        low, high = sorted((a, b))
        return self._games.get((low, high, game), 0)

    def couple(self, a: int, b: int) -> int:
        """Return how many games two versions have played on all boards."""
        return self._couples.get((a, b) if a < b else (b, a), 0)

    def of(self, version: int) -> int:
        """Return how many games a version has played."""
        return self._of.get(version, 0)


def next_couple(
    players: Sequence[int],
    boards: Sequence[str],
    meetings: Meetings,
    ratings: Mapping[int, float],
    pairs: int,
    rng: random.Random,
    rivals: frozenset[int] = frozenset(),
) -> Couple | None:
    """Return who plays next and where; None if all have met as often as they may.

    Newcomers come first, those with the fewest games before the others. Opponents of about the same
    rating are likelier, and so are those who have met less. ``rivals`` are players of ours, who
    need no games against each other and never wait for one.
    """
    most = 2 * pairs * len(boards)
    open_to: dict[int, list[int]] = defaultdict(list)
    for at, a in enumerate(players):
        for b in players[at + 1 :]:
            if meetings.couple(a, b) < most and not (a in rivals and b in rivals):
                open_to[a].append(b)
                open_to[b].append(a)
    waiting = [each for each in open_to if each not in rivals]
    if not waiting:
        return None
    fewest = min(meetings.of(each) for each in waiting)
    if fewest < _NEWCOMER:
        turn = rng.choice([each for each in waiting if meetings.of(each) == fewest])
    else:
        # All get about the same number of games, with some luck in it.
        turn = min(waiting, key=lambda each: meetings.of(each) * (1 + 0.2 * rng.random()))
    others = open_to[turn]
    weights = [
        _likeness(ratings.get(turn, 0.0) - ratings.get(other, 0.0))
        * (1 - met / most if (met := meetings.couple(turn, other)) else _FRESH)
        for other in others
    ]
    other = rng.choices(others, weights)[0]
    fresh = min(meetings.games(turn, other, game) for game in boards)
    board = rng.choice([g for g in boards if meetings.games(turn, other, g) == fresh])
    return Couple(turn, other, board)


def _likeness(gap: float) -> float:
    """Return how likely two players are to meet whose ratings are so far apart."""
    return max(_FLOOR, math.exp(-((gap / NEAR) ** 2)))


# ---------------------------------------------------------------- standings


def rated(
    duels: Iterable[Duel], players: Sequence[int], begin: Mapping[int, float]
) -> dict[int, Rated]:
    """Return the ratings of the versions that play; those that were replaced count as opponents."""
    scores = [
        Score(duel.first, duel.second, duel.games, duel.wins + duel.draws / 2) for duel in duels
    ]
    return rate_all(scores, players, begin, exact=players)


def standings(
    duels: Iterable[Duel], players: Sequence[int], ratings: Mapping[int, Rated], scoring: Scoring
) -> list[Standing]:
    """Return the ladder, best first: by rating, those of whom nothing is known last."""
    sums: dict[int, list[float]] = {each: [0, 0, 0, 0, 0.0] for each in players}
    for duel in duels:
        for version, row in _results(duel, scoring).items():
            if version in sums:
                sums[version] = [a + b for a, b in zip(sums[version], row, strict=True)]
    unknown = Rated(0.0, PRIOR)
    order = sorted(
        players,
        key=lambda each: (
            not sum(sums[each][:3]),
            -ratings.get(each, unknown).elo,
            each,
        ),
    )
    rows = []
    for rank, version in enumerate(order, 1):
        wins, draws, losses, forfeits = map(int, sums[version][:4])
        own = ratings.get(version, unknown)
        games = wins + draws + losses
        rows.append(
            Standing(
                version,
                rank,
                round(own.elo, 1),
                round(own.error, 1),
                games,
                wins,
                draws,
                losses,
                forfeits,
                sums[version][4],
            )
        )
    return rows


def _results(duel: Duel, scoring: Scoring) -> dict[int, list[float]]:
    """Return wins, draws, losses, forfeits and points of both, by version."""

    def points(first: bool) -> float:
        total = 0.0
        for result, count, forfeits in (
            ("1-0", duel.wins, duel.given),
            ("1/2", duel.draws, 0),
            ("0-1", duel.losses, duel.forfeited),
        ):
            total += (count - forfeits) * scoring.points(result, first=first, forfeit=False)
            total += forfeits * scoring.points(result, first=first, forfeit=True)
        return total

    return {
        duel.first: [duel.wins, duel.draws, duel.losses, duel.forfeited, points(True)],
        duel.second: [duel.losses, duel.draws, duel.wins, duel.given, points(False)],
    }
