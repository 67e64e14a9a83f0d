"""How far a training run has got, according to its journal.

The folder of a run has a journal, the shards of every generation, a network for each, the file of
the tournament that tested it, and what the trainer kept of the network it is working on. Whatever
dies, the journal says what is finished, and the other files have the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mossa.arena.statistics import Tally, rate
from mossa.errors import shorten
from mossa.learning.plan import InvalidTrainingError, TrainingPlan
from mossa.learning.shards import read_shard
from mossa.solving.journal import journal_of, read_journal

__all__ = ["Epoch", "Folder", "Generation", "State", "Verdict"]

_HEAD = "mossa training 1: "


@dataclass(frozen=True)
class Folder:
    """Where the files of a run are."""

    path: Path

    @property
    def journal(self) -> Path:
        """What is finished."""
        return journal_of(f"{self.path}/")

    @property
    def checkpoint(self) -> Path:
        """The network that is being trained."""
        return self.path / "trainer.npz"

    def shard(self, generation: int, board: int) -> Path:
        """The games of a generation on one of the boards."""
        return self.path / f"games-{generation:03}-{board}.shard"

    def shards(self, generations: Iterable[int]) -> list[Path]:
        """The existing shards of some generations."""
        return [
            path
            for generation in generations
            for path in sorted(self.path.glob(f"games-{generation:03}-*.shard"))
        ]

    def network(self, generation: int) -> Path:
        """The network a generation made."""
        return self.path / f"generation-{generation:03}.net"

    def weights(self, generation: int) -> Path:
        """Its weights before rounding, where the next one continues."""
        return self.path / f"generation-{generation:03}.npz"

    def test(self, generation: int) -> Path:
        """The tournament that tests it."""
        return self.path / f"test-{generation:03}.db"

    def read(self) -> State:
        """Return how far the run has got; raise InvalidTrainingError if it is not a run."""
        if not self.path.exists():
            raise InvalidTrainingError(f"there is no training run {shorten(str(self.path))}")
        if not self.journal.is_file():
            raise InvalidTrainingError(
                f"{shorten(str(self.path))} is not a training run; mossa train run makes one"
            )
        head, lines = read_journal(self.journal)
        state = State(self.plan_of(head))
        for line in lines:
            state.enter(json.loads(line))
        current = state.current
        if not current.played:
            shards = [read_shard(path) for path in self.shards([current.number])]
            current.games = sum(len(shard.games) for shard in shards)
            current.positions = sum(shard.positions for shard in shards)
        return state

    def plan_of(self, head: str) -> TrainingPlan:
        """Return the plan that the head of a journal holds."""
        try:
            if not head.startswith(_HEAD):
                raise ValueError
            return TrainingPlan.from_dict(json.loads(head.removeprefix(_HEAD)))
        except (ValueError, TypeError, KeyError):
            raise InvalidTrainingError(
                f"{shorten(str(self.path))} is a training run of another version, or damaged: it "
                f"begins with {shorten(head)}"
            ) from None

    @staticmethod
    def head_of(plan: TrainingPlan) -> str:
        """Return the head of a journal."""
        return _HEAD + json.dumps(plan.to_dict())


# ---------------------------------------------------------------- what was done


@dataclass(frozen=True)
class Epoch:
    """One pass of the trainer over its games."""

    number: int
    positions: int
    seconds: float
    value: float
    second: float
    """The loss of the policy, or of the margin."""
    held_value: float
    """The same on games that were held out."""
    held_second: float


@dataclass(frozen=True)
class Verdict:
    """How a new network did against its predecessor."""

    boxes: tuple[int, ...]
    """Pairs of games by their points; see Tally."""
    wins: int
    draws: int
    losses: int
    accepted: bool
    decided: bool
    """False if the games ran out before the test could tell."""
    seconds: float

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in strength, and the ends of its error bar."""
        rating = rate(Tally(self.boxes))
        return rating.elo, rating.low, rating.high


@dataclass
class Generation:
    """One turn of the loop: games, training, test."""

    number: int
    games: int = 0
    positions: int = 0
    seconds: float = 0.0
    """That the games took."""
    played: bool = False
    epochs: list[Epoch] = field(default_factory=list)
    trained: bool = False
    data: str = ""
    """What its network learnt from, in words."""
    test: Verdict | None = None


class State:
    """A run according to its journal."""

    def __init__(self, plan: TrainingPlan) -> None:
        """Begin with nothing done."""
        self.plan = plan
        self.generations = [Generation(1)]
        self.clock = 0.0
        """Seconds that the run has worked."""
        self.budget = 0.0
        """Seconds that it may work."""
        self.notes: list[str] = []
        """What went wrong and was put up with."""

    @property
    def current(self) -> Generation:
        """The generation that is being made."""
        return self.generations[-1]

    @property
    def best(self) -> Generation | None:
        """The last generation whose network was accepted; None if none was."""
        accepted = (one for one in reversed(self.generations) if one.test and one.test.accepted)
        return next(accepted, None)

    @property
    def games(self) -> int:
        """Games of self-play."""
        return sum(one.games for one in self.generations)

    @property
    def positions(self) -> int:
        """Positions that were searched in them."""
        return sum(one.positions for one in self.generations)

    def enter(self, event: dict[str, Any]) -> None:
        """Take note of an event."""
        self.clock = event.get("clock", self.clock)
        one = self.current
        match event["event"]:
            case "budget":
                self.budget = event["seconds"]
            case "playing":
                one.seconds = event["seconds"]
            case "games":
                one.games, one.positions = event["games"], event["positions"]
                one.seconds, one.played = event["seconds"], True
            case "epoch":
                # One that a kill has cost its checkpoint is gone through again.
                epochs = [each for each in one.epochs if each.number < event["epoch"]["number"]]
                one.epochs = [*epochs, Epoch(**event["epoch"])]
            case "trained":
                one.trained, one.data = True, event["data"]
            case "test":
                one.test = Verdict(**{**event["test"], "boxes": tuple(event["test"]["boxes"])})
                self.generations.append(Generation(one.number + 1))
            case "note":
                self.notes.append(event["text"])

    def strength(self) -> list[tuple[int, float]]:
        """Return the Elo of the best network after each tested generation, from 0 on.

        Differences to the network before are added up, so errors add up too.
        """
        found, elo = [(0, 0.0)], 0.0
        for one in self.generations:
            if one.test is not None:
                if one.test.accepted:
                    elo += min(one.test.elo[0], _MOST_ELO)
                found.append((one.number, elo))
        return found


_MOST_ELO = 1000.0  # whoever wins every game is infinitely stronger
