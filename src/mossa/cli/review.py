"""``mossa review``: grades for the moves of recorded games."""

import json
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from mossa import records
from mossa._core import Side
from mossa.analysis import Analysis, Grade, MoveReview, Review, UngradedMove, review
from mossa.cli.common import Cluster, Depth, Nodes, Searcher, fail, progress_bar, stopped
from mossa.cluster import in_order, workers
from mossa.errors import shorten
from mossa.players.engine import STRONGEST
from mossa.quantities import counted
from mossa.render import side_label


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
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON per game.")
    ] = False,
) -> None:
    """Grade the moves of recorded games: best, good, inaccuracy ?!, mistake ?, blunder ??.

    Ctrl-C stops it and shows the moves graded so far.
    """
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
    record = graded.record
    names = (
        f"{side_label(record.game, side)} {name}"
        for side, name in zip(Side, (record.first, record.second), strict=True)
    )
    moves = Table("", "side", "move", "score", "better", "score", box=None, pad_edge=False)
    for column in (moves.columns[0], moves.columns[3], moves.columns[5]):
        column.justify = "right"
    for move in graded.rows:
        moves.add_row(*_review_row(move))
    sides = Table("", "best moves", *(grade.value for grade in Grade), box=None, pad_edge=False)
    for side, summary in graded.sides.items():
        share = "-" if summary.accuracy is None else f"{summary.accuracy:.0%}"
        sides.add_row(side.name, share, *map(str, summary.counts.values()))
    late = [str(move.ply + 1) for move in graded.ungraded if move.reason == "time"]
    console = Console()
    # Names are the user's text: they may hold what rich would take for markup, and be long.
    title = f"{record.game}: {' against '.join(names)}, {record.result}"
    console.print(title, markup=False, highlight=False, soft_wrap=True)
    console.print(moves, highlight=False)
    if late:
        console.print(f"not graded for want of time: {' '.join(late)}", highlight=False)
    console.print(sides, highlight=False)


def _review_row(move: MoveReview | UngradedMove) -> list[str]:
    if isinstance(move, UngradedMove):
        why = "opening" if move.reason == "opening" else "not graded"
        return [f"{move.ply + 1}", move.side.name, str(move.move), why]
    row = [f"{move.ply + 1}", move.side.name, f"{move.move}{move.mark}", str(move.score)]
    return row if move.grade is Grade.best else [*row, str(move.best), str(move.best_score)]
