"""SVG pictures.

Every board is drawn in units of which a cell is 40 wide, so the shapes below are the same
whatever the sizes of the game, and two pictures on one page may share their ids. Each picture
brings its own background: it looks the same on a light page and on a dark one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from mossa.render.words import column_name, is_small, side_label, status

if TYPE_CHECKING:
    from mossa._core import Game, Position

_CELL = 40
_LABEL_MARGIN = 26
_CAPTION = 38
_MIN_WIDTH = 280
_LETTER_WIDTH = 0.56  # of the font size, on average: SVG cannot measure its own text
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"

_CONNECT_DEFS = """
<linearGradient id="mossa-rack" x2="0" y2="1"><stop stop-color="#2f74dc"/>
<stop offset="1" stop-color="#1a4fae"/></linearGradient>
<radialGradient id="mossa-empty" cy=".62" r=".6"><stop offset=".6" stop-color="#123a85"/>
<stop offset="1" stop-color="#0b2558"/></radialGradient>
<circle id="mossa-hole" r="16.5" fill="url(#mossa-empty)"/>
<g id="mossa-disc-first"><circle r="16.5" fill="#c98a00"/><circle r="15.5" fill="#ffcf33"/>
<circle r="11.5" fill="#f7bd12" stroke="#d99a00" stroke-width="1.2"/>
<path d="M-5-5 5 5M5-5-5 5" stroke="#a86f00" stroke-width="3" stroke-linecap="round"/></g>
<g id="mossa-disc-second"><circle r="16.5" fill="#8f1420"/><circle r="15.5" fill="#ee4550"/>
<circle r="11.5" fill="#df2f3c" stroke="#b01c2a" stroke-width="1.2"/>
<circle r="5.5" fill="none" stroke="#ffd3d0" stroke-width="3"/></g>"""

_LETTER_DEFS = """
<path id="mossa-cross" d="M-10-10 10 10M10-10-10 10" fill="none" stroke="#1f63d6"
 stroke-width="5.5" stroke-linecap="round"/>
