"""Other people's players: Python code in files, and in packages that declare entry points."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from mossa.code_files import code_path, from_file, names_code
from mossa.errors import InvalidPlayerError, raised, shorten
from mossa.packages import entry_points
from mossa.players.base import Player
from mossa.players.registry import kind_names

GROUP = "mossa.players"
"""The entry points by which a package adds players."""


def is_foreign(spec: str) -> bool:
    """Tell whether a spec names Python code that is not mossa's: a file, or an entry point."""
    name = spec.strip().partition(":")[0]
    if name in kind_names():
        return False
    return names_code(spec) or name in entry_points(GROUP).names


def folder_of(spec: str) -> Path | None:
    """Return the folder of the file that a spec names; None if it names an entry point."""
    return code_path(spec).absolute().parent if names_code(spec) else None


def load(spec: str, make: Callable[[Any], Player]) -> Player:
    """Return the player made of what a spec names: a function, an object, or one of a class."""
    try:
        if names_code(spec):
            thing = from_file(spec, "player", InvalidPlayerError)
        else:
            thing = entry_points(GROUP)[spec].load()
        return make(thing() if isinstance(thing, type) else thing)
    except InvalidPlayerError:
        raise
    except Exception as error:
        raise InvalidPlayerError(f"cannot load player {shorten(spec)}: {raised(error)}") from error
