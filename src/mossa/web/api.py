"""Requests over HTTP: the catalogue, positions, saved games."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, Response

from mossa._core import InvalidPositionError, Position
from mossa.errors import GameError
from mossa.games import KINDS, PRESETS
from mossa.players.levels import ABILITIES
from mossa.records import Record
from mossa.records.record import opening
from mossa.session import timing, turns
from mossa.web import notes, saved_games
from mossa.web.messages import Arranged, Copied, MoveMade, Name, NewGame, Pasted, Seen, Wanted
from mossa.web.opponents import served_kinds
from mossa.web.setup_form import chosen_game
from mossa.web.states import game_of, position_state
from mossa.web.store import SavedGame, Store, outdated

router = APIRouter(prefix="/api")


def _store(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


Games = Annotated[Store, Depends(_store)]


def wanted_position(wanted: Wanted) -> Position:
    """Return the position that a page asks for."""
    return opening(game_of(wanted.game), wanted.board or None).after(wanted.moves)


def seen_game(store: Store, name: str, version: int) -> SavedGame:
    """Return a saved game, if it is still as the page shows it."""
    saved = store.load(name)
    if saved.version != version:
        raise outdated(version)
    return saved


@router.get("/catalogue")
def catalogue() -> dict[str, Any]:
    """List the games, their sizes and options, and the players."""
    return {
        "presets": PRESETS,
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
    """Check an arranged board: return its position, or why there can be no such board."""
    game = game_of(board.game)
    try:
        return {"position": position_state(notes.arranged(game, board.cells, board.side))}
    except InvalidPositionError as error:
        # Without the board text, which whoever arranges the board has never seen.
        return {"position": None, "problem": str(error).rpartition("': ")[2]}


@router.post("/read")
def read(pasted: Pasted) -> dict[str, Any]:
    """Read moves with branches, or a record in any format."""
    return notes.read(game_of(pasted.game), pasted.board, pasted.text)


@router.post("/write")
def write(copied: Copied) -> dict[str, Any]:
    """Write moves with branches as a record file; a note says what it has no room for."""
    return notes.written(game_of(copied.game), copied.board, copied.moves, copied.form)


@router.post("/games", status_code=201)
def begin(new: NewGame, store: Games) -> dict[str, Any]:
    """Start a game."""
    record = saved_games.begin(
        new.game, new.first, new.second, moves=new.moves, board=new.board, clock=new.clock
    )
    return saved_games.state(store.create(record))


@router.post("/setup", status_code=201)
def set_up(fields: dict[str, Name], store: Games) -> dict[str, Any]:
    """Start the game that the fields of the form on the first page describe."""
    return saved_games.state(store.create(saved_games.begin(**chosen_game(fields))))


@router.get("/games/{name}")
def load(name: str, store: Games) -> dict[str, Any]:
    """Return a saved game."""
    return saved_games.state(store.load(name))


@router.post("/games/{name}/moves")
def move(name: str, made: MoveMade, store: Games) -> dict[str, Any]:
    """Make a person's move."""
    saved = seen_game(store, name, made.version)
    if not turns.is_over(saved.record) and not turns.awaits_person(saved.record):
        raise GameError("it is the computer's turn")
    return _changed(store, saved, turns.move(saved.record, made.move))


@router.post("/games/{name}/take-back")
def take_back(name: str, seen: Seen, store: Games) -> dict[str, Any]:
    """Take moves back to the last decision of a person."""
    saved = seen_game(store, name, seen.version)
    return _changed(store, saved, turns.take_back(saved.record))


@router.post("/games/{name}/resign")
def resign(name: str, seen: Seen, store: Games) -> dict[str, Any]:
    """Resign the game."""
    saved = seen_game(store, name, seen.version)
    return _changed(store, saved, turns.resign(saved.record))


@router.post("/games/{name}/flag")
def flag(name: str, seen: Seen, store: Games) -> dict[str, Any]:
    """Claim a win on time."""
    saved = seen_game(store, name, seen.version)
    return _changed(store, saved, turns.flag(saved.record))


@router.post("/games/{name}/rematch", status_code=201)
def rematch(name: str, store: Games) -> dict[str, Any]:
    """Start a rematch, with sides swapped."""
    return saved_games.state(store.create(turns.rematch(store.load(name).record)))


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


def _changed(store: Store, saved: SavedGame, record: Record) -> dict[str, Any]:
    return saved_games.state(store.change(saved, record))
