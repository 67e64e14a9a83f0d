"""The driver of a tournament: hands out games, commits results, survives whatever happens."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import perf_counter, sleep
from typing import TypeVar

from mossa.arena.plan import InvalidTournamentError, Plan
from mossa.arena.referee import check_starts, play, seated, set_limits
from mossa.arena.schedule import Pairing, all_pairings, swiss_round
from mossa.arena.standings import PairCounter, standings
from mossa.arena.store import Finished, Store, finished
from mossa.cluster import ClusterError, WorkerLostError, workers
from mossa.errors import BrokenGameError, InvalidPlayerError
from mossa.games import game as game_named
from mossa.players import Player
from mossa.players.clocks import Conditions
from mossa.protocols.process import kill_all, kill_orphans
from mossa.python_games import game_again
from mossa.records import Record

_TRIES = 3  # times that a game is begun again after its worker has died
_LOOK = 0.2  # seconds between two looks whether somebody else wants it to stop

Progress = Callable[[Store, Finished | None], object]
"""Called with every finished game; with None before the first."""


@dataclass(frozen=True)
class Task:
    """A game for a worker: plain data, so that it can be sent anywhere."""

    id: int
    game: str
    opening: str
    names: tuple[str, str]
    specs: tuple[str, str]
    conditions: Conditions
    seed: int
    code: str | None = None
    """What a Python game's file must be."""


def play_task(task: Task) -> Finished:
    """Play one game; runs in a worker."""
    return _played(task, [seated(_seeded(spec, task), task.conditions) for spec in task.specs])


def _played(task: Task, players: list[Player]) -> Finished:
    begin = perf_counter()
    rules = game_named(task.game) if task.code is None else game_again(task.game, task.code)
    position = rules.position(task.opening)
    record = play(players[0], players[1], position, task.conditions, names=task.names)
    return finished(task.id, record, perf_counter() - begin)


def _seeded(spec: str, task: Task) -> str:
    """Seed a random player: a new game each time, but the same ones if all is repeated."""
    if spec != "random":
        return spec
    return f"random:seed={random.Random(f'{task.seed} {task.id} {spec}').randrange(2**30)}"


@dataclass(frozen=True)
class Outcome:
    """How a driver left a tournament."""

    done: int
    total: int
    stopped: bool
    """True after Ctrl-C, or if another thread stopped it: there is more to play."""


# ---------------------------------------------------------------- driving


def drive(
    store: Store,
    *,
    cluster: str | None = None,
    count: int | None = None,
    objects: Mapping[str, Player] | None = None,
    progress: Progress | None = None,
    stop: Event | None = None,
) -> Outcome:
    """Play what is left of a tournament. Ctrl-C ends it; what is finished is in the file.

    So does ``stop``, which another thread may set, between two games of a driver with objects.
    Games of objects are played in this process, ``count`` at once (one by default); those of
    players that are away are left for another time.
    """
    driver = _Driver(store, progress or (lambda store, game: None), objects or {}, stop)
    try:
        if objects or store.plan.only_here:
            if (limits := store.plan.conditions.sandbox) is not None:
                for player in (objects or {}).values():
                    player.confine(limits)
            try_players(store.plan, objects or {})
            driver.run_here(count or 1)
        else:
            if cluster is None:
                try_players(store.plan)
            with workers(cluster=cluster, count=count, at_exit=kill_all, at_end=kill_orphans) as (
                executor,
                slots,
            ):
                driver.run(executor, slots)
    except KeyboardInterrupt:
        return Outcome(*store.counts(), stopped=True)
    return Outcome(*store.counts(), stopped=False)


def try_players(plan: Plan, objects: Collection[str] = ()) -> None:
    """Start every program once, to refuse a wrong path before the first game.

    ``objects`` are the names of the players that are no texts.
    """
    game = game_named(plan.games[0])
    for entrant in plan.entrants:
        if entrant.name in objects:
            continue
        player = seated(entrant.spec, plan.conditions)
        try:
            check_starts(player, game, entrant.name)
        except InvalidPlayerError as error:
            raise InvalidTournamentError(str(error)) from None
        finally:
            player.close()


