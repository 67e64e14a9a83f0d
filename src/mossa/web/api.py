"""Requests over HTTP: the catalogue, positions, saved games."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, Response

from mossa._core import InvalidPositionError, Position, Side
from mossa.errors import GameError
from mossa.games import KINDS, PRESETS
from mossa.players.levels import ABILITIES
from mossa.python_games import offered_games
from mossa.records import Record
from mossa.records.record import opening
from mossa.session import timing, turns
from mossa.web import friends, notes, saved_games
from mossa.web.friends import NoSeatError, Seats
from mossa.web.invitation import invitation
from mossa.web.messages import (
    Arranged,
    Copied,
    Invited,
    MoveMade,
    Name,
    NewGame,
    Pasted,
    Seen,
    Wanted,
)
from mossa.web.opponents import HUMAN, served_kinds
from mossa.web.setup_form import FRIEND, chosen_game, chosen_side
from mossa.web.states import game_of, position_state
from mossa.web.store import SavedGame, Store, outdated

router = APIRouter(prefix="/api")


def _store(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


def _secret(request: Request) -> str:
    """Return the caller's secret, which any request may carry in a header."""
    return request.headers.get("x-seat", "")


Games = Annotated[Store, Depends(_store)]
Secret = Annotated[str, Depends(_secret)]


def wanted_position(wanted: Wanted) -> Position:
    """Return the position a page asks for."""
    return opening(game_of(wanted.game), wanted.board or None).after(wanted.moves)


def seen_game(store: Store, name: str, version: int) -> SavedGame:
    """Return a saved game, provided it has not changed since the page loaded it."""
    saved = store.load(name)
    since = saved.version if saved.seats is None else saved.seats.since
    if not since <= version <= saved.version:
        raise outdated(version)
    return saved


@router.get("/catalogue")
def catalogue() -> dict[str, Any]:
    """List the games, their sizes and options, and the players."""
    return {
        "presets": PRESETS,
        "own": offered_games(),
        "kinds": [
            {
                "name": kind.name,
                "summary": kind.summary,
                "sizes": [
                    {"name": size.name, "low": size.low, "high": size.high} for size in kind.sizes
                ],
                "options": [
                    {"name": option.name, "values": option.values, "help": option.help}
                    for option in kind.options
                ],
            }
            for kind in KINDS.values()
        ],
        "levels": len(ABILITIES),
        "players": [
            {"name": kind.name, "summary": kind.summary} for kind in served_kinds().values()
        ],
    }


@router.post("/position")
def position(wanted: Wanted) -> dict[str, Any]:
    """Describe a position: the board, the legal moves, the outcome, what a network thinks of it."""
    return notes.looked_at(wanted_position(wanted))


@router.post("/arranged")
def arranged(board: Arranged) -> dict[str, Any]:
    """Check a board set up by hand: return its position, or why it is impossible."""
    game = game_of(board.game)
    try:
        return {"position": position_state(notes.arranged(game, board.cells, board.side))}
    except InvalidPositionError as error:
        # Without the board text, which the person at the editor has never seen.
        return {"position": None, "problem": str(error).rpartition("': ")[2]}


@router.post("/read")
def read(pasted: Pasted) -> dict[str, Any]:
    """Read moves with branches, or a record in any format."""
    return notes.read(game_of(pasted.game), pasted.board, pasted.text)


@router.post("/write")
def write(copied: Copied) -> dict[str, Any]:
    """Write moves with branches as a record file; a note says what the format leaves out."""
    return notes.written(game_of(copied.game), copied.board, copied.moves, copied.form)


@router.post("/games", status_code=201)
def begin(new: NewGame, store: Games, secret: Secret) -> dict[str, Any]:
    """Start a game, or invite a friend to one: the friend opens its link."""
    record = saved_games.begin(
        new.game, new.first, new.second, moves=new.moves, board=new.board, clock=new.clock
    )
    seats = None
    if new.friend:
        if (record.first, record.second) != (HUMAN, HUMAN):
            raise GameError("two people play a game with a friend: leave out first and second")
        seats = Seats().taken(Side[new.friend], secret)
    return saved_games.state(store.create(record, seats), secret)


@router.post("/setup", status_code=201)
def set_up(fields: dict[str, Name], store: Games, secret: Secret) -> dict[str, Any]:
    """Start a game from the fields of the form on the start page."""
    side = chosen_side(fields)
    record = saved_games.begin(**chosen_game(fields, side))
    seats = Seats().taken(side, secret) if fields.get("opponent") == FRIEND else None
    return saved_games.state(store.create(record, seats), secret)


@router.get("/games/{name}")
def load(name: str, store: Games, secret: Secret) -> dict[str, Any]:
    """Return a saved game."""
    return saved_games.state(store.load(name), secret)


