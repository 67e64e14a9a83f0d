"""oware: sow the seeds of an own pit, one by one, and capture twos and threes of the opponent.

Sowing goes counter-clockwise over all pits but the one that the seeds came from, and into no store.

- If the last seed makes two or three in a pit of the opponent, these are captured, and so are the
  twos and threes before it, back without a gap on the opponent's row.
- A capture of all the opponent's seeds, a grand slam, captures nothing (`slam="keep"`), captures
  them (`"take"`) or is illegal (`"forbid"`).
- If the opponent has no seeds, a move must give some.
- A side that has no legal move ends the game, and each side keeps its row.
- With `majority` a game also ends when a store holds more than half of all seeds, or both hold
  exactly half, and each side keeps its row.
- A position that has been before, with the same side to move, ends the game; then each side keeps
  its row (`repeat="row"`), or what is in the pits counts for neither (`"share"`).
"""

from __future__ import annotations

import copy

from hypothesis import strategies as st

import mossa
from reference.base import SIDES, Cell, Cells, Reference, every_combination

Board = tuple[Cells, int]  # pits and stores of both sides, and the side to move


class Oware(Reference):
    """An oware position: for each side its pits from its own left, and its store."""

    def __init__(
        self,
        pits: int,
        seeds: int,
        *,
        slam: str = "keep",
        repeat: str = "row",
        majority: bool = False,
    ) -> None:
        self.slam = slam
        self.repeat = repeat
        self.majority = majority
        self.pits = [[seeds] * pits, [seeds] * pits]
        self.stores = [0, 0]
        self.total = 2 * pits * seeds
        self.side = 0
        self.over = False
        self.earlier: list[Board] = []  # since the last capture: older ones cannot come again
        self.since: list[str] = []  # the moves since then

    def moves(self) -> list[str]:
        if self.over:
            return []
        return [str(pit + 1) for pit in range(len(self.pits[0])) if self._is_legal(pit)]

    def _is_legal(self, pit: int) -> bool:
        if self.pits[self.side][pit] == 0:
            return False
        has_seeds = sum(self.pits[1 - self.side]) > 0
        if has_seeds and self.slam != "forbid":
            return True
        after = self._copy()
        is_slam = after._sow(pit)
        if is_slam and self.slam == "forbid":
            return False
        return has_seeds or sum(after.pits[1 - self.side]) > 0

    def _copy(self) -> Oware:
        after = copy.copy(self)
        after.pits = [list(self.pits[0]), list(self.pits[1])]
        after.stores = list(self.stores)
        return after

    def play(self, move: str) -> Oware:
        assert move in self.moves()
        after = self._copy()
        after._sow(int(move) - 1)
        after.side = 1 - self.side
        if after.stores == self.stores:
            after.earlier = [*self.earlier, self._board()]
            after.since = [*self.since, move]
        else:
            after.earlier, after.since = [], []
        repeats = after._board() in after.earlier
        if after._is_settled() or not after.moves() or repeats:
            after.over = True
            if not (repeats and self.repeat == "share"):
                after._keep_rows()
        return after

    def _sow(self, pit: int) -> bool:
        """Sow and capture; return whether the capture is of all seeds, made or not."""
        mover, opponent = self.side, 1 - self.side
        track = [(mover, i) for i in range(len(self.pits[mover]))]
        track += [(opponent, i) for i in range(len(self.pits[opponent]))]

        hand = self.pits[mover][pit]
        self.pits[mover][pit] = 0
        spot = pit
        while hand > 0:
            spot = (spot + 1) % len(track)
            if spot != pit:
                owner, place = track[spot]
                self.pits[owner][place] += 1
                hand -= 1

        owner, place = track[spot]
        captured = []
        while owner == opponent and place >= 0 and self.pits[opponent][place] in (2, 3):
            captured.append(place)
            place -= 1
        taken = sum(self.pits[opponent][each] for each in captured)
        is_slam = taken > 0 and taken == sum(self.pits[opponent])
        if not (is_slam and self.slam == "keep"):
            self.stores[mover] += taken
            for each in captured:
                self.pits[opponent][each] = 0
        return is_slam

    def _is_settled(self) -> bool:
        most = max(self.stores) * 2
        return self.majority and (most > self.total or sum(self.stores) == self.total == most)

    def _keep_rows(self) -> None:
        for side in (0, 1):
            self.stores[side] += sum(self.pits[side])
            self.pits[side] = [0] * len(self.pits[side])
        self.earlier, self.since = [], []

    def _board(self) -> Board:
        return self.cells(), self.side

    def outcome(self) -> tuple[int | None, int] | None:
        if not self.over:
            return None
        value = self.stores[0] - self.stores[1]
        if value == 0:
            return None, 0
        return (0 if value > 0 else 1), value

    def cells(self) -> Cells:
        return tuple((*self.pits[side], self.stores[side]) for side in (0, 1))

    def identity(self) -> tuple[object, ...]:
        return *self._board(), frozenset(self.earlier)

    def most_plies(self) -> int:
        # No proof, but random games come to an end or repeat far sooner.
        return 100 * self.total

    def candidates(self) -> list[str]:
        return [str(pit + 1) for pit in range(len(self.pits[0]) + 2)] + ["swap"]

    def source(self, move: str) -> Cell:
        return self.side, int(move) - 1

    def target(self, move: str) -> None:
        return None

    def runs_together(self, move: str) -> bool:
        return len(self.pits[0]) <= 9

    def board_text(self) -> str:
        return self._text([self._board(), *self.earlier])

    def _text(self, boards: list[Board]) -> str:
        """The first board, and if there are more the second, which is the oldest, with moves."""
        texts = [
            "/".join(",".join(map(str, row)) for row in cells) + f" {SIDES[side]}"
            for cells, side in boards[:2]
        ]
        return " ".join([" after ".join(texts), *self.since])

    def twins(self) -> list[str]:
        return [self._text(self._turned())]

    def _turned(self) -> list[Board]:
        """This board and all before it, with the sides exchanged."""
        return [(cells[::-1], 1 - side) for cells, side in (self._board(), *self.earlier)]

    def orbit(self) -> object:
        boards = [self._board(), *self.earlier]
        return min((now, tuple(sorted(before))) for now, *before in (boards, self._turned()))


