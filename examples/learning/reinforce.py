"""Learns to beat chance on a small connect board, and plays 100 games to prove it.

    python examples/learning/reinforce.py [--game connect:4x5x3] [--updates 100]

Needs JAX and NumPy: pip install 'mossa[train]'. This is REINFORCE (Williams, 1992) with a learnt
baseline: after some hundred games every move of ours is made more likely if we went on to win and
less likely if we lost, by how much better the end was than the network had expected.
"""

import argparse
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import mossa.vector

GAMES, STEPS, HIDDEN = 256, 64, 128
RATE, ENTROPY = 3e-3, 0.01  # how far a step goes; how much a network is paid for not being sure

Network = dict[str, Any]


def initial(inputs: int, actions: int, seed: int) -> Network:
    """Return a network that knows nothing."""
    random = np.random.default_rng(seed)
    layers = {"first": (inputs, HIDDEN), "second": (HIDDEN, HIDDEN), "out": (HIDDEN, actions + 1)}
    return {
        name: {"w": random.normal(0, rows**-0.5, (rows, cols)), "b": np.zeros(cols)}
        for name, (rows, cols) in layers.items()
    }


def judge(network: Network, planes: Any, mask: Any) -> tuple[Any, Any]:
    """Return the logarithm of every legal action's chance, and the reward that is expected."""
    at = planes.reshape(len(planes), -1).astype(jnp.float32)
    for name in ("first", "second"):
        at = jax.nn.relu(at @ network[name]["w"] + network[name]["b"])
    out = at @ network["out"]["w"] + network["out"]["b"]
    return jax.nn.log_softmax(jnp.where(mask, out[:, :-1], -1e9)), jnp.tanh(out[:, -1])


@jax.jit
def choose(network: Network, planes: Any, mask: Any, key: Any) -> Any:
    """Draw an action for each game by its chance."""
    return jax.random.categorical(key, judge(network, planes, mask)[0])


def surprise(network: Network, planes: Any, mask: Any, actions: Any, got: Any, counts: Any) -> Any:
    """Return what learning makes smaller."""
    chances, expected = judge(network, planes, mask)
    taken = jnp.take_along_axis(chances, actions[:, None], 1)[:, 0]
    better = got - expected
    unsure = -(jnp.exp(chances) * jnp.where(mask, chances, 0)).sum(1)
    each = -taken * jax.lax.stop_gradient(better) + 0.5 * better**2 - ENTROPY * unsure
    return (each * counts).sum() / counts.sum()


@jax.jit
def learn(network: Network, moments: Any, step: Any, *games: Any) -> tuple[Network, Any]:
    """Take one step of Adam (Kingma and Ba, 2015)."""
    slopes = jax.grad(surprise)(network, *games)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], slopes)
    square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, moments[1], slopes)
    unbiased = jnp.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    moved = jax.tree.map(
        lambda w, m, s: w - RATE * unbiased * m / (jnp.sqrt(s) + 1e-8), network, mean, square
    )
    return moved, (mean, square)


def play(env: mossa.vector.VectorEnv, network: Network, key: Any, now: Any) -> tuple[Any, Any]:
    """Play STEPS moves in every game; return what was seen and what came of it.

    Chance plays second in the games with even numbers and first in the others.
    """
    seen: list[tuple[Any, ...]] = []
    planes, info = now
    ours = np.arange(GAMES) % 2
    for key_now in jax.random.split(key, STEPS):
        before = planes.copy(), info["action_mask"].copy()  # the arrays are written again
        chosen = choose(network, *before, key_now)
        actions = np.where(info["to_move"] == ours, chosen, env.random_actions())
        planes, rewards, ended, _, info = env.step(actions)
        seen.append((*before, actions, rewards.copy(), ended.copy(), info["moved"].copy()))
    boards, masks, actions, rewards, ended, moved = map(np.stack, zip(*seen, strict=True))
    # Backwards: a move gets what its side got in the end; games that go on teach nothing yet.
    got, counts = np.zeros(rewards.shape, np.float32), np.zeros(rewards.shape, np.float32)
    for t in reversed(range(STEPS)):
        later = got[t + 1] * np.where(moved[t] == moved[t + 1], 1, -1) if t + 1 < STEPS else 0
        got[t] = np.where(ended[t], rewards[t], later)
        counts[t] = ended[t] | (counts[t + 1] > 0 if t + 1 < STEPS else False)
    counts *= moved == ours
    return [x.reshape(-1, *x.shape[2:]) for x in (boards, masks, actions, got, counts)], (
        planes,
        info,
    )


def train(name: str, updates: int, seed: int = 1) -> Network:
    """Learn from games against chance."""
    env = mossa.vector.make(name, count=GAMES)
    network = initial(int(np.prod(env.observation_shape)), env.actions, seed)
    moments: Any = (jax.tree.map(np.zeros_like, network),) * 2
    now = env.reset(seed=seed)
    for step, key in enumerate(jax.random.split(jax.random.key(seed), updates), 1):
        games, now = play(env, network, key, now)
        network, moments = learn(network, moments, jnp.float32(step), *games)
    return network


def best_move(encoding: mossa.vector.Encoding, network: Network, position: mossa.Position) -> Any:
    """Play what the network likes best: a player of mossa is a function like this."""
    planes, mask = encoding.planes(position)[None], encoding.mask(position)[None]
    return encoding.move(int(jnp.argmax(judge(network, planes, mask)[0][0])))


def main() -> None:
    """Train, then count the points of 100 games, half of them as second."""
    parser = argparse.ArgumentParser(description="learn to beat chance on a small board")
    parser.add_argument("--game", default="connect:4x5x3")
    parser.add_argument("--updates", type=int, default=100)
    given = parser.parse_args()
    network = train(given.game, given.updates)
    learnt = partial(best_move, mossa.vector.Encoding(mossa.game(given.game)), network)
    won = 0
    for seed in range(50):
        won += mossa.match(learnt, f"random:seed={seed}", given.game).result == "1-0"
        won += mossa.match(f"random:seed={seed}", learnt, given.game).result == "0-1"
    print(f"{given.game}: won {won} of 100 games against chance")


if __name__ == "__main__":
    main()
