"""Grades a person's answers and explains the solution, for pages and terminals alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mossa._core import Game, Position, Side
from mossa.errors import GameError
from mossa.evaluations import threat_text
from mossa.puzzles.puzzle import DRAWS, LOSES, UNPROVEN, WINS, Kind, Proof, Puzzle
from mossa.quantities import counted
from mossa.render import side_name

__all__ = ["Answer", "Explained", "explanation", "grade", "rest_text", "task", "task_kind"]

Named = Callable[[Game, Side], str]
"""What a side is called."""


@dataclass(frozen=True)
class Answer:
    """The grade of a move somebody tried."""

    right: bool
    done: bool
    """Whether that was the last move to find."""
    told: str
    positions: tuple[Position, ...] = ()
    """The boards to show after it, one after another; none if it was wrong."""


@dataclass(frozen=True)
class Explained:
    """A move of the answer."""

    move: str
    told: str
    position: Position
    """After it."""


def task(puzzle: Puzzle) -> str:
    """Return what is asked, in a sentence."""
    if puzzle.kind is Kind.draw:
        return "Hold the draw: only one move does."
    if puzzle.kind is Kind.win_in:
        return f"Win in {puzzle.turns}: only one move wins; then take the fastest way."
    if puzzle.proof is Proof.threats:
        return f"Win by threats in {counted(puzzle.turns, 'move')}: only one move starts it."
    return "Find the only winning move."


def task_kind(puzzle: Puzzle) -> str:
    """Return what is asked in a word or two."""
    if puzzle.kind is Kind.win_in or puzzle.proof is Proof.threats:
        return f"win in {puzzle.turns}"
    return {Kind.win: "only winning move", Kind.draw: "hold the draw"}[puzzle.kind]


def grade(puzzle: Puzzle, at: int, move: str) -> Answer:
    """Return what to say about a move at a step; raise GameError for an unknown step or move."""
    if not 0 <= at < puzzle.turns:
        raise GameError(f"invalid step '{at}': 0 to {puzzle.turns - 1}")
    step, position = puzzle.steps[at], puzzle.before(at)
    tried = position.after(move)  # refuses anything but one legal move
    if tried.ply != position.ply + 1:
        raise GameError(f"play one move, not {tried.ply - position.ply}")
    name = str(tried.last_move)
    mark = dict(zip(map(str, position.moves), step.marks, strict=True))[name]
    if not mark.isupper():
        return Answer(False, False, f"{name} {_FAULTS[mark]}.")
    done = at == puzzle.turns - 1
    told = f"Right: {_made(position, name)}."
    if done:
        return Answer(True, True, f"{told} {_closing(puzzle)}", (tried,))
    if name != step.move:
        told = f"{name} is right too; the line continues with {step.move}."
        tried = position.after(step.move)
    positions = [tried]
    for reply in step.replies:
        positions.append(positions[-1].after(reply))
    if step.replies:
        told += f" {side_name(puzzle.game, tried.side)} replies {' '.join(step.replies)}."
    return Answer(True, False, f"{told} And now?", tuple(positions))


_FAULTS = {
    LOSES: "loses",
    DRAWS: "only draws",
    WINS: "wins too, but takes longer",
    UNPROVEN: "does not win by threats",
}
"""What is wrong with a move; right moves have capital marks."""


def explanation(puzzle: Puzzle, name: Named = side_name) -> list[Explained]:
    """Return the answer move by move, in words."""
    told, position = [], puzzle.position
    for at, step in enumerate(puzzle.steps):
        alone = sum(mark.isupper() for mark in step.marks) == 1
        for move in (step.move, *step.replies):
            own = position.side is puzzle.side
            why = _why(puzzle, at, alone) if own else _reply(puzzle, step.marks)
            words = f"{name(puzzle.game, position.side)} {_made(position, move)}: {why}."
            position = position.after(move)
            told.append(Explained(move, words, position))
    return told


def rest_text(puzzle: Puzzle) -> str:
    """Return how the game ends or continues."""
    if not puzzle.rest:
        return _closing(puzzle)
    return f"{_closing(puzzle)} Best play continues {' '.join(puzzle.rest)}."


def _why(puzzle: Puzzle, at: int, alone: bool) -> str:
    last = at == puzzle.turns - 1 and _ends(puzzle)
    if last:
        return "wins"
    if puzzle.kind is Kind.draw:
        return "everything else loses"
    if not alone:
        return "one of several right moves"
    if puzzle.proof is Proof.threats:
        return "the only threat that is proven to win"
    return "the only winning move" if puzzle.kind is Kind.win or at == 0 else "the quickest"


def _reply(puzzle: Puzzle, marks: str) -> str:
    return "keeps the draw" if puzzle.kind is Kind.draw else "holds out longest"


def _ends(puzzle: Puzzle) -> bool:
    return puzzle.before(puzzle.turns - 1).after(puzzle.steps[-1].move).outcome is not None


def _closing(puzzle: Puzzle) -> str:
    if _ends(puzzle):
        return "That ends the game." if puzzle.kind is Kind.draw else "That wins the game."
    return "That holds the draw." if puzzle.kind is Kind.draw else "That keeps the win."


def _made(position: Position, move: str) -> str:
    """Return a move with the threat it makes, if any: ``g8, open four``."""
    traits = position.game.traits
    if not traits.lines or traits.falls:
        return move
    words = threat_text(position, position.after(move).history[-1:])
    return f"{move}, {words.removesuffix(f' at {move}')}" if words else move
