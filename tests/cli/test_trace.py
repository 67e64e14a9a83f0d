"""``mossa trace``: which file is written, and what is said of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import call, complaint, good

import mossa


def test_a_trace_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    position = mossa.game("connect4").position("4453")
    count = len(mossa.trace_search(position, "alphabeta:depth=2").nodes)
    shallow = ["4453", "--player", "alphabeta:depth=2", "-o", "t.html"]
    assert good(call("trace", "connect4", *shallow)) == f"{count} nodes written to t.html\n"
    assert "<title>mossa trace: connect" in Path("t.html").read_text(encoding="utf-8")
    first = ["--player", "alphabeta", "--nodes", "40", "-o", "t.json"]
    written = good(call("trace", "connect4", *first))
    assert written == "the first 40 nodes written to t.json\n"
    assert len(json.loads(Path("t.json").read_text(encoding="utf-8"))["nodes"]) == 40
    mcts = ["--player", "mcts:iterations=99", "--nodes", "40", "--force", "-o", "t.json"]
    written = good(call("trace", "connect4", *mcts))
    assert written == "the most visited 40 nodes written to t.json\n"
    assert good(call("trace", "tictactoe", "b2")).endswith("nodes written to trace.html\n")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["connect4", "-o", "there.html"], "there.html exists; --force replaces it"),
        (["connect4", "-o", "x.txt"], "'x.txt' names no format of a trace; accepted: .html .json"),
        (["connect4", "-o", "x.html", "--player", "random"], "no trace of player 'random'"),
        (["connect4", "1212121", "-o", "x.html"], "nothing to search in connect:6x7x4"),
        (["conect4", "-o", "x.html"], "did you mean 'connect4'"),
        (["connect4", "-o", "no/such/x.html"], "'no/such/x.html': there is no such folder"),
    ],
)
def test_a_trace_that_cannot_be(
    arguments: list[str], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.html").touch()
    assert part in complaint(call("trace", *arguments))
    assert not Path("x.html").exists()
