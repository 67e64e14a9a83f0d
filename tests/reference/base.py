"""What every reference position can tell; a game overrides what differs."""

from __future__ import annotations

import abc
import itertools
import random
from collections.abc import Mapping, Sequence

Cell = tuple[int, int]
Cells = tuple[tuple[int, ...], ...]
Haunts = tuple[list[str], list[str]]

SIDES = ("first", "second")


class Reference(abc.ABC):
    """A position that never changes: `play` returns the next. Moves are texts, sides 0 and 1."""

    side: int

    # ------------------------------------------------------------ the rules

    @abc.abstractmethod
    def moves(self) -> list[str]:
        """The legal moves in the order of the core; none once the game is over."""

    @abc.abstractmethod
    def play(self, move: str) -> Reference:
        """The position after a legal move."""

    @abc.abstractmethod
    def outcome(self) -> tuple[int | None, int] | None:
        """(winner, value for the first side), or None while the game goes on."""

    @abc.abstractmethod
    def cells(self) -> Cells:
        """The board as `Position.cells` shows it."""

    @abc.abstractmethod
    def identity(self) -> tuple[object, ...]:
        """All that makes two positions of one game the same position."""

    @abc.abstractmethod
    def most_plies(self) -> int:
        """A bound on the length of a game."""

    # ------------------------------------------------------------ moves and cells

    @abc.abstractmethod
    def candidates(self) -> list[str]:
        """The texts of all moves on the board and just off it, legal or not."""

    @abc.abstractmethod
    def source(self, move: str) -> Cell | None:
        """The cell that a legal move takes something from, if it does."""

    @abc.abstractmethod
    def target(self, move: str) -> Cell | None:
        """The cell that a legal move puts something on, if it names one."""

    def winning_cells(self) -> set[Cell]:
        """The cells that won, if cells do."""
        return set()

    def runs_together(self, move: str) -> bool:
        """Whether the text of a move can be told from what follows it without a blank."""
        return False

    # ------------------------------------------------------------ boards as text

    @abc.abstractmethod
    def board_text(self) -> str:
        """The board as `Position.text` writes it."""

    def twins(self) -> list[str]:
        """The board texts of all other positions that have the same score by symmetry."""
        return []

    def orbit(self) -> object:
        """One name for the position and its twins, unlike that of any other position."""
        return min([self.board_text(), *self.twins()])

    # ------------------------------------------------------------ how laws play

    def area(self) -> int:
        """The number of cells or pits: the measure of how much work a law may do."""
        return sum(map(len, self.cells()))

    def haunts(self, mode: str, rng: random.Random) -> Haunts:
        """Moves that each side keeps to as long as it can, where random moves would never meet.

        `mode` is "own" for different ones or "shared" for the same ones.
        """
        return [], []


def every_combination(choices: Mapping[str, Sequence[str]]) -> list[str]:
    """Every way to choose a value for each option, as text: ``swap=yes,end=any``."""
    return [
        ",".join(f"{name}={value}" for name, value in zip(choices, values, strict=True))
        for values in itertools.product(*choices.values())
    ]
