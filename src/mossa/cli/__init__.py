"""The ``mossa`` command: read the arguments, call the package, show the result.

An error that the user can fix is one line on standard error and exit code 2. Ctrl-C ends every
command with one line that says what was kept, and exit code 130.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from mossa.cli.ending import INTERRUPTED, fail, flushed, stopped
from mossa.cli.usage import UsageError, explain
from mossa.errors import GameError, shorten
from mossa.packages import version

__all__ = ["app", "main"]

# A new command: one module with a function `run`, and one entry here; --help keeps the order. The
# parameters of the function are the arguments of the command, its docstring is the help. A command
# that has commands of its own has a Typer `app` instead. The line here is for the list of commands,
# which loads none of them.
COMMANDS = {
    "play": "Play a game in the terminal.",
    "web": "Play and analyse in the browser.",
    "show": "Show a position as a board, as SVG or as JSON.",
    "games": "List the games, their sizes and options.",
    "players": "List the players and what they need.",
    "convert": "Convert game records: text, JSONL, SGF, PSQ.",
    "analyse": "Score every move of a position.",
    "solve": "Prove the score of a position and of every move.",
    "check-certificate": "Check a proof written by solve.",
    "book": "Build, show and check opening books.",
    "tables": "Build, show and verify end-game tables.",
    "review": "Grade the moves of recorded games.",
    "puzzles": "Build, check and solve puzzles.",
    "trace": "Record a search node by node, to step through.",
    "perft": "Count move sequences, or reachable positions.",
    "bench": "Run a fixed workload: speed and signature.",
    "lab": "Measure players: experiments of your own or ours.",
    "new": "Start a player, a game or an experiment.",
    "match": "Play one game between two players.",
    "check-player": "Test a player: rules, deadlines, bad input.",
    "grade": "Grade a player, or a class, on exercises.",
    "tournament": "Play tournaments that survive anything.",
    "course": "Let a class hand in players and compete.",
    "submit": "Hand in a player to a course.",
    "train": "Train a network by self-play.",
    "net": "Show what a network is and how it was trained.",
    "engine": "Run a player inside other programs or on a server.",
    "export": "Write a player that plays without mossa installed.",
}


_MARKUP = None
"""Help is plain text: boxes would take as long to load as all the rest, and cannot be copied."""

COMPLETING = "_MOSSA_COMPLETE"
"""What a shell sets that asks what may follow; it is Typer's name."""


@cache
def _command(name: str, completing: bool) -> Any:
    """Return a command. It is asked for several times in a run, and takes a while to make."""
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    group = typer.Typer(add_completion=False, rich_markup_mode=_MARKUP)
    group.callback()(lambda: None)
    if hasattr(module, "app"):
        group.add_typer(module.app, name=name)
    else:
        group.command(name)(module.run)
    command = vars(typer.main.get_command(group))["commands"][name]
    if completing:
        import_module(f"{__name__}.completion").offer(command)
    return command


class _Commands(Mapping[str, Any]):
    """The commands by name, each loaded when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        if name not in COMMANDS:
            raise KeyError(name)
        return _command(name, COMPLETING in os.environ)

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _Lazy(TyperGroup):
    """A group that loads the command that is called, and for --help none."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands()  # type: ignore[assignment]

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        self.commands = {name: TyperCommand(name, help=line) for name, line in COMMANDS.items()}
        super().format_help(ctx, formatter)


app = typer.Typer(
    name="mossa",
    cls=_Lazy,
    pretty_exceptions_enable=False,
    rich_markup_mode=_MARKUP,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"mossa {version()}")
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
        with flushed(sys.stdout):
            code = command.main(arguments, "mossa", standalone_mode=False)
    except UsageError as error:
        fail(explain(error, command, arguments))
    except GameError as error:
        fail(str(error))
    except BrokenPipeError:
        sys.exit(1)  # as Typer does: whoever reads has had enough
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
