"""Networks by their naive definition, in NumPy: what they see of a board, and what they say of it.

Written from the words at the top of core/learn/network.hpp. Nothing here is kept up to date move by
move, and every sum is counted in 64 bits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mossa import Game, Position, Side
from mossa._core import network_shape, pack_network

CHANNELS = HIDDEN = 32
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Row, column, rising, falling (read upwards)."""

Numbers = NDArray[Any]


def other(side: Side) -> Side:
    return Side.second if side is Side.first else Side.first


# --- what a network of lines sees -----------------------------------------------------------------


def arm(position: Position, cell: tuple[int, int], step: tuple[int, int], side: Side) -> int:
    """The cells that a side sees in one direction, as a number."""
    cells = position.cells
    reach = min(position.game.sizes["k"] - 1, 5)
    seen: list[bool] = []
    row, col = cell
    while len(seen) < reach:
        row, col = row + step[0], col + step[1]
        if not (0 <= row < len(cells) and 0 <= col < len(cells[0])):
            break
        stone = cells[row][col]
        if stone == other(side).value + 1:
            break
        seen.append(stone != 0)
    bits = sum(1 << i for i, own in enumerate(seen) if own)
    return (1 << len(seen)) - 1 + bits


def pattern(position: Position, cell: tuple[int, int], step: tuple[int, int], side: Side) -> int:
    stone = position.cells[cell[0]][cell[1]]
    if stone == other(side).value + 1:
        return 0
    arms = 2 ** (min(position.game.sizes["k"] - 1, 5) + 1) - 1
    pairs = arms * (arms + 1) // 2
    ends = (arm(position, cell, step, side), arm(position, cell, (-step[0], -step[1]), side))
    pair = max(ends) * (max(ends) + 1) // 2 + min(ends)
    return 1 + pair + (pairs if stone else 0)


def patterns(position: Position, side: Side) -> Numbers:
    rows, cols = len(position.cells), len(position.cells[0])
    return np.array(
        [
            [pattern(position, (row, col), step, side) for step in STEPS]
            for row in range(rows)
            for col in range(cols)
        ]
    )


def places(position: Position, side: Side) -> Numbers:
    """The class of every cell: its height above the stones, and who fills it in the end."""
    cells = position.cells
    rows, cols = len(cells), len(cells[0])
    if not position.game.traits.falls:
        return np.zeros(rows * cols, int)
    found = []
    for row in range(rows):
        for col in range(cols):
            height = sum(cells[each][col] != 0 for each in range(rows))
            level = 5 if row < height else min(row - height, 4)
            # Every other column is full, and this one up to the cell.
            last_filler = (rows * (cols - 1) + row) % 2
            found.append(2 * level + (last_filler == side.value))
    return np.array(found)


def legal_cells(position: Position) -> Numbers:
    rows, cols = len(position.cells), len(position.cells[0])
    targets = {position.target(move) for move in position.moves}
    return np.array([(row, col) in targets for row in range(rows) for col in range(cols)])


# --- what a network of pits sees ------------------------------------------------------------------


def pit_view(own: list[int], opposing: list[int]) -> tuple[list[int], list[bool], list[int]]:
    """Seeds, what reaches the store and what is captured; seeds are sown one by one."""
    pits = len(own) - 1
    seeds, reaches, captures = [], [], []
    for pit in range(pits):
        track = [("own", i) for i in range(pits)] + [("store", 0)]
        track += [("other", i) for i in range(pits)]
        board = {("own", i): own[i] for i in range(pits)} | {("store", 0): own[-1]}
        board |= {("other", i): opposing[i] for i in range(pits)}
        hand, at = own[pit], pit
        board["own", pit] = 0
        for _ in range(hand):
            at = (at + 1) % len(track)
            board[track[at]] += 1
        kind, last = track[at]
        seeds.append(min(hand, 15))
        reaches.append(hand > 0 and kind == "store")
        lands = 0 < hand < len(track) and kind == "own" and board["own", last] == 1
        captures.append(min(board["other", pits - 1 - last], 12) if lands else 0)
    return seeds, reaches, captures


# --- what they say --------------------------------------------------------------------------------


@dataclass
class Said:
    logits: Numbers
    """Win, draw and loss."""
    value: float
    policy: Numbers | None = None
    """By cell, as a logarithm."""

    @property
    def chances(self) -> Numbers:
        weights = np.exp(self.logits - self.logits.max())
        return np.asarray(weights / weights.sum())


