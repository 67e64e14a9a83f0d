"""Games that people write in Python: turns the user's position into one of ours.

A name such as ``path/to/file.py:Nim`` is a class, or a function, that returns the start of a game:
any object with what `PythonPosition` asks for. Here it gets the rest of what players, records and
boards ask of a game and of a position: moves as texts, a history, who has won, traits.

The code is other people's. Whatever it raises or returns, and however long it takes, ends in one
line that names the game and what was asked of it: a `BrokenGameError`.
"""

import inspect
import random
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain, islice
from math import isfinite
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar, cast

from mossa._core import Game, Position, Scoring, Shape, Side
from mossa.code_files import code_path, from_file, names_code
from mossa.errors import (
    BrokenGameError,
    GameError,
    IllegalMoveError,
    InvalidGameError,
    InvalidPositionError,
    did_you_mean,
    raised,
    shorten,
)
from mossa.watch import TooLongError, too_long, watched

MOST_PLIES = 10_000
"""A game that takes longer never ends."""
MOST_MOVES = 1000
"""In one position; searches have no room for more."""
MOST_VALUE = 10**8
"""Of an outcome, or of an evaluation; searches have no room for more."""
MOST_CELLS = 100
"""In a row or a column of a board."""

_NEEDED = ("side", "moves", "play", "outcome", "key")
_Told = TypeVar("_Told")
Cell = tuple[int, int]


class PythonPosition(Protocol):
    """A position of a game written in Python, which every search of the core can play.

    It may have more: a method ``evaluate()`` that returns a number for the side to move; ``unit``,
    what the outcome counts (``"points"``), if the margin matters and not only who wins. To have a
    board drawn, add ``cells``, rows from the bottom up with 0 for empty, 1 for first and 2 for
    second, and a method ``target(move)``, ``source(move)`` or both, which return a row and a
    column, or None. Otherwise the board is ``str(position)``.
    """

    @property
    def side(self) -> int | Side:
        """The side to move: 0 or 1."""

    @property
    def moves(self) -> Sequence[Any]:
        """The legal moves, of any type; called only while the game goes on."""

    def play(self, move: Any) -> Self:
        """Return the position after a move."""

    @property
    def outcome(self) -> float | None:
        """What the first side got, positive for a win; None while the game goes on."""

    @property
    def key(self) -> Hashable:
        """A key that is equal for equal positions."""


# ---------------------------------------------------------------- by name, or as it is

_LOADED: dict[str, "_PythonGame"] = {}
"""The games that this process knows, by name."""


def loaded_game(name: str) -> Game:
    """Return the game of a class in a file, loading it unless that was done and it is unchanged.

    Raise InvalidGameError if it is not a game.
    """
    name = name.strip()
    known = _LOADED.get(name)
    path = code_path(name)
    digest = sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    if known is not None and known.digest == digest:
        return cast(Game, known)
    if name.split() != [name]:
        raise InvalidGameError(
            f"cannot load game {shorten(name)}: records name a game by its path, "
            "which must be without blanks"
        )
    try:
        with watched():
            start = from_file(name, "game", InvalidGameError)
    except TooLongError:
        raise InvalidGameError(
            f"cannot load game {shorten(name)}: its file is {too_long()}"
        ) from None
    return _known(_PythonGame(name, start, digest))


def code_digest(game: Game) -> str | None:
    """Return what tells the file of a game in Python from any other version of it.

    None for all others: those of the core, and games that only this process knows.
    """
    return game.digest if isinstance(game, _PythonGame) else None


def offered_games() -> list[str]:
    """Return the names of the games loaded from files."""
    return [name for name, game in _LOADED.items() if game.digest is not None]


def known_game(name: str) -> Game | None:
    """Return a game this process has loaded before, or None. This runs no code."""
    return cast(Game | None, _LOADED.get(name.strip()))


def game_of_code(given: object) -> Game:
    """Return the game for a class, or one that starts from a position of the user's.

    A class or a function at the top of a file is known by its file, so that other processes can
    load it; anything else is known in this process only.
    """
    if isinstance(given, type) or inspect.isroutine(given):
        if (name := _name_in_file(given)) is not None:
            return loaded_game(name)
        return _known(_PythonGame(given.__name__, given))
    return _known(_PythonGame(type(given).__name__, lambda: given))


