"""Both sides of a game as agents of PettingZoo."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import mossa

pytest.importorskip("pettingzoo", reason="needs PettingZoo: mossa[adapters]")

from pettingzoo.test import api_test, seed_test

from mossa.adapters import pettingzoo as adapter

GAMES = ["connect4", "mnk:5x5x4", "kalah", "kalah:4x3,swap=yes", "oware", "breakthrough:5x4"]


@pytest.mark.parametrize("game", GAMES)
def test_their_tests(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that an observation is a dict, and an empty board empty
        api_test(adapter.env(game), num_cycles=200)
        seed_test(lambda: adapter.env(game), num_cycles=20)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES)
def test_whole_games(game: str) -> None:
    env = adapter.env(game, render_mode="ansi")
    for seed in range(5):
        env.reset(seed=seed)
        for agent in env.agents:
            env.action_space(agent).seed(seed)
        got = {"player_0": 0.0, "player_1": 0.0}
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            got[agent] += reward
            assert not truncation
            if termination:
                env.step(None)
                continue
            assert agent == f"player_{int(env.unwrapped.position.side is mossa.Side.second)}"
            env.step(env.action_space(agent).sample(observation["action_mask"]))
        outcome = env.unwrapped.position.outcome
        won = 0 if outcome.winner is None else 1 if outcome.winner is mossa.Side.first else -1
        assert got == {"player_0": won, "player_1": -won}
        assert "\n" in env.render()


def test_a_side_may_move_twice() -> None:
    env = adapter.env("kalah:6x4")
    env.reset()
    env.step(2)
    assert env.agent_selection == "player_0"
    assert not env.observe("player_1")["action_mask"].any()


def test_illegal_actions(capsys: pytest.CaptureFixture[str]) -> None:
    env = adapter.env("connect:1x3x3")
    env.reset()
    env.step(0)
    env.step(0)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards["player_1"] == -1
    raw: Any = adapter.MossaAEC("connect:1x3x3")
    raw.reset()
    raw.step(0)
    with pytest.raises(mossa.IllegalMoveError, match="column 1 is full"):
        raw.step(0)
    raw.step(1)  # nothing has changed


def test_what_cannot_be_made() -> None:
    with pytest.raises(mossa.GameError, match="invalid render_mode 'human': expected None, ansi"):
        adapter.env("connect4", render_mode="human")
    with pytest.raises(mossa.InvalidGameError, match="did you mean 'connect4'"):
        adapter.env("conect4")
