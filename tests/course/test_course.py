"""A course as the pages and the command line see it; nothing is run here."""

from __future__ import annotations

import errno
import json
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from course_data import School, examined, found, hand_in

from mossa.arena.store import Finished
from mossa.course import (
    BusyError,
    ClosedError,
    Course,
    CourseError,
    FullError,
    UploadError,
    inbox,
    verdict,
)
from mossa.course.store import MOST_REVIEWS, RatingPoint, Standing, Version

PLAYER = b"def choose(position):\n    return position.moves[0]\n"


@pytest.fixture
def school(tmp_path: Path) -> School:
    return found(tmp_path / "course")


def _finished(number: int, result: str = "1-0", forfeit: str | None = None) -> Finished:
    record = {"game": "connect4", "moves": ["4", "1"], "opening": 2, "result": result}
    return Finished(number, result, forfeit, 2, 0.1, "four in a row", json.dumps(record))


def _two(school: School) -> list[Version]:
    """Put two students onto the ladder."""
    return [
        examined(school, hand_in(school, name, PLAYER)) for name in ("Ada Lovelace", "Carl Gauss")
    ]


# ---------------------------------------------------------------- beginning


def test_a_new_course_belongs_to_nobody_else(tmp_path: Path) -> None:
    course, link = Course.create(tmp_path / "c")
    assert course.plan.title == "c"
    assert (tmp_path / "c").stat().st_mode & 0o077 == 0
    visitor = course.who(link.partition("#")[2])
    assert visitor is not None
    assert visitor.is_teacher


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    with pytest.raises(CourseError, match="exists, and is no empty folder"):
        Course.create(tmp_path)
    assert (tmp_path / "mine").read_text() == "x"


def test_a_file_of_something_else_is_refused(school: School) -> None:
    path = school.course.store.path
    school.course.close()
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    path.write_text("hello, I am no database at all" * 100)
    with pytest.raises(CourseError, match="exists, but is not the file of a course"):
        Course(school.course.folder)
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE a (b)")
    with pytest.raises(CourseError, match="exists, but is not the file of a course"):
        Course(school.course.folder)


# ---------------------------------------------------------------- links


def test_a_secret_opens_one_door(school: School) -> None:
    for name, secret in school.secrets.items():
        visitor = school.course.who(secret)
        assert visitor is not None
        assert visitor.student == school.students[name]
    assert school.course.who(school.teacher) is not None
    for wrong in ("", "x", school.teacher[:-1], "\ud800"):
        assert school.course.who(wrong) is None


def test_secrets_are_nowhere_in_the_files(school: School) -> None:
    school.course.close()
    content = b"".join(
        path.read_bytes() for path in school.course.folder.rglob("*") if path.is_file()
    )
    for secret in (*school.secrets.values(), school.teacher):
        assert secret.encode() not in content


def test_a_new_link_ends_the_old_one(school: School) -> None:
    ada = school.students["Ada Lovelace"]
    (link,) = school.course.new_links([ada])
    assert school.course.who(school.secrets["Ada Lovelace"]) is None
    visitor = school.course.who(link.link.partition("#")[2])
    assert visitor is not None
    assert visitor.student == ada
    assert school.course.who(school.secrets["Carl Gauss"]) is not None


def test_a_list_with_a_wrong_line_adds_nobody(school: School) -> None:
    before = school.course.students()
    with pytest.raises(CourseError, match="line 2"):
        school.course.add_students("Dora\n,x\nEmmy\n")
    assert school.course.students() == before
    links, there = school.course.add_students("Carl Gauss\nEmmy\n")
    assert [each.name for each in links] == ["Emmy"]
    assert there == 1


def test_students_are_found_by_what_one_knows_of_them(school: School) -> None:
    ada = school.students["Ada Lovelace"]
    for text in ("Ada Lovelace", "ADA@example.org", str(ada.id)):
        assert school.course.student_named(text) == ada
    with pytest.raises(CourseError, match="there is no student 'Zeno'"):
        school.course.student_named("Zeno")
    school.course.add_students("Ada Lovelace,other@example.org\n")
    with pytest.raises(CourseError, match="2 students are called"):
        school.course.student_named("Ada Lovelace")


# ---------------------------------------------------------------- handing in


