"""Drive external programs that speak the protocol of Gomocup, for mnk games.

The protocol is that of https://plastovicka.github.io/protocl2en.htm: START or RECTSTART, BEGIN,
TURN, BOARD, INFO and END. Coordinates are ``x,y`` from the top left cell, both from 0. It knows
five in a row only; programs play other lengths if they like, and the referee holds them to our
rules.
"""

from __future__ import annotations

import re
from time import monotonic

from mossa._core import Game, Move, Position
from mossa.errors import InvalidPlayerError, PlayerFailedError, shorten
from mossa.games import lines_anywhere
from mossa.players import Choice, Group, PlayerKind, register
from mossa.players.clocks import Turn
from mossa.protocols.external import OPTIONS, ExternalPlayer
from mossa.protocols.ugi.drive import legal
from mossa.records.record import move_at

KIND = "mnk"
"""The games that the protocol is for."""

_MOVE = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")
_TALK = ("MESSAGE", "DEBUG", "SUGGEST")
_COMPLAINTS = ("UNKNOWN", "ERROR")


class GomocupPlayer(ExternalPlayer):
    """A Gomocup brain as a player."""

    protocol = "gomocup"
    farewell = "END"
    usual_game = "gomoku"
    _known: list[Move] | None = None
    """The moves on the program's own board."""
    _forgiven = 0
    """INFO lines sent; that many unexpected answers are forgiven."""

    def plays(self, game: Game) -> bool:
        """Tell whether the protocol has a board for this game."""
        return lines_anywhere(game)

    def _set_up(self, game: Game) -> None:
        """Start the program if it is not running, and set up an empty board."""
        if not self.plays(game):
            raise InvalidPlayerError(f"{self.name} speaks Gomocup: it plays {KIND}, not {game}")
        deadline = monotonic() + self.start
        rows, cols = game.sizes["rows"], game.sizes["cols"]
        begin = f"START {rows}" if rows == cols else f"RECTSTART {cols},{rows}"
        try:
            if self._process is None:
                self._process = self.launch()
            self._forgiven = 0
            self._process.send(begin, deadline=deadline)
            answer = self._read(deadline)
        except PlayerFailedError as error:
            raise self._not_started(error) from None
        if not answer.upper().startswith("OK"):
            self.kill()
            raise PlayerFailedError(
                "start", f"answered {begin} with {shorten(answer)} instead of OK"
            )
        self._send(
            f"INFO rule {int(game.options.get('exact') == 'yes')}",
            "INFO game_type 1",
            f"INFO max_memory {self._memory << 20}",
            deadline=deadline,
        )
        self._known = []

    def _ask(self, position: Position, turn: Turn) -> Choice:
        """Ask for a move, and end the program if it does not answer before the deadline."""
        assert self._process is not None
        deadline = monotonic() + turn.deadline
        with self._killed_if_it_fails(turn):
            self._process.discard()
            self._send(*self._question(position, turn), deadline=deadline)
            answer = self._read(deadline)
        found = _MOVE.fullmatch(answer)
        if found is None:
            raise PlayerFailedError("output", f"{shorten(answer)} is not a move: expected x,y")
        x, y = int(found[1]), int(found[2])
        sizes = position.game.sizes
        if x >= sizes["cols"] or y >= sizes["rows"]:
            raise PlayerFailedError("illegal", f"{shorten(answer)} is off the board")
        move = legal(position, str(move_at(position.game, x, y)))
        self._known = [*position.history, move]
        return Choice(move)

    def _question(self, position: Position, turn: Turn) -> list[str]:
        """Tell the time, and then what is new: nothing, one move, or a whole board."""
        timeout = turn.deadline if turn.limits.time is None else turn.limits.time
        lines = [f"INFO timeout_turn {max(1, round(timeout * 1000))}"]
        if turn.remaining is not None:
            left = turn.remaining[position.side.value]
            lines.append(f"INFO time_left {max(0, round(left * 1000))}")
        if position.start_text is not None:
            return lines + self._board(position)
        history = position.history
        if not history:
            return [*lines, "BEGIN"]
        if self._known == history[:-1]:
            x, y = xy(position.game, history[-1])
            return [*lines, f"TURN {x},{y}"]
        return lines + self._board(position)

    def _board(self, position: Position) -> list[str]:
        """Every stone in the order it was played, where that is known."""
        own = position.side.value
        stones = []
        rows = position.game.sizes["rows"]
        played = [(move.col, move.row) for move in position.history]
        there = {
            (col, row): cell - 1
            for row, cells in enumerate(position.cells)
            for col, cell in enumerate(cells)
            if cell
        }
        for col, row in [*(set(there) - set(played)), *played]:
            whose = 1 if there[col, row] == own else 2  # type: ignore[index]
            stones.append(f"{col},{rows - 1 - row},{whose}")  # type: ignore[operator]
        return ["BOARD", *stones, "DONE"]

    def _send(self, *lines: str, deadline: float) -> None:
        assert self._process is not None
        self._forgiven += sum(line.startswith("INFO") for line in lines)
        self._process.send(*lines, deadline=deadline)

    def _read(self, deadline: float) -> str:
        """Return the next line that is an answer."""
        assert self._process is not None
        while True:
            line = self._process.read_line(deadline).strip()
            if not line or line.upper().startswith(_TALK):
                continue
            # INFO must not be answered, but brains that do not know a setting often say so.
            if self._forgiven and line.upper().startswith(_COMPLAINTS):
                self._forgiven -= 1
                continue
            return line


def xy(game: Game, move: Move) -> tuple[int, int]:
    """Return the cell of a move, counted from the top left one, both from 0."""
    assert move.row is not None and move.col is not None
    return move.col, game.sizes["rows"] - 1 - move.row


register(
    PlayerKind(
        GomocupPlayer.protocol,
        "an external program that speaks Gomocup's protocol, for mnk",
        GomocupPlayer.from_options,
        OPTIONS,
        group=Group.outside,
        example="gomocup:./brain",
        rest="command",
    )
)
