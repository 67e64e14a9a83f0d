"""``mossa new``: a folder to start from, with what it takes to build, test and play."""

from pathlib import Path
from typing import Annotated

import typer

from mossa.scaffold import LANGUAGES, first_steps, new_experiment, new_game, new_player

app = typer.Typer()

Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="The name of the folder: letters, digits, underscores."),
]


@app.callback()
def new() -> None:
    """Start a player, a game or an experiment: a folder with code, tests and a README."""


@app.command()
def player(
    name: Name,
    language: Annotated[
        str, typer.Option(metavar="LANGUAGE", help=f"One of {', '.join(LANGUAGES)}.")
    ] = "python",
) -> None:
    """Start a player, in any of several languages."""
    _tell(new_player(name, language))


@app.command()
def game(name: Name) -> None:
    """Start a game, in Python."""
    _tell(new_game(name))


@app.command()
def experiment(name: Name) -> None:
    """Start an experiment for mossa lab."""
    _tell(new_experiment(name))


def _tell(path: Path) -> None:
    print(f"{path} is ready; README.md in it says more. To begin:")
    for line in (f"cd {path}", *first_steps(path)):
        print(f"  {line}")
