"""Saved games: how they begin, and as plain data for a page."""

from __future__ import annotations

from typing import Any

from mossa._core import Side
from mossa.records import Record
from mossa.records.record import opening
from mossa.session import timing, turns
from mossa.session.wording import HUMAN, game_status, player_names
from mossa.web.opponents import check_spec
from mossa.web.states import analysis_query, game_of, position_state
from mossa.web.store import SavedGame


def begin(
    game: str, first: str, second: str, *, moves: str = "", board: str = "", clock: str = ""
) -> Record:
    """Return a new game, perhaps from a board of its own, with its first moves made, or clocks."""
    position = opening(game_of(game), board or None).after(moves)
    specs = (check_spec(spec, position.game) for spec in (first, second))
    return turns.begin(position, *specs, clock=clock)


def state(saved: SavedGame) -> dict[str, Any]:
    """Return a saved game as plain data for a page."""
    record = saved.record
    end = turns.end_of(record)
    person = turns.awaits_person(record)
    return {
        "id": saved.id,
        "version": saved.version,
        "players": {"first": record.first, "second": record.second},
        "names": player_names(record),
        "status": game_status(record, end),
        "result": record.result,
        "end": end,
        "awaits": None
        if turns.is_over(record)
        else "person"
        if turns.awaits_person(record)
        else "computer",
        "can_take_back": not timing.is_lost_on_time(record)
        and turns.decision_before(record) is not None,
        "clock": timing.clock_state(record, awaits_person=person),
        "query": analysis_query(
            record.game.name,
            " ".join(map(str, record.moves)),
            board=record.start,
            side=_only_person(record),
        ),
        "position": position_state(record.position),
    }


def _only_person(record: Record) -> str | None:
    """Return the side of the person who plays the computer; None unless there is one."""
    people = [side.name for side in Side if turns.spec_of(record, side) == HUMAN]
    return people[0] if len(people) == 1 else None
