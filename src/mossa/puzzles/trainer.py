"""Puzzles on a terminal, line by line: the board, the task, a move at a time."""

from __future__ import annotations

from collections.abc import Sequence

from mossa.errors import GameError
from mossa.puzzles.answers import Answer, explanation, grade, rest_text, task
from mossa.puzzles.puzzle import Puzzle
from mossa.quantities import counted
from mossa.render import side_label
from mossa.terminal import Dialog

__all__ = ["Trainer"]

ANSWER, NEXT, QUIT = "answer", "next", "quit"


class Trainer:
    """Poses one puzzle after another, and counts those solved on the first try."""

    def __init__(self, dialog: Dialog) -> None:
        """Take the dialog to talk through."""
        self._dialog = dialog
        self.asked = self.solved = 0

    def run(self, puzzles: Sequence[Puzzle]) -> None:
        """Pose puzzles until they, or the person's patience, run out."""
        try:
            for puzzle in puzzles:
                if not self._ask(puzzle):
                    break
        except (EOFError, KeyboardInterrupt):
            self._dialog.say("")
        of = counted(self.asked, "puzzle")
        self._dialog.say(f"{self.solved} of {of} solved on the first try")

    def _ask(self, puzzle: Puzzle) -> bool:
        """Pose one puzzle; return False if the person has had enough."""
        dialog, clean, at = self._dialog, True, 0
        self.asked += 1
        dialog.show(puzzle.position)
        dialog.say(f"{task(puzzle)} (rated {puzzle.rating})", "bold")
        while at < puzzle.turns:
            line = dialog.ask(f"your move ({ANSWER}, {NEXT}, {QUIT}): ")
            if line in (NEXT, QUIT):
                return line == NEXT
            if line == ANSWER:
                clean = False
                self._explain(puzzle, at)
                break
            found = self._graded(puzzle, at, line)
            if found is None:
                continue
            dialog.say(found.told, "green" if found.right else "red")
            clean = clean and found.right
            if found.right:
                at += 1
                dialog.show(found.positions[-1])
        self.solved += clean
        return True

    def _graded(self, puzzle: Puzzle, at: int, move: str) -> Answer | None:
        if not move:
            return None
        try:
            return grade(puzzle, at, move)
        except GameError as error:
            self._dialog.complain(error)
            return None

    def _explain(self, puzzle: Puzzle, at: int) -> None:
        """Explain the answer, from the move to find onwards."""
        known = puzzle.before(at).ply - puzzle.position.ply
        told = explanation(puzzle, side_label)
        for each in told[known:]:
            self._dialog.say(each.told)
        self._dialog.show(told[-1].position)
        self._dialog.say(rest_text(puzzle))
