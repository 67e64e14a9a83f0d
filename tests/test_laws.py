"""Every game held against every law: many sizes, all options, fixed seeds; then hypothesis."""

from __future__ import annotations

import itertools
import random
import zlib

import hypothesis
import laws
import pytest
import reference
from hypothesis import strategies as st
from laws import counting, rules
from reference import kalah

import mossa
from mossa.games import KINDS

RULES = [reference.rules_of(kind) for kind in KINDS]
GAMES = [name for each in RULES for name in each.GAMES]
WHOLE_GAMES = [name for each in RULES for name in each.WHOLE_GAMES]


def source(*names: str) -> random.Random:
    """A random source that depends on the test's names only, not on the order of tests."""
    return random.Random(zlib.crc32(" ".join(names).encode()))


@pytest.mark.parametrize("name", GAMES)
def test_laws(name: str) -> None:
    """One test a game and not one a law: eight thousand tests take longer than what they test."""
    game = mossa.game(name)
    for law in laws.laws_of(game):
        law(game, source(name, law.__name__))


@pytest.mark.parametrize("options", kalah.OPTIONS)
def test_kalah_options(options: str) -> None:
    """All combinations of the options by the rules, on sizes with laps, captures and swaps."""
    for size in ("2x2", "3x4", "6x3", "2x12", "1x7"):
        name = f"kalah:{size},{options}"
        rules.plays_by_the_rules(mossa.game(name), source(name))


@pytest.mark.parametrize("name", WHOLE_GAMES)
def test_count_states_of_the_whole_game(name: str) -> None:
    game = mossa.game(name)
    assert game.start().count_states() == counting.reachable(reference.start(game), most=20_000)


# A choice stands for the move at that place of the list, modulo its length: lists shrink to few
# moves, and moves to the first one.
CHOICES = st.lists(st.integers(0, 11), max_size=80)


def play(name: str, choices: list[int]) -> mossa.Position:
    """Play the chosen moves while the game lasts, and hold every position against the reference."""
    position = mossa.game(name).start()
    naive = reference.start(position.game)
    rules.agree(position, naive)
    for choice in choices:
        if not position.moves:
            break
        move = str(position.moves[choice % len(position.moves)])
        hypothesis.note(f"mossa.game({name!r}).position({position.history_text!r}).play({move!r})")
        position, naive = position.play(move), naive.play(move)
        rules.agree(position, naive)
    return position


@hypothesis.given(name=st.one_of([each.names() for each in RULES]), choices=CHOICES)
@hypothesis.settings(max_examples=600)
def test_any_game_by_the_rules(name: str, choices: list[int]) -> None:
    position = play(name, choices)
    assert position.game.position(position.history_text) == position
    assert position.game.from_text(position.text) == position


@hypothesis.given(name=kalah.names(), choices=CHOICES)
@hypothesis.settings(max_examples=400)
def test_any_kalah_by_the_rules(name: str, choices: list[int]) -> None:
    play(name, choices)


@hypothesis.given(
    name=st.one_of([reference.rules_of(kind).names() for kind in ("connect", "mnk")]),
    choices=CHOICES,
    other=CHOICES,
)
@hypothesis.settings(max_examples=200)
def test_equal_when_they_look_equal(name: str, choices: list[int], other: list[int]) -> None:
    """Two ways through one game: positions are equal exactly when cells and side are."""
    one, two = play(name, choices), play(name, other)
    alike = (one.cells, one.side) == (two.cells, two.side)
    assert (one == two) == alike
    assert (one.key == two.key) == alike
    assert hash(one) == hash(two) or not alike


def test_the_right_to_swap_is_part_of_a_position() -> None:
    game = mossa.game("kalah:6x4,swap=yes")
    offered = game.position("1")
    assert offered.text.endswith(",swap")
    settled = game.from_text(offered.text.removesuffix(",swap"))
    assert settled != offered
    assert settled.key != offered.key


@hypothesis.given(st.permutations(["a1", "b1", "c2", "d3", "b4", "d1"]))
def test_order_of_moves_does_not_count(order: list[str]) -> None:
    """The same stones in another order are the same position."""
    game = mossa.game("mnk:4x4x4")
    first, second = order[:3], order[3:]
    one = game.position(" ".join(itertools.chain(*zip(first, second, strict=True))))
    two = game.position(" ".join(itertools.chain(*zip(first[::-1], second, strict=True))))
    assert one == two
    assert one.key == two.key
    assert hash(one) == hash(two)
    assert one.history != two.history
