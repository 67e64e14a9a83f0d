"""Searches: what they find, against brute force and published values; and when they stop.

Brute force here is plain minimax over the positions of the core, which other tests hold against
the naive rules.
"""

from __future__ import annotations

import _thread
import csv
import itertools
import math
import operator
import pathlib
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

import mossa
from mossa import Estimate, Exact, Game, GameError, Info, Limits, Position, Search
from mossa.search import SEARCHES

DATA = pathlib.Path(__file__).parent / "data"

every_search = pytest.mark.parametrize("algorithm", SEARCHES)


def make(game: Game, algorithm: str = "alphabeta", **options: str) -> Search:
    """A search with little memory, which is made at once."""
    known = {option.name for option in SEARCHES[algorithm].options}
    return Search(game, algorithm, ({"memory": "1"} if "memory" in known else {}) | options)


# --- scores ---------------------------------------------------------------------------------------

WORST_TO_BEST = [
    Exact(-12),
    Exact(-1, 2),
    Exact(-1, 8),
    Exact(0),
    Exact(1, 9),
    Exact(1, 3),
    Exact(1, 1),
    Exact(12),
]


@pytest.mark.parametrize(("worse", "better"), list(itertools.combinations(WORST_TO_BEST, 2)))
def test_exact_scores_are_ordered(worse: Exact, better: Exact) -> None:
    assert worse < better
    assert better > worse
    assert not better < worse
    assert worse != better
    assert -better < -worse


def test_exact_scores_can_be_sorted() -> None:
    shuffled = WORST_TO_BEST.copy()
    random.Random(1).shuffle(shuffled)
    assert sorted(shuffled) == WORST_TO_BEST
    assert max(shuffled) == Exact(12)
    assert min(shuffled) == Exact(-12)


@pytest.mark.parametrize("compare", [operator.le, operator.ge])
def test_an_exact_score_is_no_better_and_no_worse_than_itself(
    compare: Callable[[object, object], bool],
) -> None:
    assert compare(Exact(1, 3), Exact(1, 3))
    assert compare(Exact(0), Exact(0))
    assert compare(Exact(1, 3), Exact(1, 5)) == (compare is operator.ge)


@pytest.mark.parametrize(
    "score", [*WORST_TO_BEST, Estimate(35), Estimate(0), Estimate(math.inf, 3)]
)
def test_a_score_negated_twice_is_itself(score: Exact | Estimate) -> None:
    negated = -score
    assert negated.value == -score.value
    assert -negated == score
    assert pickle.loads(pickle.dumps(score)) == score
    if isinstance(score, Exact):
        assert (-score).distance == score.distance


def test_estimates_are_ordered() -> None:
    """A win that was found but is not proven outweighs every other opinion."""
    assert Estimate(-3) < Estimate(0) <= Estimate(0) < Estimate(0.5) < Estimate(35)
    assert -Estimate(35) < -Estimate(0.5)
    assert Estimate(35) < Estimate(math.inf, 9) < Estimate(math.inf, 3)
    assert -Estimate(math.inf, 3) < -Estimate(math.inf, 9) < Estimate(-35)


@pytest.mark.parametrize("compare", [operator.lt, operator.gt, operator.le, operator.ge])
def test_a_fact_and_an_opinion_cannot_be_compared(
    compare: Callable[[object, object], bool],
) -> None:
    for one, other in itertools.permutations([Exact(1, 3), Estimate(3)]):
        with pytest.raises(TypeError):
            compare(one, other)
    different: list[object] = [Exact(1), Estimate(1)]
    assert different[0] != different[1]


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Exact(1, 7), "+1 in 7"),
        (Exact(-1, 2), "-1 in 2"),
        (Exact(0), "0"),
        (Exact(12), "+12"),
        (Exact(-3), "-3"),
        (Estimate(35), "~ +35"),
        (Estimate(-0.5), "~ -0.5"),
        (Estimate(math.inf, 7), "~ win in 7"),
        (Estimate(-math.inf, 2), "~ loss in 2"),
    ],
)
def test_scores_as_text(score: Exact | Estimate, text: str) -> None:
    assert str(score) == text


# --- brute force ----------------------------------------------------------------------------------