def test_a_version_replaces_the_last_one_when_it_has_passed(school: School) -> None:
    course, ada = school.course, school.students["Ada Lovelace"].id
    first = examined(school, hand_in(school, "Ada Lovelace", PLAYER))
    assert first.state == "current"
    second = hand_in(school, "Ada Lovelace", PLAYER)
    assert (second.number, second.state) == (2, "waiting")
    assert course.version(ada, 1).state == "current"
    examined(school, second, passed=False, told="It does not start.")
    assert [each.state for each in course.versions(ada)] == ["failed", "current"]
    examined(school, hand_in(school, "Ada Lovelace", PLAYER))
    assert [each.state for each in course.versions(ada)] == ["current", "failed", "replaced"]
    assert [each.number for each in course.store.current()] == [3]


def test_of_two_that_wait_the_newer_is_examined(school: School) -> None:
    ada = school.students["Ada Lovelace"].id
    hand_in(school, "Ada Lovelace", PLAYER)
    hand_in(school, "Ada Lovelace", PLAYER)
    assert [each.state for each in school.course.versions(ada)] == ["waiting", "skipped"]
    assert [each.number for each in school.course.store.untested()] == [2]


def test_a_newer_version_that_was_tested_sooner_stays(school: School) -> None:
    store = school.course.store
    old = hand_in(school, "Ada Lovelace", PLAYER)
    assert store.begin_test(old.id)
    examined(school, hand_in(school, "Ada Lovelace", PLAYER))
    assert store.end_test(old.id, passed=True, told="", spec="", log="", checks=[], grade=None)
    assert [each.number for each in store.current()] == [2]


def test_a_version_that_is_tested_again_is_not_skipped(school: School) -> None:
    """Regression: an upload skipped it, and if that failed, the student had nothing that played."""
    first = examined(school, hand_in(school, "Ada Lovelace", PLAYER))
    school.course.rerun(first.student)
    second = hand_in(school, "Ada Lovelace", PLAYER)
    assert [each.id for each in school.course.store.untested()] == [first.id, second.id]
    examined(school, second, passed=False)
    assert examined(school, first).state == "current"


def test_an_old_version_that_passes_again_is_not_said_to_play(school: School) -> None:
    """Regression: its page said that it was on the ladder, where a newer one was."""
    first = examined(school, hand_in(school, "Ada Lovelace", PLAYER))
    examined(school, hand_in(school, "Ada Lovelace", PLAYER))
    school.course.rerun(first.student, 1)
    again = examined(school, first)
    assert again.state == "replaced"
    assert again.told == "It passed its tests, but a newer version is on the ladder."


def test_what_cannot_be_taken_leaves_everything_as_it_was(school: School) -> None:
    examined(school, hand_in(school, "Ada Lovelace", PLAYER))
    ada = school.students["Ada Lovelace"].id
    with pytest.raises(UploadError, match="is not a zip"):
        hand_in(school, "Ada Lovelace", b"hello", "bot.zip")
    assert [each.state for each in school.course.versions(ada)] == ["current"]
    assert list((school.course.folder / "drafts").iterdir()) == []
    assert len(list((school.course.folder / "versions").iterdir())) == 1


def test_nothing_is_taken_after_the_closing_date(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan="closes = 2020-01-31T12:00:00+00:00")
    with pytest.raises(ClosedError, match="the course closed on 31 January 2020"):
        hand_in(school, "Ada Lovelace", PLAYER)
    assert school.course.overview().state == "closed"


def test_nothing_is_taken_once_the_final_is_wanted(school: School) -> None:
    """Regression: the page said so, but programs could still hand in."""
    _two(school)
    school.course.start_final()
    for state in ("wanted", "playing", "done"):
        school.course.store.set("final", state)
        with pytest.raises(ClosedError, match="the course is closed: nothing can be handed in"):
            hand_in(school, "Ada Lovelace", PLAYER)
    school.course.resume()
    assert hand_in(school, "Ada Lovelace", PLAYER).state == "waiting"


def test_nothing_is_taken_from_the_disqualified(school: School) -> None:
    ada = school.students["Ada Lovelace"].id
    examined(school, hand_in(school, "Ada Lovelace", PLAYER))
    school.course.disqualify(ada, "  copied\nall of it ")
    with pytest.raises(ClosedError, match="you are disqualified: copied all of it"):
        hand_in(school, "Ada Lovelace", PLAYER)
    assert school.course.store.current() == []
    school.course.readmit(ada)
    assert hand_in(school, "Ada Lovelace", PLAYER).number == 2


def test_one_file_at_a_time(school: School) -> None:
    ada, carl = school.students["Ada Lovelace"].id, school.students["Carl Gauss"].id
    with school.course.uploading(ada):
        with (
            pytest.raises(BusyError, match="you are handing in another file"),
            school.course.uploading(ada),
        ):
            pass
        with school.course.uploading(carl):
            pass
    with school.course.uploading(ada):
        pass


