"""SVG pictures.

Every board is drawn in units of which a cell is 40 wide, so the shapes below are the same
whatever the sizes of the game, and two pictures on one page may share their ids. Each picture
brings its own background: it looks the same on a light page and on a dark one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from mossa._core import Shape
from mossa.render.looks import (
    GridPlan,
    Hollow,
    Look,
    column_name,
    grid_plan,
    hollows_of,
    label_at,
    look_of,
    pits_plan,
    seed_place,
    text_lines,
    text_plan,
    text_svg,
)
from mossa.render.words import last_cells, side_label, status

if TYPE_CHECKING:
    from mossa._core import Position

_CAPTION = 38
_MIN_WIDTH = 280
_LETTER_WIDTH = 0.56  # of the font size, on average: SVG cannot measure its own text
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


def to_svg(position: Position, *, size: int = 480) -> str:
    """Return a self-contained picture, `size` pixels along its longer side.

    The title and the description say the same in words, for screen readers. The same
    position gives the same text, byte by byte.
    """
    shape = position.game.traits.shape
    if shape is Shape.text:
        return _text_svg(position, size)
    return (_pits_svg if shape is Shape.pits else _grid_svg)(position, size)


def _text_svg(position: Position, size: int) -> str:
    lines = text_lines(position)
    plan = text_plan(lines, _MIN_WIDTH)
    look = look_of(position.game)
    return _picture(
        position, look, [text_svg(lines)], width=plan.width, height=plan.height, size=size
    )


def _grid_svg(position: Position, size: int) -> str:
    game, look = position.game, look_of(position.game)
    plan = grid_plan(game, _MIN_WIDTH)
    parts = [
        label_at(plan.x(col), plan.bottom + 17, column_name(game, col), look.ink)
        for col in range(plan.cols)
    ]
    if look.numbered:
        parts += [
            label_at(plan.left - 14, plan.y(row) + 4.5, str(row + 1), look.ink)
            for row in range(plan.rows)
        ]
    if ruling := look.ruling(plan):
        parts.append(ruling)
    stones = list(_svg_stones(position, plan, look))
    marks = [_last_mark(plan.x(col), plan.y(row), look) for row, col in last_cells(position)]
    wins = list(_wins(position, plan))
    parts += marks + stones + wins if look.last_below else stones + wins + marks
    return _picture(position, look, parts, width=plan.width, height=plan.height, size=size)


def _svg_stones(position: Position, plan: GridPlan, look: Look) -> Iterator[str]:
    for row, values in enumerate(position.cells):
        for col, value in enumerate(values):
            place = f'x="{plan.x(col):g}" y="{plan.y(row):g}"'
            if value:
                side = ("first", "second")[value - 1]
                yield f'<use class="stone {side}" href="#{look.stones[value - 1]}" {place}/>'
            elif look.holes:
                yield f'<use href="#mossa-hole" {place}/>'


def _last_mark(x: float, y: float, look: Look) -> str:
    return f'<g class="last" transform="translate({x:g} {y:g})">{look.last}</g>'


def _wins(position: Position, plan: GridPlan) -> Iterator[str]:
    """What shows a win: a line through stones in a row, or a ring around a piece."""
    if position.game.traits.lines:
        for begin, end in _winning_runs(position):
            yield _strike(plan, begin, end)
        return
    for row, col in position.winning_cells:
        at = f'cx="{plan.x(col):g}" cy="{plan.y(row):g}" r="17"'
        yield f'<circle class="win" {at} fill="none" stroke="#06371a" stroke-width="6.4"/>'
        yield f'<circle class="win" {at} fill="none" stroke="#5df08f" stroke-width="4"/>'


def _winning_runs(position: Position) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The two ends of every run of winning cells that has at least the length of a line."""
    cells = set(position.winning_cells)
    runs = set()
    for row, col in cells:
        for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if (row - up, col - right) in cells:
                continue
            length = 1
            while (row + up * length, col + right * length) in cells:
                length += 1
            if length >= position.game.sizes["k"]:
                runs.add(((row, col), (row + up * (length - 1), col + right * (length - 1))))
    return sorted(runs)


def _strike(plan: GridPlan, begin: tuple[int, int], end: tuple[int, int]) -> str:
    """A line through the winning stones, thicker where the stones are many and small."""
    d = f"M{plan.x(begin[1]):g} {plan.y(begin[0]):g}L{plan.x(end[1]):g} {plan.y(end[0]):g}"
    width = min(7.0, max(3.6, max(plan.rows, plan.cols) / 4))
    return (
        f'<g class="win" fill="none" stroke-linecap="round">'
        f'<path d="{d}" stroke="#06371a" stroke-width="{width + 3.4:g}" opacity=".7"/>'
        f'<path d="{d}" stroke="#5df08f" stroke-width="{width:g}"/></g>'
    )


