"""The tree of one proof: what is known of its positions, and which of them to work on next.

Every node has *bounds*: its score is proven to lie between them. They are facts, whatever was asked
when they were found, and they pass from moves to the positions before them. The tree asks one
question at a time, "is the score of the root at least this?". *Proof and disproof numbers* (Allis
1994) guide it: how much must still be proven to answer with yes, and with no. A leaf is a job for a
solver (job-level proof-number search: Wu et al. 2011); one that a solver does not finish within its
nodes becomes the parent of the positions after its moves.

Symmetric positions are one node, so the tree is in fact a graph without circles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import inf, tanh

from mossa._core import Game, Move, Position, Scoring, Side
from mossa.errors import GameError
from mossa.search import Bound, Exact, final_score, move_score

__all__ = ["Edge", "Node", "Question", "Scale", "Tree", "scale_of"]

# How much easier a proof is believed to be that seems certain. Barely tuned: one run each on three
# positions, where 4 and 16 differed by no more than two runs of the same do.
_STEEPNESS = 16.0
_CLEAR_MARGIN = 8  # a margin that far from the one in question makes the answer seem certain
_ENDLESS = 10**6  # plies: more than any game has


@dataclass(frozen=True)
class Scale:
    """How the scores of a game compare."""

    worst: Exact
    best: Exact
    counts_plies: bool
    """False if only the value is proven to be best: a distance says that it takes no longer."""

    def known(self, low: Exact, high: Exact) -> tuple[Exact, Exact]:
        """Return what a solver has proven as bounds that hold for every way to count.

        Where a quicker win may exist, a proven win is no upper bound, a loss no lower one.
        """
        if self.counts_plies:
            return low, high
        return (
            self.worst if low.value < 0 else low,
            self.best if high.value > 0 else high,
        )

    def settled(self, low: Exact, high: Exact) -> Exact | None:
        """Return the score if the bounds leave no other."""
        if self.counts_plies:
            return low if low.rank == high.rank else None
        if low.value != high.value:
            return None
        return high if high.value < 0 else low

    def has(self, score: Exact) -> bool:
        """Tell whether a game can have such a score at all."""
        counted = score.distance is not None
        if counted is not (self.best.distance is not None):
            return False
        return self.worst.value <= score.value <= self.best.value and (score.distance or 0) >= 0

    def contradict(self, low: Exact, high: Exact) -> bool:
        """Tell whether no score lies between these."""
        return low > high if self.counts_plies else low.value > high.value


@dataclass(frozen=True)
class Question:
    """Is the score of a position at least this, as one side sees it?

    ``mine``: the side to move in that position is the one that asks.
    """

    at_least: Exact
    mine: bool
    counts_plies: bool

    def answer(self, low: Exact, high: Exact) -> bool | None:
        """Return what bounds on the score for the side to move say; None if they leave it open."""
        if not self.mine:
            low, high = -high, -low
        if self._reaches(low):
            return True
        return None if self._reaches(high) else False

    def after(self, before: Position, after: Position) -> Question:
        """Return what this means for the position after a move."""
        at_least = self.at_least
        if at_least.distance is not None:
            at_least = Exact(at_least.value, at_least.distance - 1)
        same = before.side is after.side
        return Question(at_least, self.mine if same else not self.mine, self.counts_plies)

    def for_mover(self) -> Exact:
        """Return what to ask a solver: whether the side to move has at least this.

        If that side is not the one that asks, a yes to the one question is a no to the other.
        """
        value, distance = self.at_least.value, self.at_least.distance
        if distance is None or not self.counts_plies:
            return Exact(value if self.mine else 1 - value)
        if self.mine:
            return self.at_least
        return Exact(1) if value == 0 else Exact(-value, distance + value)

    def _reaches(self, score: Exact) -> bool:
        if self.counts_plies:
            return score >= self.at_least
        return score.value >= self.at_least.value


@dataclass
class Edge:
    """A move, and what it leads to."""

    move: Move
    node: Node


@dataclass(eq=False)
class Node:
    """A position of the proof. All numbers are for the question that the tree asks now."""

    position: Position
    low: Exact
    high: Exact
    estimate: float = 0.0
    """What a short search thinks of it, for the side to move: the margin, or -1 to 1 for a win."""
    level: int = 0
    """How many jobs above it were not finished."""
    edges: list[Edge] = field(default_factory=list)
    parents: list[Node] = field(default_factory=list)
    running: bool = False
    proof: float = 0
    disproof: float = 0
    open: bool = False
    """It waits for a job: neither settled nor divided."""

    @property
    def expanded(self) -> bool:
        """Whether it has been divided into the positions after its moves."""
        return bool(self.edges)


class Tree:
    """All positions of a proof."""

    def __init__(self, root: Position, scale: Scale) -> None:
        """Begin with nothing known."""
        self.scale = scale
        self.nodes: dict[tuple[int, Side, int], Node] = {}
        self.asked: Exact | None = None
        """The question: is the score of the root at least this?"""
        self.guess: int | None = None
        """The margin to ask about first."""
        self.open = 0
        """How many positions are neither settled nor divided."""
        self.root = Node(root, scale.worst, scale.best)
        self.nodes[self._key(root)] = self.root
        self.refresh()

    # ---------------------------------------------------------------- what is known

    def find(self, position: Position) -> Node | None:
        """Return the node of a position, or of one symmetric to it."""
        return self.nodes.get(self._key(position))

    def _key(self, position: Position) -> tuple[int, Side, int]:
        # A canonical key may be the same for both sides, and who moves says who wants a yes. Where
        # plies to the end count, a position is another one if it is reached later.
        later = 0 if self.scale.worst.distance is None else position.ply
        return position.canonical_key, position.side, later

    def learn(self, node: Node, low: Exact, high: Exact) -> None:
        """Take what is proven of a position; raise GameError if that contradicts what is known."""
        for score in (low, high):
            if not self.scale.has(score):
                raise GameError(f"no position of {node.position.game} has the score {score}")
        self._tighten(node, *self.scale.known(low, high))
        self._pass_on(node)

    def expand(self, node: Node) -> list[Edge]:
        """Divide a leaf into the positions after its moves; symmetric moves count once."""
        for move in node.position.moves:
            child = self._node(node.position.play(move), node.level + 1)
            if node not in child.parents:
                child.parents.append(node)
                node.edges.append(Edge(move, child))
        self._pass_on(node)
        return node.edges

    @property
    def score(self) -> Exact | Bound:
        """What is proven of the root."""
        return self.score_of(self.root)

    def score_of(self, node: Node) -> Exact | Bound:
        """What is proven of a position, for the side to move."""
        settled = self.scale.settled(node.low, node.high)
        return Bound(node.low, node.high) if settled is None else settled

    def _node(self, position: Position, level: int) -> Node:
        """Return the node of a position, new or known."""
        node = self.find(position)
        if node is None:
            low, high = self.scale.worst, self.scale.best
            if position.outcome is not None:
                low = high = final_score(position)
            node = self.nodes[self._key(position)] = Node(position, low, high, level=level)
            self._count(node)
        node.level = min(node.level, level)
        return node

    def _tighten(self, node: Node, low: Exact, high: Exact) -> bool:
        low, high = max(node.low, low), min(node.high, high)
        if self.scale.contradict(low, high):
            where = node.position.history_text or "no moves"
            raise GameError(
                f"two results contradict each other: after {where} the score would be at least "
                f"{low} and at most {high}"
            )
        changed = (low, high) != (node.low, node.high)
        node.low, node.high = low, high
        return changed

    def _from_moves(self, node: Node) -> tuple[Exact, Exact]:
        views = [
            move_score(Bound(e.node.low, e.node.high), node.position, e.node.position)
            for e in node.edges
        ]
        return max(view.low for view in views), max(view.high for view in views)

    def _pass_on(self, changed: Node) -> None:
        """Bring a node and all above it up to date, the deepest first."""
        waiting: list[tuple[int, int, Node]] = []
        queued: set[int] = set()

        def put(node: Node) -> None:
            if id(node) not in queued:
                queued.add(id(node))
                heappush(waiting, (-node.position.ply, id(node), node))

        put(changed)
        while waiting:
            node = heappop(waiting)[2]
            queued.discard(id(node))
            tighter = node is changed
            if node.expanded:
                tighter |= self._tighten(node, *self._from_moves(node))
            if self._count(node) or tighter:
                for parent in node.parents:
                    put(parent)

    # ---------------------------------------------------------------- what to ask

    def question_of(self, node: Node) -> Question:
        """Return what the question to the root means for a node."""
        assert self.asked is not None
        mine = node.position.side is self.root.position.side
        at_least = self.asked
        if at_least.distance is not None:
            deeper = node.position.ply - self.root.position.ply
            at_least = Exact(at_least.value, at_least.distance - deeper)
        return Question(at_least, mine, self.scale.counts_plies)

    def ask(self) -> bool:
        """Choose the next question; return False if the score is known."""
        low, high = self.root.low, self.root.high
        if self.scale.settled(low, high) is not None:
            self.asked = None
            return False
        if self.asked is None or self.question_of(self.root).answer(low, high) is not None:
            self.asked = self._next_question(low, high)
            self.refresh()
        return True

    def _next_question(self, low: Exact, high: Exact) -> Exact:
        if low.distance is None:
            return self._next_margin(low.value, high.value)
        if low.value < high.value:
            # Who wins? First the answer that is likely.
            wins = high.value > 0 and (low.value == 0 or self.root.estimate >= 0)
            return Exact(1, _ENDLESS) if wins else Exact(0, _ENDLESS)
        asked = _sooner(self.root.position.left_to_play, low, high)
        if low < asked <= high:
            return asked
        # What is left to play need not be plies; it may be pieces. Then a step from the slow end.
        return Exact(1, low.distance - 1) if low.value > 0 else high

    def _next_margin(self, low: int, high: int) -> Exact:
        """Return a margin to ask about: close to where the last answer was."""
        last = self.guess if self.asked is None else self.asked.value
        if last is None:
            return Exact(low + (high - low + 1) // 2)
        return Exact(min(max(last, low + 1), high))

    # ---------------------------------------------------------------- where to work

    def refresh(self) -> None:
        """Count all numbers anew: the question is another one."""
        done: set[int] = set()
        path: list[tuple[Node, Iterator[Edge]]] = [(self.root, iter(self.root.edges))]
        while path:
            node, edges = path[-1]
            below = next((e.node for e in edges if id(e.node) not in done), None)
            if below is None:
                self._count(node)
                done.add(id(node))
                path.pop()
            else:
                path.append((below, iter(below.edges)))

    def choose(self) -> Node | None:
        """Return the leaf that brings the answer closest; None if one should wait for others.

        For the answer that seems likely, one side needs one move, and the other side's moves must
        all be looked at. Only there is it no gamble to work on several moves at once.
        """
        if self.asked is None:
            return None
        return self._pick(self.root, self.root.proof <= self.root.disproof)

    def _pick(self, node: Node, likely: bool) -> Node | None:
        if node.proof == 0 or node.disproof == 0:
            return None
        if not node.expanded:
            return None if node.running else node
        proves = self._proves(node)
        children = sorted(
            (edge.node for edge in node.edges),
            key=lambda child: child.proof if proves else child.disproof,
        )
        for child in children[:1] if proves is likely else children:
            if (leaf := self._pick(child, likely)) is not None:
                return leaf
        return None

    def _proves(self, node: Node) -> bool:
        """Tell whether the side to move is the one that wants the answer to be yes."""
        return node.position.side is self.root.position.side

    def _count(self, node: Node) -> bool:
        """Set the numbers of a node; return True if they have changed."""
        is_open = not node.expanded and self.scale.settled(node.low, node.high) is None
        self.open += is_open - node.open
        node.open = is_open
        before = node.proof, node.disproof
        answer = None if self.asked is None else self.question_of(node).answer(node.low, node.high)
        if self.asked is None:
            node.proof = node.disproof = 1
        elif answer is not None:
            node.proof, node.disproof = (0, inf) if answer else (inf, 0)
        elif node.expanded:
            self._count_from_moves(node)
        else:
            node.proof, node.disproof = self._first_numbers(node)
        return before != (node.proof, node.disproof)

    def _count_from_moves(self, node: Node) -> None:
        children = [edge.node for edge in node.edges]
        proofs, disproofs = [c.proof for c in children], [c.disproof for c in children]
        if self._proves(node):
            node.proof, node.disproof = min(proofs), sum(disproofs)
        else:
            node.proof, node.disproof = sum(proofs), min(disproofs)

    def _first_numbers(self, node: Node) -> tuple[float, float]:
        """Return the numbers of a leaf: small where a short search sees the answer coming.

        The side that has the choice needs one move, the other one needs all of them.
        """
        proves = self._proves(node)
        factor = _STEEPNESS ** self._lean(node)
        moves = len(node.position.moves)
        proof = (1 if proves else moves) / factor
        disproof = (moves if proves else 1) * factor
        return proof, disproof

    def _lean(self, node: Node) -> float:
        """Return how likely the answer seems to be yes, from -1 to 1."""
        assert self.asked is not None
        seen = node.estimate
        if self.asked.distance is None:
            seen = min(max(seen, node.low.value), node.high.value)
        if not self._proves(node):
            seen = -seen
        if self.asked.distance is None:
            return tanh((seen - self.asked.value) / _CLEAR_MARGIN)
        return seen


def scale_of(game: Game, counts_plies: bool) -> Scale:
    """Return how the scores of a game compare."""
    start = game.start()
    if game.traits.scoring is Scoring.margin:
        most = start.left_to_play
        return Scale(Exact(-most), Exact(most), counts_plies=True)
    return Scale(Exact(-1, 2), Exact(1, 1), counts_plies)


def _sooner(left: int, low: Exact, high: Exact) -> Exact:
    """Return a distance to ask about where the winner is known, from the slow end.

    A question about a slow win or loss costs less. The steps are those that the solver of connect
    takes, so that a job asks no harder questions than this one on its way to it. They count in the
    winner's last stones: a win with its n-th last stone, with ``left`` plies left at most.
    """
    slow, quick = (low, high) if low.value > 0 else (high, low)
    least, most = _last_stone(left, slow), _last_stone(left, quick)
    step = min(max(1, least // 2), (most - least + 1) // 2)
    if low.value > 0:
        return Exact(1, _distance(left, max(1, least + step), win=True))
    return Exact(-1, _distance(left, max(1, least + step - 1), win=False))


def _last_stone(left: int, score: Exact) -> int:
    assert score.distance is not None
    return (left + 2 - score.distance) // 2


def _distance(left: int, stone: int, win: bool) -> int:
    distance = left + 2 - 2 * stone
    return distance if distance % 2 == win else distance - 1
