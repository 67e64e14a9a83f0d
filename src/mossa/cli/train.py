"""``mossa train``: networks are trained, watched, tested and exported."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from mossa import lab
from mossa.arena.report import rows_to_csv
from mossa.arena.words import elo_text
from mossa.cli.common import Cluster, Force, Json, check_new, check_target, not_with
from mossa.cli.display import Display, print_wide
from mossa.cli.ending import stopped
from mossa.errors import GameError
from mossa.games import game
from mossa.lab import plots
from mossa.lab.runner import Cell, Panel
from mossa.learning.plan import InvalidTrainingError, TrainingPlan
from mossa.learning.report import epoch_rows, generation_rows, to_dict
from mossa.learning.run import Progress, begin, check_installed, train
from mossa.learning.run import export as export_best
from mossa.learning.state import Folder, State
from mossa.quantities import counted, duration, read_duration

app = typer.Typer()

DEFAULTS = TrainingPlan(())
Curves = dict[str, dict[Cell, float]]

RunFolder = Annotated[
    Path,
    typer.Argument(metavar="RUN", help="The folder that keeps the run.", show_default=False),
]
Workers = Annotated[
    int | None,
    typer.Option(min=1, max=1024, help="Games to play at once (default: one per core)."),
]
Budget = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="How long to train: seconds, or 30m, 2h, 1h30m."),
]


@app.callback()
def train_group() -> None:
    """Train networks by self-play: a run survives anything, and can be resumed at any moment."""


@app.command()
def run(
    path: RunFolder,
    budget: Annotated[
        str, typer.Option(metavar="TIME", help="How long to train: seconds, or 30m, 2h, 1h30m.")
    ],
    games: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="What to train. Repeatable, for more sizes with the same k.",
        ),
    ] = None,
    player: Annotated[
        str, typer.Option(metavar="PLAYER", help="Who plays; it must take net=FILE.")
    ] = DEFAULTS.player,
    nodes: Annotated[
        int, typer.Option(min=1, max=10**9, metavar="N", help="Nodes per move in self-play.")
    ] = DEFAULTS.nodes,
    positions: Annotated[
        int, typer.Option(min=1, max=10**9, metavar="N", help="Positions per generation.")
    ] = DEFAULTS.positions,
    window: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="Generations to learn from.")
    ] = DEFAULTS.window,
    alone: Annotated[
        bool, typer.Option("--alone", help="On connect too, learn from nothing.")
    ] = DEFAULTS.alone,
    mix: Annotated[
        float,
        typer.Option(
            min=0, max=1, metavar="SHARE", help="How much of a value target is the outcome."
        ),
    ] = DEFAULTS.mix,
    noise: Annotated[
        float,
        typer.Option(min=0, max=1, metavar="SHARE", help="How often a first move is random."),
    ] = DEFAULTS.noise,
    proof_nodes: Annotated[
        int,
        typer.Option(
            min=0,
            max=10**9,
            metavar="N",
            help="Nodes of the solver per position, for exact values; 0 for none.",
        ),
    ] = DEFAULTS.proof_nodes,
    epochs: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="Passes over the positions.")
    ] = DEFAULTS.epochs,
    batch: Annotated[
        int, typer.Option(min=1, max=65_536, metavar="N", help="Positions per training step.")
    ] = DEFAULTS.batch,
    rate: Annotated[
        float, typer.Option(min=1e-6, max=1, metavar="RATE", help="The highest learning rate.")
    ] = DEFAULTS.rate,
    test_games: Annotated[
        int, typer.Option(min=2, max=10**6, metavar="N", help="The most games in a test.")
    ] = DEFAULTS.gate_games,
    test_nodes: Annotated[
        int, typer.Option(min=1, max=10**9, metavar="N", help="Nodes per move in a test.")
    ] = DEFAULTS.gate_nodes,
    test_time: Annotated[
        float | None,
        typer.Option(
            min=0.001, metavar="SECONDS", help="Seconds per move in a test, instead of nodes."
        ),
    ] = DEFAULTS.gate_time,
    sprt: Annotated[
        str,
        typer.Option(metavar="ELO0,ELO1", help="The two hypotheses of a test."),
    ] = f"{DEFAULTS.elo0:g},{DEFAULTS.elo1:g}",
    seed: Annotated[int, typer.Option(min=0, help="Seed of openings and weights.")] = DEFAULTS.seed,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Train a network and keep everything in RUN, a new folder.

    Self-play, training and a test take turns until the time is up; a new network replaces
    the old one only if the test accepts it. Ctrl-C stops it; mossa train resume RUN continues it.
    """
    _check_workers(workers, cluster)
    seconds = read_duration(budget)
    elo0, elo1 = _read_sprt(sprt)
    if not games:
        raise InvalidTrainingError(
            "training needs a game: add --game connect:8x8x4, or another one"
        )
    plan = TrainingPlan(
        games=tuple(dict.fromkeys(game(name).name for name in games)),
        player=player,
        nodes=nodes,
        positions=positions,
        window=window,
        noise=noise,
        proof_nodes=proof_nodes,
        alone=alone,
        mix=mix,
        epochs=epochs,
        batch=batch,
        rate=rate,
        gate_games=test_games,
        gate_nodes=test_nodes,
        gate_time=test_time,
        elo0=elo0,
        elo1=elo1,
        seed=seed,
        command=shlex.join(["mossa", *sys.argv[1:]]),
    )
    begin(path, plan)
    _train(path, seconds, workers, cluster, as_json)