def test_a_day_has_a_limit(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan="uploads_a_day = 2")
    for _ in range(2):
        hand_in(school, "Ada Lovelace", PLAYER)
    with pytest.raises(BusyError, match="you handed in 2 versions within 24 hours"):
        hand_in(school, "Ada Lovelace", PLAYER)
    hand_in(school, "Carl Gauss", PLAYER)


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    school = found(tmp_path / "c", plan="upload_mb = 0.1")
    ada = school.students["Ada Lovelace"].id
    with pytest.raises(UploadError, match="the file is too large: 1,024 MB"):
        school.course.check_upload(ada, 1 << 30)


def test_a_full_disk_loses_nothing(school: School, monkeypatch: pytest.MonkeyPatch) -> None:
    examined(school, hand_in(school, "Ada Lovelace", PLAYER))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(inbox, "_sync", full)
    with pytest.raises(UploadError, match="the disk of the server is full"):
        hand_in(school, "Ada Lovelace", PLAYER)
    monkeypatch.undo()
    assert [each.number for each in school.course.store.current()] == [1]
    assert hand_in(school, "Ada Lovelace", PLAYER).number == 2


def test_nothing_is_taken_when_the_disk_is_almost_full(
    school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the last gigabyte was filled, and the file of the course needs it too."""
    ada = school.students["Ada Lovelace"].id
    left = inbox.ROOM
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=left))
    school.course.check_upload(ada)
    left -= 1
    with pytest.raises(FullError, match="the disk of the server is almost full, so nothing can"):
        school.course.check_upload(ada)


def test_many_threads_hand_in_at_once(school: School) -> None:
    school.course.add_students("".join(f"student {number}\n" for number in range(8)))
    everybody = school.course.students()
    failures: list[Exception] = []

    def work(student: int) -> None:
        try:
            with school.course.uploading(student) as folder:
                (folder / "upload").write_bytes(PLAYER)
                school.course.submit(student, folder / "upload", "bot.py")
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=[each.id]) for each in everybody]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert school.course.overview().waiting == len(everybody)


# ---------------------------------------------------------------- games


def test_a_game_is_finished_once(school: School) -> None:
    store = school.course.store
    ada, carl = _two(school)
    one, other = store.add_pair("connect:6x7x4", "4", ada.id, carl.id)
    assert (one.first, other.first) == (ada.id, carl.id)
    assert store.finish(_finished(one.id))
    assert not store.finish(_finished(one.id, "0-1"))
    assert [each.id for each in store.open_games()] == [other.id]
    (duel,) = store.duels()
    assert (duel.wins, duel.draws, duel.losses) == (1, 0, 0)
    assert store.count_finished() == 1


def test_a_game_that_could_not_be_played_counts_for_nobody(school: School) -> None:
    store = school.course.store
    ada, carl = _two(school)
    one, _ = store.add_pair("connect:6x7x4", "4", ada.id, carl.id)
    assert store.finish(_finished(one.id, "*"))
    assert store.duels() == []
    (played,) = school.course.games(ada.student)
    assert played.outcome == "not played"


def test_open_games_of_a_version_that_is_replaced_are_dropped(school: School) -> None:
    store = school.course.store
    ada, carl = _two(school)
    one, other = store.add_pair("connect:6x7x4", "4", ada.id, carl.id)
    store.finish(_finished(one.id))
    examined(school, hand_in(school, "Ada Lovelace", PLAYER))
    assert store.open_games() == []
    assert not store.finish(_finished(other.id))
    assert store.add_pair("connect:6x7x4", "4", ada.id, carl.id) == []
    new = store.current()[-1]
    again = store.add_pair("connect:6x7x4", "4", new.id, carl.id)
    assert min(each.id for each in again) > other.id  # no number is given twice


def test_both_players_see_the_same_game(school: School) -> None:
    store = school.course.store
    ada, carl = _two(school)
    one, _ = store.add_pair("connect:6x7x4", "4", ada.id, carl.id)
    store.finish(_finished(one.id))
    (won,), (lost,) = school.course.games(ada.student), school.course.games(carl.student)
    assert (won.outcome, won.side, won.opponent) == ("won", "first", "Carl Gauss")
    assert (lost.outcome, lost.side, lost.opponent) == ("lost", "second", "Ada Lovelace")
    # A lost game is put down for a review, a won one is not.
    assert [number for number, _ in store.wanted_reviews(5)] == [one.id]
    store.set_review(
        one.id,
        {
            "first": {"judged": 3, "kept": 3, "lost": 0.0},
            "second": {
                "judged": 2,
                "kept": 1,
                "lost": 2.0,
                "mistake": "your first mistake was move 2: 1 turned a draw into a loss",
                "ply": 1,
            },
        },
    )
    (lost,) = school.course.games(carl.student)
    assert lost.mistake is not None
    assert lost.mistake.startswith("your first mistake was move 2")
    assert (lost.mistake_ply, lost.accuracy, lost.reviewed) == (1, 0.5, True)
    assert store.version(carl.id).kept == 1  # type: ignore[union-attr]
    store.set_review(one.id, {"second": {"judged": 9, "kept": 9}})
    assert store.version(carl.id).judged == 2  # type: ignore[union-attr]
    (row,) = school.course.opponents(carl.student)
    assert (row.name, row.games, row.losses) == ("Ada Lovelace", 1, 1)


def test_games_come_in_pages(school: School) -> None:
    store = school.course.store
    ada, carl = _two(school)
    for _ in range(5):
        for game in store.add_pair("connect:6x7x4", "4", ada.id, carl.id):
            store.finish(_finished(game.id))
    first = school.course.games(ada.student, limit=4)
    assert [each.id for each in first] == [10, 9, 8, 7]
    assert [each.id for each in school.course.games(ada.student, limit=4, before=7)] == [6, 5, 4, 3]


# ---------------------------------------------------------------- the teacher


def test_a_page_cannot_order_any_number_of_reviews(school: School) -> None:
    """Regression: whoever paged through old games kept the driver busy with reviews."""
    store, (ada, carl) = school.course.store, _two(school)
    for _ in range(MOST_REVIEWS):
        for game in store.add_pair("connect4", "4 1", ada.id, carl.id):
            assert store.finish(_finished(game.id))  # each loses every other game
    for _ in range(2):
        school.course.games(ada.student, limit=2 * MOST_REVIEWS - 10)
        school.course.games(ada.student, limit=1000)
        assert len(store.wanted_reviews(1000)) == MOST_REVIEWS
        more = store.add_pair("connect4", "4 1", carl.id, ada.id)[0]
        assert store.finish(_finished(more.id))
    store.set_review(store.wanted_reviews(1)[0][0], {})
    school.course.games(ada.student)
    assert len(store.wanted_reviews(1000)) == MOST_REVIEWS
    school.course.games(carl.student, limit=1000)  # his are counted for him
    assert len(store.wanted_reviews(1000)) == 2 * MOST_REVIEWS


def test_curves_are_drawn_by_one_thread_at_a_time(
    school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: a thread ran through the curves while another one added to them."""
    course, (ada, carl) = school.course, _two(school)
    points = [(each.student, RatingPoint(1.0, each.id, 2, 0.0, 9.0)) for each in (ada, carl)]
    course.store.set_standings([], points)
    inside, most, guard = list[int](), list[int](), threading.Lock()
    history = course.store.history

    def watched(student: int) -> list[RatingPoint]:
        with guard:
            inside.append(student)
            most.append(len(inside))
        try:
            threading.Event().wait(0.02)  # long enough for another thread to come
            return history(student)
        finally:
            with guard:
                inside.remove(student)

    monkeypatch.setattr(course.store, "history", watched)
    threads = [threading.Thread(target=course.standings) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1, 1]  # and each of them once


def test_every_change_is_seen(school: School) -> None:
    course, seen = school.course, {school.course.changed()}
    for change in (
        course.pause,
        course.resume,
        lambda: course.disqualify(1, "why"),
        lambda: course.readmit(1),
        lambda: hand_in(school, "Ada Lovelace", PLAYER),
        lambda: course.add_students("Emmy\n"),
    ):
        change()
        assert course.changed() not in seen
        seen.add(course.changed())
    course.store.beat("plays 1 game")
    assert course.changed() in seen


def test_the_driver_is_alive_while_it_is_heard_of(school: School) -> None:
    assert school.course.overview().driver == "is not running"
    school.course.store.beat("plays 2 games")
    about = school.course.overview()
    assert (about.driver, about.alive) == ("plays 2 games", True)


def test_a_version_is_tested_again(school: School) -> None:
    ada = school.students["Ada Lovelace"].id
    with pytest.raises(CourseError, match="Ada Lovelace has no version to test"):
        school.course.rerun(ada)
    examined(school, hand_in(school, "Ada Lovelace", PLAYER))
    assert school.course.rerun(ada).state == "waiting"
    with pytest.raises(CourseError, match="version 1 waits to be tested already"):
        school.course.rerun(ada)


def test_a_version_that_is_being_tested_is_not_ordered_again(school: School) -> None:
    """Regression: two orders at once began a second test in the folder of the first."""
    version = hand_in(school, "Ada Lovelace", PLAYER)
    store = school.course.store
    assert not store.test_again(version.id)
    assert store.begin_test(version.id)
    assert not store.test_again(version.id)
    with pytest.raises(CourseError, match="version 1 is being tested already"):
        school.course.rerun(version.student)
    assert store.test_again()  # the driver that tested it is gone
    assert [each.id for each in store.untested()] == [version.id]


def test_a_final_needs_players(school: School) -> None:
    with pytest.raises(CourseError, match="needs two players"):
        school.course.start_final()
    for name in ("Ada Lovelace", "Carl Gauss"):
        examined(school, hand_in(school, name, PLAYER))
    school.course.start_final()
    assert school.course.overview().state == "final"


def test_exports_have_everybody(school: School) -> None:
    ada = examined(school, hand_in(school, "Ada Lovelace", PLAYER))
    examined(school, hand_in(school, "Blaise Pascal", PLAYER), passed=False, told="=It fails.")
    school.course.store.set_standings([Standing(ada.id, 1, 12.5, 80.0, 10, 6, 1, 3, 0, 6.5)], [])
    lines = school.course.export_csv().splitlines()
    assert lines[0].startswith("student,contact,versions,version,state")
    assert lines[1].startswith("Ada Lovelace,ada@example.org,1,1,is on the ladder")
    assert ",1,12.5,80.0,10,6,1,3,0," in lines[1]
    assert lines[2].endswith(",'=It fails.")
    assert ",handed in nothing," in lines[3]
    root = ElementTree.fromstring(school.course.export_junit())
    assert len(root) == 3
    assert [each.get("errors") for each in root] == ["0", "1", "1"]


def test_a_verdict_is_in_plain_words(school: School) -> None:
    version = hand_in(school, "Ada Lovelace", PLAYER)
    school.course.store.begin_test(version.id)
    school.course.store.end_test(
        version.id,
        passed=False,
        told="It does not start: no such file.",
        spec="",
        log="",
        checks=[
            {"name": "handshake", "passed": False, "detail": "no such file", "required": True},
            {"name": "quit", "passed": False, "detail": "still there", "required": False},
        ],
        grade=None,
    )
    assert verdict(school.course.version(version.student, 1)) == [
        "It does not start: no such file.",
        "Failed: handshake: no such file",
        "Note: quit: still there",
    ]


def test_a_hundred_students_are_no_trouble(tmp_path: Path) -> None:
    """No page needs a look through all games, however many there are."""
    school = found(tmp_path / "c", people="".join(f"student {n}\n" for n in range(100)))
    store = school.course.store
    ids = [each.id for each in school.course.students()]
    versions = [
        (student * 3 + number, student, number + 1, "current" if number == 2 else "replaced")
        for student in ids
        for number in range(3)
    ]
    record = json.dumps({"game": "connect4", "moves": ["4"] * 20, "opening": 2})
    with closing(sqlite3.connect(store.path)) as db, db:
        db.executemany(
            "INSERT INTO versions (id, student, number, file, folder, bytes, uploaded, state, "
            "changed, told) VALUES (?, ?, ?, 'f.py', 'f', 1, 0, ?, 0, '')",
            versions,
        )
        numbers = [version[0] for version in versions]
        db.executemany(
            "INSERT INTO games (id, pair, game, opening, first, second, result, end, finished, "
            "record) VALUES (?, ?, 'connect4', '', ?, ?, '1-0', '', 0, ?)",
            (
                (n, n // 2, numbers[n % 300], numbers[(n * 7 + 1) % 300], record)
                for n in range(1, 6001)
            ),
        )
    current = store.current()
    store.set_standings(
        [Standing(each.id, at, 0, 9, 9, 3, 3, 3, 0, 4) for at, each in enumerate(current, 1)],
        [(each.student, RatingPoint(n, each.id, n, n, 1)) for each in current for n in range(100)],
    )
    asked: list[str] = []
    store._db.set_trace_callback(asked.append)
    assert len(school.course.standings()) == 100
    assert school.course.overview().on_ladder == 100
    assert len(school.course.games(ids[50])) == 50
    school.course.opponents(ids[50])
    school.course.versions(ids[50])
    store._db.set_trace_callback(None)
    plans = {
        (query, row[3])
        for query in asked
        if query.startswith("SELECT")
        for row in store._db.execute(f"EXPLAIN QUERY PLAN {query}")
    }
    assert any("games_of_first" in step for _, step in plans)
    assert not [query for query, step in plans if step.startswith(("SCAN games", "SCAN duels"))]
