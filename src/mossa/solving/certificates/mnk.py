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
attacker if it has only ``a`` and ``.``, to the defender if it has only ``d`` and ``.``. A position
is *no better than* a state if

- every line that is open to the attacker in the position is so in the state, which has a stone of
  the attacker wherever the position has one on that line, and
- every line that is open to the defender in the state is so in the position, which has a stone of
  the defender wherever the state has one on that line.

A state claims that the attacker can force a win in no position that is no better. Whatever the
attacker plays on a cell that is not ``.`` in the state, the position stays no better, and so it
does when the defender plays anywhere, or cannot because the board is full. The checker makes sure
that the attacker completes no line at once, and that one of these reasons holds:

- ``pairs``: disjoint pairs of empty cells, one on every open line of the attacker. The defender
  answers one cell of a pair with the other.
- ``potential``: the sum of 2 ** -(empty cells) over the attacker's open lines is less than 1/2
  (Erdős and Selfridge 1973).
- ``replies``: the defender's reply to every move, and which state the position is like then. If
  the defender is about to complete a line, the attacker has one move to answer; if two, none.
- ``parts``: disjoint sets of empty cells. The empty cells of each open line of the attacker are in
  one of them, and each set with the attacker's stones is like a state. The attacker moves in one
  part, and the defender replies there: neither changes an open line of another part, but that a
  stone of the defender may close one of the attacker's.

Where a position is said to be like a state, it may be turned or mirrored, and it may come with
pairs of empty cells such that every open line of the attacker has both cells of a pair or neither.
The defender promises to answer one with the other. So no line through them is ever completed, and
the cells are ``-`` from then on.

**Why that suffices.** Suppose the attacker wins a position that is no better than a checked state.
``pairs`` and ``potential`` are strategies by themselves. ``replies`` lead to a checked state with
fewer empty cells on the board, and ``parts`` to checked states with fewer ``.``, which is checked
too. So nothing is proven by going round in a circle, and by induction the attacker does not win.
"""

import re
from collections.abc import Iterator
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
    for wanted in ("a", "d", ".", "a.", "d.")
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
        self.symmetries = [self._symmetry(s) for s in range(8 if rows == cols else 4)]

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

    def smallest(self, state: str) -> str:
        """Return the first of a state's images in the order of the alphabet."""
        return min(self.turned(state, symmetry) for symmetry in range(len(self.symmetries)))


# ---------------------------------------------------------------- certificates


def check(data: Any, progress: Progress | None = None) -> dict[str, Any]:
    """Check the content of a certificate, as JSON holds it."""
    progress = progress or (lambda _: None)
    proof = "win" if isinstance(data, dict) and data.get("value") != 0 else "holds"
    fields(data, "format", "game", "board", "side", "value", proof)
    expect_format(data)
    board = _board(data["game"])
    start = _stones(board, data["board"])
    side, value = data["side"], data["value"]
    require(side in ("x", "o"), f"the side is {quote(side)}, not 'x' or 'o'")
    require(type(value) is int and abs(value) <= 1, f"the value {quote(value)} is not -1, 0 or 1")
    other = "o" if side == "x" else "x"
    require(start.count("x") - start.count("o") == (side == "o"), f"{side} is not to move")
    states = {of: _for(start, of) for of in (side, other)}
    over = "." not in start or any(
        mask(state, "a") & line == line for state in states.values() for line in board.lines
    )
    require(not over, "the game is over")
    if value:
        winner = side if value > 0 else other
        _Win(board, data["win"], progress).check(states[winner], winner == side)
    else:
        fields(data["holds"], "x", "o")
        for attacker, hold in data["holds"].items():
            if hold == "strategy stealing":
                require(attacker == "o" and "x" not in start, "nobody has a strategy to steal")
            else:
                _Hold(board, hold, progress).check(states[attacker], attacker == side)
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


