"""What results say about two players: Elo, its error, who is stronger, and when to stop.

Games come in pairs from the same opening with sides swapped, and the two games of a pair are not
independent. So the unit is the pair: its points are 0, 1/2, 1, 3/2 or 2, counted in five boxes (the
pentanomial). Single games, counted as losses, draws and wins, work the same way.

The formulas are those of Michel Van den Bergh's notes (cantate.be/Fishtest): normalized Elo
(normalized_elo_practical.pdf) and the generalized sequential probability ratio test
(support_MLE_multinomial.pdf).

Why not a library: SciPy has none of this but root finding and integrals, and is larger than mossa.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

from mossa.errors import GameError

NORMAL = NormalDist()
CONFIDENCE = 0.95
"""Error bars hold the true value at least this often; so do bounds with one end."""

NELO = 800 / math.log(10)
"""Normalized Elo for a score that is one standard deviation of a game away from even."""

_Z = NORMAL.inv_cdf((1 + CONFIDENCE) / 2)

_EMPTY = 1e-3  # stands for a box with nothing in it, so that no likelihood is zero


class InvalidTestError(GameError):
    """A sequential test that makes no sense."""


InvalidTestError.__module__ = "mossa"


def elo_of(score: float) -> float:
    """Return the Elo difference for a score between 0 and 1; infinite at either end."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def score_of(elo: float) -> float:
    """Return the expected score for an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Tally:
    """Results from one player's point of view: how often each score occurred, worst first.

    Three boxes are games (loss, draw, win), five are pairs (0 to 2 points in halves).
    """

    boxes: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse anything else."""
        if len(self.boxes) not in (3, 5) or min(self.boxes) < 0:
            raise InvalidTestError(f"{self.boxes} is not a tally: three or five counts")

    @property
    def units(self) -> int:
        """The number of games, or of pairs."""
        return sum(self.boxes)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.units * (2 if len(self.boxes) == 5 else 1)

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of each box, from 0 to 1."""
        return tuple(at / (len(self.boxes) - 1) for at in range(len(self.boxes)))

    @property
    def mean(self) -> float:
        """The mean score; 1/2 if nothing was played."""
        if not self.units:
            return 0.5
        return math.fsum(n * s for n, s in zip(self.boxes, self.scores, strict=True)) / self.units

    @property
    def variance(self) -> float:
        """The variance of the score of one unit."""
        if not self.units:
            return 0.0
        mean = self.mean
        squares = (n * (s - mean) ** 2 for n, s in zip(self.boxes, self.scores, strict=True))
        return math.fsum(squares) / self.units

    @property
    def reversed(self) -> Tally:
        """The same results as the other player sees them."""
        return Tally(self.boxes[::-1])

    def __add__(self, other: Tally) -> Tally:
        """Add the results of two matches."""
        return Tally(tuple(a + b for a, b in zip(self.boxes, other.boxes, strict=True)))


@dataclass(frozen=True)
class Rating:
    """How much stronger one player is than another."""

    score: float
    elo: float
    """Infinite if every game was won, or lost."""
    low: float
    high: float
    """The ends of the error bar, at 95%. Where one is infinite, the other is a bound at 95%."""
    nelo: float
    """Normalized Elo: strength in units of the noise of one game."""
    nelo_error: float
    los: float
    """The likelihood of superiority: how likely it is that this player is the stronger one."""

    @property
    def error(self) -> float:
        """Half the width of the error bar."""
        return (self.high - self.low) / 2


def rate(tally: Tally) -> Rating:
    """Return what a tally says about a player's strength."""
    if not tally.units:
        return Rating(0.5, 0.0, -math.inf, math.inf, 0.0, math.inf, 0.5)
    mean, variance = tally.mean, tally.variance
    if variance == 0:
        return _rate_equal(tally)
    deviation = math.sqrt(variance / tally.units)
    # The deviation of one game, also where the unit is a pair.
    one_game = math.sqrt(variance * (2 if len(tally.boxes) == 5 else 1))
    low, high = mean - _Z * deviation, mean + _Z * deviation
    los = NORMAL.cdf((mean - 0.5) / deviation)
    if low <= 0 or high >= 1:
        # A normal distribution that reaches beyond a score of 0 or 1 is a bad fit.
        low, high = _open_bar(tally, low, high)
        los = _superiority(tally)
    return Rating(
        score=mean,
        elo=elo_of(mean),
        low=elo_of(low),
        high=elo_of(high),
        nelo=(mean - 0.5) / one_game * NELO,
        nelo_error=_Z * NELO / math.sqrt(tally.games),
        los=los,
    )


