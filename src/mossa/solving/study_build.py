"""Making opening studies: an opening is played out by long searches, many at the same time.

The study is made for both sides. For each it follows the best move wherever that side is to move,
and all moves of the other side, or the most plausible ones: so it grows with the moves of one side
only. It goes on ply by ply, and all positions of a ply are searched at once, by the cores of this
machine or by a Dask cluster. Every result goes into a journal at once; the file appears when it is
whole.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

from mossa._core import Game, Limits, Move, Position, Side
from mossa.cluster import as_done, workers
from mossa.errors import GameError, expect_game, shorten
from mossa.players import Player, choice_of
from mossa.players import player as player_named
from mossa.players.engine import STRONGEST
from mossa.search import Exact, Score, Search, final_score, move_score
from mossa.solving.container import BookError
from mossa.solving.journal import Journal, make_whole
from mossa.solving.study import (
    Studied,
    Study,
    StudyMove,
    child_mark,
    studied_score,
    study_bytes,
)

__all__ = ["MAX_MB", "PLAYER", "Progress", "check_study", "study_opening"]

_T = TypeVar("_T")

PLAYER = f"{STRONGEST}:book=off"
"""Who studies unless said otherwise: the strongest, without looking anything up."""

MAX_MB = 100
"""Megabytes that a file may have unless said otherwise."""

PLAUSIBLE_DEPTH = 4
"""Plies that are looked ahead to tell which moves are plausible."""


@dataclass(frozen=True)
class Progress:
    """How far a study has come."""

    ply: int
    done: int
    """Positions that are studied."""
    known: int
    """Positions that are known to be wanted; deeper ones are still unknown."""


def study_opening(
    game: Game,
    plies: int,
    path: str | Path,
    *,
    time: float,
    player: str = PLAYER,
    width: int | None = None,
    count: int | None = None,
    cluster: str | None = None,
    max_mb: float = MAX_MB,
    report: Callable[[Progress], object] | None = None,
) -> Study:
    """Study the positions before the first ``plies`` moves, or go on with that.

    Each is searched for ``time`` seconds at most by ``player``; of the other side's moves the
    ``width`` most plausible are followed, or all. ``count`` processes work (one for each core
    unless said otherwise), or the workers of a Dask ``cluster``. No file gets larger than
    ``max_mb``: the deepest positions are left out instead. Ctrl-C keeps what is studied. Raise
    BookError if the file is there, or is being made already.
    """
    expect_game(game, "study_opening()", compiled=True)
    path = Path(path)
    player_named(player)
    if plies < 1 or not time > 0 or not max_mb > 0:
        raise GameError("a study needs at least 1 ply, some time and some room")
    cells = game.start().left_to_play
    if game.traits.lines and plies > cells:
        raise GameError(f"invalid plies '{plies}': 1 to {cells}, the cells of {game}")
    head = f"mossa study journal 1: {game}, {player}, {time:g} s, width {width or 'all'}"

    def work(journal: Journal) -> bytes:
        study = _Study(game, plies, player, time, width, journal, max_mb, report)
        with workers(cluster=cluster, count=count) as (executor, slots):
            return study_bytes(game, plies, player, study.run(executor, slots))

    make_whole(path, head, work)
    return Study.open(path)


@dataclass
class _Wanted:
    """A position, and the sides it is studied for."""

    position: Position
    sides: set[Side]


class _Study:
    def __init__(
        self,
        game: Game,
        plies: int,
        player: str,
        time: float,
        width: int | None,
        journal: Journal,
        max_mb: float,
        report: Callable[[Progress], object] | None,
    ) -> None:
        self._game, self._plies = game, plies
        self._width = width
        self._search = partial(_best, player, time)
        self._rank = partial(_plausible, width or 0)
        self._journal = journal
        self._room = max_mb * (1 << 20)
        self._report = report
        self._best: dict[int, Studied] = {}
        self._follow: dict[int, set[int]] = {}
        for text in journal.known:
            self._enter(text)
        self._known = self._done = 0

    def run(self, executor: Executor, slots: int) -> dict[int, Studied]:
        """Study ply by ply; return all that was found."""
        found: dict[int, Studied] = {}
        wanted = {
            self._game.start().canonical_key: _Wanted(self._game.start(), {Side.first, Side.second})
        }
        for ply in range(self._plies):
            own = {key: one for key, one in wanted.items() if one.position.side in one.sides}
            fitting = self._fitting(own, found)
            self._known += len(fitting)
            self._study_all(executor, slots, ply, fitting)
            found |= {key: self._best[key] for key in fitting}
            if len(fitting) < len(own):
                break
            if ply + 1 == self._plies:
                break
            self._rank_all(executor, slots, wanted)
            wanted = self._next(wanted)
        return found

    def _fitting(self, own: dict[int, _Wanted], found: dict[int, Studied]) -> dict[int, Position]:
        """Return the positions there is room for in the book, and in the journal."""
        longest = max((key.bit_length() for key in [*own, *found]), default=0)
        # A line of the journal is the longer of both: the key in hexadecimal, and some numbers.
        room = int(self._room / (longest / 4 + 80)) - len(found)
        chosen = list(own.items())[: max(0, room)]
        if not found and not chosen:
            raise BookError("there is no room for a single position: allow a larger file")
        return {key: one.position for key, one in chosen}

    def _study_all(
        self, executor: Executor, slots: int, ply: int, positions: dict[int, Position]
    ) -> None:
        missing = {key: each for key, each in positions.items() if key not in self._best}
        self._done += len(positions) - len(missing)
        self._tell(ply)
        results = as_done(executor, slots, self._search, missing.values())
        for position, (mark, exact, value, distance, depth) in results:
            kind = "exact" if exact else "estimate"
            far = "-" if distance is None else distance
            self._keep(f"{position.canonical_key:x} {kind} {mark} {value!r} {far} {depth}")
            self._done += 1
            self._tell(ply)

    def _rank_all(self, executor: Executor, slots: int, wanted: dict[int, _Wanted]) -> None:
        """Find out which moves are plausible, where not all are followed."""
        if self._width is None:
            return
        missing = {
            key: one.position
            for key, one in wanted.items()
            if one.sides - {one.position.side} and key not in self._follow
        }
        for position, marks in as_done(executor, slots, self._rank, missing.values()):
            self._keep(f"{position.canonical_key:x} follow {' '.join(map(str, marks))}")

    def _next(self, wanted: dict[int, _Wanted]) -> dict[int, _Wanted]:
        """Return the positions of the next ply."""
        following: dict[int, _Wanted] = {}
        for key, one in wanted.items():
            position = one.position
            best = self._best[key].mark if position.side in one.sides else None
            marks = self._follow.get(key)
            others = one.sides - {position.side}
            for move in position.moves:
                after = position.play(move)
                mark = child_mark(after)
                sides = {position.side} if mark == best else set()
                if others and (marks is None or mark in marks):
                    sides |= others
                if not sides or after.outcome is not None:
                    continue
                there = following.setdefault(after.canonical_key, _Wanted(after, set()))
                # The same position with the sides exchanged is one position, and who is followed
                # is the one to move or the other, whatever they are called.
                turned = there.position.side is not after.side
                there.sides |= {_other(side) for side in sides} if turned else sides
        return following

    def _keep(self, text: str) -> None:
        self._journal.write(text)
        self._enter(text)

    def _enter(self, text: str) -> None:
        """Take a line of the journal."""
        key, kind, *numbers = text.split()
        if kind == "follow":
            self._follow[int(key, 16)] = set(map(int, numbers))
            return
        mark, value, far, depth = numbers
        distance = None if far == "-" else int(far)
        score = studied_score(self._game, kind == "exact", float(value), distance)
        self._best[int(key, 16)] = Studied(int(mark), score, int(depth))

    def _tell(self, ply: int) -> None:
        if self._report is not None:
            self._report(Progress(ply, self._done, self._known))


def _other(side: Side) -> Side:
    return Side.second if side is Side.first else Side.first


# ---------------------------------------------------------------- in the workers


@lru_cache(maxsize=1)
def _player(spec: str) -> Player:
    """A worker keeps its player, and what that has learnt, from position to position."""
    return player_named(spec)


def _best(spec: str, time: float, position: Position) -> tuple[int, bool, float, int | None, int]:
    """Search one position: where the best move leads, exact or not, value, distance, depth."""
    choice = choice_of(_player(spec), position, Limits(time=time))
    if choice.info is None:
        raise GameError(
            f"player {shorten(spec)} does not report scores: a study needs one that searches"
        )
    score = choice.info.score
    mark = _only_mark(position, choice.move)
    return mark, isinstance(score, Exact), score.value, score.distance, choice.info.depth


def _only_mark(position: Position, move: Move) -> int:
    """Return the mark behind a move, which no move to another position may have."""
    behind = position.play(move)
    mark = child_mark(behind)
    for other in position.moves:
        after = position.play(other)
        if child_mark(after) == mark and after.canonical_key != behind.canonical_key:
            raise GameError(f"two positions after {position.history_text} have the mark {mark}")
    return mark


def _plausible(width: int, position: Position) -> list[int]:
    """Return where the moves lead that look best after a few plies."""
    search = Search(position.game, "alphabeta", {"memory": "16"})

    def score(move: Move) -> Score:
        after = position.play(move)
        if after.outcome is not None:
            return move_score(final_score(after), position, after)
        found = search.run(after, Limits(depth=PLAUSIBLE_DEPTH)).score
        return move_score(found, position, after)

    best = sorted(position.moves, key=score, reverse=True)
    return [child_mark(position.play(move)) for move in best[:width]]


# ---------------------------------------------------------------- checking


def check_study(study: Study) -> int:
    """Play through a study as it was made; return how many of its positions came up.

    Every move must be legal, and proven scores must agree along the moves. Raise BookError if one
    does not.
    """
    found = 0
    for position, best in study.walk():
        behind = position.play(best.move)
        _compare(position, best.score, behind, study.get(behind))
        found += 1
    if not found:
        raise BookError(f"the start of {study.game} is not in the study")
    return found


def _compare(position: Position, score: Score, behind: Position, later: StudyMove | None) -> None:
    if later is None or not isinstance(score, Exact) or not isinstance(later.score, Exact):
        return
    same = later.score.value if behind.side is position.side else -later.score.value
    if same != score.value:
        raise BookError(
            f"wrong score after {position.history_text or 'no moves'}: {score}, "
            f"but {later.score} after {behind.history_text}"
        )
