"""Clocks: how much time a player has for a move and for a game, and who keeps count.

Three kinds of time control combine: seconds per move, seconds per game, and an increment added
after every move. A player is told its limits and, if it can use them, the clocks; the referee
measures the time it really takes.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields, replace
from math import inf
from typing import Any

from mossa._core import Limits, Position, Side
from mossa.errors import GameError, described, shorten
from mossa.quantities import counted
from mossa.sandbox import SandboxLimits

PATIENCE = 60.0
"""Seconds per move after which a player is too late if there is no clock."""

MARGIN = 0.1
"""Seconds a player may be late: what pipes and a busy machine cost."""

START = 10.0
"""Seconds a player has to start and get ready for a game."""

MEMORY = 4096
"""Megabytes an external program may use."""

# A side is expected to make about so many moves in a game, and at any time at least so many more.
_MOVES, _FEWEST_MOVES = 30, 10
_OF_INCREMENT = 0.8  # is used at once
_STRETCH = 3  # times its share a move may take that is hard to find


class InvalidClockError(GameError):
    """A time control that makes no sense."""


InvalidClockError.__module__ = "mossa"


@dataclass(frozen=True)
class Conditions:
    """The limits for both players of a match. None means no limit."""

    time: float | None = None
    """Seconds a move."""
    clock: float | None = None
    """Seconds per game for each player."""
    increment: float = 0.0
    """Seconds added to the clock after every move."""
    nodes: int | None = None
    depth: int | None = None
    margin: float = MARGIN
    start: float = START
    memory: int = MEMORY
    sandbox: SandboxLimits | None = None
    """What other people's code may use in a sandbox; None: it runs without one."""

    def __post_init__(self) -> None:
        """Refuse conditions that nobody could play under."""
        for name, lowest in (("time", 0.001), ("clock", 0.001), ("start", 0.01), ("margin", 0)):
            value = getattr(self, name)
            if value is None:
                continue
            if not isinstance(value, int | float):
                raise InvalidClockError(f"invalid {name} {described(value)}: a number of seconds")
            if not lowest <= float(value) <= 1e9:
                raise InvalidClockError(f"invalid {name} '{value}': {lowest:g} to 1e9 seconds")
        if not 0 <= self.increment <= 1e9:
            raise InvalidClockError(f"invalid increment '{self.increment}': 0 to 1e9 seconds")
        if self.increment and self.clock is None:
            raise InvalidClockError("an increment needs a clock: 60+0.5 is 60 s and 0.5 s a move")
        if not 16 <= self.memory <= 1 << 24:
            raise InvalidClockError(f"invalid memory '{self.memory}': 16 to 16777216 MB")

    @classmethod
    def of(cls, *, clock: str | float | None = None, **others: Any) -> Conditions:
        """Return conditions with a clock: seconds per game, or a text such as ``60+0.5``."""
        seconds, increment = (None, 0.0) if clock is None else read_clock(str(clock))
        return cls(clock=seconds, increment=increment, **others)

    @property
    def usual_time(self) -> float | None:
        """Roughly how many seconds a move may take; None with neither limit nor clock."""
        if self.clock is None:
            return self.time
        share = self.clock / _MOVES + self.increment * _OF_INCREMENT
        return share if self.time is None else min(share, self.time)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Conditions:
        """Return the conditions that to_dict described."""
        known = {field.name for field in fields(cls)}
        given = {name: value for name, value in data.items() if name in known}
        if given.get("sandbox") is not None:
            given["sandbox"] = SandboxLimits.from_dict(given["sandbox"])
        return cls(**given)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)

    def __str__(self) -> str:
        """Return ``60 s a game + 0.5 s a move, 1,000 nodes``."""
        parts = []
        if self.clock is not None:
            more = f" + {self.increment:g} s a move" if self.increment else ""
            parts.append(f"{self.clock:g} s a game{more}")
        if self.time is not None:
            parts.append(f"{self.time:g} s a move")
        if self.nodes is not None:
            parts.append(counted(self.nodes, "node"))
        if self.depth is not None:
            parts.append(f"depth {self.depth}")
        text = ", ".join(parts) or "the players' own limits"
        return text if self.sandbox is None else f"{text}, in a sandbox"


