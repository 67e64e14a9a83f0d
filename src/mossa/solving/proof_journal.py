"""The journal of a proof: a line for every result, which is a fact of its own.

A line is a number (1, 2, 3 ...), a JSON object and a checksum. Numbers and checksums tell of every
line that is damaged, missing, twice there or out of place. Results that contradict each other are
found when the tree is built again. What nobody can find is a lie: a wrong result with the right
checksum that contradicts nothing.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from math import inf, isinf
from pathlib import Path
from time import monotonic
from typing import Any, Self

from mossa._core import Position
from mossa.errors import shorten
from mossa.search import Exact
from mossa.solving.container import BookError
from mossa.solving.journal import Journal, read_journal

__all__ = ["Entry", "Look", "ProofJournal", "head_of", "read_entries"]

_NAME = "mossa proof journal"
_FORMAT = 1
_SECONDS_PER_SYNC = 1
GO_ON = "what is proven is kept: make room, and the same command goes on"


@dataclass(frozen=True)
class Look:
    """What a few nodes have shown of a move, for the side that moves after it."""

    move: str
    low: Exact
    high: Exact
    estimate: float


@dataclass(frozen=True)
class Entry:
    """One result."""

    moves: str
    """The way from the position of the proof."""
    low: Exact
    high: Exact
    nodes: int
    seconds: float
    at: float
    """Seconds of the whole proof by then."""
    asked: Exact | None
    """The question of that time, and its numbers, for those who look back."""
    proof: float
    disproof: float
    estimate: float | None = None
    guess: int | None = None
    looks: list[Look] | None = None
    """One for each move that does not end the game, if the job was not finished."""

    def text(self) -> str:
        """Return it as JSON."""
        data: dict[str, Any] = {
            "moves": self.moves,
            "low": _data(self.low),
            "high": _data(self.high),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 4),
            "at": round(self.at, 3),
            "asked": None if self.asked is None else _data(self.asked),
            "proof": _rounded(self.proof),
            "disproof": _rounded(self.disproof),
        }
        if self.estimate is not None:
            data["estimate"] = self.estimate
        if self.guess is not None:
            data["guess"] = self.guess
        if self.looks is not None:
            data["looks"] = [
                [each.move, _data(each.low), _data(each.high), each.estimate] for each in self.looks
            ]
        return json.dumps(data, separators=(",", ":"))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read JSON; raise ValueError, LookupError or TypeError if it is something else."""
        data = json.loads(text)
        looks = data.get("looks")
        return cls(
            moves=_expect(data["moves"], str),
            low=_score(data["low"]),
            high=_score(data["high"]),
            nodes=_expect(data["nodes"], int),
            seconds=float(data["seconds"]),
            at=float(data["at"]),
            asked=None if data["asked"] is None else _score(data["asked"]),
            proof=_number(data["proof"]),
            disproof=_number(data["disproof"]),
            estimate=None if data.get("estimate") is None else float(data["estimate"]),
            guess=None if data.get("guess") is None else _expect(data["guess"], int),
            looks=None
            if looks is None
            else [
                Look(_expect(move, str), _score(low), _score(high), float(estimate))
                for move, low, high, estimate in looks
            ],
        )


def head_of(position: Position) -> str:
    """Return the first line of the journal of a position."""
    return f"{_NAME} {_FORMAT}: {position.game.name}, board {position.text}"


class ProofJournal:
    """The results of a proof, in a file that one process works on at a time."""

    def __init__(self, path: Path, head: str) -> None:
        """Take the file and what the proof is of."""
        self.path = path
        self._head = head
        self._journal = Journal(
            path, head, target=path, again=GO_ON, busy="is in use: another process works on it"
        )
        self.entries: list[Entry] = []

    def __enter__(self) -> Self:
        """Lock the file and read it; raise BookError if it is of other work, damaged or in use."""
        _refuse_other(self.path, self._head)
        self._journal.__enter__()
        try:
            self.entries = _entries(self.path, self._journal.known)
        except BaseException:
            self._journal.__exit__()
            raise
        self._count = len(self.entries)
        self._synced, self._next_sync = self._count, monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the file, with the last results on the disk."""
        self._next_sync = monotonic()
        with suppress(BookError):  # a full disk has been reported already
            self.sync()
        self._journal.__exit__()

    def write(self, entry: Entry) -> None:
        """Keep a result."""
        self._count += 1
        self._journal.write(f"{self._count} {entry.text()}")

    def sync(self) -> None:
        """Have the results on the disk, if the last time was a while ago."""
        if self._synced < self._count and monotonic() >= self._next_sync:
            self._journal.sync()
            self._synced, self._next_sync = self._count, monotonic() + _SECONDS_PER_SYNC


def read_entries(path: Path, head: str) -> list[Entry]:
    """Return the results of a journal, even while another process writes it."""
    if not path.is_file():
        raise BookError(f"there is no journal {str(path)!r}")
    _refuse_other(path, head)
    return _entries(path, read_journal(path)[1])


def _refuse_other(path: Path, head: str) -> None:
    """Raise BookError if a file is there that is not a journal of this proof."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        first = file.readline(10_000)
    whole = first.endswith(b"\n")
    found = first.decode(errors="replace").removesuffix("\n")
    if found == head or (not whole and head.startswith(found)):
        return
    if not found.startswith(_NAME):
        raise BookError(f"{str(path)!r} is not the journal of a proof: choose another name")
    kind, _, work = found.removeprefix(_NAME).partition(": ")
    if kind.strip() != str(_FORMAT):
        raise BookError(
            f"{str(path)!r} is a journal of format {shorten(kind.strip())}; this program reads "
            f"format {_FORMAT}: choose another name"
        )
    wanted = head.partition(": ")[2]
    raise BookError(
        f"{str(path)!r} is the journal of another proof, of {shorten(work)} and not of "
        f"{shorten(wanted)}: choose another name"
    )


def _entries(path: Path, texts: list[str]) -> list[Entry]:
    entries = []
    for number, text in enumerate(texts, 1):
        found, _, rest = text.partition(" ")
        if found != str(number):
            raise BookError(
                f"{str(path)!r} is damaged: line {number + 1} should be result {number} and is "
                f"{shorten(found)}; the lines before it are good ({_salvage(path, number)})"
            )
        try:
            entries.append(Entry.parse(rest))
        except (ValueError, LookupError, TypeError, RecursionError, AttributeError):
            raise BookError(
                f"{str(path)!r} is damaged: result {number} is not one ({shorten(rest)}); the "
                f"lines before it are good ({_salvage(path, number)})"
            ) from None
    return entries


def _salvage(path: Path, lines: int) -> str:
    return f"head -n {lines} {path} copies them"


def _data(score: Exact) -> list[int]:
    return [score.value] if score.distance is None else [score.value, score.distance]


def _score(data: Any) -> Exact:
    value, *distance = data
    if len(distance) > 1:
        raise ValueError
    return Exact(_expect(value, int), _expect(distance[0], int) if distance else None)


def _expect(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError
    return value


def _rounded(number: float) -> float | None:
    return None if isinf(number) else round(number, 2)


def _number(data: Any) -> float:
    return inf if data is None else float(data)
