"""Random play, and what laws tell of the positions they meet."""

from __future__ import annotations

import random

import reference

import mossa

MANY = 400  # cells


def is_large(game: mossa.Game) -> bool:
    """Whether there are so many cells that a law must not look at all of them at every ply."""
    return reference.start(game).area() > MANY


def random_game(
    game: mossa.Game, rng: random.Random, plies: int | None = None
) -> list[mossa.Position]:
    """The positions of one random game from the start, to its end or for a number of plies.

    Stones thrown at random over a large board never meet. So in two of three games each side keeps
    to the haunts that the reference names, as long as it can: its own ones, or those that it shares
    with the other side. On a large board only the first way comes to an end in time.
    """
    naive = reference.start(game)
    mode = "own" if plies is None and is_large(game) else rng.choice(("free", "own", "shared"))
    haunts = ([], []) if mode == "free" else naive.haunts(mode, rng)
    position = game.start()
    positions = [position]
    for _ in range(naive.most_plies() + 1 if plies is None else plies):
        if position.outcome is not None:
            break
        position = position.play(_pick(position, haunts[position.side.value], rng))
        positions.append(position)
    return positions


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
        position.left_to_play,
        hash(position),
        repr(position),
    )
