"""The files that solving leaves: what books, studies and end-game tables have in common.

A file begins with its head: eight bytes that say what it is, the version of its format, a few
numbers of its own, and texts, of which the first is the name of the game. Then comes what the file
is there for, and checksums (CRC-32) guard all of it. Numbers are little-endian.

Nothing in a file is believed before it is checked: a file from elsewhere is read, or refused in one
line that says how to make another. Files of one's own lie in the folder that MOSSA_BOOKS names.
"""

import mmap
import os
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from mossa._core import Game
from mossa.errors import GameError
from mossa.files import replace_file
from mossa.games import named_game

__all__ = [
    "BUILD_AGAIN",
    "FOLDER",
    "BookError",
    "Format",
    "Head",
    "check_absent",
    "checksum",
    "checksum_bytes",
    "file_name",
    "mapped",
    "opened",
    "own_folder",
    "sealed",
    "unsealed",
    "write_whole",
    "writing",
]

FOLDER = "MOSSA_BOOKS"
"""The variable that names a folder with studies and tables of one's own."""

CHECKSUM = struct.Struct("<I")

Content = mmap.mmap | bytes
_File = TypeVar("_File")


class BookError(GameError):
    """The file is not a book, is incomplete, or cannot be read by this version."""


class _ForeignError(GameError):
    """A file of another kind."""


class Head(NamedTuple):
    """What stands at the beginning of a file."""

    numbers: list[int]
    """Those of the format; the sizes of the texts are left out."""
    texts: list[str]
    size: int
    """Bytes of all this."""

    @property
    def game(self) -> Game:
        """The game that the file is of; raises GameError if there is none of this name."""
        with damaged():
            return named_game(self.texts[0])


@dataclass(frozen=True)
class Format:
    """One kind of file."""

    what: str
    """What such a file is, to be read after "not": ``a book``."""
    magic: bytes
    version: int
    numbers: str
    """The numbers of a head in the letters of ``struct``, the sizes of its texts among them."""
    sizes: tuple[int, ...]
    """Which of the numbers are those sizes."""
    command: str
    """What makes such a file."""

    def head(self, numbers: Sequence[int], *texts: str) -> bytes:
        """Return the head of a file."""
        encoded = [text.encode() for text in texts]
        values = list(numbers)
        for at, text in zip(self.sizes, encoded, strict=True):
            values.insert(at, len(text))
        return self._struct.pack(self.magic, self.version, *values) + b"".join(encoded)

    def read_head(self, content: Content) -> Head:
        """Return the head; raise GameError unless it is one of this format and version."""
        if len(content) < self._struct.size or content[: len(self.magic)] != self.magic:
            raise _ForeignError(f"is not {self.what} of mossa; {self.command} makes one")
        _, version, *numbers = self._struct.unpack_from(content)
        if version != self.version:
            raise GameError(
                f"is {self.what} of format {version}; this program reads format {self.version}"
            )
        texts, at = [], self._struct.size
        for size in (numbers[place] for place in self.sizes):
            texts.append(content[at : at + size].decode(errors="replace"))
            at += size
        own = [number for place, number in enumerate(numbers) if place not in self.sizes]
        return Head(own, texts, at)

    def begins(self, path: str | Path) -> bool:
        """Tell whether a file begins like one of this format."""
        with Path(path).open("rb") as file:
            return file.read(len(self.magic)) == self.magic

    @contextmanager
    def reading(self, path: str | Path) -> Iterator[None]:
        """Let an error name the file, and the command that makes another."""
        try:
            yield
        except _ForeignError as error:  # somebody else's file: nobody should remove it
            raise BookError(f"{str(path)!r} {error}") from None
        except GameError as error:
            again = f"remove it and make it again: {self.command}"
            raise BookError(f"{str(path)!r} {error}; {again}") from None

    @property
    def _struct(self) -> struct.Struct:
        return struct.Struct(f"<{len(self.magic)}sH{self.numbers}")


# ---------------------------------------------------------------- reading


def mapped(path: str | Path) -> Content:
    """Return the bytes of a file, mapped into memory."""
    with Path(path).open("rb") as file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file cannot be mapped
            return b""


@contextmanager
def damaged() -> Iterator[None]:
    """Report what the core or zlib refuses as damage to the file."""
    try:
        yield
    except (GameError, zlib.error) as error:
        raise GameError(f"is damaged: {error}") from None


def unsealed(content: Content) -> tuple[memoryview, int]:
    """Return what the checksum at the end guards, and the checksum; raise GameError if wrong."""
    guarded = memoryview(content)[: -CHECKSUM.size]
    found = checksum(guarded)
    if content[-CHECKSUM.size :] != CHECKSUM.pack(found):
        raise GameError("is damaged or incomplete: its checksum does not hold")
    return guarded, found


def file_name(rules: Game, suffix: str) -> str:
    """Return what a file of a game is called: ``connect-6x7x4.book``."""
    return f"{rules.name.replace(':', '-')}.{suffix}"


def own_folder() -> Path | None:
    """Return the folder that MOSSA_BOOKS names; None if it names none."""
    own = os.environ.get(FOLDER)
    if own and not Path(own).is_dir():
        raise BookError(f"{FOLDER} is {own!r}, which is not a folder")
    return Path(own) if own else None


def opened(open_file: Callable[[Path], _File], path: Path | None) -> _File | None:
    """Return a file that was opened once, and again if it has changed; None if it is not there."""
    if path is None or not path.is_file():
        return None
    # The cache knows no types, and need not.
    found: _File = _opened(open_file, path, path.stat().st_mtime_ns)  # type: ignore[assignment]
    return found


@lru_cache(maxsize=16)
def _opened(open_file: Callable[[Path], object], path: Path, changed: int) -> object:
    return open_file(path)


# ---------------------------------------------------------------- writing


def checksum(content: bytes | memoryview) -> int:
    """Return the checksum of some bytes."""
    return zlib.crc32(content)


def checksum_bytes(content: bytes | memoryview) -> bytes:
    """Return the checksum of some bytes as it stands in files."""
    return CHECKSUM.pack(checksum(content))


def sealed(content: bytes) -> bytes:
    """Return content with its checksum at the end."""
    return content + checksum_bytes(content)


def check_absent(path: Path) -> None:
    """Raise BookError if there is a file already: what took hours to make is not replaced."""
    if path.exists():
        raise BookError(f"{str(path)!r} is there already: remove it, or choose another name")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all."""
    with writing(path):
        replace_file(path, content)


BUILD_AGAIN = "what is solved is kept: build again"
"""What to do when a book cannot be written."""


@contextmanager
def writing(path: Path, again: str = BUILD_AGAIN) -> Iterator[None]:
    """Report what the system refuses to write, for the file that the user asked for."""
    try:
        yield
    except OSError as error:
        raise BookError(f"cannot write {str(path)!r}: {error.strerror}; {again}") from None
