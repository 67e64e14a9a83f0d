"""How long a solver is let try: as long as it will probably finish."""

from __future__ import annotations

import pytest

import mossa
from mossa import Exact, Limits, Solver
from mossa.players.engine import NEEDS, Engine
from mossa.players.prospects import FIRST_SLICE, MOST, Need, Slices

NEED = Need(least_left=4, doubling=1.5, steepness=1.0)


def shares(left: int, nodes: int, need: Need = NEED) -> list[float]:
    """The slices of a solver that never finishes, where all the limits are so many nodes."""
    slices, taken = Slices(need, left), []
    for share in slices:
        taken.append(share)
        slices.spend(int(share * nodes))
    return taken


def test_half_of_the_positions_need_no_more_than_the_median() -> None:
    assert NEED.chance(19, 0, 2**10) == pytest.approx(0.5)
    assert NEED.chance(22, 0, 2**12) == pytest.approx(0.5)


def test_chances_add_up() -> None:
    """To fail with a few nodes and then with some more is to fail with all of them."""
    first, then = NEED.chance(30, 0, 5000), NEED.chance(30, 5000, 70_000)
    assert (1 - first) * (1 - then) == pytest.approx(1 - NEED.chance(30, 0, 75_000))


def test_a_solver_gets_more_the_likelier_it_is_to_finish() -> None:
    sums = [sum(shares(left, 100_000)) for left in (100, 45, 36, 32, 28, 20)]
    assert sums == sorted(sums)
    assert sums[0] == FIRST_SLICE  # nothing to hope for
    assert sums[-1] == pytest.approx(MOST)


def test_more_nodes_reach_further() -> None:
    assert len(shares(34, 10_000)) < len(shares(34, 400_000)) < len(shares(34, 20_000_000))


def test_slices_double_and_end_with_what_is_left() -> None:
    taken = shares(20, 100_000)
    assert taken[:-1] == pytest.approx([FIRST_SLICE * 2**at for at in range(len(taken) - 1)])
    assert taken[-1] <= 2 * taken[-2]


@pytest.mark.parametrize("left", [1, 10_000])
def test_no_board_is_too_small_or_too_large(left: int) -> None:
    assert FIRST_SLICE <= sum(shares(left, 1)) <= MOST + 1e-9
    assert sum(shares(left, 10**18)) <= MOST + 1e-9


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("connect:6x7x4", "4 4 4 4 4 2 4 3 3 3 5 5 2"),
        ("kalah:4x4", "3 4 2"),
        ("mnk:6x6x5", "c3 d4"),
    ],
)
def test_it_plays_what_it_solves(name: str, moves: str) -> None:
    """And agrees with a solver that has all the time it needs."""
    position = mossa.game(name).position(moves)
    info = Engine(memory=16, book=False).choose(position, Limits(nodes=2_000_000)).info
    assert info is not None and isinstance(info.score, Exact)
    assert info.score.value == Solver(position.game, memory=16).solve(position).proven.value


@pytest.mark.parametrize("name", ["connect:8x8x5", "connect:10x10x5", "kalah:6x6", "mnk:10x10x5"])
def test_a_hopeless_solver_leaves_the_time_to_the_search(name: str) -> None:
    """All but a little: the search is as deep as it would be without a solver."""
    start = mossa.game(name).start()
    engine = Engine(memory=16, book=False)
    info = engine.choose(start, Limits(nodes=20_000)).info
    assert info is not None and info.nodes <= 20_000
    need = NEEDS[start.game.traits.shape]
    assert sum(shares(start.left_to_play, 20_000, need)) == FIRST_SLICE
