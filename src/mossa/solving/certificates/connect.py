"""Checks certificates of connect scores. It knows the rules by itself.

**What a certificate means.** It claims the score of one position that is not over: who wins, and
how many plies are left if the winner hurries and the loser delays, or that nobody wins. Everything
is an answer to one sort of question: *can the attacker complete a line, with stone number L of the
board at the latest?* (The defender's line ends the game, and then the answer is no.) With n stones
on the board and c cells

- a win of a side in d plies is a yes for L = n + d, and a no for L = n + d - 2, which is when that
  side had its stone before;
- a draw is two times no for L = c, each side being the attacker once.

A yes is proven by the attacker, a no by the defender. Whoever *proves* needs one good move in each
position; of the other side all moves are tried.

**The table** of a side has good moves: for a position with that side to move, a column. It is a
help and nothing more. The checker plays out the question by the rules. Where the table has a move
for the side that proves, it tries only that one; where it has none, it tries them all. A move that
does not lead to the goal proves nothing, wherever it came from. So a false table can only fail.

**What is clear without trying**, and why:

- A side that can complete a line does so. One that must stop the other from it has one move. If
  it must stop two, or completes a line too late, it has failed.
- No move helps below a cell that completes a line for the other side: there it plays next.
- The attacker completes no line if its stones and all empty cells together have none.
- *Follow-up*: the attacker is to move, and the empty cells of every column are even in number.
  Then the defender can always play into the same column on top of the attacker, who gets the
  cells below these and no others. If its stones and those cells have no line, the answer is no.

**Why that suffices.** Every stone fills a cell, so all of it ends, and whether a position has been
looked at before does not matter. A position and its mirror image have the same answer.
"""

import re
from typing import Any

from mossa.solving.certificates.reading import (
    CertificateError,
    Looks,
    Progress,
    expect_format,
    fields,
    quote,
    require,
)

KIND = "connect"
MOST_CELLS = 128

SIDES = ("x", "o")


class Board:
    """Cells are bits, column by column from the left, each from the bottom; a spare bit on top."""

    def __init__(self, rows: int, cols: int, k: int) -> None:
        """Lay out the bits."""
        self.rows, self.cols, self.k = rows, cols, k
        self.height = rows + 1
        self.size = rows * cols
        self._steps = (1, self.height, self.height + 1, self.height - 1)
        self._bottom = sum(1 << col * self.height for col in range(cols))
        self._columns = [self._bottom_of(col) * ((1 << rows) - 1) for col in range(cols)]
        self.cells = sum(self._columns)
        self._from_centre = sorted(range(cols), key=lambda col: abs(2 * col - cols + 1))
        self.lines = self._all_lines()
        self.lines_of = {
            1 << cell: [line for line in self.lines if line >> cell & 1]
            for cell in range(self.height * cols)
        }
        # The cells that the attacker gets if columns with an even number of empty cells are filled.
        self._lower = sum(self._bottom << row for row in range(rows) if (rows - row) % 2 == 0)

    def _bottom_of(self, col: int) -> int:
        return 1 << col * self.height

    def _all_lines(self) -> list[int]:
        runs = (
            sum(1 << start + i * step for i in range(self.k))
            for step in self._steps
            for start in range(self.height * self.cols)
        )
        return sorted({run for run in runs if run & self.cells == run})

    def playable(self, occupied: int) -> int:
        """Return the cells that a stone can fall to."""
        return (occupied + self._bottom) & self.cells

    def landing(self, occupied: int, col: int) -> int:
        """Return the cell that a stone in a column falls to; 0 if the column is full."""
        return self.playable(occupied) & self._columns[col]

    def columns_of(self, moves: int) -> list[int]:
        """Return the columns of some playable cells, those near the centre first."""
        return [col for col in self._from_centre if moves & self._columns[col]]

    def completing(self, stones: int, lines: list[int]) -> int:
        """Return the cells that complete one of these lines."""
        found = 0
        for line in lines:
            rest = line & ~stones
            if not rest & (rest - 1):
                found |= rest
        return found

    def has_line(self, stones: int) -> bool:
        """Tell whether there are k of these stones in a row."""
        for step in self._steps:
            runs = stones
            for _ in range(self.k - 1):
                runs &= runs >> step
            if runs:
                return True
        return False

    def is_held(self, attacker: int, occupied: int) -> bool:
        """Tell whether the attacker, to move, completes no line whatever it does."""
        empty = self.cells & ~occupied
        if not self.has_line(attacker | empty):
            return True
        even = not self.playable(occupied) & ~self._lower
        return even and not self.has_line(attacker | empty & self._lower)

    def key(self, stones: int, occupied: int) -> tuple[int, bool]:
        """Return a number for a position and its mirror image, and whether it is the image's.

        In each column the bit above the last stone is set, and below it those of one side.
        """
        code = occupied + self._bottom + stones
        image, rest = 0, code
        for _ in range(self.cols):
            image = image << self.height | rest & (1 << self.height) - 1
            rest >>= self.height
        return (image, True) if image < code else (code, False)


