"""A course with people, versions and games in it, for tests of its pages; nothing is played."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mossa.arena.store import Finished
from mossa.course import Course, Student, Version
from mossa.course.store import RatingPoint, Standing

PEOPLE = (
    "name,contact\nAda Lovelace,ada@example.org\nBlaise Pascal,blaise@example.org\nCarl Gauss\n"
)
BOT = b"def choose(position):\n    return position.moves[0]\n"


@dataclass
class School:
    """A course and the secrets of its people."""

    course: Course
    teacher: str
    students: dict[str, Student]
    secrets: dict[str, str]


def found(folder: Path, *, plan: str = "", people: str = PEOPLE) -> School:
    """Begin a course; ``plan`` is added to what its file says."""
    course, teacher = Course.create(folder, "Adversarial search 2027")
    if plan:
        about = folder / "course.toml"
        keys = {line.partition("=")[0].strip() for line in plan.splitlines() if "=" in line}
        kept = [
            line
            for line in about.read_text("utf-8").splitlines()
            if line.partition("=")[0].strip() not in keys
        ]
        about.write_text("\n".join([*kept, plan, ""]), encoding="utf-8")
        course.close()
        course = Course(folder)
    links, _ = course.add_students(people)
    secrets = {each.name: each.link.partition("#")[2] for each in links}
    students = {each.name: each for each in course.students()}
    return School(course, teacher.partition("#")[2], students, secrets)


def hand_in(school: School, name: str, content: bytes = BOT, file: str = "bot.py") -> Version:
    """Hand in a version, as the pages do."""
    student = school.students[name].id
    with school.course.uploading(student) as folder:
        upload = folder / "upload"
        upload.write_bytes(content)
        return school.course.submit(student, upload, file)


def examined(
    school: School,
    version: Version,
    *,
    passed: bool = True,
    told: str = "",
    log: str = "",
    missed: Sequence[str] = (),
    points: float = 3.0,
) -> Version:
    """Let a version have been tested."""
    store = school.course.store
    assert store.begin_test(version.id)
    checks = [_check("starts", "It starts within 10 s.", passed=True)]
    checks += [_check("legal moves", detail, passed=False) for detail in missed]
    exercises = [
        {"name": name, "kind": "position", "passed": at < points, "detail": detail,
         "points": 1.0, "possible": 1.0, "seconds": 0.1}
        for at, (name, detail) in enumerate(
            [("win at once", "played 4"), ("stop three in a row", "played 4"),
             ("beat random", "4 of 4 points"), ("double threat", "played 1; right: 4")]
        )
    ]  # fmt: skip
    grade = {"points": points, "possible": 4.0, "passed": 3, "total": 4, "exercises": exercises}
    assert store.end_test(
        version.id,
        passed=passed,
        told=told or ("It is on the ladder." if passed else "It was not accepted."),
        spec="",
        log=log,
        checks=checks,
        grade=grade if passed else None,
    )
    return school.course.version(version.student, version.number)


def _check(name: str, detail: str, *, passed: bool) -> dict[str, object]:
    return {"name": name, "passed": passed, "detail": detail, "required": True}


def play(school: School, first: Version, second: Version, *, result: str = "1-0") -> int:
    """Let a pair of games have been played, the first with this result; return its number."""
    pair = school.course.store.add_pair("connect4", "4", first.id, second.id)
    for game, came in zip(pair, (result, "1-0"), strict=True):
        moves = (
            ["4", "1", "4", "1", "4", "1", "4"]
            if came == "1-0"
            else ["4", "1", "4", "1", "3", "1", "3", "1"]
        )
        record = {"game": "connect4", "moves": moves, "opening": 1, "result": came}
        end = f"four in a row for {'first' if came == '1-0' else 'second'}"
        done = Finished(game.id, came, None, len(moves), 0.5, end, json.dumps(record))
        assert school.course.store.finish(done)
    return pair[0].id


def review(school: School, game: int, side: str, mistake: str, ply: int) -> None:
    """Let a game have been reviewed."""
    about = {"judged": 4, "kept": 3, "lost": 1.0, "mistake": mistake, "ply": ply}
    school.course.store.set_review(game, {side: about})


def rank(school: School, versions: Sequence[Version], *, points: int = 12) -> None:
    """Let the ladder be like this, best first, with a history."""
    rows = [
        Standing(each.id, at + 1, 120.0 - 60 * at, 25.0 + 3 * at, 40, 24 - at, 4, 12 + at, 0, 26.0)
        for at, each in enumerate(versions)
    ]
    history = [
        (each.student, RatingPoint(1.8e9 + 60 * step, each.id, 4 * step + 2, *_rating(at, step)))
        for at, each in enumerate(versions)
        for step in range(points)
    ]
    school.course.store.set_standings(rows, history)


def _rating(place: int, step: int) -> tuple[float, float]:
    return 120.0 - 60 * place - 80 / (step + 1) + 9 * (step % 3), 25 + 90 / (step + 1)


def lively(folder: Path) -> School:
    """Return a course in which something of everything has happened."""
    school = found(folder, plan="closes = 2035-01-31T23:59:00+00:00\nrivals = []")
    ada_old = examined(school, hand_in(school, "Ada Lovelace"), points=2.0)
    ada = examined(school, hand_in(school, "Ada Lovelace", file="player.zip.py"))
    blaise = examined(school, hand_in(school, "Blaise Pascal"), points=2.0)
    refused = hand_in(school, "Blaise Pascal", b"int main(void) { retrun 0; }", "bot.c")
    log = "bot.c: In function 'main':\nbot.c:1:18: error: 'retrun' undeclared\n"
    examined(school, refused, passed=False, told="It does not compile.", log=log,
         missed=["It answered move 9, which is not a column."])  # fmt: skip
    hand_in(school, "Carl Gauss")
    lost = play(school, ada, blaise, result="0-1")
    review(
        school,
        lost,
        "first",
        "your first mistake was move 5: 3 turned a win into a loss; 4 was better",
        4,
    )
    play(school, ada, blaise)
    play(school, blaise, ada, result="1/2")
    rank(school, [ada, blaise])
    school.course.store.note("Blaise Pascal's version 2 was not accepted: it does not compile")
    assert ada_old.number == 1
    return school
