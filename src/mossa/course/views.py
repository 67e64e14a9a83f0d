"""A course as people see it: the ladder, versions, games and opponents, with names and in words."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Any

from mossa.course.folder import CourseFolder
from mossa.course.plan import CourseError
from mossa.course.store import (
    TESTING,
    WAITING,
    CourseStore,
    Duel,
    LadderGame,
    RatingPoint,
    Version,
)
from mossa.records import Record, parse_records

_HISTORY = 60  # points of a curve
_ALIVE = 15.0  # seconds after which a driver that says nothing is gone


@dataclass(frozen=True)
class Row:
    """A row of the ladder."""

    rank: int
    student: int
    name: str
    is_rival: bool
    """Whether it is a player of ours."""
    version: int
    """The number of the current version."""
    elo: float
    error: float
    """Half the width of the error bar, at 95%."""
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    points: float
    """By the scoring of the course."""
    history: list[tuple[float, float]]
    """When, and what the rating was then: at most 60 points, oldest first."""


@dataclass(frozen=True)
class Played:
    """A finished game, seen by one of its players."""

    id: int
    when: float
    game: str
    opening: str
    moves: str
    """All of them, with those of the opening."""
    opening_length: int
    first: str
    """Names, as on the ladder."""
    second: str
    side: str
    """``first`` or ``second``: whose view this is."""
    version: int
    """The number of the version that played."""
    opponent: str
    opponent_id: int
    result: str
    """As in records."""
    outcome: str
    """``won``, ``drawn``, ``lost``, or ``not played``."""
    forfeited: bool
    """Whether the loser was not beaten, but failed."""
    end: str
    """How it ended, in words."""
    mistake: str | None
    """``your first mistake was move 12: ...``; None: there was none, or nobody has looked yet."""
    mistake_ply: int | None
    """Counted from 0."""
    reviewed: bool
    """Whether somebody has looked for mistakes."""
    accuracy: float | None
    """The share of its moves that kept the value of the game, where that is known."""


@dataclass(frozen=True)
class Opponent:
    """The games of one student against another, all versions together."""

    student: int
    name: str
    games: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Overview:
    """How the course stands."""

    title: str
    boards: tuple[str, ...]
    conditions: str
    """In words: seconds a move, memory, whether players may ponder."""
    state: str
    """``open``, ``paused``, ``closed`` (nothing can be handed in any more, the ladder goes on),
    ``final`` (the final tournament is being played), ``finished`` (it has been)."""
    closes: float | None
    upload_limit: int
    """Bytes."""
    students: int
    on_ladder: int
    waiting: int
    """Versions that are to be tested, or are being tested."""
    games: int
    """Finished games."""
    driver: str
    """What the driver is doing, in a sentence; ``is not running`` if nobody has heard of it."""
    alive: bool
    """Whether the driver runs."""
    resting: bool
    """Whether all current versions have met often enough."""


class Views(CourseFolder):
    """What can be seen of a course."""

    def __init__(self, folder: Path) -> None:
        """Open the course in a folder; raise CourseError if there is none, or a file is wrong."""
        super().__init__(folder)
        self._curves: dict[int, tuple[float, list[tuple[float, float]]]] = {}
        self._drawing = threading.Lock()

    def changed(self) -> str:
        """Return a text that is another one whenever a page could look different."""
        return self.store.changed()

    def overview(self) -> Overview:
        """Return how the course stands."""
        plan, store = self.plan, self.store
        heard = float(store.setting("driver_at", "0"))
        alive = time() - heard < _ALIVE
        return Overview(
            title=plan.title,
            boards=plan.boards,
            conditions=self.conditions_text(),
            state=self._state(),
            closes=None if plan.closes is None else plan.closes.timestamp(),
            upload_limit=plan.upload_limit,
            students=len(self.students()),
            on_ladder=len(store.standings()),
            waiting=store.count_untested(),
            games=store.count_finished(),
            driver=store.setting("driver") if alive else "is not running",
            alive=alive,
            resting=store.setting("resting") == "yes",
        )

    def conditions_text(self) -> str:
        """Return what games are played under, in words."""
        ponder = "" if self.plan.ponder else " not"
        return (
            f"{self.plan.time:g} s a move, {self.plan.memory} MB of memory, "
            f"players may{ponder} think in their opponent's time"
        )

    @property
    def is_paused(self) -> bool:
        """Whether the ladder stands still."""
        return self.store.setting("paused") == "yes"

    def _state(self) -> str:
        final = self.store.setting("final")
        if final in ("wanted", "playing"):
            return "final"
        if final == "done":
            return "finished"
        if self.is_paused:
            return "paused"
        return "closed" if self.plan.is_closed() else "open"

    def standings(self) -> list[Row]:
        """Return the ladder, best first."""
        versions = {each.id: each for each in self.store.current()}
        students = {each.id: each for each in self.store.students()}
        curves = self._all_curves()
        rows: list[Row] = []
        for each in self.store.standings():
            version = versions.get(each.version)
            if version is None:
                continue  # it has just been replaced, or its student disqualified
            student = students[version.student]
            rows.append(
                Row(
                    rank=len(rows) + 1,
                    student=student.id,
                    name=student.name,
                    is_rival=student.rival is not None,
                    version=version.number,
                    elo=each.elo,
                    error=each.error,
                    games=each.games,
                    wins=each.wins,
                    draws=each.draws,
                    losses=each.losses,
                    forfeits=each.forfeits,
                    points=each.points,
                    history=curves.get(student.id, []),
                )
            )
        return rows

    def _all_curves(self) -> dict[int, list[tuple[float, float]]]:
        """Return the curves of all students; those that have not changed are remembered."""
        with self._drawing:
            for student, last in self.store.last_ratings().items():
                known = self._curves.get(student)
                if known is None or known[0] != last:
                    self._curves[student] = last, _thinned(self.store.history(student))
            return {student: curve for student, (_, curve) in self._curves.items()}

    def versions(self, student: int) -> list[Version]:
        """Return a student's versions, newest first, without their build logs."""
        return self.store.versions(student)

    def version(self, student: int, number: int) -> Version:
        """Return a version with its build log; raise CourseError if there is none."""
        found = self.store.version_of(student, number)
        if found is None:
            raise CourseError(f"there is no version {number}")
        return found

    def history(self, student: int) -> list[RatingPoint]:
        """Return what a student's rating was, oldest first."""
        return self.store.history(student)

    def games(
        self,
        student: int,
        *,
        version: int | None = None,
        limit: int = 50,
        before: int | None = None,
    ) -> list[Played]:
        """Return a student's last games, newest first; ``before`` a game: the older ones.

        Those that were lost are put down for a review, if they have none and not too many wait.
        """
        own = {each.id: each for each in self.store.versions(student)}
        wanted = [key for key, each in own.items() if version in (None, each.number)]
        names = _Names(self.store)
        found = [
            _played(game, text, own, names)
            for game, text in self.store.games_of(wanted, limit=limit, before=before)
        ]
        lost = [each for each in found if each.outcome == "lost" and not each.forfeited]
        self.store.want_reviews([each.id for each in lost if not each.reviewed])
        return found

    def record(self, number: int) -> Record:
        """Return a finished game; raise CourseError if there is none of this number."""
        text = self.store.record(number)
        if text is None:
            raise CourseError(f"there is no finished game {number}")
        return parse_records(text, "jsonl", source=f"game {number}")[0]

    def opponents(self, student: int) -> list[Opponent]:
        """Return a student's results against each other, most games first."""
        own = {each.id for each in self.store.versions(student)}
        names = _Names(self.store)
        sums: dict[int, list[int]] = {}
        for duel in self.store.duels(own):
            _add_duel(sums, duel, own, names)
        rows = [
            Opponent(other, names.student(other), sum(counts), *counts)
            for other, counts in sums.items()
        ]
        return sorted(rows, key=lambda row: (-row.games, row.name))


