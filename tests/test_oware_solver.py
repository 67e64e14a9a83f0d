"""What the solver and the end-game tables of oware say, against brute force and plain iteration."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import numpy as np
import pytest
from brute_force import BruteForce
from numpy.typing import NDArray
from reference import oware

import mossa
from mossa import Exact
from mossa._core import CoreTables
from mossa.solving.solver import Solver

SLAMS = ("keep", "take", "forbid")

Array = NDArray[np.int64]
Row = tuple[int, ...]
Board = tuple[Row, Row]  # the pits of the side to move, and of the other side


# --- by plain iteration, with the rules of the reference -----------------------------------------


def rows(pits: int, seeds: int) -> Iterator[Row]:
    """All ways to lay so many seeds into so many pits."""
    for bars in itertools.combinations(range(seeds + pits - 1), pits - 1):
        edges = (-1, *bars, seeds + pits - 1)
        yield tuple(b - a - 1 for a, b in itertools.pairwise(edges))


def moves_from(board: Board, slam: str) -> list[tuple[int, Board]]:
    """What each move gains, and the board it leads to."""
    position = oware.Oware(len(board[0]), 1, slam=slam)
    position.pits = [list(row) for row in board]
    found = []
    for pit in range(len(board[0])):
        if position._is_legal(pit):
            after = position._copy()
            after._sow(pit)
            found.append((after.stores[0], (tuple(after.pits[1]), tuple(after.pits[0]))))
    return found


def margins(pits: int, most: int, slam: str) -> dict[Board, int]:
    """The margin to come of every board with at most so many seeds, 0 for endless play.

    In a game of n moves that is worth 0 after them, for ever larger n, until nothing changes.
    """
    known: dict[Board, int] = {}
    for seeds in range(most + 1):
        layer = [(row[:pits], row[pits:]) for row in rows(2 * pits, seeds)]
        moves = {board: moves_from(board, slam) for board in layer}
        values = dict.fromkeys(layer, 0)
        changed = True
        while changed:
            known |= values
            values = {
                board: max(gain - known[after] for gain, after in moves[board])
                if moves[board]
                else sum(board[0]) - sum(board[1])
                for board in layer
            }
            changed = any(values[board] != known[board] for board in layer)
    return known


def text(game: mossa.Game, board: Board) -> str:
    """The board as a text of a game, with the seeds that are missing in first's store."""
    total = 2 * game.sizes["pits"] * game.sizes["seeds"]
    own, other = (",".join(map(str, row)) for row in board)
    return f"{own},{total - sum(board[0]) - sum(board[1])}/{other},0 first"


def check_tables(name: str, seeds: int) -> None:
    game = mossa.game(name)
    tables = CoreTables(game, seeds)
    for _ in range(seeds + 1):
        assert tables.build_layer(2)
    expected = margins(game.sizes["pits"], seeds, game.options["slam"])
    for board, margin in expected.items():
        position = game.from_text(text(game, board))
        if position.outcome is None:
            assert tables.get(position) == margin, position.text
    assert tables.check(10_000, 1) == 0


@pytest.mark.parametrize("slam", SLAMS)
@pytest.mark.parametrize(
    ("size", "seeds"), [("2x2", 8), ("2x6", 14), ("3x3", 8), ("4x2", 6), ("7x1", 3)]
)
def test_tables_against_plain_iteration(size: str, seeds: int, slam: str) -> None:
    check_tables(f"oware:{size},slam={slam},repeat=share", seeds)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "seeds"), [("3x3", 18), ("4x3", 10), ("6x2", 7), ("7x1", 6)])
def test_large_tables_against_plain_iteration(size: str, seeds: int) -> None:
    check_tables(f"oware:{size},repeat=share", seeds)


