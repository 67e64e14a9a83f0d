"""Opening studies: the best move of opening positions, found by long searches beforehand.

A study is a book of another kind than `mossa.solving.book`: not every position and its exact
score, but the positions that come up when one side plays its best moves and the other whatever it
likes, with a move, a score (exact or not) and the depth it was searched to. Players look into it
before they think. ``docs/solving.md`` describes the bytes of the file, and
``mossa.solving.study_build`` makes one.
"""

import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from mossa._core import Game, Move, Position, Scoring, Side
from mossa.errors import GameError, expect_game, is_in_python
from mossa.files import DATA
from mossa.notebook import data_frame, to_html
from mossa.quantities import counted
from mossa.search import Estimate, Exact, Score, score_columns
from mossa.sheets import Note, Sheet
from mossa.solving.container import (
    Content,
    Format,
    damaged,
    file_name,
    mapped,
    opened,
    own_folder,
    sealed,
    unsealed,
)

if TYPE_CHECKING:
    from mossa.notebook import DataFrame

__all__ = [
    "Studied",
    "Study",
    "StudyMove",
    "child_mark",
    "studied_score",
    "study_bytes",
    "study_name",
]

# Plies, bytes of a key, of the game's name and of the player's spec, positions.
_FORMAT = Format("an opening study", b"mossast\n", 1, "HHHHI", (2, 3), "mossa book study")
# After the key: the mark of the position behind the move, value, distance, depth, exact or not.
_RECORD = struct.Struct("<IfHHB")
_NO_DISTANCE = 0xFFFF


@dataclass(frozen=True)
class Studied:
    """What a study knows of a position: where its best move leads, for the side to move."""

    mark: int
    """That of the position behind the best move; see child_mark."""
    score: Score
    depth: int


@dataclass(frozen=True)
class StudyMove:
    """The move of a study in a position."""

    move: Move
    score: Score
    """For the side to move."""
    depth: int
    """Plies, or turns, that the search behind it saw."""


