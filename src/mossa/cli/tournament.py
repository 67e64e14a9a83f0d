"""``mossa tournament``: run, resume, look at and report tournaments."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from mossa.arena import Sprt
from mossa.arena.driver import drive, first_pairings
from mossa.arena.openings import read_openings
from mossa.arena.oracle import accuracy
from mossa.arena.page import elo_text, to_html
from mossa.arena.plan import FORMATS, SCORINGS, Plan, read_entrant, read_games
from mossa.arena.report import Report, llr_path, make_report, rows_to_csv
from mossa.arena.store import Finished, Store
from mossa.cli.common import (
    ClockText,
    Cluster,
    Depth,
    Json,
    Margin,
    MoveTime,
    Nodes,
    ProgramMemory,
    StartTime,
    conditions_of,
    progress_bar,
)
from mossa.errors import GameError, shorten
from mossa.games import game
from mossa.records import write_records

app = typer.Typer(no_args_is_help=True)

TournamentFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file of the tournament.")]
Workers = Annotated[
    int | None, typer.Option(min=1, max=1024, help="Games at the same time; one for each core.")
]


@app.callback()
def tournament() -> None:
    """Play tournaments: every finished game is kept, whatever happens."""


@app.command()
def run(
    path: TournamentFile,
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER...",
            help="Two or more: SPEC, or NAME=SPEC. Programs are ugi:./bot, Python file.py:name.",
        ),
    ],
    games: Annotated[
        list[str],
        typer.Option(
            "--game",
            metavar="GAME",
            help="May be given again; course-mnk and course-connect are all boards of a course.",
        ),
    ],
    rounds: Annotated[
        int, typer.Option(min=1, help="Pairs of games for each pairing and game; Swiss: rounds.")
    ] = 1,
    kind: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"{', '.join(FORMATS)}.")
    ] = "round-robin",
    think: MoveTime = None,
    clock: ClockText = None,
    depth: Depth = None,
    nodes: Nodes = None,
    margin: Margin = None,
    start: StartTime = None,
    memory: ProgramMemory = None,
    plies: Annotated[
        int | None,
        typer.Option(min=0, max=100, help="Random moves of an opening; what suits the game."),
    ] = None,
    openings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Openings: moves on a line each, or records."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed gives other openings.")] = 1,
    scoring: Annotated[str, typer.Option(metavar="SCHEME", help=f"{', '.join(SCORINGS)}.")] = (
        "chess"
    ),
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="Stop when one of two hypotheses is accepted."),
    ] = None,
    normalized: Annotated[
        bool, typer.Option("--normalized", help="The Elo of --sprt is normalized Elo.")
    ] = False,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Play a tournament, kept in FILE.

    Each opening is played twice with sides swapped. Ctrl-C ends it; mossa tournament resume FILE
    goes on.
    """
    names = read_games(games)
    plan = Plan(
        entrants=tuple(map(read_entrant, players)),
        games=names,
        rounds=rounds,
        format=kind,
        conditions=conditions_of(think, clock, depth, nodes, margin, start, memory),
        plies=plies,
        seed=seed,
        openings=None if openings is None else read_openings(openings, [*map(game, names)]),
        scoring=scoring,
        sprt=None if sprt is None else _read_sprt(sprt, normalized),
    )
    plan.check()
    with Store.create(path, plan, first_pairings(plan)) as store:
        _play(store, cluster, workers, as_json)


@app.command()
def resume(
    path: TournamentFile, workers: Workers = None, cluster: Cluster = None, as_json: Json = False
) -> None:
    """Go on with a tournament where it was left; no game is played twice."""
    with Store.resume(path) as store:
        _play(store, cluster, workers, as_json)


@app.command()
def status(path: TournamentFile, as_json: Json = False) -> None:
    """Show how a tournament stands, while it is played or after."""
    with Store.look(path) as store:
        _show(make_report(store, with_moves=as_json), as_json)