class _Hold:
    """Checks every state of a list against those that it refers to."""

    def __init__(self, board: Board, hold: Any, progress: Progress) -> None:
        fields(hold, "root", "states")
        self._board, self._progress = board, progress
        self._root, self._states = hold["root"], hold["states"]
        require(type(self._states) is list, "the states are not a list")
        for entry in self._states:
            require(type(entry) is list and len(entry) == 2, "a state without a reason")
            _check_state(board, entry[0], "ad.-")

    def check(self, position: str, attacker_moves: bool) -> None:
        """Raise CertificateError unless the defender holds."""
        if attacker_moves:
            self._check_like(position, self._root)
        else:
            self._check_reply(position, self._root)
        for number, (state, reason) in enumerate(self._states):
            self._check_reason(state, reason)
            if number % 1000 == 0:
                self._progress(number)

    def _check_reason(self, state: str, reason: Any) -> None:
        empty = mask(state, ".")
        lines = [line & empty for line in self._board.open_lines(state, "a")]
        require(
            all(line & (line - 1) for line in lines), f"the attacker completes a line in {state}"
        )
        if reason == "potential":
            require(small_potential(lines), f"the potential of {state} is not less than 1/2")
            return
        name = next(iter(reason)) if type(reason) is dict and len(reason) == 1 else None
        require(name in ("pairs", "parts", "replies"), f"{state} has no reason that there is")
        getattr(self, f"_check_{name}")(state, lines, reason[name])

    def _check_pairs(self, state: str, lines: list[int], pairs: Any) -> None:
        require(
            type(pairs) is list and all(type(pair) is list and len(pair) == 2 for pair in pairs),
            f"the pairs of {state} are not pairs",
        )
        _check_cells(state, [cell for pair in pairs for cell in pair])
        bits = [1 << one | 1 << two for one, two in pairs]
        for line in lines:
            require(any(pair & line == pair for pair in bits), f"a line of {state} has no pair")

    def _check_parts(self, state: str, lines: list[int], parts: Any) -> None:
        require(
            type(parts) is list
            and all(
                type(part) is list and len(part) == 2 and type(part[0]) is list for part in parts
            ),
            f"the parts of {state} are not cells and a reference",
        )
        _check_cells(state, [cell for part, _ in parts for cell in part])
        bits = [sum(1 << cell for cell in part) for part, _ in parts]
        for line in lines:
            require(any(line & part == line for part in bits), f"a line of {state} has no part")
        for part, reference in parts:
            alone = "".join(
                content if content == "a" or cell in part else "-"
                for cell, content in enumerate(state)
            )
            like = self._check_like(alone, reference)
            require(like.count(".") < state.count("."), f"a part of {state} has no fewer cells")

    def _check_replies(self, state: str, _: list[int], answers: Any) -> None:
        moves = {str(cell): cell for cell in replies(self._board, state, "a")}
        require(
            type(answers) is dict and answers.keys() == moves.keys(),
            f"the replies in {state} are not to the moves {' '.join(moves)}",
        )
        for move, cell in moves.items():
            self._check_reply(put(state, cell, "a"), answers[move])

    def _check_reply(self, position: str, reply: Any) -> None:
        """Check a move of the defender and what it leads to: cell, or cell and reference."""
        require(type(reply) is list and len(reply) > 0, f"no reply in {position}")
        _check_cells(position, reply[:1])
        cell = reply[0]
        if len(reply) == 1:
            completes = self._board.completing(position, "d") >> cell & 1
            require(bool(completes), f"reply {cell} completes no line in {position}")
        else:
            self._check_like(put(position, cell, "d"), reply[1:])

    def _check_like(self, position: str, reference: Any) -> str:
        """Return a state that a position is no better than: number, symmetry, promised pairs."""
        board = self._board
        require(
            type(reference) is list
            and len(reference) >= 2
            and len(reference) % 2 == 0
            and all(type(number) is int for number in reference)
            and 0 <= reference[0] < len(self._states)
            and 0 <= reference[1] < len(board.symmetries),
            f"not a reference from {position}",
        )
        number, symmetry, *promised = reference
        _check_cells(position, promised)
        for one, two in zip(promised[::2], promised[1::2], strict=True):
            pair = 1 << one | 1 << two
            for line in board.open_lines(position, "a"):
                require(line & pair in (0, pair), f"a line of {position} parts {one} and {two}")
            position = put(put(position, one, "-"), two, "-")
        image, state = board.turned(position, symmetry), self._states[number][0]
        require(no_better(board, image, state), f"{image} is better than {state}")
        return str(state)


def small_potential(lines: list[int]) -> bool:
    """Tell whether the sum of 2 ** -(empty cells) over lines of empty cells is less than 1/2."""
    counts = [line.bit_count() for line in lines]
    longest = max(counts, default=0)
    return sum(2 << (longest - count) for count in counts) < 1 << longest


def no_better(board: Board, position: str, state: str) -> bool:
    """Tell whether a position is no better for the attacker than a state (defined above)."""
    extra = ~mask(state, "a.") | mask(position, "a") & ~mask(state, "a")
    missing = ~mask(position, "d.") | mask(state, "d") & ~mask(position, "d")
    return not (
        any(line & extra for line in board.open_lines(position, "a"))
        or any(line & missing for line in board.open_lines(state, "d"))
    )
