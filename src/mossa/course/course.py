"""A course as the command line and the pages see it: everything that can be asked of it, or done.

Every call is short, and may come from any thread and any process. What takes long (tests, games,
reviews) is done by the driver, which learns of it from the file of the course.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from mossa.course import export
from mossa.course.folder import DRAFTS, FINAL, VERSIONS
from mossa.course.inbox import Inbox
from mossa.course.plan import ABOUT, SUITE, CourseError, template
from mossa.course.register import Register
from mossa.course.store import FILE, STATES, CourseStore, Version
from mossa.course.views import Views
from mossa.errors import shorten
from mossa.files import replace_file


class Course(Register, Inbox, Views):
    """An open course: its people, what they hand in, what they see, and what a teacher does."""

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
