"""The clocks of a game. Whoever keeps the game is the referee: it measures, boards only show.

A record keeps in ``extra`` the clock (``"300+5"``), the time of every move (``times_ms``) and,
while the game goes on, when the turn began (``since``, seconds of the epoch, so the clock runs on
through a restart). The time left follows from these, so taking moves back gives their time back.
The first move of a game is free, and so is the time the computer waits for a board to ask it.
"""

from __future__ import annotations

from dataclasses import replace
from time import time
from typing import Any

from mossa._core import Side
from mossa.players.clocks import Clocks, Conditions, Turn
from mossa.records import Record
from mossa.records.record import FIRST_WINS, OPEN, SECOND_WINS
from mossa.session.wording import THE_OTHER

OUT_OF_TIME = f"{THE_OTHER} ran out of time"


def set_clock(record: Record, clock: str) -> Record:
    """Return the record of a new game with a clock; an empty text means no clock."""
    if not clock:
        return record
    Conditions.of(clock=clock)
    return replace(record, extra={"clock": clock, "times_ms": [0] * len(record.moves)})


def clock_of(record: Record) -> str:
    """Return a game's clock, or an empty text."""
    return str(record.extra.get("clock", ""))


def turn(record: Record) -> Turn | None:
    """Return the time the side to move has left; None without a clock."""
    if not clock_of(record):
        return None
    clocks = Clocks(Conditions.of(clock=clock_of(record)))
    for position, taken in zip(record.positions(), _times(record), strict=False):
        clocks.spend(position.side, taken / 1000)
    return clocks.turn(record.position)


def taken(record: Record) -> float:
    """Return the seconds since the turn began."""
    since = record.extra.get("since")
    return max(0.0, time() - since) if isinstance(since, int | float) else 0.0


def is_late(record: Record, seconds: float) -> bool:
    """Tell whether a move that took this long came after the flag fell."""
    given = turn(record)
    return given is not None and seconds > given.deadline


def is_lost_on_time(record: Record) -> bool:
    """Tell whether a game ended on time."""
    return record.extra.get("end") == OUT_OF_TIME


def flagged(record: Record) -> Record:
    """Return the game as lost on time by the side to move."""
    lost_by_first = record.position.side is Side.first
    return replace(
        stopped(record, end=OUT_OF_TIME), result=SECOND_WINS if lost_by_first else FIRST_WINS
    )


def moved(before: Record, after: Record, seconds: float) -> Record:
    """Return the game after a move that took this long, with the other clock running."""
    if not clock_of(before):
        return after
    times = [*_times(before), round(1000 * seconds)]
    extra = {**before.extra, "times_ms": times, "since": time()}
    made = replace(after, extra=extra)
    return made if made.result == OPEN else stopped(made)


def taken_back(record: Record) -> Record:
    """Return a game without its last moves, and give back the time they took."""
    extra: dict[str, Any] = {}
    if clock_of(record):
        times = _times(record)[: len(record.moves)]
        extra = {"clock": clock_of(record), "times_ms": times}
        if times:
            extra["since"] = time()
    return replace(record, extra=extra)


def resumed(record: Record) -> Record:
    """Return a game from a file, resumed now, with its clocks if it had any."""
    clock, times = clock_of(record), _times(record)
    extra: dict[str, Any] = {}
    if clock and len(times) == len(record.moves) and all(isinstance(t, int) for t in times):
        Conditions.of(clock=clock)
        extra = {"clock": clock, "times_ms": times}
        if times and record.result == OPEN:
            extra["since"] = time()
    if "end" in record.extra:
        extra["end"] = str(record.extra["end"])
    return replace(record, extra=extra)


def stopped(record: Record, **more: str) -> Record:
    """Return a record without what only matters while the game is on."""
    kept = {name: value for name, value in record.extra.items() if name != "since"}
    return replace(record, extra=kept | more)


def clock_state(record: Record, *, awaits_person: bool) -> dict[str, Any] | None:
    """Return the seconds left to both sides and whose clock runs; None without a clock."""
    given = turn(record)
    if given is None:
        return None
    assert given.remaining is not None
    left = dict(zip(("first", "second"), given.remaining, strict=True))
    runs = record.position.side.name if record.result == OPEN and record.moves else None
    if runs and awaits_person:
        left[runs] -= taken(record)
    elif is_lost_on_time(record):
        left[record.position.side.name] = 0
    return {
        "left": {side: round(max(0.0, seconds), 2) for side, seconds in left.items()},
        "runs": runs,
        "clock": clock_of(record),
    }


def _times(record: Record) -> list[int]:
    times = record.extra.get("times_ms", [])
    return list(times) if isinstance(times, list) else []
