"""The ``mossa`` command: read the arguments, call the package, show the result.

An error that the user can mend is one line on standard error and exit code 2.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from mossa import _core, lab, records, terminal
from mossa._core import Game, Move, Position, Side
from mossa.analysis import Analysis, Grade, MoveReview, Review, analyse, review, score_data
from mossa.errors import GameError, shorten
from mossa.games import KINDS, PRESETS, form_of, game
from mossa.lab import output, plots
from mossa.players import player
from mossa.render import side_label, status, to_svg
from mossa.search import Bound, Exact, Limits
from mossa.solver import MEMORY, Solution, Solver, solve_many
from mossa.trace import MAX_NODES, NODES, trace_search

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
    position = _set_up(game_name, moves, board)
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
        if not kind.options:
            continue  # rich prints a table without rows as an empty line
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


# ---------------------------------------------------------------- analysing

Board = Annotated[
    str, typer.Option(help="A board text to start from, as --json prints it.", metavar="TEXT")
]
Searcher = Annotated[str, typer.Option("--player", metavar="PLAYER", help="Who searches.")]
Depth = Annotated[int | None, typer.Option(min=1, max=10_000, help="Moves to look ahead.")]
Nodes = Annotated[int | None, typer.Option(min=1, max=10**18, help="Positions to look at.")]


def _set_up(game_name: str, moves: str, board: str) -> Position:
    rules = game(game_name)
    return (rules.from_text(board) if board else rules.start()).after(moves)


@app.command("analyse")
def analyse_position(
    game_name: GameName,
    moves: Moves = "",
    board: Board = "",
    think: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="Seconds for all moves; 1 without limits."),
    ] = None,
    depth: Depth = None,
    nodes: Nodes = None,
    searcher: Searcher = "alphabeta",
    top: Annotated[int, typer.Option(min=1, metavar="N", help="Show the N best moves.")] = 12,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON document on a line for every depth.")
    ] = False,
) -> None:
    """Score every move of a position, deeper and deeper until a limit.

    Ctrl-C ends it with what is known by then; --time inf goes on until everything is proven.
    """
    position = _set_up(game_name, moves, board)
    found = analyse(position, time=think, depth=depth, nodes=nodes, player=searcher)
    console = Console()
    last = None
    try:
        if console.is_terminal and not as_json:
            with Live(console=console) as live:
                for last in found:
                    live.update(_analysis_table(last, top))
            return
        for last in found:
            if as_json:
                print(json.dumps(last.to_dict()), flush=True)
    except KeyboardInterrupt:
        if last is None:
            print("mossa: stopped before the first result", file=sys.stderr)
            return
    if last is not None and not (as_json or console.is_terminal):
        console.print(_analysis_table(last, top))


def _analysis_table(analysis: Analysis, top: int) -> Group:
    position = analysis.position
    after = f" after {position.history_text}" if position.history else ""
    table = Table("move", "score", "depth", "line", box=None, header_style="bold", pad_edge=False)
    for column in table.columns[1:3]:
        column.justify = "right"
    table.columns[3].no_wrap = True
    table.columns[3].overflow = "ellipsis"
    for move, found in list(analysis.moves.items())[:top]:
        line = " ".join(map(str, found.line))
        style = "bold" if move == analysis.move else ""
        table.add_row(str(move), str(found.score), str(found.depth), line, style=style)
    more = len(position.moves) - min(top, len(analysis.moves))
    effort = f"{analysis.nodes:,} nodes, {analysis.time:.2f} s"
    return Group(
        f"{position.game}{after}: {status(position)}",
        table,
        *([f"and {more} more moves"] if more else []),
        f"depth {analysis.depth}, {effort}",
    )


# ---------------------------------------------------------------- solving


@app.command("solve")
def solve_position(
    game_name: GameName,
    moves: Moves = "",
    board: Board = "",
    source: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Solve a position a line: its moves, as 4453."),
    ] = None,
    target: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="With --file: append here, or go on there."),
    ] = None,
    each: Annotated[
        bool, typer.Option("--moves/--no-moves", help="Solve every move, not only the position.")
    ] = True,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Cores to use.")] = 1,
    memory: Annotated[int, typer.Option(min=1, metavar="MB", help="Size of the table.")] = MEMORY,
    think: Annotated[
        float | None,
        typer.Option("--time", min=0, metavar="SECONDS", help="Stop each solution after this."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove the score of a position and of every move in it.

    Ctrl-C ends it with the bounds proven so far. With --file, one result line a position: its
    moves, the value (+1, 0, -1, or a margin) and the plies to the end.
    """
    if source is not None:
        if moves or board:
            raise GameError("--file brings its own positions: give no MOVES and no --board")
        _solve_file(game(game_name), source, target, threads, memory, as_json)
        return
    if target is not None:
        raise GameError("--output goes with --file")
    position = _set_up(game_name, moves, board)
    limits = Limits(time=think)
    solver = Solver(position.game, memory=memory, threads=threads)
    scores: dict[Move, Exact | Bound] = {}
    solution = None
    with _SolveDisplay(position, as_json) as display, suppress(KeyboardInterrupt):
        solution = solver.solve(position, limits, report=display.update)
        display.update(solution)
        if each and isinstance(solution.score, Exact):
            scores.update(solver.moves(position, limits, report=display.update_move))
    solution = solution or display.last
    if solution is None:
        print("mossa: stopped before the first result", file=sys.stderr)
        return
    if as_json:
        print(json.dumps(_solution_data(solution, scores)))
    else:
        Console().print(_solution_table(solution, scores))


