"""Scores: the laws of their order, and their text."""

from __future__ import annotations

import itertools
import math
import operator
import pickle
import random
from collections.abc import Callable

import hypothesis
import pytest
from hypothesis import strategies as st

import mossa
from mossa import Bound, Estimate, Exact, Score, Scoring
from mossa.search import advantage, final_score, move_score

WORST_TO_BEST = [
    Exact(-12),
    Exact(-1, 2),
    Exact(-1, 8),
    Exact(0),
    Exact(1, 9),
    Exact(1, 3),
    Exact(1, 1),
    Exact(12),
]


@pytest.mark.parametrize(("worse", "better"), list(itertools.combinations(WORST_TO_BEST, 2)))
def test_exact_scores_are_ordered(worse: Exact, better: Exact) -> None:
    assert worse < better
    assert better > worse
    assert not better < worse
    assert worse != better
    assert -better < -worse


def test_exact_scores_can_be_sorted() -> None:
    shuffled = WORST_TO_BEST.copy()
    random.Random(1).shuffle(shuffled)
    assert sorted(shuffled) == WORST_TO_BEST
    assert max(shuffled) == Exact(12)
    assert min(shuffled) == Exact(-12)


@pytest.mark.parametrize("compare", [operator.le, operator.ge])
def test_an_exact_score_is_no_better_and_no_worse_than_itself(
    compare: Callable[[object, object], bool],
) -> None:
    assert compare(Exact(1, 3), Exact(1, 3))
    assert compare(Exact(0), Exact(0))
    assert compare(Exact(1, 3), Exact(1, 5)) == (compare is operator.ge)


@pytest.mark.parametrize(
    "score", [*WORST_TO_BEST, Estimate(35), Estimate(0), Estimate(math.inf, 3)]
)
def test_a_score_negated_twice_is_itself(score: Exact | Estimate) -> None:
    negated = -score
    assert negated.value == -score.value
    assert -negated == score
    assert pickle.loads(pickle.dumps(score)) == score
    if isinstance(score, Exact):
        assert (-score).distance == score.distance


def test_estimates_are_ordered() -> None:
    """A win that was found but is not proven outweighs every other opinion."""
    assert Estimate(-3) < Estimate(0) <= Estimate(0) < Estimate(0.5) < Estimate(35)
    assert -Estimate(35) < -Estimate(0.5)
    assert Estimate(35) < Estimate(math.inf, 9) < Estimate(math.inf, 3)
    assert -Estimate(math.inf, 3) < -Estimate(math.inf, 9) < Estimate(-35)


@pytest.mark.parametrize(
    "worst_to_best",
    [
        pytest.param(
            [
                Exact(-1, 2),
                Exact(-1, 8),
                Estimate(-math.inf, 2),
                Estimate(-35),
                Estimate(-0.5),
                Exact(0, 42),
                Estimate(12),
                Estimate(1000),
                Estimate(math.inf, 1),
                Exact(1),  # proven, but nobody knows how quickly it is won
                Exact(1, 9),
                Exact(1, 3),
            ],
            id="outcome",
        ),
        pytest.param(
            [
                Exact(-3),
                Estimate(-3, margin=True),
                Exact(0),
                Estimate(0.5, margin=True),
                Exact(1),
                Estimate(2, margin=True),
                Exact(2),
                Estimate(30, margin=True),
            ],
            id="margin",
        ),
        pytest.param([Exact(-2), Estimate(-700), Exact(0), Estimate(700), Exact(2)], id="playouts"),
    ],
)
def test_facts_and_opinions_have_one_order(worst_to_best: list[Score]) -> None:
    for worse, better in itertools.combinations(worst_to_best, 2):
        assert worse < better and worse <= better and better > worse and better >= worse
        assert not better <= worse
        assert worse != better


def test_equally_good_scores_need_not_be_equal() -> None:
    """A draw is a draw, however long it takes; an even opinion is as good."""
    draws: list[Score] = [Exact(0, 5), Exact(0, 9), Exact(0), Estimate(0), Estimate(0, margin=True)]
    for one, other in itertools.combinations(draws, 2):
        assert one <= other <= one
        assert one.rank == other.rank
        assert one != other


