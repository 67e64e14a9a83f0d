"""Counts and times in words: ``1 game``, ``12 games``, ``0.35 ms``, ``2.5 s``, ``1h30m``."""

import math
import re

from mossa.errors import GameError, shorten

__all__ = ["counted", "duration", "percentages", "read_duration", "rounded", "units"]


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return ``1 game``, ``9 games``, ``1,000 games`` or, told the plural, ``3 plies``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def units(number: int, plural: str) -> str:
    """Return ``1 seed`` or ``12 seeds``, told what is counted as a game's traits name it."""
    return counted(number, plural.removesuffix("s"), plural)


def rounded(number: int, noun: str) -> str:
    """Return a count in little room: ``1 node``, ``12 k nodes``, ``3.4 M nodes``."""
    if number < 1000:
        return counted(number, noun)
    if number < 1_000_000:
        return f"{number / 1000:.0f} k {noun}s"
    return f"{number / 1_000_000:.1f} M {noun}s"


def duration(seconds: float) -> str:
    """Return a time to three digits, in milliseconds if it is shorter than a second.

    Not in microseconds: not every terminal can show their sign.
    """
    if seconds >= 99.95:
        return f"{seconds:,.0f} s"
    if seconds >= 0.9995:
        return f"{_three_digits(seconds)} s"
    return f"{_three_digits(seconds * 1000)} ms"


def percentages(*shares: float) -> list[int]:
    """Return shares of a whole as percentages that add up to 100, whatever rounding would do.

    >>> percentages(0.604, 0.044, 0.352)
    [60, 5, 35]
    """
    found = [int(100 * share) for share in shares]
    # What rounding down has left over goes to those that lost most by it.
    by_loss = sorted(range(len(shares)), key=lambda at: found[at] - 100 * shares[at])
    for at in by_loss[: 100 - sum(found)]:
        found[at] += 1
    return found


_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
_SPANS = re.compile(r"(?:\d+(?:\.\d+)?[smhd]?)(?:\d+(?:\.\d+)?[smhd])*")


def read_duration(text: str) -> float:
    """Return the seconds of ``90``, ``30m``, ``2h`` or ``1h30m``; raise GameError if it is none.

    >>> read_duration("1h30m"), read_duration("0.5")
    (5400.0, 0.5)
    """
    given = text.strip().lower()
    if _SPANS.fullmatch(given):
        spans = re.findall(r"([\d.]+)([smhd]?)", given)
        seconds = math.fsum(float(number) * _SECONDS[unit] for number, unit in spans)
        if 0 < seconds < math.inf:
            return seconds
    raise GameError(
        f"invalid time {shorten(text)}: more than nothing, in seconds or as 30m, 2h or 1h30m"
    )


def _three_digits(number: float) -> str:
    """Return 12.3, 1.23, 0.123 or 0.012, without zeros at the end that say nothing."""
    if number >= 99.95:
        return f"{number:.0f}"
    text = f"{number:.{1 if number >= 9.995 else 2 if number >= 0.9995 else 3}f}"
    return text.rstrip("0").rstrip(".")
