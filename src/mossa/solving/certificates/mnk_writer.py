"""Writes certificates of mnk solutions: strategies that anybody can check without the solver.

``mossa.solving.certificates.mnk`` says what a certificate holds and checks it.
"""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

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
        hold = _Hold(self._solver, self._board, self._states)
        root = self._state(self._position, attacker)
        if self._moves_in(self._position, attacker):
            start, _ = hold.reference(root, weak=False)
        else:
            start, _ = hold.reply(root)
        return {"root": start, "states": hold.states}

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


class _Known(NamedTuple):
    """A state that is held: its number, the state as it was met, and its zone."""

    number: int
    state: str
    zone: int


class _Hold:
    """Lists states that are held, each after those that it refers to.

    Where the defender holds without its own lines, there is a *zone* of cells that it needs: it
    would hold even if the attacker had a stone on every other cell. So the state gets these stones
    and covers more positions, and a reply also refutes all moves outside the zone of what it leads
    to.
    """

    def __init__(self, solver: Solver, board: Board, states: States) -> None:
        self.states: list[list[Any]] = []
        self._solver, self._board, self._counter = solver, board, states
        self._all = (1 << board.size) - 1
        self._known: dict[str, _Known] = {}  # by the smallest image

    def reference(self, position: str, weak: bool) -> tuple[list[int], int]:
        """Return which state a position is like, and the zone."""
        state, pairs = self._reduced(position, weak)
        smallest = self._board.smallest(state)
        if smallest not in self._known:
            self._known[smallest] = self._prove(state)
        known = self._known[smallest]
        images = (self._board.turned(state, s) for s in range(len(self._board.symmetries)))
        symmetry = list(images).index(known.state)
        source = self._board.symmetries[symmetry]
        zone = sum(1 << source[cell] for cell in cells(known.zone))
        return [known.number, symmetry, *pairs], zone | _bits(pairs)

    def reply(self, position: str) -> tuple[list[int], int]:
        """Return the defender's move and which state it leads to, if any, and the zone of both."""
        found = self._solver.defend(position)
        if found is None:
            raise GameError(f"no defence in {position}: a defect of the solver")
        cell, weak = found
        if self._board.completing(position, "d") >> cell & 1:
            return [cell], self._all
        reference, zone = self.reference(put(position, cell, "d"), weak)
        return [cell, *reference], zone | 1 << cell

    def _prove(self, state: str) -> _Known:
        """List a state with a reason why it is held."""
        found = self._at_sight(state) or self._by_parts(state)
        reason, zone = found or self._by_replies(state)
        if "d" in state:
            zone = self._all
        held = _given(state, zone)
        if "parts" in reason:
            reason = {"parts": [[_only_empty(held, part), like] for part, like in reason["parts"]]}
        self.states.append([held, reason])
        self._counter.add()
        return _Known(len(self.states) - 1, state, zone)

    def _at_sight(self, state: str) -> tuple[Any, int] | None:
        """Return a reason that needs no further states, and a zone; None if there is none."""
        board = self._board
        if not replies(board, state, "a"):
            return {"replies": {}}, self._all
        empty = mask(state, ".")
        lines = [line & empty for line in board.open_lines(state, "a")]
        if small_potential(lines):
            return "potential", _light_zone(lines)
        pairs = self._solver.pairs(state)
        if pairs is None:
            return None
        return {"pairs": [list(pair) for pair in pairs]}, _bits(
            cell for pair in pairs for cell in pair
        )

    def _by_parts(self, state: str) -> tuple[Any, int] | None:
        """Return references for parts that share no line, if there are some."""
        parts = self._parts(state)
        if not parts:
            return None
        found = [(part, self.reference(alone, weak=True)) for part, alone in parts]
        zone = reduce(or_, (zone for _, (_, zone) in found))
        return {"parts": [[part, reference] for part, (reference, _) in found]}, zone

    def _by_replies(self, state: str) -> tuple[Any, int]:
        """Return a reply to every move that needs one."""
        moves = replies(self._board, state, "a")
        if "d" in state:
            return {
                "replies": {str(m): self.reply(put(state, m, "a"))[0] for m in moves}
            }, self._all
        must = mask(state, ".")
        found: list[tuple[int, list[int], int]] = []  # a move, the reply, its zone
        lines = self._board.open_lines(state, "a")
        for move in sorted(moves, key=lambda m: -sum(line >> m & 1 for line in lines)):
            if must >> move & 1:
                reply, zone = self.reply(put(state, move, "a"))
                found.append((move, reply, zone))
                must &= zone | 1 << move
        whole = reduce(or_, (zone for _, _, zone in found))
        own = {move: reply for move, reply, _ in found}
        answers = {}
        for move in cells(mask(state, ".") & whole):
            others = (reply for _, reply, zone in found if not zone >> move & 1)
            answers[str(move)] = own[move] if move in own else next(others)
        return {"replies": answers}, whole

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


def _bits(found: Iterable[int]) -> int:
    return sum(1 << cell for cell in found)


def _given(state: str, zone: int) -> str:
    """Return the state with stones of the attacker on all empty cells outside a zone."""
    return "".join(
        "a" if content == "." and not zone >> cell & 1 else content
        for cell, content in enumerate(state)
    )


def _only_empty(state: str, part: list[int]) -> list[int]:
    return [cell for cell in part if state[cell] == "."]


def _light_zone(lines: list[int]) -> int:
    """Return a zone that keeps the potential below 1/2: the lightest cells are given first."""
    zone = left = reduce(or_, lines, 0)
    while left:
        lightest = min(
            cells(left),
            key=lambda cell: sum(2.0 ** -line.bit_count() for line in lines if line >> cell & 1),
        )
        fewer = [line & ~(1 << lightest) for line in lines]
        if not small_potential(fewer):
            return zone
        lines, zone, left = fewer, zone & ~(1 << lightest), left & ~(1 << lightest)
    return zone


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
