"""``mossa engine``: our players as programs that others can drive."""

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from mossa.players import player as player_named
from mossa.protocols import serve

app = typer.Typer(no_args_is_help=True)


@app.callback()
def engine() -> None:
    """Serve a player to other programs over standard input and output."""


@app.command()
def ugi(
    player: Annotated[
        str, typer.Option(metavar="PLAYER", help="Who plays: a spec, or path/to/file.py:name.")
    ] = "alphabeta",
) -> None:
    """Speak UGI, the game-neutral relative of UCI, until quit or the end of the input."""
    player_named(player)  # what is wrong with it is told before anything is served
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are a bad command

    def write(line: str) -> None:
        print(line, flush=True)

    serve(player, sys.stdin, write)
