"""The connect solver against bitbully: six classes of Connect 4 positions, and the empty board.

Run with a Python that has mossa; with bitbully installed too (in a benchmark environment: it is GPL
and no part of mossa), both solve every position in turn:

    python benchmarks/connect_solver.py [--count 50] [--file positions.txt] [--empty] [--threads]
    python benchmarks/connect_solver.py --agree 10000
    python benchmarks/connect_solver.py --sizes
    python benchmarks/connect_solver.py --boards connect:7x7x4 connect:8x6x4 --memory 6000
    python benchmarks/connect_solver.py --techniques

L1: at most 14 stones on the board, L2: 15 to 28, L3: more. R1: the game ends in fewer than 14
plies, R2: 14 to 27, R3: 28 or more. Positions are random ones from a fixed seed, without those that
the next move or the reply to it decides (they need no solver), or those of a file with lines
``moves score``. No book, one thread, the table cleared before each position, mean CPU time of calls
from Python; the median over rounds in which both take turns. With a book only ours are timed:

    python benchmarks/connect_solver.py --book shipped --count 1000

Against c4 by Christophe Steininger, compiled from a copy of its sources, on its own test positions:
once with the tables cleared before each position, once with tables that are kept:

    python benchmarks/connect_solver.py --c4 path/to/c4 [--count 50] [--skip 0]

What two threads gain on positions that take one thread some seconds, and the longest of many short
calls:

    python benchmarks/connect_solver.py --hard [--rounds 5]
    python benchmarks/connect_solver.py --stalls 100000
"""

import argparse
import csv
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice, product
from pathlib import Path
from typing import Any

import mossa
from mossa import Book, Position, Solver, solve_many

CLASSES = ("L1_R3", "L1_R2", "L1_R1", "L2_R2", "L2_R1", "L3_R1")
GOALS = {"L1_R3": 6.0, "L1_R2": 4.5, "L1_R1": 18.0, "L2_R2": 6.0, "L2_R1": 5.0, "L3_R1": 3.0}
CELLS = 42
LEAST_PLIES = 3
GAME = mossa.game("connect4")


class Bitbully:
    """The peer, if it is installed."""

    def __init__(self) -> None:
        """Raise ImportError if it is not."""
        self._core: Any = import_module("bitbully.bitbully_core")
        self._solver = self._core.BitBullyCore()

    def board(self, position: Position) -> Any:
        """Return the position in its terms."""
        board = self._core.BoardCore()
        assert board.setBoard([int(str(move)) - 1 for move in position.history])
        return board

    def clear(self) -> None:
        """Forget everything."""
        self._solver.resetTranspositionTable()
        self._solver.resetNodeCounter()

    def score(self, board: Any) -> int:
        """Return the score in the usual units."""
        return int(self._solver.mtdf(board, 0))

    @property
    def nodes(self) -> int:
        """Positions visited since clear()."""
        return int(self._solver.getNodeCounter())


