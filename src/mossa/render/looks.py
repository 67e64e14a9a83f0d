"""What boards look like: sizes, colours and shapes as data, for the SVG pictures and the pages.

A game has a look by its traits, never by its name: a new game on a grid gets pieces on squares, or
what suits it better, without an edit here. Lengths are in units of which a cell is 40 wide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from mossa._core import Move, Shape, Side

if TYPE_CHECKING:
    from mossa._core import Game, Position

CELL = 40
_HOLE = 16.5  # the radius of a hole in a rack
# Up to this many rows and columns lines are made of noughts and crosses, beyond of stones.
_SMALL = 9


# ---------------------------------------------------------------- where everything stands


@dataclass(frozen=True)
class GridPlan:
    """Where the cells of a grid stand: in the middle of their panel, the bottom row first."""

    rows: int
    cols: int
    width: float
    height: float
    left: float
    bottom: float
    cell: int = CELL
    hole: float = _HOLE
    top: int = 12
    edge: int = 26
    """Below the cells, for the names of the columns."""

    def x(self, col: float) -> float:
        """The middle of a column."""
        return self.left + (col + 0.5) * CELL

    def y(self, row: float) -> float:
        """The middle of a row."""
        return self.bottom - (row + 0.5) * CELL


_SEED = 6.0  # the radius of a seed that has room
_HEAP = 1.1 * _SEED  # how far apart seeds lie: so close that they overlap a little


@dataclass(frozen=True)
class Hollow:
    """A pit or a store: its middle, and half of how wide and high it is."""

    x: float
    y: float
    half_width: int
    half_height: int
    badge: tuple[float, float]
    """Where the number of its seeds stands, from its middle."""
    room: float
    """How many seeds lie in it at their full size; if there are more, all are drawn smaller."""
    stretch: float
    """How much narrower, and higher, the heap is than a round one."""


def _hollow(x: float, y: float, half_width: int, half_height: int) -> Hollow:
    wide, high = half_width - _SEED - 2, half_height - _SEED - 2
    corner = 0.73 * half_width
    badge = (corner, corner) if half_width == half_height else (0.0, half_height - 2.0)
    room, stretch = wide * high / _HEAP**2, math.sqrt(wide / high)
    return Hollow(x, y, half_width, half_height, badge, round(room, 2), round(stretch, 3))


def seed_place(index: int) -> tuple[float, float]:
    """Return where a seed of a heap lies, from its middle.

    Seeds lie like those of a sunflower: evenly spread for any count, and never at random.
    """
    distance, angle = _HEAP * math.sqrt(index + 0.5), index * math.pi * (3 - math.sqrt(5))
    return round(distance * math.cos(angle), 1), round(distance * math.sin(angle), 1)


@dataclass(frozen=True)
class PitsPlan:
    """Where pits and stores stand, as first sees them, and how seeds lie in them."""

    width: float
    height: int
    hollows: tuple[tuple[Hollow, ...], ...]
    """By side: its pits from its own left, then its store."""
    labels: tuple[int, int]
    """The heights of the numbers of either side's pits."""
    seeds: tuple[tuple[float, float], ...]
    """The places of the seeds of a heap, from its middle, for all seeds of the game."""
    seed: float = _SEED


_PITCH = 66  # between the middles of pits
_PIT = 28
_STORE = (28, 62)
_ROWS = (124, 58)  # the heights of first's and second's pits


def pits_plan(game: Game, least_width: int = 0) -> PitsPlan:
    """Return where the pits of a game stand: second's above from right to left, stores outside."""
    pits = game.sizes["pits"]
    width = max((pits + 2) * _PITCH + 16, least_width)
    left = (width - (pits + 2) * _PITCH) / 2

    def x(column: int) -> float:
        return left + (column + 0.5) * _PITCH

    def hollows(side: int) -> tuple[Hollow, ...]:
        columns = [pits - pit if side else pit + 1 for pit in range(pits)]
        store = _hollow(x(0 if side else pits + 1), sum(_ROWS) / 2, *_STORE)
        return (*(_hollow(x(column), _ROWS[side], _PIT, _PIT) for column in columns), store)

    seeds = tuple(map(seed_place, range(sum(map(sum, game.start().cells)))))
    return PitsPlan(width, 180, (hollows(0), hollows(1)), (172, 21), seeds)


