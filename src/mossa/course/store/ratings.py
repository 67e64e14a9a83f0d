"""How strong the players are, and were."""

from __future__ import annotations

from collections.abc import Iterable

from mossa.course.store.file import CourseFile
from mossa.course.store.rows import RatingPoint, Standing


class Ratings(CourseFile):
    """The tables of standings and of their history."""

    def set_standings(
        self, rows: Iterable[Standing], points: Iterable[tuple[int, RatingPoint]]
    ) -> None:
        """Write the ladder anew, and what is new in the history of students."""
        with self._change() as db:
            db.execute("DELETE FROM standings")
            db.executemany(
                "INSERT INTO standings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [tuple(vars(row).values()) for row in rows],
            )
            db.executemany(
                "INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?, ?)",
                [(who, p.at, p.version, p.games, p.elo, p.error) for who, p in points],
            )
            self._touch(db)

    def standings(self) -> list[Standing]:
        """Return the ladder, best first."""
        return [Standing(*row) for row in self._rows("SELECT * FROM standings ORDER BY rank")]

    def history(self, student: int) -> list[RatingPoint]:
        """Return what a student's rating was, oldest first."""
        rows = self._rows(
            "SELECT at, version, games, elo, error FROM history WHERE student = ? ORDER BY at",
            [student],
        )
        return [RatingPoint(*row) for row in rows]

    def last_ratings(self) -> dict[int, float]:
        """Return when every student's rating was last written down."""
        return dict(self._rows("SELECT student, max(at) FROM history GROUP BY student"))

    def histories(self) -> dict[int, list[RatingPoint]]:
        """Return the same for all students."""
        found: dict[int, list[RatingPoint]] = {}
        rows = self._rows(
            "SELECT student, at, version, games, elo, error FROM history ORDER BY student, at"
        )
        for row in rows:
            found.setdefault(row[0], []).append(RatingPoint(*row[1:]))
        return found
