"""``mossa solve``: proven scores of a position and its moves, or of a file of positions."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from mossa._core import Game, Move, Position
from mossa.analysis import score_data
from mossa.cli.common import (
    Board,
    Cluster,
    Cores,
    GameName,
    Json,
    Memory,
    Moves,
    check_target,
    not_with,
    not_without,
    set_up,
)
from mossa.cli.display import Display, progress_bar
from mossa.cli.ending import stopped
from mossa.cli.proofs import ProofDisplay, check_plot, draw, proof_data, proof_table
from mossa.errors import GameError, is_in_python, shorten
from mossa.files import read_text
from mossa.games import game
from mossa.quantities import counted, duration, units
from mossa.render import position_data, title
from mossa.search import Bound, Exact, Limits, final_score
from mossa.solving.book import Book
from mossa.solving.certificate import write_certificate
from mossa.solving.proof_jobs import JOB_NODES, MOST_JOB_NODES, Proof, look_at, prove
from mossa.solving.solver import MEMORY, BookChoice, Solution, Solver, solve_many, solve_on_cluster


def run(
    game_name: GameName,
    moves: Moves = "",
    board: Board = "",
    source: Annotated[
        Path | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help="Solve the positions in this file: one per line, as moves.",
        ),
    ] = None,
    target: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="FILE",
            help="With --file: append the results to this file; resume if it has some.",
        ),
    ] = None,
    each: Annotated[
        bool, typer.Option("--moves/--no-moves", help="Solve every move, or only the position.")
    ] = True,
    threads: Cores = None,
    memory: Memory = MEMORY,
    book_name: Annotated[
        str,
        typer.Option("--book", metavar="FILE|none", help="The opening book to use, or none."),
    ] = "shipped",
    think: Annotated[
        float | None,
        typer.Option("--time", min=0, metavar="SECONDS", help="Stop each proof after this long."),
    ] = None,
    proof: Annotated[
        Path | None,
        typer.Option(
            "--certificate",
            metavar="FILE",
            help="Write a proof of the score to this file.",
        ),
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(
            "--journal",
            metavar="FILE",
            help="Prove one position in jobs; keep every result in this file, and resume from it.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=256,
            metavar="N",
            help="With --journal: processes to use; one per core by default.",
        ),
    ] = None,
    job_nodes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_JOB_NODES,
            metavar="N",
            help=f"With --journal: positions of the first job; {JOB_NODES:,} by default.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --journal: draw the progress over time (.png, .svg or .pdf).",
        ),
    ] = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Prove the score of a position and of every move in it.

    A game without a solver of its own is searched to its end: choose a small board. Ctrl-C stops it
    and shows the bounds proven so far. With --file, each position gets one result line: its moves,
    its value (+1, 0, -1, or a margin) and the plies to the end.

    With --journal, processes or a cluster work on one position, and the same command carries on
    after Ctrl-C or a crash. --time 0 only shows how far it is, even while it is being worked on.
    """
    if journal is None:
        not_without({"--workers": workers, "--job-nodes": job_nodes, "--plot": plot}, "--journal")
    else:
        not_with({"--file": source, "--output": target}, "--journal")
        if cluster is not None:
            not_with({"--threads": threads, "--workers": workers}, "--cluster")
        if threads is not None:
            not_with({"--workers": workers}, "--threads")
        for path in (journal, plot, proof):
            check_target(path)
        check_plot(plot)
        _solve_in_jobs(
            set_up(game_name, moves, board),
            journal,
            {
                "workers": workers,
                "threads": threads or 1,
                "cluster": cluster,
                "memory": memory,
                "book": None if book_name == "none" else book_name,
                "job_nodes": job_nodes or JOB_NODES,
                "time": think,
            },
            _Wanted(each, proof, plot, as_json),
        )
        return
    book = _book(book_name)
    if source is not None:
        if proof is not None:
            raise GameError("--certificate is for one position: it does not go with --file")
        if moves or board:
            raise GameError("--file brings its own positions: give no MOVES and no --board")
        not_with({"--time": think, "--no-moves": not each}, "--file")
        if cluster is not None:
            not_with({"--threads": threads}, "--cluster")

        def scores(positions: list[Position]) -> Iterator[Exact]:
            if cluster is not None:
                return solve_on_cluster(positions, cluster=cluster, memory=memory, book=book)
            found = solve_many(positions, threads=threads or 1, memory=memory, book=book)
            return (solution.proven for solution in found)

        _solve_file(game(game_name), source, target, scores, as_json)
        return
    if cluster is not None:
        raise GameError("--cluster goes with --file or --journal")
    if target is not None:
        raise GameError("--output goes with --file")
    check_target(proof)
    position = set_up(game_name, moves, board)
    limits = Limits(time=think)
    solver = Solver(position.game, memory=memory, threads=threads or 1, book=book)
    of_moves: dict[Move, Exact | Bound] = {}
    written = interrupted = False
    display = _SolveDisplay(as_json)
    try:
        with display:
            solution = solver.solve(position, limits, report=display.update)
            display.update(solution)
        if proof is not None:
            _write_proof(solver, solution, proof, as_json)
            written = True
        if each and isinstance(solution.score, Exact):
            with display:
                for move, score in solver.moves(position, limits, report=display.update_move):
                    of_moves[move] = score
    except KeyboardInterrupt:
        interrupted = True
    if display.last is not None:
        if as_json:
            print(json.dumps(_solution_data(display.last, of_moves)), flush=True)
        else:
            Console().print(_solution_table(display.last, of_moves))
    if interrupted:
        stopped(_kept(display.last, len(of_moves), proof, written))