# ---------------------------------------------------------------- what is on a panel


def _letter_lines(plan: GridPlan) -> str:
    """The lines between the cells of a small board."""
    right = plan.left + plan.cols * CELL
    path = "".join(f"M{plan.left:g} {plan.y(row - 0.5):g}H{right:g}" for row in range(1, plan.rows))
    path += "".join(
        f"M{plan.x(col - 0.5):g} {plan.top}V{plan.bottom}" for col in range(1, plan.cols)
    )
    if not path:  # a single cell
        path = f"M{plan.left:g} {plan.top}h{CELL}v{CELL}h-{CELL}z"
    return (
        f'<path d="{path}" fill="none" stroke="#9aa3b2" stroke-width="2.5" stroke-linecap="round"/>'
    )


def _stone_lines(plan: GridPlan) -> str:
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
        for row in star_lines(plan.rows)
        for col in star_lines(plan.cols)
    )
    return f'<path d="{path}" stroke="#5b421c" stroke-width="1.3"/>{stars}'


def _squares(plan: GridPlan) -> str:
    """Squares of two colours, the lower left one dark."""
    width, height = plan.cols * CELL, plan.rows * CELL
    dark = "".join(
        f"M{plan.x(col - 0.5):g} {plan.y(row + 0.5):g}h{CELL}v{CELL}h-{CELL}z"
        for row in range(plan.rows)
        for col in range(row % 2, plan.cols, 2)
    )
    return (
        f'<rect x="{plan.left:g}" y="{plan.top}" width="{width}" height="{height}" '
        f'fill="#e9e6d6"/><path d="{dark}" fill="#8fa68f"/>'
    )


