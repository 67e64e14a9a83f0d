"""What all frameworks share: positions as a side sees them, actions as moves."""

from __future__ import annotations

import operator
from typing import Any

from mossa._core import Encoding, Game, Move, Position, Side
from mossa.errors import GameError, IllegalMoveError, needed_by, shorten
from mossa.games import game as game_of
from mossa.players import player_kind

with needed_by("mossa.adapters", extra="adapters"):
    import numpy as np

Array = Any
_SEEDS = 2_000_000_000


class Seen:
    """A game as arrays: planes, masks and actions."""

    def __init__(self, given: str | Game) -> None:
        """Take a game or its name."""
        self.game = game_of(given) if isinstance(given, str) else given
        self.start = self.game.start()
        if self.start.outcome is not None:
            raise GameError(f"nothing to play in {self.game}: the game is over at its start")
        self._encoding = Encoding(self.game)
        self.actions = self._encoding.actions
        self.shape = self._encoding.shape
        self.dtype = np.int16 if self._encoding.counts else np.int8
        self.highest = sum(map(sum, self.start.cells)) if self._encoding.counts else 1

    def __reduce__(self) -> tuple[type[Seen], tuple[Game]]:
        """Survive being copied and sent to other processes."""
        return Seen, (self.game,)

    def planes(self, position: Position, side: Side) -> Array:
        """Return a position as one side sees it: its own pieces first, whoever is to move."""
        planes = self._encoding.planes(position)
        if position.side is not side:
            planes[[0, 1]] = planes[[1, 0]]
        return planes

    def mask(self, position: Position, side: Side) -> Array:
        """Return 1 for every action that this side may take now; none in the other's turn."""
        if position.side is side:
            return self._encoding.mask(position).astype(np.int8)
        return np.zeros(self.actions, np.int8)

    def action(self, move: Move) -> int:
        """Return the action of a move of this game."""
        return self._encoding.action(move)

    def move(self, action: int) -> Move | None:
        """Return the move of an action; None if there is none."""
        return self._encoding.move(action)

    def play(self, position: Position, action: Any) -> Position:
        """Return the position after an action; raise IllegalMoveError if it is not legal."""
        try:
            move = self._encoding.move(operator.index(action))
        except TypeError:  # no whole number, or one that no machine word holds
            raise IllegalMoveError(
                f"{shorten(repr(action))} is not an action: {self._range}"
            ) from None
        if move is None:
            raise IllegalMoveError(f"illegal action {action} in {self.game}: {self._range}")
        return position.play(move)

    @property
    def _range(self) -> str:
        return f"actions are 0 to {self.actions - 1}, if action_mask allows them"


def reward(position: Position, side: Side) -> float:
    """Return +1, 0 or -1 for a side; 0 while the game goes on."""
    outcome = position.outcome
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner is side else -1.0


def seeded(spec: str, seed: int) -> str:
    """Return the spec of the same player with a seed, if it takes one and has none."""
    name, _, options = spec.strip().partition(":")
    kind = player_kind(name)
    if kind is None or all(option.name != "seed" for option in kind.options) or "seed=" in options:
        return spec
    return f"{name}:{','.join(filter(None, [options, f'seed={seed % _SEEDS}']))}"
