"""Play a game at random and print how it went.

python examples/play_random_game.py            a game of Connect 4
python examples/play_random_game.py bantumi 7  another game, another seed
"""

import sys

import mossa

name = sys.argv[1] if len(sys.argv) > 1 else "connect4"
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1

player = mossa.player(f"random:seed={seed}")
position = mossa.game(name).start()
while position.outcome is None:
    choice = player.choose(position, mossa.Limits())
    position = position.play(choice.move)

print(position)
print("moves:", position.history_text)
