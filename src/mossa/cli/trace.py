"""``mossa trace``: a search node by node, as a file."""

from pathlib import Path
from typing import Annotated

import typer

from mossa.cli.common import Board, Force, GameName, Moves, Searcher, check_new, set_up
from mossa.cli.display import working
from mossa.cli.ending import fail
from mossa.errors import shorten
from mossa.quantities import counted
from mossa.trace import MAX_NODES, NODES, trace_search


def run(
    game_name: GameName,
    moves: Moves = "",
    output_file: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="The file to write, .html or .json."),
    ] = Path("trace.html"),
    board: Board = "",
    searcher: Searcher = "alphabeta:depth=3",
    nodes: Annotated[
        int, typer.Option(min=1, max=MAX_NODES, metavar="N", help="Keep the first N nodes.")
    ] = NODES,
    force: Force = False,
) -> None:
    """Record a search node by node: as a web page to step through, or as JSON."""
    kind = output_file.suffix.lower()
    if kind not in (".html", ".json"):
        fail(f"{shorten(str(output_file))} names no format of a trace; accepted: .html .json")
    check_new(output_file, force)
    position = set_up(game_name, moves, board)
    with working("searching"):
        traced = trace_search(position, searcher, nodes=nodes)
    text = traced.to_html() if kind == ".html" else traced.to_json() + "\n"
    output_file.write_text(text, encoding="utf-8")
    kept = "the most visited " if traced.info["iterations"] else "the first "
    count = f"{kept * traced.truncated}{counted(len(traced.nodes), 'node')}"
    print(f"{count} written to {output_file}")
