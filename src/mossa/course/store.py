"""The file of a course: students, versions, games and ratings, in an SQLite database.

The server and the driver share nothing else. Everything that happens is one transaction, so either
of them may be killed at any moment. A game is a row before it is played; its result is an update
of that row which succeeds once, together with the counts that the ratings are made of.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Any

from mossa.arena.store import Finished, told
from mossa.course.plan import CourseError
from mossa.errors import shorten

FILE = "course.db"
FORMAT = 1
"""The version of the file's layout; a file of another version is refused."""

MOST_REVIEWS = 30
"""Reviews that may be waiting for one student; further wishes are not taken."""

_APPLICATION = 0x6D6F6363  # "mocc": what the file says it is, in its header

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

_LAYOUT = """
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE students (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  contact TEXT NOT NULL,      -- an address or a number of the school
  link TEXT,                  -- the digest of the secret in the student's link
  rival TEXT,                 -- a player of ours: its spec
  disqualified TEXT,          -- why, if so
  added REAL NOT NULL
);
CREATE UNIQUE INDEX student_links ON students (link);
CREATE TABLE versions (
  id INTEGER PRIMARY KEY,
  student INTEGER NOT NULL REFERENCES students,
  number INTEGER NOT NULL,    -- counted for each student
  file TEXT NOT NULL,         -- what the student called it
  folder TEXT NOT NULL,       -- below versions/
  bytes INTEGER NOT NULL,
  uploaded REAL NOT NULL,
  state TEXT NOT NULL,
  changed REAL NOT NULL,      -- when it came into this state
  told TEXT NOT NULL,         -- what became of it, in a sentence
  spec TEXT NOT NULL DEFAULT '',
  log TEXT NOT NULL DEFAULT '',
  checks TEXT NOT NULL DEFAULT '[]',
  grade TEXT NOT NULL DEFAULT 'null',
  judged INTEGER NOT NULL DEFAULT 0,  -- moves in games that an oracle has looked at
  kept INTEGER NOT NULL DEFAULT 0,    -- those that kept the value of the game
  lost REAL NOT NULL DEFAULT 0        -- what the others gave away
);
CREATE UNIQUE INDEX version_numbers ON versions (student, number);
CREATE UNIQUE INDEX current_versions ON versions (student) WHERE state = 'current';
CREATE INDEX untested ON versions (id) WHERE state IN ('waiting', 'testing');
CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  pair INTEGER NOT NULL,      -- both games of a pair have the same opening, the sides swapped
  game TEXT NOT NULL,
  opening TEXT NOT NULL,
  first INTEGER NOT NULL REFERENCES versions,
  second INTEGER NOT NULL REFERENCES versions,
  result TEXT,                -- NULL until it is played
  forfeit TEXT,
  plies INTEGER,
  seconds REAL,
  end TEXT,
  finished REAL,
  record TEXT,
  review TEXT,                -- NULL until somebody has looked at it
  wanted REAL                 -- when a review was asked for
);
CREATE INDEX games_of_first ON games (first, id);
CREATE INDEX games_of_second ON games (second, id);
CREATE INDEX open_games ON games (id) WHERE result IS NULL;
CREATE INDEX wanted_reviews ON games (wanted) WHERE wanted IS NOT NULL AND review IS NULL;
CREATE TABLE duels (          -- finished games, counted by who was first and who second
  first INTEGER NOT NULL,
  second INTEGER NOT NULL,
  game TEXT NOT NULL,
  wins INTEGER NOT NULL DEFAULT 0,     -- of first
  draws INTEGER NOT NULL DEFAULT 0,
  losses INTEGER NOT NULL DEFAULT 0,
  given INTEGER NOT NULL DEFAULT 0,    -- wins of first that second forfeited
  forfeited INTEGER NOT NULL DEFAULT 0, -- losses of first by forfeit
  PRIMARY KEY (first, second, game)
) WITHOUT ROWID;
CREATE INDEX duels_of_second ON duels (second);
CREATE TABLE standings (
  version INTEGER PRIMARY KEY, rank INTEGER NOT NULL, elo REAL NOT NULL, error REAL NOT NULL,
  games INTEGER NOT NULL, wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL,
  forfeits INTEGER NOT NULL, points REAL NOT NULL
);
CREATE TABLE history (
  student INTEGER NOT NULL, at REAL NOT NULL, version INTEGER NOT NULL, games INTEGER NOT NULL,
  elo REAL NOT NULL, error REAL NOT NULL,
  PRIMARY KEY (student, at)
) WITHOUT ROWID;
CREATE TABLE notes (id INTEGER PRIMARY KEY, at REAL NOT NULL, text TEXT NOT NULL);
"""


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


