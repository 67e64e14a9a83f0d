"""``mossa grade``: a player, or a whole class, against a teacher's suite."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mossa.arena.grade import Suite, grade, read_suite, to_data, to_junit
from mossa.arena.school_class import (
    Student,
    class_csv,
    class_data,
    class_junit,
    class_pages,
    grade_class,
    possible,
)
from mossa.arena.students import entries
from mossa.cli.common import Json, check_folder, check_target
from mossa.cli.conditions import Sandboxed, sandbox_of
from mossa.cli.display import print_wide, progress_bar
from mossa.cli.ending import fail, stopped
from mossa.errors import shorten
from mossa.files import replace_file
from mossa.quantities import counted


def run(
    player: Annotated[
        str,
        typer.Argument(
            metavar="PLAYER",
            help="A spec, a program as ugi:./bot, Python as file.py:name; or a folder with a file "
            "or folder for each student.",
        ),
    ],
    suite_file: Annotated[
        Path, typer.Option("--suite", metavar="FILE", help="The exercises: a .toml file.")
    ],
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the grades as JUnit XML.")
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="For a class: write a CSV file with a line per student."),
    ] = None,
    pages: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="For a class: write a web page for every student."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=1024, metavar="N", help="Students to grade at once (default: one per core)."
        ),
    ] = None,
    sandbox: Sandboxed = "off",
    as_json: Json = False,
) -> None:
    """Grade a player, or a whole class, on positions to solve and opponents to beat.

    The exit code is 1 if a player fails any of them; for a class it is 0. Ctrl-C keeps the
    students graded so far.
    """
    check_target(junit)
    if _is_folder(player):
        check_target(csv)
        check_folder(pages, "pages")
        suite = _read(suite_file, sandbox)
        _grade_class(Path(player), suite, suite_file, junit, csv, pages, workers, as_json)
        return
    for option, value in (("--csv", csv), ("--pages", pages), ("--workers", workers)):
        if value is not None:
            fail(f"{option} is for a folder of students, and {shorten(player)} is not one")
    suite = _read(suite_file, sandbox)
    console = Console()
    graded = []
    for each in grade(player, suite):
        graded.append(each)
        if not as_json:
            mark = Text("ok    ", "green") if each.passed else Text("FAILED", "bold red")
            console.print(mark, Text(f"{each.name}: {each.detail}"), soft_wrap=True)
    if junit is not None:
        junit.write_text(to_junit(player, suite, graded), encoding="utf-8")
    data = to_data(player, suite, graded)
    if as_json:
        print(json.dumps(data, allow_nan=False))
    else:
        print(
            f"{data['points']:g} of {data['possible']:g} points, "
            f"{data['passed']} of {counted(data['total'], 'exercise')} passed"
        )
    if data["passed"] < data["total"]:
        sys.exit(1)


def _read(path: Path, sandbox: str) -> Suite:
    """Return the suite, whose conditions say whether players run in a sandbox."""
    limits = sandbox_of(sandbox)
    suite = read_suite(path)
    return replace(suite, conditions=replace(suite.conditions, sandbox=limits))


def _is_folder(given: str) -> bool:
    """Tell whether a folder is given: nothing at all is no folder, and no spec is one."""
    try:
        return bool(given.strip()) and Path(given).is_dir()
    except OSError:  # too long for a name
        return False


def _grade_class(
    folder: Path,
    suite: Suite,
    suite_file: Path,
    junit: Path | None,
    csv: Path | None,
    pages: Path | None,
    workers: int | None,
    as_json: bool,
) -> None:
    written = [path for path in (suite_file, junit, csv, pages) if path is not None]
    handed = entries(folder, but=written)
    if not handed:
        fail(f"nobody to grade in {shorten(str(folder))}: expected a file or folder per student")
    with progress_bar(as_json, long=True) as bar:
        task = bar.add_task("", total=len(handed), name=suite.name)
        students = grade_class(
            handed,
            suite,
            count=workers,
            progress=lambda student: bar.update(task, advance=1, description=student.name),
        )
    if csv is not None:
        replace_file(csv, class_csv(students, suite).encode())
    if junit is not None:
        replace_file(junit, class_junit(students, suite).encode())
    if pages is not None:
        pages.mkdir(exist_ok=True)
        for name, text in class_pages(students, suite):
            replace_file(pages / name, text.encode())
    if as_json:
        print(json.dumps(class_data(students, suite, len(handed)), allow_nan=False))
    else:
        _show(students, suite)
    if len(students) < len(handed):
        stopped(f"{len(students):,} of {counted(len(handed), 'student')} graded")


def _show(students: Sequence[Student], suite: Suite) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name, side in (("student", "left"), ("points", "right"), ("passed", "right")):
        table.add_column(name, justify="left" if side == "left" else "right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for each in students:
        table.add_row(
            Text(each.name),
            f"{each.points:g} of {possible(suite):g}",
            f"{each.passed} of {len(suite.exercises)}",
            Text(each.problem, "red"),
        )
    if students:
        print_wide(Console(), table)
