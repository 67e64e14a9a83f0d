"""Counts and times as people write them: ``1 game``, ``12 games``, ``0.35 ms``, ``2.5 s``."""

__all__ = ["counted", "duration", "units"]


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return ``1 game``, ``2 games``, ``1,000 games`` or, told the plural, ``3 plies``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def units(number: int, plural: str) -> str:
    """Return ``1 seed`` or ``12 seeds``, told what is counted as a game's traits name it."""
    return counted(number, plural.removesuffix("s"), plural)


def duration(seconds: float) -> str:
    """Return a time to three digits, in milliseconds if it is shorter than a second.

    Not in microseconds: not every terminal can show their sign.
    """
    if seconds >= 99.95:
        return f"{seconds:,.0f} s"
    if seconds >= 0.9995:
        return f"{_three_digits(seconds)} s"
    return f"{_three_digits(seconds * 1000)} ms"


def _three_digits(number: float) -> str:
    """Return 12.3, 1.23, 0.123 or 0.012, without zeros at the end that say nothing."""
    if number >= 99.95:
        return f"{number:.0f}"
    text = f"{number:.{1 if number >= 9.995 else 2 if number >= 0.9995 else 3}f}"
    return text.rstrip("0").rstrip(".")
