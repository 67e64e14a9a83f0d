"""One game: clocks, forfeits, records, and players that cannot be trusted."""

from __future__ import annotations

import io
import math
import os
import random
import re
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from programs import bad, bot, children, gone

import mossa
from mossa._core import Limits, Move, Position
from mossa.arena.referee import match, play, seated
from mossa.players import Choice
from mossa.players.clocks import Clocks, Conditions, read_clock, share

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="external programs are for POSIX")


def forfeit(record: mossa.Record) -> tuple[str, str, str]:
    found = record.extra["forfeit"]
    assert isinstance(found, dict)
    return found["side"], found["kind"], found["reason"]


# --- a game as it should be -----------------------------------------------------------------------


def test_a_game_is_recorded_move_by_move() -> None:
    record = match("alphabeta:depth=3", "random:seed=4", "connect4", opening="44")
    assert record.result == "1-0"
    assert record.extra["end"] == "4 in a row"
    assert (record.first, record.second) == ("alphabeta:depth=3", "random:seed=4")
    assert str(record.position.history_text).startswith("4 4 ")
    assert record.extra["opening"] == 2
    for name in ("times_ms", "nodes", "depths", "scores"):
        column = record.extra[name]
        assert isinstance(column, list)
        assert len(column) == len(record.moves)
        assert column[:2] == [None, None]  # nobody thought about the opening
    nodes, depths = record.extra["nodes"], record.extra["depths"]
    assert isinstance(nodes, list) and isinstance(depths, list)
    assert nodes[2] > 0 and depths[2] == 3  # the search tells
    assert nodes[3] is None  # a random player has nothing to tell
    assert "forfeit" not in record.extra


def test_a_record_of_a_match_can_be_written_and_read(tmp_path: Path) -> None:
    record = match("random:seed=1", "random:seed=2", "kalah")
    mossa.write_records(tmp_path / "games.jsonl", [record])
    assert mossa.read_records(tmp_path / "games.jsonl") == [record]


def test_functions_and_objects_play() -> None:
    class Last:
        name = "last"

        def choose(self, position: Position, limits: Limits) -> Choice:
            return Choice(position.moves[-1])

    record = match(lambda position: position.moves[0], Last(), "tictactoe")
    assert (record.first, record.second) == ("<lambda>", "last")
    assert record.result == "1-0"


def test_the_same_seed_gives_the_same_game() -> None:
    games = {match("random:seed=7", "mcts:iterations=50,seed=1", "connect4").moves for _ in "ab"}
    assert len(games) == 1


@pytest.mark.parametrize("spec", ["nobody", "alphabeta:depth=x", "ugi:", "ugi:'"])
def test_players_that_cannot_play(spec: str) -> None:
    with pytest.raises(mossa.InvalidPlayerError):
        match(spec, "random", "tictactoe")


def test_a_player_of_another_game_is_refused_before_it_begins() -> None:
    with pytest.raises(mossa.InvalidPlayerError, match="tree plays mnk, not connect:6x7x4"):
        match("tree", "random", "connect4")
    mossa.player("random").check_game(mossa.game("connect4"))


# --- players in this process ----------------------------------------------------------------------


HERE = os.path.relpath(__file__)


def line_of(function: Callable[[Position], object]) -> int:
    return function.__code__.co_firstlineno


def crash(position: Position) -> str:
    raise ZeroDivisionError("of all things")


def library(position: Position) -> str:
    return random.choice([])


def mute_error(position: Position) -> str:
    class Odd(Exception):  # noqa: N818
        __str__ = None  # type: ignore[assignment]

    raise Odd


def leave(position: Position) -> str:
    sys.exit(4)


def cheat(position: Position) -> str:
    return "9" if position.ply else "a1"


def babble(position: Position) -> object:
    return ["a1"]


