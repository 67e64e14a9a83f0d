"""Games as people write them down: moves with branches, edited boards, pasted records."""

from __future__ import annotations

import re
from typing import Any

from mossa._core import Game, InvalidPositionError, Position, Shape
from mossa.quantities import counted
from mossa.records import (
    Record,
    branches_left_out,
    form_of,
    parse_records,
    to_jsonl,
    to_psq,
    to_sgf,
    to_text,
)
from mossa.records.branches import follow, split_moves
from mossa.records.branches import written as written_moves
from mossa.records.record import opening
from mossa.web.evaluation import evaluation_state
from mossa.web.states import game_of, names_mover, position_state

WRITERS = {"mossa": to_text, "jsonl": to_jsonl, "sgf": to_sgf, "psq": to_psq}

_RECORD = re.compile(r"\s*+(?:\(\s*+;|Piskvorky\b|mossa\s|#|\{)")


def read(game: Game, board: str, text: str) -> dict[str, Any]:
    """Return the game, its first board, its moves and last position, all checked."""
    note, known = "", 0
    if _RECORD.match(text):
        records = parse_records(text, source="the text")
        record = records[0]
        if len(records) > 1:
            note = f"Showing the first of {counted(len(records), 'game')}"
        game_of(record.game.name)  # refuses games that are too large
        last, known = record.position, record.opening_length
        moves = record.branches or last.history_text
    else:
        last, items = follow(opening(game, board or None), split_moves(game, text))
        moves = written_moves(items)
    return {
        "game": last.game.name,
        "board": last.start_text or "",
        "moves": moves,
        "note": note,
        "opening": known,
        "position": looked_at(last),
    }


def looked_at(position: Position) -> dict[str, Any]:
    """Return a position as plain data, with its evaluation."""
    return {**position_state(position), "evaluation": evaluation_state(position)}


def arranged(game: Game, cells: list[list[int]], side: str) -> Position:
    """Return the position with these stones or seeds; the core refuses impossible ones."""
    if game.traits.shape is Shape.pits:
        rows = [",".join(map(str, row)) for row in cells]
    elif any(value > 2 for row in cells for value in row):
        raise InvalidPositionError("a cell is 0 (empty), 1 (first) or 2 (second)")
    else:
        rows = ["".join(".xo"[value] for value in row) for row in cells[::-1]]
    mover = f" {side}" if names_mover(game.start()) else ""
    return game.from_text("/".join(rows) + mover)


def written(game: Game, board: str, text: str, form: str) -> dict[str, Any]:
    """Return moves with branches as a record file, and a note on branches it has no room for."""
    last, items = follow(opening(game, board or None), split_moves(game, text))
    games = [Record.from_position(last, branches=written_moves(items))]
    lost = branches_left_out(form_of(f"game.{form}"), games)
    were = f"{counted(lost, 'branch was', 'branches were')} left out: .{form} has no room for them"
    return {"text": WRITERS[form](games), "note": were if lost else ""}
