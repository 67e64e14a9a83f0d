"""A training run as plain rows: for tables, CSV, JSON and plots."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from mossa.learning.state import Generation, State

__all__ = ["epoch_rows", "generation_rows", "to_dict"]

Row = dict[str, Any]


def generation_rows(state: State) -> list[Row]:
    """Return a row for every generation; what is not known yet is None."""
    strength = dict(state.strength())
    return [_generation_row(one, strength.get(one.number)) for one in state.generations]


def _generation_row(one: Generation, strength: float | None) -> Row:
    last = one.epochs[-1] if one.epochs else None
    row: Row = {
        "generation": one.number,
        "games": one.games,
        "positions": one.positions,
        "seconds": round(one.seconds, 1) if one.played else None,
        "positions_per_second": round(one.positions / one.seconds, 1) if one.seconds else None,
        "epochs": len(one.epochs),
        "value_loss": last and last.value,
        "second_loss": last and last.second,
        "held_value_loss": last and last.held_value,
        "held_second_loss": last and last.held_second,
        "training_seconds": round(sum(each.seconds for each in one.epochs), 1),
        "test_games": None,
        "wins": None,
        "draws": None,
        "losses": None,
        "elo": None,
        "elo_low": None,
        "elo_high": None,
        "accepted": None,
        "strength": strength,
    }
    if one.test is not None:
        test = one.test
        elo, low, high = (each if math.isfinite(each) else None for each in test.elo)
        row |= {
            "test_games": test.games,
            "wins": test.wins,
            "draws": test.draws,
            "losses": test.losses,
            "elo": elo,
            "elo_low": low,
            "elo_high": high,
            "accepted": test.accepted,
        }
    return row


def epoch_rows(state: State) -> list[Row]:
    """Return a row for every pass of the trainer over its games: the loss curves."""
    return [
        {"generation": one.number, **asdict(epoch)}
        for one in state.generations
        for epoch in one.epochs
    ]


def to_dict(state: State) -> Row:
    """Return all of it as plain data."""
    best = state.best
    return {
        "plan": state.plan.to_dict() | {"games": list(state.plan.games)},
        "seconds": round(state.clock, 1),
        "budget": round(state.budget, 1),
        "best": None if best is None else best.number,
        "generations": generation_rows(state),
        "epochs": epoch_rows(state),
        "notes": list(state.notes),
    }
