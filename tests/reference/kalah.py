"""kalah: sow the seeds of an own pit, one by one; the fuller store wins.

Sowing goes counter-clockwise over the own pits, the own store and the opponent's pits from the
opponent's left, and round again; it skips the opponent's store only, so that a full lap refills
the pit it started from.

- Last seed in the own store: the same side moves again (with `first_extra=False` not after the
  very first move of the game).
- Last seed in an own pit that was empty: if the opposite pit is not empty (or `empty_capture`),
  that seed and the opposite ones go to the own store.
- The game ends when either side (`end="any"`), or the side to move next (`end="mover"`), has no
  seeds in its pits; with `majority` also when a store holds more than half of all seeds, or both
  hold exactly half.
- At the end the seeds left in a side's pits go to its own store (`leftover="owner"`), to the other
  store (`"opponent"`), or stay and count for nobody (`"none"`).
- With `swap`, second may play "swap" instead of its first move of the game: the sides exchange
  pits and stores, and first is to move.
"""

from __future__ import annotations

import copy

from hypothesis import strategies as st

import mossa
from reference.base import SIDES, Cell, Reference, every_combination


class Kalah(Reference):
    """A kalah position: for each side its pits from its own left, and its store."""

    def __init__(
        self,
        pits: int,
        seeds: int,
        *,
        empty_capture: bool = False,
        leftover: str = "owner",
        end: str = "any",
        majority: bool = False,
        swap: bool = False,
        first_extra: bool = True,
    ) -> None:
        self.empty_capture = empty_capture
        self.leftover = leftover
        self.end = end
        self.majority = majority
        self.first_extra = first_extra
        self.pits = [[seeds] * pits, [seeds] * pits]
        self.stores = [0, 0]
        self.total = 2 * pits * seeds
        self.side = 0
        self.is_first_move = True
        self.may_swap = swap  # second has not moved yet, so that it still has the right
        self.over = False

    def moves(self) -> list[str]:
        if self.over:
            return []
        found = [str(pit + 1) for pit, seeds in enumerate(self.pits[self.side]) if seeds > 0]
        if self.may_swap and self.side == 1:
            found.append("swap")
        return found

    def play(self, move: str) -> Kalah:
        assert move in self.moves()
        after = copy.copy(self)
        after.pits = [list(self.pits[0]), list(self.pits[1])]
        after.stores = list(self.stores)
        if move == "swap":
            after.pits.reverse()
            after.stores.reverse()
            after.side = 0
        else:
            after._sow(int(move) - 1)
        after.is_first_move = False
        if self.side == 1:
            after.may_swap = False
        if after._is_over():
            after.over = True
            after.may_swap = False
            after._share_leftovers()
        return after

    def _sow(self, pit: int) -> None:
        mover, opponent = self.side, 1 - self.side
        track: list[tuple[int, int | None]] = []  # (owner, pit), or None for the store
        track += [(mover, i) for i in range(len(self.pits[mover]))]
        track += [(mover, None)]
        track += [(opponent, i) for i in range(len(self.pits[opponent]))]

        hand = self.pits[mover][pit]
        self.pits[mover][pit] = 0
        spot = pit
        was_empty = False
        while hand > 0:
            spot = (spot + 1) % len(track)
            owner, place = track[spot]
            if place is None:
                self.stores[owner] += 1
            else:
                was_empty = self.pits[owner][place] == 0
                self.pits[owner][place] += 1
            hand -= 1

        owner, place = track[spot]
        if place is None:
            if self.first_extra or not self.is_first_move:
                return  # the same side moves again
        elif owner == mover and was_empty:
            opposite = len(self.pits[mover]) - 1 - place
            if self.pits[opponent][opposite] > 0 or self.empty_capture:
                self.stores[mover] += self.pits[mover][place] + self.pits[opponent][opposite]
                self.pits[mover][place] = 0
                self.pits[opponent][opposite] = 0
        self.side = opponent

    def _is_over(self) -> bool:
        is_empty = [sum(pits) == 0 for pits in self.pits]
        if self.end == "any" and any(is_empty):
            return True
        if self.end == "mover" and is_empty[self.side]:
            return True
        if self.majority:
            if max(self.stores) * 2 > self.total:
                return True
            if self.stores[0] * 2 == self.total and self.stores[1] * 2 == self.total:
                return True
        return False

    def _share_leftovers(self) -> None:
        if self.leftover == "none":
            return
        for side in (0, 1):
            receiver = side if self.leftover == "owner" else 1 - side
            self.stores[receiver] += sum(self.pits[side])
            self.pits[side] = [0] * len(self.pits[side])

    def outcome(self) -> tuple[int | None, int] | None:
        if not self.over:
            return None
        value = self.stores[0] - self.stores[1]
        if value == 0:
            return None, 0
        return (0 if value > 0 else 1), value

    def cells(self) -> tuple[tuple[int, ...], ...]:
        return tuple((*self.pits[side], self.stores[side]) for side in (0, 1))

    def identity(self) -> tuple[object, ...]:
        return self.cells(), self.side, self.may_swap

    def most_plies(self) -> int:
        # Between two moves that bring a seed into a store, each seed only steps forward on its own
        # side; and the swap is one move more.
        return (self.total + 1) * self.total * len(self.pits[0]) + 1

    def candidates(self) -> list[str]:
        return [str(pit + 1) for pit in range(len(self.pits[0]) + 2)] + ["swap"]

    def source(self, move: str) -> Cell | None:
        return None if move == "swap" else (self.side, int(move) - 1)

    def target(self, move: str) -> None:
        return None

    def runs_together(self, move: str) -> bool:
        return len(self.pits[0]) <= 9

    def board_text(self) -> str:
        # At the start the right to swap goes without saying.
        suffix = ",swap" if self.may_swap and not self.is_first_move else ""
        return _text(self.cells(), self.side) + suffix

    def twins(self) -> list[str]:
        # Not while the opening's own rules are in force (swap to come, first move without extra
        # turn), which know only one first side.
        if self.is_first_move or self.may_swap:
            return []
        return [_text(self.cells()[::-1], 1 - self.side)]

    def orbit(self) -> object:
        special = self.is_first_move and not self.first_extra
        return super().orbit(), self.may_swap, special


