"""The ``mossa`` command: read the arguments, call the package, show the result.

An error that the user can mend is one line on standard error and exit code 2.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from mossa import _core, records, terminal
from mossa._core import Position
from mossa.errors import GameError
from mossa.games import KINDS, PRESETS, form_of, game
from mossa.players import player
from mossa.render import to_rich, to_svg
from mossa.search import Limits

app = typer.Typer(
    name="mossa",
    help="Play, analyse, solve and compare board games: m,n,k, Connect 4 and ConnectX, Kalah.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GAME_HELP = (
    "A preset (connect4, gomoku, kalah ...) or a size such as connect:6x7x4; see mossa games."
)
MOVES_HELP = "Moves from the start: 4453, '4 4 5 3' or 'h8 i9'."

GameName = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)]
Moves = Annotated[str, typer.Argument(metavar="[MOVES]", help=MOVES_HELP, show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]


def main() -> None:
    """Run the command line; the entry point of the package."""
    try:
        app()
    except GameError as error:
        _fail(str(error))
    except BrokenPipeError:
        # The reader of our output has gone (mossa ... | head): nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        sys.exit(130)


def _fail(message: str) -> None:
    print(f"mossa: {message}", file=sys.stderr)
    sys.exit(2)


# ---------------------------------------------------------------- playing


@app.command()
def play(
    game_name: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help=GAME_HELP, show_default=False)
    ] = None,
    first: Annotated[str, typer.Option(help="Who plays first.", metavar="PLAYER")] = "human",
    second: Annotated[str, typer.Option(help="Who plays second.", metavar="PLAYER")] = "alphabeta",
    moves: Annotated[str, typer.Option(help=MOVES_HELP, metavar="MOVES")] = "",
    load: Annotated[
        Path | None, typer.Option(help="Go on with the game in this file.", metavar="FILE")
    ] = None,
    think: Annotated[
        float, typer.Option("--time", help="Seconds a move for players with no limit of their own.")
    ] = 1.0,
) -> None:
    """Play a game in the terminal, against a person or a computer player.

    Players: human, random, alphabeta, alphabeta:depth=6, alphabeta:time=0.5 ...
    """
    players = player(first), player(second)
    limits = Limits(time=think)
    if load is not None:
        position = _loaded(load)
    elif game_name is not None:
        position = game(game_name).position(moves)
    else:
        chosen = terminal.choose_game()
        if chosen is None:
            return
        position = chosen.position(moves)
    terminal.play(position.game, *players, limits=limits, position=position)


def _loaded(path: Path) -> Position:
    """Return the last position of the last game in a file."""
    found = records.read_records(path)
    return found[-1].position


# ---------------------------------------------------------------- looking


@app.command()
def show(
    game_name: GameName,
    moves: Moves = "",
    board: Annotated[
        str, typer.Option(help="A board text to start from, as --json prints it.", metavar="TEXT")
    ] = "",
    svg: Annotated[bool, typer.Option("--svg", help="Print an SVG picture.")] = False,
    as_json: Json = False,
) -> None:
    """Show a position: as a board, as SVG, or as JSON."""
    rules = game(game_name)
    position = rules.from_text(board) if board else rules.start()
    for move in rules.position(moves).history if not board else moves.split():
        position = position.play(move)
    if svg:
        print(to_svg(position))
    elif as_json:
        print(json.dumps(describe(position)))
    else:
        Console().print(to_rich(position))


def describe(position: Position) -> dict[str, Any]:
    """Return all there is to know of a position, as plain data."""
    outcome = position.outcome
    return {
        "game": position.game.name,
        "moves": position.history_text,
        "text": position.text,
        "side": position.side.name,
        "legal": [str(move) for move in position.moves],
        "cells": position.cells,
        "outcome": outcome
        and {
            "winner": outcome.winner and outcome.winner.name,
            "value": outcome.value,
            "reason": outcome.reason,
        },
    }


@app.command()
def games(as_json: Json = False) -> None:
    """List the games: presets, kinds, sizes and rule options."""
    if as_json:
        print(json.dumps({"presets": PRESETS, "kinds": [_kind_data(name) for name in KINDS]}))
        return
    console = Console()
    presets = Table("preset", "is", box=None, header_style="bold")
    for name, meaning in PRESETS.items():
        presets.add_row(name, meaning)
    console.print(presets)
    for kind in KINDS.values():
        sizes = ", ".join(f"{size.name} {size.low} to {size.high}" for size in kind.sizes)
        console.print(f"\n[bold]{form_of(kind.name)}[/bold]  {kind.summary}\n  {sizes}")
        for option in kind.options:
            values = "|".join(option.values)
            console.print(f"  {option.name}={values}  {option.help}", highlight=False)


def _kind_data(name: str) -> dict[str, Any]:
    kind = KINDS[name]
    return {
        "name": name,
        "summary": kind.summary,
        "sizes": [{"name": s.name, "low": s.low, "high": s.high} for s in kind.sizes],
        "options": [{"name": o.name, "values": o.values, "help": o.help} for o in kind.options],
    }


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(help="A file of games: .txt, .jsonl, .sgf, .psq.")],
    target: Annotated[Path, typer.Argument(help="The file to write; its name says the format.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Convert game records between text, JSONL, SGF and PSQ."""
    if target.exists() and not force:
        _fail(f"{target} exists; --force replaces it")
    found = records.read_records(source)
    records.write_records(target, found)
    print(f"{len(found)} game{'s' * (len(found) != 1)} written to {target}")


