"""Self-contained web pages: what the arena's pages share."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --one: #3b7dd8; --two: #d8703b; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block;
  overflow-x: auto }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: right }
th:first-child, td:first-child, .texts td, .texts th { text-align: left }
th, td { white-space: nowrap } .texts td:last-child { white-space: normal; min-width: 16rem }
svg { max-width: 100%; height: auto }
svg text { fill: currentColor; font: 13px system-ui, sans-serif }
.one { fill: var(--one) } .path { stroke: var(--one); fill: none; stroke-width: 2 }
.bar { stroke: currentColor; stroke-width: 1.5 } .axis { stroke: var(--line) }
.bound { stroke: var(--two); stroke-dasharray: 5 4 } small, .note { opacity: .75 }
.warning { border-left: 4px solid var(--two); padding-left: .8rem }
"""


class Html(str):
    """A cell that is HTML already."""

    __slots__ = ()


def document(title: str, parts: Iterable[str]) -> str:
    """Return a page made of HTML parts; the title is plain text."""
    return (
        "<!doctype html>\n<html lang=en><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>\n"
        + "\n".join(parts)
        + "\n</html>\n"
    )


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, texts: bool = False) -> str:
    """Return a table of aligned numbers, or of texts."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    kind = " class=texts" if texts else ""
    return f"<table{kind}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(cell: Any) -> str:
    if isinstance(cell, Html):
        return cell
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 1000 else f"{cell:.4g}"
    return f"{cell:,}" if isinstance(cell, int) else escape(str(cell))
