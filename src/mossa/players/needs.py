"""What players need that does not come with mossa, and one line about it where it is missing.

Whoever misses something says so in the same words: the list of players, a match, a check.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from mossa.errors import how_to_install


@dataclass(frozen=True)
class Need:
    """A program or a package that players need."""

    name: str
    user: str
    """What needs it: ``a jar``, ``a bot of OpenSpiel``."""
    is_there: Callable[[], bool]
    install: str
    """What installs it."""
    always: bool = True
    """Whether no player of the kind does without it."""

    @property
    def refusal(self) -> str:
        """One line for anyone who tries without it."""
        return f"{self.user} needs {self.name}, which is not installed: {self.install}"

    @property
    def missing(self) -> str | None:
        """The same, if it is missing."""
        return None if self.is_there() else self.refusal


def package(
    name: str, user: str, *, extra: str, module: str | None = None, always: bool = True
) -> Need:
    """Return the need for a Python package from one of our extras, without importing it."""
    return Need(
        name, user, lambda: find_spec(module or name) is not None, how_to_install(extra), always
    )