def dense(weights: dict[str, Numbers], x: Numbers) -> Numbers:
    """Both dense layers; 65536 is 1.0."""
    hidden = weights["hidden"].astype(np.int64) @ x + weights["hidden_bias"]
    hidden = np.clip(hidden >> 8, 0, 8191)
    return np.asarray(weights["out"].astype(np.int64) @ hidden + weights["out_bias"])


def log_odds(logits: Numbers) -> float:
    """Thousandths, where a draw is half a win."""
    win, draw, loss = logits
    half = draw - math.log(2)
    return float(1000 * (np.logaddexp(win, half) - np.logaddexp(loss, half)))


def lines_say(weights: dict[str, Numbers], position: Position) -> Said:
    sides = (position.side, other(position.side))
    activity = []
    for side in sides:
        h = weights["bias"].astype(np.int64) + weights["place"][places(position, side)]
        h = h + weights["own"][patterns(position, side)].sum(axis=1, dtype=np.int64)
        h = h + weights["other"][patterns(position, other(side))].sum(axis=1, dtype=np.int64)
        activity.append(np.clip(h, 0, 256))
    cells = len(activity[0])
    scale = round(2**21 / max(cells, 64))
    x = np.concatenate([a.sum(axis=0) for a in activity])
    x = np.minimum(x * scale >> 12, 32767)
    logits = dense(weights, x) / 65536
    policy = activity[0] @ weights["policy"].astype(np.int64) + weights["policy_bias"]
    return Said(logits, log_odds(logits), policy / 8192)


def pits_say(weights: dict[str, Numbers], position: Position) -> Said:
    rows = [list(position.cells[side.value]) for side in (position.side, other(position.side))]
    margin = rows[0][-1] - rows[1][-1]
    h = weights["bias"].astype(np.int64) + weights["margin"][max(-24, min(24, margin)) + 24]
    for half, name in enumerate(("own", "other")):
        seeds, reaches, captures = pit_view(rows[half], rows[1 - half])
        for pit, count in enumerate(seeds):
            h = h + weights[name][pit, count]
            h = h + reaches[pit] * weights["reaches"][half, pit]
            if captures[pit]:
                h = h + weights["captures"][half, pit, captures[pit] - 1]
        h = h + weights["totals"][half, min(sum(rows[half][:-1]), 63)]
    out = dense(weights, np.clip(h, 0, 256) * 16) / 65536
    return Said(out[:3], margin + 8 * float(out[3]))


# --- made up ones ---------------------------------------------------------------------------------


def blank(game: Game) -> dict[str, Numbers]:
    """The weights of a network for a game, all 0, in the order of its payload."""
    shape = network_shape(game)
    small, wide = np.int8, np.int32

    def rows(*sizes: int) -> Numbers:
        return np.zeros((*sizes, CHANNELS), np.int16)

    if shape.kind == "lines":
        outputs, inputs = 3, 2 * CHANNELS
        weights = {"own": rows(shape.patterns), "other": rows(shape.patterns)}
        weights |= {"place": rows(shape.places)}
    else:
        outputs, inputs = 4, CHANNELS
        weights = {"own": rows(shape.k, 16), "other": rows(shape.k, 16)}
        weights |= {"reaches": rows(2, shape.k), "captures": rows(2, shape.k, 12)}
        weights |= {"totals": rows(2, 64), "margin": rows(49)}
    weights |= {"bias": rows()}
    weights |= {"hidden": np.zeros((HIDDEN, inputs), small), "hidden_bias": np.zeros(HIDDEN, wide)}
    weights |= {"out": np.zeros((outputs, HIDDEN), small), "out_bias": np.zeros(outputs, wide)}
    if shape.kind == "lines":
        weights |= {"policy": np.zeros(CHANNELS, small), "policy_bias": np.zeros(1, wide)}
    return weights


def random_weights(game: Game, seed: int, most: int = 60) -> dict[str, Numbers]:
    """Weights that are large enough to be clipped somewhere, and small enough not to be always."""
    chance = np.random.default_rng(seed)
    limits = {np.dtype(np.int16): most, np.dtype(np.int8): 20, np.dtype(np.int32): 60_000}
    return {
        name: chance.integers(-limits[each.dtype], limits[each.dtype] + 1, each.shape, each.dtype)
        for name, each in blank(game).items()
    }


def content_of(game: Game, weights: dict[str, Numbers], *, beside: bool = False) -> bytes:
    little = (each.astype(each.dtype.newbyteorder("<")).tobytes() for each in weights.values())
    return pack_network(game, b"".join(little), beside=beside)
