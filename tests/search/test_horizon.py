"""What a search says of games whose end it does not see."""

from __future__ import annotations

import math

import pytest
from search_checks import make, random_positions

import mossa
from mossa import Estimate, Exact, Limits


def as_number(score: Exact | Estimate, kind: str) -> float:
    """Wins and losses of line games stand above and below every estimate."""
    if kind == "kalah" or score.distance is None or score.value == 0:
        return score.value
    return math.copysign(1e9 - score.distance, score.value)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize(
    "name", ["connect4", "connect:5x6x3", "mnk:4x4x4", "mnk:5x6x4", "kalah", "bantumi"]
)
def test_a_depth_looks_one_ply_further_than_the_depth_before_it(
    name: str, depth: int, algorithm: str
) -> None:
    """The score of a position is that of its best move, searched one ply less deep."""
    game = mossa.game(name)
    search = make(game, algorithm, **({"table": "off"} if algorithm == "alphabeta" else {}))
    estimates = 0
    for position in random_positions(game, 12, seed=4):
        info = search.run(position, Limits(depth=depth))
        if isinstance(info.score, Exact):
            continue
        estimates += 1
        scores: dict[mossa.Move, float] = {}
        for move in position.moves:
            following = position.play(move)
            if following.outcome is not None:
                sign = 1 if position.side is mossa.Side.first else -1
                value = sign * following.outcome.value
                scores[move] = value if game.kind == "kalah" else value * (1e9 - 1)
            else:
                score = as_number(search.run(following, Limits(depth=depth - 1)).score, game.kind)
                scores[move] = score if following.side is position.side else -score
        best = max(scores.values())
        assert info.depth == depth
        margin = game.traits.scoring is mossa.Scoring.margin
        assert info.score == Estimate(best, margin=margin), position.history_text
        assert scores[info.move] == best, position.history_text
    assert estimates >= 6


def test_kalah_counts_the_stores_at_its_horizon() -> None:
    for position in random_positions(mossa.game("kalah"), 60, seed=5, plies=4):
        margins = []
        for move in position.moves:
            (*_, first), (*_, second) = position.play(move).cells
            margins.append(first - second if position.side is mossa.Side.first else second - first)
        info = make(position.game).run(position, Limits(depth=1))
        assert info.score.value == max(margins)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "gametree"])
def test_a_win_on_a_large_board_is_called_one(algorithm: str) -> None:
    """Four in an open row: the fifth wins, whether or not the search has looked at every move."""
    game = mossa.game("gomoku")
    position = game.position("h8 a1 i8 a2 j8 a3 k8 a4")
    info = make(game, algorithm).run(position, Limits(depth=1))
    assert info.move in ("g8", "l8")
    assert info.score in (Exact(1, 1), Estimate(math.inf, 1))


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "gametree"])
def test_a_threat_is_met(algorithm: str) -> None:
    position = mossa.game("gomoku").position("h8 g8 i8 a2 j8 a3 k8")
    assert make(position.game, algorithm).run(position, Limits(depth=2)).move == "l8"
    position = mossa.game("connect4").position("44 45 46")
    assert make(position.game, algorithm).run(position, Limits(depth=2)).move == "4"
