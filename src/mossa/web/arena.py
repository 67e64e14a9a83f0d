"""Requests of the arena page: begin, stop and resume tournaments, and look at them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request

from mossa.web.messages import Name, NewTournament
from mossa.web.tournaments import Tournaments, read_plan

router = APIRouter(prefix="/api/tournaments")


def _tournaments(request: Request) -> Tournaments:
    found: Tournaments = request.app.state.tournaments
    return found


Arena = Annotated[Tournaments, Depends(_tournaments)]


@router.get("")
def tournaments(arena: Arena) -> list[dict[str, Any]]:
    """Return all tournaments, the newest first."""
    return arena.list()


@router.post("", status_code=201)
def begin(new: NewTournament, arena: Arena) -> dict[str, Any]:
    """Begin a tournament; it is played after those that were begun before."""
    return arena.report(arena.begin(read_plan(new)))


@router.get("/{name}")
def report(name: str, arena: Arena) -> dict[str, Any]:
    """Return how a tournament stands: standings, and every player against every other."""
    return arena.report(name)


@router.post("/{name}/stop")
def stop(name: str, arena: Arena) -> dict[str, Any]:
    """Stop a tournament; what is finished is kept."""
    arena.stop(name)
    return arena.report(name)


@router.post("/{name}/resume")
def resume(name: str, arena: Arena) -> dict[str, Any]:
    """Go on with a tournament; no game is played twice."""
    arena.resume(name)
    return arena.report(name)


@router.get("/{name}/games")
def games(
    name: str, arena: Arena, player: Name = "", opponent: Name = ""
) -> list[dict[str, Any]]:
    """Return the last finished games, of all players, of one, or of two against each other."""
    return arena.games(name, player, opponent)


@router.get("/{name}/games/{number}")
def game(name: str, number: int, arena: Arena) -> dict[str, Any]:
    """Return one finished game with its moves."""
    return arena.game(name, number)
