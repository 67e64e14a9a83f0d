"""The player of the parametric tic-tac-toe report."""

from dataclasses import replace

from mossa._core import Game, Limits, Option, Position
from mossa.games import lines_anywhere
from mossa.players.base import Choice
from mossa.players.chooser import DEPTH, NODES, PLAIN, TIME, Glance, Recipe, Request
from mossa.players.registry import Group, PlayerKind, limits_from
from mossa.players.searching import SearchPlayer, stricter


class Tris(Recipe):
    """The parametric tic-tac-toe player: alpha-beta over the best successors only.

    Follows the report in: sequences as evaluation, which also order the moves; only the best
    ``width`` successors; a won or lost child ends the search of its position; a table of explored
    positions; when all is lost, the move with the best evaluation; root moves in parallel with
    ``threads``; depth and width chosen from the board's size (10x10: depth 6, 10 successors).
    Differs: the table and its memory are kept between moves, threads share one tree instead of
    dividing the root's moves, and the sizes between are ours, as the report does not print them.
    """

    BY_CELLS = (
        (9, 9, 9),
        (16, 10, 16),
        (25, 8, 20),
        (36, 8, 12),
        (64, 6, 15),
        (400, 6, 10),
        (10_000, 4, 10),
    )
    """Cells of the board up to which a depth and a width hold: a second a move at the most."""

    def __init__(self, options: dict[str, str]) -> None:
        """Take the options of a spec."""
        self._search_options = PLAIN | {
            "evaluate": "sequences",
            "order": "value",
            "early": "on",
            "near": "0",
            "table": "on",
            "memory": "8",  # a search this small would spend its time on fresh pages of a large one
            "deepen": "off",
            "threads": options.get("threads", "1"),
        }
        self._glance = Glance(1, "sequences")
        self._given_width = options.get("width")
        self._width = ""
        super().__init__(
            "tris", lines_anywhere, "alphabeta", self._search_options, limits=limits_from(options)
        )

    @classmethod
    def depth_and_width(cls, game: Game) -> tuple[int, int]:
        """Return how many plies to look ahead on this board, and at how many moves of each."""
        cells = game.sizes["rows"] * game.sizes["cols"]
        return next((depth, width) for most, depth, width in cls.BY_CELLS if cells <= most)

    def _choose(self, request: Request) -> Choice:
        """Search; when all is lost, play the move with the best evaluation and hope for an error.

        To the report all losses are equal. The search tells them apart by their length, and would
        rather lose late than make it hard for the opponent.
        """
        choice = super()._choose(request)
        lost = (
            choice.info is not None and choice.info.score.distance and choice.info.score.value < 0
        )
        if choice.info is None or not lost:
            return choice
        best = max(self._glance.moves(request.position), key=lambda seen: seen.value).move
        return Choice(best, replace(choice.info, move=best, line=[best]))

    def _limits(self, position: Position, limits: Limits) -> Limits:
        limits = super()._limits(position, limits)
        if self._own_limits.depth is not None:
            return limits
        return stricter(limits, Limits(depth=self.depth_and_width(position.game)[0]))

    def width(self, game: Game) -> int:
        """Return how many successors of a position it tries at most."""
        given = self._given_width
        return self.depth_and_width(game)[1] if given is None else int(float(given))

    def _player(self, position: Position) -> SearchPlayer:
        width = str(self.width(position.game))
        if width != self._width:
            self._width = width
            self._search_player = SearchPlayer("alphabeta", self._search_options | {"width": width})
        return self._search_player


KIND = PlayerKind(
    "tris",
    "the parametric tic-tac-toe report: alpha-beta over the best successors (mnk)",
    Tris,
    (
        TIME,
        NODES,
        DEPTH,
        Option(
            "width",
            1,
            10_000,
            "successors searched in a position; by default it depends on the board",
        ),
        Option("threads", 1, 256, "threads that share the table"),
    ),
    group=Group.recipes,
    example="tris:time=1",
)
