"""Laws that hold in every game of every size, checked by random play.

Each law is a function of a game and a random source. It plays some games, fails with an assertion
that tells where, and returns nothing. Whoever adds a game writes its rules a second time in
`reference/` and calls

    laws.check(mossa.game("connect:6x7x4"), seed=1)

Work is bounded by the size of the board, so that a law takes milliseconds on a small board and
well below a second on a board of 100 x 100.
"""

from __future__ import annotations

import copy
import itertools
import pickle
import random
from collections.abc import Callable, Iterator

import reference
from reference.mnk import cell_name

import mossa

Law = Callable[[mossa.Game, random.Random], None]
Cell = tuple[int, int]
Cells = tuple[tuple[int, ...], ...]

LAWS: list[Law] = []


def law(function: Law) -> Law:
    """Enter a law into the list of all laws."""
    LAWS.append(function)
    return function


def check(game: mossa.Game, *, seed: int) -> None:
    """Hold one game against every law."""
    for each in LAWS:
        each(game, random.Random(seed))


# --- random play ---------------------------------------------------------------------------------


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
    lanes = _lanes(rows, cols, k)
    mine = rng.choice(lanes)
    theirs = rng.choice([lane for lane in lanes if not set(lane) & set(mine)] or lanes)
    if rng.random() < 0.5:
        mine = mine[1:]  # first wastes a move, so that second is sooner
    return [cell_name(*cell) for cell in mine], [cell_name(*cell) for cell in theirs]


def _lanes(rows: int, cols: int, length: int) -> list[list[Cell]]:
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


def _lanes_through(cell: Cell, rows: int, cols: int, length: int) -> list[list[Cell]]:
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


# --- the rules -----------------------------------------------------------------------------------


def agree(position: mossa.Position, naive: reference.Reference) -> None:
    """A position shows what its reference shows: side, cells, moves in order, and outcome."""
    assert position.side.value == naive.side, where(position)
    assert position.cells == naive.cells(), where(position)
    assert texts(position.moves) == naive.moves(), where(position)
    assert ending(position) == naive.outcome(), where(position)


@law
def plays_by_the_rules(game: mossa.Game, rng: random.Random) -> None:
    """The core and the naive reference agree, move by move, over whole random games."""
    for _ in range(8 if area(game) <= 64 else 4 if area(game) <= 150 else 2):
        positions = random_game(game, rng)
        every = 1 + area(game) // 400
        for ply, naive in enumerate(references(positions)):
            if ply % every == 0 or ply >= len(positions) - 2:
                agree(positions[ply], naive)


@law
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


@law
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


@law
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


@law
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


@law
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
    lane = rng.choice(_lanes(rows, cols, length))
    side = rng.randrange(2)
    gap = rng.choice(lane)
    if game.kind == "connect" and len({col for _, col in lane}) == 1:
        gap = lane[-1]  # a column grows from below
    if rng.random() < 0.5:
        lane = lane + rng.choice(_lanes_through(gap, rows, cols, length))
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
    return _lines_text(grid), move


def _lines_text(cells: Cells | list[list[int]]) -> str:
    return "/".join("".join(".xo"[stone] for stone in row) for row in reversed(cells))


# --- positions as values -------------------------------------------------------------------------


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


@law
def play_leaves_the_old_position_alone(game: mossa.Game, rng: random.Random) -> None:
    """`play` returns a new position; the old one shows the same as before, whatever is done to it.

    That includes changing the lists and tuples that it handed out.
    """
    positions = random_game(game, rng, 12 if is_large(game) else 40)
    for position in rng.sample(positions, min(len(positions), 2 if is_large(game) else 4)):
        before = portrait(position)
        for move in rng.sample(position.moves, min(len(position.moves), 4)):
            after = position.play(move)
            assert after is not position, where(position)
            assert after != position, where(position)
            assert after.history == [*position.history, move], where(after)
        position.perft(1)
        position.moves.clear()
        position.history.append(mossa.Move("1"))
        position.winning_cells.append((0, 0))
        assert portrait(position) == before, where(position)


@law
def keys_tell_positions_apart(game: mossa.Game, rng: random.Random) -> None:
    """Keys, `==` and hashes agree with equality of cells, side to move and right to swap.

    However a position was reached: short games in a small region give many transpositions.
    """
    by_identity: dict[tuple[object, ...], mossa.Position] = {}
    by_key: dict[int, mossa.Position] = {}
    for _ in range(40 if area(game) <= 64 else 15 if area(game) <= 400 else 3):
        positions = random_game(game, rng, 10)
        for position, naive in zip(positions, references(positions), strict=True):
            same = by_identity.setdefault(naive.identity(), position)
            assert same.key == position.key, f"{where(same)}; {where(position)}"
            assert same == position, f"{where(same)}; {where(position)}"
            assert hash(same) == hash(position), f"{where(same)}; {where(position)}"
            other = by_key.setdefault(position.key, position)
            assert other == position, f"{where(other)}; {where(position)}"
            if position.text.endswith(",swap"):
                other = game.from_text(position.text.removesuffix(",swap"))
                assert other != position, where(position)
                assert other.key != position.key, where(position)
    assert len(by_identity) == len(by_key) == len(set(by_identity.values()))