def is_position(given: object) -> bool:
    """Tell whether an object has what a position of a game in Python needs."""
    nothing = object()
    return not isinstance(given, type) and all(
        inspect.getattr_static(given, name, nothing) is not nothing for name in _NEEDED
    )


def _known(game: "_PythonGame") -> Game:
    game.check()
    _LOADED[game.name] = game
    # It has all that is asked of a game of the core.
    return cast(Game, game)


def _name_in_file(code: Any) -> str | None:
    try:
        path = Path(inspect.getfile(code))
    except (TypeError, OSError):
        return None
    top: Any = getattr(sys.modules.get(code.__module__), code.__name__, None)
    if top is not code or path.suffix != ".py" or not path.is_file():
        return None
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    name = f"{path}:{code.__name__}"
    return name if names_code(name) and name.split() == [name] else None


def game_again(name: str, digest: str) -> Game:
    """Return a game whose file must be what it was when somebody loaded it before."""
    game = loaded_game(name)
    if code_digest(game) != digest:
        raise InvalidGameError(
            f"the file of {shorten(name)} has changed since: its games were played by other rules"
        )
    return game


def _position_again(game: Game, moves: list[str]) -> Position:
    return game.position(" ".join(moves))


# ---------------------------------------------------------------- the game


@dataclass(frozen=True)
class _Traits:
    """The traits of a game in Python, by the names that those of the core have."""

    scoring: Scoring
    shape: Shape
    unit: str
    lines: bool = False
    falls: bool = False


