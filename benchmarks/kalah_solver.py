"""The kalah solver: whole games from the start, end-game tables, perft and play-outs.

    python benchmarks/kalah_solver.py [--rounds 3] [--games kalah:6x3 kalah:6x4 ...] [--tables 16]
        [--one-thread]

CPU seconds, with the end-game tables that the solver makes in the same run; wall seconds with two
threads, which need two free cores (--one-thread leaves them out). The public solvers' figures that
RESULTS.md compares with were measured on machines of this kind; they are not run here.
"""

import argparse
from statistics import median
from time import perf_counter, process_time

import mossa
from mossa._core import CoreTables

PLAY_OUTS = 300_000
GAMES = ["kalah:6x3", "kalah:6x4", "kalah:6x4,empty_capture=yes", "kalah:5x5", "bantumi"]


def solve(name: str, threads: int, memory: int) -> tuple[float, float, mossa.Solution]:
    """Return CPU and wall seconds, and what was found."""
    start = mossa.game(name).start()
    cpu, wall = process_time(), perf_counter()
    solver = mossa.Solver(start.game, threads=threads, memory=memory, book=None, tables=None)
    found = solver.solve(start)
    return process_time() - cpu, perf_counter() - wall, found


def alone(games: list[str], rounds: int, memory: int) -> None:
    """Print what solving each game takes with one thread."""
    print("game | value | nodes | CPU s, median | all")
    for name in games:
        runs = [solve(name, 1, memory) for _ in range(rounds)]
        cpu = sorted(run[0] for run in runs)
        every = " ".join(f"{seconds:.2f}" for seconds in cpu)
        found = runs[0][2]
        print(f"{name} | {found.score} | {found.nodes:,} | {median(cpu):.2f} | {every}", flush=True)


def solving(games: list[str], rounds: int, memory: int) -> None:
    """Print what solving each game takes, one thread and two in turn."""
    print("game | value | nodes | CPU s | wall s, 1 thread | 2 threads | ratio")
    for name in games:
        runs = [(solve(name, 1, memory), solve(name, 2, memory)) for _ in range(rounds)]
        one = [run[0] for run in runs]
        nodes = one[0][2].nodes
        wall, wall_two = (median(run[i][1] for run in runs) for i in (0, 1))
        print(
            f"{name} | {one[0][2].score} | {nodes:,} | {median(run[0] for run in one):.2f} | "
            f"{wall:.2f} | {wall_two:.2f} | {wall / wall_two:.2f}",
            flush=True,
        )


def tables(seeds: int) -> None:
    """Print how fast the layers of end-game tables are made."""
    rules = mossa.game("kalah:6x4")
    core = CoreTables(rules, seeds)
    print("seeds | boards of the layer | boards/s")
    for layer in range(seeds + 1):
        begin = process_time()
        core.build_layer()
        taken = process_time() - begin
        boards = len(core.layer(layer))
        if boards > 100_000:
            print(f"{layer} | {boards:,} | {boards / taken / 1e6:.1f} M", flush=True)


def rules() -> None:
    """Print the speed of the rules themselves."""
    start = mossa.game("kalah:6x4").start()
    begin = process_time()
    leaves = start.perft(10)
    print(f"perft 10: {leaves:,} leaves, {leaves / (process_time() - begin) / 1e6:.0f} M/s")
    begin = process_time()
    start.play_outs(PLAY_OUTS)
    print(f"random play-outs: {PLAY_OUTS / (process_time() - begin) / 1e3:.0f} k/s")
    search = mossa.Search(start.game, "mcts", {"playout": "random"})
    begin = process_time()
    search.run(start, mossa.Limits(iterations=PLAY_OUTS))
    rate = PLAY_OUTS / (process_time() - begin) / 1e3
    print(f"random play-outs of mcts, with its tree: {rate:.0f} k/s")


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", nargs="*", default=GAMES)
    parser.add_argument("--memory", type=int, default=2000, help="MB")
    parser.add_argument("--tables", type=int, default=16, help="seeds of the largest layer")
    parser.add_argument("--one-thread", action="store_true", help="no runs with two threads")
    arguments = parser.parse_args()
    rules()
    tables(arguments.tables)
    measure = alone if arguments.one_thread else solving
    measure(arguments.games, arguments.rounds, arguments.memory)


if __name__ == "__main__":
    main()
