"""What the server says on the pages: scores in words, numbers with their nouns, the API."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import mossa
from mossa import Estimate, Exact
from mossa.analysis import score_words
from mossa.search import Score
from mossa.web.app import create_app
from mossa.web.states import info_data, position_state
from mossa.web.store import Store


@pytest.mark.parametrize(
    ("game", "score", "short", "words"),
    [
        ("connect4", Exact(1, 7), "W7", "wins in 7 plies"),
        ("connect4", Exact(-1, 1), "L1", "loses in 1 ply"),
        ("connect4", Exact(0), "=", "draws"),
        ("gomoku", Estimate(inf, 9), "W9", "probably wins in 9 plies"),
        ("gomoku", Estimate(35), "+35", "is ahead (+35)"),
        ("gomoku", Estimate(-35), "\u221235", "is behind (\u221235)"),
        ("gomoku", Estimate(0), "0", "is about even"),
        ("kalah", Exact(5), "+5!", "wins by 5 seeds"),
        ("kalah", Exact(-1), "\u22121!", "loses by 1 seed"),
        ("kalah", Exact(0), "=", "draws"),
        ("kalah", Estimate(1), "+1", "is ahead by about 1 seed"),
        ("kalah", Estimate(-2.6), "\u22123", "is behind by about 3 seeds"),
        ("kalah", Estimate(0.3), "0", "is about even"),
    ],
)
def test_scores_are_told_as_players_would(game: str, score: Score, short: str, words: str) -> None:
    """A bar read "South about +1 seeds"."""
    told = score_words(score, mossa.game(game).start())
    assert (told["short"], told["words"]) == (short, words)


def test_one_node_is_no_nodes() -> None:
    position = mossa.game("connect4").start()
    info = mossa.player("minimax").choose(position, mossa.Limits(nodes=1)).info
    assert info is not None
    assert f"{info.nodes} node{'s' * (info.nodes != 1)} · " in info_data(info, position)["text"]


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("connect4", ("Yellow", "Red")),
        ("tictactoe", ("X", "O")),
        ("gomoku", ("Black", "White")),
        ("kalah", ("South", "North")),
    ],
)
def test_a_position_names_its_sides(game: str, names: tuple[str, str]) -> None:
    state = position_state(mossa.game(game).start())
    assert tuple(state["sides"].values()) == names
    assert state["standing"] == f"{names[0]} to move"
    trace = mossa.trace_search(mossa.game(game).start(), "minimax:depth=1")
    assert trace.board["sides"] == state["sides"]
    assert trace.nodes[0]["status"] == state["standing"]


def test_the_page_of_the_api_reads_well(tmp_path: Path) -> None:
    """It was called "Requests", and limits read "characters at most 200", "at least 0.0"."""
    app = create_app(Store(tmp_path / "games.sqlite"))
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        page = client.get("/docs").text
    assert "<h1>API</h1>" in page
    assert "text (at most 200 characters)" in page
    assert "list (at most 10,000 items) of list (at most 10,000 items) of integer" in page
    assert "integer (at least 0, at most 10,000)" in page
