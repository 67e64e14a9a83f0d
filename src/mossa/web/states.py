"""Positions, thoughts and games as plain data: all that a page needs to draw, and no rules."""

from __future__ import annotations

from math import inf, tanh
from typing import Any

from mossa._core import Game, Move, Position, Side
from mossa.analysis import Analysis, score_data
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


def advantage(score: Score, position: Position) -> float:
    """Return how far a score leans to first: 1 is won, -1 is lost, 0 is even."""
    value = score.value if position.side is Side.first else -score.value
    if position.game.kind == "kalah":
        return round(tanh(value / _EVEN_SEEDS), 3)
    if isinstance(score, Exact) or abs(value) == inf:
        return float((value > 0) - (value < 0))
    return round(0.95 * tanh(value / _EVEN_POINTS), 3)


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


def analysis_data(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis with the cells that its best line is drawn on."""
    position = analysis.position
    return {
        **analysis.to_dict(),
        "line": _line(position, analysis.line),
        "advantage": advantage(analysis.score, position),
    }


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
