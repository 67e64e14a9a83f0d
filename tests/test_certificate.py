"""Certificates: what the solver writes is proven, what is changed is not."""

from __future__ import annotations

import copy
import json
import pathlib
import random
from collections import Counter
from typing import Any

import pytest

import mossa
from mossa import GameError, Solver
from mossa.solving.certificate import certificate, write_certificate
from mossa.solving.certificate_check import CertificateError, check, check_certificate
from mossa.solving.certificates import mnk, reading


def made(name: str, moves: str = "") -> list[Any]:
    """The records of a certificate."""
    game = mossa.game(name)
    return certificate(Solver(game, memory=8), game.position(moves))[0]


def claim_of(records: list[Any], change: dict[str, Any]) -> list[Any]:
    return [{**records[0], **change}, *records[1:]]


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
        {"format": "mossa certificate 1"},
    ):
        with pytest.raises(CertificateError):
            check(claim_of(draw, change))
    for holds in (
        {"x": "strategy stealing", "o": "strategy stealing"},
        {"x": draw[-1]["holds"]["x"], "o": draw[-1]["holds"]["x"]},
        {"x": draw[-1]["holds"]["x"]},
        None,
    ):
        with pytest.raises(CertificateError):
            check([*draw[:-1], {"holds": holds}])
    (win,) = made("mnk:4x3x3")
    with pytest.raises(CertificateError, match="no move for"):
        check([{**win, "win": {}}])


def test_records_that_are_missing_or_too_many_are_refused() -> None:
    draw, win = made("mnk:3x3x3"), made("mnk:4x3x3")
    for records in ([], draw[:1], draw[:-1], draw[1:], [*draw[:1], *draw[-1:]]):
        with pytest.raises(CertificateError):
            check(records)
    for records in ([*draw, draw[-1]], [*draw, None], [*win, None], [*win, *draw[1:]]):
        with pytest.raises(CertificateError, match="there is more after the proof"):
            check(records)


def test_states_are_like_earlier_ones_only() -> None:
    """What leans on itself, or on what comes later, would go round in a circle."""
    draw = made("mnk:3x3x3")
    root = draw[-1]["holds"]["x"]
    assert check(draw)["value"] == 0
    with pytest.raises(CertificateError, match="no state before this one"):
        check([draw[0], *draw[-2:0:-1], draw[-1]])
    whole = ["." * 9, {"parts": [[list(range(9)), [[], len(draw) - 2, 0]]]}]
    for state in (whole, [whole[0], {"replies": [[[c], [(c + 1) % 9, *root]] for c in range(9)]}]):
        with pytest.raises(CertificateError):
            check([draw[0], state, {"holds": {"x": [[], 0, 0], "o": "strategy stealing"}}])


@pytest.mark.parametrize("name", ["mnk:3x3x3", "mnk:5x4x4", "mnk:5x5x4"])
def test_a_hold_that_is_damaged_is_not_proven(name: str) -> None:
    """Every state is referred to, and every reply and pair is needed."""
    whole = made(name)
    chosen = random.Random(1)
    for _ in range(40):
        data = copy.deepcopy(whole)
        state, reason = record = chosen.choice(data[1:-1])
        if reason == "potential":  # the attacker has more than it had
            record[0] = state.replace(".", "a", 3).replace("-", ".")
        elif "parts" in reason:
            reason["parts"].pop()
        else:
            answer = chosen.choice(reason["replies"] or [[[], [0]]])
            if (
                len(answer[1]) == 2 and answer[1][1] and chosen.random() < 0.5
            ):  # two cells of the pairs
                del answer[1][1][-2:]
            elif answer[0]:
                answer[0].pop()
            else:
                continue
        with pytest.raises(CertificateError):
            check(data)


def test_a_win_with_a_wrong_move_is_not_proven() -> None:
    (win,) = made("mnk:5x4x3")
    start = next(state for state in win["win"] if "a" not in state)
    for move in range(20):
        if move != win["win"][start]:
            with pytest.raises(CertificateError):
                check([{**win, "win": {start: move}}])


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
        (b'{"game": "mnk:3x3x3"}\n\n', "a JSON object with the fields"),
        (b'{"value": 0, "value": 1}', "line 1: a JSON object has a field twice"),
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


