"""The mnk solver on empty boards: value, nodes and CPU seconds, medians over rounds.

    python benchmarks/mnk_solver.py [--rounds 3] [--sizes 7x7x5 8x4x4] [--certificates]
    python benchmarks/mnk_solver.py --techniques
    python benchmarks/mnk_solver.py --threads [--rounds 5]
    python benchmarks/mnk_solver.py --large 8x8x5 --memory 4096 --time 3600

``--techniques`` leaves out one part of the solver at a time. ``--certificates`` also writes and
checks certificates. Sizes are ROWSxCOLSxK, one thread, a new table each time. ``--threads`` prints
what two threads gain on ten positions that take one thread some seconds: in wall time, which
needs a quiet machine, and by nodes.
"""

import argparse
import statistics
import time

import mossa
from mossa import Limits, Solver
from mossa.solving.certificate import certificate
from mossa.solving.certificate_check import check

BEFORE = {
    "5x5x4": 0.5,
    "6x5x4": 0.2,
    "6x6x4": 0.14,
    "7x7x4": 0.4,
    "8x8x4": 2.8,
    "8x4x4": 32.0,
    "9x4x4": 111.0,
    "6x6x5": 0.02,
    "7x6x5": 4.0,
    "7x7x5": 81.0,
}
"""CPU seconds of a first prototype on this kind of machine."""

PARTS = {
    "threats of the defender": {"defend_threats": 0},
    "threats beyond two at once": {"threat_depth": 1},
    "giving up the defender's lines": {"give_up": 0},
    "splitting into parts": {"split": 0},
    "dominated cells": {"dominate": 0},
    "few moves of the defender at a time": {"width": 0},
    "pairs of cells": {"pairs": 0},
    "what if the attacker passes": {"passes": 0},
}
HARD = (
    "9x4x4",
    "9x4x4 a1",
    "9x4x4 b1",
    "9x4x4 b3",
    "9x4x4 c1",
    "8x7x5 c3 g8",
    "8x7x5 d4 a1",
    "9x6x5 a1",
    "9x6x5 c5 a1",
    "9x6x5 c5 f9",
)
"""Positions that take one thread some seconds."""
TECHNIQUE_SIZES = ("5x5x4", "7x4x4", "8x8x4", "7x6x5", "7x7x5")


def solve(
    size: str, memory: int, tuning: dict[str, int] | None = None, limits: Limits | None = None
) -> tuple[mossa.Solution, float]:
    """Return the solution of an empty board and the CPU seconds."""
    game = mossa.game(f"mnk:{size}")
    solver = Solver(game, memory=memory, tuning=tuning)
    begin = time.process_time()
    solution = solver.solve(game.start(), limits)
    return solution, time.process_time() - begin


def measure(sizes: list[str], rounds: int, memory: int, certificates: bool) -> None:
    """Print a row for each board."""
    print(
        "| board | score | nodes | CPU s | prototype | ratio | certificate: states, write, check |"
    )
    print("|---|---|---|---|---|---|---|")
    for size in sizes:
        runs = [solve(size, memory) for _ in range(rounds)]
        solution, seconds = runs[0][0], statistics.median(each for _, each in runs)
        before = BEFORE.get(size)
        ratio = f"{before} | {before / seconds:.0f} x" if before else " | "
        proof = certify(size, memory) if certificates else ""
        cells = (size, solution.score, f"{solution.nodes:,}", f"{seconds:.3f}", ratio, proof)
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


def certify(size: str, memory: int) -> str:
    """Write and check a certificate; return its size and the seconds of both."""
    game = mossa.game(f"mnk:{size}")
    begin = time.process_time()
    data, states = certificate(Solver(game, memory=memory), game.start())
    written = time.process_time()
    check(data, lambda _: None)
    return f"{states:,}, {written - begin:.1f} s, {time.process_time() - written:.1f} s"


def techniques(rounds: int, memory: int) -> None:
    """Print what nodes and time become without each part."""
    print(f"| without | {' | '.join(f'{size}: nodes, time' for size in TECHNIQUE_SIZES)} |")
    whole: dict[str, tuple[int, float]] = {}
    for name, tuning in {"nothing": {}, **PARTS}.items():
        cells = []
        for size in TECHNIQUE_SIZES:
            runs = [solve(size, memory, tuning) for _ in range(rounds)]
            nodes, seconds = runs[0][0].nodes, statistics.median(each for _, each in runs)
            base = whole.setdefault(size, (nodes, seconds))
            cells.append(f"{nodes / base[0]:.2f} x, {seconds / base[1]:.1f} x")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def timed(place: str, memory: int, threads: int) -> tuple[int, int, float, float]:
    """Return the value of a position, the nodes, the wall and the CPU seconds."""
    size, _, moves = place.partition(" ")
    game = mossa.game(f"mnk:{size}")
    solver = Solver(game, memory=memory, threads=threads)
    begin, cpu = time.perf_counter(), time.process_time()
    solution = solver.solve(game.position(moves))
    seconds = time.perf_counter() - begin
    return solution.proven.value, solution.nodes, seconds, time.process_time() - cpu


def threads(rounds: int, memory: int) -> None:
    """Print what two threads gain: the median over positions of the worst and the median round."""
    print("| position | value | nodes | s | two threads: nodes | s | worst | by CPU time |")
    print("|---|---|---|---|---|---|---|---|")
    worst, middle = [], []
    for place in HARD:
        value, nodes, one, cpu = timed(place, memory, 1)
        runs = [timed(place, memory, 2) for _ in range(rounds)]
        assert all(each[0] == value for each in runs)
        gains = sorted(one / seconds for _, _, seconds, _ in runs)
        worst.append(gains[0])
        middle.append(statistics.median(gains))
        more = statistics.median(each[1] for each in runs) / nodes
        share = 2 * cpu / statistics.median(each[3] for each in runs)
        cells = (place, value, f"{nodes:,}", f"{one:.1f}", f"{more:.2f} x", f"{middle[-1]:.2f} x")
        print(f"| {' | '.join(map(str, cells))} | {worst[-1]:.2f} x | {share:.2f} x |", flush=True)
    print(f"median of the medians {statistics.median(middle):.2f} x,", end=" ")
    print(f"of the worst {statistics.median(worst):.2f} x")


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", nargs="*", default=list(BEFORE))
    parser.add_argument("--memory", type=int, default=512)
    parser.add_argument("--certificates", action="store_true")
    parser.add_argument("--techniques", action="store_true")
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--large", metavar="SIZE")
    parser.add_argument("--time", type=float, default=600.0)
    chosen = parser.parse_args()
    if chosen.large:
        solution, seconds = solve(chosen.large, chosen.memory, limits=Limits(time=chosen.time))
        print(f"{chosen.large}: {solution.score}, {solution.nodes:,} nodes, {seconds:.1f} CPU s")
    elif chosen.threads:
        threads(chosen.rounds, chosen.memory)
    elif chosen.techniques:
        techniques(chosen.rounds, chosen.memory)
    else:
        measure(chosen.sizes, chosen.rounds, chosen.memory, chosen.certificates)


if __name__ == "__main__":
    main()
