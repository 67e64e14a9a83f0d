"""Certificates: what the solver writes is proven, what is changed is not."""

from __future__ import annotations

import copy
import json
import pathlib
import random
from typing import Any

import pytest

import mossa
from mossa import GameError, Solver
from mossa.certificate import certificate, write_certificate
from mossa.certificate_check import CertificateError, check, check_certificate


def quiet(_: int) -> None:
    pass


def made(name: str, moves: str = "") -> dict[str, Any]:
    game = mossa.game(name)
    return certificate(Solver(game, memory=8), game.position(moves))[0]


@pytest.mark.parametrize(
    ("name", "moves", "value"),
    [
        ("mnk:3x3x3", "", 0),
        ("mnk:3x3x3", "b2 b1", 1),
        ("mnk:3x3x3", "a1", 0),
        ("mnk:3x3x3", "b1 b2 c3", 0),
        ("mnk:4x3x3", "", 1),
        ("mnk:4x4x4", "", 0),
        ("mnk:5x4x4", "", 0),
        ("mnk:5x4x3", "d1 a5 d4 c5", -1),
        ("mnk:6x5x4", "", 1),
        ("mnk:6x6x6", "", 0),
        ("mnk:6x5x5", "", 0),
    ],
)
def test_what_is_written_is_proven(name: str, moves: str, value: int) -> None:
    data = json.loads(json.dumps(made(name, moves)))
    assert check(data, quiet)["value"] == value


def test_random_positions_are_proven() -> None:
    game = mossa.game("mnk:4x4x4")
    chosen, solver = random.Random(2), Solver(game, memory=4)
    for _ in range(20):
        position = game.start()
        while position.outcome is None and position.ply < chosen.randint(1, 10):
            position = position.play(chosen.choice(position.moves))
        if position.outcome is None:
            data, _ = certificate(solver, position)
            assert check(data, quiet)["value"] == solver.solve(position).proven.value


def test_other_claims_are_not_proven() -> None:
    draw = made("mnk:3x3x3")
    for change in (
        {"value": 1},
        {"value": -1},
        {"game": "mnk:4x3x3"},
        {"game": "connect:3x3x3"},
        {"board": "x../.../..."},
        {"side": "o"},
        {"format": "mossa certificate 2"},
        {"holds": {"x": "strategy stealing", "o": "strategy stealing"}},
    ):
        with pytest.raises((CertificateError, KeyError)):
            check({**draw, **change}, quiet)
    win = made("mnk:4x3x3")
    with pytest.raises(CertificateError, match="no move for"):
        check({**win, "win": {}}, quiet)


@pytest.mark.parametrize("name", ["mnk:3x3x3", "mnk:5x4x4", "mnk:6x5x5"])
def test_a_hold_that_is_damaged_is_not_proven(name: str) -> None:
    """Every state but the first is referred to, so whatever is taken away is missed."""
    whole = made(name)
    states = whole["holds"]["x"]["states"]
    chosen = random.Random(1)
    for _ in range(20):
        data = copy.deepcopy(whole)
        number = chosen.randrange(len(states))
        state, reason = data["holds"]["x"]["states"][number]
        if reason == "potential":
            stones = state.replace(".", "a", 3)  # the attacker has more than it had
            data["holds"]["x"]["states"][number][0] = stones.replace("-", ".")
        elif "pairs" in reason:
            reason["pairs"].pop()
        elif "parts" in reason:
            reason["parts"].pop()
        elif reason["replies"]:
            reason["replies"].popitem()
        else:
            continue
        with pytest.raises(CertificateError):
            check(data, quiet)


def test_a_win_with_a_wrong_move_is_not_proven() -> None:
    win = made("mnk:5x4x3")
    start = next(state for state in win["win"] if "a" not in state)
    for move in range(20):
        if move != win["win"][start]:
            damaged = {**win, "win": {start: move}}
            with pytest.raises(CertificateError):
                check(damaged, quiet)


def test_files(tmp_path: pathlib.Path) -> None:
    game = mossa.game("mnk:3x3x3")
    path = tmp_path / "proof.json"
    assert write_certificate(Solver(game, memory=1), game.start(), path) > 3
    assert check_certificate(path)["game"] == "mnk:3x3x3"
    path.write_text("nonsense")
    with pytest.raises(CertificateError, match="not a certificate"):
        check_certificate(path)
    path.write_text("[1, 2]")
    with pytest.raises(CertificateError, match="not a certificate"):
        check_certificate(path)


def test_what_has_no_certificate_is_refused() -> None:
    for name in ("connect:4x4x4", "mnk:3x3x3,exact=yes"):
        game = mossa.game(name)
        with pytest.raises(GameError, match="no certificates of"):
            certificate(Solver(game, memory=1), game.start())
    game = mossa.game("mnk:5x5x4")
    with pytest.raises(GameError, match="more than 10 states"):
        certificate(Solver(game, memory=4), game.start(), limit=10)
