"""Games as people write them down: moves with branches, boards they arrange, records they paste.

Branches stand in parentheses behind the move that they are an alternative to, as chess players
write them: in ``4 4 (5 3) 5`` the second move is 4, or 5 with the answer 3.
"""

from __future__ import annotations

import re
from typing import Any

from mossa._core import Game, InvalidPositionError, Position
from mossa.errors import GameError
from mossa.records import Record, parse_records, to_jsonl, to_psq, to_sgf, to_text
from mossa.records.record import opening, split_moves
from mossa.web.states import game_of, position_state

WRITERS = {"mossa": to_text, "jsonl": to_jsonl, "sgf": to_sgf, "psq": to_psq}

_RECORD = re.compile(r"\s*+(?:\(\s*+;|Piskvorky\b|mossa\s|#|\{)")
_WORD = re.compile(r"[()]|[^\s()]++")


def read(game: Game, board: str, text: str) -> dict[str, Any]:
    """Return the game, its first board, its moves and last position, all of them checked."""
    games, known = 1, 0
    if _RECORD.match(text):
        records = parse_records(text, source="the text")
        games, record = len(records), records[0]
        game_of(record.game.name)  # refuses what is too large
        last, known = record.position, record.opening_length
        words = [str(move) for move in record.moves]
    else:
        last, words = _with_branches(opening(game, board or None), text)
    return {
        "game": last.game.name,
        "board": last.start_text or "",
        "moves": " ".join(words),
        "games": games,
        "opening": known,
        "position": position_state(last),
    }


def _with_branches(start: Position, text: str) -> tuple[Position, list[str]]:
    words: list[str] = []
    before: Position | None = None  # where the last move was made: a branch begins there
    now = start
    left: list[tuple[Position, Position]] = []
    for word in _WORD.findall(text):
        if word == "(":
            if before is None:
                raise GameError("'(' begins a branch, but there is no move before it")
            left.append((before, now))
            now, before = before, None
        elif word == ")":
            if before is None or not left:
                raise GameError("')' ends no branch" if not left else "'()' is an empty branch")
            before, now = left.pop()
        else:
            for move in split_moves(start.game, word):
                before, now = now, now.play(move)
                words.append(str(now.last_move))
            continue
        words.append(word)
    if left:
        raise GameError("a branch is not closed: ')' is missing")
    return now, words


def arranged(game: Game, cells: list[list[int]], side: str) -> Position:
    """Return the position with these stones or seeds; the core says if there can be one."""
    if game.kind == "kalah":
        rows = "/".join(",".join(map(str, row)) for row in cells)
        return game.from_text(f"{rows} {side}")
    if any(value > 2 for row in cells for value in row):
        raise InvalidPositionError("a cell is 0 (empty), 1 (first) or 2 (second)")
    return game.from_text("/".join("".join(".xo"[value] for value in row) for row in cells[::-1]))


def written(position: Position, form: str) -> str:
    """Return the game that led to a position as a record file."""
    return WRITERS[form]([Record.from_position(position)])
