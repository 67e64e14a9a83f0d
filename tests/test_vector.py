"""Many games at once: every array against positions that are played one by one."""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
import reference

import mossa
import mossa.vector
from mossa._core import Encoding
from mossa.errors import how_to_install
from mossa.games import KINDS
from mossa.vector import VectorEnv

GAMES = [name for kind in KINDS for name in reference.rules_of(kind).GAMES]
ONE_OF_EACH = ["connect4", "mnk:5x5x4", "kalah:6x4,swap=yes", "oware", "breakthrough:6x5"]


def planes_by_definition(position: mossa.Position) -> Any:
    """What the side to move sees, spelled out."""
    own, other = (0, 1) if position.side is mossa.Side.first else (1, 0)
    cells = position.cells
    if position.game.traits.shape is mossa.Shape.pits:
        return np.array([cells[own], cells[other]])
    board = np.array(cells)
    planes = [board == own + 1, board == other + 1]
    if not position.game.traits.lines:
        planes.append(np.full(board.shape, own == 1))
    return np.stack(planes).astype(int)


def assert_shows(
    env: VectorEnv, observations: Any, info: Any, at: int, now: mossa.Position
) -> None:
    assert np.array_equal(observations[at], planes_by_definition(now))
    assert {env.action(move) for move in now.moves} == {*np.flatnonzero(info["action_mask"][at])}
    assert info["to_move"][at] == (now.side is mossa.Side.second)
    assert env.position(at).key == now.key


@pytest.mark.parametrize("name", GAMES)
def test_steps_are_those_of_positions(name: str) -> None:
    """Random games of all sizes and options, two at a time, for as many steps as stay quick."""
    env = mossa.vector.make(name, count=2)
    game = mossa.game(name)
    observations, info = env.reset(seed=3)
    positions = [game.start(), game.start()]
    wide = observations[0].size > 2000
    for _ in range(5 if wide else 60):
        for at, position in enumerate(positions):
            assert_shows(env, observations, info, at, position)
        actions = env.random_actions()
        movers = [position.side for position in positions]
        positions = [
            position.play(env.move(int(action)))
            for position, action in zip(positions, actions, strict=True)
        ]
        observations, rewards, terminated, truncated, info = env.step(actions)
        assert not truncated.any()
        for at, (position, mover) in enumerate(zip(positions, movers, strict=True)):
            outcome = position.outcome
            assert terminated[at] == (outcome is not None)
            assert info["moved"][at] == (mover is mossa.Side.second)
            if outcome is None:
                assert rewards[at] == 0
            else:
                won = 0 if outcome.winner is None else 1 if outcome.winner is mover else -1
                assert rewards[at] == won
                positions[at] = game.start()


def test_a_game_in_full() -> None:
    env = mossa.vector.make("connect4", count=1)
    observations, info = env.reset(seed=1)
    assert (observations.dtype, observations.shape) == (np.int8, (1, 2, 6, 7))
    for action in (3, 2, 3, 2, 3, 2):
        observations, rewards, terminated, _, info = env.step([action])
        assert (rewards[0], terminated[0]) == (0, False)
    assert observations[0, 0, :, 3].tolist() == [1, 1, 1, 0, 0, 0]  # first is to move: its own
    assert observations[0, 1, :, 2].tolist() == [1, 1, 1, 0, 0, 0]
    observations, rewards, terminated, _, info = env.step([3])
    assert (rewards[0], terminated[0], info["moved"][0]) == (1, True, 0)
    assert not observations.any() and info["action_mask"].all()  # the next game


def test_turns_that_do_not_alternate() -> None:
    env = mossa.vector.make("kalah:6x4", count=1)
    observations, info = env.reset()
    assert (observations.dtype, observations.shape) == (np.int16, (1, 2, 7))
    observations, _, _, _, info = env.step([2])  # the fourth seed falls into the store
    assert (info["moved"][0], info["to_move"][0]) == (0, 0)
    assert observations[0].tolist() == [[4, 4, 0, 5, 5, 5, 1], [4, 4, 4, 4, 4, 4, 0]]
    _, _, _, _, info = env.step([0])
    assert (info["moved"][0], info["to_move"][0]) == (0, 1)


