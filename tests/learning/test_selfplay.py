"""Self-play: games that differ, values that are right, workers that die."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mossa
from mossa import ClusterError, Exact, GameError
from mossa.cluster import WorkerLostError
from mossa.learning.selfplay import NOISY, Task, play_game, play_games, self_play
from mossa.learning.shards import Played, ShardWriter, read_shard

TASK = Task("connect:4x4x3", "alphabeta:depth=2", 200, 0.2, 2000, "1 1", range(8))


def test_a_game_depends_on_its_number_alone() -> None:
    games = play_games(TASK)
    assert games[5] == play_game(TASK, 5)
    assert [game.number for game in games] == list(range(8))
    assert len({game.moves for game in games}) > 4
    assert play_game(replace(TASK, seed="1 2"), 5).moves != games[5].moves


@pytest.mark.parametrize("name", ["mnk:3x3x3", "connect:4x4x3", "kalah:2x2"])
def test_what_a_game_says_is_true(name: str) -> None:
    rules = mossa.game(name)
    for number in range(4):
        played = play_game(replace(TASK, game=name), number)
        end = rules.position(played.moves)
        assert end.outcome is not None
        assert played.outcome == end.outcome.value
        assert [sample.ply for sample in played.samples] == [
            ply for ply in range(len(end.history)) if ply >= played.samples[0].ply
        ]
        assert played.samples[-1].proven is not None
        for sample in played.samples:
            if sample.proven is not None:
                position = rules.start().after(end.history[: sample.ply])
                score = mossa.solve(position).score
                assert isinstance(score, Exact)
                assert score.value == sample.proven


def test_random_moves_are_marked_and_the_outcome_counts_after_them() -> None:
    noisy = [play_game(replace(TASK, noise=1.0), number) for number in range(6)]
    for game in noisy:
        begin = game.samples[0].ply
        random = [sample.ply for sample in game.samples if not sample.chosen]
        assert random
        assert max(random) < begin + NOISY
        assert game.steady == max(random) + 1
    for number in range(3):
        calm = play_game(replace(TASK, noise=0.0), number)
        assert all(sample.chosen for sample in calm.samples)
        assert calm.steady == calm.samples[0].ply


def test_without_nodes_for_the_solver_only_the_search_proves() -> None:
    plain = play_game(replace(TASK, proof_nodes=0), 0)
    proven = play_game(TASK, 0)
    assert plain.moves == proven.moves
    assert [each.value for each in plain.samples] == [each.value for each in proven.samples]
    assert sum(each.proven is None for each in plain.samples) > sum(
        each.proven is None for each in proven.samples
    )


# --- many games -----------------------------------------------------------------------------------


class Here(Executor):
    """Plays at once, in this thread, unless told to fail."""

    def __init__(self, fail: Callable[[int], BaseException | None] = lambda _: None) -> None:
        self.fail, self.calls = fail, 0

    def submit(self, function: Any, /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.calls += 1
        error = self.fail(self.calls)
        if isinstance(error, CancelledHere):
            future.cancel()
            future.set_running_or_notify_cancel()
        elif error is not None:
            future.set_exception(error)
        else:
            future.set_result(function(*args))
        return future


class CancelledHere(Exception):  # noqa: N818 - what a cluster does to work when it goes
    pass


def run(tmp_path: Path, executor: Executor, positions: int = 60) -> list[Played]:
    with ShardWriter(tmp_path / "a.shard", TASK.game, TASK.player, again="") as writer:
        self_play(
            executor,
            1,
            lambda _, number, size: replace(TASK, numbers=range(number, number + min(size, 3))),
            [writer],
            enough=lambda: writer.positions >= positions,
            progress=lambda: None,
        )
    return read_shard(tmp_path / "a.shard").games


def test_games_are_played_until_there_is_enough(tmp_path: Path) -> None:
    games = run(tmp_path, Here())
    assert sum(len(game.samples) for game in games) >= 60
    assert len({game.number for game in games}) == len(games)
    assert run(tmp_path, Here(), positions=0) == games


def test_a_worker_that_dies_loses_its_games_and_nothing_else(tmp_path: Path) -> None:
    games = run(tmp_path, Here(lambda call: WorkerLostError("it died") if call % 2 else None))
    assert sum(len(game.samples) for game in games) >= 60


def test_workers_that_always_die_are_reported(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="5 workers died one after the other"):
        run(tmp_path, Here(lambda call: WorkerLostError("it died") if call > 3 else None))
    assert read_shard(tmp_path / "a.shard").games


def test_a_cluster_that_goes_away_keeps_finished_games(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match="the cluster is gone; finished games are saved"):
        run(tmp_path, Here(lambda call: CancelledHere() if call > 3 else None))
    assert read_shard(tmp_path / "a.shard").games


def test_boards_are_played_in_turn(tmp_path: Path) -> None:
    names = {tmp_path / "a.shard": "connect:4x4x3", tmp_path / "b.shard": "connect:4x5x3"}
    writers = [ShardWriter(path, name, TASK.player, again="") for path, name in names.items()]
    self_play(
        Here(),
        1,
        lambda writer, number, size: replace(
            TASK, game=names[writer.path], numbers=range(number, number + min(size, 3))
        ),
        writers,
        enough=lambda: sum(writer.positions for writer in writers) >= 200,
        progress=lambda: None,
    )
    for writer in writers:
        writer.close()
        assert writer.positions > 50
