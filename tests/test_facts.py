"""Numbers that others found: counts of positions and move sequences, and solved values.

The values are found again by brute force over the core's positions: no search of the package is
used, so that what is tested is the rules.
"""

from __future__ import annotations

import csv
import pathlib

import pytest

import mossa

DATA = pathlib.Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a file of facts, by column name."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# --- counts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows_", "cols", "k", "states"),
    [(row["rows"], row["cols"], row["k"], row["states"]) for row in rows("connect-states.csv")],
)
def test_connect_states(rows_: str, cols: str, k: str, states: str) -> None:
    assert mossa.game(f"connect:{rows_}x{cols}x{k}").start().count_states() == int(states)


def test_tictactoe_states() -> None:
    assert mossa.game("tictactoe").start().count_states() == 5478


MOST_SEQUENCES = 50_000_000  # a second or so; one row beyond it is kept as data


@pytest.mark.parametrize(
    ("name", "plies", "sequences"),
    [
        (row["game"], int(row["plies"]), int(row["sequences"]))
        for row in rows("perft.csv")
        if int(row["sequences"]) <= MOST_SEQUENCES
    ],
)
def test_perft(name: str, plies: int, sequences: int) -> None:
    assert mossa.game(name).start().perft(plies) == sequences


def test_tictactoe_games() -> None:
    """255168 complete games: each ends where a sequence cannot be extended."""

    def games(position: mossa.Position, plies: int) -> int:
        if position.outcome is not None:
            return 1
        return sum(games(position.play(move), plies + 1) for move in position.moves)

    # one opening of each kind, times the cells of that kind: corners, edges, centre
    start = mossa.game("tictactoe").start()
    counts = [games(start.play(move), 1) for move in ("a1", "b1", "b2")]
    assert 4 * counts[0] + 4 * counts[1] + counts[2] == 255168


@pytest.mark.parametrize(
    ("hands", "moves"),
    [
        (int(row["hands"]), int(row["minimax"]))
        for row in rows("bantumi-nodes.csv")
        if int(row["hands"]) <= 2
    ],
)
def test_bantumi_moves_examined(hands: int, moves: int) -> None:
    """Plain minimax by hands: depth grows only when the turn passes, extra turns are free.

    Of the combinations of empty capture, majority and end rules only Bantumi's gives these counts.
    """

    def examined(position: mossa.Position, depth: int) -> int:
        if depth > 2 * hands - 1:
            return 0
        count = 0
        for move in position.moves:
            after = position.play(move)
            count += 1 + examined(after, depth + (after.side != position.side))
        return count

    assert examined(mossa.game("bantumi").start(), 0) == moves


# --- values --------------------------------------------------------------------------------------


def length(position: mossa.Position, memory: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """(value for the first side, plies to the end) with perfect play, by visiting everything.

    A side takes the best value for itself; among equals a won game ends soon, a lost one late.
    """
    known = memory.get(position.key)
    if known is not None:
        return known
    if position.outcome is not None:
        return position.outcome.value, 0
    sign = 1 if position.side == mossa.Side.first else -1

    def merit(result: tuple[int, int]) -> tuple[int, int]:
        value, plies = sign * result[0], result[1]
        return value, -plies if value > 0 else plies

    results = [length(position.play(move), memory) for move in position.moves]
    best, plies = max(results, key=merit)
    memory[position.key] = best, plies + 1
    return best, plies + 1


def reaches(position: mossa.Position, goal: int, memory: dict[int, bool]) -> bool:
    """Whether the first side can force a value of at least `goal`: a yes-or-no brute force.

    Turns need not alternate: who chooses is asked of every position. Last moves first, because in
    kalah the pits next to the store earn extra turns.
    """
    if position.outcome is not None:
        return position.outcome.value >= goal
    known = memory.get(position.key)
    if known is not None:
        return known
    wanted = position.side == mossa.Side.first
    choices = reversed(position.moves)
    found = any(reaches(position.play(move), goal, memory) == wanted for move in choices)
    memory[position.key] = found == wanted
    return found == wanted


def is_value(position: mossa.Position, value: int) -> bool:
    """Whether the first side can force `value` and no more."""
    return reaches(position, value, {}) and not reaches(position, value + 1, {})


VALUE = {"W": 1, "D": 0}


@pytest.mark.parametrize(
    ("size", "value"),
    [
        (size, row["value"])
        for row in rows("mnk-values.csv")
        if int(row["m"]) * int(row["n"]) <= 16 and row["k"] == "3"
        for size in sorted({f"{row['m']}x{row['n']}x3", f"{row['n']}x{row['m']}x3"})
    ]
    + [("5x3x4", "D")],
)
def test_mnk_values(size: str, value: str) -> None:
    assert is_value(mossa.game(f"mnk:{size}").start(), VALUE[value])


LENGTHS = {
    (row["rows"], row["cols"], row["k"]): int(row["last_move"])
    for row in rows("connect-values.csv")
    if row["last_move"]
}


@pytest.mark.parametrize(
    ("size", "value"),
    [
        ((row["rows"], row["cols"], row["k"]), row["value"])
        for row in rows("connect-states.csv")
        if int(row["states"]) <= 45_000
    ],
)
def test_connect_values(size: tuple[str, str, str], value: str) -> None:
    found, plies = length(mossa.game(f"connect:{'x'.join(size)}").start(), {})
    assert found == VALUE[value]
    assert plies == LENGTHS.get(size, plies)


@pytest.mark.parametrize(
    ("size", "value", "plies"),
    [
        (f"{row['rows']}x{row['cols']}", int(row["value"]), int(row["plies"]))
        for row in rows("breakthrough-values.csv")
    ],
)
def test_breakthrough_values(size: str, value: int, plies: int) -> None:
    start = mossa.game(f"breakthrough:{size}").start()
    if plies <= 12:
        assert length(start, {}) == (value, plies)
    if plies <= 20:
        assert mossa.solve(start).score == mossa.Exact(value, plies)


@pytest.mark.parametrize(
    ("size", "empty_capture", "margin"),
    [
        (f"{row['pits']}x{row['seeds']}", row["empty_capture"], int(row["first_player_margin"]))
        for row in rows("kalah-values.csv")
        if int(row["pits"]) * int(row["seeds"]) <= 12
    ],
)
def test_kalah_values(size: str, empty_capture: str, margin: int) -> None:
    game = mossa.game(f"kalah:{size},empty_capture={empty_capture}")
    assert is_value(game.start(), margin)
