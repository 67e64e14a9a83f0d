"""Positions as plain data, for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mossa._core import Position


def position_data(position: Position) -> dict[str, Any]:
    """Return what tells a position from others, as plain data."""
    return {
        "game": position.game.name,
        "moves": [str(move) for move in position.history],
        "text": position.text,
        "side": position.side.name,
    }
