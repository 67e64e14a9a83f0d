"""Saved games: an SQLite file with one row a game.

A row has a version that grows with every change. Whoever changes a game says which version was
seen; a message that comes twice, or too late, changes nothing.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mossa.errors import GameError, shorten
from mossa.records import Record, parse_records, to_jsonl
from mossa.web.limits import GAMES

_LAYOUT = """
CREATE TABLE IF NOT EXISTS games (
  id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  record TEXT NOT NULL,     -- the game as a line of JSON
  touched INTEGER NOT NULL  -- grows with every change of any game
);
CREATE INDEX IF NOT EXISTS by_age ON games (touched);
"""
_NEXT = "(SELECT coalesce(max(touched), 0) + 1 FROM games)"


class UnknownGameError(GameError):
    """There is no saved game of this name."""


class OutdatedError(GameError):
    """The game has changed since the client last saw it."""


@dataclass(frozen=True)
class SavedGame:
    """A game as it stands in the store."""

    id: str
    version: int
    record: Record


def default_path() -> Path:
    """Return where games are kept: the folder that the system has for a user's data."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", "~"))
    elif sys.platform == "darwin":
        base = Path("~/Library/Application Support")
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share")
    return base.expanduser() / "mossa" / "games.sqlite"


class Store:
    """The open file; its methods may be called from any thread."""

    def __init__(self, path: Path) -> None:
        """Open the file, or begin it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.changed: Callable[[str], None] = lambda name: None
        """Called with the name of a game that has changed, in the thread that changed it."""
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        try:
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(_LAYOUT)
        except sqlite3.DatabaseError as error:
            self._connection.close()
            raise GameError(f"cannot keep games in {shorten(str(path))}: {error}") from None

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def create(self, record: Record) -> SavedGame:
        """Keep a new game, under a name that cannot be guessed."""
        saved = SavedGame(secrets.token_urlsafe(9), 1, record)
        with self._lock:
            self._connection.execute(
                f"INSERT INTO games VALUES (?, 1, ?, {_NEXT})", (saved.id, to_jsonl([record]))
            )
            self._connection.execute(
                "DELETE FROM games WHERE id IN "
                "(SELECT id FROM games ORDER BY touched DESC LIMIT -1 OFFSET ?)",
                (GAMES,),
            )
        return saved

    def load(self, name: str) -> SavedGame:
        """Return a saved game."""
        with self._lock:
            row = self._connection.execute(
                "SELECT version, record FROM games WHERE id = ?", (name,)
            ).fetchone()
        if row is None:
            raise UnknownGameError(f"no saved game {shorten(name)}")
        (record,) = parse_records(row[1], "jsonl")
        return SavedGame(name, row[0], record)

    def change(self, seen: SavedGame, record: Record) -> SavedGame:
        """Replace a game by what came of it, unless somebody else has changed it meanwhile."""
        with self._lock:
            done = self._connection.execute(
                f"UPDATE games SET version = version + 1, record = ?, touched = {_NEXT} "
                "WHERE id = ? AND version = ?",
                (to_jsonl([record]), seen.id, seen.version),
            )
        if not done.rowcount:
            raise outdated(seen.version)
        self.changed(seen.id)
        return SavedGame(seen.id, seen.version + 1, record)


def outdated(version: int) -> OutdatedError:
    """Return the error for a message about a version that is no longer the last one."""
    return OutdatedError(f"the game has changed since version {version}; load it again")
