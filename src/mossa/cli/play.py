"""``mossa play``: a game in the terminal, full-screen or line by line."""

import os
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from mossa import records, terminal
from mossa._core import Position
from mossa.arena.referee import check_starts
from mossa.cli.common import GAME_HELP, MOVES_HELP
from mossa.cli.ending import fail, flushed, stopped
from mossa.code_files import names_code
from mossa.errors import GameError, how_to_install
from mossa.games import game
from mossa.players.clocks import Conditions
from mossa.search import Limits
from mossa.session.opponents import opponent_of


def run(
    context: typer.Context,
    game_name: Annotated[
        str | None, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)
    ] = None,
    first: Annotated[str, typer.Option(help="Who plays first.", metavar="PLAYER")] = "human",
    second: Annotated[str, typer.Option(help="Who plays second.", metavar="PLAYER")] = "alphabeta",
    moves: Annotated[str, typer.Option(help=MOVES_HELP, metavar="MOVES")] = "",
    load: Annotated[
        Path | None, typer.Option(help="Continue the game in this file.", metavar="FILE")
    ] = None,
    think: Annotated[
        float | None,
        typer.Option(
            "--time", help="Seconds a move for computers (default: their own limit, or 1)."
        ),
    ] = None,
    clock: Annotated[
        str | None,
        typer.Option(
            metavar="CLOCK",
            help="Full screen: seconds a game for each side, or with an increment: 300+5.",
        ),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Line by line, even in a terminal.")
    ] = False,
) -> None:
    """Play a game in the terminal, against a person or a computer player.

    In a terminal the board fills the screen (extra tui); through a pipe, or with --plain, you type
    your moves line by line.

    Players: human, random, alphabeta, alphabeta:depth=6, level:3, file.py:name, ugi:./bot ...
    """
    limits = Limits(time=think)
    if clock is not None:
        Conditions.of(clock=clock)
    full_screen = not plain and _is_screen()
    if full_screen and find_spec("textual") is None:
        print(f"mossa: the full-screen board needs textual: {how_to_install('tui')}")
        full_screen = False
    echo = not full_screen
    players = opponent_of(first, echo=echo), opponent_of(second, echo=echo)
    if clock is not None and not full_screen:
        fail("--clock is for the full-screen board, which needs a terminal and no --plain")
    if load is not None:
        if game_name is not None and names_code(game_name):
            game(game_name)  # the file does not say where its rules are, and runs no code
        elif game_name is not None or moves:
            raise GameError("--load brings its own game and moves: give no GAME and no --moves")
        position = _loaded(load)
    elif full_screen and (game_name is None or terminal.missing_sizes(_plain(game_name))):
        if moves:
            raise GameError("--moves needs a GAME that they are moves of")
        sources = [context.get_parameter_source(name) for name in ("first", "second")]
        asked = any(source is not None and source.name == "COMMANDLINE" for source in sources)
        _show(
            limits,
            game=game_name and _plain(game_name),
            players=(first, second) if asked else None,
            clock=clock or "",
        )
        return
    else:
        chosen_game = terminal.choose_game(game_name)
        if chosen_game is None:
            return
        position = chosen_game.position(moves)
    for each in players:
        each.check_game(position.game)
        check_starts(each, position.game)
    if full_screen:
        from mossa.tui.setup import Setup

        _show(limits, setup=Setup(position, *players, clock or ""))
        return
    try:
        terminal.play(position.game, *players, limits=limits, position=position)
    except KeyboardInterrupt:
        stopped("to go on with the game, give the moves above to --moves")


def _plain(name: str) -> str:
    """Return a name as lists of names have it."""
    return name.strip().lower()


def _loaded(path: Path) -> Position:
    """Return the last position of the last game in a file."""
    found = records.read_records(path)
    return found[-1].position


# ---------------------------------------------------------------- the full screen


def _is_screen() -> bool:
    """Tell whether there is a terminal that a board can fill."""
    on_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    return on_terminal and os.environ.get("TERM") not in ("dumb", "unknown")


def _show(limits: Limits, **chosen: Any) -> None:
    """Show the board until somebody leaves, then say in one line how the game stands."""
    from mossa.tui.app import PlayApp
    from mossa.tui.ascii import is_ascii_terminal

    is_ascii = is_ascii_terminal(os.environ, sys.stdout.encoding)
    app = PlayApp(limits=limits, ascii_only=is_ascii, **chosen)
    interrupted = False
    try:
        app.run()
    except KeyboardInterrupt:
        interrupted = True
    # The terminal itself may be gone, and with it what was last drawn, on standard error.
    with suppress(OSError), flushed(sys.stderr), flushed(sys.stdout):
        if interrupted or app.interrupted:
            stopped(app.farewell or "nothing was played")
        if app.farewell:
            print(app.farewell)
    if app.return_code:
        sys.exit(app.return_code)