def test_arrays_are_the_same_every_time() -> None:
    env = mossa.vector.make("connect4", count=3)
    observations, info = env.reset()
    before = observations.copy()
    again, rewards, terminated, truncated, info_again = env.step([0, 1, 2])
    assert again is observations and info_again["action_mask"] is info["action_mask"]
    assert (observations != before).any()
    held = env.step([0, 1, 2])
    del env, again, rewards, terminated, truncated, info, info_again, observations
    gc.collect()
    assert held[0].sum() == 6  # they keep their memory alive


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_threads_and_seeds_change_nothing_else(name: str) -> None:
    def play(threads: int, seed: int) -> list[Any]:
        env = mossa.vector.make(name, count=1600, threads=threads, random_plies=4)
        seen = [env.reset(seed=seed)[0].copy()]
        for _ in range(12):
            actions = env.random_actions()
            observations, rewards, terminated, _, info = env.step(actions)
            seen += [actions, *(each.copy() for each in (observations, rewards, terminated))]
            seen += [info["action_mask"].copy(), info["to_move"].copy()]
        return seen

    one, three, other = play(1, 7), play(3, 7), play(1, 8)
    assert all(np.array_equal(a, b) for a, b in zip(one, three, strict=True))
    assert any(not np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_games_differ_and_resets_without_a_seed_do_too() -> None:
    env = mossa.vector.make("mnk:15x15x5", count=2, random_plies=10)
    texts = set()
    for _ in range(5):
        env.reset()
        texts |= {env.position(0).text, env.position(1).text}
    assert len(texts) > 5


@pytest.mark.parametrize("name", ["tictactoe", "kalah:1x1", "connect:1x4x1", "breakthrough:4x2"])
def test_random_plies_never_begin_with_a_finished_game(name: str) -> None:
    env = mossa.vector.make(name, count=200, random_plies=1000)
    _, info = env.reset(seed=1)
    for _ in range(20):
        assert info["action_mask"].any(axis=1).all()
        _, _, _, _, info = env.step(env.random_actions())


def test_random_plies_are_none_to_so_many() -> None:
    env = mossa.vector.make("connect4", count=4000, random_plies=4)
    observations, _ = env.reset(seed=2)
    plies = observations.reshape(4000, -1).sum(axis=1)
    assert {*plies.tolist()} == {0, 1, 2, 3, 4}
    assert all(700 < (plies == each).sum() < 900 for each in range(5))


def test_random_actions_are_equally_likely() -> None:
    env = mossa.vector.make("connect4", count=7000)
    env.reset(seed=5)
    counts = np.bincount(env.random_actions(), minlength=7)
    assert counts.min() > 850 and counts.max() < 1150


def test_what_is_not_asked_for_is_not_there() -> None:
    env = mossa.vector.make("connect4", count=2, observe=False, mask=False)
    observations, info = env.reset()
    assert observations is None and set(info) == {"to_move", "moved"}
    assert env.step([0, 1])[1].tolist() == [0, 0]


# --- what is refused ------------------------------------------------------------------------------


def test_an_illegal_action_changes_nothing() -> None:
    env = mossa.vector.make("connect:2x3x3", count=3)
    env.reset()
    env.step([0, 1, 1])
    env.step([1, 1, 2])
    observations, rewards, terminated, _, info = env.step([2, 0, 0])
    before = [x.copy() for x in (observations, rewards, terminated, info["action_mask"])]
    texts = [env.position(at).text for at in range(3)]
    with pytest.raises(mossa.IllegalMoveError) as caught:
        env.step([0, 1, 0])
    assert str(caught.value) == (
        "illegal action 1 in game 1 of connect:2x3x3: it means 2, but column 2 is full; legal: 0 2"
    )
    for action in (3, -1, 2**62):
        with pytest.raises(mossa.IllegalMoveError, match=f"action {action} in game 2.*0 to 2$"):
            env.step([0, 0, action])
    after = (observations, rewards, terminated, info["action_mask"])
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))
    assert texts == [env.position(at).text for at in range(3)]
    env.step([0, 0, 0])  # it goes on


