"""How fast the searches are: moves and simulations a second, threads, deadlines, OpenSpiel's MCTS.

Run with a Python that has mossa; with open_spiel installed too the MCTS of both runs in turn:

    python benchmarks/search.py [--rounds 5] [bantumi tris mcts threads deadlines]

A shared machine is noisy: contestants alternate, CPU time is what counts on one thread, medians are
printed, and node counts show that the work was the same.
"""

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable

import mossa
from mossa import Exact, Info, Limits, Search

PLAIN = "deepen=off,table=off,pvs=off,killers=off,history=off,strict=on,forget=on"


def timed(work: Callable[[], Info], clock: Callable[[], float]) -> tuple[float, Info]:
    """Return the seconds that the work takes, and what it found."""
    begin = clock()
    info = work()
    return clock() - begin, info


def options(text: str) -> dict[str, str]:
    """Read ``a=b,c=d``."""
    return dict(part.split("=") for part in text.split(","))


def bantumi(rounds: int) -> None:
    """Moves a second of alpha-beta on bantumi, 5 hands, the report's Val order."""
    start = mossa.game("bantumi").start()
    search = Search(start.game, "alphabeta", options(f"{PLAIN},hands=5,order=store-first"))
    runs = [timed(lambda: search.run(start, Limits()), time.process_time) for _ in range(rounds)]
    seconds = statistics.median(seconds for seconds, _ in runs)
    nodes = runs[0][1].nodes
    speed = nodes / seconds / 1e6
    print(f"bantumi 5 hands, Val: {nodes:,} moves in {seconds:.2f} s CPU: {speed:.1f} M/s")


def tris_goal(rounds: int) -> None:
    """Milliseconds a move of the tris player over a game on 10x10, k = 4, depth 6, width 10."""
    means = []
    for _ in range(rounds):
        player = mossa.player("tris:depth=6,width=10,threads=1")
        position = mossa.game("tris:10x4").start()
        taken: list[float] = []
        while position.outcome is None and len(taken) < 30:
            begin = time.process_time()
            position = position.play(player.choose(position, Limits()).move)
            taken.append(time.process_time() - begin)
        means.append(statistics.mean(taken) * 1000)
    mean = statistics.median(means)
    print(f"tris 10x10 k=4 depth 6 width 10: {mean:.1f} ms a move; 1 s is {1000 / mean:.0f} x that")


PEERS = {
    "tictactoe": ("tic_tac_toe", 5000),
    "connect4": ("connect_four", 5000),
    "gomoku": ("mnk(m=15,n=15,k=5)", 200),
    "kalah": ("mancala", 5000),
    "oware:6x4,majority=yes": ("oware", 2000),
    "breakthrough": ("breakthrough", 1000),
}
"""What OpenSpiel calls a game, and how many simulations to compare. Its mancala is kalah; its oware
ends once a side has more than half of the seeds."""


def mcts(rounds: int) -> None:
    """Print how long a simulation takes on every game, ours and OpenSpiel's in turn; and threads.

    Both begin at the start with an empty tree, choose by UCT with c = 1.4, play out at random once
    from each leaf and prove what they can. The least CPU time of all rounds counts.
    """
    for name, (peer_name, iterations) in PEERS.items():
        start = mossa.game(name).start()
        theirs = open_spiel_mcts(peer_name, iterations)
        ours, peer = math.inf, math.inf
        for _ in range(rounds):
            search = Search(start.game, "mcts", {"reuse": "off"})
            limits = Limits(iterations=iterations)
            taken, info = timed(lambda s=search, p=start, n=limits: s.run(p, n), time.process_time)  # type: ignore[misc]
            ours = min(ours, taken / (info.iterations or iterations))
            if theirs:
                peer = min(peer, theirs())
        compared = f"; OpenSpiel {peer * 1e9:,.0f} ns: {peer / ours:.1f} x" if theirs else ""
        print(
            f"mcts {name}, {iterations:,} simulations: {ours * 1e9:,.0f} ns each{compared}",
            flush=True,
        )
    mcts_threads(rounds)


