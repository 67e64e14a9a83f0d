"""Requests of a course: pages that keep themselves up to date, uploads, what a teacher orders."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from time import monotonic
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from mossa.course import Course, Link, Overview, Row, Student, Version, is_decided, verdict
from mossa.course.final import final_report
from mossa.course.people import links_csv
from mossa.errors import GameError
from mossa.quantities import counted
from mossa.web.assets import HEADERS, asset
from mossa.web.course_pages import (
    Person,
    Work,
    for_person,
    standings_page,
    student_page,
    teacher_page,
)
from mossa.web.course_rights import (
    check_audience,
    check_teacher,
    forget,
    is_teacher,
    maybe_student,
    remember,
    student_of,
)
from mossa.web.invitation import qr_code

SHELL = "course.html"
_SHOWN_GAMES = 30
_FRESH = 1.0
"""Seconds for which a table is shown again, however many look at it."""
_KEPT = 300
"""Tables that are kept for those who look again."""

router = APIRouter(prefix="/api/course")
pages = APIRouter(include_in_schema=False)


class NotThereError(GameError):
    """A student or a version that does not exist."""


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Entry(_Message):
    """A personal link is opened."""

    secret: Annotated[str, Field(min_length=1, max_length=200)]


class NewStudents(_Message):
    """Students to add, as CSV."""

    list: Annotated[str, Field(max_length=1 << 20)]


class Reason(_Message):
    """Why something is done."""

    reason: Annotated[str, Field(max_length=200)] = ""


class Nothing(_Message):
    """An order that needs no more words."""


Number = Annotated[int, Path(ge=1, le=1 << 53)]
Before = Annotated[int | None, Query(ge=1, le=1 << 53)]


class Tables:
    """What pages show, made once for all who look within a second, and again when it changes."""

    def __init__(self, course: Course) -> None:
        """Take the course."""
        self.course = course
        self._lock = threading.Lock()
        self._made: OrderedDict[object, tuple[str, float, Any]] = OrderedDict()
        self._making: dict[object, threading.Lock] = {}
        self._forgotten = 0

    def get(self, key: object, make: Callable[[], Any]) -> Any:
        """Return what was made under a key, if nothing has changed since or it is fresh.

        Whoever wants the same meanwhile waits for it. A table may be made of others, not of itself.
        """
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        try:
            with making:
                return self._get(key, make)
        finally:
            with self._lock:
                if key not in self._made and self._making.get(key) is making:
                    del self._making[key]

    def _get(self, key: object, make: Callable[[], Any]) -> Any:
        changed, now = self.course.changed(), monotonic()
        with self._lock:
            found, forgotten = self._made.get(key), self._forgotten
        if found is not None and (now - found[1] < _FRESH or found[0] == self._mark(changed)):
            return found[2]
        made = make()
        with self._lock:
            if forgotten == self._forgotten:  # else it may be of the time before
                self._made[key] = self._mark(changed), now, made
                self._made.move_to_end(key)
            while len(self._made) > _KEPT:
                self._making.pop(self._made.popitem(last=False)[0], None)
        return made

    def forget(self) -> None:
        """Make everything anew: whoever has changed something is to see it."""
        with self._lock:
            self._forgotten += 1
            self._made.clear()
            self._making.clear()

    def _mark(self, changed: str) -> str:
        """Return what tables depend on: the file, and by the clock what the driver says."""
        return f"{changed} {int(monotonic() / 15)}"


def _course(request: Request) -> Course:
    found: Course = request.app.state.course
    return found


def _tables(request: Request) -> Tables:
    found: Tables = request.app.state.tables
    return found


def _student(request: Request) -> Student:
    return student_of(_course(request), request.headers)


def _teacher(request: Request) -> Course:
    """Return the course, if it is the teacher who asks."""
    check_teacher(_course(request), request.headers)
    return _course(request)


def _audience(request: Request) -> None:
    """Refuse whoever may not look at the ladder."""
    check_audience(_course(request), request.headers)


def _person(request: Request) -> Person:
    course = _course(request)
    return Person(maybe_student(course, request.headers), is_teacher(course, request.headers))


def _named(number: Number, course: Annotated[Course, Depends(_teacher)]) -> Student:
    """Return the student that an address of the teacher names."""
    found = course.store.student(number)
    if found is None or found.rival is not None:
        raise NotThereError(f"there is no student {number}")
    return found


def _version(course: Course, student: Student, number: int) -> Version:
    found = course.store.version_of(student.id, number)
    if found is None:
        raise NotThereError(f"there is no version {number}")
    return found


Open = Annotated[Course, Depends(_course)]
Shown = Annotated[Tables, Depends(_tables)]
Me = Annotated[Student, Depends(_student)]
Taught = Annotated[Course, Depends(_teacher)]
Named = Annotated[Student, Depends(_named)]
Who = Annotated[Person, Depends(_person)]


# ---------------------------------------------------------------- pages


@pages.get("/course")
@pages.get("/course/me")
@pages.get("/course/teacher")
@pages.get("/course/teacher/{student}")
async def shell(request: Request) -> Response:
    """Return the one page; what it shows is in its address."""
    found = asset(request, SHELL)
    assert found is not None
    return found


def _page(request: Request, text: str) -> Response:
    """Answer with a piece of a page, or that it has not changed."""
    tag = f'"{blake2b(text.encode(), digest_size=12).hexdigest()}"'
    headers = {**HEADERS, "ETag": tag, "Vary": "Cookie, Authorization"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return HTMLResponse(text, headers=headers)


def _rows(tables: Tables) -> list[Row]:
    found: list[Row] = tables.get("rows", tables.course.standings)
    return found


def _overview(tables: Tables) -> Overview:
    found: Overview = tables.get("overview", tables.course.overview)
    return found


def _final(course: Course) -> list[dict[str, Any]]:
    """Return how the final tournament stands, if there is one."""
    if course.store.setting("final") not in ("playing", "done"):
        return []
    report = final_report(course.folder)
    return [] if report is None else report.standings


@pages.get("/pages/course/standings", dependencies=[Depends(_audience)])
def standings(request: Request, tables: Shown, person: Who) -> Response:
    """Return how everybody stands."""

    def made() -> str:
        final = tables.get("final", lambda: _final(tables.course))
        return standings_page(_overview(tables), _rows(tables), final)

    return _page(request, for_person(tables.get("standings", made), person))


@pages.get("/pages/course/me")
def own_page(
    request: Request, tables: Shown, me: Me, version: Before = None, before: Before = None
) -> Response:
    """Return a student's own page."""

    def made() -> str:
        work = _work(tables, me, version, before)
        return student_page(_overview(tables), work, Person(me))

    return _page(request, tables.get(("me", me, version, before), made))


