"""Every game held against every law: many sizes, all options, fixed seeds; then hypothesis.

The sizes are chosen where a core of bit sets breaks if it breaks: one row, one column, k = 1 and
k = the longer side, and boards whose cells, with or without one spare row for each column, come to
just below, exactly and just above 64, 128, 256 and 512 bits.
"""

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

import mossa

TINY = [(1, 1, 1), (1, 2, 1), (2, 1, 2), (1, 3, 2), (3, 1, 3), (2, 2, 1), (2, 2, 2), (2, 3, 2)]
THIN = [(1, 9, 3), (9, 1, 4), (1, 63, 5), (64, 1, 6), (1, 65, 4), (2, 32, 3), (1, 100, 7)]
SMALL = [(2, 3, 3), (3, 2, 3), (3, 3, 3), (3, 4, 3), (4, 3, 4), (4, 4, 3), (4, 4, 4), (5, 4, 4)]
MEDIUM = [(4, 5, 5), (6, 4, 4), (5, 5, 3), (6, 5, 6), (6, 6, 4), (4, 9, 4), (9, 4, 5), (3, 11, 3)]
WORD = [(6, 7, 4), (7, 6, 4), (7, 7, 4), (7, 8, 4), (8, 7, 5), (8, 8, 4), (9, 7, 4), (7, 9, 5)]
WORD += [(6, 9, 4), (6, 10, 5), (15, 4, 4), (16, 4, 5), (3, 16, 4), (4, 13, 4), (31, 2, 5)]
TWO_WORDS = [(9, 9, 5), (10, 10, 4), (10, 12, 5), (11, 11, 5), (12, 10, 6), (8, 16, 5), (15, 8, 4)]
TWO_WORDS += [(16, 8, 4), (17, 7, 5), (63, 2, 4), (2, 42, 4), (2, 43, 4)]
FOUR_WORDS = [(15, 15, 5), (15, 16, 6), (16, 15, 5), (16, 16, 4), (15, 17, 5), (17, 16, 5)]
EIGHT_WORDS = [(19, 19, 5), (20, 20, 10), (22, 22, 5), (22, 23, 6), (23, 22, 5), (23, 23, 7)]
HUGE = [(30, 30, 10), (50, 50, 10), (70, 70, 10), (75, 75, 20), (100, 100, 30), (100, 100, 5)]
HUGE += [(100, 3, 4), (3, 100, 7), (100, 100, 100), (64, 64, 8), (33, 97, 6)]
LINES = TINY + THIN + SMALL + MEDIUM + WORD + TWO_WORDS + FOUR_WORDS + EIGHT_WORDS + HUGE

MNK = [f"mnk:{rows}x{cols}x{k}" for rows, cols, k in LINES]
MNK += [f"mnk:{rows}x{cols}x{k},exact=yes" for rows, cols, k in LINES[::3]]
MNK += [f"mnk:5x6x{k}" for k in range(1, 7)]
MNK += [f"mnk:6x6x{k},exact=yes" for k in range(1, 7)]
CONNECT = [f"connect:{rows}x{cols}x{k}" for rows, cols, k in LINES]
CONNECT += [f"connect:6x7x{k}" for k in (1, 2, 3, 5, 6, 7)]

KALAH_SIZES = [(pits, seeds) for pits in range(1, 13) for seeds in range(1, 13)]
KALAH_OPTIONS = [
    f"empty_capture={a},leftover={b},end={c},majority={d},swap={e},first_extra={f}"
    for a, b, c, d, e, f in itertools.product(
        ("yes", "no"),
        ("owner", "none", "opponent"),
        ("mover", "any"),
        ("yes", "no"),
        ("yes", "no"),
        ("yes", "no"),
    )
]
KALAH = [f"kalah:{pits}x{seeds}" for pits, seeds in KALAH_SIZES[::3]]
KALAH += ["bantumi", "kalah:6x4,swap=yes", "kalah:7x7,swap=yes,first_extra=no", "kalah:12x12"]
# every combination of the options, each on one of these sizes, small ones because games end sooner
OPTION_SIZES = ("1x3", "2x3", "3x2", "3x5", "4x4", "6x3", "6x4")
KALAH += [
    f"kalah:{OPTION_SIZES[number % len(OPTION_SIZES)]},{options}"
    for number, options in enumerate(KALAH_OPTIONS)
]


