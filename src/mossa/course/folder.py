"""The folder of a course: its plan, its file, and where everything else lies."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from mossa.course.plan import CourseError, CoursePlan, read_plan
from mossa.course.store import FILE, CourseStore, Student

VERSIONS = "versions"
"""The folder of what was handed in."""
DRAFTS = "drafts"
"""The folder of what is being received."""
FINAL = "final.db"
"""The file of the final tournament."""


class CourseFolder:
    """An open course: what everything that is asked of it, or done, begins with."""

    def __init__(self, folder: Path) -> None:
        """Open the course in a folder; raise CourseError if there is none, or a file is wrong."""
        self.folder = folder.absolute()
        self.plan: CoursePlan = read_plan(folder)
        self.store = CourseStore(self.folder / FILE)

    def close(self) -> None:
        """Close its file."""
        self.store.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def students(self) -> list[Student]:
        """Return the students, by name; our own players are none."""
        return [each for each in self.store.students() if each.rival is None]

    def student(self, number: int) -> Student:
        """Return a student by number; raise CourseError if there is none."""
        found = self.store.student(number)
        if found is None:
            raise CourseError(f"there is no student {number}")
        return found
