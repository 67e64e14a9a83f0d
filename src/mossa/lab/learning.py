"""Learning from nothing: small networks that teach themselves, watched by the perfect player.

Each board has a lesson (mossa.learning.lesson): a network that knows nothing plays itself, learns
from that, plays itself again. After every generation the judge counts how many of its moves keep
the value. In the end we look at what it has learnt: patterns, and where it moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from time import perf_counter

from mossa._core import Move, Network, Position
from mossa.games import game as game_named
from mossa.lab import runner
from mossa.learning.judge import Judge
from mossa.learning.lesson import (
    AHEAD,
    GENERATIONS,
    Learnt,
    Lesson,
    at_a_glance,
    lesson_plan,
    one_ahead,
)
from mossa.learning.patterns import worths
from mossa.learning.plan import TrainingPlan
from mossa.search import Info

BOARDS = ("tictactoe", "connect:4x5x4")
"""The solver knows all about them at once."""
QUICK_GENERATIONS, QUICK_POSITIONS = 2, 150
PATTERNS = 4
"""So many patterns are shown that draw a perfect player most, and as many that draw it least."""

RANDOM, BLIND, HAND_MADE = "random", "no evaluation", "hand-made"
GLANCE, ONE_AHEAD = "network, at a glance", "network, one move ahead"
PATTERN, BEFORE, AFTER = "pattern", "before", "after"


class _Course:
    """A lesson and its judge. Whoever is sent one begins it anew, and learns the same."""

    def __init__(self, plan: TrainingPlan) -> None:
        self.lesson = Lesson(plan)

    def __reduce__(self) -> tuple[type[_Course], tuple[TrainingPlan]]:
        return _Course, (self.lesson.plan,)

    @property
    def game(self) -> str:
        return self.lesson.rules.name

    @cached_property
    def judge(self) -> Judge:
        return Judge(self.lesson.rules)

    def row(self, experiment: str, variant: str, generation: int, **found: object) -> runner.Row:
        """Return a row about the start, unless told otherwise."""
        given = {"moves": "", "player": "", **found}
        return runner.Row(experiment, self.game, variant, self.game, repetition=generation, **given)  # type: ignore[arg-type]

    def judged(
        self, ask: Callable[[Position], Info]
    ) -> tuple[dict[str, object], dict[str, runner.Cell]]:
        """Return what a search that looks one move ahead does, and costs, in all positions."""
        begin = perf_counter()
        nodes = 0

        def choose(position: Position) -> list[Move]:
            nonlocal nodes
            info = ask(position)
            nodes += info.nodes
            return [info.move]

        share = self.judge.share(choose)
        seconds = (perf_counter() - begin) / len(self.judge.questions)
        start = ask(self.lesson.rules.start())
        found = {"nodes": nodes, "time_ms": round(seconds * 1000, 4), "move": str(start.move)}
        return found, {"share": round(share, 4)}


@dataclass(frozen=True)
class _BaseLines:
    """What a network is compared with."""

    course: _Course

    @property
    def label(self) -> str:
        return f"{self.course.game}, base lines"

    def rows(self, experiment: str) -> Iterator[runner.Row]:
        judge = self.course.judge
        share = {"share": round(judge.by_chance, 4), "questions": len(judge.questions)}
        yield self.course.row(experiment, RANDOM, 0, extra=share)
        for variant, evaluation in ((BLIND, "none"), (HAND_MADE, _hand_made(self.course))):
            found, extra = self.course.judged(partial(one_ahead, evaluation=evaluation))
            options = {"depth": "1", **AHEAD, "evaluate": evaluation}
            player = runner.spec("alphabeta", options)
            yield self.course.row(experiment, variant, 0, player=player, extra=extra, **found)


def _hand_made(course: _Course) -> str:
    return course.lesson.rules.evaluations[0]


@dataclass(frozen=True)
class _Generation:
    """One turn of the loop, and what the network can do after it."""

    course: _Course
    number: int
    last: bool

    @property
    def label(self) -> str:
        return f"{self.course.game}, generation {self.number}"

    def rows(self, experiment: str) -> Iterator[runner.Row]:
        course = self.course
        learnt = course.lesson.after(self.number)
        network = learnt.network.core
        extra = _learnt_from(learnt)
        share = course.judge.share(lambda position: at_a_glance(network, position))
        move = str(at_a_glance(network, course.lesson.rules.start())[0])
        yield course.row(
            experiment, GLANCE, self.number, move=move, extra={**extra, "share": round(share, 4)}
        )
        found, judged = course.judged(partial(one_ahead, evaluation="net", network=network))
        yield course.row(experiment, ONE_AHEAD, self.number, extra={**extra, **judged}, **found)
        if self.number == 0:
            yield from self._policy(experiment, BEFORE, network)
        if self.last:
            yield from self._policy(experiment, AFTER, network)
            yield from self._patterns(experiment, network)

    def _policy(self, experiment: str, variant: str, network: Network) -> Iterator[runner.Row]:
        """Where it would move in a position with a single right move."""
        question = self.course.judge.hardest()
        position = question.position
        policy = network.estimate(position).policy
        for move in position.moves:
            yield self.course.row(
                experiment,
                variant,
                self.number,
                moves=position.history_text,
                move=str(move),
                extra={"chance": round(policy[move], 4), "keeps": int(move in question.keeping)},
            )

    def _patterns(self, experiment: str, network: Network) -> Iterator[runner.Row]:
        for worth in worths(network, self.course.judge.questions):
            yield self.course.row(
                experiment,
                PATTERN,
                self.number,
                extra={
                    "pattern": worth.pattern,
                    "cells": worth.cells,
                    "chance": round(worth.learnt, 4),
                    "exact": round(worth.exact, 4),
                },
            )


def _learnt_from(learnt: Learnt) -> dict[str, runner.Cell]:
    return {
        "generation": learnt.generation,
        "games": len(learnt.games),
        "positions": learnt.positions,
        "loss": None if learnt.loss is None else round(learnt.loss, 4),
        "held_out": None if learnt.held_out is None else round(learnt.held_out, 4),
    }


def _work(settings: runner.Settings) -> Sequence[runner.Work]:
    generations = settings.runs or (QUICK_GENERATIONS if settings.quick else GENERATIONS)
    todo: list[runner.Work] = []
    boards = settings.games or (BOARDS[:1] if settings.quick else BOARDS)
    for name in dict.fromkeys(game_named(each).name for each in boards):
        positions = QUICK_POSITIONS if settings.quick else None
        seed = 1 if settings.seed is None else settings.seed
        course = _Course(lesson_plan(name, positions=positions, seed=seed))
        todo.append(_BaseLines(course))
        todo += [
            _Generation(course, number, number == generations) for number in range(generations + 1)
        ]
    return todo


# ---------------------------------------------------------------- tables


def _tables(rows: Sequence[runner.Row]) -> list[runner.Table]:
    tables = []
    for case in runner.distinct(rows, "case"):
        here = runner.pick(rows, case=case)
        tables += [_shares(str(case), here), *_patterns_table(here), *_policy_table(here)]
    return tables


def _shares(case: str, rows: Sequence[runner.Row]) -> runner.Table:
    def percent(variant: str, number: int) -> str:
        found = runner.mean(runner.pick(rows, variant=variant, repetition=number), "share")
        return "" if found is None else f"{100 * found:.1f}%"

    lines: list[tuple[runner.Cell, ...]] = [
        (RANDOM, None, None, None, None, percent(RANDOM, 0), ""),
        (BLIND, None, None, None, None, "", percent(BLIND, 0)),
        (HAND_MADE, None, None, None, None, "", percent(HAND_MADE, 0)),
    ]
    for row in runner.pick(rows, variant=GLANCE):
        number = row.repetition
        figures = (row.get(name) for name in ("games", "positions", "loss", "held_out"))
        lines.append(
            (f"generation {number}", *figures, percent(GLANCE, number), percent(ONE_AHEAD, number))
        )
    questions = rows[0].get("questions")
    return runner.Table(
        f"{case}: moves that keep the value",
        ("", "games", "positions", "loss", "held\nout", "at a\nglance", "one move\nahead"),
        lines,
        (
            f"Judged by the solver in {questions:,} positions in which a move can go wrong. At a "
            "glance: the network's policy. One move ahead: every move is tried, and what it leads "
            "to is evaluated.",
        ),
    )


def _shown(rows: Sequence[runner.Row]) -> list[runner.Row]:
    """Return the patterns that should draw a player most and least."""
    found = runner.pick(rows, variant=PATTERN)
    return found if len(found) <= 2 * PATTERNS else [*found[:PATTERNS], *found[-PATTERNS:]]


def _patterns_table(rows: Sequence[runner.Row]) -> Iterator[runner.Table]:
    if shown := _shown(rows):
        yield runner.Table(
            "What it has learnt about patterns: how often it moves there",
            ("pattern", "cells", "network", "perfect"),
            [
                (
                    row.get("pattern"),
                    row.get("cells"),
                    _percent(row, "chance"),
                    _percent(row, "exact"),
                )
                for row in shown
            ],
            (
                "+ is the cell, x a stone of the side to move, o one of the other side, | the end "
                "of the line: the edge, or a stone in the way.",
            ),
        )


def _policy_table(rows: Sequence[runner.Row]) -> Iterator[runner.Table]:
    before = {row.move: row for row in runner.pick(rows, variant=BEFORE)}
    after = runner.pick(rows, variant=AFTER)
    if before and after:
        after.sort(key=lambda row: -float(row.get("chance") or 0))
        yield runner.Table(
            f"Where it moves after {after[0].moves or 'no move'}",
            ("move", "before", "after", ""),
            [
                (
                    row.move,
                    _percent(before[row.move], "chance"),
                    _percent(row, "chance"),
                    "right" if row.get("keeps") else "",
                )
                for row in after
            ],
        )


def _percent(row: runner.Row, column: str) -> str:
    return f"{100 * float(row.get(column) or 0):.0f}%"


# ---------------------------------------------------------------- plots


def _panels(rows: Sequence[runner.Row]) -> list[runner.Panel | runner.Grid]:
    panels: list[runner.Panel | runner.Grid] = []
    for case in runner.distinct(rows, "case"):
        here = runner.pick(rows, case=case)
        panels += [_curve(str(case), here), *_patterns_panel(here)]
        panels += [
            grid
            for variant in (BEFORE, AFTER)
            if (grid := _grid(variant, runner.pick(here, variant=variant))) is not None
        ]
    return panels


def _curve(case: str, rows: Sequence[runner.Row]) -> runner.Panel:
    series: dict[str, dict[runner.Cell, float]] = {}
    last = max(row.repetition for row in rows)
    for variant in (ONE_AHEAD, GLANCE, HAND_MADE, BLIND, RANDOM):
        found: dict[runner.Cell, float] = {
            row.repetition: 100 * float(row.get("share") or 0)
            for row in runner.pick(rows, variant=variant)
        }
        if variant in (HAND_MADE, BLIND, RANDOM) and found:  # they learn nothing: level lines
            found = dict.fromkeys(range(last + 1), found[0])
        if found:
            series[variant] = found
    return runner.Panel(
        f"{case}: learning from nothing",
        "generation",
        "moves that keep the value, %",
        series,
        lines=True,
        log=False,
    )


def _patterns_panel(rows: Sequence[runner.Row]) -> Iterator[runner.Panel]:
    if shown := _shown(rows):
        yield runner.Panel(
            "What a pattern is worth",
            "pattern: + is the cell, x to move, | the end",
            "moves that go there, %",
            {
                label: {
                    row.get("pattern"): round(100 * float(row.get(column) or 0)) for row in shown
                }
                for label, column in (("network", "chance"), ("perfect player", "exact"))
            },
            log=False,
        )


def _grid(variant: str, rows: Sequence[runner.Row]) -> runner.Grid | None:
    """Return the policy as a board; None if there is none."""
    if not rows:
        return None
    position = game_named(rows[0].game).position(rows[0].moves)
    moves = {str(move): position.target(move) for move in position.moves}
    chances = {
        cell: float(row.get("chance") or 0)
        for row in rows
        if row.move is not None and (cell := moves[row.move]) is not None
    }
    right = frozenset(
        cell
        for row in rows
        if row.get("keeps") and row.move is not None and (cell := moves[row.move]) is not None
    )
    number = rows[0].repetition
    return runner.Grid(
        f"Where it moves {variant} learning (generation {number}), %",
        position.cells,
        chances,
        right,
    )


LEARNING = runner.Experiment(
    "learning",
    "how a network learns two small games from nothing, and what it knows then",
    _work,
    _tables,
    _panels,
    takes="a minute",
    choosable=True,
    columns=4,
)
