"""What a puzzle is: a position, a task, the line that solves it, and how hard it is.

A puzzle is never an opinion. Exactly one move keeps the value of its position, a win or a draw, and
either a solver has scored every move or the threat search has proven the one that wins.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import groupby

from mossa._core import Game, Position, Side
from mossa.errors import GameError
from mossa.records.record import opening

__all__ = ["DRAWS", "LOSES", "RATINGS", "UNPROVEN", "WINS", "Kind", "Proof", "Puzzle", "Step"]

WINS, DRAWS, LOSES, UNPROVEN = "wdlu"
"""What a move does for its side; a capital means that it fulfils the task."""

RATINGS = range(400, 3001)
"""The range of ratings, on the same scale as the people who solve them."""


class Kind(StrEnum):
    """The task."""

    win = "win"
    """Find the only winning move."""
    win_in = "win in"
    """Win in so many moves: after the first, which is the only one that wins, any of the quickest
    will do."""
    draw = "draw"
    """Find the only move that does not lose."""


class Proof(StrEnum):
    """What proves that the answer is right."""

    solver = "solver"
    """Every move was solved to the end of the game."""
    tables = "tables"
    """The same, looked up in end-game tables."""
    threats = "threats"
    """The threat search has proven a win, and nothing about the other moves."""


@dataclass(frozen=True)
class Step:
    """One move to find, and the other side's reply."""

    move: str
    """The move in the line; if several are right, one of them."""
    marks: str
    """A letter for every legal move, in the order of ``Position.moves``."""
    replies: tuple[str, ...] = ()
    """What the other side plays until it is our turn again: nothing at the end of the line, or
    where the turn does not pass, and several moves where the other side moves again."""


@dataclass(frozen=True)
class Puzzle:
    """A position with exactly one right move, and the line it starts."""

    game: Game
    moves: str
    """The moves that led to the position."""
    kind: Kind
    proof: Proof
    steps: tuple[Step, ...]
    rest: tuple[str, ...]
    """How best play continues after the last move to find."""
    depth: int
    """Plies a plain search must look ahead to find the first move and stick with it."""
    rating: int
    board: str | None = None
    """The board text the moves start from; None is the usual start."""

    @cached_property
    def position(self) -> Position:
        """The position to solve."""
        return opening(self.game, self.board).after(self.moves)

    @property
    def side(self) -> Side:
        """The side to move, which has to find the answer."""
        return self.position.side

    @property
    def turns(self) -> int:
        """How many moves there are to find."""
        return len(self.steps)

    @property
    def line(self) -> list[str]:
        """The moves to find, with the replies."""
        return [move for step in self.steps for move in (step.move, *step.replies)]

    @cached_property
    def name(self) -> str:
        """Eight letters that identify this puzzle, whatever file it is in."""
        text = f"{self.game} {self.board or ''} {self.moves}"
        return f"{zlib.crc32(text.encode()):08x}"

    def before(self, at: int) -> Position:
        """Return the position in which to find a step's move."""
        played = (move for step in self.steps[:at] for move in (step.move, *step.replies))
        return self.position.after(" ".join(played))

    def right(self, at: int) -> list[str]:
        """Return the moves that are right at a step."""
        marks = self.steps[at].marks
        moves = map(str, self.before(at).moves)
        return [move for move, mark in zip(moves, marks, strict=True) if mark.isupper()]


def packed(marks: str) -> str:
    """Return marks run-length encoded, as in ``3l1W3l``."""
    return "".join(f"{len(list(run))}{mark}" for mark, run in groupby(marks))


def unpacked(text: str, size: int) -> str:
    """Return the marks of ``size`` moves; raise GameError if the text has more or fewer."""
    marks, number = [], ""
    known = WINS + DRAWS + LOSES + UNPROVEN + WINS.upper() + DRAWS.upper()
    for letter in text:
        if letter in "0123456789" and len(number) < 6:
            number += letter
        elif letter in known and number and int(number) <= size:
            marks.append(letter * int(number))
            number = ""
        else:
            break
    found = "".join(marks)
    if len(found) != size or packed(found) != text:
        raise GameError(f"{text[:60]!r} does not mark {size} moves")
    return found
