"""Small games written in Python, for the tests: a text, cells to fill, pieces that move."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mossa import python_games

NIM = """
class Nim:
    def __init__(self, heap=6, side=0):
        self.heap, self.side = heap, side
        self.moves = list(range(1, min(3, heap) + 1))
        self.key = heap, side
        self.outcome = None if heap else (1 if side == 1 else -1)

    def play(self, move):
        return type(self)(self.heap - move, 1 - self.side)

    def __str__(self):
        return "|" * self.heap + f"\\n{self.heap} left"


def first(position):
    return position.moves[0]


def number(position):
    return position.moves[0].number


def cheat(position):
    return "7"
"""

TINY = '''
class Tiny:
    """Two in a row on a strip of four cells wins; otherwise it is a draw."""

    def __init__(self, stones=(0, 0, 0, 0), side=0):
        self.stones, self.side, self.key = stones, side, stones
        self.cells = [stones]
        self.moves = ["abcd"[at] + "1" for at, stone in enumerate(stones) if not stone]

    def target(self, move):
        return 0, "abcd".index(move[0])

    def play(self, move):
        at = self.target(move)[1]
        stones = (*self.stones[:at], self.side + 1, *self.stones[at + 1 :])
        return type(self)(stones, 1 - self.side)

    @property
    def outcome(self):
        for one, other in zip(self.stones, self.stones[1:]):
            if one and one == other:
                return 1 if one == 1 else -1
        return None if self.moves else 0
'''

RACE = '''
class Step(tuple):
    def __str__(self):
        return f"{self[0]}-{self[1]}"


class Race:
    """Two runners, each on a track of five cells: whoever is first at the other end wins."""

    unit = "points"

    def __init__(self, at=(0, 4), side=0):
        self.at, self.side, self.key = at, side, (at, side)

    @property
    def cells(self):
        return [[(side + 1) * (col == self.at[side]) for col in range(5)] for side in (0, 1)]

    @property
    def moves(self):
        here, step = self.at[self.side], 1 - 2 * self.side
        return [Step((here, here + step * n)) for n in (1, 2) if 0 <= here + step * n <= 4]

    def source(self, move):
        return self.side, move[0]

    def target(self, move):
        return self.side, move[1]

    def play(self, move):
        at = (move[1], self.at[1]) if self.side == 0 else (self.at[0], move[1])
        return Race(at, 1 - self.side)

    @property
    def outcome(self):
        return 3 if self.at[0] == 4 else -3 if self.at[1] == 0 else None
'''

FILES = {"nim.py": NIM, "tiny.py": TINY, "race.py": RACE}
GAMES = ["nim.py:Nim", "tiny.py:Tiny", "race.py:Race"]


@contextmanager
def written(folder: Path) -> Iterator[Path]:
    """A folder with these games, and a process that has loaded none yet."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    before = dict(python_games._LOADED)
    python_games._LOADED.clear()
    yield folder
    python_games._LOADED.clear()
    python_games._LOADED.update(before)


def odd(*lines: str, name: str = "odd.py") -> str:
    """A game that differs from nim in something, by the lines of its class; its name."""
    body = "".join(f"    {line}\n" for line in lines)
    Path(name).write_text(f"{NIM}\n\nclass Odd(Nim):\n{body}")
    return f"{name}:Odd"