@pages.get("/pages/course/teacher")
def teachers_page(request: Request, tables: Shown, course: Taught) -> Response:
    """Return the teacher's page."""

    def made() -> str:
        latest: dict[int, Version] = {}
        for each in course.store.versions():  # newest first
            latest.setdefault(each.student, each)
        return teacher_page(
            _overview(tables),
            course.students(),
            latest,
            _rows(tables),
            course.notes(20),
            Person(teacher=True),
        )

    return _page(request, tables.get("teacher", made))


@pages.get("/pages/course/teacher/{number}")
def seen_page(
    request: Request,
    student: Named,
    tables: Shown,
    course: Taught,
    version: Before = None,
    before: Before = None,
) -> Response:
    """Return a student's page as the teacher sees it."""

    def made() -> str:
        work = _work(tables, student, version, before)
        return student_page(_overview(tables), work, Person(teacher=True))

    return _page(request, tables.get(("seen", student, version, before), made))


def _work(tables: Tables, student: Student, number: int | None, before: int | None) -> Work:
    course = tables.course
    versions = course.versions(student.id)
    chosen = number or (versions[0].number if versions else None)
    games = course.games(student.id, limit=_SHOWN_GAMES + 1, before=before)
    return Work(
        student=student,
        row=next((row for row in _rows(tables) if row.student == student.id), None),
        versions=versions,
        chosen=None if chosen is None else _version(course, student, chosen),
        history=course.history(student.id),
        games=games[:_SHOWN_GAMES],
        opponents=course.opponents(student.id),
        older=games[_SHOWN_GAMES - 1].id if len(games) > _SHOWN_GAMES else None,
    )


# ---------------------------------------------------------------- who somebody is


@router.post("/session")
def enter(entry: Entry, course: Open, answer: Response) -> dict[str, str]:
    """Trade the secret of a personal link for a cookie."""
    return {"role": remember(course, entry.secret, answer)}


@router.delete("/session")
def leave(course: Open, answer: Response) -> dict[str, str]:
    """Have this browser forget who somebody is."""
    forget(course, answer)
    return {"told": "This browser has forgotten your link."}


# ---------------------------------------------------------------- for everybody


@router.get("/standings", dependencies=[Depends(_audience)])
def ladder(tables: Shown) -> dict[str, Any]:
    """Return how the course and its players stand."""
    overview = _overview(tables)
    return {
        "title": overview.title,
        "boards": overview.boards,
        "conditions": overview.conditions,
        "state": overview.state,
        "closes": overview.closes,
        "games": overview.games,
        "standings": [vars(row) for row in _rows(tables)],
    }


# ---------------------------------------------------------------- for students


@router.put("/submissions", status_code=201)
async def submit(request: Request, course: Open, tables: Shown, name: str = "") -> dict[str, Any]:
    """Hand in a file: the body as it is, with its name; tests follow."""
    me = await run_in_threadpool(student_of, course, request.headers)
    length = request.headers.get("content-length")
    await run_in_threadpool(course.check_upload, me.id, None if length is None else int(length))
    with course.uploading(me.id) as folder:
        upload = folder / "upload"
        with upload.open("wb") as file:
            try:
                async for piece in request.stream():
                    file.write(piece)
            except ClientDisconnect:  # or the guard has ended it; nobody reads this
                return {"told": "the upload broke off"}
        version = await run_in_threadpool(course.submit, me.id, upload, name)
    tables.forget()
    return {**_brief(version), "told": f"Version {version.number} has arrived; tests follow."}


