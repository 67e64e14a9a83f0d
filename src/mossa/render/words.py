"""Words and sizes that all drawings share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mossa._core import Move

if TYPE_CHECKING:
    from collections.abc import Callable

    from mossa._core import Game, Position, Side

# Up to this many rows and columns mnk is drawn as noughts and crosses, beyond as stones.
_SMALL = 9
_SIDE_NAMES = {"connect": ("Yellow", "Red"), "kalah": ("Bottom", "Top")}


def column_name(game: Game, col: int) -> str:
    """The name that moves give to a column: 1 2 3 ... in connect, a ... z aa ... zz in mnk."""
    if game.kind != "mnk":
        return str(col + 1)
    return Move.column_letters(col)


def side_label(game: Game, side: Side) -> str:
    """A side and where to find it in the drawing: `first (x)`, or `first (bottom)` in kalah."""
    marks = ("bottom", "top") if game.kind == "kalah" else ("x", "o")
    return f"{side.name} ({marks[side.value]})"


def side_name(game: Game, side: Side) -> str:
    """A side as pages name it, which draw in colour: `Yellow`, `X`, `Black`, `Bottom`."""
    names = _SIDE_NAMES.get(game.kind, ("X", "O") if is_small(game) else ("Black", "White"))
    return names[side.value]


def status(position: Position, name: Callable[[Game, Side], str] = side_label) -> str:
    """Whose turn it is, or how the game ended, in one line; `name` says what a side is called."""
    outcome = position.outcome
    if outcome is None:
        return f"{name(position.game, position.side)} to move"
    if outcome.winner is None:
        return f"draw: {outcome.reason}"
    return f"{name(position.game, outcome.winner)} wins: {outcome.reason}"


def is_small(game: Game) -> bool:
    """Small mnk boards are drawn as noughts and crosses, large ones as stones on crossing lines."""
    return game.kind == "mnk" and max(game.sizes["rows"], game.sizes["cols"]) <= _SMALL
