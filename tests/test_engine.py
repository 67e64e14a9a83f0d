"""The engine: proven play where it can be proven in time, sound play elsewhere."""

import math
import random
import threading
from time import perf_counter

import pytest

import mossa
from mossa import Bound, Estimate, Exact, Limits, Solver, StopToken
from mossa.networks import network_for
from mossa.players.engine import Engine
from mossa.players.refuter import Refuter
from mossa.players.stubborn import Stubborn
from mossa.players.variety import Variety


def keeps_the_score(position: mossa.Position, move: mossa.Move, solver: Solver) -> bool:
    """Tell whether a move is as good as any, in outcome and distance."""
    scores = dict(solver.moves(position))
    best = max(score for score in scores.values() if isinstance(score, Exact))
    return scores[move] == best


@pytest.mark.parametrize(
    "name", ["connect:4x4x3", "connect:4x5x4", "connect:5x4x4", "connect:5x6x4"]
)
def test_it_plays_solved_boards_perfectly(name: str) -> None:
    game = mossa.game(name)
    solver = Solver(game, memory=16)
    engine = Engine(limits=Limits(time=1), memory=16)
    rng = random.Random(name)
    for _ in range(6):
        position = game.start()
        while position.outcome is None:
            if rng.random() < 0.4:
                position = position.play(rng.choice(position.moves))
                continue
            choice = engine.choose(position, Limits())
            assert keeps_the_score(position, choice.move, solver), position.history_text
            assert choice.info is not None and isinstance(choice.info.score, Exact)
            position = position.play(choice.move)


def test_its_line_is_best_play_to_the_end() -> None:
    position = mossa.game("connect4").position("4 4 4 4 4 2 2 3 3 1 6 7")
    info = Engine().choose(position, Limits(time=5)).info
    assert info is not None
    truth = mossa.solve(position)
    assert info.score == truth.score
    assert info.depth == len(info.line) == truth.proven.distance
    assert position.after(info.line).outcome is not None


@pytest.mark.parametrize(
    "name", ["connect:12x12x5", "connect:20x20x10", "connect:100x100x10", "mnk:10x10x5", "kalah"]
)
def test_it_plays_what_nobody_can_solve(name: str) -> None:
    engine = mossa.player("engine:time=0.2,memory=16")
    position = mossa.game(name).start()
    for _ in range(3):
        begin = perf_counter()
        choice = engine.choose(position, Limits())
        assert perf_counter() - begin < 2, "the limit is 0.2 s; the machine may be busy"
        position = position.play(choice.move)


def test_it_sees_a_win_and_a_threat_on_a_board_too_large_to_solve() -> None:
    engine = mossa.player("engine:time=0.3,memory=16")
    game = mossa.game("connect:15x15x5")
    for text, move in [("1 9 1 9 1 9 1 9", "1"), ("1 9 2 9 4 9 15 9", "9")]:
        position = game.position(text)
        assert str(engine.choose(position, Limits()).move) == move


def test_it_keeps_to_nodes_and_depth() -> None:
    position = mossa.game("connect4").start()
    info = Engine(memory=16).choose(position.play("4"), Limits(nodes=20_000)).info
    assert info is not None and info.nodes < 30_000
    deep = mossa.game("connect:9x9x4").start()
    info = Engine(memory=16).choose(deep, Limits(depth=4)).info
    assert info is not None and info.depth == 4


def test_it_can_be_stopped_and_reports() -> None:
    engine, stop = Engine(memory=16), StopToken()
    seen: list[mossa.Info] = []
    timer = threading.Timer(0.3, stop.stop)
    timer.start()
    begin = perf_counter()
    position = mossa.game("connect:9x9x4").start()
    engine.choose(position, Limits(time=60), report=seen.append, stop=stop)
    assert perf_counter() - begin < 20
    assert seen


def test_it_changes_games() -> None:
    engine = Engine(limits=Limits(time=0.05), memory=16)
    for name in ("connect:4x4x3", "kalah:4x2", "connect:4x4x4", "tictactoe"):
        position = mossa.game(name).start()
        assert engine.choose(position, Limits()).move in position.moves


@pytest.mark.parametrize(
    "spec", ["engine:memory=0", "engine:book=no", "engine:5", "engine:vary=-1", "engine:vary=x"]
)
def test_bad_options_are_refused(spec: str) -> None:
    with pytest.raises(mossa.InvalidPlayerError):
        mossa.player(spec)


