"""Exact solutions: against brute force, published values, and themselves with other means."""

from __future__ import annotations

import csv
import functools
import itertools
import os
import pathlib
import random
import sys
import threading
import time

import pytest
from brute_force import BruteForce

import mossa
from mossa import Bound, Exact, Game, GameError, Limits, Position, Solution, Solver, StopToken

DATA = pathlib.Path(__file__).parent / "data"


def small(game: str | Game, threads: int = 1) -> Solver:
    """A solver with little memory, which is made at once, and no book."""
    rules = mossa.game(game) if isinstance(game, str) else game
    return Solver(rules, memory=1, threads=threads, book=None)


def random_positions(game: Game, count: int, seed: int, least: int = 0) -> list[Position]:
    """Positions that are not over, of at least so many plies, by random play that avoids wins."""
    chosen = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        plies = chosen.randint(least, game.sizes["rows"] * game.sizes["cols"] - 1)
        while position.ply < plies:
            after = [position.play(move) for move in position.moves]
            open_ones = [next_ for next_ in after if next_.outcome is None]
            if not open_ones:
                break
            position = chosen.choice(open_ones)
        else:
            found.append(position)
    return found


def everything(game: Game) -> list[Position]:
    """Every position of a small game that is not over."""
    found: dict[int, Position] = {}
    new = [game.start()]
    while new:
        found |= {position.key: position for position in new}
        after = {next_.key: next_ for each in new for m in each.moves if (next_ := each.play(m))}
        new = [next_ for key, next_ in after.items() if next_.outcome is None and key not in found]
    return list(found.values())


@pytest.mark.parametrize(
    "size",
    [
        "1x1x1",
        "2x2x2",
        "1x5x3",
        "5x1x3",
        "3x3x3",
        "4x3x3",
        "3x4x3",
        "4x4x4",
        "2x6x3",
        "6x2x4",
        "5x2x5",
        "2x5x5",
        "7x2x2",
        "3x3x1",
    ],
)
def test_every_position_of_small_boards_agrees_with_brute_force(
    size: str, oracle: BruteForce
) -> None:
    game = mossa.game(f"connect:{size}")
    solver = small(game)
    positions = everything(game)
    for position in random.Random(1).sample(positions, min(len(positions), 1000)):
        assert solver.solve(position).score == oracle.score(position), position.history_text


@pytest.mark.parametrize("size", ["5x4x4", "4x5x4", "4x6x3", "6x4x4", "5x5x5", "3x7x4", "9x2x4"])
def test_late_positions_of_larger_boards_agree_with_brute_force(
    size: str, oracle: BruteForce
) -> None:
    game = mossa.game(f"connect:{size}")
    solver = small(game)
    cells = game.sizes["rows"] * game.sizes["cols"]
    for position in random_positions(game, 100, 5, cells - 9):
        assert solver.solve(position).score == oracle.score(position), position.history_text


@pytest.mark.parametrize("size", ["14x7x4", "7x14x4", "9x9x5", "15x8x4", "8x14x6"])
def test_boards_of_two_words_agree_with_a_search(size: str) -> None:
    game = mossa.game(f"connect:{size}")
    solver = small(game)
    search = mossa.Search(game, "alphabeta", {"memory": "1"})
    cells = game.sizes["rows"] * game.sizes["cols"]
    for position in random_positions(game, 6, 3, cells - 8):
        assert solver.solve(position).score == search.run(position, Limits()).score


with (DATA / "connect-values.csv").open() as file:
    PUBLISHED = list(csv.DictReader(line for line in file if line[0] != "#"))


@pytest.mark.parametrize(
    ("size", "outcome", "last_move"),
    [
        pytest.param(
            f"{row['rows']}x{row['cols']}x{row['k']}",
            row["outcome"],
            int(row["last_move"]),
            marks=[pytest.mark.slow] * (int(row["rows"]) + int(row["cols"]) > 11),
        )
        for row in PUBLISHED
        if row["last_move"] and int(row["rows"]) + int(row["cols"]) <= 12
    ],
)
def test_published_values(size: str, outcome: str, last_move: int) -> None:
    score = Solver(mossa.game(f"connect:{size}"), memory=64, book=None).solve(
        mossa.game(f"connect:{size}").start()
    )
    assert score.score == Exact({"1": 1, "2": -1, "D": 0}[outcome], last_move)


@pytest.mark.slow
def test_connect_4_is_solved() -> None:
    game = mossa.game("connect4")
    solution = Solver(game, memory=1024, threads=2, book=None).solve(game.start())
    assert solution.score == Exact(1, 41)
    assert str(solution.move) == "4"


@functools.cache
def midgame() -> list[tuple[Position, Exact]]:
    game = mossa.game("connect4")
    solver = Solver(game, memory=16, book=None)
    positions = random_positions(game, 150, 7, 16)
    return [(position, solver.solve(position).proven) for position in positions]