def _open_bar(tally: Tally, low: float, high: float) -> tuple[float, float]:
    """Return an error bar that is open where it passes 0 or 1; the other end bounds any results."""
    if low <= 0 and high >= 1:
        return 0.0, 1.0
    if high >= 1:
        return lower_bound(tally, 1 - CONFIDENCE), 1.0
    return 0.0, 1 - lower_bound(tally.reversed, 1 - CONFIDENCE)


def _rate_equal(tally: Tally) -> Rating:
    """Rate results that are all the same: there is no variance for an error bar."""
    mean = tally.mean
    elo = elo_of(mean)
    nelo = math.copysign(math.inf, elo) if elo else 0.0
    one_sided = mean in (0, 1)  # the other end is open
    risk = (1 - CONFIDENCE) / (1 if one_sided else 2)
    low, high = lower_bound(tally, risk), 1 - lower_bound(tally.reversed, risk)
    return Rating(mean, elo, elo_of(low), elo_of(high), nelo, math.inf, _superiority(tally))


# ---------------------------------------------------------------- few results


@lru_cache(maxsize=4096)  # the table of a tournament in play is made again and again
def lower_bound(tally: Tally, risk: float) -> float:
    """Return a score; the true one is below it with a probability of at most ``risk``.

    This is Gaffke's bound (Norbert Gaffke, Three test statistics for a nonparametric one-sided
    hypothesis on the mean of a nonnegative variable, 2005; Learned-Miller and Thomas, A new
    confidence interval for the mean of a bounded random variable, 2019). Add one result, the worst
    there is, give all of them random weights (evenly distributed among those that sum to 1), and
    take the ``risk`` quantile of the weighted mean. It assumes nothing about the distribution; that
    it holds for all of them is conjectured. For results that are all 0 or 1 it is the exact bound
    of Clopper and Pearson: ``risk ** (1 / n)`` if all n of them are 1.
    """
    shapes = (tally.boxes[0] + 1, *tally.boxes[1:])
    low, high = 0.0, tally.mean
    for _ in range(25):  # far beyond the digits that anybody reads
        middle = (low + high) / 2
        if _chance_below(tally, shapes, middle) < risk:
            low = middle
        else:
            high = middle
    return low


def _superiority(tally: Tally) -> float:
    """Return the likelihood of superiority where the normal distribution does not fit.

    One result of the best and one of the worst sort are added, so that whoever wins all of n games
    is the stronger one with a likelihood of 1 - 0.5^(n + 1), as if all strengths were equally
    likely before the first of them.
    """
    worst, *others, best = tally.boxes
    return 1 - _chance_below(tally, (worst + 1, *others, best + 1), 0.5)


def _chance_below(tally: Tally, shapes: Sequence[int], score: float) -> float:
    """Return how likely the mean of a tally's scores is below a score, if it is weighted at random.

    The weights are gamma-distributed numbers of these shapes over their sum, so what is asked is
    whether a sum of gamma-distributed numbers, each times its result's distance from the score, is
    negative. The integral over its characteristic function is Imhof's (J. P. Imhof, Computing the
    distribution of quadratic forms in normal variables, 1961).
    """
    jumps = [(n, s - score) for n, s in zip(shapes, tally.scores, strict=True) if n]
    if all(jump >= 0 for _, jump in jumps):
        return 0.0

    def height(x: float) -> float:
        u = scale * math.exp(x)
        angle = math.fsum(n * math.atan(jump * u) for n, jump in jumps)
        fading = math.fsum(n * math.log1p((jump * u) ** 2) for n, jump in jumps)
        return math.sin(angle) * math.exp(-fading / 2)

    # On a scale of logarithms the curve is smooth and ends softly on both sides: a plain sum is
    # exact to seven digits, or to four for thousands of results, which make it steeper.
    scale = 1 / math.sqrt(math.fsum(n * jump**2 for n, jump in jumps))
    steps = 8 if tally.units <= 200 else 32
    area = math.fsum(height(at / steps) for at in range(-17 * steps, 7 * steps)) / steps
    return 0.5 - area / math.pi


