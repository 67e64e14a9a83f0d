"""Games that people write in Python, as the referee of a match sees games.

A name such as ``path/to/file.py:Starter`` is a class, or a function, that returns the start of a
game: any object with what `PythonPosition` asks for. Here it gets the rest of what players and
records ask of a position: moves as texts, a history, who has won. Only matches know such games:
they have no board text, so nothing else could read their records again.
"""

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar, cast

from mossa._core import Game, Side
from mossa.errors import (
    IllegalMoveError,
    InvalidGameError,
    InvalidPlayerError,
    did_you_mean,
    raised,
    shorten,
)
from mossa.players.foreign import FILE, from_file
from mossa.search import PythonPosition

MOST_PLIES = 10_000
"""A game that takes longer never ends."""

_NEEDED = ("side", "moves", "play", "outcome", "key")
_Told = TypeVar("_Told")


class BrokenGameError(BaseException):
    """The game itself failed. Whoever catches the errors of players must not take it for one."""


def is_in_python(name: str) -> bool:
    """Tell whether the name of a game is that of a class in a Python file."""
    return FILE in name


def load_game(name: str) -> Game:
    """Return the game that a class in a Python file is; raise InvalidGameError if it is none."""
    try:
        start = from_file(name.strip(), "game")
    except InvalidPlayerError as error:
        raise InvalidGameError(str(error)) from None
    except Exception as error:
        raise InvalidGameError(f"cannot load game {shorten(name)}: {raised(error)}") from error
    made = _PythonGame(name.strip(), start)
    try:
        made.check()
    except BrokenGameError as error:
        raise InvalidGameError(str(error)) from None
    # It has all that the referee, the clocks and the records ask of a game, and no more.
    return cast(Game, made)


class _Move(str):
    """A move is its text, which a number may stand for."""

    __slots__ = ()

    @property
    def number(self) -> int | None:
        """The number that it is, if it is one."""
        return int(self) if self.isdecimal() and len(self) < 10 else None


class _Outcome(float):
    """What the first side got, as searches ask for it, and what that means in words."""

    @property
    def winner(self) -> Side | None:
        """Who has won; None in a draw."""
        return None if not self.value else Side.first if self > 0 else Side.second

    @property
    def value(self) -> float:
        """The number itself."""
        return float(self)

    @property
    def reason(self) -> str:
        """Who has won, and by how much if that is not 1."""
        if self.winner is None:
            return "draw"
        much = "" if abs(self) == 1 else f" by {abs(self):g}"
        return f"{self.winner.name} wins{much}"

    def __str__(self) -> str:
        """Return the same in words."""
        return self.reason


class _PythonGame:
    in_python = True

    def __init__(self, name: str, start: Callable[[], PythonPosition]) -> None:
        self.name = name
        self._start = start

    def __str__(self) -> str:
        return self.name

    def check(self) -> None:
        """Look at the start of a game: is all there that is asked for?"""
        position = self.start()
        missing = [each for each in _NEEDED if not hasattr(position.inner, each)]
        if missing:
            kind = type(position.inner).__name__
            raise BrokenGameError(
                f"{shorten(self.name)} is no game: a position has {', '.join(_NEEDED)}, "
                f"and a {kind} has no {' and no '.join(missing)}"
            )
        if position.outcome is not None:
            raise BrokenGameError(f"{shorten(self.name)} is over before it begins")
        _ = position.side, position.moves, position.key

    def start(self) -> "_Position":
        """Return the start of a game."""
        if not callable(self._start):
            kind = type(self._start).__name__
            raise BrokenGameError(
                f"{shorten(self.name)} is no game: expected a class or a function that returns "
                f"the start of one, not a {kind}"
            )
        try:
            inner = self._start()
        except Exception as error:
            raise BrokenGameError(f"{shorten(self.name)} does not start: {raised(error)}") from None
        evaluates = callable(getattr(inner, "evaluate", None))
        return (_Evaluated if evaluates else _Position)(self, inner)

    def position(self, moves: str = "") -> "_Position":
        """Return the position after moves from the start."""
        position = self.start()
        for move in moves.split():
            position = position.play(move)
        return position


