"""How large certificates are, and how long it takes to write and check them.

    python benchmarks/certificates.py [--memory 64] ["connect4 1212" kalah:4x3 ...]

Positions are a game, and moves if any. Seconds of CPU time, one thread, a new table each time;
looks are the positions that the checkers of connect and kalah visited, in whole thousands.
"""

import argparse
import tempfile
from pathlib import Path
from time import process_time

import mossa
from mossa import Solver
from mossa.solving.certificate import write_certificate
from mossa.solving.certificate_check import check_certificate
from mossa.solving.certificates import reading

POSITIONS = [
    "connect:5x5x4",
    "connect4 37226526741243217432563655",
    "connect4 65214774556666477444",
    "kalah:4x3",
    "kalah:4x4",
    "mnk:4x3x3",
    "mnk:5x5x4",
    "mnk:7x7x5",
    "mnk:8x7x5",
]


def measure(name: str, memory: int) -> str:
    """Return a row of the table."""
    game_name, _, moves = name.partition(" ")
    game = mossa.game(game_name)
    position = game.position(moves)
    solver = Solver(game, memory=memory)
    score = solver.solve(position).score
    begin = process_time()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "certificate")
        states = write_certificate(solver, position, path)
        written = process_time()
        size = path.stat().st_size
        seen = [0]
        check_certificate(path, seen.append)
    checked = process_time()
    return (
        f"| `{name}` | {score} | {states:,} | {size:,} | {written - begin:.2f} "
        f"| {checked - written:.2f} | {seen[-1]:,} |"
    )


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("positions", nargs="*", default=POSITIONS)
    parser.add_argument("--memory", type=int, default=64)
    chosen = parser.parse_args()
    print(f"at most {reading.MOST_LOOKS:,} looks")
    print("| position | score | states | bytes | write s | check s | looks |")
    print("|---|---|---|---|---|---|---|")
    for name in chosen.positions:
        print(measure(name, chosen.memory), flush=True)


if __name__ == "__main__":
    main()
