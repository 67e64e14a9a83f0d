"""Reports: plain rows, a page that needs nothing else, and the judgement of the oracle."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from command import call, good
from programs import ROOT

import mossa
from mossa.arena.driver import drive, first_pairings
from mossa.arena.oracle import Oracle, accuracy
from mossa.arena.page import elo_text, to_html
from mossa.arena.plan import Entrant, Plan
from mossa.arena.referee import match
from mossa.arena.report import Report, llr_path, make_report, rows_to_csv
from mossa.arena.store import Store, finished
from mossa.records import Record

NASTY = "<b>&\"bot'"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> object:
    """A finished tournament with a forfeit, a strange name and a test."""

    def cheat(position: mossa.Position) -> str:
        return "9" if position.ply > 6 else str(position.moves[0])

    path = tmp_path_factory.mktemp("arena") / "t.db"
    plan = Plan(
        (Entrant("ab", "alphabeta:depth=2"), Entrant(NASTY, "cheat")),
        ("connect:6x7x4", "mnk:3x3x3"),
        rounds=4,
        sprt=mossa.Sprt(0, 400),
    )
    with Store.create(path, plan, first_pairings(plan)) as opened:
        drive(opened, objects={NASTY: mossa.player(cheat)})
        yield opened


class Checker(HTMLParser):
    """Follows the tags, and remembers what a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.fetched += [str(v) for k, v in attrs if k in ("src", "href")]


def test_the_page_stands_alone_and_escapes_names(store: Store) -> None:
    report = make_report(store, accuracy(store.records(), seconds=0.05))
    page = to_html(report, llr_path(report, store))
    checker = Checker()
    checker.feed(page)
    assert not checker.fetched
    assert not re.search(r"https?://|@import|url\(", page)
    assert "<b>" not in page
    assert "&lt;b&gt;&amp;" in page
    for heading in ("Standings", "Cross table", "Sequential test", "Accuracy", "Time", "Forfeits"):
        assert f"<h2>{heading}</h2>" in page
    assert checker.tags.count("svg") >= 2
    assert "illegal move" in page


def test_a_page_of_nothing_played() -> None:
    plan = Plan((Entrant("a", "random"), Entrant("b", "random")), ("mnk:3x3x3",))
    page = to_html(Report(plan, 0, 2, [], [], [], []))
    assert "0 of 2 games" in page


def test_a_dot_of_a_plot_is_in_its_picture(store: Store) -> None:
    """Also where the upper end of the error bar is infinite, and so not known."""
    report = make_report(store)
    rating = {"elo": 597.0, "elo_low": 445.0, "elo_high": None, "pairs": [0, 0, 0, 1, 9]}
    page = to_html(replace(report, standings=[row | rating for row in report.standings]))
    dots = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', page)]
    assert len(dots) >= 2
    assert all(0 < x < 760 for x in dots)


def test_games_that_could_not_be_played_are_told(tmp_path: Path) -> None:
    plan = Plan((Entrant("a", "random"), Entrant("b", "random")), ("mnk:3x3x3",))
    path = tmp_path / "t.db"
    with Store.create(path, plan, first_pairings(plan)) as store:
        start = mossa.game("tictactoe").start()
        record = Record.from_position(start, extra={"end": "not played: its workers died"})
        store.finish(finished(1, record, 0.0))
        report = make_report(store)
    assert [row["id"] for row in report.unplayed] == [1]
    assert "the last was not played: its workers died" in to_html(report)
    assert "1 games were not played: its workers died" in good(call("tournament", "status", path))


def test_json_and_csv(store: Store) -> None:
    report = make_report(store)
    data = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert data["done"] == len(data["games"]) == report.done
    rows = list(csv.DictReader(io.StringIO(report.to_csv())))
    assert len(rows) == report.done
    assert {row["first"] for row in rows} == {"ab", NASTY}
    moves = list(csv.DictReader(io.StringIO(rows_to_csv(report.moves))))
    assert len(moves) == sum(int(row["plies"]) for row in rows) - sum(
        len(mossa.game(row["game"]).position(row["opening"]).history) for row in rows
    )
    assert rows_to_csv([]) == ""