@app.command()
def resume(
    path: RunFolder,
    budget: Budget = None,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Continue a run where it stopped.

    It uses what is left of its time, or the time you give it.
    """
    _check_workers(workers, cluster)
    seconds = None if budget is None else read_duration(budget)
    _train(path, seconds, workers, cluster, as_json)


@app.command()
def status(path: RunFolder, as_json: Json = False) -> None:
    """Show the progress of a run, while it works or after."""
    _show(Folder(path).read(), as_json)


@app.command()
def report(
    path: RunFolder,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a CSV file with a line per generation."),
    ] = None,
    losses: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a CSV file with a line per epoch.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Plot losses and Elo to this .png, .svg or .pdf file."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Report on a run: as text, JSON, CSV or a plot of losses and Elo."""
    for target in (csv, losses):
        check_target(target)
    if plot is not None:
        lab.check_target(plot, plots.FORMATS)
        plots.check_installed()
    state = Folder(path).read()
    if csv is not None:
        csv.write_text(rows_to_csv(generation_rows(state)), encoding="utf-8", newline="")
    if losses is not None:
        losses.write_text(rows_to_csv(epoch_rows(state)), encoding="utf-8", newline="")
    if plot is not None:
        plot.write_bytes(plots.to_image(_panels(state), plot.suffix[1:].lower()))
    _show(state, as_json)


@app.command()
def export(
    path: RunFolder,
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The network to write.")],
    force: Force = False,
) -> None:
    """Write the best network of a run to a file of its own."""
    check_new(target, force)
    network = export_best(path, target)
    print(f"{target}: {network.about.data}; {network.about.test}")


def _check_workers(workers: int | None, cluster: str | None) -> None:
    if cluster is not None:
        not_with({"--workers": workers}, "--cluster")


def _read_sprt(text: str) -> tuple[float, float]:
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise GameError(f"invalid --sprt '{text}': two numbers, such as 0,30") from None
    return elo0, elo1


# ---------------------------------------------------------------- on show


def _train(
    path: Path, budget: float | None, workers: int | None, cluster: str | None, as_json: bool
) -> None:
    check_installed()
    display = _Display(as_json)
    try:
        with display:
            state = train(
                path, budget=budget, count=workers, cluster=cluster, report=display.update
            )
    except KeyboardInterrupt:
        state = Folder(path).read()
        kept = f"{counted(state.games, 'game')} saved in {path}"
        stopped(f"{kept}; mossa train resume {path} continues")
    _show(state, as_json)


class _Display(Display):
    """The generations so far, and how far the current phase is, for a person at a terminal."""

    _PAUSE = 0.5  # seconds between two tables

    def __init__(self, silent: bool) -> None:
        console = Console(stderr=True)
        self._bar = Bar(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[count]}", markup=False),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}", markup=False),
            console=console,
        )
        self._task = self._bar.add_task("", total=None, count="", left="")
        live = Live(self._bar, console=console, transient=True, refresh_per_second=4)
        super().__init__(live, console.is_terminal and not silent)
        self._next = 0.0
        self._phase = ""

    def update(self, now: Progress) -> None:
        if not self.shown or (monotonic() < self._next and now.phase == self._phase):
            return
        self._phase = now.phase
        unit = "games" if now.phase == "test" else "positions"
        self._bar.update(
            self._task,
            description=f"generation {now.state.current.number}: {now.phase}",
            completed=now.done,
            total=max(now.total, now.done),
            count=f"{now.done:,} of {now.total:,} {unit}, {now.speed:,.1f} a second",
            left=f"{duration(now.left)} left",
        )
        self.live.update(Group(_table(now.state), self._bar))
        self._next = monotonic() + self._PAUSE


def _show(state: State, as_json: bool) -> None:
    if as_json:
        print(json.dumps(to_dict(state), allow_nan=False))
        return
    console = Console()
    print_wide(console, _table(state))
    best = state.best
    champion = "none yet" if best is None else f"generation {best.number}"
    spent = f"{duration(state.clock)} of {duration(state.budget)}"
    console.print(Text(f"best network: {champion}; trained for {spent}"), soft_wrap=True)
    for note in state.notes:
        console.print(Text(note, style="yellow"), soft_wrap=True)


_COLUMNS: dict[str, Callable[[dict[str, Any]], str]] = {
    "generation": lambda row: str(row["generation"]),
    "games": lambda row: f"{row['games']:,}",
    "positions": lambda row: f"{row['positions']:,}",
    "a second": lambda row: _number(row["positions_per_second"], ",.0f"),
    "loss": lambda row: _number(row["value_loss"], ".4f"),
    "held out": lambda row: _number(row["held_value_loss"], ".4f"),
    "test": lambda row: (
        "" if row["test_games"] is None else f"+{row['wins']} ={row['draws']} -{row['losses']}"
    ),
    "Elo": lambda row: elo_text({**row, "pairs": [row["test_games"] or 0]}),
    "": lambda row: {None: "", True: "accepted", False: "not accepted"}[row["accepted"]],
}


def _table(state: State) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in _COLUMNS:
        table.add_column(Text(name), justify="right" if name else "left", no_wrap=True)
    for row in generation_rows(state):
        table.add_row(*(Text(show(row)) for show in _COLUMNS.values()))
    return table


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _panels(state: State) -> list[Panel]:
    """Return the curves: the losses of every epoch, and the Elo over the generations."""
    epochs = list(enumerate(epoch_rows(state), 1))
    series = {"learnt from": "value", "held out": "held_value"}
    curves: Curves = {
        label: {at: row[name] for at, row in epochs} for label, name in series.items()
    }
    strength: Curves = {"best network": {at: elo for at, elo in state.strength()}}  # noqa: C416
    return [
        Panel("Loss of the value", "epoch", "loss", curves, lines=True, log=False, counts=False),
        Panel("Strength", "generation", "Elo", strength, lines=True, log=False, counts=False),
    ]