class _SolveDisplay:
    """What is proven so far, on a line of standard error that is overwritten."""

    def __init__(self, position: Position, silent: bool) -> None:
        self.last: Solution | None = None
        self._live = Live(console=Console(stderr=True), transient=True, auto_refresh=False)
        self._shown = not silent and self._live.console.is_terminal

    def __enter__(self) -> "_SolveDisplay":
        if self._shown:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._live.stop()

    def update(self, solution: Solution) -> None:
        self.last = solution
        self._show("", solution)

    def update_move(self, move: Move, solution: Solution) -> None:
        self._show(f"move {move}, for the other side: ", solution)

    def _show(self, what: str, solution: Solution) -> None:
        if self._shown:
            speed = _speed(solution.nodes, solution.time)
            text = f"{what}{solution.score}  {solution.nodes:,} nodes, {speed}"
            self._live.update(text, refresh=True)


def _solution_data(solution: Solution, scores: dict[Move, Exact | Bound]) -> dict[str, Any]:
    position = solution.position
    return {
        "game": position.game.name,
        "moves": position.history_text,
        "text": position.text,
        "side": position.side.name,
        "score": score_data(solution.score),
        "line": [str(move) for move in solution.line],
        "nodes": solution.nodes,
        "seconds": round(solution.time, 3),
        "memory": solution.memory,
        "solution": [{"move": str(move), "score": score_data(scores[move])} for move in scores],
    }


def _solution_table(solution: Solution, scores: dict[Move, Exact | Bound]) -> Group:
    position = solution.position
    after = f" after {position.history_text}" if position.history else ""
    table = Table("move", "score", box=None, header_style="bold", pad_edge=False)
    table.columns[1].justify = "right"
    proven = {move: score for move, score in scores.items() if isinstance(score, Exact)}
    for move in sorted(proven, key=lambda move: proven[move], reverse=True):
        style = "bold" if proven[move] == solution.score else ""
        table.add_row(str(move), str(proven[move]), style=style)
    for move in scores.keys() - proven.keys():
        table.add_row(str(move), str(scores[move]))
    return Group(
        f"{position.game}{after}: {status(position)}",
        f"score {solution.score}",
        *([table] if scores else []),
        *([f"line {' '.join(map(str, solution.line))}"] if solution.line else []),
        f"{solution.nodes:,} nodes, {solution.time:.2f} s",
    )


def _solve_file(
    rules: Game, source: Path, target: Path | None, threads: int, memory: int, as_json: bool
) -> None:
    """Print or append a result for every line of a file; a file that was begun is gone on with."""
    words = [line.split()[0] for line in source.read_text().splitlines() if line.strip()]
    positions = [_line_position(rules, word, number) for number, word in enumerate(words, 1)]
    done = _lines_done(target, words) if target else 0
    open_positions = [each for each in positions[done:] if each.outcome is None]
    found = solve_many(open_positions, memory=memory, threads=threads)
    with (
        target.open("a") if target else nullcontext(sys.stdout) as out,
        _progress_bar(silent=target is None) as progress,
    ):
        task = progress.add_task("solving", total=len(words), completed=done)
        for word, position in zip(words[done:], positions[done:], strict=True):
            print(_result_line(word, position, found, as_json), file=out, flush=True)
            progress.advance(task)


def _line_position(rules: Game, word: str, number: int) -> Position:
    try:
        return rules.position(word.replace(",", " "))
    except GameError as error:
        raise GameError(f"line {number}: {error}") from None


def _lines_done(target: Path, words: list[str]) -> int:
    """Count the results that a file holds; raise GameError if they are of other positions."""
    if not target.exists():
        return 0
    text = target.read_text()
    complete = text[: text.rfind("\n") + 1]
    if complete != text:  # the last line was cut short when the work was killed
        target.write_text(complete)
    for number, (line, word) in enumerate(zip(complete.splitlines(), words, strict=False), 1):
        known = json.loads(line)["moves"] if line.startswith("{") else line.split()[0]
        if known != word:
            raise GameError(f"{target}, line {number}: a result of {known!r}, not of {word!r}")
    return complete.count("\n")


