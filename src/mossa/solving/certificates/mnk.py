"""Checks certificates of mnk scores. It knows the rules by itself.

**What a certificate means.** It claims the score of one position that is not over: +1, 0 or -1 for
the side to move. A score other than 0 needs one proof, that a side can force a win. A score of 0
needs two, that neither side can. In each proof the side in question is the *attacker*, the other
one the *defender*; a position is a letter for each cell, row by row from the bottom: ``a`` or ``d``
for a stone, ``.`` for none.

**A win** is a table: what the attacker plays where it is to move. The checker tries every reply of
the defender, to the end of the game. Two moves need no entry: completing a line, and stopping the
defender from completing one. Stones stay on the board, so every way through the table ends.

**A hold** is a list of states, and which of them the position is like. A state is a position with
the attacker to move in which some cells may be ``-``, of no importance. A line is *open* to the
attacker if it has only ``a`` and ``.``, to the defender if it has only ``d`` and ``.``.

In a position the defender may promise *pairs* of empty cells, no cell in two of them: it will
answer one cell of a pair with the other. So the attacker completes no line that has both. But it
can take either of them, and the defender cannot count on them for lines of its own. A position,
with its pairs if it has any, is *no better than* a state if

- every line that is open to the attacker in the position and has no whole pair is open in the
  state, which has a stone of the attacker wherever the position has one, or a cell of a pair, on
  that line, and
- every line that is open to the defender in the state is so in the position, has no cell of a pair,
  and has a stone of the defender there wherever it has one in the state.

A state claims that the attacker can force a win in no position that is no better. The checker makes
sure that the attacker completes no line of the state at once, and that one of these reasons holds:

- ``potential``: the sum of 2 ** -(empty cells) over the attacker's open lines is less than 1/2
  (Erdős and Selfridge 1973).
- ``replies``: the defender's reply to every move, and which state the position is like then. If
  the defender is about to complete a line, the attacker has one move to answer; if two, none.
- ``parts``: disjoint sets of empty cells. The empty cells of each open line of the attacker are in
  one of them, and each set with the attacker's stones is like a state. The attacker moves in one
  part, and the defender replies there: neither changes an open line of another part, but that a
  stone of the defender may close one of the attacker's.

A position is like a state if it is no better, turned or mirrored, with pairs or without. If every
open line of the attacker has a whole pair, there is nothing left to be like, and no state is
needed.

**Why that suffices.** Take a position that is no better than a checked state, and a move of the
attacker. On a cell of a pair, the defender answers with the other one: the lines through both are
closed, and the rest is as if the attacker had had the stone before. On any other cell that is not
``.`` in the state, nothing changes for the lines that count, whatever the defender does; nor does
it where the cell of a reply is taken or promised, for then no line that counts leads through it, or
the defender has it already. Otherwise the reason has an answer: the potential is a strategy by
itself, and replies and parts lead to states that stand before this one in the file. So every proof
has an end, and by induction the attacker never completes a line.

**The file.** A certificate is a list of records, one on each line. The first one is the claim. A
win is part of it. The states of a draw follow, one record each, for both sides together; the last
record says what the position is like for either side.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from mossa.solving.certificates.reading import (
    CertificateError,
    Progress,
    expect_format,
    fields,
    quote,
    require,
)

KIND = "mnk"
MOST_CELLS = 128
MOST_POSITIONS = 10_000_000
"""Of a win: a small table can lead through more forced moves than anybody can wait for."""


# ---------------------------------------------------------------- boards

_BITS = {
    wanted: str.maketrans({content: str(int(content in wanted)) for content in "ad.-"})
    for wanted in ("a", "d", ".", "a.", "d.", "a-", "d-")
}


def mask(state: str, wanted: str) -> int:
    """Return the cells with one of these contents, as bits."""
    return int(state[::-1].translate(_BITS[wanted]), 2)


def cells(bits: int) -> Iterator[int]:
    """Yield the cells of a mask."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


def put(state: str, cell: int, content: str) -> str:
    """Return the state with something else on a cell."""
    return state[:cell] + content + state[cell + 1 :]