def test_a_board_of_two_words_against_plain_iteration() -> None:
    game = mossa.game("oware:8x2,repeat=share")
    solver = Solver(game)
    for board, margin in margins(8, 3, "keep").items():
        position = game.from_text(text(game, board))
        if position.outcome is None:
            stored = position.cells[0][-1]
            assert solver.solve(position).score == Exact(stored + margin), position.text


# --- by whole arrays, with rules of their own ----------------------------------------------------


class Arrays:
    """The margin to come of every board, layer by layer, in columns of numbers (slam=keep)."""

    def __init__(self, pits: int, most: int) -> None:
        self.pits = pits
        self.codes: list[Array] = []  # of every layer: sorted, five bits a pit
        self.values: list[Array] = []
        for seeds in range(most + 1):
            self._add_layer(seeds)

    def value(self, seeds: int, row: list[int]) -> int:
        board = np.array([row], dtype=np.int64)
        return int(self._look_up(seeds, board)[0])

    def _boards(self, seeds: int) -> Array:
        boards = np.zeros((1, 0), dtype=np.int64)
        left = np.array([seeds])
        for _ in range(2 * self.pits - 1):
            counts = left + 1
            first = np.repeat(np.cumsum(counts) - counts, counts)
            here = np.arange(counts.sum()) - first
            boards = np.column_stack([np.repeat(boards, counts, axis=0), here])
            left = np.repeat(left, counts) - here
        return np.column_stack([boards, left])

    def _code(self, boards: Array) -> Array:
        return boards @ (1 << 5 * np.arange(2 * self.pits, dtype=np.int64))

    def _look_up(self, seeds: int, boards: Array) -> Array:
        at = np.searchsorted(self.codes[seeds], self._code(boards))
        return self.values[seeds][at]

    def _sow(self, boards: Array, pit: int) -> tuple[Array, Array]:
        """The boards after the move, from the view of the other side, and what it captures."""
        lanes = 2 * self.pits
        ring = [(pit + i) % lanes for i in range(1, lanes)]
        seeds = boards[:, pit]
        laps, rest = seeds // len(ring), seeds % len(ring)
        after = boards + laps[:, None]
        after[:, pit] = 0
        for step, lane in enumerate(ring):
            after[:, lane] += step < rest
        last = np.array([ring[step - 1] for step in range(len(ring))])[rest]
        left = after.copy()
        chain = np.zeros(len(boards), dtype=bool)
        for lane in range(lanes - 1, self.pits - 1, -1):
            chain = (chain | (last == lane)) & np.isin(after[:, lane], (2, 3))
            left[chain, lane] = 0
        slam = left[:, self.pits :].sum(axis=1) == 0
        left[slam] = after[slam]
        captured = after.sum(axis=1) - left.sum(axis=1)
        return np.roll(left, self.pits, axis=1), captured

    def _add_layer(self, seeds: int) -> None:
        boards = self._boards(seeds)
        order = np.argsort(self._code(boards))
        boards = boards[order]
        codes = self._code(boards)
        fixed = np.full(len(boards), -100)  # the best move that captures
        rounds = np.full((self.pits, len(boards)), -1)  # where the others lead to
        opponent = boards[:, self.pits :].sum(axis=1)
        for pit in range(self.pits):
            after, captured = self._sow(boards, pit)
            given = after[:, : self.pits].sum(axis=1)
            legal = (boards[:, pit] > 0) & ((opponent > 0) | (given > 0))
            quiet = legal & (captured == 0)
            rounds[pit, quiet] = np.searchsorted(codes, self._code(after[quiet]))
            for gain in np.unique(captured[legal & (captured > 0)]):
                some = legal & (captured == gain)
                worth = gain - self._look_up(seeds - gain, after[some])
                fixed[some] = np.maximum(fixed[some], worth)
        stuck = (fixed == -100) & (rounds == -1).all(axis=0)
        fixed[stuck] = seeds - 2 * opponent[stuck]
        values = np.zeros(len(boards), dtype=np.int64)
        while True:
            turned = np.where(rounds >= 0, -values[rounds], -100).max(axis=0)
            better = np.maximum(fixed, turned)
            if (better == values).all():
                break
            values = better
        self.codes.append(codes)
        self.values.append(values)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "value"), [("3x2", 6), ("3x3", 1), ("4x3", -1)])
