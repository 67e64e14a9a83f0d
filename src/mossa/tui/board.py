"""The board on the screen: it takes a position and its legal moves, and reports what was played.

What all boards share is here: drawing, zoom and scrolling, a cursor that keys and mouse move. How a
move is pointed out differs by the shape of the board, see `mossa.tui.boards`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from mossa._core import Game, Move, Position, Shape
from mossa.render import last_cells
from mossa.tui.canvas import Canvas, Cell, Cells, Drawing, Marks, Note, Size
from mossa.tui.grid import Grid
from mossa.tui.pits import Pits
from mossa.tui.texts import Texts

_WHEEL = 3
"""Cells scrolled by one turn of the wheel."""
_MARGIN, _MIDDLE = 2, 1000
"""Cells to show around the cursor; and enough of them to keep it in the middle."""


@lru_cache(1024)
def _style(text: str) -> Style:
    return Style.parse(text)


def drawing_of(game: Game, *, ascii_only: bool = False, colour: bool = True) -> Drawing:
    """Return the drawing that fits a game's traits."""
    shape = _DRAWINGS[game.traits.shape]
    return shape(game, ascii_only=ascii_only, colour=colour)


_DRAWINGS: dict[Shape, type[Grid | Pits | Texts]] = {
    Shape.grid: Grid,
    Shape.pits: Pits,
    Shape.text: Texts,
}


def strip_of(canvas: Canvas, y: int, base: Style) -> Strip:
    """Return a line of a canvas in the form the screen needs."""
    return Strip([Segment(text, base + _style(style)) for text, style in canvas.line(y)])


