"""The network of line games in floating point, as JAX trains it.

It is the one of the core (core/learn/network.hpp). For either side every cell has a row of
channels: the sum of a codebook's rows for the patterns on its four lines, clipped to 0 .. 1. The
sums over the cells go through two small dense layers to the chances of a win, a draw and a loss; a
weighted sum of a cell's row says how likely the next move goes there. Where an evaluation of ours
has its say too, its points are added, and the network learns what they miss.

Most cells of a batch look like others: all those far from the stones, say. So rows are computed
only for views of a cell that differ, a quarter of the cells on a large board, and every cell takes
the row of its view.

A step is three calls instead of one, each compiled by itself. XLA would else melt the look-ups into
the sums after them, and look up every row again for every channel: six times slower on a CPU.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mossa import _core
from mossa.learning.data import POINTS, Array, Examples

__all__ = ["POLICY", "gradients", "initial", "losses", "predict"]

Parameters = dict[str, Any]

POLICY = 0.2
"""What the policy's loss counts beside that of the value."""
_IMPOSSIBLE = -1e9  # the logit of a cell where no move goes
_TINY = 1e-3  # instead of no weight at all
_MOST_POINTS = 15  # as the core has it
_DIRECTIONS = 4
_BOOKS = ("own", "other", "place", "bias")  # rows that are looked up; the rest is dense
_STEPS = 16  # padded sizes that a batch of views may have: JAX compiles each of them once


def initial(shape: _core.NetworkShape, rng: np.random.Generator) -> dict[str, Array]:
    """Return a network that knows nothing: small random weights."""
    channels, hidden = shape.channels, shape.hidden
    return {
        "own": rng.normal(0, 0.02, (shape.patterns, channels)),
        "other": rng.normal(0, 0.02, (shape.patterns, channels)),
        "place": np.zeros((shape.places, channels)),
        "bias": np.zeros(channels),
        "hidden": rng.normal(0, (2 * channels) ** -0.5, (hidden, 2 * channels)),
        "hidden_bias": np.zeros(hidden),
        "output": rng.normal(0, hidden**-0.5, (3, hidden)),
        "output_bias": np.zeros(3),
        "policy": np.zeros(channels),
        "policy_bias": np.zeros(()),
    }


def losses(shape: _core.NetworkShape, parameters: Parameters, examples: Examples) -> Any:
    """Return sums of losses (value, policy), and of the weights of their positions."""
    books, dense = _split(parameters)
    inputs = _Inputs.of(examples.features)
    rows = _both_rows(books, inputs)
    board = _board(shape, examples)
    return _evaluated(dense, *rows, inputs.view, _targets(examples), *board)[1]


def gradients(
    shape: _core.NetworkShape, parameters: Parameters, examples: Examples
) -> tuple[Any, Parameters]:
    """Return the same sums, and how the mean loss changes with each weight."""
    books, dense = _split(parameters)
    inputs = _Inputs.of(examples.features)
    rows = _both_rows(books, inputs)
    targets, board = _targets(examples), _board(shape, examples)
    (_, sums), (dense_gradients, own, other) = _differentiated(
        dense, *rows, inputs.view, targets, *board
    )
    one = _row_gradients(books, inputs.own, inputs.other, inputs.place, own)
    two = _row_gradients(books, inputs.other, inputs.own, inputs.place_other, other)
    return sums, {**{name: one[name] + two[name] for name in one}, **dense_gradients}


def predict(
    shape: _core.NetworkShape, parameters: Parameters, features: dict[str, Array]
) -> tuple[Array, Array]:
    """Return the chances of win, draw and loss, and the logits of the cells, of some positions."""
    books, dense = _split(parameters)
    cells = features["legal"].shape[1]
    inputs = _Inputs.of(features)
    rows = _both_rows(books, inputs)
    logits, moves = _outputs(dense, *rows, inputs.view, _scales(shape, cells), cells)
    said = jax.nn.softmax(_with_points(logits, jnp.asarray(features[POINTS])))
    return np.asarray(said), np.asarray(moves)


# ---------------------------------------------------------------- rows


@dataclass(frozen=True)
class _Inputs:
    """What the rows of a batch are looked up by, a column for each view of a cell."""

    own: Any  # [direction, view]
    other: Any
    place: Any  # [view]
    place_other: Any
    view: Any  # of [position and cell]

    @classmethod
    def of(cls, features: dict[str, Array]) -> _Inputs:
        # In which direction a line lies does not matter: rows are summed.
        lines = features["own"].astype(np.uint32) << 16 | features["other"]
        lines = np.sort(lines.reshape(-1, _DIRECTIONS), axis=1)
        place, place_other = features["place"].reshape(-1), features["place_other"].reshape(-1)
        first, view = _different(lines, place.astype(np.uint32) << 16 | place_other)
        own, other = (lines[first] >> 16).T, (lines[first] & 0xFFFF).T
        found = (own, other, place[first], place_other[first], view)
        return cls(*(jnp.asarray(each.astype(np.int32)) for each in found))


