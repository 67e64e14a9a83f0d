"""Commands from standard input, answers to standard output: the pipes of a program that plays."""

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import TextIOWrapper


def settle() -> None:
    """Keep what is loaded by now: looking through it for garbage would cost a move its time."""
    gc.freeze()


def commands() -> Iterable[str]:
    """Return the lines of standard input; bytes that are not text become a bad command."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin


@contextmanager
def answers() -> Iterator[Callable[[str], None]]:
    """Yield what writes a line to standard output.

    Meanwhile, whatever a player prints goes to standard error: it would be taken for an answer.
    """
    output = sys.stdout

    def answer(line: str) -> None:
        # In one piece: the end of the program may cut a thread off, but not within it.
        output.write(f"{line}\n")
        output.flush()

    with redirect_stdout(sys.stderr):
        yield answer
