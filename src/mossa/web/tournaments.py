"""The arena page's tournaments: a folder of files, and a thread that plays one after another.

The games run in processes of their own, never here; each finished game is in its file at once. A
tournament that was neither finished nor stopped when the server went down resumes when it is
started again.
"""

from __future__ import annotations

import logging
import re
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from mossa.arena.driver import drive, first_pairings
from mossa.arena.plan import Entrant, InvalidTournamentError, Plan, read_entrant, read_games
from mossa.arena.report import make_report
from mossa.arena.store import Store
from mossa.errors import GameError, shorten
from mossa.games import named_game
from mossa.players.clocks import Conditions
from mossa.records import Record
from mossa.web.limits import TOURNAMENT_GAMES, TOURNAMENTS, WORKERS
from mossa.web.messages import NewTournament
from mossa.web.opponents import check_spec, modest_spec
from mossa.web.searches import FAILED, BusyError
from mossa.web.states import game_of
from mossa.web.store import StorageError

_LOG = logging.getLogger("uvicorn.error")
_NAME = re.compile(r"[\w-]{1,40}")
_LATE = 1.0
"""Seconds a move may be late: the machine also serves pages."""
_LISTED = 200
"""Games shown of a duel."""
_LATEST = 20
"""Of all games, so many."""


class UnknownTournamentError(GameError):
    """There is no tournament with this name."""


def read_plan(new: NewTournament) -> Plan:
    """Return the plan to play, if this server allows it."""
    plan = Plan(
        entrants=tuple(map(_entrant, new.players)),
        games=read_games(new.games, named_game),
        rounds=new.rounds,
        format=new.format,
        conditions=Conditions(time=new.seconds, margin=_LATE),
        seed=new.seed,
    )
    for name in plan.games:
        game_of(name)
    plan.check()
    count = len(plan.entrants)
    couples = {"gauntlet": count - 1, "swiss": count // 2}.get(
        plan.format, count * (count - 1) // 2
    )
    total = 2 * couples * len(plan.games) * plan.rounds
    if total > TOURNAMENT_GAMES:
        raise InvalidTournamentError(
            f"a tournament of {total:,} games is too long for the board in the browser: "
            f"at most {TOURNAMENT_GAMES:,}; mossa tournament plays any number"
        )
    return plan


def _entrant(text: str) -> Entrant:
    entrant = read_entrant(text)
    return Entrant(entrant.name, modest_spec(check_spec(entrant.spec, people=False)))


