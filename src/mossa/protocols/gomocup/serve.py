"""Serve a player as a brain of Gomocup: the other end of `gomocup.py`.

The protocol is that of https://plastovicka.github.io/protocl2en.htm, with what analysis boards add
to it: YXBOARD, YXNBEST, YXSTOP, INFO max_depth and max_node. Commands are read in one thread while
the player thinks in another and ends in time by itself; a clock answers for a player that is late,
for a tournament counts milliseconds.
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter, sleep
from typing import ClassVar

from mossa._core import Game, Limits, Move, Position, StopToken
from mossa.analysis import Analysis, analyse
from mossa.errors import GameError, failure, shorten
from mossa.games import KINDS
from mossa.games import game as game_named
from mossa.packages import version
from mossa.players import Player, player_kind
from mossa.players import player as player_named
from mossa.players.clocks import share
from mossa.players.searching import stricter
from mossa.protocols.background import LEAVE, Thought
from mossa.protocols.gomocup.drive import KIND, xy
from mossa.quantities import counted
from mossa.records.record import move_at
from mossa.search import Info, Score

OWN, OPPONENT = 1, 2
"""Whose stone it is, in BOARD's numbers."""

UNLIMITED = 2_147_483_647
"""This many milliseconds stand for no limit."""

MEMORY = 350 << 20
"""Bytes to use until the manager allows less: Gomocup's own limit. Tables of another size would
have to be made when INFO max_memory comes, which may be in the time of the first move."""

SWAP2_OPENINGS = 6
"""Openings to try when looking for a fair one."""

# Of the time for a move this is kept back, in seconds and as a share: for the pipe, and for a
# machine that stands still now and then (a virtual one for 20 to 30 ms, however little it does).
_KEPT, _SHARE_KEPT = 0.027, 0.005
# A player has this much less than the clock that would answer for it. Its own answer is the better
# one: it counts the iteration that was not finished, where the clock only knows what was reported.
_LEAD, _SHARE_LEAD = 0.005, 0.1  # in seconds, but no more than this share
_FORGET = 0.97  # what a delay of the machine still counts for a move later
_WAKINGS = 3  # so often it may delay a move: reading the question, the clock, reading the answer
_SLEEPS, _SLEEP = 10, 0.002  # before a game, to see how long the machine's delays are
_AT_ONCE = 0.01  # seconds to think where the time for a turn is 0, "as fast as possible"
_OVERHEAD_MB = 80  # of the memory that is allowed: Python, and all that is no table

_CELL = re.compile(r"\s*(\d{1,4})\s*,\s*(\d{1,4})\s*")
_STONE = re.compile(r"\s*(\d{1,4})\s*,\s*(\d{1,4})\s*(?:,\s*(\d))?\s*")
_NUMBER = re.compile(r"-?\d{1,18}")

_RULES = {2: "continuous play", 4: "renju", 8: "caro"}

Stone = tuple[int, int, int]


class _Refused(Exception):  # noqa: N818 - no error of ours: what the manager is told
    """A request that cannot be granted; the manager is told why."""


def serve_gomocup(
    spec: str,
    lines: Iterable[str],
    write: Callable[[str], object],
    *,
    k: int = 5,
    time: float = 5.0,
) -> None:
    """Answer commands until ``END`` or the end of the lines.

    ``k`` stones in a row win, and a move takes ``time`` seconds where the manager sets no limit.
    """
    brain = _Brain(spec, write, k, time)
    try:
        for line in lines:
            if not brain.obey(line.replace("\0", " ").strip()):
                return
    finally:
        brain.finish(LEAVE)