class Board:
    """Cells are numbered row by row from the bottom; a line is a mask of its cells."""

    def __init__(self, rows: int, cols: int, k: int) -> None:
        """List the lines and the symmetries."""
        self.rows, self.cols, self.size = rows, cols, rows * cols
        self.lines = sorted(
            {
                sum(1 << ((row + i * up) * cols + col + i * right) for i in range(k))
                for up, right in ((0, 1), (1, 0), (1, 1), (1, -1))
                for row in range(rows)
                for col in range(cols)
                if row + (k - 1) * up < rows and 0 <= col + (k - 1) * right < cols
            }
        )
        self._through = [
            sum(1 << number for number, line in enumerate(self.lines) if line >> cell & 1)
            for cell in range(self.size)
        ]
        self.symmetries = [self._symmetry(s) for s in range(8 if rows == cols else 4)]
        self._back = [sorted(range(self.size), key=s.__getitem__) for s in self.symmetries]

    def _symmetry(self, symmetry: int) -> list[int]:
        """Return which cell comes to each place."""
        source = [0] * self.size
        for cell in range(self.size):
            row, col = divmod(cell, self.cols)
            row = self.rows - 1 - row if symmetry & 1 else row
            col = self.cols - 1 - col if symmetry & 2 else col
            source[col * self.cols + row if symmetry & 4 else row * self.cols + col] = cell
        return source

    def open_lines(self, state: str, side: str) -> list[int]:
        """Return the lines on which a side has all stones, if any."""
        free = mask(state, side + ".")
        return [line for line in self.lines if line & free == line]

    def touched(self, bits: int) -> int:
        """Return the lines through any of some cells, as bits: line 0, line 1 and so on."""
        found = 0
        for cell in cells(bits):
            found |= self._through[cell]
        return found

    def untouched(self, bits: int) -> int:
        """Return the other lines."""
        return ((1 << len(self.lines)) - 1) & ~self.touched(bits)

    def lines_with_pair(self, one: int, two: int) -> int:
        """Return the lines through both of two cells."""
        return self._through[one] & self._through[two]

    def completing(self, state: str, side: str) -> int:
        """Return the empty cells that complete a line of a side, as a mask."""
        others, empty = ~mask(state, side), mask(state, ".")
        found = 0
        for line in self.lines:
            rest = line & others
            if not rest & (rest - 1):
                found |= rest & empty
        return found

    def turned(self, state: str, symmetry: int) -> str:
        """Return an image of a state."""
        return "".join([state[cell] for cell in self.symmetries[symmetry]])

    def turned_back(self, state: str, symmetry: int) -> str:
        """Return the state that has this image."""
        return "".join([state[cell] for cell in self._back[symmetry]])

    def smallest(self, state: str) -> str:
        """Return the first of a state's images in the order of the alphabet."""
        return min(self.turned(state, symmetry) for symmetry in range(len(self.symmetries)))


# ---------------------------------------------------------------- certificates


def check(
    data: dict[str, Any], records: Iterator[Any], progress: Progress | None = None
) -> dict[str, Any]:
    """Check a claim, given as JSON holds it, by the records that follow."""
    progress = progress or (lambda _: None)
    fields(data, "format", "game", "board", "side", "value", *["win"] * (data.get("value") != 0))
    expect_format(data)
    board = _board(data["game"])
    start = _stones(board, data["board"])
    side, value = data["side"], data["value"]
    require(side in ("x", "o"), f"the side is {quote(side)}, not 'x' or 'o'")
    require(type(value) is int and abs(value) <= 1, f"the value {quote(value)} is not -1, 0 or 1")
    other = "o" if side == "x" else "x"
    require(start.count("x") - start.count("o") == (side == "o"), f"{side} is not to move")
    seen_by = {of: _for(start, of) for of in (side, other)}
    over = "." not in start or any(
        mask(state, "a") & line == line for state in seen_by.values() for line in board.lines
    )
    require(not over, "the game is over")
    if value:
        winner = side if value > 0 else other
        _Win(board, data["win"], progress).check(seen_by[winner], winner == side)
    else:
        states = _States(board)
        holds = states.read(records, progress)
        fields(holds, "x", "o")
        for attacker, hold in holds.items():
            if hold == "strategy stealing":
                require(attacker == "o" and "x" not in start, "nobody has a strategy to steal")
            elif attacker == side:
                states.check_like(seen_by[attacker], hold)
            else:
                states.check_reply(seen_by[attacker], hold)
    return {"game": data["game"], "board": data["board"], "side": side, "value": value}


