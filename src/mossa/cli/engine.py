"""``mossa engine``: our players as programs that others can drive."""

import sys
from typing import Annotated

import typer

from mossa.packages import version
from mossa.players import player as player_named
from mossa.protocols import serve, serve_gomocup, serve_manchester
from mossa.protocols.connection import read_address
from mossa.protocols.kgp.client import Client, Identity
from mossa.protocols.kgp.words import PORT
from mossa.protocols.manchester.serve import GAME
from mossa.protocols.stdio import answers, commands, settle

app = typer.Typer()

Served = Annotated[
    str, typer.Option(metavar="PLAYER", help="Who plays: a spec, or path/to/file.py:name.")
]
MoveTime = Annotated[
    float,
    typer.Option("--time", min=0.001, metavar="SECONDS", help="At most this many seconds a move."),
]


@app.callback()
def engine() -> None:
    """Run a player inside other programs or on a server."""
    settle()


@app.command()
def ugi(player: Served = "alphabeta") -> None:
    """Speak UGI, the game-neutral relative of UCI.

    It ends with quit, or with the end of the input.
    """
    with answers() as answer:
        serve(player, commands(), answer)


@app.command()
def gomocup(
    player: Served = "engine",
    time: MoveTime = 5.0,
    k: Annotated[int, typer.Option("--k", min=1, max=100, help="Stones in a row that win.")] = 5,
) -> None:
    """Speak Gomocup's protocol, for mnk.

    It ends with END, or with the end of the input.
    """
    player_named(player)
    with answers() as answer:
        serve_gomocup(player, commands(), answer, k=k, time=time)


@app.command()
def kgp(
    server: Annotated[
        str, typer.Option(metavar="ADDRESS", help="HOST, HOST:PORT or ws://HOST/PATH.")
    ],
    player: Served = "engine",
    time: MoveTime = 5.0,
    name: Annotated[str, typer.Option(help="The name that the server shows.")] = "mossa",
    authors: Annotated[str, typer.Option(help="Who wrote it.")] = "",
    description: Annotated[
        str | None, typer.Option(help="How it plays (default: mossa and the player's spec).")
    ] = None,
    token: Annotated[
        str,
        typer.Option(
            envvar="MOSSA_KGP_TOKEN",
            help="A secret by which the server recognises the same player.",
        ),
    ] = "",
    games: Annotated[int, typer.Option(min=1, max=64, help="Boards to think about at once.")] = 4,
    once: Annotated[
        bool, typer.Option("--once", help="Stop when the connection ends; do not reconnect.")
    ] = False,
) -> None:
    """Play kalah on a server of the Kalah Game Protocol.

    It plays until Ctrl-C.
    """
    address = read_address(server, port=PORT)
    player_named(player)
    if description is None:
        description = f"mossa {version()}, {player}"
    identity = Identity(name, authors, description, token)
    Client(player, identity, time=time, games=games, tell=_tell).run(address, once=once)


@app.command()
def manchester(
    player: Served = "engine",
    time: MoveTime = 5.0,
    clock: Annotated[
        float | None,
        typer.Option(
            min=0.001, metavar="SECONDS", help="Seconds for the whole game, besides --time."
        ),
    ] = None,
    game: Annotated[
        str, typer.Option(metavar="GAME", help="The kalah that the referee plays.")
    ] = GAME,
) -> None:
    """Play one game of kalah under Manchester's referee, until END."""
    player_named(player)
    with answers() as answer:
        serve_manchester(player, commands(), answer, tell=_tell, game=game, time=time, clock=clock)


def _tell(line: str) -> None:
    """Say something to the user; standard output belongs to the protocol."""
    print(f"mossa: {line}", file=sys.stderr, flush=True)
