"""What runs the lab: an experiment is a list of work, and every piece of work yields rows.

A row is one search: which player, in which position, what it found and what that cost. Tables and
plots are made of rows and of nothing else, so whatever was measured before Ctrl-C can be shown.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryFile
from time import perf_counter
from typing import Any, Protocol

from mossa._core import Game, Limits, Move, Position, Side
from mossa.cluster import in_order, workers
from mossa.errors import GameError, shorten
from mossa.games import game as game_named
from mossa.players import Player, choice_of
from mossa.players import player as player_named
from mossa.quantities import counted
from mossa.search import Info, Score

Cell = str | int | float | None


class InvalidExperimentError(GameError):
    """There is no such experiment, or its file is wrong."""


InvalidExperimentError.__module__ = "mossa.lab"


@dataclass(frozen=True)
class Row:
    """One search. Whatever a player does not report, such as a random one's nodes, is None."""

    experiment: str
    case: str
    """What all compared rows share: a position, a size, a game."""
    variant: str
    """What is compared: a player by its label."""
    game: str
    moves: str
    player: str
    repetition: int
    nodes: int | None = None
    evaluations: int | None = None
    cutoffs: int | None = None
    table_hits: int | None = None
    depth: int | None = None
    time_ms: float | None = None
    memory: int | None = None
    move: str | None = None
    score: Score | None = None
    extra: Mapping[str, Cell] = field(default_factory=dict)
    """What only this experiment measures, as extra columns in the CSV."""

    def as_dict(self) -> dict[str, Cell]:
        """Return the columns by name, the extra ones last."""
        own = {each.name: self.get(each.name) for each in fields(self) if each.name != "extra"}
        return own | dict(self.extra)

    def get(self, column: str) -> Cell:
        """Return the value of a column, extra or not; None if there is none."""
        if column == "score":
            return None if self.score is None else str(self.score)
        value: Cell = self.extra[column] if column in self.extra else getattr(self, column, None)
        return value


@dataclass(frozen=True)
class Table:
    """A table as plain data; numbers stay numbers, and column names may have two lines."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Panel:
    """One set of axes of a plot: a value for every x of every series.

    With ``lines`` the x are numbers on an axis, otherwise names with bars above them. ``published``
    are figures to compare with, by the label of the series they belong to.
    """

    title: str
    x_label: str
    y_label: str
    series: Mapping[str, Mapping[Cell, float]]
    published: Mapping[str, Mapping[Cell, float]] = field(default_factory=dict)
    lines: bool = False
    stacked: bool = False
    log: bool = True
    log_x: bool = False
    counts: bool = True
    """Whether the values are counts, drawn on an axis of whole numbers, unlike times."""
    level: tuple[str, float] | None = None
    """A published figure that holds for every x, and its label."""
    top: float | None = None
    """Where the value axis ends, if known: shares end at 100%."""


@dataclass(frozen=True)
class Ranges:
    """One set of axes of a plot: a value for every name, with how far it may be off to both sides.

    A range without an end is drawn as an arrow to that side, one without a value has no dot.
    """

    title: str
    x_label: str
    rows: Mapping[str, tuple[float | None, float | None, float | None]]
    """The low end, the value and the high end, by name; the first name comes on top."""
    log: bool = False
    zero: bool = False
    """Whether there is a line at 0 to compare with."""


@dataclass(frozen=True)
class Grid:
    """A board of a plot: a share for every cell that a move can go to, beside the stones.

    Cells are (row, column), the bottom row first.
    """

    title: str
    stones: Sequence[Sequence[int]]
    """0 for an empty cell, 1 for a stone of first, 2 for one of second."""
    shares: Mapping[tuple[int, int], float]
    marked: frozenset[tuple[int, int]] = frozenset()
    """Cells with a frame."""


@dataclass(frozen=True)
class Settings:
    """What the caller may change in an experiment; None leaves it as it is."""

    runs: int | None = None
    quick: bool = False
    """Do only a small part of the work, to see that all is well."""
    time: float | None = None
    """Seconds per move, for experiments limited by time."""
    games: tuple[str, ...] = ()
    """Boards to use instead of the experiment's own, if it lets you choose."""
    seed: int | None = None
    """The seed for anything random, if it lets you choose."""


