"""Objects that show themselves: one line in a console, HTML in a notebook, rows as data frames."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from operator import methodcaller
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import mossa
from mossa.analysis.display import TOP, moves_sheet, review_sheet
from mossa.arena.words import report_parts
from mossa.errors import how_to_install
from mossa.notebook import MOST_COLUMNS, MOST_ROWS, Bar, data_frame, to_html
from mossa.sheets import Note, Sheet, sheet_of

html = methodcaller("_repr_html_")  # private, as notebooks want it

NASTY = '<script>alert("x")</script> & <b>'
CONNECT4 = mossa.game("connect4")
KALAH = mossa.game("kalah")


@pytest.fixture(scope="module")
def analysis() -> mossa.Analysis:
    *_, last = mossa.analyse(CONNECT4.position("4455"), depth=2, player="minimax")
    return last


@pytest.fixture(scope="module")
def review() -> mossa.Review:
    played = mossa.game("tictactoe").position("b2 b1 a1 c3 b3")
    record = mossa.Record.from_position(played, first=NASTY, second="bob", extra={"opening": 1})
    return mossa.review(record, depth=2, player="minimax")


@pytest.fixture(scope="module")
def report() -> mossa.Report:
    players: dict[str, Any] = {NASTY: lambda position: position.moves[0], "bob": "random:seed=1"}
    return mossa.tournament(players, ["tictactoe"], rounds=2)


@pytest.fixture(scope="module")
def study() -> mossa.Study:
    found = mossa.Study.find(KALAH)
    assert found is not None
    return found


@pytest.fixture(params=["analysis", "review", "report", "study", "position"])
def shown(request: pytest.FixtureRequest) -> Any:
    if request.param == "position":
        return CONNECT4.position("4455")
    return request.getfixturevalue(request.param)


# --- one line -------------------------------------------------------------------------------------


def test_an_analysis_is_one_line(analysis: mossa.Analysis) -> None:
    assert repr(analysis) == (
        f"<Analysis of connect:6x7x4 after 4 4 5 5: best {analysis.move}, {analysis.score}, "
        "depth 2, 7 moves>"
    )


def test_a_long_game_is_cut_to_its_end(analysis: mossa.Analysis) -> None:
    moves = CONNECT4.position("1" * 6 + "2" * 6 + "3" * 6 + "5" * 6 + "6" * 6 + "7" * 3)
    long = replace(analysis, position=moves)
    assert len(repr(long)) < 200
    assert "... " in repr(long) and " 7 7 7: best" in repr(long)


def test_a_review_is_one_line(review: mossa.Review) -> None:
    told = repr(review)
    assert told.startswith("<Review of mnk:3x3x3, '<script>") and "\n" not in told
    assert "5 moves: 4 moves graded, best moves first " in told and len(told) < 250
    assert all(len(repr(move)) < 450 for move in review.moves)


def test_a_report_is_one_line(report: mossa.Report) -> None:
    told = repr(report)
    assert told.startswith("<Report of round-robin, 2 players, mnk:3x3x3: 4 games; ")
    assert " leads with " in told and len(told) < 200
    nobody = replace(report, standings=[], done=0)
    assert repr(nobody) == "<Report of round-robin, 2 players, mnk:3x3x3: 0 of 4 games>"


def test_a_study_is_one_line(study: mossa.Study) -> None:
    """Its positions are bytes, and were all printed."""
    assert repr(study) == "<Study of kalah:6x4: the first 6 moves, 119 positions>"


def test_what_holds_much_is_one_line() -> None:
    position = CONNECT4.position("4455")
    record = mossa.Record.from_position(position, first="ann", extra={"times_ms": [1] * 4})
    assert repr(record) == "<Record of connect:6x7x4, 'ann' against '?', *, 4 moves>"
    trace = mossa.trace_search(position, "minimax:depth=1")
    assert repr(trace) == (
        f"<SearchTrace of connect:6x7x4 after 4 4 5 5 by minimax:depth=1: {len(trace.nodes)} nodes>"
    )
    network = mossa.Network.shipped(mossa.game("gomoku"))
    assert network is not None
    assert repr(network).startswith("<Network for mnk:15x15x5") and len(repr(network)) < 200
    assert repr(mossa.player("minimax:depth=1")) == "<Player 'minimax:depth=1'>"


# --- tables as texts ------------------------------------------------------------------------------


def test_a_sheet_counts_what_it_leaves_out() -> None:
    sheet = sheet_of(range(5), {"number": str, "twice": lambda n: str(2 * n)}, noun="move")
    assert sheet.more == "" and sheet.first(5) == sheet
    assert sheet.first(3).rows == (("0", "0"), ("1", "2"), ("2", "4"))
    assert sheet.first(3).more == "and 2 more moves"
    assert sheet.first(3).first(2).more == "and 3 more moves"
    assert sheet.first(4).more == "and 1 more move"


# --- HTML -----------------------------------------------------------------------------------------


class Checked(HTMLParser):
    """Reads HTML: its tags must match, and it must ask for nothing from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), f"{tag} runs {name}"
            assert name not in ("href", "src") or str(value).startswith("#"), f"{tag} loads {value}"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_a_notebook_is_shown_whole_html_and_nothing_of_the_users(shown: Any) -> None:
    text = html(shown)
    page = Checked(text)
    assert not {"script", "b", "img", "link", "iframe"} & set(page.tags)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert len(text) < 20_000