<circle id="mossa-nought" r="11" fill="none" stroke="#d4570a" stroke-width="5.5"/>"""

_STONE_DEFS = """
<linearGradient id="mossa-wood" x2=".25" y2="1"><stop stop-color="#ecc27a"/>
<stop offset=".5" stop-color="#e0b064"/><stop offset="1" stop-color="#d6a253"/></linearGradient>
<radialGradient id="mossa-black" cx=".36" cy=".3" r=".75"><stop stop-color="#6d6d6d"/>
<stop offset=".45" stop-color="#242424"/><stop offset="1" stop-color="#050505"/></radialGradient>
<radialGradient id="mossa-white" cx=".36" cy=".3" r=".8"><stop stop-color="#ffffff"/>
<stop offset=".6" stop-color="#f1efea"/><stop offset="1" stop-color="#bdb8ae"/></radialGradient>
<g id="mossa-stone-first"><circle cx="1" cy="2" r="18" fill="#3a2508" opacity=".35"/>
<circle r="18" fill="url(#mossa-black)"/></g>
<g id="mossa-stone-second"><circle cx="1" cy="2" r="18" fill="#3a2508" opacity=".35"/>
<circle r="18" fill="url(#mossa-white)" stroke="#8d877b" stroke-width=".6"/></g>"""

_KALAH_DEFS = """
<linearGradient id="mossa-plank" x2=".1" y2="1"><stop stop-color="#b9793f"/>
<stop offset=".5" stop-color="#a4652f"/><stop offset="1" stop-color="#8f5424"/></linearGradient>
<radialGradient id="mossa-pit" cy=".6" r=".62"><stop stop-color="#7a4519"/>
<stop offset=".7" stop-color="#663712"/><stop offset="1" stop-color="#43210a"/></radialGradient>
<radialGradient id="mossa-gloss" cx=".35" cy=".3" r=".8">
<stop stop-color="#fff" stop-opacity=".75"/>
<stop offset=".45" stop-color="#fff" stop-opacity="0"/>
<stop offset="1" stop-color="#000" stop-opacity=".35"/></radialGradient>
<g id="mossa-seed-0"><circle r="1" fill="#f4e3b2"/><circle r="1" fill="url(#mossa-gloss)"/></g>
<g id="mossa-seed-1"><circle r="1" fill="#e9966f"/><circle r="1" fill="url(#mossa-gloss)"/></g>
<g id="mossa-seed-2"><circle r="1" fill="#a9d0c0"/><circle r="1" fill="url(#mossa-gloss)"/></g>
<g id="mossa-seed-3"><circle r="1" fill="#d9b64e"/><circle r="1" fill="url(#mossa-gloss)"/></g>"""


@dataclass(frozen=True, kw_only=True)
class _Skin:
    """How one family of boards is drawn: its shapes, the panel they lie on, the ink of labels."""

    defs: str
    panel: str
    edge: str
    ink: str
    stones: tuple[str, str] = ("", "")  # the ids of first's and second's stone
    last: str = ""
    last_below: bool = False  # the mark lies under the stone, not on it


_SKINS = {
    "connect": _Skin(
        defs=_CONNECT_DEFS,
        panel="url(#mossa-rack)",
        edge="#123f8f",
        ink="#ffffff",
        stones=("mossa-disc-first", "mossa-disc-second"),
        last='<circle r="18" fill="none" stroke="#fff" stroke-width="2.6"/>',
    ),
    "letters": _Skin(
        defs=_LETTER_DEFS,
        panel="#fdfaf3",
        edge="#d8d0bf",
        ink="#4a5160",
        stones=("mossa-cross", "mossa-nought"),
        last='<rect x="-17" y="-17" width="34" height="34" rx="5" fill="#ffe49a"/>',
        last_below=True,
    ),
    "mnk": _Skin(
        defs=_STONE_DEFS,
        panel="url(#mossa-wood)",
        edge="#a87c38",
        ink="#4b3512",
        stones=("mossa-stone-first", "mossa-stone-second"),
        last='<circle r="5.5" fill="#e8382c" stroke="#fff" stroke-width="1.6"/>',
    ),
    "kalah": _Skin(defs=_KALAH_DEFS, panel="url(#mossa-plank)", edge="#6b3a14", ink="#fff3df"),
}


def to_svg(position: Position, *, size: int = 480) -> str:
    """A picture that stands alone, `size` pixels along its longer side.

    The title and the description say the same in words, for those who listen to the page. The same
    position gives the same text, byte by byte.
    """
    if position.game.kind == "kalah":
        return _pits_svg(position, size)
    return _grid_svg(position, size)


class _GridPlan:
    """Where the cells of a line game stand in the picture: the board is centred in its panel."""

    def __init__(self, game: Game) -> None:
        self.rows, self.cols = game.sizes["rows"], game.sizes["cols"]
        # Connect needs no row numbers; mnk has the same margin on both sides to stay in the middle.
        margin = 32 if game.kind == "mnk" else 10
        self.width = max(self.cols * _CELL + 2 * margin, _MIN_WIDTH)
        self.left = (self.width - self.cols * _CELL) / 2
        self.top = 12
        self.bottom = self.top + self.rows * _CELL
        self.height = self.bottom + _LABEL_MARGIN

    def x(self, col: float) -> float:
        return self.left + (col + 0.5) * _CELL

    def y(self, row: float) -> float:
        return self.bottom - (row + 0.5) * _CELL


def _grid_svg(position: Position, size: int) -> str:
    game = position.game
    skin = _SKINS["letters" if is_small(game) else game.kind]
    plan = _GridPlan(game)
    parts = [
        _label(plan.x(col), plan.bottom + 17, column_name(game, col), skin.ink)
        for col in range(plan.cols)
    ]
    if game.kind == "mnk":
        parts += [
            _label(plan.left - 14, plan.y(row) + 4.5, str(row + 1), skin.ink)
            for row in range(plan.rows)
        ]
        parts.append(_letter_lines(plan) if is_small(game) else _stone_lines(plan))
    stones = list(_svg_stones(position, plan, skin))
    mark = _last_mark(position, plan, skin)
    strikes = [_strike(plan, begin, end) for begin, end in _winning_runs(position)]
    parts += mark + stones + strikes if skin.last_below else stones + strikes + mark
    return _picture(position, skin, parts, width=plan.width, height=plan.height, size=size)


def _svg_stones(position: Position, plan: _GridPlan, skin: _Skin) -> Iterator[str]:
    for row, values in enumerate(position.cells):
        for col, value in enumerate(values):
            place = f'x="{plan.x(col):g}" y="{plan.y(row):g}"'
            if value:
                side = ("first", "second")[value - 1]
                yield f'<use class="stone {side}" href="#{skin.stones[value - 1]}" {place}/>'
            elif position.game.kind == "connect":
                yield f'<use href="#mossa-hole" {place}/>'


def _last_mark(position: Position, plan: _GridPlan, skin: _Skin) -> list[str]:
    if position.last_cell is None:
        return []
    row, col = position.last_cell
    at = f"translate({plan.x(col):g} {plan.y(row):g})"
    return [f'<g class="last" transform="{at}">{skin.last}</g>']


def _letter_lines(plan: _GridPlan) -> str:
    """The lines between the cells of a small board."""
    right = plan.left + plan.cols * _CELL
    path = "".join(f"M{plan.left:g} {plan.y(row - 0.5):g}H{right:g}" for row in range(1, plan.rows))
    path += "".join(
        f"M{plan.x(col - 0.5):g} {plan.top}V{plan.bottom}" for col in range(1, plan.cols)
    )
    if not path:  # a single cell
        path = f"M{plan.left:g} {plan.top}h{_CELL}v{_CELL}h-{_CELL}z"
    return (
        f'<path d="{path}" fill="none" stroke="#9aa3b2" stroke-width="2.5" stroke-linecap="round"/>'
    )


def _stone_lines(plan: _GridPlan) -> str:
    """The crossing lines of a large board, with the star points that help the eye to count."""
    last_row, last_col = plan.rows - 1, plan.cols - 1
    over = 0 if min(last_row, last_col) else 0.2  # a single row would have no crossings to see
    path = "".join(
        f"M{plan.x(-over):g} {plan.y(row):g}H{plan.x(last_col + over):g}"
        for row in range(plan.rows)
    )
    path += "".join(
        f"M{plan.x(col):g} {plan.y(-over):g}V{plan.y(last_row + over):g}"
        for col in range(plan.cols)
    )
    stars = "".join(
        f'<circle cx="{plan.x(col):g}" cy="{plan.y(row):g}" r="3.6" fill="#4b3512"/>'
        for row in _star_lines(plan.rows)
        for col in _star_lines(plan.cols)
    )
    return f'<path d="{path}" stroke="#5b421c" stroke-width="1.3"/>{stars}'


def _star_lines(length: int) -> list[int]:
    """Fourth line, middle, fourth from the end, as on a go board; none without a middle line."""
    return [3, length // 2, length - 4] if length % 2 and length >= 13 else []


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


def _strike(plan: _GridPlan, begin: tuple[int, int], end: tuple[int, int]) -> str:
    """A line through the winning stones, thicker where the stones are many and small."""
    d = f"M{plan.x(begin[1]):g} {plan.y(begin[0]):g}L{plan.x(end[1]):g} {plan.y(end[0]):g}"
    width = min(7.0, max(3.6, max(plan.rows, plan.cols) / 4))
    return (
        f'<g class="win" fill="none" stroke-linecap="round">'
        f'<path d="{d}" stroke="#06371a" stroke-width="{width + 3.4:g}" opacity=".7"/>'
        f'<path d="{d}" stroke="#5df08f" stroke-width="{width:g}"/></g>'
    )


# The pits of kalah: units between pit centres, and half sizes of pits and stores.
_PIT_PITCH = 66
_PIT = 28
_STORE = (28, 62)
_SEED = 6.0
_HOLLOW = 'fill="url(#mossa-pit)" stroke="#d9a262" stroke-opacity=".55"'


def _pits_svg(position: Position, size: int) -> str:
    """A wooden board seen by first: second's pits above from right to left, stores at the ends."""
    skin = _SKINS["kalah"]
    cells, pits = position.cells, position.game.sizes["pits"]
    width = max((pits + 2) * _PIT_PITCH + 16, _MIN_WIDTH)
    left = (width - (pits + 2) * _PIT_PITCH) / 2
    rows = (124, 58)  # the heights of first's and second's pits
    middle = sum(rows) / 2

    def x(column: int) -> float:
        return left + (column + 0.5) * _PIT_PITCH

    parts = [
        _store(x(pits + 1), middle, cells[0][pits], "first"),
        _store(x(0), middle, cells[1][pits], "second"),
    ]
    for side, name in enumerate(("first", "second")):
        for pit in range(pits):
            center = x(pits - pit if side else pit + 1)
            last = position.last_cell == (side, pit)
            parts.append(_pit(center, rows[side], cells[side][pit], name, last=last))
            parts.append(_label(center, 21 if side else 172, str(pit + 1), skin.ink))
    return _picture(position, skin, parts, width=width, height=180, size=size)


