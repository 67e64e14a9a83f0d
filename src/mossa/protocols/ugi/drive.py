"""Drive external programs that speak UGI, the game-neutral relative of UCI.

What is sent and what may be answered is on one page: docs/ugi.md. `serve.py` is the other end.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Sequence
from time import monotonic

from mossa._core import Game, Move, Position, Side
from mossa.errors import (
    BrokenGameError,
    GameError,
    InvalidMoveError,
    PlayerFailedError,
    is_in_python,
    shorten,
)
from mossa.players import Choice, Group, PlayerKind, folder_of, register
from mossa.players.clocks import Turn
from mossa.protocols.external import OPTIONS, ExternalPlayer
from mossa.protocols.process import Process
from mossa.search import Estimate, Exact, Info, Score

GAME = "game"
"""The option that names the game; its default is what the program plays unless told."""

LEGAL = "searchmoves"
"""The option by which a program asks for the legal moves with every ``go``."""

NO_MOVE = "none"
"""What a program without a move sends in place of one."""

_REASONS = ("crash", "output", "illegal")
"""Kinds of failure that a program may name before it says that it has no move."""
_LONGEST_REASON = 500


class UgiPlayer(ExternalPlayer):
    """An external program that speaks UGI."""

    protocol = "ugi"
    farewell = "quit"
    usual_game = "connect4"

    options: frozenset[str] = frozenset()
    """The options that the program says it has."""

    def _set_up(self, game: Game) -> None:
        """Start the program if it is not running, and get it ready for a new game."""
        deadline = monotonic() + self.start
        try:
            if self._process is None:
                self._process = self.launch()
                self._read_introduction(self._process, deadline)
            self._process.send(
                f"setoption name game value {game.name}",
                "uginewgame",
                "isready",
                deadline=deadline,
            )
            while self._process.read_line(deadline).strip() != "readyok":
                pass
        except PlayerFailedError as error:
            raise self._not_started(error) from None

    def introduce(self) -> None:
        """Start the program only to hear what it says about itself."""
        try:
            self._process = self.launch()
            self._read_introduction(self._process, monotonic() + self.start)
        except PlayerFailedError as error:
            raise self._not_started(error) from None

    def _read_introduction(self, process: Process, deadline: float) -> None:
        process.send("ugi", deadline=deadline)
        while (line := process.read_line(deadline).strip()) != "ugiok":
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.told_name = " ".join(words[2:])[:100]
            elif words[:2] == ["option", "name"] and len(words) > 2:
                self.options |= {words[2]}
                if words[2] == GAME:
                    self.told_game = _told_game(words[3:])

    def _tell_side(self, side: Side, deadline: float) -> None:
        assert self._process is not None
        super()._tell_side(side, deadline)
        self._process.send(f"side {side.name}", deadline=deadline)

    def _ask(self, position: Position, turn: Turn) -> Choice:
        """Ask for a move, and end the program if it does not answer before the deadline."""
        assert self._process is not None
        begin = monotonic()
        deadline = begin + turn.deadline
        with self._killed_if_it_fails(turn):
            self._process.discard()
            if self._side is not position.side:
                self._tell_side(position.side, deadline)
            self._process.send(
                position_line(position), go_line(position, turn, self.options), deadline=deadline
            )
            return self._answer(position, deadline, begin)

    def _answer(self, position: Position, deadline: float, begin: float) -> Choice:
        assert self._process is not None
        told: list[str] = []
        said = ""
        while True:
            line = self._process.read_line(deadline)
            words = line.split()
            if words[:2] == ["info", "string"]:
                said = " ".join(words[2:])
            elif words[:1] == ["info"] and "score" in words:
                told = words
            elif words[:1] == ["bestmove"]:
                break
        last_words = f"; it said {shorten(said, 200)}" if said else ""
        if len(words) < 2:
            raise PlayerFailedError("output", f"{shorten(line)} without a move{last_words}")
        if words[1] == NO_MOVE:
            kind, _, reason = said.partition(": ")
            if kind == BrokenGameError.kind and is_in_python(position):
                raise BrokenGameError(reason)
            if kind in _REASONS and reason:
                raise PlayerFailedError(kind, reason[:_LONGEST_REASON])
            raise PlayerFailedError("crash", f"gave no move{last_words}")
        move = legal(position, words[1])
        return Choice(move, read_info(told, move, monotonic() - begin))


def legal(position: Position, text: str) -> Move:
    """Return the move of a program; raise PlayerFailedError if it is not one of this position."""
    try:
        move = position.play(text).last_move
    except InvalidMoveError:
        raise PlayerFailedError("output", f"{shorten(text)} is not a move") from None
    except BrokenGameError:
        raise
    except GameError as error:
        raise PlayerFailedError("illegal", str(error)) from None
    assert move is not None
    return move


def _told_game(words: Sequence[str]) -> str | None:
    """Return the default of an option, or its first value."""
    for key in ("default", "var"):
        if key in words[:-1]:
            return words[words.index(key) + 1]
    return None


def position_line(position: Position) -> str:
    """Return the command that tells a position."""
    start = position.start_text
    line = "position startpos" if start is None else f"position fen {start}"
    return f"{line} moves {position.history_text}" if position.history else line


def go_line(position: Position, turn: Turn, options: Container[str]) -> str:
    """Return the command that asks for a move."""
    words = ["go"]
    if turn.remaining is not None:
        for side, left in enumerate(turn.remaining, start=1):
            words += [f"p{side}time", str(max(0, round(left * 1000)))]
            words += [f"p{side}inc", str(round(turn.increment * 1000))]
    if turn.time is not None:
        words += ["movetime", str(max(1, round(turn.time * 1000)))]
    for name in ("depth", "nodes"):
        if (value := getattr(turn.limits, name)) is not None:
            words += [name, str(value)]
    if LEGAL in options:
        words += [LEGAL, *map(str, position.moves)]
    return " ".join(words)


def read_info(words: Sequence[str], move: Move, seconds: float) -> Info | None:
    """Return what an ``info`` line with a score tells; None if it cannot be read."""
    try:
        at = words.index("score")
        score = read_score(words[at + 1 :])
        numbers = {
            name: int(words[words.index(name) + 1]) if name in words else 0
            for name in ("depth", "nodes")
        }
        texts = words[words.index("pv") + 1 :] if "pv" in words else []
        line = [Move(text) for text in texts]
    except (ValueError, IndexError, GameError):
        return None
    return Info(move, score, line, numbers["depth"], numbers["nodes"], seconds, 0)


def read_score(words: Sequence[str]) -> Score:
    """Return the score of ``cp 35``, ``exact -12`` or ``exact 1 in 7``."""
    kind, value = words[:2]
    if kind == "exact":
        distance = int(words[3]) if len(words) > 3 and words[2] == "in" else None
        return Exact(int(value), distance)
    if kind == "cp":
        return Estimate(float(value))
    raise ValueError(kind)


def write_score(score: Score) -> str:
    """Return what read_score reads."""
    if isinstance(score, Exact):
        far = "" if score.distance is None else f" in {score.distance}"
        return f"exact {score.value}{far}"
    return f"cp {score.value:g}"


def hosted(spec: str) -> UgiPlayer:
    """Return a player of other people's Python code in a process of its own."""
    # -P: a file of this folder that is called like one of Python's own must not take its place.
    # -u: what it prints is to be seen even if the process ends within a line.
    command = [sys.executable, "-P", "-u", "-m", "mossa", "engine", "ugi", "--player", spec]
    player = UgiPlayer(command, name=spec)
    player.plays_python = True  # the process loads the game by itself
    player.runs_mossa = True
    player.own = folder_of(spec)
    return player


register(
    PlayerKind(
        UgiPlayer.protocol,
        "an external program that speaks UGI, in any language",
        UgiPlayer.from_options,
        OPTIONS,
        group=Group.outside,
        example="ugi:./bot",
        rest="command",
    )
)