_CLOCK = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(?:\+(\d+(?:\.\d*)?|\.\d+))?")


def read_clock(text: str) -> tuple[float, float]:
    """Return the seconds and the increment of ``60`` or ``60+0.5``."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        raise InvalidClockError(
            f"invalid clock {shorten(text)}: seconds a game, or with an increment, as 60+0.5"
        )
    return float(found[1]), float(found[2] or 0)


@dataclass(frozen=True)
class Turn:
    """What a player has for one move."""

    limits: Limits
    """For players that know limits but no clocks; the time is a fair share of the clock."""
    deadline: float
    """Seconds after which the move is too late."""
    time: float | None = None
    """Seconds for this move, if the time control limits every move."""
    remaining: tuple[float, float] | None = None
    """The time left on the clocks of first and second, if there are clocks."""
    increment: float = 0.0
    allowed: float | None = None
    """Seconds after which the move is late, though the margin may still forgive it."""

    @property
    def limit(self) -> str:
        """The deadline in words, for a player that has missed it."""
        if self.allowed is None or self.allowed == self.deadline:
            return f"the limit is {self.deadline:.3g} s"
        grace = self.deadline - self.allowed
        return f"the limit is {max(self.allowed, 0):.3g} s, plus {grace:.3g} s of grace"

    @property
    def unhurried(self) -> Turn:
        """The same for a person, who has no deadline unless somebody asked for one."""
        asked = self.time is not None or self.remaining is not None
        return self if asked else replace(self, deadline=inf)


def share(
    position: Position, remaining: float, increment: float = 0.0, most: float | None = None
) -> Limits:
    """Return the time to spend on a move out of what is left, at most ``most`` seconds.

    The clock is shared out among the expected moves.
    """
    moves = max(_MOVES - position.ply / 2, _FEWEST_MOVES)
    if position.left_to_play:
        moves = max(min(moves, position.left_to_play / 2), 1)
    time = max(min(remaining / moves + increment * _OF_INCREMENT, remaining / 2), 0.001)
    longest = max(min(_STRETCH * time, remaining / 2), time)
    if most is not None:
        time, longest = min(time, most), min(longest, most)
    return Limits(time=time, longest=longest)


class Clocks:
    """The clocks of both sides during one game."""

    def __init__(self, conditions: Conditions) -> None:
        """Set the clocks."""
        self._conditions = conditions
        start = conditions.clock
        self._left: list[float] | None = None if start is None else [start, start]
        # Without clocks every turn is the same one.
        self._always: Turn | None = None
        if self._left is None:
            self._always = self._turn(Limits(time=conditions.time), None)

    def turn(self, position: Position) -> Turn:
        """Return what the side to move has for its move."""
        if self._always is not None:
            return self._always
        assert self._left is not None
        # Below zero is time that the margin has lent: it is lent once, not for every move.
        left = self._left[position.side.value]
        given = self._conditions
        return self._turn(share(position, left, given.increment, given.time), left)

    def _turn(self, time: Limits, left: float | None) -> Turn:
        given = self._conditions
        allowed = min((limit for limit in (given.time, left) if limit is not None), default=None)
        return Turn(
            Limits(time=time.time, longest=time.longest, nodes=given.nodes, depth=given.depth),
            (PATIENCE if allowed is None else allowed) + given.margin,
            given.time,
            None if self._left is None else (self._left[0], self._left[1]),
            given.increment,
            allowed,
        )

    def spend(self, side: Side, seconds: float) -> None:
        """Take the time of a move off the clock."""
        if self._left is not None:
            self._left[side.value] += self._conditions.increment - seconds