@router.post("/games/{name}/join")
def join(name: str, store: Games, secret: Secret) -> dict[str, Any]:
    """Take the free seat in a game with a friend, or watch if both are taken."""
    saved = store.load(name)
    seats = saved.seats
    if seats is not None and seats.free is not None and seats.side_of(secret) is None:
        saved = store.change(saved, saved.record, seats.taken(seats.free, secret))
    return saved_games.state(saved, secret)


@router.post("/games/{name}/invitation")
def invite(name: str, invited: Invited, request: Request, store: Games) -> dict[str, str]:
    """Return a link to send to a friend, and its QR code."""
    store.load(name)
    return invitation(f"/play/{name}", invited.origin, request.app.state.token)


@router.post("/games/{name}/moves")
def move(name: str, made: MoveMade, store: Games, secret: Secret) -> dict[str, Any]:
    """Make a person's move."""
    saved = seen_game(store, name, made.version)
    seats = saved.seats
    if seats is not None:
        friends.mover(saved.record, seats, secret)
        seats = friends.moved(seats)
    if not turns.is_over(saved.record) and not turns.awaits_person(saved.record):
        raise GameError("it is the computer's turn")
    return _changed(store, saved, turns.move(saved.record, made.move), seats, secret)


@router.post("/games/{name}/take-back")
def take_back(name: str, seen: Seen, store: Games, secret: Secret) -> dict[str, Any]:
    """Take back to the person's last decision; a friend has to agree."""
    saved = seen_game(store, name, seen.version)
    if saved.seats is not None:
        return _offer(store, saved, "take-back", secret)
    return _changed(store, saved, turns.take_back(saved.record))


@router.post("/games/{name}/draw")
def draw(name: str, seen: Seen, store: Games, secret: Secret) -> dict[str, Any]:
    """Offer a friend a draw, or accept one."""
    return _offer(store, seen_game(store, name, seen.version), "draw", secret)


@router.post("/games/{name}/decline")
def decline(name: str, seen: Seen, store: Games, secret: Secret) -> dict[str, Any]:
    """Decline a friend's offer, or withdraw your own."""
    saved = seen_game(store, name, seen.version)
    seats = _seats_of(saved)
    friends.seated(seats, secret)
    return _changed(store, saved, saved.record, friends.declined(seats), secret)


@router.post("/games/{name}/resign")
def resign(name: str, seen: Seen, store: Games, secret: Secret) -> dict[str, Any]:
    """Resign the game."""
    saved = seen_game(store, name, seen.version)
    side = None if saved.seats is None else friends.seated(saved.seats, secret)
    return _changed(store, saved, turns.resign(saved.record, side), saved.seats, secret)


@router.post("/games/{name}/flag")
def flag(name: str, seen: Seen, store: Games, secret: Secret) -> dict[str, Any]:
    """Claim a win on time."""
    saved = seen_game(store, name, seen.version)
    return _changed(store, saved, turns.flag(saved.record), saved.seats, secret)


@router.post("/games/{name}/rematch", status_code=201)
def rematch(name: str, store: Games, secret: Secret) -> dict[str, Any]:
    """Start a rematch with sides swapped; with a friend, once both have asked for it."""
    saved = store.load(name)
    seats = saved.seats
    if seats is None:
        return saved_games.state(store.create(turns.rematch(saved.record)))
    side = friends.seated(seats, secret)
    if not friends.agrees(seats, side, "rematch"):
        return _offer(store, saved, "rematch", secret)
    following = store.create(turns.rematch(saved.record), seats.swapped())
    begun = replace(friends.declined(seats), next=following.id)
    return _changed(store, saved, saved.record, begun, secret)


@router.post("/games/{name}/delete")
def delete(name: str, store: Games) -> dict[str, Any]:
    """Delete a saved game; a game with a friend stays, because it is the friend's too."""
    if store.load(name).seats is None:
        store.delete(name)
    return {}


@router.get(
    "/games/{name}/record",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
def record(
    name: str, store: Games, form: Literal["mossa", "jsonl", "sgf", "psq"] = "mossa"
) -> PlainTextResponse:
    """Return a saved game as a record file."""
    text = notes.WRITERS[form]([timing.stopped(store.load(name).record)])
    headers = {"Content-Disposition": f'attachment; filename="game.{form}"'}
    return PlainTextResponse(text, headers=headers)


def _seats_of(saved: SavedGame) -> Seats:
    if saved.seats is None:
        raise NoSeatError("there is nobody to ask: this is not a game with a friend")
    return saved.seats


def _offer(store: Store, saved: SavedGame, what: str, secret: str) -> dict[str, Any]:
    seats = _seats_of(saved)
    side = friends.seated(seats, secret)
    return _changed(store, saved, *friends.offered(saved.record, seats, side, what), secret)


def _changed(
    store: Store, saved: SavedGame, record: Record, seats: Seats | None = None, secret: str = ""
) -> dict[str, Any]:
    if seats is not None and record != saved.record:
        seats = replace(seats, since=saved.version + 1)
    return saved_games.state(store.change(saved, record, seats), secret)