def _pit(x: float, y: float, seeds: int, side: str, *, last: bool) -> str:
    at = f'cx="{x:g}" cy="{y:g}" r="{_PIT}"'
    ring = f'<circle class="last" {at} fill="none" stroke="#ffd866" stroke-width="3"/>'
    return (
        f'<circle class="pit {side}" {at} {_HOLLOW}/>'
        + (ring if last else "")
        + _seeds(x, y, seeds, _PIT, _PIT)
        + _badge(x + _PIT * 0.72, y + _PIT * 0.72, seeds)
    )


def _store(x: float, y: float, seeds: int, side: str) -> str:
    half_width, half_height = _STORE
    return (
        f'<rect class="pit {side}" x="{x - half_width:g}" y="{y - half_height:g}" '
        f'width="{2 * half_width}" height="{2 * half_height}" rx="{half_width}" '
        f"{_HOLLOW}/>"
        + _seeds(x, y, seeds, half_width, half_height)
        + _badge(x, y + half_height - 2, seeds)
    )


def _seeds(x: float, y: float, count: int, half_width: float, half_height: float) -> str:
    """Seeds laid like those of a sunflower: evenly spread for any count, and never at random.

    They shrink only when they would no longer fit.
    """
    if not count:
        return ""
    radius = min(_SEED, 0.72 * math.sqrt(half_width * half_height / count))
    wide, high = half_width - radius - 2, half_height - radius - 2
    # The outermost seed stays near the middle as long as the pit is not full.
    spread = min(1.0, 1.25 * radius * math.sqrt(count / (wide * high)))
    parts = []
    for index in range(count):
        distance = spread * math.sqrt((index + 0.5) / count)
        angle = index * math.pi * (3 - math.sqrt(5))
        at_x, at_y = x + wide * distance * math.cos(angle), y + high * distance * math.sin(angle)
        parts.append(
            f'<use class="seed" href="#mossa-seed-{index % 4}" '
            f'transform="translate({at_x:.1f} {at_y:.1f}) scale({radius:.2f})"/>'
        )
    return "".join(parts)


