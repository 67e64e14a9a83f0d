"""Work on a book that nothing can undo: finished pieces go to a journal next to it at once.

A journal is a text file: a head that says what the work is, then a line for each piece with its
checksum. A kill can only cut the last line short, which is then done again. The file is locked as
long as somebody works on it, and removed when the book is whole.
"""

import os
import sys
import zlib
from collections.abc import Callable
from itertools import takewhile
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
    lines = _split(path.read_bytes()) or [b""]
    head = lines[0].decode(errors="replace").removesuffix("\n")
    return head, _whole(path, lines)


class Journal:
    """The pieces of some work that are finished, each a text of one line."""

    def __init__(
        self,
        path: Path,
        head: str,
        *,
        target: Path | None = None,
        again: str = BUILD_AGAIN,
        busy: str = "is being made already",
    ) -> None:
        """Take the file and what the work is; other work in the same file is refused.

        ``target`` is the file that the user asked for, which errors name: what the work makes
        unless said otherwise. ``again`` says what to do when the disk is full, ``busy`` that
        another process is at work.
        """
        self._path = path
        self._target = target or Path(str(path).removesuffix(_SUFFIX))
        self._head = f"{head}\n".encode()
        self._again = again
        self._busy = busy
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
                raise BookError(f"{str(self._target)!r} {self._busy}")
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

    def sync(self) -> None:
        """Have all pieces on the disk, where a loss of power does not reach them."""
        with writing(self._target, self._again):
            os.fsync(self._file.fileno())

    def _is_there(self) -> bool:
        """Return False if another has finished, and removed the file, before it was locked."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False

    def _read(self) -> None:
        """Read the whole lines; what follows the last of them was cut short by a kill."""
        lines = _split(self._file.read())
        if lines and lines[0] != self._head and not self._cut_short(lines):
            head = lines[0].decode(errors="replace").strip()
            raise BookError(f"{str(self._path)!r} is of other work ({shorten(head)}): remove it")
        size = 0
        if lines and lines[0] == self._head:
            self.known = _whole(self._path, lines)
            size = len(self._head) + sum(len(_line(text)) for text in self.known)
        self._file.truncate(size)
        self._file.seek(size)
        if size == 0:
            self._append(self._head)

    def _cut_short(self, lines: list[bytes]) -> bool:
        """Tell whether a kill left nothing but a part of the head."""
        return len(lines) == 1 and self._head.startswith(lines[0])

    def _append(self, line: bytes) -> None:
        with writing(self._target, self._again):
            while line:
                line = line[self._file.write(line) :]


def _split(content: bytes) -> list[bytes]:
    """Return the lines of a journal, each with its end; the last may have none."""
    # Not splitlines(): there are other ends of lines, which only damage can bring in.
    *lines, rest = content.split(b"\n")
    return [line + b"\n" for line in lines] + [rest] * bool(rest)


def _whole(path: Path, lines: list[bytes]) -> list[str]:
    """Return the texts after the head, up to the first line that is not whole.

    Raise BookError if whole lines follow that one: no kill does that.
    """
    texts = [_text(line) for line in takewhile(_is_whole, lines[1:])]
    good = 1 + len(texts)
    if any(map(_is_whole, lines[good:])):
        raise BookError(
            f"{str(path)!r} is damaged: the checksum of line {good + 1} does not hold, and good "
            f"lines follow; nothing was changed (head -n {good} copies the lines before it)"
        )
    return texts


def _text(line: bytes) -> str:
    return line.decode(errors="replace").rpartition(" ")[0]


def _is_whole(line: bytes) -> bool:
    return _line(_text(line)) == line


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
