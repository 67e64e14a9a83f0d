"""Puzzle files: JSON lines, the first of which describes the rest.

Nothing in a file is trusted unchecked: every position, line and mark must fit the rules, and a
checksum guards the whole file. ``mossa.puzzles.check`` tests whether the answers are right.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mossa._core import Game
from mossa.errors import GameError, shorten
from mossa.files import DATA
from mossa.games import game
from mossa.puzzles.puzzle import RATINGS, Kind, Proof, Puzzle, Step, packed, unpacked
from mossa.quantities import counted
from mossa.solving.container import file_name, opened, own_folder

__all__ = ["PuzzleError", "PuzzleFile", "file_bytes", "puzzle_from_line", "puzzle_line"]

FORMAT, VERSION = "mossa-puzzles", 1
SUFFIX = "puzzles"
BUILD = "mossa puzzles build"
MOST_BYTES = 32 << 20
"""The largest file accepted; a few hundred puzzles take a hundred thousand bytes."""
MOST_STEPS = 50


class PuzzleError(GameError):
    """The file holds no puzzles, is damaged, or is not readable by this version."""


@dataclass(frozen=True)
class PuzzleFile:
    """The puzzles of one game."""

    game: Game
    command: str
    """What made the file."""
    made_by: str
    """The program, with its version."""
    puzzles: tuple[Puzzle, ...]
    """From the easiest to the hardest."""
    size: int
    checksum: str
    path: Path

    @classmethod
    def open(cls, path: str | Path) -> PuzzleFile:
        """Read a file; raise PuzzleError unless it is whole, OSError if it is not there."""
        path = Path(path)
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        try:
            return _read(path, content)
        except _ForeignError:
            again = f"is not a file of puzzles; {BUILD} makes one"
            raise PuzzleError(f"{str(path)!r} {again}") from None
        except GameError as error:
            again = f"remove it and make it again: {BUILD}"
            raise PuzzleError(f"{str(path)!r} {error}; {again}") from None

    @classmethod
    def find(cls, rules: Game) -> PuzzleFile | None:
        """Return a game's puzzles: your own (MOSSA_BOOKS), or the package's."""
        name = file_name(rules, SUFFIX)
        folders = filter(None, (own_folder(), DATA))
        found = (opened(PuzzleFile.open, folder / name) for folder in folders)
        return next((each for each in found if each is not None), None)

    @staticmethod
    def available() -> list[PuzzleFile]:
        """Return all puzzle files: the package's, and your own (MOSSA_BOOKS)."""
        folders = filter(None, (DATA, own_folder()))
        paths = {path.name: path for folder in folders for path in folder.glob(f"*.{SUFFIX}")}
        found = (opened(PuzzleFile.open, path) for _, path in sorted(paths.items()))
        return [file for file in found if file is not None]

    def __repr__(self) -> str:
        """Return one line: what it holds."""
        return f"<PuzzleFile of {self.game}: {counted(len(self.puzzles), 'puzzle')}>"

    def get(self, name: str) -> Puzzle | None:
        """Return the puzzle with a name; None if it is not here."""
        return next((puzzle for puzzle in self.puzzles if puzzle.name == name), None)


# ---------------------------------------------------------------- writing


def file_bytes(rules: Game, puzzles: Iterable[Puzzle], *, command: str, made_by: str) -> bytes:
    """Return the bytes that PuzzleFile.open reads, from the easiest puzzle to the hardest."""
    ordered = sorted(puzzles, key=lambda each: (each.rating, each.name))
    body = "".join(f"{puzzle_line(puzzle)}\n" for puzzle in ordered)
    head = {
        "format": FORMAT,
        "version": VERSION,
        "game": rules.name,
        "count": len(ordered),
        "command": command,
        "made_by": made_by,
    }
    sealed = {**head, "checksum": _checksum(head, body.encode())}
    return f"{_json(sealed)}\n{body}".encode()


def puzzle_line(puzzle: Puzzle) -> str:
    """Return a puzzle as one line of JSON."""
    data = {
        "moves": puzzle.moves,
        "kind": puzzle.kind.value,
        "proof": puzzle.proof.value,
        "depth": puzzle.depth,
        "rating": puzzle.rating,
        "line": [[step.move, packed(step.marks), " ".join(step.replies)] for step in puzzle.steps],
        "rest": " ".join(puzzle.rest),
    }
    if puzzle.board is not None:
        data["board"] = puzzle.board
    return _json(data)


def _json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"), allow_nan=False)


def _checksum(head: dict[str, Any], body: bytes) -> str:
    return f"{zlib.crc32(_json(head).encode() + body):08x}"


# ---------------------------------------------------------------- reading


