"""Position -> picture: plain text, coloured terminal text, SVG.

The three functions are pure and know no rules: all they look at is the position's cells, its side
to move, its last and winning cells, its outcome, and the name, kind and sizes of its game.

`to_text` and `to_rich` are one drawing in two alphabets. It is made on a canvas of characters,
because on a compact board neighbouring cells share the space between them (`. x[o]. .`). Whatever
matters is said by a character and only stressed by a colour, so a board loses nothing in black and
white.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from rich.text import Text

    from mossa._core import Game, Position, Side

# Up to this many rows and columns mnk is drawn as noughts and crosses, beyond as stones.
_SMALL = 9
# Beyond these sizes a far edge is hard to follow back to its labels: label that edge as well.
_LABEL_TOP_ROWS = 20
_LABEL_RIGHT_COLS = 40
# A roomy cell is three characters wide, nearly as wide as high; more would leave the screen.
_ROOMY_COLS = 20


# --- words shared by all drawings ---------------------------------------------------------------


def column_name(game: Game, col: int) -> str:
    """The name that moves give to a column: 1 2 3 ... in connect, a ... z aa ... zz in mnk."""
    if game.kind != "mnk":
        return str(col + 1)
    last = chr(ord("a") + col % 26)
    return last if col < 26 else chr(ord("a") + col // 26 - 1) + last


def side_label(game: Game, side: Side) -> str:
    """A side and where to find it in the drawing: `first (x)`, or `first (bottom)` in kalah."""
    marks = ("bottom", "top") if game.kind == "kalah" else ("x", "o")
    return f"{side.name} ({marks[side.value]})"


def status(position: Position) -> str:
    """Whose turn it is, or how the game ended, in one line."""
    outcome = position.outcome
    if outcome is None:
        return f"{side_label(position.game, position.side)} to move"
    if outcome.winner is None:
        return f"draw: {outcome.reason}"
    return f"{side_label(position.game, outcome.winner)} wins: {outcome.reason}"


# --- text: alphabets, palettes, the canvas ------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Alphabet:
    """The characters of a drawing; of stones, by the value of the cell: empty, first, second."""

    stones: str
    winning: str
    horizontal: str = "─"
    vertical: str = "│"
    top: str = "┌┬┐"  # the junctions of a frame: begin, between, end
    middle: str = "├┼┤"
    bottom: str = "└┴┘"
    pointer: str = "▸"


_ASCII = _Alphabet(
    stones=".xo",
    winning=".XO",
    horizontal="-",
    vertical="|",
    top="+++",
    middle="+++",
    bottom="+++",
    pointer=">",
)
_LETTERS = _Alphabet(stones=" xo", winning=" XO")
_DISCS = _Alphabet(stones="·●○", winning="·◉◎")


@dataclass(frozen=True, kw_only=True)
class _Palette:
    """Styles in rich's language. Boards with a background of their own suit any terminal theme."""

    board: str
    stones: tuple[str, str, str]
    last: str
    winning: str = "bold #000000 on #4ade60"
    label: str = "dim"


# Yellow and red, blue and orange, black and white: pairs that differ in lightness too, so that
# every kind of colour blindness tells them apart (as do the shapes of the stones).
_PALETTES = {
    "connect": _Palette(
        board="#5c8fe0 on #0b2672",
        stones=("#7f98cc on #0b2672", "bold #ffd43b on #0b2672", "bold #ffa18c on #0b2672"),
        last="on #2f63d0",
    ),
    "letters": _Palette(
        board="#7a8699",
        stones=("#7a8699", "bold #2f81f7", "bold #d9730d"),
        last="bold",
    ),
    "mnk": _Palette(
        board="#6b4a1e on #d9ab5f",
        stones=("#8f6a35 on #d9ab5f", "bold #101010 on #d9ab5f", "bold #ffffff on #d9ab5f"),
        last="on #b5782f",
    ),
    "kalah": _Palette(
        board="#d9a868 on #7d4f24",
        stones=("#b98d58 on #7d4f24", "bold #ffe8c2 on #7d4f24", "bold #ffe8c2 on #7d4f24"),
        last="bold #ffe8c2 on #b07c3e",
    ),
}


