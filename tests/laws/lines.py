"""Laws of line games: stones stay where they are put; a line ends the game wherever it is."""

from __future__ import annotations

import itertools
import random

from reference.base import Cell
from reference.mnk import DIRECTIONS, cell_name, lines_text, some_lanes, winning_lines

import mossa
from laws.play import ending, is_large, random_game, where


def a_move_adds_one_stone(game: mossa.Game, rng: random.Random) -> None:
    """The sides alternate, and each move adds one stone of the mover and touches no other."""
    positions = random_game(game, rng, 40 if is_large(game) else 100)
    for before, after in itertools.pairwise(positions):
        _check_stone(before, after)


def _check_stone(before: mossa.Position, after: mossa.Position) -> None:
    mover = before.side
    assert after.side != mover, where(after)
    changed = [
        (row, col)
        for row, (old, new) in enumerate(zip(before.cells, after.cells, strict=True))
        if old != new
        for col in range(len(old))
        if old[col] != new[col]
    ]
    assert changed == [after.last_cell], where(after)
    row, col = changed[0]
    assert before.cells[row][col] == 0, where(after)
    assert after.cells[row][col] == mover.value + 1, where(after)
    move = after.last_move
    assert move is not None
    if not after.game.traits.falls:
        assert (move.row, move.col, move.number) == (row, col, None), where(after)
        assert move == cell_name(row, col), where(after)
    else:
        assert (move.row, move.col, move.number) == (None, None, col + 1), where(after)
        assert move == str(col + 1), where(after)
        assert all(after.cells[below][col] for below in range(row)), where(after)


def lines_are_seen_anywhere(game: mossa.Game, rng: random.Random) -> None:
    """The stone that completes a line ends the game, wherever on the board the line stands.

    Random games put their lines where random games go; here boards are set up one stone short of a
    line in every direction and up to every edge. `winning_cells` are all stones of all such lines,
    and only those, as a scan of the whole board finds them.
    """
    for _ in range(4 if is_large(game) else 10):
        prepared = _one_stone_short(game, rng)
        if prepared is None:
            continue
        text, move = prepared
        before = game.from_text(text)
        assert before.outcome is None, where(before)
        assert before.winning_cells == [], where(before)
        _check_lines(before.play(move))
    for position in random_game(game, rng)[-2 if is_large(game) else -6 :]:
        _check_lines(position)


def _check_lines(position: mossa.Position) -> None:
    sizes, options = position.game.sizes, position.game.options
    exact = options.get("exact") == "yes"
    lines = winning_lines([list(row) for row in position.cells], sizes["k"], exact=exact)
    stones = {cell for line in lines for cell in line}
    assert set(position.winning_cells) == stones, where(position)
    assert len(position.winning_cells) == len(stones), where(position)
    if stones:
        mover = 1 - position.side.value
        assert ending(position) == (mover, 1 - 2 * mover), where(position)
    else:
        full = all(all(row) for row in position.cells)
        assert ending(position) == ((None, 0) if full else None), where(position)


def _one_stone_short(game: mossa.Game, rng: random.Random) -> tuple[str, str] | None:
    """A board text and the move that makes a line there; None if this throw of the dice gave none.

    The line gets its stones but one, sometimes with a second line through the gap; in connect the
    cells below them are filled; then stones of either colour go to random places until the counts
    are right. Boards that have a line by now are thrown away.
    """
    rows, cols, k = game.sizes["rows"], game.sizes["cols"], game.sizes["k"]
    exact = game.options.get("exact") == "yes"
    length = min(k + (rng.random() < 0.3), max(rows, cols))
    lane = rng.choice(some_lanes(rows, cols, length))
    side = rng.randrange(2)
    gap = rng.choice(lane)
    if game.traits.falls and len({col for _, col in lane}) == 1:
        gap = lane[-1]  # a column grows from below
    if rng.random() < 0.5:
        lane = lane + rng.choice(lanes_through(gap, rows, cols, length))
    if game.traits.falls and any(col == gap[1] and row > gap[0] for row, col in lane):
        return None  # a stone above the gap
    grid = [[0] * cols for _ in range(rows)]
    for row, col in lane:
        if (row, col) != gap:
            grid[row][col] = side + 1
    if game.traits.falls:
        for row, col in lane:
            for below in range(row):
                if grid[below][col] == 0:
                    grid[below][col] = (below // 2 + col) % 2 + 1  # no run of three anywhere
    surplus = sum(row.count(1) - row.count(2) for row in grid) - side
    for _ in range(4 * rows * cols):
        if surplus == 0:  # as many stones of each, or one more of first's: `side` is to move
            break
        colour = 1 if surplus < 0 else 2
        row, col = rng.randrange(rows), rng.randrange(cols)
        if game.traits.falls:
            row = next((r for r in range(rows) if grid[r][col] == 0), rows)
            if col == gap[1] or row == rows:
                continue
        if (row, col) == gap or grid[row][col]:
            continue
        grid[row][col] = colour
        surplus += 1 if colour == 1 else -1
    else:
        return None
    if winning_lines(grid, k, exact=exact):
        return None
    move = str(gap[1] + 1) if game.traits.falls else cell_name(*gap)
    return lines_text(grid), move


def lanes_through(cell: Cell, rows: int, cols: int, length: int) -> list[list[Cell]]:
    """All straight stretches of `length` cells on a board that hold a cell."""
    found = []
    for step_row, step_col in DIRECTIONS:
        for back in range(length):
            first = cell[0] - back * step_row, cell[1] - back * step_col
            lane = [(first[0] + i * step_row, first[1] + i * step_col) for i in range(length)]
            if all(0 <= row < rows and 0 <= col < cols for row, col in lane):
                found.append(lane)
    return found
