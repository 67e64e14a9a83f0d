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
from mossa.solving.certificates.writing import States, Write
from mossa.solving.solver import Solver

_MOVE_TO = {"x": Side.first, "o": Side.second}


def refusal(solver: Solver) -> str | None:
    """Return why there are no certificates of a solver's game; nothing if there are."""
    return None if solver.native else "boards of up to 128 cells without options have them"


def certificate(solver: Solver, position: Position, states: States, write: Write) -> None:
    """Write the proof of a position's score, as check() takes it."""
    value = solver.solve(position).proven.value
    writer = _Writer(solver, position, states)
    side, other = ("x", "o") if position.side == Side.first else ("o", "x")
    claim: dict[str, Any] = {
        "format": FORMAT,
        "game": position.game.name,
        "board": position.text,
        "side": side,
        "value": value,
    }
    if value:
        write({**claim, "win": writer.win(side if value > 0 else other)})
        return
    write(claim)
    hold = _Hold(solver, writer.board, states, write)
    holds: dict[str, Any] = {side: hold.like(writer.state(side))[0]}
    holds[other] = hold.reply(writer.state(other))[0] if position.ply else "strategy stealing"
    write({"holds": holds})


class _Writer:
    def __init__(self, solver: Solver, position: Position, states: States) -> None:
        self._solver, self._position, self._states = solver, position, states
        sizes = position.game.sizes
        self.board = Board(sizes["rows"], sizes["cols"], sizes["k"])

    def win(self, winner: str) -> dict[str, int]:
        """Return the winner's move for every position that it can get into."""
        board, moves, seen = self.board, {}, set()
        root = self.state(winner)
        to_move = self._position.side == _MOVE_TO[winner]
        waiting = [root] if to_move else self._after_replies(root)
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
        return [put(state, cell, "d") for cell in replies(self.board, state, "d")]

    def _best(self, state: str, winner: str) -> int:
        """Return the move that the solver makes for the winner."""
        loser = "o" if winner == "x" else "x"
        stones = state.replace("a", winner).replace("d", loser)
        cols = self.board.cols
        rows = [stones[i : i + cols] for i in range(0, len(stones), cols)]
        position = self._position.game.from_text("/".join(reversed(rows)))
        move = self._solver.line(position, most=1)[0]
        assert move.row is not None and move.col is not None
        return move.row * cols + move.col

    def state(self, attacker: str) -> str:
        """Return the position as a side sees it that attacks."""
        stones = "".join(reversed(self._position.text.split("/")))
        defender = "o" if attacker == "x" else "x"
        return stones.replace(attacker, "a").replace(defender, "d")


class _Known(NamedTuple):
    """A state that is held: its number, the state as it was met, and its zone."""

    number: int
    state: str
    zone: int


class _Hold:
    """Writes states that are held, each after those that it refers to.

    Where the defender holds without its own lines, there is a *zone* of cells that it needs: it
    would hold even if the attacker had a stone on every other cell. So the state gets these stones
    and covers more positions, and a reply also refutes all moves outside the zone of what it leads
    to.
    """

    def __init__(self, solver: Solver, board: Board, states: States, write: Write) -> None:
        self._solver, self._board, self._counter, self._write = solver, board, states, write
        self._all = (1 << board.size) - 1
        self._known: dict[str, _Known] = {}  # by the smallest image

    def like(self, position: str, weak: bool = False) -> tuple[list[Any], int]:
        """Return what a position is like, and the zone."""
        pairs = self._solver.pairs(position)
        return self._like_state(position, weak) if pairs is None else _like_pairs(pairs)

    def reply(self, position: str, spare: int = 0) -> tuple[list[Any], int]:
        """Return the defender's move and what is left then, and the zone of both.

        The zone has few of the cells to spare, if possible.
        """
        found = self._solver.defend(position, list(cells(spare)))
        if found is None:
            raise GameError(f"no defence in {position}: a defect of the solver")
        cell, weak, pairs = found
        if self._board.completing(position, "d") >> cell & 1:
            return [cell], self._all
        after = put(position, cell, "d")
        like, zone = self._like_state(after, weak) if pairs is None else _like_pairs(pairs)
        return [cell, *like], zone | 1 << cell

    def _like_state(self, position: str, weak: bool) -> tuple[list[Any], int]:
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
        return [pairs, known.number, symmetry], zone | _bits(pairs)

    def _prove(self, state: str) -> _Known:
        """Write a state with a reason why it is held."""
        found = self._at_sight(state) or self._by_parts(state)
        reason, zone = found or self._by_replies(state)
        if "d" in state:
            zone = self._all
        held = _given(state, zone)
        if "parts" in reason:
            reason = {"parts": [[_only_empty(held, part), like] for part, like in reason["parts"]]}
        self._write([held, reason])
        self._counter.add()
        return _Known(len(self._known), state, zone)

    def _at_sight(self, state: str) -> tuple[Any, int] | None:
        """Return a reason that needs no further states, and a zone; None if there is none."""
        if not replies(self._board, state, "a"):
            return {"replies": []}, self._all
        empty = mask(state, ".")
        lines = [line & empty for line in self._board.open_lines(state, "a")]
        return ("potential", _light_zone(lines)) if small_potential(lines) else None

    def _by_parts(self, state: str) -> tuple[Any, int] | None:
        """Return what parts that share no line are like, if there are some."""
        parts = self._parts(state)
        if not parts:
            return None
        found = [(part, self.like(alone, weak=True)) for part, alone in parts]
        zone = reduce(or_, (zone for _, (_, zone) in found))
        return {"parts": [[part, like] for part, (like, _) in found]}, zone

    def _by_replies(self, state: str) -> tuple[Any, int]:
        """Return a reply to every move that needs one."""
        each = replies(self._board, state, "a")
        if "d" in state:
            answered = [[[move], self.reply(put(state, move, "a"))[0]] for move in each]
            return {"replies": answered}, self._all
        lines = self._board.open_lines(state, "a")
        left = mask(state, ".")  # to be answered
        answers: list[tuple[int, list[Any]]] = []
        whole = 0
        for move in sorted(each, key=lambda m: -sum(line >> m & 1 for line in lines)):
            if left >> move & 1:
                reply, zone = self.reply(put(state, move, "a"), spare=left)
                answers.append((left & ~zone | 1 << move, reply))
                left &= zone & ~(1 << move)
                whole |= zone
        # Moves outside of all zones need no answer: the state has stones of the attacker there.
        groups = [[list(cells(moves & whole)), reply] for moves, reply in answers if moves & whole]
        return {"replies": groups}, whole

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


def _like_pairs(pairs: list[tuple[int, int]]) -> tuple[list[Any], int]:
    """Return what needs nothing but pairs, and the zone."""
    both = [cell for pair in pairs for cell in pair]
    return [both], _bits(both)


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
