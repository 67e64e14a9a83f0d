"""Laws of positions as values: nothing changes them, keys tell them apart."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

import reference
from reference.mnk import cell_name

import mossa
from laws.play import (
    Cell,
    area,
    ending,
    is_large,
    kalah_text,
    portrait,
    random_game,
    references,
    where,
)


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
            yield game.from_text(kalah_text(cells[::-1], 1 - side))
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
