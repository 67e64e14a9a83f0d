"""The lab: published figures met exactly, tables and plots, and the page of the docs.

Times differ from run to run and are never compared; nodes must not differ.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from lab_checks import COLUMNS

import mossa
from mossa import lab
from mossa.lab import (
    bantumi,
    custom,
    output,
    plots,
    pojam,
    quatro,
    runner,
    tree,
    tris,
    tris_heuristics,
    tris_savings,
)

ROOT = Path(__file__).parents[1]


def figures(rows: list[lab.Row]) -> list[tuple[object, ...]]:
    """What must be the same on every run."""
    return [
        (row.case, row.variant, row.moves, row.nodes, row.evaluations, row.move, row.score)
        for row in rows
    ]


@functools.cache
def quick(name: str) -> lab.Results:
    """The quick part of an experiment, done once."""
    return lab.measure(lab.experiment(name), lab.Settings(quick=True))


# --- the Bantumi report's table -------------------------------------------------------------------

# hands: minimax, alpha-beta ascending, descending, Val; as the report prints them
PUBLISHED = {
    1: (129, 112, 83, 97),
    2: (8727, 3057, 2209, 2405),
    3: (882215, 84577, 56770, 50387),
    4: (99569593, 2676841, 1320574, 1148562),
    5: (None, 81995855, 25298451, 23123673),
}
# The same search with both bounds passed on, recomputed independently; for 5 hands one is known.
BOTH_BOUNDS = {
    1: (112, 83, 97),
    2: (2742, 1160, 2199),
    3: (50793, 15965, 27940),
    4: (937517, 162766, 356456),
}


@pytest.mark.parametrize("hands", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_the_bantumi_figures_are_met_exactly(hands: int) -> None:
    work = [each for each in bantumi.NODES.work(lab.Settings()) if each.label[0] == str(hands)]
    rows = [row for each in work for row in each.rows("bantumi-nodes")]
    orders = ("ascending", "descending", "Val")

    def counts(variant: str) -> tuple[float | None, ...]:
        found = (runner.pick(rows, variant=variant, order=order) for order in orders)
        return tuple(runner.mean(each, "nodes") for each in found)

    minimax = runner.mean(runner.pick(rows, variant="minimax"), "nodes")
    assert (minimax, *counts("as the report")) == PUBLISHED[hands]
    if hands in BOTH_BOUNDS:
        assert counts("both bounds") == BOTH_BOUNDS[hands]
    else:
        assert counts("both bounds")[1] == 1309634
    for both, equal in zip(counts("both bounds"), counts("cut on equal"), strict=True):
        assert both
        assert equal
        assert equal < both


def test_the_bantumi_table_has_all_19_figures() -> None:
    """With invented nodes: what is compared is the report's column, and that a difference shows."""
    rows = [
        lab.Row(
            "bantumi-nodes",
            "",
            variant,
            "",
            "",
            "",
            1,
            nodes=7,
            extra={"hands": hands, "order": order},
        )
        for variant, order in [("minimax", ""), *(("as the report", o) for o in bantumi.ALPHABETA)]
        for hands in PUBLISHED
    ]
    (table,) = bantumi.NODES.tables(rows)
    published = sorted(figure for column in PUBLISHED.values() for figure in column if figure)
    assert sorted(row[2] for row in table.rows if isinstance(row[2], int)) == published
    assert {row[4] for row in table.rows} == {"differs"}
    assert table.notes[0].startswith("0 of 19 ")


@pytest.mark.parametrize(
    "name", [name for name, each in lab.EXPERIMENTS.items() if each.repeatable]
)
def test_nodes_are_the_same_on_every_run(name: str) -> None:
    """A few pieces of the work are done again; all of it is a slow test."""
    whole = lab.experiment(name)
    part = replace(whole, work=lambda settings: whole.work(settings)[:3])
    again = lab.measure(part, lab.Settings(quick=True))
    assert again.complete and again.rows
    assert figures(again.rows) == figures(quick(name).rows[: len(again.rows)])


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name, each in lab.EXPERIMENTS.items() if each.repeatable]
)
def test_all_nodes_are_the_same_on_every_run(name: str) -> None:
    again = lab.measure(lab.experiment(name), lab.Settings(quick=True))
    assert again.complete
    assert figures(again.rows) == figures(quick(name).rows)


# --- the experiments, one by one ------------------------------------------------------------------


