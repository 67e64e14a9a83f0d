"""The ``mossa`` command: read the arguments, call the package, show the result.

An error that the user can fix is one line on standard error and exit code 2. Ctrl-C ends every
command with one line that says what was kept, and exit code 130.
"""

import signal
import sys
import threading
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mossa.cli import (
    analyse,
    bench,
    book,
    check_certificate,
    check_player,
    convert,
    engine,
    export,
    games,
    grade,
    lab,
    match,
    net,
    perft,
    play,
    players,
    review,
    show,
    solve,
    tables,
    tournament,
    trace,
    train,
    web,
)
from mossa.cli.common import INTERRUPTED, fail, stopped
from mossa.cli.usage import UsageError, explain
from mossa.errors import GameError, shorten

__all__ = ["app", "main"]

# A new command: one function in a module of its own, and one entry here; --help keeps the order.
# The parameters of the function are the arguments of the command, its docstring is the help. A
# command that has commands of its own is a Typer instead.
COMMANDS: dict[str, Callable[..., None] | typer.Typer] = {
    "play": play.run,
    "web": web.run,
    "show": show.run,
    "games": games.run,
    "players": players.run,
    "convert": convert.run,
    "analyse": analyse.run,
    "solve": solve.run,
    "check-certificate": check_certificate.run,
    "book": book.app,
    "tables": tables.app,
    "review": review.run,
    "trace": trace.run,
    "perft": perft.run,
    "bench": bench.run,
    "lab": lab.run,
    "match": match.run,
    "check-player": check_player.run,
    "grade": grade.run,
    "tournament": tournament.app,
    "train": train.app,
    "net": net.app,
    "engine": engine.app,
    "export": export.app,
}


class _InOrder(TyperGroup):
    """Commands in the order above, with commands of their own or without."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)


app = typer.Typer(
    name="mossa",
    cls=_InOrder,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name, run in COMMANDS.items():
    if isinstance(run, typer.Typer):
        app.add_typer(run, name=name)
    else:
        app.command(name)(run)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"mossa {version('mossa')}")
        raise typer.Exit


@app.callback()
def options(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Play, analyse, solve and compare board games: m,n,k, ConnectX, Kalah, Oware, Breakthrough."""


class _Terminated(BaseException):
    """An order to end. A SystemExit could be taken for one of a player's code."""


def _terminate(*_: object) -> None:
    raise _Terminated


def main() -> None:
    """Run the command line; mossa_launcher calls this."""
    if threading.current_thread() is threading.main_thread():
        # As Ctrl-C does, an order to end must leave no programs of players behind.
        signal.signal(signal.SIGTERM, _terminate)
    arguments = sys.argv[1:] or ["--help"]
    command = typer.main.get_command(app)
    try:
        for argument in arguments:
            _check_text(argument)
        code = command.main(arguments, "mossa", standalone_mode=False)
    except UsageError as error:
        fail(explain(error, command, arguments))
    except GameError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{shorten(str(error.filename))}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        code = INTERRUPTED
    except _Terminated:
        sys.exit(128 + signal.SIGTERM)
    if code == INTERRUPTED:
        stopped("nothing was written")
    sys.exit(code)


def _check_text(argument: str) -> None:
    """Refuse bytes that are no text before anything else trips over them."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        fail(f"the argument {argument[:60]!a} is not UTF-8 text")
