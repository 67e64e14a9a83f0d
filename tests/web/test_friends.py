"""Games of two people on two devices: seats, offers, and what strangers cannot do."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from time import time
from typing import Any

import pytest
from clients import HOME, LIVE, OURS
from fastapi.testclient import TestClient

from mossa.session import timing
from mossa.web.app import create_app
from mossa.web.store import Store

ALICE, BOB, EVE = "alice's own secret", "bob's own secret.", "eve's own secret."
State = dict[str, Any]


class Person:
    """Somebody with a browser; the browser has a secret."""

    def __init__(self, client: TestClient, secret: str) -> None:
        self.client, self.headers = client, {"X-Seat": secret}
        self.version = 1

    def begin(self, **new: str) -> State:
        game = {"game": "tictactoe", "friend": "first", **new}
        return self._kept(self.client.post("/api/games", json=game, headers=self.headers), 201)

    def see(self, name: str) -> State:
        return self._kept(self.client.get(f"/api/games/{name}", headers=self.headers))

    def join(self, name: str) -> State:
        return self._kept(self._post(name, "join", {}))

    def do(self, name: str, what: str, **body: Any) -> State:
        sent = body if what == "rematch" else {"version": self.version, **body}
        return self._kept(self._post(name, what, sent), 201 if what == "rematch" else 200)

    def refused(self, name: str, what: str, **body: Any) -> tuple[int, str]:
        sent = body if what == "rematch" else {"version": self.version, **body}
        answer = self._post(name, what, sent)
        return answer.status_code, answer.json()["error"]

    def _post(self, name: str, what: str, body: State) -> Any:
        return self.client.post(f"/api/games/{name}/{what}", json=body, headers=self.headers)

    def _kept(self, answer: Any, expected: int = 200) -> State:
        assert answer.status_code == expected, answer.text
        state: State = answer.json()
        self.version = state["version"]
        return state


@pytest.fixture
def alice(client: TestClient) -> Person:
    return Person(client, ALICE)


@pytest.fixture
def bob(client: TestClient) -> Person:
    return Person(client, BOB)


@pytest.fixture
def eve(client: TestClient) -> Person:
    return Person(client, EVE)


@pytest.fixture
def game(alice: Person, bob: Person) -> str:
    """A game that both sit at."""
    name: str = alice.begin()["id"]
    bob.join(name)
    alice.see(name)
    return name


# ---------------------------------------------------------------- seats


def test_who_opens_the_link_first_plays_and_the_others_watch(
    alice: Person, bob: Person, eve: Person
) -> None:
    begun = alice.begin()
    assert begun["seats"]["you"] == "first"
    assert begun["seats"]["free"] == "second"
    assert begun["status"] == "Waiting for your friend …"
    assert begun["awaits"] == "friend"  # nobody moves before the other is there
    name = begun["id"]
    joined = bob.join(name)
    assert joined["seats"]["you"] == "second"
    assert joined["names"] == {"first": "Your friend", "second": "You"}
    assert joined["status"] == "Your friend is thinking …"
    watched = eve.join(name)
    assert watched["seats"]["you"] is None
    assert watched["names"] == {"first": "Person", "second": "Person"}
    assert watched["status"] == "X to move"
    assert alice.see(name)["status"] == "Your move (X)"


def test_a_second_request_to_join_finds_the_seat_taken_by_oneself(
    alice: Person, bob: Person
) -> None:
    name = alice.begin()["id"]
    once, twice = bob.join(name), bob.join(name)
    assert once == twice
    assert alice.join(name)["seats"]["you"] == "first"  # one's own link gives no second seat


def test_the_creator_may_play_second(alice: Person, bob: Person) -> None:
    name = alice.begin(friend="second")["id"]
    assert bob.join(name)["seats"]["you"] == "first"


def test_the_form_begins_a_game_with_a_friend(client: TestClient) -> None:
    fields = {"preset": "connect4", "opponent": "friend", "side": "second"}
    sizes = {"connect4.rows": "6", "connect4.cols": "7", "connect4.k": "4"}
    fields |= sizes | {"minutes": "5", "increment": "0"}
    headers = {"X-Seat": ALICE}
    made = client.post("/api/setup", json=fields, headers=headers).json()
    assert made["seats"]["you"] == "second"
    assert made["clock"]["clock"] == "300+0"
    refused = client.post("/api/setup", json=fields)
    assert refused.status_code == 403
    assert refused.json()["error"] == "the secret of a seat has 16 to 100 characters"


def test_the_computer_is_nobodys_friend(alice: Person) -> None:
    new = {"game": "tictactoe", "friend": "first", "second": "level:3"}
    answer = alice.client.post("/api/games", json=new, headers=alice.headers)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("two people play a game with a friend")


def test_nobody_moves_for_another(game: str, alice: Person, bob: Person, eve: Person) -> None:
    bob.see(game)
    eve.see(game)
    assert bob.refused(game, "moves", move="b2") == (403, "it is your friend's turn")
    watching = (403, "you are watching this game: both seats are taken")
    for what in ("take-back", "draw", "decline", "resign", "rematch"):
        assert eve.refused(game, what) == watching
    assert eve.refused(game, "moves", move="b2") == watching
    alice.do(game, "moves", move="b2")
    alice.see(game)
    assert alice.refused(game, "moves", move="a1") == (403, "it is your friend's turn")


def test_the_first_move_waits_for_the_friend(alice: Person) -> None:
    name = alice.begin()["id"]
    assert alice.refused(name, "moves", move="b2") == (
        403,
        "your friend is not here yet: send the link",
    )


def test_a_secret_that_is_too_short_takes_no_seat(alice: Person, client: TestClient) -> None:
    name = alice.begin()["id"]
    for secret in ("", "short", "x" * 101):
        answer = client.post(f"/api/games/{name}/join", json={}, headers={"X-Seat": secret})
        assert answer.status_code == 403
        assert answer.json()["error"] == "the secret of a seat has 16 to 100 characters"
    assert alice.see(name)["seats"]["free"] == "second"


def test_the_store_keeps_no_secret(game: str, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "games.sqlite") as connection:
        text = str(connection.execute("SELECT * FROM games").fetchall())
    assert game in text
    assert ALICE not in text
    assert BOB not in text


def test_a_file_from_before_there_were_seats_is_taken_on(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with TestClient(create_app(Store(path)), base_url=HOME) as client:
        name = client.post("/api/games", json={"game": "connect4"}).json()["id"]
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE games DROP COLUMN seats")
    with TestClient(create_app(Store(path)), base_url=HOME) as client:
        assert client.get(f"/api/games/{name}").json()["seats"] is None
        alice = Person(client, ALICE)
        assert alice.begin()["seats"]["you"] == "first"


def test_a_restarted_server_knows_the_seats(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with TestClient(create_app(Store(path)), base_url=HOME) as client:
        name = Person(client, ALICE).begin()["id"]
        Person(client, BOB).join(name)
    with TestClient(create_app(Store(path)), base_url=HOME) as client:
        assert Person(client, BOB).see(name)["seats"]["you"] == "second"
        assert Person(client, EVE).join(name)["seats"]["you"] is None


# ---------------------------------------------------------------- offers


def test_a_draw_needs_two(game: str, alice: Person, bob: Person) -> None:
    offered = alice.do(game, "draw")
    assert offered["seats"]["told"] == "You have offered a draw."
    assert bob.see(game)["seats"]["told"] == "Your friend offers a draw."
    assert alice.do(game, "draw")["end"] is None  # to offer twice agrees to nothing
    bob.see(game)
    agreed = bob.do(game, "draw")
    assert agreed["status"] == "Draw: agreed"
    assert agreed["result"] == "1/2"
    assert bob.refused(game, "draw") == (400, "the game is over")


def test_an_offer_is_declined_or_withdrawn(game: str, alice: Person, bob: Person) -> None:
    for decider in (alice, bob):
        alice.see(game)
        alice.do(game, "draw")
        decider.see(game)
        assert decider.do(game, "decline")["seats"]["offer"] == ""
    assert bob.refused(game, "decline") == (400, "there is no offer to answer")


def test_a_move_declines(game: str, alice: Person, bob: Person) -> None:
    bob.see(game)
    bob.do(game, "draw")
    moved = alice.do(game, "moves", move="b2")  # who has not seen the offer may move all the same
    assert moved["seats"]["offer"] == ""
    assert moved["position"]["history"] == ["b2"]


def test_a_move_of_an_older_position_is_outdated(game: str, alice: Person, bob: Person) -> None:
    seen = alice.version
    alice.do(game, "moves", move="b2")
    bob.see(game)
    bob.do(game, "moves", move="a1")
    alice.version = seen
    assert alice.refused(game, "moves", move="c3")[0] == 409


def test_ones_own_move_is_taken_back_by_consent(game: str, alice: Person, bob: Person) -> None:
    assert not alice.see(game)["can_take_back"]
    assert alice.refused(game, "take-back") == (400, "you have not moved yet")
    alice.do(game, "moves", move="b2")
    bob.see(game)
    bob.do(game, "moves", move="a1")
    alice.see(game)
    asked = alice.do(game, "take-back")
    assert asked["position"]["history"] == ["b2", "a1"]
    bob.see(game)
    # Both moves go: the one of whoever asked, and the answer to it.
    assert bob.do(game, "take-back")["position"]["history"] == []


def test_a_friend_resigns_for_nobody_else(game: str, bob: Person, alice: Person) -> None:
    bob.see(game)
    resigned = bob.do(game, "resign")  # it is first's turn, but second resigns
    assert resigned["result"] == "1-0"
    assert resigned["status"] == "You lost: you resigned"
    assert alice.see(game)["status"] == "You won: your friend resigned"


def test_a_rematch_begins_when_both_want_one(
    game: str, alice: Person, bob: Person, eve: Person
) -> None:
    assert alice.refused(game, "rematch") == (400, "you can offer a rematch once the game is over")
    alice.do(game, "resign")
    assert alice.do(game, "rematch")["seats"]["next"] == ""
    assert bob.see(game)["seats"]["told"] == "Your friend would like a rematch."
    following = bob.do(game, "rematch")["seats"]["next"]
    assert alice.see(game)["seats"]["next"] == following
    assert alice.refused(game, "rematch") == (400, "the rematch has begun")
    assert alice.see(following)["seats"]["you"] == "second"  # the sides have changed
    assert bob.see(following)["seats"]["you"] == "first"
    assert eve.join(following)["seats"]["you"] is None


def test_a_game_without_a_friend_has_nobody_to_ask(client: TestClient, alice: Person) -> None:
    made = client.post("/api/games", json={"game": "tictactoe"}).json()
    nobody = (403, "there is nobody to ask: this is not a game with a friend")
    assert alice.refused(made["id"], "draw") == nobody
    assert alice.refused(made["id"], "decline") == nobody
    assert alice.join(made["id"])["seats"] is None


def test_there_are_no_hints(game: str, client: TestClient) -> None:
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        socket.send_json({"request": 1, "do": "hint", "id": game, "version": 2})
        said = socket.receive_json()
    assert said["error"] == "there are no hints in a game with a friend"


def test_whoever_watches_is_told_as_whom(game: str, client: TestClient, alice: Person) -> None:
    with client.websocket_connect(LIVE, headers=OURS) as socket:
        socket.send_json({"request": 1, "do": "watch", "id": game, "version": 2, "seat": BOB})
        alice.do(game, "moves", move="b2")
        seen = socket.receive_json()["game"]
    assert seen["status"] == "Your move (O)"
    assert seen["awaits"] == "person"


# ---------------------------------------------------------------- the clock


def test_the_clock_of_a_friend_who_sleeps_runs_out(
    alice: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = alice.begin(clock="60")["id"]
    bob.join(name)
    alice.see(name)
    alice.do(name, "moves", move="b2")
    alice.see(name)
    assert alice.refused(name, "flag") == (400, "nobody has run out of time")
    later = time() + 100
    monkeypatch.setattr(timing, "time", lambda: later)
    assert alice.do(name, "flag")["status"] == "You won: your friend ran out of time"


# ---------------------------------------------------------------- the link


def test_the_link_is_a_picture_too(client: TestClient, alice: Person) -> None:
    name = alice.begin()["id"]
    answer = client.post(f"/api/games/{name}/invitation", json={"origin": "http://127.0.0.1:8000"})
    made = answer.json()
    assert made["link"] == f"http://127.0.0.1:8000/play/{name}"
    assert made["code"].startswith("<svg")
    assert "this machine only" in made["note"]
    elsewhere = {"origin": "https://games.example.org"}
    made = client.post(f"/api/games/{name}/invitation", json=elsewhere).json()
    assert made["link"] == f"https://games.example.org/play/{name}"
    assert made["note"] == ""


def test_the_link_brings_the_token_along(tmp_path: Path) -> None:
    app = create_app(Store(tmp_path / "games.sqlite"), token="secret & more")
    with TestClient(app, base_url="http://board.example") as client:
        client.headers["authorization"] = "Bearer secret & more"
        name = Person(client, ALICE).begin()["id"]
        origin = {"origin": "http://board.example"}
        made = client.post(f"/api/games/{name}/invitation", json=origin).json()
        assert made["link"] == f"http://board.example/play/{name}?token=secret%20%26%20more"
        del client.headers["authorization"]
        assert client.get(made["link"]).status_code == 200


@pytest.mark.parametrize("origin", ["", "javascript:alert(1)", "http://[", "//x", "http://a/b?c"])
def test_a_link_leads_to_a_page(client: TestClient, alice: Person, origin: str) -> None:
    name = alice.begin()["id"]
    answer = client.post(f"/api/games/{name}/invitation", json={"origin": origin})
    assert answer.status_code == 400
    assert "is not the origin of a page" in answer.json()["error"]
