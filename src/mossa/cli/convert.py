"""``mossa convert``: records from one format to another."""

from pathlib import Path
from typing import Annotated

import typer

from mossa import records
from mossa.cli.common import fail


def run(
    source: Annotated[
        Path, typer.Argument(help="A file of games: .mossa, .txt, .jsonl, .sgf, .psq.")
    ],
    target: Annotated[Path, typer.Argument(help="The file to write; its name says the format.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Convert game records between text, JSONL, SGF and PSQ."""
    if target.exists() and not force:
        fail(f"{target} exists; --force replaces it")
    found = records.read_records(source)
    records.write_records(target, found)
    print(f"{len(found)} game{'s' * (len(found) != 1)} written to {target}")
