"""The state of a course as files: a line for every student as CSV, the exercises as JUnit XML."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from mossa.arena.grade import Graded, Suite
from mossa.arena.report import rows_to_csv
from mossa.arena.school_class import Student as Pupil
from mossa.arena.school_class import class_junit
from mossa.course.people import inert
from mossa.course.store import CURRENT, STATES, CourseStore, Standing, Student, Version
from mossa.players.clocks import Conditions


def to_csv(store: CourseStore) -> str:
    """Return a line for every student: what counts of the versions, the grade, the ladder."""
    standings = {each.version: each for each in store.standings()}
    rows = [
        _row(student, versions, standings)
        for student, versions in _handed_in(store)
        if student.rival is None
    ]
    return rows_to_csv(rows) if rows else "student\n"


def to_junit(store: CourseStore, suite: Suite | None, title: str) -> str:
    """Return a test suite for every student: the exercises, or why there are none."""
    pupils = []
    for student, versions in _handed_in(store):
        counted = counting(versions)
        if student.rival is not None:
            continue
        problem = "" if counted is None or counted.state == CURRENT else counted.told
        if counted is None:
            problem = "nothing was handed in"
        if student.disqualified is not None:
            problem = f"disqualified: {student.disqualified}"
        graded = () if counted is None else _graded(counted)
        spec = "" if counted is None else counted.spec
        pupils.append(Pupil(student.name, spec, graded, problem))
    named = suite or Suite(title, Conditions(), ())
    return class_junit(pupils, named)


def counting(versions: list[Version]) -> Version | None:
    """Return the version that counts: the current one, or else the last."""
    return next((each for each in versions if each.state == CURRENT), next(iter(versions), None))


def _handed_in(store: CourseStore) -> list[tuple[Student, list[Version]]]:
    """Return all students with their versions, newest first."""
    versions: dict[int, list[Version]] = {}
    for each in store.versions():
        versions.setdefault(each.student, []).append(each)
    return [(student, versions.get(student.id, [])) for student in store.students()]


def _row(
    student: Student, versions: list[Version], standings: dict[int, Standing]
) -> dict[str, Any]:
    version = counting(versions)
    row: dict[str, Any] = {
        "student": inert(student.name),
        "contact": inert(student.contact),
        "versions": len(versions),
        "version": "",
        "state": "handed in nothing",
        "uploaded": "",
        "points": "",
        "possible": "",
        "rank": "",
        "elo": "",
        "error": "",
        "games": 0,
        "wins": 0,
        "draws": 0,
        "losses": 0,
        "forfeits": 0,
        "accuracy": "",
        "disqualified": inert(student.disqualified or ""),
        "told": "",
    }
    if version is None:
        return row
    row |= {
        "version": version.number,
        "state": STATES[version.state],
        "uploaded": datetime.fromtimestamp(version.uploaded, UTC).isoformat(timespec="seconds"),
        "told": inert(version.told),
    }
    if version.judged:
        row["accuracy"] = round(version.kept / version.judged, 4)
    if version.grade is not None:
        row |= {key: version.grade[key] for key in ("points", "possible")}
    standing = standings.get(version.id)
    if standing is not None:
        keys = ("rank", "elo", "error", "games", "wins", "draws", "losses", "forfeits")
        row |= {key: getattr(standing, key) for key in keys}
    return row


def _graded(version: Version) -> tuple[Graded, ...]:
    """Return the grades as they were before they became plain data."""
    exercises = [] if version.grade is None else version.grade["exercises"]
    return tuple(
        Graded(
            each["name"],
            each["kind"],
            each["passed"],
            each["detail"],
            each["possible"],
            each["seconds"],
        )
        for each in exercises
    )
