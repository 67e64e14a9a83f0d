"""The arena page's requests: start, stop and resume tournaments, and follow them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from mossa.web.api import wanted_position
from mossa.web.explorer import Explorer, explorer_table
from mossa.web.fragments import arena_page, tournament_page
from mossa.web.messages import Name, NewTournament, Wanted
from mossa.web.tournaments import Tournaments, read_plan

router = APIRouter(prefix="/api/tournaments")
pages = APIRouter(prefix="/pages/arena", include_in_schema=False)
explorer = APIRouter(prefix="/pages", include_in_schema=False)


def _tournaments(request: Request) -> Tournaments:
    found: Tournaments = request.app.state.tournaments
    return found


Arena = Annotated[Tournaments, Depends(_tournaments)]


@router.get("")
def tournaments(arena: Arena) -> list[dict[str, Any]]:
    """List all tournaments, newest first."""
    return arena.all()


@router.post("", status_code=201)
def begin(new: NewTournament, arena: Arena) -> dict[str, Any]:
    """Start a tournament; it waits for any started earlier."""
    return arena.report(arena.begin(read_plan(new)))


@router.get("/{name}")
def report(name: str, arena: Arena) -> dict[str, Any]:
    """Return a tournament's standings, and the result of every pairing."""
    return arena.report(name)


@router.post("/{name}/stop")
def stop(name: str, arena: Arena) -> dict[str, Any]:
    """Stop a tournament; finished games are kept."""
    arena.stop(name)
    return arena.report(name)


@router.post("/{name}/resume")
def resume(name: str, arena: Arena) -> dict[str, Any]:
    """Resume a tournament; no game is played twice."""
    arena.resume(name)
    return arena.report(name)


@router.get("/{name}/games")
def games(name: str, arena: Arena, player: Name = "", opponent: Name = "") -> list[dict[str, Any]]:
    """Return the latest finished games with their moves: all, one player's, or those of a pair."""
    return arena.games(name, player, opponent)


@pages.get("/")
def overview(arena: Arena) -> HTMLResponse:
    """Return the form for a new tournament, and the list of tournaments."""
    return HTMLResponse(arena_page(arena.all()))


@explorer.post("/explorer")
def played(wanted: Wanted, request: Request) -> HTMLResponse:
    """Return a table of the moves played from a position in this server's tournaments."""
    position = wanted_position(wanted)
    found: Explorer = request.app.state.explorer
    return HTMLResponse(explorer_table(position, *found.moves(position)))


@pages.get("/{name}")
def tournament(name: str, arena: Arena, player: Name = "", opponent: Name = "") -> HTMLResponse:
    """Return a tournament's tables."""
    games = arena.games(name, player, opponent)
    return HTMLResponse(tournament_page(arena.report(name), games, [player, opponent]))
