"""One game between two players, under a referee that trusts nobody.

The rules are ours, the clocks are ours, and whatever a player does, the game comes to an end: an
illegal move, a crash, running out of time or bad output forfeits it, and the record says why.
Start-up has a limit of its own and is not charged to the clock of the game.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any, Protocol

from mossa._core import Game, Move, Position, Side
from mossa.analysis import score_data
from mossa.clocks import ClockedPlayer, Clocks, Conditions, Turn
from mossa.errors import GameError, InvalidMoveError, InvalidPlayerError, PlayerFailedError, shorten
from mossa.games import game as game_named
from mossa.players import Choice, HumanPlayer, Player, is_foreign
from mossa.players import player as player_named
from mossa.protocols import hosted
from mossa.protocols.external import ExternalPlayer
from mossa.records import Record
from mossa.records.record import FIRST_WINS, SECOND_WINS
from mossa.search import Info

PlayerLike = str | Player | Callable[[Position], Move | str]

FORFEITS = {
    "start": "did not start",
    "crash": "crashed",
    "time": "ran out of time",
    "output": "gave an invalid answer",
    "illegal": "made an illegal move",
}
"""The ways to lose a game without being beaten."""


def match(
    first: PlayerLike,
    second: PlayerLike,
    game: str | Game,
    *,
    opening: str = "",
    time: float | None = None,
    clock: str | float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    conditions: Conditions | None = None,
) -> Record:
    """Play one game and return its record.

    ``time`` is seconds a move; ``clock`` seconds a game, or with an increment as ``"60+0.5"``.
    ``opening`` are moves that are made before the players are asked. `record.extra` has for every
    move its time, nodes, depth and score, and how the game ended.
    """
    if conditions is None:
        conditions = Conditions.of(time=time, clock=clock, nodes=nodes, depth=depth)
    rules = game_named(game) if isinstance(game, str) else game
    position = rules.position(opening)
    players = [seated(each, conditions) for each in (first, second)]
    for each in players:
        check_plays(each, rules)
    return play(players[0], players[1], position, conditions)


def seated(given: PlayerLike, conditions: Conditions) -> Player:
    """Return the player of a match; other people's Python code gets a process of its own."""
    if isinstance(given, str) and is_foreign(given):
        return hosted(given.strip(), memory=conditions.memory, start=conditions.start)
    player = player_named(given)
    if isinstance(player, HumanPlayer):
        raise InvalidPlayerError("people play in mossa play, not in matches: they have no deadline")
    if isinstance(player, ExternalPlayer):
        player.limit(memory=conditions.memory, start=conditions.start)
    return player


def check_plays(player: Player, game: Game) -> None:
    """Raise InvalidPlayerError if a player says that it is not for this game."""
    plays: Callable[[Game], bool] | None = getattr(player, "plays", None)
    if plays is not None and not plays(game):
        raise InvalidPlayerError(f"{player.name} does not play {game}")


def play(
    first: Player,
    second: Player,
    position: Position,
    conditions: Conditions,
    *,
    names: tuple[str, str] | None = None,
    plies: int | None = None,
) -> Record:
    """Play a game from a position on; the players are closed at its end.

    After ``plies`` moves it is left unfinished.
    """
    seats = [_seat(player) for player in (first, second)]
    log = _Log(position.ply)
    forfeit: tuple[Side, PlayerFailedError] | None = None
    try:
        last = None if plies is None else position.ply + plies
        position, forfeit = _play(seats, position, conditions, log, last)
    finally:
        for seat in seats:
            seat.close()
    called = names or (str(first.name), str(second.name))
    return _record(position, called, forfeit, log)


def _play(
    seats: list[_Seat], position: Position, conditions: Conditions, log: _Log, last: int | None
) -> tuple[Position, tuple[Side, PlayerFailedError] | None]:
    for side, seat in zip(Side, seats, strict=True):
        try:
            seat.prepare(position.game)
        except PlayerFailedError as error:
            return position, (side, error)
    clocks = Clocks(conditions)
    while position.outcome is None and position.ply != last:
        side = position.side
        turn = clocks.turn(side)
        begin = perf_counter()
        try:
            choice = seats[side.value].ask(position, turn)
            seconds = perf_counter() - begin
            if seconds > turn.deadline:
                raise PlayerFailedError("time", f"its move took {seconds:.3g} s; {turn.limit}")
            clocks.spend(side, seconds)
            position = _moved(position, choice)
        except PlayerFailedError as error:
            return position, (side, error)
        log.add(choice, seconds)
    return position, None


def _moved(position: Position, choice: object) -> Position:
    if not isinstance(choice, Choice):
        raise PlayerFailedError("output", f"{shorten(repr(choice))} is not a choice of a move")
    try:
        return position.play(choice.move)
    except GameError as error:
        raise PlayerFailedError("illegal", str(error)) from None
    except TypeError:
        raise PlayerFailedError("output", f"{shorten(repr(choice.move))} is not a move") from None


