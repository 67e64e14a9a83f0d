"""Laws that hold in every game of every size, checked by random play.

Each law is a function of a game and a random source. It plays some games, fails with an assertion
that tells where, and returns nothing. Whoever adds a game writes its rules a second time in
`reference/` and calls

    laws.check(mossa.game("connect:6x7x4"), seed=1)

Work is bounded by the size of the board, so that a law takes milliseconds on a small board and
well below a second on a board of 100 x 100.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import mossa
from laws import counting, lines, notation, rules, sowing, values

Law = Callable[[mossa.Game, random.Random], None]

# A new law: a function in the module it belongs to, and one entry in one of these lists.
LAWS: list[Law] = [
    rules.plays_by_the_rules,
    rules.ends_in_time,
    rules.only_listed_moves_are_accepted,
    rules.nothing_follows_the_end,
    rules.one_move_is_one_step,
    rules.moves_tell_their_cells,
    rules.winning_cells_are_those_that_won,
    values.play_leaves_the_old_position_alone,
    values.keys_tell_positions_apart,
    values.canonical_keys_tell_orbits_apart,
    notation.text_round_trip,
    notation.history_round_trip,
    notation.pickle_and_copy_round_trip,
    counting.perft_counts_move_sequences,
    counting.count_states_counts_positions,
    counting.play_outs_end_as_random_moves_do,
]


LAWS_OF_LINES: list[Law] = [lines.a_move_adds_one_stone, lines.lines_are_seen_anywhere]
LAWS_OF_SOWING: list[Law] = [sowing.a_move_keeps_the_seeds]


def laws_of(game: mossa.Game) -> list[Law]:
    """The laws of every game, and those of games like this one."""
    found = list(LAWS)
    if game.traits.lines:
        found += LAWS_OF_LINES
    if game.traits.shape is mossa.Shape.pits:
        found += LAWS_OF_SOWING
    return found


def check(game: mossa.Game, *, seed: int) -> None:
    """Hold one game against every law it must obey."""
    for each in laws_of(game):
        each(game, random.Random(seed))
