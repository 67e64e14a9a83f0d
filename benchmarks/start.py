"""How long it takes to start: the package, and the commands that ought to answer at once.

    python benchmarks/start.py [--rounds 9]

CPU time and time by the clock, median and least of several runs; a bare interpreter is run beside
them, for what it needs is not ours.
"""

import argparse
import resource
import statistics
import subprocess
import sys
from time import perf_counter

COMMANDS = {
    "bare interpreter": ["-c", "pass"],
    "import mossa": ["-c", "import mossa"],
    "mossa.game": ["-c", "import mossa; mossa.game('connect4')"],
    "mossa.player": ["-c", "import mossa; mossa.player('engine')"],
    "mossa --help": ["-m", "mossa", "--help"],
    "mossa show": ["-m", "mossa", "show", "connect4", "4453"],
    "mossa games": ["-m", "mossa", "games"],
}


def spent(arguments: list[str]) -> tuple[float, float]:
    """Return the CPU seconds of a run, and its seconds by the clock."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    wall, after = perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def main() -> None:
    """Run them in turn and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    for _ in range(rounds):
        for name, arguments in COMMANDS.items():
            times[name].append(spent(arguments))
    print(f"{'':18}{'CPU ms':>8}{'least':>8}{'clock ms':>10}{'least':>8}")
    for name, runs in times.items():
        cpu, wall = zip(*runs, strict=True)
        figures = (statistics.median(cpu), min(cpu), statistics.median(wall), min(wall))
        print(
            f"{name:18}"
            + "".join(f"{1000 * x:>{w}.0f}" for x, w in zip(figures, (8, 8, 10, 8), strict=True))
        )


if __name__ == "__main__":
    main()
