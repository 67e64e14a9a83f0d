"""Searches at work: reports, stopping, misuse, Ctrl-C, threads."""

from __future__ import annotations

import _thread
import itertools
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from search_checks import assert_playable, every_search, make

import mossa
from mossa import GameError, Info, Limits, Search
from mossa._core import Trace


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "gametree"])
def test_every_depth_is_reported_and_the_last_report_is_the_answer(algorithm: str) -> None:
    start = mossa.game("connect4").start()
    reports: list[Info] = []
    limits = Limits(nodes=30_000)
    info = make(start.game, algorithm).run(start, limits, report=reports.append)
    depths = [report.depth for report in reports]
    assert len(depths) >= 3
    assert depths == sorted(set(depths))
    assert reports[-1].score == info.score
    assert reports[-1].depth == info.depth
    for report in reports:
        assert_playable(start, report)


@every_search
def test_a_search_is_stopped_from_another_thread(algorithm: str) -> None:
    start = mossa.game("connect4").start()
    token = mossa.StopToken()
    timer = threading.Timer(0.05, token.stop)
    timer.start()
    memory = {"memory": "64"} if algorithm == "gametree" else {}  # or it is full too soon
    info = make(start.game, algorithm, **memory).run(start, Limits(time=20), stop=token)
    assert token.stopped
    assert info.time < 2
    assert_playable(start, info)


@every_search
@pytest.mark.parametrize(
    ("name", "moves"),
    [("connect4", "4141414"), ("tictactoe", "a1 a2 b1 b2 c1"), ("kalah:1x3", "1")],
)
def test_a_finished_game_cannot_be_searched(name: str, moves: str, algorithm: str) -> None:
    position = mossa.game(name).position(moves)
    with pytest.raises(GameError, match="the game is over"):
        make(position.game, algorithm).run(position, Limits(depth=1))


@every_search
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("connect4", "kalah"),
        ("connect4", "connect:6x7x5"),
        ("connect:6x7x4", "mnk:6x7x4"),
        ("kalah", "bantumi"),
        ("mnk:8x8x5", "mnk:8x8x5,exact=yes"),
        ("mnk:8x8x5", "mnk:70x70x5"),
    ],
)
def test_a_search_refuses_positions_of_other_games(one: str, other: str, algorithm: str) -> None:
    for mine, foreign in itertools.permutations([mossa.game(one), mossa.game(other)]):
        with pytest.raises(GameError) as error:
            make(mine, algorithm).run(foreign.start(), Limits(depth=1))
        assert mine.name in str(error.value)
        assert foreign.name in str(error.value)


@pytest.mark.parametrize(
    ("algorithm", "options", "parts"),
    [
        ("alphabet", {}, ["'alphabet'", "alphabeta"]),
        ("alphabeta", {"dept": "3"}, ["dept", "order", "width"]),
        ("alphabeta", {"table": "maybe"}, ["maybe", "on, off"]),
        ("alphabeta", {"width": "-1"}, ["-1", "0 to 10000"]),
        ("alphabeta", {"forget": "on"}, ["forget=on"]),
        ("mcts", {"c": "nan"}, ["nan", "0 to 100"]),
    ],
)
def test_a_search_that_cannot_be_made(
    algorithm: str, options: dict[str, str], parts: list[str]
) -> None:
    with pytest.raises(mossa.InvalidPlayerError) as error:
        Search(mossa.game("connect4"), algorithm, options)
    for part in parts:
        assert part in str(error.value)


@pytest.fixture
def ctrl_c() -> Iterator[Callable[[float], None]]:
    """Press Ctrl-C in so many seconds."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timers = []

    def press(seconds: float) -> None:
        timers.append(threading.Timer(seconds, _thread.interrupt_main))
        timers[-1].start()

    yield press
    for timer in timers:
        timer.cancel()
        timer.join()
    signal.signal(signal.SIGINT, before)


def interrupted(work: Callable[[], object]) -> float:
    """The seconds until KeyboardInterrupt."""
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        work()
    return time.perf_counter() - begin


@every_search
@pytest.mark.parametrize("name", ["connect4", "mnk:100x100x100"])
def test_ctrl_c_interrupts_a_search(
    name: str, algorithm: str, ctrl_c: Callable[[float], None]
) -> None:
    start = mossa.game(name).start()
    search = make(start.game, algorithm, **({"memory": "64"} if algorithm == "gametree" else {}))
    ctrl_c(0.05)
    assert interrupted(lambda: search.run(start, Limits(time=20))) < 2
    # The search is still of use.
    assert_playable(start, search.run(start, Limits(nodes=300, iterations=1)))


@pytest.mark.parametrize("count", ["perft", "count_states"])
def test_ctrl_c_interrupts_counting(count: str, ctrl_c: Callable[[float], None]) -> None:
    start = mossa.game("connect4").start()
    ctrl_c(0.05)
    work = (lambda: start.perft(11)) if count == "perft" else start.count_states
    assert interrupted(work) < 2


def test_other_threads_go_on_while_a_search_runs() -> None:
    start = mossa.game("connect4").start()
    thread = threading.Thread(target=make(start.game).run, args=(start, Limits(time=0.3)))
    thread.start()
    ticks = 0
    while thread.is_alive():
        time.sleep(0.01)
        ticks += 1
    assert ticks >= 5


SHARED = """
import sys, threading
import mossa

game = mossa.game("connect4")
texts = ["", "44", "4455", "1234567"]
limits = mossa.Limits(depth=6, iterations=300)
shared = mossa.Search(game, sys.argv[1])
wrong = []

def work(text):
    position = game.position(text)
    for _ in range(10):
        try:
            line = shared.run(position, limits).line
            position.after(line)
        except mossa.GameError as error:
            wrong.append(f"{text}: {error}")

threads = [threading.Thread(target=work, args=(text,)) for text in texts]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit(f"wrong: {wrong}" if wrong else 0)
"""


@every_search
def test_threads_that_share_a_search_do_not_break_it(algorithm: str) -> None:
    """In a process of its own: a race in the core can end it."""
    done = subprocess.run(
        [sys.executable, "-c", SHARED, algorithm], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_no_node_of_mcts_keeps_children_of_another_move() -> None:
    """A stopped play-out left children below a node that was not tried, whose move could change."""
    start = mossa.game("mnk:6x6x6").start()
    search = Search(start.game, "mcts", {"reuse": "on", "memory": "8"})
    for _ in range(300):  # most of them are stopped in a play-out
        search.run(start, Limits(time=0.00002))
    trace = Trace(60_000)
    search.run(start, Limits(iterations=20_000), trace=trace)
    paths: list[list[str]] = []
    for node in trace.nodes:
        paths.append([] if node.parent is None else [*paths[node.parent], str(node.move)])
        assert len(set(paths[-1])) == len(paths[-1]), "a cell is played twice"
    assert max(map(len, paths)) > 2
