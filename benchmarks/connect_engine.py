"""The search for connect: is its value steady, how fast is it, and is what it calls exact true?

    python benchmarks/connect_engine.py swing [--positions 40] [--depth 7]
    python benchmarks/connect_engine.py speed
    python benchmarks/connect_engine.py threads [--depth 12]
    python benchmarks/connect_engine.py exact [--positions 10000]

`swing` looks how far the value of a position moves from one depth to the next, and how much of that
is due to odd and even depths, for `gravity` and for alpha-beta with the evaluation `parity`. Each
counts in its own units, so both are given as a share of the spread of values over the positions.
`speed` counts nodes in a CPU second. `threads` compares the time to a depth with one thread and
with two. `exact` compares what is proven with the solver, on random positions of small boards.
"""

import argparse
import random
import statistics
from collections.abc import Iterator
from time import perf_counter, process_time

import mossa
from mossa import Estimate, Exact, Info, Limits, Position, Search
from mossa.solving.solver import Solver

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


def threads(depth: int) -> None:
    """How much sooner two threads reach a depth."""
    for name in ("connect:8x8x5", "connect:10x10x5", "connect:15x15x6"):
        ratios, more = [], []
        for position in positions(name, 8, least=6, most=20):
            taken, nodes = [], []
            for count in ("1", "2"):
                search = Search(position.game, "gravity", {"memory": "64", "threads": count})
                begin = perf_counter()
                nodes.append(search.run(position, Limits(depth=depth)).nodes)
                taken.append(perf_counter() - begin)
            ratios.append(taken[0] / taken[1])
            more.append(nodes[1] / nodes[0])
        print(
            f"{name} depth {depth}: two threads {statistics.geometric_mean(ratios):.2f} times as "
            f"fast, with {statistics.geometric_mean(more):.2f} times the nodes"
        )


def exact(count: int) -> None:
    """Compare proven scores with the solver."""
    boards = ["4x4x3", "5x4x4", "5x5x4", "6x5x4", "6x6x4", "6x7x4", "6x6x5", "7x6x5"]
    chance = random.Random(3)
    claims = wrong = 0
    for board in boards:
        name = f"connect:{board}"
        solver = Solver(mossa.game(name), memory=64)
        cells = mossa.game(name).start().left_to_play
        for number in ("1", "2"):
            search = Search(mossa.game(name), "gravity", {"memory": "8", "threads": number})
            share = count // (2 * len(boards))
            for position in positions(name, share, least=cells // 4, most=cells * 3 // 4, seed=5):
                limits = chance.choice(
                    [Limits(nodes=300), Limits(nodes=5000), Limits(depth=chance.randint(1, 14))]
                )
                score = search.run(position, limits).score
                if isinstance(score, Exact):
                    claims += 1
                    truth = solver.solve(position, Limits(time=60)).score
                    assert isinstance(truth, Exact)
                    if truth.value != score.value:
                        wrong += 1
                        print(f"{name} {position.history_text}: {score}, not {truth}")
    print(f"{claims} exact scores in {count} positions, {wrong} of them wrong")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("what", choices=["swing", "speed", "threads", "exact"])
    parser.add_argument("--positions", type=int)
    parser.add_argument("--depth", type=int)
    given = parser.parse_args()
    if given.what == "swing":
        swing(given.positions or 40, given.depth or 7)
    elif given.what == "speed":
        speed()
    elif given.what == "threads":
        threads(given.depth or 12)
    else:
        exact(given.positions or 10_000)


if __name__ == "__main__":
    main()
