"""Training: a network learns, step by step, to predict how positions turned out.

A step looks at a batch of positions, asks the model how its loss would change with each weight, and
moves every weight a little against that. This is Adam (Kingma and Ba, Adam: a method for stochastic
optimization, 2015), which moves weights by how steadily they were pushed. Weights stay within what
the whole numbers of the core can hold.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mossa import _core
from mossa.files import replace_file
from mossa.learning import line_model, pit_model
from mossa.learning.data import Array, Batch, Games
from mossa.learning.export import limits

__all__ = [
    "MODELS",
    "Losses",
    "Trainer",
    "epoch",
    "initial",
    "read_weights",
    "save_state",
    "save_weights",
]

Parameters = dict[str, Any]

MODELS = {"lines": line_model, "pits": pit_model}
"""The models by the kind of a network."""
FINAL_RATE = 0.05
"""Of the learning rate, at the end of a generation."""
WARM_UP = 500
"""Steps in which the rate grows from nothing: large first ones can push a channel to where it is
clipped in every position, and it never learns again."""
_FADING, _FADING_SQUARES, _TINY = 0.9, 0.999, 1e-8  # of Adam


@dataclass(frozen=True)
class Losses:
    """How surprised a network was, on average: the less, the better it predicts."""

    value: float
    second: float
    """That of the policy, or of the margin: whatever the network says besides the value."""
    positions: int


def initial(shape: _core.NetworkShape, seed: int) -> dict[str, Array]:
    """Return a network that knows nothing."""
    found: dict[str, Array] = MODELS[shape.kind].initial(shape, np.random.default_rng(seed))
    return found


class Trainer:
    """A network in training: its weights, and what Adam remembers of earlier steps."""

    def __init__(self, shape: _core.NetworkShape, weights: dict[str, Array]) -> None:
        """Take the initial weights."""
        self._shape = shape
        self._model = MODELS[shape.kind]
        self._limits = limits(shape)
        self._weights = {name: jnp.asarray(each, jnp.float32) for name, each in weights.items()}
        self._means = jax.tree.map(jnp.zeros_like, self._weights)
        self._squares = jax.tree.map(jnp.zeros_like, self._weights)
        self.epoch = 0
        """Finished epochs."""
        self._step = 0

    @property
    def weights(self) -> dict[str, Array]:
        """The weights as they are now."""
        # Copies: a step takes the place of what it is given.
        return {name: np.array(each) for name, each in self._weights.items()}

    def learn(
        self,
        batches: Iterable[Batch],
        rate: Callable[[int], float],
        seen: Callable[[int], object],
    ) -> Losses:
        """Go through batches; ``rate`` is asked for every step, ``seen`` told of positions."""
        sums: Any = jnp.zeros(4)
        count = 0
        for batch in batches:
            found, gradients = self._model.gradients(self._shape, self._weights, batch.examples)
            speed = rate(self._step)
            self._step += 1
            self._weights, self._means, self._squares = _stepped(
                self._weights,
                self._means,
                self._squares,
                gradients,
                speed,
                self._step,
                self._limits,
            )
            sums = sums + found
            count += int((batch.examples.weights > 0).sum())
            seen(count)
        return _means(sums, count)

    def judge(self, batches: Iterable[Batch]) -> Losses:
        """Return the losses on held-out positions."""
        sums: Any = jnp.zeros(4)
        count = 0
        for batch in batches:
            sums = sums + self._model.losses(self._shape, self._weights, batch.examples)
            count += int((batch.examples.weights > 0).sum())
        return _means(sums, count)

    def state(self) -> dict[str, Array]:
        """Return everything needed to continue."""
        trees = {"weights": self._weights, "means": self._means, "squares": self._squares}
        found = {
            f"{kind}.{name}": np.array(each)
            for kind, tree in trees.items()
            for name, each in tree.items()
        }
        return {**found, "epoch": np.array(self.epoch), "step": np.array(self._step)}

    def restore(self, state: dict[str, Array]) -> None:
        """Continue from what state() returned."""

        def tree(kind: str) -> Parameters:
            return {name: jnp.asarray(state[f"{kind}.{name}"]) for name in self._limits}

        self._weights, self._means, self._squares = map(tree, ("weights", "means", "squares"))
        self.epoch, self._step = int(state["epoch"]), int(state["step"])


@partial(jax.jit, donate_argnums=(0, 1, 2))
def _stepped(
    weights: Parameters,
    means: Parameters,
    squares: Parameters,
    gradients: Parameters,
    rate: float,
    step: int,
    most: dict[str, float],
) -> tuple[Parameters, Parameters, Parameters]:
    """Return the weights after a step of Adam, and its two averages."""
    means = {name: _FADING * mean + (1 - _FADING) * gradients[name] for name, mean in means.items()}
    squares = {
        name: _FADING_SQUARES * square + (1 - _FADING_SQUARES) * gradients[name] ** 2
        for name, square in squares.items()
    }

    def moved(name: str) -> Any:
        mean = means[name] / (1 - _FADING**step)
        square = squares[name] / (1 - _FADING_SQUARES**step)
        found = weights[name] - rate * mean / (jnp.sqrt(square) + _TINY)
        return jnp.clip(found, -most[name], most[name])

    return {name: moved(name) for name in weights}, means, squares


def _means(sums: Any, positions: int) -> Losses:
    value, second, weight, second_weight = map(float, sums)
    return Losses(value / max(weight, _TINY), second / max(second_weight, _TINY), positions)


# ---------------------------------------------------------------- a generation


def learning_rate(most: float, step: int, steps: int) -> float:
    """Return a step's rate: it rises for at most a tenth of the steps, then falls steadily."""
    warm_up = max(1, min(WARM_UP, steps // 10))
    done = min(step / max(steps, 1), 1)
    return most * min(1, (step + 1) / warm_up) * (1 - (1 - FINAL_RATE) * done)


def epoch(
    trainer: Trainer,
    games: Games,
    *,
    epochs: int,
    batch: int,
    rate: float,
    seed: str,
    seen: Callable[[int], object],
) -> tuple[Losses, Losses]:
    """Go through all games once; return the losses on those learnt from and on those held out."""
    steps = epochs * max(1, games.positions // batch)
    learnt = trainer.learn(
        games.batches(batch, f"{seed} {trainer.epoch}"),
        lambda step: learning_rate(rate, step, steps),
        seen,
    )
    trainer.epoch += 1
    return learnt, trainer.judge(games.held_out(batch))


def save_state(path: Path, trainer: Trainer, generation: int) -> None:
    """Save a network in training, whole or not at all."""
    save_weights(path, {**trainer.state(), "generation": np.array(generation)})


def save_weights(path: Path, weights: dict[str, Array]) -> None:
    """Write arrays to a file that is there whole or not at all."""
    content = io.BytesIO()
    np.savez(content, **weights)  # type: ignore[arg-type]
    replace_file(path, content.getvalue())


def read_weights(path: Path) -> dict[str, Array] | None:
    """Return saved arrays; None if none are readable."""
    try:
        with np.load(path, allow_pickle=False) as content:
            return dict(content)
    except (FileNotFoundError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