Truth = tuple[int, int]  # value for the side to move, plies to the end
Memory = dict[int, Truth]


def solve(position: Position, memory: Memory) -> Truth:
    """Plain minimax to the end; a won game is to end soon, a lost one late."""
    known = memory.get(position.key)
    if known is not None:
        return known
    if position.outcome is not None:
        value = position.outcome.value
        truth = (value if position.side is mossa.Side.first else -value), 0
    else:
        truth = max((after(position, move, memory) for move in position.moves), key=merit)
    memory[position.key] = truth
    return truth


def after(position: Position, move: mossa.Move, memory: Memory) -> Truth:
    """What a move leads to, for the side that makes it; the other side need not be next."""
    following = position.play(move)
    value, plies = solve(following, memory)
    return (value if following.side is position.side else -value), plies + 1


def merit(truth: Truth) -> Truth:
    value, plies = truth
    return value, -plies if value > 0 else plies


def random_positions(game: Game, count: int, *, seed: int, plies: int = 0) -> list[Position]:
    """Different positions that random play meets after at least so many plies, as many as found."""
    chance = random.Random(seed)
    found: dict[int, Position] = {}
    for _ in range(20 * count):
        position = game.start()
        while position.outcome is None:
            if position.ply >= plies and chance.random() < 0.3:
                found.setdefault(position.key, position)
                break
            position = position.play(chance.choice(position.moves))
        if len(found) == count:
            break
    return list(found.values())


# The plies from which Python solves the game at once.
LINE_GAMES = {
    "mnk:1x1x1": 0,
    "mnk:1x8x3": 0,
    "mnk:2x2x2": 0,
    "mnk:2x4x3": 0,
    "mnk:2x5x3,exact=yes": 1,
    "mnk:3x3x2": 0,
    "mnk:3x3x3": 0,
    "mnk:3x4x3": 4,
    "mnk:4x3x4": 4,
    "mnk:4x4x3": 8,
    "mnk:4x4x3,exact=yes": 9,
    "mnk:5x4x4": 13,
    "mnk:6x6x4": 29,
    "mnk:7x6x4": 35,
    "mnk:2x40x5": 73,
    "connect:1x7x3": 0,
    "connect:6x1x3": 0,
    "connect:5x2x2": 0,
    "connect:3x3x3": 0,
    "connect:3x4x3": 2,
    "connect:4x3x3": 0,
    "connect:4x4x4": 6,
    "connect:4x5x3": 10,
    "connect:6x7x4": 33,
    "connect:9x8x5": 64,
}
SOWING_GAMES = {
    "kalah:1x1": 0,
    "kalah:1x9": 0,
    "kalah:2x2": 0,
    "kalah:2x5": 0,
    "kalah:3x2": 0,
    "kalah:3x3": 4,
    "kalah:4x1": 0,
    "kalah:4x2": 9,
    "kalah:2x4,empty_capture=yes": 0,
    "kalah:2x4,leftover=none": 0,
    "kalah:2x4,leftover=opponent": 0,
    "kalah:2x4,end=mover": 0,
    "kalah:2x4,majority=yes": 0,
    "kalah:2x4,swap=yes": 0,
    "kalah:2x4,first_extra=no": 0,
    "kalah:3x2,swap=yes,first_extra=no": 0,
    "kalah:3x2,empty_capture=yes,leftover=none,end=mover,majority=yes": 0,
    "kalah:3x3,end=mover,leftover=opponent,swap=yes": 4,
}
PER_GAME = 50


@pytest.mark.parametrize(("name", "plies"), LINE_GAMES.items())
def test_line_games_against_brute_force(name: str, plies: int) -> None:
    """Searched to the end: the value, the plies to it, the move and the line are all perfect."""
    game = mossa.game(name)
    memory: Memory = {}
    for position in random_positions(game, PER_GAME, seed=1, plies=plies):
        info = make(game).run(position, Limits())
        truth = solve(position, memory)
        where = f"{game.name} {position.history_text}"
        assert info.score == Exact(*truth), where
        assert after(position, info.move, memory) == truth, where
        assert_playable(position, info)


