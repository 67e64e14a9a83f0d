"""What the file of a course holds, as plain data: people, versions, games, ratings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

WAITING, TESTING, CURRENT, FAILED = "waiting", "testing", "current", "failed"
REPLACED, SKIPPED = "replaced", "skipped"
STATES = {
    WAITING: "waits to be tested",
    TESTING: "is being tested",
    CURRENT: "is on the ladder",
    FAILED: "was not accepted",
    REPLACED: "was replaced by a newer version",
    SKIPPED: "was not tested: a newer version came first",
}
"""The states of a version, in words."""


@dataclass(frozen=True)
class Student:
    """A student, or one of our own players on the ladder."""

    id: int
    name: str
    contact: str
    rival: str | None
    """The spec of a player of ours; None: a student."""
    disqualified: str | None
    """Why, if so."""


@dataclass(frozen=True)
class Version:
    """What a student has handed in, and what became of it."""

    id: int
    student: int
    number: int
    """Counted for each student, from 1."""
    file: str
    folder: str
    bytes: int
    uploaded: float
    """Seconds since 1970, like all times here."""
    state: str
    """One of STATES."""
    changed: float
    """When it came into this state."""
    told: str
    """What became of it, in a sentence."""
    spec: str
    log: str
    """What the compiler said."""
    checks: list[dict[str, Any]]
    """``name``, ``passed``, ``detail``, ``required``."""
    grade: dict[str, Any] | None
    """As `mossa.arena.grade.to_data` makes it: points, possible, exercises; None: no suite."""
    judged: int
    """Moves in games that an oracle has looked at."""
    kept: int
    """Those that kept the value of the game."""
    lost: float
    """What the others gave away."""


@dataclass(frozen=True)
class LadderGame:
    """A game of the ladder."""

    id: int
    pair: int
    game: str
    opening: str
    first: int
    """A version, like the next one."""
    second: int
    result: str | None = None
    """As in records; None until it is played; ``*`` if it could not be."""
    forfeit: str | None = None
    plies: int | None = None
    seconds: float | None = None
    end: str | None = None
    finished: float | None = None
    review: dict[str, Any] | None = None
    """What `mossa.course.reviews.looked_at` found; None until then."""


@dataclass(frozen=True)
class Duel:
    """The finished games of two versions on a board, by who was first."""

    first: int
    second: int
    game: str
    wins: int
    """Of first."""
    draws: int
    losses: int
    given: int
    """Wins that second forfeited."""
    forfeited: int
    """Losses by forfeit."""

    @property
    def games(self) -> int:
        """How many there are."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Standing:
    """A row of the ladder, as the driver wrote it."""

    version: int
    rank: int
    elo: float
    error: float
    """Half the width of the error bar, at 95%."""
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    points: float


@dataclass(frozen=True)
class RatingPoint:
    """What a student's rating was."""

    at: float
    version: int
    games: int
    elo: float
    error: float
