"""What the tests of learning share: small runs, and networks that know nothing."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from mossa import Game, _core, game
from mossa.learning.plan import TrainingPlan
from mossa.learning.run import Progress, begin, train
from mossa.networks import About, Network

PLAYER = "engine:book=off"


def shape_of(name: str) -> _core.NetworkShape:
    return _core.network_shape(game(name))


def write_network(path: Path, rules: Game) -> Network:
    """Write a network that knows nothing, and return it."""
    payload = bytes(_core.network_shape(rules).payload_bytes)
    about = About((rules.name,), "12 positions of 2 games", "mossa train run", "2026-11-17", "")
    network = Network.of(about, _core.pack_network(rules, payload))
    network.save(path)
    return network


def small_plan(*games: str, **changes: object) -> TrainingPlan:
    """A run of seconds."""
    given = {
        "player": PLAYER,
        "nodes": 200,
        "positions": 60,
        "epochs": 2,
        "batch": 32,
        "gate_games": 4,
        "gate_nodes": 200,
        **changes,
    }
    return TrainingPlan(games or ("mnk:3x3x3",), **given)  # type: ignore[arg-type]


def trained_run(path: Path) -> None:
    """Make a run that has finished its first generation."""

    def stop(now: Progress) -> None:
        if now.state.current.number == 2:
            raise KeyboardInterrupt

    begin(path, small_plan(command="mossa train run a.train"))
    with suppress(KeyboardInterrupt):
        train(path, budget=600, count=1, report=stop)


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}
