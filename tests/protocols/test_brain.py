"""A player of ours as a brain of Gomocup: all commands, bad input, the clock."""

from __future__ import annotations

import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from programs import until

import mossa
from mossa.players.base import SearchingPlayer
from mossa.protocols import check_player, serve_gomocup
from mossa.protocols.gomocup import serve as module
from mossa.protocols.gomocup.drive import GomocupPlayer
from mossa.protocols.gomocup.serve import _thinking_time, _with_memory
from mossa.search import NO_LIMITS

CELL = r"(\d+),(\d+)"
FAST = "random:seed=1"


class Brain:
    """A served brain in a thread, with queues for pipes."""

    def __init__(self, spec: str = FAST, **options: object) -> None:
        self._to: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._from: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._thread = threading.Thread(
            target=serve_gomocup,
            args=(spec, self._lines(), self._from.put),
            kwargs={"time": 0.2, **options},
            daemon=True,
        )
        self._thread.start()

    def _lines(self) -> Iterator[str]:
        while (line := self._to.get()) is not None:
            yield f"{line}\r\n"

    def say(self, *lines: str) -> None:
        for line in lines:
            self._to.put(line)

    def hear(self, pattern: str) -> re.Match[str]:
        line = self._from.get(timeout=20)
        found = re.fullmatch(pattern, line)
        assert found, f"{line!r} is not {pattern!r}"
        return found

    def ask(self, line: str, pattern: str) -> re.Match[str]:
        self.say(line)
        return self.hear(pattern)

    def silent(self) -> bool:
        """Whether nothing was said, up to an answer to ABOUT."""
        self.hear_about()
        return self._from.empty()

    def hear_about(self) -> None:
        self.ask("ABOUT", 'name="mossa", version=".+", author=".+"')

    def end(self, line: str | None = None) -> None:
        if line is not None:
            self._to.put(line)
        self._to.put(None)
        self._thread.join(20)
        assert not self._thread.is_alive()


@pytest.fixture
def brain() -> Iterator[Brain]:
    brain = Brain()
    yield brain
    brain.end("END")


# --- the commands ---------------------------------------------------------------------------------


def test_a_game(brain: Brain) -> None:
    brain.hear_about()
    brain.ask("START 15", "OK")
    brain.say("INFO timeout_turn 500", "INFO timeout_match 100000", "INFO time_left 100000")
    brain.say("INFO max_memory 83886080", "INFO rule 0", "INFO game_type 1", "INFO folder /tmp/x y")
    brain.say("INFO evaluate 1,1", "INFO", "INFO xyzzy", "INFO timeout_turn soon")
    x, y = map(int, brain.ask("BEGIN", CELL).groups())
    taken = {(x, y)}
    for _ in range(4):
        free = next((a, b) for a in range(15) for b in range(15) if (a, b) not in taken)
        taken.add(free)
        move = tuple(map(int, brain.ask(f"TURN {free[0]},{free[1]}", CELL).groups()))
        assert move not in taken
        taken.add(move)  # type: ignore[arg-type]
    brain.ask("RESTART", "OK")
    brain.ask("BEGIN", CELL)


def test_a_rectangle_is_width_and_height(brain: Brain) -> None:
    brain.ask("RECTSTART 12,5", "OK")
    brain.ask("TURN 11,4", CELL)
    brain.ask("TURN 4,11", "ERROR 4,11 is off the board, 12 x 5 from 0,0")
    for _ in range(10):
        brain.ask("RESTART", "OK")
        x, y = brain.ask("BEGIN", CELL).groups()
        assert int(x) < 12 and int(y) < 5


def test_commands_in_small_letters_and_with_spaces(brain: Brain) -> None:
    brain.ask("start 15", "OK")
    brain.ask("turn  7 , 7 ", CELL)


