"""The evaluations of the core, kept up to date move by move, against their definitions.

They are asked through a search to depth 1 or 2, which follows the moves, and position by position.
The definitions below are naive: they count the whole board each time.
"""

import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from line_checks import (
    LINE_GAMES,
    WEIGHTS,
    Board,
    lines,
    random_position,
    stones,
    ways,
    wins_at_once,
)

import mossa
from mossa import Estimate, GameError, Limits, Position, Search, Side

Evaluation = Callable[[Position, Side], int]  # the position for the searcher


def windows(weight: Callable[[int, int], int]) -> Evaluation:
    def evaluate(position: Position, searcher: Side) -> int:
        board = Board(position)
        return sum(
            (1 if side is searcher else -1) * weight(board.k - board.count_empty(cells), board.k)
            for side in Side
            for _, cells in ways(board, side)
        )

    return evaluate


def stone_weight(count: int, k: int) -> int:
    return 4 ** (count - 1) if count else 0


def falling_weight(count: int, k: int) -> int:
    if k <= 4:
        return stone_weight(count, k)
    return 2 ** (count + 1) if count else 0


def scenario_weight(count: int, k: int) -> int:
    return WEIGHTS[k - count] if count and k - count < len(WEIGHTS) else 0


def scenarios(position: Position, searcher: Side) -> int:
    if wins_at_once(position):
        return 100_000_000 if position.side is searcher else -100_000_000
    return windows(scenario_weight)(position, searcher)


def sequences(own_power: float, opposing_power: float, times_length: bool) -> Evaluation:
    def evaluate(position: Position, searcher: Side) -> int:
        k = position.game.sizes["k"]
        total = 0
        own, opposing = stones(searcher)
        roles = ((own, opposing, own_power, 1), (opposing, own, opposing_power, -1))
        for line in lines(Board(position)):
            for mine, other, power, sign in roles:
                stretch: list[int] = []
                for cell in [*line, other]:
                    if cell != other:
                        stretch.append(cell)
                        continue
                    if len(stretch) >= k:
                        worth = min(1e4, float(stretch.count(mine)) ** power)
                        total += sign * int(16 * worth * (len(stretch) if times_length else 1))
                    stretch = []
        return total

    return evaluate


def margin(position: Position, searcher: Side) -> int:
    difference = position.cells[0][-1] - position.cells[1][-1]
    return difference if searcher is Side.first else -difference


def seeds(position: Position, searcher: Side) -> int:
    """The stores, and in eighths of a seed what either side has in the pits."""
    mover = int(position.side is Side.second)
    total = sum(map(sum, position.cells))
    eighths, kept = 0, 0
    for side, sign, extra, threat in ((mover, 1, 12, 6), (1 - mover, -1, 2, 3)):
        *own, _ = position.cells[side]
        opposite = position.cells[1 - side][-2::-1]
        captures = [0]
        for pit, count in enumerate(own):
            to_store = len(own) - pit
            if count:
                eighths += sign * 8
                kept += sign * min(count, to_store)
            if count == to_store:
                eighths += sign * extra
            elif 0 < count < to_store and own[pit + count] == 0 and opposite[pit + count]:
                captures.append(opposite[pit + count] + 1)
        eighths += sign * threat * max(captures)
    if position.game.options.get("leftover", "owner") == "owner":
        gathered = sum(row[-1] for row in position.cells)
        share = Fraction(8 * kept * gathered**2, total**2)
        eighths += math.trunc(share)
    rounded = math.trunc(Fraction(eighths, 8) + Fraction(1 if eighths > 0 else -1, 2))
    return margin(position, searcher) + (rounded if position.side is searcher else -rounded)


def adjacency(position: Position, searcher: Side) -> int:
    assert position.last_cell is not None
    row, col = position.last_cell
    mine = stones(searcher)[0]
    cells = position.cells
    return sum(
        cells[r][c] == mine
        for r in range(max(row - 1, 0), min(row + 2, len(cells)))
        for c in range(max(col - 1, 0), min(col + 2, len(cells[0])))
        if (r, c) != (row, col)
    )


def parity(position: Position, searcher: Side) -> int:
    """Windows, and the lowest threat of every column that is not at once playable."""
    board = Board(position)
    rows, cols, k = (position.game.sizes[name] for name in ("rows", "cols", "k"))
    missing = {
        side: {
            cell
            for _, cells in ways(board, side)
            if board.count_empty(cells) == 1
            for cell in cells
            if board.stones[cell] == 0
        }
        for side in Side
    }
    counts = Counter[tuple[Side, str]]()
    for col in range(cols):
        empty = [(row, col) for row in range(rows) if board.stones[row, col] == 0]
        for cell in empty[1:]:
            owners = [side for side in Side if cell in missing[side]]
            if owners:
                # Everything else full, who is to move when this cell is the next?
                stones_before = rows * (cols - 1) + cell[0]
                gets_it = Side.first if stones_before % 2 == 0 else Side.second
                if len(owners) == 1:
                    counts[owners[0], gets_it.name] += max(0, 8 - empty.index(cell))
                break
    first_own, first_other = counts[Side.first, "first"], counts[Side.first, "second"]
    second_own, second_other = counts[Side.second, "second"], counts[Side.second, "first"]
    points = 11 * (first_own - second_own - second_other) + 4 * first_other
    if first_own > second_other:
        points += 11 * 8
    elif second_own:
        points -= 11 * 8
    value = int(falling_weight(k - 1, k) * points / 80)
    return windows(falling_weight)(position, searcher) + (
        value if searcher is Side.first else -value
    )