class Board(Widget, can_focus=True):
    """A board. It knows no rules: what is legal comes with the position."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "Board { width: 1fr; height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "point(1, 0)", "Up", show=False),
        Binding("down", "point(-1, 0)", "Down", show=False),
        Binding("left", "point(0, -1)", "Left", show=False),
        Binding("right", "point(0, 1)", "Right", show=False),
        Binding("enter,space", "pick", "Play", show=False),
        Binding("escape", "let_go", "Let go", show=False),
        Binding("plus,equals_sign", "zoom(1)", "Larger", show=False),
        Binding("minus", "zoom(-1)", "Smaller", show=False),
        Binding("0", "zoom(0)", "Fit", show=False),
    ]

    class Played(Message):
        """Somebody has chosen a legal move."""

        def __init__(self, move: Move) -> None:
            """Take the move."""
            super().__init__()
            self.move = move

    class Refused(Message):
        """Somebody has chosen something that is not a legal move."""

        def __init__(self, reason: str) -> None:
            """Take the reason."""
            super().__init__()
            self.reason = reason

    def __init__(
        self, position: Position, *, ascii_only: bool = False, colour: bool = True
    ) -> None:
        """Take the first position, and what the terminal can show."""
        super().__init__()
        self.drawing = drawing_of(position.game, ascii_only=ascii_only, colour=colour)
        self.position = position
        self.enabled = False
        """Whether a move may be chosen."""
        self.cursor: Cell = (0, 0)
        self.held: Cell | None = None
        self.hints: list[Cell] = []
        self.scores: Mapping[Move, Note] = {}
        """What moves are worth."""
        self.zoom: Size | None = None
        """The size of a cell; None: as large as fits."""
        self._corner: Cell = (10_000, 0)
        self._has_been_seen = False
        self._frames: deque[tuple[Cells, list[Cell]]] = deque()
        self._timer: Timer | None = None
        self._strips: list[Strip] = []
        self._drawn_for: tuple[int, int] | None = None
        self._last: list[Cell] = []
        self._options: dict[Cell, dict[Cell, Move]] | None = None

    # ---------------------------------------------------------------- what is shown

    @property
    def game(self) -> Game:
        """The game that is played here."""
        return self.position.game

    def show(self, position: Position, *, enabled: bool) -> None:
        """Show a position, with its moves playable or not."""
        is_new = position != self.position
        if is_new:
            self.hints, self.scores = [], {}
        self.position, self.enabled = position, enabled
        self._last = self.last_cells()
        self.held, self._options = None, None
        if is_new and self._has_been_seen:
            self._see_last()
        self.redraw()

    def last_cells(self) -> list[Cell]:
        """Return the cells of the last move."""
        return last_cells(self.position)

    def settle(self) -> None:
        """Show the position as it is, with no seed in the air."""
        self._frames.clear()
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.redraw()

    @property
    def options(self) -> dict[Cell, dict[Cell, Move]]:
        """The legal moves that can be chosen on the board: by source cell, then by target."""
        if self._options is None:
            self._options = {}
            for move in self.position.moves:
                source, target = self.position.source(move), self.position.target(move)
                start = source or target
                if start is not None:
                    self._options.setdefault(start, {})[target or start] = move
        return self._options

    @property
    def other_moves(self) -> list[Move]:
        """The legal moves that belong to no cell."""
        placed = {move for moves in self.options.values() for move in moves.values()}
        return [move for move in self.position.moves if move not in placed]

    def marks(self) -> Marks:
        """Return what is marked on the board now."""
        return Marks(
            cursor=self.cursor if self.has_focus or self.enabled else None,
            held=self.held,
            last=self._last,
            winning=self.position.winning_cells,
            hints=self.hints,
            notes=self.notes(),
        )

    def notes(self) -> dict[Cell, Note]:
        """Return what is written on cells: the score of the best move from there."""
        notes: dict[Cell, Note] = {}
        for move, note in self.scores.items():  # the best first
            cell = self.note_cell(move)
            if cell is not None:
                notes.setdefault(cell, note)
        return notes

    def note_cell(self, move: Move) -> Cell | None:
        """Return where the score of a move is written."""
        return self.position.source(move) or self.position.target(move)

    def cells_of(self, move: Move) -> list[Cell]:
        """Return the cells of a legal move."""
        cells = (self.position.source(move), self.position.target(move))
        return [cell for cell in cells if cell is not None]

    # ---------------------------------------------------------------- drawing

    def redraw(self) -> None:
        """Draw the board anew at the next refresh."""
        self._drawn_for = None
        self.refresh()

    def fitting_zoom(self) -> Size:
        """Return the chosen size of a cell, or the largest that shows the whole board."""
        if self.zoom is not None:
            return self.zoom
        width, height = self.size
        for zoom in reversed(self.drawing.zooms):
            needed = self.drawing.size(zoom)
            if needed[0] <= width and needed[1] <= height:
                return zoom
        return self.drawing.zooms[0]

    def render_line(self, y: int) -> Strip:
        """Return a line of the drawing."""
        if self._drawn_for != self.size:
            canvas, base = self._drawn(), self.rich_style
            self._strips = [strip_of(canvas, line, base) for line in range(canvas.height)]
            self._drawn_for = self.size
        return self._strips[y]

    def notify_style_update(self) -> None:
        """Draw again in the colours of another theme."""
        super().notify_style_update()
        self._drawn_for = None

    def _drawn(self) -> Canvas:
        canvas = Canvas(*self.size)
        cells, last = self._frames[0] if self._frames else (self.position.cells, self._last)
        marks = self.marks()
        if self._frames:
            marks = Marks(last=last)
        self.drawing.draw(canvas, self.fitting_zoom(), self._corner, cells, marks)
        return canvas

    @property
    def drawn_text(self) -> str:
        """What is drawn, without colours."""
        return self._drawn().text

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Return the cell at a place on the screen."""
        zoom, size = self.fitting_zoom(), (self.size.width, self.size.height)
        return self.drawing.cell_at(zoom, size, self._corner, x, y)

    def place_of(self, cell: Cell) -> tuple[int, int] | None:
        """Return a place on the screen where a cell can be clicked; None if it is out of view."""
        for y in range(self.size.height):
            for x in range(self.size.width):
                if self.cell_at(x, y) == cell:
                    return x, y
        return None

    # ---------------------------------------------------------------- the cursor

    def point_at(self, cell: Cell) -> None:
        """Move the cursor to a cell and scroll it into view."""
        self.cursor = self.allowed(cell)
        self._see(self.cursor)
        self.redraw()

    def _see(self, cell: Cell, margin: int = _MARGIN) -> None:
        """Scroll until a cell is in sight."""
        size, zoom = (self.size.width, self.size.height), self.fitting_zoom()
        self._corner = self.drawing.following(zoom, size, self._corner, cell, margin=margin)

    def _see_last(self) -> None:
        """Scroll to the last move: the opponent may play anywhere on a large board."""
        for cell in self._last:
            self._see(cell)

    def allowed(self, cell: Cell) -> Cell:
        """Return the nearest place where the cursor may stand."""
        raise NotImplementedError

    def pointed(self, cell: Cell | None) -> Cell | None:
        """Return where the cursor goes when the mouse points at a cell; None: it stays."""
        return cell if cell is not None and self.allowed(cell) == cell else None

    def pick_at(self, cell: Cell) -> None:
        """Play a cell's move, or pick up its piece."""
        raise NotImplementedError

    def play(self, move: Move) -> None:
        """Report that a move was played."""
        self.held = None
        self.post_message(self.Played(move))

    def refuse(self, reason: str) -> None:
        """Say why there is no move."""
        self.post_message(self.Refused(reason))

    # ---------------------------------------------------------------- keys

    def action_point(self, up: int, right: int) -> None:
        """Move the cursor by a cell."""
        self.point_at((self.cursor[0] + up, self.cursor[1] + right))

    def action_pick(self) -> None:
        """Play where the cursor stands."""
        self.settle()
        if self.enabled:
            self.pick_at(self.cursor)
        else:
            self.refuse("")

    def action_let_go(self) -> None:
        """Let go of a piece."""
        self.held = None
        self.redraw()

    def action_zoom(self, by: int) -> None:
        """Draw larger or smaller; 0 means as large as fits."""
        zooms = self.drawing.zooms
        at = zooms.index(self.fitting_zoom()) + by
        self.zoom = zooms[min(max(at, 0), len(zooms) - 1)] if by else None
        self.point_at(self.cursor)

    # ---------------------------------------------------------------- the mouse

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Let the cursor follow."""
        cell = self.pointed(self.cell_at(event.x, event.y))
        if cell is not None and cell != self.cursor:
            self.cursor = cell
            self.redraw()

    def on_click(self, event: events.Click) -> None:
        """Play at the click."""
        self.settle()
        cell = self.pointed(self.cell_at(event.x, event.y))
        if cell is None:
            return
        self.cursor = cell
        if self.enabled:
            self.pick_at(self.cursor)
        else:
            self.refuse("")
        self.redraw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll a large board."""
        self._scroll(-_WHEEL, 0, sideways=event.shift or event.ctrl)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll a large board."""
        self._scroll(_WHEEL, 0, sideways=event.shift or event.ctrl)

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        """Scroll a large board."""
        self._scroll(0, -_WHEEL)

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        """Scroll a large board."""
        self._scroll(0, _WHEEL)

    def _scroll(self, up: int, right: int, *, sideways: bool = False) -> None:
        if sideways:
            up, right = 0, -up
        size = (self.size.width, self.size.height)
        self._corner = self.drawing.scrolled(self.fitting_zoom(), size, self._corner, up, right)
        self.redraw()

    def on_resize(self) -> None:
        """Keep the cursor in sight; at first in the middle of what is seen."""
        if not self._has_been_seen:
            self._has_been_seen = True
            self._see(self.cursor, _MIDDLE)
            self._see_last()
            self.redraw()
        else:
            self.point_at(self.cursor)

    def on_focus(self) -> None:
        """Show the cursor."""
        self.redraw()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.redraw()

    # ---------------------------------------------------------------- what moves by itself

    def animate_cells(self, frames: list[tuple[Cells, list[Cell]]], seconds: float) -> None:
        """Show these boards one after the other, then the position."""
        self._frames.extend(frames)
        if self._frames and self._timer is None:
            self._timer = self.set_interval(seconds, self._next_frame)
        self.redraw()

    def _next_frame(self) -> None:
        if self._frames:
            self._frames.popleft()
        if not self._frames:
            self.settle()
        self.redraw()

    @property
    def is_moving(self) -> bool:
        """Tell whether seeds are moving."""
        return bool(self._frames)
