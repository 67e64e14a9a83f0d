"""How commands end when something is wrong: one line, and an exit code.

Apart from what else they share, for the list of commands must not wait for that.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, NoReturn

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it: 128 and the number of the signal."""


def fail(message: str) -> NoReturn:
    """End the command with one line about an error that the user can fix."""
    print(f"mossa: {message}", file=sys.stderr)
    sys.exit(2)


def stopped(kept: str) -> NoReturn:
    """End a command that Ctrl-C has stopped, with a line about what was kept."""
    print(f"mossa: stopped: {kept}", file=sys.stderr)
    sys.exit(INTERRUPTED)


@contextmanager
def flushed(output: IO[str] | None) -> Iterator[None]:
    """Write what a stream keeps back before the block ends, so that its errors are still told.

    What cannot be written is dropped: Python would try again when it exits, and complain by itself.
    """
    try:
        yield
    finally:
        if output is not None:
            try:
                output.flush()
            except BaseException:
                with suppress(OSError):  # no stream of the system: nobody tries again
                    nowhere = os.open(os.devnull, os.O_WRONLY)
                    os.dup2(nowhere, output.fileno())
                    os.close(nowhere)
                raise