class Work(Protocol):
    """A piece of work that can be done on its own."""

    @property
    def label(self) -> str:
        """What a progress bar says about it."""
        ...

    def rows(self, experiment: str) -> Iterator[Row]:
        """Do the work; yield every row as soon as it is measured."""
        ...


@dataclass(frozen=True)
class Experiment:
    """What to measure, and how to show it."""

    name: str
    summary: str
    work: Callable[[Settings], Sequence[Work]]
    tables: Callable[[Sequence[Row]], list[Table]]
    panels: Callable[[Sequence[Row]], Sequence[Panel | Grid]]
    takes: str = ""
    """Roughly how long it takes, in words."""
    timed: bool = False
    """True if a time limit is part of it."""
    repeatable: bool = True
    """False if nodes differ from run to run, as with a time limit or threads."""
    choosable: bool = False
    """True if the caller can choose its boards and seed."""
    columns: int | None = None
    """Panels per row of its plot; all of them by default."""


@dataclass(frozen=True)
class Results:
    """The rows of an experiment; ``done`` of ``total`` pieces of work, fewer after Ctrl-C."""

    experiment: Experiment
    rows: list[Row]
    done: int
    total: int

    @property
    def complete(self) -> bool:
        """True unless it was interrupted."""
        return self.done == self.total

    @property
    def tables(self) -> list[Table]:
        """What the rows say."""
        return self.experiment.tables(self.rows)

    @property
    def panels(self) -> Sequence[Panel | Grid]:
        """What the rows say, ready to draw."""
        return self.experiment.panels(self.rows)


def measure(
    experiment: Experiment,
    settings: Settings | None = None,
    *,
    progress: Callable[[int, int, str], object] | None = None,
    cluster: str | None = None,
) -> Results:
    """Do all the work of an experiment, here or on a Dask cluster.

    ``progress`` is called with the work done, the total, and what comes next. Ctrl-C ends the
    work but not the program: what has been measured so far is returned.
    """
    settings = settings or Settings()
    if settings.time is not None and not experiment.timed:
        raise InvalidExperimentError(f"{experiment.name} has no time limit that could be changed")
    if not experiment.choosable and (settings.games or settings.seed is not None):
        what = "boards" if settings.games else "seed"
        raise InvalidExperimentError(f"{experiment.name} has no {what} that could be chosen")
    todo = experiment.work(settings)
    rows: list[Row] = []
    done = 0
    try:
        with _rows_of(todo, experiment.name, cluster) as found:
            for work, measured in zip(todo, found, strict=True):
                if progress:
                    progress(done, len(todo), work.label)
                for row in measured:
                    rows.append(row)
                done += 1
    except KeyboardInterrupt:
        # Nothing is lost: whoever asked sees from `done` that there was more to do.
        pass
    return Results(experiment, rows, done, len(todo))


@contextmanager
def _rows_of(
    todo: Sequence[Work], experiment: str, cluster: str | None
) -> Iterator[Iterator[Iterable[Row]]]:
    """Yield the rows of every piece of work, in order."""
    if cluster is None:
        yield (work.rows(experiment) for work in todo)
        return
    with workers(cluster=cluster) as (executor, slots):
        yield in_order(executor, slots, partial(_all_rows, experiment), todo)


def _all_rows(experiment: str, work: Work) -> list[Row]:
    return list(work.rows(experiment))


# ---------------------------------------------------------------- kinds of work


