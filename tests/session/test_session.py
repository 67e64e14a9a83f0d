"""A game at the board without a board: turns, clocks, files, players that think and fail."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

import mossa
from mossa import Choice, Limits, Position, Side
from mossa.analysis import Analysis
from mossa.errors import GameError
from mossa.players import Player
from mossa.search import NO_LIMITS, Info
from mossa.session import timing
from mossa.session.session import Listener, Session

WAIT = 30.0


class Board(Listener):
    """Hears of everything, and calls what players hand over in the thread of the test."""

    def __init__(self) -> None:
        self.queue: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.told: list[Any] = []

    def deliver(self, call: Callable[[], None]) -> None:
        self.queue.put(call)

    def until(self, true: Callable[[], object]) -> None:
        while not true():
            self.queue.get(timeout=WAIT)()

    def changed(self) -> None:
        self.told.append("changed")

    def thinking(self, info: Info) -> None:
        self.told.append(info)

    def failed(self, message: str) -> None:
        self.told.append(message)

    def hinted(self, info: Info | None, problem: str = "") -> None:
        self.told.append(("hint", info, problem))

    def analysed(self, analysis: Analysis | None, problem: str = "") -> None:
        self.told.append(("analysis", analysis, problem))


class Slow(Player):
    """Thinks until it is let go; cannot be stopped."""

    name = "slow"

    def __init__(self) -> None:
        self.asked, self.go = threading.Event(), threading.Event()
        self.threads: set[int] = set()

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        self.threads.add(threading.get_ident())
        self.asked.set()
        assert self.go.wait(WAIT)
        return Choice(position.moves[0])


@contextmanager
def session(
    game: str = "connect4", first: object = "human", second: object = "human", **options: Any
) -> Iterator[tuple[Session, Board]]:
    board = Board()
    players = [mossa.player(each) for each in (first, second)]  # type: ignore[arg-type]
    start = mossa.game(game).position(options.pop("moves", ""))
    made = Session(start, *players, deliver=board.deliver, listener=board, **options)
    try:
        yield made, board
    finally:
        for each in (first, second):
            if isinstance(each, Slow):
                each.go.set()
        made.close()


def play(made: Session, moves: Iterable[str]) -> None:
    for move in moves:
        made.move(move)


def test_people_play_and_the_board_hears_of_every_move() -> None:
    with session() as (made, board):
        made.begin()
        play(made, "4343434")
        assert made.is_over
        assert made.status == "Yellow wins: 4 in a row"
        assert board.told == ["changed"] * 8
        with pytest.raises(GameError, match="the game is over"):
            made.move("1")


def test_the_computer_answers_and_a_person_may_not_move_for_it() -> None:
    with session(second="random:seed=1") as (made, board):
        made.begin()
        made.move("4")
        with pytest.raises(GameError, match="random:seed=1 is to move"):
            made.move("4")
        board.until(lambda: made.awaits_person)
        assert len(made.record.moves) == 2


def test_computers_play_each_other_to_the_end() -> None:
    with session("kalah:3x2", "random:seed=1", "level:1") as (made, board):
        made.begin()
        board.until(lambda: made.is_over)
        assert made.position.outcome is not None


def test_live_thinking_is_told() -> None:
    with session(second="alphabeta:depth=9", moves="4") as (made, board):
        made.begin()
        board.until(lambda: made.awaits_person)
        assert any(isinstance(each, Info) for each in board.told)


def test_a_move_again_is_noticed() -> None:
    with session("kalah") as (made, _):
        made.move("3")  # its last seed falls into the store
        assert made.moves_again
        made.move("1")
        assert not made.moves_again


def test_take_back_returns_to_a_persons_decision() -> None:
    with session(second="random:seed=1") as (made, board):
        made.begin()
        with pytest.raises(GameError, match="nothing to take back"):
            made.take_back()
        made.move("4")
        board.until(lambda: made.awaits_person)
        made.move("4")
        board.until(lambda: made.awaits_person)
        made.take_back()
        assert len(made.record.moves) == 2 and made.position.history[0] == "4"
        made.take_back()
        assert made.position.ply == 0 and not made.can_take_back


def test_what_was_taken_back_is_not_answered() -> None:
    """An answer that comes late is dropped, and the player is not asked twice at a time."""
    slow = Slow()
    with session(second=slow) as (made, board):
        made.begin()
        made.move("4")
        assert slow.asked.wait(WAIT)
        made.take_back()
        made.move("3")
        slow.go.set()
        board.until(lambda: made.awaits_person)
        assert made.position.history_text == "3 1"
        assert len(slow.threads) == 1


def test_resign_and_rematch() -> None:
    with session(second="random:seed=1") as (made, _):
        made.begin()
        made.resign()
        assert (made.record.result, made.status) == ("0-1", "You lost: you resigned")
        made.rematch()
        assert made.names == {Side.first: "random:seed=1", Side.second: "You"}
        assert not made.is_over and made.players[0].name == "random:seed=1"


def test_nobody_can_resign_for_computers() -> None:
    with session(first=Slow(), second=Slow()) as (made, _):
        made.begin()
        with pytest.raises(GameError, match="nobody can resign"):
            made.resign()


def test_earlier_positions_are_shown_while_the_game_goes_on() -> None:
    slow = Slow()
    with session(second=slow, moves="4433") as (made, board):
        made.begin()
        made.show(0)
        assert made.shown.ply == 0 and not made.is_live
        made.step(1)
        assert made.shown.history_text == "4"
        with pytest.raises(GameError, match="earlier position"):
            made.move("4")
        made.step(100)
        assert made.is_live and made.ply == 4
        made.show(-3)
        assert made.ply == 0
        made.show(4)
        made.move("5")
        made.step(-2)
        slow.go.set()
        board.until(lambda: made.awaits_person)
        assert made.is_live  # a new move is shown


def crash(position: Position) -> str:
    raise ZeroDivisionError("oh no")


@pytest.mark.parametrize(
    ("player", "message"),
    [
        (crash, "Red crashed: "),
        (lambda position: "z9", "made an illegal move: illegal move 'z9'"),
        (lambda position: None, "gave an invalid answer: returned None"),
        (lambda position: exit(3), "crashed: "),
    ],
)
def test_a_player_that_fails_leaves_the_game_to_the_person(
    player: Callable[[Position], str], message: str
) -> None:
    with session(second=player) as (made, board):
        made.begin()
        made.move("4")
        board.until(lambda: made.failure)
        assert message in str(made.failure) and "\n" not in str(made.failure)
        assert board.told[-1] == str(made.failure)
        assert made.awaits_person
        made.move("4")  # for the player that failed
        assert made.position.ply == 2 and made.failure is None
        made.take_back()
        assert made.position.ply == 0


def test_a_player_that_failed_can_be_asked_again(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("def bot(position):\n    return 1 // 0\n")
    with session(second=f"{file}:bot") as (made, board):
        with pytest.raises(GameError, match="nothing to retry"):
            made.retry()
        made.begin()
        made.move("4")
        board.until(lambda: made.failure)
        assert "bot.py:2: ZeroDivisionError" in str(made.failure)
        file.write_text("def bot(position):\n    return '7'\n")
        made.retry()
        board.until(lambda: made.position.ply == 2)
        assert made.position.history_text == "4 7"


def test_hint_and_analysis_follow_what_is_shown() -> None:
    with session("tictactoe", moves="a1 b1 a2 b2") as (made, board):
        made.hint()
        board.until(lambda: board.told)
        _, info, problem = board.told.pop()
        assert (info.move, problem) == ("a3", "")
        made.analyse(True)
        board.until(lambda: board.told)
        _, found, problem = board.told[-1]
        assert found.position == made.position and found.move == "a3"
        made.step(-1)
        board.until(lambda: board.told[-1][0] == "analysis" and board.told[-1][1] is not found)
        assert board.told[-1][1].position == made.shown
        made.analyse(False)
        made.show(4)
        made.move("a3")
        made.hint()
        made.analyse(True)
        assert [each[2] for each in board.told[-2:]] == [
            "no hint: the game is over",
            "nothing to analyse: the game is over",
        ]


def test_games_are_saved_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "game.mossa"
    with session(second="random:seed=1", moves="44", clock="300+5") as (made, _):
        made.save(path)
        assert "since" not in path.read_text()
        made.rematch()
        made.load(path)
        assert made.position.history_text == "4 4"
        assert made.names[Side.second] == "You"  # the players stay
        assert made.clock is not None and made.clock["clock"] == "300+5"
        for text in ("nonsense", "mossa connect:6x7x4\nmoves: 9\n"):
            path.write_text(text)
            with pytest.raises(GameError):
                made.load(path)
        with pytest.raises(FileNotFoundError):
            made.load(tmp_path / "none.mossa")
        assert made.position.history_text == "4 4"


def test_a_game_that_its_players_do_not_play_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "kalah.mossa"
    with session("kalah") as (kalah, _):
        kalah.save(path)
    with session("tictactoe", second="tris") as (made, _):
        with pytest.raises(GameError, match="tris plays mnk, not kalah"):
            made.load(path)
        assert made.position.game.name == "mnk:3x3x3"


def test_a_loaded_game_may_be_over_without_the_board_saying_so(tmp_path: Path) -> None:
    path = tmp_path / "game.mossa"
    with session(second="random:seed=1") as (made, _):
        made.resign()
        made.save(path)
    with session() as (made, _):
        made.load(path)
        assert made.is_over and made.status == "Red wins: Yellow resigned"


def test_time_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(timing, "time", lambda: now)
    with session(clock="10") as (made, _):
        made.begin()
        made.move("4")
        made.tick()
        assert made.clock == {
            "left": {"first": 10.0, "second": 10.0},
            "runs": "second",
            "clock": "10",
        }
        now += 9
        made.tick()
        assert made.clock["left"]["second"] == 1.0
        now += 2
        made.tick()
        assert made.is_over and made.status == "Yellow wins: Red ran out of time"
        with pytest.raises(GameError, match="lost on time"):
            made.take_back()


def test_a_computer_has_a_share_of_its_clock() -> None:
    asked: list[Limits] = []

    class Watch(Player):
        name = "watch"

        def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
            asked.append(limits)
            return Choice(position.moves[0])

    with session(second=Watch(), clock="60") as (made, board):
        made.begin()
        made.move("4")
        board.until(lambda: made.awaits_person)
        assert asked[0].time is not None and 0.5 < asked[0].time < 10


def test_closing_stops_searches_at_once_and_leaves_stubborn_players_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = threading.active_count()
    with session(second="alphabeta:time=60", moves="4") as (made, board):
        made.begin()
        board.until(lambda: any(isinstance(each, Info) for each in board.told))
        made.close()
        assert threading.active_count() == before
    monkeypatch.setattr("mossa.session.session.PATIENCE", 0.05)
    slow = Slow()
    with session(second=slow, moves="4") as (made, _):
        made.begin()
        assert slow.asked.wait(WAIT)
        made.close()
        slow.go.set()
