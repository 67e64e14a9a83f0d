"""Lists of students and links."""

from __future__ import annotations

import csv
import io

import pytest

from mossa.course.people import (
    Link,
    Person,
    digest,
    links_csv,
    new_secret,
    read_students,
    same,
    student_link,
)
from mossa.course.plan import CourseError


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Ada\nBob\n", [Person("Ada", ""), Person("Bob", "")]),
        ("name,email\nAda,ada@x\n", [Person("Ada", "ada@x")]),
        ("Nome;Matricola\nAda;123\n", [Person("Ada", "123")]),
        ("\ufeffname\tid\r\nAda\t1\r\n", [Person("Ada", "1")]),
        (
            '"Lovelace, Ada",ada@x\n\n\nBob,\n',
            [Person("Lovelace, Ada", "ada@x"), Person("Bob", "")],
        ),
        ("Jos\u00e9 \u5f20\u4f1f\n", [Person("Jos\u00e9 \u5f20\u4f1f", "")]),
        ("Ada,a@x\nAda,b@x\n", [Person("Ada", "a@x"), Person("Ada", "b@x")]),
    ],
)
def test_lists_come_in_many_forms(text: str, people: list[Person]) -> None:
    assert read_students(text) == people


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "class.csv has no students"),
        ("name,email\n", "class.csv has no students"),
        ("Ada\n,x@y\n", "class.csv: line 2: no name; nobody was added"),
        ("Ada,a,b\n", "line 1: 3 columns; expected NAME or NAME,EMAIL"),
        ("Ada\nBob\nada\n", "line 3: 'ada' is in line 1 already"),
        ("name\n\nAda\n\nAda\n", "line 5: 'Ada' is in line 3 already"),
        ("x" * 101 + "\n", "is longer than 100 characters"),
        ("A\x07da\n", r"line 1: 'A\x07da' has characters that cannot be printed"),
        ('"Ada\n', "class.csv: unexpected end of data"),
        ("".join(",x\n" for _ in range(9)), "and 4 wrong lines more"),
    ],
)
def test_a_wrong_line_is_named(text: str, reason: str) -> None:
    with pytest.raises(CourseError) as caught:
        read_students(text, "class.csv")
    assert reason in str(caught.value)


def test_all_wrong_lines_are_named() -> None:
    with pytest.raises(CourseError) as caught:
        read_students("Ada\n,1\nBob\nAda\n")
    assert "line 2: no name; line 4: 'Ada' is in line 1 already" in str(caught.value)


def test_secrets_cannot_be_guessed_and_are_not_kept() -> None:
    one, other = new_secret(), new_secret()
    assert one != other
    assert len(one) >= 24
    assert one not in digest(one)
    assert same(digest(one), digest(one))
    assert not same(digest(one), digest(other))
    assert digest("\ud800")  # whatever somebody sends


def test_links_are_csv_without_formulas() -> None:
    text = links_csv([Link("=cmd()", "+1", student_link("https://x", "S"))])
    assert list(csv.reader(io.StringIO(text)))[1] == ["'=cmd()", "'+1", "https://x/course/me#S"]
