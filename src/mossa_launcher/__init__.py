"""The ``mossa`` command as it starts, before it can do anything.

It stands beside the package because any import from ``mossa`` loads all of it. That takes a moment
in which Ctrl-C would print a traceback.
"""

import sys


def main() -> None:
    """Load the package and run its command; the entry point that is installed."""
    try:
        from mossa.cli import main as run

        run()
    except KeyboardInterrupt:
        # As mossa.cli says it, which cannot be asked: it may be what was being loaded.
        print("mossa: stopped: nothing was written", file=sys.stderr)
        sys.exit(130)
