"""JSONL: one JSON object per line and game, made for programs.

Keys that are not fields of a record are kept in `record.extra` and written back. So later versions
and other programs can add what they measure (`times_ms`, `nodes`, ... one entry per move), and no
reader loses it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from mossa.games import named_game
from mossa.records.branches import split_moves
from mossa.records.record import BRANCHES, TEXTS, Place, Record, build, quote


def parse_jsonl(text: str, source: str) -> list[Record]:
    """Read the games of a JSONL text."""
    lines = enumerate(text.split("\n"), 1)
    return [_record(Place(source, number), line) for number, line in lines if line.strip()]


def to_jsonl(records: Iterable[Record]) -> str:
    """Write games as JSONL."""
    return "".join(json.dumps(_object(record), ensure_ascii=False) + "\n" for record in records)


def _record(place: Place, line: str) -> Record:
    values = _decoded(place, line)
    for key in ("game", "moves"):
        if key not in values:
            raise place.error(f"{quote(key)} is missing in {quote(line)}")
    name, moves = values.pop("game"), values.pop("moves")
    if not isinstance(name, str):
        raise place.error(f"'game' is {quote(name)}, not the name of a game")
    with place.blamed():
        game = named_game(name)
    if isinstance(moves, str):
        with place.blamed():
            moves = split_moves(game, moves)
    elif not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise place.error('\'moves\' is something else than \'4 4 5\' or ["4", "4", "5"]')
    facts = {key: values.pop(key) for key in (*TEXTS, BRANCHES) if key in values}
    return build(place, game, ((place, move) for move in moves), {**facts, "extra": values})


def _decoded(place: Place, line: str) -> dict[str, object]:
    try:
        values = json.loads(line)
    except json.JSONDecodeError as error:
        reason = f"not JSON ({error.msg}, column {error.colno})"
    except ValueError:
        reason = "JSON with a number that is too long"
    except RecursionError:
        reason = "JSON that is nested too deep"
    else:
        if isinstance(values, dict):
            return values
        reason = "not a JSON object"
    raise place.error(f"{quote(line)} is {reason}; accepted: one object per line and game")


def _object(record: Record) -> dict[str, object]:
    texts = {name: value for name in TEXTS if (value := getattr(record, name)) is not None}
    moves = [str(move) for move in record.moves]
    branches = {BRANCHES: record.branches} if record.branches else {}
    return {"game": record.game.name, **texts, "moves": moves, **branches, **record.extra}
