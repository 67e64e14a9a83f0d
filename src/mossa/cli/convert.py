"""``mossa convert``: records from one format to another."""

from pathlib import Path
from typing import Annotated

import typer

from mossa import records
from mossa.cli.common import Force, OwnGame, check_new
from mossa.games import game
from mossa.quantities import counted


def run(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE", help="Recorded games: .mossa, .txt, .jsonl, .sgf or .psq."
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(metavar="TARGET", help="The file to write; its suffix sets the format."),
    ],
    force: Force = False,
    own_game: OwnGame = None,
) -> None:
    """Convert game records between text, JSONL, SGF and PSQ.

    PSQ has no room for branches; it prints how many it left out.
    """
    check_new(target, force)
    if own_game is not None:
        game(own_game)
    found = records.read_records(source)
    records.write_records(target, found)
    print(f"{counted(len(found), 'game')} written to {target}")
    if lost := records.branches_left_out(records.form_of(target), found):
        print(f"left out: {counted(lost, 'branch', 'branches')}")
