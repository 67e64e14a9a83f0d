"""What the tests of players share."""

from __future__ import annotations

import random

import mossa
from mossa import Game, Info, Limits, Move, Player, Position

SLACK = 0.3  # seconds, for a busy machine


def choice_of(spec: str, position: Position, limits: Limits | None = None) -> mossa.Choice:
    return mossa.player(spec).choose(position, limits or Limits())


def info_of(spec: str, position: Position, limits: Limits | None = None) -> Info:
    info = choice_of(spec, position, limits).info
    assert info is not None
    return info


def play_game(
    game: Game, first: Player, second: Player, limits: Limits | None = None, plies: int = 9999
) -> Position:
    """A game, or its first plies; an illegal move raises an error."""
    position = game.start()
    while position.outcome is None and position.ply < plies:
        mover = (first, second)[position.side.value]
        position = position.play(mover.choose(position, limits or Limits()).move)
    return position


def safe_moves(position: Position) -> list[Move]:
    """The moves after which the opponent cannot win at once, found by trying."""
    safe = []
    for move in position.moves:
        after = position.play(move)
        replies = [after.play(reply).outcome for reply in after.moves]
        if not any(outcome and outcome.winner is after.side for outcome in replies):
            safe.append(move)
    return safe


def winning_moves(position: Position) -> list[Move]:
    return [
        move
        for move in position.moves
        if (outcome := position.play(move).outcome) and outcome.winner is position.side
    ]


def random_positions(game: Game, count: int, seed: int = 1) -> list[Position]:
    """Positions of random games, each with a stone of either side."""
    chance = random.Random(seed)
    positions: list[Position] = []
    while len(positions) < count:
        position = game.start()
        for _ in range(chance.randint(4, 25)):
            if position.outcome is None:
                position = position.play(chance.choice(position.moves))
        if position.outcome is None:
            positions.append(position)
    return positions
