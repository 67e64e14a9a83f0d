"""Our games in OpenSpiel, its games beside ours, and players of both on either side."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

import mossa

pyspiel: Any = pytest.importorskip("pyspiel", reason="needs OpenSpiel: mossa[adapters]")

from open_spiel.python import policy  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from mossa.adapters import openspiel as adapter  # noqa: E402
from mossa.adapters.openspiel_games import GAMES, theirs_for  # noqa: E402

OURS = [
    "connect4",
    "mnk:5x5x4",
    "kalah",
    "kalah:4x3,swap=yes,end=mover",
    "oware",
    "breakthrough:5x4",
]


# --- our games there ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OURS)
def test_their_test(name: str) -> None:
    pyspiel.random_sim_test(adapter.load_game(name), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("name", OURS)
def test_a_game_by_its_text(name: str) -> None:
    game = adapter.load_game(name)
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game) and again.seen.game == mossa.game(name)
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[-1])
    copy = pickle.loads(pickle.dumps(state))
    assert copy.history() == state.history() and copy.position == state.position


def test_states() -> None:
    state = adapter.load_game("connect4").new_initial_state()
    assert state.legal_actions() == [0, 1, 2, 3, 4, 5, 6]
    assert [state.action_to_string(0, each) for each in (0, 6)] == ["1", "7"]
    for action in (3, 2, 3, 2, 3, 2):
        state.apply_action(action)
    other = state.clone()
    state.apply_action(3)
    assert state.is_terminal() and state.returns() == [1, -1]
    assert not other.is_terminal() and other.returns() == [0, 0]
    assert "x" in str(state).lower()


def test_observations() -> None:
    game = adapter.load_game("connect4")
    state = game.new_initial_state()
    state.apply_action(3)
    seen = make_observation(game)
    seen.set_from(state, 0)
    assert seen.dict["observation"].shape == (2, 6, 7) and seen.dict["observation"][0, 0, 3] == 1
    seen.set_from(state, 1)
    assert seen.dict["observation"][1, 0, 3] == 1 and seen.tensor.sum() == 1
    assert seen.string_from(state, 1) == state.position.text


def test_games_that_are_none() -> None:
    with pytest.raises(mossa.InvalidGameError, match="did you mean 'connect4'"):
        adapter.load_game("conect4")


# --- their games beside ours ----------------------------------------------------------------------

THEIRS: list[tuple[str, dict[str, int]]] = [
    ("connect_four", {}),
    ("connect_four", {"rows": 5, "columns": 8, "x_in_row": 5}),
    ("tic_tac_toe", {}),
    ("mnk", {"m": 6, "n": 4, "k": 4}),
    ("mancala", {}),
    ("oware", {}),
    ("oware", {"num_houses_per_player": 4, "num_seeds_per_house": 3}),
    ("breakthrough", {}),
    ("breakthrough", {"rows": 6, "columns": 5}),
]


def compare(name: str, parameters: dict[str, int], games: int) -> None:
    """Play random games in both; legal moves, turns, ends and returns must agree."""
    chance = random.Random(1)
    kind, theirs = GAMES[name], pyspiel.load_game(name, parameters)
    start = adapter.position_of(theirs.new_initial_state())
    for _ in range(games):
        state, position = theirs.new_initial_state(), start
        while position.outcome is None:
            assert not state.is_terminal(), state
            assert state.current_player() == (position.side is mossa.Side.second)
            actions = state.legal_actions()
            assert actions == sorted(kind.action(position, move) for move in position.moves)
            action = chance.choice(actions)
            position = position.play(kind.move(position, action))
            state.apply_action(action)
        assert state.is_terminal(), state
        winner = position.outcome.winner
        won = 0 if winner is None else 1 if winner is mossa.Side.first else -1
        assert state.returns() == [won, -won], state


@pytest.mark.parametrize(("name", "parameters"), THEIRS)
def test_same_rules(name: str, parameters: dict[str, int]) -> None:
    compare(name, parameters, 30)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parameters"), THEIRS)
def test_same_rules_in_many_games(name: str, parameters: dict[str, int]) -> None:
    compare(name, parameters, 10_000)


def test_which_game_of_theirs_is_ours() -> None:
    for name, parameters in THEIRS:
        state = pyspiel.load_game(name, parameters).new_initial_state()
        found = theirs_for(adapter.position_of(state).game)
        assert found is not None
        again = pyspiel.load_game(found[0].name, dict(found[1])).new_initial_state()
        assert str(again) == str(state)
    for ours in ("kalah:6x4,end=mover", "kalah:6x3", "oware:6x4", "mnk:15x15x5,exact=yes"):
        assert theirs_for(mossa.game(ours)) is None


# --- our players there ----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "parameters"), THEIRS)
def test_our_players_win_their_games(name: str, parameters: dict[str, int]) -> None:
    game = pyspiel.load_game(name, parameters)
    bots = [adapter.bot("alphabeta:depth=3"), pyspiel.make_uniform_random_bot(1, 3)]
    results = [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed) for seed in range(4)]
    assert sum(first for first, _ in results) >= 2
    bots = [pyspiel.make_uniform_random_bot(0, 3), adapter.bot("random:seed=1")]
    assert sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)) == 0


def test_our_players_in_our_games_there() -> None:
    game = adapter.load_game("kalah:4x3")
    bots = [adapter.bot("minimax:depth=4"), adapter.bot("random:seed=1")]
    assert pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)[0] == 1


def test_a_game_that_we_do_not_have() -> None:
    with pytest.raises(mossa.GameError, match=r"no game like OpenSpiel's chess: .* connect_four, "):
        adapter.bot("random").step(pyspiel.load_game("chess").new_initial_state())
    with pytest.raises(mossa.GameError, match="gravity"):
        adapter.bot("gravity").step(pyspiel.load_game("mancala").new_initial_state())


# --- their players here ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["connect4", "kalah", "oware,majority=yes", "kalah:3x2,swap=yes"])
def test_their_search_beats_chance_here(game: str) -> None:
    spec = "openspiel:mcts,simulations=100,seed=1"
    won = sum(mossa.match(spec, f"random:seed={seed}", game).result == "1-0" for seed in range(4))
    assert won >= 3


def test_specs() -> None:
    start = mossa.game("connect4").start()
    moves = [
        mossa.player("openspiel:uniform_random,seed=5").choose(start, mossa.Limits()).move
        for _ in range(2)
    ]
    assert moves[0] == moves[1]
    assert mossa.player("openspiel").name == "openspiel"
    for wrong, said in (
        ("openspiel:alphazero", "invalid value 'alphazero' of 'bot'.*one of mcts, uniform_random"),
        ("openspiel:mcts,simulations=0", "invalid value '0' of 'simulations'"),
        ("openspiel:mcts,depth=3", "takes bot, simulations, seed"),
    ):
        with pytest.raises(mossa.InvalidPlayerError, match=said):
            mossa.player(wrong)


def test_it_obeys_limits() -> None:
    player = mossa.player("openspiel:mcts,simulations=10000000,seed=1")
    player.choose(mossa.game("connect4").start(), mossa.Limits(time=0.05))
    player.choose(mossa.game("connect4").start(), mossa.Limits(iterations=10))


def test_positions_that_were_set_up() -> None:
    position = mossa.game("connect:2x3x3").from_text(".../xo.").play("3")
    assert position.outcome is None
    for bot in ("mcts,simulations=20", "uniform_random"):
        assert mossa.player(f"openspiel:{bot}").choose(position, mossa.Limits()).move


@pytest.mark.parametrize("theirs", [True, False])
def test_policies(theirs: bool) -> None:
    game = pyspiel.load_game("connect_four") if theirs else adapter.load_game("connect4")
    player = adapter.player(policy.UniformRandomPolicy(game), name="uniform", seed=3)
    assert player.name == "uniform"
    record = mossa.match(player, "random:seed=1", "connect4")
    assert record.result in ("1-0", "0-1", "1/2-1/2")


def test_bots() -> None:
    first = adapter.player(pyspiel.make_uniform_random_bot(0, 3))
    assert mossa.match(first, "random:seed=1", "connect4").result in ("1-0", "0-1", "1/2-1/2")
    with pytest.raises(
        mossa.InvalidPlayerError, match="is not an OpenSpiel player: expected a bot"
    ):
        adapter.player(object())


def test_a_policy_that_is_wrong_loses_with_a_reason() -> None:
    class Wrong:
        def step(self, state: Any) -> int:
            return 99

    record = mossa.match(adapter.player(Wrong()), "random", "connect4")
    assert record.result == "0-1"


def test_arrays_are_those_of_the_vector() -> None:
    import mossa.vector

    env = mossa.vector.make("connect4", count=1)
    env.reset(seed=1)
    observations, _, _, _, info = env.step([3])
    game = adapter.load_game("connect4")
    state = game.new_initial_state()
    state.apply_action(3)
    seen = make_observation(game)
    seen.set_from(state, 1)
    assert np.array_equal(seen.dict["observation"], observations[0])
    assert state.legal_actions_mask() == info["action_mask"][0].astype(int).tolist()