class _Question:
    """A move that is wanted; the first answer counts, the player's or the clock's.

    Usually the player is first. But on a busy machine a thread that has used the processor all the
    time may wait far too long for its turn, while one that has slept is woken at once.
    """

    def __init__(self, position: Position, answer: Callable[[Move, Score | None], object]) -> None:
        self.position = position
        self._answer = answer
        self._lock = threading.Lock()
        self._answered = False
        self._best: tuple[Move, Score | None] | None = None
        self._clock: threading.Timer | None = None
        self.token: StopToken | None = None
        """Ends the thinking when there is an answer."""

    def note(self, info: Info) -> None:
        """Take a better answer, for the clock."""
        self._best = info.move, info.score

    def settle_within(self, seconds: float, late: Callable[[float], object]) -> None:
        """Answer with the best move so far when time is up, and call ``late`` with the delay."""
        end = perf_counter() + seconds

        def settle() -> None:
            late(perf_counter() - end)
            self.settle_now()

        self._clock = threading.Timer(seconds, settle)
        self._clock.daemon = True
        self._clock.start()

    def settle_now(self) -> None:
        """Answer with the best so far, or with any move if there is none."""
        self.settle(*(self._best or (_any_move(self.position), None)))

    def settle(self, move: Move, score: Score | None) -> None:
        """Answer, unless that has been done."""
        with self._lock:
            if self._answered:
                return
            self._answered = True
            if self._clock is not None:
                self._clock.cancel()
            self._answer(move, score)
        if self.token is not None:
            self.token.stop()


@dataclass
class _Reading:
    """The stones of a board that comes line by line, until DONE."""

    command: str
    stones: list[Stone]
    wrong: str | None = None


