"""``mossa tournament``: run, resume, look at and report tournaments."""

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Annotated, NoReturn

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
from mossa.arena.oracle import Judged, judge_games
from mossa.arena.page import to_html
from mossa.arena.plan import FORMATS, SCORINGS, Entrant, Plan, read_entrant, read_games
from mossa.arena.report import Report, llr_path, make_report, rows_to_csv
from mossa.arena.store import Finished, Store
from mossa.arena.words import report_parts
from mossa.cli.agents import AGENT, awaited, gather_agents, lobby_of, tell
from mossa.cli.common import Cluster, Depth, Json, Nodes, check_folder, check_target, not_with
from mossa.cli.conditions import (
    ClockText,
    Margin,
    MoveTime,
    ProgramMemory,
    Sandboxed,
    StartTime,
    conditions_of,
)
from mossa.cli.display import Display, plain_table, print_wide, progress_bar
from mossa.cli.ending import stopped
from mossa.errors import GameError, shorten
from mossa.files import replace_file
from mossa.games import game
from mossa.lab import plots
from mossa.lab.figures import figures
from mossa.protocols.kgp.lobby import Seat
from mossa.protocols.kgp.words import KIND, PORT
from mossa.protocols.listening import MOST_CALLERS
from mossa.quantities import counted
from mossa.records import write_records
from mossa.sheets import Sheet

app = typer.Typer()

TournamentFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="The file that keeps the tournament.")
]
Workers = Annotated[
    int | None,
    typer.Option(min=1, max=1024, help="Games to play at once (default: one per core)."),
]


@app.callback()
def tournament() -> None:
    """Play tournaments that survive anything: every finished game is saved at once."""


