"""The driver: games are played once, whatever dies; those who mean harm harm nobody else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import sleep

import pytest
from confinement import needs_sandbox
from course_data import School, examined, found, hand_in
from programs import until

from mossa.arena.store import Finished, Lock
from mossa.course import Course, CourseError, driver
from mossa.course.final import final_report
from mossa.course.store import CourseStore
from mossa.course.workshop import Job
from mossa.errors import GameError
from mossa.sandbox import SandboxError

pytestmark = needs_sandbox

PLAN = 'boards = ["tictactoe"]\ntime = 0.5\nstart = 20\nsuite = ""\nrivals = []\npairs = 3'
OURS = PLAN.replace("rivals = []", 'rivals = ["random", "minimax:depth=1"]')
GOOD = b"def choose(position):\n    return position.moves[0]\n"
PATIENCE = 120.0


@contextmanager
def _driving(course: Course, **given: object) -> Iterator[list[str]]:
    """Drive a course in a thread of this process; the games are played in others."""
    stop, told, failed = threading.Event(), list[str](), list[BaseException]()

    def work() -> None:
        try:
            driver.run(course, count=2, nice=0, stop=stop, report=told.append, **given)  # type: ignore[arg-type]
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield told
    finally:
        stop.set()
        thread.join()
    assert failed == []


def _start(course: Course, *more: str) -> subprocess.Popen[bytes]:
    """Start a driver as the server does."""
    command = [sys.executable, "-m", "mossa", "course", "run", str(course.folder)]
    return subprocess.Popen(
        [*command, "--workers", "2", "--nice", "0", *more],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def _counted(store: CourseStore) -> tuple[int, int]:
    """Return how many games have a result, and how many the duels have counted."""
    with closing(store.connect()) as db:
        rows = db.execute("SELECT count(*) FROM games WHERE result IS NOT NULL").fetchone()
    return rows[0], sum(duel.games for duel in store.duels())


def _ready(school: School, name: str, content: bytes, spec: str = "bot.py:choose") -> int:
    """Put a version onto the ladder without a test, while no driver runs; return its student."""
    version = hand_in(school, name, content)
    place = school.course.folder / "versions" / version.folder
    (place / "files").rename(place / "player")
    examined(school, version)
    with closing(school.course.store.connect()) as db:
        db.execute("UPDATE versions SET spec = ? WHERE id = ?", [spec, version.id])
        db.commit()
    return version.student


def test_what_is_handed_in_plays_and_rests_when_all_have_met(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan=OURS)
    ada = hand_in(school, "Ada Lovelace", GOOD).student
    broken = hand_in(school, "Carl Gauss", b"def choose(position): return 9 / 0\n").student
    course = school.course
    with _driving(course) as told:
        until(lambda: course.overview().resting, PATIENCE, "all have met")
    assert course.version(ada, 1).state == "current"
    failed = course.version(broken, 1)
    assert failed.state == "failed"
    assert "ZeroDivisionError" in failed.told
    games = course.games(ada, limit=100)
    assert len(games) == 12  # against two players, three times, with both sides
    assert {(each.opponent, each.side) for each in games} == {
        (name, side) for name in ("random", "minimax:depth=1") for side in ("first", "second")
    }
    assert all(not each.forfeited for each in games)
    assert [row.games for row in course.standings()].count(12) == 1
    assert any(line.startswith("version 1 of Ada Lovelace: It passed") for line in told)
    assert course.history(ada)[-1].games >= 10  # a point for every other game


def test_one_driver_at_a_time(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan=PLAN)
    lock = Lock(school.course.store.path)
    try:
        with pytest.raises(GameError, match=r"another process \(PID \d+\) is playing"):
            driver.run(school.course)
    finally:
        lock.release()


def test_no_sandbox_no_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    school = found(tmp_path / "c", plan=PLAN)

    def none() -> None:
        raise SandboxError("bubblewrap is not installed")

    monkeypatch.setattr(driver, "check_sandbox", none)
    with pytest.raises(SandboxError, match="bubblewrap is not installed"):
        driver.run(school.course)


def test_a_suite_that_cannot_be_used_stops_the_driver(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan=PLAN.replace('suite = ""', 'suite = "suite.toml"'))
    (school.course.folder / "suite.toml").write_text("name = 1\n")
    with pytest.raises(GameError, match="no \\[\\[positions\\]\\]"):
        driver.run(school.course)


def test_a_killed_driver_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    """SIGKILL at some moment, three times; the games that are finished are the same afterwards."""
    school = found(tmp_path / "c", plan=OURS.replace("pairs = 3", "pairs = 50"))
    _ready(school, "Ada Lovelace", GOOD)
    store = school.course.store
    kept: dict[int, str] = {}
    for turn in range(1, 4):
        process = _start(school.course)
        try:
            until(lambda: store.count_finished() >= 3 * turn, PATIENCE, "games")  # noqa: B023
        finally:
            process.kill()
            process.wait()
        now = _results(store)
        assert {number: now[number] for number in kept} == kept
        kept = now
    finished, counted = _counted(store)
    assert finished == counted == store.count_finished() == len(kept)
    assert len(store.open_games()) <= 4  # two under way, and perhaps the rest of their pairs


def _results(store: CourseStore) -> dict[int, str]:
    with closing(store.connect()) as db:
        rows = db.execute("SELECT id, record FROM games WHERE result IS NOT NULL").fetchall()
    return dict(rows)


def test_a_driver_ends_with_its_parent(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan=PLAN)
    process = _start(school.course, "--with-parent")
    try:
        until(lambda: school.course.overview().alive, PATIENCE, "a sign of life")
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()


def test_a_worker_that_dies_costs_its_game_only(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan=OURS.replace("pairs = 3", "pairs = 50"))
    _ready(school, "Ada Lovelace", GOOD)
    store = school.course.store
    process = _start(school.course)
    try:
        until(lambda: store.count_finished() >= 2, PATIENCE, "games")
        victims = _children(process.pid)
        assert victims
        for victim in victims:
            os.kill(victim, signal.SIGKILL)
        before = store.count_finished()
        until(lambda: store.count_finished() >= before + 4, PATIENCE, "more games")
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    finished, counted = _counted(store)
    assert finished == counted


def _children(pid: int) -> list[int]:
    """Return the workers of a driver: the processes that it has spawned to work."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                parent = int((each / "stat").read_text().rpartition(")")[2].split()[1])
                command = (each / "cmdline").read_bytes()
            except OSError:
                continue
            if parent == pid and b"spawn_main" in command:
                found.append(int(each.name))
    return found