class _Canvas:
    """A rectangle of characters, each with a style; a line ends at its last visible character."""

    def __init__(self, height: int, width: int) -> None:
        self.chars = [[" "] * width for _ in range(height)]
        self.styles = [[""] * width for _ in range(height)]

    def put(self, line: int, x: int, text: str, style: str) -> None:
        self.chars[line][x : x + len(text)] = text
        self.styles[line][x : x + len(text)] = [style] * len(text)

    def mark(self, line: int, x: int, width: int, style: str) -> None:
        """Put brackets around `width` characters and restyle what stands between them."""
        inside = self.styles[line][x]
        self.put(line, x - 1, "[" + "".join(self.chars[line][x : x + width]) + "]", inside)
        self.styles[line][x - 1 : x + width + 1] = [f"{inside} {style}"] * (width + 2)

    def lines(self) -> list[str]:
        return ["".join(chars).rstrip() for chars in self.chars]

    def segments(self) -> Iterator[tuple[str, str]]:
        """The drawing cut where the style changes: far fewer pieces than characters."""
        for text, styles in zip(self.lines(), self.styles, strict=True):
            start = 0
            for style, run in groupby(styles[: len(text)]):
                end = start + len(list(run))
                yield text[start:end], style
                start = end
            yield "\n", ""


def to_text(position: Position) -> str:
    """A plain drawing: the game, the board with its coordinates, and whose turn it is.

    The last move stands in brackets, `[x]`; the stones of a winning line are capitals, `X`.
    """
    canvas = _draw(position, _ASCII, _palette(position), roomy=False)
    return "\n".join([position.game.name, *canvas.lines(), status(position)])


def to_rich(position: Position, *, ascii_only: bool = False) -> Text:
    """The coloured board for a terminal, with a legend that points at the side to move.

    Give `ascii_only` where the output cannot show box lines and discs. Nothing is told by colour
    alone, so the text can also be printed without any. Print it with `soft_wrap=True`: rich would
    fold a board that is wider than the console.
    """
    from rich.text import Text  # here, so that the repr of a position does not load rich

    palette = _palette(position)
    alphabet = _ASCII if ascii_only else _LETTERS if palette is _PALETTES["letters"] else _DISCS
    text = Text()
    for segment, style in _draw(position, alphabet, palette, roomy=True).segments():
        text.append(segment, style)
    return text.append_text(_legend(position, alphabet, palette))


def _is_small(game: Game) -> bool:
    """Small mnk boards are drawn as noughts and crosses, large ones as stones on crossing lines."""
    return game.kind == "mnk" and max(game.sizes["rows"], game.sizes["cols"]) <= _SMALL


def _palette(position: Position) -> _Palette:
    return _PALETTES["letters" if _is_small(position.game) else position.game.kind]


def _draw(position: Position, alphabet: _Alphabet, palette: _Palette, *, roomy: bool) -> _Canvas:
    if position.game.kind == "kalah":
        return _draw_pits(position, alphabet, palette)
    return _draw_grid(position, alphabet, palette, roomy=roomy)


def _legend(position: Position, alphabet: _Alphabet, palette: _Palette) -> Text:
    """Which stones are whose, with a pointer at the side to move; the result once there is one."""
    from rich.text import Text

    if position.outcome is not None:
        return Text(status(position), "bold")
    legend = Text()
    for side in type(position.side):
        to_move = side is position.side
        legend.append(f"{alphabet.pointer} " if to_move else "  ", "bold")
        if position.game.kind != "kalah":
            stone = alphabet.stones[side.value + 1]
            legend.append(f" {stone} ", palette.stones[side.value + 1]).append(" ")
        legend.append(side_label(position.game, side), "bold" if to_move else "dim").append("   ")
    legend.rstrip()
    return legend


# --- text: the boards ---------------------------------------------------------------------------


class _GridLayout:
    """Where the cells of a line game stand on the canvas.

    Columns are `pitch` characters apart, rows `step` lines. `left` and `right` are the frame's
    sides, `top` and `bottom` the lines of the highest and lowest row of cells.
    """

    def __init__(self, game: Game, *, roomy: bool) -> None:
        self.rows, self.cols = game.sizes["rows"], game.sizes["cols"]
        self.ruled = roomy and _is_small(game)
        self.closed = self.numbered = game.kind == "mnk"  # connect is open above, and needs no row
        self.label_top = self.rows > _LABEL_TOP_ROWS
        self.label_right = self.numbered and self.cols > _LABEL_RIGHT_COLS
        self.step = 2 if self.ruled else 1
        pitch = 4 if self.ruled else 3 if roomy and self.cols <= _ROOMY_COLS else 2
        self.pitch = max(pitch, len(column_name(game, self.cols - 1)) + 1)
        self.label_width = len(str(self.rows)) if self.numbered else 0
        self.left = self.label_width + 1 if self.numbered else 0
        self.right = self.x(self.cols - 1) + 2
        self.top = int(self.label_top) + int(self.closed)
        self.bottom = self.top + self.step * (self.rows - 1)

    def x(self, col: int) -> int:
        return self.left + 2 + self.pitch * col

    def line(self, row: int) -> int:
        return self.bottom - self.step * row


