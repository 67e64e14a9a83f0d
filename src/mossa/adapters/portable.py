"""A player as files that play where mossa is not installed: the package, without what it can spare.

The package needs no other: the modules that a player may need, the compiled core, and the books and
networks of the game.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from mossa import _core
from mossa._core import Game
from mossa.analysis.analyst import spec_options
from mossa.errors import InvalidPlayerError, shorten
from mossa.files import DATA
from mossa.networks import SHIPPED, network_for, network_name
from mossa.players import is_foreign, player, player_kind
from mossa.solving.container import own_folder

RUNS_ON = (
    f"Python {'.'.join(map(str, sys.version_info[:2]))} on {platform.system()} {platform.machine()}"
)
"""Where a player that is packed here can use the compiled core."""

_ROOT = Path(__file__).parents[1]
_LEFT_OUT = {"cli", "lab", "web", "templates", "scaffold.py", "terminal.py", "__main__.py"}
"""What is there for people to look at: no player needs it, and it needs other packages."""


def packed_player(
    spec: str, rules: Game, *, memory: int | None = None
) -> tuple[str, dict[str, bytes]]:
    """Return a spec that means the same elsewhere, and the files of the package for it, by name.

    A player that has tables and does not say how large gets the megabytes of `memory`. Raise
    InvalidPlayerError if the player cannot be taken along.
    """
    spec, data = _portable(spec.strip(), rules, memory)
    core = Path(str(_core.__file__))
    files = {f"mossa/{name}": content for name, content in _modules()}
    files[f"mossa/{core.name}"] = core.read_bytes()
    return spec, files | {f"mossa/data/{name}": content for name, content in data.items()}


def with_settings(path: Path, **settings: object) -> bytes:
    """Return a program that stands alone, with these values of its constants."""
    text = path.read_text(encoding="utf-8")
    for name, value in settings.items():
        head, found, tail = text.partition(f"\n{name} = ")
        assert found
        text = f"{head}{found}{value!r}\n{tail.partition(chr(10))[2]}"
    return text.encode()


def _portable(spec: str, rules: Game, memory: int | None) -> tuple[str, dict[str, bytes]]:
    """Return a spec that means the same elsewhere, and the data that goes with it."""
    kind = player_kind(spec.partition(":")[0])
    if is_foreign(spec):
        raise _refused(spec, "it is your own code, and only mossa's own players can be exported")
    if kind is not None and kind.runs_commands:
        raise _refused(spec, "it is a program outside of mossa")
    known = player(spec)  # objects to what is no spec
    assert kind is not None
    if known.is_person:
        raise _refused(spec, "it is a person")
    known.check_game(rules)
    options = spec_options(spec)
    data = _data(rules)
    for name in kind.files:
        if (given := options.get(name)) and not _option(kind.options, name).accepts(given):
            network = network_for(given, rules)
            assert network is not None
            data[network_name(rules)] = network.content
            spec = spec.replace(f"{name}={given}", f"{name}={SHIPPED}")
    has_tables = any(each.name == "memory" for each in kind.options)
    if memory is not None and has_tables and "memory" not in options:
        spec += f"{',' if ':' in spec else ':'}memory={memory}"
    return spec, data


def _option(options: tuple[_core.Option, ...], name: str) -> _core.Option:
    return next(each for each in options if each.name == name)


def _refused(spec: str, why: str) -> InvalidPlayerError:
    return InvalidPlayerError(f"cannot export {shorten(spec)}: {why}")


def _modules() -> Iterator[tuple[str, bytes]]:
    """Yield the modules of the package that a player may need."""
    for path in sorted((*_ROOT.rglob("*.py"), _ROOT / "__init__.pyi")):
        place = path.relative_to(_ROOT)
        if place.parts[0] not in _LEFT_OUT:
            yield place.as_posix(), path.read_bytes()


def _data(rules: Game) -> dict[str, bytes]:
    """Return the books, studies and networks for boards of a kind; the user's own come first."""
    family = network_name(rules).rpartition("-")[0]
    return {
        path.name: path.read_bytes()
        for folder in (DATA, own_folder())
        if folder is not None
        for pattern in (f"{rules.kind}-*.book", f"{rules.kind}-*.study", f"{family}-*.net")
        for path in sorted(folder.glob(pattern))
    }
