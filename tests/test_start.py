"""What is loaded when: `import mossa` and the list of commands wait for nothing they do not use."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mossa
from mossa.players import kind_names, player_kind, player_kinds


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after some code."""
    told = f"{code}\nimport sys\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stderr.split())


def test_the_package_loads_nothing_until_it_is_asked() -> None:
    loaded = loaded_by("import mossa")
    assert {name for name in loaded if name.startswith("mossa")} == {"mossa"}


def test_a_game_needs_no_players() -> None:
    loaded = loaded_by("import mossa\nmossa.game('connect4')")
    assert "mossa.games" in loaded
    assert not loaded & {"mossa.players", "mossa.protocols", "mossa.arena", "rich", "numpy"}


def test_players_need_no_bridges() -> None:
    loaded = loaded_by("import mossa\nmossa.player('engine')\nmossa.player('mcts')")
    bridges = ("mossa.protocols", "mossa.adapters")
    assert not [name for name in loaded if name.startswith(bridges)]
    assert "importlib.metadata" not in loaded
    assert "mossa.protocols.ugi.drive" in loaded_by("import mossa\nmossa.player('ugi:bot')")


def loaded_by_command(*arguments: str) -> set[str]:
    """The modules that a command has loaded when it ends."""
    called = f"import sys\nsys.argv = {['mossa', *arguments]!r}\nfrom mossa_launcher import main\n"
    return loaded_by(f"{called}try: main()\nexcept SystemExit: pass")


SLOW = {
    "asyncio",
    "importlib.metadata",
    "mossa.analysis",
    "mossa.players",
    "mossa.records",
    "mossa.search",
    "numpy",
    "rich.markdown",
    "rich.progress",
    "ssl",
    "textual",
    "typer.rich_utils",
    "urllib.request",
}
"""What takes long to load: no command that answers at once may need it.

Typer 0.29 and later would add pydantic, and by it importlib.metadata.
"""


def test_the_list_of_commands_loads_none_of_them() -> None:
    loaded = loaded_by_command("--help")
    of_mossa = {name for name in loaded if name.startswith("mossa.")}
    assert of_mossa == {
        *("mossa._core", "mossa.errors", "mossa.packages"),
        *("mossa.cli", "mossa.cli.ending", "mossa.cli.usage"),
    }
    assert not loaded & {*SLOW, "rich", "pydantic"}


@pytest.mark.parametrize(
    "arguments",
    [["show", "connect4", "44"], ["show", "kalah", "--json"], ["show", "gomoku", "--svg"]],
    ids=["text", "JSON", "SVG"],
)
def test_a_position_is_shown_without_loading_players(arguments: list[str]) -> None:
    loaded = loaded_by_command(*arguments)
    assert "mossa.render" in loaded
    by_typer = {"importlib.metadata"} if "pydantic" in loaded else set()
    assert not loaded & SLOW - by_typer


def test_a_command_is_described_without_pictures_of_boxes() -> None:
    assert "typer.rich_utils" not in loaded_by_command("show", "--help")


def test_every_public_name_is_there() -> None:
    assert {"game", "player", "solve", "Position"} <= set(mossa.__all__)
    assert callable(mossa.protocols.serve)
    for name in mossa.__all__:
        assert getattr(mossa, name) is getattr(mossa, name)
        assert name in dir(mossa)
    with pytest.raises(AttributeError, match="module 'mossa' has no attribute 'gmae'"):
        _ = mossa.gmae  # type: ignore[attr-defined]


def test_every_kind_of_player_has_the_name_it_is_found_by() -> None:
    kinds = player_kinds()
    assert list(kinds) == kind_names()
    assert all(kind.name == name for name, kind in kinds.items())
    assert player_kind("no such player") is None
