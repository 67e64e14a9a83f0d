"""What the core sees in a position without a search: its evaluations, and their parts.

``evaluate`` gives the value of a position by any evaluation. The rest is for line games. A way to
win of a side is k cells in a line without a stone of the other side; it needs as many moves as it
has empty cells. Alignments, ways to win and candidates are the parts that the MNK-Game report's
player is built of; the searches have them as ``evaluate=scenarios`` and ``order=priority``.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from mossa._core import CoreAlignments, Move, Position, Priority, Side, Threat, search_kinds
from mossa._core import align as core_align
from mossa._core import candidates as core_candidates
from mossa._core import evaluate as core_evaluate
from mossa._core import threats as core_threats
from mossa.errors import (
    GameError,
    InvalidMoveError,
    InvalidPlayerError,
    described,
    did_you_mean,
    expect_position,
    shorten,
)

__all__ = [
    "Alignment",
    "Alignments",
    "Candidate",
    "LineAlignment",
    "Priority",
    "Threat",
    "align",
    "candidates",
    "evaluate",
    "threat_text",
    "threats",
]

Cell = tuple[int, int]

EVALUATIONS = next(
    tuple(option.values)
    for kind in search_kinds()
    for option in kind.options
    if option.name == "evaluate"
)
"""The evaluations, by the names that ``evaluate`` and the searches use."""


def evaluate(position: Position, evaluation: str = "default", *, side: Side | None = None) -> int:
    """Return what an evaluation says about a position: the value a search would use there.

    The value is for ``side``, the side a search would be playing for, by default the side to move.
    It is a whole number in units of the evaluation. Raise GameError if the game has no such
    evaluation, or is over.

    >>> import mossa
    >>> position = mossa.game("connect4").position("4453")
    >>> evaluate(position), evaluate(position, "windows", side=Side.second)
    (-5, 5)
    """
    expect_position(position, "evaluate()", compiled=True)
    if evaluation not in EVALUATIONS:
        raise GameError(
            f"unknown evaluation {shorten(str(evaluation))}: "
            f"{did_you_mean(str(evaluation), EVALUATIONS)}there are {', '.join(EVALUATIONS)}"
        )
    try:
        return core_evaluate(position, evaluation, position.side if side is None else side)
    except InvalidPlayerError as error:
        raise GameError(f"cannot evaluate {position.game}: {error}") from None


STEPS = {"row": (0, 1), "column": (1, 0), "rising": (1, 1), "falling": (-1, 1)}
"""The directions of a line, with the step (up, right) from cell to cell."""
DIRECTIONS = tuple(STEPS)


class Alignment(NamedTuple):
    """What a side can make of one line through one cell."""

    cells: int
    """Cells in a row that are the side's own or empty: k if there is a way to win, else those from
    the last stone of the other side (or the edge) to this cell; 0 if the cell itself is the other
    side's."""
    moves: int
    """The empty ones among them: moves still needed."""
    start: Cell | None
    """The first cell of the way to win; None if there is none."""


class LineAlignment(NamedTuple):
    """The same for a line on its own: ``start`` is a place on the line, counted from 0."""

    cells: int
    moves: int
    start: int | None


_STONES = {".": 0, "x": 1, "o": 2}


def align(line: str, side: Side, k: int, *, exact: bool = False) -> list[LineAlignment]:
    """Return what a side can make of every cell of one line, as the MNK report's tuples.

    The line is written like a row of a board: ``x`` for first, ``o`` for second, ``.`` for empty.

    >>> align("..xo", Side.first, 3)[0]
    LineAlignment(cells=3, moves=2, start=0)
    """
    for stone in line:
        if stone not in _STONES:
            raise GameError(f"invalid line {shorten(line)}: expected x, o and . , not {stone!r}")
    if k < 1:
        raise GameError(f"invalid k '{k}': expected a whole number from 1 on")
    stones = [_STONES[stone] for stone in line]
    return [LineAlignment(*each) for each in core_align(stones, side.value + 1, k, exact)]