def star_lines(length: int) -> list[int]:
    """Fourth line, middle, fourth from the end, as on a go board; none without a middle line."""
    return [3, length // 2, length - 4] if length % 2 and length >= 13 else []


def hollows_of(plan: PitsPlan, look: Look) -> str:
    """Pits with their numbers, and stores."""
    parts = []
    for side, height in zip(Side, plan.labels, strict=True):
        hollows = plan.hollows[side.value]
        for hollow in hollows:
            wide, high = hollow.half_width, hollow.half_height
            parts.append(
                f'<rect class="pit {side.name}" x="{hollow.x - wide:g}" y="{hollow.y - high:g}" '
                f'width="{2 * wide}" height="{2 * high}" rx="{wide}" '
                'fill="url(#mossa-pit)" stroke="#d9a262" stroke-opacity=".55"/>'
            )
        for number, pit in enumerate(hollows[:-1], start=1):
            parts.append(label_at(pit.x, height, str(number), look.ink))
    return "".join(parts)


def label_at(x: float, y: float, text: str, ink: str, *, bold: bool = False) -> str:
    """A number or a letter beside the board, or on it."""
    weight = ' font-weight="700"' if bold else ' opacity=".85"'
    return f'<text x="{x:g}" y="{y:g}" fill="{ink}"{weight}>{text}</text>'


# ---------------------------------------------------------------- looks


@dataclass(frozen=True, kw_only=True)
class Look:
    """How boards of one sort are drawn: shapes, the panel they lie on, names and colours."""

    name: str
    sides: tuple[str, str]
    """What the sides are called where there is colour."""
    colours: tuple[str, str]
    """Of the sides, where only a colour stands for them: bars and curves."""
    defs: str
    """The shapes, with ids of their own; nothing else is needed to draw."""
    panel: str
    edge: str
    ink: str
    """Of labels."""
    below_ink: str = ""
    """Behind labels that lie on the board: row and column names in a closer look, counts."""
    stones: tuple[str, str] = ("", "")
    """The ids of first's and second's stone."""
    last: str = ""
    """What marks a cell of the last move."""
    last_below: bool = False
    """The mark lies under the stone, not on it."""
    numbered: bool = True
    """Rows have numbers, and the board a frame all around."""
    ruling: Callable[[GridPlan], str] = lambda plan: ""
    """What is drawn below the stones: lines between the cells or through their middles, squares."""
    ruled_text: bool = False
    """Cells are boxes in the terminal too."""
    holes: bool = False
    """Empty cells are holes."""
    margin: int = 32
    """Beside the cells, on both sides so that they stay in the middle."""


_DISCS = Look(
    name="discs",
    sides=("Yellow", "Red"),
    colours=("#f2b90f", "#dc2f3c"),
    defs=f"""
<linearGradient id="mossa-rack" x2="0" y2="1"><stop stop-color="#2f74dc"/>
<stop offset="1" stop-color="#1a4fae"/></linearGradient>
<radialGradient id="mossa-empty" cy=".62" r=".6"><stop offset=".6" stop-color="#123a85"/>
<stop offset="1" stop-color="#0b2558"/></radialGradient>
<circle id="mossa-hole" r="{_HOLE}" fill="url(#mossa-empty)"/>
<g id="mossa-disc-first"><circle r="16.5" fill="#c98a00"/><circle r="15.5" fill="#ffcf33"/>
<circle r="11.5" fill="#f7bd12" stroke="#d99a00" stroke-width="1.2"/>
<path d="M-5-5 5 5M5-5-5 5" stroke="#a86f00" stroke-width="3" stroke-linecap="round"/></g>
<g id="mossa-disc-second"><circle r="16.5" fill="#8f1420"/><circle r="15.5" fill="#ee4550"/>
<circle r="11.5" fill="#df2f3c" stroke="#b01c2a" stroke-width="1.2"/>
<circle r="5.5" fill="none" stroke="#ffd3d0" stroke-width="3"/></g>""",
    panel="url(#mossa-rack)",
    edge="#123f8f",
    ink="#ffffff",
    below_ink="#1a4fae",
    stones=("mossa-disc-first", "mossa-disc-second"),
    last='<circle r="18" fill="none" stroke="#fff" stroke-width="2.6"/>',
    numbered=False,
    holes=True,
    margin=10,
)

_LETTERS = Look(
    name="letters",
    sides=("X", "O"),
    colours=("#1f63d6", "#d4570a"),
    defs="""
<path id="mossa-cross" d="M-10-10 10 10M10-10-10 10" fill="none" stroke="#1f63d6"
 stroke-width="5.5" stroke-linecap="round"/>
<circle id="mossa-nought" r="11" fill="none" stroke="#d4570a" stroke-width="5.5"/>""",
    panel="#fdfaf3",
    edge="#d8d0bf",
    ink="#4a5160",
    stones=("mossa-cross", "mossa-nought"),
    last='<rect x="-17" y="-17" width="34" height="34" rx="5" fill="#ffe49a"/>',
    last_below=True,
    ruling=_letter_lines,
    ruled_text=True,
)

_STONES = Look(
    name="stones",
    sides=("Black", "White"),
    colours=("#1b1b1b", "#f3f1ec"),
    defs="""
<linearGradient id="mossa-wood" x2=".25" y2="1"><stop stop-color="#ecc27a"/>
<stop offset=".5" stop-color="#e0b064"/><stop offset="1" stop-color="#d6a253"/></linearGradient>
<radialGradient id="mossa-black" cx=".36" cy=".3" r=".75"><stop stop-color="#6d6d6d"/>
<stop offset=".45" stop-color="#242424"/><stop offset="1" stop-color="#050505"/></radialGradient>
<radialGradient id="mossa-white" cx=".36" cy=".3" r=".8"><stop stop-color="#ffffff"/>
<stop offset=".6" stop-color="#f1efea"/><stop offset="1" stop-color="#bdb8ae"/></radialGradient>
<g id="mossa-stone-first"><circle cx="1" cy="2" r="18" fill="#3a2508" opacity=".35"/>
<circle r="18" fill="url(#mossa-black)"/></g>
<g id="mossa-stone-second"><circle cx="1" cy="2" r="18" fill="#3a2508" opacity=".35"/>
<circle r="18" fill="url(#mossa-white)" stroke="#8d877b" stroke-width=".6"/>
<circle r="12.5" fill="none" stroke="#b9b2a4"/></g>""",
    panel="url(#mossa-wood)",
    edge="#a87c38",
    ink="#4b3512",
    below_ink="#e2b568",
    stones=("mossa-stone-first", "mossa-stone-second"),
    last='<circle r="5.5" fill="#e8382c" stroke="#fff" stroke-width="1.6"/>',
    ruling=_stone_lines,
)

_PIECES = Look(
    name="pieces",
    sides=("White", "Black"),
    colours=("#f4efe2", "#2b3038"),
    defs="""
<linearGradient id="mossa-border" x2=".2" y2="1"><stop stop-color="#5d6f66"/>
<stop offset="1" stop-color="#45544d"/></linearGradient>
<radialGradient id="mossa-ivory" cx=".38" cy=".3" r=".8"><stop stop-color="#ffffff"/>
<stop offset=".6" stop-color="#f6f0e0"/><stop offset="1" stop-color="#cdc3ac"/></radialGradient>
<radialGradient id="mossa-ebony" cx=".38" cy=".3" r=".8"><stop stop-color="#626b78"/>
<stop offset=".5" stop-color="#323842"/><stop offset="1" stop-color="#15181d"/></radialGradient>
<g id="mossa-piece-first"><circle cy="1.8" r="14.5" fill="#1c2420" opacity=".45"/>
<circle r="14.5" fill="url(#mossa-ivory)" stroke="#8b826c"/>
<circle r="9.5" fill="none" stroke="#a99e84" stroke-width="1.8"/></g>
<g id="mossa-piece-second"><circle cy="1.8" r="14.5" fill="#1c2420" opacity=".45"/>
<circle r="14.5" fill="url(#mossa-ebony)" stroke="#0b0d10"/>
<circle r="4.5" fill="#8e99a8"/></g>""",
    panel="url(#mossa-border)",
    edge="#333f39",
    ink="#f3f5ee",
    below_ink="#4f6057",
    stones=("mossa-piece-first", "mossa-piece-second"),
    last='<rect x="-20" y="-20" width="40" height="40" fill="#f2cf4a" opacity=".62"/>',
    last_below=True,
    ruling=_squares,
)

_PITS = Look(
    name="pits",
    sides=("South", "North"),
    colours=("#0f766e", "#a855f7"),
    defs="""
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
<g id="mossa-seed-3"><circle r="1" fill="#d9b64e"/><circle r="1" fill="url(#mossa-gloss)"/></g>""",
    panel="url(#mossa-plank)",
    edge="#6b3a14",
    ink="#fff3df",
    below_ink="#3d220b",
    last='<circle r="28" fill="none" stroke="#ffd866" stroke-width="3"/>',
)

_TEXT = Look(
    name="text",
    sides=("First", "Second"),
    colours=("#2f81f7", "#d9730d"),
    defs="",
    panel="#20262e",
    edge="#11151a",
    ink="#f3f5ee",
)

LOOKS = (_DISCS, _LETTERS, _STONES, _PIECES, _PITS, _TEXT)


def look_of(game: Game) -> Look:
    """What a game looks like: pits, discs in a rack, letters, stones on lines, pieces, a text."""
    traits = game.traits
    if traits.shape is Shape.text:
        return _TEXT
    if traits.shape is Shape.pits:
        return _PITS
    if traits.falls:
        return _DISCS
    if traits.lines:
        small = max(game.sizes["rows"], game.sizes["cols"]) <= _SMALL
        return _LETTERS if small else _STONES
    return _PIECES


def grid_plan(game: Game, least_width: int = 0) -> GridPlan:
    """Return where the cells of a game stand in a panel that is at least so wide."""
    rows, cols = game.sizes["rows"], game.sizes["cols"]
    width = max(cols * CELL + 2 * look_of(game).margin, least_width)
    bottom = GridPlan.top + rows * CELL
    left = (width - cols * CELL) / 2
    return GridPlan(rows, cols, width, bottom + GridPlan.edge, left, bottom)


_LETTER = (9.0, 20.0)  # the width and height of a character of a text
_LEAST_TEXT = 280
_MOST_LINES = 100
_MOST_LETTERS = 200


def text_lines(position: Position) -> list[str]:
    """Return the lines of a board that is a text, as much of it as there is room for."""
    lines = position.text.expandtabs().splitlines() or [""]
    return ["".join(_printable(line[:_MOST_LETTERS])) for line in lines[:_MOST_LINES]]


def _printable(line: str) -> Iterator[str]:
    return (each if each.isprintable() else "?" for each in line)


def text_plan(lines: list[str], least_width: int = 0) -> GridPlan:
    """Return the panel of a text: it has no cells."""
    wide, high = _LETTER
    width = max(max(map(len, lines)) * wide + 2 * _TEXT.margin, least_width)
    return GridPlan(0, 0, width, len(lines) * high + 2 * _TEXT.margin, 0, 0)


def text_svg(lines: list[str]) -> str:
    """Return the lines of a text, each of its letters as wide as any other."""
    spans = "".join(
        f'<tspan x="{_TEXT.margin}" y="{_TEXT.margin + (at + 0.75) * _LETTER[1]:g}">'
        f"{escape(line)}</tspan>"
        for at, line in enumerate(lines)
    )
    return (
        f'<text xml:space="preserve" text-anchor="start" font-family="monospace" font-size="15" '
        f'fill="{_TEXT.ink}">{spans}</text>'
    )


# ---------------------------------------------------------------- for the pages


def board_data(position: Position) -> dict[str, Any]:
    """Return all that a page needs to draw the board of a position, as plain data.

    But for a text, it is the same for all positions of a game. A board with an own side for each
    player turns: whoever plays second sees it from there.
    """
    game = position.game
    look = look_of(game)
    if game.traits.shape is Shape.text:
        shape = _text_data(position, look)
    else:
        shape = (_pits_data if game.traits.shape is Shape.pits else _grid_data)(game, look)
    return {
        "look": look.name,
        "sides": {side.name: look.sides[side.value] for side in Side},
        "stones": look.stones,
        "last_layer": "under" if look.last_below else "rings",
        "falls": game.traits.falls,
        "turns": look in (_PITS, _PIECES),
        "panel": look.panel,
        **shape,
    }


def _text_data(position: Position, look: Look) -> dict[str, Any]:
    """The text is drawn behind a board without cells."""
    lines = text_lines(position)
    plan = text_plan(lines, _LEAST_TEXT)
    return {
        "described": " / ".join(lines),
        "style": _style(look, plan),
        "back": _panel(look, plan) + text_svg(lines),
        "labels": "<g></g>",
        "columns": [],
        "plan": asdict(plan),
    }


def _pits_data(game: Game, look: Look) -> dict[str, Any]:
    plan = pits_plan(game)
    return {
        "described": f"Board of {game.sizes['pits']} pits and a store for each side",
        "style": _style(look, plan),
        "back": _panel(look, plan) + hollows_of(plan, look),
        "plan": asdict(plan),
    }


def _grid_data(game: Game, look: Look) -> dict[str, Any]:
    """Labels move: the page keeps them at the edge of the view. A rack stands before its discs."""
    plan = grid_plan(game)
    columns = [column_name(game, col) for col in range(plan.cols)]
    below = "".join(f'<text x="{plan.x(col):g}">{name}</text>' for col, name in enumerate(columns))
    beside = "".join(f'<text y="{plan.y(row):g}">{row + 1}</text>' for row in range(plan.rows))
    rows = f'<g><path d="M0 0V{plan.height:g}"/>{beside}</g>' if look.numbered else ""
    behind = _BEHIND.format(plan.width - 8, plan.height - 8)
    return {
        "described": f"Board of {plan.rows} rows and {plan.cols} columns",
        "style": _style(look, plan),
        "back": behind if look.holes else _panel(look, plan) + look.ruling(plan),
        "labels": f'{rows}<g><path d="M0 0H{plan.width:g}"/>{below}</g>',
        "columns": columns,
        "plan": asdict(plan),
    }


_BEHIND = '<rect x="4" y="4" width="{:g}" height="{:g}" rx="12" class="behind"/>'


def _style(look: Look, plan: GridPlan | PitsPlan) -> str:
    """The colours and the shape of a board, for style sheets."""
    first, second = look.colours
    aspect = f"{plan.width / plan.height:.4f}"
    labels = f"--label:{look.ink};--below-label:{look.below_ink}"
    return f"--first:{first};--second:{second};{labels};--aspect:{aspect}"


def _panel(look: Look, plan: GridPlan | PitsPlan) -> str:
    return f'<rect width="{plan.width:g}" height="{plan.height:g}" rx="14" fill="{look.panel}"/>'


def drawings() -> str:
    """Return the shapes of all looks for a page that draws with them."""
    defs = "".join(f'{look.defs}<g id="mossa-last-{look.name}">{look.last}</g>' for look in LOOKS)
    return f'<svg class="hidden" aria-hidden="true"><defs>{defs}</defs></svg>'


def column_name(game: Game, col: int) -> str:
    """The name that moves give to a column: a ... z aa ... zz, or its number if stones fall."""
    if game.traits.falls:
        return str(col + 1)
    return Move.column_letters(col)
