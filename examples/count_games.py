"""Count the games and the positions of tic-tac-toe (or of another small game).

python examples/count_games.py
python examples/count_games.py connect:4x4x3
"""

import sys
from collections import Counter

import mossa

game = mossa.game(sys.argv[1] if len(sys.argv) > 1 else "tictactoe")

# Move by move, keep each distinct position and the number of ways to reach it.
level = Counter({game.start(): 1})
results: Counter[str] = Counter()
positions, canonical = set(level), set[int]()
while level:
    below: Counter[mossa.Position] = Counter()
    for position, ways in level.items():
        canonical.add(position.canonical_key)
        if position.outcome is not None:
            winner = position.outcome.winner
            results[winner.name if winner else "draw"] += ways
        for move in position.moves:
            below[position.play(move)] += ways
    positions |= set(below)
    level = below

print(f"{game}: {sum(results.values()):,} games")
for result in sorted(results):
    print(f"  {result}: {results[result]:,}")
print(f"{len(positions):,} positions, {len(canonical):,} of them different under symmetry")
assert len(positions) == game.start().count_states()  # the core counts them too, much faster
