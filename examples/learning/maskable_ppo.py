"""Stable-Baselines3 learns to beat chance on a small connect board; 100 games show how well.

    python examples/learning/maskable_ppo.py [--game connect:4x5x3] [--steps 40000]

Needs sb3-contrib, which brings PyTorch: pip install 'mossa[adapters]' sb3-contrib. MaskablePPO is
proximal policy optimisation (Schulman et al., 2017) that never tries an illegal action.
"""

import argparse
from typing import Any

from sb3_contrib import MaskablePPO

import mossa
from mossa.adapters import gymnasium
from mossa.vector import Encoding


def main() -> None:
    """Train, then count the wins of 100 games, half of them as second."""
    parser = argparse.ArgumentParser(description="learn to beat chance with MaskablePPO")
    parser.add_argument("--game", default="connect:4x5x3")
    parser.add_argument("--steps", type=int, default=40_000)
    given = parser.parse_args()
    env = gymnasium.make(given.game, opponent="random", side="random")
    model = MaskablePPO("MlpPolicy", env, n_steps=1024, batch_size=256, gamma=1.0, seed=1)
    model.learn(given.steps)
    encoding = Encoding(mossa.game(given.game))

    def learnt(position: mossa.Position) -> Any:
        planes, mask = encoding.planes(position), encoding.mask(position)
        return encoding.move(int(model.predict(planes, action_masks=mask, deterministic=True)[0]))

    won = 0
    for seed in range(50):
        won += mossa.match(learnt, f"random:seed={seed}", given.game).result == "1-0"
        won += mossa.match(f"random:seed={seed}", learnt, given.game).result == "0-1"
    print(f"{given.game}: won {won} of 100 games against chance")


if __name__ == "__main__":
    main()
