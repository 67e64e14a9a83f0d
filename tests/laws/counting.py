"""Laws of counting: perft and states."""

from __future__ import annotations

import random

import reference

import mossa
from laws.play import area, is_large, random_game, references, where


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