def start(game: mossa.Game) -> Oware:
    """All pits full."""
    sizes, options = game.sizes, game.options
    return Oware(
        sizes["pits"],
        sizes["seeds"],
        slam=options["slam"],
        repeat=options["repeat"],
        majority=options["majority"] == "yes",
    )


CHOICES = {
    "slam": ("take", "forbid", "keep"),
    "repeat": ("share", "row"),
    "majority": ("yes", "no"),
}
OPTIONS = every_combination(CHOICES)

SIZES = [(pits, seeds) for pits in range(2, 13) for seeds in range(1, 13)]
GAMES = [f"oware:{pits}x{seeds}" for pits, seeds in SIZES[::11]]
GAMES += ["oware", "oware:7x12", "oware:8x1", "oware:10x10", "oware:12x12"]
# every combination of the options, each on two of these sizes, small ones because games end sooner
OPTION_SIZES = ("2x1", "2x2", "2x3", "3x1", "3x2", "4x3", "6x4")
GAMES += [
    f"oware:{OPTION_SIZES[number % len(OPTION_SIZES)]},{options}"
    for number, options in enumerate(OPTIONS * 2)
]

# no larger ones: what has been before makes many positions of every board
WHOLE_GAMES = [f"oware:2x1,{options}" for options in OPTIONS]


@st.composite
def names(draw: st.DrawFn) -> str:
    """Any size and options, the smallest and plainest first."""
    options = [f"{name}={draw(st.sampled_from(values[::-1]))}" for name, values in CHOICES.items()]
    name = f"oware:{draw(st.integers(2, 12))}x{draw(st.integers(1, 12))}"
    return mossa.game(",".join([name, *options])).name