def test_coordinates_are_x_and_y_from_the_top_left() -> None:
    """Four of our own in the top row but one: the winning cell is the first of the row."""
    brain = Brain("alphabeta:depth=2")
    brain.ask("START 15", "OK")
    brain.say("INFO timeout_turn 2000", "BOARD")
    for x in range(1, 5):
        brain.say(f"{x},0,1", f"{x * 3},14,2")
    brain.say("5,0,2", "9,9,1", "DONE")  # both have five, so first is to move: it is ours
    brain.hear("0,0")
    brain.end("END")


def test_boards(brain: Brain) -> None:
    brain.ask("START 15", "OK")
    brain.say("BOARD", "DONE")
    brain.hear(CELL)
    brain.say("BOARD", "7,7,2", "8,8,1", "9,9,2", "DONE")
    brain.hear(CELL)
    brain.ask("TURN 7,7", "ERROR 7,7 is taken")
    brain.ask("BEGIN", "ERROR BEGIN is for an empty board.*")
    brain.say("BOARD 1,1,2 DONE")  # in one line, as some managers do
    brain.hear(CELL)


def test_take_back_and_play(brain: Brain) -> None:
    brain.ask("START 15", "OK")
    brain.ask("PLAY 7,7", "7,7")
    brain.ask("TAKEBACK 7,7", "OK")
    brain.ask("TAKEBACK 7,7", "ERROR TAKEBACK 7,7: there is no stone")
    x, y = brain.ask("TURN 7,7", CELL).groups()
    brain.ask(f"TAKEBACK {x},{y}", "OK")
    brain.ask("TAKEBACK 7,7", "OK")
    brain.ask("BEGIN", CELL)


def test_rules() -> None:
    """With five exactly, six in a row are no win and the sixth cell is left alone."""
    stones = ["0,0,1", "1,0,1", "2,0,1", "3,0,1", "5,0,1"]
    others = ["0,9,2", "2,9,2", "4,9,2", "6,9,2", "8,9,2"]
    moves = {}
    for rule in (0, 1):
        brain = Brain("alphabeta:depth=1")
        brain.ask("START 10", "OK")
        brain.say("INFO timeout_turn 2000", f"INFO rule {rule}", "BOARD", *stones, *others, "DONE")
        moves[rule] = brain.hear(CELL)[0]
        brain.end("END")
    assert moves[0] == "4,0"
    assert moves[1] != "4,0"


def test_rules_that_are_not_played_are_told_and_no_error(brain: Brain) -> None:
    brain.ask("START 15", "OK")
    brain.ask("INFO rule 4", "MESSAGE renju is not supported")
    brain.ask("BEGIN", CELL)


def test_other_lengths_of_rows() -> None:
    brain = Brain("alphabeta:depth=3", k=3)
    brain.ask("START 3", "OK")
    brain.say("BOARD", "0,0,1", "2,2,2", "1,0,1", "2,1,2", "DONE")
    brain.hear("2,0")
    brain.end("END")


def test_swap2(brain: Brain) -> None:
    brain.ask("START 15", "OK")
    brain.say("SWAP2BOARD", "DONE")
    cells = brain.hear(f"{CELL} {CELL} {CELL}")[0].split()
    assert len(set(cells)) == 3
    brain.say("SWAP2BOARD", *cells, "DONE")
    brain.hear(f"SWAP|{CELL}")
    brain.say("SWAP2BOARD", "1,1", "2,2", "3,3", "4,4", "5,5", "DONE")
    brain.hear(f"SWAP|{CELL}")
    brain.ask("START 5", "OK")
    brain.say("SWAP2BOARD", "DONE")
    brain.hear(f"{CELL} {CELL} {CELL}")
    brain.say("SWAP2BOARD", "1,1", "DONE")
    brain.hear("ERROR 1 stone: swap2 has 0, 3 or 5")


def test_swap2_takes_the_better_side() -> None:
    brain = Brain("alphabeta:depth=4", k=4, time=5.0)
    brain.ask("START 9", "OK")
    # Two black stones side by side in the middle against one in the corner: black wins.
    brain.say("SWAP2BOARD", "4,4", "0,0", "5,4", "DONE")
    brain.hear("SWAP")
    brain.ask("TURN 4,5", CELL)  # the opponent is white now, and moves
    brain.end("END")


