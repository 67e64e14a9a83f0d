"""Laws of the rules: moves and ends."""

from __future__ import annotations

import itertools
import random

import reference

import mossa
from laws.play import MANY, ending, is_large, random_game, references, texts, where


def agree(position: mossa.Position, naive: reference.Reference) -> None:
    """A position shows what its reference shows: side, cells, moves in order, and outcome."""
    assert position.side.value == naive.side, where(position)
    assert position.cells == naive.cells(), where(position)
    assert texts(position.moves) == naive.moves(), where(position)
    assert ending(position) == naive.outcome(), where(position)


def plays_by_the_rules(game: mossa.Game, rng: random.Random) -> None:
    """The core and the naive reference agree, move by move, over whole random games."""
    area = reference.start(game).area()
    for _ in range(8 if area <= 64 else 4 if area <= 150 else 2):
        positions = random_game(game, rng)
        every = 1 + area // MANY
        for ply, naive in enumerate(references(positions)):
            if ply % every == 0 or ply >= len(positions) - 2:
                agree(positions[ply], naive)


def ends_in_time(game: mossa.Game, rng: random.Random) -> None:
    """Every game ends within a bound, with a reason, and its winner is the one its value names."""
    outcome = random_game(game, rng)[-1].outcome
    assert outcome is not None, f"{game.name} goes on for too long"
    sign = (outcome.value > 0) - (outcome.value < 0)
    assert outcome.winner == {1: mossa.Side.first, 0: None, -1: mossa.Side.second}[sign]
    if game.traits.scoring is mossa.Scoring.outcome:
        assert outcome.value == sign
    assert outcome.reason
    assert "\n" not in outcome.reason
    assert str(outcome)
    assert "\n" not in str(outcome)


def only_listed_moves_are_accepted(game: mossa.Game, rng: random.Random) -> None:
    """Of all candidates, on the board and just off it, `play` takes those in `moves`.

    It refuses the others with IllegalMoveError, and `is_legal` tells the same beforehand.
    """
    candidates = reference.start(game).candidates()
    positions = random_game(game, rng, 20 if is_large(game) else 60)
    chosen = rng.sample(positions, min(len(positions), 1 if is_large(game) else 4))
    for position in [*chosen, positions[-1]]:
        legal = set(texts(position.moves))
        assert legal <= set(candidates), where(position)
        for text in rng.sample(candidates, min(len(candidates), 60)):
            assert position.is_legal(text) == (text in legal), f"{text} {where(position)}"
            assert position.is_legal(mossa.Move(text)) == (text in legal)
            message = refusal(position, text)
            assert (message is None) == (text in legal), f"{text} {where(position)}"
            if message is None:
                assert position.play(text) == position.play(mossa.Move(text)), where(position)
                assert position.play(text).last_move == text, where(position)
            else:
                assert repr(text) in message
                assert game.name in message


def refusal(position: mossa.Position, text: str) -> str | None:
    """What `play` says when it refuses a move; None when it accepts it."""
    try:
        position.play(text)
    except mossa.IllegalMoveError as error:
        return str(error)
    return None


def nothing_follows_the_end(game: mossa.Game, rng: random.Random) -> None:
    """Once there is an outcome there are no moves, and all are refused; before, there are some."""
    positions = random_game(game, rng)
    for position in positions[:-1]:
        assert position.outcome is None, where(position)
        assert is_large(game) or position.moves, where(position)
    last = positions[-1]
    assert last.outcome is not None, where(last)
    assert last.moves == [], where(last)
    assert [last.perft(plies) for plies in (0, 1, 3)] == [1, 0, 0], where(last)
    assert last.count_states() == 1, where(last)
    candidates = reference.start(game).candidates()
    for text in rng.sample(candidates, min(len(candidates), 60)):
        assert not last.is_legal(text), f"{text} {where(last)}"
        message = refusal(last, text)
        assert message is not None, f"{text} {where(last)}"
        assert repr(text) in message


def one_move_is_one_step(game: mossa.Game, rng: random.Random) -> None:
    """A move is one ply, from its source to its target, and is remembered as the last one."""
    positions = random_game(game, rng, 40 if is_large(game) else 100)
    assert positions[0].last_move is None
    assert positions[0].last_cell is None
    assert positions[0].ply == 0
    assert positions[0].side == mossa.Side.first
    for (before, naive), (after, _) in itertools.pairwise(
        zip(positions, references(positions), strict=True)
    ):
        move = after.last_move
        assert move is not None
        assert after.ply == before.ply + 1, where(after)
        assert before.source(move) == naive.source(str(move)), where(after)
        assert before.target(move) == naive.target(str(move)), where(after)
        assert after.last_cell == (before.target(move) or before.source(move)), where(after)


def moves_tell_their_cells(game: mossa.Game, rng: random.Random) -> None:
    """Source and target name one legal move, and so a click or two are enough to make it.

    A move without either, such as a swap, is told apart by its text.
    """
    for position in random_game(game, rng, 20)[:: 1 + 9 * is_large(game)]:
        ways = [(position.source(move), position.target(move)) for move in position.moves[:200]]
        shown = [way for way in ways if way != (None, None)]
        assert len(set(shown)) == len(shown), where(position)
        for source, target in shown:
            for cell in (source, target):
                if cell is not None:
                    row, col = cell
                    assert 0 <= row < len(position.cells), where(position)
                    assert 0 <= col < len(position.cells[row]), where(position)


def winning_cells_are_those_that_won(game: mossa.Game, rng: random.Random) -> None:
    """`winning_cells` are what the reference finds by a look at the whole board, each once."""
    positions = random_game(game, rng)
    naives = references(positions)
    for position, naive in list(zip(positions, naives, strict=True))[-3:]:
        assert set(position.winning_cells) == naive.winning_cells(), where(position)
        assert len(position.winning_cells) == len(naive.winning_cells()), where(position)
