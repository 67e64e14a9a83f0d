"""Words that all drawings share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from mossa._core import Shape
from mossa.errors import is_in_python
from mossa.render.looks import column_name, look_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from mossa._core import Game, Move, Position, Side


def side_label(game: Game, side: Side) -> str:
    """A side and where to find it in the drawing: `first (x)`, or `first (bottom)` with pits."""
    if game.traits.shape is Shape.text:
        return side.name
    marks = ("bottom", "top") if game.traits.shape is Shape.pits else ("x", "o")
    return f"{side.name} ({marks[side.value]})"


def side_name(game: Game, side: Side) -> str:
    """A side as pages name it, which draw in colour: `Yellow`, `X`, `Black`, `South`."""
    return look_of(game).sides[side.value]


def status(position: Position, name: Callable[[Game, Side], str] = side_label) -> str:
    """Whose turn it is, or how the game ended, in one line; `name` says what a side is called."""
    outcome = position.outcome
    if outcome is None:
        return f"{name(position.game, position.side)} to move"
    if outcome.winner is None:
        return f"draw: {outcome.reason}"
    return f"{name(position.game, outcome.winner)} wins: {outcome.reason}"


def title(position: Position) -> str:
    """What a result is about, in one line: the game, its moves so far, whose turn it is."""
    after = f" after {position.history_text}" if position.history else ""
    return f"{position.game}{after}: {status(position)}"


def drawable(position: Position) -> Position:
    """Return a position of which all boards can be drawn; one in Python may fail only then."""
    if is_in_python(position):
        cast(Any, position).check_drawing()
    return position


def position_before(position: Position) -> Position:
    """The position before the last move."""
    start = position.start_text
    begin = position.game.start() if start is None else position.game.from_text(start)
    return begin.after(position.history[:-1])


def last_cells(position: Position) -> list[tuple[int, int]]:
    """The cells of the last move: where it took something from, and where it put it."""
    if position.last_cell is None or position.last_move is None:
        return []
    before = position_before(position)
    cells = (before.source(position.last_move), before.target(position.last_move))
    return [cell for cell in cells if cell is not None]


def spoken(game: Game, move: Move, cells: list[tuple[int, int]]) -> str:
    """A move as people say it: `b2 to b3` if a piece moves between cells, or else its text."""
    if len(cells) < 2:
        return str(move)
    return " to ".join(f"{column_name(game, col)}{row + 1}" for row, col in cells)