@app.command()
def report(
    path: TournamentFile,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a web page with tables and plots.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a line for every game.")
    ] = None,
    moves: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a .csv line for every move.")
    ] = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the games, such as games.jsonl.")
    ] = None,
    oracle: Annotated[
        float | None,
        typer.Option(
            min=0.001, metavar="SECONDS", help="Judge moves by exact values: time a position."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Report a tournament: as tables, as a web page, as JSON and as CSV."""
    with Store.look(path) as store:
        judged = []
        if oracle is not None:
            with progress_bar(as_json) as bar:
                task = bar.add_task("", total=store.counts()[0], name="judging moves")
                judged = accuracy(
                    store.records(), seconds=oracle, progress=lambda: bar.advance(task)
                )
        made = make_report(store, judged)
        if html is not None:
            html.write_text(to_html(made, llr_path(made, store)), encoding="utf-8")
        if csv is not None:
            csv.write_text(made.to_csv(), encoding="utf-8", newline="")
        if moves is not None:
            moves.write_text(rows_to_csv(made.moves), encoding="utf-8", newline="")
        if records is not None:
            write_records(records, [record for _, record in store.records()])
        _show(made, as_json)


def _read_sprt(text: str, normalized: bool) -> Sprt:
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise GameError(f"invalid --sprt {shorten(text)}: two numbers, such as 0,5") from None
    return Sprt(elo0, elo1, normalized=normalized)


# ---------------------------------------------------------------- on show


def _play(store: Store, cluster: str | None, workers: int | None, as_json: bool) -> None:
    with _Display(store, as_json) as display:
        outcome = drive(store, cluster=cluster, count=workers, progress=display.update)
    _show(make_report(store, with_moves=as_json), as_json)
    if outcome.stopped:
        print(
            f"mossa: stopped: {outcome.done} of {outcome.total} games are in {store.path}; "
            f"mossa tournament resume {store.path} goes on",
            file=sys.stderr,
        )
        sys.exit(130)


class _Display:
    """Progress with the estimated end, and the table as it stands, for a person at a terminal."""

    _PAUSE = 0.5  # seconds between two tables; longer where they take long to make

    def __init__(self, store: Store, silent: bool) -> None:
        console = Console(stderr=True)
        self._shown = console.is_terminal and not silent
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
        )
        done, total = store.counts()
        self._task = self._bar.add_task("", completed=done, total=total)
        self._live = Live(self._bar, console=console, transient=True, refresh_per_second=4)
        self._next = 0.0

    def __enter__(self) -> "_Display":
        if self._shown:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._live.stop()

    def update(self, store: Store, _: Finished | None) -> None:
        if not self._shown or monotonic() < self._next:
            return
        done, total = store.counts()
        self._bar.update(self._task, completed=done, total=total)
        begin = monotonic()
        self._live.update(Group(*_tables(make_report(store, with_moves=False)), self._bar))
        self._next = monotonic() + max(self._PAUSE, 20 * (monotonic() - begin))


def _show(made: Report, as_json: bool) -> None:
    if as_json:
        print(json.dumps(made.to_dict()))
        return
    console = Console()
    for each in _tables(made):
        console.print(each, soft_wrap=isinstance(each, Text))


def _tables(made: Report) -> list[Any]:
    found: list[Any] = [_standings(made)]
    if len(made.plan.entrants) > 2:
        found.append(_cross_table(made))
    if made.sprt is not None:
        found.append(_sprt_line(made.sprt))
    if made.oracle:
        found.append(_accuracy(made))
    lost = sum(row["forfeits"] for row in made.standings)
    if lost:
        reasons = [row["end"] for row in made.games if row["forfeit"]]
        found.append(Text(f"{lost} games were forfeited, the last: {reasons[-1]}", style="red"))
    if made.unplayed:
        why = made.unplayed[-1]["end"]
        found.append(Text(f"{len(made.unplayed)} games were {why}", style="red"))
    if not made.complete:
        found.append(Text(f"{made.done:,} of {made.total:,} games", style="dim"))
    return found


def _standings(made: Report) -> Table:
    columns: dict[str, Callable[[dict[str, Any]], str]] = {
        "player": lambda row: row["player"],
        "points": lambda row: f"{row['points']:g}",
        "games": lambda row: f"{row['games']:,}",
        "+": lambda row: f"{row['wins']:,}",
        "=": lambda row: f"{row['draws']:,}",
        "-": lambda row: f"{row['losses']:,}",
        "score": lambda row: f"{row['score']:.1%}",
        "Elo": elo_text,
        "LOS": lambda row: f"{row['los']:.1%}",
    }
    table = _plain_table(*columns)
    for row in made.standings:
        table.add_row(*(Text(show(row)) for show in columns.values()))
    return table


def _cross_table(made: Report) -> Table:
    names = [row["player"] for row in made.standings]
    found = {(duel["player"], duel["opponent"]): duel for duel in made.duels}
    table = _plain_table("", *(str(number) for number in range(1, len(names) + 1)))
    for number, name in enumerate(names, 1):
        cells = []
        for other in names:
            duel = found.get((name, other))
            cells.append(
                "" if duel is None else f"+{duel['wins']} ={duel['draws']} -{duel['losses']}"
            )
        table.add_row(Text(f"{number} {name}"), *map(Text, cells))
    return table


def _accuracy(made: Report) -> Table:
    table = _plain_table("player", "phase", "moves", "keep the value", "mean loss")
    for each in made.oracle:
        table.add_row(
            Text(each.player),
            each.phase,
            f"{each.moves:,}",
            f"{each.kept:.1%}",
            f"{each.loss:.3f}",
        )
    return table


def _sprt_line(sprt: dict[str, Any]) -> Text:
    verdict = sprt["verdict"]
    end = f"{verdict} is accepted" if verdict else "no decision yet"
    return Text(
        f"test of Elo {sprt['elo0']:g} against {sprt['elo1']:g}: ratio {sprt['llr']:.2f} "
        f"({sprt['lower']:.2f} to {sprt['upper']:.2f}) after {sprt['pairs']:,} pairs: {end}"
    )


def _plain_table(*columns: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for at, name in enumerate(columns):
        table.add_column(Text(name), justify="right" if at else "left", overflow="fold")
    return table
