"""Players: anything with ``choose(position, limits) -> Choice``, named by a text.

``player("alphabeta:depth=6")`` reads ``name:option=value,option=value``. A plain function from a
position to a move is a player too: ``player(my_function)``.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mossa._core import GameError, Limits, Move, Position, search_names
from mossa.errors import did_you_mean, shorten
from mossa.search import Info, Search

DEFAULT_TIME = 1.0
"""Seconds a search player thinks when nothing else limits it."""


class InvalidPlayerError(GameError):
    """A text that names no player, or an option that the player does not have."""


@dataclass(frozen=True)
class Choice:
    """The move a player chose, and what it knows about it."""

    move: Move
    info: Info | None = None


@runtime_checkable
class Player(Protocol):
    """What the rest of mossa needs of a player."""

    name: str

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Choose a legal move within the limits; the game must not be over."""
        ...


class RandomPlayer:
    """Any legal move, each as likely as the others; the same seed gives the same game."""

    def __init__(self, seed: int | None = None) -> None:
        """Take a seed for reproducible games."""
        self.name = "random" if seed is None else f"random:seed={seed}"
        self._random = random.Random(seed)

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Choose at once, whatever the limits."""
        return Choice(self._random.choice(position.moves))


class HumanPlayer:
    """A person at the terminal, asked for a move until it is legal."""

    name = "human"

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Ask on standard input; people are not held to the limits."""
        while True:
            text = input(f"{position.side.name} to move> ").strip()
            try:
                position.play(text)
            except GameError as error:
                print(error)
            else:
                return Choice(Move(text))


class FunctionPlayer:
    """A plain function from a position to a move (or its text) as a player."""

    def __init__(self, function: Callable[[Position], Move | str]) -> None:
        """Take the function's name as the player's."""
        self.name = getattr(function, "__name__", "function")
        self._function = function

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Ask the function, which has no limits to know of."""
        move = self._function(position)
        return Choice(move if isinstance(move, Move) else Move(move))


class SearchPlayer:
    """Plays what a search of the core finds best, within its own limits and the caller's."""

    def __init__(
        self,
        algorithm: str,
        *,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
    ) -> None:
        """Take limits of its own; without any, its own or the caller's, it thinks for a second."""
        self._algorithm = algorithm
        self._limits = Limits(time=time, depth=depth, nodes=nodes)
        given = {"time": time, "depth": depth, "nodes": nodes}
        options = ",".join(f"{key}={value}" for key, value in given.items() if value is not None)
        self.name = f"{algorithm}:{options}" if options else algorithm
        self._search: tuple[str, Search] | None = None

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Search until the stricter of both limits."""
        info = self._search_of(position).run(position, stricter(self._limits, limits))
        return Choice(info.move, info)

    def _search_of(self, position: Position) -> Search:
        """Keep the search from move to move, and start anew when the game is another one."""
        if self._search is None or self._search[0] != position.game.name:
            self._search = position.game.name, Search(position.game, self._algorithm)
        return self._search[1]


def stricter(one: Limits, other: Limits) -> Limits:
    """Return the limits that satisfy both; a search without any is given DEFAULT_TIME."""
    time = min((x.time for x in (one, other) if x.time is not None), default=None)
    depth = min((x.depth for x in (one, other) if x.depth is not None), default=None)
    nodes = min((x.nodes for x in (one, other) if x.nodes is not None), default=None)
    if time is None and depth is None and nodes is None:
        time = DEFAULT_TIME
    return Limits(time=time, depth=depth, nodes=nodes)


# ---------------------------------------------------------------- players by name


@dataclass(frozen=True)
class _Kind:
    """How to make the players of one name, and the options they take."""

    make: Callable[..., Player]
    options: dict[str, Callable[[str], int | float]]


def _search_kind(algorithm: str) -> _Kind:
    def make(**options: float) -> Player:
        return SearchPlayer(algorithm, **options)  # type: ignore[arg-type]

    return _Kind(make, {"depth": int, "nodes": int, "time": float})


_KINDS: dict[str, _Kind] = {
    "human": _Kind(HumanPlayer, {}),
    "random": _Kind(RandomPlayer, {"seed": int}),
    **{name: _search_kind(name) for name in search_names()},
}


def player_names() -> list[str]:
    """Return the names that player() knows."""
    return list(_KINDS)


def player(spec: str | Player | Callable[[Position], Move | str]) -> Player:
    """Return the player that ``spec`` names; a player or a function is taken as it is."""
    if isinstance(spec, Player):
        return spec
    if not isinstance(spec, str):
        return FunctionPlayer(spec)
    name, _, option_text = spec.strip().partition(":")
    if name not in _KINDS:
        hint = did_you_mean(name, _KINDS)
        raise InvalidPlayerError(
            f"unknown player {shorten(spec)}: {hint}there are {', '.join(_KINDS)}"
        )
    kind = _KINDS[name]
    options: dict[str, int | float] = {}
    for part in filter(None, option_text.split(",")):
        key, _, value = part.partition("=")
        if key not in kind.options:
            accepted = ", ".join(f"{option}=" for option in kind.options) or "none"
            hint = did_you_mean(key, kind.options)
            raise InvalidPlayerError(
                f"unknown option {shorten(key)} in player {shorten(spec)}: {hint}"
                f"{name} takes {accepted}"
            )
        if key in options:
            raise InvalidPlayerError(f"option {key!r} is given twice in player {shorten(spec)}")
        try:
            options[key] = kind.options[key](value)
        except ValueError:
            raise InvalidPlayerError(
                f"invalid value {shorten(value)} of {key!r} in player {shorten(spec)}: "
                f"expected a number"
            ) from None
    try:
        return kind.make(**options)
    except GameError as error:
        raise InvalidPlayerError(f"invalid player {shorten(spec)}: {error}") from None
