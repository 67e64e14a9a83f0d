"""What a match is played under, as arguments of the commands that play some."""

from typing import Annotated

import typer

from mossa.cli.ending import fail
from mossa.errors import shorten
from mossa.players.clocks import MARGIN, MEMORY, START, Conditions
from mossa.sandbox import SandboxLimits

MoveTime = Annotated[
    float | None, typer.Option("--time", min=0.001, metavar="SECONDS", help="Seconds per move.")
]
ClockText = Annotated[
    str | None,
    typer.Option(
        "--clock", metavar="CLOCK", help="Seconds per game: 60, or 60+0.5 to add 0.5 a move."
    ),
]
Margin = Annotated[
    float | None,
    typer.Option(min=0, metavar="SECONDS", help=f"Grace for late moves (default {MARGIN:g} s)."),
]
StartTime = Annotated[
    float | None,
    typer.Option(
        "--start",
        min=0.01,
        metavar="SECONDS",
        help=f"Time to start up, off the clock (default {START:g} s).",
    ),
]
ProgramMemory = Annotated[
    int | None,
    typer.Option(
        "--memory",
        min=16,
        metavar="MB",
        help=f"Memory for each external program (default {MEMORY} MB).",
    ),
]
Sandboxed = Annotated[
    str,
    typer.Option(
        "--sandbox",
        metavar="on|off",
        help="Run other people's code in a sandbox: no network, few files, hard limits.",
    ),
]


def sandbox_of(sandbox: str) -> SandboxLimits | None:
    """Return what --sandbox means."""
    if sandbox not in ("on", "off"):
        fail(f"invalid --sandbox {shorten(sandbox)}: expected on or off")
    return SandboxLimits() if sandbox == "on" else None


def conditions_of(
    time: float | None,
    clock: str | None,
    depth: int | None,
    nodes: int | None,
    margin: float | None,
    start: float | None,
    memory: int | None,
    sandbox: str = "off",
) -> Conditions:
    """Return what a match is played under."""
    return Conditions.of(
        time=time,
        clock=clock,
        depth=depth,
        nodes=nodes,
        margin=MARGIN if margin is None else margin,
        start=START if start is None else start,
        memory=MEMORY if memory is None else memory,
        sandbox=sandbox_of(sandbox),
    )
