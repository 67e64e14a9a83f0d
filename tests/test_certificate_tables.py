"""Certificates of connect and kalah: what is written is proven, what is false is refused."""

from __future__ import annotations

import ast
import json
import pathlib
from typing import Any
from unittest.mock import patch

import pytest

import mossa
from mossa import GameError, Solver
from mossa.solving.certificate import certificate, write_certificate
from mossa.solving.certificate_check import CertificateError, check, check_certificate
from mossa.solving.certificates import (
    connect,
    connect_writer,
    kalah,
    kalah_writer,
    mnk,
    reading,
)


def made(name: str, moves: str = "", alone: int = 20) -> dict[str, Any]:
    """A certificate with entries even where the checker would soon find them by itself."""
    game = mossa.game(name)
    with (
        patch.object(connect_writer, "ALONE", alone),
        patch.object(kalah_writer, "ALONE", alone),
    ):
        (data,), _ = certificate(Solver(game, memory=8), game.position(moves))
    return dict(json.loads(json.dumps(data)))


CASES = [
    ("connect:4x4x4", ""),
    ("connect:4x5x4", "3"),
    ("connect:4x4x3", ""),
    ("connect:1x4x2", "1"),
    ("connect:5x4x3", "1"),
    ("connect4", "37226526741243217432563655"),
    ("kalah:3x3", ""),
    ("kalah:4x3", "2 4"),
    ("kalah:3x3,swap=yes", "1"),
    ("kalah:3x3,first_extra=no,empty_capture=yes", ""),
    ("kalah:3x2,majority=yes,leftover=none,end=mover", ""),
]


@pytest.mark.parametrize(("name", "moves"), CASES)
def test_what_is_written_is_proven(name: str, moves: str) -> None:
    proven = check([made(name, moves)])
    score = mossa.solve(mossa.game(name).position(moves)).proven
    assert (proven["value"], proven.get("distance")) == (score.value, score.distance)


@pytest.mark.parametrize(("name", "moves"), CASES)
def test_any_other_score_is_refused(name: str, moves: str) -> None:
    data = made(name, moves)
    scores = [
        (value, distance)
        for value in range(-4, 5)
        for distance in (range(-1, 20) if "distance" in data else [None])
        if (value, distance) != (data["value"], data.get("distance"))
    ]
    for value, distance in scores:
        claim = {**data, "value": value}
        if distance is not None:
            claim["distance"] = distance
        with pytest.raises(CertificateError):
            check([claim])


@pytest.mark.parametrize(
    "name", ["connect:4x5x4", pytest.param("connect:5x5x4", marks=pytest.mark.slow), "kalah:4x3"]
)
def test_files_are_small_and_checked_in_seconds(name: str, tmp_path: pathlib.Path) -> None:
    """And the tables are needed: the checker alone would look at far more."""
    game, path = mossa.game(name), tmp_path / "proof.json"
    assert 3 < write_certificate(Solver(game, memory=16), game.start(), path) < 1000
    assert path.stat().st_size < 20_000
    seen = [0]
    check_certificate(path, seen.append)
    data = json.loads(path.read_text())
    data["moves"] = {side: {} for side in data["moves"]}
    with patch.object(reading, "MOST_LOOKS", seen[-1] + 1000):
        check_certificate(path)
        with pytest.raises(CertificateError, match=r"more than .* positions"):
            check([data])


@pytest.mark.parametrize(
    ("name", "side", "start", "words"),
    [
        ("connect:4x4x3", "x", "///", "not shown that x completes a line with stone 9"),
        ("kalah:3x3", "first", "3,3,3/3,3,3", "not shown that first gets 2 or more"),
    ],
)
def test_a_move_that_is_not_best_fails(name: str, side: str, start: str, words: str) -> None:
    data = made(name)
    solution = mossa.solve(mossa.game(name).start())
    good = {int(str(move)) for move, score in solution.moves.items() if score == solution.score}
    assert good < {int(str(move)) for move in solution.moves}
    for move in (int(str(each)) for each in solution.moves):
        claim = {**data, "moves": {**data["moves"], side: {start: move}}}
        if move in good:
            check([claim])
        else:
            with pytest.raises(CertificateError, match=words):
                check([claim])