class _Brain:
    def __init__(self, spec: str, write: Callable[[str], object], k: int, time: float) -> None:
        self._spec, self._k, self._default_time = spec, k, time
        self._write_line = write
        self._writing = threading.Lock()
        self._silent = False
        self._player: Player | None = None
        self._size: tuple[int, int] | None = None
        self._stones: list[Stone] = []
        self._told: dict[str, int] = {}
        self._memory = MEMORY
        self._reading: _Reading | None = None
        self._late = 0.0
        self._thought: Thought | None = None

    # ------------------------------------------------------------------ commands

    def obey(self, line: str) -> bool:
        """Obey one command; False ends the program."""
        if not line:
            return True
        command, _, rest = line.partition(" ")
        command = command.upper()
        try:
            if self._reading is not None and self._read(command, line):
                return True
            match command:
                case "INFO":
                    self._inform(rest)
                case "ABOUT":
                    self._write(
                        f'name="mossa", version="{version()}", author="the mossa developers"'
                    )
                case "END":
                    self._silent = True
                    return False
                case "YXSTOP" | "STOP":
                    if self._thought is not None:
                        self._thought.stop()
                case "YXSHOWINFO":
                    self._write(f"MESSAGE mossa {version()} {self._spec}")
                case _ if handler := self._COMMANDS.get(command):
                    # The answer to the question before comes first, and its stone.
                    self.finish()
                    handler(self, rest)
                case _:
                    self._write(f"UNKNOWN {_plain(command)}")
        except (_Refused, GameError) as error:
            self._write(f"ERROR {_plain(str(error))}")
        return True

    def finish(self, seconds: float | None = None) -> None:
        """Make the player answer now, and wait for it."""
        if self._thought is not None:
            self._thought.finish(seconds)
            self._thought = None

    def _start(self, rest: str) -> None:
        if not re.fullmatch(r"\s*\d{1,4}\s*", rest):
            raise _Refused(f"START {shorten(rest)}: expected a size, such as START 15")
        self._set_up(int(rest), int(rest))

    def _rectstart(self, rest: str) -> None:
        found = _CELL.fullmatch(rest)
        if found is None:
            raise _Refused(
                f"RECTSTART {shorten(rest)}: expected width,height, such as RECTSTART 20,15"
            )
        self._set_up(int(found[1]), int(found[2]))

    def _set_up(self, width: int, height: int) -> None:
        self._size = None
        highest = KINDS[KIND].sizes[0].high
        if min(width, height) < 1 or not self._k <= max(width, height) <= highest:
            raise _Refused(
                f"unsupported size {width} x {height}: {self._k} to {highest}, "
                f"for {self._k} in a row"
            )
        self._size = width, height
        self._stones = []
        # Tables are made now, which nobody's clock counts, and not in the first move.
        self._ready().warm_up(self._game())
        self._was_late(_delay())
        self._write("OK")

    def _restart(self, rest: str) -> None:
        self._game()
        self._stones = []
        self._write("OK")

    def _begin(self, rest: str) -> None:
        self._game()
        if self._stones:
            raise _Refused("BEGIN is for an empty board: RESTART empties it")
        self._move()

    def _turn(self, rest: str) -> None:
        self._put(rest, OPPONENT)
        try:
            self._move()
        except GameError:
            self._stones.pop()
            raise

    def _play(self, rest: str) -> None:
        self._put(rest, OWN)
        x, y, _ = self._stones[-1]
        self._write(f"{x},{y}")

    def _takeback(self, rest: str) -> None:
        x, y = self._cell(rest)
        there = [stone for stone in self._stones if stone[:2] == (x, y)]
        if not there:
            raise _Refused(f"TAKEBACK {x},{y}: there is no stone")
        self._stones.remove(there[0])
        self._write("OK")

    def _board(self, rest: str, command: str = "BOARD") -> None:
        self._game()
        self._reading = _Reading(command, [])
        for word in rest.split():  # some managers write the whole board in one line
            self._read(word.upper(), word)

    def _clear(self, rest: str) -> None:
        self._player = None

    _COMMANDS: ClassVar[dict[str, Callable[[_Brain, str], None]]] = {
        "START": _start,
        "RECTSTART": _rectstart,
        "RESTART": _restart,
        "BEGIN": _begin,
        "TURN": _turn,
        "PLAY": _play,
        "TAKEBACK": _takeback,
        "BOARD": _board,
        "YXBOARD": lambda self, rest: self._board(rest, "YXBOARD"),
        "SWAP2BOARD": lambda self, rest: self._board(rest, "SWAP2BOARD"),
        "YXNBEST": lambda self, rest: self._nbest(rest),
        "NBEST": lambda self, rest: self._nbest(rest),
        "YXHASHCLEAR": _clear,
    }

    def _inform(self, rest: str) -> None:
        """Note a setting. INFO is never answered; unknown ones are meant for other programs."""
        key, _, value = rest.strip().partition(" ")
        value = value.strip()
        if not _NUMBER.fullmatch(value):
            return
        key = key.lower()
        number = max(0, int(value))  # a clock that has run out may be below zero
        self._told[key] = number
        if key == "max_memory" and 0 < number < self._memory:
            self._memory = number
            self._player = None
        if key == "rule":
            for bit, name in _RULES.items():
                if number & bit:
                    self._write(f"MESSAGE {name} is not supported")

    # ------------------------------------------------------------------ stones

    def _read(self, command: str, line: str) -> bool:
        """Take a line of a board; False if it is something else: the board was cut short."""
        reading = self._reading
        assert reading is not None
        if command == "DONE":
            self._reading = None
            if reading.wrong is not None:
                raise _Refused(f"{reading.command}: {reading.wrong}")
            self._take_board(reading)
        elif found := _STONE.fullmatch(line):
            x, y, whose = int(found[1]), int(found[2]), int(found[3] or 0)
            reading.stones.append((x, y, whose))
        elif command in self._COMMANDS or command in ("END", "ABOUT", "INFO"):
            self._reading = None
            self._write(f"ERROR {reading.command} without DONE, before {command}")
            return False
        else:
            reading.wrong = reading.wrong or f"{shorten(line)} is not a stone: expected x,y,field"
        return True

    def _take_board(self, reading: _Reading) -> None:
        before, self._stones = self._stones, []
        try:
            if reading.command == "SWAP2BOARD":
                self._swap2([stone[:2] for stone in reading.stones])
                return
            for x, y, whose in reading.stones:
                if whose not in (OWN, OPPONENT):
                    raise _Refused(f"{x},{y},{whose}: a stone is 1, our own, or 2, the opponent's")
                self._put(f"{x},{y}", whose)
            if reading.command == "BOARD":
                self._move()
            else:
                self._position()
        except (_Refused, GameError):
            self._stones = before
            raise

    def _put(self, text: str, whose: int) -> None:
        x, y = self._cell(text)
        if any(stone[:2] == (x, y) for stone in self._stones):
            raise _Refused(f"{x},{y} is taken")
        self._stones.append((x, y, whose))

    def _cell(self, text: str) -> tuple[int, int]:
        self._game()
        assert self._size is not None
        found = _CELL.fullmatch(text)
        if found is None:
            raise _Refused(f"{shorten(text)} is not a cell: expected x,y")
        x, y = int(found[1]), int(found[2])
        width, height = self._size
        if x >= width or y >= height:
            raise _Refused(f"{x},{y} is off the board, {width} x {height} from 0,0")
        return x, y

    def _game(self) -> Game:
        if self._size is None:
            raise _Refused("there is no board: START comes first")
        width, height = self._size
        exact = ",exact=yes" if self._told.get("rule", 0) & 1 else ""
        return game_named(f"{KIND}:{height}x{width}x{self._k}{exact}")

    def _position(self) -> Position:
        """Return the position, with us to move."""
        game = self._game()
        cells = {whose: [s[:2] for s in self._stones if s[2] == whose] for whose in (OWN, OPPONENT)}
        own, others = cells[OWN], cells[OPPONENT]
        if len(others) - len(own) not in (0, 1):
            raise _Refused(
                f"{counted(len(own), 'stone')} of our own and {len(others)} of the opponent's: "
                "it is our turn only if the opponent has as many, or one more"
            )
        first, second = (others, own) if len(others) > len(own) else (own, others)
        position = game.start()
        for at in range(len(self._stones)):
            x, y = (second if at % 2 else first)[at // 2]
            position = position.play(move_at(game, x, y))
        if position.outcome is not None:
            raise _Refused(f"the game is over: {position.outcome}")
        return position

    # ------------------------------------------------------------------ thinking

    def _move(self) -> None:
        """Think about our next stone, place it and say where."""

        def answer(move: Move, score: Score | None) -> None:
            x, y = xy(position.game, move)
            self._stones.append((x, y, OWN))
            self._write(f"{x},{y}")

        position = self._position()
        self._ask(_Question(position, answer))

    def _ask(self, question: _Question) -> None:
        """Let the player think, in a thread, and the clock watch it."""
        time = self._time_for(question.position)
        if end := time.longest or time.time:
            end = _thinking_time(end, self._late)
            question.settle_within(end, self._was_late)
            time = stricter(time, Limits(time=end - min(_LEAD, _SHARE_LEAD * end)))

        def work(token: StopToken) -> None:
            question.token = token
            try:
                player = self._ready()
                limits = Limits(
                    time=time.time or _AT_ONCE,
                    longest=time.longest,
                    depth=min(self._told.get("max_depth", 0), 10_000) or None,
                    nodes=self._told.get("max_node") or None,
                )
                choice = player.ask(question.position, limits, report=question.note, stop=token)
            except Exception as error:
                # Whoever asked must not wait for ever: any move is better than none.
                self._write(f"MESSAGE {_plain(failure(error).reason)}")
                question.settle_now()
            else:
                self._was_late(0.0)
                question.settle(choice.move, None if choice.info is None else choice.info.score)

        self._thought = Thought(work)

    def _was_late(self, seconds: float) -> None:
        """Note how late this machine woke the clock, to start earlier next time."""
        self._late = max(seconds, _FORGET * self._late)

    def _ready(self) -> Player:
        if self._player is None:
            self._player = player_named(_with_memory(self._spec, self._memory))
        return self._player

    def _time_for(self, position: Position) -> Limits:
        """Return the time for a move; 0 means as fast as possible."""
        turn = self._told.get("timeout_turn")
        limit = self._default_time if turn is None else turn / 1000
        left = self._told.get("time_left", UNLIMITED)
        if limit and self._told.get("timeout_match") != 0 and left < UNLIMITED:
            return share(position, left / 1000, most=limit)
        return Limits(time=limit)

    def _nbest(self, rest: str) -> None:
        """Show the best moves, improving with time, and finally the best one."""
        if not re.fullmatch(r"\s*\d{1,4}\s*", rest) or not int(rest):
            raise _Refused(f"YXNBEST {shorten(rest)}: expected a number of moves")
        position, count = self._position(), int(rest)
        limit = self._time_for(position).time or _AT_ONCE

        def work(token: StopToken) -> None:
            best = _any_move(position)
            try:
                for found in analyse(
                    position,
                    time=_thinking_time(limit),
                    depth=min(self._told.get("max_depth", 0), 10_000) or None,
                    nodes=self._told.get("max_node") or None,
                    player=self._ready(),
                    stop=token,
                ):
                    best = found.move
                    for line in _told_lines(found, count):
                        self._write(f"MESSAGE {line}")
            except Exception as error:
                self._write(f"MESSAGE {_plain(failure(error).reason)}")
            x, y = xy(position.game, best)
            self._write(f"{x},{y}")

        self._thought = Thought(work)

    # ------------------------------------------------------------------ the swap2 opening

    def _swap2(self, cells: list[tuple[int, int]]) -> None:
        """Make an opening of three stones, or choose between colours after three or five."""
        if len(cells) not in (0, 3, 5):
            raise _Refused(f"{counted(len(cells), 'stone')}: swap2 has 0, 3 or 5")
        if not cells:
            if self._k < 4:  # three stones could be the end of the game
                raise _Refused(f"swap2 is for longer rows than {self._k}")
            self._thought = Thought(self._open)
            return
        # The stones are black, white, black ...: white is to move, and we are white unless we swap.
        for at, (x, y) in enumerate(cells):
            self._put(f"{x},{y}", OWN if at % 2 else OPPONENT)

        def answer(move: Move, score: Score | None) -> None:
            if score is not None and score.value < 0:
                self._stones = [(x, y, OPPONENT + OWN - whose) for x, y, whose in self._stones]
                self._write("SWAP")
                return
            x, y = xy(position.game, move)
            self._stones.append((x, y, OWN))
            self._write(f"{x},{y}")

        position = self._position()
        self._ask(_Question(position, answer))

    def _open(self, token: StopToken) -> None:
        """Take the fairest of some openings near the border, where black has less advantage."""
        assert self._size is not None
        width, height = self._size
        near = [
            (x, y)
            for x in range(width)
            for y in range(height)
            if min(x, y, width - 1 - x, height - 1 - y) < 3
        ]
        openings = [random.sample(near, 3) for _ in range(SWAP2_OPENINGS)]
        time = self._time_for(self._game().start()).time or _AT_ONCE
        seconds = _thinking_time(time) / SWAP2_OPENINGS
        try:
            cells = min(openings, key=lambda each: self._unfairness(each, seconds, token))
        except Exception as error:
            self._write(f"MESSAGE {_plain(failure(error).reason)}")
            cells = openings[0]
        self._stones = [(x, y, OPPONENT if at % 2 else OWN) for at, (x, y) in enumerate(cells)]
        self._write(" ".join(f"{x},{y}" for x, y in cells))

    def _unfairness(self, cells: list[tuple[int, int]], seconds: float, token: StopToken) -> float:
        """Return how far from even an opening of three stones looks."""
        game = self._game()
        position = game.start().after([move_at(game, *cell) for cell in cells])
        info = self._ready().ask(position, Limits(time=seconds), stop=token).info
        return 0.0 if info is None else abs(info.score.value)

    def _write(self, line: str) -> None:
        with self._writing:
            if not self._silent:
                self._write_line(line)


def _thinking_time(limit: float, late: float = 0.0) -> float:
    """Return how many seconds of a limit a player may use on a machine that is late."""
    kept = _KEPT + _SHARE_KEPT * min(limit, 10.0) + _WAKINGS * late
    return max(limit - kept, limit / 2)


def _delay() -> float:
    """Return how many seconds late this machine wakes a sleeping thread."""
    delays = []
    for _ in range(_SLEEPS):
        end = perf_counter() + _SLEEP
        sleep(_SLEEP)
        delays.append(perf_counter() - end)
    return max(delays)


def _with_memory(spec: str, most: int) -> str:
    """Return a spec with tables that fit the memory, unless it sets their size itself."""
    kind = player_kind(spec.partition(":")[0])
    if kind is None or "memory=" in spec:
        return spec
    if all(option.name != "memory" for option in kind.options) or kind.rest:
        return spec
    # The engine has two tables of that size.
    megabytes = max(1, ((most >> 20) - _OVERHEAD_MB) // 2)
    return f"{spec}{',' if ':' in spec else ':'}memory={megabytes}"


def _any_move(position: Position) -> Move:
    """Return the legal move that is nearest to the last one, or to the centre."""
    sizes, last = position.game.sizes, position.last_move
    row, col = (sizes["rows"] - 1) / 2, (sizes["cols"] - 1) / 2
    if last is not None and last.row is not None and last.col is not None:
        row, col = last.row, last.col
    return min(
        position.moves, key=lambda move: abs((move.row or 0) - row) + abs((move.col or 0) - col)
    )


def _told_lines(found: Analysis, count: int) -> list[str]:
    game = found.position.game
    return [
        f"({at}) {one.score} | depth {one.depth} | nodes {found.nodes} | "
        + " ".join("{},{}".format(*xy(game, each)) for each in one.line)
        for at, one in enumerate(list(found.moves.values())[:count], start=1)
    ]


def _plain(text: str) -> str:
    """Return one short line."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:300]
