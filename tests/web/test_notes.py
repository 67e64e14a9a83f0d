"""Games as people write them down: branches, boards they arrange, records they paste and copy."""

from __future__ import annotations

import re
from typing import Any

import pytest
from clients import HOME
from fastapi.testclient import TestClient

import mossa
from mossa.records import to_jsonl

SGF = "(;FF[4]GM[4]SZ[15];B[hh];W[gg](;B[ih])(;B[hg]))"
PSQ = "Piskvorky 15x15, 0:0, 0\n8,8,0\n7,7,0\n"


def read(client: TestClient, game: str, text: str, board: str = "") -> dict[str, Any]:
    answer = client.post("/api/read", json={"game": game, "text": text, "board": board})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(
    ("game", "text", "moves"),
    [
        ("connect4", "", ""),
        ("connect4", "4453", "4 4 5 3"),
        ("connect4", "44(53)3", "4 4 (5 3) 3"),
        ("connect4", "4 4 (5 3 (2 2) 1) (6) 3", "4 4 (5 3 (2 2) 1) (6) 3"),
        ("connect:6x12x4", "12 11 (10)", "12 11 (10)"),
        ("gomoku", "h8 i9(i8 h9)", "h8 i9 (i8 h9)"),
        ("kalah", "36", "3 6"),
    ],
)
def test_moves_with_branches(client: TestClient, game: str, text: str, moves: str) -> None:
    found = read(client, game, text)
    position = found.pop("position")
    assert found == {
        "game": mossa.game(game).name,
        "board": "",
        "moves": moves,
        "note": "",
        "opening": 0,
    }
    main_line = re.sub(r"\([^()]*(\([^()]*\))?[^()]*\)", "", moves)
    assert position["history"] == main_line.split()
    found["position"] = position
    assert read(client, game, moves) == found


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("(4)", "no move before it"),
        ("4 ((5))", "no move before it"),
        ("4 ()", "empty branch"),
        ("4 )", "closes no branch"),
        ("4 (5", "not closed"),
        ("4 (9)", "1 to 7"),
        ("444444 (5) 4", "column 4 is full"),
        ("(;GM[1];B[hh])", "another game"),
        ("Piskvorky 3", "not a header"),
    ],
)
def test_what_cannot_be_read_is_explained(client: TestClient, text: str, part: str) -> None:
    answer = client.post("/api/read", json={"game": "connect4", "text": text})
    assert (answer.status_code, part in answer.json()["error"]) == (400, True), answer.text


def test_records_of_every_format_are_read(client: TestClient) -> None:
    for text in (SGF, PSQ):
        found = read(client, "connect4", text)
        assert found["game"] == "mnk:15x15x5"
        assert found["moves"].startswith("h8 g9")
    assert read(client, "kalah", 'mossa connect4 first="a"\n44 53\n')["moves"] == "4 4 5 3"
    assert read(client, "kalah", SGF + SGF)["note"] == "Showing the first of 2 games"


def test_branches_of_sgf_come_and_go(client: TestClient) -> None:
    """They were dropped both ways, without a word."""
    moves = read(client, "connect4", SGF)["moves"]
    assert moves == "h8 g9 i8 (h9)"
    moves = "h8 g9 i8 (h9 i10 (i7) h10) (h7) g8"
    for form in ("sgf", "jsonl", "mossa"):
        wanted = {"game": "gomoku", "moves": moves, "form": form}
        answer = client.post("/api/write", json=wanted).json()
        assert answer["note"] == ""
        assert read(client, "connect4", answer["text"])["moves"] == moves


@pytest.mark.parametrize(
    ("moves", "note"), [("h8 i9 (h9)", "1 branch was"), ("h8 i9 (h9) (j9)", "2 branches were")]
)
def test_branches_that_a_format_has_no_room_for_are_counted(
    client: TestClient, moves: str, note: str
) -> None:
    wanted = {"game": "gomoku", "moves": moves, "form": "psq"}
    answer = client.post("/api/write", json=wanted).json()
    assert answer["note"] == f"{note} left out: .psq has no room for them"
    assert read(client, "connect4", answer["text"])["moves"] == "h8 i9"


@pytest.mark.parametrize("form", ["mossa", "jsonl", "sgf", "psq"])
def test_what_is_written_can_be_read(client: TestClient, form: str) -> None:
    wanted = {"game": "gomoku", "moves": "h8 i9 h9", "form": form}
    answer = client.post("/api/write", json=wanted).json()
    assert answer["note"] == ""
    assert read(client, "connect4", answer["text"])["moves"] == "h8 i9 h9"


def test_a_board_stays_with_its_moves(client: TestClient) -> None:
    board = ".../.x./o.."
    assert read(client, "tictactoe", "a3 (c1)", board)["board"] == board
    wanted = {"game": "tictactoe", "board": board, "moves": "a3", "form": "jsonl"}
    again = read(client, "kalah", client.post("/api/write", json=wanted).json()["text"])
    assert (again["board"], again["moves"]) == (board, "a3")
    begun = client.post("/api/games", json={"game": "tictactoe", "board": board}).json()
    assert begun["position"]["cells"][1] == [0, 1, 0]


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("connect4", "4453"),
        ("gomoku", "h8 i9 h9"),
        ("kalah", "36"),
        ("breakthrough", "a2a3"),
        ("breakthrough", "a2a3 b7b6"),
    ],
)
def test_an_arranged_board_is_that_position(client: TestClient, game: str, moves: str) -> None:
    position = mossa.game(game).position(moves)
    cells = [list(row) for row in position.cells]
    sent = {"game": game, "cells": cells, "side": position.side.name}
    found = client.post("/api/arranged", json=sent).json()["position"]
    assert (found["text"], found["side"]) == (position.text, position.side.name)
    assert found["start"] == position.text


