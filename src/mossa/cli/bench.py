"""``mossa bench``: fixed work, and the signature of the engine."""

import json

from mossa import _core
from mossa.cli.common import Json, speed
from mossa.cli.display import working


def run(as_json: Json = False) -> None:
    """Run a fixed workload and print its total node count, the signature of the engine.

    The signature changes only when the rules or a search behave differently.
    """
    with working("running the fixed work"):
        rows = _core.bench()
    signature = sum(row.nodes for row in rows)
    seconds = sum(row.time for row in rows)
    if as_json:
        work = [{"work": row.work, "nodes": row.nodes, "seconds": row.time} for row in rows]
        print(json.dumps({"signature": signature, "seconds": seconds, "work": work}))
        return
    for row in rows:
        print(f"{row.nodes:>12,} {speed(row.nodes, row.time)}  {row.work}")
    print(f"{signature:>12,} {speed(signature, seconds)}  all")
    print(f"signature {signature}")
