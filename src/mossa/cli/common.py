"""What commands share: arguments that mean the same everywhere, and what is refused alike."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from mossa._core import Position
from mossa.cli.ending import fail
from mossa.errors import shorten
from mossa.games import game

GAME_HELP = (
    "A preset such as connect4, or a name with sizes such as connect:6x7x4; see mossa games. "
    "A game of your own is file.py:Name."
)
MOVES_HELP = "Moves from the start: 4453, '4 4 5 3' or 'h8 i9'."

GameName = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)]
Moves = Annotated[str, typer.Argument(metavar="MOVES", help=MOVES_HELP, show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Board = Annotated[
    str,
    typer.Option(
        help="The board to start from, as mossa show --json prints it (text).", metavar="TEXT"
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the file if it exists.")]
Searcher = Annotated[
    str, typer.Option("--player", metavar="PLAYER", help="The player that searches.")
]
Depth = Annotated[
    int | None, typer.Option(min=1, max=10_000, metavar="N", help="Plies to look ahead.")
]
Cores = Annotated[
    int | None,
    typer.Option("--threads", min=1, max=256, metavar="N", help="Cores to use; 1 by default."),
]
Memory = Annotated[int, typer.Option(min=1, metavar="MB", help="Memory for the table.")]
Nodes = Annotated[
    int | None, typer.Option(min=1, max=10**18, metavar="N", help="Positions to search.")
]

Output = Annotated[
    Path | None,
    typer.Option(
        "--output", metavar="FILE", help="The file to write; named after the game by default."
    ),
]
MaxMegabytes = Annotated[
    float, typer.Option("--max-mb", min=0.001, metavar="MB", help="The largest file allowed.")
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Run on a Dask cluster, such as tcp://host:8786."),
]


OwnGame = Annotated[
    str | None,
    typer.Option(
        "--rules", metavar="FILE.py:NAME", help="The game in Python that the records are of."
    ),
]


def set_up(game_name: str, moves: str, board: str) -> Position:
    """Return the position after these moves from a board text, or from the start without one."""
    rules = game(game_name)
    return (rules.from_text(board) if board else rules.start()).after(moves)


def check_target(path: Path | None) -> None:
    """Refuse a file that cannot be written, before the work that is to go into it."""
    if path is None:
        return
    if path.is_dir():
        fail(f"cannot write {shorten(str(path))}: it is a folder")
    if not path.absolute().parent.is_dir():
        fail(f"cannot write {shorten(str(path))}: there is no such folder")


def check_folder(path: Path | None, what: str) -> None:
    """Refuse a folder that cannot be written, before the work that is to go into it."""
    if path is None:
        return
    if path.exists() and not path.is_dir():
        fail(f"cannot write {what} to {shorten(str(path))}: it is a file, not a folder")
    if not path.absolute().parent.is_dir():
        fail(f"cannot write {what} to {shorten(str(path))}: there is no folder to make it in")


def check_new(path: Path, force: bool) -> None:
    """Refuse to write over a file, except by force."""
    check_target(path)
    if path.exists() and not force:
        fail(f"{path} exists; --force replaces it")


def not_with(given: Mapping[str, object], other: str) -> None:
    """Refuse options that would have no effect: their user expects one."""
    for option, value in given.items():
        if value is not None and value is not False:
            fail(f"{option} has no effect with {other}: leave out one of them")


def not_without(given: Mapping[str, object], other: str) -> None:
    """Refuse options that have an effect only with another one."""
    for option, value in given.items():
        if value is not None and value is not False:
            fail(f"{option} goes with {other}")


def speed(count: int, seconds: float) -> str:
    """Return a time and the millions a second, in columns."""
    return f"{seconds:>9.3f} s {count / max(seconds, 1e-9) / 1e6:>9.1f} M/s"
