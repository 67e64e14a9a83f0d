"""Drive programs written for the referee of Manchester's course, COMP34120.

A program is told ``START;South`` or ``START;North``, then ``CHANGE;MOVE;BOARD;TURN`` after every
move of either side, and ``END``; it answers ``MOVE;3``, or ``SWAP`` instead of North's first move.
Each game has a process of its own, as under the course's referee. `serve.py` is the other end.
"""

from __future__ import annotations

import re
from time import monotonic

from mossa._core import Game, Move, Position, Shape, Side
from mossa.errors import InvalidPlayerError, PlayerFailedError, shorten
from mossa.players import Choice, Group, PlayerKind, register
from mossa.players.clocks import Turn
from mossa.protocols.external import OPTIONS, ExternalPlayer
from mossa.protocols.java import JRE, tool
from mossa.protocols.manchester.serve import GAME
from mossa.protocols.process import Process
from mossa.protocols.ugi.drive import legal

_SWAP = "swap"
_ANSWER = re.compile(r"\s*(?:MOVE\s*;\s*(\d{1,3})|(SWAP))\s*", re.IGNORECASE)
_SIDES = {Side.first: "South", Side.second: "North"}
WHOLE_GAMES = "the protocol is for whole games: no openings, no boards that were set up, no undo"
_LEAVE = 1.0  # seconds to take in the last lines of a game


class ManchesterPlayer(ExternalPlayer):
    """A program of Manchester's tournament as a player, one process a game."""

    protocol = "manchester"
    farewell = "END"
    usual_game = GAME
    tells_time = False
    takes_sides = True
    whole_games = True
    _started: Side | None = None
    """The side that the running program was given; None before that."""
    _known: tuple[Move, ...] = ()
    """The moves that it knows about."""

    def plays(self, game: Game) -> bool:
        """Tell whether the protocol has words for this game; its rules are the program's affair."""
        return game.traits.shape is Shape.pits and _SWAP in game.options

    def launch(self) -> Process:
        """Start the program; a jar is run by Java."""
        command = self.command
        if command[0].lower().endswith(".jar"):
            # Less than all of its memory, so that Java knows about the limit before it is there.
            command = [tool(JRE), f"-Xmx{self._memory * 3 // 4}m", "-jar", *command]
        return self._run(command)

    def _set_up(self, game: Game) -> None:
        """Start a new process: the protocol has no word for another game."""
        if not self.plays(game):
            raise InvalidPlayerError(f"{self.name} plays kalah, not {game}")
        self.close()
        try:
            self._process = self.launch()
        except PlayerFailedError as error:
            raise self._not_started(error) from None
        self._started, self._known = None, ()

    def _tell_side(self, side: Side, deadline: float) -> None:
        """Let North get ready; the same word would ask South for a move."""
        super()._tell_side(side, deadline)
        if side is Side.second and self._started is None:
            try:
                self._start(side, deadline)
            except PlayerFailedError as error:
                raise self._not_started(error) from None

    def _ask(self, position: Position, turn: Turn) -> Choice:
        """Tell what is new, and read the answer; end the program if it is late."""
        if self._started is None or not self._follows(position):
            self._take_seat(position)
        deadline = monotonic() + turn.deadline
        with self._killed_if_it_fails(turn):
            if self._started is None:
                self._start(position.side, deadline)
            self._tell(position, deadline)
            move = self._answer(position, deadline)
            after = position.play(move)
            if after.side is not position.side or after.outcome is not None:
                self._tell(after, deadline)  # its own move, for those who think in our time
        return Choice(move)

    def _follows(self, position: Position) -> bool:
        """Tell whether a position comes from what the program knows, with the program to move."""
        history = tuple(position.history)
        return self._started is position.side and history[: len(self._known)] == self._known

    def _take_seat(self, position: Position) -> None:
        """Make sure that the program can play from here: its first move must be its own."""
        now = position.game.start()
        for move in position.history:
            if now.side is position.side:
                break
            now = now.play(move)
        if position.start_text is not None or now.ply < position.ply:
            raise PlayerFailedError("start", WHOLE_GAMES)
        if self._started is not None:
            self._set_up(position.game)

    def _start(self, side: Side, deadline: float) -> None:
        assert self._process is not None
        self._started = side
        self._process.send(f"START;{_SIDES[side]}", deadline=deadline)

    def _tell(self, position: Position, deadline: float) -> None:
        """Tell all moves that the program does not know yet; the last one says whose turn it is."""
        assert self._process is not None and self._started is not None
        now = position.game.start()
        swapped = False
        for ply, move in enumerate(position.history):
            mover, now = now.side, now.play(move)
            swapped |= move == _SWAP
            if ply < len(self._known) or (move == _SWAP and mover is self._started):
                continue  # who swaps is not told
            turn = "OPP"
            if ply + 1 == position.ply:
                turn = "END" if now.outcome else "YOU" if now.side is self._started else "OPP"
            word = str(move).upper()
            self._process.send(f"CHANGE;{word};{_board(now, swapped)};{turn}", deadline=deadline)
        self._known = tuple(position.history)

    def _answer(self, position: Position, deadline: float) -> Move:
        line = self._read(deadline)
        found = _ANSWER.fullmatch(line)
        if found is None:
            raise PlayerFailedError(
                "output", f"{shorten(line)} is not an answer: expected MOVE;N or SWAP"
            )
        return legal(position, _SWAP if found[2] else str(int(found[1])))

    def _read(self, deadline: float) -> str:
        """Return the next line with anything in it."""
        assert self._process is not None
        while not (line := self._process.read_line(deadline).strip()):
            pass
        return line

    def end(self, position: Position) -> None:
        """Tell the last move of the game, if the program is still there and does not know it."""
        if self._process is None or self._started is None or position.start_text is not None:
            return
        try:
            self._tell(position, monotonic() + _LEAVE)
        except PlayerFailedError:
            self.kill()


def _board(position: Position, swapped: bool) -> str:
    """Return the board, North's row first. South is who began: a swap moves people, not rows."""
    rows = position.cells
    south, north = reversed(rows) if swapped else rows
    return ",".join(str(hollow) for hollow in (*north, *south))


register(
    PlayerKind(
        ManchesterPlayer.protocol,
        "a program or a jar of Manchester's kalah tournament",
        ManchesterPlayer.from_options,
        OPTIONS,
        group=Group.outside,
        example="manchester:agent.jar",
        needs=(JRE,),
        rest="command",
    )
)
