"""``mossa match``: one game between two players, under the referee."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from mossa import terminal
from mossa.arena import match
from mossa.cli.common import (
    ClockText,
    Depth,
    GameName,
    Json,
    Margin,
    MoveTime,
    Nodes,
    ProgramMemory,
    StartTime,
    conditions_of,
)
from mossa.records import Record, to_jsonl, write_records

PLAYER_HELP = (
    "A spec such as alphabeta:depth=6, a program as ugi:./bot, or Python as path/to/file.py:name."
)


def run(
    first: Annotated[str, typer.Argument(metavar="FIRST", help=PLAYER_HELP)],
    second: Annotated[str, typer.Argument(metavar="SECOND", help=PLAYER_HELP)],
    game_name: GameName,
    moves: Annotated[
        str, typer.Option(metavar="MOVES", help="Moves made before the players are asked.")
    ] = "",
    think: MoveTime = None,
    clock: ClockText = None,
    depth: Depth = None,
    nodes: Nodes = None,
    margin: Margin = None,
    start: StartTime = None,
    memory: ProgramMemory = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Add the game to a file of records, such as games.jsonl."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play one game between two players.

    An illegal move, a crash, silence past the deadline or bad output loses the game, and the record
    says why.
    """
    conditions = conditions_of(think, clock, depth, nodes, margin, start, memory)
    console = Console()
    with console.status(f"{escape(first)} against {escape(second)} ..."):
        record = match(first, second, game_name, opening=moves, conditions=conditions)
    if save is not None:
        write_records(save, [record], append=True)
    if as_json:
        print(to_jsonl([record]).strip())
        return
    _show(console, record)


def _show(console: Console, record: Record) -> None:
    terminal.draw(console, record.position)
    for name in (record.first, record.second):
        times = [
            time
            for time, position in zip(_column(record, "times_ms"), record.positions(), strict=False)
            if time is not None and (record.first, record.second)[position.side.value] == name
        ]
        if times and record.first != record.second:
            mean = sum(times) / len(times)
            print(f"{name}: {len(times)} moves, {mean:.1f} ms a move, {max(times):.1f} ms at most")
    print(f"moves: {record.position.history_text}")
    print(f"{record.result}: {record.extra['end']}")


def _column(record: Record, name: str) -> list[float | None]:
    column = record.extra[name]
    assert isinstance(column, list)
    return column
