"""No false claim about connect or kalah is accepted, and a checker that errs is found out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from certificate_table_fuzz import CONNECT, KALAH, TableFuzzer

from mossa.solving.certificates import connect, kalah

GAMES = {"connect": CONNECT, "kalah": KALAH}


def fuzz(seed: int, cases: int, names: list[str]) -> None:
    fuzzer = TableFuzzer(seed, names)
    fuzzer.run(cases)
    # Chance must also make what is true, or it would not tell one from the other.
    for how in ("damaged", "twisted", "invented"):
        assert fuzzer.accepted[how] > cases / 400
    assert fuzzer.accepted.total() + fuzzer.refused.total() == cases


@pytest.mark.parametrize("kind", GAMES)
def test_false_proofs_are_refused(kind: str) -> None:
    fuzz(1, 1000, GAMES[kind])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 7))
@pytest.mark.parametrize("kind", GAMES)
def test_a_million_false_proofs_are_refused(kind: str, seed: int) -> None:
    fuzz(seed, 100_000, GAMES[kind])


# --- checkers that err --------------------------------------------------------------------------

Changed = Callable[[Any], Any]


def mutant(game: str, holder: Any, name: str, change: Changed) -> Any:
    names = GAMES.get(game, [game])
    return pytest.param(names, holder, name, change, id=f"{game}-{name}-{change.__name__}")


def always_yes(_: Any) -> Any:
    return lambda *_: True


def always_no(_: Any) -> Any:
    return lambda *_: False


def without_the_last(original: Any) -> Any:
    return lambda *arguments: original(*arguments)[:-1]


def without_the_first(original: Any) -> Any:
    return lambda *arguments: original(*arguments)[1:]


def two_plies_late(original: Any) -> Any:
    return lambda side, value, end: original(side, value, end + 2 * (value > 0))


def two_plies_early(original: Any) -> Any:
    return lambda side, value, end: original(side, value, end - 2 * (value < 0))


def blind_to_occupied(original: Any) -> Any:
    return lambda self, stones, occupied: original(self, stones, stones)


def one_less(original: Any) -> Any:
    return lambda *arguments: original(*arguments) - 1


def leftover_of_owner(original: Any) -> Any:
    def margin(self: Any, board: bytes) -> Any:
        end = original(self, board)
        own, other = sum(board[: self.pits]), sum(board[self.pits + 1 : -1])
        return None if end is None else self.lead(board) + own - other

    return margin


def never_very_first(original: Any) -> Any:
    return lambda self, board, pit, very_first: original(self, board, pit, False)


def settled(original: Any) -> Any:
    return lambda self, board, side, phase: original(self, board, side, kalah.SETTLED)


MUTANTS = [
    mutant("connect", connect.Board, "is_held", always_yes),
    mutant("connect", connect.Board, "has_line", always_no),
    mutant("connect", connect.Board, "_all_lines", without_the_first),
    mutant("connect", connect.Board, "columns_of", without_the_last),
    mutant("connect", connect.Board, "key", blind_to_occupied),
    mutant("connect", connect, "questions", two_plies_late),
    mutant("connect", connect, "questions", two_plies_early),
    mutant("connect", connect, "questions", without_the_first),
    mutant("connect", connect, "questions", without_the_last),
    mutant("kalah", kalah.Rules, "children", without_the_last),
    mutant("kalah:2x2,swap=yes", kalah.Rules, "children", settled),
    mutant("kalah", kalah.Rules, "most_to_come", one_less),
    mutant("kalah:3x2", kalah.Rules, "key", without_the_last),
    mutant("kalah", kalah.Rules, "margin_at_end", leftover_of_owner),
    mutant("kalah:2x2,first_extra=no", kalah.Rules, "_sow", never_very_first),
]


@pytest.mark.parametrize(("names", "holder", "name", "change"), MUTANTS)
def test_a_checker_that_errs_is_found_out(
    monkeypatch: pytest.MonkeyPatch, names: list[str], holder: Any, name: str, change: Changed
) -> None:
    """Else the fuzzer would prove nothing about the checker as it is."""
    monkeypatch.setattr(holder, name, change(getattr(holder, name)))
    with pytest.raises(AssertionError):
        TableFuzzer(3, names).run(4000, known=0)
