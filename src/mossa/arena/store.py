"""A tournament's file: an SQLite database that gets every finished game at once.

Whatever happens to the driver, a finished game is in the file and is never played again. One driver
at a time may hold the file; readers may look at it whenever they like.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, dataclass
from pathlib import Path

from mossa.arena.plan import InvalidTournamentError, Plan
from mossa.arena.schedule import Pairing
from mossa.errors import GameError, shorten
from mossa.records import Record, parse_records, to_jsonl

FORMAT = 1
"""The version of the file's layout; files of other versions are refused."""

_APPLICATION = 0x6D6F7361  # "mosa": what the file says it is, in its header

_LAYOUT = """
CREATE TABLE plan (text TEXT NOT NULL);
CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  round INTEGER NOT NULL,
  pair INTEGER NOT NULL,
  game TEXT NOT NULL,
  opening TEXT NOT NULL,
  first INTEGER NOT NULL,
  second INTEGER NOT NULL,
  result TEXT,      -- NULL until it is played
  forfeit TEXT,     -- the kind of forfeit, if it ended by one
  plies INTEGER,
  seconds REAL,
  end TEXT,         -- how it ended, in words
  record TEXT       -- the game as a line of JSON
);
CREATE INDEX open_games ON games (id) WHERE result IS NULL;
"""


@dataclass(frozen=True)
class Finished:
    """The result of a game."""

    id: int
    result: str
    """As in records; ``*`` if it could not be played to an end."""
    forfeit: str | None
    plies: int
    seconds: float
    end: str
    record: str


def finished(pairing: int, record: Record, seconds: float) -> Finished:
    """Return what the store keeps about a game."""
    forfeit = record.extra.get("forfeit")
    kind = forfeit["kind"] if isinstance(forfeit, dict) else None
    text = to_jsonl([record]).strip()
    end = str(record.extra.get("end", ""))
    return Finished(pairing, record.result, kind, len(record.moves), round(seconds, 6), end, text)


@dataclass(frozen=True)
class Game:
    """A row of the file: a game played, or still to play."""

    pairing: Pairing
    result: str | None
    forfeit: str | None
    plies: int | None
    seconds: float | None
    end: str | None


