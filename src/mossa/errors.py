"""Errors that a user can cause, and the wording they share.

The classes come from the core, which raises them too. A message is one line that quotes what was
given, says why it fails and what is accepted.
"""

import difflib
import os
import reprlib
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from traceback import walk_tb

from mossa._core import (
    Game,
    GameError,
    IllegalMoveError,
    InvalidGameError,
    InvalidMoveError,
    InvalidPlayerError,
    InvalidPositionError,
    Limits,
    Position,
)

__all__ = [
    "FORFEITS",
    "BrokenGameError",
    "GameError",
    "IllegalMoveError",
    "InvalidGameError",
    "InvalidMoveError",
    "InvalidPlayerError",
    "InvalidPositionError",
    "PlayerFailedError",
    "blamed",
    "blaming",
    "described",
    "did_you_mean",
    "expect_game",
    "expect_limits",
    "expect_position",
    "failure",
    "how_to_install",
    "is_in_python",
    "needed_by",
    "raised",
    "shorten",
    "shorten_end",
]


FORFEITS = {
    "start": "did not start",
    "crash": "crashed",
    "time": "ran out of time",
    "output": "gave an invalid answer",
    "illegal": "made an illegal move",
    "resign": "resigned",
}
"""The ways to lose a game without being beaten, in words."""


class BrokenGameError(InvalidGameError):
    """A game written in Python failed; no player is to blame."""

    kind = "game"

    @property
    def reason(self) -> str:
        """What happened, as a failure of a player tells it."""
        return str(self)


class PlayerFailedError(GameError):
    """A player made no legal move: it crashed, ran out of time, or answered something else."""

    def __init__(self, kind: str, reason: str) -> None:
        """Take the kind of failure, one of FORFEITS, and what happened."""
        self.kind, self.reason = kind, reason
        super().__init__(reason)

    def __reduce__(self) -> tuple[type["PlayerFailedError"], tuple[str, str]]:
        """Survive the way back from a worker process."""
        return type(self), (self.kind, self.reason)


# Tracebacks and docs show the public name.
for _error in (
    GameError,
    InvalidGameError,
    InvalidMoveError,
    IllegalMoveError,
    InvalidPositionError,
    InvalidPlayerError,
    PlayerFailedError,
    BrokenGameError,
):
    _error.__module__ = "mossa"


def shorten(text: str, longest: int = 60) -> str:
    """Quote user input for a one-line message, without drowning the message in it."""
    if len(text) <= longest:
        return repr(text)
    return f"{text[:longest] + '...'!r} ({len(text)} characters)"


def shorten_end(text: str, longest: int = 60) -> str:
    """Return text for a one-line repr: the end of it, if it is long, as of moves that led here."""
    return text if len(text) <= longest else f" ... {text[-longest:].partition(' ')[2]}"


def described(given: object) -> str:
    """Return what was given, with its type: ``'4455' (str)``, ``None``, ``a Game``."""
    if given is None:
        return "None"
    name = type(given).__name__
    if not isinstance(given, str | int | float | list | tuple | dict | set):
        return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"  # its own repr may be long, or fail
    try:
        shown = shorten(given) if isinstance(given, str) else " ".join(reprlib.repr(given).split())
    except Exception:  # a number of a million digits, say
        shown = "something"
    return f"{shown} ({name})"


IN_PYTHON = "in_python"
"""What games that are written in Python have, and their positions: they take the place of ours."""


def is_in_python(given: object) -> bool:
    """Tell whether a game, or a position, is of a game that somebody wrote in Python."""
    return hasattr(given, IN_PYTHON)


def expect_position(given: object, taker: str, *, compiled: bool = False) -> None:
    """Raise InvalidPositionError, naming the function that was called, if it is not a position.

    ``compiled`` are the rules that the core knows: it refuses games written in Python.
    """
    if compiled and is_in_python(given):
        raise InvalidPositionError(f"{taker} is for mossa's own games, not for one in Python")
    if not isinstance(given, Position) and not is_in_python(given):
        raise InvalidPositionError(
            f"{taker} takes a Position, such as mossa.game('connect4').position('4455'), "
            f"not {described(given)}"
        )


def expect_game(given: object, taker: str, *, compiled: bool = False) -> None:
    """Raise InvalidGameError, naming the function that was called, if it is not a game."""
    if compiled and is_in_python(given):
        raise InvalidGameError(f"{taker} is for mossa's own games, not for {given} in Python")
    if not isinstance(given, Game) and not is_in_python(given):
        raise InvalidGameError(
            f"{taker} takes a Game, such as mossa.game('connect4'), not {described(given)}"
        )


