"""Positions, thoughts and games as plain data: all that a page needs to draw, and no rules."""

from __future__ import annotations

from math import inf, tanh
from typing import Any

from mossa._core import Game, Move, Position, Side
from mossa.analysis import Analysis, Grade, Review, score_data
from mossa.errors import InvalidGameError
from mossa.games import game as game_named
from mossa.render import column_name
from mossa.render.words import is_small
from mossa.search import Exact, Info, Score
from mossa.web.limits import CELLS

_EVEN_SEEDS = 8.0
"""Kalah: a margin of so many seeds is a clear advantage."""
_EVEN_POINTS = 100.0
"""Line games: so many points of the evaluation are."""


def game_of(name: str) -> Game:
    """Return a game that is not too large to be served."""
    game = game_named(name)
    cells = game.sizes.get("rows", 1) * game.sizes.get("cols", 1)
    if cells > CELLS:
        raise InvalidGameError(
            f"{game} is too large for the board in the browser: {cells} cells, at most {CELLS}"
        )
    return game


def position_state(position: Position) -> dict[str, Any]:
    """Return what is on the board and what may be done next."""
    game, outcome = position.game, position.outcome
    return {
        "game": game.name,
        "kind": game.kind,
        "sizes": game.sizes,
        "letters": is_small(game),
        "columns": [column_name(game, col) for col in range(game.sizes.get("cols", 0))],
        "side": position.side.name,
        "ply": position.ply,
        "cells": position.cells,
        "last": position.last_cell,
        "winning": position.winning_cells,
        "legal": [{"move": str(move), "cell": _target(position, move)} for move in position.moves],
        "history": [str(move) for move in position.history],
        "start": position.start_text,
        "text": position.text,
        "outcome": outcome
        and {
            "winner": outcome.winner and outcome.winner.name,
            "value": outcome.value,
            "reason": outcome.reason,
        },
    }


def _target(position: Position, move: Move) -> tuple[int, int] | None:
    """Return the cell that a move is drawn on: where its stone comes to lie, the pit it sows."""
    if move.row is not None and move.col is not None:
        return move.row, move.col
    if position.game.kind == "kalah":
        return None if move.number is None else (position.side.value, move.number - 1)
    return position.play(move).last_cell


def advantage(score: Score, position: Position, *, for_first: bool = False) -> float:
    """Return how far a score leans to first: 1 is won, -1 is lost, 0 is even.

    A score is for the side to move, or else for first.
    """
    value = score.value if for_first or position.side is Side.first else -score.value
    if position.game.kind == "kalah":
        return round(tanh(value / _EVEN_SEEDS), 3)
    if isinstance(score, Exact) or abs(value) == inf:
        return float((value > 0) - (value < 0))
    return round(0.95 * tanh(value / _EVEN_POINTS), 3)


def outcome_advantage(position: Position) -> float | None:
    """Return the same of a game that is over; None while it goes on."""
    outcome = position.outcome
    return None if outcome is None else advantage(Exact(outcome.value), position, for_first=True)


def info_data(info: Info, position: Position) -> dict[str, Any]:
    """Return what a search thinks so far."""
    return {
        "move": str(info.move),
        "line": _line(position, info.line),
        "score": score_data(info.score),
        "advantage": advantage(info.score, position),
        "depth": info.depth,
        "nodes": info.nodes,
        "iterations": info.iterations,
        "seconds": round(info.time, 3),
    }


def glance_data(info: Info, position: Position) -> dict[str, Any]:
    """Return what a search thinks as an analysis that knows one move only."""
    data = info_data(info, position)
    return {**data, "analysis": [{"move": data["move"], "score": data["score"]}]}


def analysis_data(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis with the cells that its best line is drawn on."""
    position = analysis.position
    return {
        **analysis.to_dict(),
        "line": _line(position, analysis.line),
        "advantage": advantage(analysis.score, position),
    }


_FAULTS = (Grade.inaccuracy, Grade.mistake, Grade.blunder)
_MOST_TRIES = 100
"""Moves of a position whose grades are sent: people do not try more."""


def review_data(review: Review, analyses: list[Analysis]) -> dict[str, Any]:
    """Return a review; with every fault, what other moves would have been worth."""
    data = review.to_dict()
    for one, move, analysis in zip(data["moves"], review.moves, analyses, strict=True):
        one["line"] = _line(analysis.position, move.line)
        if move.grade in _FAULTS:
            one["tries"] = {
                str(each): {"grade": grade.value, "score": score_data(analysis.moves[each].score)}
                for each, grade in list(move.grades.items())[:_MOST_TRIES]
            }
    last = outcome_advantage(review.record.position)
    return data if last is None else {**data, "advantage": last}


_LONGEST_LINE = 12
"""More numbers on the board than this confuse."""


def _line(position: Position, line: list[Move]) -> list[dict[str, Any]]:
    """Return the moves of a line, whose they are and where they are drawn."""
    steps = []
    for move in line[:_LONGEST_LINE]:
        cell = _target(position, move)
        steps.append({"move": str(move), "side": position.side.name, "cell": cell})
        position = position.play(move)
    return steps
