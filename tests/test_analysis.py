"""Analysis: against brute force where that can be, and by players with a script elsewhere."""

from __future__ import annotations

import itertools
import json
import math
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from unittest.mock import patch

import pytest
from brute_force import BruteForce

import mossa
from mossa import (
    Analysis,
    Choice,
    Estimate,
    Exact,
    GameError,
    Info,
    InvalidPlayerError,
    Limits,
    Move,
    MoveAnalysis,
    Position,
    Score,
    Search,
    StopToken,
    analyse,
)
from mossa.analysis import analyst, score_data


def last(found: Iterator[Analysis]) -> Analysis:
    *_, answer = found
    return answer


def some_positions(name: str, plies: int, count: int) -> list[Position]:
    """Unfinished positions after so many random moves."""
    chance = random.Random(f"{name} {plies}")
    found: list[Position] = []
    while len(found) < count:
        position = mossa.game(name).start()
        for _ in range(plies):
            if position.outcome is None:
                position = position.play(chance.choice(position.moves))
        if position.outcome is None:
            found.append(position)
    return found


SMALL = [
    ("tictactoe", 0, 1),
    ("tictactoe", 3, 12),
    ("mnk:3x4x3", 4, 6),
    ("mnk:2x3x2", 0, 1),
    ("connect:3x4x3", 0, 1),
    ("connect:4x4x4", 5, 4),
    ("connect:4x4x3", 2, 4),
    ("kalah:1x1", 0, 1),
    ("kalah:2x2", 0, 1),
    ("kalah:3x2", 0, 1),
    ("kalah:3x2", 3, 6),
    ("kalah:3x2,empty_capture=yes,end=mover", 2, 4),
    ("kalah:3x2,leftover=none,majority=yes", 2, 4),
    ("kalah:3x2,leftover=opponent", 1, 4),
    ("kalah:2x3,swap=yes", 1, 2),
    ("kalah:3x2,first_extra=no", 0, 1),
    ("breakthrough:4x2", 0, 1),
    ("breakthrough:4x3", 2, 4),
]


@pytest.mark.parametrize(("name", "plies", "count"), SMALL)
def test_every_move_has_its_true_score(
    name: str, plies: int, count: int, oracle: BruteForce
) -> None:
    for position in some_positions(name, plies, count):
        answer = last(analyse(position, time=math.inf))
        found = {str(move): one.score for move, one in answer.moves.items()}
        assert found == oracle.moves(position), position
        assert answer.score == oracle.score(position)
        assert list(found.values()) == sorted(found.values(), reverse=True)


@pytest.mark.parametrize("player", ["minimax", "alphabeta:table=off", "alphabeta:pvs=off"])
def test_every_exact_search_finds_the_same(player: str, oracle: BruteForce) -> None:
    for name, plies in [("tictactoe", 4), ("connect:3x4x3", 3), ("kalah:2x2", 1)]:
        for position in some_positions(name, plies, 3):
            answer = last(analyse(position, player=player, time=math.inf))
            found = {str(move): one.score for move, one in answer.moves.items()}
            assert found == oracle.moves(position)


def test_an_extra_move_does_not_change_the_view() -> None:
    """Kalah 6x4: pit 3 ends in the store, so the same side moves again."""
    position = mossa.game("kalah:6x4").start()
    assert position.play("3").side is position.side
    answer = last(analyse(position, depth=1, player="minimax"))
    again = Search(position.game, "minimax").run(position.play("3"), Limits(depth=1))
    passed = Search(position.game, "minimax").run(position.play("1"), Limits(depth=1))
    assert answer.moves[Move("3")].score == again.score
    assert answer.moves[Move("1")].score == -passed.score
    assert again.score.value > 0 > answer.moves[Move("1")].score.value


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "gomoku", "kalah", "bantumi"])
def test_one_depth_less_than_a_search_of_the_position(name: str) -> None:
    """A search to depth d + 1 looks at every move to depth d."""
    depth = 1 if name == "gomoku" else 3
    for position in some_positions(name, 4, 3):
        answer = last(analyse(position, depth=depth, player="minimax"))
        info = Search(position.game, "minimax").run(position, Limits(depth=depth + 1))
        assert answer.score == info.score


def test_it_streams_one_analysis_for_each_depth() -> None:
    position = mossa.game("connect4").position("4453")
    found = list(analyse(position, depth=5, player="alphabeta"))
    assert [each.depth for each in found] == [1, 2, 3, 4, 5]
    assert [each.nodes for each in found] == sorted({each.nodes for each in found})
    for each in found:
        assert sorted(each.moves) == position.moves
        assert each.move == each.line[0] == next(iter(each.moves))
        for move, one in each.moves.items():
            assert one.line[0] == move
            assert position.after(one.line).ply == position.ply + len(one.line)