def _board(name: Any) -> Board:
    number = "([1-9][0-9]{0,2})"
    sizes = type(name) is str and re.fullmatch(f"mnk:{number}x{number}x{number}", name)
    if not sizes:
        raise CertificateError(f"no certificates of {quote(name)}: mnk:ROWSxCOLSxK has them")
    rows, cols, k = map(int, sizes.groups())
    require(
        rows * cols <= MOST_CELLS and k <= max(rows, cols),
        f"no certificates of {name}: boards of up to {MOST_CELLS} cells have them, k fitting in",
    )
    return Board(rows, cols, k)


def _stones(board: Board, text: Any) -> str:
    """Read a board text: rows from the top, separated by slashes."""
    row = f"[xo.]{{{board.cols}}}"
    fits = type(text) is str and re.fullmatch(f"{row}(/{row}){{{board.rows - 1}}}", text)
    require(bool(fits), f"the board text {quote(text)} is not {board.rows} x {board.cols} cells")
    return "".join(reversed(text.split("/")))


def _for(stones: str, attacker: str) -> str:
    return stones.translate(str.maketrans("xo", "ad" if attacker == "x" else "da"))


def _check_state(board: Board, state: Any, contents: str) -> None:
    require(
        type(state) is str and len(state) == board.size and not set(state) - set(contents),
        f"{quote(state)} is not {board.size} cells of {' '.join(contents)}",
    )


def _check_cells(state: str, found: Any) -> None:
    """Require a list of different empty cells."""
    require(
        type(found) is list
        and all(type(c) is int and 0 <= c < len(state) and state[c] == "." for c in found)
        and len(set(found)) == len(found),
        f"not a list of different empty cells of {state}",
    )


def _check_groups(state: str, groups: Any, name: str) -> None:
    """Require groups of different empty cells, with something for each group."""
    require(
        type(groups) is list
        and all(type(g) is list and len(g) == 2 and type(g[0]) is list for g in groups),
        f"the {name} of {state} are not cells with something for them",
    )
    _check_cells(state, [cell for group, _ in groups for cell in group])


def _bits(found: Iterable[int]) -> int:
    bits = 0
    for cell in found:
        bits |= 1 << cell
    return bits


# ---------------------------------------------------------------- wins


def attacker_move(board: Board, state: str, moves: dict[str, int]) -> int | None:
    """Return the attacker's move: a line, a parry, or what the table says of the smallest image."""
    forced = board.completing(state, "a") or board.completing(state, "d")
    # Of two lines of the defender one is stopped; the other one is seen after this move.
    return next(cells(forced)) if forced else moves.get(state)


class _Win:
    """Goes through all replies of the defender."""

    def __init__(self, board: Board, moves: Any, progress: Progress) -> None:
        require(type(moves) is dict, "the win is not a JSON object")
        for state, move in moves.items():
            _check_state(board, state, "ad.")
            _check_cells(state, [move])
        self._board, self._moves, self._progress = board, moves, progress

    def check(self, position: str, attacker_moves: bool) -> None:
        """Raise CertificateError unless the attacker wins."""
        board, seen = self._board, set[str]()
        waiting = [position] if attacker_moves else self._after_replies(position)
        while waiting:
            state = board.smallest(waiting.pop())
            if state in seen:
                continue
            seen.add(state)
            require(
                len(seen) <= MOST_POSITIONS, f"the win takes more than {MOST_POSITIONS:,} positions"
            )
            if len(seen) % 1000 == 0:
                self._progress(len(seen))
            move = attacker_move(board, state, self._moves)
            if move is None:
                raise CertificateError(f"no move for {state}")
            if not board.completing(state, "a"):  # else this move does
                waiting += self._after_replies(put(state, move, "a"))

    def _after_replies(self, position: str) -> list[str]:
        """Return the positions in which the attacker has not won by completing a line at once."""
        require(not self._board.completing(position, "d"), f"the defender wins in {position}")
        require("." in position, f"the board is full: {position}")
        return [put(position, cell, "d") for cell in replies(self._board, position, "d")]


def replies(board: Board, position: str, side: str) -> list[int]:
    """Return the moves of a side that do not let the other one complete a line at once."""
    threats = board.completing(position, "a" if side == "d" else "d")
    if threats & (threats - 1):  # two of them
        return []
    return list(cells(threats or mask(position, ".")))


# ---------------------------------------------------------------- holds


