#!/usr/bin/env python3
"""A player of mossa as a brain of Gomocup.

``mossa export gomocup PLAYER`` writes this file as pbrain-mossa, with the package beside it.
"""

import sys
from pathlib import Path

PLAYER = "engine"
"""The spec of the player."""

NEEDS = ""
"""What the compiled core was built for: ``Python 3.11 on Linux x86_64``."""


def main() -> None:
    """Answer a manager until END, or until it is gone."""
    try:
        from mossa.protocols import serve_gomocup
        from mossa.protocols.stdio import answers, commands, settle
    except ImportError as error:
        sys.exit(f"pbrain-mossa needs {NEEDS}, with its folder whole: {error}")
    settle()
    with answers() as answer:
        serve_gomocup(PLAYER, commands(), answer)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    main()