def test_threads_and_small_tables_give_the_same_scores() -> None:
    game = mossa.game("connect4")
    for solver in (
        small(game),
        small(game, threads=2),
        Solver(game, memory=16, threads=3, book=None),
    ):
        for position, score in midgame():
            assert solver.solve(position).score == score, position.history_text


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("name", ["kalah:4x4", "kalah:5x3,empty_capture=yes"])
def test_threads_give_the_same_margins(name: str, threads: int) -> None:
    game = mossa.game(name)
    position = game.start()
    chosen = random.Random(3)
    while position.outcome is None:
        one, more = (Solver(game, memory=8, threads=count, tables=None) for count in (1, threads))
        assert more.solve(position).score == one.solve(position).score, position.text
        position = position.play(chosen.choice(position.moves))


@pytest.mark.slow
def test_two_threads_give_the_same_scores_on_a_thousand_positions() -> None:
    game = mossa.game("connect4")
    one, two = (Solver(game, memory=64, threads=count, book=None) for count in (1, 2))
    for position in random_positions(game, 1000, 11, 10):
        assert two.solve(position).score == one.solve(position).score, position.history_text


@pytest.mark.parametrize(
    "tuning",
    [
        {"follow_up": 0},
        {"pairs": 0},
        {"races": 0},
        {"races_empty": 0},
        {"quick_empty": 0},
        {"mirror": 0},
        {"near_empty": 0},
        {"near_kilobytes": 64, "near_empty": 40},
        {"look_up_plies": 99},
        {"nodes_without_tables": 0},
        {"nodes_without_tables": 100_000},
        {"quick": 0, "gallop": 0},
        {"threat": 0, "spent_threat": 0, "centre": 0, "history_most": 0},
        {"prefetch": 0, "large_pages": 0},
        {"portable": 1},
    ],
)
def test_every_part_can_be_left_out(tuning: dict[str, int]) -> None:
    """The scores stay; the technique only saves time."""
    solver = Solver(mossa.game("connect4"), memory=16, tuning=tuning, book=None)
    for position, score in midgame()[30:120]:
        assert solver.solve(position).score == score, position.history_text


def test_a_table_that_grows_keeps_what_it_knows() -> None:
    """It grows several times on the way; afterwards every question is answered from it."""
    game = mossa.game("connect4")
    position = game.position("44444432")
    for threads in (1, 2):
        solver = Solver(game, memory=64, threads=threads, book=None)
        first = solver.solve(position)
        assert first.nodes > 200_000, "too easy to make it grow"
        again = solver.solve(position)
        assert again.score == first.score == Exact(1, 33)
        assert again.nodes < 20
        solver.clear()
        assert solver.solve(position).nodes > 100_000


def test_unknown_parameters_are_refused() -> None:
    with pytest.raises(GameError, match="no parameter speed"):
        Solver(mossa.game("connect4"), tuning={"speed": 9})


def test_mirror_images_have_the_same_score() -> None:
    solver = small("connect4")
    for position, score in midgame()[:60]:
        image = position.game.position("".join(str(8 - int(str(m))) for m in position.history))
        assert solver.solve(image).score == score


def test_moves_and_line_bear_the_score_out() -> None:
    solver = small("connect4")
    for position, score in midgame()[:60]:
        solution = solver.solve(position)
        scores = [one for one in solution.moves.values() if isinstance(one, Exact)]
        assert len(scores) == len(position.moves)
        assert max(scores) == score
        assert solution.moves[solution.line[0]] == score
        assert solution.move == solution.line[0]
        end = position.after(solution.line)
        assert end.outcome is not None
        assert len(solution.line) == score.distance
        value = end.outcome.value * (1 if position.side == mossa.Side.first else -1)
        assert value == score.value


def test_bounds_tighten_until_they_meet() -> None:
    game = mossa.game("connect4")
    position = game.position("44444")
    seen: list[Solution] = []
    solution = Solver(game, memory=16, book=None).solve(position, report=seen.append)
    bounds = [one.score for one in seen]
    assert bounds
    assert all(isinstance(bound, Bound) for bound in bounds)
    for before, after in itertools.pairwise(bounds):
        assert isinstance(before, Bound)
        assert isinstance(after, Bound)
        assert before.low <= after.low <= solution.proven <= after.high <= before.high


