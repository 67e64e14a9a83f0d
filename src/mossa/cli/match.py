"""``mossa match``: one game between two players, under the referee."""

from contextlib import nullcontext
from pathlib import Path
from statistics import fmean
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from mossa import terminal
from mossa._core import Side
from mossa.arena import match
from mossa.arena.report import move_rows
from mossa.cli.common import GAME_HELP, Depth, Json, Nodes, check_target
from mossa.cli.conditions import (
    ClockText,
    Margin,
    MoveTime,
    ProgramMemory,
    Sandboxed,
    StartTime,
    conditions_of,
)
from mossa.errors import GameError, shorten
from mossa.players import HumanPlayer
from mossa.players.clocks import Conditions
from mossa.quantities import counted, duration
from mossa.records import Record, to_jsonl, write_records
from mossa.render import draw

PLAYER_HELP = (
    "A player such as alphabeta:depth=6 or human, a program (ugi:./bot), or Python (file.py:name)."
)


def run(
    first: Annotated[str, typer.Argument(metavar="FIRST", help=PLAYER_HELP)],
    second: Annotated[str, typer.Argument(metavar="SECOND", help=PLAYER_HELP)],
    positional: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="The same as --game.", show_default=False),
    ] = None,
    game_name: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help=f"What to play. {GAME_HELP}",
        ),
    ] = None,
    moves: Annotated[
        str, typer.Option(metavar="MOVES", help="Moves made before the players take over.")
    ] = "",
    think: MoveTime = None,
    clock: ClockText = None,
    depth: Depth = None,
    nodes: Nodes = None,
    margin: Margin = None,
    start: StartTime = None,
    memory: ProgramMemory = None,
    sandbox: Sandboxed = "off",
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Add the game to a file of records, such as games.jsonl."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play one game between two players.

    An illegal move, a crash, an invalid answer or running out of time loses the game, and the
    record says why. A person (human) types moves, with no time limit unless you set one.
    """
    name = _game_of(positional, game_name)
    check_target(save)
    conditions = conditions_of(think, clock, depth, nodes, margin, start, memory, sandbox)
    console = Console()
    # With --json, standard output belongs to the record.
    talk = Console(stderr=True) if as_json else console
    players = [_player(spec, talk) for spec in (first, second)]
    # Not while a person types.
    silent = any(_is_person(spec) for spec in (first, second))
    message = f"{escape(first)} against {escape(second)} ..."
    with nullcontext() if silent else console.status(message):
        record = match(players[0], players[1], name, opening=moves, conditions=conditions)
    if save is not None:
        write_records(save, [record], append=True)
    if as_json:
        print(to_jsonl([record]).strip())
        return
    _show(console, record, conditions)


def _player(spec: str, console: Console) -> str | terminal.Person:
    """Return a person at this terminal, or the spec of any other player."""
    return terminal.Person(console=console) if _is_person(spec) else spec


def _is_person(spec: str) -> bool:
    return spec.strip() == HumanPlayer.name


def _game_of(positional: str | None, option: str | None) -> str:
    """Return the game, from whichever of the two places it was given in."""
    if positional is not None and option is not None:
        raise GameError(f"two games, {shorten(positional)} and --game {shorten(option)}: give one")
    name = option or positional
    if name is None:
        raise GameError("a match needs a game: add --game connect4, or another one")
    return name


def _show(console: Console, record: Record, conditions: Conditions) -> None:
    draw(console, record.position)
    moves = move_rows(1, record, conditions)
    for side, name in zip(Side, (record.first, record.second), strict=True):
        own = [row for row in moves if row["side"] == side.name]
        times = [row["time_ms"] / 1000 for row in own]
        if not times:
            continue
        late = sum(row["late"] for row in own)
        print(
            f"{name if record.first != record.second else f'{name} ({side.name})'}: "
            f"{counted(len(times), 'move')}, {duration(fmean(times))} on average, "
            f"{duration(max(times))} at most"
            + (f"; {late} late, but within the margin" if late else "")
        )
    print(f"moves: {record.position.history_text}".rstrip())
    print(f"{record.result}: {record.extra['end']}")
