"""Is what a search calls exact true? Compares its proven scores with the solver.

    python benchmarks/exact.py [--positions 10000] [--search threats|gravity|alphabeta ...]

Random positions of small boards, a quarter to three quarters full, with one thread and with two,
and limits from a glance to a search that sees the end of many games. A search that proves nothing
makes no claim.
"""

import argparse
import random
from collections.abc import Iterator

import mossa
from mossa import Exact, Game, Limits, Position, Search
from mossa.solving.solver import Solver

BOARDS = {
    "gravity": [
        *["connect:4x4x3", "connect:5x4x4", "connect:5x5x4", "connect:6x5x4"],
        *["connect:6x6x4", "connect:6x7x4", "connect:6x6x5", "connect:7x6x5"],
    ],
    "threats": [
        *["mnk:4x4x3", "mnk:4x4x4", "mnk:5x5x4", "mnk:6x5x4", "mnk:6x6x5"],
        *["mnk:7x5x5", "mnk:7x7x4", "mnk:8x4x4", "mnk:8x8x5", "mnk:9x8x4"],
    ],
    "alphabeta": ["kalah:3x3", "kalah:4x3", "kalah:6x2", "connect:5x5x4", "mnk:4x4x4"],
}


def positions(game: Game, chance: random.Random) -> Iterator[Position]:
    """Positions of random games that are not over."""
    left = game.start().left_to_play
    while True:
        position = game.start()
        goal = chance.randint(left // 4, left * 3 // 4)
        while position.outcome is None and position.left_to_play > goal:
            position = position.play(chance.choice(position.moves))
        if position.outcome is None:
            yield position


def some_limits(chance: random.Random) -> Limits:
    """Return a limit of nodes or depth."""
    nodes = (100, 1000, 5000, 20_000)
    return chance.choice(
        [*(Limits(nodes=each) for each in nodes), Limits(depth=chance.randint(1, 12))]
    )


def compare(algorithm: str, count: int) -> None:
    """Compare one search with the solver."""
    chance = random.Random(7)
    claims = wrong = unknown = 0
    boards = BOARDS[algorithm]
    for name in boards:
        game = mossa.game(name)
        solver = Solver(game, memory=64)
        for threads in ("1", "2"):
            search = Search(game, algorithm, {"memory": "8", "threads": threads})
            share = count // (2 * len(boards))
            for _, position in zip(range(share), positions(game, chance), strict=False):
                score = search.run(position, some_limits(chance)).score
                if not isinstance(score, Exact):
                    continue
                truth = solver.solve(position, Limits(time=10)).score
                if not isinstance(truth, Exact):
                    unknown += 1
                    continue
                claims += 1
                if truth.value != score.value:
                    wrong += 1
                    print(f"{name} {position.history_text}: {score}, not {truth}", flush=True)
    print(
        f"{algorithm}: {claims} exact scores in {count} positions, {wrong} of them wrong "
        f"({unknown} more that the solver did not know in 10 s)",
        flush=True,
    )


def main() -> None:
    """Compare what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--search", nargs="*", choices=list(BOARDS), default=list(BOARDS))
    given = parser.parse_args()
    for algorithm in given.search:
        compare(algorithm, given.positions)


if __name__ == "__main__":
    main()
