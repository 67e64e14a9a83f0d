"""Plain text and coloured terminal text: one drawing in two alphabets.

It is made on a canvas of characters, because on a compact board neighbouring cells share the space
between them (`. x[o]. .`). Whatever matters is said by a character and only stressed by a colour,
so a board loses nothing in black and white.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from mossa._core import Shape
from mossa.render.looks import column_name, look_of, text_lines
from mossa.render.words import last_cells, side_label, status

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from mossa._core import Game, Position

# Beyond these sizes a far edge is hard to follow back to its labels: label that edge as well.
_LABEL_TOP_ROWS = 20
_LABEL_RIGHT_COLS = 40
# A roomy cell is three characters wide, nearly as wide as high; more would leave the screen.
_ROOMY_COLS = 20


# --- alphabets, palettes, the canvas ------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Alphabet:
    """The characters of a drawing; of stones, by the value of the cell: empty, first, second."""

    stones: str
    winning: str
    horizontal: str = "─"
    vertical: str = "│"
    top: str = "┌┬┐"  # the junctions of a frame: begin, between, end
    middle: str = "├┼┤"
    bottom: str = "└┴┘"
    pointer: str = "▸"


_ASCII = Alphabet(
    stones=".xo",
    winning=".XO",
    horizontal="-",
    vertical="|",
    top="+++",
    middle="+++",
    bottom="+++",
    pointer=">",
)
_LETTERS = Alphabet(stones=" xo", winning=" XO")
_DISCS = Alphabet(stones="·●○", winning="·◉◎")


@dataclass(frozen=True, kw_only=True)
class Palette:
    """Styles in rich's language. Boards with a background of their own suit any terminal theme."""

    board: str
    stones: tuple[str, str, str]
    last: str
    winning: str = "bold #000000 on #4ade60"
    label: str = "dim"


# Yellow and red, blue and orange, black and white: pairs that differ in lightness too, so that
# every kind of colour blindness tells them apart (as do the shapes of the stones).
PALETTES = {
    "discs": Palette(
        board="#5c8fe0 on #0b2672",
        stones=("#7f98cc on #0b2672", "bold #ffd43b on #0b2672", "bold #ffa18c on #0b2672"),
        last="on #2f63d0",
    ),
    "letters": Palette(
        board="#7a8699",
        stones=("#7a8699", "bold #2f81f7", "bold #d9730d"),
        last="bold",
    ),
    "stones": Palette(
        board="#6b4a1e on #d9ab5f",
        stones=("#8f6a35 on #d9ab5f", "bold #101010 on #d9ab5f", "bold #ffffff on #d9ab5f"),
        last="on #b5782f",
    ),
    "pieces": Palette(
        board="#93a597 on #33413a",
        stones=("#7f9486 on #33413a", "bold #ffffff on #33413a", "bold #f0b070 on #33413a"),
        last="on #6d6a24",
    ),
    "text": Palette(board="", stones=("", "", ""), last=""),
    "pits": Palette(
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
    """Return a plain drawing: the game, the board with its coordinates, and whose turn it is.

    The last move is in brackets, `[x]`, and so is the cell that a piece came from, `[.]`.
    Stones that have won are capitals, `X`.
    """
    canvas = _draw(position, _ASCII, palette_of(position.game), roomy=False)
    return "\n".join([position.game.name, *canvas.lines(), status(position)])


def to_rich(position: Position, *, ascii_only: bool = False) -> Text:
    """Return the coloured board for a terminal, with a legend that points at the side to move.

    Set `ascii_only` if the output cannot show box lines and discs. Nothing is told by colour
    alone, so the text can also be printed without any. Print it with `soft_wrap=True`: rich would
    fold a board that is wider than the console.
    """
    from rich.text import Text  # here, so that the repr of a position does not load rich

    palette = palette_of(position.game)
    alphabet = alphabet_of(position.game, ascii_only=ascii_only)
    text = Text()
    for segment, style in _draw(position, alphabet, palette, roomy=True).segments():
        text.append(segment, style)
    return text.append_text(_legend(position, alphabet, palette))


def draw(console: Console, position: Position) -> None:
    """Print the coloured board the way the console can show it, never wrapped."""
    console.print(to_rich(position, ascii_only=only_ascii(console)), soft_wrap=True)


def only_ascii(console: Console) -> bool:
    """Whether a console can show neither box lines nor discs."""
    return console.is_dumb_terminal or console.options.ascii_only


def palette_of(game: Game) -> Palette:
    """The colours of a game on a terminal."""
    return PALETTES[look_of(game).name]


def alphabet_of(game: Game, *, ascii_only: bool = False) -> Alphabet:
    """The characters of a game on a terminal."""
    return _ASCII if ascii_only else _LETTERS if look_of(game).ruled_text else _DISCS


def _draw(position: Position, alphabet: Alphabet, palette: Palette, *, roomy: bool) -> _Canvas:
    shape = position.game.traits.shape
    if shape is Shape.text:
        return _draw_text(position)
    if shape is Shape.pits:
        return _draw_pits(position, alphabet, palette)
    return _draw_grid(position, alphabet, palette, roomy=roomy)


def _legend(position: Position, alphabet: Alphabet, palette: Palette) -> Text:
    """Who plays which stones, with a pointer at the side to move; at the end, the result."""
    from rich.text import Text

    if position.outcome is not None:
        return Text(status(position), "bold")
    legend = Text()
    for side in type(position.side):
        to_move = side is position.side
        legend.append(f"{alphabet.pointer} " if to_move else "  ", "bold")
        if position.game.traits.shape is Shape.grid:
            stone = alphabet.stones[side.value + 1]
            legend.append(f" {stone} ", palette.stones[side.value + 1]).append(" ")
        legend.append(side_label(position.game, side), "bold" if to_move else "dim").append("   ")
    legend.rstrip()
    return legend


# --- the boards ---------------------------------------------------------------------------------


class _GridLayout:
    """Where the cells of a grid stand on the canvas.

    Columns are `pitch` characters apart, rows `step` lines. `left` and `right` are the frame's
    sides, `top` and `bottom` the lines of the highest and lowest row of cells.
    """

    def __init__(self, game: Game, *, roomy: bool) -> None:
        self.rows, self.cols = game.sizes["rows"], game.sizes["cols"]
        look = look_of(game)
        self.ruled = roomy and look.ruled_text
        self.closed = self.numbered = look.numbered  # a rack is open above, and needs no row
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


def _draw_text(position: Position) -> _Canvas:
    """The board as the game writes it."""
    lines = text_lines(position)
    canvas = _Canvas(len(lines), max(map(len, lines)))
    for at, line in enumerate(lines):
        canvas.put(at, 0, line, "")
    return canvas


def _draw_grid(position: Position, alphabet: Alphabet, palette: Palette, *, roomy: bool) -> _Canvas:
    """The board of a grid: frame, labels, stones, and the marks on them."""
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
    for row, col in last_cells(position):
        style = "" if position.winning_cells else palette.last
        canvas.mark(layout.line(row), layout.x(col), 1, style)
    return canvas


def _draw_frame(canvas: _Canvas, layout: _GridLayout, alphabet: Alphabet, palette: Palette) -> None:
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


def _draw_labels(canvas: _Canvas, layout: _GridLayout, game: Game, palette: Palette) -> None:
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


def _draw_pits(position: Position, alphabet: Alphabet, palette: Palette) -> _Canvas:
    """Pits: second's pits above from right to left, stores at the ends."""
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


def _pits_frame(pits: int, width: int, alphabet: Alphabet) -> list[str]:
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
