"""Nothing false is accepted as a certificate, and whatever is refused is refused in one line."""

from __future__ import annotations

import pytest
from certificate_fuzz import SMALL, TINY, Fuzzer, Sizes


def fuzz(seed: int, cases: int, boards: list[Sizes]) -> None:
    fuzzer = Fuzzer(seed, boards)
    fuzzer.run(cases)
    # Chance must also make what is true, or it would not tell one from the other.
    assert fuzzer.accepted["damaged"] > cases / 200
    assert fuzzer.accepted["invented"] > cases / 100
    assert fuzzer.accepted.total() + fuzzer.refused.total() == cases


def test_false_proofs_are_refused() -> None:
    fuzz(1, 1500, TINY)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_a_million_false_proofs_are_refused(seed: int) -> None:
    fuzz(seed, 100_000, SMALL)
