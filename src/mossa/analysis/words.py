"""Scores in words, and what a search thinks in one line."""

from __future__ import annotations

from math import isinf
from typing import Any

from mossa._core import Position
from mossa.analysis.scores import score_data
from mossa.quantities import counted, rounded
from mossa.search import Exact, Info, Score


def score_words(score: Score, position: Position) -> dict[str, Any]:
    """Return a score in two lengths: short for the board, in words for people.

    W7 is a win in 7 plies, L a loss, = a draw; numbers are estimates, or a margin.
    """
    value, distance, exact = score.value, score.distance, isinstance(score, Exact)
    if distance is not None and value:
        short = f"{'W' if value > 0 else 'L'}{distance}"
    elif exact and not value:
        short = "="
    else:
        short = f"{_number(value)}{'!' if exact else ''}"
    unit = position.game.traits.unit
    words = _margin_in_words(score, unit) if unit else _in_words(score)
    return {**score_data(score), "short": short, "words": words}


def _number(value: float) -> str:
    text = f"{value:+g}" if isinf(value) else f"{round(value):+d}"
    return text.replace("-", "\u2212").replace("+0", "0")


def _in_words(score: Score) -> str:
    """Return how the side to move stands, as a phrase to follow its name."""
    value, exact = score.value, isinstance(score, Exact)
    if exact or isinf(value):
        if not value:
            return "draws"
        end = f"{'' if exact else 'probably '}{'wins' if value > 0 else 'loses'}"
        in_time = score.distance is not None and counted(score.distance, "ply", "plies")
        return f"{end} in {in_time}" if in_time else end
    if not round(value):
        return "is about even"
    return f"is {'ahead' if value > 0 else 'behind'} ({_number(value)})"


def _margin_in_words(score: Score, unit: str) -> str:
    """Return the same for a score that is a margin in seeds."""
    margin, exact = round(score.value), isinstance(score, Exact)
    if not margin:
        return "draws" if exact else "is about even"
    amount = counted(abs(margin), unit.removesuffix("s"), unit)
    if exact:
        return f"{'wins' if margin > 0 else 'loses'} by {amount}"
    return f"is {'ahead' if margin > 0 else 'behind'} by about {amount}"


def thought_text(info: Info, between: str = " · ") -> str:
    """Return how far a search got, then the score and the line it expects."""
    work = rounded(info.iterations, "play-out") if info.iterations else f"depth {info.depth}"
    line = " ".join(map(str, info.line))
    return f"{work} · {rounded(info.nodes, 'node')}{between}{info.score} · {line}"
