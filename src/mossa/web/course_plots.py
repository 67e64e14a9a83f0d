"""Ratings as small pictures: how one went, and how far it is certain. They know no course."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_WIDTH, _HEIGHT = 640, 200
_LEFT, _BELOW = 60, 26
"""Room for the numbers beside and below the curve."""
_LEAST = 40.0
"""Points of rating from the bottom to the top, at least: noise is not to look like a mountain."""


def spark(ratings: Sequence[float]) -> str:
    """Return the course of a rating in the height of a line; nothing before there are two."""
    if len(ratings) < 2:
        return ""
    low, high = _range(ratings)
    points = " ".join(
        f"{100 * at / (len(ratings) - 1):.0f},{30 - 28 * (each - low) / (high - low):.0f}"
        for at, each in enumerate(ratings)
    )
    told = f"from {ratings[0]:.0f} to {ratings[-1]:.0f}"
    return (
        f'<svg class="spark" viewBox="0 0 100 32" preserveAspectRatio="none" role="img" '
        f'aria-label="Rating {told}"><polyline points="{points}"/></svg>'
    )


def error_bar(rating: float, low: float, high: float, ends: tuple[float, float]) -> str:
    """Return a rating as a point with its error, between the ends that all rows share."""
    left, right = ends
    span = max(right - left, 1.0)

    def x(value: float) -> float:
        return round(6 + 148 * min(max((value - left) / span, 0.0), 1.0), 1)

    return (
        '<svg viewBox="0 0 160 16" aria-hidden="true">'
        f'<path d="M{x(low)} 8H{x(high)}"/><circle cx="{x(rating)}" cy="8" r="4"/></svg>'
    )


def curve(
    points: Sequence[tuple[float, float, float]], marks: Sequence[tuple[int, str]], told: str
) -> str:
    """Return how a rating went, with its error and what happened on the way.

    The points have a rating with its lower and its upper end; a mark stands at one of them.
    """
    if len(points) < 2:
        return ""
    low, high = _range([end for each in points for end in each])
    step = (_WIDTH - _LEFT - 8) / (len(points) - 1)

    def place(at: int, value: float) -> str:
        down = 8 + (_HEIGHT - _BELOW - 8) * (high - value) / (high - low)
        return f"{_LEFT + step * at:.1f},{down:.1f}"

    line = " ".join(place(at, each[0]) for at, each in enumerate(points))
    band = [place(at, each[1]) for at, each in enumerate(points)]
    band += [place(at, points[at][2]) for at in reversed(range(len(points)))]
    rules = "".join(_rule(value, low, high) for value in _steps(low, high))
    flags = "".join(
        f'<path class="mark" d="M{_LEFT + step * at:.1f} 8V{_HEIGHT - _BELOW}"/>'
        f'<text x="{_LEFT + step * at + 3:.1f}" y="{_HEIGHT - 6}">{escape(text)}</text>'
        for at, text in marks
        if 0 <= at < len(points)
    )
    return (
        f'<svg class="curve" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(told)}">{rules}<polygon class="band" points="{" ".join(band)}"/>'
        f'{flags}<polyline points="{line}"/></svg>'
    )


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    spare = max(0.0, _LEAST - (high - low)) / 2
    return low - spare, high + spare


def _steps(low: float, high: float) -> list[float]:
    """Return a few round numbers between two."""
    step = next(
        (each for each in (10, 20, 50, 100, 200, 500, 1000) if (high - low) / each <= 7), 2000
    )
    first = -(-low // step) * step
    return [first + step * at for at in range(int((high - first) // step) + 1)]


def _rule(value: float, low: float, high: float) -> str:
    down = 8 + (_HEIGHT - _BELOW - 8) * (high - value) / (high - low)
    number = f"{value:.0f}".replace("-", "−")  # noqa: RUF001
    return (
        f'<path class="rule" d="M{_LEFT} {down:.1f}H{_WIDTH - 8}"/>'
        f'<text x="{_LEFT - 6}" y="{down + 4:.1f}" text-anchor="end">{number}</text>'
    )
