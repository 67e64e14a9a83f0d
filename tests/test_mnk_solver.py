"""The solver of mnk: against brute force, known values, and itself with other means."""

from __future__ import annotations

import csv
import pathlib
import random
import time
from itertools import combinations

import pytest
from brute_force import BruteForce

import mossa
from mossa import Bound, Exact, Game, GameError, Limits, Position, Solution, Solver, StopToken

DATA = pathlib.Path(__file__).parent / "data"
SLOW = {(9, 4, 4), (8, 4, 4)}  # more than a few seconds each


def facts() -> list[object]:
    """The boards whose values were computed, by rows, cols, k; a board and its mirror are alike."""
    with (DATA / "mnk-values.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["source"].startswith("computed here")]
    assert len(rows) > 40
    sizes = [(int(row["m"]), int(row["n"]), int(row["k"]), row["value"]) for row in rows]
    return [
        pytest.param(*each, marks=[pytest.mark.slow] if each[:3] in SLOW else []) for each in sizes
    ]


@pytest.mark.parametrize(("rows", "cols", "k", "value"), facts())
def test_known_values_are_proven(rows: int, cols: int, k: int, value: str) -> None:
    game = mossa.game(f"mnk:{rows}x{cols}x{k}")
    solution = mossa.solve(game.start())
    assert solution.proven.value == {"W": 1, "D": 0}[value]


def random_positions(game: Game, count: int, seed: int, least: int) -> list[Position]:
    chosen = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        plies = chosen.randint(least, game.sizes["rows"] * game.sizes["cols"] - 1)
        while position.outcome is None and position.ply < plies:
            position = position.play(chosen.choice(position.moves))
        if position.outcome is None:
            found.append(position)
    return found


def everything(game: Game) -> list[Position]:
    """Every position that is not over, one of each set of images."""
    found: dict[int, Position] = {}
    new = {game.start().canonical_key: game.start()}
    while new:
        found |= new
        after = [each.play(move) for each in new.values() for move in each.moves]
        new = {each.canonical_key: each for each in after if each.outcome is None}
        new = {key: each for key, each in new.items() if key not in found}
    return list(found.values())


def assert_agrees(solver: Solver, position: Position, oracle: BruteForce) -> None:
    """The value is right, and nobody wins sooner than is possible."""
    truth = oracle.score(position)
    score = solver.solve(position).proven
    assert score.value == truth.value, position.text
    assert score.distance is not None and truth.distance is not None
    assert score.distance >= truth.distance if truth.value else score.distance == truth.distance


@pytest.mark.parametrize("size", ["1x1x1", "2x2x2", "1x6x3", "3x3x3", "4x3x3"])
def test_every_position_of_small_boards_agrees_with_brute_force(
    size: str, oracle: BruteForce
) -> None:
    """Of the largest board many of them, chosen at random."""
    game = mossa.game(f"mnk:{size}")
    solver = Solver(game, memory=1)
    assert solver.native
    positions = everything(game)
    for position in random.Random(1).sample(positions, min(len(positions), 1500)):
        assert_agrees(solver, position, oracle)


@pytest.mark.parametrize(
    ("size", "least"), [("4x4x3", 8), ("4x4x4", 8), ("5x4x4", 12), ("5x3x4", 7), ("3x6x3", 10)]
)
def test_random_positions_agree_with_brute_force(size: str, least: int, oracle: BruteForce) -> None:
    game = mossa.game(f"mnk:{size}")
    solver = Solver(game, memory=1)
    for position in random_positions(game, 60, 11, least):
        assert_agrees(solver, position, oracle)


def test_moves_and_line_agree_with_brute_force(oracle: BruteForce) -> None:
    game = mossa.game("mnk:4x3x3")
    solver = Solver(game, memory=1)
    for position in random_positions(game, 30, 5, 2):
        solution = solver.solve(position)
        scores = {str(m): score for m, score in solution.moves.items()}
        assert scores.keys() == {str(move) for move in position.moves}
        for move, truth in oracle.moves(position).items():
            score = scores[move]
            assert isinstance(score, Exact) and score.value == truth.value
        after = position
        for played in solution.line:
            assert after.outcome is None
            after = after.play(played)
        assert after.outcome is not None
        mine = after.outcome.value * (1 if position.side is mossa.Side.first else -1)
        assert mine == solution.proven.value
        assert len(solution.line) <= (solution.proven.distance or 0)


def test_table_size_and_parts_change_no_value() -> None:
    game = mossa.game("mnk:5x5x4")
    positions = random_positions(game, 15, 3, 6)
    reference = [solution.proven.value for solution in map(Solver(game).solve, positions)]
    parts = (
        *("threat_depth", "defend_threats", "give_up", "split", "dominate", "width"),
        *("pairs", "passes", "stay", "widen", "hurry", "danger"),
    )
    for tuning in [{}, *({part: 0} for part in parts)]:
        solver = Solver(game, memory=1, tuning=tuning)
        assert [solver.solve(each).proven.value for each in positions] == reference, tuning


@pytest.mark.parametrize("size", ["5x4x4", "6x5x4", "5x6x5", "6x6x5", "7x5x5", "9x8x5"])
def test_pairs_and_zones_change_no_value(size: str) -> None:
    """Without them nearly every move is tried; many of these positions are draws by a hair."""
    game = mossa.game(f"mnk:{size}")
    plain = Solver(game, memory=8, tuning={"pairs": 0, "passes": 0})
    solver = Solver(game, memory=8)
    least = game.sizes["rows"] * game.sizes["cols"] // 3
    settled = 0
    for position in random_positions(game, 60, 17, least):
        scores = [each.solve(position, Limits(nodes=100_000)).score for each in (plain, solver)]
        if all(isinstance(score, Exact) for score in scores):
            assert scores[0].value == scores[1].value, position.text  # type: ignore[union-attr]
            settled += 1
    assert settled > 50


def can_be_paired(lines: list[set[int]]) -> bool:
    """Are there disjoint pairs of cells, one on every line? Tries them all."""
    if not lines:
        return True
    first = min(lines, key=len)
    return any(
        can_be_paired([line - pair for line in lines if not pair <= line])
        for pair in map(set, combinations(sorted(first), 2))
    )


@pytest.mark.parametrize(
    ("size", "defenders"),
    [("4x4x3", 6), ("5x5x4", 4), ("5x6x5", 2), ("4x9x4", 6), ("1x12x3", 1), ("8x8x5", 5)],
)
def test_pairs_are_on_every_line_and_hardly_ever_missed(size: str, defenders: int) -> None:
    """With so few stones of the defender about half of the states have pairs, or fewer."""
    game = mossa.game(f"mnk:{size}")
    rows, cols, k = game.sizes.values()
    ways = ((0, 1), (1, 0), (1, 1), (1, -1))
    lines = [
        {(row + i * up) * cols + col + i * right for i in range(k)}
        for up, right in ways
        for row in range(rows)
        for col in range(cols)
        if row + (k - 1) * up < rows and 0 <= col + (k - 1) * right < cols
    ]
    solver, chosen = Solver(game, memory=1), random.Random(3)
    there, found = 0, 0
    for _ in range(300):
        state = ["."] * (rows * cols)
        taken = chosen.sample(range(rows * cols), defenders + chosen.randint(0, 2))
        for number, cell in enumerate(taken):
            state[cell] = "d" if number < defenders else "a"
        open_lines = [
            {cell for cell in line if state[cell] == "."}
            for line in lines
            if all(state[cell] != "d" for cell in line)
        ]
        pairs = solver.pairs("".join(state))
        if pairs is not None:
            cells = [cell for pair in pairs for cell in pair]
            assert len(set(cells)) == len(cells)
            assert all(any({*pair} <= line for pair in pairs) for line in open_lines), state
            found += 1
        if rows * cols <= 36 and min(map(len, open_lines), default=k) > 1:
            there += can_be_paired(open_lines)
    if rows * cols <= 36:
        assert there * 0.95 <= found <= there
    assert found > 5


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_change_no_value(threads: int) -> None:
    """The plies of a win may differ: they are those of the proof that came first."""
    for size, least, count in [
        ("4x4x3", 0, 60),
        ("5x5x4", 1, 40),
        ("6x5x4", 3, 20),
        ("8x9x4", 6, 3),
    ]:
        game = mossa.game(f"mnk:{size}")
        alone, together = Solver(game, memory=8), Solver(game, memory=8, threads=threads)
        for position in random_positions(game, count, 5, least):
            value = alone.solve(position).proven.value
            assert together.solve(position).proven.value == value, position.text
            together.clear()


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("size", ["5x5x4", "6x5x4", "6x6x4", "8x8x4", "7x7x5"])
def test_threads_prove_what_is_known(size: str, threads: int) -> None:
    """These take long enough for all threads to begin, and for a small table to grow."""
    game = mossa.game(f"mnk:{size}")
    solver = Solver(game, memory=2, threads=threads)
    solution = solver.solve(game.start())
    assert solution.proven.value == (0 if size in ("5x5x4", "7x7x5") else 1)
    assert solution.line and solution.nodes > 10_000
    assert solver.solve(game.start()).nodes < 100  # it is in the table


def test_one_thread_visits_the_same_nodes_every_time() -> None:
    game = mossa.game("mnk:6x6x4")
    nodes = {Solver(game, memory=8).solve(game.start()).nodes for _ in range(3)}
    assert nodes == {20_733}
    solver = Solver(game, memory=8)
    solver.solve(game.start())
    solver.clear()  # it kept what had worked for the last positions
    before = solver.nodes
    solver.solve(game.start())
    assert solver.nodes - before == 20_733


def test_boards_in_two_machine_words_are_solved_too() -> None:
    for name, value in (("mnk:9x8x4", 1), ("mnk:9x9x9", 0)):
        assert mossa.solve(mossa.game(name).start()).proven.value == value


def test_exact_rules_and_large_boards_are_left_to_alpha_beta() -> None:
    for name in ("mnk:4x4x3,exact=yes", "mnk:12x12x5"):
        assert not Solver(mossa.game(name), memory=1).native


def test_a_limit_leaves_bounds() -> None:
    position = mossa.game("mnk:8x8x5").start()
    for limits in (Limits(nodes=3000), Limits(time=0.05)):
        solution = mossa.solve(position, limits=limits)
        assert solution.score == Bound(Exact(0, 64), Exact(1, 1))
        assert solution.line == [] and solution.move is None
    assert mossa.solve(position, limits=Limits(nodes=3000)).nodes <= 3001


@pytest.mark.parametrize("threads", [2, 3])
def test_a_limit_ends_all_threads(threads: int) -> None:
    position = mossa.game("mnk:8x8x5").start()
    solver = Solver(position.game, memory=16, threads=threads)
    many = solver.solve(position, Limits(nodes=100_000))
    assert 99_000 < many.nodes < 110_000
    assert many.score == Bound(Exact(0, 64), Exact(1, 1))
    nodes = solver.nodes
    assert solver.solve(position, Limits(time=0.2)).time < 2
    assert solver.nodes > nodes


@pytest.mark.parametrize("threads", [1, 2])
def test_work_is_reported_and_can_be_stopped(threads: int) -> None:
    stop = StopToken()
    reports: list[Solution] = []

    def report(solution: Solution) -> None:
        reports.append(solution)
        stop.stop()

    solver = Solver(mossa.game("mnk:8x8x5"), threads=threads)
    begin = time.perf_counter()
    solution = solver.solve(solver.game.start(), report=report, stop=stop)
    assert reports and isinstance(solution.score, Bound)
    assert time.perf_counter() - begin < 5


@pytest.mark.parametrize("threads", [1, 2])
def test_bounds_are_reported_as_they_become_known(threads: int) -> None:
    game = mossa.game("mnk:5x5x4")
    reports: list[Solution] = []
    solver = Solver(game, memory=4, threads=threads)
    solution = solver.solve(game.position("c3"), report=reports.append)
    assert solution.proven.value == 0
    assert any(isinstance(each.score, Bound) for each in reports)


def test_a_report_that_fails_ends_all_threads() -> None:
    """As Ctrl-C does: the error comes through, and the solver can be used again."""

    def fail(_: Solution) -> None:
        raise KeyboardInterrupt

    game = mossa.game("mnk:8x8x5")
    solver = Solver(game, memory=16, threads=2)
    with pytest.raises(KeyboardInterrupt):
        solver.solve(game.start(), report=fail)
    assert 49_000 < solver.solve(game.start(), Limits(nodes=50_000)).nodes < 55_000


@pytest.mark.parametrize("threads", [1, 2])
def test_memory_is_kept_to(threads: int) -> None:
    solver = Solver(mossa.game("mnk:7x7x5"), memory=2, threads=threads)
    assert solver.solve(solver.game.start(), Limits(nodes=200_000)).memory < 4 << 20


def test_unknown_tuning_is_refused() -> None:
    with pytest.raises(GameError, match="the mnk solver has no parameter speed"):
        Solver(mossa.game("mnk:3x3x3"), tuning={"speed": 1})
