"""Does a program keep to its protocol? A suite of small trials, each with what went wrong.

Every trial has a program of its own, so that one failure does not hide another.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter

from mossa._core import Game, Limits, Position, Side
from mossa.errors import GameError, InvalidPlayerError, PlayerFailedError, shorten
from mossa.games import game as game_named
from mossa.players import (
    Player,
    is_foreign,
    kind_names,
    player,
    unknown_player,
)
from mossa.players.clocks import MARGIN, MEMORY, START, Turn
from mossa.protocols.external import ExternalPlayer, is_program
from mossa.protocols.gomocup.drive import GomocupPlayer
from mossa.protocols.manchester.drive import ManchesterPlayer
from mossa.protocols.process import Process, split_command, with_words
from mossa.protocols.ugi.drive import UgiPlayer, hosted
from mossa.quantities import counted

PROTOCOLS: dict[str, type[ExternalPlayer]] = {
    each.protocol: each for each in (UgiPlayer, GomocupPlayer, ManchesterPlayer)
}
"""The protocols that programs may speak, by name."""

_THINK = 0.2  # seconds a move in the trials
_ROOM = 1.0  # seconds a program may be late where it is not the time that is tried
_LEAVE = 1.0  # seconds to leave after "quit"
_POSITIONS = 12


@dataclass(frozen=True)
class Check:
    """One trial and its result."""

    name: str
    passed: bool
    detail: str
    seconds: float


@dataclass(frozen=True)
class _Suite:
    program: ExternalPlayer
    game: Game
    margin: float

    @property
    def speaks_ugi(self) -> bool:
        return self.program.protocol == UgiPlayer.protocol

    @property
    def speaks_manchester(self) -> bool:
        return self.program.protocol == ManchesterPlayer.protocol

    # -------------------------------------------------------------- the trials

    def trials(self) -> dict[str, Callable[[], str]]:
        """The trials, in the order in which a programmer gets them to work."""
        common = {
            "handshake": self.handshake,
            "first move": self.first_move,
            "reply": self.reply,
        }
        if not self.program.whole_games:
            common |= {"legal moves": self.legal_moves}
        common |= {"whole game": self.whole_game, "second game": self.second_game}
        if self.program.tells_time:
            common |= {"deadlines": self.deadlines, "clock": self.clock}
        if self.program.protocol not in PROTOCOLS:
            return common  # it is asked by a host of ours: there are no lines of its own to try
        if self.speaks_ugi and not self.program.whole_games:
            common |= {"board text": self.board_text, "stop": self.stop}
        if self.program.tells_time:  # where it is not, there are no questions but for a move
            common |= {"garbage": self.garbage}
        return common | {"quit": self.quit, "end of input": self.end}

    def handshake(self) -> str:
        with self.player() as player:
            player.prepare(self.game)
            return f"{player.told_name or 'it'} is ready for {self.game}"

    def first_move(self) -> str:
        return self.ask(self.game.start())

    def reply(self) -> str:
        start = self.game.start()
        return self.ask(start.play(start.moves[len(start.moves) // 2]))

    def legal_moves(self) -> str:
        rng = random.Random(1)
        with self.player() as player:
            for _ in range(_POSITIONS):
                self.move(player, _random_position(self.game, rng))
        return f"{_POSITIONS} positions"

    def whole_game(self) -> str:
        with self.player() as player:
            return f"{counted(self.play_on(player), 'move')} against itself"

    def second_game(self) -> str:
        with self.player() as player:
            self.play_on(player, plies=4)
            player.prepare(self.game)
            self.play_on(player, plies=4)
        return "a new game begins from the start"

    def deadlines(self) -> str:
        slowest = 0.0
        with self.player() as player:
            player.prepare(self.game)
            rng = random.Random(2)
            for time in (0.05, 0.1, 0.3):
                position = self.game.start()
                if not self.program.whole_games:
                    position = _random_position(self.game, rng)
                time = max(time, self.program.least_time)
                begin = perf_counter()
                player.choose_within(position, Turn(Limits(time=time), time + self.margin, time))
                slowest = max(slowest, perf_counter() - begin - time)
        return f"at most {max(0.0, slowest) * 1000:.0f} ms late"

    def clock(self) -> str:
        with self.player() as player:
            player.prepare(self.game)
            left = (2.0, 2.0)
            turn = Turn(Limits(time=0.1), 2.0 + self.margin, None, left, increment=0.1)
            player.choose_within(self.game.start(), turn)
        return "a move with 2 s on the clock"

    def board_text(self) -> str:
        position = _random_position(self.game, random.Random(3))
        return self.ask(self.game.from_text(position.text))

    def stop(self) -> str:
        with self.process() as process:
            self.greet(process)
            deadline = monotonic() + self.program.start
            process.send("position startpos", "go infinite", deadline=deadline)
            begin = monotonic()
            process.send("stop", deadline=deadline)
            _until(process, "bestmove", begin + _LEAVE + self.margin, "no bestmove after stop")
        return "answers at once"

    def garbage(self) -> str:
        nonsense = ("xyzzy", "", "\t ", "a" * 10_000, "\0\1\2", "ü€")
        with self.process() as process:
            self.greet(process)
            # An answer to nonsense is allowed; to fall silent or to end is not.
            process.send(*nonsense, deadline=monotonic() + _ROOM)
            question, answer = ("isready", "readyok") if self.speaks_ugi else ("BEGIN", "")
            process.send(question, deadline=monotonic() + _ROOM)
            _until(process, answer, monotonic() + _ROOM + _THINK, f"no answer to {question}")
        return "ignored"

    def quit(self) -> str:
        with self.process() as process:
            self.greet(process)
            process.send(self.program.farewell, deadline=monotonic() + _ROOM)
            return _leaving(process, self.program.farewell)

    def end(self) -> str:
        with self.process() as process:
            self.greet(process)
            process.end_input()
            return _leaving(process, "the end of its input")

    # -------------------------------------------------------------- the means

    @contextmanager
    def player(self) -> Iterator[ExternalPlayer]:
        player = self.program.anew()
        try:
            yield player
        finally:
            player.close()

    @contextmanager
    def process(self) -> Iterator[Process]:
        program = self.program.anew()
        process = program.launch()
        try:
            yield process
        finally:
            process.kill()
            program.kill()  # and its sandbox, if it has one

    def greet(self, process: Process) -> None:
        deadline = monotonic() + self.program.start
        late = f"not ready within {self.program.start:g} s"
        if self.speaks_ugi:
            process.send("ugi", f"setoption name game value {self.game}", deadline=deadline)
            process.send("uginewgame", "isready", deadline=deadline)
            _until(process, "readyok", deadline, late)
        elif self.speaks_manchester:
            process.send("START;South", deadline=deadline)
            _until(process, "MOVE", deadline, late)
        else:
            sizes = self.game.sizes
            process.send(f"RECTSTART {sizes['cols']},{sizes['rows']}", deadline=deadline)
            process.send("INFO timeout_turn 200", deadline=deadline)
            _until(process, "OK", deadline, late)

    def move(self, player: ExternalPlayer, position: Position) -> Position:
        think = max(_THINK, self.program.least_time)
        # One that is not told its time has as long as to start, which is part of its first move.
        room = _ROOM if self.program.tells_time else self.program.start
        turn = Turn(Limits(time=think), think + room, think)
        return position.play(player.choose_within(position, turn).move)

    def ask(self, position: Position) -> str:
        with self.player() as player:
            return f"plays {self.move(player, position).last_move}"

    def play_on(self, player: ExternalPlayer, plies: int = 60) -> int:
        position = self.game.start()
        other = player.anew() if player.takes_sides else player
        try:
            while position.outcome is None and position.ply < plies:
                mover = player if position.side is Side.first else other
                position = self.move(mover, position)
        finally:
            if other is not player:
                other.close()
        return position.ply


def program_of(
    spec: str,
    game: Game | None = None,
    *,
    protocol: str | None = None,
    start: float = START,
    margin: float = MARGIN,
) -> ExternalPlayer:
    """Return any player as a program that can be tried, if it plays the game.

    Players of mossa, and Python code, are served over UGI in a process of their own. What names no
    player is the command of a program, which speaks ``protocol`` (UGI unless given). A single word
    that names no program either is a mistake: InvalidPlayerError.
    """
    if is_foreign(spec):
        program: Player = hosted(spec.strip())
    elif spec.strip().partition(":")[0] in kind_names():
        program = player(spec)
    else:
        command = split_command(spec)
        if protocol is None and _is_mistyped(command):
            raise InvalidPlayerError(
                f"{unknown_player(spec)}; no program on the PATH is called that either"
            )
        program = PROTOCOLS[protocol or "ugi"](command)
    if program.is_person:
        raise InvalidPlayerError("human is a person: there is no program to check")
    if program.is_guest:
        raise InvalidPlayerError(
            f"player {shorten(spec)} waits for an agent to come: there is no program to start"
        )
    if game is not None:
        program.check_game(game)
    tried = program if is_program(program) else hosted(spec.strip())
    if protocol not in (None, tried.protocol):
        raise InvalidPlayerError(f"player {shorten(spec)} speaks {tried.protocol}, not {protocol}")
    tried.limit(memory=MEMORY, start=start, margin=margin)
    return tried


def _is_mistyped(command: list[str]) -> bool:
    """Tell whether a command is a single word, without a folder, that names no program."""
    word = command[0]
    return len(command) == 1 and Path(word).name == word and shutil.which(word) is None


def check_player(
    program: ExternalPlayer, game: Game | None = None, *, margin: float = MARGIN
) -> Iterator[Check]:
    """Try a program and yield every result.

    Without a game it is tried at the one that it says it plays, or else at a usual one.
    """
    begin = perf_counter()
    try:
        game = game or _told_game(program)
    except GameError as error:
        yield Check("handshake", False, str(error), perf_counter() - begin)
        return
    suite = _Suite(program, game, margin)
    for name, trial in suite.trials().items():
        begin = perf_counter()
        try:
            detail, passed = trial(), True
        except PlayerFailedError as error:
            detail, passed = error.reason, False
        yield Check(name, passed, detail, perf_counter() - begin)
        if name == "handshake" and not passed:
            return  # nothing else can be tried


def _told_game(program: ExternalPlayer) -> Game:
    """Ask a program what it plays; raise GameError if it does not start, or plays none of ours."""
    asked = program.anew()
    try:
        asked.introduce()
    finally:
        asked.close()
    return game_named(asked.told_game or asked.usual_game)


def _until(process: Process, wanted: str, deadline: float, late: str) -> None:
    """Read until a line begins with the wanted word."""
    try:
        while not process.read_line(deadline).startswith(wanted):
            pass
    except PlayerFailedError as error:
        raise PlayerFailedError(error.kind, with_words(late, error.reason)) from None


def _leaving(process: Process, what: str) -> str:
    begin = monotonic()
    if not process.wait(_LEAVE):
        raise PlayerFailedError("time", f"still running {_LEAVE:g} s after {what}")
    return f"left after {(monotonic() - begin) * 1000:.0f} ms"


def _random_position(game: Game, rng: random.Random) -> Position:
    """Return a position of a random game that is not over."""
    position = game.start()
    plies = rng.randrange(1, 12)
    while position.ply < plies:
        after = position.play(rng.choice(position.moves))
        if after.outcome is not None:
            break
        position = after
    return position
