"""``mossa play``: a game in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from mossa import records, terminal
from mossa._core import Position
from mossa.arena.referee import check_starts
from mossa.cli.common import GAME_HELP, MOVES_HELP, stopped
from mossa.errors import GameError
from mossa.players import player
from mossa.search import Limits


def run(
    game_name: Annotated[
        str | None, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)
    ] = None,
    first: Annotated[str, typer.Option(help="Who plays first.", metavar="PLAYER")] = "human",
    second: Annotated[str, typer.Option(help="Who plays second.", metavar="PLAYER")] = "alphabeta",
    moves: Annotated[str, typer.Option(help=MOVES_HELP, metavar="MOVES")] = "",
    load: Annotated[
        Path | None, typer.Option(help="Go on with the game in this file.", metavar="FILE")
    ] = None,
    think: Annotated[
        float | None,
        typer.Option(
            "--time", help="Seconds a move for computers (default: their own limit, or 1)."
        ),
    ] = None,
) -> None:
    """Play a game in the terminal, against a person or a computer player.

    Players: human, random, alphabeta, alphabeta:depth=6, level:3, file.py:name, ugi:./bot ...
    """
    players = player(first), player(second)
    limits = Limits(time=think)
    if load is not None:
        if game_name is not None or moves:
            raise GameError("--load brings its own game and moves: give no GAME and no --moves")
        position = _loaded(load)
    else:
        chosen = terminal.choose_game(game_name)
        if chosen is None:
            return
        position = chosen.position(moves)
    for each in players:
        each.check_game(position.game)
        check_starts(each, position.game)
    try:
        terminal.play(position.game, *players, limits=limits, position=position)
    except KeyboardInterrupt:
        stopped("to go on with the game, give the moves above to --moves")


def _loaded(path: Path) -> Position:
    """Return the last position of the last game in a file."""
    found = records.read_records(path)
    return found[-1].position
