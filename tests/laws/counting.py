"""Laws of counting: perft, states and play-outs."""

from __future__ import annotations

import random

import reference

import mossa
from laws.play import is_large, random_game, references, where


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
    if is_large(game) and len(game.start().moves) > 1000:
        return  # one move before the end there are thousands already
    positions = random_game(game, rng)
    naives = references(positions)
    most = 600 if reference.start(game).area() <= 64 else 150
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


def play_outs_end_as_random_moves_do(game: mossa.Game, rng: random.Random) -> None:
    """Near the end of a game `play_outs` ends as often either way as the moves say."""
    positions = random_game(game, rng, 10 if is_large(game) else 60)
    if positions[-1].outcome is None:
        return
    assert sum(positions[-1].play_outs(7)) == 7
    for position in positions[-5:]:
        expected = _chances(position, 300)
        if expected is None:
            continue
        count = 2000
        found = position.play_outs(count, seed=rng.randrange(1 << 30))
        for ended, chance in zip(found, expected, strict=True):
            # Six standard deviations, and all or nothing where nothing is left to chance.
            spread = max(0.0, chance * (1 - chance) / count) ** 0.5
            assert abs(ended / count - chance) <= 6 * spread + 1e-9, where(position)
        return


def _chances(position: mossa.Position, most: int) -> tuple[float, float, float] | None:
    """How likely random play ends in either way; None if it takes too many positions to tell."""
    known: dict[int, tuple[float, float, float]] = {}
    begun = 0

    def visit(position: mossa.Position) -> tuple[float, float, float]:
        nonlocal begun
        if position.outcome is not None:
            value = position.outcome.value
            return float(value > 0), float(value == 0), float(value < 0)
        if position.key not in known:
            begun += 1
            if begun > most:
                raise OverflowError
            moves = position.moves
            ways = [visit(position.play(move)) for move in moves]
            first, draw, second = (sum(way[i] for way in ways) / len(moves) for i in range(3))
            known[position.key] = first, draw, second
        return known[position.key]

    try:
        return visit(position)
    except OverflowError:
        return None
