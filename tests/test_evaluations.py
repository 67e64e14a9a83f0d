"""The evaluations of the core, kept up to date move by move, against their definitions.

An evaluation is not called from Python; a search to depth 1 or 2 without ordering shows its values.
The definitions below are naive: they count the whole board each time.
"""

import random
from collections.abc import Callable, Iterator

import pytest

import mossa
from mossa import Estimate, Limits, Position, Search, Side

Cells = tuple[tuple[int, ...], ...]
Evaluation = Callable[[Position, Side], int]  # the position for the searcher


def lines(cells: Cells) -> Iterator[list[int]]:
    """Every row, column and diagonal."""
    rows, cols = len(cells), len(cells[0])
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(rows):
            for col in range(cols):
                if 0 <= row - up < rows and 0 <= col - right < cols:
                    continue
                line = []
                r, c = row, col
                while 0 <= r < rows and 0 <= c < cols:
                    line.append(cells[r][c])
                    r, c = r + up, c + right
                yield line


def stones(searcher: Side) -> tuple[int, int]:
    """How the cells show the searcher's stones and the opponent's."""
    return (1, 2) if searcher is Side.first else (2, 1)


def windows(weight: Callable[[int, int], int]) -> Evaluation:
    def evaluate(position: Position, searcher: Side) -> int:
        own, opposing = stones(searcher)
        k = position.game.sizes["k"]
        total = 0
        for line in lines(position.cells):
            for begin in range(len(line) - k + 1):
                window = line[begin : begin + k]
                if opposing not in window:
                    total += weight(window.count(own), k)
                if own not in window:
                    total -= weight(window.count(opposing), k)
        return total

    return evaluate


def stone_weight(count: int, k: int) -> int:
    return 4 ** (count - 1) if count else 0


def scenario_weight(count: int, k: int) -> int:
    return [1000, 200, 40, 8, 1][k - count] if count and k - count <= 4 else 0


def sequences(position: Position, searcher: Side) -> int:
    k = position.game.sizes["k"]
    total = 0
    for line in lines(position.cells):
        own, opposing = stones(searcher)
        for mine, other, power, sign in ((own, opposing, 2.0, 1), (opposing, own, 3.6, -1)):
            stretch: list[int] = []
            for cell in [*line, other]:
                if cell != other:
                    stretch.append(cell)
                    continue
                if len(stretch) >= k:
                    worth = min(1e4, stretch.count(mine) ** power)
                    total += sign * int(16 * worth * len(stretch))
                stretch = []
    return total


def margin(position: Position, searcher: Side) -> int:
    difference = position.cells[0][-1] - position.cells[1][-1]
    return difference if searcher is Side.first else -difference


def adjacency(position: Position, searcher: Side) -> int:
    assert position.last_cell is not None
    row, col = position.last_cell
    mover = Side.second if position.side is Side.first else Side.first
    mine = stones(mover)[0]
    cells = position.cells
    count = sum(
        cells[r][c] == mine
        for r in range(max(row - 1, 0), min(row + 2, len(cells)))
        for c in range(max(col - 1, 0), min(col + 2, len(cells[0])))
        if (r, c) != (row, col)
    )
    return count if mover is searcher else -count


EVALUATIONS: dict[str, Evaluation] = {
    "windows": windows(stone_weight),
    "scenarios": windows(scenario_weight),
    "sequences": sequences,
    "adjacency": adjacency,
    "margin": margin,
}
LINE_GAMES = [
    "mnk:3x3x3",
    "mnk:6x6x4",
    "mnk:4x9x4",
    "mnk:10x10x5",
    "connect:6x7x4",
    "connect:4x8x5",
]


def naive(position: Position, depth: int, searcher: Side, evaluation: Evaluation) -> int | None:
    """Minimax for the side to move; None if a game ends within the depth."""
    if position.outcome is not None:
        return None
    if depth == 0:
        value = evaluation(position, searcher)
        return value if position.side is searcher else -value
    best: int | None = None
    for move in position.moves:
        child = position.play(move)
        value_below = naive(child, depth - 1, searcher, evaluation)
        if value_below is None:
            return None
        value = value_below if child.side is position.side else -value_below
        best = value if best is None else max(best, value)
    return best


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize(
    ("name", "evaluation"),
    [(name, each) for name in LINE_GAMES for each in EVALUATIONS if each != "margin"]
    + [("kalah:4x3", "margin"), ("bantumi", "margin")],
)
def test_values_are_those_of_the_definition(
    name: str, evaluation: str, depth: int, algorithm: str
) -> None:
    game = mossa.game(name)
    if depth == 2 and len(game.start().moves) > 30:
        depth = 1  # the definition is slow
    rng = random.Random(f"{name} {evaluation} {depth}")
    options = {"evaluate": evaluation}
    if algorithm == "alphabeta":
        options |= {"near": "0", "deepen": "off", "order": "value"}
    checked = 0
    for _ in range(12 if depth == 1 else 3):
        position = game.start()
        for _ in range(rng.randrange(1, 14)):
            if position.outcome is None:
                position = position.play(rng.choice(position.moves))
        expected = naive(position, depth, position.side, EVALUATIONS[evaluation])
        if expected is None:
            continue
        info = Search(game, algorithm, options).run(position, Limits(depth=depth))
        assert info.score == Estimate(expected), position.history_text
        checked += 1
    assert checked or game.name == "mnk:3x3x3"
