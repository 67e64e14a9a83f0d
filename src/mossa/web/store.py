"""Saved games: an SQLite file with one row per game.

A row has a version that grows with every change. A change names the version it was based on; a
message that comes twice, or too late, changes nothing.

If a game cannot be kept because the disk is full or the file is damaged or gone, that is an error:
nothing is promised that is not in the file.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mossa.errors import GameError, InvalidGameError, shorten
from mossa.files import data_folder
from mossa.records import InvalidRecordError, Record, parse_records, to_jsonl
from mossa.web.friends import Seats
from mossa.web.limits import GAMES

_LAYOUT = """
CREATE TABLE IF NOT EXISTS games (
  id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  record TEXT NOT NULL,     -- the game as a line of JSON
  touched INTEGER NOT NULL,  -- grows with every change of any game
  seats TEXT NOT NULL DEFAULT ''  -- of two people on two devices, as JSON
);
CREATE INDEX IF NOT EXISTS by_age ON games (touched);
"""
_COLUMNS = ["id", "version", "record", "touched", "seats"]
_UPGRADE = "ALTER TABLE games ADD COLUMN seats TEXT NOT NULL DEFAULT ''"
_REASONS = {
    "full": "the disk is full",
    "I/O": "the disk is full or fails",
    "malformed": "the file is damaged",
    "not a database": "it is not a database",
    "unable to open": "the file cannot be opened",
    "readonly": "the file cannot be written",
    "locked": "another program is using the file",
}
_NEXT = "(SELECT coalesce(max(touched), 0) + 1 FROM games)"


class UnknownGameError(GameError):
    """There is no saved game with this name."""


class StorageError(GameError):
    """Saved data cannot be written or read."""


class OutdatedError(GameError):
    """The game has changed since the client last saw it."""


@dataclass(frozen=True)
class SavedGame:
    """A game as it stands in the store."""

    id: str
    version: int
    record: Record
    seats: Seats | None = None
    """The seats of two people on two devices; None if anybody with the game may move."""


def default_path() -> Path:
    """Return where games are kept: in the system's folder for user data."""
    return data_folder() / "games.sqlite"


class Store:
    """The open file; its methods may be called from any thread."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it."""
        self.path = path
        self.changed: Callable[[str], None] = lambda name: None
        """Called with the name of a changed game, in the thread that changed it."""
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            reason = "it is a folder" if path.is_dir() else _reason(error)
            raise _unusable(path, reason) from None
        try:
            self._check_owner()
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(_LAYOUT)
            self._file = self._file_now()
        except sqlite3.Error as error:
            self._connection.close()
            raise _unusable(path, _reason(error)) from None
        except GameError:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def create(self, record: Record, seats: Seats | None = None) -> SavedGame:
        """Save a new game under a name nobody can guess."""
        saved = SavedGame(secrets.token_urlsafe(9), 1, record, seats)
        with self._writing() as connection:
            connection.execute(
                f"INSERT INTO games VALUES (?, 1, ?, {_NEXT}, ?)",
                (saved.id, to_jsonl([record]), _text(seats)),
            )
            connection.execute(
                "DELETE FROM games WHERE id IN "
                "(SELECT id FROM games ORDER BY touched DESC LIMIT -1 OFFSET ?)",
                (GAMES,),
            )
        return saved

    def load(self, name: str) -> SavedGame:
        """Return a saved game."""
        with self._using() as connection:
            row = connection.execute(
                "SELECT version, record, seats FROM games WHERE id = ?", (name,)
            ).fetchone()
        if row is None:
            raise UnknownGameError(f"no saved game {shorten(name)}")
        try:
            (record,) = parse_records(str(row[1]), "jsonl")
            return SavedGame(name, int(row[0]), record, Seats.parse(row[2]))
        except InvalidRecordError as error:
            if not isinstance(error.__cause__, InvalidGameError):
                raise StorageError(f"saved game {shorten(name)} is damaged") from None
            raise StorageError(f"saved game {shorten(name)}: {error.__cause__}") from None
        except (GameError, ValueError, TypeError):
            raise StorageError(f"saved game {shorten(name)} is damaged") from None

    def change(self, seen: SavedGame, record: Record, seats: Seats | None = None) -> SavedGame:
        """Replace a game with its new state, unless somebody else changed it meanwhile."""
        with self._writing() as connection:
            done = connection.execute(
                f"UPDATE games SET version = version + 1, record = ?, touched = {_NEXT}, seats = ? "
                "WHERE id = ? AND version = ?",
                (to_jsonl([record]), _text(seats), seen.id, seen.version),
            )
        if not done.rowcount:
            raise outdated(seen.version)
        self.changed(seen.id)
        return SavedGame(seen.id, seen.version + 1, record, seats)

    def delete(self, name: str) -> None:
        """Delete a game; if it is already gone, that is fine."""
        with self._writing() as connection:
            connection.execute("DELETE FROM games WHERE id = ?", (name,))

    def _check_owner(self) -> None:
        """Refuse a database that is not ours, before changing anything in it."""
        tables = self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = {name for (name,) in tables}
        columns = [row[1] for row in self._connection.execute("PRAGMA table_info(games)")]
        if names == {"games"} and columns == _COLUMNS[:-1]:  # from a version without seats
            self._connection.execute(_UPGRADE)
        elif names and (names != {"games"} or columns != _COLUMNS):
            raise _unusable(self.path, "it is another program's database")

    def _file_now(self) -> tuple[int, int] | None:
        """Tell which file is at our path. SQLite keeps writing to one that was deleted."""
        try:
            facts = self.path.stat()
        except OSError:
            return None
        return facts.st_dev, facts.st_ino

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._file_now() != self._file:
                raise StorageError("the file with the saved games is gone; restart the server")
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise StorageError(f"cannot use the saved games: {_reason(error)}") from None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Write all or nothing."""
        with self._using() as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection


def _text(seats: Seats | None) -> str:
    return "" if seats is None else seats.text()


def _unusable(path: Path, reason: str) -> GameError:
    return GameError(f"cannot keep games in {shorten(str(path))}: {reason}")


def _reason(error: Exception) -> str:
    """Say in plain words what the database or the system complains about."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    text = str(error)
    return next((words for part, words in _REASONS.items() if part in text), text)


def outdated(version: int) -> OutdatedError:
    """Return the error for a message about an outdated version."""
    return OutdatedError(f"the game has changed since version {version}; load it again")
