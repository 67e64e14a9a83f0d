"""From a trained network to the whole numbers of the core, and back.

Every weight is a multiple of a unit that depends on its layer: a row of a codebook counts in
256ths, a dense weight in 64ths. The core says what the units are (core/learn/network.hpp); a weight
that is too large for its type is clipped, and training keeps weights from growing that far.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mossa import _core
from mossa.errors import GameError
from mossa.learning.data import Array

__all__ = [
    "CAPTURES",
    "MARGINS",
    "SEEDS",
    "TOTALS",
    "Part",
    "from_payload",
    "limits",
    "parts",
    "to_payload",
]

SEEDS = 16
"""Rows of a pit: for 0 to 14 seeds, and for 15 or more."""
CAPTURES = 12
"""Rows of a pit that captures: 1 to 11 seeds, and 12 or more."""
TOTALS = 64
"""Rows for the seeds in the pits of a side: 0 to 62, and 63 or more."""
MARGINS = 49
"""Rows for the margin so far: -24 to 24."""


@dataclass(frozen=True)
class Part:
    """One array of a payload."""

    name: str
    size: tuple[int, ...]
    kind: type[np.signedinteger[Any]]
    unit: int
    """The whole number that stands for 1."""
    most: int
    """The largest whole number, of either sign."""

    @property
    def count(self) -> int:
        """How many numbers it has."""
        return int(np.prod(self.size, dtype=np.int64))

    @property
    def bytes(self) -> int:
        """How many bytes it has."""
        return self.count * np.dtype(self.kind).itemsize


def parts(shape: _core.NetworkShape) -> tuple[Part, ...]:
    """Return the arrays of a payload in their order."""
    row = np.int16, shape.row_scale, shape.row_limit
    dense = np.int8, shape.dense_scale, 127
    hidden_bias = np.int32, shape.hidden_bias_scale, shape.bias_limit
    output_bias = np.int32, shape.out_scale, shape.bias_limit
    channels, hidden, pits = shape.channels, shape.hidden, shape.k
    if shape.kind == "lines":
        inputs, outputs = 2 * channels, 3
        rows = {
            "own": (shape.patterns, channels),
            "other": (shape.patterns, channels),
            "place": (shape.places, channels),
            "bias": (channels,),
        }
    else:
        inputs, outputs = channels, 4
        rows = {
            "own": (pits, SEEDS, channels),
            "other": (pits, SEEDS, channels),
            "reaches": (2, pits, channels),
            "captures": (2, pits, CAPTURES, channels),
            "totals": (2, TOTALS, channels),
            "margin": (MARGINS, channels),
            "bias": (channels,),
        }
    policy = (
        Part("policy", (channels,), np.int8, shape.policy_scale, 127),
        Part("policy_bias", (), np.int32, shape.policy_bias_scale, shape.bias_limit),
    )
    return (
        *(Part(name, size, *row) for name, size in rows.items()),
        Part("hidden", (hidden, inputs), *dense),
        Part("hidden_bias", (hidden,), *hidden_bias),
        Part("output", (outputs, hidden), *dense),
        Part("output_bias", (outputs,), *output_bias),
        *(policy if shape.kind == "lines" else ()),
    )


def limits(shape: _core.NetworkShape) -> dict[str, float]:
    """Return the largest weight that each array can hold."""
    return {part.name: part.most / part.unit for part in parts(shape)}


def to_payload(shape: _core.NetworkShape, weights: dict[str, Array]) -> bytes:
    """Return weights as the core reads them."""
    found = []
    for part in parts(shape):
        numbers = np.rint(np.asarray(weights[part.name], np.float64) * part.unit)
        numbers = np.clip(numbers, -part.most, part.most).reshape(part.size)
        found.append(numbers.astype(np.dtype(part.kind).newbyteorder("<")).tobytes())
    return b"".join(found)


def from_payload(shape: _core.NetworkShape, payload: bytes) -> dict[str, Array]:
    """Return the weights in a payload; raise GameError if its size is wrong."""
    wanted = sum(part.bytes for part in parts(shape))
    if len(payload) != wanted:
        raise GameError(f"a payload of {len(payload):,} bytes, not of {wanted:,}")
    found, at = {}, 0
    for part in parts(shape):
        kind = np.dtype(part.kind).newbyteorder("<")
        numbers = np.frombuffer(payload, kind, part.count, at).reshape(part.size)
        found[part.name] = numbers.astype(np.float32) / part.unit
        at += part.bytes
    return found
