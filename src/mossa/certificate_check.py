"""Checks certificates of mnk solutions. It knows the rules by itself and uses nothing of mossa.

A certificate (format in docs/solving.md) holds one proof for a side that wins, or one for each side
that cannot win. The attacker is the side that the proof is about, the other one the defender.

**A win** is a table: for positions in which the attacker is to move, what it plays. The checker
goes through every answer of the defender. Two moves need no entry: completing a line, and stopping
the defender from completing one.

**A hold** is a list of states in which the attacker is to move. A state says of every cell: ``a``
attacker, ``d`` defender, ``.`` empty, ``-`` of no importance. Its open lines are those of ``a`` and
``.`` (the attacker's) and those of ``d`` and ``.`` (the defender's). A position *is no better than*
a state if every open line of the attacker in the position is one of the state, with no stones that
the state does not have, and every open line of the defender in the state is one of the position,
with all stones that the state has. A state claims: in no position that is no better, the attacker
can force a win. That is proven in one of these ways:

- ``pairs``: disjoint pairs of empty cells, one on every open line of the attacker. The defender
  answers with the other cell of a pair.
- ``potential``: the sum of 2 ** -(empty cells) over the attacker's open lines is less than 1/2
  (Erdős and Selfridge 1973).
- ``parts``: sets of empty cells such that no open line of the attacker has cells of two of them.
  The defender holds each by itself and answers where the attacker moves.
- ``replies``: for every move of the attacker one of the defender, which completes a line or leads
  to a position that is no better than another state, perhaps turned or mirrored. If the defender is
  about to complete a line, the attacker has one move.

A reference to a state may come with pairs of empty cells that all open lines of the attacker
through one of them have in common. The defender promises to answer one with the other, so these
lines are left out, and the cells are of no importance from then on. A move on a cell of no
importance changes no line of the state, so the defender may answer anywhere. Every two moves the
board has fewer empty cells, so references cannot go round in circles.
"""

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

FORMAT = "mossa certificate 1"


class CertificateError(ValueError):
    """A certificate that proves nothing."""


class Board:
    """Cells are numbered row by row from the bottom; lines and symmetries are lists of cells."""

    def __init__(self, rows: int, cols: int, k: int) -> None:
        """List the lines and the symmetries."""
        self.rows, self.cols, self.k = rows, cols, k
        self.size = rows * cols
        self.lines = [
            tuple((row + i * down) * cols + col + i * right for i in range(k))
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
            for row in range(rows)
            for col in range(cols)
            if row + (k - 1) * down < rows and 0 <= col + (k - 1) * right < cols
        ]
        self.lines_at = [[line for line in self.lines if cell in line] for cell in range(self.size)]
        self.symmetries = [self._image(s) for s in range(8 if rows == cols else 4)]

    def _image(self, symmetry: int) -> tuple[int, ...]:
        """Return where each cell goes."""
        image = []
        for row in range(self.rows):
            for col in range(self.cols):
                r = self.rows - 1 - row if symmetry & 1 else row
                c = self.cols - 1 - col if symmetry & 2 else col
                image.append(c * self.cols + r if symmetry & 4 else r * self.cols + c)
        return tuple(image)

    def open_lines(self, state: str, side: str) -> list[tuple[int, ...]]:
        """Return the lines on which a side has all stones, if any."""
        return [
            line for line in self.lines if all(state[c] == side or state[c] == "." for c in line)
        ]

    def completing(self, state: str, side: str) -> set[int]:
        """Return the cells that complete a line of a side."""
        found = set()
        for line in self.lines:
            empty = [cell for cell in line if state[cell] != side]
            if len(empty) == 1 and state[empty[0]] == ".":
                found.add(empty[0])
        return found

    def completes(self, state: str, cell: int, side: str) -> bool:
        """Tell whether a stone on a cell completes a line."""
        return any(all(c == cell or state[c] == side for c in line) for line in self.lines_at[cell])

    def smallest(self, state: str) -> str:
        """Return the first of a state's images in the order of the alphabet."""
        return min(self.turned(state, symmetry) for symmetry in range(len(self.symmetries)))

    def turned(self, state: str, symmetry: int) -> str:
        """Return an image of a state."""
        cells = [""] * self.size
        for cell, there in enumerate(self.symmetries[symmetry]):
            cells[there] = state[cell]
        return "".join(cells)


def put(state: str, cell: int, side: str) -> str:
    """Return the state with a stone on a cell."""
    return state[:cell] + side + state[cell + 1 :]


