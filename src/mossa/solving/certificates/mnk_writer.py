"""Writes certificates of mnk solutions: strategies that anybody can check without the solver.

``mossa.solving.certificates.mnk`` says what a certificate holds and checks it.
"""

from functools import reduce
from operator import or_
from typing import Any

from mossa._core import Position, Side
from mossa.errors import GameError
from mossa.solving.certificates.mnk import (
    Board,
    attacker_move,
    cells,
    mask,
    put,
    replies,
    small_potential,
)
from mossa.solving.certificates.reading import FORMAT
from mossa.solving.certificates.writing import States
from mossa.solving.solver import Solver

_MOVE_TO = {"x": Side.first, "o": Side.second}


def refusal(solver: Solver) -> str | None:
    """Return why there are no certificates of a solver's game; nothing if there are."""
    return None if solver.native else "boards of up to 128 cells without options have them"


def certificate(solver: Solver, position: Position, states: States) -> dict[str, Any]:
    """Return the proof of a position's score, as check() takes it."""
    value = solver.solve(position).proven.value
    writer = _Writer(solver, position, states)
    side, other = ("x", "o") if position.side == Side.first else ("o", "x")
    data: dict[str, Any] = {
        "format": FORMAT,
        "game": position.game.name,
        "board": position.text,
        "side": side,
        "value": value,
    }
    if value:
        data["win"] = writer.win(side if value > 0 else other)
    else:
        data["holds"] = {side: writer.hold(side)}
        data["holds"][other] = writer.hold(other) if position.ply else "strategy stealing"
    return data


class _Writer:
    def __init__(self, solver: Solver, position: Position, states: States) -> None:
        self._solver, self._position, self._states = solver, position, states
        sizes = position.game.sizes
        self._board = Board(sizes["rows"], sizes["cols"], sizes["k"])

    def win(self, winner: str) -> dict[str, int]:
        """Return the winner's move for every position that it can get into."""
        board, moves, seen = self._board, {}, set()
        root = self._state(self._position, winner)
        waiting = [root] if self._moves_in(self._position, winner) else self._after_replies(root)
        while waiting:
            state = board.smallest(waiting.pop())
            if state in seen:
                continue
            seen.add(state)
            move = attacker_move(board, state, {})
            if move is None:
                move = moves[state] = self._best(state, winner)
                self._states.add()
            if not board.completing(state, "a"):
                waiting += self._after_replies(put(state, move, "a"))
        return moves

    def _after_replies(self, state: str) -> list[str]:
        return [put(state, cell, "d") for cell in replies(self._board, state, "d")]

    def hold(self, attacker: str) -> dict[str, Any]:
        """Return what proves that a side cannot force a win."""
        states: list[list[Any]] = []
        numbers: dict[str, int] = {}  # by the smallest image
        waiting: list[int] = []

        def reference(position: str, weak: bool) -> list[int]:
            state, pairs = self._reduced(position, weak)
            smallest = self._board.smallest(state)
            if smallest not in numbers:
                numbers[smallest] = len(states)
                states.append([state, None])
                waiting.append(len(states) - 1)
                self._states.add()
            number = numbers[smallest]
            images = (self._board.turned(state, s) for s in range(len(self._board.symmetries)))
            return [number, list(images).index(states[number][0]), *pairs]

        def reply(position: str) -> list[int]:
            found = self._solver.defend(position)
            if found is None:
                raise GameError(f"no defence in {position}: a defect of the solver")
            cell, weak = found
            if self._board.completing(position, "d") >> cell & 1:
                return [cell]
            return [cell, *reference(put(position, cell, "d"), weak)]

        root = self._state(self._position, attacker)
        attacks = self._moves_in(self._position, attacker)
        start = reference(root, weak=False) if attacks else reply(root)
        while waiting:
            number = waiting.pop()
            state = states[number][0]
            reason = self._at_sight(state)
            if reason is None and (parts := self._parts(state)):
                reason = {"parts": [[part, reference(alone, True)] for part, alone in parts]}
            if reason is None:
                moves = replies(self._board, state, "a")
                reason = {"replies": {str(m): reply(put(state, m, "a")) for m in moves}}
            states[number][1] = reason
        return {"root": start, "states": states}

    def _at_sight(self, state: str) -> Any:
        """Return a reason that needs no further states; None if there is none."""
        board = self._board
        if not replies(board, state, "a"):
            return {"replies": {}}
        empty = mask(state, ".")
        lines = [line & empty for line in board.open_lines(state, "a")]
        if small_potential(lines):
            return "potential"
        pairs = self._solver.pairs(state)
        return None if pairs is None else {"pairs": [list(pair) for pair in pairs]}

    def _parts(self, state: str) -> list[tuple[list[int], str]]:
        """Return the parts of a state without stones of the defender; none if it is one piece."""
        if "d" in state:
            return []
        empty = mask(state, ".")
        parts: list[int] = []
        for line in self._board.open_lines(state, "a"):
            part = line & empty
            for other in [other for other in parts if other & part]:
                parts.remove(other)
                part |= other
            parts.append(part)
        if len(parts) < 2:
            return []
        return [(list(cells(part)), _only(state, part)) for part in parts]

    def _reduced(self, position: str, weak: bool) -> tuple[str, list[int]]:
        """Return the state of a position, and the pairs that make it smaller.

        Cells and stones without open lines do not matter, and without its lines (weak) no stone
        of the defender.
        """
        board = self._board
        pairs: list[int] = []
        while True:
            attack = board.open_lines(position, "a")
            defend = [] if weak else board.open_lines(position, "d")
            of_attack, of_defend = reduce(or_, attack, 0), reduce(or_, defend, 0)
            matters = {"a": of_attack, "d": of_defend, ".": of_attack | of_defend, "-": 0}
            position = "".join(c if matters[c] >> i & 1 else "-" for i, c in enumerate(position))
            twin = _twins(position, attack, of_defend)
            if twin is None:
                return position, pairs
            pairs += twin
            for cell in twin:
                position = put(position, cell, "-")

    def _best(self, state: str, winner: str) -> int:
        """Return the move that the solver makes for the winner."""
        loser = "o" if winner == "x" else "x"
        stones = state.replace("a", winner).replace("d", loser)
        cols = self._board.cols
        rows = [stones[i : i + cols] for i in range(0, len(stones), cols)]
        position = self._position.game.from_text("/".join(reversed(rows)))
        move = self._solver.line(position, most=1)[0]
        assert move.row is not None and move.col is not None
        return move.row * cols + move.col

    @staticmethod
    def _state(position: Position, attacker: str) -> str:
        stones = "".join(reversed(position.text.split("/")))
        defender = "o" if attacker == "x" else "x"
        return stones.replace(attacker, "a").replace(defender, "d")

    @staticmethod
    def _moves_in(position: Position, side: str) -> bool:
        return position.side == _MOVE_TO[side]


def _only(state: str, part: int) -> str:
    return "".join(c if c == "a" or part >> i & 1 else "-" for i, c in enumerate(state))


def _twins(state: str, lines: list[int], taken: int) -> list[int] | None:
    """Return two cells that lie on the same lines of the attacker, and on none of the defender."""
    through: dict[int, list[int]] = {}
    free = mask(state, ".") & ~taken
    for number, line in enumerate(lines):
        for cell in cells(line & free):
            through.setdefault(cell, []).append(number)
    known: dict[tuple[int, ...], int] = {}
    for cell, numbers in through.items():
        twin = known.setdefault(tuple(numbers), cell)
        if twin != cell:
            return [twin, cell]
    return None
