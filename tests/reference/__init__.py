"""The rules a second time: slow, naive and obvious, as an oracle for the core.

Each module states the rules of one kind of game with lists and loops and nothing else, so that a
reader can check it against the rules in a minute. It is found by its name, the kind, and brings

- `start(game)`: the reference position in which a game starts;
- `GAMES`: names of games to hold against the laws: the smallest and the largest, those around a
  change of word count, all options;
- `WHOLE_GAMES`: names of games so small that all their positions can be counted;
- `names()`: a strategy of hypothesis for the names of any such game, the smallest first.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol, cast

from reference.base import Cells, Reference

if TYPE_CHECKING:
    from hypothesis import strategies as st

    import mossa

__all__ = ["Cells", "Reference", "Rules", "follow", "rules_of", "start"]


class Rules(Protocol):
    """What a module in this folder has."""

    GAMES: list[str]
    WHOLE_GAMES: list[str]

    def start(self, game: mossa.Game) -> Reference:
        """The reference position in which `game` starts."""

    def names(self) -> st.SearchStrategy[str]:
        """Names of games of this kind."""


def rules_of(kind: str) -> Rules:
    """The module of a kind of game."""
    return cast("Rules", importlib.import_module(f"reference.{kind}"))


def start(game: mossa.Game) -> Reference:
    """The reference position in which `game` starts."""
    return rules_of(game.kind).start(game)


def follow(game: mossa.Game, moves: list[str]) -> Reference:
    """The reference position after `moves` from the start."""
    position = start(game)
    for move in moves:
        position = position.play(move)
    return position
