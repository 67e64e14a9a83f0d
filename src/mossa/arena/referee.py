"""One game between two players, under a referee that trusts nobody.

The rules are ours, the clocks are ours, and whatever a player does, the game comes to an end: an
illegal move, a crash, running out of time or bad output forfeits it, and the record says why.
Start-up has a limit of its own and is not charged to the clock of the game.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import date
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Any

from mossa._core import Game, Limits, Position, Side
from mossa.analysis import score_data
from mossa.code_files import names_code
from mossa.errors import (
    FORFEITS,
    BrokenGameError,
    InvalidGameError,
    InvalidPlayerError,
    PlayerFailedError,
    failure,
    is_in_python,
    shorten,
)
from mossa.games import GameLike
from mossa.games import game as game_named
from mossa.players import (
    Choice,
    Group,
    Player,
    PlayerLike,
    checked,
    is_foreign,
    player_kind,
)
from mossa.players import player as player_named
from mossa.players.clocks import Clocks, Conditions, Turn
from mossa.protocols import hosted
from mossa.records import Record
from mossa.records.record import FIRST_WINS, SECOND_WINS
from mossa.search import NO_LIMITS, Info


def match(
    first: PlayerLike,
    second: PlayerLike,
    game: GameLike,
    *,
    opening: str = "",
    time: float | None = None,
    clock: str | float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    conditions: Conditions | None = None,
) -> Record:
    """Play one game and return its record.

    ``time`` is in seconds per move; ``clock`` in seconds per game, or with an increment, such as
    ``"60+0.5"``. ``opening`` holds the moves made before the players take over. `record.extra` has
    the time, nodes, depth and score of every move, and how the game ended. A player that does not
    start, or does not play this game, is refused before the first move. A game of your own is
    ``path/to/file.py:Name``, or the class itself.
    """
    if conditions is None:
        conditions = Conditions.of(time=time, clock=clock, nodes=nodes, depth=depth)
    check_confined(game, conditions)
    rules = game_named(game)
    position = rules.position(opening)
    players = [seated(each, conditions, people=True) for each in (first, second)]
    try:
        for each in players:
            each.check_game(rules)
            if position.history:
                each.check_opening()
            check_starts(each, rules)
    except InvalidPlayerError:
        for each in players:
            each.close()
        raise
    return play(players[0], players[1], position, conditions)


def check_confined(game: GameLike, conditions: Conditions) -> None:
    """Raise InvalidGameError if other people's code is sandboxed and the game is such code.

    It is not even loaded: that would run it.
    """
    if conditions.sandbox is None:
        return
    if names_code(game) if isinstance(game, str) else is_in_python(game_named(game)):
        raise InvalidGameError(
            f"no sandbox for {shorten(str(game))}: a game written in Python runs in mossa's own "
            "process"
        )


def seated(given: PlayerLike, conditions: Conditions, *, people: bool = False) -> Player:
    """Return the player for a game; other people's Python code gets a process of its own.

    ``people`` says whether somebody is there to be asked.
    """
    if isinstance(given, str) and is_foreign(given):
        player: Player = hosted(given.strip())
    else:
        player = player_named(given)
    if player.is_person and not people:
        raise InvalidPlayerError(
            "a person plays in mossa play and mossa match, not in games that run by themselves"
        )
    if player.is_guest and not people:
        raise InvalidPlayerError(
            f"player {shorten(player.name)} waits for an agent to come, which matches do; "
            "a tournament of agents is mossa tournament kgp"
        )
    set_limits(player, conditions)
    if conditions.sandbox is not None and not (player.is_person or _is_ours(given)):
        player.confine(conditions.sandbox)
    return player


def _is_ours(given: PlayerLike) -> bool:
    """Tell whether a player is all our own code, so that it needs no sandbox."""
    if not isinstance(given, str) or is_foreign(given):
        return False
    kind = player_kind(given.strip().partition(":")[0])
    return kind is not None and kind.group is not Group.outside


def set_limits(player: Player, conditions: Conditions) -> None:
    """Tell a player the conditions of a match other than its clock."""
    player.limit(
        memory=conditions.memory,
        start=conditions.start,
        margin=conditions.margin,
        time=conditions.usual_time,
    )


def check_starts(player: Player, game: Game, name: str | None = None) -> None:
    """Raise InvalidPlayerError if a program does not start; one that does is left running."""
    try:
        player.prepare(game)
    except PlayerFailedError as error:
        raise InvalidPlayerError(
            f"player {shorten(name or player.name)} does not start: {error.reason}"
        ) from None


def play(
    first: Player,
    second: Player,
    position: Position,
    conditions: Conditions,
    *,
    names: tuple[str, str] | None = None,
    plies: int | None = None,
) -> Record:
    """Play a game from a position; the players are closed at the end.

    After ``plies`` moves it is left unfinished.
    """
    seats = [_seat(player) for player in (first, second)]
    log = _Log(position.ply)
    forfeit: tuple[Side, PlayerFailedError] | None = None
    try:
        last = None if plies is None else position.ply + plies
        position, forfeit = _play(seats, position, conditions, log, last)
        for seat in seats:
            seat.end(position)
    finally:
        for seat in seats:
            seat.close()
    called = names or (str(first.name), str(second.name))
    return _record(position, called, forfeit, log)


def _play(
    seats: list[Player], position: Position, conditions: Conditions, log: _Log, last: int | None
) -> tuple[Position, tuple[Side, PlayerFailedError] | None]:
    for side, seat in zip(Side, seats, strict=True):
        try:
            seat.prepare(position.game, side)
        except PlayerFailedError as error:
            return position, (side, error)
    clocks = Clocks(conditions)
    while position.outcome is None and position.ply != last:
        side = position.side
        seat = seats[side.value]
        turn = clocks.turn(position)
        if seat.is_person:
            turn = turn.unhurried
        begin = perf_counter()
        try:
            choice = seat.choose_within(position, turn)
            seconds = perf_counter() - begin
            if seconds > turn.deadline:
                raise PlayerFailedError("time", f"its move took {seconds:.3g} s; {turn.limit}")
            clocks.spend(side, seconds)
            choice = checked(choice, position)
        except PlayerFailedError as error:
            return position, (side, error)
        position = position.play(choice.move)
        log.add(choice, seconds)
    return position, None


# ---------------------------------------------------------------- seats


def _seat(player: Player) -> Player:
    """Return whom to ask: the player if it keeps time itself, else a wrapper that watches it."""
    return player if player.keeps_time or player.is_person else _Watched(player)


class _Watched(Player):
    """A player in this process that may never return: its thread can be abandoned."""

    keeps_time = True

    def __init__(self, player: Player) -> None:
        self.name = player.name
        self._player = player
        self._questions: SimpleQueue[tuple[Position, Limits] | None] = SimpleQueue()
        self._answers: SimpleQueue[Choice | PlayerFailedError | BrokenGameError] = SimpleQueue()

    def prepare(self, game: Game, side: Side | None = None) -> None:
        threading.Thread(target=self._think, daemon=True).start()

    def _think(self) -> None:
        while (question := self._questions.get()) is not None:
            try:
                self._answers.put(self._player.choose(*question))
            except BrokenGameError as error:
                self._answers.put(error)
            except BaseException as error:  # sys.exit() in a player ends its game, no more
                self._answers.put(failure(error))

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        return self._player.choose(position, limits)

    def choose_within(self, position: Position, turn: Turn) -> Choice:
        self._questions.put((position, turn.limits))
        try:
            answer = self._answers.get(timeout=turn.deadline)
        except Empty:
            raise PlayerFailedError("time", f"still thinking; {turn.limit}") from None
        if isinstance(answer, PlayerFailedError | BrokenGameError):
            raise answer
        return answer

    def close(self) -> None:
        self._questions.put(None)
        self._player.close()


# ---------------------------------------------------------------- the record


@dataclass
class _Log:
    """What is known about every move, except those of the opening."""

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
        end = ": ".join(filter(None, (f"{side.name} {FORFEITS[error.kind]}", error.reason)))
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
    """Replace what no record file can hold, such as a bad program's control characters."""
    clean = text.encode(errors="replace").decode()
    return "".join(each if each.isprintable() else "?" for each in clean)
