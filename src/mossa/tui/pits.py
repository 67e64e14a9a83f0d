"""Boards of pits and stores: second's pits above from right to left, stores at the ends."""

from __future__ import annotations

from dataclasses import dataclass

from mossa._core import Game
from mossa.render.text import alphabet_of, palette_of
from mossa.tui.canvas import Canvas, Cell, Cells, Marks, Size

_ZOOMS: tuple[Size, ...] = ((5, 2), (6, 4), (8, 5), (10, 6))


_NOTE = "on #5b3716"  # behind a score, to make it legible on the plank
_BEST, _OTHERS = "#8ce99a", "#dee2e6"


@dataclass(frozen=True)
class View:
    """Where the board is, and which of its columns are visible; a store is a column."""

    zoom: Size
    first: int
    columns: int
    x: int
    y: int


class Pits:
    """The drawing of a game of pits and stores."""

    def __init__(self, game: Game, *, ascii_only: bool = False, colour: bool = True) -> None:
        """Take the game, and what the terminal can show."""
        self.pits = game.sizes["pits"]
        self.zooms = _ZOOMS
        self.palette = palette_of(game)
        self.ascii_only, self.colour = ascii_only, colour
        self.alphabet = alphabet_of(game, ascii_only=ascii_only)

    # ---------------------------------------------------------------- where everything is

    def size(self, zoom: Size) -> Size:
        """Return the size of the whole board, with the pit numbers."""
        return (self.pits + 2) * zoom[0] + 1, 2 * zoom[1] + 3

    def view(self, zoom: Size, size: Size, corner: Cell) -> View:
        """Return what is visible in an area of this size; columns that do not fit are left out.

        The lines at both ends may be cut off, so that six pits and both stores fit 40 characters.
        """
        columns = min(max((size[0] + 1) // zoom[0], 1), self.pits + 2)
        first = min(max(corner[1], 0), self.pits + 2 - columns)
        free_x = size[0] - columns * zoom[0] - 1
        free_y = max(size[1] - 2 * zoom[1] - 3, 0)
        return View(zoom, first, columns, free_x // 2, free_y // 2 + 1)

    def following(
        self, zoom: Size, size: Size, corner: Cell, cell: Cell, *, margin: int = 0
    ) -> Cell:
        """Return the corner that brings a pit into view with the least scrolling."""
        view, column = self.view(zoom, size, corner), self.column(cell)
        beside = min(margin, (view.columns - 1) // 2)
        return 0, max(min(view.first, column - beside), column - view.columns + 1 + beside)

    def column(self, cell: Cell) -> int:
        """Return the column of a pit or store, counting from the left store at 0."""
        side, pit = cell
        return self.pits - pit if side else pit + 1

    def scrolled(self, zoom: Size, size: Size, corner: Cell, up: int, right: int) -> Cell:
        """Return the corner after scrolling by a number of columns."""
        return 0, self.view(zoom, size, (0, self.view(zoom, size, corner).first + right)).first

    def cell_at(self, zoom: Size, size: Size, corner: Cell, x: int, y: int) -> Cell | None:
        """Return the pit or store at a place."""
        view = self.view(zoom, size, corner)
        across = (x - view.x) // view.zoom[0]
        if not 0 <= across < view.columns:
            return None
        column = view.first + across
        if column in (0, self.pits + 1):
            return int(column == 0), self.pits
        inside = y - view.y
        if not 0 < inside < 2 * view.zoom[1]:
            return None
        if inside < view.zoom[1]:
            return 1, self.pits - column
        return 0, column - 1

    # ---------------------------------------------------------------- the drawing

    def draw(self, canvas: Canvas, zoom: Size, corner: Cell, cells: Cells, marks: Marks) -> None:
        """Draw the visible pits and stores with their seeds."""
        view = self.view(zoom, (canvas.width, canvas.height), corner)
        (width, height), chars, style = view.zoom, self.alphabet, self.palette.board
        columns = range(view.first, view.first + view.columns)
        canvas.fill(view.x, view.y, (view.columns * width + 1, 2 * height + 1), style)
        for down in range(2 * height + 1):
            y = view.y + down
            for at, column in enumerate(columns):
                x = view.x + at * width
                canvas.put(x, y, self._edge(down, column, view), style)
                rules = (0, 2 * height) if column in (0, self.pits + 1) else (0, height, 2 * height)
                if down in rules:
                    canvas.put(x + 1, y, chars.horizontal * (width - 1), style)
            end = view.first + view.columns
            canvas.put(view.x + view.columns * width, y, self._edge(down, end, view), style)
        for side in (0, 1):
            for pit in range(self.pits + 1):
                if self.column((side, pit)) in columns:
                    self._draw_hollow(canvas, view, (side, pit), cells[side][pit], marks)

    def _edge(self, down: int, column: int, view: View) -> str:
        """Return the piece of frame to the left of a column."""
        chars, height = self.alphabet, view.zoom[1]
        if down in (0, 2 * height):
            ends = chars.top if down == 0 else chars.bottom
            last = view.first + view.columns
            return ends[0] if column == view.first else ends[2] if column == last else ends[1]
        if down != height or column in (0, self.pits + 2):
            return chars.vertical
        if column == 1:
            return chars.middle[0]
        return chars.middle[2] if column == self.pits + 1 else chars.middle[1]

    def _box(self, view: View, cell: Cell) -> tuple[int, int, int, int]:
        """Return where a hollow begins inside its frame, how wide and how high it is."""
        (width, height), (side, pit) = view.zoom, cell
        x = view.x + (self.column(cell) - view.first) * width + 1
        if pit == self.pits:
            return x, view.y + 1, width - 1, 2 * height - 1
        return x, view.y + 1 + (0 if side else height), width - 1, height - 1

    def _draw_hollow(
        self, canvas: Canvas, view: View, cell: Cell, seeds: int, marks: Marks
    ) -> None:
        """Draw a pit's or store's seeds, as many as fit, and their number below."""
        x, y, width, height = self._box(view, cell)
        is_store = cell[1] == self.pits
        style = self.palette.stones[1 if seeds else 0]
        if cell in marks.last:
            canvas.restyle(x, y, (width, height), self.palette.last)
            style = f"{style} {self.palette.last}"
        number = y + height - 1
        note = marks.notes.get(cell)
        signs = marks.signs(cell, ascii_only=self.ascii_only)
        room = width - 2
        shown = min(seeds, width * (height - 1))
        dot = "o" if self.ascii_only else "●"
        # A heap: as narrow as its height allows, but three seeds lie side by side.
        broad = min(max(-(-shown // max(height - 1, 1)), 3), width)
        for line in range(-(-shown // broad)):
            dots = dot * min(broad, shown - line * broad)
            canvas.put(x + (width - min(broad, shown)) // 2, y + line, dots, style)
        text = str(seeds)
        if note is not None:
            text = note.within(width if is_store else room)
            style = note.style or f"bold {_BEST if note.best else _OTHERS} {_NOTE}"
        canvas.put(x + (width - len(text)) // 2, number, text, style)
        if signs is not None:
            for at, sign in zip((x, x + width - 1), signs[:2], strict=True):
                canvas.put(at, number, sign, signs[2] or self.palette.last)
        if not is_store:
            name = str(cell[1] + 1)
            label = view.y + (2 * view.zoom[1] + 1 if cell[0] == 0 else -1)
            here = cell == marks.cursor
            canvas.put(
                x + (width - len(name)) // 2,
                label,
                name,
                "bold reverse" if here else self.palette.label,
            )