def _result_line(word: str, position: Position, found: Iterator[Solution], as_json: bool) -> str:
    if position.outcome is not None:
        value = position.outcome.value * (1 if position.side == Side.first else -1)
        score = Exact(value, None if position.game.kind == "kalah" else 0)
    else:
        score = next(found).proven
    if as_json:
        return json.dumps({"moves": word, "value": score.value, "distance": score.distance})
    return " ".join(str(part) for part in (word, score.value, score.distance) if part is not None)


@app.command("review")
def review_games(
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file of games, in any format of records.")
    ],
    number: Annotated[
        int | None,
        typer.Option("--game", min=1, metavar="N", help="Only the N-th game; all without."),
    ] = None,
    think: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="Seconds a move; 1 without limits."),
    ] = None,
    depth: Depth = None,
    nodes: Nodes = None,
    searcher: Searcher = "alphabeta",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON document on a line for every game.")
    ] = False,
) -> None:
    """Grade the moves of recorded games: best, good, inaccuracy ?!, mistake ?, blunder ??.

    Ctrl-C ends it with the moves graded by then.
    """
    found = records.read_records(path)
    if number is not None:
        if number > len(found):
            games_there = f"{len(found)} game{'s' * (len(found) != 1)}"
            _fail(f"{shorten(str(path))} holds {games_there}; there is no game {number}")
        found = [found[number - 1]]
    for record in found:
        graded = _reviewed(record, as_json, time=think, depth=depth, nodes=nodes, player=searcher)
        _show_review(graded, as_json)
        if len(graded.moves) < len(record.moves):
            return


def _reviewed(record: records.Record, silent: bool, **how: Any) -> Review:
    """Review a game behind a progress bar; Ctrl-C leaves what is done."""
    done: list[Analysis] = []
    with _progress_bar(silent) as bar:
        task = bar.add_task("", total=len(record.moves), name="review")

        def report(analysis: Analysis) -> None:
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
    for move in graded.moves:
        moves.add_row(*_review_row(move))
    sides = Table("", "best moves", *(grade.value for grade in Grade), box=None, pad_edge=False)
    for side, summary in graded.sides.items():
        share = "-" if summary.accuracy is None else f"{summary.accuracy:.0%}"
        sides.add_row(side.name, share, *map(str, summary.counts.values()))
    rest = len(record.moves) - len(graded.moves)
    console = Console()
    # Names are the user's text: they may hold what rich would take for markup, and be long.
    title = f"{record.game}: {' against '.join(names)}, {record.result}"
    console.print(title, markup=False, highlight=False, soft_wrap=True)
    console.print(moves, highlight=False)
    if rest:
        console.print(f"stopped: {rest} more moves", highlight=False)
    console.print(sides, highlight=False)


def _review_row(move: MoveReview) -> list[str]:
    row = [f"{move.ply + 1}", move.side.name, f"{move.move}{move.mark}", str(move.score)]
    return row if move.grade is Grade.best else [*row, str(move.best), str(move.best_score)]


@app.command("trace")
def write_trace(
    game_name: GameName,
    moves: Moves = "",
    output_file: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="A .html page or a .json file."),
    ] = Path("trace.html"),
    board: Board = "",
    searcher: Searcher = "alphabeta:depth=3",
    nodes: Annotated[
        int, typer.Option(min=1, max=MAX_NODES, metavar="N", help="Keep the first N nodes.")
    ] = NODES,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Record a search node by node, as a web page to step through or as JSON."""
    kind = output_file.suffix.lower()
    if kind not in (".html", ".json"):
        _fail(f"{shorten(str(output_file))} names no format of a trace; accepted: .html .json")
    if output_file.exists() and not force:
        _fail(f"{output_file} exists; --force replaces it")
    traced = trace_search(_set_up(game_name, moves, board), searcher, nodes=nodes)
    text = traced.to_html() if kind == ".html" else traced.to_json() + "\n"
    output_file.write_text(text, encoding="utf-8")
    kept = "the most visited " if traced.info["iterations"] else "the first "
    count = f"{kept * traced.truncated}{len(traced.nodes):,} nodes"
    print(f"{count} written to {output_file}")


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


def _progress_bar(silent: bool) -> Progress:
    """Return a bar on standard error, which only a person at a terminal needs."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.fields[name]}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
        console=console,
        transient=True,
        disable=silent or not console.is_terminal,
    )


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
    """Run an experiment behind a progress bar."""
    with _progress_bar(silent) as bar:
        task = bar.add_task("", total=None, name=experiment.name)
        return lab.measure(
            experiment,
            settings,
            progress=lambda done, total, label: bar.update(
                task, completed=done, total=total, description=label
            ),
        )