@pytest.mark.parametrize("name", ["review", "report"])
def test_names_of_players_are_shown_as_they_are(name: str, request: pytest.FixtureRequest) -> None:
    words = "".join(Checked(html(request.getfixturevalue(name))).words)
    assert NASTY in words


def test_a_position_shows_its_picture() -> None:
    position = CONNECT4.position("4455")
    assert html(position) == f"<div>{methodcaller('_repr_svg_')(position)}</div>"


def cells(sheet: Sheet) -> Iterator[str]:
    yield from sheet.columns
    for row in sheet.rows:
        yield from row


def test_a_notebook_shows_what_the_terminal_prints(
    analysis: mossa.Analysis, review: mossa.Review, report: mossa.Report, study: mossa.Study
) -> None:
    parts = report_parts(report)
    expected: list[tuple[Any, list[str]]] = [
        (analysis, [*cells(moves_sheet(analysis)), f"{analysis.nodes:,} nodes"]),
        (review, [*cells(review_sheet(review))]),
        (report, [text for part in parts if isinstance(part, Sheet) for text in cells(part)]),
        (study, study.words),
    ]
    for thing, texts in expected:
        words = "\n".join(Checked(html(thing)).words)
        assert [text for text in texts if text not in words] == []


def test_a_board_with_many_moves_shows_the_best_and_counts_the_others() -> None:
    position = mossa.game("gomoku").position("h8 i9")
    *_, last = mossa.analyse(position, depth=1, player="minimax")
    text = html(last)
    assert text.count("<tr>") == 1 + TOP
    assert f"and {15 * 15 - 2 - TOP} more moves" in text


def test_bars_say_who_is_ahead() -> None:
    lost = mossa.game("kalah:3x2").start()
    *_, last = mossa.analyse(lost, depth=20, player="alphabeta")
    widths = [float(each) for each in re.findall(r"width:([\d.]+)%", html(last))]
    assert len(widths) == 2 and sum(widths) == pytest.approx(100) and widths[0] > 55


def test_a_large_report_stays_small(report: mossa.Report) -> None:
    """What is shown does not grow with the games, and hardly with the players."""
    many = [{**report.standings[0], "player": f"player {n}"} for n in range(500)]
    games = report.games * 2500
    entrants = report.plan.entrants * 250
    plan = replace(report.plan, entrants=entrants)
    large = replace(report, plan=plan, standings=many, games=games, done=len(games), total=10_000)
    text = html(large)
    assert len(text) < 40_000
    assert text.count("<tr>") == 1 + MOST_ROWS
    assert f"and {500 - MOST_ROWS} more players" in text
    assert "a table of 501 columns is left out here" in text


def test_nothing_is_shown_in_full_if_it_is_too_long() -> None:
    sheet = Sheet(("a", "b"), (("x" * 10_000, "y" * 10_000),) * 1000)
    wide = Sheet(tuple("c" * (MOST_COLUMNS + 1)), ())
    text = to_html(
        "t" * 9999, [sheet, wide, Note("n" * 9999), Bar("b" * 9999, ((1.0, "red", ""),))]
    )
    assert len(text) < 20_000
    assert "and 950 more rows" in text and f"{MOST_COLUMNS + 1} columns" in text