# ---------------------------------------------------------------- seats


class _Seat(Protocol):
    """How a player is asked: directly where it keeps time by itself, else under a watch."""

    def prepare(self, game: Game) -> None: ...
    def ask(self, position: Position, turn: Turn) -> Choice: ...
    def close(self) -> None: ...


def _seat(player: Player) -> _Seat:
    if isinstance(player, ExternalPlayer):
        return _External(player)
    if getattr(player, "keeps_time", False):
        return _Trusted(player)
    return _Watched(player)


class _External:
    """A program of its own: it can be told of clocks, and ended."""

    def __init__(self, player: ExternalPlayer) -> None:
        self._player = player
        clocked: ClockedPlayer = player
        self.ask = clocked.choose_within

    def prepare(self, game: Game) -> None:
        self._player.prepare(game)

    def close(self) -> None:
        self._player.close()


class _Trusted:
    """A player of this process that returns when its time is up."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def prepare(self, game: Game) -> None:
        pass

    def ask(self, position: Position, turn: Turn) -> Choice:
        try:
            return self._player.choose(position, turn.limits)
        except Exception as error:
            raise _crash(error) from error

    def close(self) -> None:
        _stop_pondering(self._player)


class _Watched:
    """A player of this process that may never return: it thinks in a thread that can be left."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._questions: SimpleQueue[tuple[Position, Turn] | None] = SimpleQueue()
        self._answers: SimpleQueue[Choice | PlayerFailedError] = SimpleQueue()

    def prepare(self, game: Game) -> None:
        threading.Thread(target=self._think, daemon=True).start()

    def _think(self) -> None:
        while (question := self._questions.get()) is not None:
            position, turn = question
            try:
                self._answers.put(self._player.choose(position, turn.limits))
            except BaseException as error:  # sys.exit() in a player ends its game, no more
                self._answers.put(_crash(error))

    def ask(self, position: Position, turn: Turn) -> Choice:
        self._questions.put((position, turn))
        try:
            answer = self._answers.get(timeout=turn.deadline)
        except Empty:
            raise PlayerFailedError("time", f"still thinking; {turn.limit}") from None
        if isinstance(answer, PlayerFailedError):
            raise answer
        return answer

    def close(self) -> None:
        self._questions.put(None)
        _stop_pondering(self._player)


def _crash(error: BaseException) -> PlayerFailedError:
    if isinstance(error, PlayerFailedError):
        return error
    if isinstance(error, InvalidMoveError):
        return PlayerFailedError("output", str(error))
    told = str(error) if isinstance(error, GameError) else f"{type(error).__name__}: {error}"
    return PlayerFailedError("crash", told)


def _stop_pondering(player: Player) -> None:
    stop = getattr(player, "stop_pondering", None)
    if stop is not None:
        stop()


# ---------------------------------------------------------------- the record


@dataclass
class _Log:
    """What is known of every move; nothing of those of the opening."""

    opening: int
    times_ms: list[float | None] = field(default_factory=list)
    nodes: list[int | None] = field(default_factory=list)
    depths: list[int | None] = field(default_factory=list)
    scores: list[dict[str, Any] | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        for column in (self.times_ms, self.nodes, self.depths, self.scores):
            column.extend([None] * self.opening)

    def add(self, choice: Choice, seconds: float) -> None:
        info = choice.info if isinstance(choice.info, Info) else None
        self.times_ms.append(round(seconds * 1000, 3))
        self.nodes.append(None if info is None else info.nodes)
        self.depths.append(None if info is None else info.depth)
        self.scores.append(None if info is None else score_data(info.score))


def _record(
    position: Position,
    names: tuple[str, str],
    forfeit: tuple[Side, PlayerFailedError] | None,
    log: _Log,
) -> Record:
    extra: dict[str, Any] = {
        "opening": log.opening,
        "times_ms": log.times_ms,
        "nodes": log.nodes,
        "depths": log.depths,
        "scores": log.scores,
    }
    if forfeit is None:
        outcome = position.outcome
        end = "left unfinished" if outcome is None else outcome.reason
        result = "*"  # the board decides
    else:
        side, error = forfeit
        end = f"{side.name} {FORFEITS[error.kind]}: {error.reason}"
        result = SECOND_WINS if side is Side.first else FIRST_WINS
        reason = _printable(error.reason)
        extra["forfeit"] = {"side": side.name, "kind": error.kind, "reason": reason}
    extra["end"] = _printable(end)
    return Record.from_position(
        position,
        first=_printable(names[0]),
        second=_printable(names[1]),
        result=result,
        date=date.today().isoformat(),
        extra=extra,
    )


def _printable(text: str) -> str:
    """Replace what no file of records could hold, such as control characters of a bad program."""
    clean = text.encode(errors="replace").decode()
    return "".join(each if each.isprintable() else "?" for each in clean)
