"""``mossa bench``: one signature, each time."""

from __future__ import annotations

import json

import pytest
from command import call, good, run


def test_bench_gives_the_same_signature_each_time() -> None:
    one, other = (json.loads(good(run("bench", "--json"))) for _ in range(2))
    assert one["signature"] == other["signature"] > 1_000_000
    assert one["signature"] == sum(row["nodes"] for row in one["work"])
    assert one["seconds"] == pytest.approx(sum(row["seconds"] for row in one["work"]))
    assert [row["work"] for row in one["work"]] == [row["work"] for row in other["work"]]
    assert good(call("bench")).splitlines()[-1] == f"signature {one['signature']}"
