"""Writes certificates of connect solutions.

``mossa.solving.certificates.connect`` says what a certificate holds and checks it. The writer runs
the checker's own search, and enters a move where that would take long by itself.
"""

from mossa._core import Position, Side
from mossa.solving.certificates.connect import SIDES, Board, Question, questions, stones_of
from mossa.solving.certificates.reading import FORMAT, CertificateError, Looks
from mossa.solving.certificates.writing import ALONE, States, Write, best_move
from mossa.solving.solver import Solver


def refusal(solver: Solver) -> str | None:
    """Return why there are no certificates of a solver's game; nothing if there are."""
    sizes = solver.game.sizes
    fits = solver.native and sizes["rows"] * sizes["cols"] <= 128
    return None if fits else "boards of up to 128 cells have them"


def certificate(solver: Solver, position: Position, states: States, write: Write) -> None:
    """Write the proof of a position's score, as check() takes it."""
    score = solver.solve(position).proven
    assert score.distance is not None
    side, other = SIDES if position.side == Side.first else SIDES[::-1]
    sizes = position.game.sizes
    board = Board(sizes["rows"], sizes["cols"], sizes["k"])
    stones = stones_of(board, _columns(position.text))
    moves: dict[str, dict[str, int]] = {each: {} for each in SIDES}
    looks = Looks()
    for attacker, last, yes in questions(side, score.value, position.ply + score.distance):
        defender = other if attacker == side else side
        writer = _Writer(solver, board, last, attacker, yes, states, looks)
        writer.answer(stones[attacker], stones[defender], attacker == side)
        moves[attacker if yes else defender] = writer.moves
    write(
        {
            "format": FORMAT,
            "game": position.game.name,
            "board": position.text,
            "side": side,
            "value": score.value,
            "distance": score.distance,
            "moves": moves,
        }
    )


def _columns(text: str) -> list[str]:
    rows = text.split("/")[::-1]
    return ["".join(row[col] for row in rows).rstrip(".") for col in range(len(rows[0]))]


class _Writer(Question):
    """Asks the solver for a move where the checker would search for long."""

    def __init__(
        self,
        solver: Solver,
        board: Board,
        last: int,
        attacker: str,
        attacker_proves: bool,
        states: States,
        looks: Looks,
    ) -> None:
        super().__init__(board, last, attacker_proves, {}, looks)
        self._solver, self._states = solver, states
        self._letters = (attacker, "o" if attacker == "x" else "x")
        self.moves: dict[str, int] = {}

    def proposed(
        self, key: int, flipped: bool, attacker: int, defender: int, cols: list[int]
    ) -> list[int]:
        if self._is_quick(attacker, defender):
            return cols
        col = int(best_move(self._solver, self._position(attacker, defender))) - 1
        columns = self._text(attacker, defender).split("/")
        text, image = "/".join(columns), "/".join(columns[::-1])
        self.moves[min(text, image)] = (col if text <= image else self.board.cols - 1 - col) + 1
        self._states.add()
        return [col]

    def _is_quick(self, attacker: int, defender: int) -> bool:
        """Tell whether the checker proves it soon by itself, and if so take over what it found."""
        search = Question(self.board, self.last, self.attacker_proves, {}, Looks(most=ALONE))
        try:
            answer = search.answer(attacker, defender, self.attacker_proves)
        except CertificateError:
            return False
        if answer == self.attacker_proves:
            self.looks.count += search.looks.count
            self.known.update(search.known)
        return answer == self.attacker_proves

    def _text(self, attacker: int, defender: int) -> str:
        board = self.board
        letters = {0: "", 1: self._letters[0], 2: self._letters[1]}
        return "/".join(
            "".join(
                letters[(attacker >> bit & 1) + 2 * (defender >> bit & 1)]
                for bit in range(col * board.height, col * board.height + board.rows)
            )
            for col in range(board.cols)
        )

    def _position(self, attacker: int, defender: int) -> Position:
        rows = self.board.rows
        columns = [c.ljust(rows, ".") for c in self._text(attacker, defender).split("/")]
        lines = ["".join(column[row] for column in columns) for row in reversed(range(rows))]
        return self._solver.game.from_text("/".join(lines))
