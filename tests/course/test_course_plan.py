"""course.toml: what it may say, and how everything else is refused."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mossa.course.plan import KEYS, CourseError, read_plan, template

ROOT = Path(__file__).parents[2]

GOOD = 'title = "T"\nboards = ["connect4"]\n'


def _read(folder: Path, text: str) -> object:
    (folder / "course.toml").write_text(text, encoding="utf-8")
    return read_plan(folder)


def test_a_new_course_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text('[[opponents]]\nplayer = "random"\ngame = "connect4"\n')
    (tmp_path / "course.toml").write_text(template('A "title" \\ of mine'), encoding="utf-8")
    plan = read_plan(tmp_path)
    assert plan.title == 'A "title" \\ of mine'
    assert plan.boards == ("connect:6x7x4",)
    assert plan.upload_limit == 10 << 20
    assert plan.rivals == ("random", "level:1")
    assert plan.suite == tmp_path / "suite.toml"
    assert plan.conditions().sandbox is not None
    assert plan.conditions(sandbox=False).sandbox is None


def test_a_course_of_boards_stands_for_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text('title = "T"\nboards = ["course-mnk"]\n')
    assert len(read_plan(tmp_path).boards) == 25


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("tme = 1.0", "unknown key 'tme': did you mean 'time'"),
        ('time = "1"', "time is '1': expected a number, 0.01 to 600"),
        ("time = true", "time is 'True': expected a number"),
        ("time = nan", "time is 'nan': expected a number"),
        ("time = -1", "time is '-1': expected a number"),
        ("memory = 512.5", "memory is '512.5': expected a whole number, 64 to 1048576"),
        ("ponder = 1", "ponder is '1': expected true or false"),
        ('languages = ["cobol"]', "expected a list of some of python, java"),
        ('languages = "python"', "expected a list of texts"),
        ('scoring = "golf"', "scoring is 'golf': expected one of chess"),
        ('closes = "soon"', "closes is 'soon': expected a date with a time"),
        ("closes = 2027-01-31", "expected a date with a time"),
        ("closes = 12:30:00", "expected a date with a time"),
        ('suite = "nowhere.toml"', "suite: there is no file"),
        ("pass = 1.5", "pass is '1.5': expected a number, 0 to 1"),
        ('rivals = ["nobody"]', "rivals: 'nobody': unknown player 'nobody'"),
        ('rivals = ["file.py:choose"]', "a rival is a player of mossa's own"),
        ('rivals = ["human"]', "rivals: 'human'"),
        ('address = "ftp://x"', "expected an address, such as https"),
        ('address = "http://x/#y"', "expected an address"),
        ("workers = 0", "workers is '0': expected a whole number, 1 to 1024"),
        ("upload_mb = 0", "upload_mb is '0': expected a number"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, reason: str) -> None:
    with pytest.raises(CourseError, match=re.escape(reason)) as caught:
        _read(tmp_path, GOOD + line + "\n")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('boards = ["connect4"]\n', "title is missing"),
        ('title = "T"\n', "boards is missing"),
        ('title = ""\nboards = ["connect4"]\n', "title is '': expected a text"),
        ('title = "a\\nb"\nboards = ["connect4"]\n', "expected a text on one line"),
        ('title = "T"\nboards = []\n', "expected at least one board"),
        ('title = "T"\nboards = ["chess"]\n', "boards: unknown game 'chess'"),
        ('title = "T"\nboards = ["game.py:Mine"]\n', "boards: "),
        ("title = \n", "not TOML"),
    ],
)
def test_what_must_be_there(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(CourseError, match=re.escape(reason)):
        _read(tmp_path, text)


def test_a_folder_without_it_is_no_course(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"is no course: it has no course\.toml"):
        read_plan(tmp_path)


def test_dates_have_a_zone_or_are_local(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text(GOOD + "closes = 2027-01-31T23:59:00+01:00\n")
    plan = read_plan(tmp_path)
    assert plan.closes == datetime(2027, 1, 31, 22, 59, tzinfo=UTC)
    assert not plan.is_closed(datetime(2027, 1, 31, 22, 58, 59, tzinfo=UTC))
    assert plan.is_closed(datetime(2027, 1, 31, 22, 59, tzinfo=UTC))
    (tmp_path / "course.toml").write_text(GOOD + "closes = 2027-01-31T23:59:00\n")
    local = read_plan(tmp_path).closes
    assert local is not None
    assert local.astimezone().replace(tzinfo=None) == datetime(2027, 1, 31, 23, 59)


def test_every_key_is_explained() -> None:
    page = (ROOT / "docs" / "courses.md").read_text(encoding="utf-8")
    for key in KEYS:
        assert re.search(rf"^(# )?{key} = ", template("T"), re.MULTILINE), key
        assert f"`{key}`" in page, key
