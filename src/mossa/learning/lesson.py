"""A lesson: a network learns a small game from scratch, while a judge looks on.

The loop is that of a training run (mossa.learning.run) without its test: self-play, training, and
again. All of it stays in memory and takes seconds. The players look two moves ahead and know no
evaluation but the network, and in the beginning the network knows nothing: whatever it can do in
the end it has found out by playing against itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mossa import _core
from mossa._core import Limits, Move, Position
from mossa.cluster import interrupts_held
from mossa.errors import GameError
from mossa.games import game as game_named
from mossa.learning.plan import TrainingPlan, with_network
from mossa.learning.run import check_installed
from mossa.learning.selfplay import Task, play_game
from mossa.learning.shards import Played, Shard
from mossa.networks import About, Network
from mossa.quantities import counted
from mossa.search import Info, Search

__all__ = ["AHEAD", "GENERATIONS", "Learnt", "Lesson", "at_a_glance", "lesson_plan", "one_ahead"]

GENERATIONS = 6
"""Turns of the loop after which there is little left to learn on small boards."""
PER_CELL, MOST_POSITIONS = 180, 6000
"""Positions of a generation: the larger the board, the more there is to see."""
AHEAD = {"table": "off", "deepen": "off"}
"""Options of the alpha-beta that looks a single move ahead: it keeps nothing."""


def lesson_plan(game: str, *, positions: int | None = None, seed: int = 1) -> TrainingPlan:
    """Return a plan that starts from scratch and takes seconds.

    There are few positions in a generation, so each is learnt from several times; and much of a
    game is random, because a small board has few games otherwise.
    """
    rules = game_named(game)
    if positions is None:
        positions = min(PER_CELL * sum(map(len, rules.start().cells)), MOST_POSITIONS)
    return TrainingPlan(
        games=(rules.name,),
        player="alphabeta:depth=2",  # evaluates with the network that it is given
        nodes=10_000,  # more than two moves ahead take on a small board
        positions=positions,
        window=3,
        noise=0.4,
        proof_nodes=0,  # the solver only judges, it does not teach
        alone=True,  # it is to learn from nothing
        epochs=4,
        batch=64,
        rate=0.005,  # there are few steps
        seed=seed,
    )


@dataclass(frozen=True)
class Learnt:
    """A network after a generation, and what it learnt from."""

    generation: int
    network: Network
    games: list[Played]
    """Of this generation."""
    positions: int
    """Learnt from, in the games of the last generations."""
    loss: float | None = None
    """How surprised it was by them in the end; None of a network that has not learnt yet."""
    held_out: float | None = None
    """The same on games that it did not learn from."""


class Lesson:
    """A network in training, generation by generation."""

    def __init__(self, plan: TrainingPlan) -> None:
        """Begin with a network that knows nothing; raise GameError if that is impossible."""
        check_installed()
        plan.check()
        self.plan = plan
        self.rules = game_named(plan.games[0])
        if not self.rules.traits.lines:
            raise GameError(
                f"cannot show learning on {self.rules}: choose a game of k in a row, "
                "such as mnk:3x3x3 or connect:4x5x4"
            )
        self._shards: list[Shard] = []
        self._weights: dict[str, Any] = {}
        self._learnt: list[Learnt] = []

    def __reduce__(self) -> tuple[type[Lesson], tuple[TrainingPlan]]:
        """Send only the plan: whoever gets it learns the same."""
        return Lesson, (self.plan,)

    def after(self, generation: int) -> Learnt:
        """Return the network after this many generations, training those still missing."""
        while len(self._learnt) <= generation:
            self._learnt.append(self._next() if self._learnt else self._first())
        return self._learnt[generation]

    def _first(self) -> Learnt:
        with interrupts_held():  # in the midst of loading JAX one can crash it
            from mossa.learning import training

        self._weights = training.initial(self.plan.shape, self.plan.seed)
        return Learnt(0, self._network("nothing"), [], 0)

    def _next(self) -> Learnt:
        from mossa.learning import data, training

        plan, number = self.plan, len(self._learnt)
        shard = self._played(self._learnt[-1].network, number)
        self._shards = [*self._shards[1 - plan.window :], shard] if plan.window > 1 else [shard]
        games = data.Games(self._shards, plan.mix, beside=plan.beside)
        trainer = training.Trainer(plan.shape, self._weights)
        for _ in range(plan.epochs):
            learnt, held_out = training.epoch(
                trainer,
                games,
                epochs=plan.epochs,
                batch=plan.batch,
                rate=plan.rate,
                seed=f"{plan.seed} {number}",
                seen=lambda _: None,
            )
        self._weights = trainer.weights
        words = f"{counted(games.positions, 'position')} of {counted(games.count, 'game')}"
        network = self._network(words)
        return Learnt(number, network, shard.games, games.positions, learnt.value, held_out.value)

    def _played(self, network: Network, generation: int) -> Shard:
        """Have a network play against itself."""
        plan = self.plan
        games: list[Played] = []
        with TemporaryDirectory(prefix="mossa-") as folder:
            path = Path(folder, "best.net")
            network.save(path)
            task = Task(
                plan.games[0],
                with_network(plan.player, path),
                plan.nodes,
                plan.noise,
                plan.proof_nodes,
                f"{plan.seed} {generation}",
                range(0),
            )
            positions = 0
            for number in count():
                games.append(play_game(task, number))
                positions += len(games[-1].samples)
                if positions >= plan.positions:
                    break
        return Shard(plan.games[0], f"{plan.player}, generation {generation}", games, 0, 0, 0)

    def _network(self, words: str) -> Network:
        from mossa.learning.export import to_payload

        payload = to_payload(self.plan.shape, self._weights)
        content = _core.pack_network(self.rules, payload, beside=self.plan.beside)
        return Network.of(About(self.plan.games, words, self.plan.command, "", ""), content)


# ---------------------------------------------------------------- how it moves


def at_a_glance(network: _core.Network, position: Position) -> list[Move]:
    """Return what a network's policy likes best, without any search.

    Before it has learnt anything these are all moves, and later often two that are mirror images.
    """
    policy = network.estimate(position).policy
    best = max(policy.values())
    return [move for move in position.moves if policy[move] == best]


def one_ahead(position: Position, evaluation: str, network: _core.Network | None = None) -> Info:
    """Try every move, and ask an evaluation or a network what it is worth."""
    options = {**AHEAD, "evaluate": evaluation}
    search = Search(position.game, "alphabeta", options, network=network)
    return search.run(position, Limits(depth=1))
