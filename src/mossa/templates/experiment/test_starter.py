"""Tests of starter.toml: python -m pytest."""

from collections import defaultdict
from pathlib import Path

from mossa import lab

FILE = Path(__file__).with_name("starter.toml")


def test_whoever_looks_further_sees_more() -> None:
    """A small part of the experiment, in a second: more plies are more nodes."""
    results = lab.measure(lab.experiment(str(FILE)), lab.Settings(quick=True))
    assert results.complete
    nodes: dict[str, list[int]] = defaultdict(list)
    for row in results.rows:
        nodes[row.case].append(row.nodes or 0)
    assert len(nodes) == 3
    for counts in nodes.values():
        assert counts == sorted(counts)