def usual(position: Position, score: mossa.Exact) -> int:
    """Return a score in the units of most solvers: n for a win with the n-th last stone."""
    left = CELLS - position.ply
    return score.value * ((left + 2 - (score.distance or 0)) // 2)


def random_positions(seed: int, low: int, high: int) -> Iterator[Position]:
    """Yield positions of so many stones that are not over, by random play."""
    chosen = random.Random(seed)
    while True:
        position = GAME.start()
        plies = chosen.randint(low, high)
        while position.outcome is None and position.ply < plies:
            position = position.play(chosen.choice(position.moves))
        if position.outcome is None:
            yield position


def class_of(position: Position, score: mossa.Exact) -> str:
    """Return L1_R1 to L3_R1."""
    stones, plies = position.ply, score.distance or 0
    stage = "L1" if stones <= 14 else "L2" if stones <= 28 else "L3"
    return f"{stage}_{'R1' if plies < 14 else 'R2' if plies < 28 else 'R3'}"


def classes(count: int) -> dict[str, list[Position]]:
    """Return so many random positions of every class, from a fixed seed."""
    found: dict[str, list[Position]] = {name: [] for name in CLASSES}
    for low, high, names in ((8, 14, CLASSES[:3]), (15, 28, CLASSES[3:5]), (29, 40, CLASSES[5:])):
        for solution in solve_many(random_positions(42, low, high), memory=256, book=None):
            same = found[class_of(solution.position, solution.proven)]
            if len(same) < count and (solution.proven.distance or 0) >= LEAST_PLIES:
                same.append(solution.position)
            if all(len(found[name]) == count for name in names):
                break
    return found


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return CPU seconds and the result."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def ours(positions: list[Position], memory: int) -> tuple[float, float, list[int]]:
    """Return our mean seconds and nodes, and the scores."""
    solver = Solver(GAME, memory=memory, book=None)
    total, nodes, scores = 0.0, 0, []
    for position in positions:
        solver.clear()
        seconds, solution = timed(lambda: solver.solve(position))  # noqa: B023
        total += seconds
        nodes += solution.nodes
        scores.append(usual(position, solution.proven))
    return total / len(positions), nodes / len(positions), scores


def theirs(positions: list[Position], peer: Bitbully) -> tuple[float, float, list[int]]:
    """Return the peer's mean seconds and nodes, and the scores."""
    total, nodes, scores = 0.0, 0, []
    for position in positions:
        board = peer.board(position)
        peer.clear()
        seconds, score = timed(lambda: peer.score(board))  # noqa: B023
        total += seconds
        nodes += peer.nodes
        scores.append(score)
    return total / len(positions), nodes / len(positions), scores


def compare(
    name: str, positions: list[Position], peer: Bitbully | None, memory: int, rounds: int
) -> None:
    """Solve the positions with both in turn and print medians of the means, and their ratio."""
    runs, peer_runs = [], []
    for _ in range(rounds):
        runs.append(ours(positions, memory))
        if peer:
            peer_runs.append(theirs(positions, peer))
            if runs[-1][2] != peer_runs[-1][2]:
                sys.exit(f"{name}: the scores differ")
    seconds = statistics.median(run[0] for run in runs)
    text = f"{name} ({len(positions)}): {seconds * 1e3:9.4f} ms, {runs[0][1]:11,.0f} nodes"
    if peer:
        peer_seconds = statistics.median(run[0] for run in peer_runs)
        text += f"; bitbully {peer_seconds * 1e3:9.4f} ms, {peer_runs[0][1]:11,.0f} nodes"
        text += f": {peer_seconds / seconds:.1f} x"
        if name in GOALS:
            text += f" (goal {GOALS[name]:g})"
    print(text, flush=True)


def overhead() -> None:
    """Print what a call costs beyond the search: a position won at once."""
    position = GAME.position("121212")
    solver = Solver(GAME, memory=1, book=None)
    rounds = []
    for _ in range(5):
        seconds, _ = timed(lambda: [solver.solve(position) for _ in range(20_000)])
        rounds.append(seconds / 20_000 * 1e6)
    print(f"overhead of a call: {min(rounds):.2f} microseconds")


def agree(count: int, peer: Bitbully) -> None:
    """Compare the scores of random positions at all depths."""
    for solution in solve_many(islice(random_positions(1, 10, 41), count), book=None):
        score = peer.score(peer.board(solution.position))
        if score != usual(solution.position, solution.proven):
            sys.exit(f"{solution.position.history_text}: {solution.score}, bitbully says {score}")
    print(f"{count:,} random positions: the same scores")


def published() -> Iterator[tuple[str, mossa.Exact]]:
    """Yield boards and their published scores."""
    path = Path(__file__).parent.parent / "tests" / "data" / "connect-values.csv"
    with path.open() as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["last_move"]:
                value = {"1": 1, "2": -1, "D": 0}[row["outcome"]]
                size = f"{row['rows']}x{row['cols']}x{row['k']}"
                yield f"connect:{size}", mossa.Exact(value, int(row["last_move"]))


def sizes() -> None:
    """Solve every board with rows + cols <= 12."""
    total, count = 0.0, 0
    for name, score in published():
        size = mossa.game(name).sizes
        if size["rows"] + size["cols"] <= 12:
            total, count = total + board(name, score, 1, 512)[0], count + 1
    print(f"{count} boards with rows + cols <= 12: all as published, {total:.1f} s CPU")


def board(name: str, score: mossa.Exact, threads: int, memory: int) -> tuple[float, float, int]:
    """Solve an empty board, and return CPU seconds, wall seconds and nodes."""
    game = mossa.game(name)
    solver = Solver(game, memory=memory, threads=threads, book=None)
    begin = time.perf_counter()
    seconds, solution = timed(lambda: solver.solve(game.start()))
    if solution.score != score:
        sys.exit(f"{name}: {solution.score}, published {score}")
    return seconds, time.perf_counter() - begin, solution.nodes


def boards(names: list[str], counts: tuple[int, ...], rounds: int, memory: int) -> None:
    """Solve empty boards, with so many threads in turn, and print what two of them gain."""
    scores = dict(published())
    for name in names:
        walls: dict[int, list[float]] = {threads: [] for threads in counts}
        for _, threads in product(range(rounds), counts):
            cpu, wall, nodes = board(name, scores[name], threads, memory)
            walls[threads].append(wall)
            print(
                f"{name}, {threads} thread{'s' * (threads > 1)}: {scores[name]}, "
                f"{cpu:.1f} s CPU, {wall:.1f} s wall, {nodes:,} nodes",
                flush=True,
            )
        if len(counts) > 1:
            print(f"{name}: {gain(walls)}", flush=True)


def batch(rounds: int) -> None:
    """Time solve_many on one core and on two."""
    positions = list(islice(random_positions(7, 10, 28), 1500))
    walls: dict[int, list[float]] = {1: [], 2: []}
    for _, threads in product(range(rounds), walls):
        begin = time.perf_counter()
        for _ in solve_many(positions, threads=threads, book=None):
            pass
        walls[threads].append(time.perf_counter() - begin)
    print(f"solve_many, {len(positions):,} positions: {gain(walls)}")


C4_FILES = {
    "L1_R3": "opening_L3",
    "L1_R2": "opening_L2",
    "L1_R1": "opening_L1",
    "L2_R2": "midgame_L2",
    "L2_R1": "midgame_L1",
    "L3_R1": "endgame_L1",
}
C4_ENTRIES = 8388617  # 64 MB, as we have for the classes


def c4_program(sources: Path, folder: Path) -> Path:
    """Compile c4's search for one thread and a table of 64 MB."""
    shutil.copytree(sources / "src", folder / "src")
    settings = folder / "src" / "solver" / "settings.h"
    text = re.sub(r"NUM_THREADS = \d+", "NUM_THREADS = 1", settings.read_text())
    settings.write_text(
        re.sub(r"NUM_TABLE_ENTRIES = \d+", f"NUM_TABLE_ENTRIES = {C4_ENTRIES}", text)
    )
    parts = [str(part) for part in (folder / "src" / "solver").rglob("*.cpp")]
    program = folder / "c4_times"
    times = Path(__file__).parent / "c4_times.cpp"
    options = ["-O3", "-flto", "-DNDEBUG", "-std=c++20", "-pthread", f"-I{folder / 'src'}"]
    subprocess.run(["g++", *options, str(times), *parts, "-o", str(program)], check=True)
    return program


def against_c4(sources: Path, given: argparse.Namespace) -> None:
    """Solve c4's test positions with both, in turn, and print the ratio of the times."""
    with tempfile.TemporaryDirectory() as folder:
        program = c4_program(sources, Path(folder))
        for name in given.classes:
            path = sources / "tst" / "data" / "7x6" / f"{C4_FILES[name]}.txt"
            lines = path.read_text().splitlines()[given.skip : given.skip + given.count]
            games = [line.split()[0] for line in lines]
            scores = [int(line.split()[1]) for line in lines]
            positions = [GAME.position("".join(str(int(c) + 1) for c in game)) for game in games]
            for keep in (False, True):
                compare_c4(name, program, games, positions, scores, keep, given)


def compare_c4(
    name: str,
    program: Path,
    games: list[str],
    positions: list[Position],
    scores: list[int],
    keep: bool,
    given: argparse.Namespace,
) -> None:
    """Print the mean CPU time of a call from Python, of c4 from C++, and their ratio."""
    times, c4_times = [], []
    for _ in range(given.rounds):
        solver = Solver(GAME, memory=given.memory, book=None)
        solver.solve(GAME.position("112233"))  # the first call sets things up
        solver.clear()
        total = 0.0
        if keep:
            total, solutions = timed(lambda: [solver.solve(p) for p in positions])  # noqa: B023
            found = [usual(s.position, s.proven) for s in solutions]
        else:
            found = []
            for position in positions:
                solver.clear()
                seconds, solution = timed(lambda: solver.solve(position))  # noqa: B023
                total += seconds
                found.append(usual(position, solution.proven))
        times.append(total / len(positions))
        command = [str(program), *(["keep"] if keep else [])]
        answer = subprocess.run(
            command, input="\n".join(games) + "\n", capture_output=True, text=True, check=True
        )
        seconds_text, *score_texts = answer.stdout.split()
        c4_times.append(float(seconds_text) / len(positions))
        if not found == [int(text) for text in score_texts] == scores:
            sys.exit(f"{name}: the scores differ")
    ours, peer = statistics.median(times), statistics.median(c4_times)
    ratios = [c4 / own for c4, own in zip(c4_times, times, strict=True)]
    print(
        f"{name} ({len(positions)}), tables {'kept' if keep else 'cleared'}: {ours * 1e6:,.1f} us, "
        f"c4 {peer * 1e6:,.1f} us: {peer / ours:.2f} x ({min(ratios):.2f} to {max(ratios):.2f})",
        flush=True,
    )


# Ten of some thirty openings, those that take one thread about 5 s or more.
HARD = (
    ("connect4", ""),
    ("connect4", "1"),
    ("connect4", "2"),
    ("connect4", "12"),
    ("connect4", "16"),
    ("connect4", "23"),
    ("connect:5x8x4", ""),
    ("connect:6x8x4", "4444"),
    ("connect:6x8x4", "444445"),
    ("connect:7x7x4", "4444"),
)


def hard(rounds: int, memory: int) -> None:
    """Print what two threads gain on each of these positions, and the nodes they visit."""
    gains, more = [], []
    for name, moves in HARD:
        game = mossa.game(name)
        position = game.position(moves)
        walls: dict[int, list[float]] = {1: [], 2: []}
        nodes: dict[int, list[int]] = {1: [], 2: []}
        score = None
        for turn, threads in product(range(rounds), walls):
            if threads == 1 and turn > 0:
                continue  # it visits the same nodes each time
            solver = Solver(game, memory=memory, threads=threads, book=None)
            begin = time.perf_counter()
            solution = solver.solve(position)
            walls[threads].append(time.perf_counter() - begin)
            nodes[threads].append(solution.nodes)
            if score is None:
                score = solution.proven
            assert solution.proven == score
        gains.append(walls[1][0] / max(walls[2]))
        more.append(max(nodes[2]) / nodes[1][0])
        print(
            f"{name} {moves or '-'}: one thread {walls[1][0]:.1f} s, {nodes[1][0]:,} nodes; two "
            f"{min(walls[2]):.1f} to {max(walls[2]):.1f} s, {min(nodes[2]) / nodes[1][0]:.2f} to "
            f"{more[-1]:.2f} x the nodes: {gains[-1]:.2f} x at worst",
            flush=True,
        )
    print(
        f"median of the worst: {statistics.median(gains):.2f} x as fast, "
        f"{statistics.median(more):.2f} x the nodes"
    )


def stalls(count: int) -> None:
    """Print the longest of many calls with a new or a cleared solver, near the end of the game."""
    positions = list(islice(random_positions(5, 33, 38), 1000))
    for fresh in (False, True):
        solver = Solver(GAME, memory=64, book=None)
        walls, cpus = [], []
        for turn in range(count):
            if fresh:
                if turn % 10 == 0:
                    solver = Solver(GAME, memory=64, book=None)
            else:
                solver.clear()
            position = positions[turn % len(positions)]
            begin, cpu = time.perf_counter_ns(), time.thread_time_ns()
            solver.solve(position)
            cpus.append(time.thread_time_ns() - cpu)
            walls.append(time.perf_counter_ns() - begin)
        walls.sort()
        print(
            f"{count:,} calls, {'new solvers' if fresh else 'cleared'}: "
            f"median {walls[count // 2] / 1e3:.1f} us, "
            f"longest {walls[-1] / 1e3:,.1f} us (CPU {max(cpus) / 1e3:,.1f} us), "
            f"{sum(wall > 1e6 for wall in walls)} longer than a millisecond"
        )


def gain(walls: dict[int, list[float]]) -> str:
    """Tell by how much two threads are faster than one, by medians."""
    one, two = (statistics.median(walls[threads]) for threads in (1, 2))
    return f"two threads are {one / two:.2f} x as fast as one"


TECHNIQUES = {
    "everything": {},
    "no tables": {"table_plies": 99, "look_up_plies": 99},
    "no look-up of children": {"look_up_plies": 99},
    "no table of the thread's own": {"near_empty": 0},
    "mirror images apart": {"mirror": 0},
    "no static bounds by follow-up": {"follow_up": 0},
    "no pairs of odd columns in them": {"pairs": 0},
    "no lines that come too late in them": {"races": 0},
    "no order by threats": {"threat": 0, "spent_threat": 0},
    "threats parried at once count in full": {"spent_threat": 0},
    "no order by history": {"history_most": 0},
    "no order by centre": {"centre": 0},
    "no quick questions first": {"quick": 0},
    "windows by halves": {"quick": 0, "gallop": 0},
    "no prefetch": {"prefetch": 0},
    "no large pages": {"large_pages": 0},
    "one board at a time (no AVX2)": {"portable": 1},
}


def techniques(positions: list[Position], rounds: int, memory: int) -> None:
    """Print what leaving out each technique costs, in nodes and time."""
    solvers = {
        name: Solver(GAME, memory=memory, book=None, tuning=tuning)
        for name, tuning in TECHNIQUES.items()
    }
    nodes: dict[str, int] = {}
    times: dict[str, list[float]] = {name: [] for name in solvers}
    for _ in range(rounds):
        for name, solver in solvers.items():
            nodes[name], total = 0, 0.0
            for position in positions:
                solver.clear()
                seconds, solution = timed(lambda: solver.solve(position))  # noqa: B023
                total += seconds
                nodes[name] += solution.nodes
            times[name].append(total)
    for name in solvers:
        more = nodes[name] / nodes["everything"]
        ratios = [one / whole for one, whole in zip(times[name], times["everything"], strict=True)]
        print(f"{name}: {more:.2f} x the nodes, {statistics.median(ratios):.2f} x the time")


def with_book(book: Book, count: int, memory: int) -> None:
    """Time positions that are in a book, and all of the opening, with a cold table for each."""
    solver = Solver(GAME, memory=memory, book=book)
    for name, most in (("in the book", book.plies), ("L1: at most 14 stones", 14)):
        positions = list(islice(random_positions(42, 0, most), count))
        times, found = [], 0
        for position in positions:
            solver.clear()
            seconds, solution = timed(lambda: solver.solve(position))  # noqa: B023
            times.append(seconds)
            found += solution.nodes == 0
        print(
            f"{name} ({count}): mean {statistics.mean(times) * 1e3:.4f} ms, "
            f"median {statistics.median(times) * 1e3:.4f} ms, {found / count:.0%} without a search",
            flush=True,
        )
    position = next(random_positions(1, book.plies, book.plies))
    seconds, _ = timed(lambda: [book.get(position) for _ in range(100_000)])
    print(f"book.get: {seconds * 10:.2f} microseconds")


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=50, help="positions of each class")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is run, in turn")
    parser.add_argument("--file", type=Path, help="positions instead: lines 'moves score'")
    parser.add_argument("--memory", type=int, default=64, help="MB of our table for the classes")
    parser.add_argument("--empty", action="store_true", help="solve the empty board as well")
    parser.add_argument("--threads", action="store_true", help="measure two threads as well")
    parser.add_argument("--book", help="only measure with this book: a file, or 'shipped'")
    parser.add_argument("--agree", type=int, help="only compare the scores of so many positions")
    parser.add_argument("--sizes", action="store_true", help="only solve the published sizes")
    parser.add_argument("--boards", nargs="+", metavar="GAME", help="only solve these, when empty")
    parser.add_argument("--c4", type=Path, help="only measure against c4: a folder of its sources")
    parser.add_argument("--skip", type=int, default=0, help="positions of each file of c4 to skip")
    parser.add_argument("--classes", nargs="+", choices=CLASSES, default=CLASSES, help="of c4's")
    parser.add_argument("--hard", action="store_true", help="only measure two threads, ten times")
    parser.add_argument("--stalls", type=int, help="only time the longest of so many short calls")
    parser.add_argument(
        "--techniques", action="store_true", help="only measure what each technique is worth"
    )
    given = parser.parse_args()
    counts = (1, 2) if given.threads else (1,)
    if given.book:
        book = Book.shipped(GAME) if given.book == "shipped" else Book.open(given.book)
        assert book is not None
        with_book(book, given.count, given.memory)
        return
    if given.c4:
        against_c4(given.c4, given)
        return
    if given.hard:
        hard(given.rounds, 1024)
        return
    if given.stalls:
        stalls(given.stalls)
        return
    try:
        peer = Bitbully()
    except ImportError:
        peer = None
        print("bitbully is not installed: our figures only")
    if given.sizes:
        sizes()
    elif given.boards:
        boards(given.boards, counts, given.rounds, given.memory)
    elif given.techniques:
        found = classes(given.count)
        for name in ("L1_R2", "L2_R2"):
            print(f"{name} ({given.count})")
            techniques(found[name], given.rounds, given.memory)
    elif given.agree:
        if peer is None:
            sys.exit("nothing to agree with")
        agree(given.agree, peer)
    elif given.file:
        lines = [line.split() for line in given.file.read_text().splitlines()]
        positions = [GAME.position(line[0]) for line in lines]
        compare(given.file.name, positions, peer, given.memory, given.rounds)
    else:
        overhead()
        found = classes(given.count)
        for name in CLASSES:
            compare(name, found[name], peer, given.memory, given.rounds)
        if given.threads:
            batch(given.rounds)
        if given.empty:
            boards([GAME.name], counts, given.rounds, 1024)


if __name__ == "__main__":
    main()