def test_the_first_illegal_action_is_named_with_threads_too() -> None:
    env = mossa.vector.make("connect:1x4x2", count=4096, threads=4)
    env.reset()
    env.step(np.zeros(4096, int))
    actions = np.ones(4096, int)
    actions[[1000, 3000]] = 0
    with pytest.raises(mossa.IllegalMoveError, match="action 0 in game 1000 of"):
        env.step(actions)


def test_illegal_actions_of_other_games() -> None:
    env = mossa.vector.make("breakthrough", count=1)
    env.reset()
    with pytest.raises(mossa.IllegalMoveError, match=r"action 0 in .*: it leads off the board; le"):
        env.step([0])
    with pytest.raises(
        mossa.IllegalMoveError, match=r"it means a1a2, but a2 is taken.*legal: .* \.\.\."
    ):
        env.step([6])
    env = mossa.vector.make("kalah", count=1)
    env.reset()
    env.step([5])
    env.step([0])
    with pytest.raises(
        mossa.IllegalMoveError, match="it means 6, but pit 6 is empty; legal: 0 1 2 3 4"
    ):
        env.step([5])


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([0], "expected one for each of 2 games, not 1"),
        ([0, 1, 2], "expected one for each of 2 games, not 3"),
        ([0.0, 1.0], "expected 2 whole numbers in one array, not float64 of shape"),
        ([[0, 1]], r"not int64 of shape \(1, 2\)"),
        (3, r"not int64 of shape \(\)"),
        (["a", "b"], "whole numbers in one array, not <U1"),
        (None, "whole numbers in one array, not object"),
        ([True, False], "not bool"),
    ],
)
def test_what_are_no_actions(actions: Any, said: str) -> None:
    env = mossa.vector.make("connect4", count=2)
    env.reset()
    with pytest.raises(mossa.GameError, match=said) as caught:
        env.step(actions)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, np.int64])