@pytest.mark.parametrize(("name", "plies"), SOWING_GAMES.items())
def test_kalah_against_brute_force(name: str, plies: int) -> None:
    """Sides move twice running, and the value is a margin."""
    game = mossa.game(name)
    memory: Memory = {}
    for position in random_positions(game, PER_GAME, seed=2, plies=plies):
        info = make(game).run(position, Limits())
        value, _ = solve(position, memory)
        where = f"{game.name} {position.history_text}"
        assert info.score == Exact(value), where
        assert after(position, info.move, memory)[0] == value, where
        assert_playable(position, info)


# A few of each kind, for the many ways to search them.
SOME_GAMES = {
    "mnk:3x3x3": 1,
    "mnk:2x5x3,exact=yes": 2,
    "connect:3x4x3": 2,
    "connect:4x4x4": 8,
    "kalah:2x5": 0,
    "kalah:3x2": 0,
    "kalah:3x2,swap=yes,first_extra=no": 0,
    "kalah:3x2,empty_capture=yes,leftover=none,end=mover,majority=yes": 0,
}
TECHNIQUES = [
    ("alphabeta", {"table": "off", "pvs": "off", "killers": "off", "history": "off"}),
    ("alphabeta", {"table": "off"}),
    ("alphabeta", {"pvs": "off"}),
    ("alphabeta", {"order": "none"}),
    ("alphabeta", {"order": "centre"}),
    ("alphabeta", {"order": "descending", "killers": "off"}),
    ("alphabeta", {"aspiration": "1"}),
    ("alphabeta", {"aspiration": "30"}),
    ("alphabeta", {"strict": "on"}),
    ("alphabeta", {"forget": "on", "pvs": "off", "table": "off"}),
    ("alphabeta", {"evaluate": "none"}),
    ("alphabeta", {"start": "4"}),
    ("alphabeta", {"resume": "on"}),
    ("alphabeta", {"threads": "3"}),
    ("minimax", {}),
]


@pytest.mark.parametrize(("algorithm", "options"), TECHNIQUES, ids=str)
def test_no_technique_changes_what_is_found(algorithm: str, options: dict[str, str]) -> None:
    for name, plies in SOME_GAMES.items():
        game = mossa.game(name)
        memory: Memory = {}
        for position in random_positions(game, 6, seed=3, plies=plies):
            info = make(game, algorithm, **options).run(position, Limits())
            truth = solve(position, memory)
            where = f"{game.name} {position.history_text}"
            assert info.score == Exact(*truth[: 1 + (game.kind != "kalah")]), where
            assert after(position, info.move, memory)[0] == truth[0], where
            if options.get("table") == "off" or algorithm == "minimax":
                assert end_of(position, info) == truth[0], where


def test_all_threads_are_counted() -> None:
    """Two threads once reported the nodes of one; a limit of nodes holds for all of them too."""
    position = mossa.game("connect4").position("4453")
    one = Search(position.game, "alphabeta").run(position, Limits(depth=10))
    two = Search(position.game, "alphabeta", {"threads": "2"}).run(position, Limits(depth=10))
    assert two.score == one.score
    assert two.nodes > 0.8 * one.nodes
    assert two.evaluations + two.cutoffs + two.table_hits > 0
    limited = Search(position.game, "alphabeta", {"threads": "2"})
    assert 20_000 <= limited.run(position, Limits(nodes=20_000)).nodes < 20_200


def test_a_table_grows_without_forgetting() -> None:
    """It begins with one megabyte; what it knew is found after it has grown."""
    position = mossa.game("connect4").position("4453")
    search = Search(position.game, "alphabeta", {"memory": "64"})
    assert search.run(position, Limits(depth=2)).memory < 2 << 20
    grown = search.run(position, Limits(depth=12))
    assert grown.memory > 8 << 20
    assert search.run(position, Limits(depth=12)).nodes < grown.nodes / 10


def test_limits_beyond_the_integers_of_the_machine() -> None:
    assert Limits(nodes=10**30).nodes == 2**63 - 1
    for depth in (10**30, -(10**30), 0, 10_001):
        with pytest.raises(GameError, match=f"invalid limit 'depth={depth}': a whole number, 1 to"):
            Limits(depth=depth)
    with pytest.raises(GameError, match="invalid limit 'nodes=-1000000000000000000000': a whole"):
        Limits(nodes=-(10**21))
    with pytest.raises(TypeError):
        Limits(depth=1.5)  # type: ignore[arg-type]