def test_parity_is_for_falling_stones() -> None:
    with pytest.raises(mossa.InvalidPlayerError, match="does not work for this game"):
        mossa.player("alphabeta:evaluate=parity").choose(
            mossa.game("tictactoe").start(), Limits(depth=1)
        )


def errors_after(position: mossa.Position, move: mossa.Move, solver: Solver) -> int:
    """Count the replies to a move that are not the best."""
    replies = [score for _, score in solver.moves(position.play(move)) if isinstance(score, Exact)]
    return sum(score.result < max(replies).result for score in replies)


@pytest.mark.parametrize(
    ("name", "moves", "result"),
    [
        ("connect:5x6x4", "3 3", 0),
        ("connect:4x6x4", "3 4 3 3", -1),
        pytest.param("connect:6x6x4", "4 1 4", 0, marks=pytest.mark.slow),
        ("mnk:5x5x4", "c3", 0),
        ("kalah:3x3", "3 1", None),
    ],
)
def test_lost_and_drawn_it_sets_problems(name: str, moves: str, result: int | None) -> None:
    """The opponent has more ways to go wrong than after any other move that is as good."""
    position = mossa.game(name).position(moves)
    solver = Solver(position.game, memory=16)
    choice = Engine(limits=Limits(time=20), memory=16, book=False).choose(position, Limits())
    scores = {move: score for move, score in solver.moves(position) if isinstance(score, Exact)}
    best = max(scores.values())
    assert result is None or best.result == result
    assert choice.info is not None and choice.info.score.result == best.result
    longest = max(s.distance or 0 for s in scores.values() if s.result == best.result)
    peers = [
        move
        for move, score in scores.items()
        if score.result == best.result and (best.standing == 0 or (score.distance or 0) >= longest)
    ]
    assert choice.move in peers
    errors = {
        move: errors_after(position, move, solver)
        for move in peers
        if position.play(move).side is not position.side
    }
    assert errors.get(choice.move, 0) == max(errors.values(), default=0)


def test_lost_it_does_not_end_the_game_while_another_move_is_as_good() -> None:
    """It once failed with an error when the best move ended the game."""
    moves = "4 4 2 3 1 4 2 3 2 1 1 4 4 1 1 2 1 4 3 3 4 2 1 1"
    position = mossa.game("kalah:4x3").position(moves)
    ending, other = position.moves
    assert position.play(ending).outcome is not None
    solver = Solver(position.game, memory=1)
    assert solver.move_score(position, ending) == solver.move_score(position, other) == Exact(-4)
    stubborn = Stubborn(solver, counts_plies=True, left=Limits)
    assert stubborn.choose(position, ending, Exact(-4)) == other
    spent = Stubborn(solver, counts_plies=True, left=lambda: Limits(nodes=1))
    assert spent.choose(position, ending, Exact(-4)) == ending


