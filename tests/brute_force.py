"""The oracle of the tests: the true scores of small games."""

from __future__ import annotations

from mossa import Exact, Move, Position, Scoring, Side


class BruteForce:
    """Every continuation to the end, with nothing clever; scores for the side to move.

    It plays by the positions of the core, which other tests hold against the naive rules.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], Exact] = {}

    def score(self, position: Position) -> Exact:
        """The score of a position that is not over."""
        key = position.game.name, position.key
        if key not in self._known:
            self._known[key] = max(self.after(position, move) for move in position.moves)
        return self._known[key]

    def moves(self, position: Position) -> dict[str, Exact]:
        return {str(move): self.after(position, move) for move in position.moves}

    def after(self, position: Position, move: Move) -> Exact:
        """What a move leads to, for the side that makes it; the other side need not be next."""
        after = position.play(move)
        if after.outcome is not None:
            value = after.outcome.value * (1 if position.side is Side.first else -1)
            return Exact(value, 1 if position.game.traits.scoring is Scoring.outcome else None)
        score = self.score(after)
        if after.side is not position.side:
            score = -score
        return Exact(score.value, score.distance + 1 if score.distance is not None else None)
