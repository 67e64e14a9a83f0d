"""The players of the Bantumi report."""

from time import perf_counter

from mossa._core import Limits, Option, Position
from mossa.players.base import Choice
from mossa.players.chooser import NODES, PLAIN, TIME, Recipe, Request, sowing
from mossa.players.registry import Group, PlayerKind, limits_from
from mossa.players.searching import SearchPlayer, stricter
from mossa.search import Info
from mossa.solving.study import Study

HANDS = Option("hands", 1, 100, "how many hands it looks ahead, each a turn of both sides; 3")


def _hands(options: dict[str, str], more: int = 0) -> dict[str, str]:
    return {"hands": str(int(float(options.get("hands", "3"))) + more), "order": "store"}


class Bantumi(Recipe):
    """The Bantumi player: alpha-beta to a depth in hands, extra moves free, on any kalah.

    Follows the report in: depth counted in hands, moves ordered by the store difference with half a
    seed for another turn, leaves valued by the store difference. Differs: both bounds are passed on
    when the turn passes (the report forgets one, and so examines more), and the order is the
    mover's for either side (the report takes the first player's view for both). The exact figures
    of the report come from alphabeta with strict=on, forget=on, order=store-first. Finished games
    are valued by the stores too; the report's +1, 0 or -1 is the sign of that.
    """

    def __init__(self, options: dict[str, str]) -> None:
        """Take the options of a spec."""
        super().__init__(
            "bantumi",
            sowing,
            "alphabeta",
            PLAIN | _hands(options) | {"deepen": "off"},
            limits=limits_from(options),
        )


class BantumiOpen(Bantumi):
    """The Bantumi player with its opening study: the first two own moves are searched deeper.

    Follows the report in: the first two moves come from a search much deeper than the others, made
    beforehand (``mossa book study``) and looked up. Differs: the report wrote two moves down; the
    study answers every move of the opponent. Where there is none for the game, a search of
    ``study`` seconds at most is made when it is needed, and remembered as long as the program runs.
    """

    OWNER = "bantumi-open"
    """The name of its studies, whatever options a spec adds to the player's."""
    MORE_HANDS = 4
    MOVES = 2
    _studied: dict[tuple[object, ...], Choice] = {}  # noqa: RUF012 (meant to be shared)

    def __init__(self, options: dict[str, str]) -> None:
        """Take the options of a spec."""
        super().__init__(options)
        self.name = self.OWNER
        self._study_options = _hands(options, self.MORE_HANDS)
        self._study_time = float(options.get("study", "5"))

    def _choose(self, request: Request) -> Choice:
        """Study an opening move, or remember what was found; then play like bantumi."""
        position = request.position
        if not self._is_opening(position):
            return super()._choose(request)
        if (known := self._look_up(request)) is not None:
            return known
        limits = self._limits(position, request.limits)
        request = request.limited(stricter(limits, Limits(time=self._study_time)))
        # What was found in less time is not what would be found in more.
        key = position.game.name, position.key, self._study_options["hands"], request.limits
        if key not in self._studied:
            choice = request.ask(SearchPlayer("alphabeta", self._study_options))
            if request.stopped:
                return choice
            self._studied[key] = choice
        return self._studied[key]

    def _look_up(self, request: Request) -> Choice | None:
        """Return what was studied beforehand, by a search of the same depth in hands."""
        study = Study.find(request.position.game, self.OWNER)
        if study is None or study.player != self.studied_by:
            return None
        found = study.get(request.position)
        if found is None:
            return None
        taken = perf_counter() - request.begin
        info = Info(found.move, found.score, [found.move], found.depth, 0, taken, 0)
        return Choice(found.move, info)

    @property
    def studied_by(self) -> str:
        """The spec of the search that an opening study for this player is made by."""
        options = ",".join(f"{name}={value}" for name, value in self._study_options.items())
        return f"alphabeta:{options}"

    def _is_opening(self, position: Position) -> bool:
        """Tell whether this is one of the side's first two moves; turns need not alternate."""
        if position.start_text is not None:
            return False
        own = 0
        earlier = position.game.start()
        for move in position.history:
            own += earlier.side is position.side
            if own == self.MOVES:
                return False
            earlier = earlier.play(move)
        return True


KINDS = (
    PlayerKind(
        "bantumi",
        "the Bantumi report: alpha-beta to a depth in hands (kalah)",
        Bantumi,
        (HANDS, TIME, NODES),
        group=Group.recipes,
        example="bantumi:hands=3",
    ),
    PlayerKind(
        "bantumi-open",
        "the same, with its first two moves studied more deeply (kalah)",
        BantumiOpen,
        (
            HANDS,
            TIME,
            NODES,
            Option("study", 0, 3600, "seconds for an opening move that no study has; 5"),
        ),
        group=Group.recipes,
        example="bantumi-open:hands=3",
    ),
)
