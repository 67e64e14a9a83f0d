"""What all adapters share, and what they say when a framework is missing."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

import mossa
from mossa.adapters.seen import Seen, reward, seeded
from mossa.errors import how_to_install
from mossa.web.opponents import check_spec, served_kinds

FIRST, SECOND = mossa.Side.first, mossa.Side.second


def test_either_side_sees_its_own_first() -> None:
    seen = Seen("connect4")
    position = mossa.game("connect4").position("441")
    mine, yours = seen.planes(position, SECOND), seen.planes(position, FIRST)
    assert mine[0].sum() == 1 and yours[0].sum() == 2
    assert np.array_equal(mine[[1, 0]], yours)
    assert seen.mask(position, SECOND).tolist() == [1] * 7
    assert not seen.mask(position, FIRST).any()


def test_the_third_plane_is_the_same_for_both() -> None:
    seen = Seen("breakthrough")
    position = mossa.game("breakthrough").position("a2a3")
    assert seen.planes(position, FIRST)[2].all() and seen.planes(position, SECOND)[2].all()
    assert not seen.planes(seen.start, SECOND)[2].any()


def test_rewards() -> None:
    won = mossa.game("connect4").position("1122334")
    assert (reward(won, FIRST), reward(won, SECOND)) == (1, -1)
    assert reward(mossa.game("connect4").start(), FIRST) == 0


@pytest.mark.parametrize(
    ("spec", "with_seed"),
    [
        ("random", "random:seed=7"),
        ("level:3", "level:3,seed=7"),
        ("random:seed=1", "random:seed=1"),
        ("minimax:depth=2", "minimax:depth=2"),
        ("bots.py:mine", "bots.py:mine"),
    ],
)
def test_seeds_for_those_who_take_one(spec: str, with_seed: str) -> None:
    assert seeded(spec, 7) == with_seed


@pytest.mark.parametrize("action", [-1, 7, 2**70, "x", None, 1.5, float("nan")])
def test_what_is_no_action(action: object) -> None:
    seen = Seen("connect4")
    with pytest.raises(mossa.IllegalMoveError) as caught:
        seen.play(seen.start, action)
    assert "\n" not in str(caught.value)


def test_an_action_of_a_full_column() -> None:
    seen = Seen("connect:1x3x3")
    with pytest.raises(mossa.IllegalMoveError, match=r"illegal move '1' .*column 1 is full"):
        seen.play(seen.play(seen.start, np.int64(0)), 0)


def test_it_can_be_sent_to_other_processes() -> None:
    seen = pickle.loads(pickle.dumps(Seen("kalah:4x3,swap=yes")))
    assert (str(seen.game), seen.actions, seen.highest) == ("kalah:4x3,swap=yes", 5, 24)


@pytest.mark.parametrize(
    ("module", "package"),
    [("gymnasium", "gymnasium"), ("pettingzoo", "pettingzoo"), ("openspiel", "pyspiel")],
)
def test_a_missing_framework_is_one_clear_line(module: str, package: str) -> None:
    program = f"import sys; sys.modules['{package}'] = None; import mossa.adapters.{module}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ModuleNotFoundError: mossa.adapters.{module} needs ")
    assert last.endswith(how_to_install("adapters"))


def test_no_server_offers_what_it_cannot_stop() -> None:
    assert "openspiel" not in served_kinds() and "random" in served_kinds()
    with pytest.raises(mossa.InvalidPlayerError, match="unknown player 'openspiel:mcts': choose"):
        check_spec("openspiel:mcts")


def test_a_player_of_a_missing_framework_is_one_clear_line() -> None:
    program = (
        "import sys; sys.modules['pyspiel'] = None\nimport mossa\n"
        "try: mossa.player('openspiel:mcts')\n"
        "except mossa.InvalidPlayerError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.startswith(
        "invalid player 'openspiel:mcts': a bot of OpenSpiel needs open_spiel, which is not "
        "installed: pip install"
    )
