"""Boards as text, the way their games write them, with the moves to choose from below."""

from __future__ import annotations

from mossa._core import Game, Position
from mossa.render.looks import text_lines
from mossa.tui.canvas import Canvas, Cell, Cells, Marks, Size

_ZOOMS: tuple[Size, ...] = ((1, 1),)
_BEST, _OTHERS = "bold #2f9e44", "dim"
"""The styles of the best score and of the others."""


class Texts:
    """The drawing of a text, and of its moves; the cell of a move is its place among them."""

    def __init__(self, game: Game, *, ascii_only: bool = False, colour: bool = True) -> None:
        """Take the game, and what the terminal can show."""
        self.zooms = _ZOOMS
        self.ascii_only = ascii_only
        self.show(game.start())

    def show(self, position: Position) -> None:
        """Draw this position from now on."""
        self._lines = text_lines(position)
        self._moves = [str(move) for move in position.moves]

    def size(self, zoom: Size) -> Size:
        """Return the size of the text, with a line of moves."""
        return max(map(len, self._lines)), len(self._lines) + 2

    def _places(self, width: int) -> list[tuple[int, int]]:
        """Return where the moves go, on as many lines as they need, with room for scores."""
        pitch = max(map(len, self._moves), default=0) + 8
        in_line = max(1, width // pitch)
        top = len(self._lines) + 1
        return [(at % in_line * pitch + 1, top + at // in_line) for at in range(len(self._moves))]

    def _top(self, size: Size, corner: Cell) -> int:
        """Return the first visible line."""
        places = self._places(size[0])
        total = (places[-1][1] if places else len(self._lines)) + 1
        return min(max(corner[0], 0), max(total - size[1], 0))

    def draw(self, canvas: Canvas, zoom: Size, corner: Cell, cells: Cells, marks: Marks) -> None:
        """Draw the visible part of the text and the moves."""
        top = self._top((canvas.width, canvas.height), corner)
        for at, line in enumerate(self._lines):
            canvas.put(1, at - top, line, "bold")
        for at, (x, y) in enumerate(self._places(canvas.width)):
            move, cell = self._moves[at], (0, at)
            signs = marks.signs(cell, ascii_only=self.ascii_only)
            canvas.put(x, y - top, move, "")
            if signs is not None:
                left, right, style = signs
                canvas.put(x - 1, y - top, f"{left}{move}{right}", style)
            if note := marks.notes.get(cell):
                canvas.put(
                    x + len(move) + 1, y - top, note.within(5), _BEST if note.best else _OTHERS
                )

    def cell_at(self, zoom: Size, size: Size, corner: Cell, x: int, y: int) -> Cell | None:
        """Return the move at a place."""
        top = self._top(size, corner)
        for at, (left, line) in enumerate(self._places(size[0])):
            if line - top == y and left - 1 <= x <= left + len(self._moves[at]):
                return 0, at
        return None

    def following(
        self, zoom: Size, size: Size, corner: Cell, cell: Cell, *, margin: int = 0
    ) -> Cell:
        """Return the corner that brings a move into view with the least scrolling."""
        places = self._places(size[0])
        line = places[cell[1]][1] if cell[1] < len(places) else 0
        return max(min(self._top(size, corner), line), line - size[1] + 1), 0

    def scrolled(self, zoom: Size, size: Size, corner: Cell, up: int, right: int) -> Cell:
        """Return the corner after scrolling by a number of lines."""
        return self._top(size, (self._top(size, corner) - up, 0)), 0
