"""``mossa book``: opening books are made, looked at and checked."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from mossa.book import Book
from mossa.book_build import build_book, check_book, journal_of
from mossa.cli.common import Cluster, Cores, GameName, Json, Memory, progress_bar
from mossa.games import game
from mossa.solver import MEMORY

app = typer.Typer(
    help="Opening books: the exact score of every position with few stones.",
    no_args_is_help=True,
)

BookFile = Annotated[Path, typer.Argument(metavar="FILE", help="A book.", show_default=False)]


@app.command()
def build(
    game_name: GameName,
    plies: Annotated[int, typer.Option(min=1, metavar="N", help="Stones on the board at most.")],
    target: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="The book; named after the game without."),
    ] = None,
    threads: Cores = 1,
    memory: Memory = MEMORY,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Solve all positions with at most N stones and write their scores to a file.

    Ctrl-C, or a kill, loses next to nothing: the same command goes on where it was.
    """
    rules = game(game_name)
    path = target or Path(f"{rules.name.replace(':', '-')}.book")
    done = total = 0

    def update(solved: int, positions: int) -> None:
        nonlocal done, total
        done, total = solved, positions
        bar.update(task, completed=done, total=total)

    with progress_bar(as_json, long=True) as bar:
        task = bar.add_task("", total=None, name="book")
        try:
            book = build_book(
                rules,
                plies,
                path,
                threads=threads,
                memory=memory,
                cluster=cluster,
                report=update,
            )
        except KeyboardInterrupt:
            bar.stop()
            kept = f"{done:,} of {total:,} positions are kept in {str(journal_of(path))!r}"
            print(f"mossa: stopped: {kept}; the same command goes on", file=sys.stderr)
            sys.exit(130)
    _show(path, book, as_json)


@app.command()
def info(path: BookFile, as_json: Json = False) -> None:
    """Say what a book holds; its checksum is verified."""
    _show(path, Book.open(path), as_json)


@app.command()
def check(
    path: BookFile,
    count: Annotated[int, typer.Option(min=1, metavar="N", help="Random games to play.")] = 20,
    seed: Annotated[int | None, typer.Option(help="The same games every time.")] = None,
    memory: Memory = MEMORY,
    as_json: Json = False,
) -> None:
    """Verify a book: its checksum, and its scores along random games.

    Every score must follow from those of the moves; the last position of a game that is in the
    book is solved.
    """
    book = Book.open(path)
    with progress_bar(as_json, long=True) as bar:
        task = bar.add_task("", total=count, name="check")
        check_book(
            book,
            count,
            memory=memory,
            seed=seed,
            report=lambda done, _: bar.update(task, completed=done),
        )
    if as_json:
        print(json.dumps({**_data(path, book), "games": count, "wrong": 0}))
    else:
        print(f"{path}: {count} random games, all scores are right")


def _data(path: Path, book: Book) -> dict[str, Any]:
    return {
        "file": str(path),
        "game": book.game.name,
        "plies": book.plies,
        "positions": book.positions,
        "bytes": book.size,
        "bits": book.width,
        "checksum": f"{book.checksum:08x}",
        "start": str(book.get(book.game.start())),
    }


def _show(path: Path, book: Book, as_json: bool) -> None:
    data = _data(path, book)
    if as_json:
        print(json.dumps(data))
        return
    print(f"{path}: {book.game}, all positions of at most {book.plies} stones")
    print(f"{book.positions:,} scores of {book.width} bits, {book.size:,} bytes")
    print(f"checksum {data['checksum']}; the start: {data['start']}")
