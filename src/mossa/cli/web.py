"""``mossa web``: the board in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from mossa.cli.ending import fail, stopped
from mossa.code_files import names_code
from mossa.errors import how_to_install, shorten
from mossa.games import game


def run(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65_535, help="8000, or the next free one, unless given. 0: any free one."
        ),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            help="Secret that clients must present, 8 to 200 characters. Made up if others can "
            "reach the address."
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser window.")
    ] = False,
    games: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep games in this file, not in your data folder."),
    ] = None,
    own_games: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            metavar="FILE.py:NAME",
            help="Offer a game of your own, written in Python. Repeatable.",
        ),
    ] = None,
) -> None:
    """Play and analyse in the browser; the server runs until Ctrl-C.

    Only this machine can connect, unless --host lets others in: they need a token.
    """
    for name in own_games or []:
        if not names_code(name):
            fail(
                f"--game {shorten(name)} is not a game in Python, FILE.py:NAME; "
                "the built-in games are always there"
            )
        game(name)
    try:
        from mossa.web.server import serve

        serve(host, port, token=token, browser=not no_browser, games=games)
    except ModuleNotFoundError as missing:
        fail(f"the board in the browser needs {missing.name}: {how_to_install('web')}")
    except KeyboardInterrupt:
        stopped("the games are kept")
