"""Boards of rows and columns: how large to draw them, and which part.

A board that is larger than its place is shown in part, with its labels at the edge of what is seen.
A zoom is the width and height of a cell, in characters, with the line or gap beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mossa._core import Game
from mossa.render.looks import column_name, look_of, star_lines
from mossa.render.text import alphabet_of, palette_of
from mossa.tui.canvas import Canvas, Cell, Cells, Marks, Size

# How large a stone is drawn: as one character, in two lines, in three lines.
_SMALL, _MEDIUM, _LARGE = 1, 2, 3

_ZOOMS: dict[str, tuple[Size, ...]] = {
    "letters": ((2, 1), (4, 2), (8, 4)),
    "stones": ((2, 1), (4, 2), (6, 3)),
    "discs": ((2, 1), (4, 2), (6, 2), (6, 3)),
    "pieces": ((3, 1), (6, 2), (7, 3)),
}

# Stones by size, for first and second. Second's are rings, to differ without colours.
_GLYPHS = {
    _MEDIUM: (("▟██▙", "▜██▛"), ("▟▀▀▙", "▜▄▄▛")),
    _LARGE: ((" ▄▄▄ ", "▐███▌", " ▀▀▀ "), (" ▄▄▄ ", "▐█ █▌", " ▀▀▀ ")),
}
_LETTER_GLYPHS = {_LARGE: (("▀▄ ▄▀", "  █  ", "▄▀ ▀▄"), ("▄▀▀▀▄", "█   █", "▀▄▄▄▀"))}
_ASCII_GLYPHS = {
    _MEDIUM: (("/xx\\", "\\xx/"), ("/oo\\", "\\oo/")),
    _LARGE: ((".---.", "|xxx|", "'---'"), (".---.", "|ooo|", "'---'")),
}
_ASCII_LETTERS = {_LARGE: (("\\   /", "  X  ", "/   \\"), (".---.", "|   |", "'---'"))}

_HOLE = "#081c55"  # an empty cell of a rack
_LAST = {"letters": "", "stones": "#000000", "discs": "#ffffff", "pieces": "#ffe066"}
"""The colours of the brackets around the last move."""
_NOTE = "on #1c211e"  # behind a score on a stone
_ON_DARK = ("#8ce99a", "#dee2e6")
_NOTE_INKS = {"letters": ("#2f9e44", "#868e96"), "stones": ("#0b5d1e", "#5c4413")}
"""The colours of the best score and of the others; letters lie on any background."""
_RING = "#d5cfc0"  # the middle of a white stone
_SQUARES = ("#56705f", "#7a9482")  # dark, as at the lower left, and light
_PIECES = ("#ffffff", "#0b0f0d")


@dataclass(frozen=True)
class View:
    """The visible part of a board, and where it is: sizes in cells, places in characters."""

    zoom: Size
    top_row: int
    """The row drawn first: the highest one in view."""
    first_col: int
    rows: int
    cols: int
    x: int
    """Where the first column begins."""
    y: int
    """Where the top row begins."""

    def place(self, cell: Cell) -> tuple[int, int] | None:
        """Return where a cell begins; None if it is out of view."""
        down, across = self.top_row - cell[0], cell[1] - self.first_col
        if not (0 <= down < self.rows and 0 <= across < self.cols):
            return None
        return self.x + across * self.zoom[0], self.y + down * self.zoom[1]


class Grid:
    """The drawing of a game on a grid."""

    def __init__(self, game: Game, *, ascii_only: bool = False, colour: bool = True) -> None:
        """Take the game, and what the terminal can show."""
        self.game = game
        self.rows, self.cols = game.sizes["rows"], game.sizes["cols"]
        self.falls = game.traits.falls
        self.look = look_of(game)
        self.zooms = _ZOOMS[self.look.name]
        self.palette = palette_of(game)
        self.ascii_only, self.colour = ascii_only, colour
        self.alphabet = alphabet_of(game, ascii_only=ascii_only)
        self.squares = self.look.name == "pieces"
        self.crossings = self.look.name == "stones"
        self.has_holes = self.look.holes and colour and not ascii_only
        letters = self.look.ruled_text
        ascii_glyphs = _ASCII_LETTERS if letters else _ASCII_GLYPHS
        self.glyphs = ascii_glyphs if ascii_only else _LETTER_GLYPHS if letters else _GLYPHS

    # ---------------------------------------------------------------- where everything is

    @cached_property
    def label_width(self) -> int:
        """The width of the row names, with a blank."""
        return len(str(self.rows)) + 1 if self.look.numbered else 0

    def is_ruled(self, zoom: Size) -> bool:
        """Tell whether there are lines between the cells."""
        return self.look.ruled_text and zoom[1] > 1

    def glyph_size(self, zoom: Size) -> int:
        """Return how large a stone is drawn."""
        width, height = zoom if not self.is_ruled(zoom) else (zoom[0] - 1, zoom[1] - 1)
        if width >= 5 and height >= 3:
            return _LARGE
        return _MEDIUM if width >= 6 and height == 2 else _SMALL

    def edges(self, zoom: Size) -> tuple[int, int, int, int]:
        """Return the room for frame and labels left of, above, right of and below the cells."""
        if self.is_ruled(zoom):
            return self.label_width, 1 if self.falls else 0, 1, 2
        # With an even width the middle of a cell is right of its middle: a blank makes up for it.
        pad = 0 if zoom[0] % 2 or self.glyph_size(zoom) == _MEDIUM else 1
        return self.label_width + 1, 1, 1 + pad, 2

    def size(self, zoom: Size) -> Size:
        """Return the size of the whole board."""
        left, above, right, below = self.edges(zoom)
        return left + zoom[0] * self.cols + right, above + zoom[1] * self.rows + below

    def view(self, zoom: Size, size: Size, corner: Cell) -> View:
        """Return what is visible in an area of this size.

        ``corner`` is the cell to show at its top left, as far as the board allows.
        """
        left, above, right, below = self.edges(zoom)
        cols = min(max((size[0] - left - right) // zoom[0], 1), self.cols)
        rows = min(max((size[1] - above - below) // zoom[1], 1), self.rows)
        first_col = min(max(corner[1], 0), self.cols - cols)
        top_row = min(max(corner[0], rows - 1), self.rows - 1)
        free_x = max(size[0] - left - right - cols * zoom[0], 0)
        free_y = max(size[1] - above - below - rows * zoom[1], 0)
        return View(zoom, top_row, first_col, rows, cols, left + free_x // 2, above + free_y // 2)

    def following(
        self, zoom: Size, size: Size, corner: Cell, cell: Cell, *, margin: int = 0
    ) -> Cell:
        """Return the corner that brings a cell into view with the least scrolling."""
        view = self.view(zoom, size, corner)
        row, col = view.top_row, view.first_col
        above, beside = min(margin, (view.rows - 1) // 2), min(margin, (view.cols - 1) // 2)
        row = max(row, cell[0] + above)
        row = min(row, cell[0] + view.rows - 1 - above)
        col = min(col, cell[1] - beside)
        col = max(col, cell[1] - view.cols + 1 + beside)
        return row, col

    def scrolled(self, zoom: Size, size: Size, corner: Cell, up: int, right: int) -> Cell:
        """Return the corner after scrolling by a number of cells."""
        view = self.view(zoom, size, corner)
        moved = self.view(zoom, size, (view.top_row + up, view.first_col + right))
        return moved.top_row, moved.first_col

    def cell_at(self, zoom: Size, size: Size, corner: Cell, x: int, y: int) -> Cell | None:
        """Return the cell at a place; where stones fall, above and below the board count too."""
        view = self.view(zoom, size, corner)
        across, down = (x - view.x) // view.zoom[0], (y - view.y) // view.zoom[1]
        if not 0 <= across < view.cols:
            return None
        if self.falls:
            down = min(max(down, 0), view.rows - 1)
        if not 0 <= down < view.rows:
            return None
        return view.top_row - down, view.first_col + across

    # ---------------------------------------------------------------- the drawing

    def draw(self, canvas: Canvas, zoom: Size, corner: Cell, cells: Cells, marks: Marks) -> None:
        """Draw the visible part of the board."""
        view = self.view(zoom, (canvas.width, canvas.height), corner)
        self._draw_frame(canvas, view)
        self._draw_labels(canvas, view, marks)
        seen = [
            (row, col)
            for row in range(view.top_row, view.top_row - view.rows, -1)
            for col in range(view.first_col, view.first_col + view.cols)
        ]
        for cell in seen:
            self._draw_back(canvas, view, cell)
        for cell in seen:
            self._draw_cell(canvas, view, cell, cells[cell[0]][cell[1]], marks)
        for cell in seen:
            self._draw_signs(canvas, view, cell, marks)
        if self.falls and marks.cursor in seen:
            assert marks.cursor is not None
            x, _ = self._middle(view, marks.cursor)
            canvas.put(x, view.y - 1, "v" if self.ascii_only else "▼", "bold")

    def _middle(self, view: View, cell: Cell) -> tuple[int, int]:
        """Return the middle of a visible cell."""
        place = view.place(cell)
        assert place is not None
        width, height = view.zoom
        down = height // 2 if self.is_ruled(view.zoom) else (height - 1) // 2
        return place[0] + width // 2, place[1] + down

    def _draw_frame(self, canvas: Canvas, view: View) -> None:
        zoom, style, chars = view.zoom, self.palette.board, self.alphabet
        dash = "." if self.ascii_only else "┄"
        bar = ":" if self.ascii_only else "┊"
        cut_left, cut_right = view.first_col > 0, view.first_col + view.cols < self.cols
        cut_top, cut_bottom = view.top_row < self.rows - 1, view.top_row - view.rows + 1 > 0
        if self.is_ruled(zoom):
            self._draw_rules(canvas, view)
            return
        _, above, right, _ = self.edges(zoom)
        left, top = view.x - 1, view.y - above
        width = view.cols * zoom[0] + right + 1
        inside, bottom = width - 2, view.y + view.rows * zoom[1]
        canvas.fill(left, view.y, (width, view.rows * zoom[1]), style)
        for line in range(view.y, bottom):
            canvas.put(left, line, bar if cut_left else chars.vertical, style)
            canvas.put(left + width - 1, line, bar if cut_right else chars.vertical, style)
        if not self.falls:
            fill = (dash if cut_top else chars.horizontal) * inside
            canvas.put(left, top, f"{chars.top[0]}{fill}{chars.top[2]}", style)
        fill = (dash if cut_bottom else chars.horizontal) * inside
        canvas.put(left, bottom, f"{chars.bottom[0]}{fill}{chars.bottom[2]}", style)

    def _draw_rules(self, canvas: Canvas, view: View) -> None:
        """Draw the lines of a board of boxes."""
        (width, height), style, chars = view.zoom, self.palette.board, self.alphabet
        for down in range(view.rows + 1):
            y = view.y + down * height
            ends = chars.top if down == 0 else chars.bottom if down == view.rows else chars.middle
            line = ends[1].join([chars.horizontal * (width - 1)] * view.cols)
            canvas.put(view.x, y, f"{ends[0]}{line}{ends[2]}", style)
            if down < view.rows:
                for below in range(y + 1, y + height):
                    for across in range(view.cols + 1):
                        canvas.put(view.x + across * width, below, chars.vertical, style)

    def _draw_labels(self, canvas: Canvas, view: View, marks: Marks) -> None:
        width, height = view.zoom
        below = view.y + view.rows * height + 1
        cursor = marks.cursor
        names = {
            col: column_name(self.game, col)
            for col in range(view.first_col, view.first_col + view.cols)
        }
        # Every name if there is room, or else every second, third ...
        step = -(-(max(map(len, names.values())) + 1) // width)
        for col, name in names.items():
            here = cursor is not None and col == cursor[1]
            if col % step and not here:
                continue
            x, _ = self._middle(view, (view.top_row, col))
            style = "bold reverse" if here else self.palette.label
            canvas.put(x - len(name) // 2, below, name, style)
        if cursor is not None and cursor[1] in names:  # its neighbours must not hide it
            name = names[cursor[1]]
            x, _ = self._middle(view, (view.top_row, cursor[1]))
            canvas.put(x - len(name) // 2, below, name, "bold reverse")
        if not self.look.numbered:
            return
        for row in range(view.top_row, view.top_row - view.rows, -1):
            _, y = self._middle(view, (row, view.first_col))
            name = str(row + 1).rjust(self.label_width - 1)
            here = cursor is not None and row == cursor[0]
            x = view.x - self.edges(view.zoom)[0]
            canvas.put(x, y, name, "bold reverse" if here else self.palette.label)

    def _back(self, cell: Cell) -> str:
        """Return the background of a cell."""
        if self.squares:
            return f"on {_SQUARES[sum(cell) % 2]}"
        words = self.palette.board.split(" on ")
        return f"on {words[1]}" if len(words) == 2 else ""

    def _draw_back(self, canvas: Canvas, view: View, cell: Cell) -> None:
        """Draw a cell without anything on it."""
        place = view.place(cell)
        assert place is not None
        if self.squares:
            canvas.fill(*place, view.zoom, f"{_ink(self.palette.stones[0])} {self._back(cell)}")
        if self.crossings:
            self._draw_crossing(canvas, view, cell)
        elif self.has_holes:
            size = self.glyph_size(view.zoom)
            if size != _SMALL:
                hole = f"{_HOLE} {self._back(cell)}"
                self._put_glyph(canvas, view, cell, _GLYPHS[size][0], hole, "")

    def _draw_crossing(self, canvas: Canvas, view: View, cell: Cell) -> None:
        """Draw the lines that cross in the middle of a cell."""
        place = view.place(cell)
        assert place is not None
        (x, y), (width, height) = place, view.zoom
        middle_x, middle_y = self._middle(view, cell)
        style, chars = self.palette.stones[0], self.alphabet
        row, col = cell
        west = chars.horizontal if col else " "
        east = chars.horizontal if col < self.cols - 1 else " "
        canvas.put(x, middle_y, west * (middle_x - x), style)
        canvas.put(middle_x + 1, middle_y, east * (x + width - middle_x - 1), style)
        ends = chars.top if row == self.rows - 1 else chars.middle if row else chars.bottom
        corner = ends[0] if col == 0 else ends[2] if col == self.cols - 1 else ends[1]
        star = row in star_lines(self.rows) and col in star_lines(self.cols)
        if star:
            corner = "*" if self.ascii_only else "╋"
        canvas.put(middle_x, middle_y, corner, f"{style} bold" if star else style)
        for line in range(y, y + height):
            upper, lower = line < middle_y and row < self.rows - 1, line > middle_y and row > 0
            if upper or lower:
                canvas.put(middle_x, line, chars.vertical, style)

    def _put_glyph(
        self, canvas: Canvas, view: View, cell: Cell, glyph: tuple[str, ...], style: str, hole: str
    ) -> None:
        """Put a stone of several lines on a cell; its blanks have the style of a hole."""
        place = view.place(cell)
        assert place is not None
        middle_x, middle_y = self._middle(view, cell)
        medium = len(glyph) == 2
        x, y = (place[0] + 1, place[1]) if medium else (middle_x - 2, middle_y - 1)
        for down, line in enumerate(glyph):
            for across, char in enumerate(line):
                if char != " ":
                    canvas.put(x + across, y + down, char, style)
                elif hole and down == 1 and 0 < across < len(line) - 1:
                    canvas.put(x + across, y + down, char, hole)

    def _draw_cell(self, canvas: Canvas, view: View, cell: Cell, value: int, marks: Marks) -> None:
        size, back = self.glyph_size(view.zoom), self._back(cell)
        x, y = self._middle(view, cell)
        note = marks.notes.get(cell)
        if value:
            winning = cell in marks.winning
            style = f"bold {stone_ink(self.game, value)} {back}".strip()
            if cell in marks.last and not winning and size == _SMALL:
                style = f"{style} {_ground(self.palette.last)}".strip()
            if winning:
                ink = _ground(self.palette.winning).removeprefix("on ")
                style = self.palette.winning if size == _SMALL else f"bold {ink} {back}".strip()
            if size == _SMALL or size not in self.glyphs:
                chars = self.alphabet.winning if winning else self.alphabet.stones
                canvas.put(x, y, chars[value], style)
            else:
                glyph = self.glyphs[size][value - 1]
                if winning:
                    glyph = _starred(glyph)
                hole = f"on {_RING}" if self.crossings and self.colour else back
                blank = "" if self.look.ruled_text else hole
                self._put_glyph(canvas, view, cell, glyph, style, blank)
        elif cell in marks.ghosts:
            ghost = marks.ghosts[cell]
            style = f"{stone_ink(self.game, ghost)} {back} italic dim".strip()
            if self.colour and size in self.glyphs and not self.look.ruled_text:
                self._put_glyph(canvas, view, cell, self.glyphs[size][ghost - 1], style, back)
            else:
                canvas.put(x, y, self.alphabet.stones[ghost], style)
        elif not self.crossings and not self.is_ruled(view.zoom):
            blank = "." if self.ascii_only else "·"
            style = f"{_ink(self.palette.stones[0])} {back}".strip()
            if size == _SMALL or not self.has_holes:
                canvas.put(x, y, blank if not self.squares or not self.colour else " ", style)
        if cell in marks.targets and not value:
            canvas.put(x, y, "." if self.ascii_only else "•", f"bold #ffffff {back}")
        if note is not None:
            text = note.within(view.zoom[0] - 1)
            # In the middle of an empty cell, else below the stone if there is room.
            inks = _NOTE_INKS.get(self.look.name, _ON_DARK) if not value else _ON_DARK
            style = note.style or f"bold {inks[0] if note.best else inks[1]}"
            if not value:
                canvas.put(x - len(text) // 2, y, text, f"{style} {back}".strip())
            elif size != _SMALL:
                canvas.put(x - len(text) // 2, y + 1, text, f"{style} {_NOTE}")

    def _draw_signs(self, canvas: Canvas, view: View, cell: Cell, marks: Marks) -> None:
        """Draw the signs left and right of a marked cell."""
        signs = marks.signs(cell, ascii_only=self.ascii_only)
        if signs is None:
            return
        left, right, style = signs
        place = view.place(cell)
        assert place is not None
        size = self.glyph_size(view.zoom)
        middle_x, middle_y = self._middle(view, cell)
        lines = [middle_y]
        if size == _MEDIUM:
            lines, at = [place[1], place[1] + 1], (place[0], place[0] + 5)
        else:
            away = 3 if size == _LARGE else 1
            at = (middle_x - away, middle_x + away)
        for line in lines:
            for x, sign in zip(at, (left, right), strict=True):
                own = style or f"bold {_LAST[self.look.name]} {self._back(cell)}".strip()
                canvas.put(x, line, sign, own)


def stone_ink(game: Game, value: int) -> str:
    """Return the colour of a stone, by the value of its cell."""
    if look_of(game).name == "pieces" and value:
        return _PIECES[value - 1]
    return _ink(palette_of(game).stones[value])


def stone_ground(game: Game) -> str:
    """Return the background on which a stone is drawn beside the board."""
    if look_of(game).name == "pieces":
        return f"on {_SQUARES[1]}"
    return _ground(palette_of(game).stones[1])


def _ink(style: str) -> str:
    """Return the colour of a style without its background."""
    return style.partition(" on ")[0].removeprefix("bold ")


def _ground(style: str) -> str:
    """Return the background of a style, if it has one."""
    return f"on {style.partition('on ')[2]}" if "on " in style else ""


def _starred(glyph: tuple[str, ...]) -> tuple[str, ...]:
    """Return a stone that has won."""
    if len(glyph) == 2:
        return glyph[0][0] + "**" + glyph[0][3], glyph[1]
    return glyph[0], f"{glyph[1][:2]}*{glyph[1][3:]}", glyph[2]
