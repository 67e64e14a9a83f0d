"""Laws of games written in Python, checked by random play: searches and matches rely on them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import mossa

Start = Callable[[], Any]
MOST_PLIES = 1000


def random_game(start: Start, rng: random.Random) -> list[Any]:
    """The positions of one random game, to its end."""
    positions = [start()]
    while positions[-1].outcome is None and len(positions) <= MOST_PLIES:
        positions.append(positions[-1].play(rng.choice(list(positions[-1].moves))))
    return positions


def ends_in_time(start: Start, rng: random.Random) -> None:
    """Every game ends, with a number; until then there are moves and a side to move."""
    *before, last = random_game(start, rng)
    assert isinstance(last.outcome, int | float), "goes on for too long"
    for position in before:
        assert position.moves
        assert position.side in (0, 1, mossa.Side.first, mossa.Side.second)


def moves_have_texts_of_their_own(start: Start, rng: random.Random) -> None:
    """No two moves are written alike, and none has blanks in it."""
    for position in random_game(start, rng)[:-1]:
        texts = [str(move) for move in position.moves]
        assert len(set(texts)) == len(texts)
        assert all(text.split() == [text] for text in texts)


def play_leaves_the_old_position_alone(start: Start, rng: random.Random) -> None:
    """A position never changes, and is the same whenever it is asked."""
    for position in random_game(start, rng)[:-1]:
        before = position.key, position.side, list(position.moves), position.outcome
        for move in list(position.moves):
            position.play(move)
        assert (position.key, position.side, list(position.moves), position.outcome) == before


def the_same_moves_lead_to_the_same_key(start: Start, rng: random.Random) -> None:
    """Keys can be hashed, and depend on the position alone."""
    seed = rng.random()
    one, other = (random_game(start, random.Random(seed)) for _ in range(2))
    assert [hash(each.key) for each in one] == [hash(each.key) for each in other]
    assert [each.key for each in one] == [each.key for each in other]


def searches_find_legal_moves(start: Start, rng: random.Random) -> None:
    """Every search plays it, and expects a line that can be played."""
    position = rng.choice(random_game(start, rng)[:-1])
    for algorithm in ("minimax", "alphabeta", "mcts"):
        limits = mossa.Limits(depth=2, iterations=20)
        info = mossa.PythonGameSearch(algorithm).run(position, limits)
        reached = position
        for move in info.line:
            assert move in list(reached.moves)
            reached = reached.play(move)


LAWS = [
    ends_in_time,
    moves_have_texts_of_their_own,
    play_leaves_the_old_position_alone,
    the_same_moves_lead_to_the_same_key,
    searches_find_legal_moves,
]


def check(start: Start, *, seed: int) -> None:
    """Hold a game against every law."""
    for law in LAWS:
        law(start, random.Random(seed))