@dataclass(frozen=True)
class _Wanted:
    """What is to become of a proof."""

    moves: bool
    certificate: Path | None
    plot: Path | None
    as_json: bool


def _solve_in_jobs(
    position: Position, journal: Path, settings: dict[str, Any], wanted: _Wanted
) -> None:
    """Prove one position in jobs that outlive this process, or show how far that is."""
    display = ProofDisplay(wanted.as_json)
    try:
        with display:
            if settings["time"] == 0:
                proof = look_at(position, journal)
            else:
                proof = prove(position, journal, **settings, report=display.update)
    except KeyboardInterrupt:
        kept = "nothing is proven yet"
        if display.last is not None:
            kept = f"the score is proven to be {display.last.score}"
            kept += f"; {counted(display.last.done, 'job')} kept in {journal}"
        if wanted.plot is not None and display.last is not None and display.last.done:
            draw(look_at(position, journal), wanted.plot)
        stopped(f"{kept}; the same command goes on")
    line: list[Move] = []
    try:
        if isinstance(proof.score, Exact):
            solver = Solver(position.game, memory=settings["memory"], book=_book_of(settings))
            if wanted.certificate is not None:
                _certify(solver, proof, wanted.certificate, wanted.as_json)
            line = proof.line(solver, limits=Limits(time=_LINE_SECONDS))
        elif wanted.certificate is not None:
            raise GameError(f"no certificate: the score is not proven yet, it is {proof.score}")
        if wanted.plot is not None:
            draw(proof, wanted.plot)
    except KeyboardInterrupt:
        stopped(f"the score is proven, {proof.score}, and kept in {journal}")
    if wanted.as_json:
        print(json.dumps(proof_data(proof, line, journal)), flush=True)
    else:
        Console().print(proof_table(proof, line, wanted.moves, journal), soft_wrap=True)


_LINE_SECONDS = 10
"""How long the line of a proof may take that is behind its last moves."""


def _book_of(settings: dict[str, Any]) -> BookChoice:
    return _book(settings["book"] or "none")


def _certify(solver: Solver, proof: Proof, path: Path, silent: bool) -> None:
    """Write a certificate; the solver first learns again what the jobs have settled."""
    with progress_bar(silent=silent) as progress:
        for leaf in progress.track(proof.leaves, description=""):
            solver.solve(leaf)
    _write_proof(solver, solver.solve(proof.position), path, silent)


def _kept(solution: Solution | None, moves: int, proof: Path | None, written: bool) -> str:
    """Return what Ctrl-C has left of a solution."""
    if solution is None:
        kept = "nothing is proven yet"
    elif isinstance(solution.score, Bound):
        kept = f"the score is proven to be {solution.score}"
    elif proof is not None and not written:
        kept = "the score is proven"
    else:
        kept = f"the score is proven, and {moves} of {len(solution.position.moves)} moves"
    if proof is None:
        return kept
    return (
        f"{kept}; {f'the certificate is in {proof}' if written else 'no certificate was written'}"
    )


def _write_proof(solver: Solver, solution: Solution, path: Path, silent: bool) -> None:
    if isinstance(solution.score, Bound):
        raise GameError(f"no certificate: the score is not proven yet, it is {solution.score}")
    with progress_bar(silent=silent) as progress:
        task = progress.add_task("", total=None, name="certificate")
        write_certificate(
            solver,
            solution.position,
            path,
            progress=lambda done: progress.update(task, completed=done),
        )


def _book(name: str) -> BookChoice:
    if name == "none":
        return None
    return "shipped" if name == "shipped" else Book.open(name)


class _SolveDisplay(Display):
    """What is proven so far, on a line of standard error that is overwritten."""

    def __init__(self, silent: bool) -> None:
        console = Console(stderr=True, highlight=False)
        live = Live(console=console, transient=True, auto_refresh=False)
        super().__init__(live, not silent and console.is_terminal)
        self.last: Solution | None = None

    def update(self, solution: Solution) -> None:
        self.last = solution
        self._show("", solution)

    def update_move(self, move: Move, solution: Solution) -> None:
        self._show(f"move {move}, for the other side: ", solution)

    def _show(self, what: str, solution: Solution) -> None:
        if not self.shown:
            return
        parts = [f"{what}{solution.score}"]
        if solution.question is not None and isinstance(solution.score, Bound):
            parts.append(f"at least {solution.question:+}?")
        rate = solution.nodes / max(solution.time, 1e-9) / 1e6
        parts.append(f"{counted(solution.nodes, 'node')}  {solution.time:.1f} s  {rate:.1f} M/s")
        self.live.update("  ".join([*parts, *_tables_text(solution)]), refresh=True)


