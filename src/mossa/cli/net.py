"""``mossa net``: what a network says of itself."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from mossa.cli.common import Json
from mossa.networks import Network

app = typer.Typer()


@app.callback()
def net() -> None:
    """Look at networks: evaluations that were learnt from games."""


@app.command()
def info(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A network.", show_default=False)],
    as_json: Json = False,
) -> None:
    """Show what a network is for and how it was made, and verify its checksum."""
    data = _data(path, Network.load(path))
    if as_json:
        print(json.dumps(data))
        return
    print(f"{path}: {data['for']}, {data['bytes']:,} bytes, checksum {data['checksum']}")
    print(f"trained on {', '.join(data['games'])}: {data['data']}")
    print(f"made on {data['date']} by {data['command']}")
    print(f"test: {data['test'] or 'none'}")


def _data(path: Path, network: Network) -> dict[str, Any]:
    core, about = network.core, network.about
    what = f"{core.k} pits" if core.kind == "pits" else f"{core.k} in a row"
    traits = [what, *(["stones fall"] if core.falls else []), *filter(None, [core.rules])]
    return {
        "file": str(path),
        "kind": core.kind,
        "for": ", ".join(traits),
        "k": core.k,
        "falls": core.falls,
        "rules": core.rules,
        "channels": core.channels,
        "games": list(about.games),
        "data": about.data,
        "command": about.command,
        "date": about.date,
        "test": about.test,
        "bytes": len(network.content),
        "checksum": f"{network.checksum:08x}",
    }
