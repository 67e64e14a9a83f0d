"""The player of the ConnectX report."""

from mossa._core import Game, Move, Option, Position
from mossa.players.base import Choice
from mossa.players.chooser import (
    DEPTH,
    NODES,
    PLAIN,
    TIME,
    Glance,
    Recipe,
    Request,
    falling_lines,
)
from mossa.players.registry import Group, PlayerKind, limits_from
from mossa.players.searching import DEFAULT_TIME

SEARCH = PLAIN | {"evaluate": "adjacency", "order": "value", "start": "3", "resume": "on"}
"""The report's alpha-beta."""


class Pojam(Recipe):
    """The ConnectX player PojamDesi: quick checks, then alpha-beta, deeper and deeper.

    Follows the report in: its own first move, also as second, is the centre column; it wins at once
    if it can, drops the moves that lose at once and plays the only one left; else depth-limited
    alpha-beta from depth 3, or the last completed depth less two, with root moves in the order of
    the evaluation; leaves valued by the player's stones around the last one. Differs: inner moves
    are ordered too; leaves are worth that count, where the report makes a float in [0, 1) of it;
    when every move loses at once or the time is up it plays the best so far, where the report plays
    any column. The moves that lose at once are not taken out of the search: at depth 2 and more
    alpha-beta never prefers one to a move that does not lose at once. Only if time ends before the
    first depth is finished is its answer checked against them.
    """

    def __init__(self, options: dict[str, str]) -> None:
        """Take the options of a spec."""
        search = SEARCH | {name: options[name] for name in ("evaluate", "table") if name in options}
        super().__init__(
            "pojam",
            falling_lines,
            "alphabeta",
            search,
            limits=limits_from(options),
            time=DEFAULT_TIME,
        )
        self._glance = Glance(2, "none")
        self._safe: list[Move] = []

    def _choose(self, request: Request) -> Choice:
        """Check the search's answer: cut short, it may be a move that loses at once."""
        choice = super()._choose(request)
        if choice.info is None or not self._safe or choice.move in self._safe:
            return choice
        return Choice(_nearest_centre(request.position.game, self._safe))

    def _ruled(self, position: Position) -> Move | None:
        if not any(position.side.value + 1 in row for row in position.cells):
            return _nearest_centre(position.game, position.moves)
        seen = self._glance.moves(position)
        wins = [each.move for each in seen if each.ends and each.value > 0]
        if wins:
            return wins[0]
        self._safe = [each.move for each in seen if each.value >= 0]
        return self._safe[0] if len(self._safe) == 1 else None


def _nearest_centre(game: Game, moves: list[Move]) -> Move:
    centre = game.sizes["cols"] // 2 + 1
    return min(moves, key=lambda move: abs((move.number or 0) - centre))


KIND = PlayerKind(
    "pojam",
    "the ConnectX report: quick checks, then alpha-beta, deeper and deeper (connect)",
    Pojam,
    (
        TIME,
        NODES,
        DEPTH,
        Option("table", ["off", "on"], "remember positions already searched"),
        Option("evaluate", ["adjacency", "windows"], "what a leaf is worth"),
    ),
    group=Group.recipes,
    example="pojam:time=1",
)
