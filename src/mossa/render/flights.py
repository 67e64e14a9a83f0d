"""The way that seeds took, one by one, for those who show it."""

from __future__ import annotations

from mossa._core import Position
from mossa.render.words import position_before

Hollow = tuple[int, int]
"""A side, and a pit or its store."""


def flights(position: Position) -> list[tuple[Hollow, Hollow]]:
    """Return whence and whither the seeds of the last move went, one by one.

    It is read off the positions before and after: the sown pit gives to those hollows behind it
    that have gained, in their order; what else has changed hands follows.
    """
    if position.last_cell is None:
        return []
    before = position_before(position)
    places = range(position.game.sizes["pits"] + 1)
    ring = [(side, place) for side in (0, 1) for place in places]
    gains = [position.cells[side][place] - before.cells[side][place] for side, place in ring]
    start = ring.index(position.last_cell)
    flights = []
    left, gains[start] = -gains[start], 0
    at = start
    while left > 0 and any(gain > 0 for gain in gains):
        at = (at + 1) % len(ring)
        if gains[at] > 0:
            flights.append((start, at))
            gains[at] -= 1
            left -= 1
    for to in range(len(ring)):
        for giver in range(len(ring)):
            moved = max(0, min(gains[to], -gains[giver]))
            flights += [(giver, to)] * moved
            gains[to] -= moved
            gains[giver] += moved
    return [(ring[giver], ring[to]) for giver, to in flights]
