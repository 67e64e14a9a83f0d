"""A game against one of our players in Gymnasium."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import mossa

gymnasium: Any = pytest.importorskip("gymnasium", reason="needs Gymnasium: mossa[adapters]")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from mossa.adapters import gymnasium as adapter  # noqa: E402

GAMES = ["connect4", "mnk:5x5x4", "kalah", "kalah:4x3,swap=yes", "oware", "breakthrough:5x4"]


@pytest.mark.parametrize("side", ["first", "second", "random"])
@pytest.mark.parametrize("game", GAMES)
def test_their_check(game: str, side: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*alternative render modes")
        check_env(adapter.make(game, opponent="random", side=side, illegal="lose"))
    check_env(adapter.make(game, opponent="level:1", side=side, illegal="lose"))


@pytest.mark.parametrize("game", GAMES)
def test_whole_games(game: str) -> None:
    """Both sides of many games: rewards are the agent's, turns are its own."""
    env = adapter.make(game, opponent="random", side="random", render_mode="ansi")
    seen = set()
    for seed in range(20):
        observation, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            assert env.observation_space.contains(observation)
            assert env.position.side.name == info["side"]
            action = env.action_space.sample(info["action_mask"])
            observation, reward, terminated, truncated, info = env.step(action)
            assert not truncated
        outcome = env.position.outcome
        assert outcome is not None
        winner = outcome.winner and outcome.winner.name
        assert reward == (0 if winner is None else 1 if winner == info["side"] else -1)
        assert not info["action_mask"].any() or info["side"] == env.position.side.name
        seen |= {info["side"]}
        assert mossa.game(game).position(info["moves"]) == env.position
        text = env.render()
        assert text and "\n" in text
    assert seen == {"first", "second"}


def test_the_same_seed_is_the_same_game() -> None:
    def play(seed: int) -> str:
        env = adapter.make("connect4", opponent="random")
        _, info = env.reset(seed=seed)
        for action in (0, 1, 2):
            _, _, _, _, info = env.step(action)
        return str(info["moves"])

    assert play(1) == play(1)
    assert len({play(seed) for seed in range(5)}) > 1


def test_an_opponent_of_your_own() -> None:
    env = adapter.make("connect4", opponent=lambda position: position.moves[-1], side="second")
    _, info = env.reset()
    assert info["moves"] == "7"
    _, _, _, _, info = env.step(0)
    assert info["moves"] == "7 1 7"


def test_illegal_actions() -> None:
    def fill(env: Any) -> None:
        env.reset()
        env.step(0)

    strict = adapter.make("connect:2x3x3", opponent=lambda position: position.moves[0])
    fill(strict)
    for action in (0, 3, -1):
        with pytest.raises(mossa.IllegalMoveError):
            strict.step(action)
    strict.step(2)  # nothing has changed
    lenient = adapter.make(
        "connect:2x3x3", opponent=lambda position: position.moves[0], illegal="lose"
    )
    fill(lenient)
    _, reward, terminated, _, info = lenient.step(0)
    assert (reward, terminated, info["illegal"]) == (-1, True, True)
    with pytest.raises(mossa.GameError, match=r"the game is over: call reset\(\)"):
        lenient.step(1)


def test_step_before_reset() -> None:
    with pytest.raises(mossa.GameError, match=r"call reset\(\) before step\(\)"):
        adapter.make("connect4").step(0)


def test_an_opponent_that_fails() -> None:
    env = adapter.make("connect4", opponent=lambda position: "99")
    env.reset()
    with pytest.raises(mossa.PlayerFailedError, match="illegal move '99'"):
        env.step(0)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"side": "third"}, "invalid side 'third': expected first, second, random"),
        ({"illegal": "no"}, "invalid illegal 'no': expected raise, lose"),
        ({"render_mode": "human"}, "invalid render_mode 'human': expected None, ansi"),
        ({"opponent": "gravity", "game": "kalah"}, "gravity is for connect only"),
        ({"opponent": "levl:3"}, "did you mean 'level'"),
        ({"game": "conect4"}, "did you mean 'connect4'"),
    ],
)
def test_what_cannot_be_made(wrong: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {"game": "connect4", **wrong}
    with pytest.raises(mossa.GameError, match=said):
        adapter.make(given.pop("game"), **given)


def test_masks_for_sb3() -> None:
    env = adapter.make("connect4", opponent="random")
    env.reset()
    assert env.action_masks().tolist() == [True] * 7
