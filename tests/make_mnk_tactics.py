"""Makes tests/data/mnk-tactics.csv: positions that are won by threats.

    python tests/make_mnk_tactics.py > tests/data/mnk-tactics.csv

The engine plays itself with few nodes and a random move now and then. Where a longer search first
proves a win of seven to thirteen plies, the position is kept if the naive verifier, which tries
every reply, agrees; one a game at most. It takes some minutes.
"""

from __future__ import annotations

import random
import sys

from threat_checks import Verifier

import mossa
from mossa import Exact, Limits, Search

GAMES = {
    "mnk:15x15x5": 20,
    "mnk:15x15x5,exact=yes": 8,
    "mnk:10x10x5": 10,
    "mnk:8x8x4": 12,
    "mnk:12x12x6": 1,
}
"""How many positions of each."""
LEAST_PLIES, MOST_PLIES = 7, 13
POSITIONS = 3_000
"""The verifier may look at; what needs more is not kept."""


def searcher(game: mossa.Game) -> Search:
    return Search(game, "threats", {"memory": "32"})


def verified(position: mossa.Position) -> bool:
    """Whether the verifier has seen the win against every defence."""
    attacker = searcher(position.game)
    return Verifier(lambda at: attacker.run(at, Limits(nodes=30_000)), POSITIONS).check(position)


def tactic(game: mossa.Game, chance: random.Random) -> tuple[str, int] | None:
    """The moves to a position that is won by threats, and the plies; None if a game had none."""
    search, longer = searcher(game), searcher(game)
    position = game.start()
    while position.outcome is None and position.ply < 60:
        if position.ply >= 6:
            score = longer.run(position, Limits(nodes=10_000)).score
            if isinstance(score, Exact) and score.value == 1 and score.distance is not None:
                if not LEAST_PLIES <= score.distance <= MOST_PLIES:
                    return None
                if not verified(position):
                    return None
                return position.history_text, score.distance
        if position.ply < 3 or chance.random() < 0.15:
            near = [each.move for each in mossa.candidates(position)]
            position = position.play(chance.choice(near))
        else:
            position = position.play(search.run(position, Limits(nodes=500)).move)
    return None


def main() -> None:
    """Write the table."""
    print("game,moves,plies")
    for name, count in GAMES.items():
        chance, found = random.Random(name), set[str]()
        while len(found) < count:
            made = tactic(mossa.game(name), chance)
            if made is None or made[0] in found:
                continue
            found.add(made[0])
            print(f'"{name}",{made[0]},{made[1]}', flush=True)
            print(f"{name}: {len(found)} of {count}", file=sys.stderr)


if __name__ == "__main__":
    main()