class Question:
    """Can the attacker complete a line, with stone number ``last`` of the board at the latest?"""

    def __init__(
        self, board: Board, last: int, attacker_proves: bool, table: dict[int, int], looks: Looks
    ) -> None:
        """Take the moves of the side that proves, by Board.key, as columns of that image."""
        self.board, self.last, self.attacker_proves = board, last, attacker_proves
        self.table, self.looks = table, looks
        self.known: dict[int, bool] = {}

    def answer(self, attacker: int, defender: int, attacker_moves: bool) -> bool:
        """Return yes if it is proven, or if the defender failed to prove no."""
        ask = self.attack if attacker_moves else self.defend
        lines = self.board.lines
        wins, losses = (self.board.completing(own, lines) for own in (attacker, defender))
        return ask(attacker, defender, wins, losses)

    def attack(self, attacker: int, defender: int, wins: int, losses: int) -> bool:
        """Answer with the attacker to move, given the cells that complete lines of both sides."""
        self.looks.add()
        board, occupied = self.board, attacker | defender
        left = self.last - occupied.bit_count()
        playable = board.playable(occupied)
        if left < 1 or wins & playable:
            return left >= 1
        threats = losses & playable
        moves = (threats or playable) & ~(losses >> 1)
        if left < 3 or not moves or threats & (threats - 1):
            return False
        key, flipped = board.key(attacker, occupied)
        known = self.known.get(key)
        if known is None:
            known = False
            if not board.is_held(attacker, occupied):
                cols = board.columns_of(moves)
                if self.attacker_proves and len(cols) > 1:
                    cols = self.proposed(key, flipped, attacker, defender, cols)
                for col in cols:
                    cell = board.landing(occupied, col)
                    stones = attacker | cell
                    more = board.completing(stones, board.lines_of[cell])
                    if self.defend(stones, defender, wins | more, losses):
                        known = True
                        break
            self.known[key] = known
        return known

    def defend(self, attacker: int, defender: int, wins: int, losses: int) -> bool:
        """Answer with the defender to move."""
        self.looks.add()
        board, occupied = self.board, attacker | defender
        playable = board.playable(occupied)
        if losses & playable or not playable or self.last - occupied.bit_count() < 2:
            return False
        threats = wins & playable
        moves = (threats or playable) & ~(wins >> 1)
        if not moves or threats & (threats - 1):
            return True
        key, flipped = board.key(attacker, occupied)
        known = self.known.get(key)
        if known is None:
            known = True
            cols = board.columns_of(moves)
            if not self.attacker_proves and len(cols) > 1:
                cols = self.proposed(key, flipped, attacker, defender, cols)
            for col in cols:
                cell = board.landing(occupied, col)
                stones = defender | cell
                more = board.completing(stones, board.lines_of[cell])
                if not self.attack(attacker, stones, wins, losses | more):
                    known = False
                    break
            self.known[key] = known
        return known

    def proposed(
        self, key: int, flipped: bool, attacker: int, defender: int, cols: list[int]
    ) -> list[int]:
        """Return which of several columns the side that proves tries: the table's, or all."""
        col = self.table.get(key)
        if col is None:
            return cols
        col = self.board.cols - 1 - col if flipped else col
        return [col] if col in cols else []


# ---------------------------------------------------------------- certificates


