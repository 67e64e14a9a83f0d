"""``mossa course``: a class hands in players, which are tested and play each other all the time."""

import json
import os
import sys
import threading
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from mossa.arena.report import rows_to_csv
from mossa.arena.words import report_parts
from mossa.cli.common import Cluster, Json, check_target
from mossa.cli.display import plain_table, print_wide
from mossa.cli.ending import fail, stopped
from mossa.course import STATES, Course, CourseError, Link, Overview, Row, Student, Version
from mossa.course.driver import NICE
from mossa.course.driver import run as drive
from mossa.course.final import final_report
from mossa.course.people import links_csv
from mossa.errors import how_to_install, shorten
from mossa.files import read_text, replace_file
from mossa.quantities import counted
from mossa.sandbox import check_sandbox
from mossa.sheets import Sheet

app = typer.Typer()

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the course.")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, max=1024, metavar="N", help="Games at once (default: course.toml)."),
]
Confined = Annotated[
    str,
    typer.Option(
        "--sandbox",
        metavar="on|off",
        help="off runs the programs of students without a sandbox: only for those you trust.",
    ),
]
Who = Annotated[
    str, typer.Argument(metavar="STUDENT", help="A name, e-mail address or number of the list.")
]
LinksFile = Annotated[
    Path | None, typer.Option("--links", metavar="FILE", help="Write the links to a CSV file.")
]


@app.callback()
def course() -> None:
    """Let a class hand in players, and watch them compete on a ladder."""


@app.command()
def create(
    folder: Folder,
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What the course is called.")
    ] = None,
) -> None:
    """Begin a course: write FOLDER with course.toml, which explains itself, and a suite."""
    made, link = Course.create(folder, title)
    with made:
        print(f"{made.plan.title}: {folder}/course.toml says what is played; edit it first.")
        print(f"Your link, shown this once: {link}")
        print(f"Next: mossa course students {folder} class.csv, then mossa course serve {folder}")


@app.command()
def students(
    folder: Folder,
    path: Annotated[
        Path, typer.Argument(metavar="FILE.csv", help="A line NAME or NAME,EMAIL per student.")
    ],
    links: LinksFile = None,
) -> None:
    """Add students from a CSV file, and print a personal link for each new one.

    Students who are there already stay as they are. A wrong line is named, and nobody is added.
    """
    check_target(links)
    if not path.is_file():
        fail(f"there is no file {shorten(str(path))}")
    text = read_text(path)
    with Course(folder) as opened:
        fresh, there = opened.add_students(text, str(path))
        _give(fresh, links)
        told = f"{counted(len(fresh), 'student')} added"
        print(f"{told}, {there:,} were there already" if there else told, file=sys.stderr)


@app.command()
def links(
    folder: Folder,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[STUDENT]...", help="Who needs a new link.")
    ] = None,
    everybody: Annotated[bool, typer.Option("--all", help="All students do.")] = False,
    teacher: Annotated[bool, typer.Option("--teacher", help="The teacher does.")] = False,
    path: LinksFile = None,
) -> None:
    """Issue new links; the old ones of the same people stop working."""
    check_target(path)
    with Course(folder) as opened:
        if not (names or everybody or teacher):
            fail("who needs a new link? give students, --all or --teacher")
        wanted = opened.students() if everybody else [*map(opened.student_named, names or [])]
        fresh = opened.new_links(wanted)
        if teacher:
            fresh.append(Link("teacher", "", opened.new_teacher_link()))
        _give(fresh, path)


def _give(fresh: list[Link], path: Path | None) -> None:
    """Print links, or write them to a file that nobody else may read."""
    if path is None:
        if fresh:
            print(links_csv(fresh), end="")
        return
    if not path.exists():
        path.touch(0o600)
    replace_file(path, links_csv(fresh).encode())


