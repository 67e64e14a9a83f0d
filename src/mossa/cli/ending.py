"""How commands end when something is wrong: one line, and an exit code.

Apart from what else they share, for the list of commands must not wait for that.
"""

import sys
from typing import NoReturn

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
