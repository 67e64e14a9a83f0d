"""``mossa check-player``: does a program keep to its protocol?"""

import json
import sys
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from mossa.cli.common import Json, Margin, StartTime
from mossa.clocks import MARGIN, START
from mossa.errors import GameError, did_you_mean, shorten
from mossa.games import game
from mossa.protocols import check_player
from mossa.protocols.check import PROTOCOLS
from mossa.protocols.process import split_command


def run(
    command: Annotated[
        str, typer.Argument(metavar="CMD", help="The program and its arguments, in quotes.")
    ],
    game_name: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="What to play; connect4 or gomoku without."),
    ] = None,
    protocol: Annotated[
        str, typer.Option(metavar="NAME", help=f"{' or '.join(PROTOCOLS)}.")
    ] = "ugi",
    margin: Margin = None,
    start: StartTime = None,
    as_json: Json = False,
) -> None:
    """Try a program: handshake, legal moves, deadlines, garbage, quit; say what fails.

    The exit code is 1 if anything does.
    """
    if protocol not in PROTOCOLS:
        hint = did_you_mean(protocol, PROTOCOLS)
        raise GameError(
            f"unknown protocol {shorten(protocol)}: {hint}there are {', '.join(PROTOCOLS)}"
        )
    default = "connect4" if protocol == "ugi" else "gomoku"
    rules = game(default if game_name is None else game_name)
    if protocol == "gomocup" and rules.kind != "mnk":
        raise GameError(f"Gomocup is for mnk games, not {rules}")
    console = Console()
    checks = []
    for check in check_player(
        split_command(command),
        rules,
        protocol=protocol,
        start=START if start is None else start,
        margin=MARGIN if margin is None else margin,
    ):
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
