"""``mossa players``: every kind, how to write it, and what is missing for it."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import ENVIRONMENT, call, complaint, good, run

import mossa
from mossa.adapters.openspiel_player import OPENSPIEL
from mossa.games import KINDS
from mossa.players import Group, PlayerKind, player_kinds, registry
from mossa.players.needs import Need
from mossa.players.simple import RandomPlayer
from mossa.protocols.connection import WEBSOCKETS
from mossa.protocols.java import JDK, JRE

every_kind = pytest.mark.parametrize("kind", player_kinds().values(), ids=lambda kind: kind.name)


@pytest.fixture
def no_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without Java."""
    monkeypatch.setitem(ENVIRONMENT, "PATH", str(tmp_path))
    monkeypatch.delitem(ENVIRONMENT, "JAVA_HOME", raising=False)


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without the packages that players need."""
    for name in ("pyspiel", "websockets"):
        monkeypatch.setitem(sys.modules, name, None)


def listed(*arguments: str) -> list[dict[str, Any]]:
    kinds: list[dict[str, Any]] = json.loads(good(call("players", *arguments, "--json")))["kinds"]
    return kinds


def flat(text: str) -> str:
    """The text on one line: where it is folded depends on the terminal."""
    return " ".join(text.split())


# --- the list ------------------------------------------------------------------------------------


def test_every_kind_is_listed_with_its_example_under_its_group() -> None:
    output = good(run("players"))
    parts = output.split("\n\n")
    assert [part.splitlines()[0] for part in parts[:-1]] == [group.value for group in Group]
    for group, part in zip(Group, parts, strict=False):
        examples = [line.split()[0] for line in part.splitlines() if line[2:3].strip()]
        kinds = [kind for kind in player_kinds().values() if kind.group is group]
        assert examples[1:] == [kind.example for kind in kinds]
        assert all(kind.summary.split()[0] in part for kind in kinds)


def test_no_terminal_is_too_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The summaries were lost where the examples took all the room."""
    monkeypatch.setitem(ENVIRONMENT, "COLUMNS", "20")
    assert "any legal move" in good(call("players"))


