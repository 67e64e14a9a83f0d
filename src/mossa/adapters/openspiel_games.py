"""OpenSpiel's own games that have the rules of ours, and how their actions are numbered.

Its actions are ours in most games: columns, cells row by row, houses. In mancala they are places on
one board of 14, in breakthrough a mixed number of cell, direction and capture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from mossa._core import Encoding, Game, Move, Position
from mossa.games import game as game_of

Parameters = Mapping[str, int]

_ParametersOf = Callable[[Game], Parameters | None]
_encoding = lru_cache(maxsize=16)(Encoding)


@dataclass(frozen=True)
class Theirs:
    """A game of OpenSpiel's own."""

    name: str
    ours: Callable[[Parameters], str]
    """The name of our game with these parameters."""
    parameters: _ParametersOf
    """Theirs for our game; None if theirs has other rules."""
    to_ours: Callable[[int], int]
    """Our action for one of theirs."""
    from_ours: Callable[[int, Position, Move], int]

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


def _fixed(name: str) -> _ParametersOf:
    """Their game has one size."""
    return lambda game: {} if game == game_of(name) else None


def _sized(kind: str, sizes: Mapping[str, str], **rules: str) -> _ParametersOf:
    """Return what gives their sizes by the names of ours, if the options are these or default."""

    def parameters(game: Game) -> Parameters | None:
        given = {**game_of(f"{kind}:{'x'.join(map(str, game.sizes.values()))}").options, **rules}
        if game.options != given:
            return None
        return {theirs: game.sizes[ours] for theirs, ours in sizes.items()}

    return lambda game: parameters(game) if game.kind == kind else None


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
            _sized("connect", {"rows": "rows", "columns": "cols", "x_in_row": "k"}),
            _same,
            _same_back,
        ),
        Theirs("tic_tac_toe", lambda given: "mnk:3x3x3", _fixed("mnk:3x3x3"), _same, _same_back),
        Theirs(
            "mnk",
            lambda given: f"mnk:{given['n']}x{given['m']}x{given['k']}",
            _sized("mnk", {"n": "rows", "m": "cols", "k": "k"}),
            _same,
            _same_back,
        ),
        Theirs(
            "mancala",
            lambda given: "kalah:6x4",
            _fixed("kalah:6x4"),
            lambda action: (action - 1) % _STORE,
            _place,
        ),
        Theirs(
            "oware",
            lambda given: (
                f"oware:{given['num_houses_per_player']}x{given['num_seeds_per_house']},majority=yes"
            ),
            _sized(
                "oware",
                {"num_houses_per_player": "pits", "num_seeds_per_house": "seeds"},
                majority="yes",
            ),
            _same,
            _same_back,
        ),
        Theirs(
            "breakthrough",
            lambda given: f"breakthrough:{given['rows']}x{given['columns']}",
            _sized("breakthrough", {"rows": "rows", "columns": "cols"}),
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
