"""``mossa grade``: a player against a teacher's suite."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from mossa.arena.grade import grade, read_suite, to_data, to_junit
from mossa.cli.common import Json, check_target
from mossa.quantities import counted


def run(
    player: Annotated[
        str,
        typer.Argument(
            metavar="PLAYER", help="A spec, a program as ugi:./bot, or Python as file.py:name."
        ),
    ],
    suite_file: Annotated[
        Path, typer.Option("--suite", metavar="FILE", help="The exercises: a .toml file.")
    ],
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the grades as JUnit XML.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Grade a player on a suite of positions to solve and opponents to beat.

    The exit code is 1 if it fails any of them.
    """
    check_target(junit)
    suite = read_suite(suite_file)
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