def _tables_text(solution: Solution) -> list[str]:
    """Return how far end-game tables helped, if they did."""
    if solution.tables_to is None:
        return []
    return [f"tables to {units(solution.tables_to, solution.position.game.traits.unit)}"]


def _solution_data(solution: Solution, scores: dict[Move, Exact | Bound]) -> dict[str, Any]:
    return {
        **position_data(solution.position),
        "score": score_data(solution.score),
        "line": [str(move) for move in solution.line],
        "nodes": solution.nodes,
        "seconds": round(solution.time, 3),
        "memory": solution.memory,
        "analysis": [{"move": str(move), "score": score_data(scores[move])} for move in scores],
    }


def _score_text(solution: Solution) -> str:
    """Return the score, or how far it is known; of a game in Python that may be nothing at all."""
    if isinstance(solution.score, Bound) and is_in_python(solution.position):
        return "not solved within the limits"
    return f"score {solution.score}"


def _solution_table(solution: Solution, scores: dict[Move, Exact | Bound]) -> Group:
    position = solution.position
    table = Table("move", "score", box=None, header_style="bold", pad_edge=False)
    table.columns[1].justify = "right"
    proven = {move: score for move, score in scores.items() if isinstance(score, Exact)}
    for move in sorted(proven, key=lambda move: proven[move], reverse=True):
        style = "bold" if proven[move] == solution.score else ""
        table.add_row(str(move), str(proven[move]), style=style)
    for move in scores.keys() - proven.keys():
        table.add_row(str(move), str(scores[move]))
    return Group(
        title(position),
        _score_text(solution),
        *([table] if scores else []),
        *([f"line {' '.join(map(str, solution.line))}"] if solution.line else []),
        ", ".join(
            (counted(solution.nodes, "node"), duration(solution.time), *_tables_text(solution))
        ),
    )


def _solve_file(
    rules: Game,
    source: Path,
    target: Path | None,
    solve: Callable[[list[Position]], Iterator[Exact]],
    as_json: bool,
) -> None:
    """Print or append a result for every line of a file; a file that was begun is gone on with."""
    words = [line.split()[0] for line in read_text(source).splitlines() if line.strip()]
    positions = [_line_position(rules, word, number) for number, word in enumerate(words, 1)]
    done = _lines_done(target, words, positions) if target else 0
    open_positions = [each for each in positions[done:] if each.outcome is None]
    found = solve(open_positions)
    with (
        target.open("a") if target else nullcontext(sys.stdout) as out,
        progress_bar(silent=target is None) as progress,
    ):
        task = progress.add_task("", total=len(words), completed=done, name="solve")
        try:
            for word, position in zip(words[done:], positions[done:], strict=True):
                print(_result_line(word, position, found, as_json), file=out, flush=True)
                progress.advance(task)
                done += 1
        except KeyboardInterrupt:
            progress.stop()
            kept = f"{done:,} of {counted(len(words), 'position')} solved"
            stopped(f"{kept} and kept in {target}; the same command goes on" if target else kept)


def _line_position(rules: Game, word: str, number: int) -> Position:
    try:
        return rules.position(word.replace(",", " "))
    except GameError as error:
        raise GameError(f"line {number}: {error}") from None


def _lines_done(target: Path, words: list[str], positions: list[Position]) -> int:
    """Count the results that a file holds; raise GameError if they are of other positions."""
    if not target.exists():
        return 0
    text = read_text(target)
    complete = text[: text.rfind("\n") + 1]
    if complete != text:  # the last line was cut short when the work was killed
        target.write_text(complete)
    done = enumerate(zip(complete.splitlines(), words, positions, strict=False), 1)
    for number, (line, word, position) in done:
        in_json = line.startswith("{")
        try:
            known = " ".join(json.loads(line)["moves"]) if in_json else line.split()[0]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise GameError(f"{target}, line {number}: {shorten(line)} is not a result") from None
        if known != (position.history_text if in_json else word):
            given = shorten(known)
            raise GameError(f"{target}, line {number}: a result of {given}, not of {shorten(word)}")
    return complete.count("\n")


def _result_line(word: str, position: Position, found: Iterator[Exact], as_json: bool) -> str:
    score = final_score(position) if position.outcome is not None else next(found)
    if as_json:
        return json.dumps({**position_data(position), "score": score_data(score)})
    return " ".join(str(part) for part in (word, score.value, score.distance) if part is not None)
