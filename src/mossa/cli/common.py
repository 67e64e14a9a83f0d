"""What commands share: arguments that mean the same everywhere, errors, and progress."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Self

import typer
from rich.console import Console
from rich.live import Live
from rich.measure import Measurement
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.status import Status
from rich.table import Table
from rich.text import Text

from mossa._core import Position
from mossa.cli.ending import fail, stopped
from mossa.errors import shorten
from mossa.games import game
from mossa.players.clocks import MARGIN, MEMORY, START, Conditions
from mossa.sheets import Sheet

GAME_HELP = (
    "A preset such as connect4, or a name with sizes such as connect:6x7x4; see mossa games."
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

MoveTime = Annotated[
    float | None, typer.Option("--time", min=0.001, metavar="SECONDS", help="Seconds per move.")
]
ClockText = Annotated[
    str | None,
    typer.Option(
        "--clock", metavar="CLOCK", help="Seconds per game: 60, or 60+0.5 to add 0.5 a move."
    ),
]
Margin = Annotated[
    float | None,
    typer.Option(min=0, metavar="SECONDS", help=f"Grace for late moves (default {MARGIN:g} s)."),
]
StartTime = Annotated[
    float | None,
    typer.Option(
        "--start",
        min=0.01,
        metavar="SECONDS",
        help=f"Time to start up, off the clock (default {START:g} s).",
    ),
]
ProgramMemory = Annotated[
    int | None,
    typer.Option(
        "--memory",
        min=16,
        metavar="MB",
        help=f"Memory for each external program (default {MEMORY} MB).",
    ),
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


def conditions_of(
    time: float | None,
    clock: str | None,
    depth: int | None,
    nodes: int | None,
    margin: float | None,
    start: float | None,
    memory: int | None,
) -> Conditions:
    """Return what a match is played under."""
    return Conditions.of(
        time=time,
        clock=clock,
        depth=depth,
        nodes=nodes,
        margin=MARGIN if margin is None else margin,
        start=START if start is None else start,
        memory=MEMORY if memory is None else memory,
    )


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


def speed(count: int, seconds: float) -> str:
    """Return a time and the millions a second, in columns."""
    return f"{seconds:>9.3f} s {count / max(seconds, 1e-9) / 1e6:>9.1f} M/s"


def plain_table(sheet: Sheet) -> Table:
    """Return a sheet as a table without lines."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for at, name in enumerate(sheet.columns):
        words = at in sheet.words
        table.add_column(Text(name), justify="left" if words else "right", no_wrap=True)
    for row in sheet.rows:
        table.add_row(*map(Text, row))
    return table


def print_wide(console: Console, table: Table) -> None:
    """Print a table as wide as it is: a name that is cut or folded cannot be read, or copied."""
    wide = Measurement.get(console, console.options.update(width=10_000), table).maximum
    Console(width=max(wide, 1)).print(table)


def working(what: str) -> Status:
    """Return a sign of life on standard error, which only a person at a terminal sees."""
    return Console(stderr=True).status(f"{what} ...")


class Display:
    """A part of the terminal that is redrawn as work goes on, if anybody is watching."""

    def __init__(self, live: Live, shown: bool) -> None:
        """Take what is shown, and whether anybody sees it."""
        self.live = live
        self.shown = shown

    def __enter__(self) -> Self:
        """Begin to show it."""
        if self.shown:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Show it no longer."""
        if self.shown:
            self.live.stop()


def progress_bar(silent: bool, *, long: bool = False) -> Progress:
    """Return a bar on standard error, which only a person at a terminal needs.

    The bar of ``long`` work, of hours perhaps, says when it will end.
    """
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.fields[name]}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        *([TextColumn("ends in"), TimeRemainingColumn()] if long else []),
        TextColumn("{task.description}", markup=False),
        console=console,
        transient=True,
        speed_estimate_period=3600 if long else 30,
        disable=silent or not console.is_terminal,
    )


@contextmanager
def interruptible(bar: Progress, kept: Callable[[], str]) -> Iterator[None]:
    """Let Ctrl-C end work that has a progress bar, with a line about what was kept."""
    try:
        yield
    except KeyboardInterrupt:
        bar.stop()
        stopped(kept())