EVALUATIONS: dict[str, Evaluation] = {
    "windows": windows(stone_weight),
    "scenarios": scenarios,
    "sequences": sequences(2.0, 3.6, times_length=True),
    "sequences-3": sequences(2.0, 3.0, times_length=True),
    "sequences-4": sequences(2.0, 4.0, times_length=True),
    "squares": sequences(2.0, 2.0, times_length=False),
    "stones": sequences(1.0, 1.0, times_length=False),
    "open-lines": sequences(0.0, 0.0, times_length=False),
    "adjacency": adjacency,
    "parity": parity,
    "margin": margin,
    "seeds": seeds,
}
ONLY_FOR = {"margin": "kalah", "seeds": "kalah", "parity": "connect"}


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
    [
        (name, each)
        for name in [
            *LINE_GAMES,
            "connect:5x6x4",
            "connect:7x6x4",
            "connect:7x7x6",
            "kalah:4x3",
            "kalah:8x5",
            "bantumi",
        ]
        for each in EVALUATIONS
        if mossa.game(name).kind == ONLY_FOR.get(each, mossa.game(name).kind)
        and (each in ("margin", "seeds")) == (mossa.game(name).kind == "kalah")
    ],
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
    for _ in range(12 if depth == 1 or evaluation == "parity" else 3):
        position = game.start()
        for _ in range(rng.randrange(1, 14) if evaluation != "parity" else rng.randrange(8, 30)):
            if position.outcome is None:
                position = position.play(rng.choice(position.moves))
        expected = naive(position, depth, position.side, EVALUATIONS[evaluation])
        if expected is None:
            continue
        info = Search(game, algorithm, options).run(position, Limits(depth=depth))
        margin = game.traits.scoring is mossa.Scoring.margin
        assert info.score == Estimate(expected, margin=margin), position.history_text
        checked += 1
    assert checked or game.name == "mnk:3x3x3"


@pytest.mark.parametrize("name", ["mnk:6x6x4", "mnk:5x8x4,exact=yes", "connect:6x7x4", "kalah:4x3"])
def test_a_position_is_evaluated_for_either_side(name: str) -> None:
    """By the same definitions, without a search."""
    game = mossa.game(name)
    rng = random.Random(name)
    for evaluation, definition in EVALUATIONS.items():
        if game.kind != ONLY_FOR.get(evaluation, game.kind):
            continue
        if (evaluation in ("margin", "seeds")) != (game.kind == "kalah"):
            continue
        for _ in range(10):
            position = random_position(game, rng, rng.randrange(1, 12))
            if position.outcome is not None:
                continue
            for side in Side:
                value = mossa.evaluate(position, evaluation, side=side)
                assert value == definition(position, side), (evaluation, position.history_text)
            assert mossa.evaluate(position, evaluation) == definition(position, position.side)
        # A board that was set up has no last stone; all others see it as it is.
        if evaluation != "adjacency":
            again = game.from_text(position.text)
            assert again.outcome or mossa.evaluate(again, evaluation) == mossa.evaluate(
                position, evaluation
            )


def test_the_lines_of_the_report_that_tell_nothing() -> None:
    """Its example: by open lines the block and the blunder are alike, by squares they are not."""
    game = mossa.game("tictactoe")
    block, blunder = (game.from_text(f"xx{cell}/o../.{low}.") for cell, low in ("o.", ".o"))
    for position in (block, blunder):
        assert position.side is Side.first

    def rows(evaluation: str, position: Position) -> int:
        return mossa.evaluate(position, evaluation, side=Side.second)

    assert rows("squares", block) > rows("squares", blunder)
    assert rows("sequences", block) > rows("sequences", blunder)
    # All lines together prefer the block a little; the report looks at the rows alone.
    assert rows("open-lines", block) - rows("open-lines", blunder) < 16 * 3


def test_the_adjacency_of_the_report_is_never_below_zero() -> None:
    """A float in [0, 1) there, a ninth of the count here: for the searcher, whoever moved last."""
    rng = random.Random(1)
    for _ in range(100):
        position = random_position(mossa.game("connect4"), rng, rng.randrange(1, 30))
        if position.outcome is None:
            for side in Side:
                assert 0 <= mossa.evaluate(position, "adjacency", side=side) / 9 < 1


@pytest.mark.parametrize(
    ("name", "moves", "evaluation", "message"),
    [
        ("connect4", "", "widows", "unknown evaluation 'widows': did you mean 'windows'? there "),
        ("connect4", "", "margin", "cannot evaluate connect:6x7x4: evaluate=margin does not "),
        (
            "kalah",
            "",
            "windows",
            "cannot evaluate kalah:6x4: evaluate=windows does not work for this game; "
            "these do: margin",
        ),
        (
            "gomoku",
            "",
            "parity",
            "cannot evaluate mnk:15x15x5: evaluate=parity does not work for this game; "
            "these do: windows",
        ),
        (
            "connect4",
            "4141414",
            "windows",
            "nothing to evaluate in connect:6x7x4: the game is over",
        ),
    ],
)
def test_what_cannot_be_evaluated(name: str, moves: str, evaluation: str, message: str) -> None:
    with pytest.raises(GameError) as caught:
        mossa.evaluate(mossa.game(name).position(moves), evaluation)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
