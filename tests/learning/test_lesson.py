"""A network that learns a small game from nothing, its judge, and the patterns it has learnt."""

from __future__ import annotations

import functools
import json
import pickle
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import network_checks
import numpy as np
import pytest

import mossa
from mossa import GameError, _core, game
from mossa.learning import run as run_module
from mossa.learning.judge import Judge
from mossa.learning.lesson import Learnt, Lesson, at_a_glance, lesson_plan, one_ahead
from mossa.learning.patterns import pattern_text, worths

ROOT = Path(__file__).parents[2]
TICTACTOE = game("tictactoe")


@functools.cache
def judge() -> Judge:
    return Judge(TICTACTOE)


def small_lesson(seed: int = 1) -> Lesson:
    return Lesson(lesson_plan("tictactoe", positions=700, seed=seed))


@functools.cache
def lesson() -> Lesson:
    """A lesson that several tests attend."""
    return small_lesson()


def shares(learnt: Learnt) -> tuple[float, float]:
    network = learnt.network.core
    return (
        judge().share(lambda position: at_a_glance(network, position)),
        judge().share(lambda position: [one_ahead(position, "net", network).move]),
    )


# --- learning -------------------------------------------------------------------------------------


def test_it_learns_tic_tac_toe_from_nothing() -> None:
    before, after = shares(lesson().after(0)), shares(lesson().after(3))
    assert before[0] == judge().by_chance
    assert before[1] < 0.8
    assert after[0] > before[0] + 0.2
    assert after[1] > before[1] + 0.08


def test_the_same_seed_learns_the_same() -> None:
    one, two, other = lesson(), small_lesson(), small_lesson(2)
    for number in range(3):
        assert two.after(number).network == one.after(number).network
        assert two.after(number).games == one.after(number).games
        assert two.after(number).loss == one.after(number).loss
        assert other.after(number).network != one.after(number).network


def test_a_lesson_that_is_sent_elsewhere_begins_anew() -> None:
    sent = pickle.loads(pickle.dumps(lesson()))
    assert sent.plan == lesson().plan
    assert sent.after(1).network == lesson().after(1).network


def test_what_a_generation_learns_from() -> None:
    plan = replace(lesson().plan, positions=100, window=2)
    short = Lesson(plan)
    numbers = [short.after(number) for number in range(4)]
    played = [sum(len(one.samples) for one in each.games) for each in numbers]
    assert played[0] == 0
    assert numbers[0].loss is None
    assert all(100 <= count < 110 for count in played[1:])
    for number in (1, 2, 3):
        # One game in twenty is held out, the first of them.
        recent = numbers[max(1, number - 1) : number + 1]
        games = [one for each in recent for one in each.games if one.number % 20]
        assert numbers[number].positions == sum(len(one.samples) for one in games)
    alone = Lesson(replace(plan, window=1))
    last = alone.after(2)
    assert last.positions == sum(len(one.samples) for one in last.games if one.number % 20)


def test_games_without_lines_are_refused() -> None:
    with pytest.raises(GameError, match=r"learning on kalah:4x3: choose .* such as mnk:3x3x3"):
        Lesson(lesson_plan("kalah:4x3"))
    with pytest.raises(GameError, match="no network for breakthrough:4x4"):
        Lesson(lesson_plan("breakthrough:4x4"))


def test_a_lesson_needs_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "find_spec", lambda name: None)
    with pytest.raises(GameError, match="training needs JAX and NumPy: pip install"):
        small_lesson()


def test_large_boards_do_not_get_endless_generations() -> None:
    assert lesson_plan("tictactoe").positions == 1620
    assert lesson_plan("gomoku").positions == 6000


# --- the judge ------------------------------------------------------------------------------------


def test_the_judge_knows_all_of_tic_tac_toe() -> None:
    """By brute force: 627 positions go on, and in 431 of them a move can go wrong."""
    assert len(judge().questions) == 431

    @functools.cache
    def value(text: str) -> int:
        position = TICTACTOE.position(text)
        if position.outcome is not None:
            return -abs(position.outcome.value)  # whoever is to move has lost, if anybody
        return max(-value(position.play(move).history_text) for move in position.moves)

    for question in judge().questions[-60:]:
        position = question.position
        after = {move: -value(position.play(move).history_text) for move in position.moves}
        assert question.value == max(after.values())
        assert question.keeping == {move for move in after if after[move] == question.value}
        assert 0 < len(question.keeping) < len(after)


def test_shares_of_players_that_are_known() -> None:
    search = mossa.Search(TICTACTOE, "alphabeta", {"memory": "1"})
    to_the_end = mossa.Limits(depth=9)
    assert judge().share(lambda position: [search.run(position, to_the_end).move]) == 1
    assert judge().share(lambda position: position.moves) == judge().by_chance
    assert judge().by_chance == pytest.approx(0.402, abs=0.001)


def test_the_hardest_question_has_one_right_move() -> None:
    question = judge().hardest()
    assert question.position.history_text == "a1"
    assert {str(move) for move in question.keeping} == {"b2"}