class _Position:
    """A position of a game in Python, with the way that led to it."""

    in_python = True
    start_text = None
    left_to_play = 0  # nobody knows

    def __init__(
        self, game: _PythonGame, inner: Any, before: "_Position | None" = None, last: str = ""
    ) -> None:
        self.game = game
        self.inner = inner
        self._before = before
        self.last_move = _Move(last) if before else None
        self.ply: int = before.ply + 1 if before else 0

    def _told(self, what: str, ask: Callable[[Any], _Told]) -> _Told:
        """Ask the user's position, and blame the game for whatever it raises."""
        try:
            return ask(self.inner)
        except Exception as error:
            raise self._broken(f"{what}: {raised(error)}") from error

    def _broken(self, why: str) -> BrokenGameError:
        after = f" after {shorten(self.history_text)}" if self.ply else ""
        return BrokenGameError(f"the game {shorten(self.game.name)} fails{after}: {why}")

    @cached_property
    def side(self) -> Side:
        given = self._told("side", lambda inner: inner.side)
        if given not in (0, 1, Side.first, Side.second):
            raise self._broken(f"side is {shorten(repr(given))}; it must be 0 or 1")
        return Side.first if given in (0, Side.first) else Side.second

    @cached_property
    def outcome(self) -> _Outcome | None:
        given = self._told("outcome", lambda inner: inner.outcome)
        if given is None:
            return None
        try:
            value = float(given)
        except Exception:
            value = math.nan
        if not math.isfinite(value):
            raise self._broken(f"outcome is {shorten(repr(given))}; it must be a number, or None")
        return _Outcome(value)

    @cached_property
    def _moves(self) -> dict[_Move, Any]:
        """The game's own moves by their texts."""
        if self.outcome is not None:
            return {}
        own = self._told("moves", lambda inner: list(inner.moves))
        texts = self._told("str(move)", lambda _: [_Move(move) for move in own])
        found = dict(zip(texts, own, strict=True))
        if not found:
            raise self._broken("there are no moves, and no outcome")
        if len(found) < len(own):
            raise self._broken("two of its moves have the same text")
        if any(move.split() != [move] or not move.isprintable() for move in found):
            raise self._broken("the text of a move is empty, or has blanks in it")
        if self.ply >= MOST_PLIES:
            raise self._broken(f"it goes on for more than {MOST_PLIES:,} moves")
        return found

    @property
    def moves(self) -> list[_Move]:
        return list(self._moves)

    def is_legal(self, move: object) -> bool:
        return str(move) in self._moves

    def play(self, move: object) -> "_Position":
        text = str(move)
        if text not in self._moves:
            raise self._illegal(text)
        own = self._moves[_Move(text)]
        after = self._told(f"play({text})", lambda inner: inner.play(own))
        return type(self)(self.game, after, self, text)

    def _illegal(self, text: str) -> IllegalMoveError:
        after = f" after {shorten(self.history_text)}" if self.ply else ""
        if self.outcome is not None:
            why = f"the game is over ({self.outcome})"
        else:
            shown = " ".join(self.moves[:20]) + (" ..." if len(self.moves) > 20 else "")
            why = f"{did_you_mean(text, self.moves[:20])}legal: {shown}"
        return IllegalMoveError(
            f"illegal move {shorten(text)} in {shorten(self.game.name)}{after}: {why}"
        )

    def after(self, moves: Any) -> "_Position":
        position = self
        for move in moves.split() if isinstance(moves, str) else moves:
            position = position.play(move)
        return position

    @property
    def key(self) -> Any:
        return self._told("key", lambda inner: inner.key)

    @property
    def history(self) -> list[_Move]:
        found: list[_Move] = []
        position: _Position | None = self
        while position is not None and position.last_move is not None:
            found.append(position.last_move)
            position = position._before
        return found[::-1]

    @property
    def history_text(self) -> str:
        return " ".join(self.history)

    @property
    def text(self) -> str:
        return self._told("str(position)", str)


class _Evaluated(_Position):
    """The same where the game has an opinion."""

    def evaluate(self) -> float:
        return float(self._told("evaluate()", lambda inner: inner.evaluate()))