def test_a_new_version_takes_over(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan=OURS.replace("pairs = 3", "pairs = 50"))
    ada = _ready(school, "Ada Lovelace", GOOD)
    course = school.course
    with _driving(course):
        until(lambda: course.games(ada), PATIENCE, "a game")
        hand_in(school, "Ada Lovelace", b"x = 1\n")
        until(lambda: course.version(ada, 2).state == "failed", PATIENCE, "the verdict")
        assert course.version(ada, 1).state == "current"
        hand_in(school, "Ada Lovelace", GOOD)
        until(lambda: course.games(ada, version=3), PATIENCE, "a game of the new version")
        until(lambda: _kept(course, ada, 1) == {"upload"}, PATIENCE, "room after its last game")
    assert course.version(ada, 1).state == "replaced"
    assert _kept(course, ada, 2) == {"upload"}  # it failed
    assert "player" in _kept(course, ada, 3)
    games = course.games(ada, limit=200)
    newest = [each.version for each in games]
    assert newest == sorted(newest, reverse=True)  # none of the old one after the new one


def _kept(course: Course, student: int, number: int) -> set[str]:
    """Return what there is of a version on the disk."""
    place = course.folder / "versions" / course.version(student, number).folder
    return {path.name for path in place.iterdir()}


def test_a_pause_is_a_pause(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan=OURS)
    ada = _ready(school, "Ada Lovelace", GOOD)
    school.course.pause()
    with _driving(school.course):
        broken = hand_in(school, "Carl Gauss", b"x = 1\n").student
        until(
            lambda: school.course.version(broken, 1).state == "failed",
            PATIENCE,
            "a test in the pause",
        )
        assert school.course.games(ada) == []
        school.course.resume()
        until(lambda: school.course.games(ada), PATIENCE, "a game")


