"""Steps many games with one call, for programs that learn: NumPy arrays, no copies.

>>> import mossa.vector
>>> env = mossa.vector.make("connect4", count=1024)
>>> observations, info = env.reset(seed=1)
>>> observations.shape, info["action_mask"].shape
((1024, 2, 6, 7), (1024, 7))
>>> observations, rewards, terminated, truncated, info = env.step(env.random_actions())

`reset` and `step` are those of Gymnasium's vector environments; Gymnasium itself is not needed.
"""

from typing import Any

from mossa._core import CoreVector, Encoding, Game, Position
from mossa.errors import GameError, needed_by, shorten
from mossa.games import game

with needed_by("mossa.vector", extra="vector"):
    import numpy as np

__all__ = ["Encoding", "VectorEnv", "make"]

Array = Any  # of NumPy: it is not known to those who only import mossa
_SEEDS = 2**64


def make(
    name: str | Game,
    *,
    count: int = 1,
    threads: int = 1,
    random_plies: int = 0,
    observe: bool = True,
    mask: bool = True,
) -> "VectorEnv":
    """Return an environment of ``count`` games of one kind.

    With ``random_plies`` every game begins with up to that many random moves, each number equally
    likely. Turn off ``observe`` or ``mask`` to save the time of filling those arrays.
    """
    return VectorEnv(
        game(name) if isinstance(name, str) else name,
        count=count,
        threads=threads,
        random_plies=random_plies,
        observe=observe,
        mask=mask,
    )


class VectorEnv:
    """Many games of one kind. The caller of `step` plays both sides.

    The arrays are made once, and every call overwrites them: copy what you want to keep.

    - observations: planes as the side to move sees them, ``observation_shape`` for each game. On
      a grid: its own stones, then the other side's, 1 or 0, row 0 at the bottom; in games not won
      by lines, a third plane is 1 everywhere if second is to move. With pits: the seeds of the side
      to move from its left, then its store; then those of the other side.
    - rewards: +1, 0 or -1 for the side that moved, 0 until a game ends. If the game counts seeds,
      it is the sign of the margin.
    - terminated: True where the game has ended; the next one has already begun, and observation and
      mask show its first position. truncated is False everywhere: all games end.
    - info["action_mask"]: True where an action is legal.
    - info["to_move"]: the side to move now, 0 for first, 1 for second. Sides need not take turns.
    - info["moved"]: the side that the reward is for.
    """

    def __init__(
        self, rules: Game, *, count: int, threads: int, random_plies: int, observe: bool, mask: bool
    ) -> None:
        """Make room for the games; `reset` starts them."""
        for what, given in (("count", count), ("threads", threads), ("random_plies", random_plies)):
            _check_whole(what, given)
        self._core = CoreVector(rules, count, threads, random_plies, observe, mask)
        self._encoding = Encoding(rules)
        self._observations: Array = self._core.planes
        self._rewards: Array = self._core.rewards
        self._ended: Array = self._core.ended
        self._truncated: Array = np.zeros(count, np.bool_)
        self._info: dict[str, Array] = {"to_move": self._core.to_move, "moved": self._core.moved}
        if mask:
            self._info["action_mask"] = self._core.masks
        self._seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])

    @property
    def game(self) -> Game:
        """The rules."""
        return self._core.game

    @property
    def num_envs(self) -> int:
        """How many games there are."""
        return len(self._rewards)

    @property
    def actions(self) -> int:
        """How many actions there are, numbered from 0, the same in every position."""
        return self._encoding.actions

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """The shape of one game's planes."""
        return self._encoding.shape

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Array]]:
        """Start all games; the same seed gives the same random moves, whatever ``threads`` is."""
        if options:
            raise GameError(f"invalid options {shorten(str(options))}: reset takes none")
        if seed is None:
            self._seed = (self._seed + 1) % _SEEDS
        else:
            _check_whole("seed", seed)
            if not 0 <= seed < _SEEDS:
                raise GameError(f"invalid seed '{seed}': expected 0 to {_SEEDS - 1}")
            self._seed = int(seed)
        self._core.reset(self._seed)
        return self._observations, self._info

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Array]]:
        """Play one action in each game; if one is illegal, raise IllegalMoveError and play none."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.ndim != 1:
            raise GameError(
                f"invalid actions: expected {self.num_envs} whole numbers in one array, "
                f"not {given.dtype} of shape {given.shape}"
            )
        self._core.step(np.ascontiguousarray(given, np.int64))
        return self._observations, self._rewards, self._ended, self._truncated, self._info

    def random_actions(self) -> Array:
        """Return a random legal action for each game, all equally likely; `reset` sets the seed."""
        chosen = np.empty(self.num_envs, np.int64)
        self._core.random_actions(chosen)
        return chosen

    def position(self, index: int) -> Position:
        """Return the position of one game, to show it or to ask a player for a move."""
        _check_whole("game", index)
        return self.game.from_text(self._core.text(index))

    def action(self, move: Any) -> int:
        """Return the action for a move of the game."""
        return self._encoding.action(move)

    def move(self, action: int) -> Any:
        """Return the move for an action; None if there is none."""
        return self._encoding.move(action)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def _check_whole(what: str, given: object) -> None:
    if isinstance(given, bool) or not isinstance(given, int | np.integer):
        raise GameError(f"invalid {what} {shorten(repr(given))}: expected a whole number")
