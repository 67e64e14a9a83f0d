"""A course as the command line and the pages see it: everything that can be asked of it, or done.

Every call is short, and may come from any thread and any process. What takes long (tests, games,
reviews) is done by the driver, which learns of it from the file of the course.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Any

from mossa.course import export, people, uploads
from mossa.course.people import Link, Person
from mossa.course.plan import ABOUT, SUITE, CourseError, CoursePlan, read_plan, template
from mossa.course.store import (
    CURRENT,
    FAILED,
    FILE,
    STATES,
    TESTING,
    WAITING,
    CourseStore,
    Duel,
    LadderGame,
    RatingPoint,
    Student,
    Version,
)
from mossa.course.uploads import Limits, UploadError
from mossa.errors import shorten
from mossa.files import replace_file
from mossa.quantities import counted
from mossa.records import Record, parse_records

VERSIONS = "versions"
"""The folder of what was handed in."""
DRAFTS = "drafts"
"""The folder of what is being received."""
FINAL = "final.db"
"""The file of the final tournament."""

ROOM = 1 << 30
"""Bytes that must be free on the disk for anything to be handed in."""

_DAY = 86_400.0
_HISTORY = 60  # points of a curve
_STALE = 900.0  # seconds after which a driver that says nothing is gone
_ALIVE = 15.0


class ClosedError(UploadError):
    """A student may hand in nothing: the course is closed, or he is disqualified."""


class BusyError(UploadError):
    """A student hands in two files at once, or too many a day."""


class FullError(UploadError):
    """The disk has no room for what students hand in."""


ClosedError.__module__ = BusyError.__module__ = FullError.__module__ = "mossa"


@dataclass(frozen=True)
class Visitor:
    """Whose secret it is."""

    student: Student | None
    """None: the teacher."""

    @property
    def is_teacher(self) -> bool:
        """Whether it is the teacher."""
        return self.student is None


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


class Course:
    """An open course."""

    def __init__(self, folder: Path) -> None:
        """Open the course in a folder; raise CourseError if there is none, or a file is wrong."""
        self.folder = folder.absolute()
        self.plan: CoursePlan = read_plan(folder)
        self.store = CourseStore(self.folder / FILE)
        self._uploading: dict[int, float] = {}
        self._curves: dict[int, tuple[float, list[tuple[float, float]]]] = {}
        self._lock = threading.Lock()
        self._unpacking = threading.Lock()
        self._drawing = threading.Lock()

    @classmethod
    def create(cls, folder: Path, title: str | None = None) -> tuple[Course, str]:
        """Begin a course in a new folder; return it, and the link of its teacher."""
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CourseError(f"{shorten(str(folder))} exists, and is no empty folder")
        if not folder.absolute().parent.is_dir():
            raise CourseError(f"cannot make {shorten(str(folder))}: there is no such folder")
        made = not folder.exists()
        try:
            folder.mkdir(exist_ok=True)
            folder.chmod(0o700)  # players of students, and their names
            replace_file(folder / ABOUT, template(title or folder.absolute().name).encode())
            replace_file(folder / "suite.toml", SUITE.encode())
            for name in (VERSIONS, DRAFTS):
                (folder / name).mkdir()
            CourseStore.create(folder / FILE).close()
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            if not made:
                folder.mkdir(exist_ok=True)
            raise
        course = cls(folder)
        return course, course.new_teacher_link()

    def close(self) -> None:
        """Close its file."""
        self.store.close()

    def __enter__(self) -> Course:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    # -------------------------------------------------------------- who is who

    def who(self, secret: str) -> Visitor | None:
        """Return whose secret this is; None if it is nobody's."""
        given = people.digest(secret)
        if people.same(self.store.setting("teacher"), given):
            return Visitor(None)
        found = self.store.student_by_link(given)
        if found is not None and people.same(found[1], given):
            return Visitor(found[0])
        return None

    def new_teacher_link(self) -> str:
        """Give the teacher a new link; the old one works no more."""
        secret = people.new_secret()
        self.store.set("teacher", people.digest(secret))
        return people.teacher_link(self.plan.address, secret)

    def new_links(self, students: Sequence[Student]) -> list[Link]:
        """Give students new links; their old ones work no more."""
        fresh = [(each, people.new_secret()) for each in students]
        self.store.set_links((each.id, people.digest(secret)) for each, secret in fresh)
        return [
            Link(each.name, each.contact, people.student_link(self.plan.address, secret))
            for each, secret in fresh
        ]

    def add_students(self, text: str, source: str = "the list") -> tuple[list[Link], int]:
        """Add the students of a CSV; return links for the new ones, and how many were there.

        A wrong line raises CourseError, and nobody is added.
        """
        wanted = people.read_students(text, source)
        known = {(each.name.casefold(), each.contact.casefold()) for each in self.students()}
        new = [
            each for each in wanted if (each.name.casefold(), each.contact.casefold()) not in known
        ]
        return self._add(new), len(wanted) - len(new)

    def _add(self, new: Sequence[Person]) -> list[Link]:
        fresh = [(each, people.new_secret()) for each in new]
        self.store.add_students(
            (each.name, each.contact, people.digest(secret)) for each, secret in fresh
        )
        return [
            Link(each.name, each.contact, people.student_link(self.plan.address, secret))
            for each, secret in fresh
        ]

    def students(self) -> list[Student]:
        """Return the students, by name; our own players are none."""
        return [each for each in self.store.students() if each.rival is None]

    def student(self, number: int) -> Student:
        """Return a student by number; raise CourseError if there is none."""
        found = self.store.student(number)
        if found is None:
            raise CourseError(f"there is no student {number}")
        return found

    def student_named(self, text: str) -> Student:
        """Return the student of this name, contact or number; raise CourseError if not just one."""
        wanted = text.strip().casefold()
        fits = [
            each
            for each in self.students()
            if wanted in (each.name.casefold(), each.contact.casefold(), str(each.id))
        ]
        if len(fits) == 1:
            return fits[0]
        if not fits:
            raise CourseError(f"there is no student {shorten(text)} in this course")
        numbers = ", ".join(str(each.id) for each in fits)
        raise CourseError(f"{len(fits)} students are called {shorten(text)}: say which, {numbers}")

    # -------------------------------------------------------------- handing in

    @property
    def limits(self) -> Limits:
        """How much may be handed in."""
        return Limits(self.plan.upload_limit)

    def check_upload(self, student: int, size: int | None = None) -> None:
        """Raise UploadError if a student may not hand in a file, before any of it is read.

        ClosedError says that the course is closed for him, BusyError that he hands in too much,
        FullError that the disk is almost full.
        """
        found = self.student(student)
        if found.rival is not None:
            raise ClosedError("a player of mossa's own hands in nothing")
        if found.disqualified is not None:
            raise ClosedError(f"you are disqualified: {found.disqualified}")
        if self.plan.is_closed():
            assert self.plan.closes is not None
            when = self.plan.closes.astimezone().strftime("%d %B %Y, %H:%M")
            raise ClosedError(f"the course closed on {when}: nothing can be handed in any more")
        if self.store.setting("final"):
            raise ClosedError("the course is closed: nothing can be handed in any more")
        if size is not None:
            uploads.check_size(size, self.limits)
        today = self.store.uploads_since(student, time() - _DAY)
        if today >= self.plan.uploads_a_day:
            raise BusyError(
                f"you handed in {counted(today, 'version')} within 24 hours, which is the most; "
                "try again later"
            )
        if shutil.disk_usage(self.folder).free < ROOM:
            raise FullError(
                "the disk of the server is almost full, so nothing can be handed in now; "
                "your last version still plays; tell your teacher"
            )

    @contextmanager
    def uploading(self, student: int) -> Iterator[Path]:
        """Give a folder to receive a student's file in; one at a time for each of them.

        Put the file into it and call `submit`; the folder is gone afterwards.
        """
        self.check_upload(student)
        with self._lock:
            if time() - self._uploading.get(student, 0.0) < _STALE:
                raise BusyError("you are handing in another file: wait until it has arrived")
            began = self._uploading[student] = time()
        try:
            with uploads.draft(self.folder / DRAFTS) as place:
                yield place
        finally:
            with self._lock:
                if self._uploading.get(student) == began:
                    del self._uploading[student]

    def submit(self, student: int, upload: Path, name: str) -> Version:
        """Take a file that a student hands in under this name; raise UploadError if it is bad.

        It is unpacked and kept, not run. The driver tests it; until it has passed, the student's
        last version goes on playing. The file itself is left where it is.
        """
        self.check_upload(student, upload.stat().st_size)
        name = uploads.clean_name(name)
        with uploads.draft(self.folder / DRAFTS) as place:
            inside = place / "version"
            try:
                inside.mkdir()
                shutil.copyfile(upload, inside / "upload")
            except OSError as error:
                raise uploads.no_room(error) from None
            with self._unpacking:  # one at a time: what a hostile zip may take is bounded
                uploads.unpack(inside / "upload", name, inside / "files", self.limits)
            folder = place.name.removeprefix("draft-")
            kept = self.folder / VERSIONS / folder
            try:
                kept.parent.mkdir(exist_ok=True)
                _sync(inside)
                inside.rename(kept)
                _sync_one(kept.parent)
            except OSError as error:
                raise uploads.no_room(error) from None
            try:
                return self.store.add_version(student, name, folder, upload.stat().st_size)
            except BaseException:
                shutil.rmtree(kept, ignore_errors=True)
                raise

    def uploaded_file(self, version: Version) -> Path:
        """Return the file that was handed in, as it came."""
        return self.folder / VERSIONS / version.folder / "upload"

    # -------------------------------------------------------------- looking

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

    # -------------------------------------------------------------- what a teacher does

    @property
    def is_paused(self) -> bool:
        """Whether the ladder stands still."""
        return self.store.setting("paused") == "yes"

    def pause(self) -> None:
        """Play no more games; those that are being played come to their end."""
        self.store.set("paused", "yes")

    def resume(self) -> None:
        """Play on, also after the final tournament."""
        self.store.set("paused", "")
        if self.store.setting("final") == "done":
            self.store.set("final", "")

    def disqualify(self, student: int, why: str) -> None:
        """Take a student off the ladder and accept nothing more; finished games are kept."""
        text = " ".join(why.split())[:200] or "the teacher decided so"
        self.store.disqualify(self.student(student).id, text)
        self.store.note(f"{self.student(student).name} was disqualified: {text}")

    def readmit(self, student: int) -> None:
        """Let a student back."""
        self.store.disqualify(self.student(student).id, None)
        self.store.note(f"{self.student(student).name} was readmitted")

    def rerun(self, student: int, number: int | None = None) -> Version:
        """Have a version tested again, the last one by default."""
        versions = self.store.versions(student)
        fits = [each for each in versions if number in (None, each.number)]
        if not fits or self.student(student).rival is not None:
            which = "version" if number is None else f"version {number}"
            raise CourseError(f"{self.student(student).name} has no {which} to test")
        ordered = self.store.test_again(fits[0].id)
        found = self.version(student, fits[0].number)
        if not ordered:
            raise CourseError(f"version {found.number} {STATES[found.state]} already")
        return found

    def start_final(self) -> None:
        """Have the driver play the final tournament; the ladder stands still meanwhile."""
        if len(self.store.current()) < 2:
            raise CourseError("a final tournament needs two players, and there are fewer")
        path = self.folder / FINAL
        if path.exists() and self.store.setting("final") not in ("wanted", "playing"):
            # Another one, then: the one before is kept.
            path.rename(path.with_name(f"final-{int(path.stat().st_mtime)}.db"))
        self.store.set("final", "wanted")

    def export_csv(self) -> str:
        """Return a line for every student, as CSV."""
        return export.to_csv(self.store)

    def export_junit(self) -> str:
        """Return the exercises of every student as JUnit XML."""
        return export.to_junit(self.store, self.plan.read_suite(), self.plan.title)

    def notes(self, limit: int = 50) -> list[tuple[float, str]]:
        """Return what the teacher should know: when, and a sentence; newest first."""
        return self.store.notes(limit)


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


def _sync(folder: Path) -> None:
    """Have files reach the disk before the file of the course speaks of them."""
    for parent, _, files in os.walk(folder):
        for name in files:
            _sync_one(Path(parent, name))
        _sync_one(Path(parent))


def _sync_one(path: Path) -> None:
    if path.is_dir() and os.name != "posix":
        return  # a folder cannot be opened there
    handle = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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


__all__ = [
    "CURRENT",
    "DRAFTS",
    "FAILED",
    "FINAL",
    "VERSIONS",
    "BusyError",
    "ClosedError",
    "Course",
    "FullError",
    "Opponent",
    "Overview",
    "Played",
    "Row",
    "Visitor",
    "is_decided",
    "verdict",
]
