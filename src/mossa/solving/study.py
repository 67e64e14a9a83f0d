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
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Self

from mossa._core import Game, Move, Position, Scoring
from mossa.errors import GameError
from mossa.files import DATA
from mossa.games import game as game_named
from mossa.search import Estimate, Exact, Score
from mossa.solving.book import BookError, own_folder

__all__ = [
    "Studied",
    "Study",
    "StudyMove",
    "child_mark",
    "studied_score",
    "study_bytes",
    "study_name",
]

_MAGIC = b"mossast\n"
_VERSION = 1
# Magic, version, plies, bytes of a key, of the game's name and of the player's spec, positions.
_HEADER = struct.Struct("<8sHHHHHI")
# After the key: the mark of the position behind the move, value, distance, depth, exact or not.
_RECORD = struct.Struct("<IfHHB")
_CHECKSUM = struct.Struct("<I")
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
    return f"{rules.name.replace(':', '-')}{owner and '.' + owner}.study"


@dataclass(frozen=True)
class Study:
    """The best moves of opening positions of one game."""

    game: Game
    plies: int
    """Positions before so many moves were studied."""
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
        content = Path(path).read_bytes()
        try:
            return cls._read(content)
        except GameError as error:
            raise BookError(f"{str(path)!r} {error}") from None

    @classmethod
    def find(cls, rules: Game, owner: str = "") -> "Study | None":
        """Return the study that players of a game look into; None if there is none.

        It is one of your own in the folder that MOSSA_BOOKS names, or comes with the package.
        ``owner`` is the player that it was made for, if it is not for all.
        """
        for folder in (own_folder(), DATA):
            path = folder and folder / study_name(rules, owner)
            if path and path.is_file():
                return _opened(path, path.stat().st_mtime_ns)
        return None

    @staticmethod
    def is_study(path: str | Path) -> bool:
        """Tell whether a file begins like a study."""
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC

    @classmethod
    def _read(cls, content: bytes) -> Self:
        if len(content) < _HEADER.size or content[: len(_MAGIC)] != _MAGIC:
            raise GameError("is not an opening study of mossa")
        fields = _HEADER.unpack_from(content)
        _, version, plies, key_size, name_size, player_size, positions = fields
        if version != _VERSION:
            raise GameError(
                f"is a study of format {version}; this program reads format {_VERSION}: "
                "make it again with mossa book study"
            )
        checksum = zlib.crc32(content[: -_CHECKSUM.size])
        if content[-_CHECKSUM.size :] != _CHECKSUM.pack(checksum):
            raise GameError(
                "is damaged or incomplete: its checksum does not hold; "
                "copy it again, or make it again with mossa book study"
            )
        begin = _HEADER.size
        name = content[begin : begin + name_size].decode(errors="replace")
        player = content[begin + name_size : begin + name_size + player_size]
        try:
            rules = game_named(name)
            packed = content[begin + name_size + player_size : -_CHECKSUM.size]
            records = zlib.decompress(packed)
        except (GameError, zlib.error) as error:
            raise GameError(f"is damaged: {error}") from None
        if len(records) != positions * (key_size + _RECORD.size):
            raise GameError("is damaged: its positions are not all there")
        player_spec = player.decode(errors="replace")
        return cls(rules, plies, player_spec, positions, len(content), checksum, key_size, records)

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
    name, spec = rules.name.encode(), player.encode()
    records = b"".join(
        key.to_bytes(key_size, "big") + _record(one) for key, one in sorted(found.items())
    )
    head = _HEADER.pack(_MAGIC, _VERSION, plies, key_size, len(name), len(spec), len(found))
    content = head + name + spec + zlib.compress(records, 9)
    return content + _CHECKSUM.pack(zlib.crc32(content))


def _record(found: Studied) -> bytes:
    distance = found.score.distance
    far = _NO_DISTANCE if distance is None else min(distance, _NO_DISTANCE - 1)
    exact = isinstance(found.score, Exact)
    return _RECORD.pack(found.mark, found.score.value, far, min(found.depth, 0xFFFF), exact)


@lru_cache(maxsize=8)
def _opened(path: Path, changed: int) -> Study:
    """Read a file once, and again if it has changed."""
    return Study.open(path)
