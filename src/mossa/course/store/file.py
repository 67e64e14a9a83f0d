"""The file of a course as a database: its layout, its connections, what is noted in it.

Everything that happens is one transaction, so a process may be killed at any moment. Those who
keep their tables in the file derive from `CourseFile`.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import Any, Self

from mossa.arena.store import told
from mossa.course.plan import CourseError
from mossa.errors import shorten

FILE = "course.db"
FORMAT = 1
"""The version of the file's layout; a file of another version is refused."""

_APPLICATION = 0x6D6F6363  # "mocc": what the file says it is, in its header

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


class CourseFile:
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
    def create(cls, path: Path) -> Self:
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