def check_certificate(
    path: Path | str, progress: Callable[[int], object] | None = None
) -> dict[str, Any]:
    """Return what a certificate proves (game, board, side, value); raise CertificateError.

    ``progress`` is told now and then how many positions have been looked at.
    """
    try:
        data = json.loads(Path(path).read_text())
        return check(data, progress or (lambda _: None))
    except json.JSONDecodeError as error:
        raise CertificateError(f"{path}: not a certificate: {error}") from None
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise CertificateError(f"{path}: not a certificate: {error!r}") from None


def check(data: dict[str, Any], progress: Callable[[int], object]) -> dict[str, Any]:
    """Check what a certificate file holds."""
    _require(data["format"] == FORMAT, f"format {data['format']!r} instead of {FORMAT!r}")
    name = re.fullmatch(r"mnk:(\d+)x(\d+)x(\d+)", data["game"])
    _require(name is not None, f"no certificates of {data['game']!r}: mnk:ROWSxCOLSxK")
    assert name is not None
    board = Board(*map(int, name.groups()))
    start = _stones(board, data["board"])
    side, value = data["side"], data["value"]
    _require(side in "xo" and value in (-1, 0, 1), f"no side and value: {side!r}, {value!r}")
    other = "o" if side == "x" else "x"
    _require(start.count("x") - start.count("o") == (side == "o"), "it is not that side's turn")
    _require(
        not any(
            len({start[c] for c in line} - {"."}) == 1 and "." not in {start[c] for c in line}
            for line in board.lines
        ),
        "the game is over",
    )
    if value:
        winner = side if value > 0 else other
        position = _for(start, winner)
        WinChecker(board, data["win"], progress).check(position, winner == side)
    else:
        for attacker in (side, other):
            if data["holds"][attacker] == "strategy stealing":
                _require(attacker == "o" and "x" not in start, "nobody has a strategy to steal")
            else:
                HoldChecker(board, data["holds"][attacker], progress).check(
                    _for(start, attacker), attacker == side
                )
    return {"game": data["game"], "board": data["board"], "side": side, "value": value}


def _require(fact: bool, otherwise: str) -> None:
    if not fact:
        raise CertificateError(otherwise)


def _stones(board: Board, text: str) -> str:
    """Read a board text: rows from the top, separated by slashes."""
    rows = text.split("/")
    _require(
        len(rows) == board.rows
        and all(re.fullmatch(f"[xo.]{{{board.cols}}}", row) for row in rows),
        f"the board text {text!r} does not fit",
    )
    return "".join(reversed(rows))


def _for(stones: str, attacker: str) -> str:
    defender = "o" if attacker == "x" else "x"
    return stones.replace(attacker, "a").replace(defender, "d")


def _checked_pairs(state: str, pairs: list[Any]) -> list[set[int]]:
    cells = [cell for pair in pairs for cell in pair]
    _require(
        len(set(cells)) == len(cells) == 2 * len(pairs) and all(state[c] == "." for c in cells),
        f"pairs {pairs} of {state}",
    )
    return [set(pair) for pair in pairs]


def cells_of(state: str) -> Iterator[int]:
    """Yield the empty cells."""
    return (cell for cell, content in enumerate(state) if content == ".")


class WinChecker:
    """Goes through all answers of the defender."""

    def __init__(
        self, board: Board, moves: dict[str, int], progress: Callable[[int], object]
    ) -> None:
        """Take the attacker's moves."""
        self._board, self._moves, self._progress = board, moves, progress
        self._proven: set[str] = set()

    def check(self, position: str, attacker_moves: bool) -> None:
        """Raise CertificateError unless the attacker wins."""
        waiting = [position] if attacker_moves else list(self._answers(position))
        while waiting:
            state = self._board.smallest(waiting.pop())
            if state in self._proven:
                continue
            self._proven.add(state)
            if len(self._proven) % 1000 == 0:
                self._progress(len(self._proven))
            move = attacker_move(self._board, state, self._moves)
            _require(move is not None, f"no move for {state}")
            assert move is not None
            _require(0 <= move < len(state) and state[move] == ".", f"move {move} in {state}")
            if not self._board.completes(state, move, "a"):
                waiting.extend(self._answers(put(state, move, "a")))

    def _answers(self, position: str) -> Iterator[str]:
        """Yield the positions after every answer; the defender must not have the last word."""
        _require(not self._board.completing(position, "d"), f"the defender wins in {position}")
        _require("." in position, f"the board is full: {position}")
        threats = self._board.completing(position, "a")
        # Any answer that leaves a completing cell open loses at once, and needs no entry.
        if len(threats) > 1:
            return
        for cell in threats or set(cells_of(position)):
            yield put(position, cell, "d")


