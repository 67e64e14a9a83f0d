"""Work on a book that nothing can undo: finished pieces go to a journal next to it at once.

A journal is a text file: a head that says what the work is, then a line for each piece with its
checksum. A kill can only cut the last line short, which is then done again. The file is locked as
long as somebody works on it, and removed when the book is whole.
"""

import os
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Self

from mossa.errors import blaming, shorten
from mossa.solving.container import (
    BUILD_AGAIN,
    BookError,
    check_absent,
    write_whole,
    writing,
)

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["Journal", "journal_of", "make_whole", "read_journal"]

_SUFFIX = ".journal"


def journal_of(path: str | Path) -> Path:
    """Return the file that keeps the work on a book until it is whole."""
    return Path(f"{path}{_SUFFIX}")


def read_journal(path: Path) -> tuple[str, list[str]]:
    """Return the head of a journal and its pieces, even while another process writes it."""
    head, *lines = path.read_bytes().splitlines(keepends=True) or [b""]
    return head.decode(errors="replace").removesuffix("\n"), _whole(lines)


class Journal:
    """The pieces of some work that are finished, each a text of one line."""

    def __init__(self, path: Path, head: str, *, again: str = BUILD_AGAIN) -> None:
        """Take the file and what the work is; other work in the same file is refused.

        ``again`` says what to do when the disk is full.
        """
        self._path = path
        self._target = Path(str(path).removesuffix(_SUFFIX))
        self._head = f"{head}\n".encode()
        self._again = again
        self.known: list[str] = []
        """What was finished before, in the order of that time."""
        self.finished = False
        """Set when the book is whole: the file is removed at the end."""

    def __enter__(self) -> Self:
        """Lock the file and read it; raise BookError if that cannot be."""
        with blaming(self._target):
            descriptor = os.open(self._path, _FLAGS, 0o666)
        self._file: BinaryIO = os.fdopen(descriptor, "r+b", buffering=0)
        try:
            if not (_locked(self._file) and self._is_there()):
                raise BookError(f"{str(self._target)!r} is being made already")
            self._read()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the file."""
        self._file.close()
        if self.finished:
            self._path.unlink(missing_ok=True)

    def write(self, text: str) -> None:
        """Keep a piece."""
        self._append(_line(text))

    def _is_there(self) -> bool:
        """Return False if another has finished, and removed the file, before it was locked."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False

    def _read(self) -> None:
        """Read the whole lines; what follows the last of them was cut short by a kill."""
        lines = self._file.read().splitlines(keepends=True)
        if lines and lines[0] != self._head and (len(lines) > 1 or lines[0].endswith(b"\n")):
            head = lines[0].decode(errors="replace").strip()
            raise BookError(f"{str(self._path)!r} is of other work ({shorten(head)}): remove it")
        size = 0
        if lines and lines[0] == self._head:
            self.known = _whole(lines[1:])
            size = len(self._head) + sum(len(_line(text)) for text in self.known)
        self._file.truncate(size)
        self._file.seek(size)
        if size == 0:
            self._append(self._head)

    def _append(self, line: bytes) -> None:
        with writing(self._target, self._again):
            while line:
                line = line[self._file.write(line) :]


def _whole(lines: list[bytes]) -> list[str]:
    """Return the texts of lines up to the first that is not whole."""
    texts = []
    for line in lines:
        text = line.decode(errors="replace").rpartition(" ")[0]
        if _line(text) != line:
            break
        texts.append(text)
    return texts


def _line(text: str) -> bytes:
    return f"{text} {zlib.crc32(text.encode()):08x}\n".encode()


_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)


def _locked(file: BinaryIO) -> bool:
    """Lock a file until it is closed, or its process ends; return False if another has it."""
    try:
        if sys.platform == "win32":
            file.seek(1 << 30)  # a byte that nobody reads: a lock keeps others from reading, too
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            file.seek(0)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def make_whole(path: Path, head: str, work: Callable[[Journal], bytes]) -> None:
    """Make a file that is not there yet: ``work`` goes on with its journal and returns the bytes.

    ``head`` says what the work is. The journal is removed once the file is whole.
    """
    check_absent(path)
    with Journal(journal_of(path), head) as journal:
        write_whole(path, work(journal))
        journal.finished = True
