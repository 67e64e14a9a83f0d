"""Checks certificates of kalah scores. It knows the rules by itself.

**What a certificate means.** It claims the score of one position that is not over: by how much the
side to move is ahead at the end, under all rules of the game's name. If that is V, two things are
to be proven: the side to move *gets at least* V, and the other side gets at least -V. Whoever
*proves* needs one good move in each position; of the other side all moves are tried. Turns do not
alternate: whose move it is, the position says.

**The table** of a side has good moves: for a board with that side to move, a pit. It is a help and
nothing more. The checker plays the game out by the rules. Where the table has a move for the side
that proves, it tries only that one; where it has none, it tries them all. A move that does not lead
to the goal proves nothing, wherever it came from. So a false table can only fail. In particular the
checker finds all values at the end of the game by itself.

**What is clear without trying**: nobody gains more than the seeds in the pits, once nobody can swap
any more.

**What is remembered.** The rest of a game depends on the pits and the side to move, and not on the
stores, except where a majority ends the game or the rules of the opening still apply (a swap
exchanges the stores too). So the checker remembers for each board the largest margin *still to
come* that it has proven, and the smallest that it could not. What is enough for some margin is
enough for a smaller one.

**Why that suffices.** No board comes twice: between two moves that bring a seed into a store, seeds
only go on to pits further to the right. So every game ends, and no proof rests on itself.
"""

import re
from dataclasses import dataclass
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

KIND = "kalah"
MOST_SEEDS = 255
MOST_DEPTH = 500
"""Moves of one line of play: more than any game with so few seeds has in practice."""

SIDES = ("first", "second")
SETTLED, OPENING, OFFERED = range(3)
"""How far the game has come: neither rule of the opening applies, nobody has moved, or second may
still swap."""
SWAP = -1

Child = tuple[int, bytes, int, int]
"""A move, a pit from 0 or SWAP, and what it leads to: board, side to move, phase."""

_OPTIONS = {
    "empty_capture": ("no", "yes"),
    "leftover": ("owner", "none", "opponent"),
    "end": ("any", "mover"),
    "majority": ("no", "yes"),
    "swap": ("no", "yes"),
    "first_extra": ("yes", "no"),
}
"""The values of each option, what holds without it first."""


@dataclass(frozen=True)
class Rules:
    """The rules of a game.

    A board is a byte for each pit of the side to move, from its left, for its store, for each pit
    of the other side, and for that one's store.
    """

    pits: int
    seeds: int
    empty_capture: bool
    leftover: str
    end: str
    majority: bool
    swap: bool
    first_extra: bool

    @property
    def total(self) -> int:
        """All seeds."""
        return 2 * self.pits * self.seeds

    def start(self) -> bytes:
        """Return the board before the first move."""
        return bytes([*[self.seeds] * self.pits, 0] * 2)

    def lead(self, board: bytes) -> int:
        """Return by how much the store of the side to move is ahead."""
        return board[self.pits] - board[-1]

    def most_to_come(self, board: bytes, phase: int) -> int:
        """Return by how much a lead can still change: a swap exchanges the stores too."""
        if phase != SETTLED:
            return 2 * self.total
        return self.total - board[self.pits] - board[-1]

    def margin_at_end(self, board: bytes) -> int | None:
        """Return the final margin of the side to move; None while the game goes on."""
        own, other = sum(board[: self.pits]), sum(board[self.pits + 1 : -1])
        half = self.total // 2
        stores = (board[self.pits], board[-1])
        settled = self.majority and (max(stores) > half or min(stores) == half)
        if not (settled or own == 0 or (other == 0 and self.end == "any")):
            return None
        gain = {"owner": own - other, "opponent": other - own, "none": 0}[self.leftover]
        return self.lead(board) + gain

    def children(self, board: bytes, side: int, phase: int) -> list[Child]:
        """Return all moves, those that earn another turn first, then those that gain most."""
        after = phase
        if side == 1:
            after = SETTLED
        elif phase == OPENING:
            after = OFFERED if self.swap else SETTLED
        found = []
        for pit in range(self.pits):
            if board[pit]:
                sown, again = self._sow(board, pit, phase == OPENING)
                gain = sown[self.pits] - board[self.pits] + (self.total if again else 0)
                if not again:
                    sown = sown[self.pits + 1 :] + sown[: self.pits + 1]
                found.append((gain, pit, sown, side if again else 1 - side, after))
        found.sort(reverse=True)
        children: list[Child] = [child[1:] for child in found]
        if phase == OFFERED and side == 1:  # each side goes on with what was the other's
            children.append((SWAP, board, 0, SETTLED))
        return children

    def _sow(self, board: bytes, pit: int, very_first: bool) -> tuple[bytes, bool]:
        """Return the board after a sowing, for the same side, and whether it moves again."""
        pits, sown = self.pits, bytearray(board)
        hand, at = sown[pit], pit
        sown[pit] = 0
        while hand:
            at = (at + 1) % (2 * pits + 1)  # all but the other store
            sown[at] += 1
            hand -= 1
        if at < pits and sown[at] == 1:
            opposite = 2 * pits - at
            if sown[opposite] or self.empty_capture:
                sown[pits] += sown[opposite] + 1
                sown[at] = sown[opposite] = 0
        return bytes(sown), at == pits and (self.first_extra or not very_first)

    def key(self, board: bytes) -> bytes:
        """Return what the rest of the game depends on."""
        return board if self.majority else board[: self.pits] + board[self.pits + 1 : -1]