# ---------------------------------------------------------------- the sequential test


@dataclass(frozen=True)
class Sprt:
    """A test that goes on until one of two hypotheses is likely enough.

    The first says that the player is ``elo0`` stronger, the second that it is ``elo1`` stronger.
    ``alpha`` is how often the second may be accepted though the first is true, ``beta`` the other
    way round. ``normalized`` says which kind of Elo it is.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    normalized: bool = False

    def __post_init__(self) -> None:
        """Refuse hypotheses that cannot be told apart."""
        if not self.elo0 < self.elo1 or not all(map(math.isfinite, (self.elo0, self.elo1))):
            raise InvalidTestError(f"elo0 {self.elo0:g} must be less than elo1 {self.elo1:g}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise InvalidTestError(f"invalid {name} '{value}': more than 0, less than 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which the first and the second hypothesis are accepted."""
        lower = math.log(self.beta / (1 - self.alpha))
        upper = math.log((1 - self.beta) / self.alpha)
        return lower, upper

    def llr(self, tally: Tally) -> float:
        """Return the log of how much likelier the second hypothesis is than the first."""
        if not tally.units:
            return 0.0
        counts = [float(count) or _EMPTY for count in tally.boxes]
        total = math.fsum(counts)
        seen = [count / total for count in counts]
        if self.normalized:
            # A pair has twice the variance of a game in the sum, so half of it in the mean.
            scale = math.sqrt(2 if len(counts) == 5 else 1) / NELO
            fits = [_likeliest_t(seen, tally.scores, elo * scale) for elo in (self.elo0, self.elo1)]
        else:
            fits = [
                _likeliest_mean(seen, tally.scores, score_of(elo)) for elo in (self.elo0, self.elo1)
            ]
        ratios = (p * math.log(b / a) for p, a, b in zip(seen, *fits, strict=True))
        return total * math.fsum(ratios)

    def verdict(self, tally: Tally) -> str | None:
        """Return the accepted hypothesis, ``H0`` or ``H1``; None while the test goes on."""
        ratio = self.llr(tally)
        lower, upper = self.bounds
        return "H1" if ratio >= upper else "H0" if ratio <= lower else None


def _likeliest_mean(seen: Sequence[float], scores: Sequence[float], mean: float) -> list[float]:
    """Return the likeliest distribution with a given mean, of results that were seen this often."""
    jumps = [score - mean for score in scores]
    x = _tilt(seen, jumps)
    return [p / (1 + x * jump) for p, jump in zip(seen, jumps, strict=True)]


def _likeliest_t(seen: Sequence[float], scores: Sequence[float], t: float) -> list[float]:
    """Return a distribution whose mean is ``t`` deviations above 1/2.

    It is looked for among the likeliest ones for each mean. The likeliest of all would have to be
    found by an iteration that does not always end; the ratio differs by less than a thousandth.
    """

    def excess(mean: float) -> float:
        found = _likeliest_mean(seen, scores, mean)
        spread = math.fsum(p * (s - mean) ** 2 for p, s in zip(found, scores, strict=True))
        return mean - 0.5 - t * math.sqrt(max(spread, 0.0))

    low, high = 0.0, 1.0
    for _ in range(45):  # far beyond the digits that anybody reads
        middle = (low + high) / 2
        if excess(middle) < 0:
            low = middle
        else:
            high = middle
    return _likeliest_mean(seen, scores, (low + high) / 2)


def _tilt(seen: Sequence[float], jumps: Sequence[float]) -> float:
    """Solve sum p j / (1 + x j) = 0 for x; the sum falls from +inf to -inf between its poles.

    By Newton's steps, and by halves where those would leave the bracket.
    """
    low, high = -1 / max(jumps), -1 / min(jumps)
    x = 0.0
    for _ in range(200):
        parts = [jump / (1 + x * jump) for jump in jumps]
        total = math.fsum(p * part for p, part in zip(seen, parts, strict=True))
        if total > 0:
            low = x
        else:
            high = x
        step = total / math.fsum(p * part * part for p, part in zip(seen, parts, strict=True))
        following = x + step if low < x + step < high else (low + high) / 2
        if abs(following - x) <= 1e-14 * abs(x):
            break
        x = following
    return x
