"""Who plays whom, from which openings, for how many points."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from statistics import median

import pytest

import mossa
from mossa.arena.courses import COURSES
from mossa.arena.openings import (
    balanced_openings,
    default_plies,
    random_openings,
    read_openings,
)
from mossa.arena.plan import SCORINGS, Entrant, Plan, Scoring, read_entrant, read_games
from mossa.arena.schedule import all_pairings, swiss_round
from mossa.games import KINDS, example_of
from mossa.search import points_of

RANDOM = Entrant("a", "random")


def plan(players: int = 3, **more: object) -> Plan:
    entrants = tuple(Entrant(f"p{n}", "random") for n in range(players))
    given = {"games": ("connect:6x7x4",), **more}
    return Plan(entrants, **given)  # type: ignore[arg-type]


# --- pairings -------------------------------------------------------------------------------------


def test_round_robin_is_everybody_against_everybody_with_both_sides() -> None:
    games = list(all_pairings(plan(4, rounds=3, games=("connect:6x7x4", "mnk:5x5x4"))))
    assert len(games) == 6 * 2 * 3 * 2
    assert [game.id for game in games] == list(range(1, len(games) + 1))
    met = Counter((game.first, game.second) for game in games)
    assert set(met.values()) == {6}
    assert len(met) == 12
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one.pair == other.pair
        assert (one.first, one.second, one.opening) == (other.second, other.first, other.opening)


def test_a_gauntlet_is_the_first_against_the_others() -> None:
    games = list(all_pairings(plan(4, format="gauntlet")))
    assert {frozenset((game.first, game.second)) for game in games} == {
        frozenset((0, other)) for other in (1, 2, 3)
    }


def test_all_pairings_of_a_round_have_the_same_opening() -> None:
    games = list(all_pairings(plan(3, rounds=2)))
    assert [len({game.opening for game in games if game.round == r}) for r in (1, 2)] == [1, 1]
    assert len({game.opening for game in games}) == 2


@pytest.mark.parametrize("players", [2, 5, 8, 9])
def test_swiss_rounds_pair_neighbours_who_have_not_met(players: int) -> None:
    setting = plan(players, format="swiss")
    points = dict.fromkeys(range(players), 0.0)
    met: set[frozenset[int]] = set()
    free = dict.fromkeys(points, 0)
    rounds = min(3, players - 1)
    for number in range(1, rounds + 1):
        games = swiss_round(setting, number, points, met, free, begin=1)
        couples = {frozenset((game.first, game.second)) for game in games}
        assert len(games) == 2 * (players // 2)
        assert not couples & met
        there = {player for couple in couples for player in couple}
        assert len(there) == players - players % 2
        for player in points.keys() - there:
            free[player] += 1
        met |= couples
        for couple in couples:  # the lower number wins
            points[min(couple)] += 2
    assert max(free.values()) <= 1
    best = max(points, key=lambda player: points[player])
    assert best == 0


def test_swiss_goes_on_when_all_have_met() -> None:
    met = {frozenset(couple) for couple in combinations(range(4), 2)}
    games = swiss_round(plan(4, format="swiss"), 9, dict.fromkeys(range(4), 0.0), met, {}, 100)
    assert [game.id for game in games] == [100, 101, 102, 103]


# --- openings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "gomoku", "kalah", "mnk:2x2x2"])
def test_random_openings_are_legal_different_and_repeatable(name: str) -> None:
    game = mossa.game(name)
    found = list(islice(random_openings(game, None, seed=1), 20))
    assert found == list(islice(random_openings(game, None, seed=1), 20))
    for text in found:
        assert game.position(text).outcome is None
    if name in ("connect4", "gomoku"):
        keys = {game.position(text).canonical_key for text in found}
        assert len(keys) == 20
        assert found != list(islice(random_openings(game, None, seed=2), 20))


def test_no_opening_at_all() -> None:
    assert next(random_openings(mossa.game("connect4"), 0, seed=1)) == ""


@pytest.mark.parametrize("kind", KINDS)
def test_openings_end_no_game_whatever_it_is(kind: str) -> None:
    game = mossa.game(example_of(kind))
    for text in islice(random_openings(game, None, seed=1), 20):
        position = game.position(text)
        assert (position.ply, position.outcome) == (default_plies(game), None)


@pytest.mark.parametrize("kind", KINDS)
def test_balanced_openings_suit_every_game(kind: str) -> None:
    game = mossa.game(example_of(kind))
    found = list(islice(balanced_openings(game, None, seed=1), 3))
    assert found == list(islice(balanced_openings(game, None, seed=1), 3))
    usual = default_plies(game)
    for text in found:
        position = game.position(text)
        assert position.outcome is None
        assert usual <= position.ply <= usual + 1


def test_balanced_openings_are_more_even_than_random_ones() -> None:
    """Nearly all random openings of gomoku are won by the side to move."""
    game = mossa.game("gomoku")

    def lead(text: str) -> float:
        info = (
            mossa.player("engine:net=off")
            .choose(game.position(text), mossa.Limits(nodes=5000))
            .info
        )
        assert info is not None
        return abs(points_of(info.score, game.traits.scoring))

    random, balanced = (
        median(lead(text) for text in islice(draw(game, None, seed=3), 9))
        for draw in (random_openings, balanced_openings)
    )
    assert balanced < random / 2


def test_a_plan_draws_balanced_openings() -> None:
    drawn = plan(2, games=("gomoku",), balanced=True)
    texts = list(islice(drawn.opening_texts("gomoku"), 2))
    assert texts == list(islice(balanced_openings(mossa.game("gomoku"), None, drawn.seed), 2))
    assert Plan.from_dict(drawn.to_dict()) == drawn


def test_openings_from_files(tmp_path: Path) -> None:
    game = mossa.game("connect4")
    (tmp_path / "a.txt").write_text("44 # the middle\n\n4 4 5\n")
    assert read_openings(tmp_path / "a.txt", [game]) == {game.name: ["44", "4 4 5"]}
    mossa.write_records(tmp_path / "b.jsonl", [mossa.Record(game, (mossa.Move("3"),))])
    assert read_openings(tmp_path / "b.jsonl", [game]) == {game.name: ["3"]}
    with pytest.raises(mossa.GameError, match="no opening for kalah:6x4"):
        read_openings(tmp_path / "b.jsonl", [mossa.game("kalah")])
    (tmp_path / "c.txt").write_text("44\n9\n")
    with pytest.raises(mossa.GameError, match="opening 2: "):
        read_openings(tmp_path / "c.txt", [game])
    (tmp_path / "d.txt").write_text("1212121\n")
    with pytest.raises(mossa.GameError, match="the game is over"):
        read_openings(tmp_path / "d.txt", [game])


# --- plans ----------------------------------------------------------------------------------------


def test_the_courses_have_their_configurations() -> None:
    assert {name: len(games) for name, games in COURSES.items()} == {
        "course-mnk": 25,
        "course-connect": 35,
        "course-connect-large": 4,
    }
    for names in COURSES.values():
        assert read_games(names) == names
    assert read_games(["connect4", "course-mnk", "mnk:3x3x3"])[:2] == ("connect:6x7x4", "mnk:3x3x3")


def test_points_of_the_schemes() -> None:
    chess, mnk, connect = (SCORINGS[n] for n in ("chess", "course-mnk", "course-connect"))

    def points(scheme: Scoring, result: str, forfeit: bool = False) -> tuple[float, float]:
        first, second = (
            scheme.points(result, first=first, forfeit=forfeit) for first in (True, False)
        )
        return first, second

    assert [points(chess, r) for r in ("1-0", "1/2", "0-1")] == [(1, 0), (0.5, 0.5), (0, 1)]
    assert [points(mnk, r) for r in ("1-0", "1/2", "0-1")] == [(2, 0), (1, 1), (0, 3)]
    assert points(mnk, "0-1", forfeit=True) == (0, 2)
    assert [points(connect, r) for r in ("1-0", "1/2", "0-1")] == [(3, 0), (1, 1), (0, 3)]


@pytest.mark.parametrize(
    ("text", "name", "spec"),
    [
        ("random", "random", "random"),
        ("new=alphabeta:depth=3", "new", "alphabeta:depth=3"),
        ("alphabeta:depth=3", "alphabeta:depth=3", "alphabeta:depth=3"),
        ("ugi:start=3,./bot a=b", "ugi:start=3,./bot a=b", "ugi:start=3,./bot a=b"),
        ("my-bot=ugi:./bot", "my-bot", "ugi:./bot"),
    ],
)
def test_players_may_be_named(text: str, name: str, spec: str) -> None:
    assert read_entrant(text) == Entrant(name, spec)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"entrants": (RANDOM,)}, "at least two players"),
        ({"entrants": (RANDOM, RANDOM)}, "two players are called 'a'"),
        ({"games": ()}, "needs a game"),
        ({"format": "swizz"}, "did you mean 'swiss'"),
        ({"scoring": "chezz"}, "did you mean 'chess'"),
        ({"rounds": 0}, "invalid rounds '0'"),
        ({"sprt": mossa.Sprt(0, 5)}, "for two players"),
        (
            {"entrants": (Entrant("a", "random"), Entrant("b", "tree"))},
            "tree plays mnk, not connect",
        ),
        (
            {"entrants": (Entrant("a", "random"), Entrant("b", "human"))},
            "a person plays in mossa play and mossa match",
        ),
        ({"entrants": (Entrant("a", "random"), Entrant("b", "rundom"))}, "did you mean 'random'"),
    ],
)
def test_plans_that_cannot_be_played(change: dict[str, object], message: str) -> None:
    with pytest.raises(mossa.GameError, match=message):
        replace(plan(3), **change).check()  # type: ignore[arg-type]


def test_a_plan_survives_a_file() -> None:
    given = plan(2, sprt=mossa.Sprt(0, 5), openings={"connect:6x7x4": ["44"]}, plies=3)
    assert Plan.from_dict(given.to_dict()) == given
    given.check()