def test_a_draw_of_kalah_that_mcts_proves_is_exact() -> None:
    """Of a win it knows the winner but not the margin, which an exact score tells."""
    game = mossa.game("kalah:3x1")
    memory: Memory = {}
    results = set()
    for position in random_positions(game, 20, seed=5, plies=1):
        value = solve(position, memory)[0]
        expected = Exact(0) if value == 0 else Estimate(1000 if value > 0 else -1000)
        assert make(game, "mcts").run(position, Limits(iterations=5000)).score == expected
        results.add(expected)
    assert len(results) == 3


@pytest.mark.parametrize("technique", ["start", "early", "evaluate"])
def test_a_win_may_be_longer_only_where_the_option_says_so(technique: str) -> None:
    """The first depth and the first win found may overlook a quicker one, never the winner."""
    options = {"start": "9", "early": "on", "evaluate": "none"}
    for name in ("mnk:3x3x3", "connect:3x4x3"):
        game = mossa.game(name)
        memory: Memory = {}
        for position in random_positions(game, 15, seed=4, plies=2):
            info = make(game, **{technique: options[technique]}).run(position, Limits())
            assert isinstance(info.score, Exact)
            assert info.score.value == solve(position, memory)[0]


@pytest.mark.parametrize(
    ("algorithm", "options", "limits"),
    [
        ("alphabeta", {}, Limits()),
        ("alphabeta", {"resume": "on"}, Limits()),
        ("gametree", {}, Limits(nodes=20_000)),
        ("gametree", {"width": "2"}, Limits(nodes=20_000)),
        ("mcts", {}, Limits(iterations=3000)),
        ("mcts", {"playout": "tactical", "c": "0.7"}, Limits(iterations=1000)),
        ("mcts", {"threads": "2"}, Limits(iterations=2000)),
    ],
    ids=str,
)
def test_what_is_called_exact_is_true(
    algorithm: str, options: dict[str, str], limits: Limits
) -> None:
    """Also by searches that need not get there, and by those that remember other positions."""
    proven = 0
    for name, plies in SOME_GAMES.items():
        game = mossa.game(name)
        if game.kind == "kalah" and "playout" in options:
            continue
        memory: Memory = {}
        search = make(game, algorithm, **options)
        for position in random_positions(game, 12, seed=5, plies=plies):
            info = search.run(position, limits)
            where = f"{game.name} {position.history_text}"
            assert_playable(position, info)
            if not isinstance(info.score, Exact):
                continue
            proven += 1
            value, plies_left = solve(position, memory)
            assert info.score.value == value, where
            assert after(position, info.move, memory)[0] == value, where
            if info.score.distance is not None:
                assert info.score.distance >= plies_left or value <= 0, where
    assert proven >= 10


def test_a_search_that_is_kept_still_finds_the_quickest_win() -> None:
    """What it remembers of deeper searches must not hide what is near."""
    for name, plies in SOME_GAMES.items():
        game = mossa.game(name)
        memory: Memory = {}
        search = make(game)
        if game.kind == "kalah":
            continue
        for position in random_positions(game, 60, seed=1, plies=plies):
            info = search.run(position, Limits())
            assert info.score == Exact(*solve(position, memory)), position.history_text


def test_the_random_positions_are_many_and_of_every_kind() -> None:
    """What the two tests above rest on: extra turns, wins, losses and draws do occur."""
    total = 0
    extra_turns = 0
    for name, plies in (LINE_GAMES | SOWING_GAMES).items():
        positions = random_positions(mossa.game(name), PER_GAME, seed=2, plies=plies)
        total += len(positions)
        extra_turns += sum(p.play(m).side is p.side for p in positions for m in p.moves)
    assert total > 1200
    assert extra_turns > 300
    for name in ("mnk:3x3x3", "connect:3x3x3", "kalah:3x2"):
        memory: Memory = {}
        positions = random_positions(mossa.game(name), PER_GAME, seed=2)
        signs = {max(-1, min(1, solve(position, memory)[0])) for position in positions}
        assert signs == {-1, 0, 1}, name


