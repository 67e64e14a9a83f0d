"""Oracle metrics: how good moves are in positions whose exact value is known.

Every position of a game is solved, as far as that goes within a limit. A move keeps the game value
if it leaves a win a win and a draw a draw. Its loss is what it gave away: in line games steps from
win to draw to loss, in kalah seeds of the final margin.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from mossa._core import Game, Position, Side
from mossa.arena.schedule import Pairing
from mossa.errors import GameError
from mossa.records import Record
from mossa.search import Exact, Limits
from mossa.solving.solver import Solver

PHASES = ("opening", "middle", "end")
"""Thirds of a game, by the share of its moves."""

_MEMORY = 64  # megabytes of a solver's table: many small positions


@dataclass(frozen=True)
class Judged:
    """A move with known values before and after it, for the side that made it."""

    player: str
    ply: int
    """Its number in the game, from 1."""
    phase: str
    before: int
    after: int

    @property
    def keeps(self) -> bool:
        """Whether a win is still a win, and a draw no loss."""
        return _sign(self.after) >= _sign(self.before)

    @property
    def loss(self) -> int:
        """What the move gave away."""
        return max(0, self.before - self.after)


@dataclass(frozen=True)
class Accuracy:
    """How well a player played, in all or in one phase."""

    player: str
    phase: str
    """``all``, or one of PHASES."""
    moves: int
    """The player's own moves with known values; opening moves do not count."""
    kept: float
    """The share of them that kept the game value."""
    loss: float
    """The mean of what they gave away."""


class Oracle:
    """Solves positions, and remembers them."""

    def __init__(self, seconds: float = 1.0) -> None:
        """Take the seconds per position; anything slower stays unknown."""
        self._limits = Limits(time=seconds)
        self._solvers: dict[str, Solver | None] = {}
        self._values: dict[tuple[str, int], int | None] = {}

    def value(self, position: Position) -> int | None:
        """Return a position's value for first; None if it is not found in time."""
        if position.outcome is not None:
            return position.outcome.value
        name = position.game.name
        key = name, position.canonical_key
        if key not in self._values:
            if name not in self._solvers:
                self._solvers[name] = _solver(position.game)
            solver = self._solvers[name]
            score = None if solver is None else solver.solve(position, self._limits).score
            self._values[key] = score.value if isinstance(score, Exact) else None
        value = self._values[key]
        if value is None:
            return None
        return value if position.side is Side.first else -value

    def judge(self, record: Record) -> Iterator[Judged]:
        """Yield the moves of a game that have known values, without its opening.

        Backwards: late positions are solved at once, and early ones need most of what that found.
        """
        positions = list(record.positions())
        first = record.opening_length
        names = record.first, record.second
        after = self.value(positions[-1])
        for ply in reversed(range(first, len(record.moves))):
            position = positions[ply]
            before = self.value(position)
            if before is None:
                return  # what comes earlier is harder still
            if after is not None:
                sign = 1 if position.side is Side.first else -1
                name, phase = names[position.side.value], phase_of(ply, len(record.moves))
                yield Judged(name, ply + 1, phase, sign * before, sign * after)
            after = before


def _solver(game: Game) -> Solver | None:
    """Return a solver; None if no solver handles the game's rules."""
    try:
        return Solver(game, memory=_MEMORY)
    except GameError:
        return None


def phase_of(ply: int, plies: int) -> str:
    """Return the phase a move, counted from 0, belongs to in a game of this many plies."""
    return PHASES[ply * len(PHASES) // plies]


def judge_games(
    records: Iterable[tuple[Pairing, Record]],
    *,
    seconds: float = 1.0,
    progress: Callable[[], object] | None = None,
) -> Iterator[tuple[tuple[int, int], Judged]]:
    """Yield the moves of games that have known values, each with its game's number and its own."""
    oracle = Oracle(seconds)
    for pairing, record in records:
        for move in oracle.judge(record):
            yield (pairing.id, move.ply), move
        if progress is not None:
            progress()


def accuracy(moves: Iterable[Judged]) -> list[Accuracy]:
    """Return how well each player played, in all and by phase."""
    judged: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for move in moves:
        judged[move.player, "all"].append(move)
        judged[move.player, move.phase].append(move)
    players = sorted({player for player, _ in judged})
    return [
        _summary(player, phase, judged[player, phase])
        for player in players
        for phase in ("all", *PHASES)
        if judged[player, phase]
    ]


def _summary(player: str, phase: str, moves: list[Judged]) -> Accuracy:
    kept = sum(move.keeps for move in moves) / len(moves)
    return Accuracy(player, phase, len(moves), kept, sum(m.loss for m in moves) / len(moves))


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
