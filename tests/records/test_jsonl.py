"""JSONL: keys that are unknown are kept, values that cannot be are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from record_checks import DATA, check_refusal, moves

from mossa.records import read_records, to_jsonl


def test_jsonl_keeps_the_keys_it_does_not_know() -> None:
    connect, gomoku, kalah = read_records(DATA / "games.jsonl")
    assert (moves(connect), connect.result, connect.second) == ("4 1 4 1 4 1 4", "1-0", "?")
    assert gomoku.extra == {"times_ms": [12, 0, 7], "engine": {"name": "x", "tags": ["a"]}}
    assert (gomoku.result, moves(gomoku)) == ("1/2", "h8 i9 h9")
    assert (kalah.start, kalah.date) == ("0,0,2,0/1,0,0,9 first", "2026-11-15")
    line = json.loads(to_jsonl([gomoku]))
    assert list(line) == ["game", "first", "second", "result", "moves", "times_ms", "engine"]
    assert line["moves"] == ["h8", "i9", "h9"]


BAD: list[tuple[str, int, str]] = [
    (
        '{"game": "connect4", "moves": []}\n{"game": "conn',
        2,
        """'{"game": "conn' is not JSON (Unterminated string starting at, column 10)""",
    ),
    ("\n[1, 2]\n", 2, "'[1, 2]' is not a JSON object; accepted: one object per line"),
    ('{"moves": []}', 1, "'game' is missing in"),
    ('{"game": null, "moves": []}', 1, "'game' is 'None', not the name of a game"),
    ('{"game": "go", "moves": []}', 1, "unknown game 'go'"),
    ('{"game": "connect4"}', 1, "'moves' is missing in"),
    ('{"game": "connect4", "moves": [4, 4]}', 1, "'moves' is something else than '4 4 5' or"),
    ('{"game": "connect4", "moves": [], "first": 7}', 1, "first is '7', not a text"),
    ('{"game": "connect4", "moves": "44444", "x": NaN}', 1, "extra is not JSON"),
    ('{"game": "connect4", "moves": "4444444"}', 1, "column 4 is full"),
    ('{"game": "connect4", "moves": "", "x": ' + "[" * 100_000, 1, "nested too deep"),
    (
        '{"game": "connect4", "moves": "", "x": ' + "9" * 10_000 + "}",
        1,
        "JSON with a number that is too long",
    ),
    ('{"game": "connect4", "moves": "", "x": "\\ud800"}', 1, "extra is not JSON"),
]


@pytest.mark.parametrize(("text", "line", "reason"), BAD, ids=range(len(BAD)))
def test_bad_files_are_refused_with_line_and_reason(
    text: str, line: int, reason: str, tmp_path: Path
) -> None:
    check_refusal(tmp_path / "games.jsonl", text, line, reason)