@app.command()
def run(
    path: TournamentFile,
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER...",
            help="Two or more: SPEC or NAME=SPEC. A program is ugi:./bot, Python file.py:name.",
        ),
    ],
    games: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="What to play. Repeat it for more games; course-mnk and course-connect are all "
            "the boards of a course.",
        ),
    ] = None,
    rounds: Annotated[
        int,
        typer.Option(
            min=1, help="Pairs of games per pairing and game; in a Swiss tournament, rounds."
        ),
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
    sandbox: Sandboxed = "off",
    plies: Annotated[
        int | None,
        typer.Option(
            min=0, max=100, help="Random moves in an opening (default: depends on the game)."
        ),
    ] = None,
    balanced: Annotated[
        bool, typer.Option("--balanced", help="Choose random openings that are about even.")
    ] = False,
    openings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Openings from a file: one per line, or records."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random openings.")] = 1,
    scoring: Annotated[str, typer.Option(metavar="SCHEME", help=f"{', '.join(SCORINGS)}.")] = (
        "chess"
    ),
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1", help="Stop as soon as one of two hypotheses is accepted."
        ),
    ] = None,
    normalized: Annotated[
        bool, typer.Option("--normalized", help="--sprt is in normalized Elo.")
    ] = False,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Play a tournament and save it in FILE.

    Every opening is played twice, with sides swapped. Ctrl-C stops it; mossa tournament resume FILE
    continues it.
    """
    if openings is not None:
        not_with({"--plies": plies, "--balanced": balanced}, "--openings")
    if normalized and sprt is None:
        raise GameError("--normalized goes with --sprt")
    _check_workers(workers, cluster)
    names = read_games(games or _no_games(players))
    plan = Plan(
        entrants=tuple(map(read_entrant, players)),
        games=names,
        rounds=rounds,
        format=kind,
        conditions=conditions_of(think, clock, depth, nodes, margin, start, memory, sandbox),
        plies=plies,
        balanced=balanced,
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
    """Continue a tournament where it stopped; no game is played twice."""
    _check_workers(workers, cluster)
    with Store.resume(path) as store:
        _play(store, cluster, workers, as_json)


@app.command()
def kgp(
    path: TournamentFile,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYER]...", help="Players of ours that join in: SPEC or NAME=SPEC."
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where agents connect, TCP or WebSocket.")
    ] = PORT,
    anywhere: Annotated[
        bool, typer.Option("--anywhere", help="Let other machines connect, not just this one.")
    ] = False,
    agents: Annotated[
        int | None, typer.Option(min=1, max=MOST_CALLERS, help="Begin when this many are here.")
    ] = None,
    wait: Annotated[
        float | None,
        typer.Option(min=0, max=86400, metavar="SECONDS", help="Begin after this time."),
    ] = None,
    games: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="GAME", help="What to play (default: kalah). Repeatable."),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Pairs of games per pairing and game (default: 1).")
    ] = None,
    think: MoveTime = None,
    clock: ClockText = None,
    margin: Margin = None,
    start: StartTime = None,
    plies: Annotated[
        int | None, typer.Option(min=0, max=100, help="Random moves in an opening (default: 2).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the random openings (default: 1).")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_CALLERS, help="Games to play at once (default: 1)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Let agents of the Kalah Game Protocol play each other.

    It begins when --agents are here, after --wait, or when you press Enter. Ctrl-C stops it;
    mossa tournament kgp FILE continues it as soon as the agents are back.
    """
    if path.is_file() and path.stat().st_size:
        given = {"--game": games, "--rounds": rounds, "--time": think, "--clock": clock}
        given |= {"--plies": plies, "--seed": seed, "--margin": margin, "--start": start}
        given |= {"PLAYER": players or None, "--agents": agents}
        not_with(given, f"the tournament in {path}, which goes on as it began")
        with Store.resume(path) as store:
            if not (names := awaited(store)):
                _show(make_report(store), as_json)
                return
            with lobby_of(store.plan, port, anywhere=anywhere) as lobby:
                gather_agents(lobby, names, agents=None, wait=wait)
                _play_agents(store, lobby.begin(), workers, as_json)
        return
    if agents is None and wait is None and not sys.stdin.isatty():
        raise GameError("when is it to begin? give --agents N or --wait SECONDS")
    check_target(path)
    plan = Plan(
        entrants=tuple(map(read_entrant, players or [])),
        games=read_games(games or [KIND]),
        rounds=rounds or 1,
        conditions=conditions_of(think, clock, None, None, margin, start, None),
        plies=plies,
        seed=1 if seed is None else seed,
    )
    plan.check(others=2)
    for name in plan.games:
        Seat("an agent of KGP").check_game(game(name))
    with lobby_of(plan, port, anywhere=anywhere) as lobby:
        gather_agents(lobby, [], agents=agents, wait=wait)
        seats = lobby.begin()
        guests = tuple(Entrant(name, f"{AGENT}{lobby.port}") for name in seats)
        plan = replace(plan, entrants=guests + plan.entrants)
        plan.check(seats)
        with Store.create(path, plan, first_pairings(plan)) as store:
            _play_agents(store, seats, workers, as_json)


@app.command()
def status(path: TournamentFile, as_json: Json = False) -> None:
    """Show the standings of a tournament, during play or after."""
    with Store.look(path) as store:
        _show(make_report(store), as_json)