def source(*names: str) -> random.Random:
    """A random source that depends on the test's names only, not on the order of tests."""
    return random.Random(zlib.crc32(" ".join(names).encode()))


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", MNK + CONNECT + KALAH)
def test_law(name: str, law: laws.Law) -> None:
    law(mossa.game(name), source(name, law.__name__))


@pytest.mark.parametrize("options", KALAH_OPTIONS)
@pytest.mark.parametrize("size", ["2x2", "3x4", "6x3", "2x12", "1x7"])
def test_kalah_options(size: str, options: str) -> None:
    """All combinations of the options by the rules, on sizes with laps, captures and swaps."""
    name = f"kalah:{size},{options}"
    rules.plays_by_the_rules(mossa.game(name), source(name))


WHOLE_TREES = ["mnk:1x1x1", "mnk:2x2x2", "mnk:2x3x3", "mnk:3x2x2", "mnk:1x6x2", "mnk:6x1x3"]
WHOLE_TREES += ["mnk:1x7x2,exact=yes", "mnk:2x4x2,exact=yes", "mnk:3x3x3", "mnk:3x3x2,exact=yes"]
WHOLE_TREES += ["connect:1x1x1", "connect:2x2x2", "connect:3x3x3", "connect:4x3x3", "connect:5x2x2"]
WHOLE_TREES += ["connect:3x3x2", "connect:1x8x2", "connect:9x1x3", "connect:8x2x4"]
WHOLE_TREES += ["kalah:1x1", "kalah:1x12", "kalah:2x1", "kalah:2x2", "kalah:3x1", "kalah:2x3"]
WHOLE_TREES += [f"kalah:2x2,{options}" for options in KALAH_OPTIONS]


@pytest.mark.parametrize("name", WHOLE_TREES)
def test_count_states_of_the_whole_game(name: str) -> None:
    game = mossa.game(name)
    assert game.start().count_states() == counting.reachable(reference.start(game), most=20_000)


@st.composite
def line_names(draw: st.DrawFn) -> str:
    """Names of mnk and connect games, the smallest first."""
    kind = draw(st.sampled_from(["connect", "mnk"]))
    rows, cols = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    k = draw(st.integers(1, max(rows, cols)))
    exact = kind == "mnk" and draw(st.booleans())
    return f"{kind}:{rows}x{cols}x{k}" + (",exact=yes" if exact else "")


@st.composite
def kalah_names(draw: st.DrawFn) -> str:
    """Names of kalah games with any options, the smallest and plainest first."""
    options = {
        "empty_capture": draw(st.sampled_from(["no", "yes"])),
        "leftover": draw(st.sampled_from(["owner", "none", "opponent"])),
        "end": draw(st.sampled_from(["any", "mover"])),
        "majority": draw(st.sampled_from(["no", "yes"])),
        "swap": draw(st.sampled_from(["no", "yes"])),
        "first_extra": draw(st.sampled_from(["yes", "no"])),
    }
    name = f"kalah:{draw(st.integers(1, 12))}x{draw(st.integers(1, 12))}"
    return mossa.game(",".join([name, *(f"{key}={value}" for key, value in options.items())])).name


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


@hypothesis.given(name=line_names() | kalah_names(), choices=CHOICES)
@hypothesis.settings(max_examples=400)
def test_any_game_by_the_rules(name: str, choices: list[int]) -> None:
    position = play(name, choices)
    assert position.game.position(position.history_text) == position
    assert position.game.from_text(position.text) == position


@hypothesis.given(name=kalah_names(), choices=CHOICES)
@hypothesis.settings(max_examples=400)
def test_any_kalah_by_the_rules(name: str, choices: list[int]) -> None:
    play(name, choices)


@hypothesis.given(name=line_names(), choices=CHOICES, other=CHOICES)
@hypothesis.settings(max_examples=200)
def test_equal_when_they_look_equal(name: str, choices: list[int], other: list[int]) -> None:
    """Two ways through one game: positions are equal exactly when cells and side are."""
    one, two = play(name, choices), play(name, other)
    alike = (one.cells, one.side) == (two.cells, two.side)
    assert (one == two) == alike
    assert (one.key == two.key) == alike
    assert hash(one) == hash(two) or not alike


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