@pytest.mark.parametrize(
    ("game", "cells", "part"),
    [
        ("tictactoe", [[1, 1, 1], [0, 0, 0], [0, 0, 0]], "3 x and 0 o"),
        ("tictactoe", [[3, 0, 0], [0, 0, 0], [0, 0, 0]], "0 (empty), 1 (first)"),
        ("tictactoe", [[0, 0, 0]], "3 rows"),
        ("connect:3x3x3", [[0, 0, 0], [1, 0, 0], [0, 0, 0]], "hangs in the air"),
        ("kalah", [[4] * 6 + [1], [4] * 6 + [0]], "there must be 48 seeds in all"),
        ("kalah", [], "expected"),
    ],
)
def test_boards_that_cannot_be_are_explained(
    client: TestClient, game: str, cells: list[list[int]], part: str
) -> None:
    found = client.post("/api/arranged", json={"game": game, "cells": cells}).json()
    assert (found["position"], part in found["problem"]) == (None, True), found


def test_cells_are_numbers_that_can_be(client: TestClient) -> None:
    for cells in ([[-1]], [[10**9]], [["x"]], "x"):
        sent = {"game": "tictactoe", "cells": cells}
        assert client.post("/api/arranged", json=sent).status_code == 422


def live(client: TestClient, message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all that the socket answers."""
    with client.websocket_connect(
        "ws://127.0.0.1:8000/api/live", headers={"origin": HOME}
    ) as socket:
        socket.send_json({"request": 1, **message})
        said = [socket.receive_json()]
        while "done" not in said[-1] and "error" not in said[-1]:
            said.append(socket.receive_json())
    return said


def test_a_graph_has_a_point_for_every_position(client: TestClient) -> None:
    wanted = {"game": "connect4", "moves": "4141414"}
    *points, last = live(client, {"do": "graph", "position": wanted})
    assert last["done"]
    assert [each["point"]["ply"] for each in points] == list(range(8))
    assert points[-1]["point"]["advantage"] == 1


def test_a_review_is_that_of_the_library(client: TestClient) -> None:
    moves = "b2 b1 a1"
    *points, last = live(
        client, {"do": "review", "position": {"game": "tictactoe", "moves": moves}}
    )
    record = mossa.Record.from_position(mossa.game("tictactoe").position(moves))
    expected = mossa.review(record, time=5)
    found = last["review"]
    assert [each["point"]["ply"] for each in points] == [0, 1, 2]
    assert [one["grade"] for one in found["review"]] == [one.grade for one in expected.moves]
    assert found["sides"] == expected.to_dict()["sides"]
    blunder = found["review"][1]
    assert (blunder["grade"], blunder["tries"]["b1"]["grade"]) == ("blunder", "blunder")
    assert blunder["tries"][blunder["best"]]["grade"] == "best"
    assert {move for move, one in blunder["tries"].items() if one["grade"] == "best"} == {
        str(move) for move, grade in expected.moves[1].grades.items() if grade == "best"
    }
    assert "tries" not in found["review"][0]
    assert blunder["tries"]["b1"]["told"].startswith("b1 is the move that was played: it ")
    assert not blunder["tries"]["b1"]["right"]
    best = blunder["tries"][blunder["best"]]
    assert (best["right"], best["told"]) == (True, f"{blunder['best']} is the best move: it draws.")
    assert found["told"] == "The review is complete."
    assert re.findall(r'scope="col">(\w+)<', found["table"]) == ["X", "O"]


def test_a_review_leaves_the_opening_out(client: TestClient) -> None:
    wanted = {"game": "tictactoe", "moves": "b2 b1 a1"}
    *points, last = live(client, {"do": "review", "position": wanted, "opening": 2})
    assert [each["point"]["advantage"] for each in points] == [None, None, 1]
    moves = last["review"]["review"]
    assert [(one["grade"], one.get("reason")) for one in moves] == [
        (None, "opening"),
        (None, "opening"),
        ("best", None),
    ]
    assert last["review"]["sides"]["second"]["counts"]["blunder"] == 0


def test_a_review_of_the_largest_board_grades_what_fits(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mossa.web.thinking.REVIEW_TOTAL_SECONDS", 1e-9)
    wanted = {"game": "mnk:100x100x5", "moves": "ax50 ay50"}
    *_, last = live(client, {"do": "review", "position": wanted})
    assert [one["reason"] for one in last["review"]["review"]] == ["time", "time"]
    assert last["review"]["advantage"] is None
    assert last["review"]["told"] == "There was no time to grade moves 1-2."


def test_a_pasted_record_tells_its_opening(client: TestClient) -> None:
    record = mossa.Record(
        mossa.game("tictactoe"), tuple(map(mossa.Move, ["b2", "b1", "a1"])), extra={"opening": 2}
    )
    text = to_jsonl([record])
    assert read(client, "connect4", text)["opening"] == 2
    assert read(client, "connect4", "4 4")["opening"] == 0
