"""From a position to a puzzle: is there exactly one right move, and what line follows it?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from mossa._core import Position, Side
from mossa.puzzles.difficulty import DEEPEST, is_plain, missed, needed_depth, rating
from mossa.puzzles.proving import Prover, Scores, marks_of, right_moves
from mossa.puzzles.puzzle import Kind, Proof, Puzzle, Step

__all__ = ["LONGEST_WIN", "MOST_TURNS", "puzzle_from", "task_of"]

LONGEST_WIN = 6
"""Wins up to this many moves are played to the end; longer ones ask only the first moves."""
MOST_TURNS = 4
"""Moves to find in a line that does not reach the end."""
MOST_REPLIES = 4
"""How many equally good replies to compare for the one that leaves the harder task."""


def task_of(scores: Scores, proof: Proof) -> Kind | None:
    """Return the task for a position whose moves have these scores; None if there is none."""
    known = [score for score in scores.values() if score is not None]
    best = max(known, default=None, key=lambda score: score.rank)
    if best is None or best.standing < 0 or len(scores) < 2:
        return None
    if sum(score.standing == best.standing for score in known) != 1:
        return None
    if best.standing == 0:
        return Kind.draw
    if best.distance is None:
        return Kind.win
    if best.distance == 1 or best.distance >= 2 * LONGEST_WIN:
        return Kind.win if best.distance > 1 and proof is not Proof.threats else None
    return Kind.win if proof is Proof.threats else Kind.win_in


def puzzle_from(position: Position, prover: Prover) -> Puzzle | None:
    """Return the puzzle in a position; None if there is none, or an easy one."""
    if position.outcome is not None or not prover.promising(position):
        return None
    scores = prover.scores(position)
    proof = prover.proof(position)
    kind = None if scores is None else task_of(scores, proof)
    if scores is None or kind is None:
        return None
    (answer,) = right_moves(scores, kind)
    if is_plain(position, answer):
        return None
    depth = needed_depth(position, answer)
    if depth > DEEPEST:  # nobody sees that
        return None
    line = _Line(prover, kind, position.side, to_the_end(kind, proof))
    steps = line.steps(position, scores)
    if not steps or not prover.is_alone(position, answer):
        return None
    points = rating(depth, missed(position, answer), len(steps))
    puzzle = Puzzle(
        position.game,
        position.history_text,
        kind,
        proof,
        steps=steps,
        rest=(),
        depth=depth,
        rating=points,
        board=position.start_text,
    )
    last = puzzle.before(len(steps) - 1).after(steps[-1].move)
    return replace(puzzle, rest=tuple(prover.rest(last)))


def to_the_end(kind: Kind, proof: Proof) -> bool:
    """Tell whether a line goes on until the game is over."""
    return kind is Kind.win_in or proof is Proof.threats


class _Line:
    """The line of a puzzle: the moves to find, and the best replies."""

    def __init__(self, prover: Prover, kind: Kind, side: Side, whole: bool) -> None:
        self._prover, self._kind, self._side = prover, kind, side
        self._whole = whole

    def steps(self, position: Position, scores: Scores) -> tuple[Step, ...]:
        """Return the steps; none if the proof breaks off."""
        steps: list[Step] = []
        while True:
            right = right_moves(scores, self._kind)
            if not right or len(steps) > LONGEST_WIN:
                return ()
            if steps and not self._whole and (len(right) > 1 or len(steps) == MOST_TURNS):
                return _ended(steps)
            move = max(right, key=lambda each: _rank(scores, each))
            marks = marks_of(scores, self._kind)
            after, replies, following = self._answered(position.after(move))
            steps.append(Step(move, marks, replies))
            if after.outcome is not None or following is None:
                return _ended(steps) if after.outcome is not None or not self._whole else ()
            position, scores = after, following

    def _answered(self, position: Position) -> tuple[Position, tuple[str, ...], Scores | None]:
        """Return the position after the other side's moves, those moves, and the scores there."""
        replies: list[str] = []
        while position.outcome is None and position.side is not self._side:
            options = sorted(self._prover.replies(position), key=partial(_wins_after, position))
            options = options[:MOST_REPLIES]
            if not options:
                return position, (), None
            tried = [(option, *self._after(position.after(option))) for option in options]
            # A reply that leaves a single right move is harder.
            option, position, scores = min(tried, key=lambda each: self._choices(each[2]))
            replies.append(option)
            if position.side is self._side or position.outcome is not None:
                return position, tuple(replies), scores
        return position, tuple(replies), self._after(position)[1]

    def _after(self, position: Position) -> tuple[Position, Scores | None]:
        if position.outcome is not None or position.side is not self._side:
            return position, None
        return position, self._prover.scores(position)

    def _choices(self, scores: Scores | None) -> int:
        return 1_000 if scores is None else len(right_moves(scores, self._kind))


def _wins_after(position: Position, reply: str) -> int:
    """Return how many moves win at once after a reply: a good one prevents what it can."""
    after = position.after(reply)
    if after.outcome is not None:
        return 0
    ends = (after.play(move).outcome for move in after.moves)
    return sum(end is not None and end.winner is after.side for end in ends)


def _ended(steps: list[Step]) -> tuple[Step, ...]:
    """Return the steps of a line, with no reply to its last move."""
    return (*steps[:-1], replace(steps[-1], replies=()))


def _rank(scores: Scores, move: str) -> tuple[float, ...]:
    score = scores[move]
    assert score is not None
    return score.rank