def test_a_version_can_be_tested_again_while_it_plays(tmp_path: Path) -> None:
    """It leaves the ladder for that long; its games are not played in a folder that is rebuilt."""
    school = found(tmp_path / "c", plan=OURS.replace("pairs = 3", "pairs = 50"))
    ada = _ready(school, "Ada Lovelace", GOOD)
    version = school.course.version(ada, 1)
    place = school.course.folder / "versions" / version.folder
    (place / "files").mkdir()
    (place / "files" / "bot.py").write_bytes(b"x = 1\n")  # it has become worse
    with _driving(school.course):
        until(lambda: school.course.games(ada), PATIENCE, "a game")
        school.course.rerun(ada)
        until(lambda: school.course.version(ada, 1).state == "failed", PATIENCE, "the verdict")
    assert not any(each.forfeited for each in school.course.games(ada, limit=200))
    assert school.course.store.open_games() == []


def _idle_driver(course: Course) -> driver._Driver:
    """Return a driver that is asked what it would do, and does nothing."""
    made = driver._Driver(course, True, 1, threading.Event(), None)
    made.prepare()
    return made


def test_no_game_begins_in_a_folder_that_is_being_rebuilt(tmp_path: Path) -> None:
    """Regression: the list of current versions was older than the order to test one again."""
    school = found(tmp_path / "c", plan=PLAN.replace("rivals = []", 'rivals = ["random"]'))
    ada = _ready(school, "Ada Lovelace", GOOD)
    asked = _idle_driver(school.course)
    version = school.course.rerun(ada)  # after its last look at the file
    work = asked._next()
    assert work is not None
    assert (work.kind, work.number) == ("test", version.id)
    asked._running[work.kind, work.number] = work
    assert asked._next() is None
    school.course.store.test_again()  # whoever says so: it is under way
    assert asked._next() is None


def test_reviews_and_games_take_turns(tmp_path: Path) -> None:
    """Regression: with one worker, no game was played as long as anybody wanted a review."""
    school = found(tmp_path / "c", plan=OURS)
    _ready(school, "Ada Lovelace", GOOD)
    asked = _idle_driver(school.course)
    game = asked._next()
    assert game is not None
    assert game.kind == "game"
    assert school.course.store.finish(Finished(game.number, "1-0", None, 1, 0.1, "", "{}"))
    school.course.store.want_reviews([game.number])
    # Its review is never done, so both kinds are there all the time.
    kinds = [work.kind for work in (asked._next() for _ in range(4)) if work is not None]
    assert kinds == ["review", "game", "review", "game"]


@pytest.mark.slow
def test_without_a_sandbox_if_the_teacher_says_so(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan=OURS.replace("pairs = 3", "pairs = 1"))
    ada = hand_in(school, "Ada Lovelace", GOOD).student
    with _driving(school.course, sandbox=False):
        until(lambda: school.course.overview().resting, PATIENCE, "all have met")
    assert len(school.course.games(ada)) == 4


HARM = {
    "endless output": b"""
import sys
def choose(position):
    while True:
        sys.stdout.write("x" * 100000)
""",
    "fork bomb": b"""
import os, time
def choose(position):
    while True:
        try:
            if os.fork() == 0:
                time.sleep(100)
        except OSError:
            pass
""",
    "sleep": b"""
import time
def choose(position):
    time.sleep(1000)
""",
    "memory": b"""
def choose(position):
    hoard = []
    while True:
        hoard.append(bytearray(1 << 24))
""",
    "exit": b"""
import os
def choose(position):
    os._exit(0)
""",
}


@pytest.mark.slow
def test_those_who_mean_harm_lose_and_the_others_play_on(tmp_path: Path) -> None:
    """Every game of a hostile player ends with a reason, and good ones meet as if nothing were."""
    plan = PLAN.replace("pairs = 3", "pairs = 1") + "\nmemory = 128"
    names = [*HARM, "good", "fine"]
    school = found(tmp_path / "c", plan=plan, people="".join(f"{name}\n" for name in names))
    course = school.course
    ids = {name: _ready(school, name, HARM.get(name, GOOD)) for name in names}
    with _driving(course):
        until(lambda: course.overview().resting, 600, "all have met")
    good = course.games(ids["good"], limit=100)
    assert len(good) == 2 * (len(names) - 1)
    assert all(each.outcome == "won" for each in good if each.opponent in HARM)
    assert not any(each.forfeited for each in good if each.opponent == "fine")
    for name in HARM:
        lost = [each for each in course.games(ids[name], limit=100) if each.opponent == "good"]
        assert [each.outcome for each in lost] == ["lost", "lost"]
        assert all(each.forfeited and each.end for each in lost)
    assert course.notes() == []