@app.command()
def serve(
    folder: Folder,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65_535, help="8000, or the next free one. 0: any free one."),
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    sandbox: Confined = "on",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no window.")] = False,
) -> None:
    """Serve the pages of a course and play its ladder, until Ctrl-C."""
    _check_workers(workers, cluster)
    confined = _check_sandbox(sandbox)
    Course(folder).close()
    given = [f"--sandbox={sandbox}"]
    given += [f"--workers={workers}"] if workers is not None else []
    given += [f"--cluster={cluster}"] if cluster is not None else []
    if not confined:
        print("mossa: no sandbox: programs of students can do what you can", file=sys.stderr)
    try:
        from mossa.web.course_server import serve as serve_pages

        serve_pages(folder, host, port, browser=not no_browser, driver_args=given)
    except ModuleNotFoundError as missing:
        fail(f"the pages need {missing.name}: {how_to_install('web')}")
    except KeyboardInterrupt:
        stopped("finished games are kept")


@app.command()
def run(
    folder: Folder,
    workers: Workers = None,
    cluster: Cluster = None,
    sandbox: Confined = "on",
    nice: Annotated[
        int, typer.Option(min=0, max=19, help="How far to stand back behind other programs.")
    ] = NICE,
    with_parent: Annotated[
        bool,
        typer.Option("--with-parent", help="End when standard input does: for other programs."),
    ] = False,
) -> None:
    """Test versions and play the ladder without pages, until Ctrl-C."""
    _check_workers(workers, cluster)
    confined = _check_sandbox(sandbox)
    stop = threading.Event()
    if with_parent:
        threading.Thread(target=_await_parent, args=[stop], daemon=True).start()
    with Course(folder) as opened:
        try:
            drive(
                opened,
                sandbox=confined,
                cluster=cluster,
                count=workers,
                nice=nice,
                stop=stop,
                report=lambda text: print(text, flush=True),
            )
        except KeyboardInterrupt:
            stopped("finished games are kept")


def _await_parent(stop: threading.Event) -> None:
    """Wait for the end of standard input, which the parent's death brings about."""
    while os.read(0, 1 << 12):
        pass
    stop.set()


@app.command()
def status(folder: Folder, as_json: Json = False) -> None:
    """Show the ladder, and what is going on."""
    with Course(folder) as opened:
        about = opened.overview()
        rows = opened.standings()
        others = _others(opened, {row.student for row in rows})
        notes = opened.notes(5)
    if as_json:
        print(json.dumps(_data(about, rows, others), allow_nan=False))
        return
    print(f"{about.title}: {about.state}; the driver {about.driver}")
    print(
        f"{counted(about.students, 'student')}, {counted(about.waiting, 'version')} to test, "
        f"{counted(about.games, 'game')} finished"
    )
    cells = tuple(
        (
            str(row.rank),
            row.name,
            str(row.version),
            f"{row.elo:+.0f} ± {row.error:.0f}",
            f"{row.games:,}",
            f"+{row.wins} ={row.draws} -{row.losses}",
        )
        for row in rows
    )
    if cells:
        columns = ("", "player", "version", "Elo", "games", "results")
        print_wide(Console(), plain_table(Sheet(columns, cells, words=frozenset({1}))))
    for student, version in others:
        print(f"{student.name}: {_why(student, version)}")
    for _, text in notes:
        print(f"note: {text}")


def _others(opened: Course, shown: set[int]) -> list[tuple[Student, Version | None]]:
    """Return the students who are not on the ladder, each with the last version."""
    return [
        (student, next(iter(opened.versions(student.id)), None))
        for student in opened.students()
        if student.id not in shown
    ]


def _why(student: Student, version: Version | None) -> str:
    """Say why a student is not on the ladder."""
    if student.disqualified is not None:
        return f"disqualified: {student.disqualified}"
    if version is None:
        return "handed in nothing"
    return f"version {version.number}: {version.told}"


