"""Random play, and what laws tell of the positions they meet."""

from __future__ import annotations

import itertools
import random

import reference
from reference.mnk import cell_name

import mossa

Cell = tuple[int, int]
Cells = tuple[tuple[int, ...], ...]


def area(game: mossa.Game) -> int:
    """How many cells, or pits, the board has: the measure of how much work a law may do."""
    if game.kind == "kalah":
        return 2 * game.sizes["pits"]
    return game.sizes["rows"] * game.sizes["cols"]


def is_large(game: mossa.Game) -> bool:
    """Whether there are so many cells that a law must not look at all of them at every ply."""
    return game.kind != "kalah" and area(game) > 400


def most_plies(game: mossa.Game) -> int:
    """A bound on the length of a game.

    Lines: every move fills a cell. Kalah: between two moves that bring a seed into a store, each
    seed can only step forward on its own side; and the swap is one move more.
    """
    if game.kind == "kalah":
        seeds = area(game) * game.sizes["seeds"]
        return (seeds + 1) * seeds * game.sizes["pits"] + 1
    return area(game)


def random_game(
    game: mossa.Game, rng: random.Random, plies: int | None = None
) -> list[mossa.Position]:
    """The positions of one random game from the start, to its end or for a number of plies.

    Stones thrown at random over a large board never meet. So in two of three games each side keeps
    to a few neighbouring cells or columns as long as it can: its own ones, which soon ends in a
    line, or those that it shares with the other side, which fills them up. On a large board only
    the first way comes to an end in time.
    """
    to_the_end = plies is None and is_large(game)
    haunts = _haunts(game, "own" if to_the_end else rng.choice(("free", "own", "shared")), rng)
    position = game.start()
    positions = [position]
    for _ in range(most_plies(game) + 1 if plies is None else plies):
        if position.outcome is not None:
            break
        position = position.play(_pick(position, haunts[position.side.value], rng))
        positions.append(position)
    return positions


def _haunts(game: mossa.Game, mode: str, rng: random.Random) -> tuple[list[str], list[str]]:
    if game.kind == "kalah" or mode == "free":
        return [], []
    rows, cols, k = game.sizes["rows"], game.sizes["cols"], game.sizes["k"]
    if game.kind == "connect":
        width = rng.choice([width for width in (1, 2, k, k + 1) if 2 * width <= cols] or [1])
        left = rng.randrange(cols - width + 1)
        apart = [i for i in range(cols - width + 1) if abs(i - left) >= width]
        other = left if mode == "shared" or not apart else rng.choice(apart)
        first, second = ([str(i + j + 1) for j in range(width)] for i in (left, other))
        return first, second
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


def some_lanes(rows: int, cols: int, length: int) -> list[list[Cell]]:
    """A sample of the straight stretches of `length` cells on a board, in all four directions."""
    found = []
    for (step_row, step_col), row, col in itertools.product(
        ((0, 1), (1, 0), (1, 1), (1, -1)),
        sorted({0, rows // 3, rows // 2, max(0, rows - length), rows - 1}),
        sorted({0, cols // 3, cols // 2, max(0, cols - length), length - 1, cols - 1}),
    ):
        lane = [(row + i * step_row, col + i * step_col) for i in range(length)]
        if all(0 <= r < rows and 0 <= c < cols for r, c in lane):
            found.append(lane)
    return found


def lanes_through(cell: Cell, rows: int, cols: int, length: int) -> list[list[Cell]]:
    """All straight stretches of `length` cells on a board that hold a cell."""
    found = []
    for step_row, step_col in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for back in range(length):
            first = cell[0] - back * step_row, cell[1] - back * step_col
            lane = [(first[0] + i * step_row, first[1] + i * step_col) for i in range(length)]
            if all(0 <= row < rows and 0 <= col < cols for row, col in lane):
                found.append(lane)
    return found


def _pick(position: mossa.Position, haunt: list[str], rng: random.Random) -> mossa.Move | str:
    for move in rng.sample(haunt, len(haunt)):
        if position.is_legal(move):
            return move
    return rng.choice(position.moves)


def references(positions: list[mossa.Position]) -> list[reference.Reference]:
    """The reference positions of a game's positions, move by move."""
    found = [reference.start(positions[0].game)]
    for position in positions[1:]:
        found.append(found[-1].play(str(position.last_move)))
    return found


def where(position: mossa.Position) -> str:
    """How to come to a position again, for the message of a failed law."""
    name = position.game.name
    if position.start_text is not None:
        return f"in {name} from {position.start_text!r} after {position.history_text!r}"
    return f"in {name} after {position.history_text!r}"


def texts(moves: list[mossa.Move]) -> list[str]:
    """Moves as plain text."""
    return [str(move) for move in moves]


def ending(position: mossa.Position) -> tuple[int | None, int] | None:
    """An outcome in the form of the reference: (winner, value), or None."""
    outcome = position.outcome
    if outcome is None:
        return None
    return None if outcome.winner is None else outcome.winner.value, outcome.value


def lines_text(cells: Cells | list[list[int]]) -> str:
    return "/".join("".join(".xo"[stone] for stone in row) for row in reversed(cells))


def kalah_text(cells: Cells, side: int, suffix: str = "") -> str:
    rows = "/".join(",".join(map(str, row)) for row in cells)
    return f"{rows} {'first' if side == 0 else 'second'}{suffix}"


def portrait(position: mossa.Position) -> tuple[object, ...]:
    """Everything that can be seen of a position."""
    return (
        position.game.name,
        position.side,
        texts(position.moves),
        position.cells,
        position.text,
        position.key,
        position.canonical_key,
        ending(position),
        texts(position.history),
        position.history_text,
        position.start_text,
        position.ply,
        position.last_move,
        position.last_cell,
        position.winning_cells,
        hash(position),
        repr(position),
    )
