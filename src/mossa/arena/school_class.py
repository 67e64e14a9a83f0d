"""Grades a whole class: every student's player against one suite, side by side.

Each student is graded in a worker process, and each player runs in a process of its own besides.
So whatever a player does costs only its own student the points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from html import escape
from statistics import fmean
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from mossa.arena.grade import (
    Graded,
    Suite,
    check_suite,
    grade,
    junit_suite,
    new_oracle,
    to_data,
    xml_safe,
    xml_text,
)
from mossa.arena.html import Html, document, table
from mossa.arena.oracle import Oracle
from mossa.arena.report import rows_to_csv
from mossa.arena.students import Entry, handed_in
from mossa.cluster import workers
from mossa.errors import GameError, raised
from mossa.protocols.process import kill_all, kill_orphans
from mossa.quantities import counted


@dataclass(frozen=True)
class Student:
    """How a student's player did."""

    name: str
    player: str
    """The player found; empty if there is none."""
    graded: tuple[Graded, ...] = ()
    problem: str = ""
    """Why the player could not be graded, or not to the end."""

    @property
    def passed(self) -> int:
        """How many exercises it passed."""
        return sum(each.passed for each in self.graded)

    @property
    def points(self) -> float:
        """What it got for them."""
        return sum(each.points for each in self.graded if each.passed)


Progress = Callable[[Student], object]
"""Called with every student graded, in the order they finish."""


def grade_class(
    handed: Sequence[Entry],
    suite: Suite,
    *,
    count: int | None = None,
    progress: Progress | None = None,
) -> list[Student]:
    """Grade the players of many students, ``count`` at a time, and return them in their order.

    Ctrl-C returns those that are finished. A suite that nobody could be graded on is refused first.
    """
    done: dict[int, Student] = {}
    try:
        check_suite(suite, new_oracle())
        with workers(count=count, at_exit=kill_all, at_end=kill_orphans) as (executor, _):
            waiting: dict[Future[Student], int] = {
                executor.submit(_grade_one, entry, suite): at for at, entry in enumerate(handed)
            }
            while waiting:
                finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in finished:
                    at = waiting.pop(future)
                    done[at] = _result(future, handed[at])
                    if progress is not None:
                        progress(done[at])
    except KeyboardInterrupt:
        pass
    return [done[at] for at in sorted(done)]


_oracles: dict[str, Oracle] = {}


def _grade_one(entry: Entry, suite: Suite) -> Student:
    """Grade one student, in a worker. What its player got before a failure of ours is kept."""
    spec, graded = "", list[Graded]()
    try:
        found = handed_in(entry.path)
        spec = found.spec
        oracle = _oracles.setdefault(suite.name, new_oracle())  # one for all of this worker
        player = found.player(sandbox=suite.conditions.sandbox is not None)
        graded += grade(player, suite, oracle)
    except GameError as error:
        return Student(entry.student, spec, tuple(graded), _one_line(str(error)))
    return Student(entry.student, spec, tuple(graded))


def _result(future: Future[Student], entry: Entry) -> Student:
    try:
        return future.result()
    except Exception as error:  # its worker died, or we have a bug: the others go on
        why = str(error) if isinstance(error, GameError) else raised(error)
        return Student(entry.student, "", problem=_one_line(f"could not be graded: {why}"))


def _one_line(text: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in " ".join(text.split()))


# ---------------------------------------------------------------- writing


def possible(suite: Suite) -> float:
    """Return the points a suite is worth."""
    return sum(each.points for each in suite.exercises)


def class_data(students: Sequence[Student], suite: Suite, total: int) -> dict[str, Any]:
    """Return the grades as plain data, for JSON; ``total`` is how many students there are."""
    return {
        "suite": suite.name,
        "possible": possible(suite),
        "complete": len(students) == total,
        "students": [
            {
                "student": each.name,
                "problem": each.problem or None,
                **to_data(each.player, suite, list(each.graded)),
            }
            for each in students
        ],
    }


def class_csv(students: Sequence[Student], suite: Suite) -> str:
    """Return a line for every student, with a column for the points of every exercise."""
    names = [f"{number} {each.name}" for number, each in enumerate(suite.exercises, 1)]
    rows = []
    for student in students:
        got = [_points(each.points if each.passed else 0) for each in student.graded]
        got += ["0"] * (len(names) - len(got))
        rows.append(
            {
                "student": _no_formula(student.name),
                "points": _points(student.points),
                "possible": _points(possible(suite)),
                "passed": student.passed,
                "exercises": len(names),
                "player": _no_formula(student.player),
                "problem": _no_formula(student.problem),
                **dict(zip(names, got, strict=True)),
            }
        )
    return rows_to_csv(rows)


def _no_formula(text: str) -> str:
    """Keep a spreadsheet from taking a student's text for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def class_junit(students: Sequence[Student], suite: Suite) -> str:
    """Return the grades as JUnit XML, with a test suite for every student."""
    root = ElementTree.Element("testsuites", name=xml_safe(suite.name))
    for student in students:
        one = junit_suite(student.name, f"{suite.name}: {student.name}", student.graded)
        if student.problem:
            place = xml_safe(f"{student.name}.player")
            case = ElementTree.SubElement(one, "testcase", classname=place, name="player", time="0")
            ElementTree.SubElement(case, "error", message=xml_safe(student.problem))
            one.set("tests", str(len(student.graded) + 1))
            one.set("errors", "1")
        root.append(one)
    return xml_text(root)


# ---------------------------------------------------------------- pages


def class_pages(students: Sequence[Student], suite: Suite) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of web pages: one for the class, and one per student."""
    yield "index.html", _index(students, suite)
    for student in students:
        yield f"{_file_name(student)}.html", _page(student, suite)


def _file_name(student: Student) -> str:
    """Return a name that no other page has: whoever is called index needs another."""
    return f"{student.name}_" if student.name.lower().rstrip("_") == "index" else student.name


def _index(students: Sequence[Student], suite: Suite) -> str:
    rows = [
        (
            Html(f'<a href="{quote(_file_name(each))}.html">{escape(each.name)}</a>'),
            _points(each.points),
            each.passed,
            Html(escape(each.problem)),
        )
        for each in students
    ]
    mean = f" The mean is {fmean(each.points for each in students):.3g}." if students else ""
    return document(
        suite.name,
        [
            f"<h1>{escape(suite.name)}</h1>",
            f"<p>{counted(len(students), 'student')}, "
            f"{counted(len(suite.exercises), 'exercise')}, {_points(possible(suite))} points.{mean}"
            "</p>",
            table(["student", "points", "passed", ""], rows, texts=True),
        ],
    )


def _page(student: Student, suite: Suite) -> str:
    rows = [
        (
            each.name,
            "passed" if each.passed else "failed",
            f"{_points(each.points if each.passed else 0)} of {_points(each.points)}",
            f"{each.seconds:.1f} s",
            each.detail,
        )
        for each in student.graded
    ]
    parts = [
        f"<h1>{escape(student.name)}</h1>",
        f"<p>{escape(suite.name)}: {_points(student.points)} of {_points(possible(suite))} points, "
        f"{student.passed} of {counted(len(suite.exercises), 'exercise')} passed.</p>",
    ]
    if student.player:
        parts.append(f"<p>Player: <code>{escape(student.player)}</code></p>")
    if student.problem:
        parts.append(f"<p class=warning>{escape(student.problem)}</p>")
    if rows:
        parts.append(table(["exercise", "", "points", "time", "what it did"], rows, texts=True))
    return document(f"{student.name}: {suite.name}", parts)


def _points(points: float) -> str:
    return f"{points:g}"
