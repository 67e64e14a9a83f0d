"""External programs on this system: one module for each system, chosen here."""

from __future__ import annotations

import sys

from mossa.protocols.systems.program import Program, System

__all__ = ["SYSTEM", "Program", "System", "system_of"]


def system_of(platform: str) -> System:
    """Return the system that ``sys.platform`` names."""
    if platform == "win32":
        from mossa.protocols.systems.windows import Windows

        return Windows()
    from mossa.protocols.systems.posix import Posix

    return Posix()


SYSTEM = system_of(sys.platform)
