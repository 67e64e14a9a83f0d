"""The rules a second time: slow, naive and obvious, as an oracle for the core.

Each file states the rules of one kind of game with lists and loops and nothing else, so that a
reader can check it against the rules in a minute. A reference position never changes:
`play(move)` returns the next one. All of them offer the same small interface (`Reference`), with
moves as text and sides as the numbers 0 and 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from reference.connect import Connect
from reference.kalah import Kalah
from reference.mnk import Mnk

if TYPE_CHECKING:
    import mossa

Cells = tuple[tuple[int, ...], ...]


class Reference(Protocol):
    """What every reference position can tell."""

    side: int

    def moves(self) -> list[str]:
        """The legal moves in the order of the core; none once the game is over."""

    def play(self, move: str) -> Reference:
        """The position after a legal move."""

    def outcome(self) -> tuple[int | None, int] | None:
        """(winner, value for the first side), or None while the game goes on."""

    def cells(self) -> Cells:
        """The board as `Position.cells` shows it."""

    def identity(self) -> tuple[object, ...]:
        """All that makes two positions of one game the same position."""


def start(game: mossa.Game) -> Reference:
    """The reference position in which `game` starts."""
    sizes, options = game.sizes, game.options
    if game.kind == "mnk":
        return Mnk(sizes["rows"], sizes["cols"], sizes["k"], exact=options["exact"] == "yes")
    if game.kind == "connect":
        return Connect(sizes["rows"], sizes["cols"], sizes["k"])
    if game.kind == "kalah":
        return Kalah(
            sizes["pits"],
            sizes["seeds"],
            empty_capture=options["empty_capture"] == "yes",
            leftover=options["leftover"],
            end=options["end"],
            majority=options["majority"] == "yes",
            swap=options["swap"] == "yes",
            first_extra=options["first_extra"] == "yes",
        )
    raise ValueError(f"no reference for games of the kind {game.kind!r}")


def follow(game: mossa.Game, moves: list[str]) -> Reference:
    """The reference position after `moves` from the start."""
    position = start(game)
    for move in moves:
        position = position.play(move)
    return position