def assert_playable(position: Position, info: Info) -> Position:
    """A line begins with the move, and can be played; its last position."""
    assert info.line[0] == info.move
    for move in info.line:
        position = position.play(move)
    return position


def end_of(position: Position, info: Info) -> int:
    """The value at the end of a line that was searched to the end, for the side now to move."""
    last = assert_playable(position, info)
    assert last.outcome is not None, f"{info.line} does not end the game"
    return last.outcome.value * (1 if position.side is mossa.Side.first else -1)


# --- published values -----------------------------------------------------------------------------


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


ENOUGH = Limits(nodes=5_000_000)

QUICK_CONNECT = [
    row
    for row in rows("connect-values.csv")
    if (row["k"] == "3" and row["outcome"] != "D") or int(row["rows"]) * int(row["cols"]) <= 16
]
QUICK_MNK = {(3, 3, 3), (4, 3, 3), (5, 3, 3), (4, 4, 3), (5, 4, 3), (5, 5, 3), (6, 6, 3), (7, 7, 3)}
QUICK_KALAH = [
    row
    for row in rows("kalah-values.csv")
    if int(row["pits"]) <= 2 or int(row["pits"]) * int(row["seeds"]) <= 10
]


@pytest.mark.parametrize(
    ("size", "outcome", "last_move"),
    [
        (f"{row['rows']}x{row['cols']}x{row['k']}", row["outcome"], int(row["last_move"]))
        for row in QUICK_CONNECT
    ],
)
def test_published_values_of_connect(size: str, outcome: str, last_move: int) -> None:
    start = mossa.game(f"connect:{size}").start()
    value = {"1": 1, "D": 0, "2": -1}[outcome]
    assert make(start.game).run(start, ENOUGH).score == Exact(value, last_move)


@pytest.mark.parametrize(
    ("m", "n", "k", "value"),
    [
        (int(row["m"]), int(row["n"]), int(row["k"]), row["value"])
        for row in rows("mnk-values.csv")
        if (int(row["m"]), int(row["n"]), int(row["k"])) in QUICK_MNK
    ],
)
def test_published_values_of_mnk(m: int, n: int, k: int, value: str) -> None:
    for size in {f"{m}x{n}x{k}", f"{n}x{m}x{k}"}:
        start = mossa.game(f"mnk:{size}").start()
        score = make(start.game, near="0").run(start, ENOUGH).score  # with every cell looked at
        assert isinstance(score, Exact)
        assert score.value == {"W": 1, "D": 0}[value]


@pytest.mark.parametrize(
    ("size", "empty_capture", "margin"),
    [
        (f"{row['pits']}x{row['seeds']}", row["empty_capture"], int(row["first_player_margin"]))
        for row in QUICK_KALAH
    ],
)
def test_published_values_of_kalah(size: str, empty_capture: str, margin: int) -> None:
    start = mossa.game(f"kalah:{size},empty_capture={empty_capture}").start()
    assert make(start.game).run(start, ENOUGH).score == Exact(margin)


def test_enough_published_values_are_checked() -> None:
    assert len(QUICK_CONNECT) >= 20
    assert len(QUICK_KALAH) >= 30


# --- what a search says before the end ------------------------------------------------------------


def as_number(score: Exact | Estimate, kind: str) -> float:
    """Wins and losses of line games stand above and below every estimate."""
    if kind == "kalah" or score.distance is None or score.value == 0:
        return score.value
    return math.copysign(1e9 - score.distance, score.value)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize(
    "name", ["connect4", "connect:5x6x3", "mnk:4x4x4", "mnk:5x6x4", "kalah", "bantumi"]
)
def test_a_depth_looks_one_ply_further_than_the_depth_before_it(
    name: str, depth: int, algorithm: str
) -> None:
    """The score of a position is that of its best move, searched one ply less deep."""
    game = mossa.game(name)
    search = make(game, algorithm, **({"table": "off"} if algorithm == "alphabeta" else {}))
    estimates = 0
    for position in random_positions(game, 12, seed=4):
        info = search.run(position, Limits(depth=depth))
        if isinstance(info.score, Exact):
            continue
        estimates += 1
        scores: dict[mossa.Move, float] = {}
        for move in position.moves:
            following = position.play(move)
            if following.outcome is not None:
                sign = 1 if position.side is mossa.Side.first else -1
                value = sign * following.outcome.value
                scores[move] = value if game.kind == "kalah" else value * (1e9 - 1)
            else:
                score = as_number(search.run(following, Limits(depth=depth - 1)).score, game.kind)
                scores[move] = score if following.side is position.side else -score
        best = max(scores.values())
        assert info.depth == depth
        assert info.score == Estimate(best), position.history_text
        assert scores[info.move] == best, position.history_text
    assert estimates >= 6


