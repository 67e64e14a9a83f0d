"""Who takes part: lists of students as CSV, and the secrets in their links.

A secret is random and is shown once. The course keeps its digest only, so whoever reads the file of
a course can pretend to be nobody.
"""

from __future__ import annotations

import csv
import hashlib
import io
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from mossa.course.plan import CourseError
from mossa.errors import shorten
from mossa.quantities import counted

MOST_STUDENTS = 5000
"""Of one list."""

_LONGEST = 100  # characters of a name
_SHOWN = 5  # wrong lines that are named
_NAMES = ("name", "student", "nome", "studente")
"""What the first line begins with, if it says what the columns are."""


@dataclass(frozen=True)
class Person:
    """Somebody on a list."""

    name: str
    contact: str
    """An e-mail address or a number, if the list has one."""


@dataclass(frozen=True)
class Link:
    """What somebody opens to take part."""

    name: str
    contact: str
    link: str


def new_secret() -> str:
    """Return a secret that nobody can guess."""
    return secrets.token_urlsafe(18)


def digest(secret: str) -> str:
    """Return what is kept of a secret.

    A plain hash will do: the secrets have 144 random bits, so there is nothing to try out.
    """
    return hashlib.sha256(b"mossa course " + secret.encode("utf-8", "replace")).hexdigest()


def same(one: str, other: str) -> bool:
    """Compare two digests, in a time that tells nothing about them."""
    return secrets.compare_digest(one.encode(), other.encode())


def student_link(address: str, secret: str) -> str:
    """Return a student's link."""
    return f"{address}/course/me#{secret}"


def teacher_link(address: str, secret: str) -> str:
    """Return the teacher's link."""
    return f"{address}/course/teacher#{secret}"


def links_csv(links: Iterable[Link]) -> str:
    """Return links as CSV: name, contact, link."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["name", "contact", "link"])
    writer.writerows([inert(each.name), inert(each.contact), each.link] for each in links)
    return out.getvalue()


def inert(text: str) -> str:
    """Keep a spreadsheet from taking a name for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t")) else text


# ---------------------------------------------------------------- lists of students


def read_students(text: str, source: str = "the list") -> list[Person]:
    """Return the students of a CSV: a name on each line, and perhaps an address or a number.

    The columns are separated by commas, semicolons or tabs. Raise CourseError with the number of
    every wrong line.
    """
    text = text.removeprefix("\ufeff")
    try:
        rows = _rows(text)
    except csv.Error as error:
        raise CourseError(f"{source}: {error}") from None
    if rows and rows[0][1][0].strip().casefold() in _NAMES:
        rows = rows[1:]
    if not rows:
        raise CourseError(f"{source} has no students: expected a line NAME or NAME,EMAIL for each")
    if len(rows) > MOST_STUDENTS:
        raise CourseError(f"{source} has {len(rows):,} students; {MOST_STUDENTS:,} is the most")
    found: list[Person] = []
    wrong: list[str] = []
    seen: dict[tuple[str, str], int] = {}
    for line, cells in rows:
        person = Person(_clean(cells[0]), _clean(cells[1]) if len(cells) > 1 else "")
        if why := _fault(person, cells, seen):
            wrong.append(f"line {line}: {why}")
        seen.setdefault(_key(person), line)
        found.append(person)
    if wrong:
        more = len(wrong) - _SHOWN
        rest = f"; and {counted(more, 'wrong line')} more" if more > 0 else ""
        raise CourseError(f"{source}: {'; '.join(wrong[:_SHOWN])}{rest}; nobody was added")
    return found


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the rows of a CSV that have something in them, with their line numbers."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    mark = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    rows, before = [], 0
    for cells in reader:
        if any(cell.strip() for cell in cells):
            rows.append((before + 1, cells))
        before = reader.line_num
    return rows


def _clean(cell: str) -> str:
    return " ".join(cell.split(" ")).strip()


def _key(person: Person) -> tuple[str, str]:
    return person.name.casefold(), person.contact.casefold()


def _fault(person: Person, cells: list[str], seen: dict[tuple[str, str], int]) -> str | None:
    """Return what is wrong with a line; None if nothing is."""
    if not person.name:
        return "no name"
    if any(cell.strip() for cell in cells[2:]):
        return f"{len(cells)} columns; expected NAME or NAME,EMAIL"
    for text in (person.name, person.contact):
        if len(text) > _LONGEST:
            return f"{shorten(text, 20)} is longer than {_LONGEST} characters"
        if not text.isprintable():
            return f"{shorten(text)} has characters that cannot be printed"
    if _key(person) in seen:
        return f"{shorten(person.name)} is in line {seen[_key(person)]} already"
    return None
