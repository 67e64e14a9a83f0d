"""Who plays whom, and what results say."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from mossa.arena.plan import SCORINGS
from mossa.arena.statistics import score_of
from mossa.course.ladder import Couple, Meetings, next_couple, rated, standings
from mossa.course.ratings import PRIOR, Score, rate_all
from mossa.course.store import Duel

BOARDS = ("connect:6x7x4", "mnk:7x7x4")


def _play(
    players: list[int],
    count: int,
    ratings: dict[int, float],
    *,
    pairs: int = 1000,
    rivals: frozenset[int] = frozenset(),
) -> tuple[list[Couple], Meetings]:
    meetings, rng, couples = Meetings(), random.Random(1), []
    for _ in range(count):
        couple = next_couple(players, BOARDS, meetings, ratings, pairs, rng, rivals)
        if couple is None:
            break
        couples.append(couple)
        for _ in range(2):
            meetings.add(couple.first, couple.second, couple.game)
    return couples, meetings


def test_all_play_about_as_often() -> None:
    players = list(range(20))
    _, meetings = _play(players, 600, {each: 50.0 * each for each in players})
    games = [meetings.of(each) for each in players]
    assert max(games) < 1.6 * min(games)


def test_similar_players_meet_more_often_and_others_meet_too() -> None:
    players = list(range(10))
    ratings = {each: 100.0 * each for each in players}
    couples, _ = _play(players, 2000, ratings)
    gaps = Counter(abs(each.first - each.second) for each in couples)
    neighbours, far = gaps[1] / 9, sum(gaps[n] for n in range(5, 10)) / 15
    assert neighbours > 3 * far > 0


def test_all_boards_are_played_by_all() -> None:
    players = list(range(6))
    _, meetings = _play(players, 300, {})
    for a in players:
        for b in players[a + 1 :]:
            one, other = (meetings.games(a, b, board) for board in BOARDS)
            assert abs(one - other) <= 2


def test_a_newcomer_plays_at_once() -> None:
    players = list(range(10))
    meetings, rng = Meetings(), random.Random(3)
    for a in players[:-1]:
        for b in players[a + 1 : -1]:
            meetings.add(a, b, BOARDS[0], 20)
    opponents = set()
    for _ in range(10):
        couple = next_couple(players, BOARDS, meetings, {}, 1000, rng)
        assert couple is not None
        assert 9 in (couple.first, couple.second)
        opponents |= {couple.first, couple.second}
        for _ in range(2):
            meetings.add(couple.first, couple.second, couple.game)
    assert len(opponents) > 4


def test_the_ladder_rests_when_all_have_met_often_enough() -> None:
    players = list(range(4))
    couples, meetings = _play(players, 10_000, {}, pairs=3)
    assert len(couples) == 6 * len(BOARDS) * 3
    assert all(
        meetings.games(a, b, board) == 6
        for a in players
        for b in players[a + 1 :]
        for board in BOARDS
    )


def test_our_own_players_need_no_games_against_each_other() -> None:
    couples, _ = _play([1, 2, 3], 1000, {}, pairs=2, rivals=frozenset({1, 2}))
    assert {frozenset((each.first, each.second)) for each in couples} == {
        frozenset((1, 3)),
        frozenset((2, 3)),
    }
    assert _play([1, 2], 10, {}, rivals=frozenset({1, 2}))[0] == []
    assert _play([1], 10, {})[0] == []
    assert _play([], 10, {})[0] == []


# ---------------------------------------------------------------- ratings


def test_ratings_are_those_that_made_the_results() -> None:
    true = {1: -200.0, 2: -50.0, 3: 0.0, 4: 250.0}
    scores = [
        Score(a, b, 400, 400 * score_of(true[a] - true[b])) for a in true for b in true if a < b
    ]
    for player, found in rate_all(scores, true).items():
        assert found.elo == pytest.approx(true[player], abs=8)
        assert 5 < found.error < 40


def test_error_bars_hold_what_they_promise() -> None:
    """Of many made-up ladders, about 95% of the error bars hold the true rating."""
    rng, inside, total = random.Random(5), 0, 0
    for _ in range(40):
        true = {each: rng.gauss(0, 200) for each in range(6)}
        middle = sum(true.values()) / len(true)
        scores = []
        for a in true:
            for b in range(a + 1, 6):
                chance = score_of(true[a] - true[b])
                scores.append(Score(a, b, 10, sum(rng.random() < chance for _ in range(10))))
        for player, found in rate_all(scores, true).items():
            total += 1
            inside += abs(found.elo - (true[player] - middle)) <= found.error
    assert 0.9 <= inside / total <= 0.99


def test_who_has_played_nothing_is_average_give_or_take_a_lot() -> None:
    found = rate_all([Score(1, 2, 100, 100)], [1, 2, 3])
    assert found[1].elo > 100
    assert abs(found[3].elo) < 1
    assert found[3].error > PRIOR
    assert found[3].error > found[1].error
    assert rate_all([], []) == {}


def test_ratings_do_not_depend_on_where_one_begins() -> None:
    scores = [Score(1, 2, 10, 9), Score(2, 3, 4, 1), Score(1, 3, 2, 2)]
    one = rate_all(scores, [1, 2, 3])
    other = rate_all(scores, [1, 2, 3], {1: 900.0, 2: -900.0, 3: 0.0})
    for player, found in one.items():
        assert found.elo == pytest.approx(other[player].elo, abs=0.5)


def test_versions_that_were_replaced_still_say_something_of_the_others() -> None:
    duels = [
        Duel(1, 9, "g", 20, 0, 0, 0, 0),  # 9 was replaced
        Duel(9, 2, "g", 20, 0, 0, 0, 0),
    ]
    found = rated(duels, [1, 2], {})
    assert set(found) == {1, 2}
    assert found[1].elo > 200 > -200 > found[2].elo


def test_points_follow_the_scoring_of_the_course() -> None:
    duels = [Duel(1, 2, "g", 3, 1, 2, 1, 1)]
    ratings = rated(duels, [1, 2, 3], {})
    first, second, third = standings(duels, [1, 2, 3], ratings, SCORINGS["course-mnk"])
    assert (first.version, first.wins, first.draws, first.losses, first.forfeits) == (1, 3, 1, 2, 1)
    assert first.points == 3 * 2 + 1
    assert second.points == 1 * 3 + 1 * 2 + 1  # a win as second, one by forfeit, a draw
    assert (third.version, third.rank, third.games) == (3, 3, 0)
