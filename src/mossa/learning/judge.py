"""The judge: how many of a player's moves keep the value of the position?

On a small board the solver knows the truth about every position: won, drawn or lost. A move keeps
the value if a win stays a win and a draw stays a draw. The judge asks about positions in which a
move can go wrong, and counts the answers that do not. Nobody learns from the judge.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction

from mossa._core import Game, Move, Position, Side
from mossa.arena.oracle import Oracle
from mossa.errors import GameError

__all__ = ["MOST", "Judge", "Question"]

MOST = 1000
"""Positions that a judge looks at: all that there are, or so many by chance."""
SECONDS = 1.0
"""For the solver, to find the value of a position."""


@dataclass(frozen=True)
class Question:
    """A position in which a move can go wrong."""

    position: Position
    value: int
    """For the side to move: 1 won, 0 drawn, -1 lost."""
    keeping: frozenset[Move]
    """The moves that keep it."""


class Judge:
    """Knows the right moves of many positions of a game."""

    def __init__(self, rules: Game, *, most: int = MOST, seed: int = 1) -> None:
        """Solve positions; raise GameError if the board is too large for that, or trivial."""
        oracle = Oracle(SECONDS)
        asked = (_question(oracle, each) for each in _positions(rules, most, seed))
        self.questions = [each for each in asked if each is not None]
        """What it asks: the positions in which some moves keep the value and others do not."""
        if not self.questions:
            raise GameError(f"there is nothing to learn on {rules}: no move can go wrong")

    @property
    def by_chance(self) -> float:
        """The share of right moves by a random player."""
        return self.share(lambda position: position.moves)

    def share(self, choose: Callable[[Position], Collection[Move]]) -> float:
        """Return the share of right moves by a player, given the moves it likes best.

        If there are several, it picks one at random.
        """
        shares = (_right(each, choose(each.position)) for each in self.questions)
        return float(sum(shares) / len(self.questions))

    def hardest(self) -> Question:
        """Return the question with the most moves and a single right one.

        Immediate wins are left out: nobody has to learn to see those.
        """

        def difficulty(question: Question) -> tuple[bool, bool, int]:
            position, keeping = question.position, question.keeping
            quiet = all(position.play(move).outcome is None for move in position.moves)
            return quiet, len(keeping) == 1, len(position.moves)

        return max(self.questions, key=difficulty)


def _right(question: Question, moves: Collection[Move]) -> Fraction:
    return Fraction(sum(move in question.keeping for move in moves), len(moves))


def _positions(rules: Game, most: int, seed: int) -> list[Position]:
    """Return all positions that go on, one of each symmetric kind; or some of random games."""
    found = {rules.start().canonical_key: rules.start()}
    queue = list(found.values())
    for position in queue:  # grows as it is read
        for move in position.moves:
            after = position.play(move)
            if after.outcome is None and after.canonical_key not in found:
                found[after.canonical_key] = after
                queue.append(after)
        if len(found) > most:
            return _sampled(rules, most, random.Random(seed))
    return queue


def _sampled(rules: Game, most: int, rng: random.Random) -> list[Position]:
    found: dict[int, Position] = {}
    while len(found) < most:  # there are more than that
        position = rules.start()
        while position.outcome is None and len(found) < most:
            found.setdefault(position.canonical_key, position)
            position = position.play(rng.choice(position.moves))
    return list(found.values())


def _question(oracle: Oracle, position: Position) -> Question | None:
    """Return the question in a position; None if all moves are equally good."""
    sign = 1 if position.side is Side.first else -1
    values: dict[Move, int] = {}
    for move in position.moves:
        value = oracle.value(position.play(move))
        if value is None:
            raise GameError(
                f"{position.game} is too large: the solver must know every move, and takes too "
                f"long after {position.play(move).history_text!r}"
            )
        values[move] = (value * sign > 0) - (value * sign < 0)
    best = max(values.values())
    keeping = frozenset(move for move, value in values.items() if value == best)
    return Question(position, best, keeping) if len(keeping) < len(values) else None
