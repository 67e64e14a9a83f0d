"""The text format: a header line and the moves, made to be read and typed by people.

    # a comment
    mossa connect:6x7x4 first="human" second="random" result=1-0 date=2026-11-15
    4 1 4 1 4 1 4

A header starts a game; after the game's name come `key=value` pairs, where a value is a JSON string
(or object, for `extra`) or, if it has no spaces, just the text. Blank lines and line breaks among
the moves mean nothing. A branch stands in parentheses behind the move that it replaces.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator

from mossa._core import Game
from mossa.games import named_game
from mossa.records.branches import Item, split_moves
from mossa.records.record import OPEN, TEXTS, Place, Record, build, quote

_WIDTH = 79
_KEYS = (*TEXTS, "extra")
_START = re.compile(r"\s*+mossa(?=\s|$)(?:\s++(\S++))?")
_KEY = re.compile(r"([a-z]++)=")
_BARE = re.compile(r"[^\s\"{#]\S*+")
_DECODER = json.JSONDecoder()


def parse_text(text: str, source: str) -> list[Record]:
    """Read the games of a text."""
    games: list[tuple[Place, str, list[tuple[Place, str]]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        place = Place(source, number)
        if _START.match(line):
            games.append((place, line, []))
        elif body := line.partition("#")[0].strip():
            if not games:
                raise place.error(
                    f"expected a header such as 'mossa connect:6x7x4', not {quote(body)}"
                )
            games[-1][2].append((place, body))
    return [_record(*game) for game in games]


def to_text(records: Iterable[Record]) -> str:
    """Write games as text."""
    return "\n".join(map(_format, records))


def _record(place: Place, header: str, lines: list[tuple[Place, str]]) -> Record:
    begin = _START.match(header)
    if begin is None or begin[1] is None:
        raise place.error("the header names no game; accepted: 'mossa GAME key=value ...'")
    with place.blamed():
        game = named_game(begin[1])
    facts = _facts(place, header, begin.end())
    return build(place, game, _moves(game, lines), facts)


def _moves(game: Game, lines: list[tuple[Place, str]]) -> Iterator[tuple[Place, Item]]:
    for place, line in lines:
        with place.blamed():
            items = split_moves(game, line)
        for item in items:
            yield place, item


def _facts(place: Place, header: str, at: int) -> dict[str, object]:
    facts: dict[str, object] = {}
    while rest := header[at : at + 1]:
        if rest.isspace():
            at += 1
            continue
        if rest == "#":
            break
        found = _KEY.match(header, at)
        if found is None or found[1] not in _KEYS:
            raise place.error(
                f"{quote(header[at:])} is not a known key=value; accepted keys: {' '.join(_KEYS)}"
            )
        if found[1] in facts:
            raise place.error(f"{found[1]} is given twice")
        facts[found[1]], at = _value(place, header, found.end())
        if header[at : at + 1].strip():
            raise place.error(f"a space is missing before {quote(header[at:])}")
    return facts


def _value(place: Place, header: str, at: int) -> tuple[object, int]:
    if bare := _BARE.match(header, at):
        return bare[0], bare.end()
    try:
        return _DECODER.raw_decode(header, at)
    except (ValueError, RecursionError):
        raise place.error(
            f"{quote(header[at:])} is neither a JSON string or object nor a text without spaces"
        ) from None


def _format(record: Record) -> str:
    words = ["mossa", record.game.name]
    for name in TEXTS:
        value = getattr(record, name)
        if value is None or (name == "result" and value == OPEN):
            continue
        bare = name in ("result", "date") and _BARE.fullmatch(value)
        words.append(f"{name}={value if bare else json.dumps(value, ensure_ascii=False)}")
    if record.extra:
        words.append(f"extra={json.dumps(record.extra, ensure_ascii=False, separators=(',', ':'))}")
    moves = textwrap.wrap(record.branches or " ".join(map(str, record.moves)), _WIDTH)
    return "\n".join((" ".join(words), *moves)) + "\n"
