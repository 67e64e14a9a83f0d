"""What people can do in a game: move, take back, resign, claim a win on time, play again."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from mossa._core import Position, Side
from mossa.errors import GameError
from mossa.records import Record
from mossa.records.record import DRAW, FIRST_WINS, OPEN, SECOND_WINS, opening
from mossa.render import drawable
from mossa.session import timing
from mossa.session.wording import HUMAN, THE_OTHER

RESIGNED = f"{THE_OTHER} resigned"


def begin(position: Position, first: str, second: str, *, clock: str = "") -> Record:
    """Return a new game between two player specs that starts at a position."""
    today = date.today().isoformat()
    record = Record.from_position(position, first=first, second=second, date=today)
    return timing.set_clock(record, clock)


def spec_of(record: Record, side: Side) -> str:
    """Return who plays a side."""
    return record.first if side is Side.first else record.second


def is_over(record: Record) -> bool:
    """Tell whether the game has ended: on the board, on time or by resignation."""
    return record.result != OPEN


def awaits_person(record: Record) -> bool:
    """Tell whether the next move is a person's."""
    return not is_over(record) and spec_of(record, record.position.side) == HUMAN


def move(record: Record, text: str, *, thought: float | None = None) -> Record:
    """Return the game with one more move, or as lost if the move came too late.

    ``thought`` is how many seconds the computer took; a person's turn is timed from its beginning.
    """
    if is_over(record):
        raise GameError("the game is over")
    position = drawable(record.position.play(text))
    seconds = timing.taken(record) if thought is None else thought
    if timing.is_late(record, seconds):
        return timing.flagged(record)
    return timing.moved(record, replace(record, moves=tuple(position.history)), seconds)


def flag(record: Record) -> Record:
    """Return the game as lost on time if the person to move has run out of time."""
    if not awaits_person(record) or not timing.is_late(record, timing.taken(record)):
        raise GameError("nobody has run out of time")
    return timing.flagged(record)


def take_back(record: Record, side: Side | None = None) -> Record:
    """Return the game as it was when a person, or the person playing a side, last had to decide.

    A game lost on time stays lost, even if nobody has claimed it yet.
    """
    if timing.is_lost_on_time(record):
        raise GameError("the game was lost on time; its moves cannot be taken back")
    if awaits_person(record) and timing.is_late(record, timing.taken(record)):
        return timing.flagged(record)
    kept = decision_before(record, side)
    if kept is None:
        raise GameError("there is nothing to take back")
    return timing.taken_back(replace(record, moves=record.moves[:kept], result=OPEN))


def resign(record: Record, side: Side | None = None) -> Record:
    """Return the game as resigned by a side: the person to move, or the computer's opponent."""
    if is_over(record):
        raise GameError("the game is over")
    side = record.position.side if side is None else side
    if spec_of(record, side) != HUMAN:
        side = Side.second if side is Side.first else Side.first
    if spec_of(record, side) != HUMAN:
        raise GameError("nobody can resign: the computer plays both sides")
    lost = SECOND_WINS if side is Side.first else FIRST_WINS
    return timing.stopped(replace(record, result=lost), end=RESIGNED)


def agree_to_draw(record: Record) -> Record:
    """Return the game as a draw by agreement."""
    if is_over(record):
        raise GameError("the game is over")
    return timing.stopped(replace(record, result=DRAW), end="agreed")


def rematch(record: Record) -> Record:
    """Return a new game between the same players with sides swapped."""
    start = opening(record.game, record.start)
    return begin(start, record.second, record.first, clock=timing.clock_of(record))


def decision_before(record: Record, side: Side | None = None) -> int | None:
    """Return how many moves had been made when a person last decided, before the last move.

    With a side: when the person of that side did.
    """
    decisions = [
        ply
        for ply, position in enumerate(record.positions())
        if ply < len(record.moves)
        and spec_of(record, position.side) == HUMAN
        and side in (None, position.side)
    ]
    return decisions[-1] if decisions else None


def end_of(record: Record) -> dict[str, str | None] | None:
    """Return who won and why; None while the game goes on."""
    outcome = record.position.outcome
    if outcome is not None:
        return {"winner": outcome.winner and outcome.winner.name, "reason": outcome.reason}
    if not is_over(record):
        return None
    if record.result == DRAW:
        return {"winner": None, "reason": str(record.extra.get("end", "agreed"))}
    winner = Side.first if record.result == FIRST_WINS else Side.second
    return {"winner": winner.name, "reason": str(record.extra.get("end", RESIGNED))}