def test_kalah_counts_the_stores_at_its_horizon() -> None:
    for position in random_positions(mossa.game("kalah"), 60, seed=5, plies=4):
        margins = []
        for move in position.moves:
            (*_, first), (*_, second) = position.play(move).cells
            margins.append(first - second if position.side is mossa.Side.first else second - first)
        info = make(position.game).run(position, Limits(depth=1))
        assert info.score.value == max(margins)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "gametree"])
def test_a_win_on_a_large_board_is_called_one(algorithm: str) -> None:
    """Four in an open row: the fifth wins, whether or not the search has looked at every move."""
    game = mossa.game("gomoku")
    position = game.position("h8 a1 i8 a2 j8 a3 k8 a4")
    info = make(game, algorithm).run(position, Limits(depth=1))
    assert info.move in ("g8", "l8")
    assert info.score in (Exact(1, 1), Estimate(math.inf, 1))


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "gametree"])
def test_a_threat_is_met(algorithm: str) -> None:
    position = mossa.game("gomoku").position("h8 g8 i8 a2 j8 a3 k8")
    assert make(position.game, algorithm).run(position, Limits(depth=2)).move == "l8"
    position = mossa.game("connect4").position("44 45 46")
    assert make(position.game, algorithm).run(position, Limits(depth=2)).move == "4"


# --- limits ---------------------------------------------------------------------------------------

SIZES = ["connect4", "gomoku", "mnk:70x70x10", "mnk:100x100x5", "kalah", "kalah:12x12,swap=yes"]


@every_search
@pytest.mark.parametrize("nodes", [1, 2, 64, 500])
@pytest.mark.parametrize("name", SIZES)
def test_the_node_limit_is_kept(name: str, nodes: int, algorithm: str) -> None:
    start = mossa.game(name).start()
    info = make(start.game, algorithm).run(start, Limits(nodes=nodes))
    # The tree of mcts grows by all moves of a position at once.
    slack = len(start.moves) if algorithm == "mcts" else 0
    assert 1 <= info.nodes <= nodes + slack
    assert_playable(start, info)


@every_search
def test_the_node_limit_is_used(algorithm: str) -> None:
    start = mossa.game("connect4").start()
    assert make(start.game, algorithm).run(start, Limits(nodes=5000)).nodes > 4500


@pytest.mark.parametrize("iterations", [1, 2, 100])
def test_the_iterations_of_mcts(iterations: int) -> None:
    start = mossa.game("connect4").start()
    assert (
        make(start.game, "mcts").run(start, Limits(iterations=iterations)).iterations == iterations
    )


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["connect4", "mnk:4x4x4", "kalah"])
def test_the_depth_limit_is_kept(name: str, depth: int, algorithm: str) -> None:
    start = mossa.game(name).start()
    info = make(start.game, algorithm).run(start, Limits(depth=depth))
    assert info.depth == depth
    assert isinstance(info.score, Estimate)
    assert 1 <= len(info.line) <= depth
    assert_playable(start, info)


@every_search
@pytest.mark.parametrize("limit", [0, 0.06])
@pytest.mark.parametrize("name", SIZES)
def test_the_time_limit_is_kept_and_used(name: str, limit: float, algorithm: str) -> None:
    """No time at all still gives a move. A busy machine gets another chance."""
    start = mossa.game(name).start()
    taken = []
    for _ in range(3):
        search = make(start.game, algorithm)
        begin = time.perf_counter()
        info = search.run(start, Limits(time=limit))
        taken.append(time.perf_counter() - begin)
        assert info.time <= taken[-1]
        assert_playable(start, info)
        if taken[-1] < limit + 0.25:
            break
    assert taken[-1] < limit + 0.25, taken
    # The memory of this search is small: one that keeps a tree may be full before its time.
    assert taken[-1] > limit - 0.01 or algorithm == "gametree"


