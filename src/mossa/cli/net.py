"""``mossa net``: what a network says of itself."""

import json
from pathlib import Path
from typing import Annotated

import typer

from mossa.cli.common import Json
from mossa.networks import Network

app = typer.Typer()


@app.callback()
def net() -> None:
    """Look at networks: evaluations learnt from games."""


@app.command()
def info(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A network.", show_default=False)],
    as_json: Json = False,
) -> None:
    """Show what a network is for and how it was made, and verify its checksum."""
    data = Network.load(path).to_dict()
    if as_json:
        print(json.dumps(data))
        return
    print(f"{path}: {data['for']}, {data['bytes']:,} bytes, checksum {data['checksum']}")
    print(f"trained on {', '.join(data['games'])}: {data['data']}")
    if data["beside"]:
        print("it corrects the evaluation that mossa has without it")
    print(f"made on {data['date']} by {data['command']}")
    print(f"test: {data['test'] or 'none'}")
