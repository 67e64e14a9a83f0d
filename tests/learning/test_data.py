"""From games to targets: what points are worth, and what is mixed with what."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from mossa.learning.data import DECIDED, HELD_OUT, Games, Scale, fit_scale
from mossa.learning.selfplay import Task, play_game
from mossa.learning.shards import Played, Sample, ShardWriter

TASK = Task("mnk:3x3x3", "alphabeta:depth=1", 50, 0.5, 0, "1 1", range(0))


def shard(path: Path, games: list[Played], name: str = "mnk:3x3x3", player: str = "x") -> Path:
    with ShardWriter(path, name, player, again="") as writer:
        writer.add(games)
    return path


# --- what points are worth ------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [Scale(0.01, 0.1), Scale(0.2, 1.5), Scale(0.0007, 0.4)])
def test_a_scale_is_found_again(scale: Scale) -> None:
    rng = np.random.default_rng(1)
    points = rng.normal(0, 1.5 / scale.steepness, 20_000)
    chances = scale.chances(points)
    drawn = rng.random(len(points))
    results = (drawn[:, None] > chances.cumsum(1)).sum(1)
    found = fit_scale(points, results)
    assert found.steepness == pytest.approx(scale.steepness, rel=0.1)
    assert found.caution == pytest.approx(scale.caution, rel=0.2)


def test_each_player_has_points_of_its_own(tmp_path: Path) -> None:
    """Those of a network are worth less than those of the evaluation that it replaced."""
    rng = np.random.default_rng(1)

    def games(steepness: float) -> list[Played]:
        found = []
        for number in range(3000):
            points = float(rng.normal(0, 1.5 / steepness))
            won = rng.random() < Scale(steepness, 0.001).chances(np.array([points]))[0, 0]
            moves = "b2 a1" if won else "b2 c1"
            found.append(Played(number, moves, 1 if won else -1, 0, (Sample(0, points),)))
        return found

    paths = [
        shard(tmp_path / "a.shard", games(0.01), player="by hand"),
        shard(tmp_path / "b.shard", games(0.001), player="network"),
    ]
    scales = Games(paths, mix=0.5).scales
    assert scales["mnk:3x3x3", "by hand"].steepness == pytest.approx(0.01, rel=0.15)
    assert scales["mnk:3x3x3", "network"].steepness == pytest.approx(0.001, rel=0.15)


def test_chances_are_chances() -> None:
    points = np.array([-math.inf, -1000.0, -1.0, 0.0, 1.0, 1000.0, math.inf])
    chances = Scale().chances(points)
    assert chances.sum(1) == pytest.approx(np.ones(7))
    assert (np.diff(chances[:, 0]) >= 0).all()
    assert chances[::-1, 2] == pytest.approx(chances[:, 0])
    assert chances[0] == pytest.approx([0, 0, 1])
    assert chances[-1] == pytest.approx([1, 0, 0])


def test_without_games_there_is_a_scale() -> None:
    assert fit_scale(np.array([]), np.array([], np.int64)) == Scale()


# --- targets --------------------------------------------------------------------------------------


def test_targets_mix_search_and_outcome(tmp_path: Path) -> None:
    samples = (Sample(1, 50.0), Sample(2, 50.0), Sample(3, -50.0), Sample(4, 0.0, -1))
    game = Played(1, "b2 a1 c3 a3 a2 c2 b3 b1 c1", 0, 2, samples)
    games = Games([shard(tmp_path / "a.shard", [game])], mix=0.25)
    examples = games.examples(("mnk:3x3x3", "x"), [game])
    search = games.scales["mnk:3x3x3", "x"].chances(np.array([50.0, -50.0]))
    assert examples.chances[0] == pytest.approx(search[0])  # a random move came after it
    assert examples.chances[1] == pytest.approx(0.75 * search[0] + 0.25 * np.array([0, 1, 0]))
    assert examples.chances[2] == pytest.approx(0.75 * search[1] + 0.25 * np.array([0, 1, 0]))
    assert examples.chances[3] == pytest.approx([0, 0, 1])  # proven


def test_what_the_search_has_seen_through_counts_less(tmp_path: Path) -> None:
    samples = (Sample(1, 50.0), Sample(2, 50.0, 1), Sample(3, -math.inf), Sample(4, math.inf, 1))
    game = Played(1, "b2 a1 c3 a3 a2 c2 b3 b1 c1", 0, 2, samples)
    games = Games([shard(tmp_path / "a.shard", [game])], mix=0.25)
    examples = games.examples(("mnk:3x3x3", "x"), [game])
    assert examples.weights.tolist() == pytest.approx([1, 1, DECIDED, DECIDED])


def test_an_outcome_is_turned_round_for_the_second_side(tmp_path: Path) -> None:
    game = Played(1, "a1 a2 b1 b2 c1", 1, 0, tuple(Sample(ply, 0.0) for ply in range(5)))
    games = Games([shard(tmp_path / "a.shard", [game])], mix=1)
    examples = games.examples(("mnk:3x3x3", "x"), [game])
    assert examples.chances.argmax(1).tolist() == [0, 2, 0, 2, 0]
    assert examples.margins.tolist() == [1, -1, 1, -1, 1]


def test_positions_and_cells_are_those_of_the_game(tmp_path: Path) -> None:
    samples = (Sample(1, 0.0), Sample(3, 0.0, None, False))
    game = Played(1, "2 2 3 4", 0, 0, samples)
    games = Games([shard(tmp_path / "a.shard", [game], "connect:4x4x3")], mix=0)
    examples = games.examples(("connect:4x4x3", "x"), [game])
    assert examples.cells.tolist() == [1 * 4 + 1, 3]
    assert examples.policy_weights.tolist() == [1, 0]
    legal = examples.features["legal"].reshape(2, 4, 4)
    assert (
        legal[0].tolist()
        == [[True, False, True, True], [False, True, False, False]] + [[False] * 4] * 2
    )


def test_every_position_comes_once_and_held_out_games_never(tmp_path: Path) -> None:
    played = [play_game(TASK, number) for number in range(2 * HELD_OUT + 1)]
    games = Games([shard(tmp_path / "a.shard", played)], mix=0.5)
    assert games.count == len(played)
    learnt = [game for game in played if game.number % HELD_OUT]
    count = sum(len(game.samples) for game in learnt)
    assert games.positions == count
    batches = list(games.batches(32, "1"))
    assert sum((batch.examples.weights > 0).sum() for batch in batches) == count
    assert {len(batch.examples) for batch in batches} == {32}
    held = sum((batch.examples.weights > 0).sum() for batch in games.held_out(32))
    assert held == sum(len(game.samples) for game in played) - count
    other = list(games.batches(32, "2"))
    assert not np.array_equal(other[0].examples.chances, batches[0].examples.chances)
    again = list(games.batches(32, "1"))
    assert np.array_equal(again[0].examples.features["own"], batches[0].examples.features["own"])


def test_damaged_games_are_counted(tmp_path: Path) -> None:
    played = [play_game(TASK, number) for number in range(4)]
    path = shard(tmp_path / "a.shard", played)
    path.write_bytes(path.read_bytes()[:-1])
    games = Games([path], mix=0.5)
    assert (games.count, games.damaged) == (3, 1)


def test_a_handful_of_games_is_learnt_from_all_the_same(tmp_path: Path) -> None:
    games = Games([shard(tmp_path / "a.shard", [play_game(TASK, 0)])], mix=0.5)
    assert games.positions
