"""``mossa review``: grades for the moves of recorded games."""

import json
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from mossa import records
from mossa.analysis import Analysis, Review, review
from mossa.analysis.display import late_text, review_sheet, review_title, sides_sheet
from mossa.cli.common import Cluster, Depth, Nodes, OwnGame, Searcher
from mossa.cli.display import plain_table, progress_bar
from mossa.cli.ending import fail, stopped
from mossa.cluster import in_order, workers
from mossa.errors import shorten
from mossa.games import game
from mossa.players.engine import STRONGEST
from mossa.quantities import counted


def run(
    path: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Recorded games: .mossa, .txt, .jsonl, .sgf or .psq."),
    ],
    number: Annotated[
        int | None,
        typer.Option("--game", min=1, metavar="N", help="Only the N-th game in the file."),
    ] = None,
    think: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="Seconds per move; 1 if no limit is given."),
    ] = None,
    depth: Depth = None,
    nodes: Nodes = None,
    searcher: Searcher = STRONGEST,
    cluster: Cluster = None,
    own_game: OwnGame = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON per game.")
    ] = False,
) -> None:
    """Grade the moves of recorded games: best, good, inaccuracy ?!, mistake ?, blunder ??.

    Ctrl-C stops it and shows the moves graded so far.
    """
    if own_game is not None:
        game(own_game)
    found = records.read_records(path)
    if number is not None:
        if number > len(found):
            games_there = counted(len(found), "game")
            fail(f"{shorten(str(path))} holds {games_there}; there is no game {number}")
        found = [found[number - 1]]
    how: dict[str, Any] = {"time": think, "depth": depth, "nodes": nodes, "player": searcher}
    if cluster is not None:
        with workers(cluster=cluster) as (executor, slots):
            done = 0
            try:
                for graded in in_order(executor, slots, partial(review, **how), found):
                    _show_review(graded, as_json)
                    done += 1
            except KeyboardInterrupt:
                stopped(f"{done} of {len(found)} games are reviewed")
        return
    for record in found:
        graded = _reviewed(record, as_json, **how)
        _show_review(graded, as_json)
        if len(graded.rows) < len(record.moves):
            stopped(f"{len(graded.rows)} of {len(record.moves)} moves of this game are reviewed")


def _reviewed(record: records.Record, silent: bool, **how: Any) -> Review:
    """Review a game behind a progress bar; Ctrl-C leaves what is done."""
    done: list[Analysis | None] = []
    with progress_bar(silent) as bar:
        task = bar.add_task("", total=len(record.moves), name="review")

        def report(analysis: Analysis | None) -> None:
            done.append(analysis)
            bar.advance(task)

        with suppress(KeyboardInterrupt):
            return review(record, report=report, **how)
    return Review.of(record, done)


def _show_review(graded: Review, as_json: bool) -> None:
    if as_json:
        print(json.dumps(graded.to_dict()), flush=True)
        return
    console = Console()
    # Names are the user's text: they may hold what rich would take for markup, and be long.
    console.print(review_title(graded), markup=False, highlight=False, soft_wrap=True)
    console.print(plain_table(review_sheet(graded)), highlight=False)
    if late := late_text(graded):
        console.print(late, highlight=False)
    console.print(plain_table(sides_sheet(graded)), highlight=False)
