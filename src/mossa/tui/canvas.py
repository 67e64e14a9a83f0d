"""A rectangle of styled characters, and the marks that a board drawn on it may have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Protocol

Cell = tuple[int, int]
"""A row and a column; or a side and one of its pits, its store the last."""
Size = tuple[int, int]
"""A width and a height, in characters."""
Cells = tuple[tuple[int, ...], ...]
"""What is on a board, as a position has it."""


class Canvas:
    """Characters, each with a style in rich's syntax; anything outside is not drawn."""

    def __init__(self, width: int, height: int) -> None:
        """Begin with blanks."""
        self.width, self.height = width, height
        self._chars = [[" "] * width for _ in range(height)]
        self._styles = [[""] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str) -> None:
        """Write a text from a place on."""
        if not 0 <= y < self.height:
            return
        for at, char in enumerate(text, start=x):
            if 0 <= at < self.width:
                self._chars[y][at], self._styles[y][at] = char, style

    def fill(self, x: int, y: int, size: Size, style: str) -> None:
        """Make a rectangle blank."""
        for line in range(y, y + size[1]):
            self.put(x, line, " " * size[0], style)

    def restyle(self, x: int, y: int, size: Size, style: str) -> None:
        """Add to the styles of a rectangle."""
        for line in range(max(y, 0), min(y + size[1], self.height)):
            for at in range(max(x, 0), min(x + size[0], self.width)):
                self._styles[line][at] = f"{self._styles[line][at]} {style}".strip()

    def style_at(self, x: int, y: int) -> str:
        """Return the style at a place."""
        return self._styles[y][x] if 0 <= y < self.height and 0 <= x < self.width else ""

    def line(self, y: int) -> Iterator[tuple[str, str]]:
        """Yield the texts of a line and their styles, cut where the style changes."""
        start = 0
        for style, run in groupby(self._styles[y]):
            end = start + len(list(run))
            yield "".join(self._chars[y][start:end]), style
            start = end

    @property
    def text(self) -> str:
        """What is drawn, without its styles."""
        return "\n".join("".join(chars).rstrip() for chars in self._chars)


@dataclass(frozen=True)
class Note:
    """A few characters about a cell: what its move is worth, how many seeds it gains."""

    text: str
    style: str = ""
    """Empty: the style of scores on the board."""
    short: str = ""
    """What to write if the text does not fit."""
    best: bool = False
    """Whether it is about one of the best moves."""

    def within(self, room: int) -> str:
        """Return what fits."""
        return next((text for text in (self.text, self.short) if len(text) <= room), "")


@dataclass(frozen=True, kw_only=True)
class Marks:
    """What is to be seen on a board besides its stones. Each has a sign of its own, not only a
    colour: the cursor and the others stand left and right of a cell.
    """

    cursor: Cell | None = None
    held: Cell | None = None
    """A piece that is about to move."""
    ghosts: Mapping[Cell, int] = field(default_factory=dict)
    """Stones that would be placed there, by cell value: 1 first's, 2 second's."""
    targets: Collection[Cell] = ()
    """Where the piece may go."""
    last: Collection[Cell] = ()
    winning: Collection[Cell] = ()
    hints: Collection[Cell] = ()
    notes: Mapping[Cell, Note] = field(default_factory=dict)

    def signs(self, cell: Cell, *, ascii_only: bool) -> tuple[str, str, str] | None:
        """Return the signs left and right of a cell and their style, for its most urgent mark."""
        if cell == self.cursor:
            left, right = (">", "<") if ascii_only else ("▸", "◂")
            return left, right, CURSOR
        if cell == self.held:
            return "{", "}", HELD
        if cell in self.hints:
            return "!", "!", HINT
        if cell in self.targets:
            return "(", ")", TARGET
        if cell in self.last:
            return "[", "]", ""
        return None


CURSOR = "bold #ffffff on #c2255c"
HELD = "bold #000000 on #ffd43b"
HINT = "bold #ffffff on #2b8a3e"
TARGET = "bold #ffffff on #5f3dc4"


class Drawing(Protocol):
    """How the boards of a game are drawn: as large as wished, or the part that fits.

    A zoom is the size of a cell. A corner is the cell that should stand at the top left of what is
    seen, as far as the board allows.
    """

    @property
    def zooms(self) -> tuple[Size, ...]:
        """The sizes of a cell, the smallest first."""

    def size(self, zoom: Size) -> Size:
        """Return the size of the whole board."""

    def draw(self, canvas: Canvas, zoom: Size, corner: Cell, cells: Cells, marks: Marks) -> None:
        """Draw the visible part of the board."""

    def cell_at(self, zoom: Size, size: Size, corner: Cell, x: int, y: int) -> Cell | None:
        """Return the cell at a place in the visible part."""

    def following(
        self, zoom: Size, size: Size, corner: Cell, cell: Cell, *, margin: int = 0
    ) -> Cell:
        """Return the corner that brings a cell into view with the least scrolling.

        It also shows ``margin`` cells around it, as far as there is room: a large margin puts the
        cell in the middle.
        """

    def scrolled(self, zoom: Size, size: Size, corner: Cell, up: int, right: int) -> Cell:
        """Return the corner after scrolling by a number of cells."""
