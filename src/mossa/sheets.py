"""Tables and remarks as plain texts: written down once, for the terminal and for notebooks.

Whoever shows them decides on fonts and colours, and escapes what has to be escaped there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from mossa.quantities import counted

__all__ = ["Note", "Sheet", "sheet_of"]


@dataclass(frozen=True)
class Note:
    """A line of text between or below tables."""

    text: str
    kind: Literal["plain", "quiet", "warning", "error"] = "plain"


@dataclass(frozen=True)
class Sheet:
    """Rows of texts below the names of their columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: frozenset[int] = frozenset({0})
    """The columns of words, by their place; numbers stand flush right."""
    noun: str = "row"
    """What a row is."""
    left_out: int = 0
    """Rows that there is no room for."""

    def first(self, most: int) -> Sheet:
        """Return it with so many rows at most; what is left out is counted."""
        beyond = max(0, len(self.rows) - most)
        return replace(self, rows=self.rows[:most], left_out=self.left_out + beyond)

    @property
    def more(self) -> str:
        """``and 12 more moves``, or nothing if all rows are there."""
        return f"and {counted(self.left_out, f'more {self.noun}')}" if self.left_out else ""


def sheet_of(
    rows: Iterable[Any],
    columns: Mapping[str, Callable[[Any], str]],
    *,
    words: Iterable[str] = (),
    noun: str = "row",
) -> Sheet:
    """Return a sheet whose columns say how a row is written; the first one holds words."""
    names = tuple(columns)
    return Sheet(
        names,
        tuple(tuple(write(row) for write in columns.values()) for row in rows),
        frozenset({0, *(names.index(name) for name in words)}),
        noun,
    )
