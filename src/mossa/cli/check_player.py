"""``mossa check-player``: does a player keep to the rules and to its protocol?"""

import json
import sys
from dataclasses import asdict, replace
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from mossa.cli.common import Json
from mossa.cli.conditions import Margin, Sandboxed, StartTime, sandbox_of
from mossa.errors import GameError, did_you_mean, shorten
from mossa.games import game
from mossa.players.clocks import MARGIN, MEMORY, START
from mossa.protocols import check_player
from mossa.protocols.check import PROTOCOLS, program_of


def run(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="PLAYER",
            help="Any player (ugi:./bot, gomocup:./brain, file.py:name, engine), or a command.",
        ),
    ],
    game_name: Annotated[
        str | None,
        typer.Option(
            "--game", metavar="GAME", help="What to play (default: what the player says)."
        ),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help=f"What a command speaks: {' or '.join(PROTOCOLS)} (default ugi)."
        ),
    ] = None,
    margin: Margin = None,
    start: StartTime = None,
    sandbox: Sandboxed = "off",
    as_json: Json = False,
) -> None:
    """Put a player to the test: handshake, legal moves, deadlines, bad input, quit.

    Prints what fails; the exit code is then 1.
    """
    if protocol is not None and protocol not in PROTOCOLS:
        hint = did_you_mean(protocol, PROTOCOLS)
        raise GameError(
            f"unknown protocol {shorten(protocol)}: {hint}there are {', '.join(PROTOCOLS)}"
        )
    late = MARGIN if margin is None else margin
    rules = None if game_name is None else game(game_name)
    program = program_of(
        spec, rules, protocol=protocol, start=START if start is None else start, margin=late
    )
    if (limits := sandbox_of(sandbox)) is not None:
        program.confine(replace(limits, memory=MEMORY))
    console = Console()
    checks = []
    for check in check_player(program, rules, margin=late):
        checks.append(check)
        if not as_json:
            mark = Text("ok    ", "green") if check.passed else Text("FAILED", "bold red")
            console.print(mark, Text(f"{check.name:<13} {check.detail}"), soft_wrap=True)
    failed = sum(not check.passed for check in checks)
    if as_json:
        print(json.dumps({"passed": not failed, "checks": [asdict(check) for check in checks]}))
    else:
        print(f"{len(checks) - failed} of {len(checks)} passed")
    if failed:
        sys.exit(1)