def test_quatro_stays_within_the_bounds_of_the_report() -> None:
    results = lab.measure(quatro.TIMES, lab.Settings(runs=2))
    for row in results.rows:
        player = quatro.PLAYERS[row.variant]
        assert row.nodes
        assert row.nodes + player.root <= player.bound
        assert mossa.game("connect4").position(row.moves).side is mossa.Side.second
    (table,) = results.tables
    # On an all but empty board minimax reaches its bound, and so does the tree of 1000 iterations.
    assert {row[0]: row[6] for row in table.rows if row[0] != "alpha-beta"} == {
        "minimax": 2801,
        "mcts": 7001,
    }
    assert [row[3:5] for row in table.rows if row[0] == "mcts"] == [(4, 70.41), (6, 66.08)]


def test_tris_counts_every_move_of_minimax() -> None:
    """Without a win within four moves, minimax tries every line of up to four moves."""

    def lines(name: str) -> int:
        start = mossa.game(name).start()
        return sum(start.perft(depth) for depth in range(1, 5))

    assert lines("tris:10x4") == tris.MINIMAX_10X10
    results = quick("tris-variants")
    for name, label in (("tris:5x3", "5x5, 3 in a row"), ("tris:6x4", "6x6, 4 in a row")):
        first = runner.pick(results.rows, case=label, variant="minimax", moves="")
        assert runner.mean(first, "nodes") == lines(name)


def test_every_technique_of_tris_saves_moves_and_none_but_pruning_changes_the_score() -> None:
    results = quick("tris-variants")
    for label in runner.distinct(results.rows, "case"):
        here = runner.pick(results.rows, case=label)
        counts = [runner.mean(runner.pick(here, variant=each), "nodes") for each in tris.VARIANTS]
        assert counts == sorted(counts, key=lambda count: -(count or 0))
        for moves in runner.distinct(here, "moves"):
            exact = [
                row.score
                for row in runner.pick(here, moves=moves)
                if row.variant != "+ forward pruning"
            ]
            assert len(exact) == 5
            assert len(set(exact)) == 1


def test_tris_replies_to_the_corners_and_the_centre() -> None:
    assert [list(board.replies) for board in tris.BOARDS] == [
        ["", "a1", "e1", "a5", "e5", "c3"],
        ["", "a1", "f1", "a6", "f6", "c3"],
        ["", "a1", "j1", "a10", "j10", "e5"],
    ]


def test_tris_runs_as_often_as_the_report() -> None:
    work = tris.VARIANTS_EXPERIMENT.work(lab.Settings())
    # 6 positions; 6 variants 30 times on two boards, 5 variants 10 times on the third
    assert len(work) == 2 * 6 * 6 * 30 + 6 * 5 * 10
    assert len(tris.VARIANTS_EXPERIMENT.work(lab.Settings(runs=1))) == 2 * 6 * 6 + 6 * 5


def test_pojam_keeps_its_time_limit() -> None:
    results = lab.measure(pojam.DEPTHS, lab.Settings(quick=True, time=0.02))
    assert {row.variant for row in results.rows} == set(pojam.PLAYERS)
    # All think about the same positions, and take the time they have.
    assert len({row.moves for row in results.rows}) == len(results.rows) / 3 == 6
    assert all(10 < (row.time_ms or 0) < 1000 for row in results.rows)


def test_pojam_leaves_out_what_all_have_solved() -> None:
    rows = [
        lab.Row(
            "", "", variant, "", "", "", 1, depth=9, nodes=1000, score=score, extra={"ply": ply}
        )
        for ply, solved in ((1, ()), (2, ("table",)), (3, pojam.PLAYERS))
        for variant in pojam.PLAYERS
        for score in [mossa.Exact(1, 9) if variant in solved else mossa.Estimate(3)]
    ]
    (table,) = pojam.DEPTHS.tables(rows)
    assert [row[:4] for row in table.rows] == [
        (1, 9, 9, 9),
        (2, 9, "solved", 9),
        ("mean", 9, 9, 9),
    ]


def test_quatro_measures_the_players_of_the_report() -> None:
    """One definition: the lab once had a constant of UCB1 of its own."""
    assert [player.spec for player in quatro.PLAYERS.values()] == [
        "quatro-minimax",
        "quatro-alphabeta",
        "quatro-mcts",
    ]
    (row,) = runner.OneSearch("", "", quatro.PLAYERS["mcts"].spec, "connect4", "4453").rows("")
    position = mossa.game("connect4").position("4453")
    info = mossa.player("quatro-mcts").choose(position, mossa.Limits()).info
    assert info is not None
    assert (row.nodes, row.move, row.score) == (info.nodes, str(info.move), info.score)


