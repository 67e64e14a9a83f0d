"""The levels: legal games within limits, stronger step by step."""

from __future__ import annotations

import random
import time
from itertools import pairwise, product

import pytest
from player_checks import SLACK, info_of, play_game, random_positions, safe_moves, winning_moves

import mossa
from mossa import Exact, Limits
from mossa.players.levels import ABILITIES, Level

CONNECT4 = mossa.game("connect4")


@pytest.mark.parametrize("kind", ["connect4", "gomoku", "kalah", "tictactoe", "mnk:1x9x3"])
@pytest.mark.parametrize("level", range(1, 11))
def test_levels_play_every_game(level: int, kind: str) -> None:
    one, other = mossa.player(f"level:{level},seed=1"), mossa.player("random:seed=1")
    assert play_game(mossa.game(kind), one, other, Limits(nodes=300)).outcome is not None


@pytest.mark.parametrize("level", [1, 4, 7])
@pytest.mark.parametrize("name", ["connect4", "gomoku", "kalah"])
def test_the_same_seed_plays_the_same_game(level: int, name: str) -> None:
    games = [
        play_game(
            mossa.game(name),
            mossa.player(f"level:{level},seed={seed}"),
            mossa.player("random:seed=1"),
            Limits(depth=2),
        ).history
        for seed in (1, 1, 2)
    ]
    assert games[0] == games[1]
    assert level == 7 or games[0] != games[2]  # that one hardly errs


def test_only_beginners_overlook_a_win() -> None:
    winnable = [p for p in random_positions(CONNECT4, 150, seed=2) if winning_moves(p)]
    assert len(winnable) > 20
    missed = []
    for level in range(1, 11):
        player = Level(level, seed=1)
        chosen = [(player.choose(p, Limits(nodes=500)).move, p) for p in winnable]
        missed.append(sum(move not in winning_moves(p) for move, p in chosen))
    assert missed[0] > missed[1] > 0
    assert missed[2:] == [0] * 8


def test_high_levels_see_threats() -> None:
    for position in random_positions(CONNECT4, 60, seed=3):
        safe = safe_moves(position)
        if safe and not winning_moves(position):
            for level in (7, 8, 10):
                move = Level(level, seed=1).choose(position, Limits(nodes=2000)).move
                assert move in safe, (level, position.history_text)


def test_a_level_tells_what_it_thinks() -> None:
    info = info_of("level:7", CONNECT4.position("11223"))
    assert info.move == info.line[0] == "4"
    assert info.depth >= 6
    # A double threat that wins in three plies, as seen through a search of the reply.
    assert info_of("level:6,seed=1", CONNECT4.position("4455")).score == Exact(1, 3)


def test_levels_keep_the_callers_limits() -> None:
    position = CONNECT4.position("4453")
    unsolved = mossa.game("connect:9x9x4").position("5 5 6")
    assert info_of("level:10", unsolved, Limits(depth=3)).depth == 3
    assert info_of("level:9", position, Limits(nodes=500)).nodes <= 500
    assert 100 < info_of("level:7", position, Limits(nodes=500)).nodes <= 500
    assert info_of("level:7,seed=1", position, Limits(depth=3)).depth == 3


@pytest.mark.parametrize("level", range(1, 11))
@pytest.mark.parametrize("name", ["mnk:70x70x10", "connect:100x100x10", "kalah:12x12", "gomoku"])
def test_a_level_answers_soon(level: int, name: str) -> None:
    """The low ones at once, and none later than it is allowed to."""
    player = Level(level, seed=1)
    position = mossa.game(name).start()
    chance = random.Random(1)
    for _ in range(30):
        position = position.play(chance.choice(position.moves))
    limit = min(ABILITIES[level - 1].time, 0.3)
    begin = time.thread_time()  # what others do meanwhile does not count
    player.choose(position, Limits(time=limit))
    assert time.thread_time() - begin < limit + SLACK


@pytest.mark.parametrize("level", [8, 9])
@pytest.mark.parametrize(("name", "moves"), [("connect:10x10x5", "5 5 6 4"), ("kalah:6x6", "")])
def test_a_level_without_errors_is_the_engine_with_fewer_nodes(
    level: int, name: str, moves: str
) -> None:
    position = mossa.game(name).position(moves)
    nodes = ABILITIES[level - 1].nodes
    one = info_of(f"level:{level}", position)
    other = info_of("engine:book=off,memory=32", position, Limits(nodes=nodes))
    assert (one.line, one.score, one.nodes) == (other.line, other.score, other.nodes)


def test_only_the_highest_level_plays_from_books() -> None:
    start = CONNECT4.start()
    assert isinstance(info_of("level:10", start).score, Exact)
    assert not isinstance(info_of("level:9", start).score, Exact)


def test_abilities_grow() -> None:
    for lower, higher in pairwise(ABILITIES):
        assert (lower.depth or 99) <= (higher.depth or 99)
        assert lower.errs or (lower.nodes or 0) < (higher.nodes or 1e9)
        assert lower.margin >= higher.margin
        assert lower.time <= higher.time <= 2.0


def points(one: str, other: str, name: str, games: int) -> float:
    """The first player's points over games with sides in turn, two random plies ahead of each."""
    total = 0.0
    for number in range(games):
        chance = random.Random(number // 2)
        position = mossa.game(name).start()
        for _ in range(2):
            position = position.play(chance.choice(position.moves))
        players = [mossa.player(f"{one},seed={number}"), mossa.player(f"{other},seed={number}")]
        while position.outcome is None:
            mover = players[position.side.value ^ (number % 2)]
            position = position.play(mover.choose(position, Limits(nodes=100_000)).move)
        winner = position.outcome.winner
        total += 0.5 if winner is None else float(winner.value == number % 2)
    return total


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        *product(["connect4", "mnk:6x6x4", "gomoku", "kalah"], [1], [4]),
        *product(["connect4", "mnk:6x6x4", "kalah"], [4], [7]),
        # Good players play long games.
        pytest.param("gomoku", 4, 7, marks=pytest.mark.slow),
        # On 6x6 with four in a row level 7 wins as first already, whoever the other is.
        pytest.param("connect4", 7, 10, marks=pytest.mark.slow),
        pytest.param("kalah", 7, 10, marks=pytest.mark.slow),
    ],
)
def test_a_higher_level_is_stronger(name: str, low: int, high: int) -> None:
    assert points(f"level:{high}", f"level:{low}", name, 8) > 4
