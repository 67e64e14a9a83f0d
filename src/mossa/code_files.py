"""Python code of the user's by ``path/to/file.py:name``: players, and games."""

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any
from zlib import crc32

from mossa.errors import GameError, did_you_mean, raised, shorten

FILE = ".py:"
"""What stands between a file and the name of something in it."""


def names_code(spec: str) -> bool:
    """Tell whether a text names something in a Python file."""
    return FILE in spec


def code_path(spec: str) -> Path:
    """Return the file of ``path/to/file.py:name``."""
    return Path(f"{spec.rpartition(FILE)[0]}.py")


def from_file(spec: str, what: str, error: type[GameError]) -> Any:
    """Load the file of ``path/to/file.py:name`` as a module and return what it calls ``name``.

    Raise the error if there is no such thing, or the file fails: it is to be a ``what``.
    """
    path, name = code_path(spec), spec.rpartition(FILE)[2]
    shown = shorten(str(path))
    place = path.resolve()
    if not place.is_file():
        raise error(f"cannot load {what} {shorten(spec)}: there is no file {shown}")
    # Unlike any other module's, and the same whenever this file is loaded.
    module_name = f"mossa_{what}_{place.stem}_{crc32(str(place).encode()):08x}"
    loader = SourceFileLoader(module_name, str(place))
    found_at = spec_from_loader(module_name, loader)
    assert found_at is not None  # its name ends in .py
    module = module_from_spec(found_at)
    sys.modules[module_name] = module
    if str(place.parent) not in sys.path:
        sys.path.append(str(place.parent))  # for the modules next to it; last, to hide no others
    try:
        # Its text, never a compiled file: that is not renewed if it was written in the same second.
        exec(loader.source_to_code(loader.get_data(str(place)), str(place)), vars(module))
    except SystemExit as end:
        raise error(f"{shown} ends with sys.exit({end.code!r})") from None
    except Exception as failed:
        raise error(f"cannot load {what} {shorten(spec)}: {raised(failed)}") from failed
    found = vars(module)
    if name not in found:
        there = [each for each, thing in found.items() if callable(thing) and each[0] != "_"]
        raise error(
            f"no {shorten(name)} in {shown}: {did_you_mean(name, there)}"
            f"there are {', '.join(there) or 'no functions or classes'}"
        )
    return found[name]
