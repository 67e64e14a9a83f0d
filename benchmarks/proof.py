"""What a proof in jobs costs beside one solver, and how proofs of mnk with k = 5 grow.

    python benchmarks/proof.py [--threads 2] [--workers 1 2] [--dask 1 2 4] [--job-nodes N]
        [--only TEXT]
    python benchmarks/proof.py growth [--most-seconds 60]

The first compares one plain solver with several threads, with jobs on local processes and on the
workers of a Dask cluster on this machine (extra `cluster`), on positions that take one thread
several seconds. Work is counted in nodes: the ratio says how much is done twice, since jobs share
no table. Time means something only if nothing else runs, and if there are as many cores as workers.

`growth` solves boards with k = 5 in order of their cells as long as one takes less than so many
seconds, fits a line through the logarithms of the largest, and says where that leads on 9x8.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import mossa
from mossa import Exact, Limits, Position, Solver
from mossa.solving.proof_jobs import JOB_NODES, prove

POSITIONS = [
    ("connect:6x7x4", "44444"),
    ("connect:6x7x4", "2"),
    ("connect:7x6x4", ""),
    ("kalah:6x4", ""),
    ("kalah:5x5", ""),
    ("mnk:8x7x5", "d4 a1"),
    ("mnk:9x4x4", ""),
]
MEMORY = 512

BOARDS = [(5, 5), (5, 6), (6, 6), (6, 7), (7, 7), (6, 8), (7, 8)]
GOAL = (9, 8)


def plain(position: Position, threads: int = 1) -> tuple[Exact, int, float]:
    """Solve without jobs: the score, nodes and seconds."""
    begin = perf_counter()
    solver = Solver(position.game, memory=MEMORY, threads=threads, book=None)
    solution = solver.solve(position)
    return solution.proven, solution.nodes, perf_counter() - begin


def in_jobs(position: Position, **settings: Any) -> tuple[Exact, int, float, int]:
    """Prove in jobs: the score, nodes, seconds and the number of jobs."""
    with tempfile.TemporaryDirectory() as folder:
        begin = perf_counter()
        proof = prove(position, Path(folder, "a.journal"), memory=MEMORY, book=None, **settings)
        seconds = perf_counter() - begin
    assert isinstance(proof.score, Exact)
    return proof.score, proof.nodes, seconds, proof.progress.done


@contextmanager
def dask(count: int) -> Iterator[str]:
    """Run a cluster of so many workers on this machine."""
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=count, threads_per_worker=1, dashboard_address=None, memory_limit=None
    ) as cluster:
        yield cluster.scheduler_address


def compare(position: Position, given: argparse.Namespace) -> None:
    """Print what jobs cost for one position."""
    name = f"{position.game} {position.history_text}".strip()
    score, nodes, seconds = plain(position)
    print(f"{name}: {score}; one solver {nodes:,} nodes, {seconds:.1f} s", flush=True)

    def show(how: str, found: tuple[Exact, int, float, int]) -> None:
        if found[0].value != score.value:
            raise SystemExit(f"{how}: {found[0]}, but the solver says {score}")
        print(
            f"  {how}: {found[1]:,} nodes ({found[1] / nodes:.2f} times), {found[2]:.1f} s "
            f"({seconds / found[2]:.2f} times as fast), {found[3]} jobs",
            flush=True,
        )

    for count in given.threads:
        show(f"{count} threads", (*plain(position, count), 1))
    for count in given.workers:
        found = in_jobs(position, workers=count, job_nodes=given.job_nodes)
        show(f"{count} local", found)
    for count in given.dask:
        with dask(count) as address:
            found = in_jobs(position, cluster=address, job_nodes=given.job_nodes)
        show(f"{count} Dask", found)


def growth(most: float) -> None:
    """Print how the nodes of k = 5 grow with the board, and where that leads."""
    solved: list[tuple[int, int, float]] = []
    for rows, cols in BOARDS:
        position = mossa.game(f"mnk:{rows}x{cols}x5").start()
        begin = perf_counter()
        solver = Solver(position.game, memory=MEMORY, book=None)
        solution = solver.solve(position, Limits(time=most))
        seconds = perf_counter() - begin
        print(
            f"{rows}x{cols}x5: {solution.score}, {solution.nodes:,} nodes, {seconds:.2f} s",
            flush=True,
        )
        if not isinstance(solution.score, Exact):
            break
        solved.append((rows * cols, solution.nodes, seconds))
    if len(solved) < 3:
        raise SystemExit("too few boards to say more: allow more seconds")
    slope, at_none = fitted([(cells, math.log(nodes)) for cells, nodes, _ in solved[-3:]])
    _, nodes, seconds = solved[-1]
    goal = GOAL[0] * GOAL[1]
    expected = math.exp(at_none + slope * goal)
    rate = nodes / seconds
    print(
        f"each cell more takes {math.exp(slope):.2f} times the nodes (last three boards); at that "
        f"rate {GOAL[0]}x{GOAL[1]}x5 takes {expected:.1e} nodes, {expected / rate / 3600:.1f} h "
        f"on one thread at {rate:,.0f} nodes a second. Three points carry no error bars: take "
        "the order of magnitude, at best."
    )


def fitted(points: list[tuple[int, float]]) -> tuple[float, float]:
    """Return slope and start of the line of least squares."""
    x, y = zip(*points, strict=True)
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    over = sum((a - mean_x) * (b - mean_y) for a, b in points)
    slope = over / sum((a - mean_x) ** 2 for a in x)
    return slope, mean_y - slope * mean_x


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", nargs="?", choices=["compare", "growth"], default="compare")
    parser.add_argument("--threads", type=int, nargs="*", default=[2])
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--dask", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--job-nodes", type=int, default=JOB_NODES)
    parser.add_argument("--only", default="", help="positions whose game has this in its name")
    parser.add_argument("--most-seconds", type=float, default=60)
    given = parser.parse_args()
    if given.what == "growth":
        growth(given.most_seconds)
        return
    for name, moves in POSITIONS:
        if given.only in name:
            compare(mossa.game(name).position(moves), given)


if __name__ == "__main__":
    main()
