"""Files of networks: what they say of themselves, and how anything else is refused."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

import mossa
from mossa import BookError, GameError, _core
from mossa.networks import About, Network, network_name

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
    assert refused(path, broken.content).startswith("is damaged: this is no network")
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


def test_the_name_of_a_file_says_what_it_is_for() -> None:
    names = {name: network_name(mossa.game(name)) for name in ("mnk:9x9x5", "connect:6x7x4")}
    assert names == {"mnk:9x9x5": "lines-5.net", "connect:6x7x4": "falling-4.net"}
    with pytest.raises(GameError, match="no network for breakthrough"):
        network_name(mossa.game("breakthrough:4x4"))
