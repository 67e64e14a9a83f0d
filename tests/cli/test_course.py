"""``mossa course``: what a teacher types."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from command import call, run
from course_data import examined, found, hand_in

from mossa.course import Course
from mossa.course.store import Standing


def _made(tmp_path: Path) -> Path:
    folder = tmp_path / "c"
    assert run("course", "create", folder, "--title", "Search").returncode == 0
    return folder


def test_five_minutes_of_a_teacher(tmp_path: Path) -> None:
    folder = tmp_path / "c"
    created = run("course", "create", folder, "--title", "Search")
    assert created.returncode == 0
    link = created.stdout.split("Your link, shown this once: ")[1].splitlines()[0]
    with Course(folder) as course:
        visitor = course.who(link.partition("#")[2])
        assert visitor is not None
        assert visitor.is_teacher
    names = tmp_path / "class.csv"
    names.write_text("name,email\nAda,ada@x\nBob,bob@x\n")
    added = call("course", "students", str(folder), str(names))
    assert added.stderr == "2 students added\n"
    rows = list(csv.DictReader(io.StringIO(added.stdout)))
    assert [row["name"] for row in rows] == ["Ada", "Bob"]
    assert all("/course/me#" in row["link"] for row in rows)
    again = call("course", "students", str(folder), str(names))
    assert again.stderr == "0 students added, 2 were there already\n"
    assert again.stdout == ""
    shown = call("course", "status", str(folder)).stdout
    assert shown.splitlines()[:2] == [
        "Search: open; the driver is not running",
        "2 students, 0 versions to test, 0 games finished",
    ]
    assert "Ada" in shown
    assert "handed in nothing" in shown


def test_links_go_into_a_file_that_nobody_else_reads(tmp_path: Path) -> None:
    folder = _made(tmp_path)
    names, links = tmp_path / "class.csv", tmp_path / "links.csv"
    names.write_text("Ada\n")
    assert call("course", "students", str(folder), str(names), "--links", str(links)).stdout == ""
    assert links.stat().st_mode & 0o077 == 0
    first = links.read_text()
    call("course", "links", str(folder), "Ada", "--links", str(links))
    assert links.read_text() != first
    both = call("course", "links", str(folder), "--all", "--teacher").stdout
    assert [row["name"] for row in csv.DictReader(io.StringIO(both))] == ["Ada", "teacher"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["students", "{c}", "{c}/course.toml"], "nobody was added"),
        (["students", "{c}", "nowhere.csv"], "there is no file 'nowhere.csv'"),
        (["students", "nowhere", "{c}/course.toml"], "'nowhere' is no course"),
        (["links", "{c}"], "who needs a new link?"),
        (["links", "{c}", "Zeno"], "there is no student 'Zeno'"),
        (["disqualify", "{c}", "Zeno"], "there is no student 'Zeno'"),
        (["rerun", "{c}", "Zeno"], "there is no student 'Zeno'"),
        (["final", "{c}"], "a final tournament needs two players"),
        (["final", "{c}", "--show"], "there is no final tournament yet"),
        (["create", "{c}"], "exists, and is no empty folder"),
        (["create", "{c}/a/b"], "there is no such folder"),
        (["run", "{c}", "--sandbox", "maybe"], "invalid --sandbox 'maybe': expected on or off"),
        (["run", "{c}", "--workers", "2", "--cluster", "x"], "leave out one of them"),
        (["serve", "{c}", "--sandbox", "x"], "invalid --sandbox 'x'"),
        (["export", "{c}", "--csv", "{c}"], "it is a folder"),
    ],
)
def test_mistakes_are_one_line(tmp_path: Path, arguments: list[str], reason: str) -> None:
    folder = tmp_path / "c"
    Course.create(folder)[0].close()
    done = call("course", *(each.replace("{c}", str(folder)) for each in arguments))
    assert done.returncode == 2
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_ladder_and_what_the_teacher_does(tmp_path: Path) -> None:
    school = found(tmp_path / "c")
    ada = examined(school, hand_in(school, "Ada Lovelace"))
    school.course.store.set_standings([Standing(ada.id, 1, 12.4, 80.0, 10, 6, 1, 3, 0, 6.5)], [])
    folder = str(school.course.folder)
    shown = call("course", "status", folder).stdout
    assert "1  Ada Lovelace        1  +12 ± 80     10  +6 =1 -3" in shown
    assert call("course", "pause", folder).stdout == "the ladder is paused\n"
    assert school.course.is_paused
    assert call("course", "resume", folder).stdout == "the ladder goes on\n"
    assert not school.course.is_paused
    told = call("course", "disqualify", folder, "ada@example.org", "--reason", "copied").stdout
    assert told == "Ada Lovelace is disqualified: copied\n"
    assert "disqualified: copied" in call("course", "status", folder).stdout
    assert call("course", "disqualify", folder, "1", "--undo").stdout == "Ada Lovelace is back\n"
    assert call("course", "rerun", folder, "Ada Lovelace").stdout == (
        "version 1 of Ada Lovelace waits to be tested\n"
    )
    out, junit = tmp_path / "out.csv", tmp_path / "out.xml"
    call("course", "export", folder, "--csv", str(out), "--junit", str(junit))
    assert out.read_text().count("\n") == 4
    assert junit.read_text().startswith("<?xml")
    assert call("course", "export", folder).stdout == out.read_text()
