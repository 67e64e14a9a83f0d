"""What went wrong in a game: the first mistake of either side, and how well it played.

The end of a game is solved exactly, as far as that goes; where no value is known, our engine says
what it thinks. Both have a time that they may take.
"""

from __future__ import annotations

from typing import Any

from mossa._core import Side
from mossa.analysis import Grade, MoveReview, review
from mossa.arena.oracle import Judged, Oracle
from mossa.errors import GameError
from mossa.records import Record, parse_records
from mossa.search import Exact

MOVE_SECONDS = 0.1
"""For each move of a game."""
TOTAL_SECONDS = 8.0
"""For all of them."""
_ORACLE_SECONDS = 0.2

_BAD = (Grade.mistake, Grade.blunder)
_RESULTS = {1: "a win", 0: "a draw", -1: "a loss"}

_MOST = 500  # games whose positions are remembered


class _Memory:
    """The oracle of this worker, which remembers positions, though not for ever."""

    def __init__(self) -> None:
        self._games = 0
        self._oracle = Oracle(_ORACLE_SECONDS)

    def oracle(self) -> Oracle:
        self._games += 1
        if self._games > _MOST:
            self._games, self._oracle = 1, Oracle(_ORACLE_SECONDS)
        return self._oracle


_memory = _Memory()


def look_at(number: int, text: str) -> tuple[int, dict[str, Any]]:
    """Return a game's number and what was found in it; runs in a worker."""
    record = parse_records(text, "jsonl", source=f"game {number}")[0]
    try:
        return number, looked_at(record)
    except GameError as error:
        return number, {"problem": str(error)}


def looked_at(record: Record) -> dict[str, Any]:
    """Return for ``first`` and ``second`` the first mistake in words, its ply, and the oracle's.

    ``judged`` moves have known values, ``kept`` of them kept the value of the game, and the others
    gave away ``lost`` together.
    """
    judged: dict[int, Judged] = {move.ply - 1: move for move in _memory.oracle().judge(record)}
    graded = review(record, time=MOVE_SECONDS, total_time=TOTAL_SECONDS)
    opinions = {move.ply: move for move in graded.moves}
    positions = list(record.positions())
    found: dict[str, Any] = {}
    for side in Side:
        plies = [
            ply
            for ply in range(record.opening_length, len(record.moves))
            if positions[ply].side is side
        ]
        about = _numbers([judged[ply] for ply in plies if ply in judged])
        for ply in plies:
            words = _mistake(judged.get(ply), opinions.get(ply))
            if words is not None:
                number = ply + 1
                about["mistake"] = f"your first mistake was move {number}: {words}"
                about["ply"] = ply
                break
        found[side.name] = about
    return found


def _numbers(moves: list[Judged]) -> dict[str, Any]:
    return {
        "judged": len(moves),
        "kept": sum(move.keeps for move in moves),
        "lost": float(sum(move.loss for move in moves)),
    }


def _mistake(known: Judged | None, opinion: MoveReview | None) -> str | None:
    """Say what a move gave away; None if it gave away nothing, as far as anybody knows."""
    if known is not None:
        if known.keeps:
            return None
        return _turned(opinion, known.before, known.after)
    if opinion is None or opinion.grade not in _BAD:
        return None
    was, now = opinion.best_score, opinion.score
    if isinstance(was, Exact) and isinstance(now, Exact) and _sign(was.value) != _sign(now.value):
        return _turned(opinion, was.value, now.value)
    how = "much better" if opinion.grade is Grade.blunder else "better"
    return f"{opinion.best} was {how} than {opinion.move}, in our engine's opinion"


def _turned(opinion: MoveReview | None, before: float, after: float) -> str:
    move = "it" if opinion is None else str(opinion.move)
    return f"{move} turned {_result(before)} into {_result(after)}{_better(opinion)}"


def _better(opinion: MoveReview | None) -> str:
    if opinion is None or opinion.best == opinion.move:
        return ""
    return f"; {opinion.best} was better"


def _result(value: float) -> str:
    return _RESULTS[_sign(value)]


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
