"""How long it takes to build an opening book of Connect 4, from a sample of its positions.

    python benchmarks/book.py [--plies 10 12 14] [--seconds 30] [--stretches 6]

A book is built by walking the tree of moves, so that the solver's table knows most of a position
from those before it. A sample is a few stretches of that walk at random places, by one thread with
a table of 256 MB; the first position of each is not counted. Positions differ a lot: take the rate
as an order of magnitude.
"""

import argparse
import random
from time import process_time

import mossa
from mossa._core import CoreBookBuilder, StopToken, make_solver

PIECE = 8  # positions between looks at the clock


def rate(plies: int, seconds: float, stretches: int) -> tuple[int, int, float]:
    """Return how many positions must be solved, how many were, and in how many CPU seconds."""
    game = mossa.game("connect4")
    builder = CoreBookBuilder(game, plies)
    solver = make_solver(game, 256 << 20, 1, None, [], None)
    assert solver is not None
    chosen, stop = random.Random(plies), StopToken()
    solved, spent = 0, 0.0
    for _ in range(stretches):
        at = chosen.randrange(len(builder))
        builder.solve(solver, at, 1, stop)
        begin, at = process_time(), at + 1
        while process_time() - begin < seconds / stretches and at < len(builder):
            solved += len(builder.solve(solver, at, PIECE, stop))
            at += PIECE
        spent += process_time() - begin
    return len(builder), solved, spent


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--plies", type=int, nargs="*", default=[10, 12, 14])
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--stretches", type=int, default=6)
    given = parser.parse_args()
    for plies in given.plies:
        positions, solved, spent = rate(plies, given.seconds, given.stretches)
        each = spent / solved
        print(
            f"{plies} plies: {solved} of {positions:,} positions in {spent:.1f} s, "
            f"{solved / spent:.1f} a second; all of them take {positions * each / 3600:.1f} h "
            "on one core",
            flush=True,
        )


if __name__ == "__main__":
    main()