def test_quatro_memory_grows_with_the_iterations_up_to_the_bound() -> None:
    results = quick("quatro-memory")
    for row in results.rows:
        iterations = row.get("iterations")
        assert isinstance(iterations, int)
        assert iterations < (row.nodes or 0) <= 7 * iterations + 1
    (table,) = results.tables
    most = [line[3] for line in table.rows]
    assert most == sorted(most, key=lambda nodes: nodes if isinstance(nodes, int) else 0)
    assert [line[4] for line in table.rows] == [351, 701, 1401, 2801]


def check_games(rows: list[lab.Row]) -> None:
    """Every row of a game can be played again, and says how it ended."""
    for row in rows:
        position = mossa.game(row.game).position(str(row.get("record")))
        assert position.outcome is not None
        assert position.history_text.startswith(row.moves)
        assert position.ply == row.get("plies")
        side = mossa.Side[str(row.get("side"))]
        winner = position.outcome.winner
        result = "drawn" if winner is None else "won" if winner is side else "lost"
        assert row.get("result") == result
        sign = 1 if side is mossa.Side.first else -1
        assert row.get("margin") == sign * position.outcome.value


def test_the_heuristics_of_tris_all_meet_with_either_side() -> None:
    results = quick("tris-heuristics")
    check_games(results.rows)
    pairs = {(row.variant, row.get("against"), row.get("side")) for row in results.rows}
    assert len(pairs) == len(results.rows) == 15 * 2
    assert len({row.moves for row in results.rows}) == 1  # all from the same opening
    table, meetings = results.tables
    assert [line[0] for line in table.rows] == list(tris_heuristics.EVALUATIONS)
    assert {line[1] for line in table.rows} == {10}
    for line in table.rows:
        won, drawn, lost = (cell for cell in line[2:5] if isinstance(cell, int))
        assert won + drawn + lost == 10
    points = [cell for line in meetings.rows for cell in line[1:] if isinstance(cell, int | float)]
    assert sum(points) == len(results.rows)  # what one wins the other loses


def test_the_bots_of_bantumi_all_meet_with_either_side() -> None:
    results = quick("bantumi-bots")
    check_games(results.rows)
    labels = ["1", "2", "open 1", "open 2"]
    assert [(row.variant, row.get("against")) for row in results.rows] == [
        (one, other) for one in labels for other in labels if one != other
    ]
    margins, totals = results.tables
    assert [line[0] for line in margins.rows] == labels
    assert [line[1] for line in totals.rows] == [6] * 4
    work = bantumi.BOTS_EXPERIMENT.work(lab.Settings())
    assert len(work) == 8 * 7


def test_all_successors_agree_with_themselves() -> None:
    results = quick("tris-successors")
    for table in results.tables:
        assert [line[0] for line in table.rows] == [f"{each}%" for each in tris_savings.SHARES]
        assert table.rows[-1][1:4] == (4, "100%", "100%")
        nodes = [line[4] for line in table.rows]
        assert nodes == sorted(nodes, key=lambda count: count if isinstance(count, int) else 0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (mossa.Estimate(math.inf, 3), mossa.Exact(1, 3), True),
        (mossa.Estimate(-math.inf, 4), mossa.Exact(-1, 4), True),
        (mossa.Estimate(math.inf, 3), mossa.Exact(1, 5), False),
        (mossa.Estimate(12), mossa.Estimate(12), True),
        (mossa.Estimate(12), mossa.Estimate(-12), False),
    ],
)
def test_scores_agree_whether_they_are_proven_or_not(
    one: mossa.Score, other: mossa.Score, same: bool
) -> None:
    rows = [
        lab.Row("", "", f"{share}%", "", "", "", 1, score=score, extra={"share": share})
        for share, score in ((30, one), (100, other))
    ]
    assert tris_savings._agreement(rows, 30)[:2] == (1, int(same))


def test_memory_that_is_kept_knows_positions_of_earlier_moves() -> None:
    results = quick("tris-memory")
    kept, renewed = (runner.pick(results.rows, variant=each) for each in tris_savings.MEMORY)
    assert [row.moves for row in kept] == [row.moves for row in renewed]
    assert sum(runner.values(kept, "nodes")) <= sum(runner.values(renewed, "nodes"))
    assert all((row.time_ms or 0) <= runner.values([row], "whole_ms")[0] for row in results.rows)


