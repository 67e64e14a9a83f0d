"""Laws of positions as values: nothing changes them, keys tell them apart."""

from __future__ import annotations

import random

import reference

import mossa
from laws.play import MANY, ending, is_large, portrait, random_game, references, where


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
    """Keys, `==` and hashes agree with what the reference calls the same position.

    However a position was reached: short games in a small region give many transpositions.
    """
    by_identity: dict[tuple[object, ...], mossa.Position] = {}
    by_key: dict[int, mossa.Position] = {}
    area = reference.start(game).area()
    for _ in range(40 if area <= 64 else 15 if area <= MANY else 3):
        positions = random_game(game, rng, 10)
        for position, naive in zip(positions, references(positions), strict=True):
            same = by_identity.setdefault(naive.identity(), position)
            assert same.key == position.key, f"{where(same)}; {where(position)}"
            assert same == position, f"{where(same)}; {where(position)}"
            assert hash(same) == hash(position), f"{where(same)}; {where(position)}"
            other = by_key.setdefault(position.key, position)
            assert other == position, f"{where(other)}; {where(position)}"
    assert len(by_identity) == len(by_key) == len(set(by_identity.values()))


def canonical_keys_tell_orbits_apart(game: mossa.Game, rng: random.Random) -> None:
    """Canonical keys are equal for symmetric positions, and for no others."""
    orbit_of: dict[int, object] = {}
    key_of: dict[object, int] = {}
    area = reference.start(game).area()
    for _ in range(12 if area <= 64 else 5 if area <= MANY else 1):
        positions = random_game(game, rng, 4 if is_large(game) else 8)
        for position, naive in zip(positions, references(positions), strict=True):
            for text in naive.twins():
                twin = game.from_text(text)
                assert twin.canonical_key == position.canonical_key, (
                    f"{where(position)}; {where(twin)}"
                )
                assert (ending(twin) is None) == (ending(position) is None), where(twin)
            orbit = naive.orbit()
            assert key_of.setdefault(orbit, position.canonical_key) == position.canonical_key, (
                where(position)
            )
            assert orbit_of.setdefault(position.canonical_key, orbit) == orbit, where(position)
