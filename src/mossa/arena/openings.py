"""Openings: the moves made before the players take over.

Every opening is played twice with sides swapped, so any advantage it gives cancels out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from mossa._core import Game, Limits, Move, Position, Shape
from mossa.errors import GameError, is_in_python, shorten
from mossa.files import read_text
from mossa.games import lines_anywhere
from mossa.players import Player, player
from mossa.quantities import counted
from mossa.records import read_records
from mossa.search import points_of

_NEAR = 2  # cells from the middle of a large board where openings are played
_TRIES = 10  # random openings to try for one that is new
_GAMES = 100  # random games to try for one that lasts as long as the opening
_CHOICES = 12  # random openings of which the most even is taken
_GLANCE = 1000  # nodes to see how even one is


def default_plies(game: Game) -> int:
    """Return how many random plies make an opening that leaves most of the game to play."""
    if is_in_python(game):
        return 1  # nobody knows how short it is
    cells = sum(map(len, game.start().cells))
    return 4 if game.traits.shape is Shape.grid and cells >= 25 else 2


def random_openings(game: Game, plies: int | None, seed: int) -> Iterator[str]:
    """Yield endless openings: all different while there are any, the same for the same seed."""
    rng = random.Random(f"{seed} {game.name}")
    plies = default_plies(game) if plies is None else plies
    seen: set[int] = set()
    while True:
        for _ in range(_TRIES):
            position = _random_position(game, plies, rng)
            if position.canonical_key not in seen:
                break
        else:
            seen.clear()  # all have been played: begin again
        seen.add(position.canonical_key)
        yield position.history_text


def balanced_openings(
    game: Game, plies: int | None, seed: int, *, judge: Player | None = None
) -> Iterator[str]:
    """Yield endless openings that are about even; the same for the same seed.

    Random moves often decide a game: after four on a board for five in a row, the side to move
    nearly always wins. Then two players of different strength win one game each, and the pair says
    nothing. So ``judge``, the engine unless given, glances at several random openings, half of them
    a ply longer than the others, and the most even one is yielded.
    """
    judge = judge or player("engine:book=off,net=off,memory=16")
    plies = default_plies(game) if plies is None else plies
    drawn = [random_openings(game, length, seed) for length in (plies, plies + 1)]

    def lead(opening: str) -> float:
        info = judge.choose(game.position(opening), Limits(nodes=_GLANCE)).info
        assert info is not None, "the judge searches"
        return abs(points_of(info.score, game.traits.scoring))

    while True:
        yield min((next(drawn[i % 2]) for i in range(_CHOICES)), key=lead)


def check_plies(game: Game, plies: int) -> None:
    """Raise GameError if random games end too soon for openings this long."""
    if _random_position(game, plies, random.Random(0)).ply < plies:
        raise GameError(
            f"no opening of {counted(plies, 'ply', 'plies')} for {game}: "
            f"{_GAMES} random games were over sooner; give fewer plies"
        )


def _random_position(game: Game, plies: int, rng: random.Random) -> Position:
    """Return a position that is not over; if the game is too short for it, an earlier one."""
    for _ in range(_GAMES):
        position = game.start()
        while position.outcome is None and position.ply < plies:
            position = position.play(rng.choice(_natural(position)))
        if position.outcome is None:
            return position
    return game.start()


def _natural(position: Position) -> list[Move]:
    """Return the moves for an opening: if any cell will do, those around the middle."""
    if not lines_anywhere(position.game):
        return position.moves
    rows, cols = len(position.cells), len(position.cells[0])

    def near(move: Move) -> bool:
        row, col = move.row or 0, move.col or 0
        return max(abs(row - (rows - 1) / 2), abs(col - (cols - 1) / 2)) <= _NEAR

    return [move for move in position.moves if near(move)] or position.moves


def read_openings(path: Path, games: Sequence[Game]) -> dict[str, list[str]]:
    """Return the openings in a file for every game: one line of moves each, or records."""
    if path.suffix.lower() in (".txt", ""):
        texts = [line.split("#")[0].strip() for line in read_text(path).splitlines()]
        found = {game.name: [text for text in texts if text] for game in games}
    else:
        records = read_records(path)
        found = {
            game.name: [each.position.history_text for each in records if each.game == game]
            for game in games
        }
    for game in games:
        if not found[game.name]:
            raise GameError(f"{shorten(str(path))} has no opening for {game}")
        for number, text in enumerate(found[game.name], 1):
            try:
                over = game.position(text).outcome
            except GameError as error:
                raise GameError(f"{shorten(str(path))}, opening {number}: {error}") from None
            if over is not None:
                raise GameError(
                    f"{shorten(str(path))}, opening {number}: the game is over ({over})"
                )
    return found