@law
def canonical_keys_tell_orbits_apart(game: mossa.Game, rng: random.Random) -> None:
    """Canonical keys are equal for symmetric positions, and for no others."""
    orbit_of: dict[int, tuple[object, ...]] = {}
    key_of: dict[tuple[object, ...], int] = {}
    for _ in range(12 if area(game) <= 64 else 5 if area(game) <= 400 else 1):
        positions = random_game(game, rng, 4 if is_large(game) else 8)
        for position, naive in zip(positions, references(positions), strict=True):
            for twin in symmetric_positions(position, naive):
                assert twin.canonical_key == position.canonical_key, (
                    f"{where(position)}; {where(twin)}"
                )
                assert (ending(twin) is None) == (ending(position) is None), where(twin)
            orbit = _orbit(position, naive)
            assert key_of.setdefault(orbit, position.canonical_key) == position.canonical_key, (
                where(position)
            )
            assert orbit_of.setdefault(position.canonical_key, orbit) == orbit, where(position)


def symmetries(game: mossa.Game) -> list[Callable[[int, int], Cell]]:
    """The symmetries of a board of lines, as maps of (row, col)."""
    top, right = game.sizes["rows"] - 1, game.sizes["cols"] - 1
    if game.kind == "connect":
        return [lambda r, c: (r, c), lambda r, c: (r, right - c)]
    found: list[Callable[[int, int], Cell]] = [
        lambda r, c: (r, c),
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


def symmetric_positions(
    position: mossa.Position, naive: reference.Reference
) -> Iterator[mossa.Position]:
    """All positions that are symmetric to one: lines by playing the mapped moves from the start.

    Kalah by setting up the board with the sides exchanged; not while the opening's own rules are
    in force (swap to come, first move without extra turn), which know only one first side.
    """
    game = position.game
    if game.kind == "kalah":
        if position.ply > 0 and not naive.identity()[-1]:
            cells, side = position.cells, position.side.value
            yield game.from_text(_kalah_text(cells[::-1], 1 - side))
        return
    for symmetry in symmetries(game):
        twin = game.start()
        for move in position.history:
            if game.kind == "connect":
                assert move.number is not None
                twin = twin.play(str(symmetry(0, move.number - 1)[1] + 1))
            else:
                assert move.row is not None
                assert move.col is not None
                twin = twin.play(cell_name(*symmetry(move.row, move.col)))
        yield twin


def _orbit(position: mossa.Position, naive: reference.Reference) -> tuple[object, ...]:
    """One name for all positions that are symmetric to this one, the naive way."""
    game, cells = position.game, position.cells
    if game.kind == "kalah":
        mine, theirs = cells[naive.side], cells[1 - naive.side]
        may_swap = naive.identity()[-1]
        opening = (may_swap and naive.side, position.ply == 0 and game.options["first_extra"])
        return mine, theirs, may_swap, opening
    images = []
    for symmetry in symmetries(game):
        image = [[0] * len(cells[0]) for _ in cells]
        for row, col in itertools.product(range(len(cells)), range(len(cells[0]))):
            new_row, new_col = symmetry(row, col)
            image[new_row][new_col] = cells[row][col]
        images.append(image)
    return (tuple(map(tuple, min(images))),)


# --- positions as text and bytes -----------------------------------------------------------------


def _kalah_text(cells: Cells, side: int, suffix: str = "") -> str:
    rows = "/".join(",".join(map(str, row)) for row in cells)
    return f"{rows} {'first' if side == 0 else 'second'}{suffix}"


@law
def text_round_trip(game: mossa.Game, rng: random.Random) -> None:
    """`text` is the drawing that the contract describes, and `from_text` reads it back.

    The position that was read goes on like the original, also after the end.
    """
    positions = random_game(game, rng, 12 if is_large(game) else 60)
    naives = references(positions)
    for ply in {0, len(positions) - 1, *(rng.randrange(len(positions)) for _ in range(5))}:
        position = positions[ply]
        if game.kind == "kalah":
            offered = ply > 0 and naives[ply].identity()[-1]  # at the start it goes without saying
            suffix = ",swap" if offered else ""
            assert position.text == _kalah_text(position.cells, position.side.value, suffix), where(
                position
            )
        else:
            assert position.text == _lines_text(position.cells), where(position)

        again = game.from_text(position.text)
        assert (again.history, again.history_text, again.ply) == ([], "", 0), where(again)
        assert again.last_move is None, where(again)
        if ply > 0:
            assert again.start_text == position.text, where(position)
        for original in positions[ply : ply + 4]:
            if original is not position:
                assert original.last_move is not None
                again = again.play(original.last_move)
            assert again == original, where(again)
            assert hash(again) == hash(original), where(again)
            assert again.key == original.key, where(again)
            assert again.canonical_key == original.canonical_key, where(again)
            assert again.text == original.text, where(again)
            assert again.cells == original.cells, where(again)
            assert again.side == original.side, where(again)
            assert again.moves == original.moves, where(again)
            assert ending(again) == ending(original), where(again)


@law
def history_round_trip(game: mossa.Game, rng: random.Random) -> None:
    """The moves that led to a position, as text or as a list, lead to it again."""
    positions = random_game(game, rng, 20 if is_large(game) else 80)
    played: list[mossa.Move | None] = [position.last_move for position in positions[1:]]
    for position in {positions[0], rng.choice(positions), positions[-1]}:
        assert position.start_text is None, where(position)
        assert position.history == played[: position.ply], where(position)
        assert position.history_text == " ".join(texts(position.history)), where(position)
        ways: list[str | list[mossa.Move]] = [position.history_text, position.history]
        ways.append(f"  {position.history_text.replace(' ', '  ')} ")
        widest = game.sizes["pits" if game.kind == "kalah" else "cols"]
        if game.kind != "mnk" and widest <= 9 and "swap" not in position.history_text:
            ways.append("".join(texts(position.history)))
        for way in ways:
            again = game.position(way)
            assert again == position, f"{way!r} {where(position)}"
            assert again.history == position.history, f"{way!r} {where(position)}"


@law
def pickle_and_copy_round_trip(game: mossa.Game, rng: random.Random) -> None:
    """Games, positions (with history), moves, sides and outcomes can be pickled and copied."""
    positions = random_game(game, rng, 20 if is_large(game) else 50)
    later = game.from_text(positions[len(positions) // 2].text)
    if later.moves:
        later = later.play(rng.choice(later.moves))
    chosen = [positions[-1], later]
    if not is_large(game):
        chosen += [positions[0], rng.choice(positions)]
    values: list[object] = [game, *mossa.Side, *(p for p in positions[-1].history[:3])]
    values += [p.outcome for p in chosen if p.outcome is not None]

    def copies(value: object) -> Iterator[object]:
        for protocol in {2, pickle.HIGHEST_PROTOCOL, pickle.DEFAULT_PROTOCOL}:
            yield pickle.loads(pickle.dumps(value, protocol))
        yield copy.copy(value)
        yield copy.deepcopy(value)

    for value in values:
        for again in copies(value):
            assert type(again) is type(value)
            assert again == value
            assert hash(again) == hash(value)
            assert str(again) == str(value)
            assert repr(again) == repr(value)
    for position in chosen:
        for again in copies(position):
            assert isinstance(again, mossa.Position)
            assert again == position, where(position)
            assert portrait(again) == portrait(position), where(position)
    # together, too: a whole game in one pickle
    assert pickle.loads(pickle.dumps(positions)) == positions


# --- counting ------------------------------------------------------------------------------------


@law
def perft_counts_move_sequences(game: mossa.Game, rng: random.Random) -> None:
    """`perft` counts what playing all moves counts, through the core and through the reference."""
    positions = random_game(game, rng, 10 if is_large(game) else 60)
    naives = references(positions)
    for ply in {0, rng.randrange(len(positions)), max(0, len(positions) - 3)}:
        position, naive = positions[ply], naives[ply]
        branches = max(1, len(position.moves))
        depth = 1
        while branches ** (depth + 1) <= 400 and depth < 6:
            depth += 1
        assert position.perft(0) == 1
        for plies in range(1, depth + 1):
            if branches > 1000:
                assert position.perft(plies) == branches, where(position)
                continue
            expected = _sequences(naive, plies)
            assert position.perft(plies) == expected, f"depth {plies} {where(position)}"
            assert _core_sequences(position, plies) == expected, where(position)


def _sequences(naive: reference.Reference, plies: int) -> int:
    if plies == 0:
        return 1
    return sum(_sequences(naive.play(move), plies - 1) for move in naive.moves())


def _core_sequences(position: mossa.Position, plies: int) -> int:
    if plies == 0:
        return 1
    return sum(_core_sequences(position.play(move), plies - 1) for move in position.moves)


@law
def count_states_counts_positions(game: mossa.Game, rng: random.Random) -> None:
    """`count_states` finds as many positions as a search through the reference finds.

    From the earliest position of a random game from which there are few enough to search.
    """
    if game.kind == "mnk" and is_large(game):
        return  # one move before the end there are thousands already
    positions = random_game(game, rng)
    naives = references(positions)
    most = 600 if area(game) <= 64 else 150
    known = None
    for position, naive in zip(reversed(positions), reversed(naives), strict=True):
        count = reachable(naive, most=most)
        if count is None:
            break
        known = position, count
    assert known is not None
    position, count = known
    assert position.count_states() == count, where(position)


def reachable(naive: reference.Reference, *, most: int) -> int | None:
    """How many positions can arise from one, itself included; None if more than `most`."""
    seen = {naive.identity()}
    waiting = [naive]
    while waiting:
        here = waiting.pop()
        for move in here.moves():
            there = here.play(move)
            if there.identity() not in seen:
                seen.add(there.identity())
                waiting.append(there)
        if len(seen) > most:
            return None
    return len(seen)
