"""Our players as agents of Kaggle's ConnectX: ``agent("engine")`` is a function that plays there.

It needs nothing of Kaggle's package, which only calls it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from mossa._core import Game, Limits, Position
from mossa.adapters.kaggle.drive import flat
from mossa.adapters.kaggle.submission import thinking_time
from mossa.errors import GameError, shorten
from mossa.games import game as game_named
from mossa.players import PlayerLike
from mossa.players import player as player_named

KIND = "connect"
"""The games that are played there."""

_LEAST = 0.01
"""Seconds for a move of which nothing is left: the player was loaded in that time."""


def agent(player: PlayerLike = "engine") -> Callable[..., int]:
    """Return a player as a function of an observation and a configuration.

    It keeps within the time that the configuration says, or the player's own limits if they are
    stricter. One function is for one seat; its player may remember what it has learnt.
    """
    seat = _Seat(player)

    def agent(observation: Any, configuration: Any, *, begin: float | None = None) -> int:
        return seat.choose(observation, configuration, perf_counter() if begin is None else begin)

    return agent


class _Seat:
    def __init__(self, player: PlayerLike) -> None:
        self._player = player_named(player)
        self._last: Position | None = None
        """The position after our last move."""

    def choose(self, observation: Any, configuration: Any, begin: float) -> int:
        """Return a column, counted from 0; the clock runs since ``begin``."""
        game = game_of(configuration)
        position = self._position(game, list(observation["board"]))
        if position.side.value + 1 != observation["mark"]:
            raise GameError(
                f"it is not the turn of mark {observation['mark']}: mark 1 begins, "
                "and the sides alternate"
            )
        left = thinking_time(observation, configuration) - (perf_counter() - begin)
        choice = self._player.ask(position, Limits(time=max(left, _LEAST)))
        self._last = position.play(choice.move)
        assert choice.move.number is not None
        return choice.move.number - 1

    def _position(self, game: Game, board: list[int]) -> Position:
        """Return the position of a board, with the moves that led there if we have seen them."""
        for each in self._expected(game):
            if flat(each) == board:
                return each
        rows, cols = game.sizes["rows"], game.sizes["cols"]
        if len(board) != rows * cols or not {*board} <= {0, 1, 2}:
            raise GameError(
                f"invalid board {shorten(str(board))}: {rows} x {cols} cells of 0, 1 and 2"
            )
        signs = "".join(".xo"[cell] for cell in board)
        return game.from_text("/".join(signs[at : at + cols] for at in range(0, len(signs), cols)))

    def _expected(self, game: Game) -> Iterator[Position]:
        """Yield what we may see next: the game goes on, or a new one has begun."""
        start = game.start()
        yield start
        for before in (self._last, start):
            if before is not None and before.game == game and before.outcome is None:
                yield from map(before.play, before.moves)


def game_of(configuration: Any) -> Game:
    """Return the game of a configuration; raise InvalidGameError if mossa has no such board."""
    rows, columns, inarow = (configuration[name] for name in ("rows", "columns", "inarow"))
    return game_named(f"{KIND}:{rows}x{columns}x{inarow}")
