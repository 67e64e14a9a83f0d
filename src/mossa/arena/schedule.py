"""Who plays whom. Ask a schedule for the next games; it reads the results for itself.

Games of a pair have the same opening and follow one another, the sides swapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice

from mossa.arena.plan import Plan


@dataclass(frozen=True)
class Pairing:
    """One game to play; players by their number in the plan."""

    id: int
    round: int
    pair: int
    game: str
    opening: str
    first: int
    second: int


def all_pairings(plan: Plan) -> Iterator[Pairing]:
    """Yield every game of a tournament whose pairings do not depend on its results."""
    everybody = range(len(plan.entrants))
    couples = list(combinations(everybody, 2))
    if plan.format == "gauntlet":
        couples = [(a, b) for a, b in couples if a == 0]
    openings = {game: plan.opening_texts(game) for game in plan.games}
    numbers = _Numbers()
    for round_number in range(1, plan.rounds + 1):
        for game in plan.games:
            opening = next(openings[game])
            for couple in couples:
                yield from numbers.pair(round_number, game, opening, couple)


def swiss_round(
    plan: Plan,
    round_number: int,
    points: Mapping[int, float],
    met: Iterable[frozenset[int]],
    free: Mapping[int, int],
    begin: int,
) -> list[Pairing]:
    """Return the games of a Swiss round: neighbours in the standings who have not met.

    ``met`` are the pairs of players that have played, ``free`` how often each sat out; an odd
    player out is the last in the standings who did so least. ``begin`` is the first game's number.
    """
    order = sorted(points, key=lambda player: (-points[player], player))
    if len(order) % 2:
        least = min(free.get(player, 0) for player in order)
        order.remove(next(p for p in reversed(order) if free.get(p, 0) == least))
    couples = _couples(order, set(met))
    numbers = _Numbers(begin)
    found: list[Pairing] = []
    for game in plan.games:
        opening = next(islice(plan.opening_texts(game), round_number - 1, None))
        for couple in couples:
            found += numbers.pair(round_number, game, opening, couple)
    return found


def _couples(order: list[int], met: set[frozenset[int]]) -> list[tuple[int, int]]:
    """Pair from the top with the nearest opponent that is new, going back where that fails."""
    budget = 20_000  # steps; a round in which all must meet again is paired in order

    def pair(rest: list[int]) -> list[tuple[int, int]] | None:
        nonlocal budget
        if not rest:
            return []
        first, *others = rest
        for second in others:
            budget -= 1
            if budget < 0:
                return None
            if frozenset((first, second)) in met:
                continue
            below = pair([each for each in others if each != second])
            if below is not None:
                return [(first, second), *below]
        return None

    found = pair(order)
    return list(zip(order[::2], order[1::2], strict=True)) if found is None else found


class _Numbers:
    """Counts games and pairs."""

    def __init__(self, begin: int = 1) -> None:
        self._next = begin

    def pair(
        self, round_number: int, game: str, opening: str, couple: tuple[int, int]
    ) -> Iterator[Pairing]:
        number = (self._next + 1) // 2
        for first, second in (couple, couple[::-1]):
            yield Pairing(self._next, round_number, number, game, opening, first, second)
            self._next += 1
