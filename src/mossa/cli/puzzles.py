"""``mossa puzzles``: puzzles are made, checked, shown and solved."""

import json
import random
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from mossa import terminal
from mossa.cli.common import GameName, Json, Output, check_target
from mossa.cli.display import interruptible, progress_bar
from mossa.cli.ending import fail
from mossa.errors import GameError, shorten
from mossa.games import game
from mossa.puzzles.answers import explanation, rest_text, task
from mossa.puzzles.build import COUNT, Progress, build_puzzles, puzzles_name
from mossa.puzzles.check import check_puzzles
from mossa.puzzles.file import BUILD, PuzzleFile
from mossa.puzzles.puzzle import Puzzle
from mossa.puzzles.trainer import Trainer
from mossa.quantities import counted
from mossa.records import read_records
from mossa.render import draw, position_data, side_label

AGAIN = "the same command goes on"
"""Said of work that Ctrl-C has interrupted and that is not lost."""

app = typer.Typer(help="Build, check, show and solve puzzles: positions with one right move.")

Source = Annotated[
    str,
    typer.Argument(metavar="FILE", help="A file of puzzles, or a game that has one.",
                   show_default=False),
]  # fmt: skip


@app.command()
def build(
    game_name: GameName,
    count: Annotated[
        int, typer.Option(min=1, max=10_000, metavar="N", help="How many puzzles.")
    ] = COUNT,
    seed: Annotated[int, typer.Option(metavar="N", help="Other seeds play other games.")] = 1,
    records: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Take positions from these games, not from our own."),
    ] = None,
    target: Output = None,
    as_json: Json = False,
) -> None:
    """Find positions with exactly one right move, prove them, and write a file.

    After Ctrl-C, or a crash, run the same command again: it resumes where it stopped.
    """
    rules = game(game_name)
    path = target or Path(puzzles_name(rules))
    check_target(path)
    given = None
    if records is not None:
        given = [record for record in read_records(records) if record.game == rules]
        if not given:
            fail(f"{records}: no game of {rules} in it")
    last = Progress(0, 0)

    def update(progress: Progress) -> None:
        nonlocal last
        last = progress
        games = counted(progress.games, "game")
        bar.update(task_id, completed=progress.found, description=f"in {games}")

    with progress_bar(as_json, long=True) as bar:
        task_id = bar.add_task("", total=count, name="puzzles")
        with interruptible(bar, lambda: f"{counted(last.found, 'puzzle')} kept; {AGAIN}"):
            made = build_puzzles(rules, path, count=count, seed=seed, records=given, report=update)
    _show_file(made, as_json)


@app.command()
def check(source: Source, as_json: Json = False) -> None:
    """Solve every puzzle in a file again; a wrong answer is an error."""
    file = _opened(source)
    total = len(file.puzzles)
    with progress_bar(as_json, long=True) as bar:
        task_id = bar.add_task("", total=total, name="check")
        with interruptible(
            bar, lambda: f"{bar.tasks[task_id].completed:,} of {total:,} puzzles are right"
        ):
            check_puzzles(file, report=lambda done: bar.update(task_id, completed=done))
    if as_json:
        print(json.dumps({**_data(file), "wrong": 0}))
    else:
        print(f"{file.path}: {counted(total, 'puzzle')}, all answers are right")


@app.command()
def show(
    source: Source,
    number: Annotated[
        int | None, typer.Argument(min=1, metavar="NUMBER", help="Show this one.")
    ] = None,
    answer: Annotated[bool, typer.Option("--answer", help="Show the answer too.")] = False,
    as_json: Json = False,
) -> None:
    """Show what a file holds, or one of its puzzles."""
    file = _opened(source)
    if number is None:
        if answer:
            fail("--answer needs the number of a puzzle")
        _show_file(file, as_json)
        return
    puzzle = _numbered(file, number)
    if as_json:
        print(json.dumps(_puzzle_data(puzzle, answer)))
        return
    draw(Console(), puzzle.position)
    print(f"{task(puzzle)} (rated {puzzle.rating})")
    if answer:
        for each in explanation(puzzle, side_label):
            print(each.told)
        print(rest_text(puzzle))


@app.command()
def solve(
    source: Source,
    number: Annotated[
        int | None,
        typer.Argument(min=1, metavar="NUMBER", help="Start with this one; otherwise any."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Pose the same puzzles every time.")
    ] = None,
) -> None:
    """Solve puzzles in the terminal, one after another.

    Type a move, or: answer, next, quit.
    """
    file = _opened(source)
    first = None if number is None else _numbered(file, number)
    others = [puzzle for puzzle in file.puzzles if puzzle is not first]
    random.Random(seed).shuffle(others)
    Trainer(terminal.Dialog(Console(), sys.stdin)).run([*filter(None, [first]), *others])


def _opened(source: str) -> PuzzleFile:
    """Return a file by its path, or the one of a game."""
    if Path(source).is_file():
        return PuzzleFile.open(source)
    try:
        rules = game(source)
    except GameError:
        fail(f"{shorten(source)} is neither a file of puzzles nor a game; see mossa games")
    found = PuzzleFile.find(rules)
    if found is None:
        fail(f"there are no puzzles for {rules}; {BUILD} {source} makes some")
    return found


def _numbered(file: PuzzleFile, number: int) -> Puzzle:
    if number > len(file.puzzles):
        fail(f"there is no puzzle {number}: 1 to {len(file.puzzles)}")
    return file.puzzles[number - 1]


def _data(file: PuzzleFile) -> dict[str, Any]:
    ratings = [puzzle.rating for puzzle in file.puzzles]
    return {
        "file": str(file.path),
        "game": file.game.name,
        "puzzles": len(file.puzzles),
        "tasks": _tasks(file),
        "ratings": [min(ratings), max(ratings)],
        "bytes": file.size,
        "checksum": file.checksum,
        "command": file.command,
        "made_by": file.made_by,
    }


def _tasks(file: PuzzleFile) -> dict[str, int]:
    kinds = sorted(puzzle.kind.value for puzzle in file.puzzles)
    return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}


def _show_file(file: PuzzleFile, as_json: bool) -> None:
    data = _data(file)
    if as_json:
        print(json.dumps(data))
        return
    print(f"{file.path}: {file.game}, {counted(len(file.puzzles), 'puzzle')}")
    print(", ".join(f"{kind}: {number}" for kind, number in data["tasks"].items()))
    low, high = data["ratings"]
    print(f"rated {low} to {high}; {file.size:,} bytes, checksum {file.checksum}")
    print(f"made by {file.made_by}: {file.command}")


def _puzzle_data(puzzle: Puzzle, answer: bool) -> dict[str, Any]:
    data = {
        **position_data(puzzle.position),
        "name": puzzle.name,
        "task": task(puzzle),
        "kind": puzzle.kind.value,
        "turns": puzzle.turns,
        "proof": puzzle.proof.value,
        "depth": puzzle.depth,
        "rating": puzzle.rating,
    }
    if answer:
        data["line"] = puzzle.line
        data["rest"] = list(puzzle.rest)
    return data
