"""Laws of the rules: moves, ends and lines."""

from __future__ import annotations

import itertools
import random

import reference
from reference.mnk import cell_name

import mossa
from laws.play import (
    Cell,
    Cells,
    area,
    ending,
    is_large,
    lanes_through,
    lines_text,
    most_plies,
    random_game,
    references,
    some_lanes,
    texts,
    where,
)


def agree(position: mossa.Position, naive: reference.Reference) -> None:
    """A position shows what its reference shows: side, cells, moves in order, and outcome."""
    assert position.side.value == naive.side, where(position)
    assert position.cells == naive.cells(), where(position)
    assert texts(position.moves) == naive.moves(), where(position)
    assert ending(position) == naive.outcome(), where(position)


def plays_by_the_rules(game: mossa.Game, rng: random.Random) -> None:
    """The core and the naive reference agree, move by move, over whole random games."""
    for _ in range(8 if area(game) <= 64 else 4 if area(game) <= 150 else 2):
        positions = random_game(game, rng)
        every = 1 + area(game) // 400
        for ply, naive in enumerate(references(positions)):
            if ply % every == 0 or ply >= len(positions) - 2:
                agree(positions[ply], naive)


def ends_in_time(game: mossa.Game, rng: random.Random) -> None:
    """Every game ends within a bound, with a reason, and its winner is the one its value names."""
    outcome = random_game(game, rng)[-1].outcome
    assert outcome is not None, f"{game.name} goes on after {most_plies(game)} moves"
    sign = (outcome.value > 0) - (outcome.value < 0)
    assert outcome.winner == {1: mossa.Side.first, 0: None, -1: mossa.Side.second}[sign]
    assert game.kind == "kalah" or outcome.value == sign
    assert outcome.reason
    assert "\n" not in outcome.reason
    assert str(outcome)
    assert "\n" not in str(outcome)


def only_listed_moves_are_accepted(game: mossa.Game, rng: random.Random) -> None:
    """Of all cells, columns and pits, on the board and just off it, `play` takes those in `moves`.

    It refuses the others with IllegalMoveError, and `is_legal` tells the same beforehand.
    """
    candidates = _candidates(game)
    positions = random_game(game, rng, 20 if is_large(game) else 60)
    chosen = rng.sample(positions, min(len(positions), 1 if is_large(game) else 4))
    for position in [*chosen, positions[-1]]:
        legal = set(texts(position.moves))
        assert legal <= set(candidates), where(position)
        for text in rng.sample(candidates, min(len(candidates), 60)):
            assert position.is_legal(text) == (text in legal), f"{text} {where(position)}"
            assert position.is_legal(mossa.Move(text)) == (text in legal)
            message = refusal(position, text)
            assert (message is None) == (text in legal), f"{text} {where(position)}"
            if message is None:
                assert position.play(text) == position.play(mossa.Move(text)), where(position)
                assert position.play(text).last_move == text, where(position)
            else:
                assert repr(text) in message
                assert game.name in message


def refusal(position: mossa.Position, text: str) -> str | None:
    """What `play` says when it refuses a move; None when it accepts it."""
    try:
        position.play(text)
    except mossa.IllegalMoveError as error:
        return str(error)
    return None


def _candidates(game: mossa.Game) -> list[str]:
    if game.kind == "kalah":
        return [str(pit + 1) for pit in range(game.sizes["pits"] + 2)] + ["swap"]
    if game.kind == "connect":
        return [str(col + 1) for col in range(game.sizes["cols"] + 2)]
    rows, cols = min(game.sizes["rows"] + 1, 100), min(game.sizes["cols"] + 1, 100)
    return [cell_name(row, col) for row in range(rows) for col in range(cols)]


def nothing_follows_the_end(game: mossa.Game, rng: random.Random) -> None:
    """Once there is an outcome there are no moves, and all are refused; before, there are some."""
    positions = random_game(game, rng)
    for position in positions[:-1]:
        assert position.outcome is None, where(position)
        assert is_large(game) or position.moves, where(position)
    last = positions[-1]
    assert last.outcome is not None, where(last)
    assert last.moves == [], where(last)
    assert [last.perft(plies) for plies in (0, 1, 3)] == [1, 0, 0], where(last)
    assert last.count_states() == 1, where(last)
    for text in rng.sample(_candidates(game), min(len(_candidates(game)), 60)):
        assert not last.is_legal(text), f"{text} {where(last)}"
        message = refusal(last, text)
        assert message is not None, f"{text} {where(last)}"
        assert repr(text) in message


