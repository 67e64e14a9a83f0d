"""The course reports' players and the levels: legal games within limits, and their own rules."""

import time

import pytest

import mossa
from mossa import InvalidPlayerError, Limits, Position
from mossa.players import player_kinds

SHORT = Limits(time=0.02)
GAMES = {
    "tree": ["mnk:3x3x3", "mnk:5x4x4", "mnk:7x7x5", "mnk:50x50x10", "mnk:70x70x10"],
    "pojam": ["connect:4x4x4", "connect4", "connect:7x5x5", "connect:20x20x10", "connect:50x50x10"],
    "bantumi:hands=2": ["bantumi", "kalah", "kalah:3x2", "kalah:7x7,swap=yes,first_extra=no"],
    "bantumi-open:hands=1": ["bantumi", "kalah:4x4"],
    "quatro-minimax": ["connect4", "connect:5x5x4"],
    "quatro-alphabeta": ["connect4", "connect:5x5x4"],
    "quatro-mcts:iterations=100": ["connect4", "connect:5x5x4"],
    "tris": ["mnk:3x3x3", "mnk:5x5x3", "mnk:6x6x4", "mnk:10x10x4", "mnk:50x50x10", "mnk:70x70x10"],
    "level:1": ["connect4", "gomoku", "kalah", "mnk:70x70x10"],
    "level:5": ["connect4", "gomoku", "kalah", "mnk:70x70x10"],
    "level:10": ["connect4", "gomoku", "kalah", "mnk:70x70x10"],
}


@pytest.mark.parametrize(("spec", "name"), [(s, n) for s, names in GAMES.items() for n in names])
def test_plays_legal_games_within_its_limits(spec: str, name: str) -> None:
    """The start of a game, or all of it where it is short, against itself."""
    player = mossa.player(spec)
    position = mossa.game(name).start()
    for _ in range(24):
        if position.outcome is not None:
            break
        begin = time.perf_counter()
        position = position.play(player.choose(position, SHORT).move)
        assert time.perf_counter() - begin < 1.0
    assert position.ply > 2


def test_every_recipe_is_registered() -> None:
    named = {spec.partition(":")[0] for spec in GAMES}
    assert named < set(player_kinds())


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("tree", "connect4"),
        ("pojam", "gomoku"),
        ("bantumi", "connect4"),
        ("quatro-mcts", "kalah"),
        ("tris", "kalah"),
    ],
)
def test_a_recipe_says_what_it_plays(spec: str, name: str) -> None:
    with pytest.raises(InvalidPlayerError, match=f"{spec} plays .*, not"):
        mossa.player(spec).choose(mossa.game(name).start(), SHORT)


@pytest.mark.parametrize("spec", ["level:0", "level:11", "level:x", "level", "bantumi:hands=0"])
def test_bad_values_are_one_clear_line(spec: str) -> None:
    with pytest.raises(InvalidPlayerError) as error:
        mossa.player(spec)
    assert "\n" not in str(error.value)
    assert spec.partition(":")[0] in str(error.value)


def test_first_moves() -> None:
    assert mossa.player("tree").choose(mossa.game("mnk:7x7x5").start(), SHORT).move == "d4"
    pojam = mossa.player("pojam")
    assert pojam.choose(mossa.game("connect4").start(), SHORT).move == "4"
    assert pojam.choose(mossa.game("connect4").position("1"), SHORT).move == "4"


@pytest.mark.parametrize("spec", ["pojam", "quatro-minimax", "quatro-alphabeta", "level:10"])
def test_wins_at_once_and_blocks(spec: str) -> None:
    game = mossa.game("connect4")
    limits = Limits(time=0.3)
    assert mossa.player(spec).choose(game.position("112233"), limits).move == "4"
    assert mossa.player(spec).choose(game.position("71122"), limits).move in ("3", "4", "5", "6")
    assert (
        mossa.player(spec).choose(game.position("112 2 3 7".replace(" ", "")), limits).move == "4"
    )


def test_tris_wins_at_once_and_blocks() -> None:
    game = mossa.game("mnk:10x10x4")
    tris = mossa.player("tris")
    assert tris.choose(game.position("a1 a5 b1 b5 c1 c5"), SHORT).move == "d1"
    assert tris.choose(game.position("a1 e5 b1 h9 c1"), SHORT).move == "d1"


def test_tris_takes_depth_and_width_from_the_board() -> None:
    from mossa.recipes import Tris

    assert Tris.depth_and_width(mossa.game("mnk:10x10x4")) == (6, 10)
    assert Tris.depth_and_width(mossa.game("tictactoe")) == (9, 9)


def test_bantumi_counts_hands() -> None:
    start = mossa.game("bantumi").start()
    shallow = mossa.player("bantumi:hands=1").choose(start, Limits()).info
    deep = mossa.player("bantumi:hands=3").choose(start, Limits()).info
    assert shallow is not None
    assert deep is not None
    assert (shallow.depth, deep.depth) == (2, 6)
    assert shallow.nodes < 129 < deep.nodes < 882215


def test_quatro_mcts_keeps_within_the_nodes_of_its_report() -> None:
    info = mossa.player("quatro-mcts").choose(mossa.game("connect4").start(), Limits()).info
    assert info is not None
    assert info.iterations == 1000
    assert info.nodes <= 7001


def score(one: str, other: str, name: str, games: int) -> float:
    """Return the points of the first player over games with sides in turn."""
    points = 0.0
    for number in range(games):
        players = [mossa.player(one), mossa.player(other)]
        first = number % 2
        position: Position = mossa.game(name).start()
        while position.outcome is None:
            mover = players[first ^ position.side.value]
            position = position.play(mover.choose(position, Limits(time=0.1)).move)
        winner = position.outcome.winner
        points += 0.5 if winner is None else float(winner.value == first)
    return points


@pytest.mark.parametrize("name", ["connect4", "kalah"])
def test_a_high_level_beats_a_low_one(name: str) -> None:
    assert score("level:7", "level:1", name, 4) >= 3
