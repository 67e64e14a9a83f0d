"""starter, a player in Python: wins at once if it can, and plays any legal move if not.

mossa match player.py:choose random connect4
"""

import random

import mossa


def choose(position: mossa.Position) -> mossa.Move:
    """Return a move. This is the place for your ideas.

    A position never changes: ``position.play(move)`` returns the next one.
    """
    for move in position.moves:
        outcome = position.play(move).outcome
        if outcome is not None and outcome.winner is position.side:
            return move
    return random.choice(position.moves)
