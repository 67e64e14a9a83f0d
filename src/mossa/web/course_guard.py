"""The guard of a course: rights come from secrets, and uploads are larger than other requests.

A server of a course goes by any name: there is nothing to gain from a name that somebody else has
made up, because the secrets of people are bound to the name under which they opened their links.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Scope

from mossa.course import Course
from mossa.web.course_rights import is_member, is_teacher
from mossa.web.guard import Guard, RefusedError

SUBMISSIONS = "/api/course/submissions"
STUDENTS = "/api/course/students"
_LIST_BYTES = 1 << 20
"""Of a list of students: more than anybody teaches."""
_UPLOAD_SECONDS = 120.0
_PUBLIC = ("/course", "/pages/course/", "/api/course/", "/static/")
"""Where everybody may ask; who gets an answer, the requests themselves decide."""
_TEACHERS = ("/arena", "/pages/arena", "/api/tournaments")
"""Tournaments of the board would take the cores from the ladder."""


class CourseGuard(Guard):
    """Lets everybody look at the standings, and members of the course at the board."""

    def __init__(self, app: ASGIApp) -> None:
        """Take what it guards; the course is the application's."""
        super().__init__(app, token=None)

    def check_name(self, host: str) -> None:
        """Take any name."""

    def check_right(self, scope: Scope, headers: Headers) -> None:
        """Raise unless it is public, or somebody of the course asks."""
        path: str = scope["path"]
        if path.startswith(_TEACHERS):
            if not is_teacher(_course(scope), headers):
                raise RefusedError(403, "tournaments of the board are for the teacher")
        elif not path.startswith(_PUBLIC) and not is_member(_course(scope), headers):
            raise RefusedError(
                403, "the board is for people of this course: open your personal link first"
            )

    def most_bytes(self, scope: Scope) -> int:
        """Return how long a body may be: a file that is handed in, a list, or a request."""
        if scope["path"] == SUBMISSIONS and scope.get("method") == "PUT":
            return _course(scope).plan.upload_limit
        if scope["path"] == STUDENTS:
            return _LIST_BYTES
        return super().most_bytes(scope)

    def too_large(self, scope: Scope) -> RefusedError:
        """Return what is said of a longer one."""
        most = self.most_bytes(scope)
        if scope["path"] == SUBMISSIONS:
            return RefusedError(413, f"the file is too large: at most {most / (1 << 20):g} MB")
        return RefusedError(413, f"the request is too large: at most {most} bytes")

    def most_seconds(self, scope: Scope) -> float:
        """Return how long a body may take: some people have slow lines."""
        return _UPLOAD_SECONDS if scope["path"] == SUBMISSIONS else super().most_seconds(scope)


def _course(scope: Scope) -> Course:
    found: Course = scope["app"].state.course
    return found
