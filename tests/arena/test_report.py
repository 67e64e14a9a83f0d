"""Reports: plain rows, a page that needs nothing else, and the judgement of the oracle."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from command import call, good
from programs import ROOT

import mossa
from mossa.arena.driver import drive, first_pairings
from mossa.arena.oracle import Oracle, accuracy, judge_games
from mossa.arena.page import to_html
from mossa.arena.plan import Entrant, Plan
from mossa.arena.referee import match
from mossa.arena.report import Report, llr_path, make_report, rows_to_csv
from mossa.arena.statistics import Tally, rate
from mossa.arena.store import Store, finished
from mossa.arena.words import elo_text, repeats_text
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
    report = make_report(store, dict(judge_games(store.records(), seconds=0.05)))
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
    told = "1 game was given up and does not count: its workers died."
    assert told in to_html(report)
    assert told in good(call("tournament", "status", path))


# --- what reports are asked for -------------------------------------------------------------------


def played(
    tmp_path: Path,
    names: str,
    results: str,
    *,
    times: tuple[float, ...] = (),
    **plan_options: Any,
) -> Store:
    """A tournament of tic-tac-toe whose games ended as told, in the order of the schedule."""
    plan = Plan(tuple(Entrant(name, "random") for name in names), ("mnk:3x3x3",), **plan_options)
    store = Store.create(tmp_path / "t.db", plan, first_pairings(plan))
    lines = {"+": "a1 a2 b1 b2 c1", "-": "a1 a2 b1 b2 a3 c2", "=": "a1 b2 a2 a3 c1 b1 b3 c3 c2"}
    game = mossa.game("tictactoe")
    for pairing, result in zip(store.open_pairings(), results, strict=False):
        extra: dict[str, Any] = {"end": "told"}
        position = game.position(lines.get(result, ""))
        if times:
            extra["times_ms"] = list(times[: position.ply])
        claim = "*"
        if result in "fs":  # first or second forfeits
            side, claim = ("first", "0-1") if result == "f" else ("second", "1-0")
            extra |= {"forfeit": {"side": side, "kind": "time", "reason": "asleep"}}
            extra["end"] = f"{side} ran out of time: asleep"
        both = plan.names[pairing.first], plan.names[pairing.second]
        record = Record.from_position(
            position, first=both[0], second=both[1], result=claim, extra=extra
        )
        store.finish(finished(pairing.id, record, 0.1))
    return store


def order(report: Report) -> list[str]:
    return [row["player"] for row in report.standings]


def test_a_gauntlet_has_its_challenger_on_top_and_the_others_by_points(tmp_path: Path) -> None:
    """One that has played less was above one with more points."""
    # The challenger, a, loses to d and to c, and beats b.
    with played(tmp_path, "abcd", "+--+-+", format="gauntlet") as store:
        report = make_report(store)
    assert [(row["player"], row["points"]) for row in report.standings] == [
        ("a", 2),
        ("c", 2),
        ("d", 2),
        ("b", 0),
    ]
    assert [row["opponent"] for row in report.challenges] == ["c", "d", "b"]
    page = to_html(report)
    assert "<h2>a against each opponent</h2>" in page
    assert "Cross table" not in page
    text = good(call("tournament", "status", tmp_path / "t.db"))
    assert "a against" in text
    assert "1 a" not in text  # the table of everybody against everybody


def test_points_go_before_the_score(tmp_path: Path) -> None:
    with played(tmp_path, "abc", "+-+-=+", rounds=2) as store:
        report = make_report(store)
    rows = [(row["points"], row["score"]) for row in report.standings]
    assert rows == sorted(rows, reverse=True)


def test_players_without_games_have_no_score(tmp_path: Path) -> None:
    """They had 50%, and an Elo of 0."""
    with played(tmp_path, "abc", "++") as store:
        report = make_report(store)
    row = next(row for row in report.standings if row["player"] == "c")
    assert [row[name] for name in ("score", "elo", "nelo", "los")] == [None] * 4
    text = good(call("tournament", "status", tmp_path / "t.db"))
    (line,) = [line for line in text.splitlines() if line.startswith("c ")]
    assert line.split() == ["c", "0", "0", "0", "0", "0"]


def test_the_score_counts_games_also_those_of_half_a_pair(tmp_path: Path) -> None:
    with played(tmp_path, "ab", "+") as store:
        assert [row["score"] for row in make_report(store).standings] == [1, 0]


def test_players_by_game_and_side(tmp_path: Path) -> None:
    with played(tmp_path, "ab", "++=-", rounds=2) as store:
        report = make_report(store)
    sides = {(row["player"], row["side"]): row for row in report.to_dict()["sides"]}
    counts = {
        key: (row["game"], row["wins"], row["draws"], row["losses"], row["score"])
        for key, row in sides.items()
    }
    assert counts == {
        ("a", "first"): ("mnk:3x3x3", 1, 1, 0, 0.75),
        ("a", "second"): ("mnk:3x3x3", 1, 0, 1, 0.5),
        ("b", "first"): ("mnk:3x3x3", 1, 0, 1, 0.5),
        ("b", "second"): ("mnk:3x3x3", 0, 1, 1, 0.25),
    }
    lines = good(call("tournament", "report", tmp_path / "t.db")).splitlines()
    assert "a       mnk:3x3x3  +1 =1 -0   +1 =0 -1  62.5%" in lines
    row = "<td>mnk:3x3x3</td><td>+1 =1 -0</td><td>+1 =0 -1</td><td>62.5%</td>"
    assert f"<tr><td>a</td>{row}" in to_html(report)


def test_forfeits_name_the_player_the_game_and_the_reason(tmp_path: Path) -> None:
    """It said "1 games were forfeited, the last: first was too late"."""
    with played(tmp_path, "ab", "+s") as store:
        report = make_report(store)
    assert report.to_dict()["forfeits"] == [
        {
            "id": 2,
            "game": "mnk:3x3x3",
            "player": "a",
            "opponent": "b",
            "side": "second",
            "kind": "time",
            "reason": "ran out of time: asleep",
        }
    ]
    lines = good(call("tournament", "status", tmp_path / "t.db")).splitlines()
    assert lines[-2:] == [
        "1 game was forfeited:",
        "  game 2, mnk:3x3x3: a (second) ran out of time: asleep",
    ]
    row = "<td>mnk:3x3x3</td><td>a</td><td>second</td><td>b</td><td>ran out of time: asleep</td>"
    assert row in to_html(report)


def test_many_forfeits_are_listed_by_the_report(tmp_path: Path) -> None:
    with played(tmp_path, "ab", "s" * 8, rounds=4):
        pass
    short = good(call("tournament", "status", tmp_path / "t.db")).splitlines()
    assert short[-1] == "  and 3 more; mossa tournament report lists them all"
    full = good(call("tournament", "report", tmp_path / "t.db"))
    assert "  game 8, mnk:3x3x3: a (second) ran out of time: asleep" in full


def test_late_moves_are_counted(tmp_path: Path) -> None:
    conditions = mossa.Conditions(time=0.5, margin=0.1)
    times = (500, 501, 100, 600, 0.1)  # of first, second, first, second, first
    with played(tmp_path, "ab", "+", times=times, conditions=conditions) as store:
        report = make_report(store)
        assert make_report(store, with_moves=False).standings[0]["late"] is None
    assert [(row["player"], row["late"]) for row in report.standings] == [("a", 0), ("b", 2)]
    assert [row["late"] for row in report.moves] == [False, True, False, True, False]
    told = "Late by no more than the margin of 0.1 s: b (2 moves)."
    assert told in good(call("tournament", "status", tmp_path / "t.db"))
    assert told in to_html(report)


def test_late_moves_by_the_clock_of_a_game(tmp_path: Path) -> None:
    conditions = mossa.Conditions(clock=1, increment=0.1, margin=0.2)
    times = (900, 0, 250, 0, 0)  # first has 1, then 0.2, then 0.05 s
    with played(tmp_path, "ab", "+", times=times, conditions=conditions) as store:
        report = make_report(store)
    assert [row["late"] for row in report.moves] == [False, False, True, False, False]


def test_games_that_repeat_are_told(tmp_path: Path) -> None:
    with played(tmp_path, "ab", "+-+-+=", rounds=3) as store:
        report = make_report(store)
    assert [row["repeats"] for row in report.games] == [None, None, 1, 2, 1, None]
    assert report.to_dict()["repeated"] == 3
    told = (
        "3 of 6 games repeat an earlier game, move for move: "
        "a against b (2), b against a (1). Between players"
    )
    assert told in good(call("tournament", "status", tmp_path / "t.db"))
    assert told in to_html(report)


def test_one_game_repeats_and_forfeits_do_not(tmp_path: Path) -> None:
    with played(tmp_path, "ab", "+f+f", rounds=2) as store:
        report = make_report(store)
    assert [row["repeats"] for row in report.games] == [None, None, 1, None]
    assert repeats_text(report).startswith("1 of 4 games repeats an earlier game")


def test_names_are_not_broken(tmp_path: Path) -> None:
    long = "alphabeta:depth=4,evaluate=lines,order=place and a name that goes on and on and on"
    names = (long, long.upper(), "c")
    plan = Plan(tuple(Entrant(name, "random") for name in names), ("mnk:3x3x3",))
    with Store.create(tmp_path / "t.db", plan, first_pairings(plan)):
        pass
    text = good(call("tournament", "report", tmp_path / "t.db"))
    assert text.count(long) == text.count(long.upper()) == 2


def test_json_holds_no_infinity(tmp_path: Path) -> None:
    """JSON has no word for it: whatever is infinite or not known is null."""
    for at, results in enumerate(("", "+", "++", "+-", "+-" * 5, "==" * 5)):
        folder = tmp_path / str(at)
        folder.mkdir()
        with played(folder, "abc", results, rounds=2):
            pass
        text = good(call("tournament", "report", folder / "t.db", "--json"))
        json.loads(text, parse_constant=pytest.fail)


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
    won = row | {"elo": None, "elo_high": None}
    assert elo_text(won | {"elo_low": 100.0}) == "at least +100"
    lost = row | {"elo": None, "elo_low": None}
    assert elo_text(lost | {"elo_high": -100.0}) == "at most -100"
    assert elo_text(row | {"pairs": [0] * 5}) == ""


def test_a_bound_that_tells_nothing_is_not_shown() -> None:
    """Ten wins of ten were an "Elo over -15", two of two "over -636"."""
    row = {"elo": None, "elo_low": None, "elo_high": None, "pairs": [0, 0, 0, 0, 1]}
    assert elo_text(row) == ""
    assert elo_text(row | {"elo_low": -15.0}) == elo_text(row | {"elo_high": 15.0}) == ""
    assert elo_text(row | {"elo_low": 0.3}) == ""  # it would read "at least +0"
    ten = rate(Tally((0, 0, 0, 0, 5)))
    assert elo_text(row | {"elo_low": ten.low}) == "at least +34"


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
    oracle = Oracle(20)
    moves = [move for record in records for move in oracle.judge(record)]
    found = {(row.player, row.phase): row for row in accuracy(moves)}
    assert found["perfect", "all"].kept == 1
    assert found["perfect", "all"].loss == 0
    assert found["random", "all"].kept < 1
    assert found["random", "all"].loss > 0


def test_every_move_has_its_exact_value(tmp_path: Path) -> None:
    file, table = tmp_path / "t.db", tmp_path / "moves.csv"
    players = {"perfect": "alphabeta:depth=9", "random": "random:seed=3"}
    report = mossa.tournament(players, ["tictactoe"], plies=1, workers=1, store=file, oracle=20)
    assert {each.player for each in report.oracle} == set(players)
    assert report.moves
    for row in report.moves:
        assert {row["value"], row["value_after"]} <= {-1, 0, 1}
        assert row["kept"] == (row["value_after"] >= row["value"])
        assert row["lost"] == row["value"] - row["value_after"]
        assert row["kept"] or row["player"] == "random"
        assert row["phase"] in ("opening", "middle", "end")
    assert all(row["kept"] is row["value"] is None for row in mossa_rows(file))
    good(call("tournament", "report", file, "--oracle", "20", "--moves", table))
    lines = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert [(int(line["value"]), line["kept"]) for line in lines] == [
        (row["value"], str(row["kept"])) for row in report.moves
    ]


def mossa_rows(file: Path) -> list[dict[str, Any]]:
    """The moves of a tournament that nobody has judged."""
    with Store.look(file) as store:
        return make_report(store).moves


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_an_oracle_needs_time(seconds: float) -> None:
    with pytest.raises(
        mossa.GameError, match=r"invalid oracle .*: seconds a position, more than 0"
    ):
        mossa.tournament(["random", "level:1"], ["tictactoe"], oracle=seconds)


def test_ctrl_c_keeps_what_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Oracle.judge

    def stopped(self: Oracle, record: Record) -> Any:
        yield from judge(self, record)
        raise KeyboardInterrupt

    monkeypatch.setattr(Oracle, "judge", stopped)
    report = mossa.tournament(
        {"a": "random:seed=1", "b": "random:seed=2"}, ["tictactoe"], workers=1, oracle=20
    )
    assert report.done == 2
    assert {row["id"] for row in report.moves if row["kept"] is not None} == {1}


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
