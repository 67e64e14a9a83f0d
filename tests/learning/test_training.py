"""Training: gradients that are right, networks that learn, and work that goes on where it was."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
from learning_checks import shape_of

import mossa
from mossa import Position, Side, _core
from mossa.learning import line_model, pit_model
from mossa.learning.data import Array, Batch, Examples, features_of
from mossa.learning.export import from_payload, limits, parts, to_payload
from mossa.learning.training import (
    MODELS,
    WARM_UP,
    Trainer,
    initial,
    learning_rate,
    read_weights,
    save_state,
    save_weights,
)


def positions(name: str, count: int, seed: int = 1) -> list[Position]:
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = mossa.game(name).start()
        while position.outcome is None:
            found.append(position)
            position = position.play(rng.choice(position.moves))
    return found[:count]


def examples(name: str, count: int, seed: int = 1) -> Examples:
    """Positions with targets by chance, some of them without weight."""
    rng = np.random.default_rng(seed)
    given = positions(name, count, seed)
    features = _core.network_features(given)
    legal = features["legal"]
    return Examples(
        features,
        rng.dirichlet([1, 1, 1], count).astype(np.float32),
        legal.argmax(1).astype(np.int32),
        rng.integers(0, 2, count).astype(np.float32),
        rng.integers(-9, 10, count).astype(np.float32),
        (np.arange(count) % 4 > 0).astype(np.float32),
    )


def weights_of(name: str, seed: int = 1) -> dict[str, Array]:
    """Weights that are all in use: nothing is zero, and much is not clipped."""
    rng = np.random.default_rng(seed)
    shape = shape_of(name)
    given = initial(shape, seed)
    return {
        key: (each + rng.normal(0, 0.05, each.shape)).astype(np.float32)
        for key, each in given.items()
    }


# --- the model ------------------------------------------------------------------------------------


SECOND = {"lines": line_model.POLICY, "pits": pit_model.MARGIN}


@pytest.mark.parametrize("name", ["mnk:4x4x3", "connect:4x5x4", "kalah:4x3"])
def test_gradients_are_those_of_the_loss(name: str) -> None:
    """In directions by chance, against the difference of two losses."""
    shape = shape_of(name)
    weights, batch = weights_of(name), examples(name, 24)
    model = MODELS[shape.kind]
    _, gradients = model.gradients(shape, weights, batch)
    rng = np.random.default_rng(2)

    def mean_loss(weights: dict[str, Array]) -> float:
        value, second, count, counted = model.losses(shape, weights, batch)
        return float(value / count + SECOND[shape.kind] * second / counted)

    for key in weights:
        direction = np.asarray(rng.normal(0, 1, weights[key].shape), np.float32)
        step = 1e-2 / max(1.0, float(np.linalg.norm(direction)))
        ahead = mean_loss({**weights, key: weights[key] + step * direction})
        behind = mean_loss({**weights, key: weights[key] - step * direction})
        expected = float((np.asarray(gradients[key]) * direction).sum())
        assert (ahead - behind) / (2 * step) == pytest.approx(expected, rel=0.05, abs=2e-3), key


@pytest.mark.parametrize("name", ["mnk:9x9x5", "connect:6x7x4"])
def test_cells_share_rows_only_if_they_look_alike(name: str) -> None:
    """Every cell has the rows of its own lines and places, in whatever order of directions."""
    features = _core.network_features(positions(name, 50))
    inputs = line_model._Inputs.of(features)
    view = np.asarray(inputs.view)
    lines = np.stack([features[key].reshape(-1, 4) for key in ("own", "other")], axis=2)
    shared = np.stack([np.asarray(inputs.own).T, np.asarray(inputs.other).T], axis=2)[view]

    def in_order(pairs: Array) -> Array:
        return np.sort(pairs[..., 0].astype(np.int64) << 16 | pairs[..., 1], axis=1)

    assert (in_order(lines) == in_order(shared)).all()
    for key in ("place", "place_other"):
        assert (np.asarray(getattr(inputs, key))[view] == features[key].reshape(-1)).all()
    assert len(np.unique(view)) < len(view) * 3 / 4, "hardly any look alike"


def test_rows_without_weight_do_not_count() -> None:
    shape = shape_of("mnk:4x4x3")
    weights, batch = weights_of("mnk:4x4x3"), examples("mnk:4x4x3", 24)
    counted = batch.take(np.flatnonzero(batch.weights))
    found = [line_model.losses(shape, weights, each) for each in (batch, counted)]
    assert np.asarray(found[0]) == pytest.approx(np.asarray(found[1]), rel=1e-4)


# --- whole numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("mnk:5x5x4", False),
        ("mnk:5x5x4", True),
        ("mnk:15x15x5", False),
        ("connect:6x7x4", False),
        ("connect:6x7x4", True),
        ("kalah:6x4", False),
    ],
)
def test_whole_numbers_say_what_the_network_says(name: str, beside: bool) -> None:
    shape = shape_of(name)
    weights = weights_of(name)
    payload = to_payload(shape, weights)
    assert len(payload) == shape.payload_bytes == sum(each.bytes for each in parts(shape))
    network = _core.Network(_core.pack_network(mossa.game(name), payload, beside=beside))
    given = positions(name, 40)
    rounded = from_payload(shape, payload)
    features = features_of(given, beside=beside)
    chances, second = MODELS[shape.kind].predict(shape, rounded, features)
    width = len(given[0].cells[0])
    for at, position in enumerate(given):
        found = network.estimate(position)
        assert chances[at] == pytest.approx([found.win, found.draw, found.loss], abs=0.01)
        if shape.kind == "pits":
            assert second[at] == pytest.approx(found.value, abs=0.6)
            continue
        cells = {move: position.play(move).last_cell for move in position.moves}
        shares = {
            move: math.exp(second[at][cell[0] * width + cell[1]])
            for move, cell in cells.items()
            if cell is not None
        }
        for move, share in shares.items():
            assert found.policy[move] == pytest.approx(share / sum(shares.values()), rel=0.05)


def test_rounding_changes_little_and_large_weights_are_clipped() -> None:
    shape = shape_of("mnk:5x5x4")
    weights = weights_of("mnk:5x5x4")
    found = from_payload(shape, to_payload(shape, weights))
    for part in parts(shape):
        assert np.abs(found[part.name] - weights[part.name]).max() <= 0.501 / part.unit
    huge = {name: each + 1e6 for name, each in weights.items()}
    clipped = from_payload(shape, to_payload(shape, huge))
    for name, most in limits(shape).items():
        assert clipped[name].max() == pytest.approx(most)


def test_a_payload_of_another_size_is_refused() -> None:
    shape = shape_of("mnk:5x5x4")
    with pytest.raises(mossa.GameError, match="a payload of 3 bytes, not of"):
        from_payload(shape, b"abc")


# --- learning -------------------------------------------------------------------------------------


def all_positions(name: str) -> list[Position]:
    """Every position of a small game, once."""
    level, found = [mossa.game(name).start()], {}
    while level:
        following = {}
        for position in level:
            found[position.canonical_key] = position
            for after in map(position.play, position.moves):
                if after.outcome is None:
                    following[after.canonical_key] = after
        level = list(following.values())
    return list(found.values())


def solved_examples(given: list[Position]) -> Examples:
    values = np.array([mossa.solve(each, memory=1).proven.value for each in given])
    chances = np.stack([values > 0, values == 0, values < 0], axis=1).astype(np.float32)
    ones = np.ones(len(given), np.float32)
    width = len(given[0].cells[0])
    best = [position.play(mossa.solve(position, memory=1).line[0]).last_cell for position in given]
    where = np.array([cell[0] * width + cell[1] for cell in best if cell is not None])
    return Examples(_core.network_features(given), chances, where, ones, ones * 0, ones)


def test_tic_tac_toe_is_learnt_from_its_exact_values() -> None:
    given = all_positions("mnk:3x3x3")
    shape = shape_of("mnk:3x3x3")
    solved = solved_examples(given)
    trainer = Trainer(shape, initial(shape, 1))
    rng = np.random.default_rng(1)
    size, passes = 64, 60

    def batches() -> list[Batch]:
        order = rng.permutation(len(given))
        pieces = (order[at : at + size] for at in range(0, len(given) - size, size))
        return [Batch("mnk:3x3x3", solved.take(piece)) for piece in pieces]

    steps = passes * (len(given) // size)
    losses = [
        trainer.learn(batches(), lambda step: learning_rate(0.02, step, steps), lambda _: None)
        for _ in range(passes)
    ]
    assert losses[-1].value < 0.35 * losses[0].value
    assert losses[-1].second < 0.8 * losses[0].second
    chances, _ = line_model.predict(shape, trainer.weights, solved.features)
    right = (chances.argmax(1) == solved.chances.argmax(1)).mean()
    assert right > 0.9
    assert {position.side for position in given} == {Side.first, Side.second}


def test_work_goes_on_where_it_was(tmp_path: Path) -> None:
    shape = shape_of("mnk:4x4x3")
    batches = [Batch("mnk:4x4x3", examples("mnk:4x4x3", 24, seed)) for seed in range(4)]

    def learn(trainer: Trainer, part: list[Batch]) -> None:
        trainer.learn(part, lambda _: 0.01, lambda _: None)

    through = Trainer(shape, weights_of("mnk:4x4x3"))
    learn(through, batches)
    first = Trainer(shape, weights_of("mnk:4x4x3"))
    learn(first, batches[:2])
    save_state(tmp_path / "trainer.npz", first, 7)
    kept = read_weights(tmp_path / "trainer.npz")
    assert kept is not None
    assert kept["generation"] == 7
    second = Trainer(shape, weights_of("mnk:4x4x3", 9))
    second.restore(kept)
    learn(second, batches[2:])
    for name, each in through.weights.items():
        assert second.weights[name] == pytest.approx(each, abs=1e-6)


def test_weights_stay_within_what_can_be_exported() -> None:
    shape = shape_of("mnk:4x4x3")
    trainer = Trainer(shape, weights_of("mnk:4x4x3"))
    batch = Batch("mnk:4x4x3", examples("mnk:4x4x3", 24))
    trainer.learn([batch] * 20, lambda _: 1.0, lambda _: None)
    for name, most in limits(shape).items():
        assert np.abs(trainer.weights[name]).max() <= most * 1.0001


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut short", b"no archive at all"])
def test_what_cannot_be_read_is_not_gone_on_with(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(content)
    assert read_weights(tmp_path / "a.npz") is None
    assert read_weights(tmp_path / "none.npz") is None
    save_weights(tmp_path / "a.npz", {"x": np.arange(3)})
    found = read_weights(tmp_path / "a.npz")
    assert found is not None
    assert found["x"].tolist() == [0, 1, 2]


def test_the_rate_grows_and_then_falls() -> None:
    """At full rate from the first step on, a network could die: it said the same of every board."""
    assert [learning_rate(1.0, step, 100) for step in (0, 4, 50, 100, 500)] == pytest.approx(
        [0.1, 0.5 * 0.962, 0.525, 0.05, 0.05]
    )
    assert learning_rate(1.0, 0, 10**6) == pytest.approx(1 / WARM_UP)
    assert learning_rate(1.0, WARM_UP, 10**6) == pytest.approx(1, rel=0.01)
    assert learning_rate(1.0, 0, 1) == pytest.approx(1)