@dataclass(frozen=True)
class OneSearch:
    """A player thinks about one position, with nothing remembered from before."""

    case: str
    variant: str
    spec: str
    game: str
    moves: str = ""
    repetition: int = 1
    limits: Limits = field(default_factory=Limits)
    extra: Mapping[str, Cell] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Case and variant."""
        return f"{self.case}, {self.variant}"

    def rows(self, experiment: str) -> Iterator[Row]:
        """One row."""
        position = game_named(self.game).position(self.moves)
        player = player_named(self.spec)
        yield _ask(self, experiment, self.variant, player, position, self.limits, self.extra)[1]


@dataclass(frozen=True)
class WholeGame:
    """A game from beginning to end; the players remember what they like from move to move.

    Every one of ``players`` thinks about every position of its side; the moves of the first one are
    played, so that all are measured in the same positions. Without an ``opponent`` they think about
    both sides' positions. ``plies`` ends the game early. Players whose label is among ``renewed``
    are made anew for every move, so that they keep nothing; what a move takes with that is then a
    column of its own.
    """

    case: str
    players: Mapping[str, str]
    game: str
    moves: str = ""
    opponent: str | None = None
    side: Side = Side.first
    repetition: int = 1
    limits: Limits = field(default_factory=Limits)
    plies: int | None = None
    renewed: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Case and players."""
        return f"{self.case}, {', '.join(self.players)}, game {self.repetition}"

    def rows(self, experiment: str) -> Iterator[Row]:
        """One row for every move and player."""
        position = game_named(self.game).position(self.moves)
        players = {label: player_named(spec) for label, spec in self.players.items()}
        opponent = None if self.opponent is None else seeded(self.opponent, self.repetition)
        last = None if self.plies is None else position.ply + self.plies
        while position.outcome is None and position.ply != last:
            if opponent is not None and position.side is not self.side:
                move = choice_of(opponent, position, self.limits).move
            else:
                extra = {"ply": position.ply + 1}
                asked = []
                for label, kept in players.items():
                    begin = perf_counter()
                    player = player_named(self.players[label]) if label in self.renewed else kept
                    chosen, row = _ask(
                        self, experiment, label, player, position, self.limits, extra
                    )
                    asked.append(chosen)
                    if self.renewed:
                        taken = round((perf_counter() - begin) * 1000, 4)
                        row = replace(row, extra={**extra, "whole_ms": taken})
                    yield row
                move = asked[0]
            position = position.play(move)