class _States:
    """Checks every state of a draw against those before it."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._states: list[str] = []

    def read(self, records: Iterable[Any], progress: Progress) -> Any:
        """Check all records up to what follows the states, and return that."""
        for record in records:
            if type(record) is not list:
                fields(record, "holds")
                return record["holds"]
            require(len(record) == 2, "a state without a reason")
            self._check(*record)
            self._states.append(record[0])
            if len(self._states) % 1000 == 0:
                progress(len(self._states))
        raise CertificateError("the file ends before it says what holds")

    def _check(self, state: Any, reason: Any) -> None:
        _check_state(self._board, state, "ad.-")
        empty = mask(state, ".")
        lines = [line & empty for line in self._board.open_lines(state, "a")]
        require(
            all(line & (line - 1) for line in lines), f"the attacker completes a line in {state}"
        )
        if reason == "potential":
            require(small_potential(lines), f"the potential of {state} is not less than 1/2")
            return
        name = next(iter(reason)) if type(reason) is dict and len(reason) == 1 else None
        if name == "parts":
            self._check_parts(state, lines, reason[name])
        elif name == "replies":
            self._check_replies(state, reason[name])
        else:
            raise CertificateError(f"{state} has no reason that there is")

    def _check_parts(self, state: str, lines: list[int], parts: Any) -> None:
        _check_groups(state, parts, "parts")
        bits = [_bits(part) for part, _ in parts]
        for line in lines:
            require(any(line & part == line for part in bits), f"a line of {state} has no part")
        for part, reference in parts:
            alone = "".join(
                content if content == "a" or cell in part else "-"
                for cell, content in enumerate(state)
            )
            self.check_like(alone, reference)

    def _check_replies(self, state: str, answers: Any) -> None:
        _check_groups(state, answers, "replies")
        answered = _bits(cell for moves, _ in answers for cell in moves)
        missing = set(replies(self._board, state, "a")) - set(cells(answered))
        require(not missing, f"no reply to {min(missing, default=0)} in {state}")
        for moves, reply in answers:
            for move in moves:
                self.check_reply(put(state, move, "a"), reply)

    def check_reply(self, position: str, reply: Any) -> None:
        """Check a move of the defender and what comes of it: cell, or cell and reference."""
        require(type(reply) is list and len(reply) > 0, f"no reply in {position}")
        _check_cells(position, reply[:1])
        cell = reply[0]
        if len(reply) == 1:
            completes = self._board.completing(position, "d") >> cell & 1
            require(bool(completes), f"reply {cell} completes no line in {position}")
        else:
            self.check_like(put(position, cell, "d"), reply[1:])

    def check_like(self, position: str, reference: Any) -> None:
        """Check that a position is held: by pairs, or like a state, its number and symmetry."""
        board = self._board
        require(
            type(reference) is list and len(reference) in (1, 3), f"not a reference from {position}"
        )
        pairs, *like = reference
        _check_cells(position, pairs)
        require(len(pairs) % 2 == 0, f"a cell without another in {position}")
        if not like:
            require(not lines_left(board, position, pairs), f"a line of {position} has no pair")
            return
        number, symmetry = like
        require(
            type(number) is type(symmetry) is int
            and 0 <= number < len(self._states)
            and 0 <= symmetry < len(board.symmetries),
            f"no state before this one: {quote(number)}, turned by {quote(symmetry)}",
        )
        state = board.turned_back(self._states[number], symmetry)
        require(no_better(board, position, pairs, state), f"{position} is better than {state}")


def lines_left(board: Board, position: str, pairs: list[int]) -> int:
    """Return the lines that are open to the attacker and have no whole pair."""
    left = board.untouched(mask(position, "d-"))
    for one, two in zip(pairs[::2], pairs[1::2], strict=True):
        left &= ~board.lines_with_pair(one, two)
    return left


def no_better(board: Board, position: str, pairs: list[int], state: str) -> bool:
    """Tell whether a position with pairs is no better for the attacker than a state, as above."""
    promised = _bits(pairs)
    stones = mask(position, "a") | promised
    too_few = mask(state, "d-") | stones & ~mask(state, "a")
    too_many = mask(position, "a-") | promised | mask(state, "d") & ~mask(position, "d")
    return not (
        lines_left(board, position, pairs) & board.touched(too_few)
        or board.untouched(mask(state, "a-")) & board.touched(too_many)
    )


def small_potential(lines: list[int]) -> bool:
    """Tell whether the sum of 2 ** -(empty cells) over lines of empty cells is less than 1/2."""
    counts = [line.bit_count() for line in lines]
    longest = max(counts, default=0)
    return sum(2 << (longest - count) for count in counts) < 1 << longest