def child_mark(position: Position) -> int:
    """Return a number for the position behind a move, equal for mirror images.

    By it a move is found again in a position that is a mirror image of the one that was studied.
    """
    key = position.canonical_key
    return zlib.crc32(key.to_bytes((key.bit_length() + 7) // 8, "big"))


def studied_score(rules: Game, exact: bool, value: float, distance: int | None) -> Score:
    """Return a score of a game as a study keeps it; estimates are of the margin if that counts."""
    if exact:
        return Exact(int(value), distance)
    margin = distance is None and rules.traits.scoring is Scoring.margin
    return Estimate(value, distance, margin)


def study_name(rules: Game, owner: str = "") -> str:
    """Return the name of the file in which players look for a study of a game."""
    return file_name(rules, f"{owner}.study" if owner else "study")


@dataclass(frozen=True)
class Study:
    """The best moves of opening positions of one game."""

    game: Game
    plies: int
    """Positions with fewer moves than this were studied."""
    player: str
    """Who studied: a spec."""
    positions: int
    """How many positions it holds; mirror images count once."""
    size: int
    """Bytes of the file."""
    checksum: int
    """CRC-32 of the file but for its last four bytes."""
    _key_size: int
    _records: bytes

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Read a file; raise BookError unless it is a whole study, OSError if it is not there."""
        with _FORMAT.reading(path):
            return cls._read(mapped(path))

    @classmethod
    def find(cls, rules: Game, owner: str = "") -> "Study | None":
        """Return the study that players of a game look into; None if there is none.

        It is one of your own in the folder that MOSSA_BOOKS names, or comes with the package.
        ``owner`` is the player that it was made for, if it is not for all.
        """
        expect_game(rules, "Study.find()")
        if is_in_python(rules):
            return None
        name = study_name(rules, owner)
        folders = filter(None, (own_folder(), DATA))
        found = (opened(Study.open, folder / name) for folder in folders)
        return next((study for study in found if study is not None), None)

    def __repr__(self) -> str:
        """Return one line: what was studied, and by whom."""
        held = counted(self.positions, "position")
        return f"<Study of {self.game}: the first {counted(self.plies, 'move')}, {held}>"

    def _repr_html_(self) -> str:
        title, *others = self.words
        line = self.line(self.game.start())
        parts: list[Note | Sheet] = [Note(text) for text in others]
        parts.append(self._line_sheet(line))
        return to_html(title, parts, board=self.game.start().after(line))

    @property
    def words(self) -> list[str]:
        """What it holds, in three lines."""
        start = self.get(self.game.start())
        known = "not studied" if start is None else str(start.score)
        best = " ".join(map(str, self.line(self.game.start())))
        return [
            f"{self.game}, the first {counted(self.plies, 'move')}, studied by {self.player}",
            f"{counted(self.positions, 'position')}, {self.size:,} bytes, "
            f"checksum {self.checksum:08x}",
            f"the start: {known}; best play: {best}",
        ]

    def _line_sheet(self, line: list[Move]) -> Sheet:
        """Best play, move by move."""
        rows, position = [], self.game.start()
        for ply, move in enumerate(line, start=1):
            found = self.get(position)
            assert found is not None
            side, score = position.side.name, str(found.score)
            rows.append((str(ply), side, str(move), score, str(found.depth)))
            position = position.play(move)
        columns = ("", "side", "move", "score", "depth")
        return Sheet(columns, tuple(rows), frozenset({1, 2}), "move")

    def walk(self) -> Iterator[tuple[Position, StudyMove]]:
        """Yield the positions that come up if a side follows the study, with their best moves.

        The other side plays whatever it likes; mirror images come up once.
        """
        known: set[int] = set()
        for side in Side:
            waiting, seen = [self.game.start()], set[int]()
            while waiting:
                position = waiting.pop()
                key = position.canonical_key
                if key in seen or position.outcome is not None or position.ply >= self.plies:
                    continue
                seen.add(key)
                if position.side is not side:
                    waiting += map(position.play, position.moves)
                elif (best := self.get(position)) is not None:
                    if key not in known:
                        known.add(key)
                        yield position, best
                    waiting.append(position.play(best.move))

    def to_pandas(self) -> "DataFrame":
        """Return a data frame with a row for every position of `walk`; pandas is needed."""
        return data_frame(
            {
                "moves": position.history_text,
                "ply": position.ply,
                "side": position.side.name,
                "move": str(found.move),
                **score_columns(found.score),
                "depth": found.depth,
            }
            for position, found in self.walk()
        )

    @staticmethod
    def is_study(path: str | Path) -> bool:
        """Tell whether a file begins like a study."""
        return _FORMAT.begins(path)

    @classmethod
    def _read(cls, content: Content) -> Self:
        head = _FORMAT.read_head(content)
        guarded, checksum = unsealed(content)
        plies, key_size, positions = head.numbers
        rules = head.game
        size = positions * (key_size + _RECORD.size)
        with damaged():
            # A byte more than there should be is enough to see that something is wrong.
            unpacker = zlib.decompressobj()
            records = unpacker.decompress(guarded[head.size :], size + 1)
        if len(records) != size or not unpacker.eof:
            raise GameError("is damaged: its positions are not all there")
        spec = head.texts[1]
        return cls(rules, plies, spec, positions, len(content), checksum, key_size, records)

    def get(self, position: Position) -> StudyMove | None:
        """Return the move of a position; None if it was not studied."""
        if position.game != self.game or position.outcome is not None:
            return None
        key = position.canonical_key
        if key.bit_length() > 8 * self._key_size:
            return None
        wanted = key.to_bytes(self._key_size, "big")
        at = bisect_left(range(self.positions), wanted, key=self._key)
        if at == self.positions or self._key(at) != wanted:
            return None
        offset = at * (self._key_size + _RECORD.size) + self._key_size
        mark, value, distance, depth, exact = _RECORD.unpack_from(self._records, offset)
        for move in position.moves:
            if child_mark(position.play(move)) == mark:
                far = None if distance == _NO_DISTANCE else distance
                return StudyMove(move, studied_score(self.game, exact, value, far), depth)
        return None

    def line(self, position: Position) -> list[Move]:
        """Return the moves of the study from a position on, both sides playing its best."""
        moves = []
        while (found := self.get(position)) is not None:
            moves.append(found.move)
            position = position.play(found.move)
        return moves

    def _key(self, at: int) -> bytes:
        offset = at * (self._key_size + _RECORD.size)
        return self._records[offset : offset + self._key_size]


def study_bytes(rules: Game, plies: int, player: str, found: Mapping[int, Studied]) -> bytes:
    """Return the file that Study.open reads, of what was found by canonical key."""
    key_size = max((key.bit_length() + 7) // 8 for key in found) or 1
    records = b"".join(
        key.to_bytes(key_size, "big") + _record(one) for key, one in sorted(found.items())
    )
    head = _FORMAT.head((plies, key_size, len(found)), rules.name, player)
    return sealed(head + zlib.compress(records, 9))


def _record(found: Studied) -> bytes:
    distance = found.score.distance
    far = _NO_DISTANCE if distance is None else min(distance, _NO_DISTANCE - 1)
    exact = isinstance(found.score, Exact)
    return _RECORD.pack(found.mark, found.score.value, far, min(found.depth, 0xFFFF), exact)
