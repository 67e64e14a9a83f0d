"""A whole game of every kind on the full-screen board, by keys and by mouse."""

from __future__ import annotations

from functools import partial

import pytest
from screens import Player, play

import mossa
from mossa import Limits

GAMES = [
    "tictactoe",
    "tris:4x3",
    "gomoku",
    "connect4",
    "connect:4x12x3",
    "kalah:4x2",
    "kalah:3x2,empty_capture=yes,leftover=none,end=mover,majority=yes",
    "oware:2x2",
    "breakthrough:5x3",
]
GOOD = mossa.player("alphabeta:depth=2,width=10,memory=1")


def has_moves(player: Player, count: int) -> bool:
    return len(player.game.session.record.moves) >= count


async def whole_game(player: Player, *, mouse: bool) -> None:
    """Play well against somebody who does not, until the end."""
    session = player.game.session
    while True:
        await player.until(lambda: session.is_over or session.awaits_person)
        if session.is_over:
            break
        position, ply = session.position, session.position.ply
        move = GOOD.choose(position, Limits()).move
        source, target = position.source(move), position.target(move)
        for cell in (source, target):
            if cell is None:
                continue
            if mouse:
                await player.click(cell)
            else:
                await player.go(cell)
                await player.strike("enter")
        await player.until(partial(has_moves, player, ply + 1))
        assert session.record.moves[ply] == move
    assert session.position.outcome is not None
    await player.until(lambda: "rematch" in player.text)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("mouse", [False, True], ids=["keys", "mouse"])
def test_a_whole_game(game: str, mouse: bool) -> None:
    play(lambda player: whole_game(player, mouse=mouse), game, "human", "random:seed=1")


@pytest.mark.parametrize("game", ["connect4", "kalah:4x2", "breakthrough:5x3"])
def test_a_person_may_be_second(game: str) -> None:
    play(lambda player: whole_game(player, mouse=False), game, "random:seed=1", "human")