@dataclass(frozen=True)
class OneGame:
    """A game between two players, from an opening to its end: one row, about the player.

    Nodes and the like are those of all its moves together, the time is the mean of a move.
    """

    case: str
    variant: str
    spec: str
    against: str
    """The label of the opponent."""
    opponent: str
    game: str
    moves: str = ""
    side: Side = Side.first
    repetition: int = 1
    extra: Mapping[str, Cell] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Who plays whom."""
        return f"{self.case}, {self.variant} against {self.against}, game {self.repetition}"

    def rows(self, experiment: str) -> Iterator[Row]:
        """One row."""
        position = game_named(self.game).position(self.moves)
        opening_text = position.history_text
        player, opponent = player_named(self.spec), seeded(self.opponent, self.repetition)
        found: list[Row] = []
        while position.outcome is None:
            if position.side is self.side:
                move, row = _ask(
                    self, experiment, self.variant, player, position, Limits(), self.extra
                )
                found.append(row)
            else:
                move = opponent.choose(position, Limits()).move
            position = position.play(move)
        yield Row(
            experiment=experiment,
            case=self.case,
            variant=self.variant,
            game=position.game.name,
            moves=opening_text,
            player=player.name,
            repetition=self.repetition,
            nodes=_sum(found, "nodes"),
            evaluations=_sum(found, "evaluations"),
            cutoffs=_sum(found, "cutoffs"),
            table_hits=_sum(found, "table_hits"),
            time_ms=mean(found, "time_ms"),
            memory=int(max(values(found, "memory"), default=0)) or None,
            extra={
                **self.extra,
                "side": self.side.name,
                "against": self.against,
                "opponent": opponent.name,
                "result": _result(position.outcome.winner, self.side),
                "margin": _margin(position.outcome.value, self.side),
                "plies": position.ply,
                "record": position.history_text,
            },
        )


RESULTS = ("won", "drawn", "lost")


def _result(winner: Side | None, side: Side) -> str:
    return "drawn" if winner is None else "won" if winner is side else "lost"


def _margin(value: int, side: Side) -> int:
    return value if side is Side.first else -value


def _sum(rows: Iterable[Row], column: str) -> int | None:
    numbers = values(rows, column)
    return int(sum(numbers)) if numbers else None


def seeded(spec: str, repetition: int) -> Player:
    """Return a player; a random one plays another game each time, but the same on every day."""
    return player_named(f"random:seed={repetition}" if spec == "random" else spec)


def _ask(
    work: OneSearch | WholeGame | OneGame,
    experiment: str,
    variant: str,
    player: Player,
    position: Position,
    limits: Limits,
    extra: Mapping[str, Cell],
) -> tuple[Move, Row]:
    begin = perf_counter()
    choice = choice_of(player, position, limits)
    seconds = perf_counter() - begin
    row = Row(
        experiment=experiment,
        case=work.case,
        variant=variant,
        game=position.game.name,
        moves=position.history_text,
        player=player.name,
        repetition=work.repetition,
        move=str(choice.move),
        extra=extra,
        **_told(choice.info, seconds),
    )
    return choice.move, row


def _told(info: Info | None, seconds: float) -> dict[str, Any]:
    """What a player reports about its search; if nothing, it is timed from outside."""
    if info is None:
        return {"time_ms": round(seconds * 1000, 4)}
    return {
        "nodes": info.nodes,
        "evaluations": info.evaluations,
        "cutoffs": info.cutoffs,
        "table_hits": info.table_hits,
        "depth": info.depth,
        # The search's own clock leaves out what it costs to set it up.
        "time_ms": round(info.time * 1000, 4),
        "memory": info.memory,
        "score": info.score,
    }


def opening(game: Game, repetition: int) -> str:
    """The first move of a game that is played several times: none, then random ones.

    A player without chance would play the same game again and again.
    """
    return "" if repetition == 1 else random_moves(game, 1, repetition)


def random_moves(game: Game, plies: int, seed: int) -> str:
    """Return random moves from the start, the same for the same seed; the game goes on after them.

    Raise ValueError if the game is over before.
    """
    chance = random.Random(seed)
    position = game.start()
    for _ in range(plies):
        going_on = [move for move in position.moves if position.play(move).outcome is None]
        if not going_on:
            raise ValueError(f"no game of {game} goes on after {plies} moves")
        position = position.play(chance.choice(going_on))
    return position.history_text


def spec(name: str, options: Mapping[str, str]) -> str:
    """Return the text that names a player with these options."""
    return f"{name}:{','.join(f'{option}={value}' for option, value in options.items())}"


def check_target(path: Path, suffixes: Sequence[str]) -> None:
    """Raise InvalidExperimentError if results cannot be written there.

    Asked before the work begins: nobody should wait for minutes only to hear of it then.
    """
    if path.suffix.lower() not in suffixes:
        raise InvalidExperimentError(
            f"cannot write {shorten(str(path))}: its name must end in {' or '.join(suffixes)}"
        )
    if path.is_dir() or not path.parent.is_dir():
        what = "it is a folder" if path.is_dir() else "there is no such folder"
        raise InvalidExperimentError(f"cannot write {shorten(str(path))}: {what}")
    try:
        if path.is_file():
            path.open("ab").close()
        elif not path.exists():
            TemporaryFile(dir=path.parent).close()
        # A pipe is left alone: its reader would take this for the end.
    except OSError as error:
        why = error.strerror or "it cannot be opened"
        raise InvalidExperimentError(f"cannot write {shorten(str(path))}: {why}") from None


# ---------------------------------------------------------------- from rows to figures


def pick(rows: Iterable[Row], **wanted: Cell) -> list[Row]:
    """Return the rows with these values, in extra columns too."""
    return [row for row in rows if all(row.get(name) == value for name, value in wanted.items())]


def distinct(rows: Iterable[Row], column: str) -> list[Cell]:
    """Return the values of a column in the order in which they first occur."""
    return list(dict.fromkeys(row.get(column) for row in rows))


def values(rows: Iterable[Row], column: str) -> list[float]:
    """Return the numbers in a column."""
    found = (row.get(column) for row in rows)
    return [value for value in found if isinstance(value, int | float)]


def mean(rows: Iterable[Row], column: str) -> float | None:
    """Return the mean of a column; None if it holds no numbers. Whole if all are equal."""
    numbers = values(rows, column)
    if not numbers:
        return None
    return numbers[0] if len(set(numbers)) == 1 else fmean(numbers)


def means(rows: Iterable[Row], column: str, by: str) -> dict[Cell, float]:
    """Return the mean of a column for every value of another one, where there is a mean."""
    rows = list(rows)
    found = {value: mean(pick(rows, **{by: value}), column) for value in distinct(rows, by)}
    return {value: number for value, number in found.items() if number is not None}


def series(
    rows: Sequence[Row], variants: Iterable[str], column: str, by: str
) -> dict[str, dict[Cell, float]]:
    """Return the means of every variant, as a panel draws them."""
    return {variant: means(pick(rows, variant=variant), column, by) for variant in variants}


def groups(
    rows: Iterable[Row], column: str, wanted: Iterable[Cell]
) -> Iterator[tuple[Cell, list[Row]]]:
    """Yield each of these values of a column with its rows, where there are any."""
    rows = list(rows)
    for value in wanted:
        if here := pick(rows, **{column: value}):
            yield value, here


Figure = Callable[[Sequence[Row]], Cell]
"""What a cell of a table makes of its rows."""


def mean_of(column: str, *, rounded: bool = False) -> Figure:
    """Return the figure that is the mean of a column."""

    def figure(rows: Sequence[Row]) -> Cell:
        number = mean(rows, column)
        return round(number) if rounded and number is not None else number

    return figure


def most_of(column: str, *, rounded: bool = False) -> Figure:
    """Return the figure that is the greatest number of a column."""

    def figure(rows: Sequence[Row]) -> Cell:
        number = max(values(rows, column))
        return round(number) if rounded else number

    return figure


def games_of(rows: Sequence[Row]) -> int:
    """Count the games, or the positions, that rows of one player come from."""
    return len(distinct(rows, "repetition"))


def table(
    title: str,
    first: str,
    lines: Iterable[tuple[Cell, Sequence[Row]]],
    figures: Mapping[str, Figure],
    notes: Sequence[str] = (),
) -> Table:
    """Return a table with a line for each label and its rows, and a column for each figure."""
    cells = [
        (label, *(figure(rows) for figure in figures.values())) for label, rows in lines if rows
    ]
    return Table(title, (first, *figures), cells, tuple(notes))


def by_move(
    title: str, unit: str, rows: Sequence[Row], variants: Iterable[str], column: str, **looks: Any
) -> Panel:
    """Return the plot of a column over the moves of a game, a curve for each variant."""
    points = series(rows, variants, column, "ply")
    return Panel(title, "move of the game", unit, points, lines=True, **looks)


@dataclass(frozen=True)
class Tally:
    """How the games of a player ended."""

    games: int
    won: int
    drawn: int
    lost: int

    @property
    def points(self) -> int | float:
        """A point for every win, half a point for a draw; a whole number where it is one."""
        doubled = 2 * self.won + self.drawn
        return doubled / 2 if doubled % 2 else doubled // 2


def tally(rows: Iterable[Row], label: str, against: str | None = None) -> Tally:
    """Count the results of a player in games, whichever of the two the rows are about."""
    counts = dict.fromkeys(RESULTS, 0)
    turned = dict(zip(RESULTS, reversed(RESULTS), strict=True))
    for row in rows:
        players, result = (row.variant, row.get("against")), str(row.get("result"))
        if players[0] == label and against in (None, players[1]):
            counts[result] += 1
        if players[1] == label and against in (None, players[0]):
            counts[turned[result]] += 1
    return Tally(sum(counts.values()), **counts)


def games_text(rows: Sequence[Row]) -> str:
    """Return ``5 games``, for a title: how many games the rows of a variant come from."""
    count = max(
        (games_of(here) for _, here in groups(rows, "variant", distinct(rows, "variant"))),
        default=0,
    )
    return counted(count, "game")


def cell_text(cell: Cell) -> str:
    """Return a number with three significant digits or its thousands apart, a text as it is."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) or abs(cell) >= 100:
        return f"{cell:,.0f}"
    return f"{cell:.3f}" if abs(cell) < 1 else f"{cell:.2f}" if abs(cell) < 10 else f"{cell:.1f}"
