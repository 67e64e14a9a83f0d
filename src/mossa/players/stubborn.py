"""What to play when the result cannot be helped: whatever makes it hardest for the opponent.

Every move of a lost position loses, but not every opponent finds out how. The longest resistance
comes first, then the move after which most replies throw the win away, then the evaluation. The
same goes for drawn positions: of the moves that keep the draw, the engine plays the one that the
opponent is most likely to answer wrongly.
"""

from collections.abc import Callable
from dataclasses import dataclass

from mossa._core import Limits, Move, Position, StopToken
from mossa.evaluations import evaluate
from mossa.games import lines_anywhere
from mossa.search import Bound, Exact, final_score, move_score
from mossa.solving.solver import Solver

SLACK = 4
"""Where stones go anywhere, a longer loss counts as longer only beyond so many plies: the solver
proves that a side wins by then, not that it cannot win sooner."""


@dataclass(frozen=True)
class Peer:
    """A move that keeps the result."""

    move: Move
    after: Position
    score: Exact


@dataclass(frozen=True)
class Stubborn:
    """Finds the hardest of several moves with a solver, in what is left of some limits."""

    solver: Solver
    left: Callable[[], Limits]
    """Tells what is left of the limits; when that is nothing, what is known decides."""
    stop: StopToken | None = None

    def choose(self, position: Position, best: Move, score: Exact) -> Peer:
        """Return the move that is hardest to answer, of those that are as good as ``best``."""
        peers = self._peers(position, best, score)
        if len(peers) == 1:
            return peers[0]
        errors = {
            peer.move: self._errors(position, peer, len(peers) - at)
            for at, peer in enumerate(peers)
        }
        return max(
            peers,
            key=lambda peer: (
                errors[peer.move],
                peer.score.distance or 0,
                evaluate(peer.after, side=position.side),
            ),
        )

    def _peers(self, position: Position, best: Move, score: Exact) -> list[Peer]:
        """Return the moves that are as good, as far as half of what is left can tell."""
        peers = [Peer(best, position.play(best), score)]
        others = [move for move in position.moves if move != best]
        for at, move in enumerate(others):
            after = position.play(move)
            own = self._score(position, after, 2 * (len(others) - at))
            if isinstance(own, Exact) and own.result == score.result and after.outcome is None:
                peers.append(Peer(move, after, own))
        if score.standing < 0:
            slack = SLACK if lines_anywhere(position.game) else 0
            longest = max(peer.score.distance or 0 for peer in peers)
            peers = [peer for peer in peers if (peer.score.distance or 0) + slack >= longest]
        return peers

    def _errors(self, position: Position, peer: Peer, sharing: int) -> int:
        """Count the replies that give away what the opponent has; none if it is not its turn."""
        after = peer.after
        if after.side is position.side:
            return 0
        errors = 0
        for at, move in enumerate(after.moves):
            score = self._score(after, after.play(move), sharing * (len(after.moves) - at))
            most = score.high if isinstance(score, Bound) else score
            errors += most.result < -peer.score.result
        return errors

    def _score(self, before: Position, after: Position, sharing: int) -> Exact | Bound:
        """Return what the solver says of a move in its part of what is left."""
        if after.outcome is not None:
            return move_score(final_score(after), before, after)
        left = self.left()
        limits = Limits(
            time=None if left.time is None else left.time / sharing,
            nodes=None if left.nodes is None else max(1, left.nodes // sharing),
        )
        return move_score(self.solver.solve(after, limits, stop=self.stop).score, before, after)
