"""Commands from standard input, answers to standard output: the pipes of a program that plays."""

import gc
import sys
from collections.abc import Iterable
from io import TextIOWrapper


def settle() -> None:
    """Keep what is loaded by now: looking through it for garbage would cost a move its time."""
    gc.freeze()


def commands() -> Iterable[str]:
    """Return the lines of standard input; bytes that are not text become a bad command."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin


def answer(line: str) -> None:
    """Write a line in one piece: the end of the program may cut a thread off, but not within it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