def test_limits_keep_the_bounds_found_so_far() -> None:
    game = mossa.game("connect4")
    begin = time.monotonic()
    solution = Solver(game, memory=16, book=None).solve(game.start(), Limits(time=0.2))
    assert time.monotonic() - begin < 2
    assert isinstance(solution.score, Bound)
    assert solution.score.low < Exact(1, 41) < solution.score.high
    assert solution.line == []
    assert solution.move is None
    with pytest.raises(GameError, match="not solved: the score is "):
        solution.proven  # noqa: B018
    few = Solver(game, memory=16, book=None).solve(game.start(), Limits(nodes=10_000))
    assert 10_000 <= few.nodes < 20_000


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_table_takes_no_memory_that_there_is_no_time_for() -> None:
    """It grew in the last milliseconds of a move, which was lost on time."""

    def megabytes() -> float:
        pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    game = mossa.game("connect:10x10x5")
    solver = Solver(game, memory=256)
    before = megabytes()
    while solver.nodes < 3_000_000:
        solver.solve(game.start(), Limits(time=0.01))
    assert megabytes() - before < 9
    solver.solve(game.start(), Limits(nodes=100_000))
    assert megabytes() - before > 15


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stop_token_ends_it(threads: int) -> None:
    game = mossa.game("connect4")
    stop = StopToken()
    threading.Timer(0.2, stop.stop).start()
    begin = time.monotonic()
    solution = Solver(game, memory=16, threads=threads, book=None).solve(game.start(), stop=stop)
    assert time.monotonic() - begin < 5
    assert isinstance(solution.score, Bound)


def test_what_is_proven_is_kept_until_it_is_cleared() -> None:
    solver = Solver(mossa.game("connect4"), memory=16, book=None)
    position = mossa.game("connect4").position("4444453")
    first = solver.solve(position).nodes
    assert solver.solve(position).nodes < first / 10
    solver.clear()
    assert solver.solve(position).nodes == first


def test_other_games_are_searched_to_their_end(oracle: BruteForce) -> None:
    game = mossa.game("tictactoe")
    solution = mossa.solve(game.start(), memory=1)
    assert solution.score == Exact(0, 9)
    assert len(solution.line) == 9
    assert set(solution.moves.values()) == {Exact(0, 9)}
    kalah = mossa.game("kalah:2x2").start()
    assert mossa.solve(kalah, memory=1).score == oracle.score(kalah)
    large = mossa.game("connect:20x20x10")
    solution = small(large).solve(large.start(), Limits(time=0.1))
    assert isinstance(solution.score, Bound)


def test_many_positions_come_back_in_order() -> None:
    positions = [position for position, _ in midgame()] * 3
    scores = [score for _, score in midgame()] * 3
    found = list(mossa.solve_many(iter(positions), memory=8, threads=2))
    assert [solution.score for solution in found] == scores
    assert [solution.position for solution in found] == positions
    assert list(mossa.solve_many([])) == []


def test_many_positions_can_be_given_up() -> None:
    game = mossa.game("connect4")
    positions = (game.start() if i else game.position("121212") for i in itertools.count())
    begin = time.monotonic()
    found = mossa.solve_many(positions, memory=8, threads=2, book=None)
    assert isinstance(next(found).score, Exact)
    found.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begin < 5


def test_a_report_cannot_run_the_solver_it_reports_on() -> None:
    """It waited for itself, for ever."""
    game = mossa.game("connect4")
    solver = small(game)
    with pytest.raises(GameError, match="already running"):
        solver.solve(game.position("44444"), report=lambda _: solver.solve(game.start()))
    assert solver.solve(game.position("121212")).score == Exact(1, 1)


def test_refusals() -> None:
    game = mossa.game("connect4")
    with pytest.raises(GameError, match="invalid memory '0': 1 or more megabytes"):
        Solver(game, memory=0)
    with pytest.raises(GameError, match=r"invalid memory '1000000000': this machine has \d+ MB"):
        Solver(game, memory=10**9)
    with pytest.raises(GameError, match="invalid threads '0': 1 to 256"):
        Solver(game, threads=0)
    over = game.position("1212121")
    with pytest.raises(GameError, match="nothing to solve in connect:6x7x4: the game is over"):
        small(game).solve(over)
    with pytest.raises(
        GameError, match="this solver is for connect:6x7x4, but the position is from mnk"
    ):
        small(game).solve(mossa.game("tictactoe").start())


@pytest.mark.parametrize("name", ["breakthrough:4x2", "breakthrough:4x3", "breakthrough:5x2"])
def test_a_game_without_a_solver_is_searched_to_its_end(name: str, oracle: BruteForce) -> None:
    start = mossa.game(name).start()
    solver = small(name)
    assert not solver.native
    solution = solver.solve(start)
    assert solution.score == oracle.score(start)
    assert {str(move): score for move, score in solution.moves.items()} == oracle.moves(start)
    over = start.after(solution.line)
    assert over.outcome is not None
    assert over.ply == solution.proven.distance


def test_what_is_not_solved_in_time_is_between_the_extremes() -> None:
    for name, worst, best in [
        ("breakthrough:8x8", Exact(-1, 2), Exact(1, 1)),
        ("mnk:30x30x6", Exact(-1, 2), Exact(1, 1)),
    ]:
        solution = small(name).solve(mossa.game(name).start(), Limits(nodes=100))
        assert solution.score == Bound(worst, best)