_VERSION = (
    "id, student, number, file, folder, bytes, uploaded, state, changed, told, spec, log, checks, "
    "grade, judged, kept, lost"
)
_BRIEF = _VERSION.replace(" log,", " '',")
_LOSER = (
    "(SELECT student FROM versions WHERE id = CASE {0}.result WHEN '1-0' "
    "THEN {0}.second ELSE {0}.first END)"
)
_HAS_ROOM = (  # a game whose loser does not wait for too many reviews
    f"(SELECT count(*) FROM games AS other WHERE other.wanted IS NOT NULL "
    f"AND other.review IS NULL AND {_LOSER.format('other')} = {_LOSER.format('games')}) "
    f"< {MOST_REVIEWS}"
)
_GAME = (
    "id, pair, game, opening, first, second, result, forfeit, plies, seconds, end, finished, review"
)


def _version(row: Sequence[Any]) -> Version:
    values = [*row]
    values[12:14] = map(json.loads, row[12:14])
    return Version(*values)


def _game(row: Sequence[Any]) -> LadderGame:
    values = [*row]
    values[12] = None if row[12] is None else json.loads(row[12])
    return LadderGame(*values)


class CourseStore:
    """The database, for all threads of a process; each has a connection of its own."""

    def __init__(self, path: Path) -> None:
        """Open a file that `create` has made."""
        if not path.is_file():
            raise CourseError(f"there is no file {shorten(str(path))}: the course was not created")
        self.path = path
        self._local = threading.local()
        self._all: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        with self._told():
            application = self._db.execute("PRAGMA application_id").fetchone()[0]
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if application != _APPLICATION:
            raise CourseError(f"{shorten(str(path))} exists, but is not the file of a course")
        if version != FORMAT:
            raise CourseError(
                f"{shorten(str(path))} is of version {version}; this mossa reads version {FORMAT}"
            )

    @classmethod
    def create(cls, path: Path) -> CourseStore:
        """Make the file of a new course."""
        if path.exists():
            raise CourseError(f"{shorten(str(path))} exists already")
        with told(path, "the file of a course", CourseError):
            connection = sqlite3.connect(path, isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("BEGIN IMMEDIATE")
                for statement in _LAYOUT.split(";\n"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {FORMAT}")
                connection.execute("COMMIT")
            finally:
                connection.close()
        return cls(path)

    def close(self) -> None:
        """Close it, for all threads."""
        with self._lock:
            for each in self._all:
                each.close()
            self._all.clear()
        self._local = threading.local()

    # -------------------------------------------------------------- the connection

    @property
    def _db(self) -> sqlite3.Connection:
        found: sqlite3.Connection | None = getattr(self._local, "db", None)
        if found is None:
            found = self._local.db = self.connect()
            with self._lock:
                self._all.append(found)
        return found

    def connect(self) -> sqlite3.Connection:
        """Return a connection to the database; whoever asks for it closes it."""
        found = sqlite3.connect(
            self.path, isolation_level=None, timeout=30, check_same_thread=False
        )
        # A commit survives the death of this process. Of the last games before a power cut some
        # may have to be played again; what people did is durable (see `_change`).
        found.execute("PRAGMA synchronous = NORMAL")
        found.execute("PRAGMA foreign_keys = ON")
        return found

    def _told(self) -> Any:
        return told(self.path, "the file of a course", CourseError)

    @contextmanager
    def _change(self, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """Make changes, all or none; ``durable`` ones survive a power cut."""
        with self._told():
            db = self._db
            if durable:
                db.execute("PRAGMA synchronous = FULL")
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            finally:
                if durable:
                    db.execute("PRAGMA synchronous = NORMAL")

    def _rows(self, query: str, given: Sequence[Any] = ()) -> list[Any]:
        with self._told():
            return self._db.execute(query, given).fetchall()

    def _one(self, query: str, given: Sequence[Any] = ()) -> Any:
        with self._told():
            return self._db.execute(query, given).fetchone()

    def changed(self) -> str:
        """Return a text that is another one after every change that any process has made."""
        # The driver writes this counter with every commit that can be seen on a page.
        row = self._one("SELECT value FROM settings WHERE key = 'changed'")
        return "0" if row is None else str(row[0])

    @staticmethod
    def _touch(db: sqlite3.Connection) -> None:
        db.execute(
            "INSERT INTO settings VALUES ('changed', '1') "
            "ON CONFLICT DO UPDATE SET value = CAST(value + 1 AS TEXT)"
        )

    # -------------------------------------------------------------- settings

    def setting(self, key: str, default: str = "") -> str:
        """Return what was noted under a name."""
        row = self._one("SELECT value FROM settings WHERE key = ?", [key])
        return default if row is None else str(row[0])

    def set(self, key: str, value: str) -> None:
        """Note something."""
        with self._change(durable=True) as db:
            db.execute(
                "INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = ?",
                [key, value, value],
            )
            self._touch(db)

    def beat(self, text: str, *, last: bool = False) -> None:
        """Note that the driver is alive, and what it does; no page changes by that alone.

        The ``last`` time it says that it is not alive any more.
        """
        with self._change() as db:
            db.executemany(
                "INSERT INTO settings VALUES (?, ?) "
                "ON CONFLICT DO UPDATE SET value = excluded.value",
                [("driver_at", "0" if last else repr(time())), ("driver", text)],
            )

    def note(self, text: str) -> None:
        """Keep a remark for the teacher: something went wrong, or was done."""
        with self._change() as db:
            db.execute("INSERT INTO notes (at, text) VALUES (?, ?)", [time(), text])
            db.execute("DELETE FROM notes WHERE id <= (SELECT max(id) FROM notes) - 500")
            self._touch(db)

    def notes(self, limit: int = 50) -> list[tuple[float, str]]:
        """Return the last remarks, newest first."""
        return self._rows("SELECT at, text FROM notes ORDER BY id DESC LIMIT ?", [limit])

    # -------------------------------------------------------------- students

    def add_students(self, people: Iterable[tuple[str, str, str | None]]) -> list[int]:
        """Add students, all or none: name, contact and the digest of their secret each."""
        with self._change(durable=True) as db:
            added = [
                db.execute(
                    "INSERT INTO students (name, contact, link, added) VALUES (?, ?, ?, ?)",
                    [name, contact, link, time()],
                ).lastrowid
                for name, contact, link in people
            ]
            self._touch(db)
        return [number for number in added if number is not None]

    def set_rivals(self, specs: Iterable[str]) -> None:
        """Have these players of ours on the ladder, and no others."""
        wanted = list(specs)
        with self._change() as db:
            known = dict(
                db.execute("SELECT rival, id FROM students WHERE rival IS NOT NULL").fetchall()
            )
            for spec in wanted:
                if spec not in known:
                    cursor = db.execute(
                        "INSERT INTO students (name, contact, rival, added) VALUES (?, '', ?, ?)",
                        [spec, spec, time()],
                    )
                    known[spec] = cursor.lastrowid
                    db.execute(
                        "INSERT INTO versions (student, number, file, folder, bytes, uploaded, "
                        "state, changed, told, spec) "
                        "VALUES (?, 1, '', '', 0, ?, 'current', ?, ?, ?)",
                        [cursor.lastrowid, time(), time(), STATES[CURRENT], spec],
                    )
            for spec, number in known.items():
                state = CURRENT if spec in wanted else REPLACED
                db.execute(
                    "UPDATE versions SET state = ?, changed = ? WHERE student = ? AND state <> ?",
                    [state, time(), number, state],
                )
            self._touch(db)

    def students(self) -> list[Student]:
        """Return all students, and our players, by name."""
        rows = self._rows(
            "SELECT id, name, contact, rival, disqualified FROM students "
            "ORDER BY rival IS NOT NULL, name COLLATE NOCASE, id"
        )
        return [Student(*row) for row in rows]

    def student(self, number: int) -> Student | None:
        """Return a student; None if there is none of this number."""
        row = self._one(
            "SELECT id, name, contact, rival, disqualified FROM students WHERE id = ?", [number]
        )
        return None if row is None else Student(*row)

    def student_by_link(self, digest: str) -> tuple[Student, str] | None:
        """Return whose secret has this digest, and the digest as it is stored."""
        row = self._one(
            "SELECT id, name, contact, rival, disqualified, link FROM students WHERE link = ?",
            [digest],
        )
        return None if row is None else (Student(*row[:5]), str(row[5]))

    def set_links(self, links: Iterable[tuple[int, str]]) -> None:
        """Give students new secrets, by their digests."""
        with self._change(durable=True) as db:
            db.executemany(
                "UPDATE students SET link = ? WHERE id = ?",
                [(digest, number) for number, digest in links],
            )

    def disqualify(self, number: int, why: str | None) -> None:
        """Take a student off the ladder, or with None let him back; open games are dropped."""
        with self._change(durable=True) as db:
            db.execute("UPDATE students SET disqualified = ? WHERE id = ?", [why, number])
            db.execute(
                "DELETE FROM games WHERE result IS NULL AND (first IN "
                "(SELECT id FROM versions WHERE student = ?) OR second IN "
                "(SELECT id FROM versions WHERE student = ?))",
                [number, number],
            )
            self._touch(db)

    # -------------------------------------------------------------- versions

    def add_version(
        self, student: int, file: str, folder: str, size: int, *, state: str = WAITING
    ) -> Version:
        """Add what a student has handed in; those that wait for their first test no longer do."""
        now = time()
        with self._change(durable=True) as db:
            # One that is tested again was on the ladder, and returns to it if the new one fails.
            db.execute(
                "UPDATE versions SET state = 'skipped', changed = ?, told = ? "
                "WHERE student = ? AND state = 'waiting' AND checks = '[]'",
                [now, f"It {STATES[SKIPPED]}.", student],
            )
            number = db.execute(
                "SELECT coalesce(max(number), 0) + 1 FROM versions WHERE student = ?", [student]
            ).fetchone()[0]
            added = db.execute(
                "INSERT INTO versions "
                "(student, number, file, folder, bytes, uploaded, state, changed, told) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [student, number, file, folder, size, now, state, now, f"It {STATES[state]}."],
            ).lastrowid
            self._touch(db)
        assert added is not None
        found = self.version(added)
        assert found is not None
        return found

    def uploads_since(self, student: int, when: float) -> int:
        """Return how many versions a student has handed in since then."""
        row = self._one(
            "SELECT count(*) FROM versions WHERE student = ? AND uploaded > ?", [student, when]
        )
        return int(row[0])

    def version(self, number: int) -> Version | None:
        """Return a version by its id; None if there is none."""
        row = self._one(f"SELECT {_VERSION} FROM versions WHERE id = ?", [number])
        return None if row is None else _version(row)

    def version_of(self, student: int, number: int) -> Version | None:
        """Return a student's version by the number that the student knows."""
        row = self._one(
            f"SELECT {_VERSION} FROM versions WHERE student = ? AND number = ?", [student, number]
        )
        return None if row is None else _version(row)

    def versions(self, student: int | None = None) -> list[Version]:
        """Return the versions of a student, newest first, or all; without their logs."""
        where = "" if student is None else "WHERE student = ?"
        rows = self._rows(
            f"SELECT {_BRIEF} FROM versions {where} ORDER BY student, number DESC",
            [] if student is None else [student],
        )
        return [_version(row) for row in rows]

    def owners(self) -> dict[int, tuple[int, int]]:
        """Return whose every version is, and its number."""
        return {row[0]: row[1:] for row in self._rows("SELECT id, student, number FROM versions")}

    def current(self) -> list[Version]:
        """Return the versions that play: the current ones of those not disqualified."""
        rows = self._rows(
            f"SELECT {_BRIEF} FROM versions WHERE state = 'current' AND student IN "
            "(SELECT id FROM students WHERE disqualified IS NULL) ORDER BY id"
        )
        return [_version(row) for row in rows]

    def idle_folders(self) -> list[tuple[int, str]]:
        """Return the versions that neither play nor wait to be tested, and their folders."""
        return self._rows(
            "SELECT id, folder FROM versions "
            "WHERE state IN ('failed', 'replaced', 'skipped') AND folder <> ''"
        )

    def untested(self) -> list[Version]:
        """Return the versions that wait to be tested, oldest first."""
        rows = self._rows(f"SELECT {_BRIEF} FROM versions WHERE state = 'waiting' ORDER BY id")
        return [_version(row) for row in rows]

    def count_untested(self) -> int:
        """Return how many versions wait to be tested, or are being tested."""
        return int(
            self._one("SELECT count(*) FROM versions WHERE state IN ('waiting', 'testing')")[0]
        )

    def begin_test(self, version: int) -> bool:
        """Note that a version is being tested; False if it does not wait for that any more."""
        with self._change() as db:
            done = db.execute(
                "UPDATE versions SET state = 'testing', changed = ?, told = ? "
                "WHERE id = ? AND state = 'waiting'",
                [time(), f"It {STATES[TESTING]}.", version],
            )
            self._touch(db)
            return done.rowcount == 1

    def test_again(self, version: int | None = None) -> bool:
        """Have a version tested again; without one, those whose test was cut short.

        False if there was nothing to do: a version that waits or is being tested is left alone.
        """
        where, given = "state = 'testing'", []
        if version is not None:
            where, given = "id = ? AND state NOT IN ('waiting', 'testing')", [version]
        with self._change() as db:
            done = db.execute(
                f"UPDATE versions SET state = 'waiting', changed = ?, told = ? WHERE {where}",
                [time(), f"It {STATES[WAITING]}.", *given],
            )
            self._touch(db)
            return done.rowcount > 0

    def end_test(
        self,
        version: int,
        *,
        passed: bool,
        told: str,
        spec: str,
        log: str,
        checks: list[dict[str, Any]],
        grade: dict[str, Any] | None,
    ) -> bool:
        """Note what came of a test; one that passed replaces the student's current version.

        False if nobody waits for it any more.
        """
        now = time()
        with self._change(durable=True) as db:
            row = db.execute(
                "SELECT student FROM versions WHERE id = ? AND state = 'testing'", [version]
            ).fetchone()
            if row is None:
                return False
            # A newer version that was tested sooner, on another core, stays.
            newer = db.execute(
                "SELECT count(*) FROM versions WHERE student = ? AND state = 'current' AND id > ?",
                [row[0], version],
            ).fetchone()[0]
            state = REPLACED if passed and newer else CURRENT if passed else FAILED
            if state == REPLACED:
                told = "It passed its tests, but a newer version is on the ladder."
            if state == CURRENT:
                db.execute(
                    "UPDATE versions SET state = 'replaced', changed = ?, told = ? "
                    "WHERE student = ? AND state = 'current'",
                    [now, f"It {STATES[REPLACED]}.", row[0]],
                )
                db.execute(
                    "DELETE FROM games WHERE result IS NULL AND (first IN "
                    "(SELECT id FROM versions WHERE student = ? AND state <> 'current') OR second "
                    "IN (SELECT id FROM versions WHERE student = ? AND state <> 'current'))",
                    [row[0], row[0]],
                )
            db.execute(
                "UPDATE versions SET state = ?, changed = ?, told = ?, spec = ?, log = ?, "
                "checks = ?, grade = ? WHERE id = ?",
                [state, now, told, spec, log, json.dumps(checks), json.dumps(grade), version],
            )
            self._touch(db)
        return True

    # -------------------------------------------------------------- games

    def add_pair(self, game: str, opening: str, a: int, b: int) -> list[LadderGame]:
        """Add both games of a pair; none if one of the two plays no more."""
        with self._change() as db:
            playing = db.execute(
                "SELECT count(*) FROM versions WHERE id IN (?, ?) AND state = 'current' AND "
                "student IN (SELECT id FROM students WHERE disqualified IS NULL)",
                [a, b],
            ).fetchone()[0]
            if playing < 2:
                return []
            # Numbers are never given twice, even if the last games were dropped.
            number = db.execute(
                "INSERT INTO settings VALUES ('games', '2') "
                "ON CONFLICT DO UPDATE SET value = CAST(value + 2 AS TEXT) RETURNING value"
            ).fetchone()[0]
            last = int(number)
            found = [
                LadderGame(last - 1, last // 2, game, opening, a, b),
                LadderGame(last, last // 2, game, opening, b, a),
            ]
            db.executemany(
                "INSERT INTO games (id, pair, game, opening, first, second) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                [(g.id, g.pair, g.game, g.opening, g.first, g.second) for g in found],
            )
            return found

    def open_games(self) -> list[LadderGame]:
        """Return the games that are still to be played."""
        rows = self._rows(f"SELECT {_GAME} FROM games WHERE result IS NULL ORDER BY id")
        return [_game(row) for row in rows]

    def drop(self, number: int) -> None:
        """Forget a game that will not be played: one of its players has left."""
        with self._change() as db:
            db.execute("DELETE FROM games WHERE id = ? AND result IS NULL", [number])

    def finish(self, game: Finished) -> bool:
        """Commit a finished game; False if it has been finished before, or is wanted no more."""
        with self._change() as db:
            done = db.execute(
                "UPDATE games SET result = ?, forfeit = ?, plies = ?, seconds = ?, end = ?, "
                "record = ?, finished = ? WHERE id = ? AND result IS NULL "
                "RETURNING first, second, game",
                [
                    game.result,
                    game.forfeit,
                    game.plies,
                    game.seconds,
                    game.end,
                    game.record,
                    time(),
                    game.id,
                ],
            ).fetchone()
            if done is None:
                return False
            if (counts := _counts(game)) is not None:
                db.execute(
                    "INSERT INTO duels VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                    "wins = wins + excluded.wins, draws = draws + excluded.draws, "
                    "losses = losses + excluded.losses, given = given + excluded.given, "
                    "forfeited = forfeited + excluded.forfeited",
                    [*done, *counts],
                )
            db.execute(
                "INSERT INTO settings VALUES ('finished', '1') "
                "ON CONFLICT DO UPDATE SET value = CAST(value + 1 AS TEXT)"
            )
            self._touch(db)
            return True

    def game(self, number: int) -> LadderGame | None:
        """Return a game; None if there is none of this number."""
        row = self._one(f"SELECT {_GAME} FROM games WHERE id = ?", [number])
        return None if row is None else _game(row)

    def record(self, number: int) -> str | None:
        """Return a finished game as a line of JSON."""
        row = self._one("SELECT record FROM games WHERE id = ?", [number])
        return None if row is None or row[0] is None else str(row[0])

    def games_of(
        self, versions: Sequence[int], *, limit: int = 50, before: int | None = None
    ) -> list[tuple[LadderGame, str]]:
        """Return the last finished games of some versions with their records, newest first.

        ``before`` is the number of a game: only older ones.
        """
        found: dict[int, tuple[LadderGame, str]] = {}
        for column in ("first", "second"):
            for version in versions:  # by the index, however many games there are
                rows = self._rows(
                    f"SELECT {_GAME}, record FROM games WHERE {column} = ? AND id < ? "
                    "AND result IS NOT NULL ORDER BY id DESC LIMIT ?",
                    [version, (1 << 62) if before is None else before, limit],
                )
                found |= {row[0]: (_game(row[:-1]), str(row[-1])) for row in rows}
        return [found[number] for number in sorted(found, reverse=True)[:limit]]

    def count_finished(self) -> int:
        """Return how many games were finished."""
        return int(self.setting("finished", "0"))

    def duels(self, versions: Iterable[int] | None = None) -> list[Duel]:
        """Return the results of all couples, or of some versions against all."""
        if versions is None:
            return [Duel(*row) for row in self._rows("SELECT * FROM duels")]
        found: set[Duel] = set()
        for version in versions:
            for column in ("first", "second"):
                rows = self._rows(f"SELECT * FROM duels WHERE {column} = ?", [version])
                found |= {Duel(*row) for row in rows}
        return sorted(found, key=lambda duel: (duel.first, duel.second, duel.game))

    # -------------------------------------------------------------- reviews

    def want_reviews(self, games: Sequence[int]) -> None:
        """Ask for reviews of games that somebody lost, as long as not too many wait for him.

        Nothing is written if all were asked for already, or none is taken.
        """
        marks = ", ".join("?" * len(games))
        new = self._rows(
            f"SELECT id FROM games WHERE id IN ({marks}) AND wanted IS NULL AND review IS NULL "
            f"AND record IS NOT NULL AND {_HAS_ROOM}",
            games,
        )
        if not new:
            return
        now = time()
        with self._change() as db:
            db.executemany(
                f"UPDATE games SET wanted = ? WHERE id = ? AND wanted IS NULL AND {_HAS_ROOM}",
                [(now, number) for (number,) in new],
            )

    def wanted_reviews(self, limit: int) -> list[tuple[int, str]]:
        """Return the games that somebody wants a review of, longest waiting first."""
        return self._rows(
            "SELECT id, record FROM games WHERE wanted IS NOT NULL AND review IS NULL "
            "AND record IS NOT NULL ORDER BY wanted LIMIT ?",
            [limit],
        )

    def set_review(self, number: int, review: dict[str, Any]) -> None:
        """Keep the review of a game, and count its moves for both versions; once."""
        with self._change() as db:
            row = db.execute(
                "UPDATE games SET review = ? WHERE id = ? AND review IS NULL "
                "RETURNING first, second",
                [json.dumps(review), number],
            ).fetchone()
            if row is None:
                return
            for version, side in zip(row, ("first", "second"), strict=True):
                about = review.get(side) or {}
                db.execute(
                    "UPDATE versions SET judged = judged + ?, kept = kept + ?, lost = lost + ? "
                    "WHERE id = ?",
                    [about.get("judged", 0), about.get("kept", 0), about.get("lost", 0.0), version],
                )
            self._touch(db)

    # -------------------------------------------------------------- ratings

    def set_standings(
        self, rows: Iterable[Standing], points: Iterable[tuple[int, RatingPoint]]
    ) -> None:
        """Write the ladder anew, and what is new in the history of students."""
        with self._change() as db:
            db.execute("DELETE FROM standings")
            db.executemany(
                "INSERT INTO standings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [tuple(vars(row).values()) for row in rows],
            )
            db.executemany(
                "INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?, ?)",
                [(who, p.at, p.version, p.games, p.elo, p.error) for who, p in points],
            )
            self._touch(db)

    def standings(self) -> list[Standing]:
        """Return the ladder, best first."""
        return [Standing(*row) for row in self._rows("SELECT * FROM standings ORDER BY rank")]

    def history(self, student: int) -> list[RatingPoint]:
        """Return what a student's rating was, oldest first."""
        rows = self._rows(
            "SELECT at, version, games, elo, error FROM history WHERE student = ? ORDER BY at",
            [student],
        )
        return [RatingPoint(*row) for row in rows]

    def last_ratings(self) -> dict[int, float]:
        """Return when every student's rating was last written down."""
        return dict(self._rows("SELECT student, max(at) FROM history GROUP BY student"))

    def histories(self) -> dict[int, list[RatingPoint]]:
        """Return the same for all students."""
        found: dict[int, list[RatingPoint]] = {}
        rows = self._rows(
            "SELECT student, at, version, games, elo, error FROM history ORDER BY student, at"
        )
        for row in rows:
            found.setdefault(row[0], []).append(RatingPoint(*row[1:]))
        return found


def _counts(game: Finished) -> tuple[int, int, int, int, int] | None:
    """Return what a game adds to a duel: wins, draws, losses, given, forfeited; None: nothing."""
    if game.result not in ("1-0", "1/2", "0-1"):
        return None
    won, lost = game.result == "1-0", game.result == "0-1"
    by_forfeit = game.forfeit is not None
    return won, game.result == "1/2", lost, won and by_forfeit, lost and by_forfeit
