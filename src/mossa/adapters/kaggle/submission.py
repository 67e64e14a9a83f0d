"""A player of mossa for Kaggle's ConnectX.

``mossa export kaggle PLAYER`` writes this file as main.py, with the package beside it. It stands
alone: if the compiled core does not load, because this is another version of Python or another
machine than the one it was built for, a small alpha-beta in plain Python plays instead.

A board is a number: column by column, each from the bottom up with one bit more than it has cells,
which stays empty. So a shift by one goes up, one by rows + 1 to the right, and none wraps around.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from time import perf_counter
from typing import Any
from zlib import crc32

PLAYER = "engine"
"""The spec of the player."""

CORE = ("", 0)
"""The file of the compiled core in the package, and its CRC-32."""

_WIN = 1_000_000  # less the stones on the board: sooner is better
_NODES_BETWEEN_LOOKS = 128  # at the clock

_STARTED_IN = [
    str(Path(sys._getframe().f_code.co_filename).resolve().parent),
    *sys.path[-1:],
    "/kaggle_simulations/agent",
]
"""Where the package may be. Kaggle runs this file without a name, but tells where it is."""

_players: dict[str, Any] = {}


def thinking_time(observation: Any, configuration: Any) -> float:
    """Return the seconds to spend on a move.

    The overage is for a machine that stalls. With little of it left, more of the move's own time is
    kept back.
    """
    limit = float(configuration.get("actTimeout", configuration.get("timeout", 2)))
    is_tight = float(observation.get("remainingOverageTime", 0)) < limit
    kept_back = max(0.2, 0.3 * limit) if is_tight else max(0.1, 0.15 * limit)
    return max(limit - kept_back, 0.3 * limit)


class _LateError(Exception):
    """The time is up."""


class Fallback:
    """Alpha-beta on boards of one size; it remembers positions during one move."""

    def __init__(self, rows: int, columns: int, inarow: int) -> None:
        """Take the sizes of the board, and how many in a row win."""
        self.rows, self.columns, self.inarow = rows, columns, inarow
        height = rows + 1
        self.steps = (1, height, height - 1, height + 1)
        self.bottom = sum(1 << (height * column) for column in range(columns))
        self.full = self.bottom * ((1 << rows) - 1)
        # The rows that the side to begin, and the other one, will have to itself in the end.
        self.rows_of = tuple(
            sum(self.bottom << row for row in range(first, rows, 2)) & self.full for first in (0, 1)
        )
        middle = sorted(range(columns), key=lambda column: abs(2 * column - columns + 1))
        self.order = [((1 << rows) - 1) << (height * column) for column in middle]
        self.centre = sum(self.order[: max(1, columns // 3)])

    def choose(self, board: list[int], mark: int, deadline: float) -> int:
        """Return the best column that is found in time, counted from 0."""
        mine = theirs = 0
        for at, cell in enumerate(board):
            row, column = divmod(at, self.columns)
            bit = 1 << (column * (self.rows + 1) + self.rows - 1 - row)
            mine |= bit if cell == mark else 0
            theirs |= bit if cell not in (0, mark) else 0
        best = self._best(mine, theirs, deadline)
        return (best.bit_length() - 1) // (self.rows + 1)

    def _best(self, mine: int, theirs: int, deadline: float) -> int:
        """Search one ply deeper again and again, until the time is up or all is known."""
        wins, moves = self._worth_trying(mine, theirs)
        best = (wins or moves)[0]
        if wins or len(moves) == 1:
            return best
        self.deadline, self.nodes = deadline, 0
        self.table: dict[tuple[int, int], tuple[int, int, int, int]] = {}
        try:
            for depth in range(_count(self.full & ~(mine | theirs))):
                low, scores = -_WIN, {}
                for move in moves:
                    scores[move] = -self._search(theirs, mine | move, depth, -_WIN, -low)
                    if scores[move] > low:
                        low, best = scores[move], move
                moves.sort(key=lambda move: -scores[move])
                if abs(low) > _WIN // 2:
                    break
        except _LateError:
            pass
        return best

    def _worth_trying(self, mine: int, theirs: int) -> tuple[list[int], list[int]]:
        """Return the moves that win, and those to choose from otherwise.

        They stop a win of the other side, or at least allow none, as far as that is possible.
        """
        stones = mine | theirs
        open_cells = (stones + self.bottom) & self.full
        danger = self._winning(theirs) & ~stones
        choices = (danger & open_cells, open_cells & ~(danger >> 1), open_cells)
        chosen = next(filter(None, choices))
        return self._ordered(self._winning(mine) & open_cells), self._ordered(chosen)

    def _ordered(self, moves: int) -> list[int]:
        """Return moves one by one, from the middle."""
        return [moves & column for column in self.order if moves & column]

    def _search(self, mine: int, theirs: int, depth: int, low: int, high: int) -> int:
        """Return what a position is worth to the side to move, as far as low and high matter.

        Nobody has won yet: moves that win are seen before they are played.
        """
        self.nodes += 1
        if self.nodes % _NODES_BETWEEN_LOOKS == 0 and perf_counter() > self.deadline:
            raise _LateError
        stones = mine | theirs
        open_cells = (stones + self.bottom) & self.full
        if not open_cells:
            return 0
        # 1. Win at once, or else stop the other side, and play no cell below one that it needs.
        played = _count(stones)
        wins = self._winning(mine) & ~stones
        if wins & open_cells:
            return _WIN - played - 1
        danger = self._winning(theirs) & ~stones
        forced = danger & open_cells
        moves = (forced or open_cells) & ~(danger >> 1)
        if not moves or forced & (forced - 1):
            return played + 2 - _WIN
        if depth <= 0 and not forced:
            return self._estimate(mine, theirs, wins, danger)
        # 2. Perhaps the answer is known, or at least the move to try first.
        known = self.table.get((mine, theirs))
        ordered = self._ordered(moves)
        if known is not None:
            at, value, bound, first = known
            is_enough = value >= high if bound > 0 else value <= low if bound < 0 else True
            if at >= depth and is_enough:
                return value
            ordered.sort(key=lambda move: move != first)
        # 3. Try all moves, until one is too good to be allowed.
        best, best_move, floor = -_WIN, 0, low
        for move in ordered:
            value = -self._search(theirs, mine | move, depth - 1, -high, -floor)
            if value > best:
                best, best_move, floor = value, move, max(floor, value)
                if floor >= high:
                    break
        bound = 1 if best >= high else -1 if best <= low else 0
        self.table[mine, theirs] = depth, best, bound, best_move
        return best

    def _estimate(self, mine: int, theirs: int, wins: int, danger: int) -> int:
        """Return a guess: cells that would win, those in the rows of their side first."""
        begins = _count(mine | theirs) & 1
        own_rows, other_rows = self.rows_of[begins], self.rows_of[1 - begins]
        return (
            10 * (_count(wins) - _count(danger))
            + 8 * (_count(wins & own_rows) - _count(danger & other_rows))
            + _count(mine & self.centre)
            - _count(theirs & self.centre)
        )

    def _winning(self, stones: int) -> int:
        """Return the cells that complete a row of these stones, taken ones too."""
        found = 0
        needed = self.inarow - 1
        for step in self.steps:
            # The cells with 0, 1, 2 ... stones right before them, and right after them.
            before, after = [self.full], [self.full]
            for distance in range(step, step * needed + 1, step):
                before.append(before[-1] & (stones << distance))
                after.append(after[-1] & (stones >> distance))
            for count in range(needed + 1):
                found |= before[count] & after[needed - count]
        return found


def _count(cells: int) -> int:
    return bin(cells).count("1")


def _load_player() -> Any:
    """Return the player of the package as an agent; raise whatever keeps it from loading."""
    for folder in _STARTED_IN:
        if Path(folder, "mossa").is_dir():
            # To load a damaged core would not raise anything, but end the process.
            if crc32(Path(folder, "mossa", CORE[0]).read_bytes()) != CORE[1]:
                raise ImportError(f"{CORE[0]} is damaged")
            sys.path.insert(0, folder)
            break
    return importlib.import_module("mossa.adapters.kaggle.serve").agent(PLAYER)


def agent(observation: Any, configuration: Any) -> int:
    """Return a column, counted from 0."""
    begin = perf_counter()
    try:
        if "strong" not in _players:
            _players["strong"] = None
            _players["strong"] = _load_player()
        if _players["strong"] is not None:
            return int(_players["strong"](observation, configuration, begin=begin))
    except Exception as error:
        print(f"mossa cannot play, so plain Python does: {type(error).__name__}: {error}")
    sizes = configuration["rows"], configuration["columns"], configuration["inarow"]
    deadline = begin + thinking_time(observation, configuration)
    return Fallback(*sizes).choose(observation["board"], observation["mark"], deadline)