class Store:
    """An open tournament file."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, lock: Lock | None, *, new: bool = False
    ) -> None:
        """Made by create(), resume() and look()."""
        self.path = path
        self._new = new
        self._connection = connection
        self._lock = lock
        with told(path):
            text = connection.execute("SELECT text FROM plan").fetchone()[0]
        self.plan = Plan.from_dict(json.loads(text))
        self.plan.check_code()  # its records can be read by the rules that they were played by

    @classmethod
    def create(cls, path: Path, plan: Plan, pairings: Iterable[Pairing]) -> Store:
        """Begin a tournament in a new file."""
        if path.exists() and not path.is_file():
            raise InvalidTournamentError(f"{shorten(str(path))} is not a file")
        lock = Lock(path)
        try:
            if path.exists() and path.stat().st_size:
                _open(path).close()  # it says so if this is no tournament
                raise InvalidTournamentError(
                    f"{shorten(str(path))} is a tournament already: mossa tournament resume "
                    "continues it; choose another name for a new one"
                )
            with told(path):
                connection = _connect(path)
                connection.execute("PRAGMA journal_mode = WAL")
                with connection:
                    connection.execute("BEGIN IMMEDIATE")
                    for statement in _LAYOUT.split(";\n"):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {FORMAT}")
                    connection.execute("INSERT INTO plan VALUES (?)", [json.dumps(plan.to_dict())])
                    _insert(connection, pairings)
            return cls(path, connection, lock, new=True)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def resume(cls, path: Path) -> Store:
        """Open a file to resume its tournament."""
        _check_there(path)
        lock = Lock(path)
        try:
            return cls(path, _open(path), lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def look(cls, path: Path) -> Store:
        """Open a file to read it, even while another process writes to it."""
        _check_there(path)
        return cls(path, _open(path), None)

    def __enter__(self) -> Store:
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the file; remove it if an error kept its tournament from starting."""
        refused = self._new and kind is not None and issubclass(kind, GameError)
        unused = refused and self.counts()[0] == 0
        self._connection.close()
        if unused:
            for end in ("", "-wal", "-shm"):
                self.path.with_name(self.path.name + end).unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.release()

    # -------------------------------------------------------------- games

    def add(self, pairings: Iterable[Pairing]) -> None:
        """Add the games of a new round, all or none."""
        with told(self.path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            _insert(self._connection, pairings)

    def finish(self, game: Finished) -> bool:
        """Commit a finished game; False if it was finished before."""
        with told(self.path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            done = self._connection.execute(
                "UPDATE games SET result = ?, forfeit = ?, plies = ?, seconds = ?, end = ?, "
                "record = ? WHERE id = ? AND result IS NULL",
                [*astuple(game)[1:], game.id],
            )
            return done.rowcount == 1

    def open_pairings(self) -> list[Pairing]:
        """Return the games that are still to be played."""
        return [game.pairing for game in self.games("WHERE result IS NULL")]

    def games(self, where: str = "") -> list[Game]:
        """Return the games in the order of the schedule."""
        columns = "id, round, pair, game, opening, first, second"
        results = "result, forfeit, plies, seconds, end"
        query = f"SELECT {columns}, {results} FROM games {where} ORDER BY id"
        with told(self.path):
            rows = self._connection.execute(query)
            return [Game(Pairing(*row[:7]), *row[7:]) for row in rows]

    def counts(self) -> tuple[int, int]:
        """Return how many games are finished, and how many there are."""
        with told(self.path):
            row = self._connection.execute("SELECT count(result), count(*) FROM games").fetchone()
        return row[0], row[1]

    def records(self) -> Iterator[tuple[Pairing, Record]]:
        """Yield the finished games."""
        columns = "id, round, pair, game, opening, first, second, record"
        query = f"SELECT {columns} FROM games WHERE record IS NOT NULL ORDER BY id"
        with told(self.path):
            for row in self._connection.execute(query):
                yield Pairing(*row[:7]), parse_records(row[7], "jsonl", source=f"game {row[0]}")[0]

    def finished_of(self, game: str) -> list[int]:
        """Return the numbers of the finished games of one kind."""
        query = "SELECT id FROM games WHERE game = ? AND record IS NOT NULL ORDER BY id"
        with told(self.path):
            return [number for (number,) in self._connection.execute(query, [game])]

    def record(self, number: int) -> Record | None:
        """Return a finished game; None if there is none with this number."""
        query = "SELECT record FROM games WHERE id = ? AND record IS NOT NULL"
        with told(self.path):
            row = self._connection.execute(query, [number]).fetchone()
        return row and parse_records(row[0], "jsonl", source=f"game {number}")[0]


def _insert(connection: sqlite3.Connection, pairings: Iterable[Pairing]) -> None:
    connection.executemany(
        "INSERT INTO games (id, round, pair, game, opening, first, second) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        map(astuple, pairings),
    )


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=10)
    # A finished game survives the death of this process. Of the last ones before a power cut some
    # may have to be played again: to wait for the disk after each would take longer than most.
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _check_there(path: Path) -> None:
    if not path.is_file():
        raise InvalidTournamentError(f"there is no tournament file {shorten(str(path))}")


def _open(path: Path) -> sqlite3.Connection:
    with told(path):
        connection = _connect(path)
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != _APPLICATION:
        raise InvalidTournamentError(_not_a_tournament(path))
    if version != FORMAT:
        raise InvalidTournamentError(
            f"{shorten(str(path))} is a tournament file of version {version}; "
            f"this mossa reads version {FORMAT}"
        )
    return connection


@contextmanager
def told(
    path: Path, what_it_is: str = "a tournament file", refusal: type[GameError] | None = None
) -> Iterator[None]:
    """Say in plain words what the database complains about."""
    refusal = refusal or InvalidTournamentError
    try:
        yield
    except sqlite3.DatabaseError as error:
        what = str(error)
        if "full" in what or "I/O" in what:
            what = "the disk is full or failing; finished games are safe: make room and resume"
        elif "malformed" in what:
            what = "it is damaged"
        elif "not a database" in what:
            raise refusal(f"{shorten(str(path))} exists, but is not {what_it_is}") from None
        elif "unable to open" in what:
            what = _why_closed(path)
        elif "readonly" in what:
            what = "it is read-only"
        raise refusal(f"{shorten(str(path))}: {what}") from None


def _not_a_tournament(path: Path) -> str:
    return f"{shorten(str(path))} exists, but is not a tournament file"


def _why_closed(path: Path) -> str:
    """Say why a file cannot be opened, since the database does not."""
    if not path.parent.is_dir():
        return f"there is no folder {shorten(str(path.parent))}"
    if not os.access(path.parent, os.W_OK):
        return f"the folder {shorten(str(path.parent))} is read-only"
    return "it cannot be opened or written"


class Lock:
    """Keeps a second driver away, and disappears with its process, however that ends.

    It is a write lock on an empty database next to the file, which works the same everywhere.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock of a file, or raise InvalidTournamentError: somebody has it."""
        self._path = path.with_name(path.name + ".lock")
        with told(path):
            self._connection = sqlite3.connect(self._path, isolation_level=None, timeout=0)
            try:
                mine = self._note_owner()
                self._connection.execute("BEGIN IMMEDIATE")
                taken = self._owner() != mine  # the file that was locked may be one that is gone
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise
                taken = True
        if taken:
            self._connection.close()
            owner = self._owner()
            who = f" (PID {owner[0]})" if owner else ""
            raise InvalidTournamentError(
                f"another process{who} is playing {shorten(str(path))}: "
                "wait for it, or stop it and resume"
            )

    def _note_owner(self) -> tuple[int, str]:
        owner = os.getpid(), secrets.token_hex(8)
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("CREATE TABLE IF NOT EXISTS owner (pid INTEGER, token TEXT)")
        self._connection.execute("DELETE FROM owner")
        self._connection.execute("INSERT INTO owner VALUES (?, ?)", owner)
        self._connection.execute("COMMIT")
        return owner

    def _owner(self) -> tuple[int, str] | None:
        """Return the owner noted in the current file."""
        with suppress(sqlite3.Error), closing(sqlite3.connect(self._path)) as reader:
            row: tuple[int, str] | None = reader.execute("SELECT pid, token FROM owner").fetchone()
            return row
        return None

    def release(self) -> None:
        """Let others have it."""
        with suppress(OSError):
            self._path.unlink()
        self._connection.close()
