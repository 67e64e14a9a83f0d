"""The driver of a course: tests versions, plays the ladder, looks at games. One at a time a course.

It runs in a process of its own, and hands the work to workers in theirs. Whatever dies, the file of
the course says what is to be done next.
"""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic, perf_counter, time
from typing import Any

from mossa.arena.driver import Outcome
from mossa.arena.grade import check_suite, new_oracle
from mossa.arena.openings import random_openings
from mossa.arena.plan import SCORINGS
from mossa.arena.store import Finished, Lock, finished
from mossa.cluster import ClusterError, LocalWorkers, WorkerLostError, workers
from mossa.course import ladder, uploads
from mossa.course.course import Course
from mossa.course.final import play_final, seat_of
from mossa.course.folder import DRAFTS, VERSIONS
from mossa.course.ladder import Meetings
from mossa.course.plan import CourseError
from mossa.course.ratings import Rated
from mossa.course.reviews import look_at
from mossa.course.store import FILE, CourseStore, LadderGame, RatingPoint, Version
from mossa.course.workshop import GameJob, Job, Tested, clear, discard, play_game, test_version
from mossa.errors import GameError, raised, shorten
from mossa.games import game as game_named
from mossa.players.clocks import Conditions
from mossa.protocols.process import kill_all, kill_orphans
from mossa.quantities import counted
from mossa.records import Record
from mossa.sandbox import check_sandbox
from mossa.sandbox.places import seen_by_all

NICE = 5
"""How far the driver and its workers stand back behind the pages."""

_TRIES = 3  # times that work is begun again after its worker has died
_LOOK = 0.2  # seconds between two looks at what there is to do
_BEAT = 3.0  # seconds between two signs of life
_RATE = 1.0  # seconds between two standings, at least
_SHARE = 20  # and so many times what the last ones took
_OLD = 3600.0  # seconds after which a draft is nobody's any more
_REVIEWS = 5  # games that a version has lost which are looked at without being asked
_FAILURES = 5  # games that cannot be played, one after the other, before the driver takes a rest
_REST = 30.0
_LIMIT = 900.0  # seconds after which work is given up, apart from those that players may think
_PLIES = 150  # of a long game on a small board
_GAMES = 3  # that a player plays while it is checked

Report = Callable[[str], object]
"""Told in a sentence what has been done."""


@dataclass(frozen=True)
class _Work:
    """A piece of work that is under way."""

    kind: str
    """``test``, ``game`` or ``review``."""
    number: int
    """Of the version, or the game."""
    function: Callable[..., Any]
    given: tuple[Any, ...]
    tries: int = 1
    versions: tuple[int, ...] = ()
    """Those that play."""
    limit: float = 0.0
    """Seconds that it may take, beyond those that any work may."""


def run(
    course: Course,
    *,
    sandbox: bool = True,
    cluster: str | None = None,
    count: int | None = None,
    nice: int = NICE,
    stop: Event | None = None,
    report: Report | None = None,
) -> None:
    """Drive a course until ``stop`` is set, or Ctrl-C.

    ``nice`` is how far it stands back behind other programs of this machine. Raise an error if
    another driver has the course, if there is no sandbox (unless it is not wanted), or if the suite
    cannot be used.
    """
    if sandbox:
        check_sandbox()
        _check_place(course.folder)
    lock = Lock(course.folder / FILE)
    try:
        driver = _Driver(course, sandbox, count or course.plan.workers, stop or Event(), report)
        with suppress(OSError, AttributeError):  # there is none on Windows
            os.nice(nice)
        with driver.beating():
            driver.prepare()
            driver.drive(cluster)
    finally:
        lock.release()


def _check_place(folder: Path) -> None:
    """Refuse a folder that all players can read, with the players and grades of all others."""
    place = seen_by_all(folder)
    if place is not None:
        raise CourseError(
            f"the course {shorten(str(folder))} lies in {place}, which every player in a sandbox "
            "can read: move it elsewhere"
        )


