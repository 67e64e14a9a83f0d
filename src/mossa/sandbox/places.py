"""Which files a program needs to see: its own folder, and what it runs on."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir

from mossa.errors import shorten
from mossa.sandbox.bubblewrap import runtime
from mossa.sandbox.limits import SandboxError

_PROGRAM_FOLDERS = ("bin", "sbin", "shims")
_MOST_FILES = 20_000
_MOST_BYTES = 512 << 20
"""Of a folder that has to be copied, because only its owner may read it."""


def absolute(path: Path) -> Path:
    """Return the path from the root, by its words alone: links stay links."""
    return Path(os.path.normpath(path.absolute()))


def in_runtime(path: Path) -> bool:
    """Tell whether every sandbox shows a place."""
    real = Path(os.path.realpath(path))
    return any(each.is_relative_to(place) for each in (path, real) for place in runtime())


def own_place(words: Sequence[str], folder: Path) -> Path | None:
    """Return the folder of a program that was named by a command in ``folder``; None: no file.

    It is that of the first file which is not the system's: the script that an interpreter runs, or
    else the program itself.
    """
    found = [
        path
        for at, word in enumerate(words)
        if not word.startswith("-") and (at or os.sep in word)
        if (path := absolute(folder / word)).exists() and not in_runtime(path)
    ]
    if not found:
        return None
    program = found[1] if len(found) > 1 and words and _is(found[0], words[0], folder) else found[0]
    return program if program.is_dir() else program.parent


def _is(path: Path, word: str, folder: Path) -> bool:
    return path == absolute(folder / word)


def check_own(place: Path) -> Path:
    """Return a place that a stranger may read all of; raise SandboxError if it is too much."""
    too_much = [Path(gettempdir()), Path("~").expanduser()]
    real = Path(os.path.realpath(place))
    if len(real.parts) <= 2 or any(each.is_relative_to(real) for each in too_much):
        raise SandboxError(
            f"{shorten(str(place))} holds more than a player, which could read all of it: "
            "put the player into a folder of its own"
        )
    return place


def tool_places(word: str, folder: Path) -> list[Path]:
    """Return where the program of a command is installed, unless the system shows it anyway."""
    found = shutil.which(word) if os.sep not in word else str(absolute(folder / word))
    if found is None:
        return []
    places = []
    for path in {Path(found), Path(os.path.realpath(found))}:
        if in_runtime(path):
            continue
        home = path.parent
        if home.name in _PROGRAM_FOLDERS:
            with suppress(SandboxError):  # else its programs only
                home = check_own(home.parent)
        places.append(home)
    return places


def lent_places(word: str) -> list[Path]:
    """Return what a stranger sees of an installed program that he has named.

    It is the folder of the program and no more: there may be credentials next to that, and all of
    a home is somebody's. Python is shown as a whole if it is the one that runs here.
    """
    found = shutil.which(word)
    if found is None:
        return []
    real = Path(os.path.realpath(found))
    if real == Path(os.path.realpath(sys.executable)):
        return python_places()
    places = []
    for path in dict.fromkeys((Path(found), real)):
        if not in_runtime(path) and not _is_at_home(path):
            with suppress(SandboxError):
                places.append(check_own(path.parent))
    return places


def _is_at_home(path: Path) -> bool:
    home = Path("~").expanduser()
    homes = (home, Path(os.path.realpath(home)))
    return any(
        each.is_relative_to(place)
        for each in (path, Path(os.path.realpath(path.parent)))
        for place in homes
    )


def seen_by_all(path: Path) -> Path | None:
    """Return the place in which every player in Python can read a path; None if there is none."""
    real = Path(os.path.realpath(path))
    for place in (*runtime(), *python_places()):
        if real.is_relative_to(os.path.realpath(place)):
            return Path(place)
    return None


def python_places() -> list[Path]:
    """Return what this Python needs to run mossa: itself, and the packages that are installed."""
    package = Path(__file__).parents[1]
    wanted = [Path(sys.prefix), Path(sys.base_prefix), package]
    wanted += [Path(each) for each in sys.path if each.endswith(("site-packages", "dist-packages"))]
    return [each for each in dict.fromkeys(wanted) if each.is_dir() and not in_runtime(each)]


# ---------------------------------------------------------------- for another user


def is_public(place: Path) -> bool:
    """Tell whether every user can read a file, or all of a folder."""
    seen = 0
    if not _is_open(place):
        return False
    for parent, folders, files in os.walk(place):
        for name in (*folders, *files):
            seen += 1
            if seen > _MOST_FILES:
                return True  # nobody wants to copy that
            path = Path(parent, name)
            if not path.is_symlink() and not _is_open(path):
                return False
    return True


def _is_open(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return True  # it has just gone
    need = stat.S_IROTH | stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH
    return mode & need == need


def public_copy(place: Path, target: Path) -> Path:
    """Copy files that only their owner may read to where every user can; return the copy."""
    copy = target / place.name
    left = _MOST_BYTES

    def fetch(source: str, goal: str) -> str:
        nonlocal left
        path = Path(source)
        if not path.is_file():  # a pipe would never end
            return goal
        left -= path.stat().st_size
        if left < 0:
            raise SandboxError(
                f"{shorten(str(place))} is too large to copy (over {_MOST_BYTES >> 20} MB), and "
                "the user that players run as may not read it: chmod -R o+rX it"
            )
        shutil.copyfile(source, goal)
        return goal

    if place.is_dir():
        shutil.copytree(place, copy, symlinks=True, copy_function=fetch)
    else:
        fetch(str(place), str(copy))
    for path in (copy, *copy.rglob("*")):
        if not path.is_symlink() and path.exists():
            runs = path.is_dir() or os.access(place / path.relative_to(copy), os.X_OK)
            path.chmod(0o755 if runs else 0o644)
    return copy
