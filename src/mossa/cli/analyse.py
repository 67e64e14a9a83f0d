"""``mossa analyse``: a score for every move, deeper and deeper."""

import json
from contextlib import nullcontext
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from mossa.analysis import Analysis, analyse
from mossa.analysis.display import TOP, analysis_notes, moves_sheet
from mossa.cli.common import Board, Depth, GameName, Moves, Nodes, Searcher, not_with, set_up
from mossa.cli.ending import stopped
from mossa.players.engine import STRONGEST
from mossa.render import title


def run(
    game_name: GameName,
    moves: Moves = "",
    board: Board = "",
    think: Annotated[
        float | None,
        typer.Option(
            "--time", metavar="SECONDS", help="Seconds for all moves; 1 if no limit is given."
        ),
    ] = None,
    depth: Depth = None,
    nodes: Nodes = None,
    searcher: Searcher = STRONGEST,
    top: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help=f"Show the N best moves; {TOP} by default."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON per depth.")
    ] = False,
) -> None:
    """Score every move of a position, deeper and deeper.

    Ctrl-C stops it and shows the scores so far; --time inf goes on until every score is proven.
    """
    if as_json:
        not_with({"--top": top}, "--json")
    position = set_up(game_name, moves, board)
    found = analyse(position, time=think, depth=depth, nodes=nodes, player=searcher)
    console = Console()
    live = Live(console=console) if console.is_terminal and not as_json else None
    last = None
    interrupted = False
    with live or nullcontext():
        try:
            for last in found:
                if live is not None:
                    live.update(_analysis_table(last, top or TOP, console.width))
                elif as_json:
                    print(json.dumps(last.to_dict()), flush=True)
        except KeyboardInterrupt:
            interrupted = True
    if last is not None and live is None and not as_json:
        console.print(_analysis_table(last, top or TOP, console.width))
    if interrupted:
        stopped("no move has a score yet" if last is None else f"depth {last.depth} is complete")


def _analysis_table(analysis: Analysis, top: int, width: int) -> Group:
    """Return a table that fits the width of the terminal; only lines of moves are cut."""
    sheet = moves_sheet(analysis, top)
    table = Table(box=None, header_style="bold", pad_edge=False)
    room = width
    *others, line = zip(sheet.columns, zip(*sheet.rows, strict=True), strict=True)
    for at, (name, cells) in enumerate(others):
        widest = max(map(len, (name, *cells)))
        # Rich makes all columns narrower where there is no room, but for a width that is fixed.
        table.add_column(name, justify="right" if at else "left", no_wrap=True, width=widest)
        room -= widest + 2
    table.add_column(line[0], no_wrap=True, width=min(max(room, 4), max(map(len, line[1]))))
    for row in sheet.rows:
        table.add_row(*row, style="bold" if row[0] == str(analysis.move) else "")
    notes = (note.text for note in analysis_notes(analysis))
    return Group(title(analysis.position), table, *filter(None, [sheet.more]), *notes)
