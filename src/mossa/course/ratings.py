"""Ratings of players who do not all play each other: what each result says, given the opponent.

The model is that of Bradley and Terry, which Elo's formula is: who is so many points stronger
scores so much (`mossa.arena.statistics.score_of`). The ratings are the likeliest ones for all
results together, with one assumption more: before its first game a player is about average, give
or take `PRIOR`. So nobody's rating is infinite, and players that have no opponent in common can be
compared, with an error bar that says how little is known. The average of all is 0, and a rating's
error bar says how far from that average the player may be.

The error bars are those of the normal distribution that fits the likelihood at its top. A draw
counts as half a win. Both games of a pair count for themselves; as they have the same opening with
the sides swapped they rather cancel than add, which makes the error bars too wide and not too
narrow.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import mul

from mossa.arena.statistics import CONFIDENCE, NORMAL, score_of

PRIOR = 350.0
"""Elo: the spread of players of whom nothing is known."""

_Z = NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
_PER_POINT = math.log(10) / 400
_STEPS = 200
_CLOSE = 0.01  # Elo


@dataclass(frozen=True)
class Score:
    """What a player scored against an opponent."""

    player: int
    opponent: int
    games: int
    points: float
    """A draw is half a point."""


@dataclass(frozen=True)
class Rated:
    """A rating, and half the width of its error bar at 95%."""

    elo: float
    error: float


def rate_all(
    scores: Iterable[Score],
    players: Iterable[int],
    begin: Mapping[int, float] | None = None,
    *,
    exact: Iterable[int] | None = None,
) -> dict[int, Rated]:
    """Return the rating of every player; each couple's games are given once.

    ``begin`` are ratings to start from, which saves time. Errors take into account that the ratings
    of opponents are uncertain too, those of the players in ``exact`` (all) among each other.
    """
    opponents: dict[int, dict[int, list[float]]] = {each: {} for each in players}
    for each in scores:
        for a, b, points in (
            (each.player, each.opponent, each.points),
            (each.opponent, each.player, each.games - each.points),
        ):
            known = opponents.setdefault(a, {}).setdefault(b, [0.0, 0.0])
            known[0] += each.games
            known[1] += points
    ratings = {each: (begin or {}).get(each, 0.0) for each in opponents}
    _climb(ratings, opponents)
    wanted = list(opponents) if exact is None else [each for each in exact if each in opponents]
    errors = _errors(ratings, opponents, wanted)
    middle = math.fsum(ratings[each] for each in wanted) / max(1, len(wanted))
    return {each: Rated(ratings[each] - middle, errors[each]) for each in wanted}


def _climb(ratings: dict[int, float], opponents: dict[int, dict[int, list[float]]]) -> None:
    """Move each rating to where it is likeliest given the others, until none moves."""
    for _ in range(_STEPS):
        moved = 0.0
        for player, met in opponents.items():
            slope = -ratings[player] / PRIOR**2
            bend = 1 / PRIOR**2
            for other, (games, points) in met.items():
                expected = score_of(ratings[player] - ratings[other])
                slope += _PER_POINT * (points - games * expected)
                bend += _PER_POINT**2 * games * expected * (1 - expected)
            step = max(-PRIOR, min(PRIOR, slope / bend))  # Newton's, kept from leaping
            ratings[player] += step
            moved = max(moved, abs(step))
        if moved < _CLOSE:
            return


def _errors(
    ratings: Mapping[int, float],
    opponents: Mapping[int, Mapping[int, list[float]]],
    wanted: list[int],
) -> dict[int, float]:
    """Return half the width of the error bars: the inverse of the matrix of second derivatives."""
    place = {player: at for at, player in enumerate(wanted)}
    matrix = [[0.0] * len(wanted) for _ in wanted]
    for player, at in place.items():
        row = matrix[at]
        row[at] += 1 / PRIOR**2
        for other, (games, _) in opponents[player].items():
            expected = score_of(ratings[player] - ratings[other])
            bend = _PER_POINT**2 * games * expected * (1 - expected)
            row[at] += bend
            if other in place:
                row[place[other]] -= bend
    variances = _distance_variances(matrix)
    return {player: _Z * math.sqrt(variances[at]) for player, at in place.items()}


def _distance_variances(matrix: list[list[float]]) -> list[float]:
    """Return the variance of each value's distance from the mean of all.

    The matrix is symmetric and positive definite; its inverse C holds the covariances. What is
    wanted is C[i][i], less twice the mean of row i, plus the mean of all of C.
    """
    size = len(matrix)
    lower = _cholesky(matrix)
    columns = [_inverse_column(lower, at) for at in range(size)]
    # C is the transpose of the inverse of the lower triangle, times that inverse.
    across = [math.fsum(column[at] for column in columns) for at in range(size)]
    sums = [_dot(column, across) for column in columns]
    mean = math.fsum(sums) / size**2 if size else 0.0
    found = (
        _dot(column, column) - 2 * total / size + mean
        for column, total in zip(columns, sums, strict=True)
    )
    return [max(0.0, each) for each in found]


def _cholesky(matrix: list[list[float]]) -> list[list[float]]:
    """Return the lower triangle whose product with its transpose is the matrix."""
    size = len(matrix)
    lower = [[0.0] * size for _ in range(size)]
    for i, row in enumerate(lower):
        for j in range(i):
            row[j] = (matrix[i][j] - _dot(row[:j], lower[j][:j])) / lower[j][j]
        row[i] = math.sqrt(max(matrix[i][i] - _dot(row[:i], row[:i]), 1e-300))
    return lower


def _inverse_column(lower: list[list[float]], at: int) -> list[float]:
    """Return a column of the inverse of a lower triangle."""
    solved = [0.0] * len(lower)
    solved[at] = 1 / lower[at][at]
    for i in range(at + 1, len(lower)):
        solved[i] = -_dot(lower[i][at:i], solved[at:i]) / lower[i][i]
    return solved


def _dot(one: list[float], other: list[float]) -> float:
    total: float = sum(map(mul, one, other))
    return total
