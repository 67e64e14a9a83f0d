"""A record: one game as it was played, and what every file format needs to build one.

A record is always playable. Its moves are replayed through the core when it is built, so whoever
holds a record may trust `record.position`; a file with an illegal move never becomes a record.

The result is a *claim* that the board may overrule. If the moves end the game, the board decides
and a different claim is refused. If they do not, the claim stands: somebody resigned, lost on time,
or the players agreed. `*` claims nothing.

What somebody would have played instead is no part of the game, but a record may hold it beside the
moves: `branches` has both, as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field
from typing import NamedTuple

from mossa._core import Game, Move, Position, Side
from mossa.errors import GameError, described, expect_game, expect_position, shorten
from mossa.games import lines_anywhere, named_game
from mossa.quantities import counted
from mossa.records.branches import Item, follow, split_moves, written

FIRST_WINS, SECOND_WINS, DRAW, OPEN = RESULTS = ("1-0", "0-1", "1/2", "*")

# The facts about a game that are plain text, in the order in which they are written.
TEXTS = ("first", "second", "result", "date", "start", "comment")
BRANCHES = "branches"

_UNWRITABLE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class InvalidRecordError(GameError):
    """A record that cannot be read, built or written. Its text is `source:line: reason`."""

    def __init__(self, reason: str, *, source: str | None = None, line: int | None = None) -> None:
        """Say what is wrong and, if it was read from somewhere, where."""
        self.reason, self.source, self.line = reason, source, line
        place = ":".join(str(part) for part in (source, line) if part is not None)
        super().__init__(f"{place}: {reason}" if place else reason)


@dataclass(frozen=True)
class Record:
    """One game, its players and its result."""

    game: Game
    moves: tuple[Move, ...] = ()
    _: KW_ONLY
    start: str | None = None  # board text the game was set up from; None is the usual start
    first: str = "?"
    second: str = "?"
    result: str = OPEN
    date: str | None = None  # as given; ISO 8601 (2026-11-15) is what mossa writes
    comment: str | None = None
    branches: str | None = None  # the moves with what else was thought of: `4 4 (5 3) 5`
    # Whatever else is known, as JSON values; per-move lists (`times_ms`) run parallel to the moves.
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)
    position: Position = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Replay the moves, check the result, tidy the texts."""
        expect_game(self.game, "Record()")
        start = position = opening(self.game, self.start)
        for move in self.moves:
            position = position.play(move)
        clean = {
            "position": position,
            "moves": tuple(position.history),
            "start": position.start_text,
            "first": _one_line("first player", self.first) or "?",
            "second": _one_line("second player", self.second) or "?",
            "result": _result(position, self.result),
            "date": _one_line("date", self.date),
            "comment": _comment(self.comment),
            "branches": _branches(start, position, self.branches),
            "extra": _json_object(self.extra),
        }
        for name, value in clean.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_position(
        cls,
        position: Position,
        *,
        first: str = "?",
        second: str = "?",
        result: str = OPEN,
        date: str | None = None,
        comment: str | None = None,
        branches: str | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> Record:
        """The game that led to this position."""
        expect_position(position, "Record.from_position()")
        return cls(
            position.game,
            tuple(position.history),
            start=position.start_text,
            first=first,
            second=second,
            result=result,
            date=date,
            comment=comment,
            branches=branches,
            extra=extra or {},
        )

    def __repr__(self) -> str:
        """Return one line; the fields tell the rest."""
        return f"<Record of {self.summary}>"

    @property
    def summary(self) -> str:
        """The game in a few words: who played what, the result, how many moves."""
        names = f"{shorten(self.first, 40)} against {shorten(self.second, 40)}"
        return f"{self.game}, {names}, {self.result}, {counted(len(self.moves), 'move')}"

    @property
    def opening_length(self) -> int:
        """How many moves were made before the players took over, as a tournament notes it."""
        known = self.extra.get("opening")
        return min(max(known, 0), len(self.moves)) if type(known) is int else 0

    @property
    def branch_count(self) -> int:
        """How many branches there are, including branches of branches."""
        return (self.branches or "").count("(")

    def positions(self) -> Iterator[Position]:
        """Every position of the game: the start, then one after each move."""
        position = opening(self.game, self.start)
        yield position
        for move in self.moves:
            position = position.play(move)
            yield position


def expect_record(given: object, taker: str) -> None:
    """Raise InvalidRecordError, naming the function that was called, if it is not a record."""
    if not isinstance(given, Record):
        raise InvalidRecordError(
            f"{taker} takes a Record, such as mossa.Record.from_position(position), "
            f"not {described(given)}"
        )


class Place(NamedTuple):
    """A line of a file, to say where something is wrong."""

    source: str
    line: int

    def error(self, reason: str) -> InvalidRecordError:
        """Return the error that says what is wrong here."""
        return InvalidRecordError(reason, source=self.source, line=self.line)

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Report errors of the core or a record in this block as errors of this line."""
        try:
            yield
        except InvalidRecordError as error:
            if error.source is not None:
                raise
            raise self.error(error.reason) from error
        except GameError as error:
            raise self.error(str(error)) from error


def build(
    place: Place,
    game: Game,
    moves: Iterable[tuple[Place, Item]],
    facts: Mapping[str, object],
    *,
    result_at: Place | None = None,
) -> Record:
    """The record of a file's game that begins at a place; each move brings the place it stands at.

    Parentheses among the moves are those of branches. `facts` are the other fields of a record as
    the file has them: of any type, still unchecked.
    """
    for name in (*TEXTS, BRANCHES):
        if not isinstance(facts.get(name), str | None):
            raise place.error(f"{name} is {quote(facts[name])}, not a text")
    texts = {
        name: value for name in (*TEXTS, BRANCHES) if isinstance(value := facts.get(name), str)
    }
    extra = facts.get("extra", {})
    if not isinstance(extra, dict):
        raise place.error(f"extra is {quote(extra)}, not an object")
    with place.blamed():
        position = opening(game, texts.pop("start", None))
    at = place

    def words() -> Iterator[Item]:
        nonlocal at
        for place_of_word, word in moves:
            at = place_of_word  # an error names the place where the moves stopped
            yield word

    try:
        position, items = follow(position, words())
    except InvalidRecordError:
        raise
    except GameError as error:
        raise at.error(str(error)) from error
    if "(" in items:
        if BRANCHES in texts:
            raise place.error("branches are given twice: among the moves and as 'branches'")
        texts[BRANCHES] = written(items)
    with (result_at or place).blamed():
        return Record.from_position(position, extra=extra, **texts)


def opening(game: Game, start: str | None) -> Position:
    """Return the position a game began from."""
    return game.start() if start is None else game.from_text(start)


def move_at(game: Game, x: int, y: int) -> Move:
    """Return the move on a cell that a file counts from the top left, from 0."""
    return Move.cell(game.sizes["rows"] - 1 - y, x)


def check_cells(record: Record, form: str) -> None:
    """Refuse games these formats were not made for: they are for gomoku and the like."""
    if not lines_anywhere(record.game):
        raise InvalidRecordError(
            f"{form} holds mnk games only, not {record.game.name}; text and JSONL hold every game"
        )


def cell_played(game: Game, move: Move) -> tuple[int, int]:
    """The inverse of `move_at`."""
    assert move.col is not None and move.row is not None
    return move.col, game.sizes["rows"] - 1 - move.row


def five_in_a_row(rows: int, cols: int, rules: str) -> Game:
    """Return the game of a foreign file, from its board and what it says about the rules.

    mossa writes the game's own name there. Others write a league (`Standard`), or the sum of
    Gomocup's rule numbers: 1 exactly five wins, 4 renju, 8 caro. Nothing means five or more wins.
    """
    if rules.startswith("mnk:"):
        found = named_game(rules)
        if (found.sizes["rows"], found.sizes["cols"]) != (rows, cols):
            raise InvalidRecordError(
                f"rules {quote(rules)} contradict a board {cols} wide, {rows} high"
            )
        return found
    number = int(rules) if re.fullmatch(r"[0-9]{1,2}", rules) else 0
    words = rules.lower()
    if number & 12 or re.search("renju|caro", words):
        raise InvalidRecordError(f"rules {quote(rules)}: mossa plays neither renju nor caro")
    exact = number & 1 or re.search("standard|exact", words)
    return named_game(f"mnk:{rows}x{cols}x5{',exact=yes' if exact else ''}")


def quote(given: object) -> str:
    """Return what was given, on one short line; for a list or an object, only its kind."""
    if isinstance(given, list | dict):
        return "a list" if isinstance(given, list) else "an object"
    return shorten(given if isinstance(given, str) else repr(given))


def _result(position: Position, claim: str) -> str:
    claim = DRAW if claim == "1/2-1/2" else claim
    if claim not in RESULTS:
        raise InvalidRecordError(f"result {quote(claim)} is unknown; accepted: {' '.join(RESULTS)}")
    if (outcome := position.outcome) is None:
        return claim
    winner = outcome.winner
    shown = DRAW if winner is None else FIRST_WINS if winner is Side.first else SECOND_WINS
    if claim not in (shown, OPEN):
        raise InvalidRecordError(
            f"result {quote(claim)} contradicts the board: {shown}, {outcome.reason}"
        )
    return shown


def _one_line(what: str, text: str | None) -> str | None:
    """White space of any kind becomes one space, nothing becomes None."""
    return _checked(what, " ".join(text.split())) or None if text is not None else None


def _comment(text: str | None) -> str | None:
    if text is None:
        return None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").split("\n")
    return _checked("comment", "\n".join(line.rstrip() for line in lines).strip()) or None


def _branches(start: Position, last: Position, text: str | None) -> str | None:
    if text is None:
        return None
    try:
        found, items = follow(start, split_moves(start.game, text))
    except GameError as error:
        raise InvalidRecordError(f"branches {quote(text)}: {error}") from error
    if found.history != last.history:
        raise InvalidRecordError(
            f"branches {quote(text)} have another main line than the moves, "
            f"{quote(last.history_text)}"
        )
    return written(items) if "(" in items else None


def _checked(what: str, text: str) -> str:
    if bad := _UNWRITABLE.search(text):
        raise InvalidRecordError(f"{what} {quote(text)} has a control character ({bad[0]!a})")
    return text


def _json_object(extra: Mapping[str, object]) -> dict[str, object]:
    """A copy in plain JSON types, so that what is written is what will be read."""
    if taken := extra.keys() & {"game", "moves", BRANCHES, *TEXTS}:
        raise InvalidRecordError(
            f"extra cannot hold {quote(min(taken))}: it is a field of the record"
        )
    try:
        text = json.dumps(extra, ensure_ascii=False, allow_nan=False)
        text.encode()
        copy: dict[str, object] = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRecordError(f"extra is not JSON: {error}") from error
    return copy
