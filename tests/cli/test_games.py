"""``mossa games``: the list is that of the package."""

from __future__ import annotations

import json

from command import call, good, run

import mossa
from mossa.games import FORMS, KINDS, PRESETS


def test_games_lists_every_preset_kind_and_option() -> None:
    words = set(good(run("games")).split())
    assert {*PRESETS, *PRESETS.values(), *FORMS, *FORMS.values()} <= words
    assert {"mnk:ROWSxCOLSxK", "connect:ROWSxCOLSxK", "kalah:PITSxSEEDS"} <= words
    for kind in KINDS.values():
        for option in kind.options:
            assert f"{option.name}={'|'.join(option.values)}" in words


def test_games_json() -> None:
    listed = json.loads(good(call("games", "--json")))
    assert (listed["presets"], listed["forms"]) == (PRESETS, FORMS)
    assert [kind["name"] for kind in listed["kinds"]] == list(KINDS)
    for kind in listed["kinds"]:
        sizes = "x".join(str(size["low"]) for size in kind["sizes"])
        options = "".join(f",{o['name']}={o['values'][-1]}" for o in kind["options"])
        assert mossa.game(f"{kind['name']}:{sizes}{options}").kind == kind["name"]
