"""The words of the Kalah Game Protocol, KGP 1: commands, their arguments, boards.

A command is ``[NUMBER][@REFERENCE] NAME ARGUMENTS``; a board is
``<PITS,SOUTH'S STORE,NORTH'S STORE,SOUTH'S PITS,NORTH'S PITS>``, and whoever is sent one is South.
https://github.com/KWARC/kalah-game has the protocol, docs/protocols.md what of it is spoken here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil

from mossa._core import Position
from mossa.games import KINDS
from mossa.games import game as game_named

KIND = "kalah"

PORT = 2671
"""The port that servers listen on."""

_COMMAND = re.compile(r"\s*(?:(\d*)(?:@(\d+))?\s+)?([A-Za-z0-9]+)(?:\s+(.*?))?\s*")
_ARGUMENT = re.compile(r'\s*(?:"((?:\\.|[^"\\])*)"|(\S+))')
_BOARD = re.compile(r"<(\d{1,9}(?:,\d{1,9})*)>")


@dataclass(frozen=True)
class Command:
    """What was said in one line. Numbers stay texts: they are only given back."""

    name: str
    arguments: list[str]
    number: str | None = None
    reference: str | None = None

    @classmethod
    def read(cls, line: str) -> Command | None:
        """Read a line; None if it is not a command."""
        found = _COMMAND.fullmatch(line)
        if found is None:
            return None
        number, reference, name, rest = found.groups()
        return cls(name, read_arguments(rest), number or None, reference)


@dataclass(frozen=True)
class Board:
    """A board as a server sends it; the client is always South."""

    stores: tuple[int, int]
    south: tuple[int, ...]
    north: tuple[int, ...]

    @classmethod
    def read(cls, text: str) -> Board:
        """Read ``<n,S,N,south pits,north pits>``; raise ValueError if it is something else."""
        found = _BOARD.fullmatch(text)
        if found is None:
            raise ValueError("expected a board such as <3,0,0,3,3,3,3,3,3>")
        size, *hollows = map(int, found[1].split(","))
        if size < 1 or len(hollows) != 2 + 2 * size:
            raise ValueError(f"a board of {size} has 2 stores and 2 x {size} pits")
        south, north, *pits = hollows
        return cls((south, north), tuple(pits[:size]), tuple(pits[size:]))

    @classmethod
    def of(cls, position: Position) -> Board:
        """Return the board as the side to move is to see it."""
        rows = [[int(hollow or 0) for hollow in row] for row in position.cells]
        own, other = rows if position.side.value == 0 else reversed(rows)
        return cls((own[-1], other[-1]), tuple(own[:-1]), tuple(other[:-1]))

    def __str__(self) -> str:
        """Return what `read` reads."""
        return f"<{','.join(map(str, [len(self.south), *self.stores, *self.south, *self.north]))}>"

    def position(self) -> Position | None:
        """Return the position with South to move; None if our kalah is too small for it."""
        pits, seeds = (size.high for size in KINDS[KIND].sizes)
        total = sum(self.stores) + sum(self.south) + sum(self.north)
        wanted = max(1, ceil(total / (2 * len(self.south))))
        if len(self.south) > pits or wanted > seeds:
            return None
        # Seeds in a store take no part in the play: as many as the game would have had are added.
        spare = 2 * len(self.south) * wanted - total
        stores = self.stores[0] + spare // 2, self.stores[1] + spare - spare // 2
        rows = (
            ",".join(map(str, [*row, store]))
            for row, store in zip((self.south, self.north), stores, strict=True)
        )
        game = game_named(f"{KIND}:{len(self.south)}x{wanted}")
        return game.from_text(f"{'/'.join(rows)} first")

    @property
    def any_move(self) -> str | None:
        """A legal move that needs no thought: the rightmost pit with seeds."""
        return next(
            (str(at + 1) for at in reversed(range(len(self.south))) if self.south[at]), None
        )


def write_text(text: str) -> str:
    """Return a string argument."""
    plain = "".join(each if each.isprintable() else " " for each in text)
    return '"' + plain.replace("\\", r"\\").replace('"', r"\"") + '"'


def read_arguments(text: str) -> list[str]:
    """Return the arguments of a command, those in quotes without them."""
    return [
        word or re.sub(r"\\(.)", r"\1", quoted) for quoted, word in _ARGUMENT.findall(text or "")
    ]
