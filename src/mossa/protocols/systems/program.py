"""What a system must be able to do with an external program.

`mossa.protocols.process` talks to programs and knows no system: it asks for what stands here. One
module for each system answers, and `mossa.protocols.systems` picks the one for this machine.
"""

from __future__ import annotations

import os
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

OWNER = "MOSSA_OWNER"
"""The variable that marks a program, and whatever it starts, as ours."""

PIECE = 1 << 16
"""The most bytes that are read or written at once."""


def environment() -> Mapping[str, str]:
    """Return the environment of a program that this process starts."""
    return {**os.environ, OWNER: str(os.getpid())}


class Program(ABC):
    """A program that was started. Nothing here waits, but for `wait` and `kill`."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        """Take over a program that was just started."""
        self._popen = popen

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._popen.pid

    @property
    def exit_code(self) -> int | None:
        """How it ended, once that is known."""
        return self._popen.returncode

    @abstractmethod
    def write(self, data: bytes) -> int:
        """Pass bytes to its input and return how many it took; raise OSError if it is gone."""

    @abstractmethod
    def end_input(self) -> None:
        """Let it read to the end of its input."""

    @abstractmethod
    def read_output(self) -> bytes | None:
        """Return what it has written since the last call; None once it has closed its output."""

    @abstractmethod
    def read_errors(self) -> bytes | None:
        """Return the same of its standard error."""

    @abstractmethod
    def wait(self, seconds: float, *, writing: bool = False) -> bool:
        """Wait until there is something to read, or room to write; tell whether there is."""

    @abstractmethod
    def has_exited(self) -> bool:
        """Tell whether it has ended."""

    @abstractmethod
    def kill(self) -> int:
        """End it with all its children, let go of its pipes, and return its exit code.

        What it has written to its standard error until then can still be read.
        """


class System(ABC):
    """How programs are started here, and how they are named."""

    @abstractmethod
    def split(self, command: str) -> list[str]:
        """Return the words of a command line; raise ValueError if its quotes do not match."""

    @abstractmethod
    def join(self, words: Sequence[str]) -> str:
        """Return the command line of some words."""

    @abstractmethod
    def start(
        self, command: Sequence[str], *, folder: Path | None = None, memory: int | None = None
    ) -> Program:
        """Start a program in a folder, with so many megabytes; raise OSError or ValueError."""

    @abstractmethod
    def explain(self, error: OSError) -> str:
        """Say why a program did not start."""

    @abstractmethod
    def ending(self, code: int) -> str:
        """Say what an exit code means: ``ended with exit code 1``."""

    @abstractmethod
    def kill_orphans(self, owner: int) -> None:
        """End what is left of the programs of a process that has ended or ends."""