@every_search
def test_whichever_limit_comes_first_ends_the_search(algorithm: str) -> None:
    start = mossa.game("connect4").start()
    assert make(start.game, algorithm).run(start, Limits(time=60, depth=60, nodes=500)).nodes <= 507
    limits = Limits(time=0.01, depth=60, nodes=10**15, iterations=10**15)
    assert make(start.game, algorithm).run(start, limits).time < 0.3


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "mcts"])
def test_nothing_left_to_search_ends_the_search(algorithm: str) -> None:
    position = mossa.game("connect4").position("4455")
    info = make(position.game, algorithm).run(position, Limits(time=60))
    assert isinstance(info.score, Exact)
    assert info.score.value == 1
    assert info.move in ("3", "6")
    assert info.time < 5


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"time": -1.0}, "seconds, 0 or more"),
        ({"time": math.nan}, "seconds, 0 or more"),
        ({"time": math.inf}, "seconds, 0 or more"),
        ({"nodes": 0}, "1 or more"),
        ({"nodes": -5}, "1 or more"),
        ({"iterations": 0}, "1 or more"),
        ({"depth": 0}, "1 to 10000"),
        ({"depth": -1}, "1 to 10000"),
        ({"depth": 10_001}, "1 to 10000"),
    ],
)
def test_limits_that_make_no_sense(limits: dict[str, float], reason: str) -> None:
    with pytest.raises(GameError) as error:
        Limits(**limits)  # type: ignore[arg-type]
    assert reason in str(error.value)
    assert next(iter(limits)) in str(error.value)
    assert "\n" not in str(error.value)


def test_limits_are_values() -> None:
    limits = Limits(time=0.5, nodes=7, depth=3)
    assert (limits.time, limits.nodes, limits.iterations, limits.depth) == (0.5, 7, None, 3)
    assert repr(limits) == "Limits(time=0.5, nodes=7, depth=3)"
    assert repr(Limits()) == "Limits()"
    assert limits == Limits(time=0.5, nodes=7, depth=3)
    assert hash(limits) == hash(Limits(time=0.5, nodes=7, depth=3))
    assert limits != Limits(time=0.5, nodes=7)


# --- the same again -------------------------------------------------------------------------------


@every_search
@pytest.mark.parametrize("name", ["connect4", "gomoku", "mnk:40x40x8", "kalah", "bantumi"])
def test_the_same_search_twice_is_the_same(name: str, algorithm: str) -> None:
    game = mossa.game(name)
    for position in random_positions(game, 2, seed=6):
        for limits in (Limits(depth=2, nodes=2000, iterations=20), Limits(nodes=999)):
            one, other = (make(game, algorithm).run(position, limits) for _ in range(2))
            assert facts_of(one) == facts_of(other)


@every_search
def test_a_game_by_node_limits_can_be_repeated(algorithm: str) -> None:
    def whole_game() -> list[object]:
        position = mossa.game("connect:5x5x4").start()
        search = make(position.game, algorithm)
        found = []
        while position.outcome is None:
            info = search.run(position, Limits(nodes=2000))
            found.append(facts_of(info))
            position = position.play(info.move)
        return found

    game = whole_game()
    assert len(game) >= 7
    assert game == whole_game()


def facts_of(info: Info) -> object:
    counts = info.nodes, info.evaluations, info.cutoffs, info.table_hits, info.iterations
    return info.move, info.score, info.line, info.depth, counts


@every_search
def test_a_search_says_what_it_cost(algorithm: str) -> None:
    start = mossa.game("connect4").start()
    info = make(start.game, algorithm).run(start, Limits(depth=5, nodes=3000))
    assert info.nodes > 1000 or info.table_hits > 0
    assert info.evaluations > 0
    assert 0 < info.time < 5
    assert info.memory > 0


# --- reports, stopping, misuse, Ctrl-C, threads ---------------------------------------------------


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