Table = dict[tuple[bytes, bool], int]
"""Moves by Rules.key, and whether second may still swap."""


class Question:
    """Does a side get at least some margin?"""

    def __init__(self, rules: Rules, prover: int, goal: int, table: Table, looks: Looks) -> None:
        """Take the moves of the side that proves."""
        self.rules, self.prover, self.goal = rules, prover, goal
        self.table, self.looks = table, looks
        # By key, side and phase: the most to come that is proven, the least that is not.
        self.known: dict[bytes, tuple[int, int]] = {}

    def answer(self, board: bytes, side: int, phase: int, depth: int = 0) -> bool:
        """Return whether it is proven."""
        self.looks.add()
        rules = self.rules
        sign = 1 if side == self.prover else -1
        need = self.goal - sign * rules.lead(board)
        most = rules.most_to_come(board, phase)
        if need <= -most or need > most:
            return need <= -most
        end = rules.margin_at_end(board)
        if end is not None:
            return sign * end >= self.goal
        key = (rules.key(board) if phase == SETTLED else board) + bytes((side, phase))
        proven, failed = self.known.get(key, (-most, most + 1))
        if need <= proven or need >= failed:
            return need <= proven
        require(depth < MOST_DEPTH, f"a game has more than {MOST_DEPTH} moves")
        children = rules.children(board, side, phase)
        if sign > 0 and len(children) > 1:
            children = self.proposed(board, side, phase, children)
        result = sign < 0
        for _, after, next_side, next_phase in children:
            if self.answer(after, next_side, next_phase, depth + 1) != result:
                result = not result
                break
        self.known[key] = (max(proven, need), failed) if result else (proven, min(failed, need))
        return result

    def proposed(self, board: bytes, side: int, phase: int, children: list[Child]) -> list[Child]:
        """Return which of several moves the side that proves tries: the table's, or all."""
        move = self.table.get((self.rules.key(board), phase == OFFERED))
        if move is None:
            return children
        return [child for child in children if child[0] == move]


# ---------------------------------------------------------------- certificates


def check(data: Any, progress: Progress | None = None) -> dict[str, Any]:
    """Return what a certificate proves; raise CertificateError."""
    fields(data, "format", "game", "board", "value", "moves")
    expect_format(data)
    rules = rules_of(data["game"])
    board, side, phase = _position(rules, data["board"])
    require(rules.margin_at_end(board) is None, "the game is over")
    value = data["value"]
    require(
        type(value) is int and abs(value) <= rules.total,
        f"the value {quote(value)} is not -{rules.total} to {rules.total}",
    )
    fields(data["moves"], *SIDES)
    looks = Looks(progress)
    for prover, goal in ((side, value), (1 - side, -value)):
        name = SIDES[prover]
        table = _table(rules, prover, data["moves"][name])
        question = Question(rules, prover, goal, table, looks)
        require(question.answer(board, side, phase), f"not shown that {name} gets {goal} or more")
    return {
        "game": data["game"],
        "board": data["board"],
        "side": SIDES[side],
        "value": value,
    }


