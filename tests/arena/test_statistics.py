"""Elo, likelihood of superiority and the sequential test, against published figures.

The vectors are those that fastchess tests itself with (app/tests/sprt_test.cpp and elo_test.cpp of
github.com/Disservin/fastchess); fishtest's calculator gives the same ratios.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mossa.arena.statistics import (
    InvalidTestError,
    Sprt,
    Tally,
    elo_of,
    lower_bound,
    rate,
    score_of,
)


def games(wins: int, losses: int, draws: int) -> Tally:
    return Tally((losses, draws, wins))


def pairs(ll: int, ld: int, wl: int, dd: int, wd: int, ww: int) -> Tally:
    return Tally((ll, ld, wl + dd, wd, ww))


@pytest.mark.parametrize(
    ("tally", "elo0", "elo1", "normalized", "llr"),
    [
        (games(36433, 36027, 68692), 0, 2, True, 0.92),
        (games(10871, 10650, 20431), -1.75, 0.25, True, 2.30),
        (games(21404, 21184, 40708), 0.5, 2.5, False, -1.57),
        (games(57433, 57030, 106593), 0, 2, False, -2.59),
        (pairs(365, 16618, 36029, 200, 16974, 390), 0, 2, True, 2.25),
        (pairs(127, 4883, 10311, 401, 5150, 104), -1.75, 0.25, True, 3.01),
        (pairs(223, 9863, 20279, 1000, 10037, 246), 0.5, 2.5, False, -3.07),
        (pairs(871, 26175, 55003, 980, 26678, 821), 0, 2, False, -4.98),
    ],
)
def test_published_ratios(
    tally: Tally, elo0: float, elo1: float, normalized: bool, llr: float
) -> None:
    assert Sprt(elo0, elo1, normalized=normalized).llr(tally) == pytest.approx(llr, abs=0.006)


@pytest.mark.parametrize(
    ("tally", "elo", "error", "nelo", "nelo_error", "los"),
    [
        (games(136, 96, 111), 40.70, 30.43, 49.77, 36.77, 0.9960),
        (games(76, 89, 123), None, None, -20.76, 40.13, 0.1553),
        (games(34, 356, 0), None, None, -508.44, 34.48, 0.0),
        (pairs(34, 54, 31, 32, 64, 75), 55.58, 27.65, 57.94, 28.28, 1.0),
        (pairs(332, 433, 457, 41, 333, 334), -8.64, 10.33, -9.17, 10.96, 0.0505),
        (pairs(7895, 8757, 5485, 200, 568, 9999), -21.04, 2.95, -19.01, 2.65, None),
    ],
)
def test_published_ratings(
    tally: Tally,
    elo: float | None,
    error: float | None,
    nelo: float,
    nelo_error: float,
    los: float | None,
) -> None:
    found = rate(tally)
    assert found.nelo == pytest.approx(nelo, abs=0.006)
    assert found.nelo_error == pytest.approx(nelo_error, abs=0.006)
    if elo is not None:
        assert found.elo == pytest.approx(elo, abs=0.006)
        assert found.error == pytest.approx(error, abs=0.006)
    if los is not None:
        assert found.los == pytest.approx(los, abs=6e-5)


def test_elo_and_score_are_inverse() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(0.75) == pytest.approx(190.85, abs=0.01)
    for elo in (-800, -3, 0, 0.5, 400):
        assert elo_of(score_of(elo)) == pytest.approx(elo)
    assert (elo_of(0), elo_of(1)) == (-math.inf, math.inf)


# --- results that are all the same ----------------------------------------------------------------


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("boxes", [(0, 0, 40), (0, 0, 0, 0, 40)])
def test_wins_only_are_finite_and_accepted(boxes: tuple[int, ...], normalized: bool) -> None:
    sprt = Sprt(0, 200, normalized=normalized)
    assert sprt.verdict(Tally(boxes)) == "H1"
    assert sprt.verdict(Tally(boxes[::-1])) == "H0"
    for n in (1, 2, 10, 10**6):
        for tally in (Tally((0, 0, n)), Tally((n, 0, 0)), Tally((0, n, 0)), Tally((0, 0, n, 0, 0))):
            assert math.isfinite(sprt.llr(tally))


def test_nothing_played_says_nothing() -> None:
    for boxes in ((0, 0, 0), (0,) * 5):
        assert Sprt(0, 5).llr(Tally(boxes)) == 0
        found = rate(Tally(boxes))
        assert (found.elo, found.los) == (0, 0.5)
        assert (found.low, found.high) == (-math.inf, math.inf)


def test_a_hundred_percent_has_an_end_of_its_error_bar() -> None:
    found = rate(Tally((0, 0, 0, 0, 10)))
    assert found.elo == math.inf
    assert found.los == pytest.approx(1 - 0.5**11, abs=1e-6)
    # Ten of ten: with a share of 0.05^(1/10) that still happens in 5 of 100 matches.
    assert found.low == pytest.approx(elo_of(0.05**0.1), abs=0.01)
    mirrored = rate(Tally((10, 0, 0, 0, 0)))
    assert mirrored.elo == -math.inf
    assert mirrored.high == pytest.approx(-found.low)
    assert rate(Tally((0, 0, 1000, 0, 0))).los == 0.5


def test_an_end_of_a_bar_that_is_not_known_is_infinite() -> None:
    for pairs in range(1, 100):
        rating = rate(Tally((0, 0, 0, 0, pairs)))
        assert rating.high == math.inf
        assert rate(Tally((pairs, 0, 0, 0, 0))).high == pytest.approx(-rating.low)


@pytest.mark.parametrize(
    ("won", "lost", "bound"),
    [(1, 0, 0.05), (10, 0, 0.7411), (9, 1, 0.6058), (16, 4, 0.5990), (1, 1, 0.0253)],
)
def test_results_of_two_sorts_have_the_bound_of_clopper_and_pearson(
    won: int, lost: int, bound: float
) -> None:
    """The figures are the 5% quantiles of the beta distribution with won and lost + 1."""
    assert lower_bound(Tally((lost, 0, won)), 0.05) == pytest.approx(bound, abs=1e-4)
    assert lower_bound(Tally((lost, 0, 0, 0, won)), 0.05) == pytest.approx(bound, abs=1e-4)


def test_a_bound_of_thousands_of_results() -> None:
    for pairs in (150, 1000, 5000):
        bound = lower_bound(Tally((0, 0, 0, 0, pairs)), 0.05)
        assert elo_of(bound) == pytest.approx(elo_of(0.05 ** (1 / pairs)), abs=1)


def all_tallies(pairs: int) -> Iterator[Tally]:
    """Every way in which so many pairs can end."""
    for bars in combinations(range(pairs + 4), 4):
        ends = (-1, *bars, pairs + 4)
        yield Tally(tuple(b - a - 1 for a, b in pairwise(ends)))


@pytest.mark.parametrize("pairs", [2, 5])
@pytest.mark.parametrize(
    "truth",
    [
        (0.05, 0, 0, 0, 0.95),
        (0.45, 0, 0, 0, 0.55),
        (0.5, 0, 0, 0, 0.5),
        (0.02, 0.03, 0.05, 0.2, 0.7),
        (0.1, 0, 0.3, 0, 0.6),
        (0, 0, 0.1, 0.2, 0.7),
        (0.1, 0.2, 0.4, 0.2, 0.1),
        (0.96, 0, 0.04, 0, 0),
    ],
)
def test_a_bound_is_wrong_as_seldom_as_it_promises(pairs: int, truth: tuple[float, ...]) -> None:
    """Counted over everything that can happen: no sampling, no luck."""
    strength = elo_of(math.fsum(p * at / 4 for at, p in enumerate(truth)))
    wrong = {"lower_bound": 0.0, "at least": 0.0, "at most": 0.0}
    for tally in all_tallies(pairs):
        chance = math.factorial(pairs) * math.prod(
            p**n / math.factorial(n) for p, n in zip(truth, tally.boxes, strict=True)
        )
        rating = rate(tally)
        if elo_of(lower_bound(tally, 0.05)) > strength + 0.01:
            wrong["lower_bound"] += chance
        if rating.high == math.inf and rating.low > strength + 0.01:
            wrong["at least"] += chance
        if rating.low == -math.inf and rating.high < strength - 0.01:
            wrong["at most"] += chance
    assert max(wrong.values()) <= 0.05, wrong


def test_a_bound_from_many_pairs_is_not_too_cautious_either() -> None:
    """A player that wins 19 of 20 points: fifty pairs say at least half of its Elo."""
    rng = random.Random(2)
    truth = (0, 0, 0.05, 0.1, 0.85)
    strength = elo_of(0.95)
    bounds = []
    for _ in range(20):
        drawn = rng.choices(range(5), truth, k=50)
        bounds.append(elo_of(lower_bound(Tally(tuple(drawn.count(at) for at in range(5))), 0.05)))
    assert strength / 2 < sum(bounds) / len(bounds) < strength


def test_likelihood_of_superiority_of_few_pairs_is_modest() -> None:
    """It was 100.0% after three pairs, of which one was not even won."""
    assert 0.8 < rate(Tally((0, 0, 0, 1, 2))).los < 0.95
    assert rate(Tally((0, 0, 0, 0, 1))).los == pytest.approx(0.75)
    assert 0.5 < rate(Tally((1, 0, 1, 0, 2))).los < 0.75


def test_error_bars_shrink_with_the_number_of_pairs() -> None:
    few, many = rate(Tally((1, 2, 4, 3, 2))), rate(Tally((100, 200, 400, 300, 200)))
    assert many.elo == pytest.approx(few.elo)
    assert many.error == pytest.approx(few.error / 10, rel=0.1)


# --- laws -----------------------------------------------------------------------------------------

five = st.tuples(*[st.integers(0, 200)] * 5)


@given(five)
def test_the_other_side_sees_the_opposite(boxes: tuple[int, ...]) -> None:
    tally = Tally(boxes)
    mine, theirs = rate(tally), rate(tally.reversed)
    if math.isfinite(mine.elo):
        assert mine.elo == pytest.approx(-theirs.elo, abs=1e-6)
    assert mine.los == pytest.approx(1 - theirs.los, abs=1e-9)
    assert mine.low <= mine.elo <= mine.high


@given(five, st.floats(-50, 50), st.floats(0.5, 100), st.booleans())
def test_the_ratio_is_finite_and_turns_round(
    boxes: tuple[int, ...], elo0: float, width: float, normalized: bool
) -> None:
    tally = Tally(boxes)
    ratio = Sprt(elo0, elo0 + width, normalized=normalized).llr(tally)
    assert math.isfinite(ratio)
    turned = Sprt(-elo0 - width, -elo0, normalized=normalized).llr(tally.reversed)
    assert turned == pytest.approx(-ratio, abs=1e-4 + 1e-4 * abs(ratio))


def test_the_test_errs_as_seldom_as_it_promises() -> None:
    """Equal players, Elo 0 against 60: a wrong H1 in about 5 of 100 tests, never much more."""
    rng = random.Random(1)
    wrong = 0
    for _ in range(100):
        boxes = [0] * 5
        verdict = None
        sprt = Sprt(0, 60)
        while verdict is None:
            for _ in range(20):
                boxes[rng.choices(range(5), (1, 2, 3, 2, 1))[0]] += 1
            verdict = sprt.verdict(Tally(tuple(boxes)))
        wrong += verdict == "H1"
    assert wrong <= 12


@pytest.mark.parametrize(
    "make",
    [
        lambda: Sprt(5, 5),
        lambda: Sprt(5, 0),
        lambda: Sprt(0, math.inf),
        lambda: Sprt(0, 5, alpha=0),
        lambda: Sprt(0, 5, beta=0.5),
        lambda: Tally((1, 2)),
        lambda: Tally((1, 2, -1)),
    ],
)
def test_what_makes_no_sense_is_refused(make: object) -> None:
    with pytest.raises(InvalidTestError):
        make()  # type: ignore[operator]


def test_bounds() -> None:
    lower, upper = Sprt(0, 5).bounds
    assert lower == pytest.approx(-2.944, abs=1e-3)
    assert upper == pytest.approx(2.944, abs=1e-3)
