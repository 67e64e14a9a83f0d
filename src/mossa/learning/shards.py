"""Shards: the games of self-play as files that a kill, a full disk or a bad sector cannot spoil.

A shard has the games of one generation on one board. Its head names the game and the player; then
come the games, each with its length and a checksum of its own. So a shard that was cut short loses
the game that was being written and no other, and a damaged game is left out.

Of a game the shard keeps the moves and the outcome, and of each position that was searched the
value that the search gave it, and the proven one where there is such. Positions themselves are not
kept: they follow from the moves.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from mossa.errors import GameError
from mossa.solving.container import BookError, Format, checksum, writing

__all__ = ["Played", "Sample", "Shard", "ShardWriter", "read_shard"]

# Bytes of the game's name and of the player's spec.
_FORMAT = Format("a shard of games", b"mossash\n", 1, "HH", (0, 1), "mossa train run")
_LEAST = len(_FORMAT.head([], "", ""))
_RECORD = struct.Struct("<II")  # bytes of the game and their checksum
_GAME = struct.Struct("<IhHHH")  # number, outcome, first steady ply, samples, bytes of the moves
_SAMPLE = struct.Struct("<Hfh?")  # ply, value, proven value, whether its best move was played
_UNPROVEN = -0x8000
_MOST = 1 << 20  # bytes of a game: a length beyond this is damage


@dataclass(frozen=True)
class Sample:
    """A searched position, for the side to move."""

    ply: int
    value: float
    """In the unit of the search; infinite where it found a win or a loss."""
    proven: int | None = None
    """The exact score: positive for a win."""
    chosen: bool = True
    """Whether the move that was played is the one that the search chose."""


@dataclass(frozen=True)
class Played:
    """A game of self-play."""

    number: int
    moves: str
    outcome: int
    """For the side that moves first: positive for a win, 0 for a draw."""
    steady: int
    """The ply from which on no move was random: only then the outcome says what a position is
    worth."""
    samples: tuple[Sample, ...]

    def to_bytes(self) -> bytes:
        """Return the game as a shard keeps it."""
        moves = self.moves.encode()
        head = _GAME.pack(self.number, self.outcome, self.steady, len(self.samples), len(moves))
        samples = (
            _SAMPLE.pack(
                each.ply,
                each.value,
                _UNPROVEN if each.proven is None else each.proven,
                each.chosen,
            )
            for each in self.samples
        )
        return zlib.compress(b"".join((head, moves, *samples)))

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Return the game that to_bytes wrote."""
        plain = zlib.decompress(content)
        number, outcome, steady, count, size = _GAME.unpack_from(plain)
        at = _GAME.size + size
        rest = plain[at : at + count * _SAMPLE.size]
        samples = (
            Sample(ply, value, None if proven == _UNPROVEN else proven, chosen)
            for ply, value, proven, chosen in _SAMPLE.iter_unpack(rest)
        )
        return cls(number, plain[_GAME.size : at].decode(), outcome, steady, tuple(samples))


@dataclass(frozen=True)
class Shard:
    """What could be read from a file."""

    game: str
    player: str
    games: list[Played]
    end: int
    """Bytes up to the end of the last whole game."""
    damaged: int
    """Games that were left out."""
    cut: int
    """Bytes after the last whole game: those of a game that was cut short."""

    @property
    def positions(self) -> int:
        """How many positions were searched."""
        return sum(len(game.samples) for game in self.games)


def read_shard(path: Path) -> Shard:
    """Return the intact games in a file; raise BookError if it is not a shard."""
    content = path.read_bytes()
    with _FORMAT.reading(path):
        if len(content) < _LEAST and _FORMAT.magic.startswith(content[: len(_FORMAT.magic)]):
            return Shard("", "", [], 0, 0, len(content))
        head = _FORMAT.read_head(content)
    if len(content) < head.size:
        return Shard("", "", [], 0, 0, len(content))
    games: list[Played] = []
    damaged, at = 0, head.size
    while at + _RECORD.size <= len(content):
        size, wanted = _RECORD.unpack_from(content, at)
        begin = at + _RECORD.size
        if size > _MOST or begin + size > len(content):
            break
        game = content[begin : begin + size]
        if checksum(game) == wanted:
            games.append(Played.from_bytes(game))
        else:
            damaged += 1
        at = begin + size
    return Shard(head.texts[0], head.texts[1], games, at, damaged, len(content) - at)


class ShardWriter:
    """A growing shard. On reopening, a game cut short by a kill is dropped."""

    def __init__(self, path: Path, game: str, player: str, *, again: str) -> None:
        """Take the file and its head; ``again`` says what to do when the disk is full."""
        self.path = path
        self._again = again
        self._head = _FORMAT.head([], game, player)
        self.numbers = 0
        """The number of the next game."""
        self.games = self.positions = 0
        end = 0
        if path.exists():
            shard = read_shard(path)
            if shard.end and (shard.game, shard.player) != (game, player):
                raise BookError(
                    f"{str(path)!r} has games of {shard.player} on {shard.game}, not of {player} "
                    f"on {game}: remove it"
                )
            end = shard.end
            self.games, self.positions = len(shard.games), shard.positions
            self.numbers = max((each.number for each in shard.games), default=-1) + 1
        with writing(path, again):
            self._file: BinaryIO = path.open("ab", buffering=0)
            self._file.truncate(end)
        if not end:
            self._write(self._head)

    def add(self, games: Iterable[Played]) -> None:
        """Write games, each at once."""
        for game in games:
            content = game.to_bytes()
            if len(content) > _MOST:
                raise GameError(f"a game of {len(content):,} bytes is too long for a shard")
            self._write(_RECORD.pack(len(content), checksum(content)) + content)
            self.games += 1
            self.positions += len(game.samples)
            self.numbers = max(self.numbers, game.number + 1)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def _write(self, content: bytes) -> None:
        with writing(self.path, self._again):
            while content:
                content = content[self._file.write(content) :]
