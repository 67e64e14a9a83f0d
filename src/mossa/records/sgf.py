"""SGF, the Smart Game Format (FF[4], GM[4]: gomoku), for mnk games; https://www.red-bean.com/sgf/.

    (;FF[4]GM[4]SZ[15]RU[mnk:15x15x5]PB[human]PW[random]RE[B+]
    ;B[hh];W[gg];B[ih])

A file is a row of trees. A tree's main line is the first branch at every fork, and the others are
the branches of the record; nothing here recurses, so no nesting is too deep. A point is two
letters, the column from the left and the row from the top, a..z then A..Z: the largest board is
52 x 52.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import ascii_letters
from typing import NamedTuple

from mossa._core import Game, Move
from mossa.records.branches import Item, follow, in_order, split_moves
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
    opening,
    quote,
)

_LARGEST = len(ascii_letters)
_NODES_PER_LINE = 10
_TOKEN = re.compile(r"\s*+([();]|[A-Za-z]++|\[(?:[^\]\\]++|\\.)*+\])", re.DOTALL)
_SIZE = re.compile(r"([0-9]{1,3})(?::([0-9]{1,3}))?")
_WINNERS = {"B+": FIRST_WINS, "W+": SECOND_WINS}
_NO_WINNER = {"0": DRAW, "draw": DRAW, "void": OPEN, "?": OPEN, "": OPEN}
_FACTS = {"first": "PB", "second": "PW", "date": "DT", "comment": "GC"}
_STONES = {"AB": "x", "AW": "o"}
_COLOURS = ("B", "W")


class _Property(NamedTuple):
    """What a node says."""

    place: Place
    name: str
    value: str  # as written
    main: bool  # whether it is on the main line
    after: int | None  # which property of its tree is the move before it


def parse_sgf(text: str, source: str) -> list[Record]:
    """Read the games of an SGF collection."""
    return [_record(place, properties) for place, properties in _trees(text, source)]


def to_sgf(records: Iterable[Record]) -> str:
    """Write games as an SGF collection."""
    return "\n".join(map(_format, records))


# --- reading --------------------------------------------------------------------------------------


def _trees(text: str, source: str) -> Iterator[tuple[Place, list[_Property]]]:
    """Of every tree, where it starts and its properties."""
    start = place = Place(source, 1)
    properties: list[_Property] = []
    forks: list[int | None] = []  # the last moves before the branches that are open
    on_main_line, name, before = True, "", ""
    move: int | None = None
    for place, token in _tokens(text, source):
        kind = token[0]
        if not forks and kind != "(":
            raise place.error(f"expected '(' to start a game, not {quote(token)}")
        if before == "(" and kind != ";":
            raise place.error(f"expected ';' after '(', not {quote(token)}")
        if before.isalpha() and kind != "[":
            raise place.error(f"property {quote(before)} has no value; accepted: NAME[value]")
        if kind == "(":
            if not forks:
                start, properties, on_main_line, move = place, [], True, None
            forks.append(move)
        elif kind == ")":
            move, on_main_line = forks.pop(), False
            if not forks:
                yield start, properties
        elif kind == "[":
            if not name:
                raise place.error(f"value {quote(token)} belongs to no property")
            properties.append(_Property(place, name, token[1:-1], on_main_line, move))
            if name in _COLOURS:
                move = len(properties) - 1
        if kind in "();":
            name = ""
        elif kind != "[":  # old files spell names out (`GaMe`); only the capitals count
            name = "".join(filter(str.isupper, token)) or token
        before = token if kind.isalpha() else kind
    if forks:
        raise place.error("the file ends inside a game: ')' is missing")


def _tokens(text: str, source: str) -> Iterator[tuple[Place, str]]:
    at, line = 0, 1
    while found := _TOKEN.match(text, at):
        line += text.count("\n", at, found.start(1))
        yield Place(source, line), found[1]
        line += text.count("\n", found.start(1), found.end())
        at = found.end()
    if rest := text[at:].lstrip():
        line += text.count("\n", at, len(text) - len(rest))
        reason = (
            "'[' is never closed by ']'" if rest[0] == "[" else f"unexpected {quote(rest[:20])}"
        )
        raise Place(source, line).error(reason)


def _record(place: Place, properties: list[_Property]) -> Record:
    info: dict[str, tuple[Place, str]] = {}
    for at, name, value, main, _ in properties:
        if main:
            info.setdefault(name, (at, value))
    game = _game(place, info)
    facts: dict[str, object] = {
        fact: _unescape(info[name][1]) for fact, name in _FACTS.items() if name in info
    }
    result_at, result = info.get("RE", (place, ""))
    facts["result"] = _result(result_at, result)
    stones: dict[tuple[int, int], str] = {}
    for at, name, value, main, after in properties:
        if name == "AE" or (name in _STONES and not (main and after is None)):
            raise at.error(f"{name} changes the board; only AB and AW before the first move may")
        if name in _STONES:
            for point in _rectangle(at, value.strip(), game):
                if point in stones:
                    raise at.error(f"{name} {quote(value)} sets up a cell that is already set up")
                stones[point] = _STONES[name]
    start = facts["start"] = _board_text(game, stones) if stones else None
    with place.blamed():
        turn = opening(game, start).side.value
    moves = _moves(place, properties, game, turn)
    return build(place, game, moves, facts, result_at=result_at)


def _moves(
    place: Place, properties: list[_Property], game: Game, turn: int
) -> list[tuple[Place, Item]]:
    """The moves of a tree, its branches in parentheses, each with the place it stands at."""
    following: dict[int | None, list[int]] = {}
    turns: dict[int | None, int] = {None: turn}
    for number, (at, name, _, _, after) in enumerate(properties):
        if name not in _COLOURS:
            continue
        colour = _COLOURS[turns[after]]
        if name != colour:
            raise at.error(f"{name} moves when it is {colour}'s turn; B moves first")
        turns[number] = 1 - turns[after]
        following.setdefault(after, []).append(number)
    words: list[tuple[Place, Item]] = []
    for item in in_order(following, None):
        if isinstance(item, str):
            words.append((place, item))
        else:
            place = properties[item].place
            words.append((place, _move(place, properties[item].value.strip(), game)))
    return words


def _game(place: Place, info: dict[str, tuple[Place, str]]) -> Game:
    at, value = info.get("GM", (place, "4"))
    if value.strip() != "4":
        raise at.error(f"GM {quote(value)} is another game; accepted: GM[4], gomoku")
    at, value = info.get("SZ", (place, "15"))
    size = _SIZE.fullmatch(value.strip())
    cols, rows = (int(size[1]), int(size[2] or size[1])) if size else (0, 0)
    if not (1 <= cols <= _LARGEST and 1 <= rows <= _LARGEST):
        raise at.error(
            f"SZ {quote(value)} is not a board; accepted: SZ[15], SZ[COLUMNS:ROWS], up to 52"
        )
    at, value = info.get("RU", (at, ""))
    with at.blamed():
        return five_in_a_row(rows, cols, _unescape(value).strip())


def _result(place: Place, value: str) -> str:
    text = value.strip()
    result = _WINNERS.get(text[:2].upper()) or _NO_WINNER.get(text.lower())
    if result is None:
        raise place.error(f"RE {quote(value)} is not a result; accepted: B+... W+... 0 Draw Void ?")
    return result


def _move(place: Place, value: str, game: Game) -> Move:
    if not value:
        raise place.error("a pass, but nobody may pass in mnk")
    return move_at(game, *_point(place, value, game))


def _point(place: Place, value: str, game: Game) -> tuple[int, int]:
    cols, rows = game.sizes["cols"], game.sizes["rows"]
    x, y = map(ascii_letters.find, value) if len(value) == 2 else (-1, -1)
    if not (0 <= x < cols and 0 <= y < rows):
        last = ascii_letters[cols - 1] + ascii_letters[rows - 1]
        raise place.error(f"{quote(value)} is not a cell; accepted: 'aa' (top left) to {last!r}")
    return x, y


def _rectangle(place: Place, value: str, game: Game) -> Iterator[tuple[int, int]]:
    """The cells of a list entry: one point, or all from one corner to another (`aa:cc`)."""
    corner, colon, opposite = value.partition(":")
    left, top = _point(place, corner, game)
    right, bottom = _point(place, opposite if colon else corner, game)
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            yield x, y


def _board_text(game: Game, stones: dict[tuple[int, int], str]) -> str:
    cols, rows = range(game.sizes["cols"]), range(game.sizes["rows"])
    return "/".join("".join(stones.get((x, y), ".") for x in cols) for y in rows)


def _unescape(value: str) -> str:
    """A backslash keeps the next character from meaning anything; before a line break it joins."""
    return re.sub(r"\\(.)", lambda found: found[1].strip("\n"), value, flags=re.DOTALL)


# --- writing --------------------------------------------------------------------------------------


def _format(record: Record) -> str:
    check_cells(record, "SGF")
    rows, cols = record.game.sizes["rows"], record.game.sizes["cols"]
    if max(rows, cols) > _LARGEST:
        raise InvalidRecordError(
            f"SGF has no letters for {record.game.name}: its largest board is 52 x 52"
        )
    start = opening(record.game, record.start)
    size = f"{cols}" if rows == cols else f"{cols}:{rows}"
    root = f"(;FF[4]GM[4]CA[UTF-8]AP[mossa]SZ[{size}]RU[{record.game.name}]"
    root += "".join(
        f"{name}[{_escape(value)}]"
        for fact, name in _FACTS.items()
        if (value := getattr(record, fact)) not in (None, "?")
    )
    outcome = {FIRST_WINS: "RE[B+]", SECOND_WINS: "RE[W+]", DRAW: "RE[Draw]", OPEN: ""}
    root += outcome[record.result]
    if record.start is not None:
        root += _setup(record.start) + f"PL[{_COLOURS[start.side.value]}]"
    items: list[Item] = [*record.moves]
    if record.branches is not None:
        _, items = follow(start, split_moves(record.game, record.branches))
    return "\n".join((root, *_lines(_tree(items, record.game, start.side.value)))) + ")\n"


def _tree(items: list[Item], game: Game, turn: int) -> Iterator[str]:
    """The nodes and brackets of moves; where there are branches, the main line is one of them."""
    following: dict[int, list[int]] = {}
    turns, nodes = {-1: turn}, {}
    here = before = -1
    left: list[tuple[int, int]] = []
    for number, item in enumerate(items):
        if isinstance(item, Move):
            x, y = cell_played(game, item)
            nodes[number] = f";{_COLOURS[turns[here]]}[{ascii_letters[x]}{ascii_letters[y]}]"
            turns[number] = 1 - turns[here]
            following.setdefault(here, []).append(number)
            before, here = here, number
        elif item == "(":
            left.append((before, here))
            here = before
        else:
            before, here = left.pop()
    waiting: list[int | str] = [-1]
    while waiting:
        next_one = waiting.pop()
        if isinstance(next_one, str):
            yield next_one
            continue
        if next_one in nodes:
            yield nodes[next_one]
        match following.get(next_one, []):
            case [only]:
                waiting.append(only)
            case several:
                for number in reversed(several):
                    waiting += [")", number, "("]


def _lines(parts: Iterable[str]) -> Iterator[str]:
    """Nodes on lines that are not too long; every branch begins on one of its own."""
    line, count = "", 0
    for part in parts:
        if part == ")":
            line += part
            continue
        if line and (part == "(" or (count == _NODES_PER_LINE)):
            yield line
            line, count = "", 0
        line += part
        count += part != "("
    if line:
        yield line


def _setup(start: str) -> str:
    points: dict[str, list[str]] = {mark: [] for mark in _STONES.values()}
    for y, row in enumerate(start.split("/")):
        for x, mark in enumerate(row):
            if mark in points:
                points[mark].append(f"[{ascii_letters[x]}{ascii_letters[y]}]")
    return "".join(name + "".join(points[mark]) for name, mark in _STONES.items() if points[mark])


def _escape(text: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", text)
