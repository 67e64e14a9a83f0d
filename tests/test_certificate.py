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
from mossa.solving.certificate import certificate, write_certificate
from mossa.solving.certificate_check import CertificateError, check, check_certificate
from mossa.solving.certificates import mnk, reading


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
    assert check(data)["value"] == value


def test_random_positions_are_proven() -> None:
    game = mossa.game("mnk:4x4x4")
    chosen, solver = random.Random(2), Solver(game, memory=4)
    for _ in range(20):
        position = game.start()
        while position.outcome is None and position.ply < chosen.randint(1, 10):
            position = position.play(chosen.choice(position.moves))
        if position.outcome is None:
            data, _ = certificate(solver, position)
            assert check(data)["value"] == solver.solve(position).proven.value


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
        with pytest.raises(CertificateError):
            check({**draw, **change})
    win = made("mnk:4x3x3")
    with pytest.raises(CertificateError, match="no move for"):
        check({**win, "win": {}})


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
            check(data)


def test_a_win_with_a_wrong_move_is_not_proven() -> None:
    win = made("mnk:5x4x3")
    start = next(state for state in win["win"] if "a" not in state)
    for move in range(20):
        if move != win["win"][start]:
            damaged = {**win, "win": {start: move}}
            with pytest.raises(CertificateError):
                check(damaged)