class _Names:
    """Who is behind a version."""

    def __init__(self, store: CourseStore) -> None:
        self._store = store
        self._students = {each.id: each.name for each in store.students()}
        self._owners: dict[int, tuple[int, int]] = {}

    def owner(self, version: int) -> int:
        return self._owner(version)[0]

    def number(self, version: int) -> int:
        return self._owner(version)[1]

    def _owner(self, version: int) -> tuple[int, int]:
        if not self._owners:
            self._owners = self._store.owners()
        return self._owners[version]

    def student(self, number: int) -> str:
        return self._students[number]

    def of(self, version: int) -> str:
        return self._students[self.owner(version)]


def _played(game: LadderGame, text: str, own: dict[int, Version], names: _Names) -> Played:
    side = "first" if game.first in own else "second"
    mine, other = (game.first, game.second) if side == "first" else (game.second, game.first)
    data: dict[str, Any] = json.loads(text)
    about = (game.review or {}).get(side) or {}
    halves = {"1-0": 2, "1/2": 1, "0-1": 0}.get(str(game.result))
    if halves is not None and side == "second":
        halves = 2 - halves
    outcome = "not played" if halves is None else ("lost", "drawn", "won")[halves]
    judged = about.get("judged", 0)
    return Played(
        id=game.id,
        when=game.finished or 0.0,
        game=game.game,
        opening=game.opening,
        moves=" ".join(data.get("moves", [])),
        opening_length=int(data.get("opening", 0)),
        first=names.of(game.first),
        second=names.of(game.second),
        side=side,
        version=own[mine].number,
        opponent=names.of(other),
        opponent_id=names.owner(other),
        result=str(game.result),
        outcome=outcome,
        forfeited=game.forfeit is not None,
        end=game.end or "",
        mistake=about.get("mistake"),
        mistake_ply=about.get("ply"),
        reviewed=game.review is not None,
        accuracy=about["kept"] / judged if judged else None,
    )


def _add_duel(sums: dict[int, list[int]], duel: Duel, own: set[int], names: _Names) -> None:
    is_first = duel.first in own
    other = names.owner(duel.second if is_first else duel.first)
    counts = sums.setdefault(other, [0, 0, 0])
    ours = (duel.wins, duel.draws, duel.losses)
    for at, count in enumerate(ours if is_first else reversed(ours)):
        counts[at] += count


def _thinned(points: Sequence[RatingPoint]) -> list[tuple[float, float]]:
    """Return a curve of few points, with its ends."""
    if len(points) > _HISTORY:
        step = (len(points) - 1) / (_HISTORY - 1)
        points = [points[round(at * step)] for at in range(_HISTORY)]
    return [(each.at, each.elo) for each in points]


def verdict(version: Version) -> list[str]:
    """Return what became of a version, in plain words: what was said, and what failed."""
    lines = [version.told]
    lines += [
        f"{'Failed' if each['required'] else 'Note'}: {each['name']}: {each['detail']}"
        for each in version.checks
        if not each["passed"]
    ]
    if version.grade is not None:
        lines.append(f"Grade: {version.grade['points']:g} of {version.grade['possible']:g} points.")
        lines += [
            f"Missed: {each['name']}: {each['detail']}"
            for each in version.grade["exercises"]
            if not each["passed"]
        ]
    return lines


def is_decided(version: Version) -> bool:
    """Tell whether the tests of a version have come to an end."""
    return version.state not in (WAITING, TESTING)
