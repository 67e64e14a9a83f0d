"""End-game tables: the margin to come of every board with few seeds left in its pits.

>>> import mossa
>>> from mossa._core import CoreTables
>>> f"{CoreTables.positions(pits=6, seeds=10):,} boards of a byte each"
'646,646 boards of a byte each'

Tables are one file, mapped into memory. ``docs/solving.md`` describes its bytes. The solver makes
small ones by itself as it needs them; larger ones are made once, by ``mossa tables build``, and
found in the folder that the variable MOSSA_BOOKS names.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from mossa._core import CoreTables, Game, Position
from mossa.errors import GameError, blaming, expect_game, is_in_python
from mossa.games import KINDS
from mossa.quantities import counted, units
from mossa.solving.container import (
    CHECKSUM,
    BookError,
    Content,
    Format,
    check_absent,
    checksum,
    checksum_bytes,
    damaged,
    file_name,
    mapped,
    opened,
    own_folder,
    writing,
)
from mossa.solving.journal import Journal, journal_of

__all__ = [
    "MAX_MB",
    "Tables",
    "build_tables",
    "check_tables",
    "machine_memory",
    "tables_name",
]

MAX_MB = 4000
"""Megabytes of the largest file, unless said otherwise."""

_PART = ".part"
_SAMPLES = 100_000
"""Boards to check before hearing Ctrl-C and showing progress."""
# Seeds, bytes of the game's name. After the head come the layers, the checksum of each layer, and
# one of all that is not a layer.
_FORMAT = Format("a file of end-game tables", b"mossaet\n", 1, "HH", (1,), "mossa tables build")


def tables_name(rules: Game) -> str:
    """Return the name of the file in which solvers look for the tables of a game."""
    return file_name(rules, "tables")


@dataclass(frozen=True)
class Tables:
    """The margin to come of every board of a game with at most ``seeds`` seeds in its pits."""

    game: Game
    seeds: int
    size: int
    """Bytes of the file."""
    core: CoreTables
    """What the solver of the core asks."""

    @property
    def positions(self) -> int:
        """How many boards they hold."""
        return _positions(self.game, self.seeds)

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Map a file; raise BookError unless they are whole, and OSError if it is not there."""
        with _FORMAT.reading(path):
            return cls._read(mapped(path))

    @classmethod
    def find(cls, rules: Game) -> "Tables | None":
        """Return the tables of a game in the folder that MOSSA_BOOKS names; None without."""
        expect_game(rules, "Tables.find()")
        folder = None if is_in_python(rules) else own_folder()
        if folder is None or not KINDS[rules.kind].has_tables:
            return None
        return opened(Tables.open, folder / tables_name(rules))

    @classmethod
    def _read(cls, content: Content) -> Self:
        head = _FORMAT.read_head(content)
        (seeds,) = head.numbers
        rules, begin = head.game, head.size
        with damaged():
            end = begin + _positions(rules, seeds)
        view = memoryview(content)
        if len(content) != end + (seeds + 2) * CHECKSUM.size:
            raise GameError(f"is incomplete, or too long: {len(content):,} bytes")
        sums, last = view[end : -CHECKSUM.size], view[-CHECKSUM.size :]
        if last != checksum_bytes(bytes(view[:begin]) + bytes(sums)):
            raise GameError("is damaged: its checksum does not hold")
        for layer, (expected,) in enumerate(CHECKSUM.iter_unpack(sums)):
            first = begin + _positions(rules, layer - 1)
            if checksum(view[first : begin + _positions(rules, layer)]) != expected:
                amount = units(layer, rules.traits.unit)
                raise GameError(f"is damaged: the checksum of {amount} does not hold")
        return cls(rules, seeds, len(content), CoreTables.of(rules, seeds, view[begin:end]))

    def get(self, position: Position) -> int | None:
        """Return the margin to come for the side to move; None if the tables do not tell.

        They do not if it has too many seeds, or in oware if it has earlier positions to repeat.
        """
        return self.core.get(position)


