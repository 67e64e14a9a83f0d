"""The puzzle page's requests: a puzzle to solve, a grade for a move, the answer."""

from __future__ import annotations

import random
from typing import Any

from fastapi import APIRouter

from mossa._core import Game
from mossa.errors import GameError, shorten
from mossa.games import KINDS, game
from mossa.puzzles.answers import explanation, grade, rest_text, task, task_kind
from mossa.puzzles.file import PuzzleError, PuzzleFile
from mossa.puzzles.puzzle import Proof, Puzzle
from mossa.render import side_name
from mossa.web.messages import Tried, WantedPuzzle
from mossa.web.states import position_state

router = APIRouter(prefix="/api/puzzles")

NEAREST = 8
"""One of this many puzzles near the person's rating is drawn."""
LONG = 4
"""This many moves to find, or more, count as one choice."""
_PROOFS = {
    Proof.solver: "The solver has scored every move.",
    Proof.tables: "End-game tables have the score of every move.",
    Proof.threats: "The threat search has proven this win, and none by another first move.",
}
_TITLES = {
    game(preset.name).name: preset.title for kind in KINDS.values() for preset in kind.presets
}


class UnknownPuzzleError(GameError):
    """There is no puzzle with that name."""


def _files() -> list[PuzzleFile]:
    try:
        return PuzzleFile.available()
    except PuzzleError as error:
        # The error names the file first; a page need not know the server's folder.
        raise PuzzleError(str(error).rpartition("/")[2].replace("'", "", 1)) from None


def _puzzle(name: str) -> Puzzle:
    found = (file.get(name) for file in _files())
    puzzle = next((each for each in found if each is not None), None)
    if puzzle is None:
        raise UnknownPuzzleError(f"there is no puzzle {shorten(name)}")
    return puzzle


def _title(rules: Game) -> str:
    return _TITLES.get(rules.name, rules.name)


@router.get("")
def puzzles() -> list[dict[str, Any]]:
    """List the games that have puzzles."""
    return [
        {"game": file.game.name, "title": _title(file.game), "count": len(file.puzzles)}
        for file in _files()
    ]


@router.post("")
def choose(wanted: WantedPuzzle) -> dict[str, Any]:
    """Return a puzzle of about the wanted rating, preferably one not yet done.

    ``turns`` is the number of moves to find, 4 for four and more, 0 for any.
    """
    fitting = [
        puzzle
        for file in _files()
        if wanted.game in ("", file.game.name)
        for puzzle in file.puzzles
        if wanted.turns in (0, min(puzzle.turns, LONG))
    ]
    if not fitting:
        raise UnknownPuzzleError("there is no such puzzle; choose another game or length")
    done = set(wanted.done)
    left = [puzzle for puzzle in fitting if puzzle.name not in done] or fitting
    left.sort(key=lambda puzzle: abs(puzzle.rating - wanted.rating))
    return _state(random.choice(left[:NEAREST]), left=len(left))


@router.get("/{name}")
def puzzle(name: str) -> dict[str, Any]:
    """Return one puzzle."""
    return _state(_puzzle(name))


@router.post("/{name}/answers")
def answer(name: str, tried: Tried) -> dict[str, Any]:
    """Grade a move at a step of a puzzle; if it is right, return the next boards."""
    found = grade(_puzzle(name), tried.step, tried.move)
    return {
        "right": found.right,
        "done": found.done,
        "told": found.told,
        "positions": [position_state(position) for position in found.positions],
    }


@router.get("/{name}/solution")
def solution(name: str) -> dict[str, Any]:
    """Return the answer move by move, with explanations and boards."""
    puzzle = _puzzle(name)
    return {
        "line": [
            {"move": each.move, "told": each.told, "position": position_state(each.position)}
            for each in explanation(puzzle)
        ],
        "told": rest_text(puzzle),
        "proof": _PROOFS[puzzle.proof],
    }


def _state(puzzle: Puzzle, left: int | None = None) -> dict[str, Any]:
    return {
        "name": puzzle.name,
        "title": _title(puzzle.game),
        "task": task(puzzle),
        "kind": task_kind(puzzle),
        "mover": f"{side_name(puzzle.game, puzzle.side)} to move",
        "turns": puzzle.turns,
        "rating": puzzle.rating,
        "left": left,
        "position": position_state(puzzle.position),
    }