# ---------------------------------------------------------------- counting


@app.command()
def perft(
    game_name: GameName,
    depth: Annotated[
        int | None, typer.Argument(metavar="[DEPTH]", min=0, help="Moves.", show_default=False)
    ] = None,
    moves: Annotated[str, typer.Option(help=MOVES_HELP, metavar="MOVES")] = "",
    states: Annotated[
        bool, typer.Option("--states", help="Count distinct reachable positions instead.")
    ] = False,
    divide: Annotated[
        bool, typer.Option("--divide", help="Count for each first move by itself.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Count move sequences of each length up to DEPTH, or all reachable positions.

    A finished game is not extended. The counts of well-known games are published, so this checks
    the rules, and shows how fast they run.
    """
    if depth is None and not states:
        raise typer.BadParameter("DEPTH is needed unless --states is given")
    position = game(game_name).position(moves)
    rows = []
    total = 0
    for what, count in _to_count(position, depth or 0, states=states, divide=divide):
        begin = time.perf_counter()
        number = count()
        seconds = time.perf_counter() - begin
        total += number
        rows.append({"what": what, "count": number, "seconds": round(seconds, 6)})
        if not as_json:
            # Printed one by one: each takes several times as long as the one before.
            print(f"{what:>8} {number:>20,} {_speed(number, seconds)}", flush=True)
    if as_json:
        print(json.dumps({"game": position.game.name, "moves": moves, "counts": rows}))
    elif divide:
        print(f"{'total':>8} {total:>20,}")


def _to_count(
    position: Position, depth: int, *, states: bool, divide: bool
) -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield what is counted, and the work that counts it."""
    if states:
        yield "states", position.count_states
    elif divide:
        for move in position.moves:
            yield str(move), partial(position.play(move).perft, max(depth - 1, 0))
    else:
        for length in range(depth + 1):
            yield str(length), partial(position.perft, length)


def _speed(count: int, seconds: float) -> str:
    return f"{seconds:>9.3f} s {count / max(seconds, 1e-9) / 1e6:>9.1f} M/s"


@app.command()
def bench(as_json: Json = False) -> None:
    """Run fixed work and print its node count: the signature of the engine.

    The signature changes only when the rules or a search change what they do.
    """
    with Console(stderr=True).status("running the fixed work ..."):
        rows = _core.bench()
    signature = sum(row.nodes for row in rows)
    seconds = sum(row.time for row in rows)
    if as_json:
        work = [{"work": row.work, "nodes": row.nodes, "seconds": row.time} for row in rows]
        print(json.dumps({"signature": signature, "seconds": seconds, "work": work}))
        return
    for row in rows:
        print(f"{row.nodes:>12,} {_speed(row.nodes, row.time)}  {row.work}")
    print(f"{signature:>12,} {_speed(signature, seconds)}  all")
    print(f"signature {signature}")
