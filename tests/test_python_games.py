"""A game written in Python plays on the searches of the core like a built-in one."""

import random
import sys
from pathlib import Path
from typing import Any

import pytest

import mossa
from mossa import Exact, GameError, Limits, PythonGameSearch, Side, StopToken, Trace

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from misere_tictactoe import Misere

ALGORITHMS = ["minimax", "alphabeta", "mcts", "gametree"]


class Mirror:
    """A position of the core behind the interface of a game written in Python."""

    def __init__(self, position: mossa.Position) -> None:
        self.position = position
        self.side = position.side
        self.key = position.key
        self.moves = [str(move) for move in position.moves]

    def play(self, move: str) -> "Mirror":
        return Mirror(self.position.play(move))

    @property
    def outcome(self) -> int | None:
        return None if self.position.outcome is None else self.position.outcome.value


class Nim:
    """Take one to three from a heap; whoever takes the last one wins."""

    def __init__(self, heap: int, side: int = 0) -> None:
        self.heap, self.side = heap, side
        self.moves = list(range(1, min(3, heap) + 1))
        self.key = heap, side
        self.outcome = None if heap else (1 if side == 1 else -1)

    def play(self, move: int) -> "Nim":
        return Nim(self.heap - move, 1 - self.side)


def brute_force(position: Any) -> float:
    """The value for the side to move."""
    if position.outcome is not None:
        return float(position.outcome if position.side in (0, Side.first) else -position.outcome)
    best = -1e9
    for move in position.moves:
        child = position.play(move)
        value = brute_force(child)
        best = max(best, -value if child.side != position.side else value)
    return best


@pytest.mark.parametrize("heap", range(1, 13))
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_nim_is_solved(algorithm: str, heap: int) -> None:
    info = PythonGameSearch(algorithm).run(Nim(heap), Limits())
    assert info.score == Exact(1 if heap % 4 else -1)
    if heap % 4:
        assert info.move == heap % 4


def test_mcts_finds_the_move_in_nim() -> None:
    for heap in (5, 6, 7):
        assert PythonGameSearch("mcts").run(Nim(heap), Limits(iterations=3000)).move == heap % 4


def test_misere_tictactoe_is_a_draw() -> None:
    assert PythonGameSearch("alphabeta").run(Misere(), Limits()).score == Exact(0)


@pytest.mark.parametrize("name", ["mnk:3x3x3", "kalah:3x2", "connect:3x3x3"])
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_same_results_as_a_built_in_game(algorithm: str, name: str) -> None:
    """Extra turns (kalah) included: the value is the brute-force value."""
    rng = random.Random(5)
    for _ in range(12):
        position = mossa.game(name).start()
        for _ in range(rng.randrange(4, 7)):
            if position.outcome is None:
                position = position.play(rng.choice(position.moves))
        if position.outcome is not None:
            continue
        mirror = Mirror(position)
        score = PythonGameSearch(algorithm).run(mirror, Limits()).score
        assert isinstance(score, Exact)
        assert score.value == brute_force(mirror)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_limits_reports_and_lines(algorithm: str) -> None:
    reports: list[mossa.Info] = []
    search = PythonGameSearch(algorithm)
    info = search.run(Misere(), Limits(nodes=2000, iterations=50), report=reports.append)
    position = Misere()
    line: list[Any] = list(info.line)
    for move in line:
        position = position.play(move)
    assert info.move == info.line[0]
    assert reports and reports[-1].line[0] in Misere().moves


def test_trace_and_stop() -> None:
    trace = Trace(100)
    PythonGameSearch("alphabeta").run(Nim(9), Limits(depth=3), trace=trace)
    assert 0 < len(trace.nodes) <= 100
    token = StopToken()
    token.stop()
    info = PythonGameSearch("minimax").run(Misere(), Limits(), stop=token)
    assert info.move in Misere().moves


class Fill:
    """Twelve cells are filled, one by one, and nobody wins: it lasts twelve plies."""

    def __init__(self, filled: tuple[int, ...] = (), side: int = 0) -> None:
        self.filled, self.side = filled, side
        self.moves = [cell for cell in range(12) if cell not in filled]
        self.key = frozenset(filled)
        self.outcome = None if self.moves else 0

    def play(self, move: int) -> "Fill":
        return Fill((*self.filled, move), 1 - self.side)


@pytest.mark.parametrize(
    ("algorithm", "depth"), [("gametree", 13), ("alphabeta", 12)], ids=["gametree", "alphabeta"]
)
def test_a_search_ends_with_the_game(algorithm: str, depth: int) -> None:
    """With moves left out, nothing was proven, so gametree went on to depth 249 of 12 plies."""
    info = PythonGameSearch(algorithm, {"width": "2"}).run(Fill(), Limits())
    assert info.depth == depth  # the heights of gametree are odd
    assert info.score == mossa.Estimate(0, margin=True)


def test_a_search_player_plays_it_too() -> None:
    choice = mossa.players.SearchPlayer("alphabeta").choose(Nim(6), Limits(time=1))
    assert choice.move == 2


class Broken(Nim):
    """Fails three moves into the game."""

    def play(self, move: int) -> "Broken":
        if self.heap < 5:
            raise ZeroDivisionError("the game is broken")
        return Broken(self.heap - move, 1 - self.side)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_exception_in_the_game_ends_the_search_with_it(algorithm: str) -> None:
    with pytest.raises(ZeroDivisionError, match="the game is broken"):
        PythonGameSearch(algorithm).run(Broken(9), Limits(iterations=100))


def test_bad_games_and_options() -> None:
    with pytest.raises(GameError, match="over"):
        PythonGameSearch("alphabeta").run(Nim(0), Limits())
    with pytest.raises(GameError, match="one thread"):
        PythonGameSearch("alphabeta", {"threads": "2"})
    with pytest.raises(GameError, match="unknown search"):
        PythonGameSearch("alphabet")
    with pytest.raises(GameError, match="unknown option"):
        PythonGameSearch("alphabeta", {"dept": "2"})
    with pytest.raises(AttributeError, match="side"):
        PythonGameSearch("alphabeta").run(object(), Limits())  # type: ignore[arg-type]
    nowhere = Nim(3)
    nowhere.moves = []
    with pytest.raises(ValueError, match="no moves"):
        PythonGameSearch("alphabeta").run(nowhere, Limits())