# --- analysis -------------------------------------------------------------------------------------


def test_nbest() -> None:
    brain = Brain("alphabeta", time=1.0)
    brain.ask("START 15", "OK")
    brain.say("YXBOARD", "7,7,2", "DONE", "INFO max_depth 2", "YXNBEST 3")
    lines = []
    while (line := brain.hear(".*")[0]).startswith("MESSAGE"):
        lines.append(line)
    assert re.fullmatch(CELL, line)
    assert len(lines) == 6
    assert re.match(rf"MESSAGE \(1\) .* \| depth 2 \| nodes \d+ \| {line}", lines[3])
    brain.ask("YXNBEST 0", "ERROR YXNBEST '0': expected a number of moves")
    brain.say("INFO max_depth 1", "NBEST 1")
    brain.hear(r"MESSAGE \(1\) .*")
    brain.hear(CELL)
    brain.end("END")


def test_stop_answers_at_once() -> None:
    brain = Brain("alphabeta", time=60.0)
    brain.ask("START 15", "OK")
    for question in ("BEGIN", "YXNBEST 2"):
        brain.say(question)
        if question != "BEGIN":
            brain.hear("MESSAGE .*")  # it thinks; about a first move it would do so silently
        begin = time.monotonic()
        brain.say("YXSTOP")
        while brain.hear(".*")[0].startswith("MESSAGE"):
            pass
        assert time.monotonic() - begin < 5
        brain.say("RESTART")
        brain.hear("OK")
    brain.say("YXHASHCLEAR", "YXSTOP")
    brain.ask("YXSHOWINFO", "MESSAGE mossa .*")
    brain.end("END")


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("START 0", "ERROR unsupported size 0 x 0: 5 to 100, for 5 in a row"),
        ("START 4", "ERROR unsupported size .*"),
        ("START 1000", "ERROR unsupported size .*"),
        ("START 99999999999999999999", "ERROR START .*: expected a size, such as START 15"),
        ("START", "ERROR START .*"),
        ("START -5", "ERROR START .*"),
        ("START x", "ERROR START .*"),
        ("RECTSTART 10", "ERROR RECTSTART .*"),
        ("RECTSTART 0,10", "ERROR unsupported size .*"),
        ("BEGIN", "ERROR there is no board: START comes first"),
        ("TURN 1,1", "ERROR there is no board.*"),
        ("RESTART", "ERROR there is no board.*"),
        ("BOARD", "ERROR there is no board.*"),
        ("TAKEBACK 1,1", "ERROR there is no board.*"),
        ("YXNBEST 1", "ERROR there is no board.*"),
        ("xyzzy", "UNKNOWN XYZZY"),
        ("1,1,1", "UNKNOWN .*"),
        ("DONE", "UNKNOWN DONE"),
        ("\x01ü\x7f", "UNKNOWN .*"),
        ("a" * 100_000, "UNKNOWN A{300}"),
    ],
)
def test_bad_input_without_a_board(brain: Brain, line: str, answer: str) -> None:
    brain.ask(line, answer)
    brain.ask("START 15", "OK")
    brain.ask("BEGIN", CELL)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("TURN 15,0", "ERROR 15,0 is off the board, 15 x 15 from 0,0"),
        ("TURN 7,7", "ERROR 7,7 is taken"),
        ("TURN", "ERROR '' is not a cell: expected x,y"),
        ("TURN a,b", "ERROR 'a,b' is not a cell: expected x,y"),
        ("TURN -1,3", "ERROR .*"),
        ("PLAY 99999,1", "ERROR .*"),
        ("BOARD 1,1,1 2,2,1 DONE", "ERROR 2 stones of our own and 0 of the opponent.*"),
        ("BOARD 1,1,3 DONE", "ERROR 1,1,3: a stone is 1, our own, or 2, the opponent's"),
        ("BOARD 1,1,2 1,1,1 DONE", "ERROR 1,1 is taken"),
        ("BOARD 1,1,2 nonsense DONE", "ERROR BOARD: 'nonsense' is not a stone: expected x,y,field"),
        ("BOARD 1,15,2 DONE", "ERROR 1,15 is off the board.*"),
        (
            "BOARD 0,0,2 9,0,1 1,0,2 9,2,1 2,0,2 9,4,1 3,0,2 9,6,1 4,0,2 DONE",
            "ERROR the game is over: .*",
        ),
    ],
)
def test_bad_input_leaves_the_board_alone(brain: Brain, line: str, answer: str) -> None:
    brain.ask("START 15", "OK")
    x, y = brain.ask("TURN 7,7", CELL).groups()
    brain.ask(line, answer)
    brain.ask("TURN 7,7", "ERROR 7,7 is taken")
    brain.ask(f"TAKEBACK {x},{y}", "OK")