class _Driver:
    def __init__(
        self,
        course: Course,
        sandbox: bool,
        count: int | None,
        stop: Event,
        report: Report | None,
    ) -> None:
        self._course = course
        self._store = course.store
        self._plan = course.plan
        self._sandbox = sandbox
        self._count = count
        self._conditions = course.plan.conditions(sandbox=sandbox)
        self._suite = course.plan.read_suite()
        self._stop = stop
        self._report = report or (lambda text: None)
        self._doing = "begins"
        self._arrived: SimpleQueue[tuple[_Work, Future[Any]]] = SimpleQueue()
        self._running: dict[tuple[str, int], _Work] = {}
        self._deadlines: dict[tuple[str, int], tuple[float, Future[Any]]] = {}
        self._overdue: set[tuple[str, int]] = set()
        self._open: deque[LadderGame] = deque()
        self._current: dict[int, Version] = {}
        self._rivals: frozenset[int] = frozenset()
        self._names: dict[int, str] = {}
        self._seen = ""
        self._paused = False
        self._meetings = Meetings()
        self._ratings: dict[int, Rated] = {}
        self._history: dict[int, RatingPoint] = {}
        self._looked: dict[int, int] = {}
        self._dirty = True
        self._rated = 0.0
        self._rating_took = 0.0
        self._failures = 0
        self._rest_until = 0.0
        self._resting: bool | None = None
        self._reviewed = False
        self._rng = random.Random()
        self._openings = {
            board: random_openings(game_named(board), None, self._rng.randrange(1 << 30))
            for board in self._plan.boards
        }

    # -------------------------------------------------------------- before and after

    def prepare(self) -> None:
        """Take up what was left: tests that were cut short, games that were not finished."""
        if self._suite is not None:
            check_suite(self._suite, new_oracle())
        self._store.test_again()
        self._store.set_rivals(self._plan.rivals)
        self._tidy()
        for student, points in self._store.histories().items():
            self._history[student] = points[-1]
        for standing in self._store.standings():
            self._ratings[standing.version] = Rated(standing.elo, standing.error)
        self._meetings = Meetings(self._store.duels())
        self._refresh()
        for game in self._store.open_games():
            self._open.append(game)
            self._meetings.add(game.first, game.second, game.game)

    def _tidy(self) -> None:
        """Remove what a killed server has left: files that no version speaks of."""
        known = {version.folder for version in self._store.versions()}
        for name in (DRAFTS, VERSIONS):
            place = self._course.folder / name
            for path in place.iterdir() if place.is_dir() else ():
                with suppress(OSError):
                    if path.name not in known and time() - path.stat().st_mtime > _OLD:
                        uploads.remove(path)

    def _clear(self) -> None:
        """Make room: versions that play no more keep the file that was handed in, and no copies."""
        playing = self._playing()
        for number, folder in self._store.idle_folders():
            if number not in playing:
                clear(self._course.folder / VERSIONS / folder)

    def _playing(self) -> set[int]:
        return {number for work in self._running.values() for number in work.versions}

    def beating(self) -> _Beating:
        """Give signs of life meanwhile."""
        return _Beating(self._store, lambda: self._doing)

    # -------------------------------------------------------------- the loop

    def drive(self, cluster: str | None) -> None:
        """Keep all workers busy until somebody wants it to stop."""
        while not self._stop.is_set():
            with workers(
                cluster=cluster, count=self._count, at_exit=kill_all, at_end=kill_orphans
            ) as (executor, slots):
                self._drive(executor, slots if cluster is None else 2 * slots)
            if not self._stop.is_set():
                self._play_final(slots)

    def _drive(self, executor: Executor, most: int) -> None:
        """Hand out work and take results, until it has to stop or to play the final tournament."""
        while not self._stop.is_set():
            self._refresh()
            final = self._store.setting("final") in ("wanted", "playing")
            if final and not self._running:
                return
            if not final:
                while len(self._running) < most and (work := self._next()) is not None:
                    self._hand_out(executor, work)
            self._end_overdue(executor)
            self._rate()
            self._say(final)
            self._note_rest()
            try:
                work, future = self._arrived.get(timeout=_LOOK)
            except Empty:
                continue
            self._take(executor, work, future)

    def _refresh(self) -> None:
        """Look at what has changed in the file since the last time."""
        changed = self._store.changed()
        if changed == self._seen:
            return
        self._seen = changed
        self._paused = self._course.is_paused or self._store.setting("final") == "done"
        current = {version.id: version for version in self._store.current()}
        if current.keys() != self._current.keys():
            self._dirty = True
            self._rated = 0.0
            self._clear()
        self._current = current
        students = self._store.students()
        rivals = {each.id for each in students if each.rival is not None}
        self._names = {each.id: each.name for each in students}
        self._rivals = frozenset(
            number for number, version in current.items() if version.student in rivals
        )

    def _next(self) -> _Work | None:
        """Return what is to be done next; None if there is nothing."""
        playing = self._playing()
        for version in self._store.untested():
            # A version that is tested again is built anew: not under the feet of its own game.
            busy = version.id in playing or ("test", version.id) in self._running
            if not busy and self._store.begin_test(version.id):
                if self._current.pop(version.id, None) is not None:
                    self._dirty = True  # nor may another game begin, before the next look
                self._report(f"testing version {version.number} of {self._named(version)}")
                return _Work(
                    "test",
                    version.id,
                    test_version,
                    (test := self._job(version),),
                    limit=_test_time(test),
                )
        # In turn: whoever looks at old games orders reviews, and must not stop the ladder by it.
        if self._reviewed:
            work = self._next_game() or self._next_review()
        else:
            work = self._next_review() or self._next_game()
        self._reviewed = work is not None and work.kind == "review"
        return work

    def _next_review(self) -> _Work | None:
        if not any(work.kind == "review" for work in self._running.values()):
            for number, text in self._store.wanted_reviews(1):
                return _Work("review", number, look_at, (number, text))
        return None

    def _next_game(self) -> _Work | None:
        if self._paused or monotonic() < self._rest_until:
            return None
        self._rest_until = 0.0
        while True:
            while self._open:
                game = self._open.popleft()
                if game.first in self._current and game.second in self._current:
                    both = (game.first, game.second)
                    job = self._game_job(game)
                    return _Work(
                        "game", game.id, play_game, (job,), versions=both, limit=_game_time(job)
                    )
                self._store.drop(game.id)
                self._meetings.add(game.first, game.second, game.game, -1)
            if not self._add_pair():
                return None

    def _add_pair(self) -> bool:
        """Decide who plays next, and write it down; False if nobody needs to."""
        couple = ladder.next_couple(
            list(self._current),
            self._plan.boards,
            self._meetings,
            {number: rating.elo for number, rating in self._ratings.items()},
            self._plan.pairs,
            self._rng,
            self._rivals,
        )
        if couple is None:
            return False
        opening = next(self._openings[couple.game])
        games = self._store.add_pair(couple.game, opening, couple.first, couple.second)
        for game in games:
            self._meetings.add(game.first, game.second, game.game)
        self._open.extend(games)
        if not games:
            self._seen = ""  # somebody has just left: look again
        return bool(games)

    def _hand_out(self, executor: Executor, work: _Work) -> None:
        self._running[work.kind, work.number] = work
        future = executor.submit(work.function, *work.given)
        # On a cluster it may have to wait for its turn, behind work that takes as long.
        turns = 1 if isinstance(executor, LocalWorkers) else 3
        deadline = monotonic() + turns * (_LIMIT + work.limit)
        self._deadlines[work.kind, work.number] = deadline, future
        future.add_done_callback(lambda done: self._arrived.put((work, done)))

    def _end_overdue(self, executor: Executor) -> None:
        """Give up work that takes so long that it can only hang."""
        for key, (deadline, future) in self._deadlines.items():
            if monotonic() > deadline and key not in self._overdue:
                self._overdue.add(key)
                if isinstance(executor, LocalWorkers):
                    executor.give_up(future)
                else:  # nobody can reach the process
                    future.cancel()

    # -------------------------------------------------------------- results

    def _take(self, executor: Executor, work: _Work, future: Future[Any]) -> None:
        key = work.kind, work.number
        del self._running[key], self._deadlines[key]
        overdue = key in self._overdue
        self._overdue.discard(key)
        try:
            result = future.result()
        except Exception as error:
            if isinstance(error, CancelledError) and not overdue:
                raise ClusterError("the cluster is gone; finished games are saved") from None
            lost = isinstance(error, WorkerLostError) or type(error).__name__ == "KilledWorker"
            if lost and work.tries < _TRIES and not overdue:
                self._hand_out(executor, replace(work, tries=work.tries + 1))
                return
            why = str(error) if isinstance(error, GameError) else raised(error)
            if overdue:
                minutes = ceil((_LIMIT + work.limit) / 60)
                why = f"it was not finished after {counted(minutes, 'minute')}"
            result = self._given_up(work, why)
        else:
            self._failures = 0
        if work.kind == "game":
            self._finish(result, work.given[0])
            if not self._current.keys() >= set(work.versions):
                self._clear()  # the last game of a version that was replaced meanwhile
        elif work.kind == "test":
            self._end_test(result)
        else:
            self._store.set_review(*result)

    def _given_up(self, work: _Work, why: str) -> Any:
        """Return what is kept of work that failed by no fault of a player, as far as one knows."""
        self._store.note(f"the {work.kind} of number {work.number} failed: {why}")
        if work.kind == "test":
            discard(work.given[0].folder)
            return Tested(work.number, False, f"The server could not test it: {why}.")
        if work.kind == "review":
            return work.number, {"problem": why}
        self._failures += 1
        if self._failures >= _FAILURES:
            self._rest_until = monotonic() + _REST
        return _unplayed(work.given[0], why)

    def _finish(self, game: Finished, job: GameJob) -> None:
        if not self._store.finish(game):
            return
        self._dirty = True
        if game.forfeit is None and game.result in ("1-0", "0-1"):
            row = self._store.game(game.id)
            loser = None if row is None else row.second if game.result == "1-0" else row.first
            if loser in self._current and loser not in self._rivals:
                self._looked[loser] = self._looked.get(loser, 0) + 1
                if self._looked[loser] <= _REVIEWS:
                    self._store.want_reviews([game.id])
        first, second = (seat.name for seat in job.seats)
        self._report(f"{first} against {second} at {job.game}: {game.result}, {game.end}")

    def _end_test(self, tested: Tested) -> None:
        self._store.end_test(
            tested.version,
            passed=tested.passed,
            told=tested.told,
            spec=tested.spec,
            log=tested.log,
            checks=tested.checks,
            grade=tested.grade,
        )
        version = self._store.version(tested.version)
        if version is not None:
            self._report(f"version {version.number} of {self._named(version)}: {version.told}")
        self._clear()

    # -------------------------------------------------------------- jobs

    def _named(self, version: Version) -> str:
        return self._names.get(version.student, f"student {version.student}")

    def _job(self, version: Version) -> Job:
        return Job(
            version.id,
            self._course.folder / VERSIONS / version.folder,
            self._plan.boards,
            self._conditions,
            self._plan.languages,
            self._suite,
            self._plan.needed,
            version.file,
            self._course.limits,
        )

    def _game_job(self, game: LadderGame) -> GameJob:
        versions = (self._current[game.first], self._current[game.second])
        first, second = (
            seat_of(self._course, each.folder, each.spec, self._named(each)) for each in versions
        )
        return GameJob(game.id, game.game, game.opening, (first, second), self._conditions)

    # -------------------------------------------------------------- standings

    def _rate(self) -> None:
        """Write the standings anew, if anything has happened and the last ones are old enough."""
        pause = max(_RATE, _SHARE * self._rating_took)
        if not self._dirty or monotonic() - self._rated < pause:
            return
        begin = perf_counter()
        duels = self._store.duels()
        players = list(self._current)
        known = {number: rating.elo for number, rating in self._ratings.items()}
        self._ratings |= ladder.rated(duels, players, known)
        rows = ladder.standings(duels, players, self._ratings, SCORINGS[self._plan.scoring])
        points = []
        for row in rows:
            student = self._current[row.version].student
            last = self._history.get(student)
            if _is_news(last, row.version, row.games):
                point = RatingPoint(time(), row.version, row.games, row.elo, row.error)
                self._history[student] = point
                points.append((student, point))
        self._store.set_standings(rows, points)
        self._dirty = False
        self._rated, self._rating_took = monotonic(), perf_counter() - begin

    def _note_rest(self) -> None:
        """Write down whether there is nothing left to do until somebody hands in something."""
        resting = not (self._running or self._dirty or self._paused or self._rest_until)
        if resting is not self._resting:
            self._resting = resting
            self._store.set("resting", "yes" if resting else "")

    def _say(self, final: bool) -> None:
        kinds = [work.kind for work in self._running.values()]
        parts = [
            f"{verb} {counted(kinds.count(kind), noun)}"
            for kind, verb, noun in (
                ("test", "tests", "version"),
                ("game", "plays", "game"),
                ("review", "looks at", "game"),
            )
            if kind in kinds
        ]
        idle = "is paused" if self._paused else "waits for new versions"
        self._doing = ", ".join(parts) or ("begins the final tournament" if final else idle)

    # -------------------------------------------------------------- the final tournament

    def _play_final(self, slots: int) -> None:
        self._store.set("final", "playing")
        self._doing = "plays the final tournament"

        def progress(store: Any, game: Finished | None) -> None:
            done, total = store.counts()
            self._doing = f"plays the final tournament: {done} of {counted(total, 'game')}"
            self._report(self._doing)

        try:
            outcome: Outcome | None = play_final(
                self._course,
                sandbox=self._sandbox,
                count=slots,
                progress=progress,
                stop=self._stop,
            )
        except GameError as error:
            self._store.note(f"the final tournament failed: {error}")
            self._store.set("final", "")
            return
        if outcome is not None and not outcome.stopped:
            self._store.set("final", "done")
            self._store.note("the final tournament is finished")


