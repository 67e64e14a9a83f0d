"""``mossa lab``: experiments, their tables, CSV files and plots."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from mossa import lab
from mossa.cli.common import Cluster, Json
from mossa.cli.display import progress_bar
from mossa.cli.ending import fail, stopped
from mossa.lab import output, plots
from mossa.quantities import counted


def run(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="EXPERIMENT",
            help="The name of an experiment, or a .toml file; leave it out for a list.",
            show_default=False,
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1000,
            metavar="N",
            help="How many repetitions, positions, games or generations to run.",
        ),
    ] = None,
    think: Annotated[
        float | None,
        typer.Option(
            "--time",
            min=0.001,
            max=3600,
            metavar="SECONDS",
            help="Seconds per move, in timed experiments.",
        ),
    ] = None,
    games: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="Another board, where you can choose one. Repeatable.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Random seed, where you can choose it."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Run only a small part, in seconds.")
    ] = False,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write all rows to this .csv file.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Plot the results to this .png, .svg or .pdf file."),
    ] = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Measure players: run an experiment from a course report, or your own; watch one learn.

    Ctrl-C stops it; it shows and writes the measurements so far.
    """
    if what is None:
        if any((runs, think, games, seed is not None, quick, csv, plot, cluster)):
            fail("missing EXPERIMENT: the other options need one; mossa lab alone lists them")
        _list_experiments(as_json)
        return
    experiment = lab.experiment(what)
    if csv is not None:
        lab.check_target(csv, [".csv"])
    if plot is not None:
        lab.check_target(plot, plots.FORMATS)
        plots.check_installed()
    settings = lab.Settings(runs=runs, quick=quick, time=think, games=tuple(games or ()), seed=seed)
    results = _measured(experiment, settings, cluster, as_json)
    if as_json:
        print(json.dumps(output.to_data(results)))
    elif results.rows:
        output.show(Console(), results)
    if csv is not None and results.rows:
        csv.write_text(output.to_csv(results.rows), encoding="utf-8", newline="")
    if plot is not None and results.rows:
        plot.write_bytes(_image(results, plot.suffix[1:].lower()))
    if not results.complete:
        stopped(f"{results.done:,} of {counted(results.total, 'measurement')} done")


def _image(results: lab.Results, form: str) -> bytes:
    return plots.to_image(results.panels, form, results.experiment.columns)


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


def _measured(
    experiment: lab.Experiment, settings: lab.Settings, cluster: str | None, silent: bool
) -> lab.Results:
    """Run an experiment behind a progress bar."""
    with progress_bar(silent) as bar:
        task = bar.add_task("", total=None, name=experiment.name)
        return lab.measure(
            experiment,
            settings,
            progress=lambda done, total, label: bar.update(
                task, completed=done, total=total, description=label
            ),
            cluster=cluster,
        )
