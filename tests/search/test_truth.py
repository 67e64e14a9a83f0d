"""What searches find, against brute force and published values."""

from __future__ import annotations

import csv
import pathlib

import pytest
from brute_force import BruteForce
from search_checks import assert_playable, make, random_positions

import mossa
from mossa import Estimate, Exact, Info, Limits, Position

DATA = pathlib.Path(__file__).parents[1] / "data"


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
    "oware:2x1": 0,
    "oware:2x1,repeat=share": 0,
    "oware:2x2,slam=take": 6,
    "oware:2x2,slam=forbid,repeat=share": 6,
}
PER_GAME = 50


@pytest.mark.parametrize(("name", "plies"), (LINE_GAMES | SOWING_GAMES).items())
def test_games_against_brute_force(name: str, plies: int, oracle: BruteForce) -> None:
    """Searched to the end: the score, the move and the line are all perfect.

    In line games the plies to the end count too; in kalah sides move twice running, and the value
    is a margin.
    """
    game = mossa.game(name)
    for position in random_positions(game, PER_GAME, seed=2, plies=plies):
        info = make(game).run(position, Limits())
        truth = oracle.score(position)
        where = f"{game.name} {position.history_text}"
        assert info.score == truth, where
        assert oracle.after(position, info.move) == truth, where
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
def test_no_technique_changes_what_is_found(
    algorithm: str, options: dict[str, str], oracle: BruteForce
) -> None:
    for name, plies in SOME_GAMES.items():
        game = mossa.game(name)
        for position in random_positions(game, 6, seed=3, plies=plies):
            info = make(game, algorithm, **options).run(position, Limits())
            truth = oracle.score(position)
            where = f"{game.name} {position.history_text}"
            assert info.score == truth, where
            assert oracle.after(position, info.move).value == truth.value, where
            if options.get("table") == "off" or algorithm == "minimax":
                assert end_of(position, info) == truth.value, where


def test_a_draw_of_kalah_that_mcts_proves_is_exact(oracle: BruteForce) -> None:
    """Of a win it knows the winner but not the margin, which an exact score tells."""
    game = mossa.game("kalah:3x1")
    results = set()
    for position in random_positions(game, 20, seed=5, plies=1):
        value = oracle.score(position).value
        expected = Exact(0) if value == 0 else Estimate(1000 if value > 0 else -1000)
        assert make(game, "mcts").run(position, Limits(iterations=5000)).score == expected
        results.add(expected)
    assert len(results) == 3


@pytest.mark.parametrize("technique", ["start", "early", "evaluate"])
def test_a_win_may_be_longer_only_where_the_option_says_so(
    technique: str, oracle: BruteForce
) -> None:
    """The first depth and the first win found may overlook a quicker one, never the winner."""
    options = {"start": "9", "early": "on", "evaluate": "none"}
    for name in ("mnk:3x3x3", "connect:3x4x3"):
        game = mossa.game(name)
        for position in random_positions(game, 15, seed=4, plies=2):
            info = make(game, **{technique: options[technique]}).run(position, Limits())
            assert isinstance(info.score, Exact)
            assert info.score.value == oracle.score(position).value


@pytest.mark.parametrize(
    ("algorithm", "options", "limits"),
    [
        ("alphabeta", {}, Limits()),
        ("alphabeta", {"resume": "on"}, Limits()),
        ("gametree", {}, Limits(nodes=20_000)),
        ("gametree", {"width": "2"}, Limits(nodes=20_000)),
        ("gametree", {"width": "0", "near": "0", "threads": "3"}, Limits(nodes=20_000)),
        ("mcts", {}, Limits(iterations=3000)),
        ("mcts", {"playout": "tactical", "c": "0.7"}, Limits(iterations=1000)),
        ("mcts", {"threads": "2"}, Limits(iterations=2000)),
    ],
    ids=str,
)
def test_what_is_called_exact_is_true(
    algorithm: str, options: dict[str, str], limits: Limits, oracle: BruteForce
) -> None:
    """Also by searches that need not get there, and by those that remember other positions."""
    proven = 0
    for name, plies in SOME_GAMES.items():
        game = mossa.game(name)
        if game.kind == "kalah" and "playout" in options:
            continue
        search = make(game, algorithm, **options)
        for position in random_positions(game, 12, seed=5, plies=plies):
            info = search.run(position, limits)
            where = f"{game.name} {position.history_text}"
            assert_playable(position, info)
            if not isinstance(info.score, Exact):
                continue
            proven += 1
            truth = oracle.score(position)
            assert info.score.value == truth.value, where
            assert oracle.after(position, info.move).value == truth.value, where
            if info.score.distance is not None and truth.value > 0:
                assert info.score.distance >= (truth.distance or 0), where
    assert proven >= 10


def test_a_search_that_is_kept_still_finds_the_quickest_win(oracle: BruteForce) -> None:
    """What it remembers of deeper searches must not hide what is near."""
    for name, plies in SOME_GAMES.items():
        game = mossa.game(name)
        search = make(game)
        if game.kind == "kalah":
            continue
        for position in random_positions(game, 60, seed=1, plies=plies):
            info = search.run(position, Limits())
            assert info.score == oracle.score(position), position.history_text


def test_the_random_positions_are_many_and_of_every_kind(oracle: BruteForce) -> None:
    """What the tests above rest on: extra turns, wins, losses and draws do occur."""
    total = 0
    extra_turns = 0
    for name, plies in (LINE_GAMES | SOWING_GAMES).items():
        positions = random_positions(mossa.game(name), PER_GAME, seed=2, plies=plies)
        total += len(positions)
        extra_turns += sum(p.play(m).side is p.side for p in positions for m in p.moves)
    assert total > 1200
    assert extra_turns > 300
    for name in ("mnk:3x3x3", "connect:3x3x3", "kalah:3x2"):
        positions = random_positions(mossa.game(name), PER_GAME, seed=2)
        signs = {max(-1, min(1, oracle.score(position).value)) for position in positions}
        assert signs == {-1, 0, 1}, name


def end_of(position: Position, info: Info) -> int:
    """The value at the end of a line that was searched to the end, for the side now to move."""
    last = assert_playable(position, info)
    assert last.outcome is not None, f"{info.line} does not end the game"
    return last.outcome.value * (1 if position.side is mossa.Side.first else -1)


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
