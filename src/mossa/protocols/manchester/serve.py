"""Play kalah under a referee that speaks the protocol of Manchester's course, COMP34120.

The referee writes ``START;South``, then ``CHANGE;MOVE;BOARD;TURN`` after every move of either side,
and ``END``; the player answers ``MOVE;3`` or, instead of North's first move, ``SWAP``. The game is
7 x 7 with the swap rule, and South's first move earns no extra turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from time import perf_counter

from mossa._core import Game, Limits, Position, Shape, StopToken
from mossa.errors import GameError, failure, shorten
from mossa.games import game as game_named
from mossa.players import player as player_named
from mossa.players.clocks import share
from mossa.protocols.background import LEAVE, Thought

_KIND = "kalah"
GAME = f"{_KIND}:7x7,swap=yes,first_extra=no"

_BOARD = re.compile(r"\d{1,4}(,\d{1,4})*")
_OTHER = {"south": "north", "north": "south"}


def serve_manchester(
    spec: str,
    lines: Iterable[str],
    write: Callable[[str], object],
    *,
    tell: Callable[[str], object] = lambda line: None,
    game: str = GAME,
    time: float | None = None,
    clock: float | None = None,
) -> None:
    """Play until ``END`` or the end of the lines.

    A player has ``time`` seconds a move and ``clock`` seconds a game. The protocol has no word for
    what is wrong: that is told to the user.
    """
    agent = _Agent(spec, write, tell, game_named(game), time, clock)
    try:
        for line in lines:
            try:
                if not agent.obey(line.strip().split(";")):
                    return
            except (GameError, ValueError) as error:
                tell(f"{shorten(line.strip())}: {error}")
    finally:
        agent.finish()


class _Agent:
    def __init__(
        self,
        spec: str,
        write: Callable[[str], object],
        tell: Callable[[str], object],
        game: Game,
        time: float | None,
        clock: float | None,
    ) -> None:
        if game.traits.shape is not Shape.pits or "swap" not in game.options:
            raise GameError(f"this protocol is for {_KIND}, not {game}")
        self._player = player_named(spec)
        self._write, self._tell = write, tell
        self._game, self._time, self._left = game, time, clock
        self._side = ""
        self._may_swap = False
        self._over = False
        self._thought: Thought | None = None

    def obey(self, words: list[str]) -> bool:
        """Obey one message; False ends the game."""
        match [words[0].upper(), *words[1:]]:
            case ["START", side] if side.lower() in _OTHER:
                self._side = side.lower()
                self._may_swap = self._side == "north" and self._game.options["swap"] == "yes"
                if self._side == "south":
                    self._think(self._game.start())
            case ["CHANGE", move, board, turn] if self._side:
                if move.upper() == "SWAP":  # only that of the opponent is told
                    self._side = _OTHER[self._side]
                if turn.upper() == "YOU":
                    self._think(self._position(board))
            case ["END"]:
                self._over = True
                return False
            case [""]:
                pass
            case _:
                raise ValueError("expected START;South, CHANGE;MOVE;BOARD;TURN or END")
        return True

    def finish(self) -> None:
        """Stop thinking: with a last answer, unless the game is over."""
        if self._thought is not None:
            self._thought.finish(LEAVE)

    def _position(self, board: str) -> Position:
        """Return the position of a board, North's pits and store first, with us to move."""
        pits = self._game.sizes["pits"]
        numbers = board.split(",")
        if not _BOARD.fullmatch(board) or len(numbers) != 2 * (pits + 1):
            raise ValueError(f"expected a board of 2 x {pits} pits and 2 stores for {self._game}")
        north, south = numbers[: pits + 1], numbers[pits + 1 :]
        mover = "first" if self._side == "south" else "second"
        offer = ",swap" if self._may_swap else ""
        return self._game.from_text(f"{','.join(south)}/{','.join(north)} {mover}{offer}")

    def _think(self, position: Position) -> None:
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        if self._thought is not None:
            self._thought.finish()
        self._thought = Thought(lambda token: self._answer(position, token))

    def _answer(self, position: Position, token: StopToken) -> None:
        begin = perf_counter()
        limits = Limits(time=self._time)
        if self._left is not None:
            limits = share(position, self._left, most=self._time)
        try:
            move = str(self._player.ask(position, limits, stop=token).move)
        except Exception as error:
            # Whoever asked must not wait for ever: any move is better than none.
            self._tell(failure(error).reason)
            move = str(position.moves[0])
        if self._left is not None:
            self._left -= perf_counter() - begin
        if self._over:
            return
        self._may_swap = False
        if move == "swap":
            self._side = _OTHER[self._side]
            self._write("SWAP")
        else:
            self._write(f"MOVE;{move}")