_Arrival = tuple[Pairing, int, "Future[Finished]"]
Arrival = TypeVar("Arrival")


def _sides(pairing: Pairing) -> set[int]:
    return {pairing.first, pairing.second}


class _Driver:
    def __init__(
        self,
        store: Store,
        progress: Progress,
        objects: Mapping[str, Player],
        stop: Event | None,
    ) -> None:
        self._stop = stop
        self._store = store
        self._plan = store.plan
        self._progress = progress
        self._objects = objects
        self._pairs = PairCounter(store.games())
        self._pairings: dict[int, Pairing] = {}
        sprt = self._plan.sprt
        self._verdict = None if sprt is None else sprt.verdict(self._pairs.tally(0, 1))

    def run(self, executor: Executor, slots: int) -> None:
        """Keep all workers busy until nothing is left to play."""
        self._progress(self._store, None)
        arrived: SimpleQueue[_Arrival] = SimpleQueue()

        def hand_out(pairing: Pairing, tries: int) -> None:
            future = executor.submit(play_task, self._task(pairing))
            future.add_done_callback(lambda done: arrived.put((pairing, tries, done)))

        while todo := self._todo():
            running = 0
            while todo or running:
                # Twice as many as there are workers: the next game waits where it will be played.
                while todo and running < 2 * slots and not self._decided():
                    hand_out(todo.popleft(), 1)
                    running += 1
                if not running:
                    return
                pairing, tries, future = self._next(arrived)
                running -= 1
                result = self._result(future, pairing, tries)
                if result is None:
                    hand_out(pairing, tries + 1)
                    running += 1
                else:
                    self._finish(result)
            if self._decided():
                return

    def _next(self, arrived: SimpleQueue[Arrival]) -> Arrival:
        """Wait for a game to end, or for a request to stop."""
        while True:
            self._heed()
            try:
                return arrived.get(timeout=None if self._stop is None else _LOOK)
            except Empty:
                continue

    def _heed(self) -> None:
        if self._stop is not None and self._stop.is_set():
            raise KeyboardInterrupt

    def run_here(self, slots: int) -> None:
        """Play in this process, where the player objects are; none plays two games at once.

        Games of players that are away wait for them. When there is nothing else to play, so does
        the driver, as long as a player has to start; then it leaves them open.
        """
        self._progress(self._store, None)
        arrived: SimpleQueue[tuple[Pairing, Finished | BaseException]] = SimpleQueue()
        while todo := self._todo():
            running: dict[int, Pairing] = {}
            while todo or running:
                self._heed()
                while len(running) < slots and (pairing := self._playable(todo, running)):
                    todo.remove(pairing)
                    running[pairing.id] = pairing
                    self._begin_here(pairing, arrived, aside=slots > 1)
                if not running:
                    if self._decided() or not self._await_return(todo):
                        return
                    continue
                pairing, result = self._next(arrived)
                del running[pairing.id]
                if isinstance(result, BrokenGameError):
                    result = self._unplayable(pairing, str(result))
                if isinstance(result, BaseException):
                    raise result
                self._finish(result)
            if self._decided():
                return

    def _playable(self, todo: Iterable[Pairing], running: Mapping[int, Pairing]) -> Pairing | None:
        """Return the first game whose players are present and free."""
        if self._decided():
            return None
        busy = {at for each in running.values() for at in _sides(each)}
        return next(
            (each for each in todo if self._all_here(each) and not busy & _sides(each)), None
        )

    def _all_here(self, pairing: Pairing) -> bool:
        players = (self._objects.get(self._plan.names[at]) for at in _sides(pairing))
        return not any(player is not None and player.is_away for player in players)

    def _await_return(self, todo: Collection[Pairing]) -> bool:
        """Wait until a game can be played; False if nobody came back."""
        patience = perf_counter() + self._plan.conditions.start
        while not any(map(self._all_here, todo)):
            self._heed()
            if perf_counter() > patience:
                return False
            sleep(_LOOK)
        return True

    def _begin_here(
        self,
        pairing: Pairing,
        arrived: SimpleQueue[tuple[Pairing, Finished | BaseException]],
        *,
        aside: bool,
    ) -> None:
        """Play a game in this thread, where Ctrl-C is heard, or aside if others are to run too."""
        task = self._task(pairing)
        players = [
            self._objects.get(name) or seated(_seeded(spec, task), task.conditions)
            for name, spec in zip(task.names, task.specs, strict=True)
        ]
        for player in players:
            set_limits(player, task.conditions)
        if not aside:
            try:
                arrived.put((pairing, _played(task, players)))
            except BrokenGameError as error:
                arrived.put((pairing, error))
            return

        def work() -> None:
            try:
                arrived.put((pairing, _played(task, players)))
            except BaseException as error:  # it is for the thread that waits
                arrived.put((pairing, error))

        Thread(target=work, daemon=True).start()

    def _todo(self) -> deque[Pairing]:
        """Return the games that can be played now; a Swiss tournament makes a new round."""
        todo = self._store.open_pairings()
        if not todo and self._plan.format == "swiss":
            todo = next_swiss_round(self._store)
            if todo:
                self._store.add(todo)
        self._pairings = {pairing.id: pairing for pairing in todo}
        return deque(todo)

    def _task(self, pairing: Pairing) -> Task:
        first, second = (self._plan.entrants[at] for at in (pairing.first, pairing.second))
        return Task(
            pairing.id,
            pairing.game,
            pairing.opening,
            (first.name, second.name),
            (first.spec, second.spec),
            self._plan.conditions,
            self._plan.seed,
            self._plan.code.get(pairing.game),
        )

    def _result(self, future: Future[Finished], pairing: Pairing, tries: int) -> Finished | None:
        """Return the result of a game; None if it is worth another try."""
        try:
            return future.result()
        except CancelledError:
            raise ClusterError("the cluster is gone; finished games are saved: resume") from None
        except BrokenGameError as error:
            return self._unplayable(pairing, str(error))
        except WorkerLostError as error:
            return None if tries < _TRIES else self._unplayable(pairing, str(error))
        except Exception as error:
            if type(error).__name__ != "KilledWorker":  # Dask's word for the same
                raise
            return None if tries < _TRIES else self._unplayable(pairing, "its workers died")

    def _unplayable(self, pairing: Pairing, why: str) -> Finished:
        """Give up on a game that has killed several workers: it counts for nobody."""
        position = game_named(pairing.game).position(pairing.opening)
        names = (self._plan.names[pairing.first], self._plan.names[pairing.second])
        record = Record.from_position(
            position, first=names[0], second=names[1], extra={"end": f"not played: {why}"}
        )
        return finished(pairing.id, record, 0.0)

    def _finish(self, game: Finished) -> None:
        self._store.finish(game)
        if self._plan.sprt is not None:
            self._pairs.add(self._pairings[game.id], game.result)
            self._verdict = self._plan.sprt.verdict(self._pairs.tally(0, 1))
        self._progress(self._store, game)

    def _decided(self) -> bool:
        """Tell whether a sequential test is decided."""
        return self._verdict is not None


def next_swiss_round(store: Store) -> list[Pairing]:
    """Return the games of the round after the last one; none if that was the last."""
    games = store.games()
    last = max((game.pairing.round for game in games), default=0)
    if last >= store.plan.rounds:
        return []
    return _swiss(store.plan, last + 1, store)


def _swiss(plan: Plan, number: int, store: Store | None) -> list[Pairing]:
    games = [] if store is None else store.games()
    points = dict.fromkeys(range(len(plan.entrants)), 0.0)
    for row in standings(plan, games):
        points[plan.names.index(row.name)] = row.points
    met = {frozenset((game.pairing.first, game.pairing.second)) for game in games}
    free = dict.fromkeys(points, 0)
    for round_number in range(1, number):
        there = {
            player
            for game in games
            if game.pairing.round == round_number
            for player in (game.pairing.first, game.pairing.second)
        }
        for player in free.keys() - there:
            free[player] += 1
    return swiss_round(plan, number, points, met, free, len(games) + 1)


def first_pairings(plan: Plan) -> list[Pairing]:
    """Return the games known before anything is played."""
    return _swiss(plan, 1, None) if plan.format == "swiss" else list(all_pairings(plan))