def check(data: Any, progress: Progress | None = None) -> dict[str, Any]:
    """Return what a certificate proves; raise CertificateError."""
    fields(data, "format", "game", "board", "side", "value", "distance", "moves")
    expect_format(data)
    board = _board(data["game"])
    stones = _stones(board, data["board"])
    side = data["side"]
    require(side in SIDES, f"the side is {quote(side)}, not 'x' or 'o'")
    ahead = stones["x"].bit_count() - stones["o"].bit_count()
    require(ahead == (side == "o"), f"{side} is not to move")
    occupied = stones["x"] | stones["o"]
    over = occupied == board.cells or any(board.has_line(each) for each in stones.values())
    require(not over, "the game is over")
    value, distance = data["value"], data["distance"]
    _expect_score(value, distance, board.size - occupied.bit_count())
    fields(data["moves"], *SIDES)
    looks = Looks(progress)
    for attacker, last, yes in questions(side, value, occupied.bit_count() + distance):
        defender = "o" if attacker == "x" else "x"
        prover = attacker if yes else defender
        table = _table(board, prover, data["moves"][prover], attacker)
        question = Question(board, last, yes, table, looks)
        answer = question.answer(stones[attacker], stones[defender], attacker == side)
        verb = "completes a line" if yes else "is kept from a line"
        require(answer == yes, f"not shown that {attacker} {verb} with stone {last} at the latest")
    return {
        "game": data["game"],
        "board": data["board"],
        "side": side,
        "value": value,
        "distance": distance,
    }


def questions(side: str, value: int, end: int) -> list[tuple[str, int, bool]]:
    """Return what a score means if the game ends with stone ``end``: attacker, last, answer."""
    other = "o" if side == "x" else "x"
    if value == 0:
        return [(side, end, False), (other, end, False)]
    winner = side if value > 0 else other
    return [(winner, end, True), (winner, end - 2, False)]


def _expect_score(value: Any, distance: Any, empty: int) -> None:
    require(type(value) is int and abs(value) <= 1, f"the value {quote(value)} is not -1, 0 or 1")
    possible = {0: (empty,), 1: range(1, empty + 1, 2), -1: range(2, empty + 1, 2)}[value]
    require(
        type(distance) is int and distance in possible,
        f"the distance {quote(distance)} cannot be with value {value} and {empty} empty cells",
    )


def _board(name: Any) -> Board:
    number = "([1-9][0-9]{0,2})"
    sizes = type(name) is str and re.fullmatch(f"connect:{number}x{number}x{number}", name)
    if not sizes:
        raise CertificateError(f"no certificates of {quote(name)}: connect:ROWSxCOLSxK has them")
    rows, cols, k = map(int, sizes.groups())
    require(
        rows * cols <= MOST_CELLS and k <= max(rows, cols),
        f"no certificates of {name}: boards of up to {MOST_CELLS} cells have them, k fitting in",
    )
    return Board(rows, cols, k)


def _stones(board: Board, text: Any) -> dict[str, int]:
    """Read a board text: rows from the top, separated by slashes."""
    row = f"[xo.]{{{board.cols}}}"
    fits = type(text) is str and re.fullmatch(f"{row}(/{row}){{{board.rows - 1}}}", text)
    require(bool(fits), f"the board text {quote(text)} is not {board.rows} x {board.cols} cells")
    rows = text.split("/")[::-1]
    columns = ["".join(row[col] for row in rows).rstrip(".") for col in range(board.cols)]
    require("." not in "".join(columns), f"a stone of {quote(text)} hangs in the air")
    return stones_of(board, columns)


def stones_of(board: Board, columns: list[str]) -> dict[str, int]:
    """Return the stones of both sides, given the letters of each column from the bottom."""
    return {
        side: sum(
            1 << col * board.height + row
            for col, letters in enumerate(columns)
            for row, letter in enumerate(letters)
            if letter == side
        )
        for side in SIDES
    }


def _table(board: Board, side: str, moves: Any, attacker: str) -> dict[int, int]:
    """Read the moves of a side, by Board.key of the attacker, as columns of that image."""
    require(type(moves) is dict, f"the moves of {side} are not a JSON object")
    table = {}
    for text, move in moves.items():
        columns = text.split("/")
        require(
            len(columns) == board.cols
            and all(len(each) <= board.rows and not each.strip("xo") for each in columns)
            and text.count("x") - text.count("o") == (side == "o"),
            f"{quote(text)} is not {board.cols} columns with {side} to move",
        )
        require(text <= "/".join(columns[::-1]), f"{quote(text)} comes after its mirror image")
        require(
            type(move) is int and 1 <= move <= board.cols and len(columns[move - 1]) < board.rows,
            f"{quote(move)} is no move in {quote(text)}",
        )
        stones = stones_of(board, columns)
        key, flipped = board.key(stones[attacker], stones["x"] | stones["o"])
        table[key] = board.cols - move if flipped else move - 1
    return table
