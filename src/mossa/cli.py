"""The ``mossa`` command: read the arguments, call the package, show the result.

An error that the user can mend is one line on standard error and exit code 2.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from mossa import _core, lab, records, terminal
from mossa._core import Position
from mossa.errors import GameError, shorten
from mossa.games import KINDS, PRESETS, form_of, game
from mossa.lab import output, plots
from mossa.players import player
from mossa.render import to_svg
from mossa.search import Limits

app = typer.Typer(
    name="mossa",
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
Moves = Annotated[str, typer.Argument(metavar="MOVES", help=MOVES_HELP, show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"mossa {version('mossa')}")
        raise typer.Exit


@app.callback()
def options(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Play, analyse, solve and compare board games: m,n,k, Connect 4 and ConnectX, Kalah."""


def main() -> None:
    """Run the command line; the entry point of the package."""
    try:
        for argument in sys.argv[1:]:
            _check_text(argument)
        app()
    except GameError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{shorten(str(error.filename))}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        sys.exit(130)


def _check_text(argument: str) -> None:
    """Refuse bytes that are no text before anything else trips over them."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        _fail(f"the argument {argument[:60]!a} is not UTF-8 text")


def _fail(message: str) -> None:
    print(f"mossa: {message}", file=sys.stderr)
    sys.exit(2)


# ---------------------------------------------------------------- playing


@app.command()
def play(
    game_name: Annotated[
        str | None, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False)
    ] = None,
    first: Annotated[str, typer.Option(help="Who plays first.", metavar="PLAYER")] = "human",
    second: Annotated[str, typer.Option(help="Who plays second.", metavar="PLAYER")] = "alphabeta",
    moves: Annotated[str, typer.Option(help=MOVES_HELP, metavar="MOVES")] = "",
    load: Annotated[
        Path | None, typer.Option(help="Go on with the game in this file.", metavar="FILE")
    ] = None,
    think: Annotated[
        float | None,
        typer.Option("--time", help="Seconds a move at most; 1 unless the player says otherwise."),
    ] = None,
) -> None:
    """Play a game in the terminal, against a person or a computer player.

    Players: human, random, alphabeta, alphabeta:depth=6, alphabeta:time=0.5 ...
    """
    players = player(first), player(second)
    limits = Limits(time=think)
    if load is not None:
        if game_name is not None or moves:
            raise typer.BadParameter("--load takes the game and its moves from the file")
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
    position = (rules.from_text(board) if board else rules.start()).after(moves)
    if svg:
        print(to_svg(position))
    elif as_json:
        print(json.dumps(describe(position)))
    else:
        terminal.draw(Console(), position)


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
        console.print(f"\n[bold]{form_of(kind.name)}[/bold]  {kind.summary}")
        console.print(f"  {sizes}", highlight=False)
        options = Table.grid(padding=(0, 2))
        for option in kind.options:
            options.add_row("", f"{option.name}={'|'.join(option.values)}", option.help)
        console.print(options)


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
    source: Annotated[
        Path, typer.Argument(help="A file of games: .mossa, .txt, .jsonl, .sgf, .psq.")
    ],
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
        int | None,
        typer.Argument(metavar="DEPTH", min=0, max=10_000, help="Moves.", show_default=False),
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
    if (depth is None) != states or (states and divide):
        raise typer.BadParameter("give DEPTH, or --states alone")
    if divide and not depth:
        raise typer.BadParameter("--divide needs a DEPTH of 1 or more")
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
        found = {"game": position.game.name, "moves": position.history_text, "counts": rows}
        print(json.dumps(found))
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
            yield str(move), partial(position.play(move).perft, depth - 1)
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


# ---------------------------------------------------------------- measuring


@app.command("lab")
def run_lab(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="EXPERIMENT",
            help="The name of an experiment, or a .toml file; without one they are listed.",
            show_default=False,
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(min=1, max=1000, help="Repetitions, or games, instead of the usual number."),
    ] = None,
    think: Annotated[
        float | None,
        typer.Option("--time", min=0.001, max=3600, help="Seconds a move, if time is limited."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Only a small part, in seconds.")] = False,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every row to this .csv file.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the results: a .png, .svg or .pdf file."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure players: run an experiment of a course report, or your own, and show its table.

    Ctrl-C ends the work and shows what was measured until then.
    """
    if what is None:
        _list_experiments(as_json)
        return
    experiment = lab.experiment(what)
    if csv is not None:
        lab.check_target(csv, [".csv"])
    if plot is not None:
        lab.check_target(plot, plots.FORMATS)
        plots.check_installed()
    results = _measured(experiment, lab.Settings(runs=runs, quick=quick, time=think), as_json)
    if as_json:
        print(json.dumps(output.to_data(results)))
    elif results.rows:
        output.show(Console(), results)
    if csv is not None and results.rows:
        csv.write_text(output.to_csv(results.rows), encoding="utf-8", newline="")
    if plot is not None and results.rows:
        plot.write_bytes(plots.to_image(results.panels, plot.suffix[1:].lower()))
    if not results.complete:
        print(f"mossa: stopped: {results.done} of {results.total} done", file=sys.stderr)
        sys.exit(130)


def _list_experiments(as_json: bool) -> None:
    known = lab.EXPERIMENTS.values()
    if as_json:
        keys = ("name", "summary", "takes")
        print(json.dumps([{key: getattr(each, key) for key in keys} for each in known]))
        return
    table = Table("experiment", "measures", "takes about", box=None, padding=(0, 1))
    for each in known:
        table.add_row(each.name, each.summary, each.takes)
    Console().print(table)


def _measured(experiment: lab.Experiment, settings: lab.Settings, silent: bool) -> lab.Results:
    """Run an experiment behind a progress bar, which only a person at a terminal needs."""
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.fields[name]}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
        console=console,
        transient=True,
        disable=silent or not console.is_terminal,
    )
    with bar:
        task = bar.add_task("", total=None, name=experiment.name)
        return lab.measure(
            experiment,
            settings,
            progress=lambda done, total, label: bar.update(
                task, completed=done, total=total, description=label
            ),
        )
