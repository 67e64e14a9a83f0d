"""Submissions for Kaggle's ConnectX as players of connect boards: ``kaggle:submission.py``.

A submission is a file, a folder with main.py at its top, or an archive of such a folder. It runs in
a process of its own, `host.py`, a new one for every game. What it is told of the board and the time
is what Kaggle would tell it.
"""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Self

from mossa._core import Game, Option, Position
from mossa.errors import InvalidPlayerError, PlayerFailedError, shorten
from mossa.players import Choice, Group, PlayerKind, register
from mossa.players.chooser import falling_lines
from mossa.players.clocks import Turn
from mossa.protocols.external import OPTIONS, ExternalPlayer
from mossa.protocols.process import Process
from mossa.sandbox import SCRATCH

MOVE_TIME = 2.0
"""Seconds per move on Kaggle."""

OVERAGE = 60.0
"""Seconds per game by which its moves may be late there, in total."""

HOST = Path(__file__).with_name("host.py")

_FAILURES = ("crash", "output")
_UNPACKED = "mossa-kaggle-"


class KagglePlayer(ExternalPlayer):
    """A submission as a player. It is started for the first move and lives until close()."""

    protocol = "kaggle"
    farewell = ""
    usual_game = "connect4"
    _folder: TemporaryDirectory[str] | None = None
    """Where an archive is unpacked."""
    _overage = OVERAGE

    @classmethod
    def from_options(cls, options: dict[str, str]) -> Self:
        """Return the player of a spec; raise InvalidPlayerError if there is no such file."""
        submission = options.get("submission", "")
        path = Path(submission)
        is_there = False
        with suppress(OSError):  # a name that is too long, say
            is_there = bool(submission) and path.exists()
        if not is_there:
            raise InvalidPlayerError(
                f"no file {shorten(submission)}: expected a submission, "
                "kaggle:main.py, kaggle:submission.tar.gz or kaggle:FOLDER"
            )
        python = options.get("python") or sys.executable
        log = options.get("log", "")
        command = [python, str(HOST), str(path.resolve()), log and str(Path(log).resolve())]
        return super().from_options({**options, "command": shlex.join(command)})

    def plays(self, game: Game) -> bool:
        """Tell whether Kaggle's game has this board."""
        return falling_lines(game)

    def launch(self) -> Process:
        """Start the process that loads the submission."""
        self._folder = TemporaryDirectory(prefix=_UNPACKED, ignore_cleanup_errors=True)
        if self.confined is None:
            return self._run([*self.command, self._folder.name])
        _, host, submission, log = self.command
        path = Path(submission)
        # The modules next to a file are its own, too; an archive stands alone.
        self.own = path.parent if path.suffix == ".py" else path
        if log:
            Path(log).touch()
        return self._run(
            [*self.command, SCRATCH], reads=[Path(host)], writes=[Path(log)] if log else []
        )

    def _set_up(self, game: Game) -> None:
        """Begin with a new process: on Kaggle, nothing survives a game."""
        self.check_game(game)
        self.close()
        deadline = monotonic() + self.start
        try:
            self._process = self.launch()
            loaded = _read(self._process.read_line(deadline))
        except PlayerFailedError as error:
            raise self._not_started(error) from None
        if loaded.get("ready") is not True:
            self.kill()
            raise PlayerFailedError("start", str(loaded.get("failed", loaded)))
        self._overage = OVERAGE

    def _ask(self, position: Position, turn: Turn) -> Choice:
        """Ask for a column, and end the process if it does not answer before the deadline."""
        assert self._process is not None
        begin = monotonic()
        own_rules = turn.time is None and turn.remaining is None
        if own_rules:  # nobody else has set any
            most = MOVE_TIME + self._overage + self._margin
            turn = replace(turn, deadline=min(turn.deadline, most), allowed=None)
        deadline = begin + turn.deadline
        with self._killed_if_it_fails(turn):
            self._process.discard()
            self._process.send(
                json.dumps(question(position, *self._times(position, turn)), separators=(",", ":")),
                deadline=deadline,
            )
            answer = _read(self._process.read_line(deadline))
            for kind in _FAILURES:
                if kind in answer:
                    raise PlayerFailedError(kind, str(answer[kind]))
        if own_rules:
            self._overage -= max(0.0, monotonic() - begin - MOVE_TIME)
        return Choice(_column(position, answer.get("column")))

    def _times(self, position: Position, turn: Turn) -> tuple[float, float]:
        """Return the seconds for the move, and those by which it may be late."""
        limits = [turn.time] if turn.time is not None else []
        if turn.remaining is not None:
            limits.append(max(0.0, turn.remaining[position.side.value]))
        if not limits:
            return MOVE_TIME, max(0.0, self._overage)
        most = min(limits)
        time = most if turn.limits.time is None else min(turn.limits.time, most)
        return time, most - time

    def close(self) -> None:
        """Let the process end; the next move would start another one."""
        super().close()
        self._clean_up()

    def kill(self) -> None:
        """End the process at once."""
        super().kill()
        self._clean_up()

    def _clean_up(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def question(position: Position, time: float, overage: float) -> dict[str, Any]:
    """Return what an agent is told: Kaggle's observation and configuration."""
    sizes = position.game.sizes
    board = flat(position)
    return {
        "observation": {
            "remainingOverageTime": _number(overage),
            "step": len(board) - board.count(0),
            "board": board,
            "mark": position.side.value + 1,
        },
        "configuration": {
            "episodeSteps": 1000,
            "actTimeout": _number(time),
            "runTimeout": 1200,
            "columns": sizes["cols"],
            "rows": sizes["rows"],
            "inarow": sizes["k"],
            "agentTimeout": _number(overage),
            "timeout": _number(time),
        },
    }


def flat(position: Position) -> list[int]:
    """Return the cells as Kaggle numbers them: row by row from the top left one."""
    return [cell for row in reversed(position.cells) for cell in row]


def _number(seconds: float) -> float:
    """Return whole seconds as an int, as agents are used to."""
    return int(seconds) if seconds == int(seconds) else seconds


def _read(line: str) -> dict[str, Any]:
    """Return an answer of the host; whatever else comes is the submission's doing."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise PlayerFailedError("output", f"{shorten(line)} is not an answer")
    return answer


def _column(position: Position, column: object) -> Any:
    """Return the move of a column, counted from 0; raise PlayerFailedError if it is illegal."""
    if not isinstance(column, int):
        raise PlayerFailedError("output", f"{shorten(str(column))} is not a column")
    open_columns = {move.number - 1: move for move in position.moves if move.number is not None}
    if column not in open_columns:
        is_there = 0 <= column < position.game.sizes["cols"]
        raise PlayerFailedError(
            "illegal",
            f"column {column} (counted from 0) is {'full' if is_there else 'off the board'}; "
            f"open: {', '.join(map(str, open_columns))}",
        )
    return open_columns[column]


register(
    PlayerKind(
        KagglePlayer.protocol,
        "a submission for Kaggle's ConnectX: a file, an archive or a folder",
        KagglePlayer.from_options,
        (
            *OPTIONS[:-1],
            Option("python", [""], "the Python that runs it; this one unless given"),
            Option("log", [""], "the file that gets what it prints"),
            Option("submission", [""], "the file, archive or folder: everything that follows"),
        ),
        group=Group.outside,
        example="kaggle:submission.py",
        plays=falling_lines,
        files=("python", "log"),
        rest="submission",
    )
)