@pytest.mark.parametrize("compare", [operator.lt, operator.gt, operator.le, operator.ge])
def test_scores_do_not_compare_with_anything_else(
    compare: Callable[[object, object], bool],
) -> None:
    for other in (1, "+1", None, Bound(Exact(0), Exact(1, 3))):
        with pytest.raises(TypeError):
            compare(Exact(1, 3), other)


distances = st.none() | st.integers(0, 10_000)
scores = (
    st.builds(Exact, st.integers(-100, 100), distances)
    | st.builds(Estimate, st.sampled_from([-math.inf, math.inf]), distances)
    | st.builds(Estimate, st.floats(-1e6, 1e6) | st.integers(-9, 9), margin=st.booleans())
)


@hypothesis.given(scores, scores, scores)
def test_the_order_is_total(one: Score, other: Score, third: Score) -> None:
    assert one <= one
    assert (one < other) + (one.rank == other.rank) + (one > other) == 1
    assert (one <= other) == (not one > other)
    assert (one >= other) == (not one < other)
    if one == other:
        assert one.rank == other.rank
    if one <= other <= third:
        assert one <= third
    if one < other <= third:
        assert one < third


@hypothesis.given(scores, scores)
def test_turning_scores_round_reverses_their_order(one: Score, other: Score) -> None:
    assert (one < other) == (-other < -one)
    assert (one <= other) == (-other <= -one)


@hypothesis.given(scores)
def test_a_ply_later_is_no_better_for_the_winner(score: Score) -> None:
    later = score.later()
    assert (later.value, -later) == (score.value, (-score).later())
    if score.distance is None:
        assert later == score
    elif score.standing:
        assert (later < score) == (score.standing > 0)


def test_bounds_are_turned_and_delayed_as_their_ends() -> None:
    bound = Bound(Exact(0, 30), Exact(1, 5))
    assert -bound == Bound(Exact(-1, 5), Exact(0, 30))
    assert bound.later() == Bound(Exact(0, 31), Exact(1, 6))


def test_the_score_of_a_finished_game() -> None:
    over = mossa.game("connect4").position("1212121")
    before = mossa.game("connect4").position("121212")
    assert final_score(over) == Exact(-1, 0)  # the loser would be next
    assert move_score(final_score(over), before, over) == Exact(1, 1)
    kalah = mossa.game("kalah:1x1").position("1")
    assert kalah.outcome is not None
    assert final_score(kalah).distance is None
    assert abs(final_score(kalah).value) == abs(kalah.outcome.value)


def test_a_score_is_turned_only_if_the_turn_passed() -> None:
    start = mossa.game("kalah:6x4").start()
    again, passed = start.play("3"), start.play("1")
    assert move_score(Exact(5), start, again) == Exact(5)
    assert move_score(Exact(5), start, passed) == Exact(-5)


@pytest.mark.parametrize(
    ("score", "scoring", "least", "most"),
    [
        (Exact(1, 9), Scoring.outcome, 1, 1),
        (Exact(-1), Scoring.outcome, -1, -1),
        (Exact(0, 9), Scoring.outcome, 0, 0),
        (Estimate(math.inf, 3), Scoring.outcome, 1, 1),
        (Estimate(30), Scoring.outcome, 0.2, 0.4),
        (Estimate(10**6), Scoring.outcome, 0.9, 0.99),
        (Exact(2), Scoring.margin, 0.1, 0.4),
        (Estimate(2, margin=True), Scoring.margin, 0.1, 0.4),
        (Estimate(30), Scoring.margin, 0.2, 0.4),
    ],
)
def test_advantage(score: Score, scoring: Scoring, least: float, most: float) -> None:
    assert least <= advantage(score, scoring) <= most
    assert advantage(-score, scoring) == -advantage(score, scoring)


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Exact(1, 7), "+1 in 7"),
        (Exact(-1, 2), "-1 in 2"),
        (Exact(0), "0"),
        (Exact(12), "+12"),
        (Exact(-3), "-3"),
        (Estimate(35), "~ +35"),
        (Estimate(-0.5), "~ -0.5"),
        (Estimate(math.inf, 7), "~ win in 7"),
        (Estimate(-math.inf, 2), "~ loss in 2"),
    ],
)
def test_scores_as_text(score: Exact | Estimate, text: str) -> None:
    assert str(score) == text
