"""``mossa book``: opening books and studies are made, looked at and checked."""

import json
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

from mossa._core import Move
from mossa.analysis import score_data
from mossa.cli.common import (
    MOVES_HELP,
    Cluster,
    Cores,
    GameName,
    Json,
    MaxMegabytes,
    Memory,
    Output,
    not_with,
)
from mossa.cli.display import interruptible, progress_bar
from mossa.games import game
from mossa.quantities import counted
from mossa.render import position_data, title
from mossa.search import Bound, Exact
from mossa.solving.book import Book, book_name
from mossa.solving.book_build import build_book, check_book
from mossa.solving.solver import MEMORY, Solver
from mossa.solving.study import Study, study_name
from mossa.solving.study_build import MAX_MB, PLAYER, Progress, check_study, study_opening

app = typer.Typer(
    help="Build, show and check opening books: exact scores, or moves from long searches.",
)

AGAIN = "the same command goes on"
"""Said of work that Ctrl-C has interrupted and that is not lost."""

GAMES = 20
"""Random games of a check unless told otherwise."""

BookFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A book or a study.", show_default=False)
]


@app.command()
def build(
    game_name: GameName,
    plies: Annotated[int, typer.Option(min=1, metavar="N", help="The most stones on the board.")],
    target: Output = None,
    threads: Cores = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=256, metavar="N", help="Processes to use instead, each with --memory."
        ),
    ] = None,
    memory: Memory = MEMORY,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Solve all positions with at most N stones and write them to a book.

    After Ctrl-C, or a crash, run the same command again: it resumes where it stopped.
    """
    if cluster is not None:
        not_with({"--threads": threads, "--workers": workers}, "--cluster")
    if workers is not None:
        not_with({"--threads": threads}, "--workers")
    rules = game(game_name)
    path = target or Path(book_name(rules))
    done = total = 0
    before: int | None = None
    begin = monotonic()

    def update(solved: int, positions: int) -> None:
        nonlocal done, total, before, begin
        if before is None:  # what an earlier run has solved says nothing of the speed
            before, begin = solved, monotonic()
        done, total = solved, positions
        rate = (done - before) / max(monotonic() - begin, 1e-9)
        bar.update(task, completed=done, total=total, description=f"{rate:,.1f} positions/s")

    with progress_bar(as_json, long=True) as bar:
        task = bar.add_task("", total=None, name="book")
        with interruptible(bar, lambda: f"{done:,} of {counted(total, 'position')} kept; {AGAIN}"):
            book = build_book(
                rules,
                plies,
                path,
                threads=threads or 1,
                memory=memory,
                count=workers,
                cluster=cluster,
                report=update,
            )
    _show(path, book, as_json)


@app.command()
def study(
    game_name: GameName,
    plies: Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Plies to study.")],
    time: Annotated[
        float, typer.Option(min=0.001, metavar="SECONDS", help="Seconds per position, at most.")
    ],
    player: Annotated[
        str, typer.Option(metavar="PLAYER", help="The player that searches.")
    ] = PLAYER,
    width: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Replies of the other side to follow; all by default."
        ),
    ] = None,
    target: Output = None,
    max_mb: MaxMegabytes = MAX_MB,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=256, metavar="N", help="Processes to use; one per core by default."
        ),
    ] = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Study an opening with long searches and write the best moves to a file.

    For each side in turn, it follows that side's best move and all replies. After Ctrl-C, or a
    crash, run the same command again: it resumes where it stopped.
    """
    if cluster is not None:
        not_with({"--workers": workers}, "--cluster")
    rules = game(game_name)
    path = target or Path(study_name(rules))
    last = Progress(0, 0, 0)

    def update(progress: Progress) -> None:
        nonlocal last
        last = progress
        bar.update(
            task,
            completed=progress.done,
            total=progress.known,
            description=f"of move {progress.ply + 1} of {plies}",
        )

    with progress_bar(as_json, long=True) as bar:
        task = bar.add_task("", total=None, name="study")
        with interruptible(bar, lambda: f"{counted(last.done, 'position')} kept; {AGAIN}"):
            found = study_opening(
                rules,
                plies,
                path,
                time=time,
                player=player,
                width=width,
                count=workers,
                cluster=cluster,
                max_mb=max_mb,
                report=update,
            )
    _show_study(path, found, as_json)


@app.command()
def info(path: BookFile, as_json: Json = False) -> None:
    """Show what a book or a study holds, and verify its checksum."""
    if Study.is_study(path):
        _show_study(path, Study.open(path), as_json)
    else:
        _show(path, Book.open(path), as_json)