def test_tables_persuade_nobody() -> None:
    """Entries for the wrong side, for positions that cannot be, and for a finished game."""
    data = made("connect:3x3x3")
    empty = {**data, "moves": {"x": {}, "o": {}}}
    assert check([empty])["value"] == 0
    for table in ({"ooo//xxx": 2}, {"x/o/xo": 1}, {"/oox/xxo": 1}):
        assert check([{**empty, "moves": {"x": table, "o": {}}}])["value"] == 0
    with pytest.raises(CertificateError, match="with o to move"):
        check([{**empty, "moves": {"x": {}, "o": {"x/o/": 1}}}])


CONNECT_TABLES: dict[str, Any] = {
    "a full column": {"xox//o": 1},
    "a column that there is not": {"//": 4},
    "column 0": {"//": 0},
    "a column below 0": {"//": -1},
    "a truth": {"//": True},
    "a fraction": {"//": 2.0},
    "a text": {"//": "2"},
    "nothing": {"//": None},
    "too many columns": {"///": 1},
    "too few columns": {"/": 1},
    "a stack that is too high": {"xoxo//": 2},
    "other letters": {"a/d/": 1},
    "the other image": {"xo//": 1},
    "the other side to move": {"/x/": 1},
    "a list": [],
    "no table": None,
}


@pytest.mark.parametrize("name", CONNECT_TABLES)
def test_tables_of_connect_that_say_nothing_are_refused(name: str) -> None:
    data = made("connect:3x3x3")
    with pytest.raises(CertificateError):
        check([{**data, "moves": {"x": CONNECT_TABLES[name], "o": {}}}])


KALAH_TABLES: dict[str, Any] = {
    "an empty pit": {"0,1/1,1": 1},
    "a pit that there is not": {"2,2/2,2": 3},
    "pit 0": {"2,2/2,2": 0},
    "a pit below 0": {"2,2/2,2": -1},
    "a truth": {"2,2/2,2": True},
    "a fraction": {"2,2/2,2": 2.0},
    "a swap that is not offered": {"2,2/2,2": "swap"},
    "a swap by first": {"2,2/2,2,swap": "swap"},
    "too many seeds": {"3,2/2,2": 1},
    "too many pits": {"1,1,1/1,1,1": 1},
    "too few pits": {"1/1": 1},
    "stores": {"2,2,0/2,2,0": 1},
    "a number written otherwise": {"02,2/2,2": 1},
    "digits of others": {"\u0662,2/2,2": 1},
    "a board below 0": {"-1,2/2,2": 2},
    "a list": [],
    "no table": None,
}


@pytest.mark.parametrize("name", KALAH_TABLES)
def test_tables_of_kalah_that_say_nothing_are_refused(name: str) -> None:
    data = made("kalah:2x2")
    with pytest.raises(CertificateError):
        check([{**data, "moves": {"first": KALAH_TABLES[name], "second": {}}}])


