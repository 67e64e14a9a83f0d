"""Writes certificates of kalah solutions.

``mossa.solving.certificates.kalah`` says what a certificate holds and checks it. The writer runs
the checker's own search, and enters a move where that would take long by itself.
"""

from mossa._core import Position, Side
from mossa.solving.certificates.kalah import (
    MOST_SEEDS,
    OFFERED,
    OPENING,
    SETTLED,
    SIDES,
    SWAP,
    Child,
    Question,
    Rules,
    rules_of,
)
from mossa.solving.certificates.reading import FORMAT, CertificateError, Looks
from mossa.solving.certificates.writing import ALONE, States, Write, best_move
from mossa.solving.solver import Solver


def refusal(solver: Solver) -> str | None:
    """Return why there are no certificates of a solver's game; nothing if there are."""
    sizes = solver.game.sizes
    fits = 2 * sizes["pits"] * sizes["seeds"] <= MOST_SEEDS
    return None if fits else f"games of up to {MOST_SEEDS} seeds have them"


def certificate(solver: Solver, position: Position, states: States, write: Write) -> None:
    """Write the proof of a position's score, as check() takes it."""
    value = solver.solve(position).proven.value
    rules = rules_of(position.game.name)
    side = 0 if position.side == Side.first else 1
    rows = [bytes(row) for row in position.cells]
    phase = SETTLED
    if position.text.endswith(",swap"):
        phase = OFFERED
    elif position == position.game.start():
        phase = OPENING if rules.swap or not rules.first_extra else SETTLED
    moves, looks = {}, Looks()
    for prover, goal in ((0, value if side == 0 else -value), (1, -value if side == 0 else value)):
        writer = _Writer(solver, rules, prover, goal, states, looks)
        writer.answer(rows[side] + rows[1 - side], side, phase)
        moves[SIDES[prover]] = writer.moves
    write(
        {
            "format": FORMAT,
            "game": position.game.name,
            "board": position.text,
            "value": value,
            "moves": moves,
        }
    )


class _Writer(Question):
    """Asks the solver for a move where the checker would search for long."""

    def __init__(
        self, solver: Solver, rules: Rules, prover: int, goal: int, states: States, looks: Looks
    ) -> None:
        super().__init__(rules, prover, goal, {}, looks)
        self._solver, self._states = solver, states
        self.moves: dict[str, int | str] = {}

    def proposed(self, board: bytes, side: int, phase: int, children: list[Child]) -> list[Child]:
        key = self.rules.key(board), phase == OFFERED
        if key not in self.table and not self._is_quick(board, side, phase):
            self.table[key] = self._best(board, side, phase)
            self.moves[self._name(*key)] = (
                "swap" if self.table[key] == SWAP else self.table[key] + 1
            )
            self._states.add()
        return super().proposed(board, side, phase, children)

    def _is_quick(self, board: bytes, side: int, phase: int) -> bool:
        """Tell whether the checker proves it soon by itself, and if so take over what it found."""
        search = Question(self.rules, self.prover, self.goal, {}, Looks(most=ALONE))
        try:
            proven = search.answer(board, side, phase)
        except CertificateError:
            return False
        if proven:
            self.looks.count += search.looks.count
            for key, (low, high) in search.known.items():
                known = self.known.get(key, (low, high))
                self.known[key] = max(low, known[0]), min(high, known[1])
        return proven

    def _best(self, board: bytes, side: int, phase: int) -> int:
        """Return the best move of the side that proves."""
        half = self.rules.pits + 1
        rows = (board[:half], board[half:]) if side == 0 else (board[half:], board[:half])
        text = "/".join(",".join(map(str, row)) for row in rows) + f" {SIDES[side]}"
        position = self._solver.game.from_text(text + (",swap" if phase == OFFERED else ""))
        best = best_move(self._solver, position)
        return SWAP if best == "swap" else int(best) - 1

    def _name(self, key: bytes, offered: bool) -> str:
        half = len(key) // 2
        rows = ",".join(map(str, key[:half])), ",".join(map(str, key[half:]))
        return "/".join(rows) + (",swap" if offered else "")