def test_a_board_without_done(brain: Brain) -> None:
    brain.ask("START 15", "OK")
    brain.say("BOARD", "7,7,2", "START 10")
    brain.hear("ERROR BOARD without DONE, before START")
    brain.hear("OK")
    brain.say("YXBOARD", "7,7,2")
    brain.ask("ABOUT", "ERROR YXBOARD without DONE, before ABOUT")
    brain.hear("name=.*")
    brain.say("BOARD", "7,7,2")
    brain.end()  # the end of the input in the middle of it


def test_a_game_that_the_opponent_has_won(brain: Brain) -> None:
    brain.ask("START 15", "OK")
    brain.say("YXBOARD")
    for x in range(4):
        brain.say(f"{x},0,2", f"{x * 2},14,1")
    brain.say("DONE")
    brain.ask("TURN 4,0", "ERROR the game is over: .*")


def test_nothing_is_said_after_the_end() -> None:
    brain = Brain("alphabeta", time=60.0)
    brain.ask("START 15", "OK")
    before = set(threading.enumerate())
    brain.say("BEGIN")
    until(lambda: set(threading.enumerate()) - before)  # it thinks
    brain.end("END")
    assert brain._from.empty()


def test_the_process_ends_with_its_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mossa", "engine", "gomocup", "--player", "alphabeta"],
        input=b"START 15\nINFO timeout_turn 60000\nBEGIN\n\xff\xfe\nTURN",
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.startswith(b"OK\n")


# --- the clock ------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0.0, 0.001, 0.03, 0.1, 1.0, 5.0, 300.0])
def test_what_is_kept_back(limit: float) -> None:
    used = _thinking_time(limit)
    assert limit / 2 <= used <= limit
    assert limit - used <= 0.05 + 0.03


def test_a_machine_that_is_late_is_allowed_for() -> None:
    assert _thinking_time(1.0, 0.01) == pytest.approx(_thinking_time(1.0) - 0.03)
    assert _thinking_time(0.1, 1.0) == 0.05