def _text(cells: tuple[tuple[int, ...], ...], side: int) -> str:
    return "/".join(",".join(map(str, row)) for row in cells) + f" {SIDES[side]}"


def start(game: mossa.Game) -> Kalah:
    """All pits full."""
    sizes, options = game.sizes, game.options
    return Kalah(
        sizes["pits"],
        sizes["seeds"],
        empty_capture=options["empty_capture"] == "yes",
        leftover=options["leftover"],
        end=options["end"],
        majority=options["majority"] == "yes",
        swap=options["swap"] == "yes",
        first_extra=options["first_extra"] == "yes",
    )


CHOICES = {
    "empty_capture": ("yes", "no"),
    "leftover": ("owner", "none", "opponent"),
    "end": ("mover", "any"),
    "majority": ("yes", "no"),
    "swap": ("yes", "no"),
    "first_extra": ("yes", "no"),
}
OPTIONS = every_combination(CHOICES)

SIZES = [(pits, seeds) for pits in range(1, 13) for seeds in range(1, 13)]
GAMES = [f"kalah:{pits}x{seeds}" for pits, seeds in SIZES[::3]]
GAMES += ["bantumi", "kalah:6x4,swap=yes", "kalah:7x7,swap=yes,first_extra=no", "kalah:12x12"]
# every combination of the options, each on one of these sizes, small ones because games end sooner
OPTION_SIZES = ("1x3", "2x3", "3x2", "3x5", "4x4", "6x3", "6x4")
GAMES += [
    f"kalah:{OPTION_SIZES[number % len(OPTION_SIZES)]},{options}"
    for number, options in enumerate(OPTIONS)
]

WHOLE_GAMES = ["kalah:1x1", "kalah:1x12", "kalah:2x1", "kalah:2x2", "kalah:3x1", "kalah:2x3"]
WHOLE_GAMES += [f"kalah:2x2,{options}" for options in OPTIONS]


@st.composite
def names(draw: st.DrawFn) -> str:
    """Any size and options, the smallest and plainest first."""
    options = [f"{name}={draw(st.sampled_from(values[::-1]))}" for name, values in CHOICES.items()]
    name = f"kalah:{draw(st.integers(1, 12))}x{draw(st.integers(1, 12))}"
    return mossa.game(",".join([name, *options])).name
