"""``mossa tables``: builds, shows and verifies end-game tables."""

import json
import secrets
from pathlib import Path
from typing import Annotated, Any

import typer

from mossa.cli.common import Cores, GameName, Json, MaxMegabytes, Output
from mossa.cli.display import interruptible, progress_bar
from mossa.cli.ending import fail
from mossa.games import game
from mossa.quantities import counted, units
from mossa.solving.tables import MAX_MB, Tables, build_tables, check_tables, tables_name

app = typer.Typer(
    help="Build, show and verify end-game tables.",
)

TablesFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="End-game tables.", show_default=False)
]


@app.command()
def build(
    game_name: GameName,
    seeds: Annotated[int, typer.Option(min=1, metavar="N", help="The most seeds in the pits.")],
    target: Output = None,
    threads: Cores = None,
    max_mb: MaxMegabytes = MAX_MB,
    as_json: Json = False,
) -> None:
    """Write the outcome of every board with at most N seeds to a file.

    After Ctrl-C, or a crash, run the same command again: it resumes after the last finished layer
    (the boards with one number of seeds). The solver finds the file if it is in the folder that
    the variable MOSSA_BOOKS names.
    """
    rules = game(game_name)
    most = rules.start().left_to_play
    if rules.traits.unit and seeds > most:
        fail(f"invalid --seeds '{seeds}': {rules} has {units(most, rules.traits.unit)}")
    path = target or Path(tables_name(rules))
    with progress_bar(as_json, long=True) as bar:
        task = bar.add_task("", total=None, name="tables")
        with interruptible(
            bar, lambda: "finished layers are kept; the same command goes on after them"
        ):
            tables = build_tables(
                rules,
                seeds,
                path,
                threads=threads or 1,
                max_mb=max_mb,
                report=lambda done, total: bar.update(task, completed=done, total=total),
            )
    _show(path, tables, as_json)


@app.command()
def info(path: TablesFile, as_json: Json = False) -> None:
    """Show what a file holds, and verify its checksums."""
    _show(path, Tables.open(path), as_json)


@app.command()
def verify(
    path: TablesFile,
    count: Annotated[
        int, typer.Option(min=1, max=1_000_000_000, metavar="N", help="Boards to recompute.")
    ] = 100_000,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Check the same boards every time.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Verify a file: its checksums, and random boards.

    Recomputes the boards from their moves and reports any whose stored value differs.
    """
    tables = Tables.open(path)
    with progress_bar(as_json) as bar:
        task = bar.add_task("", total=count, name="verify")
        with interruptible(
            bar, lambda: f"{bar.tasks[task].completed:,} of {count:,} boards are right"
        ):
            check_tables(
                tables,
                count,
                secrets.randbits(32) if seed is None else seed,
                report=lambda done, _: bar.update(task, completed=done),
            )
    if as_json:
        print(json.dumps({**_data(path, tables), "checked": count, "wrong": 0}))
    else:
        print(f"{path}: {counted(count, 'random board')}, all values are right")


def _show(path: Path, tables: Tables, as_json: bool) -> None:
    if as_json:
        print(json.dumps(_data(path, tables)))
        return
    print(f"{path}: {tables.game.name}, up to {units(tables.seeds, tables.game.traits.unit)}")
    print(f"{counted(tables.positions, 'board')}, {counted(tables.size, 'byte')}")


def _data(path: Path, tables: Tables) -> dict[str, Any]:
    return {
        "file": str(path),
        "game": tables.game.name,
        "seeds": tables.seeds,
        "positions": tables.positions,
        "bytes": tables.size,
    }