@app.command()
def report(
    path: TournamentFile,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a web page of tables and plots.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a CSV file with a line per game.")
    ] = None,
    moves: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a CSV file with a line per move.")
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the games to a file of records, such as games.jsonl."
        ),
    ] = None,
    oracle: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            metavar="SECONDS",
            help="Judge moves by exact values, solving each position for up to this long.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write figures for a paper, each as .svg, .pdf and .png."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Report on a tournament: as text, a web page, JSON, CSV or figures."""
    for target in (html, csv, moves, records):
        check_target(target)
    if plot is not None:
        check_folder(plot, "figures")
        plots.check_installed()
    with Store.look(path) as store:
        judged: dict[tuple[int, int], Judged] = {}
        if oracle is not None:
            with progress_bar(as_json) as bar:
                task = bar.add_task("", total=store.counts()[0], name="judging moves")
                judged = dict(
                    judge_games(store.records(), seconds=oracle, progress=lambda: bar.advance(task))
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
        _show(made, as_json, in_full=True)
        if plot is not None:
            for line in _draw(made, plot, judging=oracle is not None):
                print(line, file=sys.stderr if as_json else sys.stdout)


def _draw(made: Report, folder: Path, *, judging: bool) -> list[str]:
    """Write the figures that there is something for, and return what to say about all of them."""
    drawn, missing = figures(made)
    if "kept_value" in missing:
        missing["kept_value"] = (
            "no position could be solved in time"
            if judging
            else "no move has been judged; give --oracle SECONDS"
        )
    folder.mkdir(exist_ok=True)
    for name, panel in drawn.items():
        for form in plots.FORMATS:
            replace_file(folder / f"{name}{form}", plots.to_image([panel], form[1:]))
    forms = ", ".join(plots.FORMATS)
    lines = [f"figures in {folder}: {', '.join(drawn)} ({forms})"] if drawn else []
    return lines + [f"figure left out: {name}: {why}" for name, why in missing.items()]


def _play_agents(
    store: Store, seats: Mapping[str, Seat], workers: int | None, as_json: bool
) -> None:
    with _Display(store, as_json) as display:
        outcome = drive(store, count=workers, objects=seats, progress=display.update)
    _show(make_report(store), as_json)
    saved = f"{outcome.done:,} of {counted(outcome.total, 'game')} saved in {store.path}"
    if outcome.stopped:
        stopped(f"{saved}; mossa tournament kgp {store.path} continues")
    if outcome.done < outcome.total:
        away = ", ".join(name for name, seat in seats.items() if seat.is_away)
        tell(f"{saved}; {away or 'somebody'} left: mossa tournament kgp {store.path} continues")
        sys.exit(1)


# ---------------------------------------------------------------- options


def _no_games(players: list[str]) -> NoReturn:
    """Complain that no game is given, with a hint if it stands where mossa match takes one."""
    try:
        read_games(players[-1:])
    except GameError:
        raise GameError("a tournament needs a game: add --game connect4, or another one") from None
    raise GameError(
        f"a tournament needs a game: write --game {players[-1]} instead of {players[-1]}"
    )


def _check_workers(workers: int | None, cluster: str | None) -> None:
    if cluster is not None:
        not_with({"--workers": workers}, "--cluster")


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
    _show(make_report(store), as_json)
    if outcome.stopped:
        stopped(
            f"{outcome.done:,} of {counted(outcome.total, 'game')} saved in {store.path}; "
            f"mossa tournament resume {store.path} continues"
        )


class _Display(Display):
    """Progress with the estimated end, and the table as it stands, for a person at a terminal."""

    _PAUSE = 0.5  # seconds between two tables; longer where they take long to make

    def __init__(self, store: Store, silent: bool) -> None:
        console = Console(stderr=True)
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
        live = Live(self._bar, console=console, transient=True, refresh_per_second=4)
        super().__init__(live, console.is_terminal and not silent)
        self._next = 0.0

    def update(self, store: Store, _: Finished | None) -> None:
        if not self.shown or monotonic() < self._next:
            return
        done, total = store.counts()
        self._bar.update(self._task, completed=done, total=total)
        begin = monotonic()
        self.live.update(Group(*_tables(make_report(store, with_moves=False)), self._bar))
        self._next = monotonic() + max(self._PAUSE, 20 * (monotonic() - begin))


def _show(made: Report, as_json: bool, *, in_full: bool = False) -> None:
    if as_json:
        print(json.dumps(made.to_dict(), allow_nan=False))
        return
    console = Console()
    for at, each in enumerate(_tables(made, in_full=in_full)):
        if isinstance(each, Table):
            if at:
                console.print()
            print_wide(console, each)
        else:
            console.print(each, soft_wrap=True)


_STYLES = {"plain": "", "quiet": "dim", "warning": "yellow", "error": "red"}


def _tables(made: Report, *, in_full: bool = False) -> list[Table | Text]:
    return [
        plain_table(part) if isinstance(part, Sheet) else Text(part.text, style=_STYLES[part.kind])
        for part in report_parts(made, in_full=in_full)
    ]