def _is_news(last: RatingPoint | None, version: int, games: int) -> bool:
    """Tell whether a rating goes into the history: often at first, then ever less."""
    if last is None or last.version != version:
        return games > 0
    return games - last.games >= max(2, last.games // 20)


def _game_time(job: GameJob) -> float:
    """Return the seconds that a game may take by its clock."""
    position = game_named(job.game).position(job.opening)
    return _thinking(job.conditions, max(_PLIES, sum(map(len, position.cells))))


def _test_time(job: Job) -> float:
    """Return the seconds that the players of a test may think."""
    boards = [game_named(name).start() for name in job.boards]
    plies = max(_PLIES, *(sum(map(len, board.cells)) for board in boards))
    seconds = _thinking(job.conditions, _GAMES * plies + len(boards))
    if job.suite is not None:
        for exercise in job.suite.exercises:
            plies = max(_PLIES, sum(map(len, exercise.position.cells))) * exercise.games
            seconds += _thinking(job.suite.conditions, plies or 1)
    return seconds


def _thinking(conditions: Conditions, plies: int) -> float:
    """Return the seconds that two players may think in so many plies."""
    move = (conditions.usual_time or 0.0) + conditions.margin
    return 2 * conditions.start + plies * move


def _unplayed(job: GameJob, why: str) -> Finished:
    """Return a game that counts for nobody."""
    position = game_named(job.game).position(job.opening)
    first, second = (seat.name for seat in job.seats)
    record = Record.from_position(
        position, first=first, second=second, extra={"end": f"not played: {why}"}
    )
    return finished(job.id, record, 0.0)


class _Beating:
    """Tells the pages now and then that the driver is alive, in a thread."""

    def __init__(self, store: CourseStore, doing: Callable[[], str]) -> None:
        self._store, self._doing = store, doing
        self._end = Event()
        self._thread = Thread(target=self._run, name="beat", daemon=True)

    def __enter__(self) -> _Beating:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        with suppress(GameError):
            self._store.beat("", last=True)

    def _run(self) -> None:
        while True:
            with suppress(GameError):  # a full disk is told of where it matters
                self._store.beat(self._doing())
            if self._end.wait(_BEAT):
                return
