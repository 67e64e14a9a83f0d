"""What the server tells about networks: which one speaks, what it thinks, why it does not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from clients import HOME
from fastapi.testclient import TestClient
from learning_checks import write_network
from network_checks import content_of, random_weights

import mossa
from mossa.networks import About, Network, network_name
from mossa.web.evaluation import analyst_spec
from mossa.web.limits import MEMORY_MB

BY_HAND = "Evaluation: hand-written."
SILENT = {"chances": "", "policy": {}}


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "books"
    folder.mkdir()
    monkeypatch.setenv("MOSSA_BOOKS", str(folder))
    return folder


def evaluation(client: TestClient, game: str, moves: str = "") -> dict[str, Any]:
    """What comes with a position, however it is asked for."""
    answer = client.post("/api/position", json={"game": game, "moves": moves})
    assert answer.status_code == 200, answer.text
    read = client.post("/api/read", json={"game": game, "text": moves}).json()
    found: dict[str, Any] = answer.json()["evaluation"]
    assert read["position"]["evaluation"] == found
    return found


def random_network(folder: Path, game: str, **about: Any) -> Network:
    """Write a network that says something, whatever it is."""
    rules = mossa.game(game)
    told = {"games": (rules.name,), "data": "", "command": "", "date": "2026-11-17", "test": ""}
    network = Network.of(
        About(**{**told, **about}), content_of(rules, random_weights(rules, seed=1))
    )
    network.save(folder / network_name(rules))
    return network


def words(chances: str) -> list[str]:
    return re.findall("<span>(.*?)</span>", chances)


def analysed(client: TestClient, game: str, moves: str) -> dict[str, Any]:
    """The last that the socket says of a position."""
    with client.websocket_connect(
        "ws://127.0.0.1:8000/api/live", headers={"origin": HOME}
    ) as socket:
        wanted = {"game": game, "moves": moves}
        socket.send_json({"request": 1, "do": "analyse", "position": wanted})
        said: dict[str, Any] = socket.receive_json()
        while not ("done" in said or "error" in said):
            said = socket.receive_json()
    return said


def test_a_network_says_who_it_is_and_what_it_thinks(client: TestClient, books: Path) -> None:
    network = write_network(books / "falling-4.net", mossa.game("connect4"))
    found = evaluation(client, "connect4", "44")
    assert found["told"] == (
        "Evaluation: network falling-4.net, trained on connect:6x7x4, 2026-11-17, "
        f"checksum {network.checksum:08x}."
    )
    assert words(found["chances"]) == ["Yellow wins 34%", "draw 33%", "Red wins 33%"]
    share = {"heat": 0.378, "text": "14%", "words": "policy 14%"}
    assert found["policy"] == {str(column): share for column in range(1, 8)}
    # One network serves all sizes of its k, and no other k.
    assert "falling-4.net" in evaluation(client, "connect:8x8x4")["told"]
    assert evaluation(client, "connect:8x8x6")["policy"] == {}


@pytest.mark.parametrize(("game", "moves"), [("mnk:15x15x4", "h8 i9 h9"), ("connect4", "445")])
def test_chances_stand_by_side_and_policies_by_move(
    client: TestClient, books: Path, game: str, moves: str
) -> None:
    network, position = random_network(books, game), mossa.game(game).position(moves)
    said, found = network.estimate(position), evaluation(client, game, moves)
    assert position.side is mossa.Side.second
    for share, text in zip((said.loss, said.draw, said.win), words(found["chances"]), strict=True):
        assert abs(100 * share - int(text.split()[-1].rstrip("%"))) < 1
    assert list(map(int, re.findall(r"flex-grow:(\d+)", found["chances"]))) == [
        int(text.split()[-1].rstrip("%")) for text in words(found["chances"])
    ]
    shown = {str(move): share for move, share in said.policy.items() if share > 0.005}
    assert set(found["policy"]) == set(shown)
    for move, share in shown.items():
        assert found["policy"][move]["heat"] == pytest.approx(share**0.5, abs=1e-3)
        assert found["policy"][move]["text"] == f"{share:.0%}"


def test_a_network_of_pits_has_chances_only(client: TestClient, books: Path) -> None:
    random_network(books, "kalah")
    found = evaluation(client, "kalah", "36")
    assert [text.split(" wins")[0] for text in words(found["chances"])][::2] == ["South", "North"]
    assert found["policy"] == {}


@pytest.mark.parametrize("game", ["breakthrough", "mnk:9x9x7", "oware"])
def test_without_a_network_nothing_is_told(client: TestClient, books: Path, game: str) -> None:
    assert evaluation(client, game) == {"told": BY_HAND, **SILENT}
    assert analyst_spec(mossa.game(game)) == f"engine:memory={MEMORY_MB}"


def test_a_game_that_is_over_has_no_chances(client: TestClient, books: Path) -> None:
    write_network(books / "falling-4.net", mossa.game("connect4"))
    found = evaluation(client, "connect4", "4141414")
    assert found["told"].startswith("Evaluation: network falling-4.net")
    assert (found["chances"], found["policy"]) == ("", {})


def break_in_two(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def write_text(path: Path) -> None:
    path.write_text("a network, honestly")


def swap(path: Path) -> None:
    write_network(path, mossa.game("mnk:3x3x3"))


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (break_in_two, " is damaged or incomplete: its checksum does not hold; remove it and make"),
        (write_text, " is not a network of mossa; mossa train run makes one."),
        (swap, ": this network is not for connect:4x4x3: it was trained on mnk:3x3x3."),
    ],
)
def test_a_network_that_cannot_be_used_is_named_and_left_out(
    client: TestClient, books: Path, spoil: Any, why: str
) -> None:
    """An analysis failed, because the engine refused to play without it."""
    path = books / "falling-3.net"
    write_network(path, mossa.game("connect:4x4x3"))
    spoil(path)
    found = evaluation(client, "connect:4x4x3", "12")
    assert found["told"].startswith(f"{BY_HAND} No network: 'falling-3.net'{why}")
    assert str(books) not in found["told"]
    assert {**found, "told": ""} == {"told": "", **SILENT}
    said = analysed(client, "connect:4x4x3", "12")
    assert "error" not in said
    assert said["done"]


def test_a_network_that_cannot_be_read_is_named(
    client: TestClient, books: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_network(books / "falling-3.net", mossa.game("connect:4x4x3"))

    def refuse(path: Path) -> Network:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Network, "load", refuse)
    told = evaluation(client, "connect:4x4x3")["told"]
    assert told == f"{BY_HAND} No network: 'falling-3.net' cannot be read: Permission denied."
    assert "done" in analysed(client, "connect:4x4x3", "12")


def test_a_folder_that_is_none_is_named(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOSSA_BOOKS", "no/such/folder")
    found = evaluation(client, "connect4")
    assert (
        found["told"]
        == f"{BY_HAND} No network: MOSSA_BOOKS is 'no/such/folder', which is not a folder."
    )


def test_a_file_that_says_too_much_is_cut_short(client: TestClient, books: Path) -> None:
    games = tuple(f"<b>connect:{size}x{size}x4</b>" for size in range(4, 100))
    random_network(books, "connect4", games=games, date="x" * 60_000)
    told = evaluation(client, "connect4")["told"]
    assert len(told) < 300
    assert "trained on <b>connect:4x4x4</b>, " in told  # the page shows it as text


def test_a_network_that_comes_later_is_heard(client: TestClient, books: Path) -> None:
    assert evaluation(client, "connect:5x5x3")["told"] == BY_HAND
    write_network(books / "falling-3.net", mossa.game("connect:4x4x3"))
    assert "falling-3.net" in evaluation(client, "connect:5x5x3")["told"]
    (books / "falling-3.net").unlink()
    assert evaluation(client, "connect:5x5x3")["told"] == BY_HAND
