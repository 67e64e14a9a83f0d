"""Scores: their order, their text, and what cannot be compared."""

from __future__ import annotations

import itertools
import math
import operator
import pickle
import random
from collections.abc import Callable

import pytest

from mossa import Estimate, Exact

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


@pytest.mark.parametrize("compare", [operator.lt, operator.gt, operator.le, operator.ge])
def test_a_fact_and_an_opinion_cannot_be_compared(
    compare: Callable[[object, object], bool],
) -> None:
    for one, other in itertools.permutations([Exact(1, 3), Estimate(3)]):
        with pytest.raises(TypeError):
            compare(one, other)
    different: list[object] = [Exact(1), Estimate(1)]
    assert different[0] != different[1]


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
