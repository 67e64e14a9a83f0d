"""PSQ, the game files of the Piskvork manager and of the Gomocup tournaments, for mnk games.

    Piskvorky 20x20, 0:0, 0      width x height, level of each player, which of the two began
    11,11,456                    a move: column and row from the top left, from 1; milliseconds
    12,12,4500
    alpha                        optional: the first and the second player
    beta
    -1                           a code that says how the program stopped, of no interest here
    1,mnk:20x20x5                optional: who won (0 a draw), and the tournament

mossa puts the game's name in the place of the tournament's; there 1 is the first player, 2 the
second, -1 nobody yet. In Gomocup's own files 1 and 2 count the players in the order of the pairing,
which need not be the order of play. There the number only says that somebody won, and the moves say
who: on a board that is not decided the side to move has lost, by time or by a crash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from mossa._core import Game, Move, Side
from mossa.records.record import (
    DRAW,
    FIRST_WINS,
    OPEN,
    SECOND_WINS,
    InvalidRecordError,
    Place,
    Record,
    build,
    cell_played,
    check_cells,
    five_in_a_row,
    move_at,
    quote,
)

_HEADER = re.compile(r"Piskvorky ([0-9]{1,3})x([0-9]{1,3}), *[0-9]{1,3}:[0-9]{1,3}, *([01])")
_MOVE = re.compile(r"([0-9]{1,9}) *, *([0-9]{1,9})(?: *, *(-?[0-9]{1,12}))?")
_CODE = re.compile(r"-?[0-9]{1,9}")
_RESULT = re.compile(r"(-1|0|1|2),(.*)")
_NUMBERS = {"1": FIRST_WINS, "2": SECOND_WINS, "0": DRAW, "-1": OPEN}

_Line = tuple[Place, str]


def parse_psq(text: str, source: str) -> list[Record]:
    """Read the game of a PSQ text."""
    numbered = enumerate(text.split("\n"), 1)
    lines = [(Place(source, number), line.strip()) for number, line in numbered if line.strip()]
    place, header = lines[0]
    found = _HEADER.fullmatch(header)
    if found is None:
        raise place.error(f"{quote(header)} is not a header; accepted: 'Piskvorky 15x15, 0:0, 0'")
    cols, rows, second_began = int(found[1]), int(found[2]), found[3] == "1"
    count = 1
    while count < len(lines) and _MOVE.fullmatch(lines[count][1]):
        count += 1
    names, number, rules = _trailer(lines[count:])
    at = lines[-1][0] if rules else place
    with at.blamed():
        game = five_in_a_row(rows, cols, rules)
    moves, times = _moves(game, lines[1:count])
    facts: dict[str, object] = {"extra": {"times_ms": times} if any(times) else {}}
    if names:
        facts["first"], facts["second"] = reversed(names) if second_began else names
    by_pairing = number in ("1", "2") and not rules.startswith("mnk:")
    facts["result"] = OPEN if by_pairing else _NUMBERS[number]
    record = build(place, game, moves, facts, result_at=lines[-1][0])
    if by_pairing and record.position.outcome is None:
        lost_by_first = record.position.side is Side.first
        record = replace(record, result=SECOND_WINS if lost_by_first else FIRST_WINS)
    return [record]


def to_psq(records: Iterable[Record]) -> str:
    """Write one game as PSQ; the format has no place for a second."""
    games = list(records)
    if len(games) != 1:
        raise InvalidRecordError(f"PSQ holds one game per file, not {len(games)}")
    return _format(games[0])


def _trailer(lines: list[_Line]) -> tuple[list[str], str, str]:
    """The players' names, the winner's number and the tournament, where the file has them."""
    names: list[str] = []
    rest = lines
    if len(lines) > 2 or (lines and not _CODE.fullmatch(lines[0][1])):
        names, rest = [name for _, name in lines[:2]], lines[2:]
    if len(rest) > 2 or any(map(_MOVE.fullmatch, names)) or (names and not rest):
        raise _misplaced(*lines[0])
    if rest and not _CODE.fullmatch(rest[0][1]):
        raise _misplaced(*rest[0])
    if len(rest) < 2:
        return names, "-1", ""
    place, text = rest[1]
    found = _RESULT.fullmatch(text)
    if found is None:
        raise place.error(
            f"{quote(text)} is not a result; accepted: '1,TOURNAMENT' with 1, 2, 0 or -1"
        )
    return names, found[1], found[2].strip()


def _misplaced(place: Place, line: str) -> InvalidRecordError:
    return place.error(
        f"{quote(line)} is neither a move 'x,y,time' nor fits the end: two names, a code, a result"
    )


def _moves(game: Game, lines: list[_Line]) -> tuple[list[tuple[Place, Move]], list[int]]:
    cols, rows = game.sizes["cols"], game.sizes["rows"]
    moves: list[tuple[Place, Move]] = []
    times: list[int] = []
    for place, line in lines:
        x, y, *time = map(int, line.split(","))
        if not (1 <= x <= cols and 1 <= y <= rows):
            raise place.error(
                f"{quote(line)} is not a cell; accepted: 1,1 (top left) to {cols},{rows}"
            )
        moves.append((place, move_at(game, x - 1, y - 1)))
        times.append(time[0] if time else 0)
    return moves, times


def _format(record: Record) -> str:
    check_cells(record, "PSQ")
    cells = [cell_played(record.game, move) for move in record.moves]
    rows, cols = record.game.sizes["rows"], record.game.sizes["cols"]
    if record.start is not None:
        raise InvalidRecordError(
            "PSQ holds games from the empty board only; SGF, text and JSONL hold set-up ones"
        )
    for name in (record.first, record.second):
        if _MOVE.fullmatch(name):
            raise InvalidRecordError(f"PSQ would read the player's name {quote(name)} as a move")
    number = next(number for number, result in _NUMBERS.items() if result == record.result)
    lines = [
        f"Piskvorky {cols}x{rows}, 0:0, 0",
        *(f"{x + 1},{y + 1},{time}" for (x, y), time in zip(cells, _times(record), strict=True)),
        record.first,
        record.second,
        "-1",
        f"{number},{record.game.name}",
    ]
    return "\n".join(lines) + "\n"


def _times(record: Record) -> list[int]:
    """The milliseconds of each move; 0 where they are not known."""
    unknown = [0] * len(record.moves)
    times = record.extra.get("times_ms")
    if not isinstance(times, list) or len(times) != len(unknown):
        return unknown
    return times if all(type(time) is int and abs(time) < 10**12 for time in times) else unknown
