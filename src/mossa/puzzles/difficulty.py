"""How hard a puzzle is: how deep a plain search must look, and how low levels answer it."""

from __future__ import annotations

from mossa._core import Position
from mossa.players.levels import Level
from mossa.puzzles.puzzle import RATINGS
from mossa.search import Info, Limits, Search

__all__ = ["DEEPEST", "is_plain", "missed", "needed_depth", "rating"]

DEEPEST = 12
"""Plies the plain search looks ahead; a move it misses counts as two more."""
NODES = 100_000
PLAIN_DEPTH = 2
LEVELS = range(1, 7)
TRIES = 2
"""Answers per level, with different seeds."""
LEVEL_NODES = 3_000
"""Nodes for a level's answer, instead of its clock: the same on every machine."""
EASIEST, PER_PLY, PER_MISS, PER_TURN = 640, 75, 550, 50
"""Points of what everybody sees; for a ply to look ahead; if all levels err; for each further
move."""


def is_plain(position: Position, move: str) -> bool:
    """Tell whether everybody sees a move: a plain two-ply search plays it."""
    search = Search(position.game, "alphabeta", {"memory": "1"})
    return str(search.run(position, Limits(depth=PLAIN_DEPTH)).move) == move


def needed_depth(position: Position, move: str) -> int:
    """Return the depth from which alpha-beta keeps playing a move."""
    answers: dict[int, str] = {}

    def note(info: Info) -> None:
        answers[info.depth] = str(info.move)

    search = Search(position.game, "alphabeta", {"memory": "16"})
    note(search.run(position, Limits(depth=DEEPEST, nodes=NODES), report=note))
    wrong = [depth for depth, answer in answers.items() if answer != move]
    if not wrong:
        return 1
    return DEEPEST + 2 if max(wrong) == max(answers) else max(wrong) + 1


def missed(position: Position, right: str) -> float:
    """Return the share of wrong answers by low levels."""
    answers = [
        str(Level(level, seed=seed, timed=False).choose(position, Limits(nodes=LEVEL_NODES)).move)
        for level in LEVELS
        for seed in range(TRIES)
    ]
    return sum(answer != right for answer in answers) / len(answers)


def rating(depth: int, miss: float, turns: int) -> int:
    """Return how hard a puzzle is, on the scale of the people who solve it."""
    points = EASIEST + PER_PLY * depth + PER_MISS * miss + PER_TURN * (turns - 1)
    return max(RATINGS[0], min(RATINGS[-1], 10 * round(points / 10)))