def attacker_move(board: Board, state: str, moves: dict[str, int]) -> int | None:
    """Return the attacker's move: a line, a parry, or what the table says of the smallest image."""
    if wins := board.completing(state, "a"):
        return min(wins)
    if threats := board.completing(state, "d"):
        return min(threats)  # a second one is found when the defender completes it
    return moves.get(state)


class HoldChecker:
    """Checks every state of a list against those that it refers to."""

    def __init__(
        self, board: Board, proof: dict[str, Any], progress: Callable[[int], object]
    ) -> None:
        """Take the states and where they begin."""
        self._board, self._progress = board, progress
        self._states: list[str] = [state for state, _ in proof["states"]]
        self._reasons = [reason for _, reason in proof["states"]]
        self._root = proof["root"]

    def check(self, position: str, attacker_moves: bool) -> None:
        """Raise CertificateError unless the defender holds."""
        for state in self._states:
            _require(
                len(state) == self._board.size and not set(state) - set("ad.-"), f"state {state!r}"
            )
        if attacker_moves:
            self._check_reference(position, self._root)
        else:
            self._check_reply(position, self._root)
        for number, (state, reason) in enumerate(zip(self._states, self._reasons, strict=True)):
            self._check_state(state, reason)
            if number % 1000 == 0:
                self._progress(number)

    def _check_state(self, state: str, reason: Any) -> None:
        board = self._board
        _require(not board.completing(state, "a"), f"the attacker completes a line in {state}")
        lines = board.open_lines(state, "a")
        _require(all("." in (state[c] for c in line) for line in lines), f"lost: {state}")
        if reason == "potential":
            weight = sum(Fraction(1, 2 ** sum(state[c] == "." for c in line)) for line in lines)
            _require(weight < Fraction(1, 2), f"the potential of {state} is {weight}")
        elif "pairs" in reason:
            pairs = _checked_pairs(state, reason["pairs"])
            for line in lines:
                _require(any(pair <= set(line) for pair in pairs), f"no pair on {line} in {state}")
        elif "parts" in reason:
            self._check_parts(state, lines, reason["parts"])
        else:
            threats = board.completing(state, "d")
            if len(threats) > 1:
                return
            for move in threats or cells_of(state):
                _require(str(move) in reason["replies"], f"no reply to {move} in {state}")
                self._check_reply(put(state, move, "a"), reason["replies"][str(move)])

    def _check_parts(self, state: str, lines: list[tuple[int, ...]], parts: list[Any]) -> None:
        cells = [cell for part, _ in parts for cell in part]
        _require(len(set(cells)) == len(cells), f"parts of {state} overlap")
        for line in lines:
            empty = {cell for cell in line if state[cell] == "."}
            _require(any(empty <= set(part) for part, _ in parts), f"{line} has no part in {state}")
        for part, reference in parts:
            alone = "".join(
                c if c == "a" or (c == "." and cell in part) else "-"
                for cell, c in enumerate(state)
            )
            self._check_reference(alone, reference)

    def _check_reply(self, position: str, reply: list[int]) -> None:
        """Check a move of the defender and what it leads to: cell, or cell and reference."""
        cell = reply[0]
        _require(0 <= cell < len(position) and position[cell] == ".", f"reply {cell} in {position}")
        if self._board.completes(position, cell, "d"):
            return
        self._check_reference(put(position, cell, "d"), reply[1:])

    def _check_reference(self, position: str, reference: list[int]) -> None:
        """Check that a position is no better for the attacker than a state."""
        number, symmetry, *flat = reference
        _require(0 <= number < len(self._states), f"no state {number}")
        state = self._states[number]
        for pair in _checked_pairs(position, list(zip(flat[::2], flat[1::2], strict=True))):
            for line in self._board.open_lines(position, "a"):
                _require(
                    pair <= set(line) or not pair & set(line),
                    f"pair {pair} and {line} in {position}",
                )
            for cell in pair:
                position = put(position, cell, "-")
        image = self._board.turned(position, symmetry)
        for line in self._board.open_lines(image, "a"):
            for cell in line:
                allowed = "a" if image[cell] == "a" else "a."
                _require(state[cell] in allowed, f"{image} is better than {state}")
        for line in self._board.open_lines(state, "d"):
            for cell in line:
                needed = "d" if state[cell] == "d" else "d."
                _require(image[cell] in needed, f"{image} defends less than {state}")


__all__ = [
    "FORMAT",
    "Board",
    "CertificateError",
    "attacker_move",
    "cells_of",
    "check",
    "check_certificate",
    "put",
]
