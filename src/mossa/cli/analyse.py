"""``mossa analyse``: a score for every move, deeper and deeper."""

import json
import sys
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from mossa.analysis import Analysis, analyse
from mossa.cli.common import Board, Depth, GameName, Moves, Nodes, Searcher, set_up, title
from mossa.quantities import counted, duration
from mossa.recipes.engine import STRONGEST


def run(
    game_name: GameName,
    moves: Moves = "",
    board: Board = "",
    think: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="Seconds for all moves; 1 without limits."),
    ] = None,
    depth: Depth = None,
    nodes: Nodes = None,
    searcher: Searcher = STRONGEST,
    top: Annotated[int, typer.Option(min=1, metavar="N", help="Show the N best moves.")] = 12,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON document on a line for every depth.")
    ] = False,
) -> None:
    """Score every move of a position, deeper and deeper until a limit.

    Ctrl-C ends it with what is known by then; --time inf goes on until everything is proven.
    """
    position = set_up(game_name, moves, board)
    found = analyse(position, time=think, depth=depth, nodes=nodes, player=searcher)
    console = Console()
    last = None
    try:
        if console.is_terminal and not as_json:
            with Live(console=console) as live:
                for last in found:
                    live.update(_analysis_table(last, top))
            return
        for last in found:
            if as_json:
                print(json.dumps(last.to_dict()), flush=True)
    except KeyboardInterrupt:
        if last is None:
            print("mossa: stopped before the first result", file=sys.stderr)
            return
    if last is not None and not (as_json or console.is_terminal):
        console.print(_analysis_table(last, top))


def _analysis_table(analysis: Analysis, top: int) -> Group:
    position = analysis.position
    table = Table("move", "score", "depth", "line", box=None, header_style="bold", pad_edge=False)
    for column in table.columns[1:3]:
        column.justify = "right"
        column.no_wrap = True
    table.columns[3].no_wrap = True
    table.columns[3].overflow = "ellipsis"
    for move, found in list(analysis.moves.items())[:top]:
        line = " ".join(map(str, found.line))
        style = "bold" if move == analysis.move else ""
        table.add_row(str(move), str(found.score), str(found.depth), line, style=style)
    more = len(position.moves) - min(top, len(analysis.moves))
    effort = f"{counted(analysis.nodes, 'node')}, {duration(analysis.time)}"
    return Group(
        title(position),
        table,
        *([f"and {counted(more, 'more move')}"] if more else []),
        *([f"threats: {analysis.threats}"] if analysis.threats else []),
        f"depth {analysis.depth}, {effort}",
    )
