"""What a course is: ``course.toml``, read strictly, and the file that a new course begins with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mossa.arena.grade import Suite, read_suite
from mossa.arena.plan import SCORINGS, read_games
from mossa.arena.referee import seated
from mossa.errors import GameError, did_you_mean, shorten
from mossa.files import read_toml
from mossa.games import game as game_named
from mossa.games import named_game
from mossa.players import is_foreign
from mossa.players.clocks import Conditions
from mossa.sandbox import SandboxLimits

ABOUT = "course.toml"
"""The file that says what a course is."""

LANGUAGES = ("python", "java", "c", "c++", "program")
"""What players may be written in; a program is one that is handed in as such."""


class CourseError(GameError):
    """A course that cannot be used, or something that cannot be done in it."""


CourseError.__module__ = "mossa"


@dataclass(frozen=True)
class CoursePlan:
    """What the teacher has decided."""

    title: str
    boards: tuple[str, ...]
    time: float = 1.0
    """Seconds a move."""
    margin: float = 0.5
    """Seconds that a move may be late."""
    start: float = 10.0
    """Seconds to start."""
    memory: int = 512
    """Megabytes for a player."""
    ponder: bool = False
    """Whether players may think in their opponent's time."""
    languages: tuple[str, ...] = LANGUAGES
    suite: Path | None = None
    """The exercises that a player is graded on."""
    needed: float = 0.0
    """The share of their points that lets a player onto the ladder."""
    scoring: str = "chess"
    closes: datetime | None = None
    """When the last player may be handed in."""
    rivals: tuple[str, ...] = ()
    """Players of ours that are on the ladder, too."""
    upload_mb: float = 10.0
    uploads_a_day: int = 50
    """Versions that a student may hand in within 24 hours."""
    pairs: int = 20
    """Pairs of games that two versions play on a board at most."""
    rounds: int = 2
    """Of the final tournament: pairs of games per pairing and board."""
    workers: int | None = None
    """Games at once; None: one per core."""
    address: str = "http://127.0.0.1:8000"
    """Where students find the pages."""
    public: bool = True
    """Whether anybody may see the ladder, with the names of students on it."""

    @property
    def upload_limit(self) -> int:
        """Bytes of a file that is handed in."""
        return int(self.upload_mb * (1 << 20))

    def is_closed(self, now: datetime | None = None) -> bool:
        """Tell whether the closing date has passed."""
        return self.closes is not None and (now or datetime.now(UTC)) >= self.closes

    def conditions(self, *, sandbox: bool = True) -> Conditions:
        """Return what games are played under."""
        limits = SandboxLimits(memory=self.memory, ponder=self.ponder) if sandbox else None
        return Conditions(
            time=self.time,
            margin=self.margin,
            start=self.start,
            memory=self.memory,
            sandbox=limits,
        )

    def read_suite(self) -> Suite | None:
        """Return the exercises; raise InvalidSuiteError if they make no sense."""
        return None if self.suite is None else read_suite(self.suite)


# ---------------------------------------------------------------- reading


def read_plan(folder: Path) -> CoursePlan:
    """Return what ``course.toml`` in a folder says; raise CourseError if that makes no sense."""
    path = folder / ABOUT
    if not path.is_file():
        raise CourseError(
            f"{shorten(str(folder))} is no course: it has no {ABOUT}; mossa course create makes one"
        )
    data = read_toml(path, CourseError)
    for key in data:
        if key not in _READERS:
            hint = did_you_mean(key, _READERS)
            raise CourseError(
                f"{path}: unknown key {shorten(key)}: {hint}there are {', '.join(_READERS)}"
            )
    for key in ("title", "boards"):
        if key not in data:
            raise CourseError(f"{path}: {key} is missing")
    given: dict[str, Any] = {}
    for key, value in data.items():
        try:
            given[_FIELDS.get(key, key)] = _READERS[key](value)
        except _WrongError as wrong:
            raise CourseError(f"{path}: {key} is {_shown(value)}: expected {wrong}") from None
        except GameError as error:
            raise CourseError(f"{path}: {key}: {error}") from None
    if given.get("suite") is not None:
        given["suite"] = folder / given["suite"]
        if not given["suite"].is_file():
            raise CourseError(f"{path}: suite: there is no file {shorten(str(given['suite']))}")
    plan = CoursePlan(**given)
    _check_rivals(path, plan)
    return plan


class _WrongError(Exception):
    """What would have been right."""


def _shown(value: object) -> str:
    return shorten(value if isinstance(value, str) else repr(value))


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 200:
        raise _WrongError("a text of at most 200 characters")
    if not value.isprintable():
        raise _WrongError("a text on one line")
    return value.strip()


def _number(lowest: float, highest: float) -> Callable[[object], float]:
    def read(value: object) -> float:
        good = isinstance(value, int | float) and not isinstance(value, bool)
        if not good or not isfinite(value) or not lowest <= value <= highest:  # type: ignore[arg-type,operator]
            raise _WrongError(f"a number, {lowest:g} to {highest:g}")
        return float(value)  # type: ignore[arg-type]

    return read