@pytest.mark.parametrize(
    ("player", "kind", "reason"),
    [
        (crash, "crash", f"{HERE}:{line_of(crash) + 1}: ZeroDivisionError: of all things"),
        (library, "crash", f"{HERE}:{line_of(library) + 1}: IndexError: Cannot choose"),
        (leave, "crash", f"{HERE}:{line_of(leave) + 1}: SystemExit: 4"),
        (mute_error, "crash", f"{HERE}:{line_of(mute_error) + 4}: Odd"),
        (cheat, "illegal", "illegal move"),
        (babble, "output", "returned ['a1'] (list), which is not a move: return one of"),
        (lambda position: None, "output", "returned None (is a return statement missing?)"),
        (lambda position: "zz99", "illegal", "invalid move 'zz99' in connect:6x7x4: a move is"),
    ],
)
def test_a_function_that_misbehaves_forfeits(player: object, kind: str, reason: str) -> None:
    record = match("random:seed=1", player, "connect4", time=5)  # type: ignore[arg-type]
    assert record.result == "1-0"
    side, found, told = forfeit(record)
    assert (side, found) == ("second", kind)
    assert reason in told
    assert reason in str(record.extra["end"])


class Answering:
    """Gives one answer, whatever it is."""

    name = "answering"

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def choose(self, position: Position, limits: Limits) -> object:
        return self._answer


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "returned None (is a return statement missing?)"),
        (SimpleNamespace(move=Move("a1")), "(SimpleNamespace), which is not a move"),
        (Choice(None), "returned None"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_choice_of_a_move_forfeits(answer: object, reason: str) -> None:
    side, kind, told = forfeit(match(Answering(answer), "random", "tictactoe"))  # type: ignore[arg-type]
    assert (side, kind) == ("first", "output")
    assert reason in told


def test_what_a_player_tells_besides_its_move_is_not_trusted() -> None:
    player = Answering(Choice(Move("a1"), info="hello"))  # type: ignore[arg-type]
    record = match(player, "random:seed=1", "tictactoe")  # type: ignore[arg-type]
    assert record.extra["scores"] == [None] * len(record.moves)
    player.name = None  # type: ignore[assignment]
    assert match(player, "random:seed=1", "tictactoe").first == "None"  # type: ignore[arg-type]


def test_a_function_that_never_returns_is_left_behind() -> None:
    wake = threading.Event()

    def sleeper(position: Position) -> Move:
        wake.wait(60)
        return position.moves[0]

    begin = time.monotonic()
    record = match("random:seed=1", sleeper, "tictactoe", time=0.2)
    assert time.monotonic() - begin < 30
    wake.set()
    assert forfeit(record)[:2] == ("second", "time")
    assert "still thinking; the limit is 0.2 s, plus 0.1 s of grace" in str(record.extra["end"])


def test_a_move_that_comes_late_forfeits() -> None:
    class Slow:
        name = "slow"
        keeps_time = True  # or so it says

        def choose(self, position: Position, limits: Limits) -> Choice:
            time.sleep(0.25)
            return Choice(position.moves[0])

    record = match(Slow(), "random", "tictactoe", conditions=Conditions(time=0.05, margin=0.01))
    side, kind, reason = forfeit(record)
    assert (side, kind) == ("first", "time")
    assert re.match(r"its move took 0\.\d+ s; the limit is 0\.05 s, plus 0\.01 s of grace$", reason)
    assert str(record.extra["end"]).startswith("first ran out of time: its move took ")


# --- other people's Python ------------------------------------------------------------------------

FILE = """
import os, time
from mossa import Choice

def first(position):
    return position.moves[0]

def crash(position):
    return 1 // 0

def dies(position):
    os._exit(7)

def forever(position):
    while True:
        pass

def leaves(position):
    raise SystemExit(5)

def wrong(position):
    return "zz99"

def nothing(position):
    pass

class Middle:
    def __init__(self):
        self.name = "middle"
    def choose(self, position, limits):
        return Choice(position.moves[len(position.moves) // 2])
"""


@POSIX
@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("crash", "crash", "mine.py:9: ZeroDivisionError: integer division"),
        ("leaves", "crash", "mine.py:19: SystemExit: 5"),
        ("wrong", "illegal", "invalid move 'zz99' in mnk:3x3x3: a move is a cell"),
        ("nothing", "output", "returned None (is a return statement missing?)"),
        ("dies", "crash", "ended with exit code 7"),
        ("forever", "time", "the limit is 0.5 s, plus 0.1 s of grace"),
    ],
)
def test_python_files_play_in_processes_of_their_own(
    name: str, kind: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(FILE)
    record = match(f"{tmp_path}/mine.py:{name}", "random", "tictactoe", time=0.5)
    side, found, told = forfeit(record)
    assert (side, found) == ("first", kind)
    assert reason in told
    assert not children()


@POSIX
def test_functions_and_classes_of_files_play(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FILE)
    record = match(f"{tmp_path}/mine.py:first", f"{tmp_path}/mine.py:Middle", "tictactoe")
    assert "forfeit" not in record.extra
    assert record.first == f"{tmp_path}/mine.py:first"


# --- programs that misbehave ----------------------------------------------------------------------

SHORT = Conditions(time=0.4, margin=0.2, start=10)


@POSIX
@pytest.mark.parametrize(
    ("how", "kind", "reason"),
    [
        ("crash", "crash", "ended with exit code 1; it said 'RuntimeError: division by cucumber'"),
        ("exit", "crash", "ended with exit code 3"),
        ("abort", "crash", "ended by signal SIGABRT"),
        ("stall", "time", "no answer; the limit is 0.4 s, plus 0.2 s of grace"),
        ("spin", "time", "no answer; the limit is 0.4 s, plus 0.2 s of grace"),
        ("illegal", "illegal", "illegal move '99' in connect:6x7x4"),
        ("nonsense", "output", "';-)' is not a move"),
        ("empty", "output", "'bestmove' without a move"),
        ("none", "crash", "gave no move; it said 'out of ideas'"),
        ("megabyte", "output", "a line of more than 65,536 bytes"),
        ("nul", "output", "is not a move"),
        ("bytes", "output", "is not a move"),
        ("close", "crash", "closed its output"),
        ("flood", "time", "no answer; the limit is 0.4 s, plus 0.2 s of grace"),
        ("deaf", "time", "no answer; the limit is 0.4 s, plus 0.2 s of grace"),
    ],
)
def test_a_program_that_misbehaves_forfeits(how: str, kind: str, reason: str) -> None:
    begin = time.monotonic()
    record = match(bad(how), "random", "connect4", conditions=SHORT)
    assert time.monotonic() - begin < 30
    assert record.result == "0-1"
    side, found, told = forfeit(record)
    assert (side, found) == ("first", kind)
    assert reason in told
    assert not children()


@POSIX
@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("ugi:/no/such/bot", "cannot start '/no/such/bot': No such file or directory"),
        ("no_such_file.py:bot", "there is no file 'no_such_file.py'"),
        (f"{Path(__file__).parents[1] / 'programs.py'}:bott", "did you mean 'bot'?"),
        (bad("mute"), "not ready within 1 s"),
        (bad("unready"), "not ready within 1 s"),
    ],
)
def test_what_does_not_start_is_refused_before_the_first_move(spec: str, reason: str) -> None:
    asked = []

    def player(position: Position) -> Move:
        asked.append(position)
        return position.moves[0]

    conditions = Conditions(time=0.4, start=1 if spec.startswith("ugi:") else 30)
    with pytest.raises(mossa.InvalidPlayerError) as error:
        match(player, spec, "connect4", conditions=conditions)
    assert "does not start: " in str(error.value)
    assert reason in str(error.value)
    assert not asked
    assert not children()


