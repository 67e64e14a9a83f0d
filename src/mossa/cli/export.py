"""``mossa export``: our players as files that play elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

from mossa.adapters import gomocup as brains
from mossa.adapters import kaggle as submissions
from mossa.adapters.portable import RUNS_ON
from mossa.cli.common import Force, check_new

app = typer.Typer()

Exported = Annotated[str, typer.Argument(metavar="PLAYER", help="Who plays: a spec.")]
Output = Annotated[Path, typer.Option("--output", metavar="FILE", help="The archive to write.")]


@app.callback()
def export() -> None:
    """Write a player as a file that plays elsewhere, without mossa installed."""


@app.command()
def gomocup(
    player: Exported = "engine", output: Output = Path("mossa.zip"), force: Force = False
) -> None:
    """Write a brain for Gomocup's managers."""
    check_new(output, force)
    spec = brains.export(player, output)
    print(f"{_about(output, spec)}; {brains.PROGRAM} is the program")


@app.command()
def kaggle(
    player: Exported = "engine", output: Output = Path("submission.tar.gz"), force: Force = False
) -> None:
    """Write a submission for Kaggle's ConnectX."""
    check_new(output, force)
    spec = submissions.export(player, output)
    print(f"{_about(output, spec)}; elsewhere plain Python plays")


def _about(output: Path, spec: str) -> str:
    return f"{output}: {spec}, {output.stat().st_size / 1e6:.1f} MB, for {RUNS_ON}"
