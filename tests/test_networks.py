"""Files of networks: what they say of themselves, and how anything else is refused."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from network_checks import content_of, random_weights

import mossa
from mossa import BookError, GameError, _core
from mossa.networks import About, Network, network_name, network_path

SHIPPED = ["gomoku", "mnk:7x9x5", "connect:10x10x5", "connect:30x30x5"]
SHIPPED += ["connect4", "connect:8x8x4", "kalah", "kalah:6x6"]
ABOUT = About(
    ("mnk:10x10x5", "mnk:15x15x5"),
    "412,000 positions of 9,200 games",
    "mossa train run five.train --game mnk:15x15x5 --budget 2h",
    "2026-11-17",
    "+120 =3 -77 against no network at 2,000 nodes a move: accepted",
)


@pytest.fixture
def network() -> Network:
    rules = mossa.game("mnk:15x15x5")
    payload = bytes(_core.network_shape(rules).payload_bytes)
    return Network.of(ABOUT, _core.pack_network(rules, payload))


def resealed(content: bytes) -> bytes:
    return content + struct.pack("<I", zlib.crc32(content))


def refused(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    with pytest.raises(BookError) as error:
        Network.load(path)
    message = str(error.value)
    assert message.startswith(f"{str(path)!r} ")
    assert "\n" not in message
    return message.removeprefix(f"{str(path)!r} ")


def test_what_is_saved_is_loaded(network: Network, tmp_path: Path) -> None:
    path = tmp_path / "five.net"
    network.save(path)
    loaded = Network.load(path)
    assert loaded == network
    assert loaded.about == ABOUT
    assert (loaded.core.kind, loaded.core.k, loaded.core.falls) == ("lines", 5, False)
    assert loaded.checksum == network.checksum
    assert path.read_bytes() == network.content
    with pytest.raises(FileNotFoundError):
        Network.load(tmp_path / "none.net")


def test_a_changed_byte_is_found_wherever_it_is(network: Network, tmp_path: Path) -> None:
    content = network.content
    for at in {*range(60), *range(60, len(content), 9973), len(content) - 1}:
        changed = bytearray(content)
        changed[at] ^= 0x10
        assert refused(tmp_path / "a.net", bytes(changed))


def test_a_file_that_was_cut_short_is_refused(network: Network, tmp_path: Path) -> None:
    content = network.content
    for size in (0, 5, 20, 100, 500, len(content) // 2, len(content) - 1):
        assert refused(tmp_path / "a.net", content[:size])
    assert "checksum does not hold" in refused(tmp_path / "a.net", content[:-1])


def test_why_a_file_is_refused(network: Network, tmp_path: Path) -> None:
    path = tmp_path / "a.net"
    content = network.content
    again = "remove it and make it again: mossa train run"
    assert refused(path, b"a text") == "is not a network of mossa; mossa train run makes one"
    later = content[:8] + struct.pack("<H", 9) + content[10:]
    assert refused(path, later) == f"is a network of format 9; this program reads format 1; {again}"
    more = resealed(content[:-4] + b"more")
    assert refused(path, more) == f"is damaged: its weights are not all there; {again}"
    broken = replace(network, weights=network.weights[:-1] + b"x")
    assert refused(path, broken.content).startswith("is damaged: this is not a network")
    for about in ("[]", "{", '{"games": []}', "null", "[" * 100_000):
        start = content.index(b'{"games"')
        end = content.index(network.weights)
        sizes = struct.pack("<HII", len(ABOUT.games[0]), len(about), len(network.weights))
        head = content[:10] + sizes + content[20:start] + about.encode()
        assert refused(path, resealed(head + content[end:-4])).startswith(
            "is damaged: it says of itself "
        )


def test_a_network_of_another_game_is_refused(network: Network) -> None:
    network.check_plays(mossa.game("mnk:9x9x5"))
    for other in ("mnk:9x9x4", "connect:9x9x5", "kalah"):
        with pytest.raises(GameError, match=f"this network is not for {mossa.game(other)}: it was"):
            network.check_plays(mossa.game(other))


def test_a_network_of_ones_own_is_found(
    network: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = mossa.game("mnk:12x12x5")
    monkeypatch.setenv("MOSSA_BOOKS", str(tmp_path))
    network.save(tmp_path / network_name(rules))
    assert Network.shipped(rules) == network
    assert Network.shipped(mossa.game("breakthrough:4x4")) is None


def test_a_network_knows_its_file(
    network: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = mossa.game("mnk:12x12x5")
    path = tmp_path / network_name(rules)
    network.save(path)
    monkeypatch.setenv("MOSSA_BOOKS", str(tmp_path))
    found = Network.shipped(rules)
    assert found is not None
    assert (found.path, network_path(rules), network.path) == (path, path, None)
    told = found.to_dict()
    assert (told["file"], told["for"], told["games"]) == (str(path), "5 in a row", [*ABOUT.games])
    assert network.to_dict() == {**told, "file": None}
    assert network_path(mossa.game("breakthrough:4x4")) is None


# --- what it says of a position -------------------------------------------------------------------


def with_weights(name: str, seed: int = 1) -> Network:
    """Return a network for a game that says something, whatever it is."""
    rules = mossa.game(name)
    return Network.of(ABOUT, content_of(rules, random_weights(rules, seed)))


@pytest.mark.parametrize(
    ("name", "moves"),
    [("mnk:15x15x5", "h8 i9"), ("mnk:6x5x4", "c3"), ("connect4", "444444 3"), ("tictactoe", "")],
)
def test_chances_and_policies_are_shares_of_one(name: str, moves: str) -> None:
    position = mossa.game(name).position(moves)
    said = with_weights(name).estimate(position)
    assert said.win + said.draw + said.loss == pytest.approx(1)
    assert min(said.win, said.draw, said.loss) >= 0
    assert set(said.policy) == set(position.moves)
    assert sum(said.policy.values()) == pytest.approx(1)
    assert len(set(said.policy.values())) > 1


@pytest.mark.parametrize(
    ("name", "moves", "mirrored", "cols"),
    [("connect4", "4453", "4435", 7), ("mnk:9x9x5", "e5 f6 d4", "e5 d6 f4", 9)],
)
def test_mirror_images_get_the_same_estimate(
    name: str, moves: str, mirrored: str, cols: int
) -> None:
    rules, network = mossa.game(name), with_weights(name)
    one, two = (rules.position(each) for each in (moves, mirrored))
    here, there = network.estimate(one), network.estimate(two)
    assert (here.win, here.draw, here.loss) == (there.win, there.draw, there.loss)
    by_cell = {two.target(move): share for move, share in there.policy.items()}
    for move, share in here.policy.items():
        cell = one.target(move)
        assert cell is not None
        assert by_cell[cell[0], cols - 1 - cell[1]] == pytest.approx(share)


def test_a_network_of_pits_has_no_policy() -> None:
    said = with_weights("kalah").estimate(mossa.game("kalah").position("36"))
    assert said.policy == {}
    assert said.win + said.draw + said.loss == pytest.approx(1)


def test_what_a_network_says_nothing_of() -> None:
    network = with_weights("connect4")
    with pytest.raises(GameError, match="this network is not for mnk:3x3x3"):
        network.estimate(mossa.game("tictactoe").start())
    with pytest.raises(GameError, match="4 in a row"):
        network.estimate(mossa.game("connect4").position("1212121"))


def test_the_name_of_a_file_says_what_it_is_for() -> None:
    names = {name: network_name(mossa.game(name)) for name in ("mnk:9x9x5", "connect:6x7x4")}
    assert names == {"mnk:9x9x5": "lines-5.net", "connect:6x7x4": "falling-4.net"}
    with pytest.raises(GameError, match="no network for breakthrough"):
        network_name(mossa.game("breakthrough:4x4"))


@pytest.mark.parametrize("name", SHIPPED)
def test_some_networks_ship(name: str) -> None:
    rules = mossa.game(name)
    network = Network.shipped(rules)
    assert network is not None
    network.check_plays(rules)
    assert network.about.test
    assert len(network.content) < 1_000_000
    assert mossa.player("engine").network_of(rules) == network
