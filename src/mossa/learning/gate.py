"""The gate: a new network replaces the old one only if a sequential test in the arena says so.

Both play the same openings with sides swapped, until one of two hypotheses is likely enough: that
the new one is no stronger, or that it is stronger by what the plan asks for. If the games run out
before, the old one stays.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

from mossa.arena.driver import drive, first_pairings
from mossa.arena.plan import Entrant, InvalidTournamentError, Plan
from mossa.arena.standings import PairCounter
from mossa.arena.store import Store
from mossa.learning.plan import TrainingPlan, with_network
from mossa.learning.state import Verdict

__all__ = ["gate_plan", "run_gate"]

Progress = Callable[[int, int], object]
"""Told how many games of how many were played."""


def gate_plan(plan: TrainingPlan, generation: int, new: Path, old: Path | None) -> Plan:
    """Return the tournament that tests a new network against the old one, or against none."""
    pairs = max(1, plan.gate_games // (2 * len(plan.games)))
    return Plan(
        entrants=(
            Entrant("new", with_network(plan.player, new)),
            Entrant("old", with_network(plan.player, old)),
        ),
        games=plan.games,
        rounds=pairs,
        conditions=plan.conditions,
        balanced=True,
        seed=1000 * plan.seed + generation,  # other openings for every generation
        sprt=plan.sprt,
    )


def run_gate(
    path: Path,
    plan: Plan,
    *,
    clock: Callable[[], float],
    count: int | None = None,
    cluster: str | None = None,
    progress: Progress,
    stop: Event,
) -> Verdict | None:
    """Play or resume the test; return None if it was stopped before the end."""
    begin = clock()
    with _opened(path, plan) as store:
        outcome = drive(
            store,
            count=count,
            cluster=cluster,
            progress=lambda store, _: progress(*store.counts()),
            stop=stop,
        )
        if outcome.stopped:
            return None
        games = [game for game in store.games() if game.result not in (None, "*")]
        tally = PairCounter(games).tally(0, 1)
        verdict = plan.sprt.verdict(tally) if plan.sprt is not None else None
        draws = sum(game.result == "1/2" for game in games)
        wins = sum(game.result == ("1-0" if game.pairing.first == 0 else "0-1") for game in games)
        return Verdict(
            boxes=tally.boxes,
            wins=wins,
            draws=draws,
            losses=len(games) - wins - draws,
            accepted=verdict == "H1",
            decided=verdict is not None,
            seconds=clock() - begin,
        )


def _opened(path: Path, plan: Plan) -> Store:
    """Return a test's file; start afresh if an old one is unusable.

    Nobody else plays it: a run is locked while somebody works on it.
    """
    if path.exists():
        try:
            store = Store.resume(path)
        except InvalidTournamentError:
            pass
        else:
            if store.plan == plan:
                return store
            store.__exit__(None, None, None)
        for end in ("", "-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
    return Store.create(path, plan, first_pairings(plan))
