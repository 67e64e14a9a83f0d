"""Lines and ways to win by their naive definitions: they count the whole board each time."""

from __future__ import annotations

import random
from collections.abc import Iterator

from mossa import Game, Position, Side
from mossa.evaluations import DIRECTIONS

Cell = tuple[int, int]
STEPS = dict(zip(DIRECTIONS, ((0, 1), (1, 0), (1, 1), (-1, 1)), strict=True))
WEIGHTS = [1000, 200, 40, 8, 1]
"""What a way to win is worth to ``evaluate=scenarios``, by the moves it needs."""

LINE_GAMES = [
    "mnk:3x3x3",
    "mnk:6x6x4",
    "mnk:4x9x4",
    "mnk:10x10x5",
    "mnk:6x6x3,exact=yes",
    "mnk:5x8x4,exact=yes",
    "connect:6x7x4",
    "connect:4x8x5",
]


class Board:
    """Stones by cell, 0 for an empty one; no game need be able to reach it."""

    def __init__(self, position: Position, more: dict[Cell, int] | None = None) -> None:
        self.k = position.game.sizes["k"]
        self.exact = position.game.options.get("exact") == "yes"
        self.stones = {
            (row, col): stone
            for row, cells in enumerate(position.cells)
            for col, stone in enumerate(cells)
        } | (more or {})

    def count_empty(self, cells: list[Cell]) -> int:
        return sum(self.stones[cell] == 0 for cell in cells)


def moved(cell: Cell, direction: str, distance: int) -> Cell:
    up, right = STEPS[direction]
    return cell[0] + distance * up, cell[1] + distance * right


def lines(board: Board) -> Iterator[list[int]]:
    """Every row, column and diagonal."""
    for direction in DIRECTIONS:
        for begin in board.stones:
            if moved(begin, direction, -1) in board.stones:
                continue
            line, cell = [], begin
            while cell in board.stones:
                line.append(board.stones[cell])
                cell = moved(cell, direction, 1)
            yield line


def stones(searcher: Side) -> tuple[int, int]:
    """How the cells show the searcher's stones and the opponent's."""
    return (1, 2) if searcher is Side.first else (2, 1)


def ways(board: Board, side: Side) -> Iterator[tuple[str, list[Cell]]]:
    """Every way to win that is still open, with its direction."""
    own, opposing = stones(side)
    for direction in DIRECTIONS:
        for start in board.stones:
            cells = [moved(start, direction, i) for i in range(board.k)]
            held = [board.stones.get(cell) for cell in cells]
            if None in held or opposing in held:
                continue
            beside = [board.stones.get(moved(start, direction, i)) for i in (-1, board.k)]
            if not board.exact or own not in beside:
                yield direction, cells


def wins_at_once(position: Position) -> bool:
    ends = (position.play(move).outcome for move in position.moves)
    return any(end is not None and end.winner is position.side for end in ends)


def random_position(game: Game, rng: random.Random, plies: int) -> Position:
    position = game.start()
    for _ in range(plies):
        if position.outcome is None:
            position = position.play(rng.choice(position.moves))
    return position