def test_files(tmp_path: pathlib.Path) -> None:
    game = mossa.game("mnk:3x3x3")
    path = tmp_path / "proof.json"
    assert write_certificate(Solver(game, memory=1), game.start(), path) > 3
    assert check_certificate(path)["game"] == "mnk:3x3x3"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"nonsense", "not JSON"),
        (b"", "not JSON"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"[1, 2]", "a JSON object with the fields"),
        (b"{}", "a JSON object with the fields"),
        (b'{"value": 0, "value": 1}', "a field twice"),
        (b'{"value": NaN}', "NaN is not a number"),
        (b'{"value": -Infinity}', "-Infinity is not a number"),
        (b'{"value": ' + b"9" * 5000 + b"}", "is too large"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_files_that_are_no_certificates_are_refused(
    tmp_path: pathlib.Path, content: bytes, words: str
) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(content)
    with pytest.raises(CertificateError, match=words):
        check_certificate(path)


def test_a_file_that_is_too_large_is_refused(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(made("mnk:3x3x3")))
    monkeypatch.setattr(reading, "MOST_BYTES", 100)
    with pytest.raises(CertificateError, match="more than 100 bytes"):
        check_certificate(path)


def test_a_win_through_too_many_positions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    win = made("mnk:5x4x3")
    monkeypatch.setattr(mnk, "MOST_POSITIONS", 10)
    with pytest.raises(CertificateError, match="more than 10 positions"):
        check(win)


def hold(state: str, reason: Any, root: Any) -> dict[str, Any]:
    """A claim that x does not win mnk:4x3x3, which it does."""
    return {
        "format": "mossa certificate 1",
        "game": "mnk:4x3x3",
        "board": ".../.../.../...",
        "side": "x",
        "value": 0,
        "holds": {"x": {"root": root, "states": [[state, reason]]}, "o": "strategy stealing"},
    }


NEGATIVE = [cell for pair in zip(range(-12, 0, 2), range(-11, 0, 2), strict=True) for cell in pair]
ALL = list(range(12))
FALSE_HOLDS: dict[str, tuple[str, Any, Any]] = {
    "promised cells below 0": ("-" * 12, "potential", [0, 0, *NEGATIVE]),
    "pairs below 0": ("." * 12, {"pairs": [[i, i - 12] for i in range(12)]}, [0, 0]),
    "a part that is the whole": ("." * 12, {"parts": [[ALL, [0, 0]]]}, [0, 0]),
    "parts that overlap": ("." * 12, {"parts": [[ALL, [0, 0]], [ALL, [0, 0]]]}, [0, 0]),
    "promised pairs that lines part": ("-" * 12, "potential", [0, 0, *ALL]),
    "a promised cell without another": ("-" * 12, "potential", [0, 0, 4]),
    "a reference of one number": ("." * 12, "potential", [0]),
    "no reference": ("." * 12, "potential", []),
    "a reference that is no list": ("." * 12, "potential", 0),
    "no such symmetry": ("." * 12, "potential", [0, 4]),
    "a symmetry below 0": ("-" * 12, "potential", [0, -1]),
    "a number that is a truth": ("-" * 12, "potential", [False, False]),
    "a state that is too short": ("-" * 11, "potential", [0, 0]),
    "a state that is no text": (["-"] * 12, "potential", [0, 0]),  # type: ignore[dict-item]
    "a potential that is too large": ("." * 12, "potential", [0, 0]),
    "pairs of the same cell": ("." * 12, {"pairs": [[i, i] for i in range(12)]}, [0, 0]),
    "pairs of three": ("." * 12, {"pairs": [[0, 1, 2], [3, 4, 5]]}, [0, 0]),
    "pairs that are fractions": ("." * 12, {"pairs": [[0.0, 1.0]]}, [0, 0]),
    "replies to nothing": ("." * 12, {"replies": {}}, [0, 0]),
    "two reasons": ("." * 12, {"pairs": [], "replies": {}}, [0, 0]),
    "a reason that there is not": ("." * 12, {"check": []}, [0, 0]),
    "no reason": ("." * 12, None, [0, 0]),
}


@pytest.mark.parametrize("name", FALSE_HOLDS)
def test_false_holds_are_refused(name: str) -> None:
    with pytest.raises(CertificateError):
        check(hold(*FALSE_HOLDS[name]))


@pytest.mark.parametrize(
    "change",
    [
        {"side": ""},
        {"side": "xo"},
        {"side": ["x"]},
        {"value": False},
        {"value": 0.0},
        {"value": 2},
        {"value": "0"},
        {"game": "mnk:3x3x3,exact=yes"},
        {"game": "mnk:03x3x3"},
        {"game": "mnk:\u0663x3x3"},
        {"game": "mnk:3x3x4"},
        {"game": "mnk:100x100x5"},
        {"game": "mnk:999x999x999"},
        {"game": None},
        {"board": ".../..."},
        {"board": ".../.../...\n"},
        {"board": 3},
        {"holds": {}},
        {"holds": []},
        {"more": 1},
    ],
)
def test_claims_that_say_nothing_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(CertificateError):
        check({**made("mnk:3x3x3"), **change})


def test_no_side_wins_nothing() -> None:
    """The text xo has the empty text in it, and no side has no stones."""
    game = mossa.game("mnk:3x3x3")
    data = certificate(Solver(game, memory=1), game.position("b2 b1"))[0]
    assert check(data)["value"] == 1
    with pytest.raises(CertificateError, match="the side is ''"):
        check({**data, "side": "", "board": ".../.../..."})


@pytest.mark.parametrize("move", [True, 1.0, "1", None, -1, 99, [1]])
def test_wins_with_moves_that_are_none_are_refused(move: Any) -> None:
    win = made("mnk:4x3x3")
    win["win"] = dict.fromkeys(win["win"], move)
    with pytest.raises(CertificateError):
        check(win)


def test_a_position_that_is_over_has_no_certificate() -> None:
    state = "adaaddda-".replace("-", "a")
    board = "/".join(["xox", "xoo", "oxx"])
    data = {**hold(state, "potential", [0, 0]), "game": "mnk:3x3x3", "board": board, "side": "o"}
    with pytest.raises(CertificateError, match="the game is over"):
        check(data)


def test_what_has_no_certificate_is_refused() -> None:
    for name in (
        "oware:2x2,repeat=share",
        "breakthrough:5x3",
        "mnk:3x3x3,exact=yes",
        "kalah:12x12",
    ):
        game = mossa.game(name)
        with pytest.raises(GameError, match="no certificates of"):
            certificate(Solver(game, memory=1), game.start())
    game = mossa.game("mnk:5x5x4")
    with pytest.raises(GameError, match="more than 10 states"):
        certificate(Solver(game, memory=4), game.start(), limit=10)