def build_tables(
    rules: Game,
    seeds: int,
    path: str | Path,
    *,
    threads: int = 1,
    max_mb: float = MAX_MB,
    report: Callable[[int, int], object] | None = None,
) -> Tables:
    """Make the tables of all boards with at most ``seeds`` seeds and write them to a file.

    ``report`` is told how many boards of how many are done. A kill loses the layer in work: the
    finished ones are kept next to the file, and the same call goes on after them.
    """
    expect_game(rules, "build_tables()", compiled=True)
    path = Path(path)
    core = CoreTables(rules, seeds)
    total = _positions(rules, seeds)
    _check_size(total, max_mb)
    head = _FORMAT.head((seeds,), rules.name)
    check_absent(path)
    part = Path(f"{path}{_PART}")
    work = f"end-game tables of {rules.name}, {seeds} seeds"
    sums: list[int] = []
    with blaming(path), Journal(journal_of(path), work) as journal, _open_part(part) as file:
        for text in journal.known:
            layer = _read_layer(file, len(head), rules, len(sums))
            if checksum(layer) != int(text):
                break  # what follows was not written: made again
            core.enter_layer(layer)
            sums.append(int(text))
        _write(file, 0, head)
        for layer_seeds in range(len(sums), seeds + 1):
            if report is not None:
                report(_positions(rules, layer_seeds - 1), total)
            if not core.build_layer(threads):
                raise KeyboardInterrupt
            layer = core.layer(layer_seeds)
            _write(file, len(head) + _positions(rules, layer_seeds - 1), layer)
            sums.append(checksum(layer))
            journal.write(str(sums[-1]))
        packed = b"".join(CHECKSUM.pack(each) for each in sums)
        _write(file, len(head) + total, packed + checksum_bytes(head + packed))
        file.truncate()
        os.fsync(file.fileno())
        part.replace(path)
        journal.finished = True
    if report is not None:
        report(total, total)
    return Tables.open(path)


def check_tables(
    tables: Tables,
    count: int,
    random: int,
    *,
    report: Callable[[int, int], object] | None = None,
) -> None:
    """Derive the values of ``count`` random boards again; raise BookError if one differs.

    ``report`` is told how many boards of how many are done.
    """
    for done in range(0, count, _SAMPLES):
        piece = min(_SAMPLES, count - done)
        wrong = tables.core.check(piece, random + done)
        if wrong:
            raise BookError(
                f"{wrong:,} of {counted(piece, 'board')} contradict the boards their moves lead to"
            )
        if report is not None:
            report(done + piece, count)


def _positions(rules: Game, seeds: int) -> int:
    return CoreTables.positions(rules.sizes["pits"], seeds)


def _check_size(size: int, max_mb: float) -> None:
    if size > max_mb * 1e6:
        raise GameError(f"the tables would take {size / 1e6:,.0f} MB; {max_mb:,g} MB are allowed")
    there = machine_memory()
    if there is not None and size > there << 20:
        raise GameError(
            f"the tables would take {size >> 20:,} MB of memory; this machine has {there:,} MB"
        )


def machine_memory() -> int | None:
    """Return the megabytes of this machine; None where it does not say."""
    if not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20


def _open_part(path: Path) -> BinaryIO:
    with blaming(path.with_suffix("")):
        return path.open("r+b" if path.exists() else "w+b")


def _read_layer(file: BinaryIO, begin: int, rules: Game, seeds: int) -> bytes:
    file.seek(begin + _positions(rules, seeds - 1))
    return file.read(_positions(rules, seeds) - _positions(rules, seeds - 1))


def _write(file: BinaryIO, at: int, content: bytes) -> None:
    with writing(Path(file.name.removesuffix(_PART))):
        file.seek(at)
        file.write(content)
        file.flush()
