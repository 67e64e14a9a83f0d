"""What a training run is: the games, who plays them, and what is learnt from them.

A plan is plain data that the run keeps, so that it can be resumed from its folder alone.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mossa import _core
from mossa.arena.statistics import Sprt
from mossa.errors import GameError, shorten
from mossa.games import game as game_named
from mossa.networks import network_name
from mossa.players import player as player_named
from mossa.players.clocks import Conditions
from mossa.players.engine import STRONGEST

__all__ = ["InvalidTrainingError", "TrainingPlan", "with_network"]


class InvalidTrainingError(GameError):
    """The run cannot start, or its folder is unusable."""


InvalidTrainingError.__module__ = "mossa"


@dataclass(frozen=True)
class TrainingPlan:
    """Everything that decides what a run does, except its time."""

    games: tuple[str, ...]
    player: str = f"{STRONGEST}:book=off"
    """Who plays: a spec that takes ``net=FILE``."""
    nodes: int = 2000
    """Of a move of self-play."""
    positions: int = 200_000
    """Of a generation: then it is trained and tested."""
    window: int = 5
    """Generations whose games are learnt from, the last included."""
    noise: float = 0.15
    """How often one of the first moves is random."""
    proof_nodes: int = 20_000
    """For the solver, which looks for exact values in the last positions of a game; 0: it does not
    look."""
    alone: bool = False
    """Whether it learns from nothing where a network would correct an evaluation of ours."""
    mix: float = 0.5
    """How much of a value target is the outcome of the game; the rest is the search's value."""
    epochs: int = 2
    """How often every position is learnt from in a generation."""
    batch: int = 256
    rate: float = 0.002
    """The highest learning rate of a generation; it falls to a twentieth."""
    gate_games: int = 400
    """The most games of a test."""
    gate_nodes: int = 2000
    """Of a move of a test."""
    gate_time: float | None = None
    """Seconds a move of a test, instead of nodes."""
    elo0: float = 0.0
    elo1: float = 30.0
    """What the test decides between; see Sprt."""
    seed: int = 1
    command: str = ""
    """What began the run: networks tell."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> TrainingPlan:
        """Return the plan that to_dict described."""
        return cls(**{**data, "games": tuple(data["games"])})

    @property
    def sprt(self) -> Sprt:
        """The test a network must pass."""
        return Sprt(self.elo0, self.elo1)

    @property
    def conditions(self) -> Conditions:
        """The conditions for the games of a test."""
        if self.gate_time is not None:
            return Conditions.of(time=self.gate_time)
        return Conditions.of(nodes=self.gate_nodes)

    @property
    def beside(self) -> bool:
        """Whether the network corrects an evaluation of ours.

        Where stones fall, that one knows what patterns do not tell: who must fill which column.
        Elsewhere networks that have learnt everything by themselves were the stronger ones.
        """
        return self.shape.falls and not self.alone

    @property
    def shape(self) -> _core.NetworkShape:
        """The shape of the network, the same for all games."""
        return _core.network_shape(game_named(self.games[0]))

    def check(self) -> None:
        """Raise GameError unless one network serves all games, and the player plays them."""
        if not self.games:
            raise InvalidTrainingError("training needs a game: add --game connect:8x8x4, say")
        names = {}
        for name in self.games:
            rules = game_named(name)
            names[name] = network_name(rules)  # raises where there are no networks
            player_named(with_network(self.player, None)).check_game(rules)
        if len(set(names.values())) > 1:
            first, other = next(
                (self.games[0], name) for name in names if names[name] != names[self.games[0]]
            )
            raise InvalidTrainingError(
                f"one network cannot serve {first} and {other}: train games together that have "
                "the same k and the same rules"
            )
        if not 0 <= self.mix <= 1:
            raise InvalidTrainingError(f"invalid mix '{self.mix:g}': 0 to 1")
        if not 0 <= self.noise <= 1:
            raise InvalidTrainingError(f"invalid noise '{self.noise:g}': 0 to 1")
        _ = self.sprt  # refuses what makes no sense


def with_network(player: str, network: Path | None) -> str:
    """Return a player's spec with this network, or with none."""
    if network is not None and "," in str(network):
        raise InvalidTrainingError(
            f"cannot play with {shorten(str(network))}: a comma ends an option of a player; "
            "choose another name for the folder"
        )
    return f"{player}{',' if ':' in player else ':'}net={network or 'off'}"