def test_a_player_that_is_late_is_answered_for(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(
        "import time\ndef slow(position):\n    time.sleep(1)\n    return position.moves[-1]\n"
    )
    brain = Brain(f"{file}:slow")
    brain.ask("START 15", "OK")
    brain.say("INFO timeout_turn 300")
    begin = time.monotonic()
    brain.ask("TURN 7,7", "(6,7|7,6|8,7|7,8)")  # next to the last stone, for lack of a better one
    assert time.monotonic() - begin < 0.8
    brain.end("END")


def test_a_player_has_the_last_word_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it answers at its limit counts, not what it reported before."""

    class Late(SearchingPlayer):
        name = "late"

        def choose(
            self,
            position: mossa.Position,
            limits: mossa.Limits = NO_LIMITS,
            *,
            report: Callable[[mossa.Info], object] | None = None,
            stop: mossa.StopToken | None = None,
        ) -> mossa.Choice:
            first, *_, last = position.moves
            if report is not None:
                report(mossa.Info(first, mossa.Estimate(0), [first], 1, 1, 0.0, 0))
            assert limits.time is not None
            time.sleep(limits.time)
            return mossa.Choice(last)

    monkeypatch.setattr(module, "player_named", lambda spec: Late())
    monkeypatch.setattr(module, "_LEAD", 0.3)  # a busy machine needs longer to take the answer
    monkeypatch.setattr(module, "_SHARE_LEAD", 0.5)
    brain = Brain()
    brain.ask("START 15", "OK")
    brain.say("INFO timeout_turn 800")
    brain.ask("TURN 7,7", "14,0")  # 0,14 was reported
    brain.end("END")


def test_a_player_that_fails_is_answered_for(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("def broken(position):\n    raise RuntimeError('out of ideas')\n")
    brain = Brain(f"{file}:broken")
    brain.ask("START 15", "OK")
    brain.ask("BEGIN", f"MESSAGE {file}:2: RuntimeError: out of ideas")
    brain.hear("7,7")
    brain.say("SWAP2BOARD", "DONE")
    brain.hear(f"MESSAGE {file}:2: RuntimeError: out of ideas")
    brain.hear(f"{CELL} {CELL} {CELL}")
    brain.say("YXBOARD", "DONE", "YXNBEST 2")
    brain.hear(f"MESSAGE {file}:2: RuntimeError: out of ideas")
    brain.hear("7,7")
    brain.end("END")


def test_times(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    class Spy(mossa.Player):
        name = "spy"

        def choose(
            self, position: mossa.Position, limits: mossa.Limits = NO_LIMITS
        ) -> mossa.Choice:
            asked.append(limits.time or -1.0)
            return mossa.player(FAST).choose(position, limits)

    monkeypatch.setattr(module, "player_named", lambda spec: Spy())
    monkeypatch.setattr(module, "_delay", lambda: 0.0)
    brain = Brain(time=2.0)
    brain.ask("START 15", "OK")
    for settings in (
        [],
        ["INFO timeout_turn 1000"],
        ["INFO timeout_turn 0"],  # as fast as possible
        ["INFO timeout_turn 1000", "INFO time_left 2000"],
        ["INFO time_left -5"],  # there is none: a millisecond
        ["INFO time_left 2147483647"],
        ["INFO timeout_match 0", "INFO time_left 10"],  # no limit for the match
    ):
        brain.say("RESTART", *settings, "BEGIN")
        brain.hear("OK")
        brain.hear(CELL)
    brain.end("END")
    second = _thinking_time(1.0) - 0.005  # the clock is a little behind the player
    two = _thinking_time(2.0) - 0.005
    most = [two, second, 0.01, 2.0 / 30, 0.00045, second, second]
    # What the brain took to hear the command, on a busy machine some milliseconds, is gone.
    for got, expected in zip(asked, most, strict=True):
        assert 0.9 * expected <= got <= expected * 1.000001
    assert 0.96 <= second <= 0.965


def test_memory() -> None:
    assert _with_memory("engine", 350 << 20) == "engine:memory=135"
    assert _with_memory("engine:time=1", 1) == "engine:time=1,memory=1"
    assert _with_memory("engine:memory=9", 1 << 30) == "engine:memory=9"
    assert _with_memory("random:seed=1", 1 << 30) == "random:seed=1"
    assert _with_memory("ugi:./bot", 1 << 30) == "ugi:./bot"
    assert _with_memory("file.py:name", 1 << 30) == "file.py:name"


@pytest.mark.skipif(sys.platform == "win32", reason="external programs are for POSIX")
def test_our_own_brain_passes_the_checks() -> None:
    command = [sys.executable, "-m", "mossa", "engine", "gomocup", "--k", "4"]
    command += ["--player", "alphabeta:memory=8"]
    game = mossa.game("mnk:7x7x4")
    checks = list(check_player(GomocupPlayer(command, start=60), game, margin=2))
    assert [(check.name, check.detail) for check in checks if not check.passed] == []