class _PythonGame:
    """A game in Python, with everything a game of the core has."""

    in_python = True
    kind = "python"
    options: dict[str, str] = {}  # noqa: RUF012 - nobody changes it
    evaluations = ("default",)

    def __init__(self, name: str, start: Callable[[], Any], digest: str | None = None) -> None:
        """Take its name, what returns the start, and of a game in a file what the file is."""
        self.name = name
        self.digest = digest
        self._start = start

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    @property
    def _identity(self) -> tuple[str, object]:
        return self.name, self._start if self.digest is None else self.digest

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _PythonGame) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __reduce__(self) -> tuple[object, ...]:
        if self.digest is None:
            raise GameError(
                f"{self.name} is known in this process only: others load a game from a file, "
                "as path/to/file.py:Name"
            )
        return game_again, (self.name, self.digest)

    def check(self) -> None:
        """Check the start of a game: does it have everything it needs?"""
        position = self.start()
        missing = [each for each in _NEEDED if not position.has(each)]
        if missing:
            kind = type(position.inner).__name__
            raise BrokenGameError(
                f"{shorten(self.name)} is not a game: a position has {', '.join(_NEEDED)}, "
                f"and a {kind} has no {' and no '.join(missing)}"
            )
        if position.outcome is not None:
            raise BrokenGameError(f"{shorten(self.name)} is over before it begins")
        _ = position.side, position.moves, hash(position)
        position.check_drawing()

    @cached_property
    def traits(self) -> _Traits:
        """The game's traits, read off its start."""
        start = self.start()
        unit = start.inner.unit if start.has("unit") else ""
        if not isinstance(unit, str):
            raise BrokenGameError(f"{shorten(self.name)}: unit is {unit!r}; it must be a text")
        on_cells = start.has("cells") and any(map(start.has, ("source", "target")))
        return _Traits(
            scoring=Scoring.margin if unit else Scoring.outcome,
            shape=Shape.grid if on_cells else Shape.text,
            unit=unit,
        )

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Rows and columns, where there are cells."""
        if self.traits.shape is Shape.text:
            return {}
        cells = self.start().cells
        return {"rows": len(cells), "cols": len(cells[0])}

    def start(self) -> "_Position":
        """Return the start of a game."""
        if not callable(self._start):
            kind = type(self._start).__name__
            raise BrokenGameError(
                f"{shorten(self.name)} is not a game: expected a class or a function that returns "
                f"the start of one, not a {kind}"
            )
        try:
            with watched():
                inner = self._start()
        except (Exception, SystemExit, TooLongError) as error:
            raise BrokenGameError(f"{shorten(self.name)} does not start: {_why(error)}") from None
        position = _Position(self, inner)
        return _Evaluated(self, inner) if position.has("evaluate") else position

    def position(self, moves: str | Iterable[object] = "") -> "_Position":
        """Return the position after moves from the start."""
        return self.start().after(moves)

    def split_moves(self, text: str) -> list["_Move"]:
        """Return the moves that a text names, legal or not: they stand apart."""
        return [_Move(word) for word in text.split()]

    def from_text(self, text: str) -> "_Position":
        """Refuse: only moves lead to a position."""
        raise InvalidPositionError(
            f"{shorten(self.name)} is written in Python and reads no boards: give moves"
        )


def _why(error: BaseException) -> str:
    if isinstance(error, TooLongError):
        return too_long()
    return raised(error)


class _Move(str):
    """A move is its text, which a number may stand for."""

    __slots__ = ()
    row = col = None

    @property
    def number(self) -> int | None:
        """The number that it is, if it is one."""
        return int(self) if self.isdecimal() and len(self) < 10 else None


@dataclass(frozen=True)
class _Outcome:
    """What the first side got, and what that means in words."""

    value: int
    reason: str

    @property
    def winner(self) -> Side | None:
        """Who has won; None in a draw."""
        return None if not self.value else Side.first if self.value > 0 else Side.second

    def __float__(self) -> float:
        """Return the value, as searches ask for it."""
        return float(self.value)

    def __str__(self) -> str:
        return "draw" if self.winner is None else f"{self.winner.name} wins {self.reason}"


# ---------------------------------------------------------------- the position


class _Position:
    """A position of a game in Python, with the way that led to it."""

    in_python = True
    start_text = None
    left_to_play = 0  # nobody knows
    winning_cells: tuple[Cell, ...] = ()

    def __init__(
        self, game: _PythonGame, inner: Any, before: "_Position | None" = None, last: str = ""
    ) -> None:
        self.game = game
        self.inner = inner
        self._before = before
        self.last_move = _Move(last) if before else None
        self.ply: int = before.ply + 1 if before else 0

    def __repr__(self) -> str:
        after = f" after {self.history_text}" if self.ply else ""
        return f"<Position of {self.game.name}{after}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Position) or self.game != other.game:
            return False
        return self.side is other.side and bool(self.key == other.key)

    def __hash__(self) -> int:
        return self._told("hash(key)", lambda inner: hash(inner.key))

    def __reduce__(self) -> tuple[object, ...]:
        return _position_again, (self.game, list(map(str, self.history)))

    def _told(self, what: str, ask: Callable[[Any], _Told]) -> _Told:
        """Ask the user's position, and blame the game for anything it does but answer."""
        try:
            with watched():
                return ask(self.inner)
        except (Exception, SystemExit, TooLongError) as error:
            raise self._broken(f"{what}: {_why(error)}") from error

    def has(self, name: str) -> bool:
        """Tell whether the user's position has something of this name."""
        return self._told(name, lambda inner: hasattr(inner, name))

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
            value = float("nan")
        if not isfinite(value) or abs(value) > MOST_VALUE:
            raise self._broken(f"outcome is {shorten(repr(given))}; it must be a number, or None")
        traits = self.game.traits
        by = traits.scoring is Scoring.margin
        whole = round(value) if by else (value > 0) - (value < 0)
        return _Outcome(
            whole, f"by {abs(whole)} {traits.unit}" if by else "by the rules of the game"
        )

    @cached_property
    def _moves(self) -> dict[_Move, Any]:
        """The game's own moves by their texts."""
        if self.outcome is not None:
            return {}
        own = self._told("moves", lambda inner: list(islice(inner.moves, MOST_MOVES + 1)))
        texts = self._told("str(move)", lambda _: [_Move(move) for move in own])
        found = dict(zip(texts, own, strict=True))
        if not found:
            raise self._broken("moves: there are none, and no outcome")
        if len(own) > MOST_MOVES:
            raise self._broken(f"moves: there are more than {MOST_MOVES}")
        if len(found) < len(own):
            raise self._broken("moves: two of them have the same text")
        if any(move.split() != [move] or not move.isprintable() for move in found):
            raise self._broken("moves: the text of one is empty, or has blanks in it")
        if self.ply >= MOST_PLIES:
            raise self._broken(f"moves: it goes on for more than {MOST_PLIES:,} of them")
        return found

    @property
    def moves(self) -> list[_Move]:
        return list(self._moves)

    def is_legal(self, move: object) -> bool:
        return str(move) in self._moves

    def play(self, move: object) -> "_Position":
        text = str(move).strip()
        if text not in self._moves:
            raise self._illegal(text)
        own = self._moves[_Move(text)]
        after = type(self)(
            self.game, self._told(f"play({text})", lambda inner: inner.play(own)), self, text
        )
        _ = after.side, after._moves  # so that no broken position gets any further
        return after

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

    def after(self, moves: str | Iterable[object]) -> "_Position":
        position = self
        for move in moves.split() if isinstance(moves, str) else moves:
            position = position.play(move)
        return position

    @property
    def key(self) -> Any:
        return self._told("key", lambda inner: inner.key)

    canonical_key = key

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
        """The board as the game writes it, or else its key."""
        kind: Any = type(self.inner)
        if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
            return str(self.key)
        return self._told("str(position)", str)

    # ---------------------------------------------------------------- the board

    def check_drawing(self) -> None:
        """Ask for all that a board needs; searches do without, so it is not asked before."""
        _ = self.text, self.cells
        _ = [(self.source(move), self.target(move)) for move in self.moves]

    @cached_property
    def cells(self) -> tuple[tuple[int, ...], ...]:
        """What is on the cells; nothing where the board is a text."""
        if self.game.traits.shape is Shape.text:
            return ()
        cells = self._told("cells", lambda inner: tuple(map(tuple, inner.cells)))
        sizes = (len(cells), *{len(row) for row in cells})
        fits = len(sizes) == 2 and all(1 <= size <= MOST_CELLS for size in sizes)
        if not fits or any(type(each) is not int or not 0 <= each <= 2 for each in chain(*cells)):
            raise self._broken(
                "cells must be rows of one length, from the bottom up, with 0 for empty, "
                f"1 for first and 2 for second; at most {MOST_CELLS} x {MOST_CELLS}"
            )
        if self.ply and sizes != tuple(self.game.sizes.values()):
            raise self._broken("cells: the size of the board has changed")
        return cells

    def _place(self, what: str, move: object) -> Cell | None:
        if self.game.traits.shape is Shape.text or str(move) not in self._moves:
            return None
        if not self.has(what):
            return None
        own = self._moves[_Move(move)]
        found = self._told(f"{what}({move})", lambda inner: getattr(inner, what)(own))
        if found is None:
            return None
        place = self._told(f"{what}({move})", lambda _: tuple(found))
        sizes = self.game.sizes.values()
        whole = len(place) == 2 and all(type(each) is int for each in place)
        if not whole or not all(0 <= at < most for at, most in zip(place, sizes, strict=True)):
            raise self._broken(
                f"{what}({move}) is {shorten(repr(found))}; it must be a row and a column, or None"
            )
        return cast(Cell, place)

    def source(self, move: object) -> Cell | None:
        """The cell that a legal move takes something from, if the game says."""
        return self._place("source", move)

    def target(self, move: object) -> Cell | None:
        """The cell that a legal move puts something on, if the game says."""
        return self._place("target", move)

    @property
    def last_cell(self) -> Cell | None:
        if self._before is None:
            return None
        return self._before.target(self.last_move) or self._before.source(self.last_move)

    # ---------------------------------------------------------------- counting

    def perft(self, depth: int) -> int:
        """Count the move sequences of this length."""
        level = Counter({self: 1})
        for _ in range(depth):
            below: Counter[_Position] = Counter()
            for position, ways in level.items():
                for move in position.moves:
                    below[position.play(move)] += ways
            level = below
        return level.total()

    def count_states(self, *, limit: int = 100_000_000) -> int:
        """Count the distinct positions that can be reached, itself included."""
        seen = {self}
        waiting = [self]
        while waiting:
            position = waiting.pop()
            for move in position.moves:
                after = position.play(move)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
            if len(seen) > limit:
                raise GameError(f"more than {limit:,} positions can be reached in {self.game}")
        return len(seen)

    def play_outs(self, count: int, *, seed: int = 1) -> tuple[int, int, int]:
        """Play random games; count those that first wins, the draws, those that second wins."""
        rng = random.Random(seed)
        results = {1: 0, 0: 0, -1: 0}
        for _ in range(count):
            position = self
            while position.outcome is None:
                position = position.play(rng.choice(position.moves))
            value = position.outcome.value
            results[(value > 0) - (value < 0)] += 1
        return results[1], results[0], results[-1]


class _Evaluated(_Position):
    """The same where the game has an opinion."""

    def evaluate(self) -> float:
        given = self._told("evaluate()", lambda inner: float(inner.evaluate()))
        if not abs(given) <= MOST_VALUE:
            raise self._broken(
                f"evaluate() is {given}; it must be a number, at most {MOST_VALUE:,}"
            )
        return given
