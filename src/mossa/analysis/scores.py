"""Scores as plain data for JSON."""

from collections.abc import Iterable
from math import isinf
from typing import Any

from mossa._core import Move
from mossa.networks import NetworkEstimate
from mossa.search import Bound, Exact, Score


def score_data(score: Score | Bound) -> dict[str, Any]:
    """Return a score as plain data; JSON has no infinity, so an unproven win is ``"+inf"``."""
    if isinstance(score, Bound):
        low, high = score_data(score.low), score_data(score.high)
        return {"exact": False, "low": low, "high": high, "text": str(score)}
    value = f"{score.value:+}" if isinf(score.value) else score.value
    return {
        "exact": isinstance(score, Exact),
        "value": value,
        "distance": score.distance,
        "text": str(score),
    }


def estimate_data(estimate: NetworkEstimate) -> dict[str, Any]:
    """Return a network's opinion as plain data: the mover's chances, and each move's share."""
    return {
        "win": round(estimate.win, 4),
        "draw": round(estimate.draw, 4),
        "loss": round(estimate.loss, 4),
        "policy": {str(move): round(share, 5) for move, share in estimate.policy.items()},
    }


def texts(moves: Iterable[Move]) -> list[str]:
    """Return moves as texts."""
    return [str(move) for move in moves]