class Alignments:
    """The alignments of a position and of those that follow it.

    A line is examined on first use, and again only after a move has touched it.

    >>> import mossa
    >>> alignments = Alignments(mossa.game("tictactoe").position("b2 a1"))
    >>> alignments.at((1, 1), Side.first)["row"]
    Alignment(cells=3, moves=2, start=(1, 0))
    >>> alignments.scenarios(Side.first)
    [0, 0, 3, 2]
    """

    def __init__(self, position: Position) -> None:
        """Raise GameError if the game has no lines."""
        expect_position(position, "Alignments()", compiled=True)
        self._position = position
        self._core = CoreAlignments(position)

    @property
    def position(self) -> Position:
        """The current position."""
        return self._position

    def play(self, move: Move | str) -> None:
        """Move on to the position after a move; forget only the lines through its cell."""
        side = self._position.side
        self._position = self._position.play(move)
        assert self._position.last_cell is not None
        self._core.put(self._position.last_cell, side)

    def at(self, cell: Cell, side: Side) -> dict[str, Alignment]:
        """Return the best alignment of a side through a cell (row, col) in each direction.

        The best is the way to win that needs the fewest moves; of equals, the one that starts last.
        """
        return dict(
            zip(DIRECTIONS, (Alignment(*each) for each in self._core.at(cell, side)), strict=True)
        )

    def line(self, cell: Cell, direction: str, side: Side) -> list[Alignment]:
        """Return the alignments of all cells on the line through a cell, from the line's first.

        The direction is ``row``, ``column``, ``rising`` or ``falling``: lines run to the right,
        columns upwards.
        """
        if direction not in STEPS:
            raise GameError(
                f"unknown direction {shorten(str(direction))}: "
                f"{did_you_mean(str(direction), STEPS)}there are {', '.join(STEPS)}"
            )
        self.at(cell, side)  # raises unless the cell is on the board
        rows, cols = len(self._position.cells), len(self._position.cells[0])
        (row, col), (up, right) = cell, STEPS[direction]
        on_line = (
            (row + i * up, col + i * right) for i in range(-max(rows, cols), max(rows, cols))
        )
        return [
            self.at(each, side)[direction]
            for each in on_line
            if 0 <= each[0] < rows and 0 <= each[1] < cols
        ]

    def board(self, side: Side) -> list[list[dict[str, Alignment]]]:
        """Return the same for every cell: ``board(side)[row][col]``."""
        cells = self._position.cells
        return [
            [self.at((row, col), side) for col in range(len(cells[row]))]
            for row in range(len(cells))
        ]

    def scenarios(self, side: Side, cell: Cell | None = None) -> list[int]:
        """Count a side's ways to win: entry i is the number of those that need i moves.

        With a cell (row, col), count only those through it.
        """
        return self._core.scenarios(side, cell)


@dataclass(frozen=True)
class Candidate:
    """A move worth searching, and why."""

    move: Move
    priority: Priority
    aligned: int
    """Own stones in the best way to win through the cell, this one included; 0 if there is none."""
    blocked: int
    """The same for the opponent, if it played there."""

    @property
    def critical(self) -> bool:
        """Tell whether it wins, threatens to win or prevents that: if so, lesser moves can wait."""
        return self.priority < Priority.other


def candidates(position: Position) -> list[Candidate]:
    """Return the moves next to a stone, best first; none if the game is over.

    Before the first stone these are the moves next to the middle of the board; where stones fall,
    all moves are candidates. They come by priority, the others by what they align and then by what
    they block. Raise GameError if the game has no lines.
    """
    expect_position(position, "candidates()", compiled=True)
    return [
        Candidate(each.move, each.priority, each.aligned, each.blocked)
        for each in core_candidates(position)
    ]


def threats(position: Position, move: Move | str) -> list[Threat]:
    """Return what a move threatens: an entry per line, strongest first.

    The names are those of Gomoku, where k is 5: a four is any row that one more stone completes.
    Raise GameError if the game has no threats, IllegalMoveError if the move is not legal.

    >>> import mossa
    >>> position = mossa.game("gomoku").position("h8 a1 i8 c1 j8 e1")
    >>> [threat.name for threat in threats(position, "g8")]
    ['open_four']
    """
    expect_position(position, "threats()", compiled=True)
    if not isinstance(move, Move | str):
        raise InvalidMoveError(
            f"threats() takes a Move or its text, such as 'h8', not {described(move)}"
        )
    return core_threats(position, Move(move) if isinstance(move, str) else move)


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
TIMES = ("", "", "double ", "triple ", "fourfold ")


def threat_text(position: Position, line: Iterable[Move]) -> str:
    """Return what the moves of a line make, in words; empty if they threaten nothing.

    Rows are named after their stones: with k = 5 a four and an open three, with k = 4 a three and
    an open two.

    >>> import mossa
    >>> position = mossa.game("gomoku").position("h8 a1 i8 c1 j8 e1")
    >>> threat_text(position, position.after("g8 f8 k8").history[-3:])
    'open four at g8, five at k8'
    """
    words = []
    for move in line:
        made = threats(position, move)
        if made:
            words.append(f"{_rows(made, position.game.sizes['k'])} at {move}")
        position = position.play(move)
    return ", ".join(words)


def _rows(made: list[Threat], k: int) -> str:
    """Name what one move makes: just the win, if it wins."""
    if made[0] is Threat.win:
        return _row(Threat.win, k)
    times = Counter(_row(threat, k) for threat in made)
    return " and ".join(f"{TIMES[count]}{row}" for row, count in times.items())


def _row(threat: Threat, k: int) -> str:
    stones = k - (threat is not Threat.win) - (threat is Threat.three)
    number = NUMBERS[stones] if stones < len(NUMBERS) else str(stones)
    return f"open {number}" if threat in (Threat.three, Threat.open_four) else number
