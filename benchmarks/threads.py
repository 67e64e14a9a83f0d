"""How much sooner two threads reach a depth, and what they are worth in games.

    python benchmarks/threads.py [--positions 12] [--rounds 2]
    python benchmarks/threads.py games [--pairs 30] [--time 0.1] [--boards mnk:15x15x5]

Positions come from random moves near the middle, and a short search must not see their end. Every
search begins with empty tables. `games` plays the engine with two threads against itself with one,
at the same time a move, in pairs from the same balanced opening. Nothing else should run: two
threads need both cores.
"""

import argparse
import random
import statistics
from collections.abc import Iterator
from time import perf_counter

import mossa
from mossa import Exact, Limits, Position, Search

BOARDS = {
    "connect:8x8x5": ("gravity", 18),
    "connect:10x10x5": ("gravity", 17),
    "connect:15x15x6": ("gravity", 15),
    "mnk:15x15x5": ("threats", 14),
}
"""The search of each, and a depth that takes one thread about half a second."""
SHORT = Limits(nodes=5000)


def positions(name: str, search: str, *, seed: int = 1) -> Iterator[Position]:
    """Positions of six to twenty stones without an end in sight."""
    chance = random.Random(seed)
    game = mossa.game(name)
    while True:
        position = game.start()
        plies = chance.randint(6, 20)
        while position.ply < plies and position.outcome is None:
            near = [each.move for each in mossa.candidates(position)]
            position = position.play(chance.choice(near or position.moves))
        if position.outcome is None:
            score = Search(game, search, {"memory": "1"}).run(position, SHORT).score
            if not isinstance(score, Exact):
                yield position


def time_to_depth(boards: list[str], count: int) -> None:
    """Compare one thread with two on each board."""
    for name in boards:
        algorithm, depth = BOARDS[name]
        sooner, more = [], []
        for _, position in zip(range(count), positions(name, algorithm), strict=False):
            taken, nodes = [], []
            for threads in ("1", "2"):
                search = Search(position.game, algorithm, {"memory": "64", "threads": threads})
                begin = perf_counter()
                nodes.append(search.run(position, Limits(depth=depth)).nodes)
                taken.append(perf_counter() - begin)
            sooner.append(taken[0] / taken[1])
            more.append(nodes[1] / nodes[0])
        print(
            f"{name} depth {depth}, {count} positions: two threads "
            f"{statistics.geometric_mean(sooner):.2f} times as fast, with "
            f"{statistics.geometric_mean(more):.2f} times the nodes",
            flush=True,
        )


def games(boards: list[str], pairs: int, seconds: float) -> None:
    """Play two threads against one."""
    for name in boards:
        report = mossa.tournament(
            [f"engine:book=off,threads=2,time={seconds:g}", f"engine:book=off,time={seconds:g}"],
            games=[name],
            rounds=pairs,
            balanced=True,
            workers=1,
        )
        print(f"{name}, {seconds:g} s a move\n{report}", flush=True)


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", nargs="?", choices=["depth", "games"], default="depth")
    parser.add_argument("--positions", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=2, help="how often to compare")
    parser.add_argument("--pairs", type=int, default=30, help="of games a board")
    parser.add_argument("--time", type=float, default=0.1, help="seconds a move")
    parser.add_argument("--boards", nargs="+", choices=BOARDS, default=list(BOARDS))
    given = parser.parse_args()
    if given.what == "games":
        games(given.boards, given.pairs, given.time)
    else:
        for _ in range(given.rounds):
            time_to_depth(given.boards, given.positions)


if __name__ == "__main__":
    main()
