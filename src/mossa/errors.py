"""Errors that a user can cause, and the wording they share.

The classes come from the core, which raises them too. A message is one line that quotes what was
given, says why it fails and what is accepted.
"""

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mossa._core import (
    GameError,
    IllegalMoveError,
    InvalidGameError,
    InvalidMoveError,
    InvalidPlayerError,
    InvalidPositionError,
)

__all__ = [
    "GameError",
    "IllegalMoveError",
    "InvalidGameError",
    "InvalidMoveError",
    "InvalidPlayerError",
    "InvalidPositionError",
    "PlayerFailedError",
    "blaming",
    "did_you_mean",
    "how_to_install",
    "shorten",
]


class PlayerFailedError(GameError):
    """A player gave no move: it crashed, ran out of time, or gave an answer that is no move."""

    def __init__(self, kind: str, reason: str) -> None:
        """Take the kind of failure (start, crash, time, output or illegal) and what happened."""
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
):
    _error.__module__ = "mossa"


def shorten(text: str, longest: int = 60) -> str:
    """Quote user input for a one-line message, without drowning the message in it."""
    if len(text) <= longest:
        return repr(text)
    return f"{text[:longest] + '...'!r} ({len(text)} characters)"


def how_to_install(extra: str) -> str:
    """Return what brings an extra, for an installed package and for a folder with the sources."""
    return f"pip install 'mossa[{extra}]', or pip install '.[{extra}]' in the folder of the sources"


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
