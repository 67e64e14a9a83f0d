"""Layers of files, lowest first: a file uses only what stands before it.

Files that match one pattern are neighbours, and a file that is named itself stands where its name
does. The reason says what a layer may know, and so why it stands where it does.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping


def layer(name: str, layers: Mapping[str, str]) -> int | None:
    """Where a file stands in its list, if it has a place there."""
    order = list(layers)
    if name in order:
        return order.index(name)
    places = (at for at, pattern in enumerate(order) if fnmatch.fnmatchcase(name, pattern))
    return next(places, None)


def assert_in_order(name: str, used: Iterable[str], layers: Mapping[str, str]) -> None:
    mine = layer(name, layers)
    assert mine is not None, f"give {name!r} its place in the list of layers, with the reason"
    places = {other: layer(other, layers) for other in used}
    late = [other for other, place in places.items() if place is None or place >= mine]
    assert not late, f"{name!r} uses {late}, which do not stand before it"
