"""The server as programs see it: requests, the socket, and all that must be refused."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from clients import HOME, LIVE, OURS, act, begin
from fastapi.testclient import TestClient
from programs import until
from starlette.websockets import WebSocketDisconnect

import mossa
from mossa.records import parse_records
from mossa.web import limits
from mossa.web.app import create_app
from mossa.web.assets import STATIC
from mossa.web.opponents import Opponent
from mossa.web.store import Store


def answers(socket: Any, last: str) -> list[dict[str, Any]]:
    """What the socket says until a message that has this field, or an error."""
    said = [socket.receive_json()]
    while last not in said[-1] and "error" not in said[-1]:
        said.append(socket.receive_json())
    return said


# --- positions and games --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "moves"),
    [("connect4", "4453"), ("tictactoe", "b2 a1"), ("kalah", "36"), ("connect4", "41414 1 4")],
)
def test_a_position_is_what_the_core_says(client: TestClient, game: str, moves: str) -> None:
    state = client.post("/api/position", json={"game": game, "moves": moves}).json()
    position = mossa.game(game).position(moves)
    assert state["cells"] == [list(row) for row in position.cells]
    assert [each["move"] for each in state["legal"]] == [str(move) for move in position.moves]
    assert state["history"] == [str(move) for move in position.history]
    assert state["side"] == position.side.name
    assert (state["outcome"] is None) == (position.outcome is None)
    for each in state["legal"]:
        cells = [each["source"], each["target"]]
        last = position.play(each["move"]).last_cell
        assert [cell for cell in cells if cell][-1:] == ([] if last is None else [list(last)])


def test_pieces_that_move_have_source_and_target(client: TestClient) -> None:
    wanted = {"game": "breakthrough:5x4", "moves": "b2b3 b4a3"}
    state = client.post("/api/position", json=wanted).json()
    assert {"move": "b3a4", "source": [2, 1], "target": [3, 0]} in state["legal"]
    assert (state["last"], state["said"]) == ([[3, 1], [2, 0]], "b4 to a3")
    assert (state["look"], state["mover"]) == ("pieces", True)
    assert "kind" not in state
    start = client.post("/api/position", json={"game": "breakthrough:5x4"}).json()
    assert (start["last"], start["said"]) == ([], "")


def test_a_move_without_a_place_has_none(client: TestClient) -> None:
    wanted = {"game": "kalah:6x4,swap=yes", "moves": "1"}
    legal = client.post("/api/position", json=wanted).json()["legal"]
    assert {"move": "swap", "source": None, "target": None} in legal


def test_the_catalogue_names_what_can_be_played(client: TestClient) -> None:
    catalogue = client.get("/api/catalogue").json()
    assert [kind["name"] for kind in catalogue["kinds"]] == list(mossa.games.KINDS)
    assert catalogue["levels"] == 10
    players = {player["name"] for player in catalogue["players"]}
    assert {"human", "level", "engine", "mcts", "tris"} <= players
    assert not players & {"ugi", "gomocup"}


def test_a_game_from_begin_to_end(client: TestClient) -> None:
    game = begin(client)
    for move in "4141414":
        game = act(client, game, "moves", move=move)
    assert game["end"] == {"winner": "first", "reason": "4 in a row"}
    assert (game["result"], game["awaits"]) == ("1-0", None)
    assert client.get(f"/api/games/{game['id']}").json() == game
    record = client.get(f"/api/games/{game['id']}/record").text
    assert parse_records(record)[0].result == "1-0"
    again = client.post(f"/api/games/{game['id']}/rematch", json={}).json()
    assert again["id"] != game["id"]
    assert again["position"]["ply"] == 0


@pytest.mark.parametrize(
    ("players", "side"),
    [
        ({}, ""),
        ({"second": "level:1"}, "&side=first"),
        ({"first": "level:1"}, "&side=second"),
        ({"first": "level:1", "second": "level:2"}, ""),
    ],
)
def test_a_game_says_what_its_analysis_is_asked_for(
    client: TestClient, players: dict[str, str], side: str
) -> None:
    assert begin(client, moves="4 4", **players)["query"] == f"game=connect%3A6x7x4&moves=4+4{side}"


FORM = {
    "preset": "connect4",
    "connect4.rows": "5",
    "connect4.cols": "6",
    "connect4.k": "4",
    "opponent": "level",
    "level": "2",
    "side": "second",
    "minutes": "1.5",
    "increment": "2",
}


def test_the_form_of_a_new_game_begins_one(client: TestClient) -> None:
    rules = {
        f"connect4.{option.name}": option.values[0]
        for option in mossa.games.KINDS["connect"].options
    }
    game = client.post("/api/setup", json=FORM | rules).json()
    assert game["position"]["game"].startswith("connect:5x6x4")
    assert game["players"] == {"first": "level:2", "second": "human"}
    assert game["clock"]["left"] == {"first": 90, "second": 90}
    people = client.post(
        "/api/setup", json=FORM | rules | {"opponent": "human", "side": "any", "minutes": "0"}
    ).json()
    assert (people["players"], people["clock"]) == ({"first": "human", "second": "human"}, None)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"preset": "go"}, "unknown game 'go': one of connect4, "),
        ({"opponent": "dog"}, "unknown opponent 'dog': one of level, friend, human, spec"),
        ({"minutes": "soon"}, "invalid number 'soon' of minutes"),
        ({"preset": "kalah"}, "the new-game form has no field 'kalah.pits'"),
        ({"connect4.rows": "x" * 100}, "invalid"),
    ],
)
def test_a_form_that_makes_no_game_is_explained(
    client: TestClient, change: dict[str, str], error: str
) -> None:
    answer = client.post("/api/setup", json=FORM | change)
    assert (answer.status_code, answer.json()["error"][: len(error)]) == (400, error)


def test_moves_are_taken_back_to_a_persons_decision(client: TestClient) -> None:
    game = begin(client, second="level:1", moves="4 4 3 3")
    assert act(client, game, "take-back")["position"]["history"] == ["4", "4"]
    alone = begin(client, first="level:1", moves="4")
    answer = client.post(f"/api/games/{alone['id']}/take-back", json={"version": 1})
    assert (alone["can_take_back"], answer.status_code) == (False, 400)


@pytest.mark.parametrize(
    ("players", "result"),
    [({}, "0-1"), ({"first": "level:1"}, "1-0"), ({"second": "random"}, "0-1")],
)
def test_who_resigns_has_lost(client: TestClient, players: dict[str, str], result: str) -> None:
    game = act(client, begin(client, **players), "resign")
    assert game["result"] == result
    assert game["end"]["reason"] == "the other side resigned"
    refused = client.post(f"/api/games/{game['id']}/moves", json={"move": "1", "version": 2})
    assert refused.status_code == 400


def test_games_survive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with TestClient(create_app(Store(path)), base_url=HOME) as client:
        game = act(client, begin(client), "moves", move="4")
    with TestClient(create_app(Store(path)), base_url=HOME) as client:
        assert client.get(f"/api/games/{game['id']}").json() == game


def test_old_games_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mossa.web.store.GAMES", 2)
    with TestClient(create_app(Store(tmp_path / "g.sqlite")), base_url=HOME) as client:
        games = [begin(client) for _ in range(3)]
        found = [client.get(f"/api/games/{game['id']}").status_code for game in games]
    assert found == [404, 200, 200]


# --- the socket -----------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["level:3", "alphabeta:depth=4", "random", "engine:time=0.1"])
def test_the_computer_moves(client: TestClient, spec: str) -> None:
    game = act(client, begin(client, second=spec), "moves", move="4")
    assert game["awaits"] == "computer"
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        socket.send_json({"request": 1, "do": "think", "id": game["id"], "version": 2})
        last = answers(socket, "game")[-1]
    assert last["request"] == 1
    assert last["game"]["version"] == 3
    assert len(last["game"]["position"]["history"]) == 2
    assert client.get(f"/api/games/{game['id']}").json() == last["game"]


@pytest.mark.parametrize(
    ("game", "spec"),
    [("mnk:7x7x4", "tris"), ("mnk:7x7x4", "tree"), ("connect4", "pojam"), ("bantumi", "bantumi")],
)
def test_recipes_are_opponents(client: TestClient, game: str, spec: str) -> None:
    begun = begin(client, game=game, first=spec)
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        socket.send_json({"request": 1, "do": "think", "id": begun["id"], "version": 1})
        last = answers(socket, "game")[-1]
    assert last["game"]["position"]["ply"] == 1


def test_a_hint_is_a_legal_move_and_changes_nothing(client: TestClient) -> None:
    game = begin(client, moves="414141")
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        socket.send_json({"request": 1, "do": "hint", "id": game["id"], "version": 1})
        hint = answers(socket, "hint")[-1]["hint"]
    assert (hint["move"], hint["score"]["text"]) == ("4", "+1 in 1")
    assert client.get(f"/api/games/{game['id']}").json() == game


def test_analysis_is_that_of_the_library(client: TestClient) -> None:
    wanted = {"game": "tictactoe", "moves": "a1 b2"}
    *_, expected = mossa.analyse(mossa.game("tictactoe").position("a1 b2"), time=20)
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        socket.send_json({"request": 5, "do": "analyse", "position": wanted})
        said = answers(socket, "done")
    found = [each["analysis"] for each in said if "analysis" in each][-1]
    assert {one["move"]: one["score"]["text"] for one in found["analysis"]} == {
        str(move): str(one.score) for move, one in expected.moves.items()
    }
    assert found["line"][0]["target"] is not None
    assert found["advantage"] == 0.0


def test_a_new_request_ends_the_last(client: TestClient) -> None:
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        socket.send_json({"request": 1, "do": "analyse", "position": {"game": "gomoku"}})
        assert socket.receive_json()["request"] == 1
        socket.send_json({"request": 2, "do": "analyse", "position": {"game": "tictactoe"}})
        said = answers(socket, "done")
        assert said[-1]["request"] == 2
        gone(client)


def test_a_search_whose_client_has_gone_is_stopped(client: TestClient) -> None:
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        wanted = {"game": "mnk:19x19x5", "moves": "k10"}
        socket.send_json({"request": 1, "do": "analyse", "position": wanted})
        socket.receive_json()
    gone(client)


def gone(client: TestClient) -> None:
    """No search runs any more, long before its time is up."""
    desk = client.app.state.desk  # type: ignore[attr-defined]
    until(lambda: desk.analyses.count == 0, seconds=20)


def test_two_pages_may_ask_for_the_same_move(client: TestClient) -> None:
    game = begin(client, first="level:8")
    wanted = {"request": 1, "do": "think", "id": game["id"], "version": 1}
    with (
        client.websocket_connect(LIVE, headers=OURS) as one,
        client.websocket_connect(LIVE, headers=OURS) as other,
    ):
        for socket in (one, other):
            socket.send_json(wanted)
        ends = [answers(socket, "game")[-1] for socket in (one, other)]
    now = client.get(f"/api/games/{game['id']}").json()
    assert now["position"]["ply"] == 1
    assert [end["game"] for end in ends] == [now, now]


def test_who_asks_for_a_move_that_was_made_gets_the_game(client: TestClient) -> None:
    """A second tab was told that the game had changed, as if somebody had made a mistake."""
    game = act(client, begin(client), "moves", move="4")
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        socket.send_json({"request": 1, "do": "think", "id": game["id"], "version": 1})
        assert socket.receive_json()["game"] == game


def test_a_second_page_sees_what_the_first_does(client: TestClient) -> None:
    """It never did: only a reload showed the moves of another tab or device."""
    game = begin(client, second="random")
    with (
        client.websocket_connect(LIVE, headers=OURS) as watching,
        client.websocket_connect(LIVE, headers=OURS) as playing,
    ):
        watching.send_json({"request": 3, "do": "watch", "id": game["id"], "version": 1})
        moved = act(client, game, "moves", move="4")
        assert watching.receive_json() == {"request": 3, "game": moved}
        playing.send_json({"request": 1, "do": "think", "id": game["id"], "version": 2})
        answered = answers(playing, "game")[-1]["game"]
        assert watching.receive_json() == {"request": 3, "game": answered}
        # Neither another request nor the end of it ends the watch.
        watching.send_json({"request": 4, "do": "hint", "id": game["id"], "version": 3})
        assert answers(watching, "hint")[-1]["request"] == 4
        watching.send_json({"request": 5, "do": "stop"})
        back = act(client, answered, "take-back")
        assert watching.receive_json() == {"request": 3, "game": back}
        resigned = act(client, back, "resign")
        assert watching.receive_json() == {"request": 3, "game": resigned}


def test_a_page_that_comes_back_is_told_what_it_missed(client: TestClient) -> None:
    game = act(client, begin(client), "moves", move="4")
    other = begin(client)
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        socket.send_json({"request": 1, "do": "watch", "id": game["id"], "version": 1})
        assert socket.receive_json() == {"request": 1, "game": game}
        # One game at a time.
        socket.send_json({"request": 2, "do": "watch", "id": other["id"], "version": 1})
        socket.send_json({"request": 3, "do": "think", "id": "none"})
        assert socket.receive_json()["request"] == 3
        act(client, game, "moves", move="4")
        moved = act(client, other, "moves", move="1")
        assert socket.receive_json() == {"request": 2, "game": moved}
    desk = client.app.state.desk  # type: ignore[attr-defined]
    until(lambda: not desk._watches, seconds=20)


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body", "status", "part"),
    [
        ("games", {"game": "conect4"}, 400, "did you mean 'connect4'?"),
        ("games", {"game": "connect4", "first": "alphbeta"}, 400, "did you mean 'alphabeta'?"),
        ("games", {"game": "connect4", "first": "ugi:rm -rf x"}, 400, "does not run"),
        ("games", {"game": "connect4", "first": "bot.py:Bot"}, 400, "does not run"),
        ("games", {"game": "connect4", "first": "person"}, 400, "choose from human, random"),
        ("trace", {"game": "connect4", "player": "human"}, 400, "a person cannot play here"),
        ("games", {"game": "connect4", "first": "tris"}, 400, "tris plays mnk, not connect"),
        ("games", {"game": "connect4", "first": "engine:memory=9999"}, 400, "memory=64"),
        ("games", {"game": "connect4", "first": "mcts:threads=8"}, 400, "threads=1"),
        ("games", {"game": "connect4", "first": "mcts:ponder=on"}, 400, "ponder=off"),
        ("games", {"game": "connect4", "moves": "4444444"}, 400, "column 4 is full"),
        ("games", {"game": "connect4", "colour": "red"}, 422, "colour"),
        ("games", {"game": 4}, 422, "game"),
        ("games", {"game": "x" * 201}, 422, "200"),
        ("games", {}, 422, "game"),
        ("games", [], 422, "the message should be"),
        ("position", {"game": "connect4", "moves": "8"}, 400, "1 to 7"),
        ("position", {"game": "connect4", "board": "xyz"}, 400, "6 rows of 7"),
        ("games/none/moves", {"move": "4", "version": 1}, 404, "no saved game"),
        ("games/none/moves", {"move": "4", "version": 0}, 422, "version"),
    ],
)
def test_bad_requests_are_explained(
    client: TestClient, path: str, body: Any, status: int, part: str
) -> None:
    answer = client.post(f"/api/{path}", json=body)
    assert (answer.status_code, part in answer.json()["error"]) == (status, True), answer.text


def test_a_board_that_is_too_large_is_refused(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.post("/api/position", json={"game": "mnk:100x100x5"}).status_code == 200
    monkeypatch.setattr("mossa.web.states.CELLS", 2500)
    answer = client.post("/api/games", json={"game": "mnk:51x50x5"})
    assert (answer.status_code, "at most 2500" in answer.json()["error"]) == (400, True)


@pytest.mark.parametrize("body", [b"{", b"", b"\xff\xfe", b"[" * 60_000, b'{"game": "\\ud800"}'])
def test_what_is_no_json_is_refused(client: TestClient, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/api/games", content=body, headers=headers)
    assert 400 <= answer.status_code < 500
    assert client.get("/api/catalogue").status_code == 200


def test_a_large_body_is_refused(client: TestClient) -> None:
    large = b"x" * 10_000_000
    assert client.post("/api/games", content=large).status_code == 413
    pieces = (large[at : at + 10_000] for at in range(0, len(large), 10_000))
    assert client.post("/api/games", content=pieces).status_code == 413


def test_a_move_that_comes_twice_or_late_changes_nothing(client: TestClient) -> None:
    game = begin(client)
    now = act(client, game, "moves", move="4")
    for what, body in (("moves", {"move": "4"}), ("take-back", {}), ("resign", {})):
        for version in (1, 7):
            sent = {**body, "version": version}
            answer = client.post(f"/api/games/{game['id']}/{what}", json=sent)
            assert answer.status_code == 409
    assert client.get(f"/api/games/{game['id']}").json() == now


@pytest.mark.parametrize("move", ["9", "0", "", "swap", "h8", "4" * 150])
def test_an_illegal_move_is_refused(client: TestClient, move: str) -> None:
    game = begin(client)
    sent = {"move": move, "version": 1}
    assert client.post(f"/api/games/{game['id']}/moves", json=sent).status_code == 400
    assert client.get(f"/api/games/{game['id']}").json() == game


def test_errors_name_no_player_that_is_refused(client: TestClient) -> None:
    """They advised ugi, gomocup and files of Python, and refused those too."""
    for spec in ("xyz", "ug:x", "gomocu", "ugi:x", "bot.py:Bot", "gomocup:./x"):
        told = [
            client.post("/api/games", json={"game": "connect4", "first": spec}),
            client.post("/api/tournaments", json={"players": [spec, "random"], "games": ["kalah"]}),
            client.post("/api/trace", json={"game": "connect4", "player": spec}),
        ]
        for answer in told:
            assert answer.status_code == 400
            error = answer.json()["error"].replace(f"'{spec}'", "")
            assert re.search(r"\b(ugi|gomocup)\b|\.py", error) is None, error
        assert all("human" not in answer.json()["error"] for answer in told[1:])


@pytest.mark.parametrize(
    "spec", ["bantumi-open:study=3600", "bantumi:hands=9", "engine:time=3600", "minimax:depth=60"]
)
def test_no_spec_makes_the_server_think_for_long(spec: str) -> None:
    assert Opponent(spec)._limits.time == limits.THINKING_SECONDS


def test_nobody_moves_for_the_computer(client: TestClient) -> None:
    game = begin(client, first="level:1")
    answer = client.post(f"/api/games/{game['id']}/moves", json={"move": "4", "version": 1})
    assert (answer.status_code, answer.json()["error"]) == (400, "it is the computer's turn")


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ({"request": 1, "do": "think", "id": "none"}, "no saved game"),
        ({"request": 1, "do": "watch", "id": "none"}, "no saved game"),
        ({"request": 1, "do": "hint", "id": "none"}, "no saved game"),
        ({"request": 1, "do": "analyse"}, "needs a position"),
        ({"request": 1, "do": "analyse", "position": {"game": "chess"}}, "unknown game"),
        ({"request": 1, "do": "review", "position": {"game": "gomoku"}}, "nothing to review"),
        (
            {"request": 1, "do": "analyse", "position": {"game": "connect4", "moves": "4141414"}},
            "nothing to analyse",
        ),
    ],
)
def test_the_socket_explains_what_it_cannot_do(
    client: TestClient, message: dict[str, Any], part: str
) -> None:
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        socket.send_json(message)
        assert part in socket.receive_json()["error"]
        socket.send_json({"request": 2, "do": "analyse", "position": {"game": "tictactoe"}})
        assert socket.receive_json()["request"] == 2


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        (["{"], 1007),
        (["[]"], 1007),
        (['{"request": 1}'], 1007),
        (['{"request": 1, "do": "dance"}'], 1007),
        (['{"request": -1, "do": "stop"}'], 1007),
        (['{"request": 2, "do": "stop"}', '{"request": 2, "do": "stop"}'], 1008),
        (['{"request": 2, "do": "stop"}', '{"request": 1, "do": "stop"}'], 1008),
    ],
)
def test_the_socket_closes_on_nonsense(client: TestClient, messages: list[str], code: int) -> None:
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        for message in messages:
            socket.send_text(message)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert closed.value.code == code


def test_nonsense_while_a_search_runs_is_no_failure(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    """What the search found was sent after the farewell, and an exception was logged."""
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        socket.send_json({"request": 1, "do": "analyse", "position": {"game": "gomoku"}})
        socket.receive_json()
        socket.send_text("{")
        with pytest.raises(WebSocketDisconnect) as closed:
            answers(socket, "no such field")
    assert closed.value.code == 1007
    gone(client)
    assert caplog.records == []


@pytest.mark.parametrize("sent", ['{"request": 1, "do": "think", "id": "none"}', '{"request": 1}'])
def test_a_page_that_goes_while_it_is_told_of_an_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, sent: str
) -> None:
    """It left exceptions in the log."""
    app = create_app(Store(tmp_path / "games.sqlite"))
    scope = {
        "type": "websocket",
        "path": "/api/live",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"origin", b"http://127.0.0.1")],
    }

    async def talk() -> None:
        told = asyncio.Event()
        coming = [{"type": "websocket.connect"}, {"type": "websocket.receive", "text": sent}]

        async def receive() -> dict[str, Any]:
            if coming:
                return coming.pop(0)
            await told.wait()
            return {"type": "websocket.disconnect", "code": 1006}

        async def send(message: Any) -> None:
            if message["type"] != "websocket.accept":
                told.set()
                raise OSError("the client has gone")

        async with app.router.lifespan_context(app):
            await asyncio.wait_for(app(scope, receive, send), 20)

    asyncio.run(talk())
    assert caplog.records == []


def test_there_are_only_so_many_sockets(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SOCKETS", 1)
    with client.websocket_connect(LIVE, headers=OURS):
        with (
            client.websocket_connect(LIVE, headers=OURS) as second,
            pytest.raises(WebSocketDisconnect) as closed,
        ):
            second.receive_json()
        assert closed.value.code == 1013
    assert client.get("/api/catalogue").status_code == 200


# --- who is served --------------------------------------------------------------------------------


def test_other_pages_and_other_names_are_refused(client: TestClient) -> None:
    strange = {"origin": "http://evil.example"}
    assert client.post("/api/games", json={}, headers=strange).status_code == 403
    assert client.get("/", headers={"host": "evil.example:8000"}).status_code == 403
    assert client.get("/", headers={"host": "localhost:8000"}).status_code == 200
    for headers in (strange, {}):
        with (
            pytest.raises(WebSocketDisconnect) as refused,
            client.websocket_connect(LIVE, headers=headers),
        ):
            pass
        assert refused.value.code == 1008


def test_with_a_token_only_who_shows_it_is_served(tmp_path: Path) -> None:
    app = create_app(Store(tmp_path / "games.sqlite"), token="secret")
    with TestClient(app, base_url="http://board.example") as client:
        for address in ("/", "/api/catalogue", "/static/app.js", "/?token=wrong"):
            assert client.get(address).status_code == 401
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("ws://board.example/api/live"),
        ):
            pass
        shown = {"authorization": "Bearer secret"}
        assert client.get("/api/catalogue", headers=shown).status_code == 200
        first = client.get("/?token=secret")
        assert first.status_code == 200
        assert "HttpOnly; SameSite=Strict" in first.headers["set-cookie"]
        assert client.get("/api/catalogue").status_code == 200  # by the cookie


def test_the_pages_need_nothing_from_elsewhere() -> None:
    sources = {path.name: path.read_text(encoding="utf-8") for path in STATIC.iterdir()}
    for name, text in sources.items():
        assert "https://" not in text, name
        assert text.replace("http://www.w3.org/", "").count("http://") == 0, name


def test_unknown_pages_are_pages_for_people_and_json_for_programs(client: TestClient) -> None:
    """They were JSON for everybody."""
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path in ("/nowhere", "/play", "/arena/a/b", "/static/none.js", "/<script>alert(1)"):
        page = client.get(path, headers=browser)
        assert page.status_code == 404
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert "default-src 'self'" in page.headers["content-security-policy"]
        assert "<h1>Page not found</h1>" in page.text
        assert '<a href="/">Go to the start page</a>' in page.text
        assert "<script>" not in page.text
        assert list(client.get(path).json()) == ["error"]
    for path in ("/api/nowhere", "/api/games/none", "/api/tournaments/none"):
        assert list(client.get(path, headers=browser).json()) == ["error"]
    assert client.get("/nowhere").json() == {"error": "there is nothing at '/nowhere'"}


def test_who_may_not_come_in_sees_a_page(tmp_path: Path) -> None:
    browser = {"accept": "text/html"}
    app = create_app(Store(tmp_path / "games.sqlite"), token="a long secret")
    with TestClient(app, base_url="http://board.example") as client:
        page = client.get("/", headers=browser)
    assert (page.status_code, "<h1>Token needed</h1>" in page.text) == (401, True)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("{", "the message is not valid JSON"),
        ("{}", "game is missing"),
        ("[]", "the message should be a valid dictionary or object to extract fields from"),
        ('{"game": 4}', "game should be a valid string, not '4'"),
        ('{"game": "kalah", "colour": 1}', "there is no field 'colour'"),
        ('{"game": "%s"}' % ("x" * 201), "game: string should have at most 200 characters"),
    ],
)
def test_what_is_wrong_with_a_message_is_said_plainly(
    client: TestClient, body: str, error: str
) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/api/games", content=body, headers=headers)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith(error)


def test_a_wrong_method_is_told_the_right_ones(client: TestClient) -> None:
    answer = client.put("/api/games/none")
    assert answer.status_code == 405
    assert answer.json() == {"error": "PUT is not allowed here; accepted: GET"}
    answer = client.put("/api/tournaments")  # where two functions answer
    assert answer.headers["allow"] == "GET, POST"
    assert answer.json() == {"error": "PUT is not allowed here; accepted: GET, POST"}


def test_the_pages_are_served_with_their_policy(client: TestClient) -> None:
    for address in ("/", "/play/some-game", "/analyse", "/review", "/static/app.js"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert client.get("/static/../app.py").status_code == 404
    assert client.get("/static/..%2Fapp.py").status_code == 404
    assert client.get("/static/none.js").status_code == 404
    for strange in ("a" * 300, "a" * 5000, "%00", "a%00.js", "%2e%2e", ""):
        assert client.get(f"/static/{strange}").status_code == 404
    tag = client.get("/static/app.js").headers["etag"]
    assert client.get("/static/app.js", headers={"if-none-match": tag}).status_code == 304
    assert client.get("/api/openapi.json").json()["info"]["title"] == "mossa"