@every_kind
def test_an_example_is_a_spec_of_its_kind(
    kind: PlayerKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its options are right, even where the player itself is the user's or is not installed."""
    stand_in = replace(kind, make=lambda options: RandomPlayer())
    monkeypatch.setitem(registry._KINDS, kind.name, stand_in)
    assert mossa.player(kind.example).name == kind.example
    assert kind.example.partition(":")[0] == kind.name


@every_kind
def test_an_example_that_needs_nothing_plays_as_it_stands(kind: PlayerKind) -> None:
    if kind.rest is None and not any(need.missing for need in kind.needs):
        assert mossa.player(kind.example).name == kind.example


def test_the_json_has_all_that_a_kind_declares() -> None:
    kinds = listed()
    assert [each["name"] for each in kinds] == list(player_kinds())
    for each, kind in zip(kinds, player_kinds().values(), strict=True):
        assert each["summary"] == kind.summary and each["group"] == kind.group.value
        assert [option["name"] for option in each["options"]] == [o.name for o in kind.options]
        assert [need["name"] for need in each["needs"]] == [need.name for need in kind.needs]


def test_games_are_told_by_those_who_know() -> None:
    games = {each["name"]: each["games"] for each in listed()}
    assert games["engine"] == games["alphabeta"] == list(KINDS)
    assert games["threats"] == games["tree"] == games["bologna-mnk"] == ["mnk"]
    assert games["gravity"] == games["kaggle"] == games["bologna-connect"] == ["connect"]
    assert games["manchester"] == games["kgp"] == ["kalah"]


# --- one kind ------------------------------------------------------------------------------------


@every_kind
def test_a_kind_is_shown_with_every_option(kind: PlayerKind) -> None:
    shown = good(call("players", kind.name))
    assert shown.startswith(f"{kind.name}  ")
    assert f"example  {kind.example}" in shown
    for option in kind.options:
        assert f"  {option.name} " in shown
        assert flat(option.help) in flat(shown)
        assert kind.accepted(option) in flat(shown)


def test_one_kind_word_by_word() -> None:
    lines = good(call("players", "level")).splitlines()
    assert [line.rstrip() for line in lines] == [
        "level  an opponent for people: level:1 for beginners to level:10, the strongest",
        "  example  level:5",
        "  plays    every game",
        "  needs    nothing besides mossa",
        "",
        "options",
        "  level  written without its name: level:5",
        "         a whole number, 1 to 10",
        "  seed   the same seed plays the same game",
        "         a whole number, 0 to 2000000000",
    ]


def test_files_and_commands_are_accepted_values_too() -> None:
    options = {option["name"]: option for option in listed("kaggle")[0]["options"]}
    assert options["python"]["accepted"] == "a file"
    assert options["submission"]["accepted"] == "all that is left of the spec"
    assert options["submission"]["values"] == [] and options["submission"]["default"] is None
    net = next(each for each in listed("engine")[0]["options"] if each["name"] == "net")
    assert net["accepted"] == "one of shipped, off, or a file"
    with pytest.raises(mossa.InvalidPlayerError, match="expected one of shipped, off, or a file"):
        mossa.player("engine:net=")


def test_a_whole_spec_will_do() -> None:
    assert good(call("players", "alphabeta:depth=6")) == good(call("players", "alphabeta"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("alfabeta", "unknown player 'alfabeta': did you mean 'alphabeta'? there are human, "),
        ("", "unknown player '': there are human, "),
        ("[red]", "unknown player '[red]': there are human, "),
    ],
)
def test_an_unknown_kind(given: str, said: str) -> None:
    assert complaint(call("players", given)).startswith(said)


# --- what is missing -----------------------------------------------------------------------------


def test_a_need_is_looked_for_each_time() -> None:
    there = False
    need = Need("rosin", "a bow", lambda: there, "buy some")
    assert need.missing == "a bow needs rosin, which is not installed: buy some"
    there = True
    assert need.missing is None


@pytest.mark.usefixtures("no_java", "no_packages")
def test_what_is_missing_is_said_in_the_list() -> None:
    text = flat(good(call("players")))
    assert "needs javac (missing), java (missing)" in text
    assert "needs java for a jar (missing)" in text
    assert "needs websockets for a WebSocket (missing)" in text
    assert "needs open_spiel (missing)" in text
    needs = {each["name"]: each["needs"] for each in listed()}
    assert [need["installed"] for need in needs["bologna-mnk"]] == [False, False]
    assert needs["manchester"][0]["always"] is False
    assert needs["openspiel"][0]["install"] == OPENSPIEL.install


@pytest.mark.usefixtures("no_java", "no_packages")
@pytest.mark.parametrize(
    ("kind", "needs"),
    [
        ("bologna-mnk", JDK),
        ("bologna-connect", JDK),
        ("manchester", [JRE]),
        ("kgp", [WEBSOCKETS]),
        ("openspiel", [OPENSPIEL]),
    ],
)
def test_a_kind_shows_what_installs_it(kind: str, needs: list[Need]) -> None:
    lines = good(call("players", kind)).splitlines()
    assert all(need.refusal in lines for need in needs)


def test_what_is_there_needs_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mossa.protocols.java.find_tool", lambda name: f"/bin/{name}")
    shown = good(call("players", "bologna-mnk"))
    assert "needs    javac (installed), java (installed)" in shown
    assert "not installed" not in shown


@pytest.mark.usefixtures("no_java", "no_packages")
@pytest.mark.parametrize(
    ("spec", "game", "need"),
    [
        ("bologna-mnk:{player}", "tictactoe", JDK[0]),
        ("manchester:agent.jar", "kalah:7x7,swap=yes,first_extra=no", JRE),
        ("openspiel:mcts", "connect4", OPENSPIEL),
    ],
)
def test_players_match_and_check_player_say_the_same(
    spec: str, game: str, need: Need, tmp_path: Path
) -> None:
    player = tmp_path / "A.java"
    player.write_text("import mnkgame.*; public class A implements MNKPlayer {}")
    spec = spec.format(player=player)
    assert need.refusal in good(call("players", spec)).splitlines()
    assert complaint(call("match", spec, "random", game)).endswith(f": {need.refusal}")
    checked = call("check-player", spec)
    assert need.refusal in checked.stdout + checked.stderr
    assert checked.returncode in (1, 2)
