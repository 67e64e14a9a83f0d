"""Opening books: the exact score of every connect position with few stones.

>>> import mossa
>>> book = mossa.Book.shipped(mossa.game("connect4"))
>>> str(book.get(mossa.game("connect4").position("4")))
'-1 in 40'

A book is one file, mapped into memory. ``docs/solving.md`` describes its bytes; what follows the
header is read by the core. ``mossa.solving.book_build`` makes one.
"""

import mmap
import os
import struct
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

from mossa._core import CoreBook, CoreBookScores, Game, Position
from mossa.errors import GameError
from mossa.files import DATA
from mossa.games import game
from mossa.search import Exact

__all__ = ["FOLDER", "Book", "BookError", "book_bytes", "mapped", "own_folder"]

FOLDER = "MOSSA_BOOKS"
"""The variable that names a folder with studies and tables of one's own."""

_MAGIC = b"mossabk\n"
_VERSION = 1
# Magic, version, plies, lowest score, bits of a score, bytes of the game's name, positions.
_HEADER = struct.Struct("<8sHHbBHQ")
_CHECKSUM = struct.Struct("<I")


class BookError(GameError):
    """A file that is no book, not a whole one, or not one that can be read here."""


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
        try:
            return cls._read(mapped(path))
        except GameError as error:
            raise BookError(f"{str(path)!r} {error}") from None

    @classmethod
    def shipped(cls, rules: Game) -> "Book | None":
        """Return the book of a game that comes with the package; None if there is none."""
        return _shipped(rules.name)

    @classmethod
    def _read(cls, memory: mmap.mmap | bytes) -> Self:
        if len(memory) < _HEADER.size or memory[: len(_MAGIC)] != _MAGIC:
            raise GameError("is not a book of mossa")
        _, version, plies, lowest, width, name_size, positions = _HEADER.unpack_from(memory)
        if version != _VERSION:
            raise GameError(f"is a book of format {version}; this program reads format {_VERSION}")
        view = memoryview(memory)
        checksum = zlib.crc32(view[: -_CHECKSUM.size])
        if memory[-_CHECKSUM.size :] != _CHECKSUM.pack(checksum):
            raise GameError("is damaged or incomplete: its checksum does not hold")
        begin = _HEADER.size + name_size
        try:
            rules = game(memory[_HEADER.size : begin].decode(errors="replace"))
            core = CoreBook(rules, plies, lowest, width, view[begin : -_CHECKSUM.size])
        except GameError as error:
            raise GameError(f"is damaged: {error}") from None
        return cls(rules, plies, positions, width, len(memory), checksum, core)

    def get(self, position: Position) -> Exact | None:
        """Return the score of a position; None if it has too many stones, or is over."""
        found = self.core.get(position)
        return None if found is None else Exact(found.value, found.distance)


def mapped(path: str | Path) -> mmap.mmap | bytes:
    """Return the bytes of a file, mapped into memory."""
    with Path(path).open("rb") as file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file cannot be mapped
            return b""


def own_folder() -> Path | None:
    """Return the folder that MOSSA_BOOKS names; None if it names none."""
    own = os.environ.get(FOLDER)
    if own and not Path(own).is_dir():
        raise BookError(f"{FOLDER} is {own!r}, which is no folder")
    return Path(own) if own else None


def book_bytes(rules: Game, scores: CoreBookScores) -> bytes:
    """Return the file that Book.open reads."""
    name = rules.name.encode()
    fields = (_VERSION, scores.plies, scores.lowest, scores.width, len(name), scores.positions)
    content = _HEADER.pack(_MAGIC, *fields) + name + scores.data
    return content + _CHECKSUM.pack(zlib.crc32(content))


@cache
def _shipped(name: str) -> Book | None:
    path = DATA / f"{name.replace(':', '-')}.book"
    return Book.open(path) if path.is_file() else None
