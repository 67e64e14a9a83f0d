"""The application of a course: its pages, and the board for its people."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.middleware import Middleware

from mossa.course import BusyError, ClosedError, Course, FullError
from mossa.web import course as requests
from mossa.web import limits
from mossa.web.app import create_app
from mossa.web.course import NotThereError, Tables
from mossa.web.course_guard import CourseGuard
from mossa.web.course_rights import NoRightError
from mossa.web.live import Desk
from mossa.web.problems import problem
from mossa.web.searches import Searches
from mossa.web.store import Store

BOARD = "board.sqlite"
"""The games that people of a course play on its board."""

_NICE = 15
"""How far searches of the board stand back: behind the ladder, whose players are on a clock."""
_LINKS = '<a href="/course" target="_top">Course</a>'
_STATUS: dict[type[Exception], int] = {
    NoRightError: 403,
    ClosedError: 403,
    NotThereError: 404,
    BusyError: 409,
    FullError: 507,
}


def create_course_app(course: Course) -> FastAPI:
    """Return the application for a course."""
    app = create_app(
        Store(course.folder / BOARD),
        guard=Middleware(CourseGuard),
        routers=(requests.router, requests.pages),
        links=_LINKS,
        desk=_desk,
    )
    serve_course(app, course)
    for kind in _STATUS:
        app.add_exception_handler(kind, _refused)
    return app


def _desk(store: Store) -> Desk:
    """Return a desk whose searches take no time from the games of the ladder."""
    how = {"threads": limits.SEARCHES, "waiting": limits.WAITING, "nice": _NICE}
    return Desk(store, moves=Searches("move", **how), analyses=Searches("analysis", **how))


def serve_course(app: FastAPI, course: Course) -> None:
    """Let an application serve this course."""
    app.state.course = course
    app.state.tables = Tables(course)


async def _refused(request: Request, error: Exception) -> Response:
    status = next(status for kind, status in _STATUS.items() if isinstance(error, kind))
    return problem(request.url.path, request.headers, status, str(error))
