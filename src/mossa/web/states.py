"""Positions, thoughts and games as plain data: everything a page needs to draw, and no rules."""

from __future__ import annotations

from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from mossa._core import Game, Move, Position, Shape, Side
from mossa.analysis import (
    Analysis,
    Grade,
    MoveReview,
    Review,
    UngradedMove,
    score_words,
    thought_text,
)
from mossa.errors import InvalidGameError
from mossa.games import named_game
from mossa.quantities import duration, rounded
from mossa.render import board_data, flights, last_cells, side_name, spoken, status
from mossa.search import Exact, Info, Score
from mossa.search import advantage as score_advantage
from mossa.session.wording import capitalised
from mossa.web.limits import CELLS


def game_of(name: str) -> Game:
    """Return a game, unless it is too large to serve."""
    game = named_game(name)
    cells = game.sizes.get("rows", 1) * game.sizes.get("cols", 1)
    if cells > CELLS:
        raise InvalidGameError(
            f"{game} is too large for the board in the browser: {cells} cells, at most {CELLS}"
        )
    return game


def analysis_query(
    game: str, moves: str, *, board: str | None = None, opening: int = 0, side: str | None = None
) -> str:
    """Return the query that asks the analysis and review pages for a game."""
    query = {"game": game, "moves": moves, "board": board, "opening": opening, "side": side}
    return urlencode({name: value for name, value in query.items() if value})


def position_state(position: Position) -> dict[str, Any]:
    """Return what is on the board and what can happen next."""
    game, outcome = position.game, position.outcome
    last, last_move = last_cells(position), position.last_move
    return {
        **board_data(position),
        **(_pits_state(position) if game.traits.shape is Shape.pits else {}),
        "game": game.name,
        "standing": capitalised(status(position, side_name)),
        "side": position.side.name,
        "ply": position.ply,
        "cells": position.cells,
        "last": last,
        "said": "" if last_move is None else spoken(game, last_move, last),
        "winning": position.winning_cells,
        "legal": [{"move": str(move), **_places(position, move)} for move in position.moves],
        "history": [str(move) for move in position.history],
        "start": position.start_text,
        "text": position.text,
        "mover": names_mover(position),
        "outcome": outcome
        and {
            "winner": outcome.winner and outcome.winner.name,
            "value": outcome.value,
            "reason": outcome.reason,
        },
    }


def _pits_state(position: Position) -> dict[str, Any]:
    """Return the stores in words, for screen readers, and the path of each seed."""
    names = (side_name(position.game, side) for side in Side)
    stores = (f"{name} {row[-1]}" for name, row in zip(names, position.cells, strict=True))
    return {"described": f"Stores: {', '.join(stores)}", "flights": flights(position)}


def _said(position: Position, move: Move) -> str:
    """Return a legal move as people say it."""
    cells = [cell for cell in _places(position, move).values() if cell is not None]
    return spoken(position.game, move, cells)


def names_mover(position: Position) -> bool:
    """Tell whether a board text says who is to move; otherwise the stones do."""
    return position.text.endswith(tuple(f" {side.name}" for side in Side))


def _places(position: Position, move: Move) -> dict[str, tuple[int, int] | None]:
    """Return the cells a legal move takes something from and puts it on."""
    return {"source": position.source(move), "target": position.target(move)}


def advantage(score: Score, position: Position, *, for_first: bool = False) -> float:
    """Return how much a score favours first: 1 is won, -1 is lost, 0 is even.

    A score is for the side to move, or else for first.
    """
    for_first = for_first or position.side is Side.first
    lean = score_advantage(score if for_first else -score, position.game.traits.scoring)
    return round(lean, 3)


def outcome_advantage(position: Position) -> float | None:
    """Return the same for a finished game; None while it goes on."""
    outcome = position.outcome
    return None if outcome is None else advantage(Exact(outcome.value), position, for_first=True)


def info_data(info: Info, position: Position) -> dict[str, Any]:
    """Return what a search thinks so far."""
    return {
        "move": str(info.move),
        "said": _said(position, info.move),
        "line": _line(position, info.line or [info.move]),
        "score": score_words(info.score, position),
        "text": thought_text(info),
        "advantage": advantage(info.score, position),
        "depth": info.depth,
        "nodes": info.nodes,
        "iterations": info.iterations,
        "seconds": round(info.time, 3),
    }


def glance_data(info: Info, position: Position) -> dict[str, Any]:
    """Return a search's thoughts as an analysis that knows only one move."""
    data = info_data(info, position)
    best = {"move": data["move"], "score": data["score"], "look": "best", "minor": False}
    return {**data, "analysis": [best]}


_PLAIN = 12
"""Moves a board has room for."""
_FEW = 5
"""Scores to show if there are more."""


