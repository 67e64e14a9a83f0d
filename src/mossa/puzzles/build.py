"""Makes puzzles: games with mistakes supply positions, and provers decide which ones are puzzles.

Every game has its own random numbers, from the seed and its number, so the same command makes the
same puzzles. Each find goes into a journal at once, so the work resumes after Ctrl-C or a kill.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import count as count_up
from pathlib import Path

from mossa._core import Game, Position
from mossa.errors import GameError, expect_game
from mossa.players.levels import Level
from mossa.puzzles.file import BUILD, SUFFIX, PuzzleFile, file_bytes, puzzle_from_line, puzzle_line
from mossa.puzzles.making import puzzle_from
from mossa.puzzles.proving import prover
from mossa.puzzles.puzzle import Puzzle
from mossa.records import Record
from mossa.search import Limits
from mossa.solving.container import file_name
from mossa.solving.journal import Journal, make_whole

__all__ = ["COUNT", "Progress", "build_puzzles", "puzzles_name"]

COUNT = 250
"""Puzzles in a file by default."""
FRUITLESS = 400
"""After this many games in a row without a new puzzle, the search gives up."""
LARGEST_SHARE = 0.3
"""Of one task of one length among those found so far, so that there is something for everybody.
It does not depend on how many are wanted: a longer file begins with what a shorter one has."""
FEW = 20
"""This many of a task are never too many."""
PATIENCE = 12
"""After this many games with nothing else, a task that has its share may get one more."""
STRONG, WEAK = (2, 4), 1
"""The levels that play, and the one that blunders for them now and then."""
ERRS = 0.15
"""How often it does."""
NODES = 3_000
"""Nodes for a level's move, instead of its clock."""
MOST_PLIES = 120
LEAST_PLIES = 6
"""Earlier positions have little to offer; on small boards, those before a quarter is full."""


@dataclass(frozen=True)
class Progress:
    """How far the work has got."""

    found: int
    games: int


def puzzles_name(rules: Game) -> str:
    """Return the name of a game's puzzle file."""
    return file_name(rules, SUFFIX)


def build_puzzles(
    rules: Game,
    path: str | Path,
    *,
    count: int = COUNT,
    seed: int = 1,
    records: Sequence[Record] | None = None,
    report: Callable[[Progress], object] | None = None,
) -> PuzzleFile:
    """Make a file of ``count`` puzzles, or as many as there are; or resume making one.

    Positions come from games of our players, or from ``records``, one puzzle a game at most. Ctrl-C
    keeps what is found. Raise BookError if the file is there, or is being made already.
    """
    expect_game(rules, "build_puzzles()")
    if count < 1:
        raise GameError(f"invalid count '{count}': 1 or more")
    path = Path(path)
    source = "" if records is None else f", from {len(records)} records"
    head = f"mossa puzzles journal 1: {rules}, seed {seed}{source}"
    command = f"{BUILD} {rules} --count {count} --seed {seed}"
    command += "" if records is None else " --records FILE"

    def work(journal: Journal) -> bytes:
        found = _Building(rules, count, journal, report).run(_games(rules, seed, records))
        if not found:
            journal.finished = True  # there is nothing to resume
            raise GameError(f"found no puzzles in {rules}")
        return file_bytes(rules, found, command=command, made_by=f"mossa {version('mossa')}")

    make_whole(path, head, work)
    return PuzzleFile.open(path)


def _games(
    rules: Game, seed: int, records: Sequence[Record] | None
) -> Callable[[int], Iterator[tuple[int, list[Position]]]]:
    """Return a function that yields games from a number on: from records, or by our players."""

    def begin(first: int) -> Iterator[tuple[int, list[Position]]]:
        if records is None:
            for number in count_up(first):
                yield number, _played(rules, random.Random(f"{seed} {rules} {number}"))
        else:
            for number, record in enumerate(records[first:], start=first):
                yield number, _positions(record.position)

    return begin


def _played(rules: Game, chance: random.Random) -> list[Position]:
    """Return the positions of a game between two levels, in random order."""
    levels = [chance.randint(*STRONG), chance.randint(*STRONG)]
    players = {
        level: Level(level, seed=chance.randrange(1 << 30), timed=False)
        for level in sorted({*levels, WEAK})
    }
    position, positions = rules.start(), []
    varied = chance.randint(1, 5)
    while position.outcome is None and position.ply < MOST_PLIES:
        weak = position.ply < varied or chance.random() < ERRS
        level = WEAK if weak else levels[position.side.value]
        position = position.play(players[level].choose(position, Limits(nodes=NODES)).move)
        positions.append(position)
    chance.shuffle(positions)
    return positions


def _positions(last: Position) -> list[Position]:
    """Return the positions of a played game, last first."""
    start = Position(last.game, last.start_text, [])
    found = [start]
    for move in last.history:
        found.append(found[-1].play(move))
    return found[::-1]


class _Building:
    """The work and its results so far."""

    def __init__(
        self,
        rules: Game,
        count: int,
        journal: Journal,
        report: Callable[[Progress], object] | None,
    ) -> None:
        self._prover = prover(rules)
        self._count, self._journal, self._report = count, journal, report
        self._least_plies = min(LEAST_PLIES, rules.start().left_to_play // 4)
        self._seen: set[int] = set()
        self._tasks: Counter[tuple[str, int]] = Counter()
        self._found: list[Puzzle] = []
        self._next = 0
        for text in journal.known[:count]:
            number, _, line = text.partition(" ")
            self._next = int(number) + 1
            self._add(puzzle_from_line(rules, line))

    def run(self, games: Callable[[int], Iterator[tuple[int, list[Position]]]]) -> list[Puzzle]:
        """Go from game to game; return all puzzles."""
        last = self._next
        self._tell(last)
        for number, positions in games(self._next):
            if len(self._found) >= self._count or number - last > FRUITLESS:
                break
            puzzle = self._first(positions, patient=number - last < PATIENCE)
            if puzzle is not None:
                last = number
                self._journal.write(f"{number} {puzzle_line(puzzle)}")
                self._add(puzzle)
            self._tell(number + 1)
        return self._found

    def _first(self, positions: list[Position], *, patient: bool) -> Puzzle | None:
        for position in positions:
            if position.outcome is not None or position.ply < self._least_plies:
                continue
            if position.canonical_key in self._seen:
                continue
            puzzle = puzzle_from(position, self._prover)
            if puzzle is not None and (self._wanted(puzzle) or not patient):
                return puzzle
        return None

    def _wanted(self, puzzle: Puzzle) -> bool:
        return self._tasks[_task(puzzle)] < max(FEW, LARGEST_SHARE * len(self._found))

    def _add(self, puzzle: Puzzle) -> None:
        self._seen.add(puzzle.position.canonical_key)
        self._tasks[_task(puzzle)] += 1
        self._found.append(puzzle)

    def _tell(self, games: int) -> None:
        if self._report is not None:
            self._report(Progress(len(self._found), games))


def _task(puzzle: Puzzle) -> tuple[str, int]:
    return puzzle.kind.value, puzzle.turns
