"""What to play when the result is settled: whatever makes it hardest for the opponent.

Every move of a lost position loses, but not every opponent finds out how. The longest resistance
comes first (where distances are not known, the move that takes most work to refute), then the move
after which most replies throw the win away, then the evaluation. The same goes for drawn positions:
of the moves that keep the draw, the engine plays the one that the opponent is most likely to answer
wrongly.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from mossa._core import Limits, Move, Position, StopToken
from mossa.evaluations import evaluate
from mossa.players.searching import part_of
from mossa.search import NO_LIMITS, Bound, Exact
from mossa.solving.solver import Solver

_NATURAL = 12
"""If all moves are equally good, compare this many: those that look best."""
_GLANCE = 1000
"""Nodes per reply: whether it throws the win away shows at once, or not for a long time."""
_LOOKS = (_GLANCE, 4_000, 16_000, 64_000, 256_000)
"""Nodes per lost move: ever more for the moves that still stand."""
_LEAST = 0.001
"""Seconds that a question to the solver takes, however little it may do."""


@dataclass(frozen=True)
class _Peer:
    """A move that is as good as any."""

    move: Move
    after: Position


@dataclass(frozen=True)
class Stubborn:
    """Finds the hardest of several moves with a solver, in what is left of some limits."""

    solver: Solver
    counts_plies: bool
    """Whether the solver's distances are the shortest; if not, they are those of its own proof."""
    left: Callable[[], Limits]
    """Tells what is left of the limits; when that is nothing, what is known decides."""
    stop: StopToken | None = None

    def choose(self, position: Position, best: Move, score: Exact) -> Move:
        """Return the move that is hardest to answer, of those that are as good as ``best``."""
        if score.standing < 0 and not self.counts_plies:
            peers = self._last_to_lose(position)
        else:
            peers = self._peers(position, best, score)
        peers = [peer for peer in peers if peer.after.outcome is None]  # nobody errs after the end
        if len(peers) < 2:
            return peers[0].move if peers else best
        looks = {peer.move: evaluate(peer.after, side=position.side) for peer in peers}
        peers = sorted(peers, key=lambda peer: -looks[peer.move])[:_NATURAL]
        errors = {
            peer.move: self._errors(position, peer, score, len(peers) - at)
            for at, peer in enumerate(peers)
        }
        return max(peers, key=lambda peer: errors[peer.move]).move

    def _peers(self, position: Position, best: Move, score: Exact) -> list[_Peer]:
        """Return the moves that are as good, as far as half of what is left can tell."""
        peers = [_Peer(best, position.play(best))]
        others = [move for move in position.moves if move != best]
        for at, move in enumerate(others):
            if self._is_spent():
                break
            after = position.play(move)
            limits = part_of(self.left(), 0.5 / (len(others) - at))
            if score == self.solver.move_score(position, move, limits, stop=self.stop):
                peers.append(_Peer(move, after))
        return peers

    def _last_to_lose(self, position: Position) -> list[_Peer]:
        """Return the moves that take most work to refute, as far as half of what is left can tell.

        What costs the solver many nodes is hard to see for any opponent. So it looks at all moves
        a little, then longer at those that still stand, and so on. Of moves that fall together,
        those with the longest refutation remain.
        """
        keep = part_of(self.left(), 0.5)
        standing = list(position.moves)
        for nodes in _LOOKS:
            lengths: dict[Move, float] = dict.fromkeys(standing, inf)
            for at, move in enumerate(standing):
                if self._is_spent(keep):
                    break
                limits = self._part(0.5 / (len(standing) - at), nodes)
                score = self.solver.move_score(position, move, limits, stop=self.stop)
                if isinstance(score, Exact) and score.distance is not None:
                    lengths[move] = score.distance
            longest = max(lengths.values())
            standing = [move for move, length in lengths.items() if length == longest]
            if len(standing) == 1 or longest < inf:
                break
        return [_Peer(move, position.play(move)) for move in standing]

    def _errors(self, position: Position, peer: _Peer, own: Exact, sharing: int) -> int:
        """Count the replies that give away what the opponent has; none if it is not its turn."""
        after = peer.after
        if after.side is position.side:
            return 0
        errors = 0
        for at, move in enumerate(after.moves):
            if self._is_spent():
                break
            limits = self._part(1 / (sharing * (len(after.moves) - at)), _GLANCE)
            score = self.solver.move_score(after, move, limits, stop=self.stop)
            most = score.high if isinstance(score, Bound) else score
            errors += most.result < -own.result
        return errors

    def _part(self, share: float, nodes: int) -> Limits:
        """Return a share of what is left, and no more nodes than this."""
        part = part_of(self.left(), share)
        return Limits(time=part.time, nodes=min(part.nodes or nodes, nodes))

    def _is_spent(self, keep: Limits = NO_LIMITS) -> bool:
        """Tell whether only ``keep`` is left: to ask a solver takes time, whatever it may do."""
        left = self.left()
        return (left.time is not None and left.time < max(_LEAST, keep.time or 0)) or (
            left.nodes is not None and left.nodes <= max(1, keep.nodes or 0)
        )
