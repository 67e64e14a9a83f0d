"""The network of games with pits and stores in floating point, as JAX trains it.

It is the one of the core (core/learn/network.hpp). One row of channels is the sum of a row for each
pit by its seeds, for each pit whose last seed reaches the store, for each that captures, by what it
takes, for the seeds in the pits of either side, and for the margin so far. Clipped to 0 .. 1 it
goes through two small dense layers to the chances of a win, a draw and a loss, and to the margin
that is still to come.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mossa import _core
from mossa.learning.data import Array, Examples
from mossa.learning.export import CAPTURES, MARGINS, SEEDS, TOTALS

__all__ = ["MARGIN", "gradients", "initial", "losses", "predict"]

Parameters = dict[str, Any]

MARGIN = 0.5
"""What the loss of the margin counts beside that of the value."""
_TINY = 1e-3  # instead of no weight at all


def initial(shape: _core.NetworkShape, rng: np.random.Generator) -> dict[str, Array]:
    """Return a network that knows nothing: small random weights."""
    pits, channels, hidden = shape.k, shape.channels, shape.hidden
    return {
        "own": rng.normal(0, 0.1, (pits, SEEDS, channels)),
        "other": rng.normal(0, 0.1, (pits, SEEDS, channels)),
        "reaches": np.zeros((2, pits, channels)),
        "captures": np.zeros((2, pits, CAPTURES, channels)),
        "totals": np.zeros((2, TOTALS, channels)),
        "margin": np.zeros((MARGINS, channels)),
        "bias": np.full(channels, 0.25),
        "hidden": rng.normal(0, channels**-0.5, (hidden, channels)),
        "hidden_bias": np.zeros(hidden),
        "output": rng.normal(0, hidden**-0.5, (4, hidden)),
        "output_bias": np.zeros(4),
    }


def losses(shape: _core.NetworkShape, parameters: Parameters, examples: Examples) -> Any:
    """Return sums of losses (value, margin), and of the weights of their positions, twice."""
    return _evaluated(parameters, *_given(shape, examples))[1]


def gradients(
    shape: _core.NetworkShape, parameters: Parameters, examples: Examples
) -> tuple[Any, Parameters]:
    """Return the same sums, and how the mean loss changes with each weight."""
    (_, sums), found = _differentiated(parameters, *_given(shape, examples))
    return sums, found


def predict(
    shape: _core.NetworkShape, parameters: Parameters, features: dict[str, Array]
) -> tuple[Array, Array]:
    """Return the chances of win, draw and loss, and the margins at the end, of some positions."""
    outputs = _outputs(parameters, _inputs(features), shape.hidden_limit)
    chances = np.asarray(jax.nn.softmax(outputs[:, :3]))
    return chances, features["ahead"] + np.asarray(outputs[:, 3]) * shape.margin_unit


def _inputs(features: dict[str, Array]) -> dict[str, Any]:
    whole = ("own", "other", "captures", "captures_other", "total", "total_other", "margin")
    flags = ("reaches", "reaches_other")
    return {
        **{name: jnp.asarray(features[name].astype(np.int32)) for name in whole},
        **{name: jnp.asarray(features[name].astype(np.float32)) for name in flags},
    }


def _given(shape: _core.NetworkShape, examples: Examples) -> tuple[Any, ...]:
    to_come = (examples.margins - examples.features["ahead"]) / shape.margin_unit
    targets = {
        "chances": jnp.asarray(examples.chances),
        "to_come": jnp.asarray(to_come.astype(np.float32)),
        "weights": jnp.asarray(examples.weights),
    }
    return _inputs(examples.features), targets, shape.hidden_limit


def _outputs(parameters: Parameters, inputs: dict[str, Any], most_hidden: float) -> Any:
    """Return the logits of win, draw and loss, and the margin to come in its unit."""
    pits = jnp.arange(parameters["own"].shape[0])
    row = (
        parameters["bias"]
        + parameters["own"][pits, inputs["own"]].sum(1)
        + parameters["other"][pits, inputs["other"]].sum(1)
        + parameters["margin"][inputs["margin"]]
    )
    for half, end in enumerate(("", "_other")):
        taken = inputs[f"captures{end}"]
        captures = parameters["captures"][half][pits, jnp.maximum(taken, 1) - 1]
        row = (
            row
            + inputs[f"reaches{end}"] @ parameters["reaches"][half]
            + jnp.where(taken[:, :, None] > 0, captures, 0).sum(1)
            + parameters["totals"][half][inputs[f"total{end}"]]
        )
    active = jnp.clip(row, 0, 1)
    hidden = active @ parameters["hidden"].T + parameters["hidden_bias"]
    return jnp.clip(hidden, 0, most_hidden) @ parameters["output"].T + parameters["output_bias"]


def _losses(
    parameters: Parameters, inputs: dict[str, Any], targets: dict[str, Any], most_hidden: float
) -> tuple[Any, Any]:
    """Return the mean loss, and the sums behind it."""
    outputs = _outputs(parameters, inputs, most_hidden)
    weights = targets["weights"]
    value = (-(targets["chances"] * jax.nn.log_softmax(outputs[:, :3])).sum(1) * weights).sum()
    margin = ((outputs[:, 3] - targets["to_come"]) ** 2 * weights).sum()
    weight = weights.sum()
    mean = (value + MARGIN * margin) / jnp.maximum(weight, _TINY)
    return mean, jnp.stack([value, margin, weight, weight])


_evaluated = jax.jit(_losses)
_differentiated = jax.jit(jax.value_and_grad(_losses, has_aux=True))