def _badge(x: float, y: float, count: int) -> str:
    half = 5 + 4 * len(str(count))
    return (
        f'<rect x="{x - half:g}" y="{y - 9:g}" width="{2 * half}" height="18" rx="9" '
        'fill="#2b1605" fill-opacity=".88"/>' + _label(x, y + 4.6, str(count), "#fff3df", bold=True)
    )


def _label(x: float, y: float, text: str, ink: str, *, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ' opacity=".85"'
    return f'<text x="{x:g}" y="{y:g}" fill="{ink}"{weight}>{text}</text>'


def _picture(
    position: Position, skin: _Skin, parts: list[str], *, width: float, height: float, size: int
) -> str:
    """The panel with its parts, and below them a caption that stays legible under large boards."""
    scale = max(1.0, min(max(width, height) / 500, width / _MIN_WIDTH))
    caption = _caption(position, skin, width, height, scale)
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
            f"<defs>{skin.defs}</defs>",
            f'<rect x="1" y="1" width="{width - 2:g}" height="{total - 2:g}" rx="12" '
            f'fill="{skin.panel}" stroke="{skin.edge}" stroke-width="2"/>',
            *parts,
            caption,
            "</svg>",
        ]
    )


def _caption(position: Position, skin: _Skin, width: float, top: float, scale: float) -> str:
    """The turn or the result; in line games the stone it speaks of stands before the words."""
    outcome = position.outcome
    side = position.side if outcome is None else outcome.winner
    words, icon, indent = status(position), "", 0
    if side is not None and position.game.kind != "kalah":
        words = words.replace(side_label(position.game, side), side.name)
        icon = f'<use href="#{skin.stones[side.value]}" transform="translate(8 -5) scale(.55)"/>'
        indent = 24
    font = min(15.0, (width / scale - indent - 24) / (_LETTER_WIDTH * len(words)))
    x = width / 2 - (indent + _LETTER_WIDTH * font * len(words)) * scale / 2
    y = top + _CAPTION * scale * 0.55
    return (
        f'<g class="caption" transform="translate({x:.1f} {y:.1f}) scale({scale:.3f})">{icon}'
        f'<text x="{indent}" text-anchor="start" font-size="{font:.1f}" font-weight="600" '
        f'fill="{skin.ink}">{escape(words)}</text></g>'
    )


def _describe(position: Position) -> str:
    """The board in words: seeds pit by pit, stones column by column (connect) or by cell (mnk)."""
    game, cells = position.game, position.cells
    if game.kind == "kalah":
        return "; ".join(
            f"{name}: pits {' '.join(map(str, pits))}, store {store}"
            for name, (*pits, store) in zip(("first", "second"), cells, strict=True)
        )
    if game.kind == "connect":
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