class _ForeignError(GameError):
    """A file of another kind."""


def _read(path: Path, content: bytes) -> PuzzleFile:
    if len(content) > MOST_BYTES:
        raise GameError(f"is larger than {MOST_BYTES >> 20} MB")
    first, _, body = content.partition(b"\n")
    head = _object(first)
    if head is None or head.get("format") != FORMAT:
        raise _ForeignError
    if head.get("version") != VERSION:
        raise GameError(
            f"is a file of puzzles of format {shorten(str(head.get('version')))}; "
            f"this program reads format {VERSION}"
        )
    given = head.pop("checksum", None)
    if given != _checksum(head, body):
        raise GameError("is damaged or incomplete: its checksum does not hold")
    names = ("game", "command", "made_by")
    if not all(isinstance(head.get(name), str) for name in names):
        raise GameError("is damaged: its first line does not say what it is")
    rules = game(head["game"])
    puzzles = []
    for number, line in enumerate(body.splitlines(), start=2):
        try:
            puzzles.append(puzzle_from_line(rules, line))
        except GameError as error:
            raise GameError(f"is damaged: line {number}: {error}") from None
    if head.get("count") != len(puzzles):
        raise GameError(f"is incomplete: it has {counted(len(puzzles), 'puzzle')}")
    if len({puzzle.position.canonical_key for puzzle in puzzles}) != len(puzzles):
        raise GameError("is damaged: a position, or its mirror image, is there twice")
    return PuzzleFile(
        rules, head["command"], head["made_by"], tuple(puzzles), len(content), given, path
    )


def _object(line: bytes) -> dict[str, Any] | None:
    """Return the object in a line of JSON; None if it is something else."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


_FIELDS = {
    "moves": str,
    "kind": str,
    "proof": str,
    "depth": int,
    "rating": int,
    "line": list,
    "rest": str,
}


def puzzle_from_line(rules: Game, line: bytes | str) -> Puzzle:
    """Return the puzzle in a line; raise GameError unless the rules allow all of it."""
    data = _object(line.encode() if isinstance(line, str) else line)
    if data is None:
        raise GameError("not an object of JSON")
    board = data.pop("board", None)
    if set(data) != set(_FIELDS) or not (board is None or isinstance(board, str)):
        raise GameError(f"a puzzle has the fields {' '.join(_FIELDS)}, and perhaps board")
    for name, wanted in _FIELDS.items():
        if type(data[name]) is not wanted:
            raise GameError(f"its field {name} is {shorten(str(data[name]))}")
    if data["kind"] not in set(Kind) or data["proof"] not in set(Proof):
        raise GameError(f"there is no task {data['kind']!r} with proof {data['proof']!r}")
    if data["rating"] not in RATINGS or not 1 <= data["depth"] <= 100:
        raise GameError(f"no puzzle has rating {data['rating']} and depth {data['depth']}")
    puzzle = Puzzle(
        rules,
        data["moves"],
        Kind(data["kind"]),
        Proof(data["proof"]),
        steps=(),
        rest=tuple(data["rest"].split()),
        depth=data["depth"],
        rating=data["rating"],
        board=board,
    )
    return _with_steps(puzzle, data["line"])


def _with_steps(puzzle: Puzzle, line: list[Any]) -> Puzzle:
    """Return the puzzle with its line, played through move by move."""
    if not 1 <= len(line) <= MOST_STEPS:
        raise GameError(f"its line has {counted(len(line), 'step')}: 1 to {MOST_STEPS}")
    steps, position, side = [], puzzle.position, puzzle.side
    for number, given in enumerate(line, start=1):
        if not (
            isinstance(given, list) and len(given) == 3 and all(type(each) is str for each in given)
        ):
            raise GameError(f"step {number} is not a move, marks and replies")
        move, text, replies = given
        if position.outcome is not None or position.side is not side:
            raise GameError(f"step {number} is not a move of {side.name}")
        moves = [str(each) for each in position.moves]
        step = Step(move, unpacked(text, len(moves)), tuple(replies.split()))
        if move not in moves or not step.marks[moves.index(move)].isupper():
            raise GameError(f"step {number}: {shorten(move)} is not marked as right")
        if number == 1 and sum(mark.isupper() for mark in step.marks) != 1:
            raise GameError("its first move is not the only right one")
        steps.append(step)
        position = position.after(move)
        for reply in step.replies:
            if position.outcome is not None or position.side is side:
                raise GameError(f"step {number}: {shorten(reply)} is not a reply")
            position = position.after(reply)
    if steps[-1].replies:
        raise GameError("its line ends with a reply")
    position.after(" ".join(puzzle.rest))
    return replace(puzzle, steps=tuple(steps))
