"""``mossa perft``: counts against those of the package."""

from __future__ import annotations

import json

import pytest
from command import call, good, run

import mossa


def counts_of(output: str) -> dict[str, int]:
    """The counts of the lines: what was counted, and how many."""
    table = [line.split() for line in output.splitlines()]
    return {row[0]: int(row[1].replace(",", "")) for row in table}


def test_perft_counts_each_depth() -> None:
    expected = {str(depth): 7**depth for depth in range(7)} | {"7": 823_536}
    assert counts_of(good(run("perft", "connect4", "7"))) == expected


def test_perft_from_a_position() -> None:
    position = mossa.game("kalah").position("3")
    output = good(call("perft", "kalah", "3", "--moves", "3"))
    assert counts_of(output) == {str(depth): position.perft(depth) for depth in range(4)}


def test_perft_divides_by_the_first_move() -> None:
    output = counts_of(good(call("perft", "kalah", "4", "--divide")))
    start = mossa.game("kalah").start()
    assert output.pop("total") == start.perft(4) == sum(output.values())
    assert output == {str(move): start.play(move).perft(3) for move in start.moves}


def test_perft_counts_states() -> None:
    assert counts_of(good(call("perft", "tictactoe", "--states"))) == {"states": 5478}


@pytest.mark.parametrize(
    ("arguments", "counts"),
    [
        (["tictactoe", "3"], {"0": 1, "1": 9, "2": 72, "3": 504}),
        (["connect4", "0"], {"0": 1}),
        (["connect:2x2x2", "--states"], {"states": 13}),
        # a1 wins at once at c1, where nothing follows; 4 cells are left after any other move
        (["tictactoe", "2", "--divide", "--moves", "a1 a2 b1 b2"], {"c1": 0, "a3": 4}),
    ],
)
def test_perft_json(arguments: list[str], counts: dict[str, int]) -> None:
    printed = json.loads(good(call("perft", *arguments, "--json")))
    assert printed["game"] == mossa.game(arguments[0]).name
    assert printed["moves"] == (["a1", "a2", "b1", "b2"] if "--moves" in arguments else [])
    assert all(row["seconds"] >= 0 for row in printed["counts"])
    found = {row["what"]: row["count"] for row in printed["counts"]}
    assert found | counts == found
    assert len(found) == len(counts) or "--divide" in arguments