@POSIX
def test_who_does_not_start_in_a_later_game_forfeits_it() -> None:
    conditions = Conditions(time=0.4, start=1)
    players = [seated(spec, conditions) for spec in ("random", bad("mute"))]
    record = play(players[0], players[1], mossa.game("connect4").start(), conditions)
    assert record.result == "1-0"
    assert forfeit(record) == ("second", "start", "not ready within 1 s")


def test_options_for_another_game_are_refused_before_the_first_move() -> None:
    with pytest.raises(
        mossa.InvalidPlayerError, match="order=store works only for games with stores"
    ):
        match("random", "alphabeta:order=store", "connect4")


# --- people ---------------------------------------------------------------------------------------


def test_a_person_plays_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("4\n4\n4\n4\n"))
    record = match("human", "random:seed=1", "connect4")
    assert (record.first, record.result, record.extra["end"]) == ("human", "1-0", "4 in a row")


def test_a_person_has_no_time_limit_unless_one_is_set() -> None:
    start = mossa.game("connect4").start()
    assert Clocks(Conditions(depth=3)).turn(start).unhurried.deadline == math.inf
    for given in ({"time": 1.0}, {"clock": 1.0}):
        assert Clocks(Conditions(**given)).turn(start).unhurried.deadline == 1.1  # type: ignore[arg-type]