class Tournaments:
    """The folder and the thread."""

    def __init__(self, folder: Path) -> None:
        """Take the folder; resume what was being played when the server went down."""
        self._folder = folder
        self._lock = threading.Lock()
        self._beginning = threading.Lock()
        self._stops: dict[str, threading.Event] = {}
        """For the tournaments running or waiting, in order."""
        self._failures: dict[str, str] = {}
        self._queue: SimpleQueue[str | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="arena", daemon=True)
        self._thread.start()
        for name in reversed(self._names()):
            with suppress(GameError):  # a damaged file must not keep the server from starting
                if not self._marker(name).exists() and not self._is_complete(name):
                    self._enqueue(name)

    def close(self) -> None:
        """Stop the games; they resume when the server starts again."""
        self._queue.put(None)
        with self._lock:
            for stop in self._stops.values():
                stop.set()
        self._thread.join()

    # -------------------------------------------------------------- what pages ask

    def begin(self, plan: Plan) -> str:
        """Start a tournament; return its name."""
        name = f"{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        path = self._path(name)
        with self._beginning, _kept(path):  # one at a time: the limit is for all together
            surplus = self._surplus()
            self._folder.mkdir(parents=True, exist_ok=True)
            with Store.create(path, plan, first_pairings(plan)):
                pass
            for old in surplus:
                for path in self._folder.glob(f"{old}.*"):
                    path.unlink(missing_ok=True)
            self._enqueue(name)
        return name

    def stop(self, name: str) -> None:
        """Stop a tournament for now."""
        self._check(name)
        with _kept(self._path(name)):
            self._marker(name).touch()
        with self._lock:
            if name in self._stops:
                self._stops[name].set()

    def resume(self, name: str) -> None:
        """Resume a tournament."""
        if self._is_complete(name):
            raise InvalidTournamentError("the tournament is finished")
        with _kept(self._path(name)):
            self._marker(name).unlink(missing_ok=True)
        self._enqueue(name)

    def all(self) -> list[dict[str, Any]]:
        """Return all tournaments with readable files, newest first."""
        found = []
        for name in self._names():
            with suppress(GameError):
                found.append(self._summary(name))
        return found

    def report(self, name: str) -> dict[str, Any]:
        """Return how a tournament stands."""
        summary = self._summary(name)  # before the tables: a finished tournament has all its games
        with self._open(name) as store:
            made = make_report(store, with_moves=False)
        return {
            **summary,
            "standings": made.standings,
            "duels": made.duels,
            "conditions": str(made.plan.conditions),
            "error": self._failures.get(name),
        }

    def games(self, name: str, player: str = "", opponent: str = "") -> list[dict[str, Any]]:
        """Return the latest finished games with their moves: all, one player's, or a pair's."""
        wanted = {player, opponent} - {""}
        with self._open(name) as store:
            rows = make_report(store, with_moves=False).games
            rows = [row for row in rows if wanted <= {row["first"], row["second"]}]
            rows = rows[-(_LISTED if wanted else _LATEST) :]
            return [{**row, **_played(store.record(row["id"]))} for row in rows]

    def stores(self, game: str) -> Iterator[tuple[str, Store]]:
        """Yield the readable files of tournaments that include a game, newest first."""
        for name in self._names():
            with suppress(GameError), self._open(name) as store:
                if game in store.plan.games:
                    yield name, store

    # -------------------------------------------------------------- files

    def _names(self) -> list[str]:
        return sorted((path.stem for path in self._folder.glob("*.sqlite")), reverse=True)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.sqlite"

    def _marker(self, name: str) -> Path:
        """The file that marks a tournament as stopped by a person."""
        return self._folder / f"{name}.stopped"

    def _check(self, name: str) -> None:
        if not _NAME.fullmatch(name) or not self._path(name).is_file():
            raise UnknownTournamentError(f"no tournament {shorten(name)}")

    @contextmanager
    def _open(self, name: str) -> Iterator[Store]:
        self._check(name)
        path = self._path(name)
        with _kept(path), Store.look(path) as store:
            yield store

    def _is_complete(self, name: str) -> bool:
        with self._open(name) as store:
            return _is_complete(store)

    def _summary(self, name: str) -> dict[str, Any]:
        with self._open(name) as store:
            plan, (done, total), complete = store.plan, store.counts(), _is_complete(store)
        with self._lock:
            queued = [each for each, stop in self._stops.items() if not stop.is_set()]
        state = "playing" if queued[:1] == [name] else "waiting" if name in queued else "stopped"
        return {
            "name": name,
            "players": plan.names,
            "games": plan.games,
            "format": plan.format,
            "rounds": plan.rounds,
            "done": done,
            "total": total,
            "state": "finished" if complete else state,
        }

    def _surplus(self) -> list[str]:
        """Return what to delete to make room for one more: the oldest idle ones."""
        with self._lock:
            busy = set(self._stops)
        names = self._names()
        count = max(0, len(names) + 1 - TOURNAMENTS)
        idle = [name for name in reversed(names) if name not in busy]
        if count > len(idle):
            raise BusyError(
                f"{len(busy)} tournaments are running or waiting, and {TOURNAMENTS} is the "
                "most; stop one, or try again later"
            )
        return idle[:count]

    # -------------------------------------------------------------- the thread

    def _enqueue(self, name: str) -> None:
        with self._lock:
            if name in self._stops and not self._stops[name].is_set():
                return  # it is being played, or will be
            self._stops[name] = threading.Event()
            self._failures.pop(name, None)
        self._queue.put(name)

    def _work(self) -> None:
        while (name := self._queue.get()) is not None:
            stop = self._stops[name]
            try:
                if not stop.is_set():
                    self._play(name, stop)
            except GameError as error:
                self._failures[name] = _without_path(error, self._path(name))
            except Exception:
                _LOG.exception("tournament %s failed", name)
                self._failures[name] = FAILED
            with self._lock:
                if self._stops.get(name) is stop:
                    del self._stops[name]

    def _play(self, name: str, stop: threading.Event) -> None:
        with Store.resume(self._path(name)) as store:
            drive(store, count=WORKERS, stop=stop)


@contextmanager
def _kept(path: Path) -> Iterator[None]:
    """Turn trouble with our files or the disk into an error that is not the client's fault."""
    try:
        yield
    except (InvalidTournamentError, sqlite3.Error) as error:
        reason = _without_path(error, path)
    except OSError as error:
        reason = error.strerror or str(error)
    else:
        return
    raise StorageError(f"the tournament cannot be saved or read: {reason}")


def _without_path(error: Exception, path: Path) -> str:
    """Return an error's text with the tournament's name in place of its private path."""
    shown = shorten(str(path))
    return str(error).removeprefix(f"{shown}: ").replace(shown, shorten(path.stem))


def _played(record: Record | None) -> dict[str, Any]:
    if record is None:
        return {"moves": "", "opening_length": 0}
    return {"moves": record.position.history_text, "opening_length": record.opening_length}


def _is_complete(store: Store) -> bool:
    done, total = store.counts()
    if done < total or store.plan.format != "swiss":
        return done == total
    return max(game.pairing.round for game in store.games()) >= store.plan.rounds
