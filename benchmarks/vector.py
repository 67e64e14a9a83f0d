"""Steps a second: our games in one call beside PettingZoo's and OpenSpiel's connect four.

    python benchmarks/vector.py [--count 1024] [--rounds 5] [--threads 1]

Run with a Python that has mossa and NumPy; with `pettingzoo[classic]` and `open_spiel` installed
too, all take turns in one run. Everybody plays random legal moves and starts anew when a game ends.
Choosing the moves is not timed, neither ours nor theirs. CPU time, the median of the rounds. The
goals, on one core: 5 million steps a second of Connect 4 without observations, 1 million with.
"""

import argparse
import random
import statistics
from collections.abc import Callable
from time import process_time, thread_time

import mossa.vector

Rate = Callable[[], float]
"""Plays for a while and returns steps a second."""


def ours(name: str, count: int, *, observe: bool, steps: int, threads: int) -> Rate:
    """Return what times our steps."""
    env = mossa.vector.make(name, count=count, observe=observe, threads=threads)
    env.reset(seed=1)

    def run() -> float:
        taken = 0.0
        for _ in range(max(1, steps // count)):
            actions = env.random_actions()
            begin = thread_time() if threads == 1 else process_time()
            env.step(actions)
            taken += (thread_time() if threads == 1 else process_time()) - begin
        return max(1, steps // count) * count / taken

    return run


def pettingzoo(steps: int) -> Rate | None:
    """Return what times PettingZoo's connect four; None if it is not installed."""
    try:
        from pettingzoo.classic import connect_four_v3
    except ImportError:
        return None
    env = connect_four_v3.env()
    chance = random.Random(1)

    def run() -> float:
        taken, played = 0.0, 0
        env.reset(seed=1)
        while played < steps:
            begin = thread_time()
            observation, _, over, _, _ = env.last()
            if over:
                env.reset()
                taken += thread_time() - begin
                continue
            taken += thread_time() - begin
            action = chance.choice(observation["action_mask"].nonzero()[0])
            begin = thread_time()
            env.step(action)
            taken += thread_time() - begin
            played += 1
        return played / taken

    return run


def open_spiel(steps: int, *, observe: bool) -> Rate | None:
    """Return what times OpenSpiel's connect four; None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("connect_four")
    chance = random.Random(1)

    def run() -> float:
        taken, played = 0.0, 0
        state = game.new_initial_state()
        actions = state.legal_actions()
        while played < steps:
            action = chance.choice(actions)
            begin = thread_time()
            state.apply_action(action)
            if state.is_terminal():
                state.returns()
                state = game.new_initial_state()
            actions = state.legal_actions()
            if observe:
                state.observation_tensor()
            taken += thread_time() - begin
            played += 1
        return played / taken

    return run


def main() -> None:
    """Let everybody take turns, and print rates and ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1024, help="games at once")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=400_000, help="of ours in a round")
    given = parser.parse_args()
    entrants: dict[str, Rate | None] = {}
    for name in ("connect4", "gomoku", "kalah", "oware", "breakthrough"):
        for observe, how in ((False, "masks only"), (True, "with observations")):
            entrants[f"ours, {name}, {how}"] = ours(
                name, given.count, observe=observe, steps=given.steps, threads=given.threads
            )
    theirs = {
        "OpenSpiel, connect_four, masks only": open_spiel(given.steps // 40, observe=False),
        "OpenSpiel, connect_four, with observations": open_spiel(given.steps // 40, observe=True),
        "PettingZoo, connect_four, with observations": pettingzoo(given.steps // 200),
    }
    entrants |= theirs
    rates: dict[str, list[float]] = {name: [] for name, run in entrants.items() if run}
    for _ in range(given.rounds):
        for name in rates:
            run = entrants[name]
            assert run is not None
            rates[name].append(run())
    medians = {name: statistics.median(taken) for name, taken in rates.items()}
    for name, rate in medians.items():
        print(f"{name:46} {rate:14,.0f} steps a second")
    for name in theirs:
        if name in medians:
            peer = f"ours, connect4, {name.rpartition(', ')[2]}"
            print(f"{peer}: {medians[peer] / medians[name]:,.0f} x {name}")
        else:
            print(f"{name}: not installed")


if __name__ == "__main__":
    main()