def _pits_svg(position: Position, size: int) -> str:
    """A wooden board seen by first: second's pits above from right to left, stores at the ends."""
    look, plan = look_of(position.game), pits_plan(position.game, _MIN_WIDTH)
    parts = [hollows_of(plan, look)]
    for side, pit in last_cells(position):
        hollow = plan.hollows[side][pit]
        parts.append(_last_mark(hollow.x, hollow.y, look))
    for hollows, counts in zip(plan.hollows, position.cells, strict=True):
        for hollow, count in zip(hollows, counts, strict=True):
            parts += [_heap(hollow, count, plan.seed), _badge(hollow, count, look)]
    return _picture(position, look, parts, width=plan.width, height=plan.height, size=size)


def _heap(hollow: Hollow, count: int, seed: float) -> str:
    """Seeds; they shrink only when they would no longer fit."""
    if not count:
        return ""
    parts = []
    for index, (x, y) in enumerate(map(seed_place, range(count))):
        at = f"translate({x * hollow.stretch:.1f} {y / hollow.stretch:.1f})"
        shape = f"#mossa-seed-{index % 4}"
        parts.append(f'<use class="seed" href="{shape}" transform="{at} scale({seed:g})"/>')
    size = min(1.0, math.sqrt(hollow.room / count))
    at = f"translate({hollow.x:g} {hollow.y:g}) scale({size:.3g})"
    return f'<g transform="{at}">{"".join(parts)}</g>'


def _badge(hollow: Hollow, count: int, look: Look) -> str:
    """The number of seeds, on a pill."""
    x, y = hollow.x + hollow.badge[0], hollow.y + hollow.badge[1]
    half = 5 + 4 * len(str(count))
    return (
        f'<rect x="{x - half:g}" y="{y - 9:g}" width="{2 * half}" height="18" rx="9" '
        f'fill="{look.below_ink}"/>' + label_at(x, y + 4.6, str(count), look.ink, bold=True)
    )


def _picture(
    position: Position, look: Look, parts: list[str], *, width: float, height: float, size: int
) -> str:
    """The panel with its parts, and below them a caption that stays legible under large boards."""
    scale = max(1.0, min(max(width, height) / 500, width / _MIN_WIDTH))
    caption = _caption(position, look, width, height, scale)
    total = height + _CAPTION * scale
    pixels = size / max(width, total)
    title = f"{position.game.name}: {status(position)}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width * pixels:.0f}" '
            f'height="{total * pixels:.0f}" viewBox="0 0 {width:g} {total:g}" '
            f'font-family="{_FONT}" font-size="13" text-anchor="middle">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(_describe(position))}</desc>",
            f"<defs>{look.defs}</defs>",
            f'<rect x="1" y="1" width="{width - 2:g}" height="{total - 2:g}" rx="12" '
            f'fill="{look.panel}" stroke="{look.edge}" stroke-width="2"/>',
            *parts,
            caption,
            "</svg>",
        ]
    )


def _caption(position: Position, look: Look, width: float, top: float, scale: float) -> str:
    """The turn or the result; the stone it speaks of stands before the words."""
    outcome = position.outcome
    side = position.side if outcome is None else outcome.winner
    words, icon, indent = status(position), "", 0
    if side is not None and look.stones[0]:
        words = words.replace(side_label(position.game, side), side.name)
        icon = f'<use href="#{look.stones[side.value]}" transform="translate(8 -5) scale(.55)"/>'
        indent = 24
    font = min(15.0, (width / scale - indent - 24) / (_LETTER_WIDTH * len(words)))
    x = width / 2 - (indent + _LETTER_WIDTH * font * len(words)) * scale / 2
    y = top + _CAPTION * scale * 0.55
    return (
        f'<g class="caption" transform="translate({x:.1f} {y:.1f}) scale({scale:.3f})">{icon}'
        f'<text x="{indent}" text-anchor="start" font-size="{font:.1f}" font-weight="600" '
        f'fill="{look.ink}">{escape(words)}</text></g>'
    )


def _describe(position: Position) -> str:
    """The board in words: seeds pit by pit, stones that fell by column, others by cell."""
    game, cells = position.game, position.cells
    if game.traits.shape is Shape.text:
        return "; ".join(text_lines(position))
    if game.traits.shape is Shape.pits:
        return "; ".join(
            f"{name}: pits {' '.join(map(str, pits))}, store {store}"
            for name, (*pits, store) in zip(("first", "second"), cells, strict=True)
        )
    if game.traits.falls:
        columns = [
            "".join(".xo"[value] for value in column).rstrip(".")
            for column in zip(*cells, strict=True)
        ]
        said = [f"column {i + 1}: {' '.join(stones)}" for i, stones in enumerate(columns) if stones]
        return "from the bottom up, " + "; ".join(said) if said else "no stones yet"
    names: tuple[list[str], list[str]] = ([], [])
    for row, values in enumerate(cells):
        for col, value in enumerate(values):
            if value:
                names[value - 1].append(f"{column_name(game, col)}{row + 1}")
    said = [
        f"{mark}: {' '.join(cells_of)}"
        for mark, cells_of in zip("xo", names, strict=True)
        if cells_of
    ]
    return "; ".join(said) or "no stones yet"
