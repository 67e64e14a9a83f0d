"""``mossa export``: our players as files that play elsewhere."""

import platform
import sys
from pathlib import Path
from typing import Annotated

import typer

from mossa.adapters import kaggle as adapter
from mossa.cli.common import Force, check_new

app = typer.Typer()


@app.callback()
def export() -> None:
    """Write a player as a file that plays elsewhere, without mossa installed."""


@app.command()
def kaggle(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Who plays: a spec.")] = "engine",
    output: Annotated[
        Path, typer.Option("--output", metavar="FILE", help="The archive to write.")
    ] = Path("submission.tar.gz"),
    force: Force = False,
) -> None:
    """Write a submission for Kaggle's ConnectX."""
    check_new(output, force)
    spec = adapter.export(player, output)
    version = ".".join(map(str, sys.version_info[:2]))
    print(
        f"{output}: {spec}, {output.stat().st_size / 1e6:.1f} MB, for Python {version} on "
        f"{platform.system()} {platform.machine()}; elsewhere plain Python plays"
    )