@app.command()
def show(
    path: BookFile,
    moves: Annotated[str, typer.Argument(metavar="MOVES", help=MOVES_HELP)] = "",
    as_json: Json = False,
) -> None:
    """Show what a book or a study knows about a position."""
    if Study.is_study(path):
        _show_studied(Study.open(path), moves, as_json)
    else:
        _show_scores(Book.open(path), moves, as_json)


@app.command()
def check(
    path: BookFile,
    count: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help=f"Random games to play; {GAMES} by default."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Play the same random games every time.")
    ] = None,
    memory: Annotated[
        int | None,
        typer.Option(min=1, metavar="MB", help=f"Size of the table; {MEMORY} by default."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a book or a study.

    For a book it plays random games: every score on the way must follow from the scores of the
    moves, and the last position is solved again. For a study it plays all lines: the moves must be
    legal and the proven scores consistent.
    """
    if Study.is_study(path):
        not_with({"--count": count, "--seed": seed, "--memory": memory}, "a study")
        studied = Study.open(path)
        came_up = check_study(studied)
        if as_json:
            print(json.dumps({**_study_data(path, studied), "reached": came_up, "wrong": 0}))
        else:
            held = counted(studied.positions, "position")
            print(f"{path}: {came_up:,} of {held} come up, all is right")
        return
    book = Book.open(path)
    count = count or GAMES
    with progress_bar(as_json, long=True) as bar:
        task = bar.add_task("", total=count, name="check")
        with interruptible(
            bar, lambda: f"{bar.tasks[task].completed:,} of {count:,} games are right"
        ):
            check_book(
                book,
                count,
                memory=memory or MEMORY,
                seed=seed,
                report=lambda done, _: bar.update(task, completed=done),
            )
    if as_json:
        print(json.dumps({**_data(path, book), "games": count, "wrong": 0}))
    else:
        print(f"{path}: {counted(count, 'random game')}, all scores are right")


def _data(path: Path, book: Book) -> dict[str, Any]:
    start = book.get(book.game.start())
    assert start is not None, "every book has the start"
    return {
        "file": str(path),
        "game": book.game.name,
        "plies": book.plies,
        "positions": book.positions,
        "bytes": book.size,
        "bits": book.width,
        "checksum": f"{book.checksum:08x}",
        "score": score_data(start),
    }


def _show(path: Path, book: Book, as_json: bool) -> None:
    data = _data(path, book)
    if as_json:
        print(json.dumps(data))
        return
    print(f"{path}: {book.game}, all positions of at most {counted(book.plies, 'stone')}")
    print(
        f"{counted(book.positions, 'score')} of {counted(book.width, 'bit')}, {book.size:,} bytes"
    )
    print(f"checksum {data['checksum']}; the start: {data['score']['text']}")


def _study_data(path: Path, study: Study) -> dict[str, Any]:
    start = study.get(study.game.start())
    return {
        "file": str(path),
        "game": study.game.name,
        "plies": study.plies,
        "player": study.player,
        "positions": study.positions,
        "bytes": study.size,
        "checksum": f"{study.checksum:08x}",
        "score": None if start is None else score_data(start.score),
        "line": [str(move) for move in study.line(study.game.start())],
    }


def _show_study(path: Path, study: Study, as_json: bool) -> None:
    if as_json:
        print(json.dumps(_study_data(path, study)))
        return
    print(f"{path}:", "\n".join(study.words))


def _show_studied(study: Study, moves: str, as_json: bool) -> None:
    position = study.game.start().after(moves)
    found = study.get(position)
    line = [str(move) for move in study.line(position)]
    if as_json:
        data = {
            **position_data(position),
            "move": None if found is None else str(found.move),
            "score": None if found is None else score_data(found.score),
            "depth": None if found is None else found.depth,
            "line": line,
        }
        print(json.dumps(data))
        return
    print(title(position))
    if found is None:
        print("not studied")
        return
    print(f"best {found.move}, {found.score}, depth {found.depth}")
    print(f"line {' '.join(line)}")


def _show_scores(book: Book, moves: str, as_json: bool) -> None:
    position = book.game.start().after(moves)
    known: dict[Move, Exact | Bound] = {}
    if position.ply < book.plies and position.outcome is None:  # else a solver would be at work
        solver = Solver(book.game, memory=1, book=book)
        known = dict(solver.moves(position))
    own = book.get(position)
    if as_json:
        data = {
            **position_data(position),
            "score": None if own is None else score_data(own),
            "analysis": [
                {"move": str(move), "score": score_data(score)} for move, score in known.items()
            ],
        }
        print(json.dumps(data))
        return
    print(title(position))
    if own is None:
        print("not in the book")
        return
    print(f"score {own}")
    for move, score in known.items():
        print(f"{move!s:>4} {score}")
