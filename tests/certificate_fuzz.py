"""False proofs: true certificates with damage, and certificates that nobody has proven.

``Fuzzer.run`` hands them to the checker. What is accepted must be true by brute force, which knows
the rules by itself; what is not must be refused by a CertificateError and nothing else.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

import mossa
from mossa import Side, Solver
from mossa.solving.certificate import certificate
from mossa.solving.certificate_check import CertificateError, check, parse
from mossa.solving.certificates.mnk import Board, cells, mask, no_better, put, replies
from mossa.solving.certificates.reading import FORMAT

Sizes = tuple[int, int, int]
# Few cells: brute force is instant, and chance finds a false proof if there is one.
TINY: list[Sizes] = [
    (1, 1, 1),
    (1, 4, 2),
    (1, 5, 3),
    (2, 2, 2),
    (2, 3, 2),
    (2, 3, 3),
    (2, 4, 3),
    (3, 2, 3),
    (3, 3, 2),
    (3, 3, 3),
]
SMALL: list[Sizes] = [*TINY, (4, 3, 3), (3, 4, 4)]
_STRANGE: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    -9,
    0.0,
    1.0,
    1e400,
    10**30,
    "",
    "x",
    "-",
    "a",
]
_STRANGE += [
    "potential",
    "strategy stealing",
    "\ud800",
    [],
    {},
    [0],
    [0, 0],
    [[0, 1]],
    {"pairs": []},
]


# ---------------------------------------------------------------- the truth


@cache
def _runs(sizes: Sizes, exact: bool) -> list[list[tuple[int, int]]]:
    """For every cell the runs of k cells through it, and the cells that must not prolong them."""
    rows, cols, k = sizes
    found: list[list[tuple[int, int]]] = [[] for _ in range(rows * cols)]

    def inside(row: int, col: int) -> bool:
        return 0 <= row < rows and 0 <= col < cols

    for row in range(rows):
        for col in range(cols):
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                run = [(row + i * up, col + i * right) for i in range(k)]
                if not all(inside(*place) for place in run):
                    continue
                ends = [(row - up, col - right), (row + k * up, col + k * right)]
                limits = sum(1 << r * cols + c for r, c in ends if exact and inside(r, c))
                bits = sum(1 << r * cols + c for r, c in run)
                for r, c in run:
                    found[r * cols + c].append((bits, limits))
    return found


def has_line(sizes: Sizes, exact: bool, own: int, cell: int) -> bool:
    """Whether stones make a line through a cell."""
    return any(own & run == run and not own & ends for run, ends in _runs(sizes, exact)[cell])


@cache
def truth(sizes: Sizes, exact: bool, own: int, others: int) -> int:
    """The value of a position that is not over, for the side to move, by trying everything."""
    empty = [c for c in range(sizes[0] * sizes[1]) if not (own | others) >> c & 1]
    if any(has_line(sizes, exact, own | 1 << cell, cell) for cell in empty):
        return 1
    if len(empty) == 1:
        return 0
    return max(-truth(sizes, exact, others, own | 1 << cell) for cell in empty)


def bits_of(stones: str, side: str) -> int:
    return sum(1 << cell for cell, content in enumerate(stones) if content == side)


def is_over(sizes: Sizes, exact: bool, stones: str) -> bool:
    return "." not in stones or any(
        content != "." and has_line(sizes, exact, bits_of(stones, content), cell)
        for cell, content in enumerate(stones)
    )


def claim_is_true(proven: dict[str, Any]) -> bool:
    """Whether what the checker says is proven is so."""
    name, *options = proven["game"].split(",")
    rows, cols, k = map(int, name.removeprefix("mnk:").split("x"))
    exact = "exact=yes" in options
    stones = "".join(reversed(proven["board"].split("/")))
    own, others = ("x", "o") if proven["side"] == "x" else ("o", "x")
    return (
        proven["side"] in ("x", "o")
        and len(stones) == rows * cols
        and stones.count("x") - stones.count("o") == (own == "o")
        and not is_over((rows, cols, k), exact, stones)
        and truth((rows, cols, k), exact, bits_of(stones, own), bits_of(stones, others))
        == proven["value"]
    )


# ---------------------------------------------------------------- certificates


def random_stones(chosen: random.Random, sizes: Sizes) -> tuple[str, str]:
    """A position that is not over, and whose turn it is."""
    while True:
        stones, side = "." * (sizes[0] * sizes[1]), "x"
        for _ in range(chosen.choice([0, 0, 1, 2, 3, 4, 5, 6, 7])):
            empty = [cell for cell, content in enumerate(stones) if content == "."]
            if not empty:
                break
            stones = put(stones, chosen.choice(empty), side)
            side = "o" if side == "x" else "x"
        if not is_over(sizes, False, stones):
            return stones, side


def board_text(sizes: Sizes, stones: str) -> str:
    cols = sizes[1]
    return "/".join(reversed([stones[i : i + cols] for i in range(0, len(stones), cols)]))


def true_certificates(chosen: random.Random, count: int, boards: list[Sizes]) -> list[str]:
    """Certificates of random positions, as JSON."""
    solvers = {
        sizes: Solver(mossa.game("mnk:{}x{}x{}".format(*sizes)), memory=1) for sizes in boards
    }
    found = []
    for _ in range(count):
        sizes = chosen.choice(boards)
        stones, side = random_stones(chosen, sizes)
        position = solvers[sizes].game.from_text(board_text(sizes, stones))
        assert position.side is (Side.first if side == "x" else Side.second)
        found.append(json.dumps(certificate(solvers[sizes], position)[0]))
    return found


class Inventor:
    """Makes up a certificate of a random claim that is right wherever it looks at it alone."""

    def __init__(self, chosen: random.Random, sizes: Sizes) -> None:
        self.chosen = chosen
        self.sizes = sizes
        self.board = _board(self.sizes)
        self.stones, self.side = random_stones(chosen, self.sizes)
        self.states: list[list[Any]] = []
        self.alias = 0
        self.careless = chosen.random() < 0.1
        if self.careless and self.errs():  # a game that may be over
            empty = [cell for cell, content in enumerate(self.stones) if content == "."]
            for cell in empty[: chosen.randint(1, len(empty))]:
                self.stones = put(self.stones, cell, self.side)
                self.side = "o" if self.side == "x" else "x"
        self.most = chosen.choice([1, 2, 3, 5, 10, 30])

    def certificate(self) -> dict[str, Any]:
        chosen, other = self.chosen, "o" if self.side == "x" else "x"
        value = chosen.choice([-1, 0, 0, 0, 0, 1])
        other_name = chosen.random() < 0.05  # Python takes -1 for the last cell
        self.alias = len(self.stones) if other_name else 0
        name = "mnk:{}x{}x{}".format(*self.sizes) + chosen.choice([""] * 30 + [",exact=yes"])
        data: dict[str, Any] = {
            "format": FORMAT,
            "game": name,
            "board": board_text(self.sizes, self.stones),
            "side": self.side,
            "value": value,
        }
        if value:
            data["win"] = self.win(self.side if value > 0 else other)
        else:
            data["holds"] = {attacker: self.hold(attacker) for attacker in (self.side, other)}
            if not self.stones.strip(".") or chosen.random() < 0.1:
                thief = other if chosen.random() < 0.9 else self.side
                data["holds"][thief] = "strategy stealing"
        return data

    def seen_by(self, attacker: str) -> str:
        return self.stones.translate(str.maketrans("xo", "ad" if attacker == "x" else "da"))

    def win(self, winner: str) -> dict[str, int]:
        """A random move for every position that a win with random moves may come to."""
        moves: dict[str, int] = {}
        waiting = [self.seen_by(winner)]
        while waiting and len(moves) < 10 * self.most:
            state = self.board.smallest(waiting.pop())
            empty = list(cells(mask(state, ".")))
            if empty and state not in moves:
                move = moves[state] = self.chosen.choice(empty)
                position = put(state, move, "a")
                waiting += [put(position, c, "d") for c in replies(self.board, position, "d")]
        return moves

    def hold(self, attacker: str) -> dict[str, Any]:
        self.states = []
        position = self.seen_by(attacker)
        root = self.like(position) if attacker == self.side else self.reply(position)
        for number, (state, _) in enumerate(self.states):  # grows meanwhile
            self.states[number][1] = self.reason(state)
        return {"root": root, "states": self.states}

    def like(self, position: str) -> list[int]:
        """A reference to a state, one that there is if possible."""
        chosen, board = self.chosen, self.board
        promised: list[int] = []
        empty = list(cells(mask(position, ".")))
        lines = board.open_lines(position, "a")
        twins = [
            (one, two)
            for one in empty
            for two in empty
            if one < two
            and all(line & (1 << one | 1 << two) in (0, 1 << one | 1 << two) for line in lines)
        ]
        if len(empty) > 1 and chosen.random() < 0.05:  # as if they were twins
            twins = [(empty[0], empty[-1])]
        if twins and chosen.random() < 0.5:
            one, two = chosen.choice(twins)
            promised = [one, two - self.alias]
            position = put(put(position, one, "-"), two, "-")
        for _ in range(min(8, 2 * len(self.states))):
            number = chosen.randrange(len(self.states))
            symmetry = chosen.choice([0, chosen.randrange(len(board.symmetries))])
            if no_better(board, board.turned(position, symmetry), self.states[number][0]):
                return [number, symmetry, *promised]
        if len(self.states) >= self.most:
            return [chosen.randrange(len(self.states)), 0, *promised]
        self.states.append([self.coarser(position), None])
        return [len(self.states) - 1, 0, *promised]

    def coarser(self, position: str) -> str:
        """Another state that the position is no better than, if chance finds one."""
        state = position
        for _ in range(self.chosen.choice([0, 1, 3, 9])):
            cell = self.chosen.randrange(len(state))
            changed = put(state, cell, self.chosen.choice("add.-"))
            state = changed if no_better(self.board, position, changed) else state
        if self.errs():  # as if the defender had more
            state = put(state, self.chosen.randrange(len(state)), "d")
        return state

    def errs(self) -> bool:
        """Whether to make a mistake here; few make them, and then not everywhere."""
        return self.careless and self.chosen.random() < 0.3

    def reply(self, position: str) -> list[int]:
        empty = mask(position, ".")
        if not empty:
            return [0]
        wins = self.board.completing(position, "d")
        cell = self.chosen.choice(
            list(cells(wins or self.board.completing(position, "a") or empty))
        )
        if wins or self.errs():  # as if it completed a line
            return [cell]
        return [cell, *self.like(put(position, cell, "d"))]

    def reason(self, state: str) -> Any:
        chosen, empty = self.chosen, list(cells(mask(state, ".")))
        kind = chosen.choice(["potential", "pairs", "parts", "replies", "replies", "replies"])
        if kind == "potential":
            return kind
        if kind == "pairs":
            chosen.shuffle(empty)
            pairs = list(zip(empty[::2], empty[1::2], strict=False))
            if chosen.random() < 0.1:  # cells in several pairs
                pairs = list(combinations(empty, 2))
            return {"pairs": [[one, two - self.alias] for one, two in pairs]}
        if kind == "parts":
            cut = chosen.choice([0, 0, chosen.randint(0, len(empty))])
            parts = [part for part in (empty[:cut], empty[cut:]) if part]
            return {"parts": [[part, self.like(self.alone(state, part))] for part in parts]}
        moves = replies(self.board, state, "a")
        if self.errs():
            moves = moves[1:]
        return {"replies": {str(move): self.reply(put(state, move, "a")) for move in moves}}

    @staticmethod
    def alone(state: str, part: list[int]) -> str:
        return "".join(c if c == "a" or i in part else "-" for i, c in enumerate(state))


@cache
def _board(sizes: Sizes) -> Board:
    return Board(*sizes)


# ---------------------------------------------------------------- damage


def damaged(chosen: random.Random, data: Any, donor: Any) -> Any:
    """Change one thing anywhere: a value, a length, a name; or put in a piece of another one."""
    holder: Any = None
    key: Any = None
    at = data
    while isinstance(at, (list, dict)) and at and chosen.random() > 0.1:
        holder, key = at, chosen.choice(list(at) if isinstance(at, dict) else range(len(at)))
        at = holder[key]
    if holder is None:
        return chosen.choice([*_STRANGE, data, data])
    act = chosen.random()
    if act < 0.2:
        holder[key] = _nudged(chosen, at)
    elif act < 0.4:
        holder[key] = chosen.choice(_STRANGE)
    elif act < 0.6:
        holder[key] = _piece(chosen, donor)
    elif act < 0.7:
        del holder[key]
    elif act < 0.8 and isinstance(holder, list):
        holder.insert(chosen.randint(0, len(holder)), at)
    elif act < 0.9 and isinstance(holder, list):
        chosen.shuffle(holder)
    elif isinstance(holder, dict):
        holder[chosen.choice(["win", "holds", "x", "o", "0", "-1", "00", "٣", str(key)])] = at
    else:
        holder[key] = _nudged(chosen, at)
    return data


def _nudged(chosen: random.Random, value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return chosen.choice(_STRANGE)
    if isinstance(value, int):
        return value + chosen.choice([-9, -3, -2, -1, 1, 2, 3])
    if isinstance(value, str) and value:
        at = chosen.randrange(len(value))
        content = chosen.choice("ad.-xo/123456789,")
        return value[:at] + chosen.choice([content, ""]) + value[at + 1 :]
    return chosen.choice(_STRANGE)


def _piece(chosen: random.Random, at: Any) -> Any:
    while isinstance(at, (list, dict)) and at and chosen.random() > 0.2:
        at = chosen.choice(list(at.values()) if isinstance(at, dict) else at)
    return at


def damaged_bytes(chosen: random.Random, content: bytes) -> bytes:
    at = chosen.randrange(len(content))
    junk = chosen.choice(
        [b"", b"\xff", b"\x00", b"NaN", b"-", b"1" * 5000, b"[" * 3000, b'"value":0,', b"\\ud800"]
    )
    return content[:at] + junk + content[at + chosen.choice([0, 1, 1, 5, len(content)]) :]


# ---------------------------------------------------------------- the fuzzer


@dataclass
class Fuzzer:
    """Cases in a row that depend on the seed alone."""

    seed: int
    boards: list[Sizes]
    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def run(self, cases: int) -> None:
        """Raise AssertionError for the first case that is wrongly accepted or refused."""
        chosen = random.Random(self.seed)
        known = true_certificates(chosen, 150, self.boards)
        for _ in range(cases):
            act = chosen.random()
            if act < 0.05:
                content = chosen.choice(known).encode()
                for _ in range(chosen.choice([1, 1, 2])):
                    content = damaged_bytes(chosen, content) or b"{}"
                self._judge("bytes", content)
            elif act < 0.5:
                data = json.loads(chosen.choice(known))
                donor = json.loads(chosen.choice(known))
                for _ in range(chosen.choice([1, 1, 1, 2, 3])):
                    data = damaged(chosen, data, donor)
                self._judge("damaged", data)
            else:
                data = Inventor(chosen, chosen.choice(self.boards)).certificate()
                if chosen.random() < 0.2:
                    data = damaged(chosen, data, data["board"])
                self._judge("invented", data)

    def _judge(self, how: str, data: Any) -> None:
        try:
            proven = check(parse(data) if how == "bytes" else data)
        except CertificateError as error:
            words = str(error).encode("ascii")
            self.refused[how] += 1
        else:
            words = b""
            self.accepted[how] += 1
            assert claim_is_true(proven), data
        assert b"\n" not in words