@router.get("/versions")
def versions(course: Open, me: Me) -> dict[str, Any]:
    """Return what you have handed in, newest first."""
    return {"versions": [_brief(each) for each in course.versions(me.id)]}


@router.get("/versions/{number}")
def version(number: Number, course: Open, me: Me) -> dict[str, Any]:
    """Return what became of a version."""
    found = _version(course, me, number)
    return {
        **_brief(found),
        "lines": verdict(found),
        "checks": found.checks,
        "grade": found.grade,
        "log": found.log,
    }


def _brief(version: Version) -> dict[str, Any]:
    grade = version.grade
    return {
        "version": version.number,
        "file": version.file,
        "uploaded": version.uploaded,
        "state": version.state,
        "decided": is_decided(version),
        "told": version.told,
        "points": None if grade is None else grade["points"],
        "possible": None if grade is None else grade["possible"],
    }


# ---------------------------------------------------------------- for the teacher


def _here(request: Request, course: Course, link: str) -> str:
    """Return a link under the name by which the teacher has come: others can use that one, too."""
    origin = request.headers.get("origin")
    return link if origin is None else f"{origin}{link.removeprefix(course.plan.address)}"


@router.post("/students")
def add(new: NewStudents, request: Request, course: Taught, tables: Shown) -> dict[str, Any]:
    """Add the students of a list; return a CSV of their links, which nobody can read later."""
    links, known = course.add_students(new.list)
    tables.forget()
    here = [Link(each.name, each.contact, _here(request, course, each.link)) for each in links]
    told = f"{counted(len(links), 'student')} added"
    told += f", {known} in the course already." if known else "."
    return {"told": told, "links": links_csv(here) if links else ""}


@router.post("/students/{number}/link")
def link(student: Named, request: Request, course: Taught, _: Nothing) -> dict[str, Any]:
    """Give a student a new link; the old one works no more."""
    (made,) = course.new_links([student])
    here = _here(request, course, made.link)
    return {"told": f"The new link of {made.name}:", "link": here, "code": qr_code(here)}


@router.post("/students/{number}/disqualify")
def disqualify(student: Named, why: Reason, course: Taught, tables: Shown) -> dict[str, Any]:
    """Take a student off the ladder."""
    course.disqualify(student.id, why.reason)
    tables.forget()
    return {"told": f"{student.name} is disqualified."}


@router.post("/students/{number}/readmit")
def readmit(student: Named, course: Taught, tables: Shown, _: Nothing) -> dict[str, Any]:
    """Let a student back."""
    course.readmit(student.id)
    tables.forget()
    return {"told": f"{student.name} takes part again."}


@router.post("/students/{number}/rerun")
def rerun(student: Named, course: Taught, tables: Shown, _: Nothing) -> dict[str, Any]:
    """Have a student's last version tested again."""
    found = course.rerun(student.id)
    tables.forget()
    return {"told": f"Version {found.number} of {student.name} will be tested again."}


@router.get("/students/{number}/versions/{version}/file")
def handed_in(student: Named, version: Number, course: Taught) -> Response:
    """Return a file as a student has handed it in."""
    found = _version(course, student, version)
    return FileResponse(
        course.uploaded_file(found),
        filename=found.file,
        media_type="application/octet-stream",
        headers={"X-Content-Type-Options": "nosniff"},
    )


@router.post("/pause")
def pause(course: Taught, tables: Shown, _: Nothing) -> dict[str, Any]:
    """Let the ladder stand still."""
    course.pause()
    tables.forget()
    return {"told": "The ladder is paused; games under way come to their end."}


@router.post("/resume")
def resume(course: Taught, tables: Shown, _: Nothing) -> dict[str, Any]:
    """Play on."""
    course.resume()
    tables.forget()
    return {"told": "The ladder goes on."}


@router.post("/final")
def final(course: Taught, tables: Shown, _: Nothing) -> dict[str, Any]:
    """Start the final tournament."""
    course.start_final()
    tables.forget()
    return {"told": "The final tournament begins."}


@router.get("/grades.csv")
def grades_csv(course: Taught) -> Response:
    """Return the grades and ratings of all students as CSV."""
    return _file(course.export_csv(), "grades.csv", "text/csv")


@router.get("/grades.xml")
def grades_junit(course: Taught) -> Response:
    """Return the grades of all students as JUnit XML."""
    return _file(course.export_junit(), "grades.xml", "application/xml")


def _file(text: str, name: str, kind: str) -> Response:
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, headers={**HEADERS, **disposition}, media_type=kind)