def test_the_same_limits_give_the_same_analysis() -> None:
    position = mossa.game("kalah").position("36")
    for player in ("alphabeta", "mcts:seed=5", "gametree"):
        one, two = (last(analyse(position, depth=4, player=player)) for _ in range(2))
        assert one.moves == two.moves
        assert one.nodes == two.nodes


def test_it_ends_early_when_everything_is_proven() -> None:
    position = mossa.game("tictactoe").position("b2 a1 c3")
    begin = time.perf_counter()
    answer = last(analyse(position, time=30.0))
    assert time.perf_counter() - begin < 5
    assert all(isinstance(one.score, Exact) for one in answer.moves.values())


def test_a_move_that_ends_the_game_is_not_searched() -> None:
    position = mossa.game("connect4").position("1 2 1 2 1 2")
    first = next(analyse(position, depth=1))
    assert first.moves[Move("1")] == MoveAnalysis(Exact(1, 1), [Move("1")], 0)
    assert first.move == "1"


@pytest.mark.parametrize("name", ["connect4", "gomoku", "mnk:40x40x6", "kalah:12x12"])
@pytest.mark.parametrize("player", ["engine", "alphabeta", "mcts", "gametree"])
def test_the_time_is_kept(name: str, player: str) -> None:
    position = mossa.game(name).start()
    begin = time.perf_counter()
    answer = last(analyse(position, time=0.15, player=player))
    taken = time.perf_counter() - begin
    assert taken < 0.4  # about 0.16 on an idle machine
    assert answer.time <= taken
    assert taken > 0.1 or all(isinstance(one.score, Exact) for one in answer.moves.values())


@pytest.mark.parametrize("nodes", [30, 100, 1000, 5000, 20_000])
def test_scores_of_unequal_depth_are_never_mixed(nodes: int) -> None:
    for name, moves in [("connect4", "4453"), ("connect4", "4433"), ("kalah", "36")]:
        position = mossa.game(name).position(moves)
        answer = last(analyse(position, nodes=nodes, player="alphabeta"))
        open_depths = {
            one.depth for one in answer.moves.values() if not isinstance(one.score, Exact)
        }
        assert len(open_depths) <= 1
        assert answer.nodes <= nodes + 1


def test_what_a_cut_short_depth_has_proven_counts() -> None:
    """4 4 3 3: 2 and 5 win in 3, which depth 2 proves; before that no other move is compared."""
    position = mossa.game("connect4").position("4433")
    for nodes in range(60, 400, 10):
        answer = last(analyse(position, nodes=nodes, player="alphabeta"))
        proven = [move for move, one in answer.moves.items() if isinstance(one.score, Exact)]
        if proven and answer.depth == 1:
            assert answer.score == Exact(1, 3)
            assert len(answer.moves) == 7
            return
    raise AssertionError("no number of nodes cut the second depth short")


def test_a_first_depth_cut_short_has_seen_the_likely_moves() -> None:
    position = mossa.game("gomoku").position("h8 a1 i8 a2 j8 a3")
    answer = last(analyse(position, nodes=2000, player="alphabeta"))
    assert 0 < len(answer.moves) < len(position.moves)
    assert {"g8", "k8"} <= {str(move) for move in answer.moves}


