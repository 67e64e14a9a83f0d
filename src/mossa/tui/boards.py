"""The boards by their shape: cells to put stones on, columns, pieces that move, pits, texts.

A board of one shape serves every game of that shape, whatever it is called.
"""

from __future__ import annotations

from dataclasses import replace

from textual import events

from mossa._core import Move, Position, Shape
from mossa.render import column_name, flights
from mossa.tui.board import Board
from mossa.tui.canvas import Cell, Cells, Marks, Note
from mossa.tui.texts import Texts

SOWING_SECONDS = 1.2
"""Seconds at most to sow one move on the screen."""
_SEED_SECONDS = 0.12


def board_for(position: Position, *, ascii_only: bool = False, colour: bool = True) -> Board:
    """Return the board that fits a game's traits."""
    traits, start = position.game.traits, position.game.start()
    shape: type[Board] = CellsBoard
    if traits.shape is Shape.text:
        shape = TextBoard
    elif traits.shape is Shape.pits:
        shape = PitsBoard
    elif traits.falls:
        shape = ColumnsBoard
    elif any(start.source(move) is not None for move in start.moves):
        shape = PiecesBoard
    return shape(position, ascii_only=ascii_only, colour=colour)


class GridBoard(Board):
    """What boards of rows and columns share."""

    def __init__(
        self, position: Position, *, ascii_only: bool = False, colour: bool = True
    ) -> None:
        """Begin in the middle."""
        super().__init__(position, ascii_only=ascii_only, colour=colour)
        sizes = self.game.sizes
        self.cursor = (sizes["rows"] // 2, sizes["cols"] // 2)

    def allowed(self, cell: Cell) -> Cell:
        """Allow the cursor on any cell."""
        sizes = self.game.sizes
        return min(max(cell[0], 0), sizes["rows"] - 1), min(max(cell[1], 0), sizes["cols"] - 1)

    def cell_name(self, cell: Cell) -> str:
        """Return what a cell is called."""
        return f"{column_name(self.game, cell[1])}{cell[0] + 1}"


class CellsBoard(GridBoard):
    """A stone is put on a cell."""

    def marks(self) -> Marks:
        """Show the stone that would be placed at the cursor."""
        marks = super().marks()
        if self.enabled and self.cursor in self.options:
            marks = replace(marks, ghosts={self.cursor: self.position.side.value + 1})
        return marks

    def pick_at(self, cell: Cell) -> None:
        """Put a stone."""
        moves = self.options.get(cell)
        if moves is None:
            self.refuse(f"cell {self.cell_name(cell)} is not free")
        else:
            self.play(moves[cell])


class ColumnsBoard(GridBoard):
    """A stone falls to the lowest empty cell of a column."""

    def landing(self, col: int) -> Cell | None:
        """Return the cell where a stone would land; None in a full column."""
        return next((cell for cell in self.options if cell[1] == col), None)

    def allowed(self, cell: Cell) -> Cell:
        """Keep the cursor where the stone would land, or at the top of a full column."""
        row, col = super().allowed(cell)
        landing = self.landing(col)
        return landing or (row, col)

    def pointed(self, cell: Cell | None) -> Cell | None:
        """Take any cell of a column for the column."""
        return None if cell is None else self.allowed(cell)

    def show(self, position: Position, *, enabled: bool) -> None:
        """Show the position, with the cursor where a stone would fall now."""
        super().show(position, enabled=enabled)
        self.cursor = self.allowed(self.cursor)

    def marks(self) -> Marks:
        """Show the stone where it would land."""
        marks = super().marks()
        landing = self.landing(self.cursor[1])
        if self.enabled and landing is not None:
            marks = replace(marks, ghosts={landing: self.position.side.value + 1})
        return marks

    def pick_at(self, cell: Cell) -> None:
        """Drop a stone."""
        landing = self.landing(cell[1])
        if landing is None:
            self.refuse(f"column {column_name(self.game, cell[1])} is full")
        else:
            self.play(self.options[landing][landing])

    def on_key(self, event: events.Key) -> None:
        """Go to the column of a digit."""
        if event.character is not None and event.character in "123456789":
            col = int(event.character) - 1
            if col < self.game.sizes["cols"]:
                self.point_at((self.cursor[0], col))
                event.stop()


class PiecesBoard(GridBoard):
    """A piece moves from one cell to another."""

    _has_begun = False

    def show(self, position: Position, *, enabled: bool) -> None:
        """Show the position, at first with the cursor on a piece that can move."""
        super().show(position, enabled=enabled)
        if enabled and not self._has_begun and self.options:
            self._has_begun = True
            row, col = self.cursor
            nearest = min(self.options, key=lambda cell: abs(cell[0] - row) + abs(cell[1] - col))
            self.point_at(nearest)

    def marks(self) -> Marks:
        """Show where the piece under the cursor, or the one picked up, may go."""
        marks = super().marks()
        start = self.held or self.cursor
        if self.enabled and start in self.options:
            marks = replace(marks, targets=list(self.options[start]))
            if self.held and self.cursor in self.options[start]:
                side = self.position.side.value + 1
                marks = replace(marks, ghosts={self.cursor: side})
        return marks

    def notes(self) -> dict[Cell, Note]:
        """Write scores on the targets of the piece picked up, or on the pieces."""
        if self.held is None:
            return super().notes()
        moves = self.options.get(self.held, {})
        return {target: self.scores[move] for target, move in moves.items() if move in self.scores}

    def pick_at(self, cell: Cell) -> None:
        """Pick up a piece, or put it down."""
        if self.held is not None and cell in self.options.get(self.held, {}):
            self.play(self.options[self.held][cell])
        elif cell == self.held:
            self.held = None
        elif cell in self.options:
            self.held = cell
        elif self.held is not None:
            self.refuse(f"the piece cannot go to {self.cell_name(cell)}")
        else:
            self.refuse(f"no piece on {self.cell_name(cell)} can move")
        self.redraw()


class PitsBoard(Board):
    """The seeds of a pit are sown."""

    def __init__(
        self, position: Position, *, ascii_only: bool = False, colour: bool = True
    ) -> None:
        """Begin at the left."""
        super().__init__(position, ascii_only=ascii_only, colour=colour)
        self.pits = self.game.sizes["pits"]
        self.cursor = (position.side.value, 0)

    def last_cells(self) -> list[Cell]:
        """Return the pit that was sown."""
        return [] if self.position.last_cell is None else [self.position.last_cell]

    def allowed(self, cell: Cell) -> Cell:
        """Keep to the pits of the side to move."""
        side = self.position.side.value if self.enabled else min(max(cell[0], 0), 1)
        return side, min(max(cell[1], 0), self.pits - 1)

    def action_point(self, up: int, right: int) -> None:
        """Move to the next pit; those of the upper side are counted from the right."""
        side = self.cursor[0]
        if up:
            return
        self.point_at((side, self.cursor[1] + (-right if side else right)))

    def show(self, position: Position, *, enabled: bool) -> None:
        """Show the position; if it came by a move from the one before, sow its seeds."""
        before = self.position
        is_next = position.last_cell is not None and position.history[:-1] == before.history
        super().show(position, enabled=enabled)
        self.cursor = self.allowed(self.cursor)
        frames = sowing(before, position) if is_next else []
        if frames and self.app.animation_level != "none":
            self.animate_cells(frames, min(_SEED_SECONDS, SOWING_SECONDS / len(frames)))
        elif position != before:
            self.settle()

    def marks(self) -> Marks:
        """Show how many seeds each pit and store would gain or lose."""
        marks = super().marks()
        if self.enabled and self.cursor in self.options:
            gains = self._gains(self.cursor)
            marks = replace(marks, notes={**marks.notes, **gains})
        return marks

    def _gains(self, pit: Cell) -> dict[Cell, Note]:
        after = self.position.play(self.options[pit][pit]).cells
        gains = {}
        for side, row in enumerate(self.position.cells):
            for place, seeds in enumerate(row):
                gain = after[side][place] - seeds
                if gain:
                    style = "bold #b7eb8f on #5b3716" if gain > 0 else "bold #ffc9c9 on #5b3716"
                    gains[side, place] = Note(f"{seeds}{gain:+d}", style, f"{gain:+d}")
        return gains

    def pick_at(self, cell: Cell) -> None:
        """Sow a pit."""
        moves = self.options.get(cell)
        if moves is not None:
            self.play(moves[cell])
        elif self.position.cells[cell[0]][cell[1]]:
            self.refuse(f"pit {cell[1] + 1} cannot be sown now")
        else:
            self.refuse(f"pit {cell[1] + 1} is empty")

    def on_key(self, event: events.Key) -> None:
        """Go to the pit of a digit."""
        if event.character is not None and event.character in "123456789":
            pit = int(event.character) - 1
            if pit < self.pits:
                self.point_at((self.cursor[0], pit))
                event.stop()


class TextBoard(Board):
    """The moves are listed below the text."""

    def show(self, position: Position, *, enabled: bool) -> None:
        """Show the position with its moves."""
        assert isinstance(self.drawing, Texts)
        self.drawing.show(position)
        super().show(position, enabled=enabled)
        self.cursor = self.allowed(self.cursor)

    @property
    def options(self) -> dict[Cell, dict[Cell, Move]]:
        """The legal moves by their places."""
        return {(0, at): {(0, at): move} for at, move in enumerate(self.position.moves)}

    def cells_of(self, move: Move) -> list[Cell]:
        """Return the place of a move."""
        return [(0, self.position.moves.index(move))]

    def note_cell(self, move: Move) -> Cell | None:
        """Return the same, for its score."""
        return self.cells_of(move)[0]

    def allowed(self, cell: Cell) -> Cell:
        """Allow the cursor on any move."""
        return 0, min(max(cell[1], 0), max(len(self.position.moves) - 1, 0))

    def action_point(self, up: int, right: int) -> None:
        """Move to the next move, or the one before."""
        self.point_at((0, self.cursor[1] + right - up))

    def pick_at(self, cell: Cell) -> None:
        """Play a move."""
        self.play(self.position.moves[cell[1]])


def sowing(before: Position, after: Position) -> list[tuple[Cells, list[Cell]]]:
    """Return the boards between two positions, one seed apart, and the pit that was sown."""
    cells = [list(row) for row in before.cells]
    sown = after.last_cell
    frames: list[tuple[Cells, list[Cell]]] = []
    for giver, taker in flights(after):
        cells[giver[0]][giver[1]] -= 1
        cells[taker[0]][taker[1]] += 1
        frames.append((tuple(map(tuple, cells)), [] if sown is None else [sown]))
    return frames[:-1]
