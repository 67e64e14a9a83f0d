"""What the tests of the lab share."""

from __future__ import annotations

from pathlib import Path

import command
from command import Done

COLUMNS = [
    *("experiment", "case", "variant", "game", "moves", "player", "repetition", "nodes"),
    *("evaluations", "cutoffs", "table_hits", "depth", "time_ms", "memory", "move", "score"),
]
"""Of every row of an experiment."""


def call(*arguments: str | Path) -> Done:
    return command.call("lab", *arguments)
