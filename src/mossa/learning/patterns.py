"""What a network makes of patterns: a look into its codebook.

A row of 32 numbers says nothing to people. So we watch what the network does where a pattern is to
be seen: how often does it move to a cell that has two stones in a row beside it? Beside it stands
what the solver knows: how often is that move a right one?
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean

from mossa import _core
from mossa._core import Game, Move, Network, Position
from mossa.learning.judge import Question

__all__ = ["Worth", "pattern_text", "worths"]

_OPAQUE = "|"
_REACH = 5  # cells that an arm has at most, whatever k is


@dataclass(frozen=True)
class Worth:
    """What a pattern is worth: how much it draws the next move to its cell."""

    pattern: str
    """As pattern_text draws it: ``x`` is the side to move, ``o`` the other one."""
    cells: int
    """Where it was seen, and a move could go."""
    learnt: float
    """How likely the network moves there, on average."""
    exact: float
    """The same of a perfect player, who chooses by chance among the moves that keep the value."""


def pattern_text(rules: Game, number: int, stone: str) -> str | None:
    """Draw a pattern as its side sees it: ``xx+.|`` has two own stones beside an empty cell.

    ``+`` is the cell, ``|`` a stone of the other side or the edge. None if the cell is not empty.
    """
    reach = min(rules.sizes["k"] - 1, _REACH)
    arms = (2 << reach) - 1
    pairs = arms * (arms + 1) // 2
    if not 1 <= number <= pairs:
        return None
    # Pairs are counted by the greater arm, then by the other one.
    rest, longer = number - 1, 0
    while rest > longer:
        longer += 1
        rest -= longer
    return f"{_arm(longer, reach, stone)[::-1]}+{_arm(rest, reach, stone)}"


def _arm(number: int, reach: int, stone: str) -> str:
    """Draw the cells on one side, the nearest first."""
    length = (number + 1).bit_length() - 1
    bits = number + 1 - (1 << length)
    cells = "".join(stone if bits >> at & 1 else "." for at in range(length))
    return cells + (_OPAQUE if length < reach else "")


def worths(network: Network, questions: Iterable[Question], *, least: int = 20) -> list[Worth]:
    """Return what a network makes of patterns with a stone, most deserving first.

    Those that are seen from fewer than ``least`` cells are left out: they would tell more about
    their positions than about the pattern.
    """
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for question in questions:
        policy = network.estimate(question.position).policy
        for move, patterns in _seen(question.position):
            right = (move in question.keeping) / len(question.keeping)
            for pattern in patterns:
                found[pattern].append((policy[move], right))
    rated = [
        Worth(pattern, len(pairs), *map(fmean, zip(*pairs, strict=True)))
        for pattern, pairs in found.items()
        if len(pairs) >= least
    ]
    return sorted(rated, key=lambda each: (-each.exact, each.pattern))


def _seen(position: Position) -> Iterator[tuple[Move, set[str]]]:
    """Yield each move with the patterns that either side sees from its cell."""
    features = _core.network_features([position])
    cols = len(position.cells[0])
    for move in position.moves:
        row, col = position.target(move) or (0, 0)
        texts = (
            pattern_text(position.game, int(number), stone)
            for name, stone in (("own", "x"), ("other", "o"))
            for number in features[name][0][row * cols + col]
        )
        yield move, {text for text in texts if text is not None and {"x", "o"} & {*text}}