def test_a_board_that_is_too_large_is_left_out() -> None:
    large = mossa.game("connect:100x100x5").start()
    text = to_html("large", [], board=large)
    assert "too large to show here" in text and "<svg" not in text


def test_a_share_of_nothing_takes_no_room() -> None:
    text = to_html("", [Bar("one", ((0.0, "red", "none"), (1.0, "blue", "all")))])
    assert "red" not in text and 'aria-label="none, all"' in text


# --- data frames ----------------------------------------------------------------------------------


@pytest.fixture
def pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much of pandas as is asked for: a frame that is its rows."""
    fake = ModuleType("pandas")
    fake.DataFrame = lambda rows: rows  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", fake)


def rows_of(thing: Any, *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = thing.to_pandas(*arguments)
    return found


@pytest.mark.usefixtures("pandas")
def test_an_analysis_has_a_row_for_every_move(analysis: mossa.Analysis) -> None:
    rows = rows_of(analysis)
    assert [row["move"] for row in rows] == [str(move) for move in analysis.moves]
    best = analysis.moves[analysis.move]
    assert rows[0] == {
        "move": str(analysis.move),
        "score": str(best.score),
        "value": best.score.value,
        "distance": best.score.distance,
        "exact": isinstance(best.score, mossa.Exact),
        "depth": best.depth,
        "line": " ".join(map(str, best.line)),
    }


@pytest.mark.usefixtures("pandas")
def test_a_review_has_a_row_for_every_move(review: mossa.Review) -> None:
    rows = rows_of(review)
    assert [row["move"] for row in rows] == ["b2", "b1", "a1", "c3", "b3"]
    assert (rows[0]["grade"], rows[0]["reason"]) == (None, "opening")
    graded = review.moves[0]
    assert (rows[1]["grade"], rows[1]["best"]) == (graded.grade.value, str(graded.best))


@pytest.mark.usefixtures("pandas")
def test_a_report_has_several_kinds_of_rows(report: mossa.Report) -> None:
    assert rows_of(report) == report.games
    assert rows_of(report, "standings") == report.standings
    assert rows_of(report, "moves") == report.moves
    assert len(rows_of(report, "sides")) == 4
    assert rows_of(report, "forfeits") == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "standing",
            "to_pandas() takes the name of rows, not 'standing' (str): did you mean 'standings'? "
            "there are games, standings, duels, sides, moves, forfeits",
        ),
        ("plan", "to_pandas() takes the name of rows, not 'plan' (str): there are games, "),
        (5, "to_pandas() takes the name of rows, not 5 (int): there are games, "),
    ],
)
def test_rows_that_a_report_has_not(report: mossa.Report, given: Any, message: str) -> None:
    with pytest.raises(mossa.GameError) as caught:
        report.to_pandas(given)
    assert str(caught.value).startswith(message)


@pytest.mark.usefixtures("pandas")
def test_a_study_has_a_row_for_every_position_that_comes_up(study: mossa.Study) -> None:
    rows = rows_of(study)
    assert len(rows) == len({row["moves"] for row in rows}) > 50
    start = study.get(KALAH.start())
    assert start is not None
    assert rows[0]["moves"] == "" and rows[0]["move"] == start.move
    for row in rows:
        found = study.get(KALAH.position(row["moves"]))
        assert found is not None and str(found.score) == row["score"]


def test_without_pandas_it_says_what_to_install(
    analysis: mossa.Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)  # as if it were not there
    with pytest.raises(ModuleNotFoundError) as caught:
        analysis.to_pandas()
    assert str(caught.value) == f"to_pandas() needs pandas: {how_to_install('notebook')}"


def test_the_extra_is_declared() -> None:
    project = Path(__file__).parent.parent / "pyproject.toml"
    assert 'notebook = ["pandas>=2"]' in project.read_text(encoding="utf-8")


def test_real_data_frames(
    analysis: mossa.Analysis, review: mossa.Review, report: mossa.Report, study: mossa.Study
) -> None:
    pytest.importorskip("pandas")
    assert list(analysis.to_pandas().columns)[:3] == ["move", "score", "value"]
    assert review.to_pandas()["grade"].count() == 4
    assert report.to_pandas()["plies"].min() >= 5
    assert report.to_pandas("standings")["points"].sum() == 4
    assert study.to_pandas()["exact"].all()
    assert data_frame([]).empty
