"""The player of the MNK-Game report."""

from mossa._core import Limits, Move, Option, Position
from mossa.games import lines_anywhere
from mossa.players.chooser import DEPTH, NODES, TIME, Recipe
from mossa.players.registry import PONDER, Group, PlayerKind, limits_from
from mossa.players.searching import DEFAULT_TIME, stricter


class Tree(Recipe):
    """The MNK-Game player: a tree of candidate moves that lives as long as the game.

    Follows the report in: candidates next to played cells, by priority of threats, critical ones
    alone if there are any, else the best ``width``; leaves valued by winning scenarios; odd
    heights; the tree kept between moves; the centre first. Differs: it goes on to greater heights
    until its time is up instead of stopping at a fixed one. What the report leaves for later is
    there: ``ponder`` thinks in the opponent's time, ``threads`` grow the tree together.
    """

    TALLEST = 39
    """Odd, and out of reach: time or the end of the game comes first."""

    def __init__(self, options: dict[str, str]) -> None:
        """Take the options of a spec."""
        search = {"evaluate": "scenarios", "order": "priority", "near": "1"}
        super().__init__(
            "tree",
            lines_anywhere,
            "gametree",
            search | {"width": options.get("width", "8"), "threads": options.get("threads", "1")},
            limits=limits_from(options),
            time=DEFAULT_TIME,
            ponder=options.get("ponder") == "on",
        )

    def _limits(self, position: Position, limits: Limits) -> Limits:
        limits = stricter(super()._limits(position, limits), Limits(depth=self.TALLEST))
        tallest = limits.depth or self.TALLEST
        return stricter(limits, Limits(depth=tallest - (tallest % 2 == 0)))

    def _ruled(self, position: Position) -> Move | None:
        rows, cols = position.game.sizes["rows"], position.game.sizes["cols"]
        moves = position.moves
        # On an empty board every cell is a move, row by row.
        return moves[rows // 2 * cols + cols // 2] if len(moves) == rows * cols else None


KIND = PlayerKind(
    "tree",
    "the MNK-Game report: a tree of candidate moves, kept between moves (mnk)",
    Tree,
    (
        TIME,
        NODES,
        DEPTH,
        Option("width", 1, 100, "candidates, besides critical ones; 8"),
        Option("threads", 1, 256, "threads that grow the tree together; 1"),
        PONDER,
    ),
    group=Group.recipes,
    example="tree:time=1",
)
