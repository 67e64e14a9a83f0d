"""A user's own experiment: a short TOML file.

A file is checked to the end before anything runs, and an error names the file, the key
and what is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import stdev
from typing import Any, TypeVar

from mossa._core import Limits, Side
from mossa.errors import GameError, did_you_mean, shorten
from mossa.files import read_toml
from mossa.games import game as game_named
from mossa.lab.runner import (
    Cell,
    Experiment,
    InvalidExperimentError,
    OneSearch,
    Panel,
    Row,
    Settings,
    Table,
    WholeGame,
    Work,
    distinct,
    mean,
    means,
    pick,
    values,
)
from mossa.players import LIMITS, choice_of, limits_from, stricter
from mossa.players import player as player_named

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

KEYS = {
    "name": "a text",
    "games": "a list of games, such as ['connect4', 'mnk:7x7x4']",
    "moves": "a list of moves, such as ['', '44', '4453'], or a table of lists by game",
    "players": "a table of player specs by label, or a list of specs",
    "opponent": "a player spec, or 'self'",
    "side": "'first' or 'second'",
    "runs": "a whole number, 1 to 1000",
    "limits": f"a table with {', '.join(LIMITS)}",
}
"""What a file may hold."""


@dataclass(frozen=True)
class _Plan:
    """A file, checked."""

    name: str
    starts: tuple[tuple[str, str], ...]  # games as the user wrote them, moves
    players: Mapping[str, str]
    opponent: str | None  # 'self': the player itself
    side: Side
    runs: int
    limits: Limits

    def work(self, settings: Settings) -> Sequence[Work]:
        """All pieces; the repetitions of a player follow one another."""
        runs = settings.runs or (1 if settings.quick else self.runs)
        return [
            self._piece(game, moves, label, repetition, settings)
            for game, moves in self.starts
            for label in self.players
            for repetition in range(1, runs + 1)
        ]

    def _piece(
        self, game: str, moves: str, label: str, repetition: int, settings: Settings
    ) -> Work:
        case = f"{game} {moves}".strip()
        limits = self.limits
        if settings.time is not None:
            limits = Limits(
                time=settings.time,
                nodes=limits.nodes,
                iterations=limits.iterations,
                depth=limits.depth,
            )
        spec = self.players[label]
        if self.opponent is None:
            return OneSearch(case, label, spec, game, moves, repetition, limits)
        return WholeGame(
            case,
            {label: spec},
            game,
            moves,
            None if self.opponent == "self" else self.opponent,
            self.side,
            repetition,
            limits,
            plies=6 if settings.quick else None,
        )


def read_experiment(path: Path) -> Experiment:
    """Return the experiment in a file; raise InvalidExperimentError if it makes no sense."""
    data = read_toml(path, InvalidExperimentError)
    plan = _Reader(path, data).plan()
    return Experiment(
        plan.name,
        f"the experiment of {path.name}",
        plan.work,
        lambda rows: _tables(plan, rows),
        _panels,
        timed=True,
    )


class _Reader:
    """Checks what a file says, key by key."""

    def __init__(self, path: Path, data: dict[str, Any]) -> None:
        self._path = path
        self._data = data

    def plan(self) -> _Plan:
        for key in self._data:
            if key not in KEYS:
                known = ", ".join(KEYS)
                raise self._error(key, f"unknown key; {did_you_mean(key, KEYS)}there are {known}")
        games = self._texts("games", self._needed("games"))
        starts = tuple((game, moves) for game in games for moves in self._moves_of(game, games))
        opponent = self._opponent(starts)
        return _Plan(
            self._text("name", self._data.get("name", self._path.stem)),
            starts,
            self._players(starts),
            opponent,
            self._side(opponent),
            self._runs(),
            self._limits(),
        )

    # Each of these takes one key.

    def _moves_of(self, game: str, games: Sequence[str]) -> Iterator[str]:
        rules = self._checked("games", game_named, game)
        given = self._data.get("moves", [""])
        key = "moves"
        if isinstance(given, dict):
            for name in given:
                if name not in games:
                    raise self._error(f"moves.{name}", "not among the games of this file")
            key = f"moves.{game}"
            given = given.get(game, [""])
        for moves in self._texts(key, given):
            position = self._checked(key, rules.position, moves)
            if position.outcome is not None:
                raise self._error(key, f"the game is over after {shorten(moves)}")
            yield moves

    def _players(self, starts: Sequence[tuple[str, str]]) -> dict[str, str]:
        given = self._needed("players")
        if isinstance(given, dict):
            specs = {label: self._text(f"players.{label}", each) for label, each in given.items()}
        else:
            specs = {spec: spec for spec in self._texts("players", given)}
        if not specs:
            raise self._error("players", f"empty; expected {KEYS['players']}")
        for label, spec in specs.items():
            key = f"players.{label}" if isinstance(given, dict) else "players"
            self._check_player(key, spec, starts)
        return specs

    def _check_player(self, key: str, spec: str, starts: Sequence[tuple[str, str]]) -> None:
        player = self._checked(key, player_named, spec)
        if player.is_person:
            raise self._error(key, "'human' cannot play in the lab: nobody is there to ask")
        # Some options are for some games only, which shows when a move is asked for.
        limits = stricter(self._limits(), Limits(nodes=1, time=0.001))
        for game, moves in starts:
            position = game_named(game).position(moves)
            self._checked(key, lambda at: choice_of(player, at, limits), position)

    def _opponent(self, starts: Sequence[tuple[str, str]]) -> str | None:
        if "opponent" not in self._data:
            return None
        spec = self._text("opponent", self._data["opponent"])
        if spec != "self":
            self._check_player("opponent", spec, starts)
        return spec

    def _side(self, opponent: str | None) -> Side:
        side = self._data.get("side", "first")
        if side not in ("first", "second"):
            raise self._expected("side", side)
        if "side" in self._data and opponent in (None, "self"):
            raise self._error("side", "only a game against an opponent has a side")
        return Side.first if side == "first" else Side.second

    def _runs(self) -> int:
        runs = self._data.get("runs", 1)
        if not isinstance(runs, int) or isinstance(runs, bool) or not 1 <= runs <= 1000:
            raise self._expected("runs", runs)
        return runs

    def _limits(self) -> Limits:
        given = self._data.get("limits", {})
        if not isinstance(given, dict):
            raise self._expected("limits", given)
        for name, value in given.items():
            if name not in LIMITS:
                hint = did_you_mean(name, LIMITS)
                raise self._error(
                    f"limits.{name}", f"unknown limit; {hint}there are {', '.join(LIMITS)}"
                )
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not LIMITS[name].accepts(str(value)):
                raise self._error(
                    f"limits.{name}",
                    f"invalid value {shorten(str(value))}: expected {LIMITS[name].accepted}",
                )
        return limits_from({name: str(value) for name, value in given.items()})

    # What they share.

    def _needed(self, key: str) -> Any:
        if key not in self._data:
            raise self._error(key, f"missing; expected {KEYS[key]}")
        return self._data[key]

    def _text(self, key: str, value: Any) -> str:
        if not isinstance(value, str) or not value.strip():
            raise self._error(key, f"invalid value {shorten(str(value))}: expected a text")
        return value

    def _texts(self, key: str, value: Any) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self._expected(key.partition(".")[0], value)
        if not value:
            raise self._error(key, f"empty; expected {KEYS[key.partition('.')[0]]}")
        if len(set(value)) < len(value):
            twice = next(each for each in value if value.count(each) > 1)
            raise self._error(key, f"{shorten(twice)} is given twice")
        return value

    def _checked(self, key: str, make: Callable[[_Given], _Made], given: _Given) -> _Made:
        try:
            return make(given)
        except GameError as error:
            raise self._error(key, str(error)) from None

    def _expected(self, key: str, value: Any) -> InvalidExperimentError:
        return self._error(key, f"invalid value {shorten(str(value))}: expected {KEYS[key]}")

    def _error(self, key: str, why: str) -> InvalidExperimentError:
        return InvalidExperimentError(f"{self._path}:{key}: {why}")


# ---------------------------------------------------------------- what is shown

_FIGURES = {
    "nodes": "nodes",
    "evaluations": "evaluated",
    "cutoffs": "cutoffs",
    "table_hits": "table\nhits",
    "depth": "depth",
    "time_ms": "ms",
}


def _tables(plan: _Plan, rows: Sequence[Row]) -> list[Table]:
    # A column that says nothing is left out: a search without a table has no hits.
    figures = {column: name for column, name in _FIGURES.items() if any(values(rows, column))}
    searched = plan.opponent is None
    columns = (
        "player",
        *figures.values(),
        "+- ms",
        *(("move", "score") if searched else ("moves",)),
    )
    tables = []
    for case in distinct(rows, "case"):
        lines: list[tuple[Cell, ...]] = []
        for variant in distinct(pick(rows, case=case), "variant"):
            here = pick(rows, case=case, variant=variant)
            times = values(here, "time_ms")
            line = [variant, *(mean(here, column) for column in figures)]
            line.append(stdev(times) if len(times) > 1 else None)
            line += [here[-1].move, here[-1].get("score")] if searched else [len(here)]
            lines.append(tuple(line))
        tables.append(Table(f"{plan.name}: {case}", columns, lines))
    if tables:
        what = "searches" if searched else "moves of all games"
        notes = (f"Means of the {what}; +- is the standard deviation.",)
        tables[-1] = replace(tables[-1], notes=notes)
    return tables


def _panels(rows: Sequence[Row]) -> list[Panel]:
    def by_case(column: str) -> dict[str, dict[Cell, float]]:
        variants = distinct(rows, "variant")
        return {str(each): means(pick(rows, variant=each), column, "case") for each in variants}

    return [
        Panel("Nodes", "", "nodes, mean", by_case("nodes")),
        Panel("Time", "", "milliseconds, mean", by_case("time_ms"), counts=False),
    ]
