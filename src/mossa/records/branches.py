"""Moves as text, with the branches that might have been played instead.

A branch stands in parentheses behind the move that it replaces, as chess players write it: in
``4 4 (5 3) 5`` the second move is 4, or 5 with the answer 3. Nothing here recurses, so no nesting
is too deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from mossa._core import Game, Move, Position
from mossa.errors import GameError

_PARENTHESIS = re.compile(r"([()])")

Item = Move | str
"""A move, or ``(`` or ``)`` around a branch."""


def split_moves(game: Game, text: str) -> list[Item]:
    """The moves of a text and the parentheses of its branches; moves may run together: `4453`."""
    items: list[Item] = []
    for part in _PARENTHESIS.split(text):
        if _PARENTHESIS.fullmatch(part):
            items.append(part)
        else:
            items += game.split_moves(part)
    return items


def follow(start: Position, words: Iterable[Item]) -> tuple[Position, list[Item]]:
    """Play moves with their branches; return the last position of the main line, and all moves.

    A word that is no parenthesis may be the text of one move.
    """
    items: list[Item] = []
    before: Position | None = None  # where the last move was made: a branch begins there
    now = start
    left: list[tuple[Position, Position]] = []
    for word in words:
        if word == "(":
            if before is None:
                raise GameError("'(' begins a branch, but there is no move before it")
            left.append((before, now))
            now, before = before, None
        elif word == ")":
            if before is None or not left:
                raise GameError("')' closes no branch" if not left else "'()' is an empty branch")
            before, now = left.pop()
        else:
            before, now = now, now.play(word)
            assert now.last_move is not None
            items.append(now.last_move)
            continue
        items.append(word)
    if left:
        raise GameError("a branch is not closed: ')' is missing")
    return now, items


def in_order(following: Mapping[int | None, list[int]], root: int | None) -> Iterator[int | str]:
    """The moves of a tree and the parentheses around its branches, in the order of the text.

    ``following`` has the moves that may follow a move, by any numbers; the first is the main one.
    """
    # The next one is the last; a tuple stands for all that follows its move.
    waiting: list[int | str | tuple[int | None]] = [(root,)]
    while waiting:
        item = waiting.pop()
        if not isinstance(item, tuple):
            yield item
        elif followers := following.get(item[0]):
            main, *others = followers
            waiting.append((main,))
            for other in reversed(others):
                waiting += [")", (other,), other, "("]
            waiting.append(main)


def written(items: Iterable[Item]) -> str:
    """Moves with their branches as text."""
    return " ".join(map(str, items)).replace("( ", "(").replace(" )", ")")
