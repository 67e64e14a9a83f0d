"""Who somebody is in a course: a secret from a personal link, in a cookie or in a header.

A link has its secret behind the ``#``, which browsers keep for themselves: no log and no other site
ever sees it. The page sends it once and gets a cookie that no program on the page can read and that
no other site can have sent. Programs show the secret in a header instead.
"""

from __future__ import annotations

from hashlib import blake2b
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.responses import Response

from mossa.course import Course, Student, Visitor
from mossa.errors import GameError

STUDENT, TEACHER = "student", "teacher"
_DAYS = 200
"""That a browser keeps who somebody is: longer than a course takes."""
_LONGEST = 200
"""Characters of what might be a secret."""

_WRONG_LINK = "this link is not valid (any more); ask your teacher for a new one"
_STUDENTS_ONLY = "this page is for a student: open your personal link"
_MEMBERS_ONLY = "this ladder is for people of the course: open your personal link"
_TEACHERS_ONLY = "only the teacher may see or do this: open the teacher's link"


class NoRightError(GameError):
    """Whoever asks may not see or do that."""


def student_of(course: Course, headers: Headers) -> Student:
    """Return the student who asks; raise NoRightError if it is none."""
    found = maybe_student(course, headers)
    if found is None:
        raise NoRightError(_STUDENTS_ONLY)
    return found


def maybe_student(course: Course, headers: Headers) -> Student | None:
    """Return the student who asks; None: somebody else."""
    visitor = _visitor(course, headers, STUDENT)
    return None if visitor is None else visitor.student


def check_teacher(course: Course, headers: Headers) -> None:
    """Raise NoRightError unless it is the teacher who asks."""
    if not is_teacher(course, headers):
        raise NoRightError(_TEACHERS_ONLY)


def is_teacher(course: Course, headers: Headers) -> bool:
    """Tell whether it is the teacher who asks."""
    visitor = _visitor(course, headers, TEACHER)
    return visitor is not None and visitor.is_teacher


def is_member(course: Course, headers: Headers) -> bool:
    """Tell whether whoever asks takes part in the course."""
    return maybe_student(course, headers) is not None or is_teacher(course, headers)


def check_audience(course: Course, headers: Headers) -> None:
    """Raise NoRightError if the ladder is private and a stranger asks."""
    if not course.plan.public and not is_member(course, headers):
        raise NoRightError(_MEMBERS_ONLY)


def remember(course: Course, secret: str, answer: Response) -> str:
    """Let a browser keep a secret; return whose it is, or raise NoRightError if it is nobody's."""
    visitor = course.who(secret[:_LONGEST])
    if visitor is None:
        raise NoRightError(_WRONG_LINK)
    role = TEACHER if visitor.is_teacher else STUDENT
    name, secure = _cookie(course, role), _is_secure(course)
    answer.set_cookie(name, secret, _DAYS * 86_400, secure=secure, httponly=True, samesite="strict")
    return role


def forget(course: Course, answer: Response) -> None:
    """Let a browser forget who somebody is."""
    for role in (STUDENT, TEACHER):
        name, secure = _cookie(course, role), _is_secure(course)
        answer.delete_cookie(name, secure=secure, httponly=True, samesite="strict")


def _is_secure(course: Course) -> bool:
    """Tell whether cookies may go over HTTPS only; a class on its own network has none."""
    return course.plan.address.lower().startswith("https:")


def _cookie(course: Course, role: str) -> str:
    """Return a name for a cookie: browsers mix up those of two courses on one machine."""
    place = blake2b(str(course.folder).encode("utf-8", "replace"), digest_size=4).hexdigest()
    return f"mossa-{role}-{place}"


def _visitor(course: Course, headers: Headers, role: str) -> Visitor | None:
    """Return whose secret a request shows: a program sends a header, a browser its cookies."""
    header = headers.get("authorization", "")
    if header.startswith("Bearer "):
        return course.who(header.removeprefix("Bearer ").strip()[:_LONGEST])
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(_cookie(course, role))
    except CookieError:
        return None
    return course.who(morsel.value[:_LONGEST]) if morsel else None
