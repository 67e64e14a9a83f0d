"""The lab: experiments that measure players and produce tables, CSV and plots.

>>> from mossa import lab
>>> results = lab.measure(lab.experiment("bantumi-nodes"), lab.Settings(quick=True))
>>> results.rows[0].player, results.rows[0].nodes
('minimax:hands=1', 129)
"""

from pathlib import Path

from mossa.errors import did_you_mean, shorten
from mossa.lab import bantumi, learning, pojam, quatro, tree, tris, tris_heuristics, tris_savings
from mossa.lab.custom import read_experiment
from mossa.lab.runner import (
    Experiment,
    Grid,
    InvalidExperimentError,
    Panel,
    Results,
    Row,
    Settings,
    Table,
    check_target,
    measure,
)

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Grid",
    "InvalidExperimentError",
    "Panel",
    "Results",
    "Row",
    "Settings",
    "Table",
    "check_target",
    "experiment",
    "measure",
    "read_experiment",
]

# A new experiment: one Experiment in a module of its own, and one entry here.
EXPERIMENTS = {
    each.name: each
    for each in (
        bantumi.NODES,
        bantumi.BOTS_EXPERIMENT,
        quatro.TIMES,
        quatro.MEMORY,
        tris.VARIANTS_EXPERIMENT,
        tris.GOAL,
        tris_heuristics.HEURISTICS,
        tris_savings.PARALLEL,
        tris_savings.KEPT,
        tris_savings.SUCCESSORS,
        pojam.DEPTHS,
        tree.CANDIDATES,
        learning.LEARNING,
    )
}
"""The experiments of the five course reports and on learning, by name."""


def experiment(name: str) -> Experiment:
    """Return a built-in experiment by name, or the one a TOML file describes."""
    if name in EXPERIMENTS:
        return EXPERIMENTS[name]
    if name.endswith(".toml"):
        return read_experiment(Path(name))
    raise InvalidExperimentError(
        f"unknown experiment {shorten(name)}: {did_you_mean(name, EXPERIMENTS)}"
        f"there are {', '.join(EXPERIMENTS)}, or a file that ends in .toml"
    )