@pytest.mark.parametrize("work", [500, 30_000, 10**9], ids=["a glance", "a look", "too much"])
def test_lost_it_plays_the_move_that_takes_most_work(
    work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It once found that move and played another, because there was nothing to compare it with."""
    position = mossa.game("mnk:6x6x4").position("c3 a1 d4")
    solver = Solver(position.game, memory=1)
    hardest = position.moves[5]

    def score(_: object, move: mossa.Move, limits: Limits, **__: object) -> Exact | Bound:
        assert limits.nodes is not None
        needed, length = (work, 20) if move == hardest else (400, 8)
        return Exact(-1, length) if limits.nodes >= needed else Bound(Exact(-1), Exact(1))

    monkeypatch.setattr(solver, "move_score", score)
    stubborn = Stubborn(solver, counts_plies=False, left=Limits)
    assert stubborn.choose(position, position.moves[0], Exact(-1, 8)) == hardest


@pytest.mark.parametrize("left", [Limits(time=0.0), Limits(nodes=1)], ids=["time", "nodes"])
@pytest.mark.parametrize("score", [Exact(0, 60), Exact(-1, 8)], ids=str)
def test_problems_cost_nothing_once_the_limits_are_spent(
    left: Limits, score: Exact, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On 10x10x5 it asked the solver hundreds of times with no time left, and lost on time."""
    position = mossa.game("mnk:10x10x5").position("e5 f6 e6")
    solver = Solver(position.game, memory=1)
    asked: list[object] = []
    monkeypatch.setattr(solver, "move_score", lambda *given, **_: asked.append(given))
    best = position.moves[0]
    stubborn = Stubborn(solver, counts_plies=False, left=lambda: left)
    assert stubborn.choose(position, best, score) in position.moves
    assert asked == []


def test_setting_problems_keeps_to_the_limits() -> None:
    position = mossa.game("connect:6x7x4").position("4 4 4 4 4 2 4")
    engine = Engine(memory=16)
    info = engine.choose(position, Limits(nodes=300_000)).info
    assert info is not None and info.nodes < 400_000
    begin = perf_counter()
    engine.choose(position.play("1"), Limits(time=0.3))
    assert perf_counter() - begin < 3


@pytest.mark.parametrize(("net", "evaluate"), [("off", "seeds"), ("shipped", "net")])
def test_it_searches_kalah_by_turns(net: str, evaluate: str) -> None:
    """Where the solver does not finish; a turn with extra moves counts once."""
    position = mossa.game("kalah:6x6").start()
    options = {"evaluate": evaluate, "turns": "on"}
    network = network_for(net, position.game)
    core = None if network is None else network.core
    for depth in range(1, 5):
        search = mossa.Search(position.game, "alphabeta", options, network=core)
        expected = search.run(position, Limits(depth=depth))
        info = Engine(memory=16, book=False, net=net).choose(position, Limits(depth=depth)).info
        assert info is not None
        assert (info.depth, info.score) == (depth, expected.score)


@pytest.mark.parametrize("name", ["kalah:6x6", "kalah:4x3", "bantumi"])
def test_two_turns_are_a_hand(name: str) -> None:
    """The value of minimax, which counts hands, for 1 and 2 of them."""
    position = mossa.game(name).start()
    for hands in (1, 2):
        by_hands = mossa.Search(position.game, "minimax", {"hands": str(hands)})
        by_turns = mossa.Search(position.game, "alphabeta", {"turns": "on"})
        expected = by_hands.run(position, Limits()).score
        assert by_turns.run(position, Limits(depth=2 * hands)).score == expected


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("connect:7x7x5", "6 1 1 4 4 4 4 4 4 6 6 2"),
        ("connect:7x7x5", "4 6 2 1 4 4 4 4 4 2 2 2 2 2"),
        ("connect:8x8x5", "8 8 1 4 4 4 4 4 4 4 4 1 3 1 5 2 2 2 2 2 6 6 6 6 6 6 6 6"),
    ],
)
def test_it_keeps_a_win_that_it_cannot_measure(name: str, moves: str) -> None:
    """The solver knows who wins long before it knows how soon."""
    position = mossa.game(name).position(moves)
    choice = Engine(memory=16, book=False).choose(position, Limits(nodes=300_000))
    assert choice.info is not None and isinstance(choice.info.score, Estimate)
    assert choice.info.nodes <= 300_000
    solver = Solver(position.game, memory=32)
    score = solver.solve(position.play(choice.move), Limits(nodes=1_000_000)).score
    assert (score.high if isinstance(score, Bound) else score).value < 0


# --- the solver checks what the search has found --------------------------------------------------

LOSING = "4 3 6 8 2 1 2 6 6 6 6 6 3 2 2 3 2 2 6 2 1 4 4 4 8 4 4 8 6 4 8"
"""On connect:8x8x5; 8 draws, the search prefers moves that lose."""


def test_it_plays_no_move_that_the_solver_can_refute(monkeypatch: pytest.MonkeyPatch) -> None:
    position = mossa.game("connect:8x8x5").position(LOSING)
    # With 400,000 nodes the solver settles the position, so there is nothing to check. With 50,000
    # to 250,000 (five limits tried) its check is too short and the engine plays a losing move.
    limits = Limits(nodes=300_000)
    choice = Engine(memory=16, book=False).choose(position, limits)
    monkeypatch.setattr("mossa.players.engine.LEAST_CHANCE", math.inf)
    unchecked = Engine(memory=16, book=False).choose(position, limits)
    refuter = Refuter(Solver(position.game, memory=64), lambda *_: pytest.fail("no search needed"))
    assert refuter.loses(position, unchecked.move, Limits(nodes=1_000_000))
    assert not refuter.loses(position, choice.move, Limits(nodes=1_000_000))
    assert choice.info is not None and isinstance(choice.info.score, Estimate)
    assert choice.info.nodes <= 300_000