def analysis_data(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis with the cells to draw its best line on."""
    position = analysis.position
    nodes = rounded(analysis.nodes, "node")
    return {
        **analysis.to_dict(),
        "score": score_words(analysis.score, position),
        "line": _line(position, analysis.line),
        "advantage": advantage(analysis.score, position),
        "text": f"depth {analysis.depth} · {nodes} · {duration(analysis.time)}",
        "analysis": [
            {
                "move": str(move),
                "score": score_words(found.score, position),
                "look": _look(found.score, analysis.score, rank),
                "minor": rank >= _FEW and len(analysis.moves) > _PLAIN,
            }
            for rank, (move, found) in enumerate(analysis.moves.items())
        ],
    }


def _look(score: Score, best: Score, rank: int) -> str:
    """Return how to draw a score: moves come best first, and the rest must not drown the best."""
    looks = {
        "best": str(score) == str(best),
        "faint": rank >= _PLAIN,
        "exact": isinstance(score, Exact),
    }
    return " ".join(name for name, so in looks.items() if so)


_FAULTS = (Grade.inaccuracy, Grade.mistake, Grade.blunder)
_UNGRADED = {"opening": "opening, not graded", "time": "not graded: no time left"}
_MOST_TRIES = 100
"""Graded moves to send per position: people do not try more."""


def review_data(review: Review, analyses: list[Analysis | None]) -> dict[str, Any]:
    """Return a review; every mistake comes with the worth of other moves."""
    data = review.to_dict()
    for one, move, analysis in zip(data["review"], review.rows, analyses, strict=True):
        if isinstance(move, UngradedMove):
            one["title"] = _UNGRADED[move.reason]
        if isinstance(move, UngradedMove) or analysis is None:
            continue
        one["line"] = _line(analysis.position, move.line)
        one["score"] = score_words(move.score, analysis.position)
        one["best_score"] = score_words(move.best_score, analysis.position)
        if move.grade in _FAULTS:
            best = one["best_score"]["words"]
            mover = side_name(review.record.game, analysis.position.side)
            one["task"] = (
                f"Move {move.ply + 1}: {mover} played {move.move}{one['mark']} "
                f"({move.grade.value}). Find a better move."
            )
            one["solution"] = f"The best move was {one['best']}: it {best}."
            one["tries"] = {
                str(each): _try(each, grade, move, analysis)
                for each, grade in list(move.grades.items())[:_MOST_TRIES]
            }
    last = outcome_advantage(review.record.position)
    final = review.rows[-1]
    if last is None and analyses[-1] is not None and not isinstance(final, UngradedMove):
        last = advantage(final.score, analyses[-1].position)
    return {**data, "advantage": last, "table": _grade_table(review), "told": _extent(review)}


def _try(move: Move, grade: Grade, fault: MoveReview, analysis: Analysis) -> dict[str, Any]:
    """Return what to say about a move tried in place of a mistake."""
    score = score_words(analysis.moves[move].score, analysis.position)
    names = {Grade.best: "the best move", Grade.good: "a good move"}
    verdict = "the move that was played" if move == fault.move else f"no better ({grade.value})"
    return {
        "grade": grade.value,
        "score": score,
        "right": grade in names,
        "told": f"{move} is {names.get(grade, verdict)}: it {score['words']}.",
    }


def _extent(review: Review) -> str:
    """Return whether all moves were graded, and which were not."""
    late = [move.ply + 1 for move in review.ungraded if move.reason == "time"]
    if not late:
        return "The review is complete."
    # Consecutive numbers differ from their places by the same amount.
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(late), lambda item: item[1] - item[0])
    ]
    texts = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
    return f"There was no time to grade {'move' if len(late) == 1 else 'moves'} {', '.join(texts)}."


def _grade_table(review: Review) -> str:
    """Return how often either side got each grade, as table rows."""
    sides = [review.sides[side] for side in Side]
    shares = [
        "\u2013" if one.accuracy is None else f"{round(100 * one.accuracy)} %" for one in sides
    ]
    rows: dict[str, list[str]] = {
        "accuracy": shares,
        **{grade: [str(one.counts[grade]) for one in sides] for grade in Grade},
    }
    names = "".join(f'<th scope="col">{side_name(review.record.game, side)}</th>' for side in Side)
    head = f"<tr><td></td>{names}</tr>"
    return head + "".join(
        f'<tr><th scope="row" class="{name}">{name}</th>'
        + "".join(f"<td>{value}</td>" for value in values)
        + "</tr>"
        for name, values in rows.items()
    )


_LONGEST_LINE = 12
"""More numbers than this on the board confuse people."""


def _line(position: Position, line: list[Move]) -> list[dict[str, Any]]:
    """Return a line's moves, with who makes them and where to draw them."""
    steps = []
    for move in line[:_LONGEST_LINE]:
        side = position.side.name
        steps.append({"move": str(move), "side": side, **_places(position, move)})
        position = position.play(move)
    return steps