def test_points_add_up(store: Store) -> None:
    report = make_report(store)
    table = {row["player"]: row for row in report.standings}
    assert sum(row["points"] for row in report.standings) == report.done
    assert table[NASTY]["forfeits"] == sum(row["forfeit"] is not None for row in report.games)
    assert table["ab"]["elo"] is None or table["ab"]["elo"] > 0
    assert report.sprt is not None and report.sprt["verdict"] == "H1"


def test_elo_in_words() -> None:
    row = {"elo": 10.0, "elo_low": -5.0, "elo_high": 25.0, "pairs": [0, 0, 5, 1, 0]}
    assert elo_text(row) == "+10 ± 15"
    assert elo_text(row | {"elo": None, "elo_high": None, "elo_low": 100.0}) == "over +100"
    assert elo_text(row | {"elo": None, "elo_low": None, "elo_high": -100.0}) == "under -100"
    assert elo_text(row | {"pairs": [0] * 5}) == ""


# --- the oracle -----------------------------------------------------------------------------------


def test_the_oracle_knows_small_games() -> None:
    oracle = Oracle(20)
    game = mossa.game("tictactoe")
    assert oracle.value(game.start()) == 0
    assert oracle.value(game.position("a1 b1")) == 1  # second should have taken the middle
    assert oracle.value(game.position("a1 b2")) == 0
    assert oracle.value(game.position("a1 b1 a2 b2 a3")) == 1


def test_moves_are_judged_for_the_side_that_made_them() -> None:
    game = mossa.game("tictactoe")
    record = Record.from_position(game.position("a1 b1 b2 c3"), first="x", second="o")
    judged = list(reversed(list(Oracle(20).judge(record))))
    assert [judged[ply].player for ply in range(4)] == ["x", "o", "x", "o"]
    assert [judged[ply].loss for ply in range(4)] == [0, 1, 0, 0]
    assert [judged[ply].keeps for ply in range(4)] == [True, False, True, True]
    assert [judged[ply].phase for ply in range(4)] == ["opening", "opening", "middle", "end"]


def test_perfect_play_keeps_every_value_and_random_play_does_not() -> None:
    records = [match("alphabeta:depth=9", f"random:seed={n}", "tictactoe") for n in range(4)]
    records = [
        Record.from_position(each.position, first="perfect", second="random") for each in records
    ]
    found = {
        (row.player, row.phase): row
        for row in accuracy([(None, r) for r in records], seconds=20)  # type: ignore[misc]
    }
    assert found["perfect", "all"].kept == 1
    assert found["perfect", "all"].loss == 0
    assert found["random", "all"].kept < 1
    assert found["random", "all"].loss > 0


def test_openings_are_not_the_players_moves() -> None:
    record = match("random:seed=1", "random:seed=2", "tictactoe", opening="a1 b1")
    assert len(list(Oracle(20).judge(record))) == len(record.moves) - 2


def test_kalah_loses_seeds() -> None:
    record = match("random:seed=1", "random:seed=2", "kalah:3x2")
    assert all(0 <= move.loss <= 12 for move in Oracle(20).judge(record))


def test_what_is_not_solved_in_time_stays_unknown() -> None:
    assert Oracle(0.001).value(mossa.game("mnk:10x10x5").start()) is None


def test_reports_are_files(store: Store, tmp_path: Path) -> None:
    report = make_report(store)
    (tmp_path / "r.html").write_text(to_html(report), encoding="utf-8")
    assert (tmp_path / "r.html").stat().st_size < 200_000


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    notebook = json.loads((ROOT / "examples" / "tournament.ipynb").read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert not cell["outputs"]
            exec("".join(cell["source"]), names)
    assert isinstance(names["report"], Report)
    assert names["report"].complete