def test_threads_are_compared_in_the_same_positions() -> None:
    results = quick("tris-threads")
    for moves in runner.distinct(results.rows, "moves"):
        here = runner.pick(results.rows, moves=moves)
        assert [row.get("threads") for row in here] == list(tris_savings.THREADS)
        assert len({row.depth for row in here}) == 1
    assert [line[0] for line in results.tables[0].rows] == ["1 thread", "2 threads", "4 threads"]
    assert results.tables[0].rows[0][3] == "0%"


def test_every_position_of_tree_shows_its_kind() -> None:
    best = {
        case: mossa.candidates(mossa.game(tree.GAME).position(moves))[0].priority
        for case, moves in tree.POSITIONS.items()
    }
    assert list(best.values()) == [5, 5, 1, 2, 3, 4]


# --- plots ----------------------------------------------------------------------------------------


def axis_marks(panel: lab.Panel) -> list[str]:
    """What is written beside the vertical axis."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure()
    FigureCanvasAgg(figure)
    (part,) = figure.subfigures(1, 1, squeeze=False)[0]
    plots._draw(part, panel)
    figure.canvas.draw()
    (axes,) = part.axes
    low, high = axes.get_ylim()
    return [
        label.get_text()
        for label, place in zip(axes.get_yticklabels(), axes.get_yticks(), strict=True)
        if low <= place <= high
    ]


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize("log", [True, False])
@pytest.mark.parametrize("values", [(1.0, 2.0), (0.5, 3.0), (1.0, 1.0), (3.0, 40_000.0)])
def test_counts_are_drawn_on_an_axis_of_whole_numbers(
    values: tuple[float, float], log: bool, lines: bool
) -> None:
    series: dict[str, dict[runner.Cell, float]] = {"a": dict(zip((1, 2), values, strict=True))}
    marks = axis_marks(lab.Panel("", "", "nodes", series, lines=lines, log=log))
    assert marks
    assert all(re.fullmatch(r"\d{1,3}(,\d{3})*", mark) for mark in marks), marks
    assert len(marks) == len(set(marks))


@pytest.mark.parametrize("name", lab.EXPERIMENTS)
def test_no_axis_of_counts_has_fractions(name: str) -> None:
    for panel in quick(name).panels:
        if isinstance(panel, lab.Grid):
            continue
        if panel.counts:
            assert all(re.fullmatch(r"[\d,]+", mark) for mark in axis_marks(panel)), panel.title
        else:
            assert panel.y_label.startswith("milliseconds")


@pytest.mark.parametrize(
    "name",
    [
        *("quatro-times", "tris-goal", "tris-memory", "pojam-depths"),
        *("tris-heuristics", "bantumi-bots"),
    ],
)
def test_plots_of_games_say_how_many(name: str) -> None:
    assert re.search(r"\b\d+ games?\b", quick(name).panels[0].title)


# --- what the work is made of ---------------------------------------------------------------------


def test_a_search_remembers_nothing_from_the_run_before() -> None:
    work = [
        runner.OneSearch("", "", "alphabeta:depth=8", "connect4", repetition=each)
        for each in range(3)
    ]
    assert len({row.nodes for each in work for row in each.rows("")}) == 1


def test_a_player_that_tells_nothing_is_timed() -> None:
    (row,) = runner.OneSearch("", "", "random:seed=1", "connect4").rows("")
    assert row.nodes is None
    assert row.score is None
    assert row.time_ms is not None
    assert row.move


def test_a_random_opponent_plays_the_same_games_again() -> None:
    def games() -> list[list[str]]:
        return [
            [
                row.moves
                for row in runner.WholeGame(
                    "", {"a": "minimax:depth=1"}, "connect4", opponent="random", repetition=number
                ).rows("")
            ]
            for number in (1, 2)
        ]

    assert games() == games()
    assert games()[0] != games()[1]


def test_in_a_game_against_itself_all_think_about_all_positions() -> None:
    players = {"a": "minimax:depth=1", "b": "random:seed=1"}
    rows = list(runner.WholeGame("", players, "bantumi", plies=5).rows(""))
    assert [row.get("ply") for row in rows] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    for before, after in zip(rows[0::2], rows[2::2], strict=False):
        assert after.moves == f"{before.moves} {before.move}".strip()


def test_openings_differ_after_the_first_game() -> None:
    rules = mossa.game("tris:10x4")
    openings = [runner.opening(rules, number) for number in range(1, 11)]
    assert openings[0] == ""
    assert len(set(openings)) > 5
    assert openings == [runner.opening(rules, number) for number in range(1, 11)]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, ""),
        ("x", "x"),
        (0, "0"),
        (1234567, "1,234,567"),
        (1234.5, "1,234"),
        (99.96, "100.0"),
        (12.34, "12.3"),
        (2.0, "2.00"),
        (0.01234, "0.012"),
        (-0.5, "-0.500"),
    ],
)
def test_numbers_in_tables(cell: runner.Cell, text: str) -> None:
    assert runner.cell_text(cell) == text


def test_an_interrupt_keeps_the_rows() -> None:
    @dataclass(frozen=True)
    class Interrupted:
        label: str = "interrupted"

        def rows(self, experiment: str) -> Iterator[lab.Row]:
            yield from runner.OneSearch("half", "a", "minimax:depth=1", "connect4").rows(experiment)
            raise KeyboardInterrupt

    search = runner.OneSearch("whole", "a", "minimax:depth=1", "connect4")
    told: list[tuple[int, int, str]] = []
    results = lab.measure(
        lab.Experiment(
            "x", "", lambda _: [search, Interrupted(), search], lambda _: [], lambda _: []
        ),
        progress=lambda *state: told.append(state),
    )
    assert [row.case for row in results.rows] == ["whole", "half"]
    assert (results.done, results.total, results.complete) == (1, 3, False)
    assert told == [(0, 3, "whole, a"), (1, 3, "interrupted")]


@pytest.mark.parametrize("name", lab.EXPERIMENTS)
def test_tables_and_plots_of_a_part(name: str) -> None:
    """Wherever Ctrl-C comes, what there is can be shown."""
    rows = quick(name).rows
    for count in (1, len(rows) // 2):
        results = lab.Results(lab.experiment(name), rows[:count], 1, 2)
        assert all(table.columns for table in results.tables)
        assert results.panels
    assert plots.to_image(lab.Results(lab.experiment(name), rows[:1], 1, 2).panels, "svg")


# --- the pages ------------------------------------------------------------------------------------


def test_the_page_of_the_lab_is_complete() -> None:
    page = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
    missing = [
        name
        for name in [*lab.EXPERIMENTS, *custom.KEYS, *COLUMNS, "ply"]
        if f"`{name}`" not in page
    ]
    assert missing == []


@pytest.mark.parametrize(
    "name",
    [
        "quatro-times",
        "tree-candidates",
        "tris-goal",
        "quatro-memory",
        "tris-memory",
        "tris-successors",
        "tris-heuristics",
        pytest.param("bantumi-bots", marks=pytest.mark.slow),
        pytest.param("bantumi-nodes", marks=pytest.mark.slow),
        pytest.param("tris-variants", marks=pytest.mark.slow),
    ],
)
def test_the_tables_in_the_docs_are_what_comes_out(name: str) -> None:
    """But for the times: every line of every table that the page shows is one of the lab's."""
    page = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
    section = page.split(f"### `{name}`\n")[1].split("\n##")[0]
    # Repetitions change nothing but times, and the count of searches with them.
    runs = 1 if name == "tris-variants" else None
    tables = lab.measure(lab.experiment(name), lab.Settings(runs=runs)).tables
    lines = [
        " +".join(filter(None, map(cell_pattern, table.columns, row)))
        for table in tables
        for row in table.rows
    ]
    blocks = re.findall(r"^```text\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    shown = [
        line
        for block in blocks
        for part in block.split("─\n")[1:]
        for line in part.split("\n\n")[0].splitlines()
    ]
    assert shown
    for line in shown:
        assert any(re.fullmatch(f" +{pattern} *", line) for pattern in lines), line


def cell_pattern(column: str, cell: runner.Cell) -> str:
    measured = "ms" in column and "report" not in column
    return r"[\d.,]+" if measured or column == "searches" else re.escape(runner.cell_text(cell))


def test_rows_as_csv() -> None:
    rows = [
        lab.Row("e", "c, 1", "v", "g", "", "p", 1, extra={"a": 1}),
        lab.Row("e", "c", "v", "g", "", "p", 2, nodes=3, extra={"b": 2.5}),
    ]
    lines = output.to_csv(rows).split("\n")
    assert lines[0] == ",".join([*COLUMNS, "a", "b"])
    assert lines[1] == 'e,"c, 1",v,g,,p,1,,,,,,,,,,1,'
    assert lines[2] == "e,c,v,g,,p,2,3,,,,,,,,,,2.5"