def _draw_grid(
    position: Position, alphabet: _Alphabet, palette: _Palette, *, roomy: bool
) -> _Canvas:
    """The board of a line game: frame, labels, stones, and the marks on them."""
    layout = _GridLayout(position.game, roomy=roomy)
    canvas = _Canvas(layout.bottom + 3, layout.right + 1 + layout.left)
    _draw_frame(canvas, layout, alphabet, palette)
    _draw_labels(canvas, layout, position.game, palette)
    for row, values in enumerate(position.cells):
        for col, value in enumerate(values):
            stone, style = alphabet.stones[value], palette.stones[value]
            canvas.put(layout.line(row), layout.x(col), stone, style)
    for row, col in position.winning_cells:
        margin = " " * (layout.pitch > 2)
        stone = margin + alphabet.winning[position.cells[row][col]] + margin
        canvas.put(layout.line(row), layout.x(col) - len(margin), stone, palette.winning)
    if position.last_cell is not None:
        row, col = position.last_cell
        canvas.mark(
            layout.line(row), layout.x(col), 1, "" if position.winning_cells else palette.last
        )
    return canvas


def _draw_frame(
    canvas: _Canvas, layout: _GridLayout, alphabet: _Alphabet, palette: _Palette
) -> None:
    width = layout.right - layout.left - 1

    def put(line: int, junctions: str, fill: str) -> None:
        inside = junctions[1].join([fill * 3] * layout.cols) if layout.ruled else fill * width
        canvas.put(line, layout.left, junctions[0] + inside + junctions[2], palette.board)

    if layout.closed:
        put(layout.top - 1, alphabet.top, alphabet.horizontal)
    for row in range(layout.rows):
        put(layout.line(row), alphabet.vertical * 3, " ")
        if layout.ruled and row:
            put(layout.line(row) + 1, alphabet.middle, alphabet.horizontal)
    put(layout.bottom + 1, alphabet.bottom, alphabet.horizontal)


def _draw_labels(canvas: _Canvas, layout: _GridLayout, game: Game, palette: _Palette) -> None:
    for col in range(layout.cols):
        name = column_name(game, col)
        x = layout.x(col) - len(name) // 2
        canvas.put(layout.bottom + 2, x, name, palette.label)
        if layout.label_top:
            canvas.put(0, x, name, palette.label)
    for row in range(layout.rows if layout.numbered else 0):
        name = str(row + 1).rjust(layout.label_width)
        canvas.put(layout.line(row), 0, name, palette.label)
        if layout.label_right:
            canvas.put(layout.line(row), layout.right + 2, name, palette.label)


def _draw_pits(position: Position, alphabet: _Alphabet, palette: _Palette) -> _Canvas:
    """The board of kalah: second's pits above from right to left, stores at the ends."""
    cells, pits = position.cells, position.game.sizes["pits"]
    digits = len(str(sum(map(sum, cells))))  # of all seeds: the board keeps its width
    width = digits + 2
    canvas = _Canvas(7, 1 + (pits + 2) * (width + 1))

    def put(line: int, column: int, text: str, style: str) -> int:
        x = 2 + column * (width + 1)
        canvas.put(line, x, text.rjust(digits), style)
        return x

    for line, text in enumerate(_pits_frame(pits, width, alphabet), start=1):
        canvas.put(line, 0, text, palette.board)
    put(3, 0, str(cells[1][pits]), palette.stones[2])
    put(3, pits + 1, str(cells[0][pits]), palette.stones[1])
    for side, line, label_line in ((0, 4, 6), (1, 2, 0)):
        for pit in range(pits):
            column = pits - pit if side else pit + 1
            seeds = cells[side][pit]
            x = put(line, column, str(seeds), palette.stones[side + 1 if seeds else 0])
            put(label_line, column, str(pit + 1), palette.label)
            if position.last_cell == (side, pit):
                canvas.mark(line, x, digits, palette.last)
    return canvas


def _pits_frame(pits: int, width: int, alphabet: _Alphabet) -> list[str]:
    """Two rows of pits between two stores that are as high as both."""

    def line(junctions: str, fill: str, cells: int) -> str:
        return junctions[0] + junctions[1].join([fill * width] * cells) + junctions[2]

    store = alphabet.vertical + " " * width
    empty = line(alphabet.vertical * 3, " ", pits + 2)
    return [
        line(alphabet.top, alphabet.horizontal, pits + 2),
        empty,
        store + line(alphabet.middle, alphabet.horizontal, pits) + store[::-1],
        empty,
        line(alphabet.bottom, alphabet.horizontal, pits + 2),
    ]


# --- SVG ----------------------------------------------------------------------------------------
#
# Every board is drawn in units of which a cell is 40 wide, so the shapes below are the same
# whatever the sizes of the game, and two pictures on one page may share their ids. Each picture
# brings its own background: it looks the same on a light page and on a dark one.

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
    skin = _SKINS["letters" if _is_small(game) else game.kind]
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
        parts.append(_letter_lines(plan) if _is_small(game) else _stone_lines(plan))
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