@pytest.mark.slow
def test_thinking_in_the_opponents_time_gets_nobody_anywhere(tmp_path: Path) -> None:
    """A thread that goes on is halted with its player: it uses no processor meanwhile."""
    thinker = b"""
import threading, time
def think():
    while True:
        pass
threading.Thread(target=think, daemon=True).start()
last = None
def choose(position):
    global last
    if last is not None and time.process_time() - last > 0.1:
        raise RuntimeError("I thought in your time")
    last = time.process_time()
    return position.moves[0]
"""
    slow = (
        b"import time\ndef choose(position):\n    time.sleep(0.4)\n    return position.moves[-1]\n"
    )
    school = found(tmp_path / "c", plan=PLAN.replace("pairs = 3", "pairs = 1"))
    ada = _ready(school, "Ada Lovelace", thinker)
    _ready(school, "Carl Gauss", slow)
    with _driving(school.course):
        until(lambda: school.course.overview().resting, PATIENCE, "both games")
    assert [each.forfeited for each in school.course.games(ada)] == [False, False]


def test_lost_games_are_looked_at(tmp_path: Path) -> None:
    plan = OURS.replace("minimax:depth=1", "minimax:depth=9").replace("pairs = 3", "pairs = 20")
    school = found(tmp_path / "c", plan=plan)
    ada = _ready(school, "Ada Lovelace", GOOD)
    course = school.course

    def reviewed() -> bool:  # an opening may be lost, and then no move is a mistake
        return any(each.mistake and each.outcome == "lost" for each in course.games(ada))

    with _driving(course):
        until(reviewed, PATIENCE, "a review")
    game = next(each for each in course.games(ada) if each.mistake)
    assert game.reviewed
    assert game.mistake is not None
    assert game.mistake.startswith(f"your first mistake was move {game.mistake_ply + 1}: ")  # type: ignore[operator]
    assert " turned a " in game.mistake
    assert game.accuracy is not None
    assert course.version(ada, 1).judged > 0


@pytest.mark.slow
def test_the_final_tournament_is_the_same_twice(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan=OURS.replace("pairs = 3", "pairs = 1") + "\nrounds = 1")
    _ready(school, "Ada Lovelace", GOOD)
    course = school.course
    course.store.set_rivals(course.plan.rivals)
    tables = []
    for _ in range(2):
        course.start_final()
        with _driving(course):
            until(lambda: course.overview().state == "finished", PATIENCE, "the final")
        report = final_report(course.folder)
        assert report is not None
        assert report.complete
        tables.append([(row["id"], row["first"], row["opening"]) for row in report.games])
    assert tables[0] == tables[1]
    assert len(list(course.folder.glob("final-*.db"))) == 1
    course.resume()
    assert course.overview().state == "open"


def test_a_course_that_all_players_can_read_was_driven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "venv").mkdir()
    school = found(tmp_path / "venv" / "c", plan=PLAN)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    with pytest.raises(CourseError, match=r"lies in .*venv, which every player .* can read: move"):
        driver.run(school.course, nice=0)


def hang(job: Job) -> None:
    """Stands for a test that never ends."""
    (job.folder / "player").mkdir()
    sleep(600)
    raise AssertionError


def test_a_test_that_hangs_kept_its_worker_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "test_version", hang)
    monkeypatch.setattr(driver, "_LIMIT", 5.0)
    monkeypatch.setattr(driver, "_test_time", lambda job: 0.0)
    school = found(tmp_path / "c", plan=PLAN)
    ada = hand_in(school, "Ada Lovelace", GOOD).student
    course = school.course
    with _driving(course) as told:
        until(lambda: course.version(ada, 1).state == "failed", PATIENCE, "the end of the test")
        until(lambda: course.overview().resting, PATIENCE, "nothing more to do")
    version = course.version(ada, 1)
    assert version.told == "The server could not test it: it was not finished after 1 minute."
    assert sum(each.startswith("testing") for each in told) == 1  # it was not begun again
    (place,) = (course.folder / "versions").iterdir()
    assert not (place / "player").exists()


def test_no_final_with_one_player(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan=PLAN)
    with pytest.raises(CourseError, match="needs two players"):
        school.course.start_final()
