"""The application: pages, requests and the socket behind the guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from itertools import chain

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Match, Route

from mossa.errors import GameError, shorten
from mossa.packages import version
from mossa.web import api, arena, collection, live, puzzles, tracing
from mossa.web.assets import HEADERS, STATIC, asset
from mossa.web.explorer import Explorer
from mossa.web.fragments import search_page
from mossa.web.friends import NoSeatError
from mossa.web.guard import Guard
from mossa.web.messages import Problem
from mossa.web.problems import malformed, problem
from mossa.web.puzzles import UnknownPuzzleError
from mossa.web.reference import reference_page
from mossa.web.searches import FAILED, BusyError
from mossa.web.setup_form import setup_form
from mossa.web.store import OutdatedError, StorageError, Store, UnknownGameError
from mossa.web.tournaments import Tournaments, UnknownTournamentError

_ROUTERS = (
    api.router,
    live.router,
    tracing.router,
    puzzles.router,
    arena.router,
    arena.pages,
    arena.explorer,
    collection.router,
    collection.pages,
)
_STATUS: dict[type[Exception], int] = {
    UnknownGameError: 404,
    UnknownTournamentError: 404,
    UnknownPuzzleError: 404,
    NoSeatError: 403,
    OutdatedError: 409,
    BusyError: 503,
    StorageError: 503,
}
_REFUSALS: dict[int | str, str] = {
    400: "the request cannot be carried out; the error says why",
    403: "you have no seat at this game, or it is not your turn",
    404: "there is no such game, puzzle or tournament",
    408: "the body took too long to arrive",
    409: "the game has changed since that version",
    413: "the body is too large",
    422: "a field is missing, unknown or invalid",
    500: "the server failed",
    503: "the server is busy, or cannot save or load",
}


def create_app(
    store: Store,
    *,
    token: str | None = None,
    guard: Middleware | None = None,
    routers: Iterable[APIRouter] = (),
    links: str = "",
    desk: Callable[[Store], live.Desk] = live.Desk,
) -> FastAPI:
    """Return the application for a store; with a token, it serves only clients that show it.

    A larger application brings its guard and routers, links for the board's pages, and a desk.
    """
    known = (*_ROUTERS, *routers)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.desk = desk(store)
        app.state.tournaments = Tournaments(store.path.with_suffix(".tournaments"))
        app.state.explorer = Explorer(app.state.tournaments)
        yield
        app.state.tournaments.close()
        app.state.desk.close()
        store.close()

    app = FastAPI(
        title="mossa",
        description="The board in the browser.",
        version=version(),
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
        responses={
            status: {"model": Problem, "description": reason}
            for status, reason in _REFUSALS.items()
        },
    )
    app.state.store = store
    app.state.token = token
    app.state.routers = known
    app.state.links = links
    for router in known:
        app.include_router(router)
    app.add_exception_handler(GameError, _game_error)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _no_such_request)
    app.add_exception_handler(Exception, _failed)

    @app.get("/", include_in_schema=False)
    @app.get("/play/{name}", include_in_schema=False)
    @app.get("/analyse", include_in_schema=False)
    @app.get("/search", include_in_schema=False)
    @app.get("/puzzles", include_in_schema=False)
    @app.get("/arena", include_in_schema=False)
    @app.get("/arena/{name}", include_in_schema=False)
    @app.get("/review", include_in_schema=False)
    @app.get("/games", include_in_schema=False)
    async def page(request: Request) -> Response:
        """Return the one page; its address says what it shows."""
        return await file(request, "index.html")

    @app.get("/pages/setup", include_in_schema=False)
    def setup() -> HTMLResponse:
        """Return the form for a new game."""
        return HTMLResponse(setup_form(), headers=HEADERS)

    @app.get("/pages/search", include_in_schema=False)
    def search() -> HTMLResponse:
        """Return the search viewer with its form."""
        viewer = (STATIC / "viewer.html").read_text(encoding="utf-8")
        return HTMLResponse(search_page(viewer), headers=HEADERS)

    @app.get("/docs", include_in_schema=False)
    def docs() -> HTMLResponse:
        """Return the page that documents the API."""
        return HTMLResponse(reference_page(app.openapi()), headers=HEADERS)

    @app.get("/static/{name}", include_in_schema=False)
    async def file(request: Request, name: str) -> Response:
        """Return a file of the pages."""
        found = asset(request, name)
        if found is None:
            raise HTTPException(404, f"there is no file {shorten(name)}")
        return found

    chosen = guard or Middleware(Guard, token=token)
    app.add_middleware(chosen.cls, *chosen.args, **chosen.kwargs)
    return app


async def _game_error(request: Request, error: Exception) -> Response:
    return _problem(request, _STATUS.get(type(error), 400), str(error))


async def _failed(request: Request, error: Exception) -> Response:
    return _problem(request, 500, FAILED)  # and uvicorn logs it


async def _no_such_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    reason = str(error.detail)
    headers = {name.lower(): value for name, value in (error.headers or {}).items()}
    if error.status_code == 404 and reason == "Not Found":  # the framework's words
        reason = f"there is nothing at {shorten(request.url.path)}"
    if error.status_code == 405:  # the framework names the methods of one function only
        known = [
            route.methods or set()
            for route in chain(
                request.app.router.routes, *(each.routes for each in request.app.state.routers)
            )
            if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
        ]
        named = set(filter(None, headers.get("allow", "").split(", ")))
        headers = {"allow": ", ".join(sorted(named.union(*known)))}
        reason = f"{request.method} is not allowed here; accepted: {headers['allow']}"
    return _problem(request, error.status_code, reason, headers)


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return _problem(request, 422, malformed(error.errors()))


def _problem(
    request: Request, status: int, reason: str, headers: dict[str, str] | None = None
) -> Response:
    return problem(request.url.path, request.headers, status, reason, headers)