def one_move_is_one_step(game: mossa.Game, rng: random.Random) -> None:
    """What a move may change.

    Lines: the sides alternate, and each move adds one stone of the mover and touches no other.
    Kalah: no seed is lost, and no store shrinks unless the sides swap.
    """
    positions = random_game(game, rng, 40 if is_large(game) else 100)
    assert positions[0].last_move is None
    assert positions[0].last_cell is None
    assert positions[0].ply == 0
    assert positions[0].side == mossa.Side.first
    for before, after in itertools.pairwise(positions):
        assert after.ply == before.ply + 1, where(after)
        if game.kind == "kalah":
            _check_sowing(before, after)
        else:
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
    if after.game.kind == "mnk":
        assert (move.row, move.col, move.number) == (row, col, None), where(after)
        assert move == cell_name(row, col), where(after)
    else:
        assert (move.row, move.col, move.number) == (None, None, col + 1), where(after)
        assert move == str(col + 1), where(after)
        assert all(after.cells[below][col] for below in range(row)), where(after)


def _check_sowing(before: mossa.Position, after: mossa.Position) -> None:
    move = after.last_move
    assert move is not None
    assert (move.row, move.col) == (None, None), where(after)
    assert sum(map(sum, before.cells)) == sum(map(sum, after.cells)), where(after)
    if move == "swap":
        assert (move.number, after.last_cell) == (None, None), where(after)
        assert after.cells == before.cells[::-1], where(after)
        assert (before.side, after.side) == (mossa.Side.second, mossa.Side.first), where(after)
    else:
        assert move.number is not None
        assert move == str(move.number), where(after)
        assert after.last_cell == (before.side.value, move.number - 1), where(after)
        for old, new in zip(before.cells, after.cells, strict=True):
            assert old[-1] <= new[-1], where(after)


def lines_are_seen_anywhere(game: mossa.Game, rng: random.Random) -> None:
    """The stone that completes a line ends the game, wherever on the board the line stands.

    Random games put their lines where random games go; here boards are set up one stone short of a
    line in every direction and up to every edge. `winning_cells` are all stones of all such lines,
    and only those, as a scan of the whole board finds them.
    """
    if game.kind == "kalah":
        assert all(position.winning_cells == [] for position in random_game(game, rng))
        return
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
    lines = winning_lines(position.cells, sizes["k"], exact=options.get("exact") == "yes")
    stones = {cell for line in lines for cell in line}
    assert set(position.winning_cells) == stones, where(position)
    assert len(position.winning_cells) == len(stones), where(position)
    if stones:
        mover = 1 - position.side.value
        assert ending(position) == (mover, 1 - 2 * mover), where(position)
    else:
        full = all(all(row) for row in position.cells)
        assert ending(position) == ((None, 0) if full else None), where(position)


def winning_lines(cells: Cells, k: int, *, exact: bool) -> list[list[Cell]]:
    """All unbroken runs of one colour that are long enough to win, by a scan of the whole board."""
    rows, cols = len(cells), len(cells[0])

    def at(row: int, col: int) -> int:
        return cells[row][col] if 0 <= row < rows and 0 <= col < cols else 0

    found = []
    for row, col in itertools.product(range(rows), range(cols)):
        stone = cells[row][col]
        if stone == 0:
            continue
        for step_row, step_col in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if at(row - step_row, col - step_col) == stone:
                continue  # the run began earlier
            run = [(row, col)]
            while at(run[-1][0] + step_row, run[-1][1] + step_col) == stone:
                run.append((run[-1][0] + step_row, run[-1][1] + step_col))
            if len(run) == k or (len(run) > k and not exact):
                found.append(run)
    return found


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
    if game.kind == "connect" and len({col for _, col in lane}) == 1:
        gap = lane[-1]  # a column grows from below
    if rng.random() < 0.5:
        lane = lane + rng.choice(lanes_through(gap, rows, cols, length))
    if game.kind == "connect" and any(col == gap[1] and row > gap[0] for row, col in lane):
        return None  # a stone above the gap
    grid = [[0] * cols for _ in range(rows)]
    for row, col in lane:
        if (row, col) != gap:
            grid[row][col] = side + 1
    if game.kind == "connect":
        for row, col in lane:
            for below in range(row):
                if grid[below][col] == 0:
                    grid[below][col] = (below // 2 + col) % 2 + 1  # no run of three anywhere
    surplus = sum(row.count(1) - row.count(2) for row in grid) - side
    for _ in range(4 * area(game)):
        if surplus == 0:  # as many stones of each, or one more of first's: `side` is to move
            break
        colour = 1 if surplus < 0 else 2
        row, col = rng.randrange(rows), rng.randrange(cols)
        if game.kind == "connect":
            row = next((r for r in range(rows) if grid[r][col] == 0), rows)
            if col == gap[1] or row == rows:
                continue
        if (row, col) == gap or grid[row][col]:
            continue
        grid[row][col] = colour
        surplus += 1 if colour == 1 else -1
    else:
        return None
    if winning_lines(tuple(map(tuple, grid)), k, exact=exact):
        return None
    move = str(gap[1] + 1) if game.kind == "connect" else cell_name(*gap)
    return lines_text(grid), move