def test_a_line_that_is_too_long_is_refused(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "proof.json"
    draw = [json.dumps(record) for record in made("mnk:3x3x3")]
    path.write_text("\n".join(draw))
    assert check_certificate(path)["value"] == 0
    path.write_text("\n".join([*draw[:2], " " * 1000 + draw[2], *draw[3:]]))
    monkeypatch.setattr(reading, "MOST_BYTES", 1000)
    with pytest.raises(CertificateError, match="line 3 has more than 1,000 bytes"):
        check_certificate(path)


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\nnull\n", "\n[]"])
def test_a_file_ends_where_the_proof_does(tmp_path: pathlib.Path, end: str) -> None:
    path = tmp_path / "proof.json"
    path.write_text("\n".join(json.dumps(record) for record in made("mnk:3x3x3")) + end)
    if end in ("", "\n"):
        assert check_certificate(path)["value"] == 0
    else:
        with pytest.raises(CertificateError):
            check_certificate(path)


def test_a_win_through_too_many_positions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    win = made("mnk:5x4x3")
    monkeypatch.setattr(mnk, "MOST_POSITIONS", 10)
    with pytest.raises(CertificateError, match="more than 10 positions"):
        check(win)


def hold(state: Any, reason: Any, root: Any) -> list[Any]:
    """A claim that x does not win mnk:4x3x3, which it does."""
    claim = {
        "format": "mossa certificate 2",
        "game": "mnk:4x3x3",
        "board": ".../.../.../...",
        "side": "x",
        "value": 0,
    }
    return [claim, [state, reason], {"holds": {"x": root, "o": "strategy stealing"}}]


NEGATIVE = [cell for pair in zip(range(-12, 0, 2), range(-11, 0, 2), strict=True) for cell in pair]
ALL = list(range(12))
FREE, NONE = "." * 12, "-" * 12
FALSE_HOLDS: dict[str, tuple[Any, Any, Any]] = {
    "promised cells below 0": (NONE, "potential", [NEGATIVE]),
    "promised cells below 0, and a state": (NONE, "potential", [NEGATIVE, 0, 0]),
    "a part that is the whole": (FREE, {"parts": [[ALL, [[], 0, 0]]]}, [[], 0, 0]),
    "parts that overlap": (FREE, {"parts": [[ALL, [[]]], [ALL, [[]]]]}, [[], 0, 0]),
    "lines without a pair": (NONE, "potential", [ALL]),
    "lines that are not in the state": (NONE, "potential", [ALL, 0, 0]),
    "all cells as stones": ("a" * 12, "potential", [ALL, 0, 0]),
    "no pairs": (NONE, "potential", [[]]),
    "a promised cell without another": (NONE, "potential", [[4], 0, 0]),
    "a pair of the same cell": (NONE, "potential", [[4, 4], 0, 0]),
    "a cell in two pairs": (
        NONE,
        "potential",
        [[0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11]],
    ),
    "pairs that are fractions": (NONE, "potential", [[0.0, 1.0], 0, 0]),
    "pairs that are pairs": (NONE, "potential", [[[0, 1], [2, 3]]]),
    "a reference of one number": (FREE, "potential", [0]),
    "a reference of two": (FREE, "potential", [[], 0]),
    "no reference": (FREE, "potential", []),
    "a reference that is no list": (FREE, "potential", 0),
    "no such symmetry": (FREE, "potential", [[], 0, 4]),
    "a symmetry below 0": (NONE, "potential", [[], 0, -1]),
    "a number below 0": (NONE, "potential", [[], -1, 0]),
    "a number that is a truth": (NONE, "potential", [[], False, False]),
    "a state that is too short": ("-" * 11, "potential", [[], 0, 0]),
    "a state that is no text": (["-"] * 12, "potential", [[], 0, 0]),
    "a potential that is too large": (FREE, "potential", [[], 0, 0]),
    "replies to nothing": (FREE, {"replies": []}, [[], 0, 0]),
    "replies in an object": (FREE, {"replies": {}}, [[], 0, 0]),
    "a reply that is no list": (FREE, {"replies": [[ALL, 0]]}, [[], 0, 0]),
    "a reply where the attacker went": (FREE, {"replies": [[ALL, [0, []]]]}, [[], 0, 0]),
    "two reasons": (FREE, {"parts": [], "replies": []}, [[], 0, 0]),
    "a reason that there is not": (FREE, {"check": []}, [[], 0, 0]),
    "no reason": (FREE, None, [[], 0, 0]),
}


@pytest.mark.parametrize("name", FALSE_HOLDS)
def test_false_holds_are_refused(name: str) -> None:
    with pytest.raises(CertificateError):
        check(hold(*FALSE_HOLDS[name]))


@pytest.mark.parametrize("sizes", [(3, 3, 3), (2, 4, 3), (4, 3, 3)])
def test_no_better_is_what_its_definition_says(sizes: tuple[int, int, int]) -> None:
    board, chosen, seen = mnk.Board(*sizes), random.Random(4), Counter[bool]()
    lines = [set(mnk.cells(line)) for line in board.lines]

    def is_open(line: set[int], state: str, side: str) -> bool:
        return all(state[cell] in (side, ".") for cell in line)

    for _ in range(3000):
        position = "".join(chosen.choices("ad.-", [2, 2, 6, 1], k=board.size))
        empty = [cell for cell in range(board.size) if position[cell] == "."]
        pairs = chosen.sample(empty, min(len(empty) // 2, chosen.choice([0, 1, 1, 2])) * 2)
        state = list(position)
        for cell in [*pairs, *chosen.sample(range(board.size), chosen.randint(0, 4))]:
            state[cell] = chosen.choice("aad.-")
        whole = [{*pairs[i : i + 2]} for i in range(0, len(pairs), 2)]
        expected = all(
            is_open(line, "".join(state), "a")
            and all(state[c] == "a" for c in line if position[c] == "a" or c in pairs)
            for line in lines
            if is_open(line, position, "a") and not any(pair <= line for pair in whole)
        ) and all(
            is_open(line, position, "d")
            and not line & set(pairs)
            and all(position[c] == "d" for c in line if state[c] == "d")
            for line in lines
            if is_open(line, "".join(state), "d")
        )
        assert mnk.no_better(board, position, pairs, "".join(state)) == expected
        seen[expected] += 1
    assert min(seen.values()) > 200


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
        {"win": {}},
        {"more": 1},
    ],
)
def test_claims_that_say_nothing_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(CertificateError):
        check(claim_of(made("mnk:3x3x3"), change))


def test_no_side_wins_nothing() -> None:
    """The text xo has the empty text in it, and no side has no stones."""
    game = mossa.game("mnk:3x3x3")
    data = certificate(Solver(game, memory=1), game.position("b2 b1"))[0]
    assert check(data)["value"] == 1
    with pytest.raises(CertificateError, match="the side is ''"):
        check(claim_of(data, {"side": "", "board": ".../.../..."}))


@pytest.mark.parametrize("move", [True, 1.0, "1", None, -1, 99, [1]])
def test_wins_with_moves_that_are_none_are_refused(move: Any) -> None:
    (win,) = made("mnk:4x3x3")
    with pytest.raises(CertificateError):
        check([{**win, "win": dict.fromkeys(win["win"], move)}])


def test_a_position_that_is_over_has_no_certificate() -> None:
    state = "adaaddda-".replace("-", "a")
    board = "/".join(["xox", "xoo", "oxx"])
    change = {"game": "mnk:3x3x3", "board": board, "side": "o"}
    with pytest.raises(CertificateError, match="the game is over"):
        check(claim_of(hold(state, "potential", [[], 0, 0]), change))


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
