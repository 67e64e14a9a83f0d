"""Time losses under Gomocup's protocol: two brains of ours, 100 ms a move, as a manager sees them.

    python benchmarks/gomocup.py [--games 200] [--limit 100] [--size 15] [--player engine]

Every move is timed from before TURN is written to when its answer has been read, pipes and threads
included; the start of the processes is not. Each game begins with three random stones. Prints time
losses, the worst answers, and what no brain can do anything about: the same for a brain that
answers at once, and how long the machine keeps a loop waiting that only looks at the clock.
"""

import argparse
import gc
import random
import statistics
import subprocess
import sys
from time import perf_counter

import mossa
from mossa.protocols.gomocup.drive import xy
from mossa.records.record import move_at


class Brain:
    """A brain and how long its answers took."""

    def __init__(self, player: str, limit: int) -> None:
        """Start the process; ``limit`` is in milliseconds."""
        command = [sys.executable, "-m", "mossa", "engine", "gomocup", "--player", player]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._limit = limit
        self.times: list[float] = []

    def start(self, size: int) -> None:
        """Begin a game."""
        self._say(f"START {size}")
        assert self._hear() == "OK"
        self._say(f"INFO timeout_turn {self._limit}", "INFO timeout_match 0", "INFO rule 0")

    def answer(self, position: mossa.Position) -> mossa.Position:
        """Tell the position by TURN, or by BOARD where it is new, and take the answer."""
        cells = [xy(position.game, move) for move in position.history]
        if position.ply <= 4:
            own = len(cells) % 2
            stones = [f"{x},{y},{1 if at % 2 == own else 2}" for at, (x, y) in enumerate(cells)]
            question = ["BOARD", *stones, "DONE"]
        else:
            question = ["TURN {},{}".format(*cells[-1])]
        begin = perf_counter()
        self._say(*question)
        answer = self._hear()
        self.times.append(perf_counter() - begin)
        return position.play(move_at(position.game, *map(int, answer.split(","))))

    def close(self) -> None:
        """End the process."""
        self._say("END")
        self._process.wait(10)

    def _say(self, *lines: str) -> None:
        assert self._process.stdin
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def _hear(self) -> str:
        assert self._process.stdout
        while (line := self._process.stdout.readline().strip()).startswith(("MESSAGE", "DEBUG")):
            pass
        return line


def play(player: str, games: int, limit: int, size: int) -> None:
    """Play games between two brains and print what came of their clocks."""
    rng = random.Random(1)
    game = mossa.game(f"mnk:{size}x{size}x5")
    brains = [Brain(player, limit), Brain(player, limit)]
    gc.disable()  # its pauses would be counted as the brains'
    for number in range(games):
        for brain in brains:
            brain.start(size)
        position = game.start().after(" ".join(map(str, rng.sample(game.start().moves, 3))))
        while position.outcome is None:
            position = brains[(position.ply + number) % 2].answer(position)
    for brain in brains:
        brain.close()
    times = sorted(1000 * time for brain in brains for time in brain.times)
    lost = sum(time > limit for time in times)
    worst = ", ".join(f"{time:.1f}" for time in times[-5:][::-1])
    print(
        f"{player}: {games} games, {len(times)} moves at {limit} ms: {lost} too late; "
        f"median {statistics.median(times):.1f} ms, 99.9% {times[int(0.999 * len(times))]:.1f} ms, "
        f"worst {worst} ms",
        flush=True,
    )


def watch_the_clock(seconds: float) -> None:
    """Print the longest times between two looks at the clock that come right after each other."""
    begin = last = perf_counter()
    gaps: list[float] = []
    while last - begin < seconds:
        now = perf_counter()
        if now - last > 0.002:
            gaps.append(1000 * (now - last))
        last = now
    worst = ", ".join(f"{gap:.1f}" for gap in sorted(gaps)[-5:][::-1])
    print(f"the machine alone: {len(gaps)} stops above 2 ms in {seconds:.0f} s; worst {worst} ms")


def main() -> None:
    """Measure the player, and the machine."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--limit", type=int, default=100, help="milliseconds a move")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--player", default="engine")
    given = parser.parse_args()
    play(given.player, given.games, given.limit, given.size)
    play("random:seed=1", max(1, given.games // 10), given.limit, given.size)
    watch_the_clock(given.games * 0.3)


if __name__ == "__main__":
    main()