def _different(lines: Array, places: Array) -> tuple[Array, Array]:
    """Return where each different view stands first, and which of these every cell has.

    Views are told apart by 64 bits of hash. The list is padded with the first cell, so that it has
    one of a few sizes.
    """
    odd = np.random.default_rng(1).integers(2**63, size=_DIRECTIONS + 1).astype(np.uint64) | 1
    hashes = places * odd[-1]
    for line, by in zip(lines.T, odd[:-1], strict=True):
        hashes = (hashes ^ hashes >> np.uint64(29)) * odd[-1] + line * by
    _, first, view = np.unique(hashes, return_index=True, return_inverse=True)
    step = -(-len(hashes) // _STEPS)
    return np.pad(first, (0, -len(first) % step)), view


def _split(parameters: Parameters) -> tuple[Parameters, Parameters]:
    """Return the books and the dense layers."""
    books = {name: parameters[name] for name in _BOOKS}
    return books, {name: each for name, each in parameters.items() if name not in _BOOKS}


def _both_rows(books: Parameters, inputs: _Inputs) -> tuple[Any, Any]:
    return (
        _rows(books, inputs.own, inputs.other, inputs.place),
        _rows(books, inputs.other, inputs.own, inputs.place_other),
    )


@jax.jit
def _rows(books: Parameters, own: Any, other: Any, place: Any) -> Any:
    """Return the rows of all cells, not clipped yet, as one side has them."""
    found = _looked_up(books["place"], place) + books["bias"]
    for direction in range(_DIRECTIONS):
        found = found + _looked_up(books["own"], own[direction])
        found = found + _looked_up(books["other"], other[direction])
    return found


def _looked_up(book: Any, rows: Any) -> Any:
    # The barrier keeps XLA from looking up single numbers where it could copy whole rows.
    found = book.at[rows].get(mode="promise_in_bounds")
    return jax.lax.optimization_barrier(found)  # type: ignore[no-untyped-call]


@jax.jit
def _row_gradients(
    books: Parameters, own: Any, other: Any, place: Any, gradient: Any
) -> Parameters:
    """Return what the gradient of the rows means for the books."""
    found = {name: jnp.zeros_like(books[name]) for name in ("own", "other", "place")}
    for direction in range(_DIRECTIONS):
        found["own"] = _added(found["own"], own[direction], gradient)
        found["other"] = _added(found["other"], other[direction], gradient)
    found["place"] = _added(found["place"], place, gradient)
    return {**found, "bias": gradient.sum(0)}


def _added(book: Any, rows: Any, gradient: Any) -> Any:
    return book.at[rows].add(gradient, mode="promise_in_bounds")


# ---------------------------------------------------------------- dense layers


def _board(shape: _core.NetworkShape, examples: Examples) -> tuple[tuple[float, ...], int]:
    cells = examples.features["legal"].shape[1]
    return _scales(shape, cells), cells


def _scales(shape: _core.NetworkShape, cells: int) -> tuple[float, ...]:
    """Return what sums over cells are multiplied with, and where layers are clipped."""
    return shape.sum_scale(cells), shape.input_limit, shape.hidden_limit


def _outputs(
    dense: Parameters, rows: Any, other_rows: Any, view: Any, scales: tuple[float, ...], cells: int
) -> tuple[Any, Any]:
    """Return the logits of win, draw and loss, and those of the cells."""
    scale, most_input, most_hidden = scales
    active = jnp.clip(rows, 0, 1)

    def summed(active: Any) -> Any:
        return _looked_up(active, view).reshape(-1, cells, active.shape[-1]).sum(1)

    sums = jnp.concatenate([summed(active), summed(jnp.clip(other_rows, 0, 1))], axis=1)
    inputs = jnp.minimum(sums * scale, most_input)
    hidden = jnp.clip(inputs @ dense["hidden"].T + dense["hidden_bias"], 0, most_hidden)
    logits = hidden @ dense["output"].T + dense["output_bias"]
    appeal = active @ dense["policy"] + dense["policy_bias"]
    return logits, appeal[view].reshape(-1, cells)


def _with_points(logits: Any, points: Any) -> Any:
    """Return the logits with what an evaluation of ours says, half of it against a loss."""
    half = jnp.clip(points, -_MOST_POINTS, _MOST_POINTS)[:, None] / 2
    return logits + jnp.concatenate([half, jnp.zeros_like(half), -half], axis=1)


def _losses(
    dense: Parameters,
    rows: Any,
    other_rows: Any,
    view: Any,
    targets: dict[str, Any],
    scales: tuple[float, ...],
    cells: int,
) -> tuple[Any, Any]:
    """Return the mean loss, and the sums behind it."""
    logits, moves = _outputs(dense, rows, other_rows, view, scales, cells)
    logits = _with_points(logits, targets[POINTS])
    weights = targets["weights"]
    value = (-(targets["chances"] * jax.nn.log_softmax(logits)).sum(1) * weights).sum()
    moves = jax.nn.log_softmax(jnp.where(targets["legal"], moves, _IMPOSSIBLE))
    chosen = jnp.take_along_axis(moves, targets["cells"][:, None], axis=1)[:, 0]
    counted = weights * targets["policy_weights"]
    policy = -(chosen * counted).sum()
    weight, policy_weight = weights.sum(), counted.sum()
    mean = value / jnp.maximum(weight, _TINY) + POLICY * policy / jnp.maximum(policy_weight, _TINY)
    return mean, jnp.stack([value, policy, weight, policy_weight])


_evaluated = jax.jit(_losses, static_argnums=6)
_differentiated = jax.jit(
    jax.value_and_grad(_losses, argnums=(0, 1, 2), has_aux=True), static_argnums=6
)


def _targets(examples: Examples) -> dict[str, Any]:
    return {
        "chances": jnp.asarray(examples.chances),
        "cells": jnp.asarray(examples.cells),
        "policy_weights": jnp.asarray(examples.policy_weights),
        "weights": jnp.asarray(examples.weights),
        "legal": jnp.asarray(examples.features["legal"]),
        POINTS: jnp.asarray(examples.features[POINTS]),
    }