@pytest.mark.parametrize(
    "change",
    [
        {"side": ""},
        {"side": "o"},
        {"side": ["x"]},
        {"value": False},
        {"value": 0.0},
        {"distance": None},
        {"distance": 9.0},
        {"distance": 8},
        {"game": "connect:3x3x4"},
        {"game": "connect:03x3x3"},
        {"game": "connect:12x12x4"},
        {"game": "connect:3x3x3,exact=yes"},
        {"game": "mnk:3x3x3"},
        {"game": "kalah:3x3"},
        {"board": ".../..."},
        {"board": "x../.../..."},  # hangs in the air
        {"board": "..o/..x/xxo"},
        {"board": "xoo/oxx/xox"},  # over
        {"board": "xox/xoo/oxx"},
        {"board": None},
        {"moves": {}},
        {"moves": {"x": {}, "o": {}, "y": {}}},
        {"more": 1},
        {"format": "mossa certificate 1"},
    ],
)
def test_claims_of_connect_that_say_nothing_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(CertificateError):
        check([{**made("connect:3x3x3"), **change}])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"value": 2.0}, "the value a JSON float"),
        ({"value": 9}, "is not -8 to 8"),
        ({"game": "kalah:2x2,swap=maybe"}, "the option 'swap=maybe'"),
        ({"game": "kalah:2x2,repeat=row"}, "the option 'repeat=row'"),
        ({"game": "kalah:2x2,swap=no,swap=yes"}, "an option twice"),
        ({"game": "kalah:13x1"}, "up to 12 pits and 255 seeds"),
        ({"game": "kalah:12x12"}, "up to 12 pits and 255 seeds"),
        ({"game": "kalah"}, "kalah:PITSxSEEDS has them"),
        ({"game": "oware:2x2"}, "connect, kalah, mnk have them"),
        ({"board": "2,2,0/2,2,1 first"}, "are not 8"),
        ({"board": "2,2,0/2,2,0"}, "whose turn it is"),
        ({"board": "2,2,0/2,2,0 third"}, "whose turn it is"),
        ({"board": "2,2,0/2,2,0 first\n"}, "whose turn it is"),
        ({"board": "2,2,0/2,2,0 second,swap"}, "there is no swap"),
        ({"board": "0,0,4/2,2,0 first"}, "the game is over"),
        ({"board": "2,2,0/0,0,4 first"}, "the game is over"),
        ({"moves": {"first": {}}}, "the fields first, second"),
        ({"side": "first"}, "the fields format"),
    ],
)
def test_claims_of_kalah_that_say_nothing_are_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(CertificateError, match=words):
        check([{**made("kalah:2x2"), **change}])


def test_a_swap_exchanges_the_stores() -> None:
    """Once the checker thought that no lead changes by more than the seeds in the pits."""
    claim = {
        "format": reading.FORMAT,
        "game": "kalah:2x1,swap=yes,end=mover",
        "board": "0,0,3/0,1,0 second,swap",
        "moves": {"first": {}, "second": {}},
    }
    assert check([{**claim, "value": 2}])["value"] == 2
    with pytest.raises(CertificateError, match="not shown that first gets 2 or more"):
        check([{**claim, "value": -2}])


@pytest.mark.parametrize(
    "claim",
    [
        {"game": "kalah:12x10", "board": f"{'10,' * 12}0/{'10,' * 12}0 first", "value": 0},
        {
            "game": "connect:10x12x5",
            "board": "/".join(["." * 12] * 10),
            "side": "x",
            "value": 0,
            "distance": 120,
        },
    ],
)
def test_claims_that_take_for_ever_are_refused(
    claim: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_LOOKS", 3000)
    sides = ("x", "o") if "side" in claim else ("first", "second")
    data = {"format": reading.FORMAT, **claim, "moves": {side: {} for side in sides}}
    with pytest.raises(CertificateError, match="more than 3,000 positions"):
        check([data])


def test_games_that_are_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = made("kalah:3x3")
    monkeypatch.setattr(kalah, "MOST_DEPTH", 3)
    with pytest.raises(CertificateError, match="more than 3 moves"):
        check([data])


def test_what_would_take_too_long_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("connect:5x5x4", "kalah:4x3"):
        game = mossa.game(name)
        with pytest.raises(GameError, match="would have more than 5 states"):
            certificate(Solver(game, memory=4), game.start(), limit=5)
        with monkeypatch.context() as limits:
            limits.setattr(reading, "MOST_LOOKS", 500)
            with pytest.raises(GameError, match=r"no certificate .* more than 500 positions"):
                certificate(Solver(game, memory=4), game.start())


@pytest.mark.parametrize("module", [connect, kalah, mnk, reading])
def test_checkers_stand_alone(module: Any) -> None:
    """They import the standard library and what reads files, and nothing else of mossa."""
    tree = ast.parse(pathlib.Path(module.__file__).read_text(encoding="utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    assert {name for name in names if name and name.startswith("mossa")} <= {reading.__name__}