def _whole(lowest: int, highest: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if type(value) is not int or not lowest <= value <= highest:
            raise _WrongError(f"a whole number, {lowest} to {highest}")
        return value

    return read


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _WrongError("true or false")
    return value


def _texts(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _WrongError('a list of texts, such as ["connect4"]')
    return value


def _boards(value: object) -> tuple[str, ...]:
    names = _texts(value)
    if not names:
        raise _WrongError('at least one board, such as ["connect4"]')
    return read_games(names, named_game)


def _languages(value: object) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(_texts(value)))
    if not names or not set(names) <= set(LANGUAGES):
        raise _WrongError(f"a list of some of {', '.join(LANGUAGES)}")
    return names


def _scoring(value: object) -> str:
    if value not in SCORINGS:
        raise _WrongError(f"one of {', '.join(SCORINGS)}")
    return str(value)


def _date(value: object) -> datetime:
    example = "a date with a time, such as 2027-01-31T23:59:00+01:00"
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise _WrongError(example) from None
    if not isinstance(value, datetime):
        raise _WrongError(example)
    # Without a zone it is the time of this machine, which is the teacher's.
    return value.astimezone(UTC)


def _file(value: object) -> str | None:
    if value == "":
        return None
    return _text(value)


def _address(value: object) -> str:
    text = _text(value).rstrip("/")
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or parts.query or parts.fragment:
        raise _WrongError("an address, such as https://ladder.example.org")
    return text


def _rivals(value: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.strip() for each in _texts(value)))


_READERS: Mapping[str, Callable[[object], Any]] = {
    "title": _text,
    "address": _address,
    "public": _flag,
    "boards": _boards,
    "time": _number(0.01, 600),
    "margin": _number(0, 60),
    "start": _number(0.1, 600),
    "memory": _whole(64, 1 << 20),
    "ponder": _flag,
    "languages": _languages,
    "suite": _file,
    "pass": _number(0, 1),
    "scoring": _scoring,
    "closes": _date,
    "rivals": _rivals,
    "upload_mb": _number(0.01, 1000),
    "uploads_a_day": _whole(1, 10_000),
    "pairs": _whole(1, 10_000),
    "rounds": _whole(1, 1000),
    "workers": _whole(1, 1024),
}
_FIELDS = {"pass": "needed"}

KEYS = tuple(_READERS)
"""What a ``course.toml`` may say."""


def _check_rivals(path: Path, plan: CoursePlan) -> None:
    """Refuse rivals that are not ours, or cannot play on every board."""
    for spec in plan.rivals:
        try:
            if is_foreign(spec):
                raise CourseError("a rival is a player of mossa's own; see mossa players")
            rival = seated(spec, Conditions())
            for board in plan.boards:
                rival.check_game(game_named(board))
        except GameError as error:
            raise CourseError(f"{path}: rivals: {shorten(spec)}: {error}") from None


# ---------------------------------------------------------------- a new course

TEMPLATE = """\
# What this course is. mossa reads it when `mossa course serve` starts.

title = {title}

# Where students find the pages; their links begin with it.
address = "http://127.0.0.1:8000"

# Whether anybody may see the ladder with its names, or only people with a link.
public = true

# The boards that are played, all of them by everybody: see `mossa games`.
boards = ["connect4"]

# Seconds a move, seconds that a move may be late, seconds to start.
time = 1.0
margin = 0.5
start = 10.0

# Megabytes for a player, and whether it may think in its opponent's time.
memory = 512
ponder = false

# What players may be written in. A program is one that is handed in ready to run.
languages = ["python", "java", "c", "c++", "program"]

# The exercises that every version is graded on ("" for none), and the share of their points
# that it needs to join the ladder (0: everybody who plays by the rules).
suite = "suite.toml"
pass = 0.0

# The last moment to hand in a player, if there is one.
# closes = 2027-01-31T23:59:00+01:00

# Players of ours on the ladder, to measure everybody by: see `mossa players`.
rivals = ["random", "level:1"]

# The largest file that can be handed in, and how many a student may hand in a day.
upload_mb = 10
uploads_a_day = 50

# The ladder rests when all current versions have met so many times on every board. Every time is
# a pair of games from the same opening, the sides swapped.
pairs = 20

# The final tournament: pairs of games for every pairing and board, and points for a game
# (chess, course-mnk, course-connect).
rounds = 2
scoring = "chess"

# Games to play at once; without this line, one per core.
# workers = 4
"""

SUITE = """\
# The exercises: positions to solve and opponents to beat. See `mossa grade --help`.

name = "First exercises"
time = 1.0  # seconds a move

[[positions]]
name = "win at once"
game = "connect4"
moves = "112233"
best = ["4"]

[[positions]]
name = "stop three in a row"
game = "connect4"
moves = "41424"
best = ["4"]

[[opponents]]
player = "random:seed=1"
game = "connect4"
games = 4
score = 0.5
"""


def template(title: str) -> str:
    """Return the text of a new ``course.toml``."""
    quoted = "".join(f"\\{each}" if each in '"\\' else each for each in title)
    return TEMPLATE.replace("{title}", f'"{quoted}"')
