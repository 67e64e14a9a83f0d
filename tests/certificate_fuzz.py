"""False proofs: true certificates with damage, and certificates that nobody has proven.

``Fuzzer.run`` hands them to the checker. What is accepted must be true by brute force, which knows
the rules by itself; what is not must be refused by a CertificateError and nothing else.
"""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import mossa
from mossa import Side, Solver
from mossa.solving.certificate import certificate
from mossa.solving.certificate_check import CertificateError, check, records_in
from mossa.solving.certificates.mnk import (
    Board,
    cells,
    lines_left,
    mask,
    no_better,
    put,
    replies,
)
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
    {"replies": []},
    [[]],
]
_MISTAKES = [
    "the game is over",
    "a line has no pair",
    "a cell is in two pairs",
    "a state leans on a later one",
    "the defender has too much",
    "a reply completes no line",
    "a move has no reply",
    "two moves have one reply",
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
    """Certificates of random positions, as the text of files."""
    solvers = {
        sizes: Solver(mossa.game("mnk:{}x{}x{}".format(*sizes)), memory=1) for sizes in boards
    }
    found = []
    for _ in range(count):
        sizes = chosen.choice(boards)
        stones, side = random_stones(chosen, sizes)
        position = solvers[sizes].game.from_text(board_text(sizes, stones))
        assert position.side is (Side.first if side == "x" else Side.second)
        records, _ = certificate(solvers[sizes], position)
        found.append("\n".join(map(json.dumps, records)))
    return found


class Inventor:
    """Makes up a certificate of a random claim that is right wherever it looks at it alone."""

    def __init__(self, chosen: random.Random, sizes: Sizes) -> None:
        self.chosen = chosen
        self.sizes = sizes
        self.board = _board(self.sizes)
        self.stones, self.side = random_stones(chosen, self.sizes)
        self.states: list[list[Any]] = []
        self.started = 0  # states that are there, or will be
        self.alias = 0
        self.weakness = chosen.choice([*[""] * 10, *_MISTAKES])
        if self.errs("the game is over"):
            empty = [cell for cell, content in enumerate(self.stones) if content == "."]
            for cell in empty[: chosen.randint(1, len(empty))]:
                self.stones = put(self.stones, cell, self.side)
                self.side = "o" if self.side == "x" else "x"
        self.most = chosen.choice([1, 2, 3, 5, 10, 30])

    def certificate(self) -> list[Any]:
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
            return [{**data, "win": self.win(self.side if value > 0 else other)}]
        holds: dict[str, Any] = {self.side: self.like(self.seen_by(self.side))}
        holds[other] = self.reply(self.seen_by(other))
        if not self.stones.strip(".") or chosen.random() < 0.1:
            thief = other if chosen.random() < 0.9 else self.side
            holds[thief] = "strategy stealing"
        return [data, *self.states, {"holds": holds}]

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

    def like(self, position: str) -> list[Any]:
        """What a position is like: a state that is there if possible, or nothing but pairs."""
        chosen, board = self.chosen, self.board
        pairs = self.pairs(position)
        if chosen.random() < 0.3 and (
            not lines_left(board, position, pairs) or self.errs("a line has no pair")
        ):
            return [self.disguised(pairs)]
        for _ in range(min(8, 2 * len(self.states))):
            number = chosen.randrange(len(self.states))
            symmetry = chosen.choice([0, chosen.randrange(len(board.symmetries))])
            image = board.turned_back(self.states[number][0], symmetry)
            if no_better(board, position, pairs, image):
                return [self.disguised(pairs), number, symmetry]
        if self.started >= self.most:
            return [self.disguised(pairs), chosen.randrange(len(self.states) or 1), 0]
        self.started += 1
        state = self.coarser(position, pairs)
        reason = self.reason(state)  # adds the states that it needs
        self.states.append([state, reason])
        if self.errs("a state leans on a later one"):
            self.states.insert(chosen.randrange(len(self.states)), self.states.pop())
        return [self.disguised(pairs), len(self.states) - 1, 0]

    def pairs(self, position: str) -> list[int]:
        """Pairs of empty cells, most often with a line through both."""
        chosen, board = self.chosen, self.board
        empty = list(cells(mask(position, ".")))
        if self.errs("a cell is in two pairs"):
            lines = [
                [*cells(line & mask(position, "."))] for line in board.open_lines(position, "a")
            ]
            return [cell for line in lines if len(line) > 1 for cell in chosen.sample(line, 2)]
        chosen.shuffle(empty)
        pairs: list[int] = []
        for _ in range(chosen.choice([0, 0, 1, len(empty)])):
            if len(empty) < 2:
                break
            one = empty.pop()
            near = [two for two in empty if board.lines_with_pair(one, two)]
            two = chosen.choice(near or empty)
            empty.remove(two)
            pairs += [one, two]
        return pairs

    def disguised(self, pairs: list[int]) -> list[int]:
        """The pairs, perhaps with other numbers for the same cells."""
        return [cell - self.alias * (i % 2) for i, cell in enumerate(pairs)]

    def coarser(self, position: str, pairs: list[int]) -> str:
        """A state that the position is no better than, if chance finds one."""
        board, chosen = self.board, self.chosen
        contents = chosen.sample(".a-", 3)
        states = ["".join(c if i in pairs else s for i, s in enumerate(position)) for c in contents]
        state = next(
            (each for each in states if no_better(board, position, pairs, each)), states[0]
        )
        for _ in range(chosen.choice([0, 1, 3, 9, 30])):
            cell = chosen.randrange(len(state))
            changed = put(state, cell, chosen.choice("add.-"))
            state = changed if no_better(board, position, pairs, changed) else state
        if self.errs("the defender has too much"):
            state = put(state, chosen.randrange(len(state)), "d")
        return state

    def errs(self, mistake: str) -> bool:
        """Whether to make a mistake here; few make any, only of one sort, and not everywhere."""
        return self.weakness == mistake and self.chosen.random() < 0.5

    def reply(self, position: str) -> list[Any]:
        empty = mask(position, ".")
        if not empty:
            return [0]
        wins = self.board.completing(position, "d")
        cell = self.chosen.choice(
            list(cells(wins or self.board.completing(position, "a") or empty))
        )
        if wins or self.errs("a reply completes no line"):
            return [cell]
        return [cell, *self.like(put(position, cell, "d"))]

    def reason(self, state: str) -> Any:
        chosen, empty = self.chosen, list(cells(mask(state, ".")))
        kind = chosen.choice(["potential", "parts", "replies", "replies", "replies"])
        if kind == "potential":
            return kind
        if kind == "parts":
            chosen.shuffle(empty)
            cut = chosen.choice([0, 0, chosen.randint(0, len(empty))])
            parts = [part for part in (empty[:cut], empty[cut:]) if part]
            return {"parts": [[part, self.like(self.alone(state, part))] for part in parts]}
        moves = replies(self.board, state, "a")
        if self.errs("a move has no reply"):
            moves = [move for move in moves if chosen.random() < 0.7]
        answers = [[[move], self.reply(put(state, move, "a"))] for move in moves]
        if len(answers) > 1 and self.errs("two moves have one reply"):
            answers[0][0] += answers.pop()[0]
        return {"replies": answers}

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
                data, donor = ([*map(json.loads, chosen.choice(known).split("\n"))] for _ in "ab")
                for _ in range(chosen.choice([1, 1, 1, 2, 3])):
                    data = damaged(chosen, data, donor)
                self._judge("damaged", data)
            else:
                data = Inventor(chosen, chosen.choice(self.boards)).certificate()
                if chosen.random() < 0.2:
                    data = damaged(chosen, data, data[0]["board"])
                self._judge("invented", data)

    def _judge(self, how: str, data: Any) -> None:
        try:
            if how == "bytes":
                data = records_in(io.BytesIO(data))
            proven = check(data if isinstance(data, (list, Iterator)) else [data])
        except CertificateError as error:
            words = str(error).encode("ascii")
            self.refused[how] += 1
        else:
            words = b""
            self.accepted[how] += 1
            assert claim_is_true(proven), data
        assert b"\n" not in words
