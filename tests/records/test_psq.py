"""PSQ: the dialects of Piskvork and Gomocup."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from record_checks import DATA, PSQ, check_refusal, moves

import mossa
from mossa.records import Record, parse_records, read_records, to_psq


def test_psq_of_piskvork() -> None:
    [record] = read_records(DATA / "piskvork.psq")
    assert record.game.name == "mnk:19x20x5"
    assert moves(record) == "j10 k8 j9 k7 j8 l8 j7 m8 j6"
    # The 1 in the header: the second name belongs to the player who began.
    assert (record.first, record.second) == ("homo-2", "pbrain-alpha.exe")
    assert record.result == "1-0"
    assert record.extra == {"times_ms": [456, 4500, 60, 4261, 65, 5037, 65, 5060, 66]}


def test_psq_saved_without_names_and_times() -> None:
    [record] = read_records(DATA / "saved.psq")
    assert (moves(record), record.result, record.extra) == ("h8 i7 g7", "*", {})
    assert (record.first, record.second) == ("?", "?")


def test_psq_of_gomocup() -> None:
    [timeout] = read_records(DATA / "gomocup.psq")
    assert (timeout.game.name, timeout.first, timeout.second) == (
        "mnk:15x15x5",
        "ALPHA25.zip",
        "BETA26.zip",
    )
    # "2" counts in the pairing; the board says that second was to move, and so lost.
    assert (timeout.position.side, timeout.result) == (mossa.Side.second, "1-0")
    [standard] = read_records(DATA / "gomocup-standard.psq")
    assert standard.game.name == "mnk:15x15x5,exact=yes"
    # First makes six on the way, which wins nothing; at the end it is to move, and so lost.
    assert (standard.position.outcome, standard.result) == (None, "0-1")
    for number in "12":
        five = "1,1\n2,1\n1,2\n2,2\n1,3\n2,3\n1,4\n2,4\n1,5\n"
        [won] = parse_records(f"{PSQ}{five}a\nb\n-1\n{number},Freestyle\n", "psq")
        assert won.result == "1-0"


def test_psq_as_mossa_writes_it() -> None:
    position = mossa.game("mnk:3x4x3").position("a1 b2 b1 b3")
    record = Record.from_position(
        position, first="a b", result="0-1", extra={"times_ms": [5, 0, 7, 1]}
    )
    lines = [
        "Piskvorky 4x3, 0:0, 0",
        "1,3,5",
        "2,2,0",
        "2,3,7",
        "2,1,1",
        "a b",
        "?",
        "-1",
        "2,mnk:3x4x3",
    ]
    assert to_psq([record]) == "\n".join(lines) + "\n"
    for unusable in ([5, 0], ["a", "b", "c", "d"], [1, 2, 3, 10**12], 7):
        assert "1,3,0\n" in to_psq([replace(record, extra={"times_ms": unusable})])


BAD: list[tuple[str, int, str]] = [
    (
        "Piskvorky 15x15\n",
        1,
        "'Piskvorky 15x15' is not a header; accepted: 'Piskvorky 15x15, 0:0, 0'",
    ),
    ("Piskvorky 15x15, 0:0, 2\n", 1, "is not a header"),
    ("Piskvorky 4x4, 0:0, 0\n1,1,0\n-1\n", 1, "invalid game 'mnk:4x4x5'"),
    ("Piskvorky 200x15, 0:0, 0\n1,1,0\n-1\n", 1, "invalid game 'mnk:15x200x5'"),
    (f"{PSQ}8,8,0\n16,8,0\n-1\n", 3, "'16,8,0' is not a cell; accepted: 1,1 (top left) to 15,15"),
    (f"{PSQ}0,8,0\n", 2, "'0,8,0' is not a cell"),
    (f"{PSQ}8,8,0\n\n8,8,0\n-1\n", 4, "cell h8 is taken"),
    (f"{PSQ}8,8,0\n9;9;0\n7,7,0\n-1\n", 3, "'9;9;0' is neither a move 'x,y,time' nor fits the end"),
    (f"{PSQ}8,8,0\n9;9;0\n-1\n", 3, "'9;9;0' is neither a move"),
    (f"{PSQ}9;9;0\n8,8,0\n7,7,0\n6,6,0\n5,5,0\n-1\n", 2, "'9;9;0' is neither a move"),
    (f"{PSQ}8,8,0\nalpha\n", 3, "'alpha' is neither a move"),
    (f"{PSQ}8,8,0\nalpha\nbeta\nwon\n", 5, "'won' is neither a move"),
    (f"{PSQ}8,8,0\nalpha\nbeta\n-1\nFreestyle\n", 6, "'Freestyle' is not a result"),
    (f"{PSQ}8,8,0\nalpha\nbeta\n-1\n1,Renju\n", 6, "rules 'Renju': mossa plays neither"),
    (f"{PSQ}8,8,0\nalpha\nbeta\n-1\n1,mnk:9x9x5\n", 6, "contradict a board 15 wide"),
    (
        PSQ + "1,1\n2,1\n1,2\n2,2\n1,3\n2,3\n1,4\n2,4\n1,5\na\nb\n-1\n0,F\n",
        14,
        "'1/2' contradicts the board: 1-0",
    ),
    (PSQ + "1,1\n2,1\n1,2\n2,2\n1,3\n2,3\n1,4\n2,4\n1,5\n2,5\n-1\n", 11, "illegal move 'b11'"),
]


@pytest.mark.parametrize(("text", "line", "reason"), BAD, ids=range(len(BAD)))
def test_bad_files_are_refused_with_line_and_reason(
    text: str, line: int, reason: str, tmp_path: Path
) -> None:
    check_refusal(tmp_path / "games.psq", text, line, reason)
