"""OpenSpiel's own games that have the rules of ours, and how their actions are numbered.

Its actions are ours in most games: columns, cells row by row, houses. In mancala they are places on
one board of 14, in breakthrough a mixed number of cell, direction and capture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from mossa._core import Encoding, Game, Move, Position
from mossa.errors import GameError
from mossa.games import game as game_of

Parameters = Mapping[str, int]

_encoding = lru_cache(maxsize=16)(Encoding)


@dataclass(frozen=True)
class Theirs:
    """A game of OpenSpiel's own."""

    name: str
    ours: Callable[[Parameters], str]
    """The name of our game with these parameters."""
    sizes: Mapping[str, str]
    """Their parameters, and what we call them; none where their game has one size."""
    to_ours: Callable[[int], int]
    """Our action for one of theirs."""
    from_ours: Callable[[int, Position, Move], int]

    def parameters(self, game: Game) -> Parameters | None:
        """Return theirs for a game of ours; None if theirs has other rules."""
        if not set(self.sizes.values()) <= set(game.sizes):
            return None
        given = {theirs: game.sizes[ours] for theirs, ours in self.sizes.items()}
        with suppress(GameError):  # a size that only the other game has
            if game == game_of(self.ours(given)):
                return given
        return None

    def move(self, position: Position, action: int) -> Move:
        """Return our move for one of their actions in a position."""
        move = _encoding(position.game).move(self.to_ours(action))
        assert move is not None, f"{self.name} has an action {action} that we do not know"
        return move

    def action(self, position: Position, move: Move) -> int:
        """Return their action for one of our moves in a position."""
        return self.from_ours(_encoding(position.game).action(move), position, move)


def _same(action: int) -> int:
    return action


def _same_back(action: int, position: Position, move: Move) -> int:
    return action


_STORE = 7  # places of mancala: store 0, pits 1 to 6, store 7, pits 8 to 13


def _place(action: int, position: Position, move: Move) -> int:
    return action + 1 + _STORE * (position.side.name == "second")


# Breakthrough: cell, then direction (three ahead for first, three for second), then capture. The
# rows of first's pieces are the lowest in both numberings.
_AHEAD = 5  # our directions: 5 6 7 go up, 0 1 2 down


def _step(action: int) -> int:
    cell, direction = divmod(action // 2, 6)
    return cell * 8 + (direction + _AHEAD if direction < 3 else direction - 3)


def _mixed(action: int, position: Position, move: Move) -> int:
    cell, way = divmod(action, 8)
    direction = way - _AHEAD if way >= _AHEAD else way + 3
    row, col = position.target(move) or (0, 0)
    return (cell * 6 + direction) * 2 + (position.cells[row][col] != 0)


GAMES = {
    each.name: each
    for each in (
        Theirs(
            "connect_four",
            lambda given: f"connect:{given['rows']}x{given['columns']}x{given['x_in_row']}",
            {"rows": "rows", "columns": "cols", "x_in_row": "k"},
            _same,
            _same_back,
        ),
        Theirs("tic_tac_toe", lambda given: "mnk:3x3x3", {}, _same, _same_back),
        Theirs(
            "mnk",
            lambda given: f"mnk:{given['n']}x{given['m']}x{given['k']}",
            {"n": "rows", "m": "cols", "k": "k"},
            _same,
            _same_back,
        ),
        Theirs(
            "mancala",
            lambda given: "kalah:6x4",
            {},
            lambda action: (action - 1) % _STORE,
            _place,
        ),
        Theirs(
            "oware",
            lambda given: (
                f"oware:{given['num_houses_per_player']}x{given['num_seeds_per_house']},majority=yes"
            ),
            {"num_houses_per_player": "pits", "num_seeds_per_house": "seeds"},
            _same,
            _same_back,
        ),
        Theirs(
            "breakthrough",
            lambda given: f"breakthrough:{given['rows']}x{given['columns']}",
            {"rows": "rows", "columns": "cols"},
            _step,
            _mixed,
        ),
    )
}
"""By their names."""


def theirs_for(game: Game) -> tuple[Theirs, Parameters] | None:
    """Return OpenSpiel's own game with the rules of ours, and its parameters; None without one."""
    for each in GAMES.values():
        parameters = each.parameters(game)
        if parameters is not None:
            return each, parameters
    return None
