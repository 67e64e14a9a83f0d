"""Games between two people on two devices: who sits where, and what one asks of the other.

There are no accounts. Whoever starts a game takes a seat, whoever opens its link first takes the
other, and everyone else watches. A browser shows a secret of its own making; the server keeps only
its digest. So a browser that gets no answer can ask again, and finds itself in its seat.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, replace
from hashlib import sha256

from mossa._core import Side
from mossa.errors import GameError
from mossa.records import Record
from mossa.session import turns

_LENGTHS = range(16, 101)


class NoSeatError(GameError):
    """The caller has no seat at this game, or not the right one."""


@dataclass(frozen=True)
class Seats:
    """The two seats of a game, and any offer across the board."""

    first: str = ""
    """The digest of the sitter's secret; empty: the seat is free."""
    second: str = ""
    offer: str = ""
    """``draw``, ``take-back`` or ``rematch``; empty: nothing."""
    by: str = ""
    """The side that offers it."""
    next: str = ""
    """The rematch, once both want one."""
    since: int = 1
    """The version in which the game itself last changed. What is offered meanwhile, or that
    somebody sits down, makes no move outdated."""

    @classmethod
    def parse(cls, text: str) -> Seats | None:
        """Return the seats from the store's text; None: a game without any."""
        return cls(**json.loads(text)) if text else None

    def text(self) -> str:
        """Return the seats as the store keeps them."""
        return json.dumps(asdict(self))

    @property
    def free(self) -> Side | None:
        """The seat nobody has taken."""
        return next((side for side in Side if not getattr(self, side.name)), None)

    def side_of(self, secret: str) -> Side | None:
        """Return where somebody sits; None: they only watch."""
        digest = _digest(secret)
        return next(
            (side for side in Side if secrets.compare_digest(getattr(self, side.name), digest)),
            None,
        )

    def taken(self, side: Side, secret: str) -> Seats:
        """Return the seats with one taken."""
        if len(secret) not in _LENGTHS:
            least, most = _LENGTHS[0], _LENGTHS[-1]
            raise NoSeatError(f"the secret of a seat has {least} to {most} characters")
        digest = _digest(secret)
        return replace(self, first=digest) if side is Side.first else replace(self, second=digest)

    def swapped(self) -> Seats:
        """Return the seats of the same people with sides swapped."""
        return Seats(self.second, self.first)


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def mover(record: Record, seats: Seats, secret: str) -> Side:
    """Return the side of somebody who wants to move, if it is their turn."""
    side = seated(seats, secret)
    if seats.free is not None:
        raise NoSeatError("your friend is not here yet: send the link")
    if not turns.is_over(record) and side is not record.position.side:
        raise NoSeatError("it is your friend's turn")
    return side


def seated(seats: Seats, secret: str) -> Side:
    """Return the side of somebody who wants to do something in a game."""
    side = seats.side_of(secret)
    if side is None:
        raise NoSeatError("you are watching this game: both seats are taken")
    return side


def moved(seats: Seats) -> Seats:
    """Return the seats after a move, which declines any offer."""
    return replace(seats, offer="", by="")


def offered(record: Record, seats: Seats, side: Side, what: str) -> tuple[Record, Seats]:
    """Return the game and seats after a side makes an offer or accepts the other's.

    The keeper of the games starts a rematch both want; here it just stays on offer.
    """
    _check_offer(record, seats, side, what)
    if not agrees(seats, side, what):
        return record, replace(seats, offer=what, by=side.name)
    if what == "draw":
        record = turns.agree_to_draw(record)
    elif what == "take-back":
        record = turns.take_back(record, Side[seats.by])
    return record, replace(seats, offer="", by="")


def agrees(seats: Seats, side: Side, what: str) -> bool:
    """Tell whether the other side has offered exactly that."""
    return seats.offer == what and seats.by != side.name


def declined(seats: Seats) -> Seats:
    """Return the seats without the offer: the receiver declines it, or its maker withdraws it."""
    if not seats.offer:
        raise GameError("there is no offer to answer")
    return replace(seats, offer="", by="")


def _check_offer(record: Record, seats: Seats, side: Side, what: str) -> None:
    if seats.free is not None:
        raise NoSeatError("your friend is not here yet: send the link")
    if what == "rematch":
        if not turns.is_over(record):
            raise GameError("you can offer a rematch once the game is over")
        if seats.next:
            raise GameError("the rematch has begun")
        return
    if turns.is_over(record):
        raise GameError("the game is over")
    asks = Side[seats.by] if agrees(seats, side, what) else side
    if what == "take-back" and turns.decision_before(record, asks) is None:
        raise GameError("you have not moved yet")
