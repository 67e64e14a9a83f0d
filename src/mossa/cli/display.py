"""What commands show on a terminal: tables, and how far the work is.

Apart from the arguments they share: not every command has something to show, and it takes a while
to load.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

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

from mossa.cli.ending import stopped
from mossa.sheets import Sheet


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
