"""Terminals without Unicode: whether this is one, and plain letters for everything else."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("─━┄┈╌▁▔", "-"),
        **dict.fromkeys("│┃┊▏▕▎▍▌▐", "|"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╋╭╮╰╯┏┓┗┛", "+"),
        **dict.fromkeys("█▇▆▅▄▃▂▀▉▊▋", "#"),
        **dict.fromkeys("●◉", "x"),
        **dict.fromkeys("○◎", "o"),
        **dict.fromkeys("▸▶", ">"),
        **dict.fromkeys("◂◀", "<"),
        "▲": "^",
        "▼": "v",
        "·": ".",
        "•": ".",
        "…": "~",
        "\u2212": "-",
        "\u2013": "-",
        "→": ">",
        "←": "<",
    }
)


def printable(text: str) -> str:
    """Return a text without control sequences: it comes from other people's code.

    >>> printable("crashed: \\x1b[2Jboo")
    'crashed: ?[2Jboo'
    """
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)


def to_ascii(text: str) -> str:
    """Return a text of the same width in plain letters.

    >>> to_ascii("▸ ● 4 … é")
    '> x 4 ~ e'
    """
    if text.isascii():
        return text
    plain = text.translate(_PLAIN)
    if plain.isascii():
        return plain
    return "".join(char if char.isascii() else _letter(char) for char in plain)


def _letter(char: str) -> str:
    """Return a letter without its accent, or else a question mark per column it takes."""
    base = unicodedata.normalize("NFKD", char)[:1]
    if base.isascii() and base.isprintable() and base:
        return base
    return "??" if unicodedata.east_asian_width(char) in "WF" else "?"


def is_ascii_terminal(environment: Mapping[str, str], encoding: str | None) -> bool:
    """Tell whether a terminal shows only ASCII.

    Python writes UTF-8 even if the locale is C, so that is asked for too, as it was given: Python
    itself may have changed LC_CTYPE.
    """
    if not (encoding or "").lower().replace("-", "").startswith("utf"):
        return True
    locale = environment.get("LC_ALL") or environment.get("LANG") or ""
    named = environment.get("LC_CTYPE", "")
    coerced = named in ("", "C.UTF-8", "C.utf8", "UTF-8")
    return locale in ("C", "POSIX") and coerced
