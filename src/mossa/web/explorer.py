"""The opening explorer: what was played in this server's tournaments, and how it ended.

Games are counted by the positions they pass through, mirror images together. A file is read once,
and after that only newly finished games. A question that comes while there is much to read gets the
counts so far, and the rest the next time.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from time import monotonic

from mossa._core import Move, Position, Side
from mossa.analysis import score_words
from mossa.arena.store import Store
from mossa.quantities import counted
from mossa.records import Record
from mossa.records.record import DRAW, FIRST_WINS, SECOND_WINS
from mossa.solving.book import Book
from mossa.web.tournaments import Tournaments

PLIES = 40
"""Count this many moves of every game: later ones are hardly ever played twice."""
PATIENCE = 1.0
"""Seconds to count per question."""
_RESULTS = {FIRST_WINS: 0, DRAW: 1, SECOND_WINS: 2}
_LISTED = 12


@dataclass
class _Counts:
    """How games through a position ended: first won, a draw, second won."""

    passed: defaultdict[int, list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0, 0, 0])
    )
    seen: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """The numbers of the games counted, by tournament."""

    def add(self, record: Record) -> None:
        result = _RESULTS.get(record.result)
        if result is None:
            return
        for position, _ in zip(record.positions(), range(PLIES + 1), strict=False):
            self.passed[position.canonical_key][result] += 1


@dataclass(frozen=True)
class Played:
    """A move, how often it was played, and how those games ended."""

    move: Move
    results: tuple[int, int, int]

    @property
    def games(self) -> int:
        """How many there are."""
        return sum(self.results)


class Explorer:
    """Counts the games of all tournaments, each kind when somebody asks for it."""

    def __init__(self, tournaments: Tournaments) -> None:
        """Take the tournaments whose games to count."""
        self._tournaments = tournaments
        self._lock = threading.Lock()
        self._counts: defaultdict[str, _Counts] = defaultdict(_Counts)

    def moves(self, position: Position) -> tuple[list[Played], bool]:
        """Return the moves played here, most played first, and whether that is all."""
        with self._lock:
            counts = self._counts[position.game.name]
            complete = self._count(position.game.name, counts)
            found = [
                Played(move, (passed[0], passed[1], passed[2]))
                for move in position.moves
                if (passed := counts.passed.get(position.play(move).canonical_key))
            ]
        return sorted(found, key=lambda each: -each.games), complete

    def _count(self, game: str, counts: _Counts) -> bool:
        """Count new games for a while; return whether none are left."""
        deadline = monotonic() + PATIENCE
        for name, store in self._tournaments.stores(game):
            for number, record in _new(store, game, counts.seen[name]):
                counts.add(record)
                counts.seen[name].add(number)
                if monotonic() > deadline:
                    return False
        return True


def _new(store: Store, game: str, seen: set[int]) -> Iterator[tuple[int, Record]]:
    for number in store.finished_of(game):
        if number not in seen:
            record = store.record(number)
            if record is not None:
                yield number, record


def explorer_table(position: Position, played: list[Played], complete: bool) -> str:
    """Return the moves as a table, with what the opening book knows, if there is one."""
    if not played:
        return "" if complete else "<p>Counting games …</p>"
    book = Book.shipped(position.game)
    rows = "".join(_row(position, each, book) for each in played[:_LISTED])
    head = "".join(f'<th scope="col">{name}' for name in ("Move", "Games", "Results", "Book"))
    more = "" if complete else " Counting …"
    total = counted(sum(each.games for each in played), "game")
    return (
        f'<table class="explorer"><caption>{total} from tournaments here.{more}</caption>'
        f"<thead><tr>{head}<tbody>{rows}</table>"
    )


def _row(position: Position, played: Played, book: Book | None) -> str:
    first, draw, second = (round(100 * each / played.games) for each in played.results)
    kinds = zip((Side.first.name, "draw", Side.second.name), played.results, strict=True)
    bar = "".join(f'<i class="{kind}" style="flex-grow:{n}"></i>' for kind, n in kinds)
    words = f"{first}% won by first, {draw}% drawn, {second}% won by second"
    return (
        f'<tr><th scope="row"><button type="button" data-move="{escape(str(played.move))}">'
        f"{escape(str(played.move))}</button><td>{played.games:,}"
        f'<td><div class="shares" role="img" aria-label="{words}" title="{words}">{bar}</div>'
        f"<td>{_from_book(position, played.move, book)}"
    )


def _from_book(position: Position, move: Move, book: Book | None) -> str:
    after = position.play(move)
    score = None if book is None or after.outcome is not None else book.get(after)
    if score is None:
        return ""
    own = -score if after.side is not position.side else score
    return escape(score_words(own, position)["short"])
