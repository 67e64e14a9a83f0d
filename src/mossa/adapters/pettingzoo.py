"""A game as an environment of PettingZoo, in which both sides are agents.

>>> from mossa.adapters import pettingzoo
>>> env = pettingzoo.env("connect4")
>>> env.reset(seed=1)
>>> observation, reward, termination, truncation, info = env.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum())
((2, 6, 7), 7)
>>> env.step(3)
>>> env.agent_selection
'player_1'
"""

from __future__ import annotations

from typing import Any

from mossa._core import Game, Position, Side
from mossa.adapters.seen import Array, Seen, reward
from mossa.errors import GameError, needed_by, shorten
from mossa.render import to_text

with needed_by("mossa.adapters.pettingzoo", extra="adapters"):
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

__all__ = ["MossaAEC", "env"]

_AGENTS = {"player_0": Side.first, "player_1": Side.second}
_OF_SIDE = {side: agent for agent, side in _AGENTS.items()}


def env(game: str | Game, *, render_mode: str | None = None) -> Any:
    """Return a game with PettingZoo's usual wrappers: whoever plays an illegal action loses."""
    wrapped = wrappers.TerminateIllegalWrapper(
        MossaAEC(game, render_mode=render_mode), illegal_reward=-1
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class MossaAEC(AECEnv):
    """A game without wrappers: player_0 begins, and the game says whose turn it is.

    An observation shows the planes of `mossa.vector` with the agent's own stones or seeds first,
    and its legal actions, which are none while the other side is to move.
    """

    def __init__(self, game: str | Game, *, render_mode: str | None = None) -> None:
        """Take a game or its name."""
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise GameError(f"invalid render_mode {shorten(str(render_mode))}: expected None, ansi")
        self._seen = Seen(game)
        self._position = self._seen.start
        self.metadata = {
            "name": str(self._seen.game),
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = list(_AGENTS)
        self.agents: list[str] = []
        self.action_spaces = {agent: spaces.Discrete(self._seen.actions) for agent in _AGENTS}
        self.observation_spaces = {agent: self._space() for agent in _AGENTS}

    def _space(self) -> Any:
        seen = self._seen
        return spaces.Dict(
            {
                "observation": spaces.Box(0, seen.highest, seen.shape, seen.dtype),
                "action_mask": spaces.Box(0, 1, (seen.actions,), "int8"),
            }
        )

    @property
    def position(self) -> Position:
        """The position now."""
        return self._position

    def observation_space(self, agent: str) -> Any:
        """Return what this agent can see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return what this agent can do."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Array]:
        """Return what an agent sees now."""
        side = _AGENTS[agent]
        return {
            "observation": self._seen.planes(self._position, side),
            "action_mask": self._seen.mask(self._position, side),
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; nothing in it is random."""
        self._position = self._seen.start
        self.agents = list(_AGENTS)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = _OF_SIDE[self._position.side]

    def step(self, action: Any) -> None:
        """Play an action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._position = self._seen.play(self._position, action)
        self._cumulative_rewards[agent] = 0.0
        over = self._position.outcome is not None
        for each, side in _AGENTS.items():
            self.rewards[each] = reward(self._position, side)
            self.terminations[each] = over
        self.agent_selection = _OF_SIDE[self._position.side]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the board as text, with ``render_mode="ansi"``."""
        return to_text(self._position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
