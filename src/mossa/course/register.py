"""Who is who in a course: its teacher, its students, and the secrets in their links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mossa.course import people
from mossa.course.folder import CourseFolder
from mossa.course.people import Link, Person
from mossa.course.plan import CourseError
from mossa.course.store import Student
from mossa.errors import shorten


@dataclass(frozen=True)
class Visitor:
    """Whose secret it is."""

    student: Student | None
    """None: the teacher."""

    @property
    def is_teacher(self) -> bool:
        """Whether it is the teacher."""
        return self.student is None


class Register(CourseFolder):
    """The people of a course."""

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
