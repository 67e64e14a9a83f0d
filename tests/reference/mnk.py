"""mnk: in turn, put a stone on any empty cell; a line of k own stones wins.

A line runs along a row, a column or a diagonal. At least k stones win; with `exact` a run of
exactly k wins and a longer one does not. A full board without a line is a draw.
"""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable

from hypothesis import strategies as st

import mossa
from reference.base import Cell, Haunts, Reference

EMPTY = 0
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def cell_name(row: int, col: int) -> str:
    """Columns a..z, then aa, ab, ... zz; rows from 1 at the bottom."""
    letter = chr(ord("a") + col % 26)
    if col >= 26:
        letter = chr(ord("a") + col // 26 - 1) + letter
    return f"{letter}{row + 1}"


def cell_of_name(name: str) -> Cell:
    """The row and column of a cell by its name."""
    col = 0
    for letter in name.rstrip("0123456789"):
        col = col * 26 + ord(letter) - ord("a") + 1
    return int(name.lstrip("abcdefghijklmnopqrstuvwxyz")) - 1, col - 1


def lines_text(grid: list[list[int]]) -> str:
    """Rows from the top, separated by '/': '.' empty, 'x' first's, 'o' second's."""
    return "/".join("".join(".xo"[stone] for stone in row) for row in reversed(grid))


def run_through(grid: list[list[int]], row: int, col: int, step: tuple[int, int]) -> int:
    """How many stones of one colour stand in an unbroken run through a cell, along `step`."""
    length = 1
    for sign in (1, -1):
        r, c = row + sign * step[0], col + sign * step[1]
        while 0 <= r < len(grid) and 0 <= c < len(grid[0]) and grid[r][c] == grid[row][col]:
            length += 1
            r, c = r + sign * step[0], c + sign * step[1]
    return length


class Mnk(Reference):
    """An mnk position: a list of rows, the bottom one first; 0 empty, 1 first's, 2 second's."""

    def __init__(self, rows: int, cols: int, k: int, *, exact: bool = False) -> None:
        self.rows = rows
        self.cols = cols
        self.k = k
        self.exact = exact
        self.grid = [[EMPTY] * cols for _ in range(rows)]
        self.side = 0
        self.winner: int | None = None

    def moves(self) -> list[str]:
        if self.winner is not None:
            return []
        return [
            cell_name(row, col)
            for row in range(self.rows)
            for col in range(self.cols)
            if self.grid[row][col] == EMPTY
        ]

    def play(self, move: str) -> Mnk:
        return self._put(*self.cell_of(move))

    def cell_of(self, move: str) -> Cell:
        """The cell that the stone of a move takes."""
        return cell_of_name(move)

    def _put(self, row: int, col: int) -> Mnk:
        assert self.winner is None
        assert self.grid[row][col] == EMPTY
        after = copy.copy(self)
        after.grid = [list(line) for line in self.grid]
        after.grid[row][col] = self.side + 1
        for step in DIRECTIONS:
            length = run_through(after.grid, row, col, step)
            if length == self.k or (length > self.k and not self.exact):
                after.winner = self.side
        after.side = 1 - self.side
        return after

    def outcome(self) -> tuple[int | None, int] | None:
        if self.winner is not None:
            return self.winner, 1 if self.winner == 0 else -1
        if all(stone != EMPTY for line in self.grid for stone in line):
            return None, 0
        return None

    def cells(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(line) for line in self.grid)

    def identity(self) -> tuple[object, ...]:
        return self.cells(), self.side

    def most_plies(self) -> int:
        return self.rows * self.cols  # every move fills a cell

    def candidates(self) -> list[str]:
        rows, cols = min(self.rows + 1, 100), min(self.cols + 1, 100)
        return [cell_name(row, col) for row in range(rows) for col in range(cols)]

    def source(self, move: str) -> None:
        return None

    def target(self, move: str) -> Cell:
        return self.cell_of(move)

    def winning_cells(self) -> set[Cell]:
        return {
            cell for line in winning_lines(self.grid, self.k, exact=self.exact) for cell in line
        }

    def runs_together(self, move: str) -> bool:
        return True

    def board_text(self) -> str:
        return lines_text(self.grid)

    def twins(self) -> list[str]:
        texts = []
        for symmetry in self.symmetries():
            image = [[EMPTY] * self.cols for _ in range(self.rows)]
            for row, col in itertools.product(range(self.rows), range(self.cols)):
                new_row, new_col = symmetry(row, col)
                image[new_row][new_col] = self.grid[row][col]
            texts.append(lines_text(image))
        return texts

    def symmetries(self) -> list[Callable[[int, int], Cell]]:
        """Those of the board but the identity, as maps of (row, col)."""
        top, right = self.rows - 1, self.cols - 1
        found: list[Callable[[int, int], Cell]] = [
            lambda r, c: (r, right - c),
            lambda r, c: (top - r, c),
            lambda r, c: (top - r, right - c),
        ]
        if top == right:
            found += [
                lambda r, c: (c, r),
                lambda r, c: (c, right - r),
                lambda r, c: (top - c, r),
                lambda r, c: (top - c, right - r),
            ]
        return found

    def haunts(self, mode: str, rng: random.Random) -> Haunts:
        rows, cols, k = self.rows, self.cols, self.k
        if mode == "shared":
            width, height = min(cols, k + 1), min(rows, k + 1)
            left, low = rng.randrange(cols - width + 1), rng.randrange(rows - height + 1)
            cells = [cell_name(low + r, left + c) for r in range(height) for c in range(width)]
            return cells, cells
        lanes = some_lanes(rows, cols, k)
        mine = rng.choice(lanes)
        theirs = rng.choice([lane for lane in lanes if not set(lane) & set(mine)] or lanes)
        if rng.random() < 0.5:
            mine = mine[1:]  # first wastes a move, so that second is sooner
        return [cell_name(*cell) for cell in mine], [cell_name(*cell) for cell in theirs]


def winning_lines(grid: list[list[int]], k: int, *, exact: bool) -> list[list[Cell]]:
    """All unbroken runs of one colour that are long enough to win, by a scan of the whole board."""
    rows, cols = len(grid), len(grid[0])

    def at(row: int, col: int) -> int:
        return grid[row][col] if 0 <= row < rows and 0 <= col < cols else EMPTY

    found = []
    for row, col in itertools.product(range(rows), range(cols)):
        stone = grid[row][col]
        if stone == EMPTY:
            continue
        for step_row, step_col in DIRECTIONS:
            if at(row - step_row, col - step_col) == stone:
                continue  # the run began earlier
            run = [(row, col)]
            while at(run[-1][0] + step_row, run[-1][1] + step_col) == stone:
                run.append((run[-1][0] + step_row, run[-1][1] + step_col))
            if len(run) == k or (len(run) > k and not exact):
                found.append(run)
    return found


def some_lanes(rows: int, cols: int, length: int) -> list[list[Cell]]:
    """A sample of the straight stretches of `length` cells on a board, in all four directions."""
    found = []
    for (step_row, step_col), row, col in itertools.product(
        DIRECTIONS,
        sorted({0, rows // 3, rows // 2, max(0, rows - length), rows - 1}),
        sorted({0, cols // 3, cols // 2, max(0, cols - length), length - 1, cols - 1}),
    ):
        lane = [(row + i * step_row, col + i * step_col) for i in range(length)]
        if all(0 <= r < rows and 0 <= c < cols for r, c in lane):
            found.append(lane)
    return found


def start(game: mossa.Game) -> Mnk:
    """An empty board."""
    sizes = game.sizes
    return Mnk(sizes["rows"], sizes["cols"], sizes["k"], exact=game.options["exact"] == "yes")


# Boards where a core of bit sets breaks if it breaks: one row, one column, k = 1 and k = the longer
# side, and boards whose cells, with or without one spare row for each column, come to just below,
# exactly and just above 64, 128, 256 and 512 bits.
TINY = [(1, 1, 1), (1, 2, 1), (2, 1, 2), (1, 3, 2), (3, 1, 3), (2, 2, 1), (2, 2, 2), (2, 3, 2)]
THIN = [(1, 9, 3), (9, 1, 4), (1, 63, 5), (64, 1, 6), (1, 65, 4), (2, 32, 3), (1, 100, 7)]
SMALL = [(2, 3, 3), (3, 2, 3), (3, 3, 3), (3, 4, 3), (4, 3, 4), (4, 4, 3), (4, 4, 4), (5, 4, 4)]
MEDIUM = [(4, 5, 5), (6, 4, 4), (5, 5, 3), (6, 5, 6), (6, 6, 4), (4, 9, 4), (9, 4, 5), (3, 11, 3)]
WORD = [(6, 7, 4), (7, 6, 4), (7, 7, 4), (7, 8, 4), (8, 7, 5), (8, 8, 4), (9, 7, 4), (7, 9, 5)]
WORD += [(6, 9, 4), (6, 10, 5), (15, 4, 4), (16, 4, 5), (3, 16, 4), (4, 13, 4), (31, 2, 5)]
TWO_WORDS = [(9, 9, 5), (10, 10, 4), (10, 12, 5), (11, 11, 5), (12, 10, 6), (8, 16, 5), (15, 8, 4)]
TWO_WORDS += [(16, 8, 4), (17, 7, 5), (63, 2, 4), (2, 42, 4), (2, 43, 4)]
FOUR_WORDS = [(15, 15, 5), (15, 16, 6), (16, 15, 5), (16, 16, 4), (15, 17, 5), (17, 16, 5)]
EIGHT_WORDS = [(19, 19, 5), (20, 20, 10), (22, 22, 5), (22, 23, 6), (23, 22, 5), (23, 23, 7)]
HUGE = [(30, 30, 10), (50, 50, 10), (70, 70, 10), (75, 75, 20), (100, 100, 30), (100, 100, 5)]
HUGE += [(100, 3, 4), (3, 100, 7), (100, 100, 100), (64, 64, 8), (33, 97, 6)]
BOARDS = TINY + THIN + SMALL + MEDIUM + WORD + TWO_WORDS + FOUR_WORDS + EIGHT_WORDS + HUGE

GAMES = [f"mnk:{rows}x{cols}x{k}" for rows, cols, k in BOARDS]
GAMES += [f"mnk:{rows}x{cols}x{k},exact=yes" for rows, cols, k in BOARDS[::3]]
GAMES += [f"mnk:5x6x{k}" for k in range(1, 7)]
GAMES += [f"mnk:6x6x{k},exact=yes" for k in range(1, 7)]

WHOLE_GAMES = ["mnk:1x1x1", "mnk:2x2x2", "mnk:2x3x3", "mnk:3x2x2", "mnk:1x6x2", "mnk:6x1x3"]
WHOLE_GAMES += ["mnk:1x7x2,exact=yes", "mnk:2x4x2,exact=yes", "mnk:3x3x3", "mnk:3x3x2,exact=yes"]


@st.composite
def boards(draw: st.DrawFn) -> tuple[int, int, int]:
    """Rows, columns and k of small boards, the smallest first."""
    rows, cols = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    return rows, cols, draw(st.integers(1, max(rows, cols)))


def names() -> st.SearchStrategy[str]:
    """Small boards with any k, exact or not."""
    exact = st.sampled_from(["", ",exact=yes"])
    return st.builds("mnk:{0[0]}x{0[1]}x{0[2]}{1}".format, boards(), exact)
