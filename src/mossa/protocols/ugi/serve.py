"""Serve a player over UGI: the other end of `ugi.py`.

Commands are read in one thread and searches run in another, so that ``stop`` and ``quit`` are heard
while the player thinks. What cannot be understood is answered by an ``info string`` and forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from mossa._core import Game, Limits, Position, Side, StopToken
from mossa.errors import GameError, failure
from mossa.games import KINDS, example_of
from mossa.games import game as game_named
from mossa.packages import version
from mossa.players import Player
from mossa.players import player as player_named
from mossa.players.clocks import share
from mossa.players.searching import stricter
from mossa.protocols.background import LEAVE, Thought
from mossa.protocols.ugi.drive import NO_MOVE, write_score
from mossa.search import Info

_GAMES = ("connect4", "gomoku", *map(example_of, KINDS))
_RESULTS = {1: "p1win", 0: "draw", -1: "p2win"}


def serve(spec: str, lines: Iterable[str], write: Callable[[str], object]) -> None:
    """Answer commands until ``quit`` or the end of the lines."""
    server = _Server(spec, write)
    try:
        for line in lines:
            if not server.obey(line.replace("\0", " ").split()):
                return
    finally:
        server.finish(LEAVE)


def game_of(spec: str) -> Game:
    """Return the game to assume until told otherwise: the first that the player knows."""
    player = player_named(spec)
    return next(filter(player.plays, map(game_named, _GAMES)), game_named(_GAMES[0]))


class _Server:
    def __init__(self, spec: str, write: Callable[[str], object]) -> None:
        self._spec = spec
        self._player: Player | None = None
        self._write = write
        self._game = game_of(spec)
        self._position = self._game.start()
        self._thought: Thought | None = None

    def obey(self, words: list[str]) -> bool:
        """Obey one command; False ends the program."""
        if not words:
            return True
        command, *rest = words
        if command in ("position", "go", "uginewgame", "setoption", "query"):
            self.finish()
        try:
            match command:
                case "ugi":
                    self._introduce()
                case "isready":
                    self._ready()
                    self._write("readyok")
                case "uginewgame":
                    self._player = None
                    self._position = self._game.start()
                case "side":
                    self._set_side(rest)
                case "setoption":
                    self._set_option(" ".join(rest))
                case "position":
                    self._set_position(rest)
                case "query":
                    self._write(f"response {self._answer(rest)}")
                case "go":
                    self._go(rest)
                case "stop":
                    self.stop()
                case "quit":
                    return False
                case _:
                    self._say(f"unknown command {command[:40]!r}")
        except GameError as error:
            self._say(str(error))
        return True

    def _introduce(self) -> None:
        self._write(f"id name mossa {version()} {self._spec}")
        self._write("id author the mossa developers")
        self._write(f"option name game type string default {self._game.name}")
        self._write("ugiok")

    def _say(self, message: str) -> None:
        self._write(f"info string {' '.join(message.split())}")

    def _ready(self) -> Player:
        if self._player is None:
            self._player = player_named(self._spec)
        return self._player

    def _set_side(self, words: list[str]) -> None:
        """Check the side we are told; our players ask the position whose turn it is."""
        if words not in [[side.name] for side in Side]:
            self._say("expected side first or side second")

    def _set_option(self, text: str) -> None:
        name, _, value = text.removeprefix("name ").partition(" value ")
        if name != "game":
            self._say(f"unknown option {name[:40]!r}: there is game")
            return
        self._game = game_named(value)
        self._position = self._game.start()

    def _set_position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        head, moves = words[:at], words[at + 1 :]
        if head == ["startpos"]:
            start = self._game.start()
        elif head[:1] == ["fen"]:
            start = self._game.from_text(" ".join(head[1:]))
        else:
            self._say("expected position startpos [moves ...] or position fen TEXT [moves ...]")
            return
        self._position = start.after(" ".join(moves))

    def _answer(self, words: list[str]) -> str:
        outcome = self._position.outcome
        match words:
            case ["gameover"]:
                return "false" if outcome is None else "true"
            case ["p1turn"]:
                return "true" if self._position.side.value == 0 else "false"
            case ["result"]:
                if outcome is None:
                    return "none"
                return _RESULTS[(outcome.value > 0) - (outcome.value < 0)]
        return "unknown"

    def _go(self, words: list[str]) -> None:
        position = self._position
        if position.outcome is not None:
            self._say(f"the game is over: {position.outcome}")
            self._write(f"bestmove {NO_MOVE}")
            return
        limits = self._limits(words)
        self._thought = Thought(lambda token: self._think(position, limits, token))

    def _limits(self, words: list[str]) -> Limits:
        given: dict[str, int] = {}
        for name, value in pairwise(words):
            if name in _NUMBERS and value.isascii() and value.isdecimal():
                given[name] = int(value[:18])
        others = Limits(nodes=given.get("nodes"), depth=given.get("depth"))
        if "infinite" in words:
            return stricter(others, Limits(time=1e9))
        time = given["movetime"] / 1000 if "movetime" in given else None
        number = self._position.side.value + 1
        if f"p{number}time" not in given:
            return stricter(others, Limits(time=time))
        left, increment = (given.get(f"p{number}{name}", 0) / 1000 for name in ("time", "inc"))
        return stricter(others, share(self._position, left, increment, time))

    def _think(self, position: Position, limits: Limits, token: StopToken) -> None:
        try:
            choice = self._ready().ask(position, limits, report=self._report, stop=token)
        except Exception as error:
            # Whoever asked must not wait for ever: no move is an answer too.
            failed = failure(error)
            self._say(f"{failed.kind}: {failed.reason}")
            self._write(f"bestmove {NO_MOVE}")
            return
        if choice.info is not None:
            self._report(choice.info)
        self._write(f"bestmove {choice.move}")

    def _report(self, info: Info) -> None:
        pv = f" pv {' '.join(map(str, info.line))}" if info.line else ""
        self._write(
            f"info depth {info.depth} score {write_score(info.score)} nodes {info.nodes} "
            f"time {round(info.time * 1000)}{pv}"
        )

    def stop(self) -> None:
        """Make the search answer now."""
        if self._thought is not None:
            self._thought.stop()

    def finish(self, seconds: float | None = None) -> None:
        """Wait until the previous search has answered: its player must not be disturbed."""
        if self._thought is not None:
            self._thought.finish(seconds)
            self._thought = None


_NUMBERS = {"movetime", "p1time", "p2time", "p1inc", "p2inc", "nodes", "depth"}