def test_a_refuted_move_gives_way_to_the_best_of_the_others() -> None:
    position = mossa.game("connect4").position("736717266")  # 1, 3 and 5 lose, the others draw
    solver = Solver(position.game, memory=16)
    liked = {"1": 5, "2": 3, "3": 8, "4": 1, "5": 0, "6": -9, "7": -1}

    def look(after: mossa.Position, limits: Limits) -> mossa.Info:
        value = Estimate(-liked[str(after.history[-1])])  # as the other side sees it
        return mossa.Info(after.moves[0], value, [after.moves[0]], 1, 10, 0.0, 0)

    refuter = Refuter(solver, look)
    lost = [str(m) for m in position.moves if refuter.loses(position, m, Limits())]
    assert lost == ["1", "3", "5"]
    third = position.moves[2]
    instead = refuter.instead_of(
        mossa.Info(third, Estimate(8), [third], 1, 7, 0.0, 0), position, Limits()
    )
    assert str(instead.move) == "2" and instead.score == Estimate(3)
    assert instead.line[0] == instead.move
    assert instead.nodes == 7 + 6 * 10


def test_where_every_move_is_refuted_the_search_has_its_way() -> None:
    position = mossa.game("connect4").position("4444442222")
    lost = mossa.Info(position.moves[0], Estimate(-1), [position.moves[0]], 1, 7, 0.0, 0)

    class AllLost(Refuter):
        def loses(self, position: mossa.Position, move: mossa.Move, limits: Limits) -> bool:
            return True

    refuter = AllLost(Solver(position.game, memory=16), lambda after, limits: lost)
    assert refuter.instead_of(lost, position, Limits()).move == lost.move


# --- other first moves ----------------------------------------------------------------------------


def opening(seed: int, name: str, plies: int = 8) -> str:
    """The first moves of the varying engine against itself."""
    engine = mossa.player(f"engine:vary=4,seed={seed},memory=4,book=off,nodes=1000")
    position = mossa.game(name).start()
    for _ in range(plies):
        position = position.play(engine.choose(position, Limits()).move)
    return " ".join(map(str, position.history))


@pytest.mark.parametrize("name", ["connect:8x8x5", "mnk:15x15x5", "kalah:6x6", "breakthrough"])
def test_it_varies_its_first_moves(name: str) -> None:
    openings = {seed: opening(seed, name) for seed in range(4)}
    assert len(set(openings.values())) > 1
    assert openings[1] == opening(1, name)


def test_it_varies_no_more_moves_than_asked_for() -> None:
    position = mossa.game("breakthrough").position("b2b3 b7b6")
    plain = Engine(memory=4, book=False).choose(position, Limits(nodes=1000))
    for seed in range(3):
        engine = Engine(memory=4, book=False, vary=1, seed=seed)
        assert engine.choose(position, Limits(nodes=1000)).move == plain.move


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("connect4", "4 1 4 1"),  # some moves win
        ("connect:5x5x4", "3 3 3 2"),
        ("mnk:5x5x4", "c3 a1"),
        ("tictactoe", "a1"),  # only the centre draws
        ("kalah:3x3", "3 1"),
    ],
)
def test_varying_gives_away_nothing_that_is_proven(name: str, moves: str) -> None:
    position = mossa.game(name).position(moves)
    scores = dict(Solver(position.game, memory=16).moves(position))
    best = max(score for score in scores.values() if isinstance(score, Exact))
    for seed in range(6):
        engine = Engine(memory=16, book=False, vary=9, seed=seed)
        choice = engine.choose(position, Limits(nodes=200_000))
        score = scores[choice.move]
        assert isinstance(score, Exact) and score.value == best.value
        assert choice.info is not None and choice.info.score.value == best.value


def test_varying_keeps_to_the_limits() -> None:
    for name in ("connect:8x8x5", "mnk:15x15x5", "kalah:6x6"):
        engine = Engine(memory=4, book=False, vary=4, seed=1)
        info = engine.choose(mossa.game(name).start(), Limits(nodes=3000)).info
        assert info is not None and info.nodes <= 3100


def test_varying_leaves_out_what_is_decided() -> None:
    """One that seems lost is far from the best, and must not make everything else seem near."""
    position = mossa.game("connect4").start()
    values = {"4": 10.0, "3": 8.0, "5": -4.0, "1": -math.inf, "2": -math.inf, "6": -20.0}

    def look(after: mossa.Position, parts: int) -> mossa.Info:
        move = str(after.last_move)
        score: mossa.Score = mossa.Estimate(-values.get(move, -math.inf), None)
        if move == "7":
            score = Exact(1, 4)
        return mossa.Info(after.moves[0], score, [after.moves[0]], 1, 1, 0.0, 0)

    four = mossa.Move("4")
    best = mossa.Info(four, mossa.Estimate(10.0), [four], 9, 1, 0.0, 0)
    picked = {str(Variety(1, seed).pick(position, best, look).move) for seed in range(60)}
    assert picked == {"3", "4"}