def test_whole_numbers_of_any_width_are_actions(dtype: Any) -> None:
    env = mossa.vector.make("connect4", count=4)
    env.reset()
    env.step(np.arange(8, dtype=dtype)[::2])  # not contiguous either
    assert env.position(3).text.endswith("......x")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"count": 0}, "invalid count '0': expected 1 to 1048576"),
        ({"count": -1}, "invalid count '-1': expected 1 to"),
        ({"count": 2.5}, "invalid count '2.5': expected a whole number"),
        ({"count": True}, "invalid count 'True': expected a whole number"),
        ({"count": 2**20 + 1}, "invalid count '1048577'"),
        ({"threads": 0}, "invalid threads '0': expected 1 to 256"),
        ({"random_plies": -1}, "invalid random_plies '-1': expected 0 to 1000"),
        ({"name": "mnk:100x100x5", "count": 2**20}, "4 GiB, enough for 143165 games"),
        ({"name": "conect4"}, "unknown game 'conect4': did you mean 'connect4'?"),
    ],
)
def test_what_cannot_be_made(wrong: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {"name": "connect4", "count": 1, **wrong}
    with pytest.raises(mossa.GameError) as caught:
        mossa.vector.make(given.pop("name"), **given)
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_calls_out_of_order() -> None:
    env = mossa.vector.make("connect4", count=2)
    for call in (lambda: env.step([0, 0]), env.random_actions):
        with pytest.raises(mossa.GameError, match=r"no games to step yet: call reset\(\) first"):
            call()
    for seed, said in ((-1, "expected 0 to"), (2**64, "expected 0 to"), (1.5, "whole number")):
        with pytest.raises(mossa.GameError, match=f"invalid seed '{seed}': .*{said}"):
            env.reset(seed=seed)  # type: ignore[arg-type]
    with pytest.raises(mossa.GameError, match="reset takes none"):
        env.reset(options={"a": 1})
    env.reset()
    for index in (2, -1):
        with pytest.raises(mossa.GameError, match=f"invalid game '{index}': expected 0 to 1"):
            env.position(index)


def test_several_threads_may_step_one_environment() -> None:
    """They take turns; an illegal action is refused, and nothing else happens."""
    env = mossa.vector.make("mnk:3x3x3", count=512)
    env.reset(seed=1)

    def play() -> None:
        for _ in range(50):
            with suppress(mossa.IllegalMoveError):
                env.step(env.random_actions())

    players = [threading.Thread(target=play) for _ in range(4)]
    for each in players:
        each.start()
    for each in players:
        each.join()
    env.step(env.random_actions())


def test_without_numpy_there_is_one_clear_line() -> None:
    program = "import sys; sys.modules['numpy'] = None; import mossa.vector"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    last = done.stderr.splitlines()[-1]
    assert last == f"ModuleNotFoundError: mossa.vector needs numpy: {how_to_install('vector')}"


# --- actions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "count", "moves"),
    [
        ("connect4", 7, {"1": 0, "7": 6}),
        ("mnk:3x4x3", 12, {"a1": 0, "d1": 3, "a2": 4, "d3": 11}),
        ("kalah:6x4", 6, {"1": 0, "6": 5}),
        ("kalah:6x4,swap=yes", 7, {"6": 5, "swap": 6}),
        ("oware", 6, {"1": 0}),
        ("breakthrough:5x4", 160, {"a2a3": 4 * 8 + 6, "b1c2": 8 + 7, "d4c3": 15 * 8}),
    ],
)
def test_the_numbers_of_moves(name: str, count: int, moves: dict[str, int]) -> None:
    encoding = Encoding(mossa.game(name))
    assert encoding.actions == count
    for text, action in moves.items():
        assert encoding.action(mossa.Move(text)) == action
        assert encoding.move(action) == mossa.Move(text)
    known = [encoding.move(action) for action in range(count)]
    assert all(move is None or encoding.action(move) == at for at, move in enumerate(known))
    assert encoding.move(-1) is None and encoding.move(count) is None


@pytest.mark.parametrize(
    ("name", "move"),
    [
        ("connect4", "8"),
        ("connect4", "a1"),
        ("kalah", "swap"),
        ("mnk:3x3x3", "d1"),
        ("oware", "a1a2"),
        ("breakthrough", "a2a4"),
        ("breakthrough", "a1"),
    ],
)
def test_moves_without_a_number(name: str, move: str) -> None:
    with pytest.raises(mossa.GameError, match=f"'{move}'"):
        Encoding(mossa.game(name)).action(mossa.Move(move))


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_one_position_as_numbers(name: str) -> None:
    game = mossa.game(name)
    position = game.start()
    while position.outcome is None and position.ply < 9:
        encoding = Encoding(game)
        assert np.array_equal(encoding.planes(position), planes_by_definition(position))
        legal = {encoding.move(int(at)) for at in np.flatnonzero(encoding.mask(position))}
        assert legal == {*position.moves}
        position = position.play(position.moves[position.ply % len(position.moves)])
    with pytest.raises(mossa.GameError, match="of another game"):
        encoding.planes(mossa.game("mnk:4x4x3").start())


def test_positions_of_an_environment_can_be_kept() -> None:
    env = mossa.vector.make("oware", count=1)
    env.reset(seed=1)
    for _ in range(5):
        env.step(env.random_actions())
    position = env.position(0)
    assert pickle.loads(pickle.dumps(position)) == position
