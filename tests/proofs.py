"""Proofs in jobs without processes: an executor that works here, and hands over in any order."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from brute_force import BruteForce

from mossa import Exact, Position
from mossa.search import Bound
from mossa.solving import proof_jobs, proof_worker
from mossa.solving.proof_jobs import Proof, look_at, prove


class Here(Executor):
    """Does work when all places are taken, or nobody waits for more; the last may come first."""

    def __init__(self, slots: int, seed: int) -> None:
        self._slots = slots
        self._chosen = random.Random(seed)
        self._waiting: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []

    def submit(self, function: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append((future, function, args))
        if len(self._waiting) >= self._slots:
            self.do_one()
        return future

    def do_one(self) -> bool:
        if not self._waiting:
            return False
        at = self._chosen.randrange(len(self._waiting))
        future, function, args = self._waiting.pop(at)
        future.set_result(function(*args))
        return True


def prove_here(
    position: Position, path: Path, *, slots: int = 1, seed: int = 1, **more: Any
) -> Proof:
    """Prove as the driver does, with workers that are functions of this process."""
    executor = Here(slots, seed)
    proof_worker._kept.key = None  # a new process would know nothing

    @contextmanager
    def stand_in(**_: object) -> Iterator[tuple[Executor, int]]:
        yield executor, slots

    fetch = proof_jobs._Driver._fetch

    def eager(driver: Any) -> None:
        # With fewer jobs than places the executor would wait for ever.
        if driver._done.empty():
            executor.do_one()
        fetch(driver)

    with (
        patch.object(proof_jobs, "workers", stand_in),
        patch.object(proof_jobs._Driver, "_fetch", eager),
        patch.object(proof_jobs, "_PATIENCE", 0),
        patch.object(proof_worker, "ESTIMATE_NODES", 100),  # small boards need no more
    ):
        return prove(position, path, workers=slots, **{"memory": 1, "book": None, **more})


def check_facts(position: Position, path: Path, truth: BruteForce) -> int:
    """Hold every result of a journal against brute force; return how many there are."""
    checked = 0
    counts = look_at(position, path)._tree.scale.counts_plies
    for entry in look_at(position, path).history:
        there = position.after(entry.moves)
        facts = [(there, entry.low, entry.high)]
        facts += [(there.play(look.move), look.low, look.high) for look in entry.looks or ()]
        for each, low, high in facts:
            assert_between(low, truth.score(each), high, counts)
            checked += 1
    return checked


def assert_between(low: Exact, score: Exact, high: Exact, counts_plies: bool) -> None:
    if counts_plies:
        assert low <= score <= high
    else:
        assert low.value <= score.value <= high.value


def exact(score: Exact | Bound) -> Exact:
    assert isinstance(score, Exact)
    return score