def mcts_threads(rounds: int, iterations: int = 100_000) -> None:
    """Print how much two threads gain on Connect 4, in wall time."""
    start = mossa.game("connect4").start()
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for count, taken in seconds.items():
            search = Search(start.game, "mcts", {"threads": str(count), "reuse": "off"})
            limits = Limits(iterations=iterations)
            taken.append(timed(lambda s=search, n=limits: s.run(start, n), time.perf_counter)[0])  # type: ignore[misc]
    ratio = statistics.median(seconds[1]) / statistics.median(seconds[2])
    print(f"mcts connect4: two threads {ratio:.2f} x one (wall time)")


def open_spiel_mcts(name: str, iterations: int) -> Callable[[], float] | None:
    """Return what times a simulation of OpenSpiel's C++ bot; None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None

    def run() -> float:
        game = pyspiel.load_game(name)
        evaluator = pyspiel.RandomRolloutEvaluator(1, 7)
        bot = pyspiel.MCTSBot(
            game, evaluator, 1.4, iterations, 1000, True, 7, False, pyspiel.ChildSelectionPolicy.UCT
        )
        start = game.new_initial_state()
        begin = time.process_time()
        simulations: int = bot.mcts_search(start).explore_count
        return (time.process_time() - begin) / simulations

    return run


def undecided(rng: random.Random, plies: int = 10, looked_ahead: int = 10) -> mossa.Position:
    """Return a Connect 4 position after random moves in which nobody wins soon.

    Half of the random positions are won within a few plies: there is nothing to search in them.
    """
    while True:
        position = mossa.game("connect4").start()
        while position.ply < plies and position.outcome is None:
            position = position.play(rng.choice(position.moves))
        if position.outcome is None:
            search = Search(position.game, "alphabeta")
            if not isinstance(search.run(position, Limits(depth=looked_ahead)).score, Exact):
                return position


def threads(rounds: int, depth: int = 18, positions: int = 20) -> None:
    """Time to a fixed depth on mid-game Connect 4 positions, one thread and two in turn."""
    rng = random.Random(1)
    ratios, single = [], []
    for _ in range(positions):
        position = undecided(rng)
        seconds: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(rounds):
            for count in (1, 2):
                search = Search(position.game, "alphabeta", {"threads": str(count)})
                taken, _ = timed(
                    lambda s=search, p=position: s.run(p, Limits(depth=depth)),  # type: ignore[misc]
                    time.perf_counter,
                )
                seconds[count].append(taken)
        single.append(statistics.median(seconds[1]))
        ratios.append(single[-1] / statistics.median(seconds[2]))
    print(
        f"alphabeta connect4 depth {depth}, {positions} positions of {min(single):.1f} to "
        f"{max(single):.1f} s: two threads {statistics.median(ratios):.2f} x one "
        f"(median; {min(ratios):.2f} to {max(ratios):.2f})"
    )


def deadlines(rounds: int, seconds: float = 0.1) -> None:
    """Print by how much players overrun a time limit at worst, in an opening and after moves."""
    specs = ("alphabeta", "alphabeta:threads=2", "mcts", "gametree", "tris", "tree", "pojam")
    for name in ("connect4", "mnk:15x15x5", "mnk:50x50x10", "mnk:70x70x10"):
        overruns = []
        for spec in specs:
            worst = 0.0
            rng = random.Random(1)
            try:
                for _ in range(rounds):
                    player = mossa.player(spec)
                    position = mossa.game(name).start()
                    for _ in range(3):
                        begin = time.perf_counter()
                        choice = player.choose(position, Limits(time=seconds))
                        worst = max(worst, time.perf_counter() - begin - seconds)
                        position = position.play(choice.move)
                        position = position.play(rng.choice(position.moves))
            except mossa.GameError:
                continue  # it does not play this game
            overruns.append(f"{spec} {worst * 1000:.1f}")
        print(f"overrun of {seconds} s on {name}, ms at worst: {', '.join(overruns)}", flush=True)


PARTS = {
    "bantumi": bantumi,
    "tris": tris_goal,
    "mcts": mcts,
    "threads": threads,
    "deadlines": deadlines,
}


def main() -> None:
    """Run everything, or the parts that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS])
    given = parser.parse_args()
    for name in given.parts or PARTS:
        PARTS[name](min(given.rounds, 3) if name == "threads" else given.rounds)


if __name__ == "__main__":
    main()
