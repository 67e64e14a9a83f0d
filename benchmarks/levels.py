"""How strong the levels are: each against the one below, and against the one two below.

    python benchmarks/levels.py [--games connect4,kalah] [--pairs 50] [--seconds 60] [--low 7]

Games come in pairs from one balanced opening, each level once as first. A pair is the unit: its
points (a win 1, a draw 1/2, of two) are what the mean and its error bar (two standard errors) are
made of. A pairing ends after ``--pairs`` pairs or ``--seconds`` seconds, whichever comes first.

Level 10 is limited by time alone. On a busy machine ``--nodes`` limits it too: what it scores with
fewer nodes than it looks at in two seconds is less than it would score.
"""

import argparse
import math
import statistics
import time

import mossa
from mossa.arena.openings import balanced_openings
from mossa.players.levels import ABILITIES
from mossa.search import NO_LIMITS

GAMES = ("connect4", "connect:10x10x5", "mnk:7x7x4", "mnk:10x10x5", "kalah:6x4", "kalah:6x6")
SEED = 1
"""Of the openings, which are the same on every run; without them levels that never err would play
one game again and again."""


def points(
    position: mossa.Position, first: mossa.Player, second: mossa.Player, limits: mossa.Limits
) -> float:
    """Play a game to its end; return what first got of it: 1, 1/2 or 0."""
    while position.outcome is None:
        mover = (first, second)[position.side.value]
        position = position.play(mover.choose(position, limits).move)
    return 0.5 + 0.5 * ((position.outcome.value > 0) - (position.outcome.value < 0))


def match(
    name: str, low: int, high: int, pairs: int, seconds: float, limits: mossa.Limits
) -> tuple[list[float], float]:
    """Return the mean points of the higher level in every pair, and its seconds a move at most."""
    game = mossa.game(name)
    begin = time.perf_counter()
    scores: list[float] = []
    slowest = 0.0
    for seed, text in enumerate(balanced_openings(game, None, SEED)):
        if len(scores) == pairs or (scores and time.perf_counter() - begin > seconds):
            break
        opening = game.position(text)
        weak, strong = (Timed(f"level:{each},seed={seed}") for each in (low, high))
        as_first = points(opening, strong, weak, limits)
        as_second = 1 - points(opening, weak, strong, limits)
        scores.append((as_first + as_second) / 2)
        slowest = max(slowest, strong.slowest)
    return scores, slowest


class Timed(mossa.Player):
    """A player that remembers its longest thought."""

    def __init__(self, spec: str) -> None:
        """Take the spec of the player."""
        self.name = spec
        self.slowest = 0.0
        self._player = mossa.player(spec)

    def choose(self, position: mossa.Position, limits: mossa.Limits = NO_LIMITS) -> mossa.Choice:
        """Let the player choose."""
        begin = time.perf_counter()
        choice = self._player.choose(position, limits)
        self.slowest = max(self.slowest, time.perf_counter() - begin)
        return choice


def main() -> None:
    """Print a line for every pairing."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--gap", type=int, default=1)
    parser.add_argument("--low", type=int, default=1, help="the first level to begin with")
    parser.add_argument("--high", type=int, default=len(ABILITIES), help="the last level")
    parser.add_argument("--nodes", type=int, help="at most, a move")
    given = parser.parse_args()
    limits = mossa.Limits(nodes=given.nodes)
    for name in given.games.split(","):
        for low in range(given.low, given.high - given.gap + 1):
            high = low + given.gap
            scores, slowest = match(name, low, high, given.pairs, given.seconds, limits)
            mean = statistics.mean(scores)
            error = 2 * statistics.stdev(scores) / math.sqrt(len(scores)) if scores[1:] else 0.5
            print(
                f"{name:12} level {high:2} against {low:2}: {mean:6.1%} +- {error:.1%}"
                f"  {2 * len(scores)} games, at most {slowest:.2f} s a move",
                flush=True,
            )


if __name__ == "__main__":
    main()