def test_a_first_depth_that_takes_long_is_shown_before_it_is_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a board of 20 x 40 nothing was seen for seconds."""
    monkeypatch.setattr(analyst, "FIRST_LOOK", 0.0)
    position = mossa.game("gomoku").position("h8 a1 i8 a2 j8 a3")
    everything = {"depth": 1, "player": "alphabeta"}
    first, *_, complete = analyse(position, **everything, partial=True)  # type: ignore[arg-type]
    assert first.depth == complete.depth == 1
    assert str(first.move) in ("g8", "k8") and len(first.moves) < 10
    (only,) = analyse(position, **everything)  # type: ignore[arg-type]
    assert len(complete.moves) == len(only.moves) == len(position.moves)
    assert complete.score == only.score


@pytest.mark.parametrize("limits", [{"nodes": 1}, {"time": 0.0}])
def test_limits_too_tight_for_any_move(limits: dict[str, float]) -> None:
    with pytest.raises(GameError, match="no room to search a single move"):
        last(analyse(mossa.game("connect4").start(), player="alphabeta", **limits))  # type: ignore[arg-type]


def test_limits_of_the_player_hold_for_every_move_by_itself() -> None:
    position = mossa.game("connect4").start()
    found = list(analyse(position, player="alphabeta:depth=3"))
    assert [each.depth for each in found] == [1, 2, 3]
    assert last(analyse(position, player="mcts:iterations=100")).iterations == 7 * (64 + 100)
    begin = time.perf_counter()
    last(analyse(position, player="alphabeta:time=0.02"))
    assert 0.02 < time.perf_counter() - begin < 7 * 14 * 0.02 + 0.5
    kalah = mossa.game("kalah").start()
    assert [each.depth for each in analyse(kalah, player="minimax:hands=2")] == [4]


def test_without_limits_it_takes_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyst, "DEFAULT_TIME", 0.05)
    begin = time.perf_counter()
    last(analyse(mossa.game("connect:9x9x4").start()))
    assert 0.04 < time.perf_counter() - begin < 0.5


def test_endless_until_the_caller_leaves() -> None:
    with patch.object(analyst, "DEFAULT_TIME", 0.0):
        for found in analyse(mossa.game("connect:9x9x4").start(), time=math.inf):
            if found.depth == 6:
                return
    raise AssertionError("it ended by itself")


class Scripted:
    """A player that tells the score it is given for each position, by its last move."""

    name = "scripted"

    def __init__(self, scores: dict[str, Score]) -> None:
        self.scores = scores
        self.asked: list[Limits] = []

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.asked.append(limits)
        score = self.scores[str(position.last_move)]
        move = position.moves[0]
        return Choice(move, Info(move, score, [move], depth=1, nodes=1, time=0.0, memory=0))


@pytest.mark.parametrize("depths", [[2, 1], [2, 0, 0], [1, 2, 2]])
def test_a_player_that_stops_early_keeps_its_deepest_result(depths: list[int]) -> None:
    """Its own limit may let it come less far the second time, or nowhere at all."""

    class Tiring(Scripted):
        def choose(self, position: Position, limits: Limits) -> Choice:
            choice = super().choose(position, limits)
            assert choice.info is not None and limits.depth is not None
            reached = depths[min(limits.depth, len(depths)) - 1]
            score = Estimate(10 * reached) if reached else Estimate(0)
            return Choice(choice.move, replace(choice.info, score=score, depth=reached))

    player = Tiring({str(column): Estimate(0) for column in range(1, 8)})
    answer = last(analyse(mossa.game("connect4").start(), time=math.inf, player=player))
    assert answer.depth == max(depths)
    assert answer.score == Estimate(-10 * max(depths))


def test_a_player_gets_what_is_left_of_the_time() -> None:
    class Slow(Scripted):
        def choose(self, position: Position, limits: Limits) -> Choice:
            time.sleep(0.01)
            return super().choose(position, limits)

    player = Slow({str(column): Estimate(0) for column in range(1, 8)})
    begin = time.perf_counter()
    last(analyse(mossa.game("connect4").start(), time=0.1, player=player))
    assert 0.07 < time.perf_counter() - begin < 0.3
    left = [limits.time or 0.0 for limits in player.asked]
    assert len(left) > 2
    assert all(now <= before - 0.01 for before, now in itertools.pairwise(left))


def test_scores_of_both_types_have_one_order() -> None:
    """The player speaks for the opponent, who moves next: every score is turned round."""
    scores: dict[str, Score] = {
        "1": Estimate(-5),
        "2": Exact(-1, 4),
        "3": Exact(1, 9),
        "4": Exact(0, 41),
        "5": Estimate(7),
        "6": Exact(-1, 2),
        "7": Estimate(-math.inf, 6),
    }
    answer = last(analyse(mossa.game("connect4").start(), depth=1, player=Scripted(scores)))
    found = [(str(move), one.score) for move, one in answer.moves.items()]
    assert found == [
        ("6", Exact(1, 3)),
        ("2", Exact(1, 5)),
        ("7", Estimate(math.inf, 7)),
        ("1", Estimate(5)),
        ("4", Exact(0, 42)),
        ("5", Estimate(-7)),
        ("3", Exact(-1, 10)),
    ]


def test_margins_in_seeds_are_compared_as_they_are() -> None:
    guess = Estimate(6, margin=True)
    scores: dict[str, Score] = {"1": Exact(-2), "2": guess, "3": Exact(-9)}
    position = mossa.game("kalah:3x2").start()
    assert position.play("2").side is position.side
    answer = last(analyse(position, depth=1, player=Scripted(scores)))
    # 2 moves again, so its score is not turned round.
    assert [str(score.score) for score in answer.moves.values()] == ["+9", "~ +6", "+2"]


def test_what_is_wrong_is_said_at_once() -> None:
    start = mossa.game("connect4").start()
    over = mossa.game("connect4").position("1212121")
    with pytest.raises(GameError, match="nothing to analyse in connect:6x7x4: first wins"):
        analyse(over)
    with pytest.raises(InvalidPlayerError, match="unknown player 'alphabet': did you mean"):
        analyse(start, player="alphabet")
    with pytest.raises(GameError, match="invalid limit 'depth=0'"):
        analyse(start, depth=0)
    with pytest.raises(GameError, match="invalid limit 'time=-1"):
        analyse(start, time=-1)
    with pytest.raises(InvalidPlayerError, match="player 'human' does not report scores"):
        analyse(start, player="human")


def test_a_player_that_fails_is_an_error_of_one_line() -> None:
    def crash(position: Position) -> Move:
        raise ZeroDivisionError("of all things")

    with pytest.raises(mossa.PlayerFailedError, match=r"\.py:\d+: ZeroDivisionError: of all"):
        last(analyse(mossa.game("connect4").start(), player=crash, depth=1))


@pytest.mark.parametrize("player", ["random", lambda position: position.moves[0]])
def test_players_without_scores(player: str | Callable[[Position], Move]) -> None:
    with pytest.raises(InvalidPlayerError, match="does not report scores: analysis needs"):
        last(analyse(mossa.game("connect4").start(), player=player, depth=1))


def test_analysis_as_data() -> None:
    answer = last(analyse(mossa.game("tictactoe").position("b2 b1"), depth=9))
    data = json.loads(json.dumps(answer.to_dict(), allow_nan=False))
    assert data["game"] == "mnk:3x3x3"
    assert (data["moves"], data["side"], data["move"]) == (["b2", "b1"], "first", str(answer.move))
    assert data["score"] == {"exact": True, "value": 1, "distance": 5, "text": "+1 in 5"}
    assert [each["move"] for each in data["analysis"]] == [str(move) for move in answer.moves]
    assert set(data["analysis"][0]) == {"move", "score", "line", "depth"}
    assert score_data(Estimate(-math.inf, 4))["value"] == "-inf"


def test_an_analysis_can_be_stopped_from_another_thread() -> None:
    token = mossa.StopToken()
    threading.Timer(0.2, token.stop).start()
    begin = time.monotonic()
    *_, last = mossa.analyse(
        mossa.game("mnk:15x15x5").position("h8"), time=60, player="alphabeta", stop=token
    )
    assert time.monotonic() - begin < 30
    assert last.moves
    assert list(mossa.analyse(mossa.game("kalah").start(), time=60, stop=token)) == []


class Proves:
    """Prefers a move by its estimates, and can prove that another one is the best."""

    name = "proves"

    def choose(self, position: Position, limits: Limits) -> Choice:
        worth = -50.0 if position.history_text == "1" else 0.0
        move = position.moves[0]
        return Choice(move, Info(move, Estimate(worth), [move], limits.depth or 1, 1, 0.0, 0))

    def prove(self, position: Position, limits: Limits, *, stop: StopToken | None = None) -> Info:
        assert limits.time is not None
        return Info(Move("4"), Exact(0, 42), [Move("4"), Move("4")], 42, 7, 0.0, 0)


def test_estimates_do_not_belie_a_proof() -> None:
    position = mossa.game("connect4").start()
    *_, last = mossa.analyse(position, time=60, depth=2, player=Proves())
    assert (last.move, last.score, last.line) == (Move("4"), Exact(0, 42), [Move("4"), Move("4")])
    assert last.moves[Move("1")].score == Estimate(50)
    assert (len(last.moves), last.depth) == (7, 2)
    # Without a limit of time every depth is searched as it comes.
    *_, last = mossa.analyse(position, depth=2, player=Proves())
    assert last.move == Move("1")


def test_a_proof_of_the_only_move_is_an_analysis() -> None:
    position = mossa.game("connect:5x1x5").position("1 1")
    (last,) = mossa.analyse(position, time=60)
    assert (str(last.move), last.score) == ("1", Exact(0, 3))


def test_the_engine_proves_what_the_book_knows() -> None:
    position = mossa.game("connect4").position("5 6")
    *_, last = mossa.analyse(position, time=0.5)
    assert (str(last.move), last.score) == ("2", mossa.solve(position).score)