def test_whole_games_against_arrays(size: str, value: int) -> None:
    pits, seeds = map(int, size.split("x"))
    total = 2 * pits * seeds
    assert Arrays(pits, total).value(total, [seeds] * 2 * pits) == value
    game = mossa.game(f"oware:{size},repeat=share")
    assert mossa.solve(game.start()).score == Exact(value)


# --- by the real game, with all that has been before ---------------------------------------------


def positions_with_a_past(game: mossa.Game, count: int, seed: int) -> Iterator[mossa.Position]:
    """Positions of random games, some of which have gone in circles for a while."""
    rng = random.Random(seed)
    while count:
        position = game.start()
        for _ in range(rng.randrange(20)):
            if position.outcome is not None:
                break
            position = position.play(rng.choice(position.moves))
        if position.outcome is None:
            count -= 1
            yield position


@pytest.mark.parametrize(
    "name",
    [
        "oware:2x1",
        "oware:2x2,slam=take",
        "oware:2x2,slam=forbid",
        pytest.param("oware:2x2", marks=pytest.mark.slow),
        pytest.param("oware:2x3,slam=forbid", marks=pytest.mark.slow),
    ],
)
def test_solver_against_brute_force(name: str, oracle: BruteForce) -> None:
    game = mossa.game(f"{name},repeat=share")
    solver = Solver(game)
    for position in positions_with_a_past(game, 100, seed=1):
        solution = solver.solve(position)
        truth = oracle.score(position)
        assert solution.score == truth, position.text
        assert solution.moves == oracle.moves(position), position.text
        end = position.after(solution.line)
        assert end.outcome is not None
        value = end.outcome.value if position.side is mossa.Side.first else -end.outcome.value
        assert Exact(value) == truth, position.text


def test_what_has_been_before_can_take_a_gain_away(oracle: BruteForce) -> None:
    """First would win the last seed too, but the way there leads through a position that was."""
    game = mossa.game("oware:2x2,repeat=share")
    board = "1,0,5/2,0,0 second"
    barred = game.from_text(f"{board} after 2,0,5/0,1,0 second 2 1 2 2")
    solver = Solver(game)
    assert solver.solve(game.from_text(board)).score == Exact(-6)
    assert solver.solve(barred).score == oracle.score(barred) == Exact(-5)
    tables = CoreTables(game, 3)
    for _ in range(4):
        tables.build_layer()
    assert tables.get(game.from_text(board)) == -1
    assert tables.get(barred) is None


@pytest.mark.parametrize(("size", "value"), [("2x1", 2), ("3x1", 0), ("3x2", 6), ("3x3", 1)])
def test_solved_from_the_start(size: str, value: int) -> None:
    solution = mossa.solve(mossa.game(f"oware:{size},repeat=share").start())
    assert solution.score == Exact(value)
    end = solution.position.after(solution.line).outcome
    assert end is not None
    assert end.value == value


def test_rules_whose_values_depend_on_the_past_are_refused() -> None:
    with pytest.raises(mossa.GameError) as caught:
        mossa.solve(mossa.game("oware:3x3,slam=take").start())
    assert str(caught.value) == (
        "cannot solve oware:3x3,slam=take: with repeat=row the value of a position depends on "
        "earlier moves; use oware:3x3,slam=take,repeat=share"
    )


def test_a_limit_leaves_bounds() -> None:
    solution = mossa.solve(
        mossa.game("oware,repeat=share").start(), memory=16, limits=mossa.Limits(nodes=5000)
    )
    assert isinstance(solution.score, mossa.Bound)
    assert solution.score.low <= solution.score.high
    assert solution.line == []
