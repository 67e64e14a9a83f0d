"""The search for connect: is its value steady, and how fast is it?

    python benchmarks/connect_engine.py swing [--positions 40] [--depth 7]
    python benchmarks/connect_engine.py speed

`swing` looks how far the value of a position moves from one depth to the next, and how much of that
is due to odd and even depths, for `gravity` and for alpha-beta with the evaluation `parity`. Each
counts in its own units, so both are given as a share of the spread of values over the positions.
`speed` counts nodes in a CPU second.
"""

import argparse
import random
import statistics
from collections.abc import Iterator
from time import process_time

import mossa
from mossa import Estimate, Info, Limits, Position, Search

SEARCHES = {
    "gravity": ("gravity", {"memory": "16"}),
    "alphabeta, parity": ("alphabeta", {"memory": "16", "evaluate": "parity"}),
}


def positions(name: str, count: int, *, least: int, most: int, seed: int = 1) -> Iterator[Position]:
    """Positions of random games near the middle that nobody wins at once."""
    chance = random.Random(seed)
    found = 0
    while found < count:
        position = mossa.game(name).start()
        plies = chance.randint(least, most)
        while position.outcome is None and position.ply < plies:
            near = len(position.moves) // 4
            moves = position.moves[near : len(position.moves) - near]
            position = position.play(chance.choice(moves))
        if position.outcome is None:
            found += 1
            yield position


def values(position: Position, search: str, depth: int) -> list[float] | None:
    """The value at every depth, or None if somebody wins."""
    found: list[float] = []

    def report(info: Info) -> None:
        if isinstance(info.score, Estimate):
            found.append(info.score.value)

    algorithm, options = SEARCHES[search]
    Search(position.game, algorithm, options).run(position, Limits(depth=depth), report=report)
    return found if len(found) == depth and max(map(abs, found)) < 1e6 else None


def swing(count: int, depth: int) -> None:
    """Compare the searches on boards that had large swings."""
    for name in ("connect:8x8x5", "connect:10x10x5", "connect:20x20x8"):
        for search in SEARCHES:
            rows = []
            for position in positions(name, count, least=6, most=24):
                row = values(position, search, depth if "20x20" not in name else min(depth, 5))
                if row is not None:
                    rows.append(row)
            steps = [row[d] - row[d - 1] for row in rows for d in range(2, len(row))]
            turned = [(row[d] - row[d - 1]) * (-1) ** d for row in rows for d in range(2, len(row))]
            spread = statistics.pstdev(row[-1] for row in rows)
            moved = statistics.mean(map(abs, steps))
            parity = statistics.mean(turned)
            print(
                f"{name} {search}: moves by {moved:.1f} a ply, {abs(parity):.1f} of it by odd and "
                f"even depths; spread {spread:.0f}: {moved / spread:.0%} and "
                f"{abs(parity) / spread:.0%} of it ({len(rows)} positions)"
            )


def speed() -> None:
    """Nodes in a CPU second."""
    for name in ("connect:8x8x5", "connect:10x10x5", "connect:20x20x8", "connect:100x100x8"):
        for search, (algorithm, options) in SEARCHES.items():
            nodes, begin = 0, process_time()
            for position in positions(name, 5, least=6, most=24):
                run = Search(position.game, algorithm, options)
                nodes += run.run(position, Limits(nodes=200_000)).nodes
            rate = nodes / (process_time() - begin)
            print(f"{name} {search}: {rate / 1e6:.2f} M nodes a CPU second")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("what", choices=["swing", "speed"])
    parser.add_argument("--positions", type=int)
    parser.add_argument("--depth", type=int)
    given = parser.parse_args()
    if given.what == "swing":
        swing(given.positions or 40, given.depth or 7)
    else:
        speed()


if __name__ == "__main__":
    main()