def test_positions_of_larger_boards_are_sampled() -> None:
    rules = game("connect:4x5x4")
    one, two, other = Judge(rules, most=60), Judge(rules, most=60), Judge(rules, most=60, seed=2)
    assert 20 < len(one.questions) <= 60
    assert one.questions == two.questions
    assert one.questions != other.questions


def test_boards_that_nobody_can_solve_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mossa.learning.judge.SECONDS", 0.01)
    with pytest.raises(GameError, match=r"mnk:12x12x6 is too large: the solver must know"):
        Judge(game("mnk:12x12x6"), most=5)


# --- patterns -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "moves", "cell", "stone", "drawn"),
    [
        ("mnk:3x3x3", "a1 a3 b1", (0, 2), "x", "xx+|"),
        ("mnk:3x3x3", "a1 b3 c1", (0, 1), "x", "|x+x|"),
        ("mnk:1x9x4", "b1 i1 d1 h1", (0, 4), "x", "x.x+..|"),
        ("mnk:1x9x4", "a1 b1", (0, 4), "x", "|..+..."),
        ("mnk:1x30x7", "a1 b1", (0, 9), "x", ".....+....."),
    ],
)
def test_patterns_are_drawn(
    name: str, moves: str, cell: tuple[int, int], stone: str, drawn: str
) -> None:
    position = game(name).position(moves)
    side = mossa.Side.first
    number = network_checks.pattern(position, cell, (0, 1), side)
    text = pattern_text(position.game, number, stone)
    assert text is not None
    assert text in (drawn, drawn[::-1])


@pytest.mark.parametrize("name", ["mnk:3x3x3", "mnk:6x6x4", "connect:6x7x5"])
def test_every_pattern_has_a_picture_of_its_own(name: str) -> None:
    rules = game(name)
    count = _core.network_shape(rules).patterns
    drawn = [pattern_text(rules, number, "x") for number in range(count)]
    empty = (count - 1) // 2
    assert drawn[0] is None  # a stone of the other side
    assert drawn[empty + 1 :] == [None] * empty  # an own stone
    assert len(set(drawn[1 : empty + 1])) == empty


def test_patterns_are_drawn_as_they_are_seen() -> None:
    """In random positions, by the cells along the line."""
    rng = random.Random(1)
    rules = game("mnk:5x6x4")
    for _ in range(50):
        position = rules.start()
        for _ in range(rng.randint(1, 12)):
            position = position.play(rng.choice(position.moves))
            if position.outcome is not None:
                break
        if position.outcome is not None:
            continue
        numbers = np.asarray(_core.network_features([position])["own"])[0]
        row, col = rng.choice([position.target(move) for move in position.moves])  # type: ignore[misc]
        text = pattern_text(rules, int(numbers[row * 6 + col][0]), "x")
        assert text is not None
        line = "".join(
            "." if stone == 0 else "x" if stone == position.side.value + 1 else "|"
            for stone in position.cells[row]
        )
        right, left = line[col + 1 :], line[:col][::-1]
        arms = {(each + "|").partition("|")[0][:3] for each in (left, right)}
        halves = text.split("+")
        assert {halves[0][::-1].strip("|"), halves[1].strip("|")} == arms


def test_a_network_that_knows_nothing_likes_all_patterns_alike() -> None:
    learnt = lesson().after(0)
    questions = judge().questions
    found = worths(learnt.network.core, questions)
    by_name = {each.pattern: each for each in found}
    assert by_name["xx+|"].exact > 0.7
    assert by_name["oo+|"].exact > 0.6
    assert by_name["|x+|"].exact < 0.2
    assert by_name["xx+|"].learnt < 0.4
    assert [each.exact for each in found] == sorted((each.exact for each in found), reverse=True)
    assert all(each.cells >= 20 for each in found)
    assert len(worths(learnt.network.core, questions, least=400)) < len(found)


def test_two_in_a_row_draw_the_network_after_learning() -> None:
    before, after = (
        {each.pattern: each.learnt for each in worths(one.network.core, judge().questions)}
        for one in (lesson().after(0), lesson().after(3))
    )
    for pattern in ("xx+|", "|x+x|", "oo+|", "|o+o|"):
        assert after[pattern] > before[pattern] + 0.05, pattern
    assert after["|x+|"] < before["|x+|"]


# --- the notebook ---------------------------------------------------------------------------------


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.setenv("LESSON_POSITIONS", "100")
    monkeypatch.setenv("LESSON_GENERATIONS", "2")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "examples" / "learning.ipynb").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            assert not cell["outputs"]
            assert cell["execution_count"] is None
            exec("".join(cell["source"]), names)
    assert len(names["glance"]) == len(names["ahead"]) == 3
    assert names["glance"][0] == names["judge"].by_chance
    assert len(names["plt"].get_fignums()) >= 1
    names["plt"].close("all")
    assert not re.search(r"/(home|work|tmp|usr|root)\b|[A-Z]:\\\\", text)
    assert len(text) < 20_000
    assert list(tmp_path.iterdir()) == []
