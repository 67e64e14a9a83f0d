"""What is installed: our own version, and what other packages add.

``importlib.metadata`` is loaded when somebody asks: it takes longer than any module of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints


def version() -> str:
    """Return the version of mossa that is installed."""
    from importlib import metadata

    return metadata.version("mossa")


def entry_points(group: str) -> EntryPoints:
    """Return what packages add to a group, by name."""
    from importlib import metadata

    return metadata.entry_points(group=group)
