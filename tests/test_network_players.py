"""Players that ask a network: files by name, the shipped ones, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from learning_checks import write_network

import mossa
from mossa import InvalidPlayerError, Limits
from mossa.networks import network_for, network_name
from mossa.players.engine import Engine


@pytest.mark.parametrize("name", ["mnk:15x15x5", "connect:9x9x5", "kalah:6x6"])
def test_the_engine_asks_the_network_of_a_file(name: str, tmp_path: Path) -> None:
    rules = mossa.game(name)
    write_network(tmp_path / "blank.net", rules)
    values = []
    for net in ("off", tmp_path / "blank.net"):
        player = mossa.player(f"engine:book=off,memory=4,net={net}")
        infos = [player.choose(rules.start(), Limits(nodes=n)).info for n in (300, 3000)]
        values.append([(info.score, info.nodes, info.depth) for info in infos if info is not None])
    assert values[0] != values[1]


def test_players_find_the_network_of_their_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = mossa.game("mnk:12x12x5")
    monkeypatch.setenv("MOSSA_BOOKS", str(tmp_path))
    position = rules.position("g7 h8")

    def value(spec: str) -> float:
        info = mossa.player(spec).choose(position, Limits(nodes=300)).info
        assert info is not None
        return info.score.value

    found, off = value("engine:book=off"), value("engine:book=off,net=off")
    write_network(tmp_path / network_name(rules), rules)
    assert value("engine:book=off") != off
    assert value("engine:book=off,net=off") == off
    assert value("threats") != 0  # searches ask a network only when they are told to
    assert value("threats:net=shipped,trust=100") == 0
    assert value("threats:net=shipped,trust=0,policy=off") == value("threats")
    assert value("alphabeta:evaluate=net,depth=2") == 0
    assert found != 0


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("engine:net={missing}", "cannot read the network '{missing}': No such file or directory"),
        ("threats:net={folder}", "cannot read the network '{folder}': Is a directory"),
        ("engine:net={text}", "'{text}' is not a network of mossa"),
        ("engine:net={falling}", "'{falling}': this network is not for mnk:15x15x5"),
        ("alphabeta:evaluate=net,net=off", "needs a network for mnk:15x15x5: give net=FILE"),
        ("engine:net=", "invalid value '' of 'net'"),
    ],
)
def test_what_is_no_network_for_the_game_is_refused(spec: str, why: str, tmp_path: Path) -> None:
    files = {name: tmp_path / f"{name}.net" for name in ("missing", "text", "falling")}
    files["folder"] = tmp_path
    files["text"].write_text("a network, honestly")
    write_network(files["falling"], mossa.game("connect:8x8x5"))
    rules = mossa.game("mnk:15x15x5")
    with pytest.raises(InvalidPlayerError) as error:
        mossa.player(spec.format(**files)).choose(rules.start(), Limits(nodes=100))
    assert why.format(**files) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["breakthrough", "mnk:9x9x7", "oware"])
def test_no_network_is_needed(name: str) -> None:
    rules = mossa.game(name)
    assert network_for("shipped", rules) is None
    choice = Engine(book=False, memory=4).choose(rules.start(), Limits(nodes=100))
    assert choice.move in rules.start().moves
