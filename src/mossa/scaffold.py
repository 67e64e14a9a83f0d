"""Folders to start from: a player in any language, a game in Python, an experiment for the lab.

``templates/`` has one folder for each of them. It is complete and works as it stands, under the
name ``starter``: the tests build and run it where it is. What is written is a copy with another
name in place of that word. A new language is a new folder there, and nothing else.
"""

import keyword
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from mossa.errors import GameError, did_you_mean, shorten

TEMPLATES = Path(__file__).parent / "templates"
_PLAYERS = TEMPLATES / "player"

LANGUAGES = sorted(path.name for path in _PLAYERS.iterdir() if path.is_dir())
"""The languages that there are players in to start from."""

STARTER = "starter"
"""The name of what a template is; in the name of a class it begins with a capital."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_TAKEN = {*sys.stdlib_module_names, "mossa", "pytest", "conftest", "test"}


_ALSO_CALLED = {"c++": "cpp", "js": "javascript"}


def new_player(name: str, language: str, folder: Path = Path()) -> Path:
    """Write a player in one of the LANGUAGES to a new folder of this name, and return the path."""
    known = language.lower()
    known = _ALSO_CALLED.get(known, known)
    if known not in LANGUAGES:
        raise GameError(
            f"unknown language {shorten(language)}: {did_you_mean(known, LANGUAGES)}"
            f"there are {', '.join(LANGUAGES)}"
        )
    return _write(_PLAYERS / known, name, folder)


def new_game(name: str, folder: Path = Path()) -> Path:
    """Write a game in Python, with its tests, to a new folder of this name; return the path."""
    return _write(TEMPLATES / "game", name, folder)


def new_experiment(name: str, folder: Path = Path()) -> Path:
    """Write an experiment, with its tests, to a new folder of this name; return the path."""
    return _write(TEMPLATES / "experiment", name, folder)


def first_steps(path: Path) -> list[str]:
    """Return the commands to begin with in a folder that was written: those its README begins with.

    >>> first_steps(TEMPLATES / "game")[0]
    'mossa show starter.py:Starter'
    """
    readme = (path / "README.md").read_text(encoding="utf-8")
    return readme.partition("```sh\n")[2].partition("```")[0].splitlines()


def _check(name: str) -> None:
    """Refuse what could not be the name of a folder, a module and a class at once."""
    if not _NAME.fullmatch(name):
        mended = re.sub(r"\W", "_", Path(name).name, flags=re.ASCII)
        hint = f"did you mean {mended!r}? " if _NAME.fullmatch(mended) else ""
        raise GameError(
            f"invalid name {shorten(name)}: {hint}a name has up to 40 letters, digits and "
            "underscores, and begins with a letter"
        )
    if any(map(keyword.iskeyword, (name, _class_name(name)))) or name.lower() in _TAKEN:
        raise GameError(
            f"invalid name {shorten(name)}: Python has a use for it; add something, as my_{name}"
        )


def _write(template: Path, name: str, folder: Path) -> Path:
    _check(name)
    target = folder / name
    try:
        target.mkdir()
    except FileExistsError:
        raise GameError(
            f"{target} exists: nothing is written over it; choose another name"
        ) from None
    for path in _files(template):
        copy = target / _named(path.relative_to(template).as_posix(), name)
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8")
        copy.write_text(_named(text, name), encoding="utf-8", newline="\n")
    return target


def _files(template: Path) -> Iterator[Path]:
    """Yield what is to be copied, but nothing that a run of the template itself has left there."""
    for path in sorted(template.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def _named(text: str, name: str) -> str:
    """Put a name in the place of the template's own, in both of its forms."""
    forms = {STARTER: name, STARTER.capitalize(): _class_name(name)}
    return re.sub("|".join(forms), lambda found: forms[found[0]], text)


def _class_name(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
