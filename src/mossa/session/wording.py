"""What a board says about a game: who plays, whose turn it is, how it ended."""

from __future__ import annotations

import re

from mossa._core import Side
from mossa.players import HumanPlayer
from mossa.records import Record
from mossa.render import side_name, status

HUMAN = HumanPlayer.name
_YOU, _PERSON, _FRIEND = "You", "Person", "Your friend"
THE_OTHER = "the other side"
"""Whoever lost, in the reasons that are saved with a game."""


def capitalised(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def player_names(record: Record, you: Side | None = None) -> dict[str, str]:
    """Return who plays the sides.

    Whoever plays the computer is addressed, and so is ``you``, who plays a friend elsewhere.
    """
    specs = (record.first, record.second)
    if you is not None:
        return {side.name: _YOU if side is you else _FRIEND for side in Side}
    person = _PERSON if specs == (HUMAN, HUMAN) else _YOU
    names = [
        person if spec == HUMAN else re.sub(r"^level:(\d+)$", r"Level \1", spec) for spec in specs
    ]
    return {side.name: name for side, name in zip(Side, names, strict=True)}


def game_status(record: Record, end: dict[str, str | None] | None, you: Side | None = None) -> str:
    """Return whose turn it is, or how the game ended, in words for the person who plays."""
    position, game = record.position, record.game
    names = player_names(record, you)
    # Someone playing the computer or a friend reads "you", everyone else reads the sides.
    you = next((Side[side] for side, name in names.items() if name == _YOU), None)
    if end is None:
        mover = names[position.side.name]
        if mover == _YOU:
            return f"Your move ({side_name(game, position.side)})"
        return (
            capitalised(status(position, side_name))
            if mover == _PERSON
            else f"{mover} is thinking …"
        )
    winner, reason = end["winner"], str(end["reason"])
    if winner is None:
        return f"Draw: {reason}"
    loser = Side.second if Side[winner] is Side.first else Side.first
    if you is None:
        result, lost_by = f"{side_name(game, Side[winner])} wins", side_name(game, loser)
    elif loser is you:
        result, lost_by = "You lost", "you"
    else:
        name = names[loser.name]
        result, lost_by = "You won", name.lower() if name == _FRIEND else name
    return f"{result}: {reason.replace(THE_OTHER, lost_by)}"
