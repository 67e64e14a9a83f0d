"""Java, for players that are written in it: where it is, and what installs it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from mossa.errors import PlayerFailedError
from mossa.players.needs import Need


def find_tool(name: str) -> str | None:
    """Return the path of ``java`` or ``javac``, of JAVA_HOME or else of the PATH."""
    home = os.environ.get("JAVA_HOME")
    search = os.pathsep.join(
        filter(None, (home and str(Path(home, "bin")), os.environ.get("PATH")))
    )
    return shutil.which(name, path=search)


def tool(need: Need) -> str:
    """Return the path of what is needed; raise PlayerFailedError if it is missing."""
    found = find_tool(need.name)
    if found is None:
        raise PlayerFailedError("start", need.refusal)
    return found


def _need(name: str, user: str, package: str, *, always: bool = True) -> Need:
    install = "brew install openjdk" if sys.platform == "darwin" else f"sudo apt install {package}"
    return Need(name, user, lambda: find_tool(name) is not None, install, always)


JDK = tuple(_need(name, "a Java player", "default-jdk-headless") for name in ("javac", "java"))
"""What compiles and runs sources."""

JRE = _need("java", "a jar", "default-jre-headless", always=False)
"""What runs a jar."""