def expect_limits(given: object, taker: str) -> None:
    """Raise GameError, naming the function that was called, if they are not limits."""
    if not isinstance(given, Limits):
        raise GameError(
            f"{taker} takes Limits, such as mossa.Limits(time=1), not {described(given)}"
        )


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra: from the sources, if mossa came from there."""
    folder = _sources()
    if folder is None:
        return f"pip install 'mossa[{extra}]'"
    here = folder.resolve() == Path.cwd().resolve()
    return f"pip install '.[{extra}]'" + ("" if here else f" in {folder}")


@cache
def _sources() -> Path | None:
    """Return the folder with the sources that this package was installed from, if it is there."""
    folder = Path(__file__).parents[2]  # of an install for development, which runs src/mossa
    if not _has_sources(folder):
        import json
        from importlib.metadata import PackageNotFoundError, distribution
        from urllib.parse import urlsplit
        from urllib.request import url2pathname

        with suppress(PackageNotFoundError, ValueError, KeyError, TypeError, AttributeError):
            # Where pip took it from: a folder has `dir_info`, a file or an index has not.
            told = json.loads(distribution("mossa").read_text("direct_url.json") or "{}")
            if "dir_info" in told:
                folder = Path(url2pathname(urlsplit(told["url"]).path))
    return folder if _has_sources(folder) else None


def _has_sources(folder: Path) -> bool:
    return (folder / "pyproject.toml").is_file() and (folder / "src" / "mossa").is_dir()


@contextmanager
def needed_by(module: str, *, extra: str) -> Iterator[None]:
    """Say in one line what to install, if an import of another package fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "another package").partition(".")[0]
        raise ModuleNotFoundError(
            f"{module} needs {package}: {how_to_install(extra)}", name=error.name
        ) from None


@contextmanager
def blaming(path: Path) -> Iterator[None]:
    """Let an OSError name this file, which the user asked for, not a draft beside it."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return ``did you mean 'x'? `` for the nearest known name, or nothing."""
    nearest = difflib.get_close_matches(given[:40], list(known), n=1)
    return f"did you mean {nearest[0]!r}? " if nearest else ""


# ---------------------------------------------------------------- errors in other people's code

_LONGEST = 200
"""Characters of other people's error messages that a line of ours has room for."""

_OURS = str(Path(__file__).parent) + os.sep


@cache
def _libraries() -> tuple[str, ...]:
    """Return the folders of Python and of what is installed; to find them takes a moment."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple(sysconfig.get_path(name) + os.sep for name in names)


def failure(error: BaseException) -> PlayerFailedError | BrokenGameError:
    """Return what an exception says about the player that raised it.

    A game that is broken is no player's failure: that stays what it is.
    """
    if isinstance(error, BrokenGameError):
        return error
    if isinstance(error, PlayerFailedError) and error.kind in FORFEITS:
        return error
    if isinstance(error, GameError) and _place(error) is None:
        return PlayerFailedError("crash", str(error))  # one of our own players: it says enough
    return PlayerFailedError("crash", raised(error))


def blamed(reason: PlayerFailedError | BrokenGameError, name: str) -> PlayerFailedError:
    """Return a failure that says whose it is: that of the player of this name, or the game's."""
    if isinstance(reason, BrokenGameError):
        return PlayerFailedError(reason.kind, str(reason))
    return PlayerFailedError(reason.kind, f"{name} {FORFEITS[reason.kind]}: {reason.reason}")


def raised(error: BaseException) -> str:
    """Return ``bot.py:7: ZeroDivisionError: division by zero``: where the user's code failed."""
    try:
        message = " ".join(str(error).split())
    except Exception:  # an exception of other people's code may fail to tell what it is
        message = ""
    if len(message) > _LONGEST:
        message = f"{message[:_LONGEST]}..."
    place = _place(error)
    name = type(error).__name__
    return ": ".join(filter(None, (place, name, message)))


def _place(error: BaseException) -> str | None:
    """Return the file and line of the innermost call in code that is neither ours nor Python's."""
    calls = [
        (frame.f_code.co_filename, line)
        for frame, line in walk_tb(error.__traceback__)
        if not frame.f_code.co_filename.startswith((_OURS, "<frozen "))
    ]
    written = [call for call in calls if not call[0].startswith(_libraries())]
    for file, line in reversed(written or calls):
        with suppress(ValueError, OSError):  # elsewhere, or nowhere: the folder may be gone
            return f"{Path(file).relative_to(Path.cwd())}:{line}"
        return f"{file}:{line}"
    return None
