"""Saved games: starting them, and describing them as plain data for a page."""

from __future__ import annotations

from typing import Any

from mossa._core import Side
from mossa.records import Record
from mossa.records.record import opening
from mossa.session import timing, turns
from mossa.session.wording import HUMAN, game_status, player_names
from mossa.web.friends import Seats
from mossa.web.opponents import check_spec
from mossa.web.states import analysis_query, game_of, position_state
from mossa.web.store import SavedGame


def begin(
    game: str, first: str, second: str, *, moves: str = "", board: str = "", clock: str = ""
) -> Record:
    """Return a new game, optionally with its own board, first moves or clocks."""
    position = opening(game_of(game), board or None).after(moves)
    specs = (check_spec(spec, position.game) for spec in (first, second))
    return turns.begin(position, *specs, clock=clock)


def state(saved: SavedGame, secret: str = "") -> dict[str, Any]:
    """Return a saved game as plain data for the page that holds this secret."""
    record, seats = saved.record, saved.seats
    end = turns.end_of(record)
    you = None if seats is None else seats.side_of(secret)
    person = turns.awaits_person(record)
    side = side_of(saved, secret)
    return {
        "id": saved.id,
        "version": saved.version,
        "players": {"first": record.first, "second": record.second},
        "names": player_names(record, you),
        "status": _status(saved, end, you),
        "result": record.result,
        "end": end,
        "awaits": _awaits(saved, you),
        "can_take_back": _can_take_back(saved, you),
        "clock": timing.clock_state(record, awaits_person=person),
        "query": analysis_query(
            record.game.name,
            " ".join(map(str, record.moves)),
            board=record.start,
            side=side and side.name,
        ),
        "side": side and side.name,
        "seats": seats and _seats_state(seats, you),
        "position": position_state(record.position),
    }


def _awaits(saved: SavedGame, you: Side | None) -> str | None:
    """Return who is to move: the person at the page, a friend elsewhere or the computer."""
    record, seats = saved.record, saved.seats
    if turns.is_over(record):
        return None
    if not turns.awaits_person(record):
        return "computer"
    if seats is None or (seats.free is None and you is record.position.side):
        return "person"
    return "friend"


def _can_take_back(saved: SavedGame, you: Side | None) -> bool:
    """Tell whether there is a decision to go back to; a friend must agree, in time."""
    if timing.is_lost_on_time(saved.record):
        return False
    if saved.seats is not None and (you is None or turns.is_over(saved.record)):
        return False
    return turns.decision_before(saved.record, you) is not None


def _status(saved: SavedGame, end: dict[str, str | None] | None, you: Side | None) -> str:
    if saved.seats is not None and saved.seats.free is not None and end is None:
        return "Waiting for your friend …"
    return game_status(saved.record, end, you)


def _seats_state(seats: Seats, you: Side | None) -> dict[str, Any]:
    """Return who sits where, and any offer with its wording."""
    mine = you is not None and seats.by == you.name
    return {
        "you": you and you.name,
        "free": seats.free and seats.free.name,
        "offer": seats.offer,
        "mine": mine,
        "told": _OFFERS[seats.offer][mine] if you and seats.offer else "",
        "next": seats.next,
    }


_OFFERS = {
    "draw": ("Your friend offers a draw.", "You have offered a draw."),
    "take-back": (
        "Your friend would like to take a move back.",
        "You have asked to take your move back.",
    ),
    "rematch": ("Your friend would like a rematch.", "You have asked for a rematch."),
}
"""The wording of an offer, for its receiver and for its maker."""


def side_of(saved: SavedGame, secret: str = "") -> Side | None:
    """Return the side of the secret's holder, or of the computer's opponent; None: both or none."""
    if saved.seats is not None:
        return saved.seats.side_of(secret)
    people = [side for side in Side if turns.spec_of(saved.record, side) == HUMAN]
    return people[0] if len(people) == 1 else None
