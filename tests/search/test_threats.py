"""The search for mnk that knows threats: its laws, its proofs, and what it sees.

Its other laws, which it shares with gravity, are in test_special.py.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest
from search_checks import assert_playable, make, random_positions
from threat_checks import Verifier, winning_moves

import mossa
from mossa import Exact, Limits, Position, Threat
from mossa.evaluations import threat_text, threats

DATA = Path(__file__).parent.parent / "data"


# --- patterns, against a naive definition ---------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [
        "mnk:6x6x4",
        "mnk:6x6x4,exact=yes",
        "mnk:9x7x5",
        "mnk:9x9x5,exact=yes",
        "mnk:9x9x7",
        "mnk:4x5x3",
    ],
)
def test_threats_are_what_their_names_say(game: str) -> None:
    """A four has one cell that completes it, an open four two or more, a three can become one."""
    for position in random_positions(mossa.game(game), 25, seed=5, plies=6):
        side = position.side
        at_once = winning_moves(position, side)
        for move in random.Random(1).sample(position.moves, min(12, len(position.moves))):
            made = threats(position, move)
            assert made == sorted(made, reverse=True)
            assert (Threat.win in made) == (str(move) in at_once)
            if at_once:
                continue
            completing = winning_moves(position, side, str(move))
            fours = made.count(Threat.four)
            assert (len(completing) == 0) == (fours == 0 and Threat.open_four not in made)
            assert len(completing) >= fours + 2 * made.count(Threat.open_four)
            if made and made[0] is Threat.three:
                assert any(
                    len(winning_moves(position, side, str(move), str(again))) >= 2
                    for again in position.moves
                    if again != move
                )


def test_rows_are_called_by_their_stones() -> None:
    gomoku = mossa.game("gomoku").position("h8 a1 i8 c1 j8 e1")
    assert threat_text(gomoku, gomoku.after("g8 f8 k8").history[-3:]) == (
        "open four at g8, five at k8"
    )
    assert threat_text(gomoku, [mossa.Move("l8")]) == "four at l8"
    assert threat_text(gomoku, [mossa.Move("a15")]) == ""
    small = mossa.game("mnk:7x7x4").position("d4 a1")
    assert threat_text(small, [mossa.Move("e4")]) == "open two at e4"


def test_threats_are_for_mnk_only() -> None:
    with pytest.raises(mossa.GameError, match="no threats in connect:6x7x4: they are for mnk"):
        threats(mossa.game("connect4").start(), "4")
    with pytest.raises(mossa.IllegalMoveError, match="cell b2 is taken"):
        threats(mossa.game("tictactoe").position("b2"), "b2")


# --- laws -----------------------------------------------------------------------------------------


def test_depth_is_cheap() -> None:
    """Unlikely moves are searched less deep, or this takes a hundred thousand nodes."""
    gomoku = mossa.game("gomoku")
    nodes = 0
    for text in ["h8 h9 i8 g8", "h8 i9 g9 h10", "h8 g7 i9 g9 g8", "h8 h9 j8 i7 i9 g7"]:
        info = make(gomoku, "threats").run(gomoku.position(text), Limits(depth=8))
        assert info.depth == 8
        nodes += info.nodes
    assert nodes < 50_000


def test_two_threads_find_a_win_too() -> None:
    position = mossa.game("mnk:7x7x4").start()
    info = make(position.game, "threats", threads="2", memory="16").run(position, Limits(time=60))
    assert isinstance(info.score, Exact) and info.score.value == 1


# --- truth ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["mnk:3x3x3", "mnk:4x3x3", "mnk:4x4x3", "mnk:4x4x4", "mnk:3x4x3,exact=yes", "mnk:5x3x3"]
)
def test_small_boards_are_solved(name: str) -> None:
    """The outcome is that of a search which leaves nothing out, from many positions."""
    game = mossa.game(name)
    search, plain = make(game, "threats"), make(game, "alphabeta", near="0")
    for position in [game.start(), *random_positions(game, 25, seed=2)]:
        found = search.run(position, Limits(time=60))
        truth = plain.run(position, Limits(time=60))
        assert isinstance(found.score, Exact) and isinstance(truth.score, Exact)
        assert found.score.value == truth.score.value, position.history_text
        assert (found.score.distance or 0) >= (truth.score.distance or 0)
        if found.score.value:
            assert_wins(position, found.move, found.score, game)


def assert_wins(position: Position, move: mossa.Move, score: Exact, game: mossa.Game) -> None:
    """The move keeps what was proven."""
    after = position.play(move)
    if after.outcome is not None:
        assert after.outcome.winner is position.side
        return
    truth = make(game, "alphabeta", near="0").run(after, Limits(time=60)).score
    assert isinstance(truth, Exact) and truth.value == -score.value


@pytest.mark.parametrize(
    ("name", "moves", "move", "plies"),
    [
        ("gomoku", "h8 a1 i8 c1 j8 e1", None, 3),  # an open three
        ("gomoku", "h8 a1 i8 c1 j8 e1 k8 l8", "g8", 1),
        ("gomoku", "h8 g8 i8 c1 j8 e1 k8", "l8", None),  # must be stopped
        ("mnk:7x7x4", "d4 a1", None, None),  # an open two with the move, k = 4
        ("mnk:6x5x4", "", None, None),
    ],
)
def test_wins_and_forced_moves_are_seen(
    name: str, moves: str, move: str | None, plies: int | None
) -> None:
    position = mossa.game(name).position(moves)
    # A move that must be made is found at once, but proves nothing, so the search would go on.
    limits = Limits(time=30 if move is None else 1)
    info = make(position.game, "threats", memory="16").run(position, limits)
    if move is not None:
        assert info.move == move
    else:
        assert isinstance(info.score, Exact) and info.score.value == 1
    if plies is not None:
        assert info.score.distance == plies


def winning_positions() -> list[tuple[Position, mossa.Info]]:
    """Positions of random games, near the stones, that the search proves to be won by threats."""
    found = []
    for name, chances in (("mnk:8x8x5", 60), ("mnk:6x6x4", 25), ("mnk:8x8x5,exact=yes", 40)):
        game = mossa.game(name)
        search = make(game, "threats", memory="8")
        chance = random.Random(name)
        for _ in range(chances):
            position = game.start()
            while position.outcome is None and position.ply < 9:
                near = [each.move for each in mossa.candidates(position)]
                position = position.play(chance.choice(near))
            if position.outcome is not None:
                continue
            info = search.run(position, Limits(nodes=4000))
            won = isinstance(info.score, Exact) and info.score.value > 0
            if won and 3 < (info.score.distance or 0) <= 7:
                found.append((position, info))
    return found


def test_every_defence_loses_against_a_proven_win() -> None:
    """The attacker asks the search again after every reply, and must have a win each time."""
    checked = 0
    for position, info in winning_positions()[:14]:
        search = make(position.game, "threats", memory="8")

        def attacker(at: Position, search: mossa.Search = search) -> mossa.Info:
            return search.run(at, Limits(nodes=20_000))

        assert isinstance(info.score, Exact)
        checked += Verifier(attacker, 5000).check(position)
    assert checked >= 6


TACTICS = list(csv.DictReader((DATA / "mnk-tactics.csv").open()))


@pytest.mark.parametrize("row", TACTICS[::5], ids=lambda row: f"{row['game']} {row['moves']}")
def test_tactics_are_solved(row: dict[str, str]) -> None:
    """Every fifth here; benchmarks/mnk_engine.py solves all and takes the time."""
    position = mossa.game(row["game"]).position(row["moves"])
    info = make(position.game, "threats", memory="16").run(position, Limits(nodes=200_000))
    assert isinstance(info.score, Exact) and info.score.value == 1
    assert_playable(position, info)


def test_a_lost_position_is_proven_only_if_every_reply_loses() -> None:
    """Claims of a loss, against a search that leaves nothing out."""
    game = mossa.game("mnk:5x5x4")
    search, plain = make(game, "threats"), make(game, "alphabeta", near="0", memory="16")
    claims = 0
    for position in random_positions(game, 60, seed=8, plies=10):
        score = search.run(position, Limits(nodes=3000)).score
        if isinstance(score, Exact):
            truth = plain.run(position, Limits(time=20)).score
            assert not isinstance(truth, Exact) or truth.value == score.value
            claims += 1
    assert claims > 20


def test_the_engine_explains_its_win() -> None:
    position = mossa.game("gomoku").position("h8 a1 i8 c1 j8 e1")
    *_, last = mossa.analyse(position, time=0.3)
    assert last.score == Exact(1, 3)
    assert last.threats.startswith("open four at ")
    assert last.to_dict()["threats"] == last.threats
