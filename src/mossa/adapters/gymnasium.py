"""A game against one of our players as an environment of Gymnasium.

>>> from mossa.adapters import gymnasium
>>> env = gymnasium.make("connect4", opponent="level:3")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, info["action_mask"].tolist()
((2, 6, 7), [1, 1, 1, 1, 1, 1, 1])
>>> observation, reward, terminated, truncated, info = env.step(3)
"""

from __future__ import annotations

from typing import Any

from mossa._core import Game, Limits, Position, Side
from mossa.adapters.seen import Array, Seen, reward, seeded
from mossa.errors import GameError, IllegalMoveError, needed_by, shorten
from mossa.players import PlayerLike, player
from mossa.render import to_text

with needed_by("mossa.adapters.gymnasium", extra="adapters"):
    import gymnasium
    from gymnasium import spaces

__all__ = ["MossaEnv", "make"]

_SIDES = {"first": Side.first, "second": Side.second}


def _check(what: str, given: str | None, *accepted: str | None) -> None:
    if given not in accepted:
        listed = ", ".join(map(str, accepted))
        raise GameError(f"invalid {what} {shorten(str(given))}: expected {listed}")


def make(game: str | Game, *, opponent: PlayerLike = "random", **options: Any) -> MossaEnv:
    """Return a game against an opponent; `MossaEnv` has the options."""
    return MossaEnv(game, opponent=opponent, **options)


class MossaEnv(gymnasium.Env):
    """One side of a game; any of our players is the other.

    An observation shows the planes of `mossa.vector` with the agent's own stones or seeds first;
    ``info["action_mask"]`` has 1 for every legal action. The reward is +1, 0 or -1 for the agent
    when the game ends, and 0 before.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as the base class has it

    def __init__(
        self,
        game: str | Game,
        *,
        opponent: PlayerLike = "random",
        side: str = "first",
        limits: Limits | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        """Take a game, an opponent and its limits, and the agent's side: first, second or random.

        An illegal action raises an error, or with ``illegal="lose"`` loses the game.
        """
        _check("side", side, *_SIDES, "random")
        _check("illegal", illegal, "raise", "lose")
        _check("render_mode", render_mode, None, "ansi")
        self._seen = Seen(game)
        self._opponent_spec = opponent if isinstance(opponent, str) else None
        self._opponent = player(opponent)
        self._opponent.check_game(self._seen.game)
        self._limits = limits or Limits()
        self._wanted, self._illegal, self.render_mode = side, illegal, render_mode
        self._side = Side.first
        self._position = self._seen.start
        self._over = True
        self.action_space = spaces.Discrete(self._seen.actions)
        self.observation_space = spaces.Box(
            0, self._seen.highest, self._seen.shape, self._seen.dtype
        )

    @property
    def position(self) -> Position:
        """The position now."""
        return self._position

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start a game. A seed is for a random side, and for an opponent named by a spec."""
        super().reset(seed=seed)
        if seed is not None and self._opponent_spec is not None:
            self._opponent.close()
            self._opponent = player(seeded(self._opponent_spec, seed))
        random_side = list(_SIDES.values())[int(self.np_random.integers(2))]
        self._side = _SIDES.get(self._wanted, random_side)
        self._position = self._seen.start
        self._over = False
        self._let_opponent_play()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Play a move and let the opponent answer."""
        if self._over:
            raise GameError("the game is over: call reset() before step()")
        try:
            self._position = self._seen.play(self._position, action)
        except IllegalMoveError:
            if self._illegal == "raise":
                raise
            self._over = True
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": True}
        self._let_opponent_play()
        self._over = self._position.outcome is not None
        return (
            self._observation(),
            reward(self._position, self._side),
            self._over,
            False,
            self._info(),
        )

    def action_masks(self) -> Array:
        """Return which actions are legal, under the name that sb3-contrib looks for."""
        return self._seen.mask(self._position, self._side).astype(bool)

    def render(self) -> str | None:
        """Return the board as text, with ``render_mode="ansi"``."""
        return to_text(self._position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End what the opponent does between moves."""
        self._opponent.close()

    def _let_opponent_play(self) -> None:
        while self._position.outcome is None and self._position.side is not self._side:
            choice = self._opponent.ask(self._position, self._limits)
            self._position = self._position.play(choice.move)

    def _observation(self) -> Array:
        return self._seen.planes(self._position, self._side)

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self._seen.mask(self._position, self._side),
            "side": self._side.name,
            "moves": " ".join(map(str, self._position.history)),
        }
