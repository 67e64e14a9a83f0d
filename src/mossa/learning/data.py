"""From games to what a network is trained on: positions as the core's features, and targets.

A target is three chances: of a win, a draw and a loss for the side to move. Where a value is proven
they are certain. Elsewhere they are a mixture of what came of the game and of what the search said.
A search speaks in points, and what points are worth is read off the games: the `Scale` that fits
the outcomes of a player's games on a board best turns its points into chances.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mossa import _core
from mossa._core import Game, Position, Side
from mossa.games import game as game_named
from mossa.learning.shards import Played, Shard, read_shard

__all__ = ["POINTS", "Array", "Batch", "Examples", "Games", "Scale", "features_of", "fit_scale"]

Array = np.ndarray[Any, Any]

DECIDED = 0.1
"""What a position counts in which the search saw the win or the loss: a search asks a network about
the others, and what is learnt there should not be drowned by what is easy."""
HELD_OUT = 20
"""Of so many games one is not learnt from: how well it is predicted tells what was learnt."""
CHUNK = 8192
"""Positions that are mixed at a time."""
POINTS = "points"
"""The feature that is what an evaluation of ours says."""
_FITTED = 20_000  # samples that are enough to find a scale


# ---------------------------------------------------------------- what points are worth


@dataclass(frozen=True)
class Scale:
    """What the points of a search are worth.

    A win is as likely as ``points * steepness - caution`` says on the logistic curve, and a loss as
    the same says for the other side. What is left is for draws: the greater the caution, the more.
    """

    steepness: float = 0.01
    caution: float = 0.1

    def chances(self, points: Array) -> Array:
        """Return the chances of a win, a draw and a loss, a row for each value."""
        win = _logistic(points * self.steepness - self.caution)
        loss = _logistic(-points * self.steepness - self.caution)
        return np.stack([win, 1 - win - loss, loss], axis=1)


def fit_scale(points: Array, results: Array) -> Scale:
    """Return the scale that makes the results (0 a win, 1 a draw, 2 a loss) likeliest.

    It looks around the best pair of numbers so far, closer and closer.
    """
    if not len(points):
        return Scale()
    steepness, caution, width = 0.01, 0.1, 100.0
    while width > 1.01:
        tried = [
            Scale(steepness * width**a, caution * width**b)
            for a in np.linspace(-1, 1, 7)
            for b in np.linspace(-1, 1, 7)
        ]
        best = min(tried, key=lambda scale: _surprise(scale, points, results))
        steepness, caution = best.steepness, best.caution
        width = width**0.5
    return Scale(float(steepness), float(caution))


def _surprise(scale: Scale, points: Array, results: Array) -> float:
    chances = scale.chances(points)[np.arange(len(results)), results]
    return float(-np.log(np.maximum(chances, 1e-9)).mean())


def _logistic(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -60, 60))))


# ---------------------------------------------------------------- games


@dataclass(frozen=True)
class Examples:
    """Positions of one board with their targets, a row for each."""

    features: dict[str, Array]
    """As the core gives them; see network_features."""
    chances: Array
    """Of a win, a draw and a loss."""
    cells: Array
    """Where the move went that the search chose."""
    policy_weights: Array
    """0 where no move was chosen."""
    margins: Array
    """By how much the side to move wins in the end, where the game is scored by that."""
    weights: Array
    """What each counts; 0 for rows that only fill a batch."""

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.weights)

    def take(self, rows: Array) -> Examples:
        """Return some of the examples."""
        features = {name: column[rows] for name, column in self.features.items()}
        return Examples(
            features,
            self.chances[rows],
            self.cells[rows],
            self.policy_weights[rows],
            self.margins[rows],
            self.weights[rows],
        )


@dataclass(frozen=True)
class Batch:
    """Examples of one board, as many as one training step uses."""

    game: str
    examples: Examples


Source = tuple[str, str]
"""Where games come from: the board, and the player, whose points are its own."""


class Games:
    """The games to learn from, and those held out."""

    def __init__(self, shards: Sequence[Path | Shard], mix: float, *, beside: bool = False) -> None:
        """Take shards, or read their files; ``mix`` is how much of a target is the outcome.

        A network that learns ``beside`` an evaluation of ours learns what that one misses.
        """
        self.damaged = 0
        """Games that could not be read."""
        self._mix = mix
        self._beside = beside
        self._learnt: dict[Source, list[Played]] = {}
        self._held_out: dict[Source, list[Played]] = {}
        for each in shards:
            shard = read_shard(each) if isinstance(each, Path) else each
            self.damaged += shard.damaged + (shard.cut > 0)
            for game in shard.games:
                part = self._learnt if game.number % HELD_OUT else self._held_out
                part.setdefault((shard.game, shard.player), []).append(game)
        if not self._learnt:  # a handful of games: better than none
            self._learnt = self._held_out
        sources = {**self._held_out, **self._learnt}
        self.scales = {key: fit_scale(*_results(key[0], sources[key])) for key in sources}
        """What the points of each source are worth."""

    @property
    def count(self) -> int:
        """How many games there are."""
        parts = (self._learnt, self._held_out)
        return sum(len(games) for part in parts for games in part.values())

    @property
    def positions(self) -> int:
        """How many positions there are to learn from."""
        return sum(len(game.samples) for games in self._learnt.values() for game in games)

    def batches(self, size: int, seed: str) -> Iterator[Batch]:
        """Yield all training positions once, well shuffled."""
        rng = random.Random(seed)
        chunks = [
            (source, chunk)
            for source, games in self._learnt.items()
            for chunk in _chunks(rng.sample(games, len(games)))
        ]
        rng.shuffle(chunks)
        for source, chunk in chunks:
            examples = self.examples(source, chunk)
            order = np.random.default_rng(rng.randrange(2**32)).permutation(len(examples))
            yield from _cut(source[0], examples.take(order), size)

    def held_out(self, size: int) -> Iterator[Batch]:
        """Yield all positions of held-out games."""
        for source, games in self._held_out.items():
            for chunk in _chunks(games):
                yield from _cut(source[0], self.examples(source, chunk), size)

    def examples(self, source: Source, games: Sequence[Played]) -> Examples:
        """Return the positions of games of one source with their targets."""
        rules, scale = game_named(source[0]), self.scales[source]
        positions: list[Position] = []
        cells: list[int] = []
        for game in games:
            searched, landed = _replayed(rules, game)
            positions += searched
            cells += landed
        samples = [sample for game in games for sample in game.samples]
        points = np.array([sample.value for sample in samples], np.float32)
        outcomes = np.array([game.outcome for game in games for _ in game.samples])
        results = outcomes * np.where([each.side is Side.first for each in positions], 1, -1)
        steady = np.array([each.ply >= game.steady for game in games for each in game.samples])
        mix = np.where(steady, self._mix, 0)
        proven = np.array([sample.proven is not None for sample in samples])
        exact = np.array([sample.proven or 0 for sample in samples])

        def mixed(outcome: Array, search: Array, known: Array) -> Array:
            """Return targets, whether they are numbers or rows of numbers."""
            column = (slice(None), *[None] * (outcome.ndim - 1))
            found = mix[column] * outcome + (1 - mix[column]) * search
            return np.where(proven[column], known, found).astype(np.float32)

        return Examples(
            features=features_of(positions, beside=self._beside),
            chances=mixed(_certain(results), scale.chances(points), _certain(exact)),
            cells=np.array(cells, np.int32),
            policy_weights=np.array([sample.chosen for sample in samples], np.float32),
            margins=mixed(results, np.nan_to_num(points, posinf=1, neginf=-1), exact),
            weights=np.where(np.isinf(points), DECIDED, 1).astype(np.float32),
        )


def features_of(positions: Sequence[Position], *, beside: bool) -> dict[str, Array]:
    """Return what a network sees of positions; without ``beside`` it knows no evaluation."""
    features: dict[str, Array] = _core.network_features(positions, points=beside)
    return features


def _results(name: str, games: Sequence[Played]) -> tuple[Array, Array]:
    """Return points and results of positions of which both are opinions, not facts."""
    points, results = [], []
    for game in games:
        positions, _ = _replayed(game_named(name), game)
        for position, sample in zip(positions, game.samples, strict=True):
            known = sample.proven is not None or not np.isfinite(sample.value)
            if known or sample.ply < game.steady:
                continue
            points.append(sample.value)
            won = game.outcome if position.side is Side.first else -game.outcome
            results.append(1 - (won > 0) + (won < 0))
        if len(points) >= _FITTED:
            break
    return np.array(points, np.float64), np.array(results, np.int64)


def _replayed(rules: Game, game: Played) -> tuple[list[Position], list[int]]:
    """Return the searched positions, and the cells their moves went to."""
    wanted = {sample.ply for sample in game.samples}
    width = len(rules.start().cells[0])
    position = rules.start()
    positions: list[Position] = []
    cells: list[int] = []
    for move in rules.position(game.moves).history:
        after = position.play(move)
        if position.ply in wanted:
            positions.append(position)
            row, col = after.last_cell or (0, 0)
            cells.append(row * width + col)
        position = after
    return positions, cells


def _certain(results: Array) -> Array:
    """Return chances of 1 for wins, draws or losses by the sign of a result."""
    return np.stack([results > 0, results == 0, results < 0], axis=1).astype(np.float32)


def _chunks(games: Sequence[Played]) -> Iterator[list[Played]]:
    """Yield games in chunks whose features fit into memory."""
    chunk: list[Played] = []
    size = 0
    for game in games:
        chunk.append(game)
        size += len(game.samples)
        if size >= CHUNK:
            yield chunk
            chunk, size = [], 0
    if size:
        yield chunk


def _cut(name: str, examples: Examples, size: int) -> Iterator[Batch]:
    """Yield batches of one size; rows that do not count pad the last one."""
    for begin in range(0, len(examples), size):
        rows = np.arange(begin, begin + size)
        batch = examples.take(np.minimum(rows, len(examples) - 1))
        batch.weights[rows >= len(examples)] = 0
        yield Batch(name, batch)
