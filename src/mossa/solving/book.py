"""Opening books: the exact score of every position of a game with few stones.

>>> import mossa
>>> book = mossa.Book.shipped(mossa.game("connect4"))
>>> str(book.get(mossa.game("connect4").position("4")))
'-1 in 40'

A book is one file, mapped into memory. ``docs/solving.md`` describes its bytes; what follows the
header is read by the core. ``mossa.solving.book_build`` makes one.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from mossa._core import CoreBook, CoreBookScores, Game, Position
from mossa.errors import expect_game, is_in_python
from mossa.files import DATA
from mossa.search import Exact
from mossa.solving.container import (
    BookError,
    Content,
    Format,
    damaged,
    file_name,
    mapped,
    opened,
    sealed,
    unsealed,
)

__all__ = ["Book", "BookError", "book_bytes", "book_name"]

# Plies, lowest score, bits of a score, bytes of the game's name, positions.
_FORMAT = Format("a book", b"mossabk\n", 1, "HbBHQ", (3,), "mossa book build")


def book_name(rules: Game) -> str:
    """Return what the book of a game is called."""
    return file_name(rules, "book")


@dataclass(frozen=True)
class Book:
    """The exact score of every position of a game with at most ``plies`` stones."""

    game: Game
    plies: int
    positions: int
    """How many positions it holds; mirror images count once."""
    width: int
    """Bits that each score takes."""
    size: int
    """Bytes of the file."""
    checksum: int
    """CRC-32 of the file but for its last four bytes."""
    core: CoreBook
    """What the solver of the core asks."""

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Map a file; raise BookError unless it is a whole book, and OSError if it is not there."""
        with _FORMAT.reading(path):
            return cls._read(mapped(path))

    @classmethod
    def shipped(cls, rules: Game) -> "Book | None":
        """Return the book of a game that comes with the package; None if there is none."""
        expect_game(rules, "Book.shipped()")
        return None if is_in_python(rules) else opened(Book.open, DATA / book_name(rules))

    @classmethod
    def _read(cls, content: Content) -> Self:
        head = _FORMAT.read_head(content)
        guarded, checksum = unsealed(content)
        plies, lowest, width, positions = head.numbers
        rules = head.game
        with damaged():
            core = CoreBook(rules, plies, lowest, width, guarded[head.size :])
        return cls(rules, plies, positions, width, len(content), checksum, core)

    def get(self, position: Position) -> Exact | None:
        """Return the score of a position; None if it has too many stones, or is over."""
        found = self.core.get(position)
        return None if found is None else Exact(found.value, found.distance)


def book_bytes(rules: Game, scores: CoreBookScores) -> bytes:
    """Return the file that Book.open reads."""
    numbers = (scores.plies, scores.lowest, scores.width, scores.positions)
    return sealed(_FORMAT.head(numbers, rules.name) + scores.data)
