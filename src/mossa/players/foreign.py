"""Players of other people: Python code in files, and in packages that declare entry points."""

import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from zlib import crc32

from mossa.errors import InvalidPlayerError, did_you_mean, raised, shorten
from mossa.packages import entry_points
from mossa.players.base import Player
from mossa.players.registry import kind_names

GROUP = "mossa.players"
"""The entry points by which a package adds players."""

FILE = ".py:"
"""What stands between a file and the name of something in it."""


def is_foreign(spec: str) -> bool:
    """Tell whether a spec names Python code that is not mossa's: a file, or an entry point."""
    name = spec.strip().partition(":")[0]
    if name in kind_names():
        return False
    return FILE in spec or name in entry_points(GROUP).names


def load(spec: str, make: Callable[[Any], Player]) -> Player:
    """Return the player made of what a spec names: a function, an object, or one of a class."""
    try:
        thing = from_file(spec) if FILE in spec else entry_points(GROUP)[spec].load()
        return make(thing() if isinstance(thing, type) else thing)
    except InvalidPlayerError:
        raise
    except Exception as error:
        raise InvalidPlayerError(f"cannot load player {shorten(spec)}: {raised(error)}") from error


def from_file(spec: str, what: str = "player") -> Any:
    """Load the file of ``path/to/file.py:name`` as a module and return what it calls ``name``."""
    stem, _, name = spec.rpartition(FILE)
    path = f"{stem}.py"
    place = Path(path).resolve()
    if not place.is_file():
        raise InvalidPlayerError(
            f"cannot load {what} {shorten(spec)}: there is no file {shorten(path)}"
        )
    # Unlike any other module's, and the same whenever this file is loaded.
    module_name = f"mossa_{what}_{place.stem}_{crc32(str(place).encode()):08x}"
    found_at = spec_from_file_location(module_name, place)
    assert found_at is not None and found_at.loader is not None  # its name ends in .py
    module = module_from_spec(found_at)
    sys.modules[module_name] = module
    if str(place.parent) not in sys.path:
        sys.path.append(str(place.parent))  # for the modules next to it; last, to hide no others
    try:
        found_at.loader.exec_module(module)
    except SystemExit as error:
        raise InvalidPlayerError(f"{shorten(path)} ends with sys.exit({error.code!r})") from None
    found = vars(module)
    if name not in found:
        there = [each for each, thing in found.items() if callable(thing) and each[0] != "_"]
        raise InvalidPlayerError(
            f"no {shorten(name)} in {shorten(path)}: {did_you_mean(name, there)}"
            f"there are {', '.join(there) or 'no functions or classes'}"
        )
    return found[name]
