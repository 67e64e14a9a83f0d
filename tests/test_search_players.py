"""Players that search: held to their limits, and legal on every board."""

from __future__ import annotations

import functools
import random
import threading
import time
from collections.abc import Mapping

import pytest
from player_checks import play_game
from search_checks import GENERAL

import mossa
from mossa import Game, Limits, Position
from mossa._core import Network
from mossa.players import SearchPlayer, stricter
from mossa.players import searching as searching_module

CONNECT4 = mossa.game("connect4")
NO_LIMITS = Limits()


# --- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("one", [None, 5])
@pytest.mark.parametrize("other", [None, 3, 9])
def test_the_stricter_limit_counts(one: int | None, other: int | None) -> None:
    given = [limit for limit in (one, other) if limit is not None]
    expected = min(given) if given else None
    assert stricter(Limits(depth=one), Limits(depth=other)) == Limits(depth=expected)
    assert stricter(Limits(nodes=one), Limits(nodes=other)) == Limits(nodes=expected)
    assert stricter(Limits(time=one), Limits(time=other)) == Limits(time=expected)
    assert stricter(Limits(time=one), Limits(depth=other)) == Limits(time=one, depth=other)


def test_a_search_without_any_limit_is_given_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching_module, "DEFAULT_TIME", 0.05)
    info = mossa.player("alphabeta").choose(CONNECT4.start(), NO_LIMITS).info
    assert info is not None
    assert 0.04 < info.time < 0.3


@pytest.mark.parametrize(
    ("spec", "limits", "depth"),
    [
        ("alphabeta:depth=2", NO_LIMITS, 2),
        ("alphabeta:depth=2", Limits(depth=4), 2),
        ("alphabeta:depth=4", Limits(depth=2), 2),
        ("alphabeta", Limits(depth=3), 3),
        ("alphabeta:time=60", Limits(depth=3), 3),
    ],
)
def test_a_search_player_keeps_its_own_limits_and_the_callers(
    spec: str, limits: Limits, depth: int
) -> None:
    info = mossa.player(spec).choose(CONNECT4.start(), limits).info
    assert info is not None
    assert info.depth == depth


def test_the_node_limits_of_player_and_caller() -> None:
    for own, given in ((300, 5000), (5000, 300)):
        player = mossa.player(f"alphabeta:nodes={own}")
        info = player.choose(CONNECT4.start(), Limits(nodes=given)).info
        assert info is not None
        assert 250 < info.nodes <= 300


def test_a_player_tells_what_it_found() -> None:
    choice = mossa.player("alphabeta:depth=4").choose(CONNECT4.position("4455"), NO_LIMITS)
    assert choice.info is not None
    assert choice.move == choice.info.move == choice.info.line[0]
    assert choice.info.score == mossa.Exact(1, 3)


# --- the search behind a player -------------------------------------------------------------------


def test_a_player_keeps_its_search_through_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    class Counted(mossa.Search):
        def __init__(
            self,
            game: Game,
            algorithm: str,
            options: Mapping[str, str] | None = None,
            *,
            network: Network | None = None,
        ) -> None:
            made.append(game.name)
            super().__init__(game, algorithm, options, network=network)

    monkeypatch.setattr(searching_module, "Search", Counted)
    player = SearchPlayer("alphabeta", limits=Limits(depth=2))
    assert made == []
    play_game(CONNECT4, player, mossa.player("random:seed=1"))
    play_game(CONNECT4, mossa.player("random:seed=2"), player)
    player.choose(mossa.game("connect:6x7x4").start(), NO_LIMITS)  # the same game, made anew
    assert made == ["connect:6x7x4"]
    player.choose(mossa.game("kalah").start(), NO_LIMITS)
    player.choose(mossa.game("kalah,swap=yes").start(), NO_LIMITS)
    assert made == ["connect:6x7x4", "kalah:6x4", "kalah:6x4,swap=yes"]


def test_a_player_that_ponders_thinks_in_the_time_of_the_other() -> None:
    before = threading.active_count()
    player = mossa.player("alphabeta:nodes=2000,ponder=on")
    assert isinstance(player, SearchPlayer)
    start = CONNECT4.start()
    choice = player.choose(start, NO_LIMITS)
    assert threading.active_count() == before + 1
    assert choice.info is not None
    reply = choice.info.line[1]
    again = player.choose(start.play(choice.move).play(reply), NO_LIMITS)
    assert again.info is not None
    player.close()
    assert threading.active_count() == before
    assert play_game(CONNECT4, player, mossa.player("random:seed=1")).outcome is not None
    player.close()


