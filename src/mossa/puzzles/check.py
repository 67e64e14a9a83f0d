"""Solves puzzles again, without trusting anything a file says about its answers."""

from __future__ import annotations

from collections.abc import Callable

from mossa.errors import GameError
from mossa.puzzles.file import PuzzleError, PuzzleFile
from mossa.puzzles.making import task_of, to_the_end
from mossa.puzzles.proving import Prover, marks_of, prover
from mossa.puzzles.puzzle import Kind, Proof, Puzzle

__all__ = ["check_puzzle", "check_puzzles"]


def check_puzzles(file: PuzzleFile, *, report: Callable[[int], object] | None = None) -> None:
    """Solve every puzzle of a file again; raise PuzzleError for the first wrong one."""
    judge = prover(file.game, limited=False)
    for number, puzzle in enumerate(file.puzzles, start=1):
        try:
            check_puzzle(puzzle, judge)
        except GameError as error:
            raise PuzzleError(f"{str(file.path)!r}: puzzle {number} is wrong: {error}") from None
        if report is not None:
            report(number)


def check_puzzle(puzzle: Puzzle, judge: Prover) -> None:
    """Solve a puzzle again, move by move; raise GameError if anything about it is wrong."""
    by_threats = judge.proof(puzzle.position) is Proof.threats
    if (puzzle.proof is Proof.threats) is not by_threats:
        raise GameError(f"its proof is not by {puzzle.proof}")
    for at in range(puzzle.turns):
        _check_step(puzzle, at, judge)
    position = puzzle.before(puzzle.turns - 1).after(puzzle.steps[-1].move)
    outcome = position.outcome
    if to_the_end(puzzle.kind, puzzle.proof) and (
        outcome is None or outcome.winner is not puzzle.side
    ):
        raise GameError("its line does not end with the win")
    for move in puzzle.rest:
        if move not in judge.replies(position):
            raise GameError(f"after its line, {move} is not best play")
        position = position.after(move)


def _check_step(puzzle: Puzzle, at: int, judge: Prover) -> None:
    step, position = puzzle.steps[at], puzzle.before(at)
    if len(step.marks) != len(position.moves):
        raise GameError(
            f"at step {at + 1} it has {len(step.marks)} marks for {len(position.moves)} moves"
        )
    scores = judge.scores(position, step.marks)
    if scores is None:
        raise GameError("it cannot be solved")
    if at == 0:
        asked = task_of(scores, puzzle.proof)
        if asked is not puzzle.kind:
            raise GameError(f"it asks for a {puzzle.kind}, and there is {_there(asked)}")
    marks = marks_of(scores, puzzle.kind)
    if marks != step.marks:
        moves = zip(scores, step.marks, marks, strict=True)
        wrong = next(move for move, said, found in moves if said != found)
        raise GameError(f"at step {at + 1} it is wrong about {wrong}")
    best = scores[step.move]
    if puzzle.kind is Kind.win_in and (
        best is None or best.distance != 2 * (puzzle.turns - at) - 1
    ):
        raise GameError(f"it is not a win in {puzzle.turns}")
    if not to_the_end(puzzle.kind, puzzle.proof) and sum(map(str.isupper, marks)) != 1:
        raise GameError(f"at step {at + 1} there is more than one right move")
    position = position.after(step.move)
    for reply in step.replies:
        # Threats leave no real choice; what matters is that every reply loses.
        if puzzle.proof is not Proof.threats and reply not in judge.replies(position):
            raise GameError(f"at step {at + 1}, {reply} is not the best reply")
        position = position.after(reply)


def _there(asked: Kind | None) -> str:
    return "nothing to ask for" if asked is None else f"a {asked}"
