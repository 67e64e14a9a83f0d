"""Who takes part in a course: students, and our own players."""

from __future__ import annotations

from collections.abc import Iterable
from time import time

from mossa.course.store.file import CourseFile
from mossa.course.store.rows import CURRENT, REPLACED, STATES, Student


class Students(CourseFile):
    """The table of students."""

    def add_students(self, people: Iterable[tuple[str, str, str | None]]) -> list[int]:
        """Add students, all or none: name, contact and the digest of their secret each."""
        with self._change(durable=True) as db:
            added = [
                db.execute(
                    "INSERT INTO students (name, contact, link, added) VALUES (?, ?, ?, ?)",
                    [name, contact, link, time()],
                ).lastrowid
                for name, contact, link in people
            ]
            self._touch(db)
        return [number for number in added if number is not None]

    def set_rivals(self, specs: Iterable[str]) -> None:
        """Have these players of ours on the ladder, and no others."""
        wanted = list(specs)
        with self._change() as db:
            known = dict(
                db.execute("SELECT rival, id FROM students WHERE rival IS NOT NULL").fetchall()
            )
            for spec in wanted:
                if spec not in known:
                    cursor = db.execute(
                        "INSERT INTO students (name, contact, rival, added) VALUES (?, '', ?, ?)",
                        [spec, spec, time()],
                    )
                    known[spec] = cursor.lastrowid
                    db.execute(
                        "INSERT INTO versions (student, number, file, folder, bytes, uploaded, "
                        "state, changed, told, spec) "
                        "VALUES (?, 1, '', '', 0, ?, 'current', ?, ?, ?)",
                        [cursor.lastrowid, time(), time(), STATES[CURRENT], spec],
                    )
            for spec, number in known.items():
                state = CURRENT if spec in wanted else REPLACED
                db.execute(
                    "UPDATE versions SET state = ?, changed = ? WHERE student = ? AND state <> ?",
                    [state, time(), number, state],
                )
            self._touch(db)

    def students(self) -> list[Student]:
        """Return all students, and our players, by name."""
        rows = self._rows(
            "SELECT id, name, contact, rival, disqualified FROM students "
            "ORDER BY rival IS NOT NULL, name COLLATE NOCASE, id"
        )
        return [Student(*row) for row in rows]

    def student(self, number: int) -> Student | None:
        """Return a student; None if there is none of this number."""
        row = self._one(
            "SELECT id, name, contact, rival, disqualified FROM students WHERE id = ?", [number]
        )
        return None if row is None else Student(*row)

    def student_by_link(self, digest: str) -> tuple[Student, str] | None:
        """Return whose secret has this digest, and the digest as it is stored."""
        row = self._one(
            "SELECT id, name, contact, rival, disqualified, link FROM students WHERE link = ?",
            [digest],
        )
        return None if row is None else (Student(*row[:5]), str(row[5]))

    def set_links(self, links: Iterable[tuple[int, str]]) -> None:
        """Give students new secrets, by their digests."""
        with self._change(durable=True) as db:
            db.executemany(
                "UPDATE students SET link = ? WHERE id = ?",
                [(digest, number) for number, digest in links],
            )

    def disqualify(self, number: int, why: str | None) -> None:
        """Take a student off the ladder, or with None let him back; open games are dropped."""
        with self._change(durable=True) as db:
            db.execute("UPDATE students SET disqualified = ? WHERE id = ?", [why, number])
            db.execute(
                "DELETE FROM games WHERE result IS NULL AND (first IN "
                "(SELECT id FROM versions WHERE student = ?) OR second IN "
                "(SELECT id FROM versions WHERE student = ?))",
                [number, number],
            )
            self._touch(db)
