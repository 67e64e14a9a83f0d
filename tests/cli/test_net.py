"""``mossa net info``: what a network says of itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import call, complaint, good
from learning_checks import write_network

import mossa
from mossa.networks import Network


@pytest.fixture(autouse=True)
def four(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    write_network(Path("four.net"), mossa.game("connect4"))
    return Path("four.net")


def test_a_network_tells_what_it_is(four: Path) -> None:
    network = Network.load(four)
    assert good(call("net", "info", four)).splitlines() == [
        f"four.net: 4 in a row, stones fall, {four.stat().st_size:,} bytes, "
        f"checksum {network.checksum:08x}",
        "trained on connect:6x7x4: 12 positions of 2 games",
        "made on 2026-11-17 by mossa train run",
        "test: none",
    ]


def test_as_json(four: Path) -> None:
    data = json.loads(good(call("net", "info", four, "--json")))
    assert (data["kind"], data["k"], data["falls"]) == ("lines", 4, True)
    assert (data["games"], data["bytes"]) == (["connect:6x7x4"], four.stat().st_size)


def test_what_is_no_network_is_refused(four: Path) -> None:
    four.write_bytes(four.read_bytes()[:-1])
    assert complaint(call("net", "info", four)).startswith(
        "'four.net' is damaged or incomplete: its checksum does not hold"
    )
    Path("text").write_text("some text")
    assert complaint(call("net", "info", "text")).startswith("'text' is not a network of mossa")
    assert "No such file" in complaint(call("net", "info", "none.net"))