def _data(
    about: Overview, rows: list[Row], others: list[tuple[Student, Version | None]]
) -> dict[str, Any]:
    keys = ["title", "state", "boards", "closes", "students", "waiting", "games"]
    keys += ["driver", "alive", "resting"]
    numbers = ("rank", "version", "elo", "error", "games", "wins", "draws", "losses", "forfeits")
    return {
        **{key: getattr(about, key) for key in keys},
        "ladder": [
            {
                "player": row.name,
                "rival": row.is_rival,
                "points": row.points,
                **{key: getattr(row, key) for key in numbers},
            }
            for row in rows
        ],
        "others": [
            {
                "student": student.name,
                "version": None if version is None else version.number,
                "state": "" if version is None else version.state,
                "told": "" if version is None else version.told,
                "disqualified": student.disqualified,
            }
            for student, version in others
        ],
    }


@app.command()
def pause(folder: Folder) -> None:
    """Let the ladder rest; versions are still tested."""
    with Course(folder) as opened:
        opened.pause()
    print("the ladder is paused")


@app.command()
def resume(folder: Folder) -> None:
    """Let the ladder go on."""
    with Course(folder) as opened:
        opened.resume()
    print("the ladder goes on")


@app.command()
def disqualify(
    folder: Folder,
    student: Who,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="What the student is told.")
    ] = "the teacher decided so",
    undo: Annotated[bool, typer.Option("--undo", help="Let the student back.")] = False,
) -> None:
    """Take a student off the ladder; nothing is deleted."""
    with Course(folder) as opened:
        who = opened.student_named(student)
        if undo:
            opened.readmit(who.id)
            print(f"{who.name} is back")
        else:
            opened.disqualify(who.id, reason)
            print(f"{who.name} is disqualified: {reason}")


@app.command()
def rerun(
    folder: Folder,
    student: Who,
    version: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Which version (default: the last).")
    ] = None,
) -> None:
    """Test a version again, for example after a change of the suite."""
    with Course(folder) as opened:
        who = opened.student_named(student)
        again = opened.rerun(who.id, version)
        print(f"version {again.number} of {who.name} {STATES[again.state]}")


@app.command()
def final(
    folder: Folder,
    show: Annotated[bool, typer.Option("--show", help="Only show how it stands.")] = False,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the standings as CSV.")
    ] = None,
) -> None:
    """Play the final tournament between all current versions, with fixed seeds.

    The driver that runs plays it; mossa course serve and mossa course run are such. The ladder
    stands still until it is over, and goes on with mossa course resume.
    """
    check_target(csv)
    with Course(folder) as opened:
        if not show:
            opened.start_final()
            alive = opened.overview().alive
            where = "begins it now" if alive else f"is not running: mossa course run {folder}"
            print(f"the final tournament is wanted; the driver {where}")
        report = final_report(opened.folder)
    if report is None:
        if show:
            raise CourseError("there is no final tournament yet: mossa course final begins one")
        return
    if csv is not None:
        replace_file(csv, rows_to_csv(report.standings).encode())
    for part in report_parts(report):
        if isinstance(part, Sheet):
            print_wide(Console(), plain_table(part))
        else:
            print(part.text)


@app.command()
def export(
    folder: Folder,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="A line per student.")] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The exercises as JUnit XML.")
    ] = None,
) -> None:
    """Write grades and ratings: CSV to standard output, or to files."""
    check_target(csv)
    check_target(junit)
    with Course(folder) as opened:
        text = opened.export_csv()
        if csv is not None:
            replace_file(csv, text.encode())
        if junit is not None:
            replace_file(junit, opened.export_junit().encode())
        if csv is None and junit is None:
            print(text, end="")


def _check_sandbox(sandbox: str) -> bool:
    if sandbox not in ("on", "off"):
        fail(f"invalid --sandbox {shorten(sandbox)}: expected on or off")
    if sandbox == "on":
        check_sandbox()
    return sandbox == "on"


def _check_workers(workers: int | None, cluster: str | None) -> None:
    if workers is not None and cluster is not None:
        fail("--workers is for this machine, --cluster for others: leave out one of them")
