"""What students have handed in, and what came of its tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from time import time
from typing import Any

from mossa.course.store.file import CourseFile
from mossa.course.store.rows import (
    CURRENT,
    FAILED,
    REPLACED,
    SKIPPED,
    STATES,
    TESTING,
    WAITING,
    Version,
)

_VERSION = (
    "id, student, number, file, folder, bytes, uploaded, state, changed, told, spec, log, checks, "
    "grade, judged, kept, lost"
)
_BRIEF = _VERSION.replace(" log,", " '',")


def _version(row: Sequence[Any]) -> Version:
    values = [*row]
    values[12:14] = map(json.loads, row[12:14])
    return Version(*values)


class Versions(CourseFile):
    """The table of versions."""

    def add_version(
        self, student: int, file: str, folder: str, size: int, *, state: str = WAITING
    ) -> Version:
        """Add what a student has handed in; those that wait for their first test no longer do."""
        now = time()
        with self._change(durable=True) as db:
            # One that is tested again was on the ladder, and returns to it if the new one fails.
            db.execute(
                "UPDATE versions SET state = 'skipped', changed = ?, told = ? "
                "WHERE student = ? AND state = 'waiting' AND checks = '[]'",
                [now, f"It {STATES[SKIPPED]}.", student],
            )
            number = db.execute(
                "SELECT coalesce(max(number), 0) + 1 FROM versions WHERE student = ?", [student]
            ).fetchone()[0]
            added = db.execute(
                "INSERT INTO versions "
                "(student, number, file, folder, bytes, uploaded, state, changed, told) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [student, number, file, folder, size, now, state, now, f"It {STATES[state]}."],
            ).lastrowid
            self._touch(db)
        assert added is not None
        found = self.version(added)
        assert found is not None
        return found

    def uploads_since(self, student: int, when: float) -> int:
        """Return how many versions a student has handed in since then."""
        row = self._one(
            "SELECT count(*) FROM versions WHERE student = ? AND uploaded > ?", [student, when]
        )
        return int(row[0])

    def version(self, number: int) -> Version | None:
        """Return a version by its id; None if there is none."""
        row = self._one(f"SELECT {_VERSION} FROM versions WHERE id = ?", [number])
        return None if row is None else _version(row)

    def version_of(self, student: int, number: int) -> Version | None:
        """Return a student's version by the number that the student knows."""
        row = self._one(
            f"SELECT {_VERSION} FROM versions WHERE student = ? AND number = ?", [student, number]
        )
        return None if row is None else _version(row)

    def versions(self, student: int | None = None) -> list[Version]:
        """Return the versions of a student, newest first, or all; without their logs."""
        where = "" if student is None else "WHERE student = ?"
        rows = self._rows(
            f"SELECT {_BRIEF} FROM versions {where} ORDER BY student, number DESC",
            [] if student is None else [student],
        )
        return [_version(row) for row in rows]

    def owners(self) -> dict[int, tuple[int, int]]:
        """Return whose every version is, and its number."""
        return {row[0]: row[1:] for row in self._rows("SELECT id, student, number FROM versions")}

    def current(self) -> list[Version]:
        """Return the versions that play: the current ones of those not disqualified."""
        rows = self._rows(
            f"SELECT {_BRIEF} FROM versions WHERE state = 'current' AND student IN "
            "(SELECT id FROM students WHERE disqualified IS NULL) ORDER BY id"
        )
        return [_version(row) for row in rows]

    def idle_folders(self) -> list[tuple[int, str]]:
        """Return the versions that neither play nor wait to be tested, and their folders."""
        return self._rows(
            "SELECT id, folder FROM versions "
            "WHERE state IN ('failed', 'replaced', 'skipped') AND folder <> ''"
        )

    def untested(self) -> list[Version]:
        """Return the versions that wait to be tested, oldest first."""
        rows = self._rows(f"SELECT {_BRIEF} FROM versions WHERE state = 'waiting' ORDER BY id")
        return [_version(row) for row in rows]

    def count_untested(self) -> int:
        """Return how many versions wait to be tested, or are being tested."""
        return int(
            self._one("SELECT count(*) FROM versions WHERE state IN ('waiting', 'testing')")[0]
        )

    def begin_test(self, version: int) -> bool:
        """Note that a version is being tested; False if it does not wait for that any more."""
        with self._change() as db:
            done = db.execute(
                "UPDATE versions SET state = 'testing', changed = ?, told = ? "
                "WHERE id = ? AND state = 'waiting'",
                [time(), f"It {STATES[TESTING]}.", version],
            )
            self._touch(db)
            return done.rowcount == 1

    def test_again(self, version: int | None = None) -> bool:
        """Have a version tested again; without one, those whose test was cut short.

        False if there was nothing to do: a version that waits or is being tested is left alone.
        """
        where, given = "state = 'testing'", []
        if version is not None:
            where, given = "id = ? AND state NOT IN ('waiting', 'testing')", [version]
        with self._change() as db:
            done = db.execute(
                f"UPDATE versions SET state = 'waiting', changed = ?, told = ? WHERE {where}",
                [time(), f"It {STATES[WAITING]}.", *given],
            )
            self._touch(db)
            return done.rowcount > 0

    def end_test(
        self,
        version: int,
        *,
        passed: bool,
        told: str,
        spec: str,
        log: str,
        checks: list[dict[str, Any]],
        grade: dict[str, Any] | None,
    ) -> bool:
        """Note what came of a test; one that passed replaces the student's current version.

        False if nobody waits for it any more.
        """
        now = time()
        with self._change(durable=True) as db:
            row = db.execute(
                "SELECT student FROM versions WHERE id = ? AND state = 'testing'", [version]
            ).fetchone()
            if row is None:
                return False
            # A newer version that was tested sooner, on another core, stays.
            newer = db.execute(
                "SELECT count(*) FROM versions WHERE student = ? AND state = 'current' AND id > ?",
                [row[0], version],
            ).fetchone()[0]
            state = REPLACED if passed and newer else CURRENT if passed else FAILED
            if state == REPLACED:
                told = "It passed its tests, but a newer version is on the ladder."
            if state == CURRENT:
                db.execute(
                    "UPDATE versions SET state = 'replaced', changed = ?, told = ? "
                    "WHERE student = ? AND state = 'current'",
                    [now, f"It {STATES[REPLACED]}.", row[0]],
                )
                db.execute(
                    "DELETE FROM games WHERE result IS NULL AND (first IN "
                    "(SELECT id FROM versions WHERE student = ? AND state <> 'current') OR second "
                    "IN (SELECT id FROM versions WHERE student = ? AND state <> 'current'))",
                    [row[0], row[0]],
                )
            db.execute(
                "UPDATE versions SET state = ?, changed = ?, told = ?, spec = ?, log = ?, "
                "checks = ?, grade = ? WHERE id = ?",
                [state, now, told, spec, log, json.dumps(checks), json.dumps(grade), version],
            )
            self._touch(db)
        return True