def test_a_person_has_a_time_limit_where_one_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(io.StringIO):
        def readline(self, *_: object) -> str:  # type: ignore[override]
            time.sleep(0.1)
            return "4\n"

    monkeypatch.setattr("sys.stdin", Slow())
    record = match("human", "random", "connect4", conditions=Conditions(time=0.01, margin=0.01))
    assert forfeit(record)[:2] == ("first", "time")
    assert str(record.extra["end"]).startswith("first ran out of time: its move took 0.")


def test_the_end_of_the_input_is_to_resign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("4\n"))
    record = match("random:seed=1", "human", "connect4")
    assert (record.result, record.extra["end"]) == ("1-0", "second resigned")


@POSIX
@pytest.mark.parametrize("how", ["errors", "twice", "stubborn", "undying"])
def test_a_program_that_is_only_odd_plays_on(how: str) -> None:
    """A megabyte of errors, answers nobody asked for, deafness to quit: no reason to lose."""
    record = match(bad(how), "random:seed=3", "connect4", conditions=Conditions(time=5))
    reason = str(record.extra.get("forfeit", ""))
    # Column 1 is all it plays: it may fill up, but not before the sixth stone.
    assert not reason or "column 1 is full" in reason
    assert not children()


@POSIX
def test_a_program_that_leaves_children_behind_is_reaped_with_them(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    record = match(bad(f"fork={note}"), "random", "connect4", conditions=Conditions(time=20))
    assert forfeit(record)[:2] == ("first", "crash")
    assert "ended with exit code 0" in str(record.extra["end"])
    assert gone(int(note.read_text()))


@POSIX
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory from outside")
def test_a_program_that_takes_too_much_memory_crashes() -> None:
    conditions = Conditions(time=20, memory=512)
    record = match(bad("memory"), "random", "connect4", conditions=conditions)
    assert forfeit(record)[:2] == ("first", "crash")
    assert "MemoryError" in str(record.extra["end"])


@POSIX
def test_start_up_is_not_charged_to_the_clock(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    text = Path(bot("python")[-1]).read_text()
    slow.write_text(text.replace("    main()\n", "    import time; time.sleep(1); main()\n"))
    record = match(f"ugi:{sys.executable} -S -E {slow}", "random", "tictactoe", clock="0.9")
    assert "forfeit" not in record.extra


@POSIX
def test_no_program_outlives_an_interrupted_match() -> None:
    class Interrupting:
        name = "interrupting"
        keeps_time = True

        def choose(self, position: Position, limits: Limits) -> Choice:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        match(Interrupting(), bad("stall"), "connect4")
    assert not children()


# --- clocks ---------------------------------------------------------------------------------------


def test_clocks_run_down_and_get_increments() -> None:
    clocks = Clocks(Conditions(clock=10, increment=1, margin=0.5))
    first = mossa.game("gomoku").start()
    second = first.play("h8")
    turn = clocks.turn(first)
    assert turn.remaining == (10, 10)
    assert turn.deadline == 10.5
    assert turn.limits.time == pytest.approx(10 / 30 + 0.8)
    assert turn.limits.longest == pytest.approx(3 * (10 / 30 + 0.8))
    clocks.spend(first.side, 4)
    assert clocks.turn(first).remaining == (7, 10)
    assert clocks.turn(second).deadline == 10.5
    clocks.spend(first.side, 7.5)
    assert clocks.turn(first).deadline == pytest.approx(1)  # half a second, and the margin


def test_time_a_move_and_a_clock_hold_together() -> None:
    turn = Clocks(Conditions(time=0.1, clock=10)).turn(mossa.game("gomoku").start())
    assert (turn.limits.time, turn.limits.longest) == (0.1, 0.1)
    assert turn.deadline == pytest.approx(0.2)


def test_a_share_never_takes_all() -> None:
    start = mossa.game("gomoku").start()
    assert share(start, 0.01, 10) == Limits(time=0.005, longest=0.005)
    assert share(start, -1, 0) == Limits(time=0.001, longest=0.001)


def test_a_clock_is_shared_out_among_the_moves_to_come() -> None:
    game = mossa.game("gomoku")
    late = game.position(" ".join(f"{col}{row}" for row in range(1, 5) for col in "acegikmbdfhj"))
    assert share(game.start(), 60).time == 2
    assert late.ply == 48
    assert share(late, 60).time == 6
    two_left = mossa.game("mnk:2x2x2").start()
    assert share(two_left, 60) == Limits(time=30, longest=30)
    assert share(game.start(), 60, most=1) == Limits(time=1, longest=1)


def test_a_clock_is_late_by_the_margin_in_all() -> None:
    clocks = Clocks(Conditions(clock=1, margin=0.25))
    clocks.spend(mossa.Side.first, 1.125)
    turn = clocks.turn(mossa.game("gomoku").start())
    assert turn.deadline == 0.125
    assert turn.limits.time == 0.001


def test_a_clock_that_runs_out_loses() -> None:
    def slow(position: Position) -> Move:
        time.sleep(0.15)
        return position.moves[0]

    record = match(slow, "random:seed=1", "connect4", conditions=Conditions(clock=0.4, margin=0))
    side, kind, _ = forfeit(record)
    assert (side, kind) == ("first", "time")
    assert len(record.moves) >= 2  # the first ones were in time


@pytest.mark.parametrize(
    ("text", "clock"), [("60", (60, 0)), ("60+0.5", (60, 0.5)), (".5", (0.5, 0))]
)
def test_clocks_are_read(text: str, clock: tuple[float, float]) -> None:
    assert read_clock(text) == clock


@pytest.mark.parametrize("text", ["", "x", "60+", "+1", "60 0.5", "-5", "1e3"])
def test_nonsense_is_no_clock(text: str) -> None:
    with pytest.raises(mossa.InvalidClockError, match="seconds a game"):
        read_clock(text)


@pytest.mark.parametrize(
    "given",
    [{"time": 0}, {"clock": -1}, {"increment": 1}, {"margin": -1}, {"memory": 1}, {"start": 0}],
)
def test_conditions_that_make_no_sense(given: dict[str, float]) -> None:
    with pytest.raises(mossa.InvalidClockError):
        Conditions(**given)  # type: ignore[arg-type]


def test_conditions_survive_a_file() -> None:
    given = Conditions(time=1, clock=60, increment=0.5, nodes=100, depth=3, margin=0.2)
    assert Conditions.from_dict(given.to_dict()) == given
    assert str(given) == "60 s a game + 0.5 s a move, 1 s a move, 100 nodes, depth 3"