def rules_of(name: Any) -> Rules:
    """Read the name of a game."""
    match = re.fullmatch(r"kalah:([1-9][0-9]?)x([1-9][0-9]?)((?:,[a-z_]+=[a-z]+)*)", str(name))
    if not (type(name) is str and match):
        raise CertificateError(f"no certificates of {quote(name)}: kalah:PITSxSEEDS has them")
    pits, seeds = int(match[1]), int(match[2])
    require(
        2 * pits * seeds <= MOST_SEEDS and max(pits, seeds) <= 12,
        f"no certificates of {quote(name)}: up to 12 pits and {MOST_SEEDS} seeds have them",
    )
    chosen = {option: values[0] for option, values in _OPTIONS.items()}
    given = [each.split("=") for each in match[3].split(",")[1:]]
    for option, value in given:
        require(
            value in _OPTIONS.get(option, ()),
            f"no certificates with the option {quote(f'{option}={value}')}",
        )
        chosen[option] = value
    require(len(dict(given)) == len(given), f"{quote(name)} has an option twice")
    return Rules(
        pits,
        seeds,
        empty_capture=chosen["empty_capture"] == "yes",
        leftover=chosen["leftover"],
        end=chosen["end"],
        majority=chosen["majority"] == "yes",
        swap=chosen["swap"] == "yes",
        first_extra=chosen["first_extra"] == "yes",
    )


_NUMBER = "(?:0|[1-9][0-9]{0,2})"


def _position(rules: Rules, text: Any) -> tuple[bytes, int, int]:
    """Read a board text: the pits and the store of both sides, then the side to move."""
    row = f"({_NUMBER}(?:,{_NUMBER}){{{rules.pits}}})"
    match = re.fullmatch(f"{row}/{row} (first|second)(,swap)?", text) if type(text) is str else None
    if match is None:
        raise CertificateError(
            f"the board text {quote(text)} is not two sides and whose turn it is"
        )
    rows = [[int(number) for number in match[i].split(",")] for i in (1, 2)]
    require(sum(map(sum, rows)) == rules.total, f"the seeds in {quote(text)} are not {rules.total}")
    require(rules.swap or not match[4], f"there is no swap in this game: {quote(text)}")
    side = SIDES.index(match[3])
    board = bytes([*rows[side], *rows[1 - side]])
    if match[4]:
        return board, side, OFFERED
    starts = side == 0 and board == rules.start() and (rules.swap or not rules.first_extra)
    return board, side, OPENING if starts else SETTLED


def _table(rules: Rules, prover: int, moves: Any) -> Table:
    """Read the moves of a side."""
    require(type(moves) is dict, f"the moves of {SIDES[prover]} are not a JSON object")
    count = rules.pits + rules.majority
    row = f"({_NUMBER}(?:,{_NUMBER}){{{count - 1}}})"
    form = re.compile(f"{row}/{row}(,swap)?")
    table: Table = {}
    for text, move in moves.items():
        match = form.fullmatch(text)
        numbers = [int(n) for i in (1, 2) for n in match[i].split(",")] if match else []
        fits = sum(numbers) == rules.total if rules.majority else sum(numbers) <= rules.total
        if match is None or not fits:
            raise CertificateError(f"{quote(text)} is not a board of {rules.pits} pits a side")
        offered = bool(match[3])
        if move == "swap":
            fits = offered and rules.swap and prover == 1
        else:
            fits = type(move) is int and 1 <= move <= rules.pits and numbers[move - 1] > 0
        require(fits, f"{quote(move)} is no move in {quote(text)}")
        table[bytes(numbers), offered] = SWAP if move == "swap" else move - 1
    return table