def test_two_players_of_one_spec_share_nothing() -> None:
    one, other = mossa.player("random:seed=1"), mossa.player("random:seed=1")
    gomoku = mossa.game("gomoku").start()
    expected = [one.choose(gomoku, NO_LIMITS).move for _ in range(5)]
    assert [other.choose(gomoku, NO_LIMITS).move for _ in range(5)] == expected


# --- whole games ----------------------------------------------------------------------------------

GAMES = [
    "mnk:1x1x1",
    "mnk:1x9x3",
    "mnk:9x1x9",
    "tictactoe",
    "mnk:6x6x4",
    "mnk:7x9x5,exact=yes",
    "mnk:8x8x5",
    "mnk:12x17x6",
    "connect:1x1x1",
    "connect:1x10x3",
    "connect:10x1x3",
    "connect4",
    "connect:9x10x5",
    "connect:20x12x6",
    "kalah:1x1",
    "kalah:1x12",
    "kalah:12x1",
    "kalah",
    "kalah:12x12",
    "bantumi",
    "kalah:6x4,swap=yes,first_extra=no,leftover=opponent",
]


@pytest.mark.parametrize("algorithm", GENERAL)
@pytest.mark.parametrize("name", GAMES)
def test_search_players_play_whole_games(name: str, algorithm: str) -> None:
    """A move that is not legal raises an error."""
    game = mossa.game(name)
    limits = "iterations=5" if algorithm == "mcts" else "depth=1"
    one, by_nodes = mossa.player(f"{algorithm}:{limits}"), mossa.player(f"{algorithm}:nodes=99")
    assert play_game(game, one, by_nodes).outcome is not None
    assert play_game(game, by_nodes, mossa.player("random:seed=5")).outcome is not None


@pytest.mark.parametrize(
    "name", ["connect4", "kalah", "gomoku", "mnk:30x30x6", "mnk:70x70x10", "connect:40x40x6"]
)
def test_a_search_beats_random_play_within_its_time(name: str) -> None:
    """Every move takes its time at most, but for what a busy machine adds, and the game is won."""
    game = mossa.game(name)
    limit = 0.01
    search = mossa.player(f"alphabeta:time={limit}")
    other = mossa.player("random:seed=3")
    position = game.start()
    late = 0
    while position.outcome is None:
        if position.side is mossa.Side.first:
            begin = time.perf_counter()
            move = search.choose(position, NO_LIMITS).move
            late += time.perf_counter() - begin > limit + 0.1
        else:
            move = other.choose(position, NO_LIMITS).move
        position = position.play(move)
    assert late <= 2
    assert position.outcome.winner is mossa.Side.first


@functools.cache
def crowded(game: Game, plies: int) -> Position:
    """A position of random play that is not over, after so many plies or a few less."""
    chance = random.Random(1)
    position = game.start()
    for _ in range(plies):
        following = position.play(chance.choice(position.moves))
        if following.outcome is not None:
            break
        position = following
    return position


@pytest.mark.parametrize("algorithm", GENERAL)
@pytest.mark.parametrize(
    ("name", "plies"),
    [
        ("connect4", 0),
        ("gomoku", 30),
        ("mnk:70x70x10", 0),
        ("mnk:100x100x5", 200),
        ("mnk:100x100x100", 600),
        ("connect:100x100x10", 100),
    ],
)
def test_the_deadline_is_kept_from_the_first_move_on(name: str, plies: int, algorithm: str) -> None:
    """The first move also makes the search. A busy machine gets another chance."""
    position = crowded(mossa.game(name), plies)
    overshoot = []
    for _ in range(3):
        player = mossa.player(f"{algorithm}:time=0.1")
        begin = time.perf_counter()
        choice = player.choose(position, Limits(time=5))
        overshoot.append(time.perf_counter() - begin - 0.1)
        assert position.is_legal(choice.move)
        if overshoot[-1] < 0.25:
            break
    assert overshoot[-1] < 0.25, overshoot
