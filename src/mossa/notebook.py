"""What notebooks show for an object, as self-contained HTML; rows as data frames.

Everything comes in as plain text and is escaped here. There are no colours of the notebook's own:
text and lines take those of the theme, light or dark, and boards bring their background with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

from mossa.errors import needed_by
from mossa.render import to_svg
from mossa.sheets import Note, Sheet

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame

    from mossa._core import Position

__all__ = ["Bar", "data_frame", "shows", "to_html"]

MOST_ROWS = 50
"""Rows shown of a table; a count of the rest stands below it."""
MOST_COLUMNS = 30
"""A table with more, such as the cross table of many players, is left out."""
MOST_LETTERS = 100
"""Of a cell, and of the name of a bar."""
MOST_TEXT = 600
"""Letters of a remark."""
MOST_PICTURE = 200_000
"""Letters of the picture of a board; those of 100 x 100 cells are larger."""
BOARD_SIZE = 260
"""Pixels along the longer side."""

_STYLE = (
    ".mossa{display:flex;flex-wrap:wrap;gap:.8em 1.6em;align-items:flex-start;"
    "font:14px/1.45 system-ui,sans-serif;color:inherit}"
    ".mossa p{margin:.35em 0}.mossa .title{font-weight:600}.mossa .quiet{opacity:.7}"
    ".mossa .warning{border-left:4px solid #d99a00;padding-left:.6em}"
    ".mossa .error{border-left:4px solid #d1453b;padding-left:.6em}"
    ".mossa table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.5em 0;"
    "color:inherit;font-size:inherit}"
    ".mossa tr,.mossa th,.mossa td{background:none;color:inherit}"
    ".mossa th,.mossa td{padding:.12em .8em .12em 0;border:0;border-bottom:1px solid #8885;"
    "text-align:right;white-space:nowrap}"
    ".mossa th.w,.mossa td.w{text-align:left}"
    ".mossa .bars{display:grid;grid-template-columns:max-content 13em;gap:.25em .8em;margin:.5em 0}"
    ".mossa .bar{display:flex;height:1em;align-self:center;border:1px solid #8888;"
    "border-radius:3px;overflow:hidden}"
)


@dataclass(frozen=True)
class Bar:
    """A name, and a bar cut into shares: of results, of grades, of an advantage."""

    name: str
    parts: tuple[tuple[float, str, str], ...]
    """For each part its share of the bar, its colour, and what it says to those who point at it."""


def to_html(
    title: str, parts: Iterable[Sheet | Note | Bar], *, board: Position | None = None
) -> str:
    """Return a board, if there is one, and beside it the title, tables, remarks and bars."""
    shown = [f'<p class="title">{_text(title, MOST_TEXT)}</p>']
    bars: list[str] = []
    for part in (*parts, None):
        if isinstance(part, Bar):
            bars.append(_bar(part))
            continue
        if bars:
            shown.append(f'<div class="bars">{"".join(bars)}</div>')
            bars = []
        if isinstance(part, Sheet):
            shown.append(_sheet(part))
        elif isinstance(part, Note):
            shown.append(_note(part))
    picture = "" if board is None else to_svg(board, size=BOARD_SIZE)
    if len(picture) > MOST_PICTURE:
        shown.append(_note(Note("the board is too large to show here", "quiet")))
        picture = ""
    drawn = picture and f"<div>{picture}</div>"
    return f'<div class="mossa"><style>{_STYLE}</style>{drawn}<div>{"".join(shown)}</div></div>'


_Html = TypeVar("_Html", bound=Callable[..., str])


def shows(kind: type) -> Callable[[_Html], _Html]:
    """Let notebooks show the objects of a class by a function, which stands after the class.

    A package that has such a function imports it, so that whoever has an object has it too.
    """

    def attach(function: _Html) -> _Html:
        kind._repr_html_ = function  # type: ignore[attr-defined]
        return function

    return attach


def data_frame(rows: Iterable[Mapping[str, Any]]) -> DataFrame:
    """Return rows as a pandas data frame; say what to install if pandas is missing."""
    with needed_by("to_pandas()", extra="notebook"):
        import pandas
    return pandas.DataFrame(list(rows))


def _text(text: str, most: int = MOST_LETTERS) -> str:
    return escape(text if len(text) <= most else f"{text[:most]}…")


def _note(note: Note) -> str:
    return f'<p class="{note.kind}">{_text(note.text, MOST_TEXT)}</p>'


def _sheet(sheet: Sheet) -> str:
    if len(sheet.columns) > MOST_COLUMNS:
        return _note(Note(f"a table of {len(sheet.columns)} columns is left out here", "quiet"))
    sheet = sheet.first(MOST_ROWS)
    kinds = [' class="w"' if at in sheet.words else "" for at in range(len(sheet.columns))]

    def row(cell: str, texts: Iterable[str]) -> str:
        cells = zip(kinds, texts, strict=True)
        return "".join(f"<{cell}{kind}>{_text(text)}</{cell}>" for kind, text in cells)

    body = "".join(f"<tr>{row('td', each)}</tr>" for each in sheet.rows)
    table = (
        f"<table><thead><tr>{row('th', sheet.columns)}</tr></thead><tbody>{body}</tbody></table>"
    )
    return table + (_note(Note(sheet.more, "quiet")) if sheet.more else "")


def _bar(bar: Bar) -> str:
    parts = "".join(
        f'<span style="width:{100 * share:.1f}%;background:{escape(colour)}" '
        f'title="{escape(said)}"></span>'
        for share, colour, said in bar.parts
        if share > 0
    )
    words = ", ".join(said for _, _, said in bar.parts)
    picture = f'<span class="bar" role="img" aria-label="{escape(words)}">{parts}</span>'
    return f"<span>{_text(bar.name)}</span>{picture}"
