"""Grading: a player against a teacher's suite of solved positions and opponents to beat.

A suite is a TOML file, checked to its end before anything is played:

    name = "Connect 4, second week"
    time = 1.0                  # seconds a move, for everything

    [[positions]]
    game = "connect4"
    moves = "4455"
    best = ["3", "6"]           # if it is missing, the position is solved

    [[opponents]]
    player = "random:seed=1"
    game = "connect4"
    games = 10                  # half of them as first
    score = 0.8                 # the share of the points that is a pass
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Any
from xml.etree import ElementTree

from mossa._core import Position, Side
from mossa.arena.openings import random_openings
from mossa.arena.oracle import Oracle
from mossa.arena.referee import check_starts, play, seated
from mossa.errors import (
    FORFEITS,
    GameError,
    InvalidPlayerError,
    PlayerFailedError,
    did_you_mean,
    shorten,
)
from mossa.files import read_toml
from mossa.games import game as game_named
from mossa.players import Player, PlayerLike
from mossa.players.clocks import START, Conditions
from mossa.quantities import counted

_ORACLE = 60.0  # seconds to solve a position whose best moves the suite does not list


class InvalidSuiteError(GameError):
    """An unusable suite."""


InvalidSuiteError.__module__ = "mossa"


@dataclass(frozen=True)
class Graded:
    """One exercise and its result."""

    name: str
    kind: str
    """``position`` or ``opponent``."""
    passed: bool
    detail: str
    points: float
    """What passing it is worth."""
    seconds: float


@dataclass(frozen=True)
class Exercise:
    """A position to find a move in, or an opponent to beat."""

    name: str
    position: Position
    points: float
    best: tuple[str, ...] | None = None
    opponent: str | None = None
    games: int = 0
    score: float = 0.0


@dataclass(frozen=True)
class Suite:
    """A file of exercises, checked."""

    name: str
    conditions: Conditions
    exercises: tuple[Exercise, ...] = field(repr=False)


def grade(player: PlayerLike, suite: Suite, oracle: Oracle | None = None) -> Iterator[Graded]:
    """Yield the result of every exercise. A player that fails one still gets the others.

    Before it is asked anything, players that do not start are refused, and positions are solved:
    one that cannot be is a fault of the suite. Whoever grades many gives an ``oracle``, which
    solves them once for all.
    """
    oracle = new_oracle() if oracle is None else oracle
    _check_opponents(suite)
    for exercise in suite.exercises:
        if _check_start(player, exercise, suite.conditions):
            break
    _solve_positions(suite, oracle)
    for exercise in suite.exercises:
        begin = perf_counter()
        kind = "position" if exercise.opponent is None else "opponent"
        try:
            if exercise.opponent is None:
                passed, detail = _find_move(player, exercise, suite.conditions, oracle)
            else:
                passed, detail = _beat(player, exercise, suite.conditions)
        except PlayerFailedError as error:
            passed, detail = False, _failure(error.kind, error.reason)
        seconds = perf_counter() - begin
        yield Graded(exercise.name, kind, passed, detail, exercise.points, seconds)


def new_oracle() -> Oracle:
    """Return what solves the positions of a suite."""
    return Oracle(_ORACLE)


def check_suite(suite: Suite, oracle: Oracle) -> None:
    """Raise InvalidSuiteError if no player could be graded: an opponent, or a position, is bad."""
    _check_opponents(suite)
    _solve_positions(suite, oracle)


def _solve_positions(suite: Suite, oracle: Oracle) -> None:
    for exercise in suite.exercises:
        if exercise.opponent is None and exercise.best is None:
            _solved(oracle, exercise, exercise.position)


def _check_opponents(suite: Suite) -> None:
    """Start every opponent once, on the first game it has to play."""
    opponents = {each.opponent: each for each in reversed(suite.exercises) if each.opponent}
    for spec, exercise in opponents.items():
        try:
            _check_start(spec, exercise, suite.conditions)
        except InvalidPlayerError as error:
            raise InvalidSuiteError(f"{exercise.name}: {error}") from None


def _check_start(given: PlayerLike, exercise: Exercise, conditions: Conditions) -> bool:
    """Raise InvalidPlayerError if a player does not start; False if it does not play this game."""
    player = seated(given, conditions)
    game = exercise.position.game
    try:
        player.check_game(game)
    except InvalidPlayerError:
        return False
    try:
        check_starts(player, game)
    finally:
        player.close()
    return True


def _find_move(
    given: PlayerLike, exercise: Exercise, conditions: Conditions, oracle: Oracle
) -> tuple[bool, str]:
    player = _fit(given, exercise, conditions)
    position = exercise.position
    move = str(_one_move(player, position, conditions))
    if exercise.best is not None:
        if move in exercise.best:
            return True, f"played {move}, {'the' if len(exercise.best) == 1 else 'a'} best move"
        return False, f"played {move}; best: {' or '.join(exercise.best)}"
    values = (_solved(oracle, exercise, each) for each in (position, position.play(move)))
    sign = 1 if position.side is Side.first else -1
    before, after = (sign * value for value in values)
    return after >= before, f"played {move}, which {_effect(before, after)}"


def _effect(before: int, after: int) -> str:
    """Return what a move did to the value of a position, for the side that made it."""
    if after >= before:
        return "keeps the result"
    results = ["a loss", "a draw", "a win"]
    was, now = (results[1 + (value > 0) - (value < 0)] for value in (before, after))
    return (
        f"turns {was} into {now}" if was != now else f"makes the result worse by {before - after}"
    )


def _failure(kind: str, reason: str) -> str:
    return f"{FORFEITS[kind]}: {reason}"


def _solved(oracle: Oracle, exercise: Exercise, position: Position) -> int:
    value = oracle.value(position)
    if value is None:
        raise InvalidSuiteError(
            f"{exercise.name}: too hard to solve; list the best moves in the suite"
        )
    return value


def _one_move(player: Player, position: Position, conditions: Conditions) -> str:
    """Ask for one move as the referee would: play one ply against nobody."""
    record = play(player, player, position, conditions, plies=1)
    forfeit = record.extra.get("forfeit")
    if isinstance(forfeit, dict):
        raise PlayerFailedError(forfeit["kind"], forfeit["reason"])
    return str(record.moves[-1])


def _beat(given: PlayerLike, exercise: Exercise, conditions: Conditions) -> tuple[bool, str]:
    assert exercise.opponent is not None
    game = exercise.position.game
    openings = random_openings(game, 0 if exercise.games == 2 else None, seed=1)
    halves, forfeits = 0, []
    opening = ""
    for number in range(exercise.games):
        own_first = number % 2 == 0
        if own_first:
            opening = next(openings)
        player = _fit(given, exercise, conditions)
        players = [player, seated(exercise.opponent, conditions)]
        first, second = players if own_first else reversed(players)
        record = play(first, second, game.position(opening), conditions)
        halves += 1 if record.result == "1/2" else 2 * ((record.result == "1-0") is own_first)
        forfeit = record.extra.get("forfeit")
        if isinstance(forfeit, dict) and (forfeit["side"] == "first") is own_first:
            forfeits.append(_failure(forfeit["kind"], forfeit["reason"]))
    score = halves / 2 / exercise.games
    detail = f"{halves / 2:g} of {exercise.games} points; {exercise.score:.0%} is a pass"
    if forfeits:
        who = "it" if len(forfeits) == 1 else "the first time it"
        detail += f"; {counted(len(forfeits), 'game')} forfeited: {who} {forfeits[0]}"
    return score >= exercise.score, detail


def _fit(given: PlayerLike, exercise: Exercise, conditions: Conditions) -> Player:
    player = seated(given, conditions)
    try:
        player.check_game(exercise.position.game)
    except GameError as error:
        raise PlayerFailedError("start", str(error)) from None
    return player


# ---------------------------------------------------------------- reading

_SUITE_KEYS = ("name", "time", "clock", "start", "positions", "opponents")
_POSITION_KEYS = ("name", "game", "moves", "best", "points")
_OPPONENT_KEYS = ("name", "player", "game", "games", "score", "points")


def read_suite(path: Path) -> Suite:
    """Return the suite in a file; raise InvalidSuiteError if it makes no sense."""
    data = read_toml(path, InvalidSuiteError)
    _known(f"{path}", data, _SUITE_KEYS)
    time, clock = (_number(str(path), data, name, None) for name in ("time", "clock"))
    start = _number(str(path), data, "start", START)
    try:
        conditions = Conditions(time=time, clock=clock, start=START if start is None else start)
    except GameError as error:
        raise InvalidSuiteError(f"{path}: {error}") from None
    exercises = [
        *(_position(path, at, each) for at, each in enumerate(_list(path, data, "positions"), 1)),
        *(_opponent(path, at, each) for at, each in enumerate(_list(path, data, "opponents"), 1)),
    ]
    if not exercises:
        raise InvalidSuiteError(f"{path}: no [[positions]] and no [[opponents]]")
    return Suite(str(data.get("name", path.stem)), conditions, tuple(exercises))


def _list(path: Path, data: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = data.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise InvalidSuiteError(f"{path}: {key} must be tables: [[{key}]]")
    return found


def _position(path: Path, number: int, data: dict[str, Any]) -> Exercise:
    place = f"{path}, position {number}"
    _known(place, data, _POSITION_KEYS)
    position = _set_up(place, data)
    best = data.get("best")
    if best is not None:
        if isinstance(best, str):
            best = [best]
        if not isinstance(best, list) or not best:
            raise InvalidSuiteError(f"{place}: best must be a list of moves, such as ['4']")
        for move in best:
            try:
                position.play(str(move))
            except GameError as error:
                raise InvalidSuiteError(f"{place}: best: {error}") from None
    name = data.get("name", f"{position.game} {position.history_text}".strip())
    return Exercise(
        str(name),
        position,
        _points(place, data),
        best=None if best is None else tuple(map(str, best)),
    )


def _opponent(path: Path, number: int, data: dict[str, Any]) -> Exercise:
    place = f"{path}, opponent {number}"
    _known(place, data, _OPPONENT_KEYS)
    position = _set_up(place, data)
    spec = data.get("player")
    if not isinstance(spec, str):
        raise InvalidSuiteError(f"{place}: player must be a spec, such as 'alphabeta:depth=2'")
    try:
        seated(spec, Conditions()).check_game(position.game)
    except GameError as error:
        raise InvalidSuiteError(f"{place}: {error}") from None
    games = _number(place, data, "games", 2)
    score = _number(place, data, "score", 0.5)
    if games not in range(2, 10_001, 2):
        raise InvalidSuiteError(f"{place}: games must be an even number, 2 to 10000")
    if score is None or not 0 <= score <= 1:
        raise InvalidSuiteError(f"{place}: score must be a share of the points, 0 to 1")
    return Exercise(
        str(data.get("name", f"{spec} at {position.game}")),
        position,
        _points(place, data),
        opponent=spec,
        games=int(games or 2),
        score=score,
    )


def _set_up(place: str, data: dict[str, Any]) -> Position:
    name, moves = data.get("game"), data.get("moves", "")
    if not isinstance(name, str) or not isinstance(moves, str):
        raise InvalidSuiteError(f"{place}: game and moves must be texts, such as 'connect4', '44'")
    try:
        position = game_named(name).position(moves)
    except GameError as error:
        raise InvalidSuiteError(f"{place}: {error}") from None
    if position.outcome is not None:
        raise InvalidSuiteError(f"{place}: the game is over ({position.outcome})")
    return position


def _number(place: str, data: Mapping[str, Any], key: str, default: float | None) -> float | None:
    value = data.get(key, default)
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return value
    raise InvalidSuiteError(f"{place}: {key} is {shorten(repr(value))}, not a number")


def _points(place: str, data: Mapping[str, Any]) -> float:
    points = _number(place, data, "points", 1.0)
    if points is None or points < 0:
        raise InvalidSuiteError(f"{place}: invalid points '{points}': 0 or more")
    return points


def _known(place: str, data: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    for key in data:
        if key not in keys:
            hint = did_you_mean(key, keys)
            raise InvalidSuiteError(
                f"{place}: unknown key {shorten(key)}: {hint}there are {', '.join(keys)}"
            )


# ---------------------------------------------------------------- writing


def to_data(player: str, suite: Suite, graded: list[Graded]) -> dict[str, Any]:
    """Return the grades as plain data, for JSON."""
    return {
        "player": player,
        "suite": suite.name,
        "passed": sum(each.passed for each in graded),
        "total": len(suite.exercises),
        "points": sum(each.points for each in graded if each.passed),
        "possible": sum(each.points for each in suite.exercises),
        "exercises": [
            {
                "name": each.name,
                "kind": each.kind,
                "passed": each.passed,
                "detail": each.detail,
                "points": each.points if each.passed else 0,
                "possible": each.points,
                "seconds": round(each.seconds, 3),
            }
            for each in graded
        ],
    }


def to_junit(player: str, suite: Suite, graded: list[Graded]) -> str:
    """Return the grades as JUnit XML, which every build server can show."""
    return xml_text(junit_suite(player, suite.name, graded))


def junit_suite(player: str, name: str, graded: Sequence[Graded]) -> ElementTree.Element:
    """Return the grades of a player as an element of JUnit XML."""
    failed = sum(not each.passed for each in graded)
    seconds = sum(each.seconds for each in graded)
    root = ElementTree.Element(
        "testsuite",
        name=xml_safe(name),
        tests=str(len(graded)),
        failures=str(failed),
        errors="0",
        skipped="0",
        time=f"{seconds:.3f}",
    )
    for each in graded:
        case = ElementTree.SubElement(
            root,
            "testcase",
            classname=xml_safe(f"{player}.{each.kind}"),
            name=xml_safe(each.name),
            time=f"{each.seconds:.3f}",
        )
        if not each.passed:
            ElementTree.SubElement(case, "failure", message=xml_safe(each.detail))
    return root


def xml_text(root: ElementTree.Element) -> str:
    """Return an indented XML document."""
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, "unicode") + "\n"


def xml_safe(text: str) -> str:
    """Replace what XML cannot hold at all."""
    return "".join(each if each.isprintable() else "?" for each in text)
